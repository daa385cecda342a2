"""The points of a set of loads: the whole set at each share of a curve, or with each number of copies.

What is valid, and what follows from the points, are pure functions of plain numbers; doc/measurement.md defines them."""

from dataclasses import dataclass, field
from functools import cached_property

from . import units
from .model import Kept, joined

OTHER_KIND = .05  # the most operations of a load that may be of another kind than asked for
DECK = 1000  # operations of a task in which shares are exact; of fewer they are not judged
OPTIONS = ("curve", "copies")


@dataclass
class Load:
    """One load of a set, in its median repetition; asked None: a closed loop, rate None: no complete repetition."""
    name: str
    asked: float
    rate: float
    asked_shares: dict = field(default_factory=dict)
    achieved_shares: dict = field(default_factory=dict)
    response: object = None
    operations: int = DECK  # of each task
    kept: Kept = Kept(0, 0)  # is not reached


@dataclass
class Point:
    """The loads of one set; `value` is the share of the curve, as a text, or the number of copies."""
    value: object
    loads: list

    @property
    def asked(self):
        """Operations/s of all loads; None where one of them was a closed loop."""
        found = [load.asked for load in self.loads]
        return sum(found) if found and all(found) else None

    @property
    def rate(self):
        return sum(load.rate or 0 for load in self.loads)

    @property
    def share(self):
        """Of a curve: which share of the highest rate was asked for, as a text."""
        return self.value

    @property
    def p99_ns(self):
        return self.response and self.response.percentiles.get("p99")

    @cached_property
    def response(self):
        return joined([load.response for load in self.loads if load.response])

    def time(self, name):
        """The mean or a percentile of the response times in ns; None where too few support it."""
        return self.response.mean_ns if name == "mean" else self.response.percentiles.get(name)

    @property
    def is_reached(self):
        return bool(self.asked) and all(load.kept.is_reached for load in self.loads)

    @cached_property
    def faults(self):
        return faults(self.loads)


@dataclass
class Ladder:
    """The points of one option, in the order of the job; `others` are the values of other lists."""
    run: object
    option: str
    others: tuple
    first_test: int
    points: list

    @property
    def name(self):
        return self.option

    @property
    def shown(self):
        """The points at a rate that have response times."""
        return [point for point in self.points if point.asked and point.response]

    @property
    def valid(self):
        """The points up to the first that is not valid."""
        bad = next((index for index, point in enumerate(self.points) if point.faults), len(self.points))
        return self.points[:bad]


def other_kinds(asked, achieved):
    """The share of the operations that would have to be of another kind, for the shares to be as asked for."""
    return sum(abs((asked.get(name) or 0) - (achieved.get(name) or 0)) for name in {*asked, *achieved}) / 2


def faults(loads):
    """Why a point is not valid, as sentences without a point; empty where it is."""
    found = [] if loads else ["no load ran"]
    for load in loads:
        if not load.asked:
            found.append(f"{load.name} has no rate")
        elif load.rate is None:
            found.append(f"{load.name} has no complete repetition")
        elif not load.kept.is_reached:
            found.append(f"{load.name} reached {units.percent(load.kept.share)} of its rate")
        else:
            other = other_kinds(load.asked_shares, load.achieved_shares) if load.operations >= DECK else 0
            if other > OTHER_KIND:
                found.append(f"{units.percent(other)} of the operations of {load.name} are of another kind than asked for")
    return found


def overall_response_ns(points):
    """The area below the mean response times up to the highest rate, divided by it; points are (rate, mean in ns)."""
    points = sorted(points)
    if not points:
        return None
    area = points[0][0] * points[0][1]
    for (rate, mean), (next_rate, next_mean) in zip(points, points[1:]):
        area += (next_rate - rate) * (mean + next_mean) / 2
    return area / points[-1][0]


def conclusion(ladder):
    """What the points say, as words for a sentence; empty where they say nothing."""
    if ladder.option != "copies":
        reached = [point.rate for point in ladder.shown if point.is_reached]
        return f"all loads of the set reached up to {units.rate(max(reached), units.OPERATIONS)}" if reached else ""
    valid = [point for point in ladder.valid if point.response]
    if not valid:
        return "no number of copies is valid"
    highest = max(valid, key=lambda point: point.value)
    overall = overall_response_ns([(point.rate, point.response.mean_ns) for point in valid])
    return (f"the highest valid number of copies is {highest.value}, with {units.rate(highest.rate, units.OPERATIONS)}, "
            f"and the overall response time up to there {units.time_ns(overall)}")


def ladders(run):
    """The Ladders of a run, of sets that a curve or numbers of copies have made."""
    found = {}
    sets = {test.set.get("number"): test for test in reversed(run.tests)}
    for test in run.tests:
        varied = test.study.get("varied")
        option = next((name for name in OPTIONS if name in (varied or {})), None)
        if not option or not test.set or not test.is_load:
            continue
        number = test.set.get("number")
        others = other_values(sets[number], option)
        ladder = found.setdefault((option, others), (sets[number].number, {}))
        ladder[1].setdefault(number, Point(varied[option], [])).loads.append(load_of(test))
    return [Ladder(run, option, others, first, list(points.values())) for (option, others), (first, points) in found.items()]


def other_values(first, option):
    """((name, value, unit), …) of the other lists, as the first test of the set names them."""
    return tuple((name, value, first.options.get(name, {}).get("unit"))
                 for name, value in first.study["varied"].items() if name != option)


def load_of(test):
    kind = next((kind for kind in test.kinds if kind.is_load), None)
    phases = kind.complete if kind else []
    if not phases:
        return Load(test.called, (kind.phases[0].ordered_rate if kind else None), None)
    middle = kind.with_most("load")
    return Load(test.called, middle.ordered_rate, kind.median, middle.load.get("asked_shares") or {},
                middle.load.get("achieved_shares") or {}, kind.response, (middle.done or 0) // (test.plan.get("tasks") or 1), kind.kept)
