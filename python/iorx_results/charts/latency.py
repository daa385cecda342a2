"""How long operations took, and with a rate their response times, on a log scale with percentiles."""

import numpy

from .. import units
from ..palette import of_phase
from .axes import log_time_axis

BINS_PER_DECADE = 16
RULER = ("p50", "p99", "p99.9", "max")


def applies(kind):
    return kind.operation is not None and bool(kind.operation.histogram)


def caption(kind):
    operation = kind.operation
    bars = "Each bar is the share of the operations in one sixteenth of a decade."
    if kind.response:
        return (f"Service times of {units.whole(operation.count)} operations of all complete repetitions (filled): "
                f"{marks_words(operation)}. Response times, from the moment at which each was due (line): "
                f"{marks_words(kind.response)}, which the dashed lines mark. {bars}")
    return (f"Service times of {units.whole(operation.count)} {name_of(operation)}operations "
            f"of all complete repetitions: {marks_words(operation)}. {bars}")


def name_of(operation):
    """The name with a blank behind it; empty where operations of several kinds are together."""
    return "" if operation.name == "mixed" else f"{operation.name} "


def marks_words(operation):
    return ", ".join(f"{name} {units.time_ns(value)}" for name, value in marks(operation))


def marks(operation):
    values = dict(operation.percentiles, max=operation.max_ns)
    return [(name, values[name]) for name in RULER if values.get(name) is not None]


def binned(operations):
    """(edges in ns, [share of the operations between them] of each), log-spaced around what occurred."""
    found = []
    for operation in operations:
        edges, counts = numpy.array(operation.histogram, dtype=float).T
        found.append((numpy.log10(numpy.maximum(edges * (1 + 1 / 256), 1)) * BINS_PER_DECADE, counts))
    grid = numpy.arange(min(numpy.floor(at.min()) for at, _ in found) - 2,
                        max(numpy.ceil(at.max()) for at, _ in found) + 3)
    return 10 ** (grid / BINS_PER_DECADE), [numpy.histogram(at, bins=grid, weights=counts)[0] / max(1, counts.sum())
                                            for at, counts in found]


def draw(sheet, kind):
    operation, response = kind.operation, kind.response
    edges, rows = binned([operation, response] if response else [operation])
    axes, colour = sheet.axes, sheet.colour(of_phase(kind.name))
    axes.stairs(100 * rows[0], edges, fill=True, color=colour, alpha=0.55, linewidth=0)
    axes.stairs(100 * rows[0], edges, color=colour, linewidth=1.2, label="service time")
    if response:
        axes.stairs(100 * rows[1], edges, color=sheet.colour("accent"), linewidth=1.8, label="response time")
    log_time_axis(sheet, edges[0], edges[-1])
    top = 100 * float(max(row.max() for row in rows))
    axes.set_ylim(0, top * (1.65 if response else 1.45))
    axes.set_yticks([t for t in axes.get_yticks() if 0 <= t <= top * 1.1])
    sheet.grid()
    put_ruler(sheet, response or operation, top)
    if response:
        sheet.legend()
        sheet.labels("time of one operation", "% of operations", f"{kind.name}: service and response times")
    else:
        sheet.labels(f"service time of one {name_of(operation).strip() or 'operation'}", "% of operations", f"{kind.name}: service times")


def put_ruler(sheet, operation, top):
    """The percentiles as lines, their names one below the other so that none meets another."""
    axes = sheet.axes
    low, high = (numpy.log10(x) for x in axes.get_xlim())
    for level, (name, value) in enumerate(marks(operation)):
        at = (numpy.log10(max(1, value)) - low) / (high - low)
        height = top * (1.38 - 0.1 * level)
        axes.vlines(value, 0, height, color=sheet.colour("ink"), linewidth=0.9, linestyle=(0, (3, 2)))
        left = at > 0.72
        axes.annotate(name, (value, height), xytext=(-4 if left else 4, 0),
                      textcoords="offset points", ha="right" if left else "left", va="center",
                      fontsize="small", color=sheet.colour("ink"))
