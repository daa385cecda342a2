"""The output of strace -f -ttt -T -y. Each thread is a stream. Places of read and write follow from the calls before."""

import re

from .problems import fail
from .trace_file import FDATASYNC, FSYNC, READ, UNIX_TIME, WRITE

LINE = re.compile(rb"(?:(?:\[pid +)?(\d+)\]? +)?(\d{9,11})\.(\d{6}) (.*)", re.DOTALL)
OTHER_CLOCK = re.compile(rb"(?:(?:\[pid +)?\d+\]? +)? *(?:\d\d:\d\d:\d\d(?:\.\d+)?|\d{1,8}\.\d{6}|\d{9,11}) "  # of -t, -tt and -r
                         rb"(?:\w+\(|<\.\.\. |\+\+\+|---).*", re.DOTALL)
RESUMED = re.compile(rb"<\.\.\. \w+ resumed>(.*)", re.DOTALL)
CALL = re.compile(rb"(\w+)\((.*)\) += (-?\d+)(?![\dx]).*?(?:<(\d+)\.(\d{6})>)?", re.DOTALL)
DESCRIPTOR = re.compile(rb"(\d+)<((?:[^<>]|<[^<>]*>)*)>")
UNFINISHED = b" <unfinished ...>"
NOT_REGULAR = (b"/dev/", b"/proc/", b"/sys/")
# call: (operation, arguments behind the place, or None for the place of the descriptor)
TRANSFERS = {b"read": (READ, None), b"readv": (READ, None), b"write": (WRITE, None), b"writev": (WRITE, None), b"pread64": (READ, 0),
             b"pwrite64": (WRITE, 0), b"preadv": (READ, 0), b"pwritev": (WRITE, 0), b"preadv2": (READ, 1), b"pwritev2": (WRITE, 1)}
SYNCS = {b"fsync": 0, b"fdatasync": FDATASYNC}
OPENS = (b"open", b"openat", b"openat2", b"creat")
CLONES = (b"clone", b"clone3", b"fork", b"vfork")
NOT_PLAYED = (*OPENS, b"close", b"stat", b"lstat", b"fstat", b"newfstatat", b"statx", b"rename", b"renameat", b"renameat2", b"ftruncate")
SOURCE = "strace (times with its overhead)"


def recognises(first_line, _path):
    match = LINE.fullmatch(first_line)
    known = match and (match[4].startswith((b"<... ", b"+++", b"---")) or re.match(rb"\w+\(", match[4]))
    return bool(known or OTHER_CLOCK.fullmatch(first_line))


class Opened:
    """What open() made: descriptors of dup() and fork() share its place."""

    def __init__(self, name, appends=False):
        self.name, self.appends, self.place = name, appends, 0


class Processes:
    """The descriptors of each thread, and sizes of files as far as the calls show them."""

    def __init__(self, writer):
        self.writer, self.tables, self.sizes = writer, {}, {}
        self.named = self.unnamed = 0  # transfers that show the file of their descriptor, and others
        self.pending = {}  # of a thread: (time, begin of its unfinished call)

    def table(self, thread):
        """Descriptors of a thread. One that appears before its clone returned has those of the process that makes it."""
        if thread not in self.tables:
            maker = next((one for one, (_, begin) in self.pending.items() if begin.partition(b"(")[0] in CLONES), None)
            self.clone(maker, thread, self.pending[maker][1] if maker is not None else b"")
        return self.tables[thread]

    def clone(self, maker, thread, arguments):
        opened = self.tables.get(maker, {})
        self.tables[thread] = opened if b"CLONE_FILES" in arguments else dict(opened)

    def opened(self, thread, arguments):
        """The Opened of the descriptor that begins the arguments, or None if it is no regular file."""
        match = DESCRIPTOR.match(arguments)
        if not match or not match[2].startswith(b"/") or match[2].startswith(NOT_REGULAR) or b"<" in match[2]:
            return None
        table, number = self.table(thread), int(match[1])
        if number not in table or table[number].name != match[2]:
            table[number] = Opened(match[2])
        return table[number]

    def call(self, thread, now, name, arguments, result, duration):
        """Notes a call that has ended."""
        self.writer.not_played += name in NOT_PLAYED and result >= 0
        if name in TRANSFERS or name in SYNCS:
            opened = self.opened(thread, arguments)
            shown = DESCRIPTOR.match(arguments) is not None
            self.named += shown
            self.unnamed += not shown
            if opened and result < 0:
                self.writer.failed += 1
            elif opened:
                self.play(opened, thread, now, name, arguments, result, duration)
        elif result < 0:
            return
        elif name in CLONES:
            if b"%d" % result not in self.tables:
                self.clone(thread, b"%d" % result, arguments)
        elif name == b"close":
            match = DESCRIPTOR.match(arguments)
            self.table(thread).pop(int(match[1]) if match else None, None)
        elif name == b"lseek":
            opened = self.opened(thread, arguments)
            if opened:
                opened.place = result
        elif name in (b"dup", b"dup2", b"dup3") or name == b"fcntl" and b"F_DUPFD" in arguments:
            opened = self.opened(thread, arguments)
            if opened:
                self.table(thread)[result] = opened
        elif name == b"ftruncate":
            opened = self.opened(thread, arguments)
            if opened:
                self.sizes[opened.name] = int(arguments.rpartition(b", ")[2])

    def open(self, thread, name, arguments, result, path):
        """Notes an open. path: of the descriptor, as -y shows it."""
        self.table(thread)[result] = Opened(path, b"O_APPEND" in arguments)
        if b"O_TRUNC" in arguments or name == b"creat":
            self.sizes[path] = 0

    def play(self, opened, thread, now, name, arguments, result, duration):
        writer = self.writer
        stream, file = writer.stream(thread), writer.file(opened.name)
        if name in SYNCS:
            writer.add(stream, now, 0, 0, file, FSYNC, duration, SYNCS[name])
            return
        operation, behind = TRANSFERS[name]
        words = arguments.rsplit(b", ", 3)
        place = int(words[-1 - behind]) if behind is not None else -1
        own = place < 0  # also of preadv2(), for -1
        if own:
            place = self.sizes.get(opened.name, 0) if opened.appends and operation == WRITE else opened.place
            opened.place = place + result
        length = result
        if operation == WRITE and name in (b"write", b"pwrite64"):
            length = int(words[-1] if name == b"write" else words[-2])
        self.sizes[opened.name] = max(self.sizes.get(opened.name, 0), place + result)
        writer.add(stream, now, place, length, file, operation, duration)


def read(path, lines, writer, options):
    """Adds the calls on regular files. Returns the name of the format."""
    processes = Processes(writer)
    pending = processes.pending
    writer.flags |= UNIX_TIME
    for number, line in enumerate(lines, 1):
        match = LINE.fullmatch(line)
        if not match:
            if OTHER_CLOCK.fullmatch(line):
                fail(f"{path}:{number}", "the time of this line of strace does not count from 1970 with microseconds; record by strace -f -ttt -T -y")
            if line.strip() and not line.startswith(b"strace: "):
                fail(f"{path}:{number}", "this is no line of strace -f -ttt -T -y")
            continue
        thread, seconds, parts, text = match.groups()
        if not thread and len(options.inputs) > 1:  # of strace -ff, whose threads share descriptors across files
            fail(f"{path}:{number}", "lines of several logs need the number of their thread, as strace -f -o ONE-FILE writes them; "
                                     "what threads share cannot be followed across files")
        now = (int(seconds) * 10 ** 6 + int(parts)) * 1000
        if text.endswith(UNFINISHED):
            pending[thread] = now, text[:-len(UNFINISHED)]
            continue
        resumed = RESUMED.fullmatch(text)
        if resumed and thread in pending:
            now, begin = pending.pop(thread)
            text = begin + resumed[1]
        call = CALL.fullmatch(text)
        if not call:  # a signal, an end, or a call without a result
            continue
        duration = (int(call[4]) * 10 ** 6 + int(call[5])) * 1000 if call[4] else 0
        try:
            opened = DESCRIPTOR.match(text, call.start(3)) if call[1] in OPENS else None
            processes.call(thread, now, call[1], call[2], int(call[3]), duration)
            if opened:
                processes.open(thread, call[1], call[2], int(opened[1]), opened[2])
        except (ValueError, IndexError):
            fail(f"{path}:{number}", f"the arguments of this call are not those of strace -f -ttt -T -y: {call[1].decode()}")
    if processes.unnamed and not processes.named:
        fail(path, "no call shows the name of its file; record by strace -f -ttt -T -y, whose -y shows it")
    return SOURCE
