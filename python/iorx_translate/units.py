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


def factor(text):
    """The factor of --scale-size and --scale-time: 0.01, 1/1000 or 1%."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?)(?:/(\d+(?:\.\d*)?)|(%))?", text.strip())
    below = 100 if match and match[3] else float(match[2]) if match and match[2] else 1
    if not match or not below or not float(match[1]):
        raise ValueError(f"{text}: no factor; write 0.01, 1/100 or 1%")
    return float(match[1]) / below
