"""
Repeated looks at two sides whose jobs are still being run. Stopping at the first look that shows a winner would find too many
winners, so each look has a share of the error that is allowed: look k has 5 % / (k (k + 1)). These shares add up to 5 % however
many looks follow, and each is divided by the number of ratios (Bonferroni). The interval of a ratio is what the intervals of all
looks have in common. It is a confidence sequence: at whatever look the jobs end, all intervals hold the true ratios together with
a probability of 95 % (Darling and Robbins 1967; Howard, Ramdas, McAuliffe and Sekhon 2021, Annals of Statistics 49).
"""

import math

from . import comparison, ranks
from .jobs import ALPHA


def level(look, count):
    """The error that the interval of each of `count` ratios may have at a look, of which the first is 1."""
    return ALPHA / (look * (look + 1)) / count


def first(count):
    """How many jobs of each can decide one of `count` ratios at the first look."""
    found = 2
    while ranks.least_p(found, found) > level(1, count):
        found += 1
    return found


def following(jobs):
    """At how many jobs of each the look after one at `jobs` is. Few looks keep more of the error for each."""
    return jobs + max(1, jobs // 2)


def common(known, new):
    """What two intervals share; the new one where they share nothing."""
    if not known or not new:
        return known or new
    low, high = max(known[0], new[0]), min(known[1], new[1])
    return (low, high) if low <= high else new


class Sequence:
    """The intervals of all ratios of two sides, which each look narrows."""

    def __init__(self, within, sides):
        self.within, self.sides = within, sides  # sides: how many are compared with the first one
        self.intervals = {}

    def narrow(self, rows, look):
        """Takes the intervals of a look."""
        ratios = keyed(rows)
        allowed = level(look, len(ratios) * self.sides)
        for key, ratio in ratios.items():
            rank = ranks.interval_rank(*ratio.counts, 1 - allowed)
            new = tuple(math.exp(ratio.differences[place]) for place in (rank - 1, -rank)) if rank else None
            self.intervals[key] = common(self.intervals.get(key), new)

    def judge(self, rows):
        """Gives the ratios their intervals, verdicts and words."""
        ratios = keyed(rows)
        for key, ratio in ratios.items():
            ratio.interval, ratio.runs, ratio.unit = self.intervals.get(key), "", "job"
            ratio.p = ratio.adjusted = None  # they are of one look
            ratio.verdict = ranks.judge(ratio.interval, self.within)
            ratio.more, ratio.needs = 0, 0
            if ratio.interval is None:
                ratio.words = f"undecided: {first(len(ratios) * self.sides)} jobs of each are the least that can decide"
                continue
            if ratio.verdict == ranks.UNDECIDED:
                ratio.more = ranks.more_repetitions(*ratio.counts, math.log(ratio.ratio), ratio.interval, self.within)
            ratio.words = ranks.describe(ratio, self.within)


def keyed(rows):
    """{what tells it from the others: ranks.Ratio}"""
    return {(row.pair.label, row.phase, place): ratio for row in rows for place, ratio in enumerate(row.tested)}


def compare(a, b, looks, within, sides=1):
    """The comparison.Comparison of all jobs of two Sides, after looks at so many jobs of each."""
    found = Sequence(within, sides)
    for number, jobs in enumerate(looks, 1):
        parts = (comparison.Side(side.name, side.runs[:jobs]) for side in (a, b))
        found.narrow(comparison.compare(*parts, within=within).rows, number)
    whole = comparison.compare(a, b, within=within)
    found.judge(whole.rows)
    return whole


def is_decided(row):
    """Whether no more jobs are needed for a row. Parts of a mix need no verdict, as they are shares of the whole."""
    return row.is_part or not row.judged or row.judged.verdict != ranks.UNDECIDED
