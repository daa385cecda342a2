"""
Two sides of jobs: what their repetitions say of other jobs. Repetitions of one job share its placement, its caches and
the other users of its hour, so each job counts once, by its median.
"""

from . import ranks, statistics

ALPHA = 1 - ranks.CONFIDENCE


def compare(a, b, within=0.05):
    """The ranks.Ratio of two sides; each is a list of jobs, a job the list of its positive values."""
    a, b = ([values for values in side if values] for side in (a, b))
    if len(a) == len(b) == 1:
        found = ranks.compare(a[0], b[0], within)
        found.runs = found.verdict
    else:
        found = ranks.compare(*([statistics.median(values) for values in side] for side in (a, b)), within)
        found.unit = "job"
        found.words = ranks.describe(found, within)
    found.jobs = (len(a), len(b))
    return found


def needed(count):
    """How many jobs of each decide one of `count` rows: the least p reaches the first level of Holm's correction."""
    jobs = 2
    while ranks.least_p(jobs, jobs) > ALPHA / count:
        jobs += 1
    return jobs


def holm(values):
    """Each p as corrected for all of them (Holm 1979)."""
    found, adjusted = list(values), 0
    for place, index in enumerate(sorted(range(len(found)), key=found.__getitem__)):
        adjusted = max(adjusted, min(1, (len(found) - place) * found[index]))
        found[index] = adjusted
    return found


def against(ratios, bound):
    """Of each ratio whether it lies ranks.ABOVE or BELOW the bound, or UNDECIDED, corrected for all of them."""
    adjusted = holm(one.p_against(bound) for one in ratios)
    return [ranks.UNDECIDED if p > ALPHA else ranks.ABOVE if one.ratio > bound else ranks.BELOW
            for one, p in zip(ratios, adjusted)]


def correct(ratios, within=0.05):
    """Judges all that is compared together: of many rows some differ by chance."""
    for one, adjusted in zip(ratios, holm(one.p for one in ratios)):
        one.adjusted = adjusted
        if one.seen not in (ranks.FASTER, ranks.SLOWER) or adjusted <= ALPHA:
            continue
        if one.runs:
            one.runs = ranks.UNDECIDED
        else:
            one.verdict = ranks.UNDECIDED
            one.words = f"undecided after Holm's correction for {len(ratios)} rows; take more jobs of each"
    for one in ratios:
        level = ALPHA / len(ratios)
        if ranks.least_p(*one.jobs) > level:
            one.needs = needed(len(ratios))
            one.words = words_of_few(one, level, within)
        if one.runs:
            one.verdict = ranks.UNDECIDED


def words_of_few(one, level, within):
    decide = f"{one.needs} jobs of each would decide"
    if not one.runs:
        return (f"undecided: {one.jobs[0]} against {one.jobs[1]} jobs can never reach p < {level:.2g} (at best "
                f"{ranks.least_p(*one.jobs):.2g}); {decide}")
    if one.runs == ranks.UNDECIDED:
        return f"these two runs do not differ by more than chance; {decide}"
    if one.runs == ranks.EQUAL:
        return f"these two runs are equal within {100 * within:g} %; {decide}"
    return f"these two runs differ: {one.words}; {decide}"
