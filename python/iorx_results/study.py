"""Tests that differ in one or two options: what did each value give?"""

import re
from dataclasses import dataclass
from functools import cached_property

from . import scaling, units, words
from .model import Kind

# What differs from test to test and is no option under study.
SILENT = {"test_file", "ref_num", "num_tasks", "output", "content_seed", "repetitions", "inter_test_delay"}
# What may change together with the option under study, so that the work stays alike.
COUPLED = {"nodes", "block_size", "segment_count", "num_nodes"}
LEAST_VALUES = 3
MOST_CURVES = 5
SCALED = ("tasks", "nodes")
HOW = {"scaling": "{} scaling", "placement": "placement {}"}
PREFERRED = ("tasks", "nodes", "transfer_size", "queue_depth", "block_size")


@dataclass
class Point:
    """One combination of values and what it gave; the repetitions of equal tests are together."""
    values: tuple
    kind: Kind

    @property
    def operation(self):
        return self.kind.operation

    @property
    def timed(self):
        """The operations by whose times points are compared: by response times where operations were due."""
        return self.kind.response or self.kind.operation

    @property
    def asked(self):
        """The rate that was asked for; None where operations came as fast as they could."""
        return self.kind.median_of(lambda phase: phase.ordered_rate)

    @property
    def rate(self):
        return self.kind.median

    @property
    def share(self):
        """Of a curve: which share of the highest rate was asked for, as a text."""
        return self.values[0]

    @property
    def p99_ns(self):
        return self.kind.response and self.kind.response.percentiles.get("p99")

    @property
    def is_reached(self):
        return self.kind.kept.is_reached


@dataclass
class Line:
    """The points of one kind of phase, in the order of their values."""
    study: object
    name: str
    points: list

    @property
    def quantity(self):
        return self.points[0].kind.quantity

    @property
    def is_part(self):
        return self.points[0].kind.is_part

    @property
    def counts(self):
        return [point.values[0] for point in self.points]

    @property
    def by_few(self):
        """The most tasks that do a phase which not all do, as one makes a tree; else None."""
        return max((point.kind.by_few for point in self.points if point.kind.by_few), default=None)

    @property
    def asked(self):
        """The rate that was asked for at each point; None where one had none."""
        found = [point.asked for point in self.points]
        return found if all(found) else None

    @property
    def has_rates(self):
        """Whether at least one point of a curve has a rate that was asked for."""
        return any(point.kind.response and point.asked for point in self.points)

    @property
    def has_response(self):
        return all(point.kind.response for point in self.points)

    @property
    def scales(self):
        return self.study.scales and not self.by_few and not self.asked

    @property
    def by_whom(self):
        """In words, with a comma before them; empty where all tasks do it."""
        return "" if not self.by_few else ", done by one task" if self.by_few == 1 \
            else f", done by {self.by_few} tasks at most"

    @cached_property
    def efficiency(self):
        """Rate per task, as a share of that of the fewest tasks with the same other value; None: means nothing."""
        if self.by_few or self.asked:
            return [None] * len(self.points)
        axis, fewest = self.study.axis, {}
        for point in sorted(self.points, key=lambda point: point.values[axis]):
            fewest.setdefault(point.values[:axis] + point.values[axis + 1:], point)
        first = [fewest[point.values[:axis] + point.values[axis + 1:]] for point in self.points]
        return [point.kind.median / point.values[axis] / (one.kind.median / one.values[axis])
                for point, one in zip(self.points, first)]

    @cached_property
    def fit(self):
        if not self.scales or scaling.why_not(self.counts):
            return None
        return scaling.fit(self.counts, [point.kind.rates for point in self.points])


class Study:
    def __init__(self, varied, tests, unit=None, how="", runs=(), member=""):
        """`tests` are (values of the varied options, test), `runs` the runs that did them, `member` that of a set."""
        self.varied, self.units, self.how, self.runs, self.member = varied, unit or {}, how, runs, member
        self.grid = []  # the Studies of one declared study of more than two options
        names = list(dict.fromkeys(kind.name for _, test in tests for kind in test.kinds_and_parts))
        self.lines = [line for line in (self.line(name, tests) for name in names)
                      if len(line.points) > 1]

    def line(self, name, tests):
        phases = {}
        for values, test in tests:
            for kind in test.kinds_and_parts:
                if kind.name == name and kind.rates:
                    phases.setdefault(values, []).extend(kind.phases)
        points = [Point(values, Kind(name, found)) for values, found in phases.items()]
        points.sort(key=lambda point: [order(value) for value in point.values])
        return Line(self, name, points)

    @property
    def axis(self):
        """Which option is a number of tasks or nodes, so that there is an ideal and efficiency; or None."""
        return next((axis for axis, name in enumerate(self.varied)
                     if name in SCALED and self.numeric(axis) and self.positive(axis)), None)

    @property
    def scales(self):
        return len(self.varied) == 1 and self.axis is not None

    def numeric(self, axis):
        return all(is_number(point.values[axis]) for line in self.lines for point in line.points)

    def positive(self, axis):
        return all(point.values[axis] > 0 and point.kind.median
                   for line in self.lines for point in line.points)

    @property
    def is_curve(self):
        """Whether the points are those of a curve of load against response time."""
        return self.varied == ["curve"]

    def text(self, axis, value):
        if self.units.get(self.varied[axis]) == "bytes" and is_number(value):
            return units.size(value)
        if isinstance(value, bool):
            return words.truth(self.varied[axis], value)
        return words.option_text({"value": value})

    @property
    def name(self):
        """Of a chart of all its phases."""
        return "phases"

    @property
    def names(self):
        return [line.name for line in self.lines]

    def setting(self, axis, value):
        """An option with its value, for a sentence."""
        return words.setting(self.varied[axis], value, self.units.get(self.varied[axis]))

    @property
    def title(self):
        what = "load against response time" if self.is_curve else f"{' and '.join(self.varied)} varied"
        return f"{self.member}: {what}" if self.member else what


@dataclass
class Family:
    """Of two options: curves against one, in a Study of its own, for each value of the other."""
    study: Study
    other: str
    members: list  # [(value as a text, Line)]
    left_out: int


def family(line):
    """The Family of a Line of two options; against tasks or nodes where they are one of these."""
    whole = line.study
    axis = whole.axis or 0
    rows = {}
    for point in line.points:
        rows.setdefault(point.values[1 - axis], []).append(Point((point.values[axis],), point.kind))
    values = sorted((value for value, points in rows.items() if len(points) > 1), key=order)
    count = min(len(values), MOST_CURVES)
    chosen = [values[i * (len(values) - 1) // max(1, count - 1)] for i in range(count)]
    found = Study(whole.varied[axis:axis + 1], [], whole.units)
    found.lines = [Line(found, line.name, rows[value]) for value in chosen]
    texts = [whole.text(1 - axis, value) for value in chosen]
    return Family(found, whole.varied[1 - axis], list(zip(texts, found.lines)), len(rows) - count)


@dataclass
class Overlay:
    """The curves of load against response time of several results; `members` are (label, Line)."""
    name: str
    members: list
    left_out: int


def overlays(runs, labels):
    """The Overlays of these runs, one for each kind of phase; `labels` name the runs. Empty where none has two."""
    found = {}
    for run, label in zip(runs, labels):
        curves = [line for study in of_runs([run]) if study.is_curve
                  for line in study.lines if not line.is_part and line.has_rates]
        for number, line in enumerate(curves):
            text = f"{label} {line.study.member or number + 1}" if len(curves) > 1 else label
            found.setdefault(line.name, []).append((text, line))
    return [Overlay(name, members[:MOST_CURVES], max(0, len(members) - MOST_CURVES))
            for name, members in found.items() if len(members) > 1]


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def order(value):
    """Texts that are numbers go by these: 10%, 10%-again, 100%; 4k, 16k, 1m; search90, search1000."""
    if is_number(value):
        return (0, value, "")
    match = re.fullmatch(r"([a-z]*)(\d+(?:\.\d*)?(?:e[+-]?\d+)?)([kmgt]?)(?:i?b)?%?(?:-again)?", str(value), re.IGNORECASE)
    if not match:
        return (1, 0, str(value))
    scale = 1024 ** (" kmgt".index(match[3].lower()) if match[3] else 0)
    return (1 if match[1] else 0, float(match[2]) * scale, str(value))


def of_runs(runs):
    """All studies: those that jobs declare, and one of the other tests where few options differ."""
    found = []
    for run in runs:
        groups = {}
        for test in run.tests:
            if isinstance(test.study.get("varied"), dict):
                groups.setdefault(test.study.get("id"), []).append(test)
        found += [one for tests in groups.values() for one in declared(tests, run)]
    rest = [(run, test) for run in runs for test in run.tests if not test.study.get("varied") and not test.set]
    found.append(inferred([test for _, test in rest], [run for run in runs if any(run is one for one, _ in rest)]))
    return [study for study in found if study and study.lines]


def declared(tests, run):
    """The studies of one grid of values: of more than two options one for each value of the others."""
    varied = list(tests[0].study["varied"])
    varied.sort(key=lambda name: name not in PREFERRED)
    shown, others = varied[:2], varied[2:]
    how = [text.format(tests[0].study[key]) for key, text in HOW.items() if tests[0].study.get(key)] \
        if any(name in SCALED for name in varied) else []
    units_of_options = units_of(tests[0])
    planes = {}
    for test in tests:
        values = test.study["varied"]
        planes.setdefault(tuple(values.get(name) for name in others), []).append(
            (tuple(values.get(name) for name in shown), test))
    found = [Study(shown, rows, units_of_options, ", ".join(
        [words.setting(name, value, units_of_options.get(name)) for name, value in zip(others, plane)] + how), [run], tests[0].called if tests[0].set else "")
             for plane, rows in planes.items()]
    for one in found:
        one.grid = found
    return found


def units_of(test):
    return {name: option.get("unit") for name, option in test.options.items()}


def settings(test):
    """What a test was asked to do, as {name: value}."""
    found = {"tasks": test.plan.get("tasks"), "nodes": test.plan.get("nodes"), "backend": test.backend}
    found.update((name, text_of(test.option(name))) for name in test.options if name not in SILENT)
    return found


def text_of(value):
    """The value of an option; that of one that holds names with values is a text."""
    return ", ".join(f"{name}={one}" for name, one in value.items()) if isinstance(value, dict) else value


def inferred(tests, runs):
    """The Study of tests whose options differ in one or two ways, each with some values; or None."""
    if len(tests) < LEAST_VALUES:
        return None
    rows = [settings(test) for test in tests]
    names = dict.fromkeys(name for row in rows for name in row)
    ways = {}
    for name in names:
        column = [str(row.get(name)) for row in rows]
        if len(set(column)) > 1:
            first = {value: index for index, value in reversed(list(enumerate(column)))}
            ways.setdefault(tuple(first[value] for value in column), []).append(name)
    chosen = [pick(group) for group in ways.values()]
    if not 1 <= len(chosen) <= 2 or None in chosen:
        return None
    if len({tuple(str(row.get(name)) for name in chosen) for row in rows}) < LEAST_VALUES:
        return None
    return Study(chosen, [(tuple(row.get(name) for name in chosen), test)
                          for row, test in zip(rows, tests)], units_of(tests[0]), runs=runs)


def pick(names):
    """The option that a group of options that change together is about; None: it is not one."""
    free = [name for name in names if name not in COUPLED]
    if len(free) == 1:
        return free[0]
    if free:
        return None
    return next((name for name in PREFERRED if name in names), names[0])
