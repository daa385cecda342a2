"""A result document as the reports see it. Optional parts are None or empty where they are missing."""

import re
from dataclasses import dataclass, field
from functools import cached_property

import numpy

from . import shapes, statistics, units
from .members import Members, ResultError, check, is_kind

SCHEMA = "iorx-result"
MAJOR = 2
LEAST_SLICE = 1e-9
PHASE_NAME = "[a-z][a-z0-9_-]{0,40}"
OPTION_NAME = r"([a-z][a-z0-9_]*\.)?[a-z][a-z0-9_]*"
OPTION_OF_TEST = rf"(.{{1,200}}\.)?{OPTION_NAME}"  # of another test of a set, with its name
SEVERITIES = ["good", "note", "warn", "fail"]
# The steps around the operation that a phase is about, where the plan does not say which that is.
STEPS = {"open", "close", "sync", "define"}
LOAD = "load"
# What the phase that writes the files of a load test is called here: its rate is no result of the test.
LAYOUT = "layout"
# Operations by the moment at which they were due: the time of these is never shown as a service time.
RESPONSE = "response"


@dataclass
class Verdict:
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
    percentiles: dict
    worst: dict
    histogram: list
    bytes: int = None


@dataclass
class Timeline:
    """What was done in each slice of time."""
    slice_seconds: float
    bytes: list
    operations: list
    p50_ns: list
    p99_ns: list
    max_ns: list


@dataclass
class Heat:
    """Bytes of groups of tasks in each slice of time."""
    slice_seconds: float
    rows: list
    bytes: numpy.ndarray


@dataclass
class Phase:
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
    total_rate: float = None
    operations_rate: float = None
    intervals: dict = field(default_factory=dict)
    balance: dict = field(default_factory=dict)
    tasks: dict = field(default_factory=dict)
    concurrency: dict = field(default_factory=dict)
    task_p99: dict = field(default_factory=dict)
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
        """The time by which the phase's rate divides: of a load that of the operations alone."""
        return self.intervals.get("transfer_s" if self.load else "total_s")

    @property
    def response(self):
        """The operations by the moment at which each was due; None where nothing was due."""
        return self.operations.get(RESPONSE)

    @property
    def parts(self):
        """The names of the kinds of operation that the phase is made of; response times are no kind."""
        return [name for name in self.series if name and name != RESPONSE]

    def part(self, name):
        """The Phase of one of these alone, without what is of all of it; None where no such operation was done."""
        operation, total = self.operations.get(self.series.get(name)), self.rated_seconds
        if operation is None or not total:
            return None
        return Phase(self.test, f"{self.name}:{name}", self.repetition, self.warmup, self.status, self.began,
                     self.index, series={None: operation.name}, operations_rate=operation.count / total,
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
    if not found:
        return None
    histogram = statistics.merge_histograms(one.histogram for one in found)
    smallest, largest = min(o.min_ns for o in found), max(o.max_ns for o in found)
    count = sum(o.count for o in found)
    percentiles = {name: statistics.percentile(histogram, share, smallest, largest)
                   for name, share in (("p50", .5), ("p90", .9), ("p99", .99), ("p99.9", .999),
                                       ("p99.99", .9999))}
    return Operation(found[0].name, count, sum(o.mean_ns * o.count for o in found) / count,
                     smallest, largest, percentiles, max(found, key=lambda o: o.max_ns).worst,
                     histogram)


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


@dataclass
class Test:
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
    errors: list
    curves: list
    slowdowns: list

    @property
    def verdicts(self):
        return [verdict for test in self.tests for verdict in test.verdicts]

    @property
    def severity(self):
        """The worst of all verdicts."""
        return max((v.severity for v in self.verdicts), key=SEVERITIES.index, default="good")


def check_schema(document, file):
    schema = document.inner("schema")
    if schema.text("name") != SCHEMA:
        raise ResultError(f"{file}: schema.name is {schema.text('name')!r}, so this is not a result of iorx")
    version = schema.text("version")
    if version.split(".")[0] != str(MAJOR):
        wrote = "was written by iorx before 0.1" if version.split(".")[0] == "1" else "is of another iorx"
        raise ResultError(f"{file}: this document {wrote} (schema.version {version}, these programs read {MAJOR}.x); "
                          "run the job again, or use the iorx-report of that version")


def read_run(document, file):
    """The Run of a parsed document."""
    top = Members(document, file)
    check_schema(top, file)
    run = top.inner("run")
    tests = [read_test(test) for test in top.each("tests")]
    end = top.plain("end", shapes.END)
    return Run(file=file, document=document, status=top.text("status"),
               exit_code=top.whole("exit_code", None), version=run.text("iorx_version"),
               began=run.text("began"), command_line=texts(run, "command_line"),
               iorx_options=run.text("iorx_options", None),
               job_file=run.text("job_file", None),
               job_text=run.text("job_text", None), tasks=run.whole("tasks"),
               nodes=run.whole("nodes"), hosts=texts(run, "hosts"), options=read_options(run),
               environment=run.plain("environment", shapes.ENVIRONMENT),
               node_environments=run.plain("node_environments", shapes.NODE_ENVIRONMENTS), tests=tests,
               errors=[error.text("text") for error in top.each("errors", [])],
               curves=end.get("curves") or [], slowdowns=end.get("slowdowns") or [])


def texts(members, name):
    values = members.array(name, [])
    for index, value in enumerate(values):
        if not isinstance(value, str):
            raise ResultError(f"{members.file}: {members.where(name)}[{index}] is not a text")
    return values


def read_options(members):
    """Their names stand in titles and captions: only such that iorx could have."""
    options = members.plain("options", shapes.OPTIONS)
    check_names(options, members.file, members.where("options"))
    return without_block(options)


def read_study(test):
    study = test.plain("study", shapes.STUDY)
    check_names(study.get("varied") or {}, test.file, test.where("study.varied"), OPTION_OF_TEST)
    return dict(study, varied=without_block(study["varied"])) if study.get("varied") else study


def without_block(options):
    """The options by the names that a LOAD block and the command line have for them: rate, not load.rate."""
    return {name[len(LOAD) + 1:] if name.startswith(f"{LOAD}.") else name: one for name, one in options.items()}


def check_names(names, file, where, pattern=OPTION_NAME):
    for name in names:
        if not re.fullmatch(pattern, name):
            raise ResultError(f"{file}: {where} has {name!r}, which is not a name of an option")


def read_series(plan, file):
    """{phase_index: {part: operation}}"""
    found = {}
    for one in plan.get("series") or []:
        if not re.fullmatch(PHASE_NAME, one.get("part") or "whole"):
            raise ResultError(f"{file}: plan.series has the part {one['part']!r}, which is not a name of an operation")
        found.setdefault(one["phase_index"], {})[one.get("part")] = one["operation"]
    return found


def name_phases(phases):
    """A second phase of one kind in a plan is called "read 2". Gives {(index, kind): name} in the order of the phases."""
    keys = list(dict.fromkeys((phase.index, phase.name) for phase in phases))
    names = {}
    for key in keys:
        nth = sum(other[1] == key[1] for other in names)
        names[key] = f"{key[1]} {nth + 1}" if nth else key[1]
    for phase in phases:
        phase.name = names[phase.index, phase.name]
    return names


def plans_load(plan):
    """True if a load is the phase that the test is about."""
    return LOAD in (plan.get("phases") or [])


def read_test(test):
    plan = test.plain("plan", shapes.PLAN)
    series = read_series(plan, test.file)
    phases = [read_phase(phase, series, plans_load(plan)) for phase in test.each("phases")]
    number = test.whole("test")
    names = name_phases(phases)
    kinds = [Kind(name, [p for p in phases if p.name == name]) for name in names.values() if name != LAYOUT]
    verdicts = [v for phase in phases for v in phase.verdicts]
    slow = []
    for summary in test.each("summaries", []):
        name = summary.text("phase")
        if plans_load(plan) and name != LOAD:
            continue
        name = names.get((summary.whole("phase_index", None), name), name)
        slow += [(name, one) for one in summary.plain("slow", shapes.SLOW_MEMBERS).get("members") or []]
        verdicts += read_verdicts(summary, f"{name}, all repetitions")
    return Test(number=number, api=test.text("api"), backend=test.text("backend", ""),
                test_file=test.text("test_file", ""),
                comparable=comparable(test), options=read_options(test),
                plan=plan, mount=test.plain("mount", shapes.MOUNT),
                kinds=kinds, phases=phases, verdicts=verdicts, slow=slow, study=read_study(test),
                name=test.text("name", None), set=test.plain("set", shapes.SET),
                measured_limits=test.plain("measured_limits", shapes.MEASURED_LIMITS))


def comparable(test):
    """("IOR" or "mdtest", what is comparable with it), or None."""
    for name in ("IOR", "mdtest"):
        text = test.text(f"comparable_with_{name.lower()}", None)
        if text:
            return name, text
    return None


def read_verdicts(members, where):
    found = []
    for verdict in members.each("verdicts", []):
        severity = verdict.text("severity")
        if severity not in SEVERITIES:
            raise ResultError(f"{verdict.file}: {verdict.where('severity')} is {severity!r}")
        found.append(Verdict(verdict.text("id"), severity, verdict.text("meaning"),
                             verdict.text("remedy", ""), where))
    return found


# Objects of plain numbers that a Phase has under their own name.
NUMBERS = ("tasks", "intervals", "balance", "concurrency", "task_p99", "metadata", "load")


def read_phase(phase, series, is_of_load):
    name, repetition, index = phase.text("phase"), phase.whole("repetition"), phase.whole("phase_index", None)
    if not re.fullmatch(PHASE_NAME, name):
        raise ResultError(f"{phase.file}: {phase.where('phase')} is {name!r}, which is not a name of a phase")
    if is_of_load and name != LOAD:
        name = LAYOUT
    rates, data = (phase.plain(one, shapes.PHASE[one]) for one in ("rates", "data"))
    operations = phase.inner("operations", None)
    return Phase(
        test=phase.whole("test"), name=name, repetition=repetition,
        warmup=phase.truth("warmup", False), status=phase.text("status"),
        began=phase.text("began", ""), index=index,
        queue_depth=phase.whole("queue_depth", None), series=series.get(index, {}), bytes=data.get("bytes"), total_rate=rates.get("total_bytes_per_s") or None,
        operations_rate=rates.get("total_operations_per_s") or rates.get("operations_per_s"),
        **{name: phase.plain(name, shapes.PHASE[name]) for name in NUMBERS},
        operations=read_operations(operations) if operations else {},
        timeline=read_timeline(phase), heatmap=read_heat(phase),
        counters=phase.plain("counters", shapes.COUNTERS), possible=phase.plain("possible", shapes.POSSIBLE),
        outliers=phase.plain("outliers", shapes.OUTLIERS), slow=phase.plain("slow", shapes.SLOW),
        within_run=phase.plain("within_run", shapes.PHASE["within_run"]), failure=phase.plain("failure", shapes.FAILURE),
        stop=phase.text("stop", None),
        verdicts=read_verdicts(phase, f"{name} {repetition}"), cold=phase.truth("cold", False))


def read_operations(operations):
    found = {}
    for name in operations.value:
        one = operations.inner(name, None)
        if one is None or not one.whole("count"):
            continue
        percentiles = one.inner("percentiles", None)
        values = {key: percentiles.inner(key).number("ns", None) for key in percentiles.value} \
            if percentiles else {}
        found[name] = Operation(name, one.whole("count"), one.number("mean_ns"),
                                one.whole("min_ns"), one.whole("max_ns"), values,
                                one.plain("worst", shapes.PLACE), read_histogram(one), one.whole("bytes", None))
    return found


def read_histogram(operation):
    rows = operation.array("histogram", [])
    for index, row in enumerate(rows):
        if not (isinstance(row, list) and len(row) == 2
                and all(is_kind(n, shapes.WHOLE) for n in row)):
            raise ResultError(f"{operation.file}: {operation.where('histogram')}[{index}] is not "
                              "[lower edge in ns, operations]")
    return rows


def read_timeline(phase):
    timeline = phase.inner("timeline", None)
    if timeline is None or not timeline.array("bytes", timeline.array("operations", [])):
        return None
    names = ("bytes", "operations", "p50_ns", "p99_ns", "max_ns")
    rows = [timeline.numbers(name, []) for name in names]
    if len({len(row) for row in rows if row}) > 1:
        raise ResultError(f"{timeline.file}: {timeline.place} has rows of different lengths")
    return Timeline(read_slice(timeline), *rows)


def read_slice(members):
    seconds = members.number("slice_seconds")
    if seconds < LEAST_SLICE:
        raise ResultError(f"{members.file}: {members.where('slice_seconds')} is below 1 ns")
    return float(seconds)


def read_heat(phase):
    heatmap = phase.inner("heatmap", None)
    if heatmap is None or not heatmap.array("rows", []):
        return None
    rows, values = heatmap.value["rows"], heatmap.array("bytes")
    check(rows, [shapes.HEAT_ROW], f"{heatmap.file}: {heatmap.where('rows')}")
    if len(values) != len(rows):
        raise ResultError(f"{heatmap.file}: {heatmap.where('bytes')} has {len(values)} rows, not {len(rows)}")
    width = len(values[0]) if isinstance(values[0], list) else 0
    for index, row in enumerate(values):
        if not isinstance(row, list) or len(row) != width or not are_amounts(row):
            raise ResultError(f"{heatmap.file}: {heatmap.where('bytes')}[{index}] is not {width} numbers")
    return Heat(read_slice(heatmap), rows, numpy.array(values, dtype=float)) if width else None


def are_amounts(row):
    """All are numbers from 0 on: many at once, there are a million of them in large documents."""
    return set(map(type, row)) <= {int, float} and \
        all(is_kind(value, shapes.NUMBER) for value in (min(row, default=0), sum(row)))
