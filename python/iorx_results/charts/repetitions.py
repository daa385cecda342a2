"""The rate of each repetition, the median and its interval; warm-ups are hollow."""

from .. import words
from ..palette import of_phase
from .axes import rate_axis


LEAST = 3  # dots: of one or two the table says as much


def applies(kind):
    return len(kind.rated) >= LEAST


def caption(kind):
    return words.rate_sentence(kind)


def draw(sheet, kind):
    axes, colour = sheet.axes, sheet.colour(of_phase(kind.name))
    phases = kind.rated
    if kind.interval:
        axes.axhspan(kind.interval[0], kind.interval[1], color=colour, alpha=0.16, linewidth=0)
    if kind.median is not None and len(kind.rates) > 1:
        axes.axhline(kind.median, color=colour, linewidth=1.4)
    for phase in phases:
        full = phase.counts
        marker = "o" if phase.status == "complete" else "X"
        axes.plot([phase.repetition], [phase.rate], marker=marker, color=colour,
                  markerfacecolor=colour if full else sheet.colour("surface"),
                  markersize=6.5 if len(phases) < 40 else 4, linestyle="none", clip_on=False)
    rate_axis(sheet, max(phase.rate for phase in phases), kind.quantity)
    numbers = [phase.repetition for phase in kind.phases]
    axes.set_xlim(min(numbers) - 0.6, max(numbers) + 0.6)
    axes.set_xticks(sorted(numbers)[::-(-len(numbers) // 10)])
    sheet.labels("repetition", None, f"{kind.name}: rate of each repetition")
