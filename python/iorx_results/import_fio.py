"""
fio's JSON as a document, of fio 2 (KiB and us) and 3 (bytes and ns). The clones of a
section are one test.
"""

import datetime
import shlex

from . import imported
from .imported import Output, option, phase
from .members import Members, ResultError
from .statistics import needed_operations

PROGRAM = "fio"
DIRECTIONS = ("write", "read", "trim")
PERCENTILES = {
    "50.000000": ("p50", .5),
    "90.000000": ("p90", .9),
    "99.000000": ("p99", .99),
    "99.900000": ("p99.9", .999),
    "99.990000": ("p99.99", .9999)
}
# Of options that name files or how fio reports, as these tell no two tests apart.
SILENT = ("name", "filename", "directory", "filename_format", "group_reporting",
          "output", "output-format", "write_bw_log", "write_lat_log", "write_iops_log",
          "eta-newline", "status-interval")


def read_json(value, path):
    top = Members(value, path)
    if "client_stats" in value:
        raise ResultError(
            f"{path}: client_stats: results of fio's clients are not read; give the "
            "JSON that each server's fio writes alone"
        )
    shared = top.inner("global options", None)
    jobs = top.each("jobs")
    if not jobs:
        raise ResultError(f"{path}: jobs is empty; give the JSON of a run that ended")
    groups = {}
    for job in jobs:
        groups.setdefault((job.whole("groupid", 0), job.text("jobname")),
                          []).append(job)
    together = [group for group, _ in groups]
    tests, each = [], {}
    for (group, name), clones in groups.items():
        made = make_test(len(tests), name, clones, shared.value if shared else {})
        if made["phases"]:
            made["set"] = {"number": group + 1} if together.count(group) > 1 else None
            each[group] = each.get(group, 0) + made["plan"]["tasks"]
            tests.append(made)
    if not tests:
        raise ResultError(
            f"{path}: jobs: no job moved data; give the JSON of a run that ended")
    seconds = top.number("timestamp", None)
    run = {"ended": seconds and moment(path, seconds), "tasks": max(each.values())}
    version = top.text("fio version", "").removeprefix("fio-") or None
    return imported.document(Output(path, PROGRAM), version, "json", 1, run, tests)


def moment(path, seconds):
    try:
        return datetime.datetime.fromtimestamp(
            seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        raise ResultError(
            f"{path}: timestamp is {seconds}, which is no moment; give the JSON as fio "
            "wrote it"
        ) from None


def make_test(number, name, clones, shared):
    given = clones[0].inner("job options", None)
    options = {
        str(key): str(value)
        for key, value in {
            **shared,
            **(given.value if given else {})
        }.items()
    }
    failed = next((job.whole("error", 0) for job in clones if job.whole("error", 0)), 0)
    phases = [
        made for direction in DIRECTIONS
        for made in [make_phase(number, direction, clones, failed)] if made
    ]
    numjobs = options.get("numjobs", "1")
    tasks = max(len(clones),
                int(numjobs) if numjobs.isdecimal() and len(numjobs) < 8 else 1)
    flags = " ".join(f"{key}={shlex.quote(value)}" if value else key
                     for key, value in sorted(options.items()) if key not in SILENT)
    return {
        "test": number,
        "name": name,
        "api": options.get("ioengine"),
        "test_file": options.get("filename")
        or imported.folder(options.get("directory")),
        "options": {
            "flags": option(flags or None)
        },
        "plan": {
            "tasks": tasks,
            "nodes": 1
        },
        "phases": phases
    }


def make_phase(number, direction, clones, failed):
    """What all clones moved in one direction; None where they moved nothing."""
    parts = [
        part for part in (job.inner(direction, None) for job in clones)
        if part and part.number("io_bytes", 0)
    ]
    if not parts:
        return None
    # fio 2 counts them in KiB, and had no io_kbytes.
    moved = [
        part.number("io_bytes") * (1 if "io_kbytes" in part.value else 1024)
        for part in parts
    ]
    seconds = max(part.number("runtime") for part in parts) / 1000
    if len(parts) == 1:
        rate, operations = parts[0].number("bw_bytes", parts[0].number("bw") *
                                           1024), parts[0].number("iops", None)
    else:  # all that was moved, in the time of the slowest, as fio adds up a group
        rate = sum(moved) / seconds if seconds else 0
        counts = [part.number("total_ios", None) for part in parts]
        operations = sum(counts) / seconds if seconds and None not in counts else None
    if not rate:
        raise ResultError(
            f"{parts[0].file}: {parts[0].where('bw')} is 0, which is no rate; give the "
            "JSON of a longer run"
        )
    made = phase(number,
                 direction,
                 0, {
                     "total_bytes_per_s": rate,
                     "operations_per_s": operations
                 },
                 data={"bytes": int(sum(moved))},
                 intervals={"total_s": seconds},
                 operations={direction: times(parts)})
    if failed:
        made.update(status="failed", failure={"text": f"fio ended with error {failed}"})
    return made


def times(parts):
    """
    The times of all operations of the parts: those of one job with its percentiles;
    None where fio has none.
    """
    found = [times_of(part) for part in parts]
    if len(found) == 1 or None in found:
        return found[0]
    names, counts = {one["is"] for one in found}, [one["count"] for one in found]
    if len(names) > 1 or not all(counts):
        return None
    return {
        "is": names.pop(),
        "count": sum(counts),
        "mean_ns": sum(one["mean_ns"] * one["count"] for one in found) / sum(counts),
        "min_ns": min(one["min_ns"] for one in found),
        "max_ns": max(one["max_ns"] for one in found)
    }


def times_of(part):
    """
    lat is from the issue of an operation to its completion, clat from when it was
    submitted. lat is taken, unless clat alone has percentiles, as by default; `is` says
    which.
    """
    for unit, factor in (("_ns", 1), ("", 1000)):
        spreads = [(name, part.inner(name + unit, None)) for name in ("lat", "clat")]
        known = [(name, one) for name, one in spreads if one and one.number("mean", 0)]
        if known:
            name, one = next(
                ((name, one) for name, one in known if "percentile" in one.value),
                known[0])
            count = int(one.number("N", part.number("total_ios", 0))) or None
            return {
                "is": name,
                "count": count,
                "mean_ns": one.number("mean") * factor,
                "min_ns": int(one.number("min") * factor),
                "max_ns": int(one.number("max") * factor),
                "percentiles": percentiles(one.inner("percentile", None), count, factor)
            }
    return None


def percentiles(found, count, factor):
    """Those that enough operations support."""
    return {
        name: {
            "ns": found.number(key) * factor
        }
        for key, (name, share) in PERCENTILES.items()
        if found and key in found.value and (count or 0) >= needed_operations(share)
    }
