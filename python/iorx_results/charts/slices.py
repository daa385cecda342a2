"""Slices of time wide enough to draw: a slice shorter than a call shows when calls end, not how fast they are."""

import numpy

from .. import units

CALLS_PER_TASK = 4  # completed in a slice on average, by each task
CALLS_LEAST = 16  # completed in a slice on average, by all tasks together


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


def width_words(widths_seconds):
    """How long slices are; joined slices may differ by one recorded slice."""
    about = "about " if widths_seconds.max() > 1.001 * widths_seconds.min() else ""
    return about + units.time_ns(1e9 * float(widths_seconds.mean()))


def empty_words(share, phase, which="them"):
    """A sentence about the share of slices or cells in which no call completed; "" where there are none."""
    if not share:
        return ""
    longest = f"; the longest {phase.work} took {units.time_ns(phase.main.max_ns)}" if phase.main else ""
    return f" In {units.percent(share)} of {which} no {phase.work} completed{longest}."
