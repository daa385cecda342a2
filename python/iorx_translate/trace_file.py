"""The native trace as doc/trace.md fixes it: its layout, and a reader that checks all it reads."""

import os
import struct
import zlib
from typing import NamedTuple

from .files import open_regular
from .problems import fail

MAGIC = b"iorx\r\n\x1a\n"
VERSION = 1
HEAD = struct.Struct("<8sIIQQIIQQQ4Q4QIIIIQQQQ32s48s")
CHECKSUM_AT = 12
FILE = struct.Struct("<QQIIQQQ")
STREAM = struct.Struct("<QQQQ")
RECORD = struct.Struct("<QQIIIBBH")
READ, WRITE, FSYNC, TRIM = range(4)
OPERATIONS = ("read", "write", "fsync", "trim")
FDATASYNC, GOES_ON = 1, 2  # flags of a record
UNIX_TIME = 1              # flag of a head
MOST_FILES, MOST_STREAMS = 1 << 20, 1 << 16
MOST_NAME = 4096           # bytes
MOST_LENGTH = (1 << 31) - 1
MOST_TIME = (1 << 64) - 1
READ_AT_ONCE = 2048        # records


class Head(NamedTuple):
    magic: bytes
    version: int
    checksum: int
    size: int
    records_at: int
    num_files: int
    num_streams: int
    name_bytes: int
    origin: int
    span: int
    calls: tuple  # of each of OPERATIONS
    bytes: tuple
    largest: int
    granule: int
    depth: int
    flags: int
    with_duration: int
    failed: int
    split: int
    not_played: int
    source: bytes

    def pack(self):
        values = list(self)
        return HEAD.pack(*values[:10], *self.calls, *self.bytes, *values[12:], bytes(48))

    @classmethod
    def unpack(cls, content):
        values = HEAD.unpack(content)
        return cls(*values[:10], values[10:14], values[14:18], *values[18:-1])


class File(NamedTuple):
    size: int
    name_at: int
    name_bytes: int
    spare: int
    records: int
    read: int
    written: int


class Stream(NamedTuple):
    at: int
    records: int
    first_due: int
    last_due: int


def records_begin(head):
    """Where the records of a trace begin: behind the names, at a multiple of their size."""
    names_end = HEAD.size + FILE.size * head.num_files + STREAM.size * head.num_streams + head.name_bytes
    return -(-names_end // RECORD.size) * RECORD.size


def checksum(content):
    """The CRC of the bytes before the records, as if the field that holds it were zero."""
    return zlib.crc32(content[CHECKSUM_AT + 4:], zlib.crc32(bytes(4), zlib.crc32(content[:CHECKSUM_AT])))


def is_trace(path):
    with open_regular(path, path) as file:
        return file.read(len(MAGIC)) == MAGIC


class Trace:
    """A trace that is open for reading; `with` closes it."""

    def __init__(self, path):
        self.path = path
        self.file = open_regular(path, path)
        try:
            self.read_tables()
        except BaseException:
            self.file.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def check(self, holds, reason):
        if not holds:
            fail(self.path, reason)

    def read_tables(self):
        """Head, files, streams, names. All is refused before memory is taken for it."""
        size = os.fstat(self.file.fileno()).st_size
        content = self.file.read(HEAD.size)
        self.check(content[:len(MAGIC)] == MAGIC, "this is no trace of iorx; doc/trace.md says how one begins")
        self.check(len(content) == HEAD.size, "the trace ends within its head")
        self.head = head = Head.unpack(content)
        self.check(head.version == VERSION, f"the trace has version {head.version}; this program reads version {VERSION}")
        self.check(head.size == size, f"the trace has {size} bytes and says {head.size}: it was cut or has grown")
        self.check(0 < head.num_files <= MOST_FILES and 0 < head.num_streams <= MOST_STREAMS and
                   head.records_at == records_begin(head) <= size, "the head of the trace contradicts itself")
        content += self.file.read(head.records_at - HEAD.size)
        self.check(len(content) == head.records_at and checksum(content) == head.checksum,
                   "the checksum of the trace's head and tables is wrong: the file is damaged")
        at = HEAD.size + FILE.size * head.num_files
        names_at = at + STREAM.size * head.num_streams
        self.files = [File(*values) for values in FILE.iter_unpack(content[HEAD.size:at])]
        self.streams = [Stream(*values) for values in STREAM.iter_unpack(content[at:names_at])]
        names = content[names_at:names_at + head.name_bytes]
        self.check(all(0 < one.name_bytes <= MOST_NAME and one.name_at + one.name_bytes <= len(names) for one in self.files),
                   "a file of the trace has no name")
        self.check(b"\0" not in names, "the name of a file of the trace has a byte 0")
        self.names = [os.fsdecode(names[one.name_at:one.name_at + one.name_bytes]) for one in self.files]
        next_at = head.records_at
        for stream in self.streams:
            self.check(stream.at == next_at, "the streams of the trace do not follow each other")
            next_at += stream.records * RECORD.size
        number = sum(stream.records for stream in self.streams)
        self.check(next_at == size and 0 < number == sum(head.calls) == sum(one.records for one in self.files),
                   "the numbers of records in the trace contradict each other")
        used = [stream for stream in self.streams if stream.records]
        self.check(all(one.first_due <= one.last_due for one in used) and head.origin == min(one.first_due for one in used) and
                   head.origin + head.span == max(one.last_due for one in used), "the times of the trace contradict each other")
        self.check(sum(one.read for one in self.files) == head.bytes[READ] and not head.bytes[FSYNC] and
                   sum(one.written for one in self.files) == head.bytes[WRITE], "the bytes of the trace contradict each other")
        self.check(head.flags in (0, UNIX_TIME) and head.largest <= MOST_LENGTH and not head.granule & (head.granule - 1),
                   "the head of the trace has values that this version does not know")

    def records(self, number):
        """Tuples (due, offset, length, file, duration, operation, flags, 0) of a stream."""
        stream, sizes = self.streams[number], [one.size for one in self.files]
        before = stream.first_due
        for first in range(0, stream.records, READ_AT_ONCE):
            self.file.seek(stream.at + first * RECORD.size)
            content = self.file.read(min(READ_AT_ONCE, stream.records - first) * RECORD.size)
            self.check(not len(content) % RECORD.size, "the trace was cut while it was read")
            for record in RECORD.iter_unpack(content):
                due, offset, length, file, _, operation, _, _ = record
                if due < before or file >= len(sizes) or operation > TRIM or offset + length > sizes[file] or \
                        (length == 0) != (operation == FSYNC) or length > self.head.largest:
                    fail(self.path, f"stream {number}: a record of {OPERATIONS[operation] if operation <= TRIM else 'an unknown operation'} "
                                    f"with due {due}, offset {offset}, length {length}, file {file} is damaged")
                before = due
                yield record
        self.check(not stream.records or before == stream.last_due, f"stream {number}: its last record is not due when the trace says")
