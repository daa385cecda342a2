"""The first lines of a page: the best point of a run and where it is, and whether to believe it."""

from . import set_points, sets, study, units, words
from .model import SEVERITIES
from .words import Rated, braces, plain

MOST_PARTS = 3
SHARE = .7  # of the highest rate: the point of a curve whose p99 is said


def headline(run):
    """[Rated]: of a curve its maximum, p99 and first miss, of a set the worst slowdown, else the best point of each kind of phase."""
    parts = [broken(run)] if run.status != "complete" else []
    found = curve_parts(run) or set_parts(run) or best_parts(run)
    return parts + (found or ([] if parts else [plain("nothing was measured")]))


def belief(run):
    """(severity, words): the first of the worst verdicts in words and the others by number; a run that failed is never believed."""
    severity = "fail" if run.status == "failed" else run.severity
    if not any(kind.rates for test in run.tests for kind in test.kinds):
        return "fail", "no repetition is complete, so there is nothing to judge"
    if run.imported:
        return "note", f"numbers of {run.imported}, which iorx cannot judge"
    found = {}
    for verdict in run.verdicts:
        if verdict.severity in SEVERITIES[2:]:
            found.setdefault(verdict.id, []).append(verdict)
    of_worst = [same for same in found.values() if any(one.severity == severity for one in same)]
    if not of_worst:
        return severity, words.BELIEF[severity]
    first = max(of_worst, key=len)
    others = sorted(set(found) - {first[0].id})
    more = f" and {len(first) - 1} more" if len(first) > 1 else ""
    return severity, (f"{words.BELIEF[severity]}: {first[0].meaning} ({first[0].id}, {first[0].where}{more})"
                      + (f"; also {', '.join(others)}" if others else ""))


def broken(run):
    failures = [phase.failure for test in run.tests for phase in test.phases if phase.failure]
    if run.status == "failed" and failures:
        where = f" (task {failures[0].get('task')} on {failures[0].get('host')})"
        return plain(f"failed: {failures[0].get('text', 'an operation failed')}{where}")
    return plain(f"{run.status}: {run.errors[0]}" if run.errors else run.status)


def curve_parts(run):
    """Of each curve of load against response time, that of a set too; empty where other tests ran as well."""
    curves = [(one.member, line.points) for one in study.of_runs([run]) if one.is_curve
              for line in one.lines if not line.is_part]
    curves = [("set", ladder.points) for ladder in set_points.ladders(run) if ladder.option == "curve"] or curves
    if len(curves) != 1 or any("curve" not in (test.study.get("varied") or {}) for test in run.tests):
        return []
    name, points = curves[0]
    parts = [f"{name or 'load'}: {words.bound(run.curves[0]['bound'])}"] \
        if len(run.curves) == 1 and run.curves[0].get("bound") else []
    return [plain(part) for part in parts + curve_words(name or "load", *map(list, sides(points)))]


def sides(points):
    """(points without a rate, [(share as a text, asked, p99 in ns or None, whether it was reached)] by the rate that was asked for)."""
    paced = [(str(point.share), point.asked, point.p99_ns, point.is_reached) for point in points if point.asked]
    return [point for point in points if not point.asked], sorted(paced, key=lambda row: row[1])


def curve_words(name, free, paced):
    """Its highest rate, p99 near SHARE of that, and the first rate that was missed, as texts."""
    parts = [f"{name} max {units.rate(max(point.rate for point in free), units.OPERATIONS)}"] if free else []
    reached = [row for row in paced if row[3] and row[2]]
    if reached:
        top = max([point.rate for point in free] or [row[1] for row in paced])
        share, _, p99_ns, _ = min(reached, key=lambda row: abs(row[1] / top - SHARE))
        parts.append(f"p99 {units.time_ns(p99_ns)} at {with_blank(share)}")
    missed = next((row for row in paced if not row[3]), None)
    return parts + ([f"the first rate that was missed: {with_blank(missed[0])}"] if missed else [])


def with_blank(share):
    return share.replace("%", " %")


def set_parts(run):
    """The worst slowdown of tests that ran at the same time, or what copies of a set say."""
    rows = [row for row in sets.ratio_rows(run.slowdowns) if row.ratio]
    if rows:
        worst = max(rows, key=lambda row: row.ratio)
        ends = f" ({units.number(worst.interval[0], 3)} to {units.number(worst.interval[1], 3)})" if worst.interval else ""
        ends += ", undecided" if worst.interval and worst.interval[0] < 1 else ""
        return [plain(f"worst together: {worst.name} {units.number(worst.ratio, 3)} times slower than alone{ends}")]
    ladders = set_points.ladders(run)
    return [plain(text) for text in [set_points.conclusion(ladders[0])] if text] if len(ladders) == 1 else []


def best_parts(run):
    """The best point of each kind of phase, and where that is if several tests have the kind."""
    groups = {}
    for test in run.tests:
        if test.set.get("alone_of") is None:
            for kind in test.kinds:
                groups.setdefault(f"{test.called} {kind.name}" if test.set else kind.name, []).append((test, kind))
    # Few operations make a tree, and nobody asks for their rate first.
    groups = dict(sorted(groups.items(), key=lambda group: group[0].startswith("tree-")))
    parts = [best(name, [(test, kind) for test, kind in found if kind.rates]) for name, found in groups.items()]
    parts = [part for part in parts if part]
    more = [plain(f"{len(parts) - MOST_PARTS} more kinds of phases")] if len(parts) > MOST_PARTS else []
    return parts[:MOST_PARTS] + more


def best(name, found):
    if not found:
        return None
    test, kind = max(found, key=lambda pair: pair[1].median)
    if len(found) == 1:
        return Rated(f"{braces(name)} {{0}}{braces(words.asked(kind))}", [kind.median], kind.quantity)
    return Rated(f"{braces(name)} best {{0}}: {braces(point_words(test))}", [kind.median], kind.quantity)


def point_words(test):
    """The values that tell the test from the others of its study: posix, 4 MiB, 4 tasks."""
    varied = test.study.get("varied")
    if not varied:
        return test.called
    of_bytes = [name for name in varied if test.options.get(name, {}).get("unit") == "bytes"]
    return ", ".join(value_words(name, value, test.options.get(name, {}).get("unit"), len(of_bytes) < 2)
                     for name, value in varied.items())


def value_words(name, value, unit=None, alone=True):
    """A value that a reader knows without its name stands without it; `alone`: no other value is one of bytes."""
    short = name.split(".")[-1].replace("_", " ")
    if isinstance(value, bool):
        return words.truth(name, value)
    text = words.option_text({"value": value, "unit": unit})
    if name in study.SCALED and value == 1:
        return f"1 {short[:-1]}"
    if name in study.SCALED:
        return f"{text} {short}"
    return text if isinstance(value, str) or unit == "bytes" and alone else f"{short} {text}"
