"""Throughput over the time of a phase, with open, sync and close: how steady it was."""

import numpy

from .. import statistics, units, words
from ..palette import of_phase
from .axes import elapsed_axis, rate_axis
from .slices import SLICES_LEAST, durations, joined_edges, joined_sums, recorded, seconds_of, span, spread, width_words

LEAST_SECONDS = 1e-9
LEAST_SHADE = .03  # of the axis: a step that is shorter is not shaded
# (name of the step, stamps between which no transfer is under way)
STEPS = (("open", ("begin", "first_ns"), ("issue", "first_ns")), ("sync", ("completion", "last_ns"), ("sync_end", "last_ns")),
         ("close", ("sync_end", "last_ns"), ("close_end", "last_ns")), ("close", ("completion", "last_ns"), ("close_end", "last_ns")))


def applies(kind):
    phase = kind.with_most("timeline")
    return phase is not None and len(series(phase)[1]) >= SLICES_LEAST


def series(phase):
    """(edges in seconds, rate between them) of a phase with a timeline; neighbouring slices are joined."""
    timeline = phase.timeline
    row = [v or 0 for v in (timeline.bytes if counts_bytes(phase) else timeline.operations)]
    return rates_of(phase, spread(row, timeline.slice_seconds, durations(phase) or [0] * len(row),
                                  (span(phase)[0] or 0) + timeline.lead_s))


def rates_of(phase, amounts):
    count = recorded(phase)
    edges = joined_edges(phase, count)
    # what completed behind the last completion by rounding belongs to the last slice
    sums = joined_sums(numpy.append(amounts[:count - 1], numpy.sum(amounts[count - 1:])), edges)
    seconds = seconds_of(phase, edges)
    return seconds, sums / numpy.maximum(numpy.diff(seconds), LEAST_SECONDS)


def asked(phase):
    """As series(), of the operations that were due; a level where the document does not have them; None without a rate."""
    if phase.timeline.due:
        return rates_of(phase, numpy.array([v or 0 for v in phase.timeline.due], dtype=float))
    if phase.ordered_rate:
        return series(phase)[0][[0, -1]], numpy.array([phase.ordered_rate])
    return None


def counts_bytes(phase):
    """The rate of a load is one of operations, although it moves bytes."""
    return any(phase.timeline.bytes) and not phase.load


def quantity(kind):
    timed = [phase for phase in kind.phases if phase.timeline]
    return units.BYTES if any(map(counts_bytes, timed)) else units.OPERATIONS


def steps(phase):
    """{name: (from, to) in seconds} of the steps during which no transfer is under way."""
    found = {}
    for name, begin, end in STEPS:
        ends = [phase.stamps.get(stamp, {}).get(which) for stamp, which in (begin, end)]
        if name not in found and None not in ends and ends[1] > ends[0]:
            found[name] = ends[0] / 1e9, ends[1] / 1e9
    return found


def caption(kind):
    shown = kind.with_most("timeline")
    edges, values = series(shown)
    several = sum(1 for phase in kind.phases if phase.timeline) > 1
    bold = f"Bold is repetition {shown.repetition}, the nearest to the median: half" if several else "Half"
    text = (f"Throughput in slices of {width_words(numpy.diff(edges))}; {shown.work}s are spread over the time that they "
            f"took. {bold} of the {len(values)} slices are at {{0}} or above, the slowest is at {{1}}.")
    return words.Rated(text + (asked_words(shown) if asked(shown) else ""),
                       [float(statistics.median(values)), float(min(values))], quantity(kind))


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
    found = steps(shown)
    end = max([end, *(to for _, to in found.values())])
    rate_axis(sheet, float(top), quantity(kind))
    elapsed_axis(sheet, end)
    shade(sheet, found, end)
    sheet.labels("time since the phase began", None, f"{kind.name}: throughput over time")


def shade(sheet, found, end):
    """The steps, each with its name, which stands upright where there is little room."""
    wide = sheet.pixels()[0]
    for name, (begin, to) in found.items():
        share = (to - begin) / end
        if share < LEAST_SHADE:
            continue
        sheet.axes.axvspan(begin, to, color=sheet.colour("wait"), alpha=.16, linewidth=0, zorder=0)
        upright = share * wide < 40 * sheet.scale
        sheet.axes.annotate(name, ((begin + to) / 2, .5), xycoords=sheet.axes.get_xaxis_transform(), ha="center", va="center",
                            rotation=90 if upright else 0, fontsize="small", color=sheet.colour("muted"))
