"""
Documents made of the outputs of other programs (schema iorx-import,
doc/import.schema.json). What an output does not say is absent in its document.
"""

import datetime
import math
import re
import shlex

from . import VERSION
from .members import MOST, ResultError

SCHEMA, SCHEMA_VERSION = "iorx-import", "1.0"
MIB = 1 << 20
SIZES = {
    "b": 1,
    "byte": 1,
    "bytes": 1,
    "kib": 1 << 10,
    "mib": MIB,
    "gib": 1 << 30,
    "tib": 1 << 40,
    "pib": 1 << 50
}
DATES = ("%a %b %d %H:%M:%S %Y", "%m/%d/%Y %H:%M:%S")  # of IOR and of mdtest


class Output:
    """
    An output that is read; errors name its file, the line, what stands there and what
    to do.
    """
    def __init__(self, path, program):
        self.path, self.program = path, program

    def fail(self, line, key, value, why):
        raise ResultError(
            f"{self.path}:{line}: {key}: {str(value)[:60]!r} {why}; give the output as "
            f"{self.program} wrote it, whole"
        )

    def number(self, line, key, text):
        """A number from 0 on."""
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 <= value <= MOST:
            self.fail(line, key, text, "is not a number")
        return value

    def whole(self, line, key, text):
        if not re.fullmatch(r"[0-9]{1,18}", text):
            self.fail(line, key, text, "is not a whole number")
        return int(text)

    def rate(self, line, key, text):
        value = self.number(line, key, text)
        return value if value > 0 else self.fail(line, key, text, "is no rate")

    def date(self, line, key, text):
        """ISO 8601, without a zone, as neither IOR nor mdtest says one."""
        for form in DATES:
            try:
                return datetime.datetime.strptime(" ".join(text.split()),
                                                  form).isoformat()
            except ValueError:
                pass
        return self.fail(line, key, text, "is not a date")


def size(text):
    """Bytes of "1 MiB" or "262144 bytes"; None where they are not whole."""
    found = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,6})?) ?([A-Za-z]+)", text.strip())
    value = found and found[2].lower() in SIZES and float(
        found[1]) * SIZES[found[2].lower()]
    return int(value) if value and value == int(value) else None


def words_of(command):
    try:
        return shlex.split(command)
    except ValueError:
        return command.split()


def flags(words, paths):
    """
    The words of a command line behind the program, without the options that name files.
    """
    kept, skip = [], False
    for word in words[1:]:
        if not skip and not any(word.startswith(f"{name}=")
                                for name in paths) and word not in paths:
            kept.append(word)
        skip = not skip and word in paths
    return shlex.join(kept)


def folder(path):
    """A path of a folder ends with a slash, so that it is told from that of a file."""
    return path.rstrip("/") + "/" if path else None


def option(value, unit=None):
    return None if value is None else {"value": value, "unit": unit, "origin": "output"}


def of_bytes(value):
    return option(value, "bytes")


def phase(test, name, repetition, rates, **members):
    return {
        "test": test,
        "phase": name,
        "repetition": repetition,
        "status": "complete",
        "rates": rates,
        **members
    }


def document(output, version, form, line, run, tests):
    """The document; `line` is where the output begins in its file."""
    failed = any(one["status"] == "failed" for test in tests for one in test["phases"])
    return present({
        "schema": {
            "name": SCHEMA,
            "version": SCHEMA_VERSION
        },
        "source": {
            "program": output.program,
            "version": version,
            "form": form,
            "file": output.path,
            "line": line,
            "imported_by": f"iorx {VERSION}"
        },
        "status": "failed" if failed else "complete",
        "run": run,
        "tests": tests
    })


def present(value):
    """Without members that are None or empty objects."""
    if isinstance(value, dict):
        found = {key: present(one) for key, one in value.items() if one is not None}
        return {key: one for key, one in found.items() if one != {} or key == "run"}
    return [present(one) for one in value] if isinstance(value, list) else value
