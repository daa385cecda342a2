"""Sentences about results."""

from . import units
from .members import is_kind
from .shapes import WHOLE

BELIEF = {
    "good": "to be believed",
    "note": "to be believed, with notes",
    "warn": "to be taken with care",
    "fail": "not to be believed",
}


class Rated:
    """A sentence with rates in it: {0}, {1} … are shown in the unit that is chosen."""

    def __init__(self, text, rates, quantity):
        self.text, self.rates, self.quantity = text, rates, quantity

    def words(self, unit=0):
        return self.text.format(*(units.rate(rate, self.quantity, unit) for rate in self.rates))

    def __str__(self):
        return self.words()


def option_text(option):
    """The value of an option with its unit."""
    value, unit = option.get("value"), option.get("unit")
    if unit == "bytes" and isinstance(value, int):
        return units.size(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        value = f"{value:.12g}"
    return "-" if value is None else f"{value} {unit or ''}".strip()


def truth(name, value):
    """The value of an option that is true or false, in words: with direct, without direct."""
    return f"{'with' if value else 'without'} {name.split('.')[-1].replace('_', ' ')}"


def setting(name, value, unit):
    """An option with its value: transfer_size = 4 MiB, without fsync."""
    return truth(name, value) if isinstance(value, bool) else f"{name} = {option_text({'value': value, 'unit': unit})}"


def plural(count, one):
    return f"{count} {one}" + ("" if count == 1 else "s")


def rate_sentence(kind):
    """What the repetitions of one kind say."""
    left_out = sum(1 for phase in kind.rated if not phase.counts)
    hollow = f" Hollow: {plural(left_out, 'repetition')} that no summary counts." if left_out else ""
    if not kind.rates:
        return Rated(f"No repetition of {kind.name} counts in the summary.{hollow}", [], kind.quantity)
    if len(kind.rates) == 1:
        return Rated(f"One repetition of {kind.name}: {{0}}. A single repetition does not show "
                     f"how much the rate varies.{hollow}", [kind.median], kind.quantity)
    if kind.interval:
        low, high, _ = kind.interval
        return Rated(f"{len(kind.rates)} repetitions of {kind.name}: median {{0}} (line), 95 % interval of "
                     f"the median {{1}} to {{2}} (band).{hollow}",
                     [kind.median, low, high], kind.quantity)
    why = "A 95 % interval needs 6 repetitions." if len(kind.rates) < 6 \
        else "They follow one another too closely for a 95 % interval."
    return Rated(f"{len(kind.rates)} repetitions of {kind.name}: median {{0}} (line), slowest {{1}}, "
                 f"fastest {{2}}. {why}{hollow}",
                 [kind.median, min(kind.rates), max(kind.rates)], kind.quantity)


def bound(record):
    """Says how a curve met its bound, a time that the response must not exceed: a sentence without its end."""
    met, missed = (record.get(f"{what}_operations_per_s") for what in ("met", "missed"))
    text = f"{record.get('statistic')} is within {units.time_ns(record.get('limit_ns') or 0)} "
    text += f"at {units.rate(met, units.OPERATIONS)}" if met else "at no rate that was tried"
    text += f", and no longer at {units.rate(missed, units.OPERATIONS)}" if missed else ""
    return text + (" (known to 5 %: each was measured twice)" if record.get("agrees") else "")


def asked(kind):
    """Behind the rate of a kind: the rate that was asked for, and the response times; empty where none was."""
    ordered = next((phase.ordered_rate for phase in kind.complete if phase.ordered_rate), None)
    if not ordered:
        return ""
    p99 = kind.response and kind.response.percentiles.get("p99")
    return f" of {units.rate(ordered, units.OPERATIONS)} asked" + (f", response p99 {units.time_ns(p99)}" if p99 else "")


def layout_sentence(test):
    """How the files of a load came to be, as a Rated; None where no phase laid them out."""
    laid_out = next((phase for phase in test.layouts if phase.total_rate), None)
    if laid_out is None:
        return None
    seconds = laid_out.intervals.get("total_s")
    took = f" in {units.time_ns(1e9 * seconds)}" if seconds else ""
    if test.option("layout") == "allocate":
        return plain(f"Before the load its files were allocated{took}. Their blocks hold no data until they are written.")
    return Rated(f"Before the load its files were laid out: {units.size(laid_out.bytes)}{took}, {{0}}. "
                 "That is no result of the test.", [laid_out.total_rate], units.BYTES)


def braces(text):
    """A text from outside as a part of a Rated."""
    return text.replace("{", "{{").replace("}", "}}")


def plain(text):
    return Rated(braces(text), [], units.BYTES)


def size_of(run):
    """How many tasks and nodes ran, as far as that is known."""
    parts = [plural(count, one) for count, one in ((run.tasks, "task"), (run.nodes, "node")) if count]
    return " on ".join(parts) or "tasks are not known"


def date_of(run):
    """Of an imported result the zone may be unknown."""
    date = run.began[:19].replace("T", " ") or "without a date"
    return date + ("" if run.imported and not run.began.endswith("Z") else " UTC")


def load_title(test):
    plan, count, depth = test.plan, test.plan.get("tasks"), test.plan.get("queue_depth") or 1
    trace = test.option("trace")
    parts = [test.backend or test.api, f"replay of {trace}" if trace else f"load of {test.option('operations', 'operations')}"]
    if test.option("sizes") and not trace:
        parts.append(f"transfers of {test.option('sizes')}")
    rate = next((phase.ordered_rate for phase in test.phases if phase.ordered_rate), None)
    arrivals = "" if trace else f", {test.option('arrival', 'even')} arrivals"
    parts.append(units.rate(rate, units.OPERATIONS) + arrivals if rate else "a closed loop")
    if count:
        parts.append(f"{plural(count, 'task')} on {plural(plan.get('nodes') or 1, 'node')}")
    if depth > 1:
        parts.append(f"queue depth {depth}")
    return ", ".join(parts)


def given_items(test):
    """What the job said of the items of a metadata test, as nothing else tells two such tests apart."""
    prefix = "metadata."
    return [name[len(prefix):] + ("" if option.get("value") is True else f"={option_text(option)}")
            for name, option in test.options.items()
            if name.startswith(prefix) and name != prefix + "dir" and option.get("origin") not in (None, "default")]


def test_title(test):
    if test.is_load:
        return load_title(test)
    plan, count = test.plan, test.plan.get("tasks")
    size, depth = test.option("transfer_size"), plan.get("queue_depth") or 1
    parts = [test.backend or test.api] if test.backend or test.api else []
    if plan.get("shared_file") is not None and plan.get("transfers_per_task"):
        parts.append("one shared file" if plan["shared_file"] else "one file per task")
    if count:
        parts.append(f"{plural(count, 'task')} on {plural(plan.get('nodes') or 1, 'node')}")
    if is_kind(size, WHOLE) and plan.get("transfers_per_task"):
        order = plan.get("order") or "file"
        parts.append(f"transfers of {units.size(size)}"
                     + ("" if order == "file" else f" in {order} order"))
    if depth > 1:
        parts.append(f"queue depth {depth}")
    if plan.get("phase_bytes"):
        parts.append(f"{units.size(plan['phase_bytes'])} per phase")
    flags = [test.option("flags")] if test.option("flags") else []  # of imported results
    return ", ".join(parts + given_items(test) + flags)
