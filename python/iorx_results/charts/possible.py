"""The rate of a phase beside the limits that were given, on a log scale."""

from matplotlib.ticker import NullLocator

from .. import limits, units
from ..palette import of_phase
from ..words import Rated
from .axes import shown_units
from .study_axes import log_ticks


def applies(kind):
    return limits.nearest(kind) is not None


def caption(kind):
    phase = limits.nearest(kind)
    repetition = f" Repetition {phase.repetition}, the nearest to its limits." if len(kind.phases) > 1 else ""
    text, rates = limits.sentence(phase)
    return Rated(text + repetition, rates, units.BYTES)


def draw(sheet, kind):
    axes, phase = sheet.axes, limits.nearest(kind)
    bounds = sorted(limits.of_phase(phase), key=lambda bound: bound.whole)
    rates = [phase.possible["bytes_per_s"], *(bound.whole for bound in bounds)]
    colours = [of_phase(kind.name)] + ["wait"] * len(bounds)
    least, most = min(rates) / 4, max(rates)
    axes.set_xscale("log")
    # a third of the axis stays free for the number behind the longest bar
    axes.set_xlim(least, least * (most / least) ** 1.5)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks([])
    axes.barh(range(len(rates)), [rate - least for rate in rates], 0.55, left=least,
              color=[sheet.colour(colour) for colour in colours])
    axes.set_ylim(len(rates) - 0.4, -0.6)
    axes.set_yticks(range(len(rates)))
    axes.set_yticklabels([kind.name, *(bound.name for bound in bounds)], fontsize="small")
    for unit in shown_units(sheet, units.BYTES):
        for index, artist in enumerate(texts(axes, rates, bounds, unit, sheet.bottom)):
            artist.set_color(sheet.colour("ink"))
            if sheet.style.unit is None:
                artist.set_gid(f"unit{unit}-{index}")
    sheet.labels(None, None, f"{kind.name}: what is possible")


def texts(axes, rates, bounds, unit, bottom):
    """The numbers in one unit: behind each bar, and below the axis."""
    name, one = units.BYTES.units[unit]
    said = [units.rate(rates[0], units.BYTES, unit)]
    said += [f"{bound.times}{units.rate(bound.each, units.BYTES, unit)}" for bound in bounds]
    for place, (value, text) in enumerate(zip(rates, said)):
        yield axes.text(value, place, f" {text}", va="center", ha="left")
    low, high = axes.get_xlim()
    ticks = log_ticks(low / one, high / one)
    for value, text in zip(ticks, units.ticks(ticks or [0])):
        yield axes.annotate(text, (value * one, 0), xycoords=axes.get_xaxis_transform(), xytext=(0, -5),
                            textcoords="offset points", ha="center", va="top")
    yield axes.annotate(f"{name}, log scale", (0.5, 0), xycoords="axes fraction", xytext=(0, 4 - bottom),
                        textcoords="offset points", ha="center", va="bottom")
