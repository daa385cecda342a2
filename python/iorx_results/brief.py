"""What decides, short enough for three pages: the charts that answer the job's question, its points, verdicts and environment."""

from dataclasses import dataclass

from . import catalogue, files, headline, sets, study, units, words
from .model import SEVERITIES
from .tables import Cell, Table, of_rate, percentile

MOST_CHARTS, MOST_TESTS = 8, 3
MOST_POINTS, MOST_VERDICTS = 24, 8
# Charts of single tests that decide; of a study only the first.
OF_A_TEST = ("times", "latency", "timeline")
# All others, in the order in which they decide.
ORDER = [*catalogue.SET_CHARTS.values(), *catalogue.OVERLAY_CHARTS.values(), *catalogue.STUDY_CHARTS.values()]


@dataclass
class Drawn:
    """A chart, what it draws, a name for a file and words on which test it is of."""
    name: str
    where: str
    chart: object
    data: object


def every(runs):
    """The Drawn of all charts of these runs."""
    labels, several = files.labels(runs), len(runs) > 1
    for number, found in enumerate(study.of_runs(runs)):
        where = ", ".join(files.labels_of(found.runs, runs)) + ": " if several else ""
        for name, chart, line in catalogue.of_study(found):
            yield Drawn(f"study{number}-{name}-{line.name}", where, chart, line)
    for overlay in study.overlays(runs, labels):
        for name, chart in catalogue.OVERLAY_CHARTS.items():
            yield Drawn(f"{name}-{overlay.name}", ", ".join(label for label, _ in overlay.members) + ": ", chart, overlay)
    for number, (run, label) in enumerate(zip(runs, labels)):
        begin, where = (f"run{number}-", f"{label}: ") if several else ("", "")
        for index, (name, chart, one) in enumerate(sets.charts(run)):
            yield Drawn(f"{begin}set{index}-{name}", where, chart, one)
        for test in run.tests:
            yield from of_test(test, begin, f"{label}, test {test.number}: " if several else f"Test {test.number}: ")


def of_test(test, begin, where):
    return [Drawn(f"{begin}test{test.number}-{name}-{data.name}", where, chart, data) for name, chart, data in catalogue.of_test(test)]


def deciding(runs):
    """The Drawn that answer what the job asked: of sets, of curves and studies, and where the time of a test went."""
    joint = [one for one in every(runs) if not is_of_test(one) and not getattr(one.data, "is_part", False)]
    joint.sort(key=lambda one: ORDER.index(one.chart))
    tests = [(run, label, test) for run, label in zip(runs, files.labels(runs)) for test in run.tests if test.set.get("alone_of") is None]
    tests.sort(key=lambda one: -best(one[2]))
    wanted = [catalogue.CHARTS[name] for name in (OF_A_TEST[:1] if joint else OF_A_TEST)]
    singles = [one for _, label, test in tests[:1 if joint else MOST_TESTS]
               for one in of_test(test, "", f"{label}, test {test.number}: " if len(runs) > 1 else f"Test {test.number}: ") if one.chart in wanted]
    joint = joint[:MOST_CHARTS - 1]
    return joint + singles[:MOST_CHARTS - len(joint)]


def is_of_test(one):
    return one.chart in catalogue.CHARTS.values()


def best(test):
    return max((kind.median or 0 for kind in test.kinds[:1]), default=0)


def points(runs, most=MOST_POINTS):
    """The Table of what each test gave, a row for each kind of phase; `most` None: of all."""
    labels = files.labels(runs)
    rows = [row_of(test, kind, label if len(runs) > 1 else "") for run, label in zip(runs, labels)
            for test in run.tests for kind in test.kinds]
    heads = [("point", None), ("phase", None), ("n", None), ("median", "total"), ("from", "median"), ("to", "median"),
             ("p50", "percentile"), ("p99", "percentile")]
    left = len(rows) - most if most and len(rows) > most else 0
    text = "Medians of the complete repetitions and the ends of their 95 % interval; p50 and p99 are response times where operations were due."
    return Table("points", heads, rows[:most], text + (f" {left} more rows are not shown." if left else ""))


def row_of(test, kind, label):
    low, high = kind.interval[:2] if kind.interval else (None, None)
    operation = kind.response or kind.operation
    where = headline.point_words(test) if test.study.get("varied") or test.name else f"test {test.number}"
    return [Cell(f"{label} {where}".strip()), Cell(kind.name), Cell(str(len(kind.rates)), len(kind.rates)),
            *(of_rate(rate, kind.quantity) for rate in (kind.median, low, high)), percentile(operation, "p50"), percentile(operation, "p99")]


def verdicts(runs, most=MOST_VERDICTS):
    """The Table of the rules that had something to say, each once with the first sentence, the worst first."""
    groups = {}
    for verdict in (one for run in runs for one in run.verdicts if one.severity != "good"):
        groups.setdefault((-SEVERITIES.index(verdict.severity), verdict.id), []).append(verdict)
    rows = []
    for key in sorted(groups)[:most]:
        first, more = groups[key][0], len(groups[key]) - 1
        rows.append([Cell(first.severity, severity=first.severity), Cell(first.id), Cell(first.where + (f" and {more} more" if more else "")),
                     Cell(first.meaning)])
    heads = [("verdict", None), ("rule", None), ("where", None), ("what it means", None)]
    return Table("verdicts", heads, rows, "Whether to believe the numbers.")


def environment(run):
    """What a run was made on, in five lines."""
    found, test = run.environment, run.tests[0] if run.tests else None
    memory = found.get("memory_bytes")
    mount = test.mount if test else {}
    cpus = found.get("node_cpus") or found.get("cpus")  # the latter may be those of one task alone
    lines = [f"{run.made_by}, {words.date_of(run)}, {words.size_of(run)}"
             + (f": {', '.join(run.hosts[:4])}{' …' if len(run.hosts) > 4 else ''}" if run.hosts else ""),
             joined(found.get("cpu"), words.plural(cpus, "CPU") if cpus else "",
                    f"{units.size(memory)} of memory" if isinstance(memory, int) else ""),
             joined(found.get("kernel"), str(found.get("mpi") or "").split(",")[0]),
             joined(test.backend or test.api, test.test_file, f"on {mount['type']} from {mount.get('source')}" if mount.get("type") else "")
             if test else "",
             " ".join(run.command_line)]
    return [line for line in lines if line]


def joined(*parts):
    return ", ".join(str(part) for part in parts if part)
