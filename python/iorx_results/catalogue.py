"""Which charts there are and to what they apply."""

from .charts import (curves, heatmap, latency, latency_time, possible, repetitions, sizes, study_curve, study_efficiency,
                     study_latency, study_map, study_rate, timeline)

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
# Of several results.
OVERLAY_CHARTS = {
    "curves": curves,
}


def of_test(test):
    """(name, chart, kind of phase) of all that can be drawn; charts of one sort stand together."""
    # the rates of the parts of a mix or a load are shares of its own
    return [(name, chart, kind) for name, chart in CHARTS.items()
            for kind in (test.kinds_and_parts if name == "latency" else test.kinds) if chart.applies(kind)]


def of_study(study):
    """(name, chart, line) of all that can be drawn of a study."""
    return [(name, chart, line) for name, chart in STUDY_CHARTS.items() for line in study.lines
            if (name == "study-latency" or not line.is_part) and study.is_curve == (name == "study-curve")
            and chart.applies(line)]
