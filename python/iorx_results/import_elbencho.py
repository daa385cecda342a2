"""
elbencho's CSV as a document. Rates are those of the columns [last], when the slowest
thread had ended, as iorx counts; those of [first] stand beside them.
"""

import datetime
import re

from . import imported
from .imported import MIB, Output, of_bytes, option

PROGRAM = "elbencho"
BEGIN = "ISO date,"
SETTINGS = ("label", "path type", "paths", "hosts", "threads", "dirs", "files",
            "file size", "block size", "direct IO", "random", "random aligned",
            "IO depth", "shared paths", "truncate")
PHASES = {
    "WRITE": "write",
    "READ": "read",
    "MKDIRS": "dir-create",
    "RMDIRS": "dir-remove",
    "RMFILES": "file-remove",
    "STATFILES": "file-stat",
    "STAT": "file-stat"
}
NEEDED = ("ISO date", "hosts", "threads", "operation", "time ms [last]")
MIX = "rwmix read "


def read_csv(text, path):
    output, lines = Output(path, PROGRAM), text.splitlines()
    heads = lines[0].split(",")
    for name in NEEDED:
        if name not in heads:
            output.fail(1, name, lines[0],
                        "is the header, which does not have this column")
    tests, dates = {}, []
    for number, line in enumerate(lines[1:], 2):
        # A file that grows may have the header again.
        if line.strip() and line != lines[0]:
            row = cells(output, number, heads, line)
            dates.append(date(output, number, row["ISO date"]))
            take(output, number, row, tests)
    found = [test for test in tests.values() if test["phases"]]
    if not found:
        output.fail(len(lines), "operation", "", "has no row with a rate")
    for number, test in enumerate(found):
        test["test"] = number
        for phase in test["phases"]:
            phase["test"] = number
    versions = {test.pop("version") for test in found}
    run = {
        "ended": max(dates),
        "tasks": max(test["plan"]["tasks"] for test in found),
        "nodes": max(test["plan"]["nodes"] for test in found)
    }
    version = versions.pop() if len(versions) == 1 else None
    return imported.document(output, version, "csv", 1, run, found)


def cells(output, number, heads, line):
    """{column: text}; the last column, the command, may have commas."""
    most = len(heads) - 1 if heads[-1] == "command" else -1
    parts = line.split(",", most)
    if len(parts) != len(heads):
        output.fail(number, "columns", line,
                    f"has {len(parts)} columns where the header has {len(heads)}")
    return dict(zip(heads, parts))


def date(output, number, text):
    """In UTC where the zone is known."""
    for form in ("%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S"):
        try:
            found = datetime.datetime.strptime(text, form)
            if not found.tzinfo:
                return found.isoformat()
            utc = found.astimezone(datetime.timezone.utc)
            return utc.strftime("%Y-%m-%dT%H:%M:%SZ")
        except (ValueError, OverflowError):
            pass
    return output.fail(number, "ISO date", text, "is not a date")


def take(output, number, row, tests):
    """
    Adds the phases of a row to its test, which all rows with the same settings belong
    to.
    """
    key = tuple(row.get(name, "") for name in (*SETTINGS, "version", "command"))
    test = tests.get(key) or tests.setdefault(key, make_test(output, number, row))
    plain = re.sub(r"[^a-z0-9]+", "-", row["operation"].lower()).strip("-")
    is_mixed = bool(row.get(f"{MIX}MiB/s [last]"))
    name = "write" if is_mixed else PHASES.get(row["operation"], plain)
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,40}", name):
        output.fail(number, "operation", row["operation"],
                    "is not the name of an operation")
    add_phase(output, number, row, test, name, "")
    if is_mixed:
        add_phase(output, number, row, test, "read", MIX)


def add_phase(output, number, row, test, name, part):
    def value(column, prefix=part):
        text = row.get(prefix + column, "")
        return output.number(number, prefix + column, text) if text else None

    moved, entries = value("MiB/s [last]"), value("entries/s [last]")
    if not moved and not entries:
        return
    first, last = (value(f"time ms [{which}]", "") for which in ("first", "last"))
    if moved:
        rates = {
            "total_bytes_per_s": moved * MIB,
            "operations_per_s": value("IOPS [last]") or None
        }
        early = {"total_bytes_per_s": (value("MiB/s [first]") or 0) * MIB or None}
    else:
        rates = {"total_operations_per_s": entries}
        early = {"total_operations_per_s": value("entries/s [first]")}
    kind = "IO" if moved else "Ent"
    least, mean, most = (value(f"{kind} lat us [{which}]")
                         for which in ("min", "avg", "max"))
    times = None
    if None not in (least, mean, most):
        times = {"mean_ns": mean * 1000, "min_ns": int(least * 1000),
                 "max_ns": int(most * 1000)}
    repetition = sum(one["phase"] == name for one in test["phases"])
    test["phases"].append(imported.phase(
        0, name, repetition, rates,
        intervals={"total_s": None if last is None else last / 1000},
        operations={name: times} if times else None,
        first_done={"time_s": None if first is None else first / 1000, "rates": early}))


def make_test(output, number, row):
    hosts, threads = (output.whole(number, name, row[name])
                      for name in ("hosts", "threads"))
    sizes = {
        name: output.whole(number, name, row[name]) if row.get(name) else None
        for name in ("block size", "file size")
    }
    words = imported.words_of(row.get("command", ""))
    shown = " ".join(f"{name.replace(' ', '-')}={row[name]}" for name in SETTINGS[1:]
                     if row.get(name) not in (None, ""))
    path = words[-1] if words and not words[-1].startswith("-") else None
    return {
        "name": row.get("label") or None,
        "test_file": imported.folder(path) if row.get("path type") == "dir" else path,
        "options": {
            "transfer_size": of_bytes(sizes["block size"]),
            "file_size": of_bytes(sizes["file size"]),
            "flags": option(shown or None)
        },
        "plan": {
            "tasks": max(1, hosts) * max(1, threads),
            "nodes": max(1, hosts)
        },
        "phases": [],
        "version": row.get("version") or None
    }
