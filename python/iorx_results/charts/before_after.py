"""The percentiles of A and B over each other: how the times of one kind of phase have changed."""

from dataclasses import dataclass

from ..model import joined
from ..palette import of_phase
from .latency import draw_curves, has_curve, marks_words


@dataclass
class Both:
    """The operations of one row of a comparison on both sides: response times where both have them."""
    name: str
    what: str
    operations: list


def of_row(row):
    """The Both of a row; None where too few operations support a curve."""
    for what, which in ("response", "response"), ("service", "operation"):
        found = [joined([one for test in tests for kind in test.kinds if kind.name == row.phase for one in [getattr(kind, which)] if one])
                 for tests in row.pair.tests]
        if all(one and has_curve(one) for one in found):
            return Both(row.name, what, found)
    return None


def caption(both):
    sides = "; ".join(f"{letter} {marks_words(one)}" for letter, one in zip("AB", both.operations))
    return f"Such a share of the operations of all complete repetitions took no longer: {sides}."


def draw(sheet, both):
    draw_curves(sheet, [(letter, colour, 1.6, one) for letter, colour, one in zip("AB", ("muted", of_phase(both.name.split(" ")[0])), both.operations)])
    sheet.labels("percentile of the operations", None, f"{both.name}: {both.what} times of A and B")
