"""
The rates of one test over many results, its levels as lines, and where the level
changes.
"""

import datetime

from matplotlib import dates

from ..palette import of_phase
from .axes import rate_axis

MOST_MARKERS = 200


def moment(began):
    """A date of a result as matplotlib's number."""
    return dates.date2num(datetime.datetime.fromisoformat(began[:19]))


def draw(sheet, line):
    axes, colour = sheet.axes, sheet.colour(of_phase(line.phase))
    at, rates = [moment(row.began)
                 for row in line.rows], [row.rate for row in line.rows]
    many = len(at) > MOST_MARKERS
    axes.plot(at,
              rates,
              color=colour,
              linewidth=0.8,
              alpha=0.55,
              marker=None if many else "o",
              markersize=3.5)
    for first, end, median in line.levels:
        axes.plot([at[first], at[end - 1]], [median, median],
                  color=sheet.colour("ink"),
                  linewidth=1.6)
    for number, change in enumerate(line.changes, 1):
        place = (at[change.at - 1] + at[change.at]) / 2
        axes.axvline(place, color=sheet.colour("accent"), linewidth=1.2, linestyle="--")
        axes.annotate(str(number), (place, 1),
                      xycoords=("data", "axes fraction"),
                      xytext=(3, -2),
                      textcoords="offset points",
                      va="top",
                      color=sheet.colour("ink"))
    rate_axis(sheet, 1.06 * max(rates), line.quantity)
    date_axis(axes, at)
    sheet.labels(None, None, line.phase)


def date_axis(axes, at):
    low, high = min(at), max(at)
    room = 0.02 * (high - low) or 1
    axes.set_xlim(low - room, high + room)
    ticks = dates.AutoDateLocator(minticks=2,
                                  maxticks=4).tick_values(dates.num2date(low),
                                                          dates.num2date(high))
    ticks = [tick for tick in ticks if low <= tick <= high] or [low]
    shown = "%Y-%m-%d" if high - low > 4 else "%m-%d %H:%M"
    axes.set_xticks(ticks)
    axes.set_xticklabels([dates.num2date(tick).strftime(shown) for tick in ticks])
