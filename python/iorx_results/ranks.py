"""
Two samples of rates: what is the ratio, how sure is it, and would more repetitions tell? The test is that of Mann and
Whitney, the estimate and its interval are those of Hodges and Lehmann on log ratios. Rates are positive numbers.
"""

import math
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import NormalDist

import numpy

CONFIDENCE = 0.95
FASTER, SLOWER, EQUAL, UNDECIDED = "faster", "slower", "equal", "undecided"
ABOVE, BELOW = "above", "below"  # a bound


@lru_cache(maxsize=None)
def orders(n, m):
    """How many orders of n and m values have each U = 0 … n * m, as a tuple of exact integers."""
    # C(n + m, n) counted by U: the product of (1 - q^(m + i)) / (1 - q^i)
    counts = [1] + [0] * (n * m)
    for i in range(1, n + 1):
        for u in range(n * m, m + i - 1, -1):
            counts[u] -= counts[u - m - i]
        for u in range(i, n * m + 1):
            counts[u] += counts[u - i]
    return tuple(counts)


def least_p(n, m):
    """The smallest two-sided p that Mann-Whitney's test can give."""
    return min(1, 2 / math.comb(n + m, n))


def log_ratios(a, b):
    """log(b / a) of all pairs, an ascending array of len(a) * len(b)."""
    return numpy.sort(numpy.subtract.outer(numpy.log(b), numpy.log(a)).ravel())


def interval_rank(n, m, confidence=CONFIDENCE):
    """The rank, from 1 on, of the differences at both ends of the interval; 0: no interval is possible."""
    if n * m > 10_000:
        spread = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(n * m * (n + m + 1) / 12)
        return max(0, int(n * m / 2 - spread))
    allowed, below, rank = (1 - confidence) / 2 * math.comb(n + m, n), 0, 0
    for count in orders(n, m):
        below += count
        if below > allowed:
            return rank
        rank += 1
    return rank


def p_value(differences, n, m, ratio=1):
    """Mann-Whitney's two-sided p if B / A is `ratio`; differences: as of log_ratios(). Ties count half."""
    off = differences - math.log(ratio)
    less = math.ceil(min((off > 0).sum(), (off < 0).sum()) + (off == 0).sum() / 2)
    if n * m > 10_000:
        spread = math.sqrt(n * m * (n + m + 1) / 12)
        return math.erfc(max(0, n * m / 2 - less) / spread / math.sqrt(2))
    return min(1, 2 * sum(orders(n, m)[:less + 1]) / math.comb(n + m, n))


@dataclass
class Ratio:
    """B / A by Hodges and Lehmann, its interval (None: not possible), and what follows."""
    ratio: float
    interval: tuple  # (lower, upper) of the ratio, 95 %
    p: float
    least_p: float
    counts: tuple  # values of A and of B
    verdict: str  # FASTER, SLOWER: that of B
    more: int  # values of each side that would decide; 0: decided
    words: str
    differences: numpy.ndarray = field(repr=False)  # of log_ratios()
    unit: str = "repetition"
    jobs: tuple = (1, 1)
    runs: str = ""  # the verdict on the two runs alone, where each side is one job
    adjusted: float = None  # p after Holm's correction
    needs: int = 0  # jobs of each that would decide, where these never can

    @property
    def seen(self):
        """The verdict, on the two runs alone where there are no more."""
        return self.runs or self.verdict

    def p_against(self, ratio):
        """p if B / A is `ratio`."""
        return p_value(self.differences, *self.counts, ratio)


def compare(a, b, within=0.05):
    """The Ratio of two lists of positive rates; equal means within this share of each other."""
    differences, rank = log_ratios(a, b), interval_rank(len(a), len(b))
    middle = float(numpy.median(differences))
    interval = None
    if rank:
        interval = (float(numpy.exp(differences[rank - 1])), float(numpy.exp(differences[-rank])))
    verdict = judge(interval, within)
    more = more_repetitions(len(a), len(b), middle, interval, within) if verdict == UNDECIDED else 0
    found = Ratio(math.exp(middle), interval, p_value(differences, len(a), len(b)), least_p(len(a), len(b)),
                  (len(a), len(b)), verdict, more, "", differences)
    found.words = describe(found, within)
    return found


def judge(interval, within):
    """The word for an interval of B / A; within: the share up to which the two are called equal."""
    if interval is None:
        return UNDECIDED
    low, high = interval
    if 1 / (1 + within) <= low and high <= 1 + within:
        return EQUAL
    return FASTER if low > 1 else SLOWER if high < 1 else UNDECIDED


def more_repetitions(n, m, middle, interval, within):
    """About how many more of each would decide, as the width falls with the square root; middle: a log ratio."""
    least = 4  # of each: 4 against 4 can reach p < 0.05
    if interval is None:
        return max(1, least - min(n, m))
    half = (math.log(interval[1]) - math.log(interval[0])) / 2
    margin = math.log1p(within)
    # to tell it from 1, or to show that it lies within the margin, whichever is nearer
    target = max(abs(middle), margin - abs(middle))
    return max(1, math.ceil(min(n, m) * ((half / target) ** 2 - 1)))


def describe(found, within):
    share = f"{100 * within:g} %"
    if found.verdict == EQUAL:
        return f"equal within {share}"
    if found.verdict in (FASTER, SLOWER):
        low, high = found.interval
        if low >= 2:
            return f"B is {low:.3g} to {high:.3g} times as fast"
        ends = sorted(abs(end - 1) * 100 for end in found.interval)
        return f"B is {found.verdict} by {ends[0]:.3g} to {ends[1]:.3g} %"
    more = f"about {found.more} more {found.unit}{'s' if found.more > 1 else ''} of each"
    if found.interval is None:
        return (f"undecided: {found.counts[0]} against {found.counts[1]} {found.unit}s can never reach "
                f"p < 0.05 (at best {found.least_p:.2g}); take {more}")
    return f"undecided: B may be faster or slower; {more} would tell"
