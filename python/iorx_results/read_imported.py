"""
Reads a document that iorx-import made into the model. Nothing of it but its rates must
be there.
"""

import re

from . import reader, shapes
from .imported import SCHEMA
from .members import Members, ResultError
from .model import Kind, Operation, Phase, Run, Test

MAJOR = 1


def is_imported(document):
    schema = document.get("schema") if isinstance(document, dict) else None
    return isinstance(schema, dict) and schema.get("name") == SCHEMA


def read_run(document, file):
    top = Members(document, file)
    version = top.inner("schema").text("version")
    if version.split(".")[0] != str(MAJOR):
        raise ResultError(
            f"{file}: schema.version is {version}, these programs read {MAJOR}.x of "
            f"{SCHEMA}; import the output again"
        )
    run, source = top.inner("run"), top.inner("source")
    return Run(
        file=file,
        document=document,
        status=top.text("status"),
        exit_code=None,
        version=source.text("version", ""),
        began=run.text("began", run.text("ended", "")),
        command_line=reader.texts(run, "command_line"),
        iorx_options=None,
        job_file=None,
        job_text=None,
        tasks=run.whole("tasks", None),
        nodes=run.whole("nodes", None),
        hosts=reader.texts(run, "hosts"),
        options={},
        environment={},
        node_environments={},
        tests=[read_test(test) for test in top.each("tests")],
        errors=[],
        curves=[],
        slowdowns=[],
        sessions=[],
        imported=f"{source.text('program')} {source.text('version', '')}".strip())


def read_test(test):
    phases = [read_phase(phase) for phase in test.each("phases")]
    names = dict.fromkeys(phase.name for phase in phases)
    return Test(number=test.whole("test"),
                api=test.text("api", ""),
                backend="",
                test_file=test.text("test_file", ""),
                comparable=None,
                options=reader.read_options(test),
                plan=test.plain("plan", shapes.PLAN),
                mount={},
                kinds=[
                    Kind(name, [one for one in phases if one.name == name])
                    for name in names
                ],
                phases=phases,
                verdicts=[],
                slow=[],
                study={},
                is_judged=False,
                name=test.text("name", None),
                set=test.plain("set", shapes.SET))


def read_phase(phase):
    name = phase.text("phase")
    if not re.fullmatch(reader.PHASE_NAME, name):
        raise ResultError(
            f"{phase.file}: {phase.where('phase')} is {name!r}, which is not a name of "
            "a phase"
        )
    rates, data = phase.inner("rates"), phase.inner("data", None)
    operations = phase.inner("operations", None)
    return Phase(test=phase.whole("test"),
                 name=name,
                 repetition=phase.whole("repetition"),
                 warmup=False,
                 status=phase.text("status"),
                 began="",
                 bytes=data.number("bytes", None) if data else None,
                 total_rate=rates.number("total_bytes_per_s", None) or None,
                 operations_rate=rates.number("total_operations_per_s",
                                              rates.number("operations_per_s", None)),
                 intervals=phase.plain("intervals", shapes.PHASE["intervals"]),
                 operations=read_operations(operations) if operations else {},
                 failure=phase.plain("failure", shapes.FAILURE),
                 mean_of=phase.whole("mean_of", 1))


def read_operations(operations):
    """Without a histogram, and some without a count."""
    found = {}
    for name in operations.value:
        one = operations.inner(name)
        percentiles = one.inner("percentiles", None)
        values = {
            key: percentiles.inner(key).number("ns", None)
            for key in percentiles.value
        } if percentiles else {}
        count = one.whole("count", None)
        found[name] = Operation(name,
                                count,
                                one.number("mean_ns"),
                                one.whole("min_ns"),
                                one.whole("max_ns"),
                                values, {}, [],
                                rated=count)
    return found
