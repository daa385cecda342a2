"""
What many results say in one table: a row for each kind of phase of each test. A row is
small, and its result need not be kept.
"""

import os
from dataclasses import dataclass, fields

from . import comparison, matching, units, words
from .model import SEVERITIES

# File systems of one host whose source does not begin with a slash.
LOCAL = {"tmpfs", "ramfs", "overlay", "zfs"}


@dataclass
class Row:
    """
    Rates are in bytes/s where `unit` says so, else in operations or entries a second.
    """
    file: str
    began: str  # ISO 8601; empty where it is not known
    program: str
    hosts: str
    storage: str
    tasks: int
    nodes: int
    number: int
    test: str
    phase: str
    status: str
    repetitions: int
    rate: float
    low: float  # the 95 % interval of the median, from 6 repetitions on
    high: float
    unit: str
    p50_ns: float
    p99_ns: float
    severity: str  # the worst verdict
    rules: tuple  # the ids of these verdicts
    quantity: units.Quantity
    line: tuple  # equal for rows of the same test on the same storage

    @property
    def belief(self):
        rules = f": {', '.join(self.rules)}" if self.rules else ""
        return self.severity + rules


UNITS = {"rate": "bytes/s", "operations": "op/s", "entries": "entries/s"}
SHOWN = [field.name for field in fields(Row) if field.name not in ("quantity", "line")]


def of_run(run, known):
    """
    The Rows of a run. `known` is a dict of the caller, by which equal tests share what
    identifies them.
    """
    found, seen = [], {}
    for test in run.tests:
        identity = known.setdefault(identify(run, test), len(known))
        for kind in test.kinds:
            nth = seen[identity, kind.name] = seen.get((identity, kind.name), -1) + 1
            found.append(make(run, test, kind, (identity, nth, kind.name)))
    return found


def make(run, test, kind, line):
    severity, rules = verdict(run, test, kind)
    low, high = kind.interval[:2] if kind.interval else (None, None)
    percentiles = kind.operation.percentiles if kind.operation else {}
    name = f"{test.name}: " if test.name else ""
    return Row(file=run.file, began=run.began, program=run.made_by, hosts=hosts(run),
               storage=storage(test), tasks=test.plan.get("tasks") or run.tasks,
               nodes=test.plan.get("nodes") or run.nodes, number=test.number,
               test=name + words.test_title(test), phase=kind.name,
               status="complete" if kind.rates else kind.phases[0].status,
               repetitions=kind.repetitions, rate=kind.median, low=low, high=high,
               unit=UNITS[kind.quantity.name], p50_ns=percentiles.get("p50"),
               p99_ns=percentiles.get("p99"), severity=severity, rules=rules,
               quantity=kind.quantity, line=line)


def identify(run, test):
    """
    What two tests must have in common to be of one line; of a local file system also
    the hosts.
    """
    mount, facts = test.mount, comparison.test_facts(test)
    place = tuple(str(mount.get(name)) for name in ("type", "source", "target"))
    own = (test.plan.get("tasks"), test.plan.get("nodes"), test.name,
           "alone" if test.set.get("alone_of") is not None else "")
    # Without a mount the folder is all that is known of the storage.
    place = place if mount else (os.path.dirname(test.test_file), )
    return (*own, *(tuple(run.hosts) if is_local(mount) else ()), *place,
            *((name, text) for name, text in facts.items()
              if name not in matching.PATHS and not name.startswith("mount: ")))


def is_local(mount):
    source = str(mount.get("source") or "")
    is_device = source.startswith("/") and not source.startswith("//")
    return is_device or mount.get("type") in LOCAL


def hosts(run):
    if not run.hosts:
        return ""
    more = f" and {len(run.hosts) - 1} more" if len(run.hosts) > 1 else ""
    return run.hosts[0] + more


def storage(test):
    mount = test.mount
    if not mount:
        return os.path.dirname(test.test_file)
    return " ".join(
        str(mount[name]) for name in ("type", "source", "target") if mount.get(name))


def verdict(run, test, kind):
    """(the worst severity, its rules) of what is said of this kind of phase."""
    if run.status == "failed" and not kind.rates:
        return "fail", ()
    found = [one for phase in kind.phases for one in phase.verdicts]
    found += [
        one for one in test.verdicts if one.where == f"{kind.name}, all repetitions"
    ]
    worst = max((one.severity for one in found), key=SEVERITIES.index,
                default="good" if test.is_judged else "")
    if worst not in ("warn", "fail"):
        return worst, ()
    return worst, tuple(sorted({one.id for one in found if one.severity == worst}))
