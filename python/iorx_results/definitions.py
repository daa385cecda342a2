"""The definition of each number of a report, in one line; doc/measurement.md has the whole of it."""

# (name of the anchor, term, formula, what to know about it)
DEFINITIONS = [
    ("total", "Total rate", "bytes / total",
     "All bytes of all tasks, divided by the time from the first task that began to the last that closed. "
     "IOR calls it bw."),
    ("metadata", "Rate of a metadata phase", "operations / total",
     "Operations that succeeded, in a find the entries visited, divided by the time from the first task that began "
     "to the last operation; with -Y to the end of the sync."),
    ("load", "Rate of a load", "operations / measured window",
     "Operations of the measured window only, without warm-up and cool-down. The phase that lays out the files of a load "
     "is no part of it."),
    ("operations", "Operations per second", "operations / total",
     "Completed operations are counted, not derived from sizes. The time is that of the rate in bytes."),
    ("median", "interval of the median", "x(l) … x(u), P(l ≤ B ≤ u − 1) ≥ 95 %, B ~ Bin(n, ½)",
     "Exact, from order statistics; needs 6 repetitions."),
    ("service", "service time", "end of a call − its begin",
     "The duration of one call of the storage interface, as its caller sees it. Percentiles are from a histogram whose "
     "buckets are at most 1/128 wide."),
    ("response", "response time", "end of an operation − the moment at which it was due",
     "Only with a rate, where operations are due whether or not the one before is done. It holds the time that an "
     "operation waited, so it shows stalls that service times do not."),
    ("lateness", "lateness", "issue of an operation − the moment at which it was due",
     "Only with a rate. Operations are late where iorx wakes late, and where all earlier operations of a task keep it busy. The "
     "drift is the median of the slopes between all pairs of slices of time; a load that keeps its schedule has none."),
    ("percentile", "percentile", "the least time that a share q of all operations did not exceed",
     "Shown from ln(0.025) / ln(q) operations on; with fewer, n< and the number that is needed."),
    ("transfer", "Transfer rate", "bytes / (first issue … last completion)",
     "Without open, close and the sync at the end."),
    ("durable", "Durable rate", "bytes / (first issue … last sync)",
     "Only for writes that every task synced."),
    ("straggler", "Straggler loss", "1 − total rate / sum of the tasks' rates",
     "The share that is lost because tasks do not start and end together. Metadata phases leave out the sync (-Y) "
     "behind them. A single task loses nothing."),
    ("skew", "Straggler loss without skew", "1 − (amount / slowest task's time) / sum of the tasks' rates",
     "The straggler loss if all tasks had begun at the same moment: only because some tasks take longer."),
    ("imbalance", "Imbalance", "slowest task's time / mean task's time", ""),
    ("tail", "Tail share", "(last close − first close) / total",
     "The share of the time in which some tasks had already finished."),
]
