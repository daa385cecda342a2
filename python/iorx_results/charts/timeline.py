"""Throughput over the time of a phase, and how the service times went with it."""

import numpy

from .. import statistics, units, words
from ..palette import of_phase
from .axes import elapsed_axis, rate_axis
from .slices import empty_words, joined_edges, joined_sums, width_words


def applies(kind):
    return any(phase.timeline for phase in kind.phases)


def series(phase):
    """(edges in seconds, rate between them) of a phase with a timeline; neighbouring slices are joined."""
    return rates_of(phase, phase.timeline.bytes if counts_bytes(phase) else phase.timeline.operations)


def rates_of(phase, row):
    amounts = numpy.array([v or 0 for v in row], dtype=float)
    edges = joined_edges(phase, len(amounts))
    seconds = edges * phase.timeline.slice_seconds
    return seconds, joined_sums(amounts, edges) / numpy.diff(seconds)


def asked(phase):
    """As series(), of the operations that were due; a level where the document does not have them; None without a rate."""
    if phase.timeline.due:
        return rates_of(phase, phase.timeline.due)
    if phase.ordered_rate:
        return series(phase)[0][[0, -1]], numpy.array([phase.ordered_rate])
    return None


def counts_bytes(phase):
    """The rate of a load is one of operations, although it moves bytes."""
    return any(phase.timeline.bytes) and not phase.load


def quantity(kind):
    timed = [phase for phase in kind.phases if phase.timeline]
    return units.BYTES if any(map(counts_bytes, timed)) else units.OPERATIONS


def slices_words(values, phase):
    """(sentence, rates of {0} and {1}) about the slices without the first and the last, which are cut."""
    whole = values[1:-1] if len(values) > 2 else values
    kind = "whole " if len(values) > 2 else ""
    if len(whole) == 1:
        return f"its one {kind}slice is at {{0}}.", [float(whole[0])]
    if len(whole) == 2:
        return f"its two {kind}slices are at {{0}} and {{1}}.", [float(value) for value in whole]
    empty = empty_words(float((whole == 0).mean()), phase)
    return f"half of its {len(whole)} whole slices are at {{0}} or above, the slowest is at {{1}}.{empty}", \
        [float(statistics.median(whole)), float(min(whole))]


def caption(kind):
    shown = kind.with_most("timeline")
    edges, values = series(shown)
    text, rates = slices_words(values, shown)
    return words.Rated(f"Throughput in slices of {width_words(numpy.diff(edges))}, by what completed in each. "
                       f"Bold is repetition {shown.repetition}, the nearest to the median: {text}"
                       + (asked_words(shown) if asked(shown) else ""), rates, quantity(kind))


def asked_words(phase):
    what = "the rate that was asked for"
    return f" Grey: {what}, by what was due in each slice; in a replay it is the recorded one." if phase.timeline.due \
        else f" Grey: {what}."


def draw(sheet, kind):
    axes, colour = sheet.axes, sheet.colour(of_phase(kind.name))
    shown, top, end = kind.with_most("timeline"), 0, 0
    for phase in kind.phases:
        if not phase.timeline:
            continue
        edges, values = series(phase)
        bold = phase is shown
        axes.stairs(values, edges, color=colour, linewidth=1.8 if bold else 0.7,
                    alpha=1 if bold else 0.35, zorder=3 if bold else 2, baseline=None, label="done" if bold else None)
        top, end = max(top, values.max()), max(end, edges[-1])
    if asked(shown):
        edges, values = asked(shown)
        axes.stairs(values, edges, color=sheet.colour("muted"), alpha=0.3, fill=True, label="asked")
        top, end = max(top, values.max()), max(end, edges[-1])
        sheet.legend()
        top *= 1.12  # room for the legend
    rate_axis(sheet, float(top), quantity(kind))
    elapsed_axis(sheet, end)
    sheet.labels("time since the phase began", None, f"{kind.name}: throughput over time")
