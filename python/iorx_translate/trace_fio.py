"""fio's log of requests, versions 2 and 3, as write_iolog makes it. Each log is a stream."""

import os
import re

from .problems import fail
from .trace_file import FDATASYNC, FSYNC, READ, TRIM, WRITE

FIRST_LINES = {b"fio version 2 iolog": 2, b"fio version 3 iolog": 3}
ACTIONS = {b"read": (READ, 0), b"write": (WRITE, 0), b"sync": (FSYNC, 0), b"datasync": (FSYNC, FDATASYNC), b"trim": (TRIM, 0)}
NOT_PLAYED = (b"add", b"open", b"close")
WAIT = b"wait"
WORDS = {(operation, flags): word for word, (operation, flags) in ACTIONS.items()}


def recognises(first_line, _path):
    return first_line.strip() in FIRST_LINES


def split_name(line, words):
    """The name, which may have blanks, and up to `words` words behind it."""
    parts = line.rsplit(None, words)
    if len(parts) < words + 1:
        raise ValueError("the line is too short")
    return parts


def read(path, lines, writer, _options):
    """Adds the requests of a log. Returns the name of the format."""
    version = FIRST_LINES[next(lines).strip()]
    stream, now, files, add = writer.stream(path), 0, writer.file_numbers, writer.add
    for number, line in enumerate(lines, 2):
        try:
            if version == 3:
                due, line = line.split(None, 1)
                now = int(due) * 1000
            words = line.split()
            if not words:
                continue
            if words[-1] in NOT_PLAYED:
                writer.not_played += 1
                continue
            if len(words) != 4:
                words = split_name(line, 3)
            name, action, offset, length = words
            if action == WAIT and version == 2:
                now += int(offset) * 1000
                continue
            operation, flags = ACTIONS[action]
            file = files[name] if name in files else writer.file(name)
            add(stream, now, int(offset), int(length), file, operation, 0, flags)
        except (ValueError, KeyError):
            fail(f"{path}:{number}", f"this is no line of fio's iolog of version {version}: "
                                     f"{line[:80].decode('utf-8', 'replace').strip()!r}")
    return f"fio iolog {version}"


def write(trace, stream, output, source):
    """Writes a stream as a log of version 3. Times count from the first request of the trace. source: what an error names."""
    names, opened, now = [os.fsencode(name) for name in trace.names], {}, 0
    output.write(b"fio version 3 iolog\n")
    for due, offset, length, file, _, operation, flags, _ in trace.records(stream):
        now, name = (due - trace.head.origin) // 1000, names[file]
        if file not in opened:
            opened[file] = name
            if re.search(rb"\s", name):
                fail(source, f"{trace.names[file]}: fio cannot replay a file whose name has a blank")
            output.write(b"%d %s add\n%d %s open\n" % (now, name, now, name))
        output.write(b"%d %s %s %d %d\n" % (now, name, WORDS[operation, flags & FDATASYNC], offset, length))
    output.writelines(b"%d %s close\n" % (now, name) for name in opened.values())
