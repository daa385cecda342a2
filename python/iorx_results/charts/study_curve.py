"""Response times against the rate of a load: the curve that the option curve or search makes."""

from .. import units, words
from ..palette import of_phase
from .axes import log_time_axis, rate_axis

WIDTH = "wide"
LINES = (("mean", "-", "o"), ("p50", (0, (4, 1.5)), "s"), ("p99", (0, (1, 1.5)), "^"))


def applies(line):
    return line.study.is_curve and not line.is_part and len(points(line)) > 1


def points(line):
    """Those at a rate, which is all but the maximum, in the order of these rates."""
    return sorted((point for point in line.points if point.kind.response and point.asked), key=lambda point: point.asked)


def highest(points):
    """The highest rate of points without a rate that was asked for; None where there is none."""
    return max((point.rate for point in points if not point.asked and point.rate), default=None)


def value(point, name):
    response = point.kind.response
    return response.mean_ns if name == "mean" else response.percentiles.get(name)


def conclusion(line):
    """The record of the curve in its document; None where the job did not come to its end."""
    test = line.points[0].kind.phases[0].test
    return next((curve for run in line.study.runs for curve in run.curves
                 if any(point.get("test") == test and (point.get("tests") or 1) == 1 for point in curve.get("points") or [])), None)


def caption(line):
    text = ("Response times, from the moment at which each operation was due, against the rate that was reached. "
            "Hollow marks are points at which less than 95 % of the operations that were due were issued in time.")
    if highest(line.points):
        text += " The upright line is the maximum."
    if any(str(point.values[0]).endswith("-again") for point in line.points):
        text += " A point whose name ends in -again is a second measurement of its rate."
    return text + closing_words(conclusion(line))


def closing_words(found):
    """What the record of a curve concludes, as sentences behind others; found None: there is no record."""
    text = ""
    if found and found.get("overall_response_ns"):
        text += f" The overall response time is {units.time_ns(found['overall_response_ns'])}"
        knee = found.get("knee_operations_per_s")
        text += f", the knee is at {units.rate(knee, units.OPERATIONS)}." if knee \
            else ", and response times fall up to the highest rate, so there is no knee." if found.get("falls") else "."
    text += f" {words.bound(found['bound'])}." if found and found.get("bound") else ""
    odd = found and found.get("odd_operations_per_s")
    return text + (f" {units.rate(odd, units.OPERATIONS)} missed and a higher rate did not, so one of them was disturbed."
                   if odd else "")


def draw_times(axes, shown, statistic, *look):
    """One statistic of the points against their rates, hollow where a rate was not reached; returns its times in ns."""
    return draw_line(axes, [(point.kind.median, value(point, statistic), point.is_reached) for point in shown], *look)


def draw_line(axes, rows, colour, style, marker, label):
    """A line through rows (x, time in ns or None, whether its mark is full); returns the times."""
    known = [row for row in rows if row[1]]
    axes.plot([x for x, _, _ in known], [ns for _, ns, _ in known], label=label, color=colour,
              linestyle=style, linewidth=1.4)
    for x, ns, is_full in known:
        axes.plot([x], [ns], color=colour, marker=marker, markersize=4.5,
                  markerfacecolor=colour if is_full else "none")
    return [ns for _, ns, _ in known]


def draw(sheet, line):
    draw_curve(sheet, points(line), lambda point, name: value(point, name), of_phase(line.name), highest(line.points))
    sheet.labels(None, None, f"{line.name}: response times against the rate")


def draw_curve(sheet, shown, time_of, colour, top):
    """The LINES of points in their order, each point with its share of the maximum, which is an upright line."""
    seen, rates = [], [point.rate for point in shown] + [top or 0]
    for name, style, marker in LINES:
        rows = [(point.rate, time_of(point, name), point.is_reached) for point in shown]
        seen += draw_line(sheet.axes, rows, sheet.colour("accent" if name == "p99" else colour), style, marker, name)
    low, high = min(seen) * .7, max(seen) * 1.3
    low, high = min(low, (low * high) ** .5 / 10 ** .5), max(high, (low * high) ** .5 * 10 ** .5)
    log_time_axis(sheet, low / (high / low) ** .1, high * (high / low) ** .2, "y")  # room for the shares and the legend
    rate_axis(sheet, max(rates), units.OPERATIONS, "x")
    if top:
        sheet.axes.axvline(top, color=sheet.colour("muted"), linewidth=1.2)
        sheet.axes.annotate("max", (top, 0), xycoords=sheet.axes.get_xaxis_transform(), xytext=(-4, 3), textcoords="offset points",
                            ha="right", va="bottom", fontsize="small", color=sheet.colour("muted"))
    put_shares(sheet, shown, time_of)
    sheet.grid()
    sheet.legend(3, "upper left")


def put_shares(sheet, shown, time_of):
    """Below the lowest mark of each point, or above its highest where another point is near."""
    wide, ends = sheet.pixels()[0] / sheet.axes.get_xlim()[1], []
    for point in shown:
        text, at = str(point.share).replace("%", " %"), point.rate * wide
        half = 3.6 * sheet.scale * len(text)
        times = [ns for ns in (time_of(point, name) for name, *_ in LINES) if ns]
        near = sum(at - half < right and left < at + half for left, right in ends)
        if times and near < 2:
            ns, aside, side = ((min(times), -7, "top"), (max(times), 7, "bottom"))[near]
            sheet.axes.annotate(text, (point.rate, ns), xytext=(0, aside), textcoords="offset points", ha="center", va=side,
                                fontsize="small", color=sheet.colour("ink"))
            ends.append((at - half, at + half))
