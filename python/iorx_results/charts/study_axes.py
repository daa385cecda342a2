"""The axis of the option that a study varies, and rates on a log scale."""

import math

from matplotlib.ticker import NullLocator

from .. import units
from ..figure import plain
from .axes import shown_units


def positions(study):
    """{value: place on the axis}: its own where values are numbers, else one after the other."""
    values = []
    for line in study.lines:
        values += [point.values[0] for point in line.points if point.values[0] not in values]
    if study.numeric(0):
        return {value: value for value in sorted(values)}
    return {value: index for index, value in enumerate(values)}


def option_axis(sheet, study):
    axes, places = sheet.axes, positions(study)
    at = list(places.values())
    low, high = min(at), max(at)
    log = study.numeric(0) and low > 0 and (study.scales or high >= 8 * low)
    if log:
        axes.set_xscale("log", base=2)
        axes.set_xlim(low / 1.25, high * 1.25)
    else:
        room = 0.08 * (high - low) if study.numeric(0) else 0.5
        axes.set_xlim(low - (room or 1), high + (room or 1))
    ticks = thinned(places, log)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks([places[value] for value in ticks])
    axes.set_xticklabels([plain(study.text(0, value), 10) for value in ticks])


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


def draw_bars(axes, x, points, colour, **how):
    """A bar for each point: thick for a 95 % interval, thin from the slowest to the fastest repetition."""
    for at, point in zip(x, points):
        axes.plot([at, at], ends(point), color=colour, linewidth=3.5 if point.kind.interval else 1.2,
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


def log_rate_axis(sheet, low, high, quantity):
    """A log axis of rates; in a page the ticks of each unit are a group of their own."""
    axes = sheet.axes
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_yticks([])
    for unit in shown_units(sheet, quantity):
        name, one = quantity.units[unit]
        artists = [axes.annotate(name, (0, .5), xycoords="axes fraction", xytext=(4 - sheet.left, 0),
                                 textcoords="offset points", rotation=90, ha="left", va="center")]
        values = log_ticks(low / one, high / one)
        for value, text in zip(values, units.ticks(values or [0])):
            artists.append(axes.axhline(value * one, color=sheet.colour("grid"), linewidth=.8, zorder=.5))
            artists.append(axes.annotate(
                text, (0, value * one), xycoords=axes.get_yaxis_transform(),
                xytext=(-5, 0), textcoords="offset points", ha="right", va="center"))
        for index, artist in enumerate(artists):
            if hasattr(artist, "get_text"):
                artist.set_color(sheet.colour("ink"))
            if sheet.style.unit is None and len(quantity.units) > 1:
                artist.set_gid(f"unit{unit}-{index}")


def log_ticks(low, high):
    factors = (1, 2, 5) if high / low < 200 else (1,)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [f * 10.0 ** p for p in powers for f in factors if low <= f * 10.0 ** p <= high]
