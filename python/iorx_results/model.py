"""
What a result document says, as the reports see it: runs, tests, phases and their operations. reader.py makes it.

Names say the unit: _ns, _s, bytes, rates in bytes/s or operations/s, shares from 0 to 1. Optional parts are None or
empty where the document does not have them; no function here raises an error.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy

from . import statistics, units

SEVERITIES = ["good", "note", "warn", "fail"]
# The steps around the operation that a phase is about, where the plan does not say which that is.
STEPS = {"open", "close", "sync", "define"}
LOAD = "load"
# What the phase that writes the files of a load test is called here: its rate is no result of the test.
LAYOUT = "layout"
# Operations by the moment at which they were due: the time of these is never shown as a service time.
RESPONSE = "response"
LATENESS = "lateness"  # from that moment to the issue
NO_KINDS = {RESPONSE, "read_then", "write_then"}  # parts whose operations were not done by the phase


@dataclass
class Verdict:
    """A rule's judgement on a phase or a summary."""
    id: str
    severity: str
    meaning: str
    remedy: str
    where: str = ""


@dataclass
class Operation:
    """Service times of one kind of operation of a phase."""
    name: str
    count: int
    mean_ns: float
    min_ns: int
    max_ns: int
    percentiles: dict  # {"p99": ns}, None where too few operations support it
    worst: dict  # where and when the longest one was
    histogram: list  # [lower edge in ns, operations], ascending
    bytes: int = None
    rated: int = None  # operations that the rate counts; in a closed loop they may differ from count
    rated_bytes: int = None


@dataclass
class Timeline:
    """Operations and bytes in each slice of time: lists of one length, one value a slice, empty where not recorded."""
    slice_seconds: float
    lead_s: float  # by so much the first slice begins before the phase
    bytes: list
    operations: list
    due: list  # operations at a rate that were due in the slice
    p50_ns: list
    p99_ns: list
    max_ns: list


@dataclass
class Heat:
    """Bytes of groups of tasks in each slice of time."""
    slice_seconds: float
    rows: list  # of groups of tasks, {"first_task", "last_task", "node"}
    bytes: numpy.ndarray  # (rows, slices)


@dataclass(frozen=True)
class Kept:
    """The operations that loads at a rate had due, and those of them that were issued in time."""
    due: int
    issued: int

    @property
    def share(self):
        return self.issued / self.due if self.due else 0

    @property
    def is_reached(self):
        """95 % of them, as doc/measurement.md defines it; one operation is no miss."""
        missed = self.due - self.issued
        return self.due > 0 and (missed < 2 or 20 * missed <= self.due)


@dataclass
class Phase:
    """One phase of one repetition. Dictionaries hold the members of the document's phase under their own names."""
    test: int
    name: str
    repetition: int
    warmup: bool
    status: str
    began: str
    index: int = None
    queue_depth: int = None
    # the series of the phase: {name of the part: operation}, None is the name of what the phase is about
    series: dict = field(default_factory=dict)
    bytes: float = None
    total_rate: float = None  # bytes/s; None for metadata tests and loads
    operations_rate: float = None  # operations/s
    intervals: dict = field(default_factory=dict)
    stamps: dict = field(default_factory=dict)  # {step: {"first_ns", "last_ns"}} of the tasks, from the begin of the phase
    balance: dict = field(default_factory=dict)
    tasks: dict = field(default_factory=dict)
    concurrency: dict = field(default_factory=dict)
    task_p99: dict = field(default_factory=dict)
    kernel: dict = field(default_factory=dict)
    operations: dict = field(default_factory=dict)
    timeline: Timeline = None
    heatmap: Heat = None
    counters: dict = field(default_factory=dict)
    outliers: dict = field(default_factory=dict)
    slow: dict = field(default_factory=dict)
    within_run: dict = field(default_factory=dict)
    metadata: dict = field(default_factory=dict)
    load: dict = field(default_factory=dict)
    possible: dict = field(default_factory=dict)
    failure: dict = field(default_factory=dict)
    stop: str = None
    verdicts: list = field(default_factory=list)
    cold: bool = False
    mean_of: int = 1  # repetitions whose mean its rate is; of imported results, where nothing else is known

    @property
    def counts(self):
        """It is in the summary of its kind."""
        return self.status == "complete" and not self.warmup and self.rate is not None

    @property
    def severity(self):
        """The worst of its verdicts; a phase that did not complete is not judged."""
        return max((verdict.severity for verdict in self.verdicts), key=SEVERITIES.index, default="good")

    @property
    def counts_operations(self):
        """True for metadata tests and loads, whose rate is not one of bytes."""
        return self.total_rate is None

    @property
    def done(self):
        """What the rate of a metadata phase or a load counts; None where that is not known."""
        return (self.metadata or self.load).get("entries" if self.name == "find" else "operations")

    @property
    def kept(self):
        """Of a load at a rate; documents of iorx 0.1.0 do not have it, and only what they counted."""
        done, *lost = (self.load.get(name) or 0 for name in ("operations", "failed_operations", "skipped", "unfinished"))
        due, issued = (self.load.get(name) for name in ("due", "issued"))
        return Kept(done + sum(lost), done + lost[0]) if due is None else Kept(due, issued)

    @property
    def working_tasks(self):
        measured = self.tasks.get("measured")
        return None if measured is None else measured - (self.tasks.get("idle") or 0)

    @property
    def work(self):
        """What a call of the phase is called."""
        return "operation" if self.counts_operations else "transfer"

    @property
    def quantity(self):
        if self.total_rate is not None:
            return units.BYTES
        return units.ENTRIES if self.name == "find" else units.OPERATIONS

    @property
    def rate(self):
        return self.total_rate if self.total_rate is not None else self.operations_rate

    @property
    def ordered_rate(self):
        """How many operations of all tasks were due in a second; None where they came as fast as they could."""
        if self.load:
            return self.load.get("asked_operations_per_s")
        each = (self.metadata.get("mix") or {}).get("task_rate_operations_per_s")
        return each * (self.tasks.get("measured") or 1) if each else None

    @property
    def rated_seconds(self):
        """The seconds by which the phase's rate divides: of a load the length of its measured window."""
        if "rated_operations" in self.load:
            return self.load.get("window_s")
        return self.intervals.get("transfer_s" if self.load else "total_s")  # loads before that member came

    @property
    def response(self):
        """The operations by the moment at which each was due; None where nothing was due."""
        return self.operations.get(RESPONSE)

    @property
    def lateness(self):
        """By how much the operations were issued behind the moment at which each was due; None where nothing was."""
        return self.operations.get(LATENESS)

    @property
    def services(self):
        """The operations that have service times, those that a trace recorded among them."""
        return [operation for name, operation in self.operations.items() if name not in (RESPONSE, LATENESS)]

    @property
    def parts(self):
        """The names of the kinds of operation that the phase is made of; neither response times nor those of a trace are kinds."""
        return [name for name in self.series if name and name not in NO_KINDS]

    def part(self, name):
        """The Phase of one of these alone, without what is of all of it; None where no such operation was done."""
        operation, total = self.operations.get(self.series.get(name)), self.rated_seconds
        if operation is None or not total:
            return None
        return Phase(self.test, f"{self.name}:{name}", self.repetition, self.warmup, self.status, self.began,
                     self.index, series={None: operation.name}, operations_rate=operation.rated / total,
                     intervals={"total_s": total}, operations={operation.name: operation}, cold=self.cold)

    @property
    def main(self):
        """The operation that the phase is about; of one that the plan does not know the most frequent."""
        if None in self.series:
            return self.operations.get(self.series[None])
        names = [name for name in self.operations if name not in STEPS] or list(self.operations)
        return self.operations[max(names, key=lambda name: self.operations[name].count)] \
            if names else None


def joined(found):
    """The Operation of these operations together; None where there is none."""
    if len(found) == 1 and not found[0].histogram:
        return found[0]  # of an imported result, which has percentiles alone
    if not found or not all(one.histogram for one in found):
        return None
    histogram = statistics.merge_histograms(one.histogram for one in found)
    smallest, largest = min(o.min_ns for o in found), max(o.max_ns for o in found)
    count = sum(o.count for o in found)
    percentiles = {name: statistics.percentile(histogram, share, smallest, largest)
                   for name, share in (("p50", .5), ("p90", .9), ("p99", .99), ("p99.9", .999),
                                       ("p99.99", .9999))}
    return Operation(found[0].name, count, sum(o.mean_ns * o.count for o in found) / count,
                     smallest, largest, percentiles, max(found, key=lambda o: o.max_ns).worst,
                     histogram, rated=sum(o.rated for o in found))


class Kind:
    """A series: all repetitions of one phase of a test's plan, or of one operation of it."""

    def __init__(self, name, phases):
        self.name, self.phases = name, phases
        self.is_part = ":" in name
        self.complete = [phase for phase in phases if phase.counts]
        shown = self.complete or [phase for phase in phases if phase.rate is not None]
        self.quantity = shown[0].quantity if shown else units.BYTES
        self.rates = [phase.rate for phase in self.complete]
        self.median = statistics.median(self.rates)
        self.interval = statistics.median_interval(self.rates)

    @property
    def repetitions(self):
        """How many complete ones there were."""
        return sum(phase.mean_of for phase in self.complete)

    @property
    def half_width(self):
        """Half of the interval as a share of the median; None where there is none."""
        if not self.interval or not self.median:
            return None
        low, high, _ = self.interval
        return (high - low) / 2 / self.median

    @property
    def parts(self):
        """A Kind for each operation that is told beside the one that the phase is about."""
        names = dict.fromkeys(name for phase in self.phases for name in phase.parts)
        found = [[one for one in (phase.part(name) for phase in self.phases) if one] for name in names]
        return [Kind(phases[0].name, phases) for phases in found if phases]

    @property
    def rated(self):
        return [phase for phase in self.phases if phase.rate is not None]

    @property
    def by_few(self):
        """How many tasks did it, where that was not all of them by the plan; else None."""
        for phase in self.phases:
            working, tasks = phase.metadata.get("working_tasks"), phase.tasks.get("measured")
            if working and tasks and working < tasks:
                return working
        return None

    @cached_property
    def operation(self):
        """The main operations of the complete repetitions joined; None where nothing was timed."""
        return joined([phase.main for phase in self.complete if phase.main])

    @cached_property
    def response(self):
        """The response times of the complete repetitions joined; None where nothing was due."""
        return joined([phase.response for phase in self.complete if phase.response])

    @property
    def is_load(self):
        return any(phase.load for phase in self.phases)

    @property
    def kept(self):
        """The Kept of the complete repetitions together."""
        found = [phase.kept for phase in self.complete]
        return Kept(sum(one.due for one in found), sum(one.issued for one in found))

    def median_of(self, number):
        """The median over the complete repetitions of what number(phase) gives; None where none has it."""
        return statistics.median([one for one in map(number, self.complete) if one is not None])

    def with_most(self, member):
        """The repetition nearest to the median rate that has this optional member, or None."""
        found = [phase for phase in self.complete or self.phases if getattr(phase, member)]
        if not found:
            return None
        middle = self.median or 0
        return min(found, key=lambda phase: abs((phase.rate or 0) - middle))


def plans_load(plan):
    """True if a load is the phase that the test is about."""
    return LOAD in (plan.get("phases") or [])


@dataclass
class Test:
    """One test of a run; kinds are its series, phases all repetitions of all phases in their order."""
    number: int
    api: str
    backend: str
    test_file: str
    comparable: tuple
    options: dict
    plan: dict
    mount: dict
    kinds: list
    phases: list
    verdicts: list
    slow: list
    study: dict
    name: str = None
    set: dict = field(default_factory=dict)  # that of tests which ran at the same time
    is_judged: bool = True  # False: of an imported result, which has no verdicts
    measured_limits: dict = field(default_factory=dict)

    @property
    def called(self):
        """The name that its job gave it, or its number."""
        return self.name or f"test {self.number}"

    @property
    def is_load(self):
        return plans_load(self.plan)

    @property
    def layouts(self):
        """The phases that wrote the files of a load."""
        return [phase for phase in self.phases if phase.name == LAYOUT]

    @property
    def kinds_and_parts(self):
        """Behind each kind those of its parts."""
        return [one for kind in self.kinds for one in [kind, *kind.parts]]

    def option(self, name, default=None):
        return self.options.get(name, {}).get("value", default)


@dataclass
class Run:
    """One document."""
    file: str
    document: dict
    status: str
    exit_code: int
    version: str
    began: str
    command_line: list
    iorx_options: str
    job_file: str
    job_text: str
    tasks: int
    nodes: int
    hosts: list
    options: dict
    environment: dict
    node_environments: dict
    tests: list
    sessions: list  # when the further sessions of a job began that went on with --resume
    errors: list
    curves: list
    slowdowns: list
    imported: str = ""  # the program whose output it is made of, where that is not iorx

    @property
    def made_by(self):
        return self.imported or f"iorx {self.version}"

    @property
    def verdicts(self):
        return [verdict for test in self.tests for verdict in test.verdicts]

    @property
    def severity(self):
        """The worst of all verdicts."""
        return max((v.severity for v in self.verdicts), key=SEVERITIES.index, default="good")
