"""The pace and the times of one rd of Vdbench: rates, curve, elapsed, warmup, pause."""

from . import vdbench_values as values
from .problems import fail
from .units import Seconds, Size
from .vdbench_differences import DIFFERENCES

ARRIVALS = {"exponential": "poisson", "uniform": "uniform", "deterministic": "even"}
DEFAULT_CURVE = (10, 50, 70, 80, 90, 100)  # percent
DEFAULT_ELAPSED = 30
LEAST_INTERVAL = 0.5  # of iorx


def _rate(parameter, text):
    """A number of operations per second, or max or curve."""
    if text[:1].isdigit():
        rate = values.number(parameter, text)
        return rate if rate else fail(parameter.origin, f"{parameter.key}: a rate of 0 does nothing")
    return values.word(parameter, ("max", "curve"), text)


class Clock:
    """What an rd says about time. first: no rd stands before it, so that it does not pause."""

    def __init__(self, run, key, first, problems):
        self.run, self.problems = run, problems
        self.origin = run.get(key)  # iorate or fwdrate
        if not self.origin:
            fail(run.origin, f"rd={run.name}: {key}= is missing; Vdbench has no default for it")
        self.rates = values.points(self.origin, _rate)
        self.arrival = self._arrival()
        interval = self.interval = self._seconds("interval", 1)
        self.elapsed = self._seconds("elapsed", DEFAULT_ELAPSED)
        self.warmup = self._seconds("warmup", 0)
        self.pause = 0 if first else self._seconds("pause", 0)
        self._check(interval)
        self.first_interval = not self.warmup
        if self.first_interval:  # Vdbench leaves it out of its totals
            self.warmup, self.elapsed = interval, self.elapsed - interval

    def _seconds(self, key, default):
        parameter = self.run.get(key)
        return values.seconds(parameter) if parameter else default

    def _check(self, interval):
        elapsed, name = self.elapsed, f"rd={self.run.name}"
        if not interval:
            fail(self.run.get("interval").origin, "interval: 0 is no interval")
        if elapsed < 2 * interval or elapsed % interval:
            fail(self.run.origin, f"{name}: elapsed={elapsed} is no multiple of interval={interval} from two on, "
                 "as Vdbench demands")
        if self.warmup % interval:
            fail(self.run.origin, f"{name}: warmup={self.warmup} is no multiple of interval={interval}, as Vdbench "
                 "demands")

    def _arrival(self):
        parameter = self.run.get("distribution")
        if not parameter:
            return "poisson"
        words = [values.word(parameter, (*ARRIVALS, "variable", "spike"), text) for text in parameter.values]
        if "variable" in words or "spike" in words:
            self.problems.refuse(parameter.origin, "distribution", "a rate that changes within a run is not possible; write "
                                 "an rd for each rate")
        return ARRIVALS.get(words[0], "poisson")

    def limit(self, member, to_the_end, job):
        """Sets how long a load runs."""
        elapsed = self.run.get("elapsed") or f"{self.run.origin} (elapsed=30 by default)"
        if to_the_end:
            member.set("passes", 1, to_the_end)
            member.set("duration", Seconds(self.elapsed + (self.warmup if self.first_interval else 0)), elapsed)
            if not self.first_interval:
                job.differ(DIFFERENCES["to the end"])
        else:
            member.set("duration", Seconds(self.elapsed), elapsed)
            member.set("warmup_time", Seconds(self.warmup), self.run.get("warmup") or "")
        if self.first_interval and not to_the_end:
            job.differ(DIFFERENCES["first interval"])
        self.wait(member)

    def wait(self, member):
        """Sets the pause before a test."""
        if self.pause:
            member.set("inter_test_delay", Seconds(self.pause), self.run.get("pause"))

    def limit_bytes(self, members, total, job):
        """maxdata is for all loads of a run together; below 100 it is a multiple of the storage, which has `total` bytes."""
        parameter = self.run.get("maxdata")
        if not parameter:
            return
        limit = values.size(parameter)
        limit = limit * total if limit < 100 else limit
        for member in members:
            member.set("byte_limit", Size(max(1, limit // sum(member.clones for member in members))), parameter)
        job.differ(DIFFERENCES["maxdata"])

    def rows(self, member):
        """Asks for a row of each interval, which loads that run at the same time cannot have."""
        parameter = self.run.get("interval")
        if parameter and self.interval >= LEAST_INTERVAL:
            member.set("interval", Seconds(self.interval), parameter)

    def pace(self, member, rates, job, share=1):
        """Sets the rates of a load, which has this share of them."""
        if rates == ["curve"]:
            self._curve(member)
            job.differ(DIFFERENCES["rounded"])
        elif rates != ["max"]:
            shown = [_whole(float(rate * share)) for rate in rates]
            member.set("arrival", self.arrival, self.run.get("distribution") or "")
            member.set("rate", shown if len(shown) > 1 else shown[0], self.origin)
            job.differ(DIFFERENCES["arrivals"])

    def _curve(self, member):
        parameter = self.run.get("curve")
        points = values.points(parameter, values.percent_of_maximum) if parameter else DEFAULT_CURVE
        member.set("arrival", self.arrival, self.run.get("distribution") or "")
        member.set("curve", ", ".join(["max", *(f"{point:g}%" for point in points)]), parameter or self.origin)
        stop = self.run.get("stopcurve")
        if stop:
            member.set("stop_response", f"mean:{values.number(stop):g}ms", stop)


def _whole(rate):
    return int(rate) if rate == int(rate) else rate
