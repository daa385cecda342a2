"""The charts, and the data to which each applies."""

from .charts import (curves, heatmap, latency, latency_time, possible, repetitions, set_copies, set_curve, sizes, study_curve,
                     study_efficiency, study_latency, study_map, study_rate, timeline)

# By the name that iorx-plot takes, in the order of a report: of one kind of phase of a test.
CHARTS = {
    "repetitions": repetitions,
    "possible": possible,
    "latency": latency,
    "timeline": timeline,
    "latency-time": latency_time,
    "heatmap": heatmap,
    "sizes": sizes,
}
# Of one kind of phase of a study.
STUDY_CHARTS = {
    "study-curve": study_curve,
    "study-rate": study_rate,
    "study-efficiency": study_efficiency,
    "study-latency": study_latency,
    "study-map": study_map,
}
# Of all loads of a set together.
SET_CHARTS = {
    "set-curve": set_curve,
    "set-copies": set_copies,
}
# Of several results.
OVERLAY_CHARTS = {
    "curves": curves,
}


def of_test(test):
    """(name, chart, kind of phase) of all that can be drawn; charts of one sort stand together."""
    # the rates of the parts of a mix or a load are shares of its own
    return [(name, chart, kind) for name, chart in CHARTS.items()
            for kind in (test.kinds_and_parts if name == "latency" else test.kinds) if chart.applies(kind)]


def of_ladder(ladder):
    """(name, chart) of all that can be drawn of the points of a set."""
    return [(name, chart) for name, chart in SET_CHARTS.items() if chart.applies(ladder)]


def of_study(study):
    """(name, chart, line) of all that can be drawn of a study."""
    # a set has a study for each member, whose operations are in its tables
    return [(name, chart, line) for name, chart in STUDY_CHARTS.items() for line in study.lines
            if (name == "study-latency" and not study.member or not line.is_part) and study.is_curve == (name == "study-curve")
            and chart.applies(line)]
