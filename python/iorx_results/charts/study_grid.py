"""The rates of a metadata study against its option: a panel for each kind of phase, one axis."""

from ..palette import of_phase
from .axes import rate_axis
from .study_axes import bars_words, draw_bars, ends, is_ordered, log_rate_axis, option_axis, positions

COLUMNS, ROW, ROOM = 4, 130, 90  # pixels of a row of panels, and of what stands around them
WIDE_SPREAD = 20  # of the rates, from which on the axis is a log one
WIDTH = "wide"


def applies(study):
    """Of one option, and of phases that count operations, but for loads."""
    return len(study.varied) == 1 and len(lines(study)) > 2


def lines(study):
    return [line for line in study.lines if not line.is_part and not line.points[0].kind.is_load
            and all(phase.counts_operations for point in line.points for phase in point.kind.complete)]


def caption(study):
    bars = bars_words([point for line in lines(study) for point in line.points])
    scale = " on a log axis" if is_wide(study) else ""
    return (f"Median rates of each kind of phase against {study.varied[0]}, in op/s{scale}; all panels have the same axis."
            + (f" {bars[0].upper()}{bars[1:]}." if bars else ""))


def reach(study):
    found = [ends(point) for line in lines(study) for point in line.points]
    return min(low for low, _ in found), max(high for _, high in found)


def is_wide(study):
    low, high = reach(study)
    return 0 < WIDE_SPREAD * low < high


def height(study):
    return ROOM + ROW * -(-len(lines(study)) // COLUMNS)


def draw(sheet, study):
    shown, (low, high) = lines(study), reach(study)
    sheet.labels(None, None, f"rate of each kind of phase against {study.varied[0]}")
    columns = COLUMNS if sheet.pixels()[0] > 380 else 2
    for index, (part, line) in enumerate(zip(sheet.panels(len(shown), columns), shown)):
        colour, places = sheet.colour(of_phase(line.name)), positions(study)
        x = [places[point.values[0]] for point in line.points]
        draw_bars(part.axes, x, line.points, colour, alpha=.45)
        part.axes.plot(x, [point.kind.median for point in line.points], color=colour, marker="o", markersize=4,
                       linewidth=1.2 if is_ordered(study) else 0)
        option_axis(part, study)
        named = index % columns == 0
        if is_wide(study):
            log_rate_axis(part, low / 2, high * 2, line.quantity, named)
        else:
            rate_axis(part, high, line.quantity, named=named)
        if index < len(shown) - columns:
            part.axes.set_xticklabels([])
        else:
            part.axes.set_xlabel(study.varied[0], fontsize="small")
        part.axes.tick_params(labelsize="small")
        part.axes.annotate(line.name, (0, 1), xycoords="axes fraction", xytext=(0, 3), textcoords="offset points",
                           ha="left", va="bottom", fontsize="small", color=sheet.colour("ink"))
