"""Which charts there are and to which phases they apply."""

from .charts import heat, latency, latency_time, repetitions, timeline

# By the name that iorx-plot takes, in the order of a report.
CHARTS = {
    "repetitions": repetitions,
    "latency": latency,
    "timeline": timeline,
    "latency-time": latency_time,
    "heat": heat,
}


def of_test(test):
    """(chart, kind of phase) of all that can be drawn of a test; charts of one sort stand together."""
    return [(chart, kind) for chart in CHARTS.values() for kind in test.kinds if chart.applies(kind)]
