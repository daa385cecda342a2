"""Writes a native trace from requests in any order, in constant memory: sorted runs on disk are merged at the end."""

import fnmatch
import heapq
import os
import tempfile
from itertools import chain
from operator import itemgetter

from . import trace_file
from .problems import fail
from .trace_file import FSYNC, GOES_ON, MOST_LENGTH, MOST_TIME, RECORD
from .trace_idle import Idle
from .units import Seconds

RUN_RECORDS = 1 << 15    # of all streams that are held in memory
MOST_END = (1 << 62) - 1  # of a request in its file
MOST_CALL = 1 << 46      # bytes of a call that is split
PART = 1 << 30           # bytes of a record of a split call
MERGE_RECORDS = 512      # of a run that are read at a time
COPY_BYTES = 1 << 20
READY = 4096             # merged records that are written at a time
LARGEST_GRANULE = 1 << 30
LONGEST = (1 << 32) - 1  # duration
LEFT_OUT = -1            # the number of each file whose requests are left out


class Totals:
    """What the records of a file sum up to."""

    def __init__(self, name):
        self.name = name
        self.size = 0
        self.calls, self.bytes = [0] * 4, [0] * 4


class Writer:
    """Takes requests by add(), and makes the trace by finish(). `with` removes its runs, which lie beside the trace."""

    def __init__(self, path, num_streams=0, only=(), idle_most=None):
        """
        num_streams: into how many streams those of the source are merged; 0: none. only: patterns, in bytes, of the names of files
        that are wanted; none: all. idle_most: ns to which longer gaps without any request in progress are cut; None: no gap is cut.
        """
        self.path, self.num_streams, self.only = path, num_streams, only
        self.idle = None if idle_most is None else Idle(idle_most)
        self.left_out = 0  # requests on other files than those that are wanted
        self.runs_file = tempfile.TemporaryFile(dir=os.path.dirname(path) or ".")
        self.files, self.file_numbers = [], {}
        self.streams, self.stream_numbers = [], {}  # records that are not yet in a run, of each stream
        self.runs = []                              # of each stream: [(place, records, first due, last due)]
        self.held = 0
        self.bits = 0                               # of all offsets and lengths
        self.largest = self.with_duration = self.failed = self.split = self.not_played = 0
        self.flags = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.runs_file.close()

    def file(self, name):
        """The number of a file. name: bytes."""
        if name not in self.file_numbers:
            if not 0 < len(name) <= trace_file.MOST_NAME or b"\0" in name:
                raise ValueError("the name of a file is empty, too long, or has a byte 0")
            if self.only and not any(fnmatch.fnmatchcase(name, pattern) for pattern in self.only):
                self.file_numbers[name] = LEFT_OUT
                return LEFT_OUT
            if len(self.files) == trace_file.MOST_FILES:
                fail(self.path, f"more than {trace_file.MOST_FILES} files; a trace has no more")
            self.file_numbers[name] = len(self.files)
            self.files.append(Totals(name))
        return self.file_numbers[name]

    def stream(self, key):
        """The number of the stream that a thread, task or volume of the source becomes."""
        if key not in self.stream_numbers:
            number = len(self.stream_numbers)
            number = number % self.num_streams if self.num_streams else number
            if number == trace_file.MOST_STREAMS:
                fail(self.path, f"more than {trace_file.MOST_STREAMS} streams; merge them by --streams=N")
            self.stream_numbers[key] = number
            if number == len(self.streams):
                self.streams.append([])
                self.runs.append([])
        return self.stream_numbers[key]

    def add(self, stream, due, offset, length, file, operation, duration=0, flags=0):
        """Notes a request. stream, file: numbers of stream() and file(). due, duration: ns. ValueError: out of range."""
        if operation == FSYNC:
            offset = length = 0
        elif not 0 < length <= MOST_LENGTH:
            self.add_other(stream, due, offset, length, file, operation, duration)
            return
        if file < 0:
            self.left_out += 1
            return
        end = offset + length
        if not 0 <= due <= MOST_TIME or offset < 0 or duration < 0 or end > MOST_END:
            raise ValueError("a number is out of range")
        totals = self.files[file]
        totals.calls[operation] += 1
        totals.bytes[operation] += length
        if end > totals.size:
            totals.size = end
        if length > self.largest:
            self.largest = length
        self.bits |= offset | length
        if duration:
            self.with_duration += 1
            duration = duration // 100 or 1
            if duration > LONGEST:
                duration = LONGEST
        self.streams[stream].append((due, offset, length, file, duration, operation, flags, 0))
        self.held += 1
        if self.held == RUN_RECORDS:
            self.write_runs()

    def add_other(self, stream, due, offset, length, file, operation, duration):
        """Notes a call that is no record: of length 0 nothing, of 2 GiB and more its parts."""
        if not 0 <= length <= MOST_CALL:
            raise ValueError("the length is not that of one call")
        self.split += length > 0
        for at in range(0, length, PART):
            self.add(stream, due, offset + at, min(PART, length - at), file, operation, 0 if at else duration, GOES_ON if at else 0)

    def write_runs(self):
        """Sorts what is held, and moves it to the disk."""
        if self.idle:
            self.idle.add(sorted([(record[0], record[0] + 100 * record[4]) for records in self.streams for record in records]))
        for stream, records in enumerate(self.streams):
            if records:
                records.sort(key=itemgetter(0))
                self.runs[stream].append((self.runs_file.tell(), len(records), records[0][0], records[-1][0]))
                self.runs_file.write(b"".join([RECORD.pack(*record) for record in records]))
                records.clear()
        self.held = 0

    def run_bytes(self, run):
        """The bytes of a run, in pieces of whole records."""
        at, left = run[0], run[1] * RECORD.size
        while left:
            self.runs_file.seek(at)
            piece = self.runs_file.read(min(COPY_BYTES, left))
            at, left = at + len(piece), left - len(piece)
            yield piece

    def run_records(self, run):
        for first in range(0, run[1], MERGE_RECORDS):
            self.runs_file.seek(run[0] + first * RECORD.size)
            yield from RECORD.iter_unpack(self.runs_file.read(min(MERGE_RECORDS, run[1] - first) * RECORD.size))

    def stream_bytes(self, runs):
        """The records of a stream in order, in pieces. Runs that follow each other are copied, others are merged."""
        if all(one[3] <= other[2] for one, other in zip(runs, runs[1:])):
            yield from chain.from_iterable(map(self.run_bytes, runs))
            return
        piece = []
        for record in heapq.merge(*map(self.run_records, runs), key=itemgetter(0)):
            piece.append(RECORD.pack(*record))
            if len(piece) == READY:
                yield b"".join(piece)
                piece.clear()
        yield b"".join(piece)

    def finish(self, source):
        """Writes the trace. source: the name of its source's format. It gets its name when all is in it."""
        self.write_runs()
        calls, moved = ([sum(column) for column in zip(*(getattr(one, key) for one in self.files))] for key in ("calls", "bytes"))
        if not sum(calls):
            fail(self.path, "there is no request in the source that could be played" +
                 (f" on a file that --only names, and {self.left_out} on others" if self.only else ""))
        self.runs = [runs for runs in self.runs if runs]  # a stream may have lost all its requests
        new = f"{self.path}.new"
        try:
            output = open(new, "x+b")
        except FileExistsError:
            fail(new, "this file is there, where the trace is made; move it, or name another trace")
        try:
            with output:
                self.write(output, calls, moved, source.encode())
            os.replace(new, self.path)
        except BaseException:
            os.unlink(new)
            raise

    def write(self, output, calls, moved, source):
        names = b"".join(one.name for one in self.files)
        first, last = min(run[2] for runs in self.runs for run in runs), max(run[3] for runs in self.runs for run in runs)
        moved_due = self.idle.moved if self.idle else int
        head = trace_file.Head(
            trace_file.MAGIC, trace_file.VERSION, 0, 0, 0, len(self.files), len(self.runs), len(names), first, moved_due(last) - first, tuple(calls),
            tuple(moved), self.largest, min(self.bits & -self.bits, LARGEST_GRANULE), 0, self.flags, self.with_duration, self.failed,
            self.split, self.not_played, source)
        head = head._replace(records_at=trace_file.records_begin(head))
        output.seek(head.records_at)
        tables, depth, at = [], 0, head.records_at
        for runs in self.runs:
            in_progress = []
            for piece in self.stream_bytes(runs):
                output.write(self.idle.moved_records(piece) if self.idle else piece)
                if self.with_duration:
                    depth = max(depth, deepest(piece, in_progress))
            number = sum(run[1] for run in runs)
            dues = moved_due(min(run[2] for run in runs)), moved_due(max(run[3] for run in runs))
            tables.append(trace_file.STREAM.pack(at, number, *dues))
            at += number * RECORD.size
        name_at, files = 0, []
        for one in self.files:
            files.append(trace_file.FILE.pack(one.size, name_at, len(one.name), 0, sum(one.calls), one.bytes[0], one.bytes[1]))
            name_at += len(one.name)
        head = head._replace(size=at, depth=depth)
        content = b"".join([head.pack(), *files, *tables, names]).ljust(head.records_at, b"\0")
        output.seek(0)
        output.write(head._replace(checksum=trace_file.checksum(content)).pack() + content[trace_file.HEAD.size:])

    def changes(self):
        """Lines on what the trace has not of the source, for a summary."""
        if self.only:
            others = sum(number < 0 for number in self.file_numbers.values())
            yield f"not taken   {self.left_out} requests on {others} other files"
        if self.idle:
            gaps, cut = self.idle.cut()
            yield f"idle        {gaps} gaps cut to {Seconds(self.idle.most / 1e9)} s, by {Seconds(cut / 1e9)} s in all"


def deepest(piece, in_progress):
    """The most requests in progress at a time. in_progress: a heap of ends, kept from piece to piece."""
    most = 0
    for due, _, _, _, duration, _, _, _ in RECORD.iter_unpack(piece):
        while in_progress and in_progress[0] <= due:
            heapq.heappop(in_progress)
        if duration:
            heapq.heappush(in_progress, due + 100 * duration)
            most = max(most, len(in_progress))
    return most
