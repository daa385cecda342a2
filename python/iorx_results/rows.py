"""
What many results say in one table: a row for each kind of phase of each test. A row is small, and its result need not be kept.
"""

from dataclasses import dataclass, fields

from . import comparison, matching, units, words
from .model import SEVERITIES

# File systems of one host whose source does not begin with a slash.
LOCAL = {"tmpfs", "ramfs", "overlay", "zfs"}


@dataclass
class Row:
    """Rates are in bytes/s where `unit` says so, else in operations or entries a second."""
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
        return f"{self.severity}: {', '.join(self.rules)}" if self.rules else self.severity


UNITS = {"rate": "bytes/s", "operations": "op/s", "entries": "entries/s"}
SHOWN = [field.name for field in fields(Row) if field.name not in ("quantity", "line")]


def of_run(run, known):
    """The Rows of a run. `known` is a dict of the caller, by which equal tests share what identifies them."""
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
    return Row(run.file, run.began, run.made_by, hosts(run), storage(test), test.plan.get("tasks") or run.tasks,
               test.plan.get("nodes") or run.nodes, test.number,
               f"{test.name}: {words.test_title(test)}" if test.name else words.test_title(test), kind.name,
               "complete" if kind.rates else kind.phases[0].status, kind.repetitions, kind.median, low, high,
               UNITS[kind.quantity.name], percentiles.get("p50"), percentiles.get("p99"), severity, rules, kind.quantity, line)


def identify(run, test):
    """What two tests must have in common to be of one line; of a local file system also the hosts."""
    mount, facts = test.mount, comparison.test_facts(test)
    place = tuple(str(mount.get(name)) for name in ("type", "source", "target"))
    own = (test.plan.get("tasks"), test.plan.get("nodes"), test.name, "alone" if test.set.get("alone_of") is not None else "")
    return (*own, *(tuple(run.hosts) if is_local(mount) else ()), *place,
            *((name, text) for name, text in facts.items()
              if name not in matching.PATHS and not name.startswith("mount: ")))


def is_local(mount):
    source = str(mount.get("source") or "")
    return mount.get("type") in LOCAL or (source.startswith("/") and not source.startswith("//"))


def hosts(run):
    if not run.hosts:
        return ""
    return run.hosts[0] + (f" and {len(run.hosts) - 1} more" if len(run.hosts) > 1 else "")


def storage(test):
    mount = test.mount
    return " ".join(str(mount[name]) for name in ("type", "source", "target") if mount.get(name))


def verdict(run, test, kind):
    """(the worst severity, its rules) of what is said of this kind of phase."""
    if run.status == "failed" and not kind.rates:
        return "fail", ()
    found = [one for phase in kind.phases for one in phase.verdicts]
    found += [one for one in test.verdicts if one.where == f"{kind.name}, all repetitions"]
    worst = max((one.severity for one in found), key=SEVERITIES.index, default="good" if not run.imported else "")
    rules = sorted({one.id for one in found if one.severity == worst}) if worst in ("warn", "fail") else []
    return worst, tuple(rules)
