"""Response times of a set of loads against the number of its copies."""

from .. import set_points
from .axes import log_time_axis
from .study_curve import LINES, draw_line


def applies(ladder):
    return ladder.option == "copies" and len(ladder.shown) > 1


def caption(ladder):
    found = set_points.conclusion(ladder)
    return ("Response times of the operations of all loads, from the moment at which each was due, against the number of copies of "
            f"the set. Hollow marks are points that are not valid. {found[0].upper()}{found[1:]}.")


def draw(sheet, ladder):
    seen, counts = [], [point.value for point in ladder.shown]
    for name, style, marker in LINES:
        colour = sheet.colour("accent" if name == "p99" else "other")
        rows = [(point.value, point.time(name), not point.faults) for point in ladder.shown]
        seen += draw_line(sheet.axes, rows, colour, style, marker, name)
    low, high = min(seen) * .7, max(seen) * 1.3
    log_time_axis(sheet, low, high * (high / low) ** .2, "y")  # room for the legend
    sheet.axes.set_xlim(0, max(counts) * 1.06)
    sheet.axes.set_xticks(counts)
    sheet.axes.set_xticklabels([str(count) for count in counts])
    sheet.grid()
    sheet.legend(3)
    sheet.labels("copies", None, "set: response times of its copies")
