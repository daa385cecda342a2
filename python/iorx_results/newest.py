"""
Is a new run as fast as the earlier runs of the same job? The bound of each rate is a prediction limit by Student's t for
one more value, and each run counts once (doc/report.md, iorx-compare).
"""

import math
import textwrap
from dataclasses import dataclass
from functools import lru_cache

from . import comparison, statistics, units
from .command import Usage
from .compare_forms import clip

FALSE_ALARMS = 0.01  # of all new runs that are as the earlier ones, in all rates together
LEAST_RUNS = 6
WIDTH, MOST_LINES = 80, 12


def t_beyond(t, free):
    """The probability that Student's t with an integer number of degrees of freedom is above t >= 0."""
    # Abramowitz and Stegun 26.7.3 and 26.7.4
    angle = math.atan(t / math.sqrt(free))
    odd, term, total = free % 2, 1, 0
    for index in range(odd, free - 1, 2):
        total += term
        term *= (index + 1) / (index + 2) * math.cos(angle) ** 2
    if odd:
        inside = 2 / math.pi * (angle + math.sin(angle) * math.cos(angle) * total)
    else:
        inside = math.sin(angle) * total
    return (1 - inside) / 2


@lru_cache(maxsize=None)
def t_quantile(beyond, free):
    """The t of which t_beyond() is `beyond`, from 0 to 0.5."""
    low, high = 0, 1
    while t_beyond(high, free) > beyond:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if t_beyond(middle, free) > beyond else (low, middle)
    return high


def least_usual(earlier, share, rates):
    """
    The rate below which a new one is slow, where `rates` are judged together. It is the least of three: the prediction limit,
    the least earlier rate, and the median of the earlier rates less `share` (0.1).
    """
    mean, n = sum(earlier) / len(earlier), len(earlier)
    spread = math.sqrt(sum((rate - mean) ** 2 for rate in earlier) / (n - 1))
    limit = mean - t_quantile(FALSE_ALARMS / rates, n - 1) * spread * math.sqrt(1 + 1 / n)
    return max(0, min(limit, *earlier, statistics.median(earlier) * (1 - share)))


@dataclass
class Rate:
    """One rate of the new run and those of the earlier runs."""
    name: str
    quantity: units.Quantity
    new: float  # None: the new run has no complete repetition
    earlier: list  # one value of each run
    bound: float = None  # None: too few earlier runs, or they vary too much

    @property
    def change(self):
        return self.new / statistics.median(self.earlier) - 1 if self.new and self.earlier else None

    @property
    def is_slow(self):
        return self.new is None or (self.bound is not None and self.new < self.bound)


@dataclass
class Judgement:
    name: str
    run: object
    used: list  # the earlier runs that count
    left_out: dict  # {why: number of runs}
    rates: list
    verdicts: list  # of the new run that ask for attention

    @property
    def slow(self):
        return [rate for rate in self.rates if rate.is_slow]

    @property
    def unknown(self):
        return [rate for rate in self.rates if rate.bound is None]

    @property
    def exit_code(self):
        return 1 if self.slow or not ended_well(self.run) else 2 if self.unknown else 0


def judge(name, runs, new, share, names=None, further=lambda used, new: []):
    """
    The Judgement on the run `new` by the runs of the folder `name`; a slowdown of less than share is none. names: {kind of
    phase: what it is called}; other kinds are then not judged, and their verdicts are left out. further(used, new): Rates
    that are judged together with those of the phases.
    """
    used, left_out = [], {}
    for run in runs:
        why = unusable(run, new)
        if why:
            left_out[why] = left_out.get(why, 0) + 1
        else:
            used.append(run)
    found = [one for test in range(len(new.tests)) for one in rates_of(used, new, test, names)] + further(used, new)
    if not found and ended_well(new):
        raise Usage(f"{new.file}: no phase of this run has a rate that can be judged")
    for one in found:
        if len(one.earlier) >= LEAST_RUNS:
            one.bound = least_usual(one.earlier, share, len(found)) or None
    verdicts = {verdict.id: verdict for verdict in new.verdicts if verdict.severity in ("warn", "fail")
                and (not names or verdict.where.replace(",", "").split(" ")[0] in names)}
    return Judgement(name, new, used, left_out, found, list(verdicts.values()))


def ended_well(run):
    return run.status == "complete" and not run.exit_code


def unusable(run, new):
    """Why an earlier run does not count; empty where it does."""
    if run.document == new.document:
        return "the new run itself"
    if not ended_well(run):
        return "did not end well"
    if any(verdict.severity == "fail" for verdict in run.verdicts):
        return "has a verdict fail"
    if (run.tasks, run.nodes) != (new.tasks, new.nodes):
        return "other tasks or nodes"
    if [comparison.test_facts(test) for test in run.tests] != [comparison.test_facts(test) for test in new.tests]:
        return "another job or file system"
    return ""


def rates_of(used, new, test, names):
    """The Rates of one test; rates that were ordered say nothing, and parts of a mix follow the whole."""
    for kind in new.tests[test].kinds:
        if any(phase.ordered_rate for phase in kind.phases) or (names and kind.name not in names):
            continue
        earlier = [rate for run in used for rate in medians(run.tests[test], kind.name)]
        now = medians(new.tests[test], kind.name)
        if now or earlier:
            numbered = f"{test + 1}: {kind.name}" if len(new.tests) > 1 else kind.name
            yield Rate(names[kind.name] if names else numbered, kind.quantity, now[0] if now else None, earlier)


def medians(test, name):
    """A list with the median rate of the repetitions of this kind of phase; empty where none has a rate."""
    return [statistics.median(rates) for kind in test.kinds if kind.name == name
            for rates in [[rate for rate in kind.rates if rate > 0]] if rates]


def text(found, verdict=None, notes=()):
    """
    At most MOST_LINES lines of at most 80 columns: the verdict or headline(), the rates with the slow ones first, these notes,
    and those of the judgement.
    """
    lines = filled(verdict or headline(found))
    lines.append(f"{'phase':<24}{'this run':>15}{'earlier':>15}{'change':>9}{'slow below':>16}")
    rows = sorted(found.rates, key=lambda rate: not rate.is_slow)
    notes = note_lines([*notes, *notes_of(found)], 4)
    room = MOST_LINES - len(lines) - len(notes)
    if len(rows) > room:
        notes.insert(0, f"{len(rows) - room + 1} more phases are not shown")
        rows = rows[:room - 1]
    return "\n".join(lines + [row_of(rate) for rate in rows] + notes) + "\n"


def headline(found):
    if not ended_well(found.run):
        return f"this run did not end well: {found.run.status}, exit code {found.run.exit_code}"
    if found.slow:
        return "slower than in earlier runs: " + "; ".join(map(slow_words, found.slow))
    if found.unknown:
        least = min(len(rate.earlier) for rate in found.unknown)
        if least >= LEAST_RUNS:
            rest = "; the other rates are as usual" if len(found.unknown) < len(found.rates) else ""
            return (f"not known yet: the {least} earlier runs vary too much in "
                    f"{', '.join(rate.name for rate in found.unknown)}; longer phases or more runs help{rest}")
        return (f"not known yet: {least} earlier run{'s' if least != 1 else ''} of this job in {found.name}, "
                f"{LEAST_RUNS} are needed; {LEAST_RUNS - least} more to go")
    return f"as in the {len(found.used)} earlier runs"


def slow_words(rate):
    return f"{rate.name} failed" if rate.new is None else f"{rate.name} by {-100 * rate.change:.0f} %"


def row_of(rate):
    usual = statistics.median(rate.earlier)
    quantity = units.fitting(rate.quantity, [one for one in (rate.new, usual) if one])
    shown = [units.rate(one, quantity).replace("entries/s", "ent/s") if one else "-"
             for one in (rate.new, usual, rate.bound)]
    change = "-" if rate.change is None else f"{100 * rate.change:+.0f} %"
    return f"{clip(rate.name, 23):<24}{shown[0]:>15}{shown[1]:>15}{change:>9}{shown[2]:>16}"


def notes_of(found):
    """What a reader of the verdict should know beside it."""
    if found.left_out:
        yield "not counted: " + "; ".join(f"{count} ({why})" for why, count in found.left_out.items())
    for verdict in found.verdicts:
        yield f"{verdict.id}, {verdict.where}: {verdict.meaning}"


def note_lines(notes, most):
    """At most two lines of each note, and so many lines of all of them; what is cut short ends with three dots."""
    lines = []
    for note in notes:
        if len(lines) < most:
            lines += filled(note, min(2, most - len(lines)))
    return lines


def filled(line, most=None):
    return textwrap.wrap(clip(line, 400), WIDTH, subsequent_indent="  ", break_on_hyphens=False, max_lines=most, placeholder=" ...")
