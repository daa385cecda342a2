"""Darshan's extended tracing (DXT): the POSIX calls in a log, read by PyDarshan or from the text of darshan-dxt-parser.

Each task of the job becomes a stream. Times count from the start of the job.
"""

import os
import sys

from .darshan_log import TEXT, parsed
from .problems import fail
from .trace_file import READ, WRITE

LOG = ".darshan"                            # end of the name of a log
POSIX, MPIIO = "DXT_POSIX", "DXT_MPIIO"     # modules; calls of MPI-IO are counted, for they made those of POSIX
FILE, ROW, OTHER_ROW = b"# DXT, file_id: ", b"X_POSIX", b"X_"  # begins of lines of the text
NAME, INCOMPLETE = b", file_name: ", b"incomplete data"        # in such lines
WAYS = {b"read": READ, b"write": WRITE}
SEGMENTS = {"read_segments": READ, "write_segments": WRITE}    # of a record of PyDarshan
COLUMNS = ("offset", "length", "start_time", "end_time")       # of its segments


def recognises(first_line, path):
    return path.endswith(LOG) or first_line.startswith(TEXT.encode())


class Calls:
    """Calls of one log on their way to the writer."""

    def __init__(self, path, writer):
        self.path, self.writer = path, writer
        self.streams = {}     # of tasks
        self.complete = True  # False if DXT had not enough memory for all calls

    def add(self, rank, file, operation, offset, length, start, end):
        """start, end: seconds. file: of writer.file()."""
        if rank not in self.streams:
            self.streams[rank] = self.writer.stream((self.path, rank))
        due = round(start * 1e9)
        duration = round(end * 1e9) - due
        self.writer.add(self.streams[rank], due, offset, length, file, operation, duration if duration > 0 else 0)


def read(path, lines, writer, _options):
    """Adds the calls of a log, or of its text. Returns the name of the format."""
    calls = Calls(path, writer)
    if not path.endswith(LOG):
        read_text(lines, calls)
    elif not read_by_pydarshan(calls):
        read_by_parser(calls)
    if not calls.streams:
        fail(path, "there are no POSIX calls of DXT; Darshan records them where DXT_ENABLE_IO_TRACE is set, and darshan-dxt-parser prints them")
    if calls.complete:
        return "Darshan DXT"
    print(f"iorx-translate: {path}: DXT's memory ran out while the job ran, so the trace lacks requests; a larger DARSHAN_MODMEM "
          "keeps all of them", file=sys.stderr)
    return "Darshan DXT (memory ran out)"


def read_text(lines, calls):
    """The lines of darshan-dxt-parser: a head, then for each file and task its name and a row for each call."""
    writer, file = calls.writer, None
    for number, line in enumerate(lines, 1):
        try:
            if line.startswith(ROW):
                _, rank, way, _, offset, length, start, end = line.split(None, 8)[:8]
                calls.add(rank, file, WAYS[way], int(offset), int(length), float(start), float(end))
            elif line.startswith(OTHER_ROW):
                writer.not_played += 1
            elif line.startswith(FILE):
                file = writer.file(line.partition(NAME)[2])
            elif INCOMPLETE in line and b"MPI" not in line:
                calls.complete = False
            elif line.strip() and not line.startswith(b"#"):
                raise ValueError
        except (ValueError, KeyError, TypeError, OverflowError):
            fail(f"{calls.path}:{number}", f"this is no line of darshan-dxt-parser: {line[:80].decode('utf-8', 'replace').strip()!r}")


def read_by_pydarshan(calls):
    """False where PyDarshan is not installed."""
    try:
        import darshan
    except ImportError:
        return False
    try:
        report = darshan.DarshanReport(calls.path, read_all=False)
        modules = [module for module in (POSIX, MPIIO) if module in report.modules]
        for module in modules:
            report.mod_read_all_dxt_records(module)
        records = {module: report.records[module].to_df() for module in modules}
        calls.complete = not report.modules.get(POSIX, {}).get("partial_flag")
        for record in records.get(POSIX, ()):
            file = calls.writer.file(os.fsencode(str(report.name_records.get(record["id"], record["id"]))))
            for key, operation in SEGMENTS.items():
                if len(record[key]):  # one without rows has no columns
                    for offset, length, start, end in zip(*(record[key][column].tolist() for column in COLUMNS)):
                        calls.add(record["rank"], file, operation, offset, length, start, end)
        calls.writer.not_played += sum(len(record[key]) for record in records.get(MPIIO, ()) for key in SEGMENTS)
    except Exception as error:  # whatever the library makes of a file that is no log
        fail(calls.path, f"PyDarshan cannot read this as a log of Darshan: {error}")
    return True


def read_by_parser(calls):
    with parsed("darshan-dxt-parser", calls.path) as text:
        read_text((line.rstrip(b"\n") for line in text), calls)
