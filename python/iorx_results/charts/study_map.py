"""The median rates of two varied options: a cell for each pair of values, with its interval."""

import numpy

from .. import units, words
from ..figure import plain
from ..palette import HEAT, of_phase
from .study_axes import positions

LEFT = 92
MOST_LABELS = 9
MOST_COLUMNS, MOST_ROWS = 6, 6  # whose cells have room for a number, and for a second line


def applies(line):
    return len(line.study.varied) == 2


def caption(line):
    study, best = line.study, max(line.points, key=lambda point: point.kind.median)
    at = " and ".join(f"{name} = {study.text(axis, best.values[axis])}"
                      for axis, name in enumerate(study.varied))
    columns, rows = (len(ordered(line, axis)) for axis in (0, 1))
    half = " ± is half the width of the 95 % interval, as a share of the median." \
        if has_halves(columns, rows) and any(point.kind.interval for point in line.points) else ""
    empty = " Empty cells were not measured." if len(line.points) < columns * rows else ""
    return words.Rated(f"Median rates of {line.name}: full colour is the highest, {{0}} at "
                       f"{words.braces(at)}.{half}{empty}", [best.kind.median], line.quantity)


def has_halves(columns, rows):
    return columns <= MOST_COLUMNS and rows <= MOST_ROWS


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
        if len(columns) <= MOST_COLUMNS:
            put_number(sheet, line, point, place, has_halves(len(columns), len(rows)))
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


def put_number(sheet, line, point, place, with_half):
    """The rate in its cell, in a page in each unit, and below it half of its interval."""
    units_shown = line.quantity.units
    shown = range(len(units_shown)) if sheet.style.unit is None else \
        [min(sheet.style.unit, len(units_shown) - 1)]
    half = f"± {units.percent(point.kind.half_width)}" if with_half and point.kind.interval else ""
    for unit in shown:
        number = units.number(point.kind.median / units_shown[unit][1], 3)
        text = put_line(sheet, place, number, 1 if half else 0)
        if sheet.style.unit is None and len(units_shown) > 1:
            text.set_gid(f"unit{unit}-cell-{place[0]}-{place[1]}")
    if half:
        put_line(sheet, place, half, -1)


def put_line(sheet, place, text, side):
    """A line in a cell: above its middle, on it or below it."""
    return sheet.axes.annotate(text, place[::-1], xytext=(0, 2 * side), textcoords="offset points", ha="center",
                               va=("top", "center", "bottom")[side + 1], fontsize="small",
                               color=sheet.colour("ink"))
