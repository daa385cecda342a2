"""Response times of a set of loads against their rate: the curve of the whole set."""

from .. import units
from .axes import log_time_axis, rate_axis
from .study_curve import LINES, closing_words, draw_line


def applies(ladder):
    return ladder.option == "curve" and len(ladder.shown) > 1


def record(ladder):
    """What the document concludes of the curve; None where the job did not come to its end."""
    return next((curve for curve in ladder.run.curves
                 if any(point.get("test") == ladder.first_test for point in curve.get("points") or [])), None)


def caption(ladder):
    return ("Response times of the operations of all loads of a set, from the moment at which each was due, against the sum of "
            "their rates. Hollow marks are points at which less than 95 % of the operations of a load that were due were issued in time."
            + closing_words(record(ladder)))


def draw(sheet, ladder):
    shown, seen = sorted(ladder.shown, key=lambda point: point.rate), []
    for name, style, marker in LINES:
        colour = sheet.colour("accent" if name == "p99" else "other")
        seen += draw_line(sheet.axes, [(point.rate, point.time(name), point.is_reached) for point in shown], colour, style, marker, name)
    low, high = min(seen) * .7, max(seen) * 1.3
    log_time_axis(sheet, low, high * (high / low) ** .2, "y")  # room for the legend
    rate_axis(sheet, max(point.rate for point in shown), units.OPERATIONS, "x")
    sheet.grid()
    sheet.legend(3)
    sheet.labels(None, None, "set: response times against the rate")
