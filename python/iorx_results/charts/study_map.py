"""The median rates of two varied options: a cell for each pair of values, with its interval."""

import textwrap

import numpy

from .. import units, words
from ..figure import plain
from ..palette import HEAT, of_phase
from .axes import shown_units
from .study_axes import ends

LEFT = 92
MOST_LABELS = 9
MOST_COLUMNS = 6  # whose cells have room for a number
ACROSS, DOWN = 326, 198  # pixels of all cells of a map in a page
SIGN, LINE = 6, 13  # pixels of a sign and of a line in a cell


def applies(line):
    return len(line.study.varied) == 2


def caption(line):
    study, best = line.study, max(line.points, key=lambda point: point.kind.median)
    at = " and ".join(study.setting(axis, value) for axis, value in enumerate(best.values))
    columns, rows = (len(ordered(line, axis)) for axis in (0, 1))
    known = [ends_words(point) for point in line.points if len(point.kind.rates) > 1] if end_lines(line, columns, rows) else []
    below = f" Below each median: {' or '.join(dict.fromkeys(known))}." if known else ""
    empty = " Empty cells were not measured." if len(line.points) < columns * rows else ""
    return words.Rated(f"Median rates of {line.name}: full colour is the highest, {{0}} at "
                       f"{words.braces(at)}.{below}{empty}", [best.kind.median], line.quantity)


def end_lines(line, columns, rows):
    """In how many lines the ends of an interval fit below the number of a cell; 0 where they do not."""
    _, one = line.quantity.units[-1]
    signs = max(len(between(units.number(end / one, 3) for end in ends(point))) for point in line.points)
    lines = 1 if signs * SIGN < ACROSS / columns else 2
    return lines if columns <= MOST_COLUMNS and (1 + lines) * LINE < DOWN / rows else 0


def between(numbers):
    return " – ".join(numbers)


def ends_words(point):
    return "its 95 % interval" if point.kind.interval else "the slowest and the fastest repetition"


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
            put_number(sheet, line, point, place, end_lines(line, len(columns), len(rows)))
    axes.imshow(picture, aspect="auto", interpolation="nearest", origin="lower")
    for axis, values in ((0, columns), (1, rows)):
        chosen = range(0, len(values), -(-len(values) // MOST_LABELS))
        (axes.set_xticks if axis == 0 else axes.set_yticks)(list(chosen))
        (axes.set_xticklabels if axis == 0 else axes.set_yticklabels)(
            ["\n".join(textwrap.wrap(plain(study.text(axis, values[i]), 36), 12)) for i in chosen])
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


def put_number(sheet, line, point, place, lines):
    """The rate in its cell, in a page in each unit, and below it from where to where it is known, in so many lines."""
    units_shown = line.quantity.units
    known = lines and len(point.kind.rates) > 1
    for unit in shown_units(sheet, line.quantity):
        rates = [point.kind.median, *(ends(point) if known else ())]
        text, *numbers = (units.number(rate / units_shown[unit][1], 3) for rate in rates)
        if known:
            text += "\n" + (between(numbers) if lines == 1 else " –\n".join(numbers))
        text = sheet.axes.annotate(text, place[::-1], ha="center", va="center", fontsize="small", color=sheet.colour("ink"))
        if sheet.style.unit is None and len(units_shown) > 1:
            text.set_gid(f"unit{unit}-cell-{place[0]}-{place[1]}")
