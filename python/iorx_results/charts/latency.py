"""How long the operations of a phase took: the distribution on a log scale, with percentiles."""

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
    known = [f"{name} {units.time_ns(value)}" for name, value in marks(operation)]
    return (f"Service times of {units.whole(operation.count)} {operation.name} operations "
            f"of all complete repetitions: {', '.join(known)}. Each bar is the share of the "
            "operations in one sixteenth of a decade.")


def marks(operation):
    values = dict(operation.percentiles, max=operation.max_ns)
    return [(name, values[name]) for name in RULER if values.get(name) is not None]


def binned(operation):
    """(edges in ns, share of operations between them), log-spaced around what occurred."""
    edges = numpy.array([edge for edge, _ in operation.histogram], dtype=float)
    counts = numpy.array([count for _, count in operation.histogram], dtype=float)
    at = numpy.log10(numpy.maximum(edges * (1 + 1 / 256), 1)) * BINS_PER_DECADE
    grid = numpy.arange(numpy.floor(at.min()) - 2, numpy.ceil(at.max()) + 3)
    shares, _ = numpy.histogram(at, bins=grid, weights=counts)
    return 10 ** (grid / BINS_PER_DECADE), shares / max(1, counts.sum())


def draw(sheet, kind):
    operation = kind.operation
    edges, shares = binned(operation)
    axes, colour = sheet.axes, sheet.colour(of_phase(kind.name))
    axes.stairs(100 * shares, edges, fill=True, color=colour, alpha=0.55, linewidth=0)
    axes.stairs(100 * shares, edges, color=colour, linewidth=1.2)
    log_time_axis(sheet, edges[0], edges[-1])
    top = 100 * float(shares.max())
    axes.set_ylim(0, top * 1.45)
    axes.set_yticks([t for t in axes.get_yticks() if 0 <= t <= top * 1.1])
    sheet.grid()
    put_ruler(sheet, operation, top)
    sheet.labels(f"service time of one {operation.name}", "% of operations",
                 f"{kind.name}: service times")


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
