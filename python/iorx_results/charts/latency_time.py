"""Percentiles of the service time over the time of a phase."""

import numpy

from .. import units
from ..palette import of_phase
from .axes import elapsed_axis, log_time_axis

LINES = (("p50_ns", "p50", "-"), ("p99_ns", "p99", (0, (4, 1.5))), ("max_ns", "max", (0, (1, 1.5))))


def applies(kind):
    phase = shown(kind)
    return phase is not None and any(any(getattr(phase.timeline, name)) for name, _, _ in LINES)


def shown(kind):
    return kind.with_most("timeline")


def caption(kind):
    timeline = shown(kind).timeline
    worst = max((v or 0, i) for i, v in enumerate(timeline.max_ns or [0]))
    return (f"Service times in each slice of {units.time_ns(1e9 * timeline.slice_seconds)} of repetition "
            f"{shown(kind).repetition}: the longest call took {units.time_ns(worst[0])} and "
            f"ended by {units.time_ns(1e9 * (worst[1] + 1) * timeline.slice_seconds)} after the phase began.")


def marked(row):
    """Where dots stand: on each of few slices, else on those that no line reaches."""
    gone = numpy.isnan(numpy.concatenate(([numpy.nan], row, [numpy.nan])))
    return numpy.flatnonzero(~gone[1:-1] & ((len(row) < 30) | (gone[:-2] & gone[2:]))).tolist()


def draw(sheet, kind):
    axes, colour = sheet.axes, sheet.colour(of_phase(kind.name))
    timeline = shown(kind).timeline
    values = [v for name, _, _ in LINES for v in getattr(timeline, name) if v]
    length = max(len(getattr(timeline, name)) for name, _, _ in LINES)
    for name, label, line in LINES:
        row = numpy.array([v or numpy.nan for v in getattr(timeline, name)], dtype=float)
        times = (numpy.arange(len(row)) + 0.5) * timeline.slice_seconds
        axes.plot(times, row, color=colour if label != "max" else sheet.colour("muted"),
                  linestyle=line, linewidth=1.4, label=label,
                  marker=".", markersize=5, markevery=marked(row))
    low, high = min(values) * 0.7, max(values) * 1.3
    log_time_axis(sheet, low, high * (high / low) ** 0.16, "y")  # room for the legend
    elapsed_axis(sheet, length * timeline.slice_seconds)
    sheet.grid()
    sheet.legend()
    sheet.labels("time since the phase began", None, f"{kind.name}: service times over time")
