"""Response times of a set of loads against their rate: the curve of the whole set."""

from .study_curve import closing_words, draw_curve, highest

WIDTH = "wide"


def applies(ladder):
    return ladder.option == "curve" and len(ladder.shown) > 1


def record(ladder):
    """What the document concludes of the curve; None where the job did not come to its end."""
    return next((curve for curve in ladder.run.curves
                 if any(point.get("test") == ladder.first_test for point in curve.get("points") or [])), None)


def caption(ladder):
    return ("Response times of the operations of all loads of a set, from the moment at which each was due, against the sum of "
            "their rates. Hollow marks are points at which less than 95 % of the operations of a load that were due were issued in time."
            + (" The upright line is the maximum." if highest(ladder.points) else "") + closing_words(record(ladder)))


def draw(sheet, ladder):
    draw_curve(sheet, sorted(ladder.shown, key=lambda point: point.asked), lambda point, name: point.time(name), "other",
               highest(ladder.points))
    sheet.labels(None, None, "set: response times against the rate")
