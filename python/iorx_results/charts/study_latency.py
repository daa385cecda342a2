"""Service times against the option that a study varies."""

from .. import units
from ..palette import of_phase
from . import study_family
from .axes import log_time_axis
from .study_axes import option_axis, positions

LINES = (("p50", "-", "o"), ("p99", (0, (4, 1.5)), "s"), ("max", (0, (1, 1.5)), "^"))


def applies(line):
    if len(line.study.varied) == 1:
        return bool(values(line, "max"))
    return study_family.applies(line) and all(study_family.latency_rows(study_family.family(line))[1])


def values(line, name):
    """[(value of the option, ns)] of what is known."""
    found = [(p.values[0], p.operation.max_ns if name == "max" else p.operation.percentiles.get(name))
             for p in line.points if p.operation]
    return [(value, ns) for value, ns in found if ns]


def caption_two(line):
    name, _ = study_family.latency_rows(study_family.family(line))
    return study_family.caption(f"Service time ({name})", line)


def caption_one(line):
    study, ends = line.study, values(line, "p50") or values(line, "max")
    name = "p50" if values(line, "p50") else "max"
    first, last = (f"{units.time_ns(ns)} at {study.text(0, value)}" for value, ns in (ends[0], ends[-1]))
    course = f"goes from {first} to {last}" if len(ends) > 1 else f"is {first}, the only one known"
    return (f"Service times of one operation of {line.name} against {study.varied[0]}: {name} "
            f"{course}. Percentiles are shown where enough operations completed.")


def draw_one(sheet, line):
    axes, places, seen = sheet.axes, positions(line.study), []
    for name, style, marker in LINES:
        found = values(line, name)
        if not found:
            continue
        seen += [ns for _, ns in found]
        axes.plot([places[value] for value, _ in found], [ns for _, ns in found], label=name,
                  color=sheet.colour("muted" if name == "max" else of_phase(line.name)),
                  linestyle=style, marker=marker, markersize=4.5, linewidth=1.4)
    option_axis(sheet, line.study)
    low, high = min(seen) * .7, max(seen) * 1.3
    log_time_axis(sheet, low, high * (high / low) ** .2, "y")  # room for the legend
    sheet.grid()
    sheet.legend()
    sheet.labels(line.study.varied[0], None, f"{line.name}: service times")


caption = study_family.either(caption_one, caption_two)
draw = study_family.either(draw_one, study_family.draw_latency)
