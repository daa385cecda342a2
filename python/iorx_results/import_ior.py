"""
IOR's output as a document: its text, of IOR 3 and 4, and its JSON. Each row of results
is a repetition.
"""

import json
import os
import re

from . import imported
from .imported import MIB, Output, of_bytes, option
from .members import Members, ResultError

PROGRAM = "IOR"
BEGIN = re.compile(r"\s*IOR-(\S+): MPI Coordinated Test of Parallel I/O")
SETTING = re.compile(r"\s*([A-Za-z][A-Za-z ]*?)\s*[:=]\s*(.*?)\s*$")
STARTED = re.compile(r"\s*Test (\d+) started\s*:")
TASK = re.compile(r"\s*task \d+ on (\S+)\s*$")
STEPS = {
    "open(s)": "open_s",
    "wr/rd(s)": "transfer_s",
    "close(s)": "close_s",
    "total(s)": "total_s"
}
ACCESSES = ("write", "read")
PATHS = ("-o", "-O")


class Text:
    """Takes the lines of one output, one after the other."""
    def __init__(self, path, first):
        self.output, self.first, self.line = Output(path, PROGRAM), first, first
        self.version, self.run, self.hosts, self.tests = "", {}, [], []
        self.columns, self.in_summary, self.is_finished = None, False, False

    def take(self, number, line):
        self.line, words = number, line.split()
        if BEGIN.match(line):
            self.version = BEGIN.match(line)[1]
        elif "bw(MiB/s)" in words:
            self.columns, self.in_summary = words, False
        elif words[:1] == ["Operation"] and len(words) > 10:
            self.columns, self.in_summary = words, True
        elif self.columns and words and words[0] in ACCESSES and self.tests:
            (self.take_summary if self.in_summary else self.take_row)(words)
        elif STARTED.match(line):
            self.tests.append({"settings": {}, "rows": [], "summary": {}})
        elif TASK.match(line):
            self.hosts.append(TASK.match(line)[1])
        elif SETTING.match(line):
            self.take_setting(*SETTING.match(line).groups())

    def take_setting(self, key, value):
        if key == "TestID":
            self.tests.append({"settings": {}, "rows": [], "summary": {}})
        elif key == "Began":
            self.run["began"] = self.output.date(self.line, key, value)
        elif key in ("Command line", "Command line used"):
            self.run["command_line"] = imported.words_of(value)
        elif key == "Machine" and len(value.split()) > 1:
            self.hosts.append(value.split()[1])
        elif key == "Finished":
            self.is_finished = True
        elif self.tests:
            self.tests[-1]["settings"].setdefault(key, value)

    def cells(self, words):
        if len(words) != len(self.columns):
            self.output.fail(
                self.line, words[0], " ".join(words),
                f"has {len(words)} columns where the header has {len(self.columns)}")
        return dict(zip(self.columns, words))

    def take_row(self, words):
        cells = self.cells(words)
        rate = self.output.rate(self.line, "bw(MiB/s)", cells["bw(MiB/s)"]) * MIB
        steps = {
            name: self.output.number(self.line, column, cells[column])
            for column, name in STEPS.items()
            if cells.get(column, "-") not in ("-", "NA")
        }
        repetition = self.output.whole(self.line, "iter", cells.get("iter", "0"))
        self.tests[-1]["rows"].append((words[0], rate, steps, repetition))

    def take_summary(self, words):
        cells = self.cells(words)
        number = self.output.whole(self.line, "Test#", cells.get("Test#", "0"))
        if number >= len(self.tests):
            self.output.fail(self.line, "Test#", number, "is of no test above")
        test = self.tests[number]
        rows = [row for row in test["rows"] if row[0] == words[0]]
        wanted = self.output.whole(self.line, "reps", cells.get("reps", "0"))
        if len(rows) != wanted:
            self.output.fail(
                self.line, "reps", wanted,
                f"is not the number of rows of {words[0]} above, which is {len(rows)}")
        test["summary"] = {
            name: self.output.whole(self.line, name, cells[name])
            for name in ("#Tasks", "tPN", "segcnt", "blksiz", "xsize", "fPP")
            if name in cells
        }

    def document(self):
        if not self.is_finished:
            self.output.fail(self.line, "Finished", "", "does not end the output")
        if not any(test["rows"] for test in self.tests):
            self.output.fail(self.first, "Results", "", "has no row of write or read")
        self.run["hosts"] = list(dict.fromkeys(self.hosts)) or None
        flags = imported.flags(self.run.get("command_line") or [""], PATHS) or None
        tests = [
            make_test(number, facts(one), one["rows"], flags)
            for number, one in enumerate(self.tests) if one["rows"]
        ]
        self.run.update({name: most(tests, name) for name in ("tasks", "nodes")})
        return imported.document(self.output, self.version, "text", self.first,
                                 self.run, tests)


def most(tests, name):
    return max((test["plan"][name] for test in tests if test["plan"].get(name)),
               default=None)


def whole(text):
    found = re.match(r"\d{1,9}", str(text or ""))
    return int(found[0]) if found else None


def facts(test):
    """What text says of a test; the summary has the exact sizes."""
    settings, summary = test["settings"], test["summary"]
    clients = re.match(r"(\d+) \((\d+) per node\)", settings.get("clients", ""))
    tasks = (summary.get("#Tasks") or whole(settings.get("tasks"))
             or (clients and int(clients[1])))
    each = (summary.get("tPN") or whole(settings.get("clients per node"))
            or (clients and int(clients[2])))
    name, path = settings.get("test filename"), settings.get("Path", "")
    if name and path.startswith("/"):
        # Of a name without a folder IOR 3 says the folder apart.
        name = os.path.join(path, name)
    nodes = whole(settings.get("nodes"))
    if not nodes and tasks and each and tasks % each == 0:
        nodes = tasks // each
    return {
        "api": settings.get("api"),
        "test_file": name,
        "tasks": tasks or None,
        "nodes": nodes,
        "segments": summary.get("segcnt") or whole(settings.get("segments")),
        "block": summary.get("blksiz") or imported.size(settings.get("blocksize", "")),
        "transfer": summary.get("xsize") or imported.size(settings.get("xfersize", "")),
        "own_files": {
            "file-per-process": True,
            "single-shared-file": False
        }.get(settings.get("access"))
    }


def make_test(number, found, rows, flags):
    """The test of a document. A row is (access, bytes/s, steps, repetition)."""
    names = ("block", "transfer", "segments", "own_files")
    block, transfer, segments, own = (found[name] for name in names)
    each = None
    if segments and block and transfer and block % transfer == 0:
        each = segments * (block // transfer)
    phases = [
        imported.phase(number,
                       access,
                       repetition, {"total_bytes_per_s": rate},
                       intervals=steps) for access, rate, steps, repetition in rows
    ]
    return {
        "test": number,
        "api": found["api"],
        "test_file": found["test_file"],
        "options": {
            "transfer_size": of_bytes(transfer),
            "block_size": of_bytes(block),
            "segment_count": option(segments),
            "file_per_proc": option(own),
            "flags": option(flags)
        },
        "plan": {
            "tasks": found["tasks"],
            "nodes": found["nodes"],
            "shared_file": None if own is None else not own,
            "transfers_per_task": each
        },
        "phases": phases
    }


KEYS = {
    "openTime": "open_s",
    "wrRdTime": "transfer_s",
    "closeTime": "close_s",
    "totalTime": "total_s"
}


def read_json(value, path):
    """
    The document of IOR's JSON; like iorx, IOR writes the rows of all repetitions of a
    test one after the other.
    """
    top, output = Members(value, path), Output(path, PROGRAM)
    if "Finished" not in value and "finished" not in value:
        raise ResultError(
            f"{path}: Finished is missing, so that IOR did not end; give the JSON of a "
            "whole run"
        )
    command, machine = top.text("Command line", ""), top.text("Machine", "").split()
    flags = imported.flags(imported.words_of(command), PATHS) or None
    tests = [
        read_test(number, test, flags) for number, test in enumerate(top.each("tests"))
    ]
    began = top.text("Began", None)
    run = {
        "began": began and output.date(1, "Began", began),
        "command_line": imported.words_of(command) or None,
        "hosts": machine[1:2] or None,
        "tasks": most(tests, "tasks"),
        "nodes": most(tests, "nodes")
    }
    if not tests:
        raise ResultError(
            f"{path}: tests is empty; give the JSON of a run with results")
    return imported.document(output, top.text("Version", None), "json", 1, run, tests)


def read_test(number, test, flags):
    given, options = (test.inner(name, Members({}, test.file, test.where(name)))
                      for name in ("Parameters", "Options"))
    rows, seen = [], {}
    for row in results_of(test if "Results" in test.value else options):
        access = row.text("access")
        if access in ACCESSES:
            seen[access] = seen.get(access, -1) + 1
            rate = row.number("bwMiB")
            if not rate:
                raise ResultError(
                    f"{row.file}: {row.where('bwMiB')} is {json.dumps(rate)}, which is "
                    "no rate; give the JSON of a whole run"
                )
            steps = {name: row.number(key, None) for key, name in KEYS.items()}
            rows.append((access, rate * MIB, steps, row.whole("iter", seen[access])))
    if not rows:
        raise ResultError(
            f"{test.file}: {test.where('Results')} has no row of write or read; give "
            "the JSON of a whole run"
        )
    own = given.value.get("filePerProc")
    return make_test(
        number, {
            "api": given.text("api", options.text("api", None)),
            "test_file": given.text("testFileName", options.text("test filename",
                                                                 None)),
            "tasks": options.whole("tasks", given.whole("numTasks", None)),
            "nodes": options.whole("nodes", given.whole("nodes", None)),
            "segments": given.whole("segmentCount", None),
            "block": given.whole("blockSize", None),
            "transfer": given.whole("transferSize", None),
            "own_files": None if own is None else bool(own)
        }, rows, flags)


def results_of(owner):
    """The rows of results, which may stand in an array for each repetition."""
    place, found = owner.where("Results"), []
    for index, row in enumerate(owner.array("Results")):
        inner = [(row, "")] if not isinstance(row, list) else [
            (one, f"[{number}]") for number, one in enumerate(row)
        ]
        found += [
            Members(one, owner.file, f"{place}[{index}]{where}") for one, where in inner
        ]
    return found
