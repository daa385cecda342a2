"""The rate per task against the number of tasks, as a share of that of the fewest."""

from .. import units
from ..palette import of_phase
from . import study_family
from .study_axes import option_axis


def applies(line):
    return line.scales or study_family.scales(line)


def caption_two(line):
    return study_family.caption("Rate per task or node, relative to the smallest number of each curve,", line)


def caption_one(line):
    last = line.points[-1]
    return (f"Rate of {line.name} per {line.study.varied[0][:-1]}, relative to {line.study.varied[0]} = "
            f"{line.points[0].values[0]}: {units.percent(line.efficiency[-1])} at {last.values[0]}.")


def draw_one(sheet, line):
    axes, colour = sheet.axes, sheet.colour(of_phase(line.name))
    values = [100 * share for share in line.efficiency]
    axes.axhline(100, color=sheet.colour("muted"), linewidth=1.1, linestyle=(0, (1, 2)))
    axes.plot([point.values[0] for point in line.points], values, color=colour, marker="o",
              markersize=5.5, linewidth=1.4)
    option_axis(sheet, line.study)
    axes.set_ylim(0, max(110, 1.08 * max(values)))
    sheet.grid()
    sheet.labels(line.study.varied[0], "% of the rate per task" if line.study.varied[0] == "tasks"
                 else "% of the rate per node", f"{line.name}: efficiency")


caption = study_family.either(caption_one, caption_two)
draw = study_family.either(draw_one, study_family.draw_efficiency)
