"""Throughput over the time of a phase, and how the service times went with it."""

import numpy

from .. import statistics, units, words
from ..palette import of_phase
from .axes import elapsed_axis, rate_axis

OPERATIONS_LEAST = 16  # in a slice, on average: with one or none in each, rates are those of a comb


def applies(kind):
    return any(phase.timeline for phase in kind.phases)


def series(phase):
    """(edges in seconds, rate between them) of a phase with a timeline; neighbouring slices are joined."""
    timeline = phase.timeline
    amounts = numpy.array([v or 0 for v in (timeline.bytes if any(timeline.bytes) else timeline.operations)],
                          dtype=float)
    slices, operations = len(amounts), sum(v or 0 for v in timeline.operations)
    shown = min(slices, int(operations // OPERATIONS_LEAST)) if operations else slices
    # as equal as whole slices allow, so that no short rest is left
    edges = numpy.arange(max(1, shown) + 1) * slices // max(1, shown)
    values = numpy.add.reduceat(amounts, edges[:-1]) / (numpy.diff(edges) * timeline.slice_seconds)
    return edges * timeline.slice_seconds, values


def quantity(kind):
    timed = [phase.timeline for phase in kind.phases if phase.timeline]
    return units.BYTES if any(any(t.bytes) for t in timed) else units.OPERATIONS


def width_words(edges):
    """How long slices are; joined ones may differ by one of those that were recorded."""
    widths = numpy.diff(edges)
    return ("about " if widths.max() > 1.001 * widths.min() else "") + units.time_ns(1e9 * float(widths.mean()))


def slices_words(values):
    """What is in the slices, of which the first and the last are cut, and the rates of {0} and {1}."""
    whole = values[1:-1] if len(values) > 2 else values
    middle, least = float(statistics.median(whole)), float(min(whole))
    kind = "whole " if len(values) > 2 else ""
    if len(whole) == 1:
        return f"its one {kind}slice is at {{0}}.", [middle]
    if len(whole) == 2:
        return f"its two {kind}slices are at {{0}} and {{1}}.", [float(value) for value in whole]
    empty = int((whole == 0).sum())
    none = f" In {units.percent(empty / len(whole))} of them nothing was done." if empty else ""
    return f"half of its {len(whole)} whole slices lie at {{0}} or above, the least at {{1}}.{none}", \
        [middle, least]


def caption(kind):
    shown = kind.with_most("timeline")
    edges, values = series(shown)
    text, rates = slices_words(values)
    return words.Rated(f"Throughput in slices of {width_words(edges)}; bold is repetition "
                       f"{shown.repetition}, the nearest to the median: {text}", rates, quantity(kind))


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
    rate_axis(sheet, float(top), quantity(kind))
    elapsed_axis(sheet, end)
    sheet.labels("time since the phase began", None, f"{kind.name}: throughput over time")
