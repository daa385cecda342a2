"""Of a study of two options: a curve against one of them for each of up to five values of the other."""

from matplotlib.transforms import offset_copy

from ..palette import of_phase
from ..study import family
from .axes import log_time_axis
from .study_axes import draw_bars, is_ordered, option_axis, positions

MARKERS = "os^Dv"
APART = 4  # points between the bars of neighbouring curves, which would hide each other


def either(one, two):
    """What serves studies of one option and of two: the last argument, a line, tells which."""
    return lambda *arguments: (two if len(arguments[-1].study.varied) == 2 else one)(*arguments)


def applies(line):
    return len(line.study.varied) == 2 and bool(family(line).members)


def scales(line):
    return applies(line) and family(line).study.scales and not line.by_few


def caption(what, line, more=""):
    found = family(line)
    left_out = f" {found.left_out} values are only in the map." if found.left_out else ""
    return (f"{what} of {line.name} against {found.study.varied[0]}, a curve for each "
            f"{found.other}.{more}{left_out}")


def curves(sheet, line, found, rows, factors=None):
    """Rows of (x, y), one for each member of the family; later ones are stronger. `factors` make bars of rates bars of y."""
    axes, colour, places = sheet.axes, sheet.colour(of_phase(line.name)), positions(found.study)
    for index, ((text, one), row) in enumerate(zip(found.members, rows)):
        strength = .4 + .6 * (index + 1) / len(rows)
        aside = APART * (index - (len(rows) - 1) / 2) if factors else 0
        beside = offset_copy(axes.transData, axes.figure, aside, 0, units="points")
        x = [places[value] for value, _ in row]
        axes.plot(x, [y for _, y in row], color=colour, linewidth=1.4 if is_ordered(found.study) else 0, marker=MARKERS[index],
                  markersize=5, label=text, alpha=strength, transform=beside)
        if factors:
            draw_bars(axes, x, one.points, colour, factors[index], alpha=.5 * strength, transform=beside)
    option_axis(sheet, found.study)
    sheet.legend(len(rows))


def latencies(found, name):
    """Rows of (value, ns) of a percentile."""
    return [[(p.values[0], p.timed.percentiles.get(name)) for p in one.points if p.timed] for _, one in found.members]


def latency_rows(found):
    """(which, rows): p99 where every point has one, else p50; None where some point has neither."""
    for name in "p99", "p50":
        rows = latencies(found, name)
        if rows and all(ns for row in rows for _, ns in row):
            return name, rows
    return None


def has_response(found):
    return all(one.has_response for _, one in found.members)


def time_word(found):
    return "response" if has_response(found) else "service"


def draw_latency(sheet, line):
    found = family(line)
    name, rows = latency_rows(found)
    curves(sheet, line, found, rows)
    values = [ns for row in rows for _, ns in row]
    low, high = .7 * min(values), 1.3 * max(values)
    log_time_axis(sheet, low, high * (high / low) ** .16, "y")  # room for the legend
    sheet.grid()
    sheet.labels(found.study.varied[0], None, f"{line.name}: {time_word(found)} time ({name}) by {found.other}")
