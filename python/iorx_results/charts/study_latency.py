"""Response and service times against the option that a study varies: p99, and p50 thin."""

from .. import units
from ..palette import of_phase
from . import study_family
from .axes import log_time_axis
from .study_axes import is_ordered, option_axis, positions

# (percentile, width of its line, marker, its size)
LINES = (("p99", 1.8, "o", 5), ("p50", .7, "s", 3))


def applies(line):
    if len(line.study.varied) == 1:
        return bool(curves(line))
    return study_family.applies(line) and study_family.latency_rows(study_family.family(line)) is not None


def values(line, name, which="operation"):
    """[(value of the option, ns)] of what is known of the `operation` or the `response` of the points."""
    found = [(point.values[0], getattr(point.kind, which)) for point in line.points]
    return [(value, one.percentiles[name]) for value, one in found if one and one.percentiles.get(name)]


def caption_two(line):
    found = study_family.family(line)
    name, _ = study_family.latency_rows(found)
    return study_family.caption(f"{study_family.time_word(found).capitalize()} time ({name})", line)


def caption_one(line):
    study, which = line.study, "response" if line.has_response else "operation"
    name, ends = next((name, found) for name, *_ in LINES for found in [values(line, name, which)] if found)
    first, last = (f"{units.time_ns(ns)} at {study.text(0, value)}" for value, ns in (ends[0], ends[-1]))
    course = f"goes from {first} to {last}" if len(ends) > 1 else f"is {first}, the only one known"
    times = "Response times (from the moment at which each operation was due) and service times" \
        if line.has_response else "Service times"
    name = f"response {name}" if line.has_response else name
    return (f"{times} of one operation of {line.name} against {study.varied[0]}: {name} "
            f"{course}. Percentiles are shown where enough operations completed.")


def curves(line):
    """[(label, colour, look of LINES, [(value of the option, ns)])] that there are."""
    kinds = (("response ", "response", "accent"), ("service ", "operation", of_phase(line.name))) if line.has_response \
        else (("", "operation", of_phase(line.name)),)
    found = [(word + name, colour, look, values(line, name, which)) for word, which, colour in kinds for name, *look in LINES]
    return [curve for curve in found if curve[-1]]


def draw_one(sheet, line):
    axes, places, shown = sheet.axes, positions(line.study), curves(line)
    for label, colour, (width, marker, size), found in shown:
        axes.plot([places[value] for value, _ in found], [ns for _, ns in found], label=label,
                  color=sheet.colour(colour), marker=marker, markersize=size, linewidth=width if is_ordered(line.study) else 0)
    option_axis(sheet, line.study)
    seen = [ns for curve in shown for _, ns in curve[-1]]
    low, high = min(seen) * .7, max(seen) * 1.3
    log_time_axis(sheet, low, high * (high / low) ** (.35 if line.has_response else .2), "y")  # room for the legend
    sheet.grid()
    sheet.legend(2)
    sheet.labels(line.study.varied[0], None, f"{line.name}: " + (
        "response and service times" if line.has_response else "service times"))


caption = study_family.either(caption_one, caption_two)
draw = study_family.either(draw_one, study_family.draw_latency)
