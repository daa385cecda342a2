"""
Reads a parsed result document into the model, checking each member. A member that is missing or of a wrong kind raises
ResultError, which names the file and the member; optional members become None or empty.
"""

import re

import numpy

from . import shapes
from .members import Members, ResultError, check, is_kind
from .model import LAYOUT, LOAD, SEVERITIES, Heat, Kind, Operation, Phase, Run, Test, Timeline, Verdict, plans_load

SCHEMA = "iorx-result"
MAJOR = 2
LEAST_SLICE = 1e-9  # s
PHASE_NAME = "[a-z][a-z0-9_-]{0,40}"
OPTION_NAME = r"([a-z][a-z0-9_]*\.)?[a-z][a-z0-9_]*"
OPTION_OF_TEST = rf"(.{{1,200}}\.)?{OPTION_NAME}"  # of another test of a set, with its name


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
               sessions=[session.text("began") for session in top.each("sessions", [])],
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


MOST_LEAD = 4  # slices before the begin of a phase
# Objects of plain numbers that a Phase has under their own name.
NUMBERS = ("tasks", "intervals", "balance", "concurrency", "task_p99", "metadata", "load", "kernel")


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
        stamps=phase.plain("stamps", shapes.STAMPS), counters=phase.plain("counters", shapes.COUNTERS), possible=phase.plain("possible", shapes.POSSIBLE),
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
        count, moved = one.whole("count"), one.whole("bytes", None)
        found[name] = Operation(name, count, one.number("mean_ns"),
                                one.whole("min_ns"), one.whole("max_ns"), values,
                                one.plain("worst", shapes.PLACE), read_histogram(one), moved,
                                one.whole("rated", count), one.whole("rated_bytes", moved))
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
    names = ("bytes", "operations", "due", "p50_ns", "p99_ns", "max_ns")
    rows = [timeline.numbers(name, []) for name in names]
    if len({len(row) for row in rows if row}) > 1:
        raise ResultError(f"{timeline.file}: {timeline.place} has rows of different lengths")
    width, lead = read_slice(timeline), timeline.number("lead_s", 0)
    if lead > MOST_LEAD * width:
        raise ResultError(f"{timeline.file}: {timeline.where('lead_s')} is above {MOST_LEAD} slices")
    return Timeline(width, lead, *rows)


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
