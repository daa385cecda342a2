"""Checked access to the members of a result document: each error names the file and the member."""

from .kinds import KINDS, NUMBER, TEXT, TRUTH, WHOLE, Each, Needed

REQUIRED = object()
MOST = 1 << 64  # no number of a result is as large
LEAST = 1e-280  # no number of a result but 0 is as small; a rate divided by it is still finite


class ResultError(Exception):
    """A file that is no result, or has a member that is not what the schema says."""


def is_kind(value, kind):
    """True if the value is of this kind of kinds.py; numbers must be 0, or between LEAST and MOST."""
    if isinstance(value, bool):
        return bool in KINDS[kind]
    if isinstance(value, (int, float)):
        # not a number is in no range either
        low = 0 if kind in (NUMBER, WHOLE) else -MOST
        return isinstance(value, KINDS[kind]) and low <= value <= MOST and (value == 0 or abs(value) >= LEAST)
    return isinstance(value, KINDS[kind])


def check(value, shape, where):
    """ResultError where the value has not the shape; `where` is the file and the member."""
    if isinstance(shape, Needed):
        shape = shape.shape
        if value is None:
            raise ResultError(f"{where} is missing")
    if value is None or shape is None:
        return
    kind = shape if isinstance(shape, str) else "an array" if isinstance(shape, list) else "an object"
    if not is_kind(value, kind):
        raise ResultError(f"{where} is not {kind}")
    for name, one, inner in parts(value, shape):
        check(one, inner, f"{where}{name}")


def parts(value, shape):
    """(how it is called, value, shape) of what is in it."""
    if isinstance(shape, list):
        return [(f"[{index}]", one, shape[0]) for index, one in enumerate(value)]
    if isinstance(shape, Each):
        return [(f".{name}", one, shape.shape) for name, one in value.items()]
    if isinstance(shape, dict):
        return [(f".{name}", value.get(name), inner) for name, inner in shape.items()]
    return []


class Members:
    """
    An object of the document and where it stands: "run.json: tests[0].phases[2]". Every function that takes a member
    raises ResultError where it is of another kind, or missing without a default.
    """

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
        return self.take(name, TEXT, default)

    def number(self, name, default=REQUIRED):
        return self.take(name, NUMBER, default)

    def whole(self, name, default=REQUIRED):
        return self.take(name, WHOLE, default)

    def truth(self, name, default=REQUIRED):
        return self.take(name, TRUTH, default)

    def array(self, name, default=REQUIRED):
        return self.take(name, "an array", default)

    def plain(self, name, shape):
        """An object of that shape, as it is; empty where there is none."""
        check(self.value.get(name), shape, f"{self.file}: {self.where(name)}")
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
                if value is not None and not is_kind(value, NUMBER):
                    raise ResultError(f"{self.file}: {self.where(name)}[{index}] is not {NUMBER}")
        return values
