"""The tables of load tests: what was asked for and achieved, and each repetition."""

from . import units
from .model import LAYOUT
from .tables import FIRST, RESPONSE, Cell, Table, first_cells, of_count, of_rate, of_seconds, of_time, times

SERVICE = [("service p50", "percentile"), ("service p99", "percentile"), ("service max", "service")]


def loads(test):
    return [phase for phase in test.phases if phase.load]


def bytes_per_s(phase):
    return phase.load.get("bytes_per_s")


def repetitions(test):
    """Columns of response times stand only where operations were due."""
    has_response = any(phase.response for phase in loads(test))
    besides = any(phase.load.get("beside") for phase in loads(test))
    heads = [*FIRST, *([("beside", None)] if besides else []), ("rate", "load"), ("data", None), *SERVICE, *(RESPONSE if has_response else []), ("done", None),
             ("skipped", None), ("unfinished", None), ("oldest", None), ("outside", None), ("measured", None)]
    rows = [[*first_cells(phase), *([Cell(phase.load.get("beside") or "-")] if besides else []), of_rate(phase.rate, phase.quantity), of_rate(bytes_per_s(phase), units.BYTES),
             *times(phase.main), *(times(phase.response) if has_response else []), of_count(phase.done),
             *(of_count(phase.load.get(name)) for name in ("skipped", "unfinished")),
             of_time(phase.load.get("oldest_unfinished_ns") if phase.load.get("unfinished") else None),
             of_count(phase.load.get("outside_window")), of_seconds(phase.rated_seconds)]
            for phase in test.phases if phase.name != LAYOUT]
    return Table("repetitions", heads, rows, "Each repetition of the load. Only operations of the measured window are in "
                 "rates and percentiles; outside counts those of the warm-up and the cool-down. skipped were late and not "
                 "issued; unfinished were due and not issued before the end, oldest is the age of the oldest of these.")


def asked(test):
    """What the job asked for beside what came out, of each load of a test."""
    heads = [("phase", None), ("what", None), ("asked", None), ("achieved", None), ("least", None), ("most", None)]
    rows = [row for kind in test.kinds if kind.is_load and kind.complete for row in asked_of(kind)]
    return Table("asked", heads, rows, "What the job asked for and what came out: the median over the complete repetitions, "
                 "the least and the most.")


def asked_of(kind):
    first = kind.complete[0]
    rate = [of_rate(first.ordered_rate, units.OPERATIONS) if first.ordered_rate else Cell("as fast as possible", -1)]
    rows = [row(kind, "rate", rate, lambda phase: phase.rate, lambda value: of_rate(value, units.OPERATIONS))]
    for name, share in (first.load.get("asked_shares") or {}).items():
        if share:
            rows.append(row(kind, f"share of {name}s", [share_cell(share)],
                            lambda phase, name=name: (phase.load.get("achieved_shares") or {}).get(name), share_cell))
    for name, size in (first.load.get("asked_sizes") or {}).items():
        if size:
            rows.append(row(kind, f"mean size of a {name.replace('_bytes', '')}", [size_cell(size)],
                            lambda phase, name=name: (phase.load.get("achieved_sizes") or {}).get(name), size_cell))
    if first.load.get("queue"):
        rows.append(row(kind, "operations in flight of a task", [of_count(kind.phases[0].queue_depth)],
                        lambda phase: (phase.load.get("queue") or {}).get("mean_depth_by_time"),
                        lambda value: Cell(units.number(value, 3), -1 if value is None else value)))
    return rows


def share_cell(share):
    return Cell(units.percent(share, 4), -1 if share is None else share)


def size_cell(size):
    return Cell(units.size(size), -1 if size is None else size)


def row(kind, what, asked, number, cell):
    found = [one for one in map(number, kind.complete) if one is not None]
    return [Cell(kind.name), Cell(what), *asked,
            *map(cell, (kind.median_of(number), min(found, default=None), max(found, default=None)))]
