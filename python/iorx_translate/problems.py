"""Collects the requests of a job that iorx does not do, or does differently, each with its place."""

from typing import NamedTuple


class Failure(Exception):
    """The job cannot be translated; the text has a line for each reason."""


class Refusal(NamedTuple):
    origin: str  # "job.fio:12", or an argument of the command line
    key: str
    reason: str

    def __str__(self):
        return f"{self.origin}: {self.key}: {self.reason}"


class Problems:
    """Collects them, so that a user sees all refused keys at once."""

    def __init__(self, lenient=False):
        self.lenient = lenient
        self.refusals = []
        self.ignored = []  # keys that change nothing here, each once

    def refuse(self, origin, key, reason):
        """Notes a key that iorx cannot honour. The reason is a sentence that says what to do, if anything helps."""
        refusal = Refusal(str(origin), key, reason)
        if refusal not in self.refusals:
            self.refusals.append(refusal)

    def ignore(self, key):
        """Notes a key that changes nothing here."""
        if key not in self.ignored:
            self.ignored.append(key)

    def check(self):
        """Raises what was refused, unless the user wants the rest of the job all the same."""
        if self.refusals and not self.lenient:
            raise Failure("\n".join(map(str, self.refusals)))


def fail(origin, text):
    """What makes no sense in the other program either."""
    raise Failure(f"{origin}: {text}")
