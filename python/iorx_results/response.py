"""
Phases whose rate was ordered: that both have it says nothing, how long operations waited does. Parts of a mix or a
load: their rate is a share of that of the whole, how long they took is their own.
"""

from dataclasses import dataclass

from . import jobs, ranks, statistics, units

PERCENTILES = ("p50", "p99")
WORST_FIRST = (ranks.SLOWER, ranks.UNDECIDED, ranks.FASTER, ranks.EQUAL)


@dataclass
class Response:
    """A percentile of the response times on both sides; the ratio is that of speeds, above 1 where B's is less."""
    name: str
    medians: tuple
    ratio: ranks.Ratio

    def words(self, within):
        a, b = self.medians
        return (f"{self.name} {units.time_ns(a)} -> {units.time_ns(b)} ({times(b / a)}, "
                f"{self.sureness(within)})")

    def sureness(self, within):
        if self.ratio.interval is None:
            return f"too few {self.ratio.unit}s to rule out chance"
        if self.ratio.seen == ranks.EQUAL:
            return f"equal within {100 * within:g} %"
        if self.ratio.seen == ranks.UNDECIDED:
            return "which may be chance"
        return "not by chance in these runs" if self.ratio.runs else "not by chance"


def times(ratio):
    if ratio >= 2:
        return f"{units.trimmed(ratio, 3)} times as long"
    return f"1/{units.trimmed(1 / ratio, 3)} as long" if ratio <= .5 else f"{100 * (ratio - 1):+.2g} %"


def ordered(kinds):
    """The operations that were due in a second, of the first repetition that knows it; else None."""
    return next((phase.ordered_rate for kind in kinds for phase in kind.complete if phase.ordered_rate), None)


def percentiles(kind, name):
    """Of the response times of each complete repetition, or of a part of a mix, in ns."""
    operations = [phase.main if kind.is_part else phase.response for phase in kind.complete]
    found = [operation.percentiles.get(name) for operation in operations if operation]
    return [value for value in found if value]


def compare(kinds_a, kinds_b, within):
    """[Response] of what both sides have."""
    found = []
    for name in PERCENTILES:
        sides = [[percentiles(kind, name) for kind in kinds] for kinds in (kinds_a, kinds_b)]
        medians = tuple(statistics.median([value for values in side for value in values]) for side in sides)
        if all(medians):
            # the shorter the better: turned round, they compare as rates do
            found.append(Response(name, medians, jobs.compare(*reversed(sides), within)))
    return found


def rate_words(rates):
    """What was ordered on the two sides."""
    texts = [units.rate(rate, units.OPERATIONS) if rate else None for rate in rates]
    if all(texts):
        what = texts[0] if texts[0] == texts[1] else f"A {texts[0]}, B {texts[1]}"
        return f"the rate was ordered ({what}), so B/A does not show which is faster"
    letter, text = ("A", texts[0]) if texts[0] else ("B", texts[1])
    return f"the rate of {letter} was ordered ({text}), so B/A does not show which is faster"


def part_words(name, responses, within):
    """`name` is that of the part: mix:create, load:read."""
    times = f"service {', '.join(one.words(within) for one in responses)}" if responses \
        else "too few operations for a percentile"
    return times + f"; the rate is a share of the {name.split(':')[0]}'s rate"


def words(rates, responses, within):
    first = "response " + ", ".join(one.words(within) for one in responses) + "; " if responses else ""
    return first + rate_words(rates)
