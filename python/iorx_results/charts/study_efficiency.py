"""The rate per task against the number of tasks, as a share of that of the fewest."""

from .. import units
from ..palette import of_phase
from . import study_family
from .study_axes import bars_words, draw_bars, ends, option_axis


def applies(line):
    return line.scales or study_family.scales(line)


def caption_two(line):
    return study_family.caption("Rate per task or node, relative to the smallest number of each curve,", line, more(line))


def caption_one(line):
    last = line.points[-1]
    return (f"Rate of {line.name} per {line.study.varied[0][:-1]}, relative to {line.study.varied[0]} = "
            f"{line.points[0].values[0]}: {units.percent(line.efficiency[-1])} at {last.values[0]}.{more(line)}")


def more(line):
    bars = bars_words(line.points)
    return (f" {bars[0].upper()}{bars[1:]}, of the rate alone." if bars else "") + " Dotted: ideal scaling."


def draw_one(sheet, line):
    axes, colour = sheet.axes, sheet.colour(of_phase(line.name))
    x, values = [point.values[0] for point in line.points], [100 * share for share in line.efficiency]
    draw_ideal(sheet)
    draw_bars(axes, x, line.points, colour, percent(line), alpha=.45)
    axes.plot(x, values, color=colour, marker="o", markersize=5.5, linewidth=1.4)
    option_axis(sheet, line.study)
    axes.set_ylim(0, 1.08 * max([102, *tops(line)]))
    sheet.grid()
    sheet.labels(line.study.varied[0], "% of the rate per task" if line.study.varied[0] == "tasks"
                 else "% of the rate per node", f"{line.name}: efficiency")


def draw_ideal(sheet):
    sheet.axes.axhline(100, color=sheet.colour("muted"), linewidth=1.1, linestyle=(0, (1, 2)))


def percent(line):
    """What turns the rate of each point of a line into its efficiency in percent."""
    return [100 * share / point.kind.median for point, share in zip(line.points, line.efficiency)]


def tops(line):
    return [factor * ends(point)[1] for point, factor in zip(line.points, percent(line))]


def draw_two(sheet, line):
    found = study_family.family(line)
    rows = [[(point.values[0], 100 * share) for point, share in zip(one.points, one.efficiency)]
            for _, one in found.members]
    draw_ideal(sheet)
    study_family.curves(sheet, line, found, rows, [percent(one) for _, one in found.members])
    sheet.axes.set_ylim(0, 1.2 * max([100] + [top for _, one in found.members for top in tops(one)]))
    sheet.grid()
    sheet.labels(found.study.varied[0], f"% of the rate per {found.study.varied[0][:-1]}",
                 f"{line.name}: efficiency by {found.other}")


caption = study_family.either(caption_one, caption_two)
draw = study_family.either(draw_one, draw_two)
