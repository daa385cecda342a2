"""Sizes and times as iorx writes them. What a suffix means elsewhere is each dialect's own."""

import re

SUFFIXES = ("", "k", "m", "g", "t", "p")


class Size(int):
    """Bytes; printed in the shortest exact form, as 128m."""

    def __str__(self):
        value, power = int(self), 0
        while value and value % 1024 == 0 and power + 1 < len(SUFFIXES):
            value, power = value // 1024, power + 1
        return f"{value}{SUFFIXES[power]}"


class Seconds(float):
    """A time; printed without needless digits, as 0.5."""

    def __str__(self):
        return f"{float(self):.9f}".rstrip("0").rstrip(".") or "0"


TIME_UNITS = {"ns": 1, "us": 1000, "ms": 10 ** 6, "s": 10 ** 9, "m": 60 * 10 ** 9, "min": 60 * 10 ** 9, "h": 3600 * 10 ** 9}


def nanoseconds(text):
    """A time as 1s, 500ms or 2.5; without a unit it is seconds."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{0,9})?)([a-z]*)", text.strip())
    if not match or (match[2] or "s") not in TIME_UNITS:
        raise ValueError(f"{text!r}: no time; write 1s, 500ms or 2.5")
    return round(float(match[1]) * TIME_UNITS[match[2] or "s"])


def factor(text):
    """The factor of --scale-size and --scale-time: 0.01, 1/1000 or 1%."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?)(?:/(\d+(?:\.\d*)?)|(%))?", text.strip())
    below = 100 if match and match[3] else float(match[2]) if match and match[2] else 1
    if not match or not below or not float(match[1]):
        raise ValueError(f"{text}: no factor; write 0.01, 1/100 or 1%")
    return float(match[1]) / below
