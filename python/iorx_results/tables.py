"""The tables of a report as rows of cells."""

from . import units, words


class Cell:
    """What is shown, and the value that it is sorted by; a rate is shown in the chosen unit."""

    def __init__(self, text="", sort=None, rate=None, quantity=None, number=False, severity=None):
        self.text, self.rate, self.quantity, self.severity = text, rate, quantity, severity
        self.number = number or rate is not None or isinstance(sort, (int, float))
        self.sort = rate if rate is not None else text if sort is None else sort


class Table:
    """`heads` are (title, name of its definition or None)."""

    def __init__(self, name, heads, rows, caption):
        self.name, self.heads, self.rows, self.caption = name, heads, rows, caption


def of_time(value):
    return Cell(units.time_ns(value), value if value is not None else -1)


def of_seconds(value):
    return Cell(units.seconds(value), value if value is not None else -1)


def of_share(value):
    return Cell(units.percent(value), value if value is not None else -1)


def of_count(value):
    return Cell(units.whole(value), -1 if value is None else value)


def of_rate(value, quantity):
    return Cell(rate=value, quantity=quantity) if value is not None else Cell("-", -1)


def repetitions(test):
    """Load tests have their own table in load_tables."""
    if any(phase.metadata for phase in test.phases):
        return repetitions_of_names(test)
    heads = [*FIRST, ("rate", "total"), ("op/s", "operations"), *TIMES,
             ("open", None), ("transfer", "transfer"), ("sync", None), ("close", None), *LAST]
    rows = [[*first_cells(phase), of_rate(phase.rate, phase.quantity),
             Cell(units.number(phase.operations_rate), phase.operations_rate or -1), *times(phase.main),
             *(of_seconds(phase.intervals.get(f"{step}_s")) for step in ("open", "transfer", "sync", "close", "total")),
             *balance_cells(phase)] for phase in test.phases]
    return Table("repetitions", heads, rows, "Each phase of each repetition. Intervals overlap and need not add up.")


def repetitions_of_names(test):
    """Of metadata phases: there is nothing to open before the operations, and nothing to close behind them."""
    heads = [*FIRST, ("rate", "metadata"), *TIMES, ("done", None), ("failed", None), ("sync", None), *LAST]
    rows = [[*first_cells(phase), of_rate(phase.rate, phase.quantity), *times(phase.main), of_count(phase.done),
             of_count(phase.metadata.get("failed_operations")), of_seconds(phase.intervals.get("sync_s") or None),
             of_seconds(phase.intervals.get("total_s")), *balance_cells(phase)] for phase in test.phases]
    return Table("repetitions", heads, rows, "Each phase of each repetition. done counts the operations that succeeded, in "
                 "a find the entries visited. No rate counts failed operations.")


FIRST = [("phase", None), ("repetition", None), ("status", None)]
TIMES = [("p50", "percentile"), ("p99", "percentile"), ("max", "service")]
RESPONSE = [("response p50", "percentile"), ("response p99", "percentile"), ("response max", "response")]
LAST = [("total", "total"), ("imbalance", "imbalance"), ("straggler loss", "straggler"), ("without skew", "skew")]


def first_cells(phase):
    """A phase that must not be believed, or only with care, is marked."""
    marked = phase.severity if phase.severity in ("fail", "warn") else None
    return [Cell(phase.name, severity=marked), Cell(str(phase.repetition), phase.repetition),
            Cell(phase.status + (", warm-up" if phase.warmup else ""))]


def balance_cells(phase):
    if phase.working_tasks == 1:
        return [Cell("-", -1)] * 3
    imbalance = phase.balance.get("imbalance")
    return [Cell(units.number(imbalance), imbalance or -1), of_share(phase.balance.get("straggler_loss")),
            of_share(phase.balance.get("straggler_loss_without_skew"))]


def percentile(operation, name):
    if operation is None or name not in operation.percentiles:
        return Cell("-", -1)
    value = operation.percentiles.get(name)
    if value is None:
        from .statistics import needed_operations
        return Cell(f"n<{needed_operations(float(name[1:]) / 100)}", -1)
    return of_time(value)


def findings(test):
    """Verdicts, the worst first; those that are alike but for their repetition are one row."""
    order = ["fail", "warn", "note", "good"]
    groups = {}
    for verdict in test.verdicts:
        groups.setdefault((order.index(verdict.severity), verdict.id, verdict.where.split()[0]),
                          []).append(verdict)
    rows = []
    for key in sorted(groups):
        found = groups[key]
        where = found[0].where + (f" and {len(found) - 1} more" if len(found) > 1 else "")
        rows.append([Cell(found[0].severity, key[0], severity=found[0].severity), Cell(found[0].id),
                     Cell(where), Cell(found[0].meaning), Cell(found[0].remedy)])
    heads = [("verdict", None), ("rule", None), ("where", None), ("what it means", None),
             ("what to do", None)]
    return Table("verdicts", heads, rows, "Whether to believe the numbers.")


def worst(test):
    """The slowest operation of each kind and the slowest task of each phase, slowest first."""
    rows = []
    for phase in test.phases:
        slowest = phase.balance.get("slowest") or {}
        if slowest.get("time_s") is not None and phase.tasks.get("measured") != 1 and not phase.load:
            mean = phase.balance.get("mean_task_s")
            what = f"task, begin to {'end' if phase.counts_operations else 'close'}"
            rows.append(place(phase, what, slowest, slowest["time_s"] * 1e9,
                              None if not mean else slowest["time_s"] / mean))
        for group in ("nodes", "slots", "tasks"):
            for one in (phase.slow.get(group) or {}).get("slowest") or []:
                if one.get("slow"):
                    what = f"{who(one, group[:-1])}: slow, time per {phase.work}"
                    rows.append(place(phase, what, one, one["time_s"] * 1e9, one["ratio"]))
        means = phase.outliers.get("means_s") or {}
        for one in phase.outliers.get("named") or []:
            mean = means.get(one["step"])
            step = "operations" if one["step"] == "transfer" and phase.counts_operations else one["step"]
            rows.append(place(phase, f"task, {step}: outlier", one, one["time_s"] * 1e9,
                              one["time_s"] / mean if mean else None))
        for operation in service_times(phase):
            rows.append(place(phase, operation.name, operation.worst, operation.max_ns,
                              operation.max_ns / operation.mean_ns if operation.mean_ns else None))
    rows.sort(key=lambda row: -row[3].sort)
    heads = [("phase", None), ("repetition", None), ("what", None), ("took", "service"),
             ("times the others", None), ("task", None), ("node", None), ("at", None)]
    return Table("slowest", heads, rows[:12],
                 "The longest times: of the slowest task of each phase, and of the slowest operation of each kind.")


def service_times(phase):
    """The operations of each kind; not those of all kinds together, nor the response times."""
    return [operation for operation in phase.services if not operation.name.endswith("_recorded")
            and not (operation is phase.main and phase.parts)]


def tasks(test):
    """How busy the tasks of each phase were, and how far the p99 of single tasks lie apart."""
    heads = [("phase", None), ("repetition", None), ("tasks", None), ("idle", None), ("in flight", None),
             ("busy", None), ("accounted", None), ("least p99", "percentile"), ("median p99", "percentile"),
             ("most p99", "percentile"), ("of task", None), ("node", None)]
    rows = [tasks_of(phase) for phase in test.phases
            if phase.concurrency or phase.task_p99 or phase.tasks.get("idle")]
    return Table("tasks", heads, rows, "Little's law: in flight is the rate times the mean service time. busy is in "
                 "flight divided by tasks and queue depth. accounted is the time in calls and for content, divided by "
                 "the tasks' transfer times; it must be 100 %. Each task has a p99 of its own from 368 operations on. "
                 "Idle tasks had no work.")


def tasks_of(phase):
    little, spread = phase.concurrency, phase.task_p99
    slowest = spread.get("slowest") or {}
    task = slowest.get("task")
    cells = [Cell(phase.name), Cell(str(phase.repetition), phase.repetition)]
    cells += [Cell(units.whole(count), -1 if count is None else count)
              for count in (phase.tasks.get("measured"), phase.tasks.get("idle"))]
    cells.append(Cell(units.number(little.get("in_flight"), 3), little.get("in_flight") or -1))
    cells += [of_share(little.get(name)) for name in ("busy_share", "accounted_share")]
    cells += [of_time(spread.get(name)) for name in ("min_ns", "median_ns", "max_ns")]
    return cells + [Cell("-" if task is None else str(task), -1 if task is None else task),
                    Cell(str(slowest.get("host") or slowest.get("node", "-")))]


def who(one, kind):
    """A task, node, slot or file that is called slow."""
    return f"{kind} {one.get('host') or one.get(kind, '')}" if kind == "node" else f"{kind} {one.get(kind, '')}"


def persistent(test):
    """Who was slow over the repetitions, and whether it is chance."""
    heads = [("phase", None), ("who", None), ("times the others", None), ("slow repetitions", None),
             ("flagged", None), ("p", None), ("verdict", None)]
    rows = [[Cell(name), Cell(who(one, one.get("kind", ""))),
             Cell(units.number(one.get("mean_ratio"), 3), one.get("mean_ratio") or -1),
             Cell(str(one.get("repetitions")), one.get("repetitions") or -1),
             Cell(str(one.get("flagged")), one.get("flagged") or 0),
             Cell(units.number(one.get("p"), 2), one.get("p") or 0),
             Cell("persistent: placement or hardware" if one.get("persistent") else
                  "sporadic: interference, or chance")] for name, one in test.slow]
    rows.sort(key=lambda row: row[5].sort)
    return Table("persistent", heads, rows[:20], "Tasks, nodes, slots and files that were at least 10 % "
                                                 "slower than the others, over all repetitions.")


def place(phase, what, where, took_ns, times):
    node = str(where.get("host") or where.get("node", "-"))
    task, kind = where.get("task"), "item" if "item" in where else "offset"
    at = where.get("item", where.get("offset_bytes"))
    return [Cell(phase.name), Cell(str(phase.repetition), phase.repetition), Cell(what),
            of_time(took_ns), Cell(units.number(times, 3), times or -1),
            Cell("-" if task is None else str(task), -1 if task is None else task), Cell(node),
            Cell("-" if at is None else f"{kind} {units.whole(at)}", -1 if at is None else at)]


def options(test, first):
    """Of a test: all of the first of a job, of the others what is not the same."""
    rows = []
    for name, option in test.options.items():
        if test is not first and first.options.get(name) == option:
            continue
        rows.append([Cell(name), Cell(words.option_text(option)), Cell(str(option.get("origin", ""))),
                     Cell(str(option.get("where", "")))])
    rows.sort(key=lambda row: (row[2].text == "default", row[0].text))
    heads = [("option", None), ("value", None), ("origin", None), ("where", None)]
    return Table("options", heads, rows,
                 "Options in effect; those that were given come first." if test is first
                 else f"Options that differ from those of test {first.number}.")


def environment(run):
    rows = [[Cell("made by"), Cell(run.made_by)], [Cell("began"), Cell(run.began)],
            *([Cell("went on"), Cell(began)] for began in run.sessions), [Cell("hosts"), Cell(", ".join(run.hosts[:200]))]]
    for name, value in run.environment.items():
        inner = value.items() if isinstance(value, dict) else [(None, value)]
        for key, one in inner:
            shown = units.size(one) if name == "memory_bytes" and isinstance(one, int) else one
            rows.append([Cell(f"{name}: {key}" if key else name),
                         Cell("-" if shown is None else str(shown))])
    return Table("environment", [("what", None), ("value", None)], rows,
                 "Host, software and settings of the run, as task 0 saw them.")


def node_environments(run):
    """What the nodes said of themselves: keys that differ first."""
    def names(nodes):
        return ", ".join(run.hosts[node] if node < len(run.hosts) else str(node) for node in nodes[:16])

    said = run.node_environments
    rows = []
    for key in said.get("differences") or []:
        for other in key.get("others") or []:
            where = f"{names(other.get('nodes') or [])} ({other['count']} of {said.get('nodes')} nodes)"
            rows.append([Cell(key["key"]), Cell(key.get("common") or "missing"),
                         Cell(f"{other.get('value') or 'missing'} on {where}")])
    differing = {key["key"] for key in said.get("differences") or []}
    rows += [[Cell(key), Cell(value), Cell("")] for key, value in (said.get("common") or {}).items()
             if key not in differing]
    return Table("node_environments", [("what", None), ("most nodes", None), ("differs", None)], rows,
                 "What every node said of itself before the first test; keys that differ come first.")


def study(found):
    """Each kind of phase with each value: rate, interval, efficiency, service times."""
    heads = [(name, None) for name in found.varied]
    heads += [("phase", None), ("n", None), ("median rate", "total"), ("from", "median"),
              ("to", "median")]
    heads += [("efficiency", None)] if found.axis is not None else []
    points = [point for line in found.lines for point in line.points]
    asked = any(point.asked for point in points)
    heads += [("asked", None)] if asked else []
    responds = any(point.kind.response for point in points)
    heads += RESPONSE if responds else []
    heads += [(f"service {name}" if responds else name, definition)
              for name, definition in (("p50", "percentile"), ("p99", "percentile"), ("max", "service"))]
    rows = []
    for line in found.lines:
        shares = line.efficiency if found.axis is not None else [None] * len(line.points)
        rows += [study_row(found, line, point, share, asked, responds) for point, share in zip(line.points, shares)]
    return Table("study", heads, rows, "Medians over the complete repetitions. from and to are the ends of the "
                                       "median's 95 % interval, which needs 6 repetitions.")


def by_few(line):
    """In the place of an efficiency: who did it."""
    return "-" if not line.by_few else "- (by one task)" if line.by_few == 1 \
        else f"- (by {line.by_few} tasks)"


def study_row(found, line, point, share, asked, responds):
    kind = point.kind
    cells = [Cell(found.text(axis, value), value if isinstance(value, (int, float)) else str(value))
             for axis, value in enumerate(point.values)]
    low, high = kind.interval[:2] if kind.interval else (None, None)
    cells += [Cell(line.name), Cell(str(len(kind.rates)), len(kind.rates))]
    cells += [of_rate(rate, kind.quantity) for rate in (kind.median, low, high)]
    cells += [of_share(share) if share is not None else Cell(by_few(line), -1)] \
        if found.axis is not None else []
    cells += [of_rate(point.asked, kind.quantity)] if asked else []
    return cells + (times(kind.response) if responds else []) + times(point.operation)


def times(operation):
    return [percentile(operation, "p50"), percentile(operation, "p99"), of_time(operation.max_ns if operation else None)]
