"""
Phases whose rate was ordered: that both have it says nothing, how long operations waited does. Parts of a mix: their
rate is a share of that of the mix, how long they took is their own.
"""

from dataclasses import dataclass

from . import ranks, statistics, units

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
            return "too few repetitions to rule out chance"
        if self.ratio.verdict == ranks.EQUAL:
            return f"equal within {100 * within:g} %"
        return "not by chance" if self.ratio.verdict in (ranks.SLOWER, ranks.FASTER) else "which may be chance"


def times(ratio):
    if ratio >= 2:
        return f"{units.trimmed(ratio, 3)} times as long"
    return f"1/{units.trimmed(1 / ratio, 3)} as long" if ratio <= .5 else f"{100 * (ratio - 1):+.2g} %"


def ordered(kinds):
    """The operations that were due in a second, of the first repetition that knows it; else None."""
    return next((phase.ordered_rate for kind in kinds for phase in kind.complete if phase.ordered_rate), None)


def percentiles(kinds, name):
    """Of the response times of each complete repetition, or of a part of a mix, in ns."""
    operations = [phase.main if kind.is_part else phase.operations.get("response")
                  for kind in kinds for phase in kind.complete]
    found = [operation.percentiles.get(name) for operation in operations if operation]
    return [value for value in found if value]


def compare(kinds_a, kinds_b, within):
    """[Response] of what both sides have."""
    found = []
    for name in PERCENTILES:
        a, b = percentiles(kinds_a, name), percentiles(kinds_b, name)
        if a and b:
            # the shorter the better: turned round, they compare as rates do
            found.append(Response(name, (statistics.median(a), statistics.median(b)), ranks.compare(b, a, within)))
    return found


def rate_words(rates):
    """What was ordered on the two sides."""
    texts = [units.rate(rate, units.OPERATIONS) if rate else None for rate in rates]
    if all(texts):
        what = texts[0] if texts[0] == texts[1] else f"A {texts[0]}, B {texts[1]}"
        return f"the rate was ordered ({what}), so B/A does not show which is faster"
    letter, text = ("A", texts[0]) if texts[0] else ("B", texts[1])
    return f"the rate of {letter} was ordered ({text}), so B/A does not show which is faster"


def part_words(responses, within):
    return (", ".join(one.words(within) for one in responses) or "too few operations for a percentile") \
        + "; the rate is a share of the mix's rate"


def words(rates, responses, within):
    first = "response " + ", ".join(one.words(within) for one in responses) + "; " if responses else ""
    return first + rate_words(rates)
