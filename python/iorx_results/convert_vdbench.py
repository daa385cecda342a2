"""Results of loads as a flat file of Vdbench: a header of column names, and a row for each repetition."""

import csv
import math
import re
from datetime import datetime, timezone

from . import statistics
from .command import Usage
from .model import LAYOUT

MISSING = "n/a"
MAX_RATE = 999988  # as Vdbench has it for iorate=max
GIB = 1 << 30
MIB = 1 << 20
NS_PER_MS = 1e6
MOST_EPOCH = 1e11  # seconds

# Name, and what stands there, which the head of the file says.
COLUMNS = {
    "tod": "time of day at which the repetition began, UTC",
    "timestamp": "the same with the date",
    "Run": "name of the test",
    "Interval": "number of the interval, or avg_m-n: the average over the measured ones, after the warm-up",
    "reqrate": "requested operations per second; 999988: as many as possible",
    "rate": "operations per second",
    "MB/sec": "megabytes per second (MB=1024*1024)",
    "bytes/io": "mean size of the transfers",
    "read%": "reads among the transfers in percent",
    "resp": "mean service time in ms",
    "read_resp": "mean service time of reads in ms",
    "write_resp": "mean service time of writes in ms",
    "resp_max": "largest service time in ms",
    "read_max": "largest service time of reads in ms",
    "write_max": "largest service time of writes in ms",
    "resp_std": "standard deviation of the service times in ms",
    "read_std": "the same of reads",
    "write_std": "the same of writes",
    "xfersize": "mean of the requested sizes in bytes",
    "threads": "transfers in flight of a task",
    "rdpct": "requested share of reads in percent",
    "rhpct": "requested read hits: n/a",
    "whpct": "requested write hits: n/a",
    "seekpct": "requested share of random places in percent",
    "lunsize": "size of all files (GB=1024*1024*1024)",
    "version": "of iorx",
    "compratio": "requested compression ratio",
    "dedupratio": "requested copies of each block",
    "queue_depth": "mean number of transfers in flight of all tasks",
}


def text(runs):
    """The flat file of all loads of these runs."""
    rows = []
    for run in runs:
        intervals = read_intervals(run)
        for test, phase in loads(run):
            rows += [interval_row(run, test, phase, one) for one in intervals.get((test.number, phase.repetition), [])
                     if not is_rest(test, one)]
            rows.append(row(run, test, phase))
    if not rows:
        raise Usage("no result has a complete load, and flat files of Vdbench have no other tests")
    table = [list(COLUMNS), *rows]
    widths = [max(len(line[column]) for line in table) for column in range(len(COLUMNS))]
    head = ["* Written by iorx-convert. Service times stand where Vdbench has its response times, which count from the "
            "start of the request too.", "*"]
    head += [f"* {name:<16}: {meaning}" for name, meaning in COLUMNS.items()]
    body = [" ".join(cell.rjust(width) for cell, width in zip(line, widths)).rstrip() for line in table]
    return "\n".join([*head, "*", *body]) + "\n"


def loads(run):
    """[(test, phase)] of the repetitions that count."""
    return [(test, phase) for test in run.tests if test.is_load
            for phase in test.phases if phase.name != LAYOUT and phase.counts]


def row(run, test, phase):
    """The cells of a repetition, in the order of COLUMNS."""
    load = phase.load
    cells = {
        **moment(phase.began[:23]),
        **asked(run, test, phase),
        "Interval": interval(test, phase),
        "rate": decimal(phase.rate, 4),
        "MB/sec": decimal(scaled(load.get("bytes_per_s"), MIB), 4),
        "bytes/io": decimal(load["bytes"] / load["operations"] if load.get("operations") else None, 0),
        "read%": percent((load.get("achieved_shares") or {}).get("read")),
        **times(phase),
        "queue_depth": decimal((phase.concurrency or {}).get("in_flight"), 4),
    }
    return [cells.get(name, MISSING) for name in COLUMNS]


def interval_row(run, test, phase, one):
    """The cells of one row of the table of intervals."""
    done = {kind: whole(one.get(f"{kind}_operations")) for kind in ("read", "write", "metadata")}
    moved = sum(whole(one.get(f"{kind}_bytes")) for kind in done)
    means = {kind: number(one.get(f"{kind}_service_mean_ns")) or 0 for kind in done}
    total, seconds = sum(done.values()), number(one.get("seconds"))
    cells = {
        **moment(datetime.fromtimestamp(min(max(number(one.get("began_epoch_s")) or 0, 0), MOST_EPOCH), timezone.utc).isoformat(timespec="milliseconds")),
        **asked(run, test, phase),
        "Interval": str(whole(one.get("interval"))),
        "rate": decimal(number(one.get("operations_per_s")), 4),
        "MB/sec": decimal(moved / MIB / seconds if seconds else None, 4),
        "bytes/io": decimal(moved / total if total else None, 0),
        "read%": percent(done["read"] / total if total else None),
        "resp": milliseconds(sum(means[kind] * done[kind] for kind in done) / total if total else 0),
        "read_resp": milliseconds(means["read"]),
        "write_resp": milliseconds(means["write"]),
    }
    return [cells.get(name, MISSING) for name in COLUMNS]


def is_rest(test, one):
    """True for what a load did behind its last interval; Vdbench has whole ones only."""
    return (number(one.get("seconds")) or 0) < (test.option("interval") or 0) / 2


def read_intervals(run):
    """{(test, repetition): rows} of the table beside the document; none where there is no table."""
    found = {}
    try:
        with open(re.sub(r"\.jsonl?$", "", run.file) + ".intervals.csv", encoding="utf-8", newline="") as file:
            for one in csv.DictReader(file):
                found.setdefault((whole(one.get("test")), whole(one.get("repetition"))), []).append(one)
    except FileNotFoundError:
        pass
    return found


def moment(text):
    """2026-11-23T09:11:02.288 as the first two columns."""
    match = re.match(r"(\d+)-(\d+)-(\d+)T(\d\d:\d\d:\d\d\.\d{3})", text)
    if not match:
        return {}
    year, month, day, time = match.groups()
    return {"tod": time, "timestamp": f"{month}/{day}/{year}-{time}-UTC"}


def asked(run, test, phase):
    """What the job asked for, which is the same in each row of a repetition."""
    return {
        "Run": re.sub(r"\s+", "_", str(test.option("name") or f"test{test.number}")),
        "reqrate": decimal(phase.ordered_rate or MAX_RATE, 2),
        "xfersize": decimal(mean_size(phase), 0),
        "threads": decimal(phase.queue_depth or 1, 0),
        "rdpct": percent((phase.load.get("asked_shares") or {}).get("read")),
        "seekpct": percent(test.option("random")),
        "lunsize": decimal(scaled(file_bytes(test), GIB), 4),
        "version": f"iorx-{run.version}".replace(" ", "_"),
        "compratio": compression(test),
        "dedupratio": decimal(test.option("content_dedup", 1), 0),
    }


def times(phase):
    """Columns of service times: of all transfers, of reads and of writes."""
    cells = {}
    for column, operation in (("resp", phase.main), ("read_resp", phase.operations.get("read")),
                              ("write_resp", phase.operations.get("write"))):
        first = column.split("_")[0]
        cells[column] = milliseconds(operation.mean_ns if operation else 0)
        cells[f"{first}_max"] = milliseconds(operation.max_ns if operation else 0)
        cells[f"{first}_std"] = milliseconds(deviation(operation))
    return cells


def deviation(operation):
    """The standard deviation of service times, from the middles of the histogram's buckets."""
    if not operation or operation.count < 2:
        return 0
    total = sum(count for _, count in operation.histogram)
    middles = [(edge + (statistics.bucket_width(edge) - 1) / 2, count) for edge, count in operation.histogram]
    mean = sum(middle * count for middle, count in middles) / total
    return math.sqrt(sum(count * (middle - mean) ** 2 for middle, count in middles) / (total - 1))


def interval(test, phase):
    """Numbers of the measured intervals, or seconds, as Vdbench numbers them from 1 on."""
    length = test.option("interval") or 1
    warmup = math.ceil(test.option("warmup_time", 0) / length)
    measured = round((phase.rated_seconds or 1) / length)
    return f"avg_{warmup + 1}-{warmup + max(1, measured)}"


def mean_size(phase):
    """Of the transfers that the job asked for; None where a load has none."""
    shares, means = ((phase.load.get(f"asked_{what}") or {}) for what in ("shares", "sizes"))
    asked = [(shares.get(kind) or 0, means.get(f"{kind}_bytes")) for kind in ("read", "write")]
    asked = [(share, mean) for share, mean in asked if share and mean]
    return sum(share * mean for share, mean in asked) / sum(share for share, _ in asked) if asked else None


def sizes(test):
    found = [test.option(name) for name in ("read_sizes", "write_sizes")]
    shown = found if all(found) else [test.option("sizes") or MISSING]
    return ";".join(re.sub(r"\s+", "", one) for one in shown)


def file_bytes(test):
    files, each = test.plan.get("files"), test.plan.get("file_bytes")
    return files * each if files and each else None


def compression(test):
    share = test.option("content_compress", 0)
    return decimal(1 / (1 - share), 2) if share < 1 else MISSING


def number(text):
    """The number of a cell of a table; None where there is none."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def whole(text):
    return int(number(text) or 0)


def scaled(value, unit):
    return None if value is None else value / unit


def percent(share):
    return decimal(None if share is None else share * 100, 2)


def milliseconds(nanoseconds):
    return f"{nanoseconds / NS_PER_MS:.4f}"


def decimal(value, digits):
    return MISSING if value is None else f"{value:.{digits}f}"
