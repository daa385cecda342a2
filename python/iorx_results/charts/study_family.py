"""Of a study of two options: a curve against one of them for each of up to five values of the other."""

from matplotlib.transforms import offset_copy

from ..palette import of_phase
from ..study import family
from .axes import log_time_axis, rate_axis
from .study_axes import draw_bars, ends, log_rate_axis, option_axis, positions

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


def curves(sheet, line, found, rows, bars=False):
    """Rows of (x, y), one for each member of the family; later ones are stronger."""
    axes, colour, places = sheet.axes, sheet.colour(of_phase(line.name)), positions(found.study)
    for index, ((text, one), row) in enumerate(zip(found.members, rows)):
        strength = .4 + .6 * (index + 1) / len(rows)
        aside = APART * (index - (len(rows) - 1) / 2) if bars else 0
        beside = offset_copy(axes.transData, axes.figure, aside, 0, units="points")
        x = [places[value] for value, _ in row]
        axes.plot(x, [y for _, y in row], color=colour, linewidth=1.4, marker=MARKERS[index], markersize=5,
                  label=text, alpha=strength, transform=beside)
        if bars:
            draw_bars(axes, x, one.points, colour, alpha=.5 * strength, transform=beside)
    option_axis(sheet, found.study)
    sheet.legend(len(rows))


def draw_rate(sheet, line):
    found = family(line)
    rows = [[(point.values[0], point.kind.median) for point in one.points] for _, one in found.members]
    curves(sheet, line, found, rows, bars=True)
    values = [end for _, one in found.members for point in one.points for end in ends(point)]
    if scales(line):
        ideals = [[(x, row[0][1] / row[0][0] * x) for x, _ in row] for row in rows]
        for ideal in ideals:
            sheet.axes.plot(*zip(*ideal), color=sheet.colour("muted"), linewidth=1.1, linestyle=(0, (1, 2)))
        top = max(values + [y for ideal in ideals for _, y in ideal])
        log_rate_axis(sheet, min(values) / 1.4, top * 2, line.quantity)
    else:
        rate_axis(sheet, 1.2 * max(values), line.quantity)
    sheet.labels(found.study.varied[0], None, f"{line.name}: rate by {found.other}")


def draw_efficiency(sheet, line):
    found = family(line)
    rows = [[(point.values[0], 100 * share) for point, share in zip(one.points, one.efficiency)]
            for _, one in found.members]
    sheet.axes.axhline(100, color=sheet.colour("muted"), linewidth=1.1, linestyle=(0, (1, 2)))
    curves(sheet, line, found, rows)
    sheet.axes.set_ylim(0, 1.2 * max([100] + [y for row in rows for _, y in row]))
    sheet.grid()
    sheet.labels(found.study.varied[0], f"% of the rate per {found.study.varied[0][:-1]}",
                 f"{line.name}: efficiency by {found.other}")


def latencies(found, name):
    """Rows of (value, ns) of a percentile, or of max."""
    return [[(p.values[0], p.timed.max_ns if name == "max" else p.timed.percentiles.get(name))
             for p in one.points if p.timed and p.timed.max_ns] for _, one in found.members]


def latency_rows(found):
    """(which, rows): p50 where every point has one, else max; of response times p99, which stalls lengthen."""
    for name in ["p99", "p50"] if has_response(found) else ["p50"]:
        rows = latencies(found, name)
        if all(ns for row in rows for _, ns in row):
            return name, rows
    return "max", latencies(found, "max")


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
