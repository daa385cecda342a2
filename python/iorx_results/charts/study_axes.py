"""The axis of the option that a study varies, and rates on a log scale."""

import math
import textwrap

from matplotlib.ticker import NullLocator

from .. import units
from ..figure import plain


ONE_SCALE = 5  # phases whose rates differ by more have scales of their own: the slower one would be flat


def positions(study):
    """{value: place on the axis}: its own where values are numbers, else one after the other."""
    values = []
    for line in study.lines:
        values += [point.values[0] for point in line.points if point.values[0] not in values]
    if study.numeric(0):
        return {value: value for value in sorted(values)}
    return {value: index for index, value in enumerate(values)}


def is_ordered(study):
    """Whether the values of the first option are numbers, so that a line between them means something."""
    return study.numeric(0)


def top_rate(line):
    """The top of the one scale for the same phase in all studies of a grid, and for other phases that are not much slower."""
    tops = {}
    for study in line.study.grid or [line.study]:
        for other in study.lines:
            if other.quantity is line.quantity and other.is_part == line.is_part:
                tops[other.name] = max([tops.get(other.name, 0), *(ends(point)[1] for point in other.points)])
    own = tops.get(line.name) or max(ends(point)[1] for point in line.points)
    return max(top for top in [own, *tops.values()] if top <= ONE_SCALE * own)


def option_axis(sheet, study):
    axes, places = sheet.axes, positions(study)
    at = list(places.values())
    low, high = min(at), max(at)
    log = is_ordered(study) and low > 0 and (study.scales or high >= 8 * low)
    if log:
        axes.set_xscale("log", base=2)
        axes.set_xlim(low / 1.25, high * 1.25)
    else:
        room = 0.08 * (high - low) if is_ordered(study) else 0.5
        axes.set_xlim(low - (room or 1), high + (room or 1))
    ticks = thinned(places, log) if is_ordered(study) else list(places)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks([places[value] for value in ticks])
    put_values(sheet, [study.text(0, value) for value in ticks], not is_ordered(study))


def put_values(sheet, texts, are_words):
    """Labels of the values; words have as many lines as they need below their place."""
    room = max(4, int(sheet.pixels()[0] / max(1, len(texts)) / (.6 * sheet.style.font_size))) if are_words else 10
    lines = [textwrap.wrap(plain(text, 3 * room), room) or [""] for text in texts]
    sheet.axes.set_xticklabels(["\n".join(one[:3]) for one in lines])
    sheet.shrink(bottom=min(3, max(map(len, lines))) - 1)


def thinned(places, log):
    """Values whose labels have room beside each other."""
    scale = math.log if log else float
    at = {value: scale(place) for value, place in places.items()}
    room = (max(at.values()) - min(at.values())) / 7.5
    chosen = []
    for value, place in sorted(at.items(), key=lambda pair: pair[1]):
        if not chosen or place - at[chosen[-1]] >= room:
            chosen.append(value)
    return chosen


def ends(point):
    """(lower, upper) of the bar of a point: its interval, else its slowest and fastest repetition."""
    kind = point.kind
    return kind.interval[:2] if kind.interval else (min(kind.rates), max(kind.rates))


def draw_bars(axes, x, points, colour, factors=None, **how):
    """A bar for each point: thick for a 95 % interval, thin from the slowest to the fastest repetition; rates times `factors`."""
    for at, point, factor in zip(x, points, factors or [1] * len(points)):
        axes.plot([at, at], [factor * end for end in ends(point)], color=colour, linewidth=3.5 if point.kind.interval else 1.2,
                  solid_capstyle="butt", **how)


def bars_words(points):
    """What the bars of these points are; empty where each has one repetition."""
    thick = any(point.kind.interval for point in points)
    thin = any(not point.kind.interval and len(point.kind.rates) > 1 for point in points)
    spread = "from the slowest to the fastest repetition, too few for an interval"
    if thick and thin:
        return f"thick bars are 95 % intervals of the median, thin bars reach {spread}"
    if thick:
        return "bars are 95 % intervals of the median"
    return f"thin bars reach {spread}" if thin else ""


def log_rate_axis(sheet, low, high, quantity, named=True):
    """A log axis of rates that have one unit, with its name and numbers if `named`."""
    axes, (name, one) = sheet.axes, quantity.units[0]
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    axes.yaxis.set_minor_locator(NullLocator())
    values = log_ticks(low / one, high / one)
    axes.set_yticks([value * one for value in values])
    axes.set_yticklabels(units.ticks(values or [0]) if named else [])
    sheet.grid()
    if named:
        sheet.unit(name)


def log_ticks(low, high):
    factors = (1, 2, 5) if high / low < 200 else (1,)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [f * 10.0 ** p for p in powers for f in factors if low <= f * 10.0 ** p <= high]
