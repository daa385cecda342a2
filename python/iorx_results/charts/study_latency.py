"""Service times, and with a rate response times, against the option that a study varies."""

from .. import units
from ..palette import of_phase
from . import study_family
from .axes import log_time_axis
from .study_axes import option_axis, positions

DASHES = (0, (4, 1.5))
LINES = (("p50", "-", "o"), ("p99", DASHES, "s"), ("max", (0, (1, 1.5)), "^"))


def applies(line):
    if len(line.study.varied) == 1:
        return bool(curves(line))
    return study_family.applies(line) and all(study_family.latency_rows(study_family.family(line))[1])


def values(line, name, which="operation"):
    """[(value of the option, ns)] of what is known of the `operation` or the `response` of the points."""
    found = [(point.values[0], getattr(point.kind, which)) for point in line.points]
    found = [(value, one.max_ns if name == "max" else one.percentiles.get(name)) for value, one in found if one]
    return [(value, ns) for value, ns in found if ns]


def caption_two(line):
    found = study_family.family(line)
    name, _ = study_family.latency_rows(found)
    return study_family.caption(f"{study_family.time_word(found).capitalize()} time ({name})", line)


def caption_one(line):
    study, which, names = line.study, "operation", ("p50", "max")
    if line.has_response:
        which, names = "response", ("p99", "p50", "max")
    name = next(name for name in names if values(line, name, which))
    ends = values(line, name, which)
    first, last = (f"{units.time_ns(ns)} at {study.text(0, value)}" for value, ns in (ends[0], ends[-1]))
    course = f"goes from {first} to {last}" if len(ends) > 1 else f"is {first}, the only one known"
    times = "Response times (from the moment at which each operation was due) and service times" \
        if line.has_response else "Service times"
    name = f"response {name}" if line.has_response else name
    return (f"{times} of one operation of {line.name} against {study.varied[0]}: {name} "
            f"{course}. Percentiles are shown where enough operations completed.")


def curves(line):
    """[(label, colour, style, marker, [(value of the option, ns)])] that there are."""
    colour = of_phase(line.name)
    if line.has_response:
        found = [(f"{word} {name}", one, style, marker, values(line, name, which))
                 for word, which, one in (("response", "response", "accent"), ("service", "operation", colour))
                 for name, style, marker in LINES[:2]]
    else:
        found = [(name, "muted" if name == "max" else colour, style, marker, values(line, name))
                 for name, style, marker in LINES]
    return [curve for curve in found if curve[-1]]


def draw_one(sheet, line):
    axes, places, shown = sheet.axes, positions(line.study), curves(line)
    for label, colour, style, marker, found in shown:
        axes.plot([places[value] for value, _ in found], [ns for _, ns in found], label=label,
                  color=sheet.colour(colour), linestyle=style, marker=marker, markersize=4.5, linewidth=1.4)
    option_axis(sheet, line.study)
    seen = [ns for curve in shown for _, ns in curve[-1]]
    low, high = min(seen) * .7, max(seen) * 1.3
    log_time_axis(sheet, low, high * (high / low) ** (.35 if line.has_response else .2), "y")  # room for the legend
    sheet.grid()
    sheet.legend(2 if line.has_response else 3)
    sheet.labels(line.study.varied[0], None, f"{line.name}: " + (
        "response and service times" if line.has_response else "service times"))


caption = study_family.either(caption_one, caption_two)
draw = study_family.either(draw_one, study_family.draw_latency)
