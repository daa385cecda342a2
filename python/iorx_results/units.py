"""Sizes, rates and times as people read them."""

import math

NARROW = "\u202f"  # between groups of three digits
MIB = 1 << 20
MB = 10 ** 6
TIMES = (("s", 1e9), ("ms", 1e6), ("us", 1e3))


class Quantity:
    """What a rate counts, and the units it is shown in: [(name, size of one)]."""

    def __init__(self, name, units):
        self.name, self.units = name, units


BYTES = Quantity("rate", [("MiB/s", MIB), ("MB/s", MB)])
OPERATIONS = Quantity("operations", [("op/s", 1)])
ENTRIES = Quantity("entries", [("entries/s", 1)])
# Of rates whose number would be too long for a table.
LARGER = {"rate": [("GiB/s", 1 << 30), ("TiB/s", 1 << 40), ("PiB/s", 1 << 50)],
          "entries": [("kentries/s", 10 ** 3), ("Mentries/s", 10 ** 6)],
          "operations": [("kop/s", 10 ** 3), ("Mop/s", 10 ** 6), ("Gop/s", 10 ** 9)]}


def number(value, digits=4):
    """4 significant digits, never an exponent: 1 266, 400.3, 0.0123."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    size = math.floor(math.log10(abs(value)))
    text = f"{value:,.{min(12, max(0, digits - 1 - size))}f}"
    return text.replace(",", NARROW)


def whole(value):
    return "-" if value is None else f"{value:,}".replace(",", NARROW)


def trimmed(value, digits=4):
    text = number(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def ticks(values):
    """Labels of an axis, all of one form: as many decimals each, thousands as k, millions as M where the largest needs it."""
    for unit, one, least in (("M", 1e6, 5e6), ("k", 1e3, 1e5), ("", 1, 0)):
        if max(values) >= least:
            return [text + unit if value else "0" for value, text in zip(values, alike([value / one for value in values]))]


def time_ticks(values_ns):
    """Labels of an axis of times from 0 on, all in the unit of the largest."""
    unit, one = next(((unit, one) for unit, one in TIMES if max(values_ns) >= one), ("ns", 1))
    return [f"{text} {unit}" if value else "0" for value, text in zip(values_ns, alike([value / one for value in values_ns]))]


def alike(values):
    """The numbers with as many decimals as the one that needs the most."""
    decimals = max((len(text.partition(".")[2]) for text in map(trimmed, values)), default=0)
    return [f"{value:,.{decimals}f}".replace(",", NARROW) for value in values]


def size(value):
    """Bytes in the largest unit that keeps them whole to three digits: 1 MiB, 1.5 GiB."""
    if value is None:
        return "-"
    for unit, one in (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", MIB), ("KiB", 1 << 10)):
        if value >= one:
            return f"{trimmed(value / one, 3)} {unit}"
    return f"{value} B"


def time_ns(value):
    if value is None:
        return "-"
    for unit, one in TIMES:
        if value >= one:
            return f"{trimmed(value / one, 3)} {unit}"
    return f"{trimmed(value, 3)} ns"


def seconds(value):
    """A time in s, in a unit that leaves three digits: 9.54 us; 0 stays 0 s."""
    return "0 s" if value == 0 else time_ns(None if value is None else 1e9 * value)


def percent(share, digits=2):
    return "-" if share is None else f"{trimmed(100 * share, digits)} %"


def rate(value, quantity, unit=0):
    name, one = quantity.units[unit]
    return "-" if value is None else f"{number(value / one)} {name}"


def fitting(quantity, values):
    """The quantity in a unit in which no value is longer than 6 digits: a larger one where it would be."""
    if max(values, default=0) / quantity.units[0][1] < 999_999.5:
        return quantity
    larger = LARGER[quantity.name]
    unit = next((one for one in larger if max(values) / one[1] < 9_999.5), larger[-1])
    return Quantity(quantity.name, [unit])
