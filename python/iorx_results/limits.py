"""Limits of the network, servers and devices. Results made earlier are judged by them as iorx judges its own."""

import argparse
import re
from dataclasses import dataclass

from . import units
from .model import Verdict
from .tables import Cell, Table, of_count, of_rate, of_share

# (limit, rule, whether its parts are counted by an option); else there is one on each node
LIMITS = (("network", "L1", False), ("device", "L2", True), ("server", "L3", True))
RULES = {"client": "L4", "floor": "L5"} | {name: rule for name, rule, _ in LIMITS}
LIMITED, ABOVE, ABOVE_MEASURED = 0.9, 1.05, 1.3
# what follows from a rate above a limit that was measured, as src/result/possible.c has it
MEASURED = {"network": "the storage has a faster way than MPI", "device": "more than the target moved when it was measured",
            "client": "more than the memory of the clients moved", "floor": "faster than one cold read after the other"}
UNITS = {"": 1, "b": 1, "byte": 1, "bytes": 1, "bit": 1 / 8, "bits": 1 / 8}
WITHOUT_STORAGE = {"null"}


@dataclass
class Bound:
    """A limit of one part, and how many such parts work at the same time."""
    name: str
    each: float
    count: int
    method: str = "given"

    @property
    def most(self):
        return ABOVE_MEASURED if self.method == "measured" else ABOVE

    @property
    def follows(self):
        return MEASURED[self.name] if self.method == "measured" else "not storage"

    @property
    def whole(self):
        return self.each * self.count

    @property
    def times(self):
        return f"{self.count} x " if self.count != 1 else ""

    @property
    def words(self):
        return f"{self.name} {self.times}{rate(self.each)} ({self.method})"


def speed(text):
    """Bytes per second, as the option of iorx takes them: 1100MiB/s, 12.5GB/s, 100Gbit/s."""
    match = re.fullmatch(r"((\d+(?:\.\d*)?|\.\d+)(?:([kmgtpe])(i?))?)([a-z]*)(/s)?", text, re.IGNORECASE)
    unit = match and match[5]
    if unit == "b":
        raise argparse.ArgumentTypeError(f"{text!r} may mean bits or bytes; write {match[1]}bit/s or, eight times as much, "
                                         f"{match[1]}B/s")
    one = match and UNITS.get(unit.lower())
    if not one or not float(match[2]) or (match[3] and not unit and not match[6]):
        raise argparse.ArgumentTypeError(f"{text!r} is not a speed; write for example 1100MiB/s, 12.5GB/s or 100Gbit/s")
    power = "kmgtpe".index(match[3].lower()) + 1 if match[3] else 0
    return float(match[2]) * (1024 if match[4] else 1000) ** power * one


def parts(text):
    if not re.fullmatch(r"[1-9]\d{0,8}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of parts; write for example 16")
    return int(text)


def add_options(parser):
    what = {"network": "of each node", "device": "of each device below the files", "server": "of each server"}
    for name, rule, is_counted in LIMITS:
        parser.add_argument(f"--limit.{name}", metavar="SPEED", type=speed, dest=name,
                            help=f"judge all results by a limit {what[name]}, such as 12.5GB/s or 100Gbit/s: {rule}")
        if is_counted:
            parser.add_argument(f"--limit.{name}s", metavar="N", type=parts, default=1, dest=f"{name}s",
                                help=f"over how many {name}s the files are spread; default 1")


def judge(runs, given):
    """Judges every phase that moves data; given is what add_options() parsed."""
    if not any(getattr(given, name) for name, _, _ in LIMITS):
        return
    for test in (test for run in runs for test in run.tests if test.api not in WITHOUT_STORAGE):
        bounds = [Bound(name, getattr(given, name), getattr(given, f"{name}s") if is_counted else test.plan.get("nodes") or 1)
                  for name, _, is_counted in LIMITS if getattr(given, name)]
        for phase in test.phases:
            judge_phase(test, phase, bounds)


def judge_phase(test, phase, given):
    """Adds the limits to those that the result has; a limit that is given anew takes the place of the old one."""
    moved, layout = one_way_rate(phase), phase.name == "layout"
    if not moved or layout:
        return
    bounds = {bound.name: bound for bound in [*of_phase(phase), *given]}
    least = min(bounds.values(), key=lambda bound: bound.whole)
    phase.possible = {"bytes_per_s": moved, "least": least.name, "share": moved / least.whole,
                      "limits": [{"limit": one.name, "each_bytes_per_s": one.each, "count": one.count, "method": one.method}
                                 for one in bounds.values()]}
    rules = set(RULES.values())
    found = [verdict(phase, rule, bounds[name], least) for name, rule in RULES.items() if name in bounds]
    for verdicts in (phase.verdicts, test.verdicts):
        mine = f"{phase.name} {phase.repetition}"
        verdicts[:] = [one for one in verdicts if one.id not in rules or one.where != mine] + [one for one in found if one]


def verdict(phase, rule, bound, least):
    """The Verdict of one rule, as iorx has it; None where it is silent."""
    moved = phase.possible["bytes_per_s"]
    share, where = moved / bound.whole, f"{phase.name} {phase.repetition}"
    text = f"{rate(moved)} is {100 * share:.0f} % of {bound.words}"
    if share > bound.most:
        severity, other = "fail", f"a limit.{bound.name} that is true"
        if bound.method == "measured":
            severity, other = "note" if bound.name == "network" else "warn", "limits=given, with the limits of the system"
        return Verdict(rule, severity, f"{text}: {bound.follows}",
                       f"more data than the memory of clients and servers, and cold reads; or {other}", where)
    if bound is least and share >= LIMITED:
        return Verdict(rule, "note", f"{text}: it limits this phase", "", where)
    return None


def one_way_rate(phase):
    """The rate to compare. A load reads and writes at the same time, and a network moves as much in both directions."""
    if not phase.load:
        return phase.total_rate
    seconds = phase.rated_seconds
    moved = max((phase.operations[name].rated_bytes or 0 for name in ("read", "write") if name in phase.operations), default=0)
    return moved / seconds if seconds else None


def of_phase(phase):
    """The Bounds that a phase was judged by."""
    return [Bound(one["limit"], one["each_bytes_per_s"], one["count"], "measured" if one.get("method") == "measured" else "given")
            for one in phase.possible.get("limits") or [] if one["limit"] in RULES]


def least_of(phase):
    """The Bound that allows the least; None where the document does not have it."""
    return next((bound for bound in of_phase(phase) if bound.name == phase.possible.get("least")), None)


def sentence(phase):
    """The rate of a phase against the limit that allows the least: a text and its rates, in bytes per second."""
    share, least = phase.possible["share"], least_of(phase)
    if share > least.most:
        return (f"{{0}} is {100 * share:.0f} % of {least.name} {least.times}{{1}} ({least.method}): {least.follows}.",
                [phase.possible["bytes_per_s"], least.each])
    if share >= LIMITED:
        return f"Limited by {least.name} ({least.method}), {100 * share:.0f} %.", []
    return f"Below all limits; next is {least.name}, {100 * share:.0f} %.", []


def measured(test):
    """The table of what was measured before the first phase."""
    heads = [("limit", None), ("access", None), ("each", None), ("parts", None), ("rounds", None), ("spread", None),
             ("judges", None), ("method", None)]
    rows = [[Cell(one["limit"]), Cell(one.get("access") or "both"), of_rate(one["each_bytes_per_s"], units.BYTES),
             of_count(one["count"]), of_count(one.get("rounds")), of_share(one.get("spread")),
             Cell("yes" if one.get("judges") else "no"), Cell(one.get("method") or "")]
            for one in test.measured_limits.get("limits") or []]
    return Table("measured", heads, rows, "Limits that were measured before the first phase: the fastest of some rounds, and "
                                          "(fastest - slowest) / fastest. They enter no rate.")


def rate(value):
    mib = value / units.MIB
    return f"{mib:.3g} MiB/s" if mib < 100 else f"{mib:.0f} MiB/s"
