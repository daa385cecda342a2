"""Two sets of results beside each other: differences in how they were made, and in the numbers."""

from dataclasses import dataclass, field

from . import jobs, matching, ranks, response, statistics, units, words
from .command import Usage

# Options and members that differ from run to run and say nothing of what was measured.
SILENT_OPTIONS = {"output", "summary_file", "content_seed", "ref_num"}
# mount: directory is the next one above that was there: it depends on what an earlier run left.
SILENT_PLACES = {"mount: directory", "mount: free_bytes", "mount: size_bytes",
                 "environment: clock_cost_ns"}
MOST_LABELS = 3  # of tests that a difference is said of


@dataclass
class Side:
    """One of the two: runs of the same job, whose repetitions are taken together."""
    name: str
    runs: list


@dataclass
class Row:
    """A kind of phase on both sides; ratio is None where a side has no complete repetition."""
    pair: matching.Pair
    phase: str
    quantity: units.Quantity
    rates: tuple
    latencies: tuple
    ratio: ranks.Ratio
    within: float
    ordered: tuple = (None, None)
    responses: list = field(default_factory=list)
    is_part: bool = False
    is_in_both: bool = True
    bound: str = None  # ranks.ABOVE, BELOW or UNDECIDED: where the row lies to --fail-below; None: not judged
    failed: tuple = ((), ())

    @property
    def doubt(self):
        """Which side must not be believed, and why; empty where none."""
        found = [f"{side}: {', '.join(rules)} failed" for side, rules in zip("AB", self.failed) if rules]
        return f"; do not believe {'; '.join(found)}" if found else ""

    @property
    def name(self):
        """What the row is about where the others are not beside it."""
        return f"{self.phase} ({self.pair.label})" if self.pair.label else self.phase

    @property
    def is_ordered(self):
        """Its rate was given to it, on one side at least."""
        return any(self.ordered)

    @property
    def by_times(self):
        """Its rate was ordered, or is the share that a part of a mix has in all of it: how long it took counts."""
        return self.is_ordered or self.is_part

    @property
    def judged(self):
        """The ranks.Ratio that the verdict is about: of ordered rates the worst of the response times."""
        if not self.by_times:
            return self.ratio
        return min((one.ratio for one in self.responses), default=None,
                   key=lambda ratio: response.WORST_FIRST.index(ratio.seen))

    @property
    def tested(self):
        """All ranks.Ratio of the row: the rates but of parts of a mix, and the response times."""
        rates = [self.ratio] if self.ratio and not self.is_part else []
        return rates + [one.ratio for one in self.responses]

    @property
    def broken(self):
        return self.bound == ranks.BELOW

    @property
    def bounded(self):
        """The ranks.Ratio that --fail-below holds to its bound."""
        found = [one.ratio for one in self.responses]
        # a rate that was ordered is to be reached, and response times are not to be longer
        if self.ratio and not self.is_part and (self.ordered[0] == self.ordered[1] or not found):
            found.append(self.ratio)
        return found

    @property
    def words(self):
        return self.finding + self.doubt

    @property
    def finding(self):
        if self.ratio and self.is_ordered:
            return response.words(self.ordered, self.responses, self.within)
        if self.ratio and self.is_part:
            return response.part_words(self.phase, self.responses, self.within)
        if self.ratio:
            return self.ratio.words
        missing = "A and B" if not any(self.rates) else "B" if self.rates[0] else "A"
        return f"no complete repetition in {missing}"


@dataclass
class Comparison:
    sides: tuple
    pairs: list
    differences: list
    rows: list
    fail_below: float
    within: float

    @property
    def is_same(self):
        """A and B are the same results."""
        return [run.document for run in self.sides[0].runs] == [run.document for run in self.sides[1].runs]

    @property
    def broken(self):
        return [row for row in self.rows if row.broken]

    @property
    def undecided(self):
        """Rows of which --fail-below cannot say whether they keep the bound. A part of a mix can only break it."""
        return [row for row in self.rows if row.bound == ranks.UNDECIDED and not row.is_part]

    @property
    def alone(self):
        """[(letter of the side, Pair)] of tests without a partner."""
        return [("A" if pair.tests[0] else "B", pair) for pair in self.pairs if not pair.is_whole]

    @property
    def is_unjudged(self):
        """A bound was given, and not every test can be held to it."""
        return self.fail_below is not None and bool(self.alone or self.undecided)

    @property
    def needs(self):
        """Jobs of each that would decide all rows; 0 where these jobs can."""
        return max((one.needs for row in self.rows for one in row.tested), default=0)

    @property
    def remedy(self):
        """What would decide the rows that are undecided at the bound."""
        ratios = [one for row in self.rows for one in row.bounded]
        units, needed = " or ".join(sorted({f"{one.unit}s" for one in ratios})), jobs.needed(len(ratios))
        few = [one for one in ratios if min(one.counts) < needed]
        return f"at least {needed} {units} of each are needed" if few else f"more {units} of each would tell"

    @property
    def are_many(self):
        """Rows are of several tests, so that each must say of which."""
        return len(self.pairs) > 1


def compare(a, b, fail_below=None, within=0.05):
    """The Comparison of two Sides; fail_below is a share such as -0.05."""
    pairs = matching.pair(a.runs, b.runs)
    rows = [row for pair in pairs if pair.is_whole for row in rows_of(pair, within)]
    if not any(pair.is_whole for pair in pairs):
        raise Usage(f"{a.name} and {b.name} have no test in common: {only(pairs, 'A')}; {only(pairs, 'B')}")
    if not any(row.is_in_both for row in rows):
        raise Usage(f"{a.name} and {b.name} have no kind of phase in common")
    jobs.correct([one for row in rows for one in row.tested], within)
    found = Comparison((a, b), pairs, differences(a, b, pairs), rows, fail_below, within)
    if fail_below is not None and not found.is_same:
        hold(rows, 1 + fail_below)
    return found


def only(pairs, letter):
    """Which tests only one side has; of many the first."""
    names = [pair.name for pair in pairs if pair.tests["AB".index(letter)]]
    more = f" and {len(names) - MOST_LABELS} more" if len(names) > MOST_LABELS else ""
    return f"only in {letter}: {'; '.join(names[:MOST_LABELS])}{more}"


def rows_of(pair, within):
    """The Rows of two tests: of each kind of phase that one of them has."""
    sides = [kinds_of(tests) for tests in pair.tests]
    return [make_row(pair, name, *(kinds.get(name, []) for kinds in sides), within)
            for name in dict.fromkeys(name for kinds in sides for name in kinds)]


def kinds_of(tests):
    """{name: [Kind of each test]}"""
    found = {}
    for test in tests:
        for kind in test.kinds_and_parts:
            found.setdefault(kind.name, []).append(kind)
    return found


def make_row(pair, name, kinds_a, kinds_b, within):
    kinds = kinds_a + kinds_b
    quantity = next((k.quantity for k in kinds if k.rates), kinds[0].quantity)
    rates = tuple([rate for kind in side for rate in kind.rates if rate > 0]
                  for side in (kinds_a, kinds_b))
    of_jobs = ([[rate for rate in kind.rates if rate > 0] for kind in side] for side in (kinds_a, kinds_b))
    ratio = jobs.compare(*of_jobs, within) if all(rates) else None
    return Row(pair, name, quantity, rates, tuple(map(latency, (kinds_a, kinds_b))), ratio, within,
               tuple(map(response.ordered, (kinds_a, kinds_b))), response.compare(kinds_a, kinds_b, within),
               kinds[0].is_part, bool(kinds_a and kinds_b),
               failed=tuple(map(failed_rules, (kinds_a, kinds_b))))


def failed_rules(kinds):
    """The ids of the verdicts by which complete repetitions must not be believed."""
    return sorted({verdict.id for kind in kinds for phase in kind.complete for verdict in phase.verdicts
                   if verdict.severity == "fail"})


def latency(kinds):
    """p99, else the largest, of the first that has operations."""
    operations = [operation for operation in (kind.operation for kind in kinds) if operation]
    if not operations:
        return None
    values = [operation.percentiles.get("p99") for operation in operations]
    return statistics.median([v for v in values if v is not None])


def hold(rows, bound):
    """Sets where each row lies to the bound. The corrected interval of a ratio decides, so that chance does not."""
    places = iter(jobs.against([one for row in rows for one in row.bounded], bound))
    for row in rows:
        found = [next(places) for _ in row.bounded]
        if row.rates[0] and not row.ratio and not row.is_part:
            found = [ranks.BELOW]  # no complete repetition in B
        row.bound = next((place for place in (ranks.BELOW, ranks.UNDECIDED, ranks.ABOVE) if place in found), None)


def differences(a, b, pairs):
    """[(what, text in A, text in B)] of all that differs in how the two were made."""
    are_whole = not any(side.runs[0].imported for side in (a, b))
    found, whole = unequal(run_facts(a.runs[0]), run_facts(b.runs[0]), are_whole), [pair for pair in pairs if pair.is_whole]
    groups = {}
    for pair in whole:
        for one in unequal(*(test_facts(tests[0]) for tests in pair.tests), are_whole):
            groups.setdefault(one, []).append(pair.label)
    # what differs in all tests comes first, and once
    for one, labels in sorted(groups.items(), key=lambda group: -len(group[1])):
        more = f" and {len(labels) - MOST_LABELS} more" if len(labels) > MOST_LABELS else ""
        label = "" if len(labels) == len(whole) else "; ".join(labels[:MOST_LABELS]) + more + ": "
        found.append((label + one[0], *one[1:]))
    return found


def unequal(left, right, are_whole=True):
    """[(name, text in A, text in B)] of the facts that are not the same; without are_whole, of those that both know."""
    if not are_whole:
        left = {name: value for name, value in left.items() if name in right}
        right = {name: value for name, value in right.items() if name in left}
    return [(name, left.get(name, "-"), right.get(name, "-")) for name in dict.fromkeys([*left, *right])
            if left.get(name, "-") != right.get(name, "-")]


def run_facts(run):
    """{what: text} of a run and its environment."""
    found = {"iorx": run.version} if not run.imported else {"program": run.imported}
    found.update((name, str(count)) for name, count in (("tasks", run.tasks), ("nodes", run.nodes)) if count)
    found.update({"hosts": ", ".join(run.hosts)} if run.hosts or not run.imported else {})
    found.update(("nodes: " + key, value) for key, value in (run.node_environments.get("common") or {}).items()
                 if not key.startswith("variable."))
    return dict(found, **{name: str(value) for name, value in flat(run.environment, "environment")
                          if name not in SILENT_PLACES})


def test_facts(test):
    """{what: text} of a test: its options and the file system."""
    found = {"backend": test.backend} if test.backend else {}
    found.update((name, words.option_text(option)) for name, option in test.options.items()
                 if name not in SILENT_OPTIONS)
    found.update((f"mount: {name}", str(value)) for name, value in test.mount.items()
                 if f"mount: {name}" not in SILENT_PLACES)
    return found


def flat(value, name):
    if not isinstance(value, dict):
        return [(name, value)]
    return [pair for key, one in value.items() for pair in flat(one, f"{name}: {key}")]
