"""Service and response times against the percentile of the operations: how slow the slowest are."""

from dataclasses import dataclass

import numpy

from .. import statistics, units
from ..palette import of_phase
from .axes import log_time_axis

MARKED = (.5, .9, .99, .999, .9999)
COLOURS = ("write", "read", "verify", "other", "accent", "muted")
MARKERS = "os^Dvx"
LEAST = .8  # a curve goes up to there, or there is none


@dataclass
class Group:
    """Kinds whose percentiles stand in one chart."""
    kinds: list

    @property
    def names(self):
        return [kind.name for kind in self.kinds]

    @property
    def name(self):
        return " and ".join(self.names) if len(self.names) < 3 else ", ".join(self.names)

    @property
    def curves(self):
        """[(label, colour, whether response times, Operation)] of which enough were done."""
        colours, found = colours_of(self.kinds), []
        for kind in self.kinds:
            both = bool(kind.response)
            for which, one in (("response", kind.response), ("service", kind.operation)):
                if one and has_curve(one):
                    colour = "accent" if which == "response" else colours[kind.name]
                    found.append((f"{kind.name}, {which}" if both else kind.name, colour, which == "response", one))
        return found


def colours_of(kinds):
    """Each kind has the colour of its phase, or one of its own where several phases would have the same."""
    own = [of_phase(kind.name) for kind in kinds]
    return {kind.name: colour for kind, colour in zip(kinds, own if len(set(own)) == len(own) else COLOURS)}


def has_curve(operation):
    return bool(operation.histogram) and operation.count >= statistics.needed_operations(LEAST)


def of_test(test):
    """[Group]: data phases together, those of files and of directories apart, a load or a mix with its operations."""
    groups = {}
    for kind in test.kinds:
        parts = [part for part in kind.parts if part.operation]
        key = kind.name if parts else kind.name.split("-")[0] if "-" in kind.name else "data"
        groups.setdefault(key, []).extend([kind, *parts])
    found = [Group(kinds[first:first + len(COLOURS)]) for kinds in groups.values() for first in range(0, len(kinds), len(COLOURS))]
    return [group for group in found if group.curves]


def caption(group):
    parts = [f"{label} {marks_words(one)}" for label, _, _, one in group.curves]
    since = " A response time runs from the moment at which its operation was due." \
        if any(is_response for _, _, is_response, _ in group.curves) else ""
    return (f"Such a share of the operations of all complete repetitions took no longer. {'; '.join(parts)}. "
            f"A curve ends where too few operations support it.{since}")


def marks_words(operation):
    values = dict(operation.percentiles, max=operation.max_ns)
    return ", ".join(f"{name} {units.time_ns(values[name])}" for name in ("p50", "p99", "p99.9", "max") if values.get(name))


def percentiles(operation, shares):
    """Times in ns at the shares that the operation has enough calls for: as statistics.percentile(), of many shares at once."""
    edges, counts = numpy.array(operation.histogram, dtype=float).T
    supported = [share for share in shares if operation.count >= statistics.needed_operations(share)]
    places = numpy.searchsorted(numpy.cumsum(counts), numpy.ceil(numpy.array(supported) * counts.sum()))
    middles = [edges[at] + statistics.bucket_width(int(edges[at])) / 2 for at in numpy.minimum(places, len(edges) - 1)]
    return supported, [max(1, min(max(ns, operation.min_ns), operation.max_ns)) for ns in middles]


def nines(share):
    """Where a share stands: 90 at 1, 99 at 2, 99.9 at 3."""
    return -numpy.log10(1 - numpy.array(share))


def draw(sheet, group):
    shown = group.curves
    draw_curves(sheet, [(label, colour, 2 if is_response else 1.4, one) for label, colour, is_response, one in shown])
    what = "service and response times" if any(is_response for _, _, is_response, _ in shown) else "service times"
    sheet.labels("percentile of the operations", None, f"{group.name}: {what}")


def draw_curves(sheet, shown):
    """Of (label, colour, width of the line, Operation) each."""
    axes, seen, right = sheet.axes, [], nines(.99)
    shares = sorted({*MARKED, *(1 - 10 ** -numpy.arange(.32, 4, .06))})
    for (label, colour, width, operation), marker in zip(shown, MARKERS * 4):
        supported, times = percentiles(operation, shares)
        axes.plot(nines(supported), times, color=sheet.colour(colour), linewidth=width, label=label,
                  marker=marker, markersize=4.5, markevery=[i for i, share in enumerate(supported) if share in MARKED])
        seen += times
        right = max(right, nines(supported[-1]))
    columns = 2 if max(len(label) for label, *_ in shown) > 12 else 3
    low, high = min(seen) * .7, max(seen) * 1.3
    low, high = (low, high) if high > 10 * low else ((low * high) ** .5 / 10 ** .5, (low * high) ** .5 * 10 ** .5)
    log_time_axis(sheet, low, high * (high / low) ** (.11 * -(-len(shown) // columns)), "y")  # room for the legend
    axes.set_xlim(nines(.5), right)
    marks = [share for share in MARKED if nines(share) <= right + 1e-9]
    axes.set_xticks(nines(marks))
    axes.set_xticklabels([f"{100 * share:.6g}" for share in marks])
    sheet.grid()
    if len(shown) > 1:
        sheet.legend(columns, "upper left")
