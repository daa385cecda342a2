"""blktrace's binary records: the files NAME.blktrace.CPU, or the file of blkparse -d. Devices become files, processes streams."""

import re
import struct
from bisect import bisect_left
from collections import deque
from operator import itemgetter

from .problems import fail
from .trace_file import FSYNC, READ, TRIM, WRITE

# struct blk_io_trace of linux/blktrace_api.h: magic, time, sector, bytes, action, pid, device, error, bytes of data behind the record
FIELDS, RECORD_BYTES = "I4xQQIIII4xHH", 48
MAGIC = 0x65617407  # of version 7
LAYOUTS = {struct.pack(order + "I", MAGIC): struct.Struct(order + FIELDS) for order in "<>"}
TIME = itemgetter(1)
NAME = re.compile(r"\.blktrace\.\d+$")
SECTOR = 512

# The low half of an action says what happened; each bit of the high half is a category.
QUEUE, ISSUE, COMPLETE = 1, 7, 8
IS_READ, IS_WRITE, IS_FLUSH, IS_COMMAND, IS_NOTE, IS_DISCARD = (1 << (16 + bit) for bit in (0, 1, 2, 9, 10, 13))
WHAT = IS_NOTE | 0xFF
KIND = IS_READ | IS_WRITE | IS_COMMAND | IS_DISCARD
OPERATIONS = {IS_READ: READ, IS_WRITE: WRITE, IS_WRITE | IS_DISCARD: TRIM}

MOST_HELD = 1 << 15  # requests that wait for their completion
# The items of a request, which is a list: first the arguments of Writer.add().
STREAM, DUE, OFFSET, LENGTH, _FILE, _OPERATION, DURATION, SECTOR_LEFT, PENDING = range(9)


def recognises(first_line, path):
    """True if a log is blktrace's. The file of a CPU without requests is empty, and has only its name to know it by."""
    return first_line[:4] in LAYOUTS or not first_line and NAME.search(path) is not None


def records_of(path, blocks, wanted):
    """Lists of the records of a file whose action is wanted, sorted by time."""
    unpack, at, rest = None, 0, b""
    for block in blocks:
        block = rest + block
        if not unpack:
            if block[:4] not in LAYOUTS:
                fail(path, "this does not begin with a record of blktrace of version 7")
            unpack = LAYOUTS[block[:4]].unpack_from
        last, found = len(block) - RECORD_BYTES, []
        while at <= last:
            record = unpack(block, at)
            if record[0] != MAGIC:
                fail(path, "a record of blktrace is damaged: its magic number is wrong")
            if record[4] & WHAT in wanted:
                found.append(record)
            at += RECORD_BYTES + record[8]
        rest, at = block[at:], max(0, at - len(block))  # data of a record may go on in the next block
        if found:
            found.sort(key=TIME)
            yield found
    if rest or at:
        fail(path, "the last record is cut off")


def merged(files):
    """Lists of the records of several files in the order of time. files: those of records_of()."""
    held = [(records, file) for file in files for records in [next(file, None)] if records]
    while held:
        until = MAGIC, 1 + min(TIME(records[-1]) for records, _ in held)
        ready, left = [], []
        for records, file in held:
            number = bisect_left(records, until)
            ready += records[:number]
            records = records[number:] or next(file, None)
            if records:
                left.append((records, file))
        ready.sort(key=TIME)
        yield ready
        held = left


class Requests:
    """Requests in the order of time, which the writer gets when their completion is known."""

    def __init__(self, writer, issued):
        self.writer, self.issued, self.held, self.streams = writer, issued, deque(), {}
        self.devices = {}  # {device: (number of its file, {sector: request that is not complete from this sector on})}

    def take(self, records):
        held, devices, streams = self.held, self.devices, self.streams
        for _, time, sector, length, action, pid, device, error, _ in records:
            if action & WHAT == COMPLETE:
                if device in devices and not action & IS_COMMAND:
                    pending = devices[device][1]
                    request = pending.get(sector)
                    if request and request[LENGTH] == length and not error:
                        del pending[sector]
                        duration = time - request[DUE]
                        request[DURATION] = duration if duration > 0 else 1
                    elif request:
                        self.complete(pending, time, sector, sector + length // SECTOR, error)
                continue
            operation = OPERATIONS.get(action & KIND)
            if operation is None:
                self.writer.not_played += 1
                continue
            if device not in devices:
                devices[device] = self.writer.file(b"%d,%d" % (device >> 20, device & 0xFFFFF)), {}
            if pid not in streams:
                streams[pid] = self.writer.stream(pid)
            file, pending = devices[device]
            if action & IS_FLUSH and not (self.issued and length):  # the flush before a write is issued separately
                held.append([streams[pid], time, 0, 0, file, FSYNC, 0, None, pending])
            if length:
                pending[sector] = request = [streams[pid], time, sector * SECTOR, length, file, operation, 0, sector, pending]
                held.append(request)
        self.drain(MOST_HELD)

    def complete(self, pending, time, sector, end, error):
        """Ends the requests between two sectors: several if they were merged, none if this was not the last part of a split one."""
        while sector < end and sector in pending:
            request = pending.pop(sector)
            request_end = -(-(request[OFFSET] + request[LENGTH]) // SECTOR)
            if error:
                request[LENGTH] = 0
                self.writer.failed += 1
            elif request_end > end:
                request[SECTOR_LEFT] = end
                pending[end] = request
            else:
                request[DURATION] = max(1, time - request[DUE])
            sector = request_end

    def drain(self, most):
        """Gives the writer the first requests that have ended, and more until no more than `most` are held."""
        held, add = self.held, self.writer.add
        while held:
            request = held[0]
            stream, due, offset, length, file, operation, duration, sector, pending = request
            if not duration and length:
                if len(held) <= most:
                    break
                if pending.get(sector) is request:
                    del pending[sector]
            held.popleft()
            add(stream, due, offset, length, file, operation, duration)


def read(files, writer, options):
    """Adds the requests of several files, [(path, blocks)], of which each may have a completion of another one's request."""
    requests = Requests(writer, options.issued)
    wanted = {ISSUE if options.issued else QUEUE, COMPLETE}
    try:
        for records in merged([records_of(path, blocks, wanted) for path, blocks in files]):
            requests.take(records)
        requests.drain(0)
    except ValueError:
        fail(files[0][0], "a request lies behind the end of any device")
    if not requests.streams:
        fail(files[0][0], "blktrace recorded no request that was " + (
            "issued to a driver (D); leave --issued out" if options.issued else "queued (Q); --issued takes those issued to a driver (D)"))
    return f"blktrace, {'issued' if options.issued else 'queued'} requests"
