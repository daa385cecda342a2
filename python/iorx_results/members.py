"""Checked access to the members of a result document: each error names the file and the member."""

import math

REQUIRED = object()

KINDS = {
    "a text": str,
    "a number": (int, float),
    "a whole number": int,
    "true or false": bool,
    "an object": dict,
    "an array": list,
}


class ResultError(Exception):
    """A file that is no result, or has a member that is not what the schema says."""


def is_kind(value, kind):
    if isinstance(value, bool) and kind != "true or false":
        return False
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return isinstance(value, KINDS[kind])


class Members:
    """An object of the document and where it stands: "run.json: tests[0].phases[2]"."""

    def __init__(self, value, file, place=""):
        self.value, self.file, self.place = value, file, place
        if not isinstance(value, dict):
            raise ResultError(f"{file}: {place or 'the document'} is not an object")

    def where(self, name):
        return f"{self.place}.{name}" if self.place else name

    def take(self, name, kind, default):
        """The member, checked; what is null or absent is the default where there is one."""
        value = self.value.get(name)
        if value is None:
            if default is not REQUIRED:
                return default
            raise ResultError(f"{self.file}: {self.where(name)} is missing")
        if not is_kind(value, kind):
            raise ResultError(f"{self.file}: {self.where(name)} is not {kind}")
        return value

    def text(self, name, default=REQUIRED):
        return self.take(name, "a text", default)

    def number(self, name, default=REQUIRED):
        return self.take(name, "a number", default)

    def whole(self, name, default=REQUIRED):
        return self.take(name, "a whole number", default)

    def truth(self, name, default=REQUIRED):
        return self.take(name, "true or false", default)

    def array(self, name, default=REQUIRED):
        return self.take(name, "an array", default)

    def plain(self, name):
        """An object whose members are only shown; empty where there is none."""
        return self.take(name, "an object", {})

    def inner(self, name, default=REQUIRED):
        """The object of that name as Members of its own."""
        value = self.take(name, "an object", default)
        return value if value is default else Members(value, self.file, self.where(name))

    def each(self, name, default=REQUIRED):
        """The objects of an array, each as Members."""
        return [Members(value, self.file, f"{self.where(name)}[{index}]")
                for index, value in enumerate(self.array(name, default))]

    def numbers(self, name, default=REQUIRED):
        """An array of numbers; None stands where one is not known."""
        values = self.array(name, default)
        if values is not default:
            for index, value in enumerate(values):
                if value is not None and not is_kind(value, "a number"):
                    raise ResultError(f"{self.file}: {self.where(name)}[{index}] is not a number")
        return values
