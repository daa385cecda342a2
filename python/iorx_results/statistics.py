"""Statistics over repetitions, as doc/measurement.md defines them."""

import math


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    if not ordered:
        return None
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def median_interval(values, confidence=0.95):
    """(lower, upper, coverage) of the median from order statistics; None below 6 values."""
    ordered, n = sorted(values), len(values)
    below = [math.comb(n, k) / 2 ** n for k in range(n + 1)]
    best = None
    for low in range(1, n // 2 + 1):
        coverage = sum(below[low:n + 1 - low])
        if coverage >= confidence:
            best = (ordered[low - 1], ordered[n - low], coverage)
    return best


def merge_histograms(histograms):
    """[(lower edge in ns, operations)] of several, ascending."""
    total = {}
    for histogram in histograms:
        for edge, count in histogram:
            total[edge] = total.get(edge, 0) + count
    return sorted(total.items())


def bucket_width(edge):
    """Of the histogram's bucket that begins there: 128 to a power of two, 1 ns below 256."""
    return max(1, 1 << max(0, edge.bit_length() - 8))


def percentile(histogram, share, smallest, largest):
    """The middle of the bucket that holds it, or None where too few operations are there."""
    count = sum(n for _, n in histogram)
    if not count or count < needed_operations(share):
        return None
    wanted, seen = math.ceil(share * count), 0
    for edge, n in histogram:
        seen += n
        if seen >= wanted:
            return min(max(edge + bucket_width(edge) / 2, smallest), largest)
    return largest


def needed_operations(share):
    return math.ceil(math.log(0.025) / math.log(share))
