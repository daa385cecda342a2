"""The runs that one rd of Vdbench stands for: its for-loops, nested in the order they were written."""

import itertools

from . import vdbench_values as values
from .problems import fail

# How the values of a loop are read. A list of rates is always the innermost loop, and is not here.
READERS = {"xfersize": values.size, "threads": values.count, "rdpct": values.percent, "rhpct": values.percent,
           "whpct": values.percent, "seekpct": lambda parameter, text:
           values.percent(parameter, text) if text[:1].isdigit() else text, "hitarea": values.size,
           "compratio": values.number, "operations": lambda parameter, text: text.lower(),
           "depth": values.count, "width": values.count, "files": values.count, "sizes": values.size,
           "totalsize": values.size, "workingsetsize": values.size}
MOST_RUNS = 1000  # tests of a job of iorx


class Loop:
    """A parameter of the rd, and the values that it takes one after the other."""

    def __init__(self, parameter, points):
        self.parameter, self.points = parameter, points


def loops(run, keys):
    """The loops over these keys, in the order in which the rd and its defaults first name them."""
    found = {}
    for parameter in run.parameters:
        if parameter.key in keys:
            found[parameter.key] = parameter
    return [Loop(parameter, _points(parameter)) for parameter in found.values()]


def _points(parameter):
    return values.points(parameter, READERS[parameter.key])


def passes(run, loops_of_run, rates):
    """One {key: value} for each pass through the loops."""
    number = len(rates)
    for loop in loops_of_run:
        number *= len(loop.points)
    if number > MOST_RUNS:
        fail(run.origin, f"rd={run.name}: stands for {number} runs; iorx has at most {MOST_RUNS} in a job, "
             "so shorten the lists")
    keys = [loop.parameter.key for loop in loops_of_run]
    return [dict(zip(keys, point)) for point in itertools.product(*(loop.points for loop in loops_of_run))]


def as_lists(lengths, tests):
    """
    The keys of one test whose lists of values stand for all `tests`, or None if there are no such lists.
    lengths: of the loops, outermost first; tests: a {key: Key} for each pass. The lists stand last, in the
    order of the loops, as iorx changes the last one fastest.
    """
    base, lists = tests[0], {}
    for number, length in enumerate(lengths):
        if length == 1:
            continue
        distance = 1
        for inner in lengths[number + 1:]:
            distance *= inner
        line = [tests[index * distance] for index in range(length)]
        changed = {key for test in line for key in set(test) | set(base)
                   if key not in test or key not in base or test[key].value != base[key].value}
        if len(changed) != 1 or changed & set(lists):
            return None
        key = changed.pop()
        if any(key not in test for test in line):
            return None
        lists[key] = [test[key].value for test in line]
    for index, test in enumerate(tests):
        rest, expected = index, {key: one.value for key, one in base.items()}
        for key, length in reversed(list(zip(lists, [length for length in lengths if length > 1]))):
            rest, at = divmod(rest, length)
            expected[key] = lists[key][at]
        if expected != {key: one.value for key, one in test.items()}:
            return None
    keys = {key: one for key, one in base.items() if key not in lists}
    for key, points in lists.items():
        keys[key] = type(base[key])(points, base[key].origin)
    return keys
