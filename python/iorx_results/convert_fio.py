"""Results as fio's JSON, for programs that read it: a job for each complete repetition of a data phase or a load."""

import datetime
import json
import math
from statistics import stdev as std

from . import VERSION, convert_vdbench, statistics
from .command import Usage
from .model import LAYOUT

FIO = "fio-3.33"  # the version whose members these are
DIRECTIONS = ("read", "write", "trim")
SHARES = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999)
DEPTHS = (1, 2, 4, 8, 16, 32, 64)
SAMPLE_SECONDS = 0.5
NS = (2, 4, 10, 20, 50, 100, 250, 500, 750, 1000)
MS = (*NS, 2000)


def text(runs):
    """The document of all these runs."""
    groups = {}
    jobs = [job(test, phase, groups.setdefault(group_of(run, test), len(groups)))
            for run in runs for test in run.tests for phase in test.phases
            if phase.name != LAYOUT and phase.counts and directions(phase)]
    if not jobs:
        raise Usage("no result has a complete phase that reads or writes, and fio's JSON has no others")
    began = datetime.datetime.fromisoformat(jobs[0].pop("began"))
    for other in jobs[1:]:
        other.pop("began")
    document = {"fio version": f"{FIO} (written by iorx-convert {VERSION})", "timestamp": int(began.timestamp()),
                "timestamp_ms": int(began.timestamp() * 1000), "time": began.strftime("%a %b %d %H:%M:%S %Y"),
                "global options": {}, "jobs": jobs, "disk_util": []}
    return json.dumps(document, indent=2) + "\n"


def directions(phase):
    """{"read": its operation, …} of a phase that moves data."""
    if phase.load:
        return {name: phase.operations[name] for name in DIRECTIONS if name in phase.operations}
    if phase.total_rate is None or phase.main is None:
        return {}
    return {"write" if phase.name == "write" else "read": phase.main}


def group_of(run, test):
    """Tests of a set run at the same time, as fio's sections of a group."""
    return (id(run), "set", test.set["number"]) if test.set else (id(run), "test", test.number)


def job(test, phase, group):
    found, seconds = directions(phase), phase.rated_seconds or 0
    tasks = phase.working_tasks or 1
    queue = dict(map(tuple, ((phase.load or {}).get("queue") or {}).get("depths") or []))
    levels = shares_of(queue or {phase.queue_depth or 1: 1}, DEPTHS)
    times = statistics.merge_histograms(operation.histogram for operation in found.values())
    return {
        "began": phase.began[:26] + "+00:00" if phase.began else "1970-01-01T00:00:00+00:00",
        "jobname": str(test.option("name") or f"test{test.number}"), "groupid": group, "error": 0, "eta": 0,
        "elapsed": round(seconds), "job options": options(test, phase, tasks),
        **{name: direction(phase, found.get(name), seconds) for name in DIRECTIONS},
        "sync": sync(phase.operations.get("sync")),
        "job_runtime": round(seconds * 1000 * tasks), **processor(phase, tasks), "majf": None, "minf": None,
        "iodepth_level": levels, "latency_ns": below(times, NS, 1), "latency_us": below(times, NS, 1000),
        "latency_ms": below(times, MS, 1000000), "latency_depth": phase.queue_depth or 1, "latency_target": 0,
        "latency_percentile": 100.0, "latency_window": 0,
    }


def processor(phase, tasks):
    """Use of the processor by the tasks, in percent of their time, and their context switches; None where it is not known."""
    kernel, seconds = phase.kernel or {}, (phase.intervals.get("total_s") or 0) * tasks
    used = {name: kernel.get(f"{key}_ns") for name, key in (("usr_cpu", "user"), ("sys_cpu", "system"))}
    switches = [kernel.get(f"{kind}_context_switches") for kind in ("voluntary", "involuntary")]
    return {**{name: None if ns is None or not seconds else ns / 1e7 / seconds for name, ns in used.items()},
            "ctx": None if None in switches else sum(switches)}


def options(test, phase, tasks):
    """The settings of the test under fio's names, as strings."""
    moves = "rw" if len(directions(phase)) > 1 else next(iter(directions(phase)))
    random = test.option("random", 0) if phase.load else test.option("random_offset", 0)
    made = {"name": test.option("name") or f"test{test.number}", "ioengine": ENGINES.get(test.api.lower(), test.api.lower()),
            "rw": ("rand" if random else "") + moves, "bs": sizes(test, phase), "iodepth": phase.queue_depth or 1,
            "numjobs": tasks, "direct": int(bool(test.option(f"{test.api.lower()}.direct", False))),
            "filename": test.test_file}
    duration = test.option("duration", 0)
    if duration:
        made["runtime"] = f"{duration:g}"
    if moves == "rw":
        made["rwmixread"] = round(100 * ((phase.load.get("asked_shares") or {}).get("read") or 0))
    return {name: str(value) for name, value in made.items()}


ENGINES = {"posix": "psync", "uring": "io_uring"}


def sizes(test, phase):
    return convert_vdbench.sizes(test) if phase.load else test.option("transfer_size", 0)


def rates(phase, operation, seconds):
    """(bytes/s, operations/s) in one direction, zeros where nothing moved."""
    if not operation or not seconds:
        return 0, 0.0
    return ((operation.rated_bytes if phase.load else phase.bytes) or 0) / seconds, operation.rated / seconds


def direction(phase, operation, seconds):
    count = operation.count if operation else 0
    moved = (operation.bytes if phase.load else phase.bytes) if operation else 0
    moved = moved or 0
    rate, iops = rates(phase, operation, seconds)
    return {"io_bytes": moved, "io_kbytes": moved // 1024, "bw_bytes": round(rate), "bw": round(rate / 1024),
            "iops": iops, "runtime": round(seconds * 1000) if operation else 0,
            "total_ios": count, "short_ios": None if operation else 0, "drop_ios": 0,
            "slat_ns": dict.fromkeys(spread(None)) if operation else spread(None),
            "clat_ns": {**spread(operation), **percentiles(operation), **bins(operation)}, "lat_ns": spread(operation),
            **sampled("bw", "dev", [moved / 1024 for _, moved in samples(phase)], rate / 1024, operation), "bw_agg": None,
            **sampled("iops", "stddev", [done for done, _ in samples(phase)], iops, operation)}


def samples(phase):
    """[(operations/s, bytes/s)] of each whole half second, as fio takes them; of a phase that only reads or only writes."""
    line = phase.timeline
    if line is None or len(directions(phase)) != 1:
        return []
    slices = list(zip(line.operations, line.bytes))
    busy = [i for i, (done, _) in enumerate(slices) if done]
    slices = slices[busy[0]:busy[-1] + 1] if busy else []  # a load counts nothing outside its window
    joined = max(1, math.ceil(SAMPLE_SECONDS / line.slice_seconds))
    return [[sum(column) / joined / line.slice_seconds for column in zip(*slices[i:i + joined])]
            for i in range(0, len(slices) - joined + 1, joined)]


def sampled(name, deviation, values, mean, operation):
    """Members of samples, which are null where there is none; a direction that moved nothing has zeros."""
    known = values if operation else [0]
    least, most = (round(pick(known)) if known else None for pick in (min, max))
    return {f"{name}_min": least, f"{name}_max": most, f"{name}_mean": mean,
            f"{name}_{deviation}": std(known) if len(known) > 1 else None if operation else 0.0,
            f"{name}_samples": len(values) if operation else 0}


def sync(operation):
    """Calls of fsync, which fio counts apart."""
    return {"total_ios": operation.count if operation else 0, "lat_ns": {**spread(operation), **percentiles(operation)}}


def bins(operation):
    """The histogram, as in json+ of fio; its script fio_jsonplus_clat2csv reads it."""
    return {"bins": {str(ns): count for ns, count in operation.histogram}} if operation else {}


def spread(operation):
    if operation is None:
        return {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0}
    return {"min": operation.min_ns, "max": operation.max_ns, "mean": operation.mean_ns,
            "stddev": convert_vdbench.deviation(operation), "N": operation.count}


def percentiles(operation):
    """Those that enough operations support; fio prints all, and repeats the maximum."""
    if operation is None:
        return {}
    found = {f"{100 * share:.6f}": statistics.percentile(operation.histogram, share, operation.min_ns, operation.max_ns)
             for share in SHARES}
    return {"percentile": {name: round(value) for name, value in found.items() if value is not None}}


def shares_of(counts, steps):
    """Percent of operations at each queue depth, up to the next step."""
    total, made = sum(counts.values()), {}
    for i, step in enumerate(steps):
        last = i + 1 == len(steps)
        inside = sum(n for depth, n in counts.items() if depth >= step and (last or depth < steps[i + 1]))
        made[f">={step}" if last else str(step)] = 100 * inside / total
    return made


def below(histogram, edges, unit):
    """Percent of operations that took less than each edge and no less than the one before it; of 1 us, or 1 ms, on."""
    total = sum(count for _, count in histogram)
    made, start = {}, 0 if unit == 1 else unit
    for edge in edges:
        inside = sum(count for ns, count in histogram if start <= ns < edge * unit)
        made[str(edge)] = 100 * inside / total if total else 0.0
        start = edge * unit
    if edges is MS:
        made[">=2000"] = 100 * sum(count for ns, count in histogram if ns >= start) / total if total else 0.0
    return made
