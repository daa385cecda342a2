"""Throughput over the time of a phase, and how the service times went with it."""

import numpy

from .. import statistics, units, words
from ..palette import of_phase
from .axes import elapsed_axis, rate_axis


def applies(kind):
    return any(phase.timeline for phase in kind.phases)


def series(phase):
    """(seconds at the middles of the slices, rate in them) of a phase with a timeline."""
    timeline = phase.timeline
    amounts = timeline.bytes if any(timeline.bytes) else timeline.operations
    values = numpy.array([v or 0 for v in amounts], dtype=float) / timeline.slice_seconds
    return (numpy.arange(len(values)) + 0.5) * timeline.slice_seconds, values


def quantity(kind):
    timed = [phase.timeline for phase in kind.phases if phase.timeline]
    return units.BYTES if any(any(t.bytes) for t in timed) else units.OPERATIONS


def caption(kind):
    shown = kind.with_most("timeline")
    _, values = series(shown)
    inside = [v for v in values[:-1] if v] or list(values)
    return words.Rated("Throughput in slices of " + units.time_ns(1e9 * shown.timeline.slice_seconds)
                       + f"; bold is repetition {shown.repetition}, the nearest to the median: "
                       "half of its slices lie above {0}, the least whole one at {1}.",
                       [statistics.median(inside), min(inside)], quantity(kind))


def draw(sheet, kind):
    axes, colour = sheet.axes, sheet.colour(of_phase(kind.name))
    shown, top, end = kind.with_most("timeline"), 0, 0
    for phase in kind.phases:
        if not phase.timeline:
            continue
        times, values = series(phase)
        bold = phase is shown
        width = phase.timeline.slice_seconds
        edges = numpy.append(times - width / 2, times[-1] + width / 2)
        axes.stairs(values, edges, color=colour, linewidth=1.8 if bold else 0.7,
                    alpha=1 if bold else 0.35, zorder=3 if bold else 2, baseline=None)
        top, end = max(top, values.max()), max(end, edges[-1])
    rate_axis(sheet, float(top), quantity(kind))
    elapsed_axis(sheet, end)
    sheet.labels("time since the phase began", None, f"{kind.name}: throughput over time")
