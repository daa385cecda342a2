"""
The Universal Scalability Law (N. J. Gunther, Guerrilla Capacity Planning, 2007), fitted to rates X of N tasks:
X(N) = L N / (1 + s (N - 1) + k N (N - 1)).
"""

import math
from dataclasses import dataclass

import numpy

# Three parameters from fewer counts of tasks, or from counts that hardly differ, are a guess.
LEAST_POINTS, LEAST_SPAN = 6, 8
SAMPLES = 200


@dataclass
class Fit:
    """L is the rate of one task, s the share that is serial, k the cost of talking to each other."""
    single: float  # L, in the unit of the rates
    serial: float  # s
    talk: float  # k
    serial_interval: tuple  # (lower, upper), 95 %
    talk_interval: tuple
    peak: float  # number of tasks with the highest rate; inf: none
    counts: list  # numbers of tasks of the three arrays below
    curve: numpy.ndarray  # rates
    low: numpy.ndarray
    high: numpy.ndarray
    error: float  # largest misfit of a point, as a log ratio


def why_not(counts):
    """Why these numbers of tasks carry no fit; None where they do."""
    if len(set(counts)) < LEAST_POINTS:
        return f"no fit: {len(set(counts))} numbers of tasks, {LEAST_POINTS} are needed for three parameters"
    if max(counts) < LEAST_SPAN * min(counts):
        return f"no fit: the numbers of tasks span less than {LEAST_SPAN} times"
    return None


def solve(counts, rates):
    """
    The array (1 / L, s / L, k / L), none negative, by non-negative least squares: N / X is linear in them. Errors count
    relatively. counts, rates: arrays of one length.
    """
    from scipy.optimize import nnls
    basis = numpy.stack([numpy.ones_like(counts), counts - 1, counts * (counts - 1)], axis=1)
    wanted = counts / rates
    return nnls(basis / wanted[:, None], numpy.ones_like(wanted))[0]


def rates_at(parameters, counts):
    """The rates of the law at these numbers of tasks; parameters as solve() returns them."""
    one, serial, talk = parameters
    return counts / (one + serial * (counts - 1) + talk * counts * (counts - 1))


def fit(counts, repetitions):
    """
    The Fit to numbers of tasks and, for each, the list of the rates of its repetitions; None where there is none. The
    95 % intervals come from SAMPLES bootstrap samples of repetitions and residuals.
    """
    counts = numpy.array(counts, dtype=float)
    medians = numpy.array([numpy.median(rates) for rates in repetitions])
    best = solve(counts, medians)
    misfit = numpy.log(medians / rates_at(best, counts)) * math.sqrt(len(counts) / (len(counts) - 3))
    chance = numpy.random.default_rng(1)
    grid = numpy.geomspace(counts.min(), counts.max(), 60)
    curves, serial, talk = [], [], []
    for _ in range(SAMPLES):
        drawn = numpy.array([numpy.median(chance.choice(rates, len(rates))) for rates in repetitions])
        found = solve(counts, drawn * numpy.exp(chance.choice(misfit, len(counts))))
        if found[0] <= 0:
            continue
        serial.append(found[1] / found[0])
        talk.append(found[2] / found[0])
        curves.append(rates_at(found, grid))
    if best[0] <= 0 or len(curves) < SAMPLES / 2:
        return None
    low, high = numpy.percentile(curves, [2.5, 97.5], axis=0)
    s, k = best[1] / best[0], best[2] / best[0]
    peak = math.sqrt((1 - s) / k) if k > 0 and s < 1 else math.inf
    return Fit(1 / best[0], s, k, tuple(numpy.percentile(serial, [2.5, 97.5])),
               tuple(numpy.percentile(talk, [2.5, 97.5])), peak, list(grid), rates_at(best, grid),
               low, high, float(numpy.abs(misfit).max()))
