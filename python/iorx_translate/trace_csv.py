"""Tables of requests, a line each: CSV whose columns the user names, and the public block traces."""

import re
from fractions import Fraction

from .problems import fail
from .trace_file import FDATASYNC, FSYNC, READ, TRIM, UNIX_TIME, WRITE

PRESETS = {  # as the publishers describe their columns
    "msr": "time:filetime,file,file,operation,offset,length,duration:filetime",
    "alibaba": "file,operation,offset,length,time:us",
    "tencent": "time:s,offset:512,length:512,operation:01,file",
}
COLUMNS = ("time", "file", "stream", "operation", "offset", "length", "duration")
NEEDED = ("time", "operation", "offset", "length")
NUMBER = re.compile(rb"\s*(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?\s*")
TIMES = {"s": 10 ** 9, "ms": 10 ** 6, "us": 1000, "ns": 1, "filetime": 100}
FILETIME_START = 11644473600 * 10 ** 9  # ns from 1601 to 1970
WORDS = {b"read": (READ, 0), b"r": (READ, 0), b"write": (WRITE, 0), b"w": (WRITE, 0), b"fsync": (FSYNC, 0),
         b"fdatasync": (FSYNC, FDATASYNC), b"trim": (TRIM, 0)}
DIGITS = {b"0": (READ, 0), b"1": (WRITE, 0)}


class Columns:
    """Where in a line the values stand, and their units."""

    def __init__(self, text):
        self.at = {key: [] for key in COLUMNS}
        self.units = {"time": 10 ** 9, "duration": 10 ** 9, "offset": 1, "length": 1}
        self.words, self.start = WORDS, 0
        for at, column in enumerate(text.split(",")):
            key, _, unit = column.strip().partition(":")
            if key == "-" and not unit:
                continue
            if key not in COLUMNS or self.at[key] and key not in ("file", "stream"):
                raise ValueError(f"{column}: no column, or a second time; columns are {', '.join(COLUMNS)}, and - for others")
            self.at[key].append(at)
            if unit:
                self.set_unit(key, unit)
        missing = [key for key in NEEDED if not self.at[key]]
        if missing:
            raise ValueError(f"no column {missing[0]}")
        self.number = at + 1

    def set_unit(self, key, unit):
        if key in ("time", "duration") and unit in TIMES:
            self.units[key] = TIMES[unit]
            if (key, unit) == ("time", "filetime"):
                self.start = FILETIME_START
        elif key in ("offset", "length") and unit.isascii() and unit.isdigit() and 0 < int(unit) <= 1 << 20:
            self.units[key] = int(unit)
        elif (key, unit) == ("operation", "01"):
            self.words = DIGITS
        else:
            raise ValueError(f"{key}:{unit}: no unit; times have s, ms, us, ns or filetime, offset and length the bytes of a block, "
                             "operation has 01")


def scaled(text, unit):
    """A decimal number such as 12, 0.5 or 1.5e-05 in multiples of unit, exactly."""
    whole, dot, rest = text.partition(b".")
    if not dot and whole.isdigit():
        return int(whole) * unit
    if rest.isdigit():
        return int(whole or b"0") * unit + int(rest[:12].ljust(12, b"0")) * unit // 10 ** 12
    if not NUMBER.fullmatch(text):
        raise ValueError(text)
    return int(Fraction(text.decode("ascii").strip()) * unit)


def read(path, lines, writer, options):
    """Adds the requests of a table. A first line without numbers is its head, which is left out."""
    columns = Columns(PRESETS.get(options.format) or options.columns)
    at, units, words = columns.at, columns.units, columns.words
    (time,), (operation,), (offset,), (length,) = (at[key] for key in NEEDED)
    duration = at["duration"][0] if at["duration"] else None
    named, threads = at["file"], at["stream"] or at["file"]
    known = {}
    if options.format in PRESETS:
        writer.flags |= UNIX_TIME
    for number, line in enumerate(lines, 1):
        try:
            fields = line.strip().split(b",")
            if len(fields) == 1 and not fields[0]:
                continue
            if number == 1 and not NUMBER.fullmatch(fields[time]):
                continue
            name, thread = b"_".join([fields[i] for i in named]), b"_".join([fields[i] for i in threads])
            if (name, thread) not in known:
                known[name, thread] = writer.file(name or b"file"), writer.stream((path if not threads else None, thread))
            file, stream = known[name, thread]
            call, flags = words[fields[operation].strip().lower()]
            writer.add(stream, scaled(fields[time], units["time"]) - columns.start, int(fields[offset]) * units["offset"],
                       int(fields[length]) * units["length"], file, call,
                       scaled(fields[duration], units["duration"]) if duration is not None else 0, flags)
        except (ValueError, KeyError, IndexError):
            fail(f"{path}:{number}", f"this is no line with these columns: {line[:80].decode('utf-8', 'replace').strip()!r}")
    return options.format if options.format in PRESETS else "CSV"
