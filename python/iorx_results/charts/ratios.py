"""Ratios with their intervals on a log axis around 1; of a comparison: B / A of each kind of phase."""

from dataclasses import dataclass

from matplotlib.ticker import NullLocator

from ..figure import plain
from ..palette import of_phase

MOST_SIGNS = 26  # of the name of a row


@dataclass
class Row:
    name: str
    colour: str  # of the palette
    ratio: float
    interval: tuple  # None: not known


def sign(text):
    return plain(text, MOST_SIGNS)


def name(comparison, row):
    return sign(f"{row.pair.short} {row.phase}" if comparison.are_many else row.phase)


def left(comparison):
    """Pixels for the names of rows."""
    return 20 + 7 * max(len(name(comparison, row)) for row in comparison.rows)


def caption(comparison):
    known = [row for row in comparison.rows if row.ratio and not row.is_ordered]
    ordered = [row.phase for row in comparison.rows if row.ratio and row.is_ordered]
    note = f" Ordered rates, which do not show speed: {', '.join(dict.fromkeys(ordered))}." if ordered else ""
    decided = sum(1 for row in known if row.ratio.seen != "undecided")
    runs = " as far as these two runs go" if any(row.ratio.runs for row in known) else ""
    options = dict.fromkeys(option for row in comparison.rows for option in row.pair.options)
    named = f" Rows are named by {', '.join(options)} and phase." if options else ""
    return (f"Rate of B divided by rate of A. Dots are Hodges-Lehmann estimates, hollow where no interval "
            f"exists; lines are 95 % intervals. The grey band means equal within "
            f"{100 * comparison.within:g} %. {decided} of {len(known)} rows are decided{runs}.{named}{note}")


def draw(sheet, comparison):
    draw_rows(sheet, [Row(name(comparison, row), of_phase(row.phase), row.ratio.ratio, row.ratio.interval)
                      for row in comparison.rows if row.ratio], comparison.within)
    sheet.labels("rate of B / rate of A", None, "B against A")


def draw_rows(sheet, rows, within=0):
    """within: how far from 1 a ratio is called equal; a grey band."""
    axes, ends = sheet.axes, [1.05, 1 + within]
    for index, row in enumerate(rows):
        colour, (low, high) = sheet.colour(row.colour), row.interval or (row.ratio, row.ratio)
        ends += [high, 1 / low, row.ratio, 1 / row.ratio]
        axes.plot([low, high], [index, index], color=colour, linewidth=2.5, alpha=.6)
        axes.plot([row.ratio], [index], marker="o", color=colour, markersize=7,
                  markerfacecolor=colour if row.interval else sheet.colour("surface"))
    reach = max(ends) ** 1.15
    axes.axvspan(1 / (1 + within), 1 + within, color=sheet.colour("wait"), alpha=.18, linewidth=0)
    axes.axvline(1, color=sheet.colour("muted"), linewidth=1)
    axes.set_xscale("log")
    axes.set_xlim(1 / reach, reach)
    ticks = ticks_around_one(reach)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(ticks)
    axes.set_xticklabels([f"{tick:.3g}" for tick in ticks])
    axes.set_ylim(len(rows) - .5, -.5)
    axes.set_yticks(range(len(rows)))
    axes.set_yticklabels([row.name for row in rows])
    sheet.grid("x")


def ticks_around_one(reach):
    for steps in ((1.02, 1.05), (1.05, 1.1), (1.1, 1.2), (1.25, 1.5), (1.5, 2), (2, 4), (10, 100)):
        if reach < steps[1] ** 1.6:
            break
    inside = [s for s in steps if s < reach]
    return sorted([1 / s for s in inside] + [1] + inside)
