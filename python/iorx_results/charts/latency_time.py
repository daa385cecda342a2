"""Percentiles of the service time over the time of a phase."""

import numpy

from .. import units
from ..palette import of_phase
from .axes import elapsed_axis, log_time_axis
from .slices import SLICES_LEAST, joined_edges, middle_of, recorded, seconds_of, width_words

LINES = (("p50_ns", "p50", "-"), ("p99_ns", "p99", (0, (4, 1.5))), ("max_ns", "max", (0, (1, 1.5))))


def applies(kind):
    phase = shown(kind)
    return phase is not None and bool(rows(phase)[1]) and len(rows(phase)[0]) > SLICES_LEAST


def shown(kind):
    return kind.with_most("timeline")


def rows(phase):
    """(edges in seconds, {label: times in ns}): of joined slices the longest, and the median of the percentiles that they have."""
    timeline, count = phase.timeline, recorded(phase)
    edges, found = joined_edges(phase, count), {}
    for name, label, _ in LINES:
        values = [value or 0 for value in getattr(timeline, name)[:count]]
        if any(values):
            found[label] = numpy.maximum.reduceat(values, edges[:-1]) if label == "max" else \
                middle_of(values, timeline.operations or [1] * count, edges)
    return seconds_of(phase, edges), found


def caption(kind):
    phase = shown(kind)
    edges, found = rows(phase)
    text = f"Service times in slices of {width_words(numpy.diff(edges))} of repetition {phase.repetition}."
    if "max" in found:
        place = int(numpy.argmax(found["max"]))
        text += (f" The longest {phase.work} took {units.time_ns(int(found['max'][place]))} and ended by "
                 f"{units.time_ns(1e9 * float(edges[place + 1]))} after the phase began.")
    return text + (" Percentiles are medians of those that were recorded in a slice." if len(found) > ("max" in found) else "")


def draw(sheet, kind):
    axes, colour = sheet.axes, sheet.colour(of_phase(kind.name))
    edges, found = rows(shown(kind))
    middles, seen = (edges[:-1] + edges[1:]) / 2, []
    for _, label, line in LINES:
        if label not in found:
            continue
        values = numpy.where(found[label] > 0, found[label], numpy.nan).astype(float)
        axes.plot(middles, values, color=colour if label != "max" else sheet.colour("muted"), linestyle=line, linewidth=1.4,
                  label=label, marker="." if len(values) < 30 or numpy.isnan(values).any() else None, markersize=5)
        seen += [value for value in values if value > 0]
    low, high = min(seen) * 0.7, max(seen) * 1.3
    log_time_axis(sheet, low, high * (high / low) ** 0.16, "y")  # room for the legend
    elapsed_axis(sheet, edges[-1])
    sheet.grid()
    sheet.legend()
    sheet.labels("time since the phase began", None, f"{kind.name}: service times over time")
