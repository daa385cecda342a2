"""Response times against the rate of several loads over each other, each the curve of one result."""

from .. import units
from .axes import log_time_axis, rate_axis
from .study_curve import draw_times, points

WIDTH = "wide"
COLOURS = ("write", "read", "verify", "other", "accent")
MARKERS = "os^Dv"
STYLES = (("p99", "-"), ("p50", (0, (1, 1.5))))


def applies(overlay):
    return len(overlay.members) > 1


def caption(overlay):
    text = ("Response times, from the moment at which each operation was due, against the rate that was reached: "
            "p99 as a line, p50 dotted. Hollow marks are points at which less than 95 % of the operations that were due "
            "were issued in time.")
    return text + (f" {overlay.left_out} more curves are left out." if overlay.left_out else "")


def draw(sheet, overlay):
    seen, rates = [], []
    for (label, line), name, marker in zip(overlay.members, COLOURS, MARKERS):
        shown, colour = points(line), sheet.colour(name)
        rates += [point.kind.median for point in shown]
        for statistic, style in STYLES:
            seen += draw_times(sheet.axes, shown, statistic, colour, style, marker, label if statistic == "p99" else None)
    low, high = min(seen) * .7, max(seen) * 1.3
    log_time_axis(sheet, low, high * (high / low) ** (.1 * len(overlay.members)), "y")  # room for the legend
    rate_axis(sheet, max(rates), units.OPERATIONS, "x")
    sheet.grid()
    sheet.legend(1)
    sheet.labels(None, None, f"{overlay.name}: response times, p99 solid, p50 dotted")
