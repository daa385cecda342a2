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
    timeline = phase.timeline
    amounts = numpy.array([v or 0 for v in (timeline.bytes if counts_bytes(phase) else timeline.operations)],
                          dtype=float)
    edges = joined_edges(phase, len(amounts))
    seconds = edges * timeline.slice_seconds
    return seconds, joined_sums(amounts, edges) / numpy.diff(seconds)


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
                       + (" Dotted: the rate that was asked for." if shown.ordered_rate else ""), rates,
                       quantity(kind))


def draw(sheet, kind):
    axes, colour = sheet.axes, sheet.colour(of_phase(kind.name))
    shown, top, end = kind.with_most("timeline"), 0, 0
    for phase in kind.phases:
        if not phase.timeline:
            continue
        edges, values = series(phase)
        bold = phase is shown
        axes.stairs(values, edges, color=colour, linewidth=1.8 if bold else 0.7,
                    alpha=1 if bold else 0.35, zorder=3 if bold else 2, baseline=None)
        top, end = max(top, values.max()), max(end, edges[-1])
    if shown.ordered_rate:
        axes.axhline(shown.ordered_rate, color=sheet.colour("muted"), linewidth=1.1, linestyle=(0, (1, 2)))
    rate_axis(sheet, max(float(top), shown.ordered_rate or 0), quantity(kind))
    elapsed_axis(sheet, end)
    sheet.labels("time since the phase began", None, f"{kind.name}: throughput over time")
