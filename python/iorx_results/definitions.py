"""What each number of a report is, in one line; doc/measurement.md has the whole of it."""

# (name of the anchor, term, formula, what to know about it)
DEFINITIONS = [
    ("total", "Total rate", "bytes / total",
     "All bytes of all tasks by the time from the first task that began to the last that closed. "
     "IOR calls it bw."),
    ("names", "Rate of a metadata phase", "operations / total",
     "Operations that succeeded (of a find the entries it saw) by the time from the first task that began to the "
     "last operation of all, and with -Y to the end of the sync."),
    ("operations", "Operations per second", "operations / transfer time",
     "Completed operations are counted, not derived from sizes."),
    ("median", "interval of the median", "x(l) … x(u), P(l ≤ B ≤ u − 1) ≥ 95 %, B ~ Bin(n, ½)",
     "Exact, from order statistics; below 6 repetitions there is none."),
    ("service", "service time", "end of a call − its begin",
     "Of one call of the storage interface, seen from outside; percentiles are from a histogram whose "
     "buckets are at most 1/128 wide."),
    ("percentile", "percentile", "the least time that a share q of all operations did not exceed",
     "Given from ln(0.025) / ln(q) operations on; below that n< and the count it needs."),
    ("transfer", "Transfer rate", "bytes / (first issue … last completion)",
     "Without open, close and the sync at the end."),
    ("durable", "Durable rate", "bytes / (first issue … last sync)",
     "Of writes that every task synced."),
    ("straggler", "Straggler loss", "1 − total rate / sum of the tasks' rates",
     "What is lost because tasks do not start and end together; of metadata phases without a sync (-Y) "
     "behind them. Where one task worked there is none."),
    ("skew", "Straggler loss without skew", "1 − (amount / slowest task's time) / sum of the tasks' rates",
     "The same had all tasks begun at the same moment: what is lost only as some take longer."),
    ("imbalance", "Imbalance", "slowest task's time / mean task's time", ""),
    ("tail", "Tail share", "(last close − first close) / total",
     "The part in which not all tasks worked any more."),
]
