"""The median rates of two varied options: a cell for each pair of values."""

import numpy

from .. import units, words
from ..figure import plain
from ..palette import HEAT, of_phase
from .study_axes import positions

LEFT = 92
MOST_LABELS = 9


def applies(line):
    return len(line.study.varied) == 2


def caption(line):
    study, best = line.study, max(line.points, key=lambda point: point.kind.median)
    at = " and ".join(f"{name} = {study.text(axis, best.values[axis])}"
                      for axis, name in enumerate(study.varied))
    return words.Rated(f"Median rates of {line.name}: full colour is the most, {{0}} at "
                       f"{words.braces(at)}; empty cells were not measured.",
                       [best.kind.median], line.quantity)


def ordered(line, axis):
    from ..study import order
    return sorted({point.values[axis] for point in line.points}, key=order)


def draw(sheet, line):
    axes, study = sheet.axes, line.study
    columns, rows = ordered(line, 0), ordered(line, 1)
    top = max(point.kind.median for point in line.points)
    picture = numpy.zeros((len(rows), len(columns), 4), dtype=numpy.uint8)
    picture[..., :3] = HEAT[of_phase(line.name)]
    for point in line.points:
        place = rows.index(point.values[1]), columns.index(point.values[0])
        picture[place + (3,)] = int(25 + 150 * point.kind.median / top)
        put_number(sheet, line, point, place, len(columns))
    axes.imshow(picture, aspect="auto", interpolation="nearest", origin="lower")
    for axis, values in ((0, columns), (1, rows)):
        chosen = range(0, len(values), -(-len(values) // MOST_LABELS))
        (axes.set_xticks if axis == 0 else axes.set_yticks)(list(chosen))
        (axes.set_xticklabels if axis == 0 else axes.set_yticklabels)(
            [plain(study.text(axis, values[i]), 9) for i in chosen])
    axes.tick_params(labelsize="small")
    sheet.labels(study.varied[0], None, f"{line.name}: median{unit_words(sheet, line)} against both")
    axes.annotate(plain(study.varied[1], 24), (0, .5), xycoords="axes fraction", rotation=90,
                  xytext=(4 - sheet.left, 0), textcoords="offset points", ha="left", va="center",
                  color=sheet.colour("ink"))


def unit_words(sheet, line):
    """The unit, where the picture has one for good; in a page the caption follows what is chosen."""
    shown = line.quantity.units
    if sheet.style.unit is None and len(shown) > 1:
        return ""
    return f" in {shown[min(sheet.style.unit or 0, len(shown) - 1)][0]}"


def put_number(sheet, line, point, place, columns):
    """The rate in its cell, where it has room; the unit is the first that is shown, in a page each."""
    if columns > 6:
        return
    units_shown = line.quantity.units
    shown = range(len(units_shown)) if sheet.style.unit is None else \
        [min(sheet.style.unit, len(units_shown) - 1)]
    for unit in shown:
        text = sheet.axes.text(place[1], place[0], units.number(point.kind.median / units_shown[unit][1], 3),
                               ha="center", va="center", fontsize="small", color=sheet.colour("ink"))
        if sheet.style.unit is None and len(units_shown) > 1:
            text.set_gid(f"unit{unit}-cell-{place[0]}-{place[1]}")
