"""The rate against the option that a study varies, with intervals and a fit."""

from .. import scaling, units, words
from ..palette import of_phase
from . import study_family
from .axes import rate_axis
from .study_axes import bars_words, draw_bars, is_ordered, option_axis, positions, top_rate


def applies(line):
    return len(line.study.varied) == 1 or study_family.applies(line)


def caption_two(line):
    bars = bars_words(line.points)
    return study_family.caption(f"Median rate{line.by_whom}", line, f" {bars.capitalize()}." if bars else "")


def caption_one(line):
    option, study = line.study.varied[0], line.study
    best = max(line.points, key=lambda point: point.kind.median)
    bars = bars_words(line.points)
    text = (f"Median rate of {line.name}{line.by_whom} against {option}{bars and '; '}{bars}. The highest rate is {{0}} at "
            f"{words.braces(study.setting(0, best.values[0]))}.")
    if line.asked:
        text += " Dotted: the rate that was asked for."
    if line.scales:
        text += " " + fit_words(line)
    return words.Rated(text, [best.kind.median], line.quantity)


def fit_words(line):
    missing, fit = scaling.why_not(line.counts), line.fit
    if fit is None:
        return (missing or "no fit: the points do not follow the law").capitalize() + "."
    peak = f"the peak would be near {fit.peak:.0f} {line.study.varied[0]}" \
        if fit.peak <= 2 * max(line.counts) else "no peak up to twice the largest number measured"
    return (f"The curve is the Universal Scalability Law with its 95 % band: serial share "
            f"{within(fit.serial, fit.serial_interval)}, communication cost {within(fit.talk, fit.talk_interval)}; {peak}.")


def within(value, ends):
    return f"{units.percent(value)} ({units.percent(ends[0])} to {units.percent(ends[1])})"


def draw_one(sheet, line):
    axes, colour, study, fit = sheet.axes, sheet.colour(of_phase(line.name)), line.study, line.fit
    places = positions(study)
    x = [places[point.values[0]] for point in line.points]
    draw_bars(axes, x, line.points, colour, alpha=.45)
    axes.plot(x, [point.kind.median for point in line.points], color=colour, marker="o", markersize=5.5,
              linewidth=1.4 if is_ordered(study) and not fit else 0)
    option_axis(sheet, study)
    if fit:
        axes.fill_between(fit.counts, fit.low, fit.high, color=colour, alpha=.18, linewidth=0)
        axes.plot(fit.counts, fit.curve, color=colour, linewidth=1.4)
    if line.asked:
        axes.plot(x, line.asked, color=sheet.colour("muted"), linewidth=1.4, linestyle=(0, (1, 2)))
    rate_axis(sheet, max([top_rate(line), *(line.asked or [])]), line.quantity)
    sheet.labels(study.varied[0], None, f"{line.name}: achieved and asked rate" if line.asked
                 else f"{line.name}: rate against {study.varied[0]}")


def draw_two(sheet, line):
    found = study_family.family(line)
    rows = [[(point.values[0], point.kind.median) for point in one.points] for _, one in found.members]
    study_family.curves(sheet, line, found, rows, [[1] * len(row) for row in rows])
    rate_axis(sheet, 1.2 * top_rate(line), line.quantity)
    sheet.labels(found.study.varied[0], None, f"{line.name}: rate by {found.other}")


caption = study_family.either(caption_one, caption_two)
draw = study_family.either(draw_one, draw_two)
