"""Axes that several charts share: rates in two units, times on a log scale."""

import math

from matplotlib.ticker import NullLocator

from .. import units
from ..figure import ticks_to

LEAST_SPAN = 1e-9


def shown_units(sheet, quantity):
    """The numbers of the units in which a chart has its rates; a page shows one of them at a time."""
    return range(len(quantity.units)) if sheet.style.unit is None else \
        [min(sheet.style.unit, len(quantity.units) - 1)]


def rate_axis(sheet, top, quantity, which="y", named=True):
    """A linear axis from 0 to top, with numbers if `named`; in a page the ticks of each unit are a group of their own."""
    axes, top = sheet.axes, max(top * 1.06, LEAST_SPAN)
    if which == "y":
        axes.set_ylim(0, top)
        axes.set_yticks([])
    else:
        axes.set_xlim(0, top)
        axes.set_xticks([])
    for unit in shown_units(sheet, quantity):
        group = f"unit{unit}" if sheet.style.unit is None and len(quantity.units) > 1 else None
        put_ticks(sheet, top, quantity.units[unit], group, which, named)


def put_ticks(sheet, top, unit, group, which, named):
    name, one = unit
    axes, count = sheet.axes, 0

    def mark(artist):
        nonlocal count
        count += 1
        if group:
            artist.set_gid(f"{group}-{count}")

    values = ticks_to(top / one)
    for value, text in zip(values, units.ticks(values)):
        at = value * one / top
        if which == "y":
            line = axes.axhline(value * one, color=sheet.colour("grid"), linewidth=0.8, zorder=0.5)
            label = axes.text(-0.015, at, text, transform=axes.transAxes, ha="right", va="center")
        else:
            line = axes.axvline(value * one, color=sheet.colour("grid"), linewidth=0.8, zorder=0.5)
            label = axes.text(at, -0.03, text, transform=axes.transAxes, ha="center", va="top")
        label.set_color(sheet.colour("ink"))
        label.set_visible(named)
        mark(line)
        mark(label)
    if named:
        mark(sheet.unit(name, which == "x"))


def time_ticks(low, high):
    """[(ns, text)] at powers of ten; also at 2 and 5 where there are few."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1,) if high / low > 200 else (1, 2, 5)
    values = [f * 10 ** p for p in powers for f in factors]
    return [(v, units.time_ns(v)) for v in values if low <= v <= high]


def elapsed_axis(sheet, end_seconds):
    """The time since the phase began, from 0."""
    axes = sheet.axes
    axes.set_xlim(0, end_seconds)
    ticks = ticks_to(end_seconds)
    axes.set_xticks(ticks)
    labels = axes.set_xticklabels(units.time_ticks([t * 1e9 for t in ticks]))
    if ticks[-1] > .96 * end_seconds:
        labels[-1].set_horizontalalignment("right")  # a long one would stick out of the chart


def log_time_axis(sheet, low, high, which="x"):
    axes = sheet.axes
    if high < 10 * low:
        middle = math.sqrt(low * high)
        low, high = middle / math.sqrt(10), middle * math.sqrt(10)
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    (axes.set_xlim if which == "x" else axes.set_ylim)(low, high)
    ticks = time_ticks(low, high)
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_ticks([v for v, _ in ticks])
    axis.set_ticklabels([text for _, text in ticks])
    axis.set_minor_locator(NullLocator())
