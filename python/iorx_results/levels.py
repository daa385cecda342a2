"""
Changes of level in a line of rates, one of each result in the order of their dates.

A split of the line is tested by ranks, so that neither outliers nor the distribution of
the rates count: the largest of the standardised Mann-Whitney statistics of all splits
(D. M. Hawkins and Q. Deng, "A Nonparametric Change-Point Control Chart", Journal of
Quality Technology 42(2), 2010, 165-173). Its p is that of permutations up to
MOST_PERMUTED values, and of the approximation for maximally selected rank statistics
beyond (B. Lausen and M. Schumacher, Biometrics 48, 1992, 73-85, after R. Miller and D.
Siegmund, Biometrics 38, 1982, 1011-1016). Where a split is found, both parts are
searched again (binary segmentation: L. Ju. Vostrikova, Soviet Mathematics Doklady 24,
1981, 55-59).

doc/report.md has the share of false alarms and the power; tests/python/test_months.py
simulates them.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy

from .statistics import effective, median

FALSE_ALARMS = 0.05  # of pages of results that are all equal, with all their lines
LEAST_CHANGE = 0.05  # a smaller one is no change, as in iorx-compare
LEAST_VALUES = 8  # of fewer no order is rarer than 5 %
MOST_PERMUTED = 100
PERMUTATIONS = 20_000


@dataclass
class Change:
    """
    The first value of a new level is that with this number; before and after are the
    medians of both levels.
    """
    at: int
    before: float
    after: float

    @property
    def share(self):
        return self.after / self.before - 1


def levels(values, lines=1):
    """
    [(number of the first value, number behind the last, median)] of the levels of the
    values, which are above 0. `lines` is how many lines are judged together.
    """
    values, alpha = numpy.asarray(values, dtype=float), FALSE_ALARMS / lines
    found = merged(values, splits(values, alpha))
    if len(found) == 1:
        return found
    return merged(values, splits(values, alpha, dependence(values, found)))


def merged(values, begins):
    """The levels that begin with these values, without steps below LEAST_CHANGE."""
    edges = [0, *sorted(begins), len(values)]
    found = [level(values, first, end) for first, end in zip(edges, edges[1:])]
    while len(found) > 1:
        steps = [abs(math.log(b[2] / a[2])) for a, b in zip(found, found[1:])]
        least = min(range(len(steps)), key=steps.__getitem__)
        if steps[least] >= math.log1p(LEAST_CHANGE):
            break
        found[least:least + 2] = [level(values, found[least][0], found[least + 1][1])]
    return found


def level(values, first, end):
    return first, end, median(values[first:end].tolist())


def dependence(values, found):
    """
    By how much a statistic is smaller where each value follows the one before: the root
    of the share of independent values (statistics.effective) among what is left when
    the levels are taken out.
    """
    rest = [
        value / middle for first, end, middle in found
        for value in values[first:end].tolist()
    ]
    return math.sqrt(effective(rest) / len(rest))


def changes(found):
    """The Changes between levels."""
    return [Change(b[0], a[2], b[2]) for a, b in zip(found, found[1:])]


def splits(values, alpha, weight=1, first=0):
    """
    Yields the number of each value with which a new level begins, `first` added;
    statistics count `weight` of themselves.
    """
    if len(values) < LEAST_VALUES:
        return
    at, largest = best_split(values)
    if p_of(weight * largest, len(values)) >= alpha:
        return
    yield first + at
    yield from splits(values[:at], alpha, weight, first)
    yield from splits(values[at:], alpha, weight, first + at)


def best_split(values):
    """
    (number of values before the split, its statistic) of the split with the largest
    standardised rank statistic.
    """
    ranks = mean_ranks(values)
    largest = standardised(ranks[numpy.newaxis])[0]
    at = int(numpy.argmax(largest))
    return at + 1, float(largest[at])


def mean_ranks(values):
    """Ranks from 1; equal values share the mean of theirs."""
    _, inverse, counts = numpy.unique(values, return_inverse=True, return_counts=True)
    last = numpy.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


def standardised(ranks):
    """
    Of rows of ranks: for each split the distance of the rank sum before it from its
    mean, in standard deviations.
    """
    count = ranks.shape[1]
    before = numpy.arange(1, count)
    sums = numpy.cumsum(ranks, axis=1)[:, :-1]
    # All rows are permutations of the same ranks; 1 where all are equal, so that
    # nothing is divided by 0.
    spread = numpy.std(ranks[0], ddof=1) or 1
    deviations = spread * numpy.sqrt(before * (count - before) / count)
    return abs(sums - before * (count + 1) / 2) / deviations


def p_of(largest, count):
    """The probability that equal values have a split whose statistic is as large."""
    if count <= MOST_PERMUTED:
        null = permuted(count)
        return (1 + len(null) - numpy.searchsorted(null, largest - 1e-9)) / (1 +
                                                                             len(null))
    density = math.exp(-largest * largest / 2) / math.sqrt(2 * math.pi)
    # The share of the values before the split goes from 1 / count to 1 - 1 / count.
    if largest <= 1:
        return 1
    width = 2 * math.log(count - 1)
    return min(1, 4 * density / largest + density * (largest - 1 / largest) * width)


@lru_cache(maxsize=None)
def permuted(count):
    """
    The statistics of permutations of so many different values, ascending; the same at
    each call.
    """
    chance = numpy.random.default_rng(count)
    found = [
        standardised(1 +
                     numpy.argsort(chance.random((PERMUTATIONS // 10,
                                                  count)), axis=1)).max(axis=1)
        for _ in range(10)
    ]
    return numpy.sort(numpy.concatenate(found))
