"""The charts, and the data to which each applies."""

from .charts import (curves, heatmap, latency, latency_time, repetitions, set_copies, set_curve, set_slowdown, sizes, study_curve,
                     study_efficiency, study_grid, study_latency, study_map, study_rate, times, timeline)

# By the name that iorx-plot takes, in the order of a report. Of a test: one chart of all its phases, or of some.
TEST_CHARTS = {
    "times": times,
    "latency": latency,
}
# Of one kind of phase of a test.
PHASE_CHARTS = {
    "repetitions": repetitions,
    "timeline": timeline,
    "latency-time": latency_time,
    "heatmap": heatmap,
    "sizes": sizes,
}
CHARTS = dict(TEST_CHARTS, **PHASE_CHARTS)
# Of one kind of phase of a study.
STUDY_CHARTS = {
    "study-curve": study_curve,
    "study-map": study_map,
    "study-grid": study_grid,
    "study-rate": study_rate,
    "study-efficiency": study_efficiency,
    "study-latency": study_latency,
}
# Of all loads of a set together.
SET_CHARTS = {
    "set-curve": set_curve,
    "set-copies": set_copies,
    "set-slowdown": set_slowdown,
}
# Of several results.
OVERLAY_CHARTS = {
    "curves": curves,
}


def of_test(test):
    """(name, chart, what it draws) of all that can be drawn; charts of one sort stand together."""
    return [(name, chart, one) for name, chart in TEST_CHARTS.items() for one in chart.of_test(test)] + \
        [(name, chart, kind) for name, chart in PHASE_CHARTS.items() for kind in test.kinds if chart.applies(kind)]


def names(data):
    """The names of the phases that a chart draws."""
    return getattr(data, "names", None) or [data.name]


def of_ladder(ladder):
    """(name, chart) of all that can be drawn of the points of a set."""
    return [(name, chart) for name, chart in SET_CHARTS.items() if chart is not set_slowdown and chart.applies(ladder)]


def of_study(study):
    """(name, chart, line) of all that can be drawn of a study; of many metadata phases one grid in the place of their lines."""
    if study_grid.applies(study):
        return [("study-grid", study_grid, study)]
    # a set has a study for each member, whose operations are in its tables
    return [(name, chart, line) for name, chart in STUDY_CHARTS.items() if chart is not study_grid for line in study.lines
            if (name == "study-latency" and not study.member or not line.is_part) and study.is_curve == (name == "study-curve")
            and chart.applies(line)]
