"""The rate against the option that a study varies, with intervals, an ideal and a fit."""

from .. import scaling, units, words
from ..palette import of_phase
from . import study_family
from .axes import rate_axis
from .study_axes import bars_words, draw_bars, ends, log_rate_axis, option_axis, positions


def applies(line):
    return len(line.study.varied) == 1 or study_family.applies(line)


def caption_two(line):
    bars = bars_words(line.points)
    return study_family.caption(f"Median rate{line.by_whom}", line, (f" {bars.capitalize()}." if bars else "")
                                + (" Dotted: ideal scaling from the smallest number on."
                                   if study_family.scales(line) else ""))


def caption_one(line):
    option, study = line.study.varied[0], line.study
    best = max(line.points, key=lambda point: point.kind.median)
    bars = bars_words(line.points)
    text = (f"Median rate of {line.name}{line.by_whom} against {option}{bars and '; '}{bars}. The highest rate is {{0}} at "
            f"{option} = {words.braces(study.text(0, best.values[0]))}.")
    if line.asked:
        text += " Dotted: the rate that was asked for."
    if line.scales:
        text += " Dotted: ideal scaling from the smallest number on. " + fit_words(line)
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
    axes, colour, study = sheet.axes, sheet.colour(of_phase(line.name)), line.study
    places = positions(study)
    x = [places[point.values[0]] for point in line.points]
    y = [point.kind.median for point in line.points]
    draw_bars(axes, x, line.points, colour, alpha=.45)
    axes.plot(x, y, color=colour, marker="o", markersize=5.5, linewidth=0 if line.fit else 1.4,
              linestyle="none" if line.fit else "-")
    option_axis(sheet, study)
    if line.scales:
        scaled(sheet, line, x, y, colour)
    else:
        if line.asked:
            axes.plot(x, line.asked, color=sheet.colour("muted"), linewidth=1.4, linestyle=(0, (1, 2)))
        rate_axis(sheet, max([ends(point)[1] for point in line.points] + (line.asked or [])), line.quantity)
    sheet.labels(study.varied[0], None, f"{line.name}: achieved and asked rate" if line.asked
                 else f"{line.name}: rate against {study.varied[0]}")


def scaled(sheet, line, x, y, colour):
    """With an ideal, on log axes, where it is a straight line."""
    axes, fit = sheet.axes, line.fit
    ideal = [y[0] / x[0] * at for at in x]
    axes.plot(x, ideal, color=sheet.colour("muted"), linewidth=1.1, linestyle=(0, (1, 2)))
    if fit:
        axes.fill_between(fit.counts, fit.low, fit.high, color=colour, alpha=.18, linewidth=0)
        axes.plot(fit.counts, fit.curve, color=colour, linewidth=1.4)
    bars = [ends(point) for point in line.points]
    low, high = min(low for low, _ in bars), max(high for _, high in bars)
    log_rate_axis(sheet, low / 1.4, max(max(ideal), high) * 1.4, line.quantity)


caption = study_family.either(caption_one, caption_two)
draw = study_family.either(draw_one, study_family.draw_rate)
