"""Slices of time wide enough to draw: a slice shorter than a call shows when calls end, not how fast they are."""

import numpy

from .. import units

CALLS_PER_TASK = 4  # completed in a slice on average, by each task
CALLS_LEAST = 16  # completed in a slice on average, by all tasks together
SLICES_LEAST = 5  # of fewer nobody sees a course
PARTS = 8  # moments of a slice at which its calls are taken to complete


def joined_edges(phase, count):
    """Where each drawn slice begins and the last one ends, as indices of the `count` recorded slices."""
    done = operations(phase)
    most = min(count, int(done // calls_needed(phase))) if done else count
    # Widths differ by one recorded slice at most, so that no short rest is left.
    return numpy.arange(max(1, most) + 1) * count // max(1, most)


def calls_needed(phase):
    """Calls that a slice must hold: several of each task, and as many times those in flight at once."""
    at_once = max(phase.working_tasks or 1, phase.concurrency.get("in_flight") or 0)
    return max(CALLS_LEAST, CALLS_PER_TASK * at_once)


def operations(phase):
    if phase.timeline and any(phase.timeline.operations):
        return sum(count or 0 for count in phase.timeline.operations)
    return phase.main.count if phase.main else 0


def joined_sums(values, edges):
    """Sums of the last axis of `values` between the edges."""
    return numpy.add.reduceat(values, edges[:-1], axis=-1)


def recorded(phase):
    """How many slices of its timeline lie before the last completion: those behind it are of the sync and the close."""
    return used(phase, len(phase.timeline.bytes or phase.timeline.operations), phase.timeline.slice_seconds)


def used(phase, count, slice_seconds):
    """Of `count` slices those before the last completion."""
    end, lead = span(phase)[1], phase.timeline.lead_s if phase.timeline else 0
    return count if end is None else max(1, min(count, int(numpy.ceil((end + lead) / slice_seconds - 1e-6))))


def span(phase):
    """Seconds from the begin of the phase to the first issue and to the last completion; None where it is not known."""
    first, last = (phase.stamps.get(name, {}).get(end) for name, end in (("issue", "first_ns"), ("completion", "last_ns")))
    return (first / 1e9 if first is not None else None, last / 1e9 if last else None)


def seconds_of(phase, edges):
    """The edges of joined slices as times since the phase began; the first and the last slice are cut to the transfers."""
    seconds = edges * phase.timeline.slice_seconds - phase.timeline.lead_s
    first, last = span(phase)
    if first is not None and first < seconds[1]:
        seconds[0] = max(seconds[0], first)
    if last is not None and last > seconds[-2]:
        seconds[-1] = min(seconds[-1], last)
    return seconds


def durations(phase):
    """How long a call took that completed in each slice, in seconds: its p50, or of few calls what is known of all."""
    timeline, mean = phase.timeline, phase.main.mean_ns if phase.main else 0
    longest = timeline.max_ns or [None] * len(timeline.p50_ns)
    return [(p50 or min(mean, most or mean)) / 1e9 for p50, most in zip(timeline.p50_ns, longest)]


def spread(amounts, width, lasted, begin=0.0):
    """
    The amounts of slices of one width, each moved to when it was made: amounts[i] completed in slice i, by calls that took
    lasted[i], and none began before `begin`. The sum stays the same.
    """
    amounts, edges = numpy.array(amounts, dtype=float), numpy.arange(len(amounts) + 1) * width
    found = numpy.where(numpy.array(lasted) < width / 4, amounts, 0)
    for index in numpy.flatnonzero(amounts - found):
        ends = (index + (numpy.arange(PARTS) + .5) / PARTS) * width
        begins = numpy.minimum(numpy.maximum(ends - lasted[index], begin), ends - width / PARTS / 2)
        done = numpy.clip((edges - begins[:, None]) / (ends - begins)[:, None], 0, 1)
        found += numpy.diff(done, axis=1).sum(axis=0) * amounts[index] / PARTS
    return found


def middle_of(values, weights, edges):
    """In each joined slice the median of the values that its recorded slices have, by their weights; NaN where none has one."""
    return numpy.array([weighted_median([one for one in zip(values[a:b], weights[a:b]) if one[0] and one[1]])
                        for a, b in zip(edges, edges[1:])])


def weighted_median(pairs):
    pairs, seen = sorted(pairs), 0
    half = sum(weight for _, weight in pairs) / 2
    for value, weight in pairs:
        seen += weight
        if seen >= half:
            return value
    return numpy.nan


def width_words(widths_seconds):
    """How long slices are; joined slices may differ by one recorded slice, and the first and the last are cut."""
    inner = widths_seconds[1:-1] if len(widths_seconds) > 2 else widths_seconds
    about = "about " if inner.max() > 1.001 * inner.min() else ""
    return about + units.time_ns(1e9 * float(inner.mean()))


def empty_words(share, phase, which="them"):
    """A sentence about the share of slices or cells in which no call completed; "" where there are none."""
    if not share:
        return ""
    longest = f"; the longest {phase.work} took {units.time_ns(phase.main.max_ns)}" if phase.main else ""
    return f" In {units.percent(share)} of {which} no {phase.work} completed{longest}."
