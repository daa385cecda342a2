"""Statistics over repetitions, as doc/measurement.md defines them."""

import math


def median(values):
    """The median of a list of numbers; None of an empty one."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if not ordered:
        return None
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


DEPENDENCE_LEAST = 20  # values, from which on it can be found that they follow one another


def median_interval(values, confidence=0.95):
    """
    (lower, upper, coverage) of the median from order statistics (the binomial distribution of ranks), of values in the
    order in which they were measured. coverage is a share, at least `confidence`. None below 6 values at 95 %, and
    where the values follow one another too closely.
    """
    ordered, n = sorted(values), len(values)
    below = [math.comb(n, k) / 2 ** n for k in range(n + 1)]
    best = None
    for rank in range(1, n // 2 + 1):
        coverage = sum(below[rank:n + 1 - rank])
        if coverage >= confidence:
            best = rank, coverage
    if not best:
        return None
    middle = (n + 1) / 2
    rank = math.floor(middle - (middle - best[0]) * math.sqrt(n / effective(values)) + 1e-9)
    return (ordered[rank - 1], ordered[n - rank], best[1]) if rank >= 1 else None


def effective(values):
    """
    How many independent values say as much about the median: fewer where each follows the one before. Found by von
    Neumann's ratio of the ranks (Bartels 1982), and computed from their first autocorrelation, corrected for bias. Of
    values that drift, those of the rest about a line.
    """
    n = len(values)
    if n < DEPENDENCE_LEAST:
        return n
    off = ranks_about_middle(values)
    if drifts(off):
        off = ranks_about_middle(rest_about_line(values))
    squares = sum(one * one for one in off)
    if not squares:
        return n
    ratio = sum((b - a) ** 2 for a, b in zip(off, off[1:])) / squares
    variance = 4 * (n - 2) * (5 * n * n - 2 * n - 9) / (5 * n * (n + 1) * (n - 1) ** 2)
    if math.erfc((2 - ratio) / math.sqrt(2 * variance)) / 2 >= 0.2:
        return n
    correlation = (n * sum(a * b for a, b in zip(off, off[1:])) / squares + 1) / (n - 3)
    correlation = min(max(correlation, 0), 0.95)
    return n * (1 - correlation) / (1 + correlation)


def ranks_about_middle(values):
    """The rank of each value less the mean rank; equal values share the mean of their ranks."""
    ordered, middle = sorted(values), (len(values) + 1) / 2
    first = {value: place for place, value in reversed(list(enumerate(ordered)))}
    return [first[value] + (ordered.count(value) + 1) / 2 - middle for value in values]


def times_about_middle(count):
    return [place - (count - 1) / 2 for place in range(count)]


def drifts(off):
    """Whether Spearman's rank correlation with the order has p < 0.005; from DEPENDENCE_LEAST values on."""
    times, free = times_about_middle(len(off)), len(off) - 2
    squares = sum(a * a for a in off) * sum(b * b for b in times)
    square = sum(a * b for a, b in zip(off, times)) ** 2 / squares if squares else 0
    # Student's t with p = 0.005, from the normal quantile (Abramowitz and Stegun 26.7.5)
    z = 2.8070338
    limit = z + (z ** 3 + z) / (4 * free) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * free ** 2)
    return square * free > limit ** 2 * (1 - square)


def rest_about_line(values):
    """What the values differ from the line through them."""
    times, mean = times_about_middle(len(values)), sum(values) / len(values)
    slope = sum(t * v for t, v in zip(times, values)) / sum(t * t for t in times)
    return [v - mean - slope * t for t, v in zip(times, values)]


def merge_histograms(histograms):
    """The sum of lists of (lower edge in ns, operations), as such a list with ascending edges."""
    total = {}
    for histogram in histograms:
        for edge, count in histogram:
            total[edge] = total.get(edge, 0) + count
    return sorted(total.items())


def bucket_width(edge):
    """Width in ns of the histogram's bucket that begins at edge: 128 to a power of two, 1 ns below 256."""
    return max(1, 1 << max(0, edge.bit_length() - 8))


def percentile(histogram, share, smallest, largest):
    """
    The percentile in ns: the middle of the bucket that holds it, within smallest and largest. share: 0.99 for p99.
    None where fewer operations than needed_operations(share) are there.
    """
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
    """The least operations of which one lies above the percentile with 97.5 % probability: 368 for 0.99."""
    return math.ceil(math.log(0.025) / math.log(share))
