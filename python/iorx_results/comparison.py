"""Two sets of results beside each other: what differs in how they were made, and in what came out."""

from dataclasses import dataclass, field

from . import ranks, response, statistics, units
from .command import Usage

# Options and members that differ from run to run and say nothing of what was measured.
SILENT_OPTIONS = {"output", "summary_file", "content_seed", "ref_num"}
# mount: directory is the next one above that was there: it depends on what an earlier run left.
SILENT_PLACES = {"mount: directory", "mount: free_bytes", "mount: size_bytes",
                 "environment: clock_cost_ns"}


@dataclass
class Side:
    """One of the two: runs of the same job, whose repetitions are taken together."""
    name: str
    runs: list

    def kinds(self):
        """{(test, phase): [Kind of each run]}."""
        found = {}
        for run in self.runs:
            for test in run.tests:
                for kind in test.kinds_and_parts:
                    if kind.is_part and kind.name.endswith(":response"):
                        continue  # stands in the row of the mix
                    found.setdefault((test.number, kind.name), []).append(kind)
        return found


@dataclass
class Row:
    """A kind of phase on both sides; ratio is None where a side has no complete repetition."""
    test: int
    phase: str
    quantity: units.Quantity
    rates: tuple
    latencies: tuple
    ratio: ranks.Ratio
    within: float
    ordered: tuple = (None, None)
    responses: list = field(default_factory=list)
    is_part: bool = False
    broken: bool = False

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
                   key=lambda ratio: response.WORST_FIRST.index(ratio.verdict))

    @property
    def words(self):
        if self.ratio and self.is_ordered:
            return response.words(self.ordered, self.responses, self.within)
        if self.ratio and self.is_part:
            return response.part_words(self.responses, self.within)
        if self.ratio:
            return self.ratio.words
        missing = "A and B" if not any(self.rates) else "B" if self.rates[0] else "A"
        return f"no complete repetition in {missing}"


@dataclass
class Comparison:
    sides: tuple
    differences: list
    rows: list
    fail_below: float
    within: float

    @property
    def broken(self):
        return [row for row in self.rows if row.broken]


def compare(a, b, fail_below=None, within=0.05):
    """The Comparison of two Sides; fail_below is a share such as -0.05."""
    kinds_a, kinds_b = a.kinds(), b.kinds()
    keys = list(dict.fromkeys([*kinds_a, *kinds_b]))
    if not set(kinds_a) & set(kinds_b):
        raise Usage(f"{a.name} and {b.name} have no kind of phase in common")
    rows = [make_row(key, kinds_a.get(key, []), kinds_b.get(key, []), within) for key in keys]
    for row in rows:
        row.broken = fail_below is not None and is_broken(row, fail_below)
    return Comparison((a, b), differences(a, b), rows, fail_below, within)


def make_row(key, kinds_a, kinds_b, within):
    kinds = kinds_a + kinds_b
    quantity = next((k.quantity for k in kinds if k.rates), kinds[0].quantity)
    rates = tuple([rate for kind in side for rate in kind.rates if rate > 0]
                  for side in (kinds_a, kinds_b))
    ratio = ranks.compare(*rates, within) if all(rates) else None
    return Row(key[0], key[1], quantity, rates, tuple(map(latency, (kinds_a, kinds_b))), ratio, within,
               tuple(map(response.ordered, (kinds_a, kinds_b))), response.compare(kinds_a, kinds_b, within),
               kinds[0].is_part)


def latency(kinds):
    """p99, else the largest, of the first that has operations."""
    operations = [operation for operation in (kind.operation for kind in kinds) if operation]
    if not operations:
        return None
    values = [operation.percentiles.get("p99") for operation in operations]
    return statistics.median([v for v in values if v is not None])


def is_broken(row, fail_below):
    """Below the bound, and not only by what may be chance where chance can be told."""
    if not row.rates[0]:
        return False
    if row.ratio is None:
        return not row.is_part
    if row.is_part:
        # each is one of many, and a percentile of few: only what is no chance
        return any(one.ratio.interval and one.ratio.interval[1] < 1 + fail_below for one in row.responses)
    # a rate that was ordered is to be reached, and response times are not to be longer
    ratios = [one.ratio for one in row.responses]
    if row.ordered[0] == row.ordered[1] or not ratios:
        ratios.append(row.ratio)
    return any(one.ratio < 1 + fail_below and (one.interval is None or one.interval[1] < 1) for one in ratios)


def differences(a, b):
    """[(what, text in A, text in B)] of all that differs in how the two were made."""
    pairs = [(run_facts(a.runs[0]), run_facts(b.runs[0]), "")]
    tests_a, tests_b = ({test.number: test for test in side.runs[0].tests} for side in (a, b))
    both = [number for number in tests_a if number in tests_b]
    label = "test {}: " if len(both) > 1 else ""
    pairs += [(test_facts(tests_a[n]), test_facts(tests_b[n]), label.format(n)) for n in both]
    found = [(label + name, left.get(name, "-"), right.get(name, "-"))
             for left, right, label in pairs for name in dict.fromkeys([*left, *right])
             if left.get(name, "-") != right.get(name, "-")]
    only = [(f"test {n}", "there" if n in tests_a else "-", "there" if n in tests_b else "-")
            for n in sorted(set(tests_a) ^ set(tests_b))]
    return only + found


def run_facts(run):
    """{what: text} of a run and its environment."""
    found = {"iorx": run.version, "tasks": str(run.tasks), "nodes": str(run.nodes),
             "hosts": ", ".join(run.hosts)}
    return dict(found, **{name: str(value) for name, value in flat(run.environment, "environment")
                          if name not in SILENT_PLACES})


def test_facts(test):
    """{what: text} of a test: its options and the file system."""
    found = {"backend": test.backend}
    found.update((name, option_text(option)) for name, option in test.options.items()
                 if name not in SILENT_OPTIONS)
    found.update((f"mount: {name}", str(value)) for name, value in test.mount.items()
                 if f"mount: {name}" not in SILENT_PLACES)
    return found


def flat(value, name):
    if not isinstance(value, dict):
        return [(name, value)]
    return [pair for key, one in value.items() for pair in flat(one, f"{name}: {key}")]


def option_text(option):
    value = option.get("value")
    if option.get("unit") == "bytes" and isinstance(value, int):
        return units.size(value)
    if isinstance(value, bool):
        return str(value).lower()
    return "-" if value is None else f"{value} {option.get('unit', '')}".strip()
