"""The tables of phases of more than one kind of operation: mixes, finds and loads."""

from . import units
from .model import STEPS
from .tables import Cell, Table, of_count, of_share, of_time, percentile

# The names of a mix's shares, and of the operations that they become.
SHARES = {"create": "create", "stat": "stat", "read": "open_close", "remove": "remove"}
SEEN = {"entries": "entries", "matches": "matches", "directories": "directories", "files": "files",
        "others": "others", "stats": "stats", "stolen_pieces": "pieces from other tasks"}


def first(phase):
    return [Cell(phase.name), Cell(str(phase.repetition), phase.repetition)]


def kinds(test):
    """Each kind of operation of a mix, a find or a load, by its service times."""
    heads = [("phase", None), ("repetition", None), ("kind", None), ("share", None), ("count", None),
             ("op/s", None), ("p50", "percentile"), ("p99", "percentile"), ("max", "service")]
    rows = [kind(phase, operation) for phase in test.phases if has_kinds(phase)
            for operation in phase.services if operation.name not in STEPS]
    return Table("kinds", heads, rows, "Operations by kind and their service times, with the share that was asked for. "
                 "mixed is all operations together, list reads one directory; read_recorded and write_recorded are the times "
                 "that a trace recorded of the reads and writes that a load replayed.")


def has_kinds(phase):
    return bool(phase.metadata.get("mix") or phase.metadata.get("find") or phase.load)


def responses(test):
    heads = [("phase", None), ("repetition", None), ("count", None), ("response p50", "percentile"),
             ("response p99", "percentile"), ("response p99.9", "percentile"), ("response max", "response")]
    rows = [[*first(phase), of_count(phase.response.count),
             *(percentile(phase.response, name) for name in ("p50", "p99", "p99.9")), of_time(phase.response.max_ns)]
            for phase in test.phases if phase.response]
    return Table("responses", heads, rows, "Response times of all operations: from the moment at which each was due to its "
                 "end. An operation that was due and never issued counts with the time that it had waited.")


def lateness(test):
    heads = [("phase", None), ("repetition", None), ("late p50", "percentile"), ("late p99", "percentile"),
             ("late max", "lateness"), ("drift per second", "lateness")]
    rows = [[*first(phase), *(percentile(phase.lateness, name) for name in ("p50", "p99")), of_time(phase.lateness.max_ns),
             drift(phase.load.get("late_drift_ns_per_s"))] for phase in test.phases if phase.lateness]
    return Table("lateness", heads, rows, "How late operations were issued after the moment at which each was due, which is "
                 "part of their response times, and by how much more with each second.")


def drift(ns):
    return Cell("-", -1) if ns is None else Cell(("-" if ns < 0 else "+") + units.time_ns(abs(ns)), ns)


def rate_of(phase, operation):
    total = None if operation.name.endswith("_recorded") else phase.rated_seconds
    return Cell(units.number(operation.rated / total), operation.rated / total) if total else Cell("-", -1)


def kind(phase, operation):
    shares = (phase.metadata.get("mix") or {}).get("shares") or phase.load.get("asked_shares") or {}
    name = next((name for name, one in SHARES.items() if one == operation.name and not phase.load), operation.name)
    return [*first(phase), Cell(operation.name), of_share(shares.get(name)), of_count(operation.count),
            rate_of(phase, operation), percentile(operation, "p50"), percentile(operation, "p99"), of_time(operation.max_ns)]


def mixes(test):
    heads = [(name, None) for name in ("phase", "repetition", "files", "op/s due", "op/s", "missed")]
    rows = [[*first(phase), of_count(phase.metadata["mix"].get("files")),
             Cell(units.number(phase.ordered_rate), phase.ordered_rate or -1),
             Cell(units.number(phase.rate), phase.rate or -1), of_count(phase.metadata["mix"].get("missed"))]
            for phase in test.phases if phase.metadata.get("mix")]
    return Table("mixes", heads, rows, "files existed when the phase began. op/s due is the ordered rate, op/s the rate "
                 "reached. Missed operations met a file that their own task had just removed; no other column counts "
                 "them.")


def parts(test):
    """Over the repetitions."""
    heads = [("phase", None), ("n", None), ("count", None), ("median op/s", None), ("from", "median"), ("to", "median"),
             ("p50", "percentile"), ("p99", "percentile"), ("max", "service")]
    rows = [part(kind) for whole in test.kinds for kind in whole.parts if len(kind.complete) > 1]
    return Table("parts", heads, rows, "Operations by kind, over the complete repetitions. from and to are the ends of "
                 "the median's 95 % interval, which needs 6 repetitions; percentiles are of all operations.")


def part(kind):
    low, high = kind.interval[:2] if kind.interval else (None, None)
    return [Cell(kind.name), Cell(str(len(kind.rates)), len(kind.rates)), of_count(kind.operation.count),
            *(Cell(units.number(rate), -1 if rate is None else rate) for rate in (kind.median, low, high)),
            percentile(kind.operation, "p50"), percentile(kind.operation, "p99"), of_time(kind.operation.max_ns)]


def finds(test):
    heads = [(name, None) for name in ("phase", "repetition", *SEEN.values())]
    rows = [[*first(phase), of_count(phase.metadata.get("entries")),
             *(of_count(phase.metadata["find"].get(name)) for name in list(SEEN)[1:])]
            for phase in test.phases if phase.metadata.get("find")]
    return Table("finds", heads, rows, "What each find visited. others are neither directories nor files. A piece is "
                 "work that a task stole from another.")
