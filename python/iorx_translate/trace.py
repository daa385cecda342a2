"""iorx-translate trace: makes a native trace of a log of requests, and says what a trace holds."""

import argparse
import contextlib
import os
import re
import tempfile

from . import trace_blktrace, trace_csv, trace_dxt, trace_file, trace_fio, trace_strace, trace_summary, units
from .problems import Failure, fail
from .trace_input import lines_of, open_blocks
from .trace_writer import Writer

READERS = {"iolog": trace_fio, "strace": trace_strace, "blktrace": trace_blktrace, "dxt": trace_dxt, "csv": trace_csv, **dict.fromkeys(trace_csv.PRESETS, trace_csv)}


def parser():
    result = argparse.ArgumentParser(
        prog="iorx-translate trace", allow_abbrev=False,
        description="Makes a native trace (doc/trace.md) of a log of requests, which iorx load --trace=FILE replays.",
        epilog="A log that gzip compressed is read as it is.")
    result.add_argument("inputs", nargs="+", metavar="INPUT", help="logs of one format, together one trace; or a native trace, for --summary")
    result.add_argument("-o", "--output", metavar="FILE", help="write the trace into this file")
    result.add_argument("--format", choices=sorted(READERS),
                        help="the format of the logs: iolog (fio's, versions 2 and 3), strace (of strace -f -ttt -T -y), blktrace (NAME.blktrace.CPU, or "
                             "the file of blkparse -d), dxt (a log of Darshan, or the text of darshan-dxt-parser), which are recognised; csv with --columns, or a public block trace: msr (MSR Cambridge), alibaba, tencent")
    result.add_argument("--columns", metavar="LIST", type=columns,
                        help="what the columns of a CSV are, as time:us,file,operation,offset:512,length:512,-. Columns are "
                             f"{', '.join(trace_csv.COLUMNS)}, and - for others; times have the unit s, ms, us, ns or filetime, offset and "
                             "length the bytes of a block. operation is read, write, r, w, fsync, fdatasync, trim, or with operation:01 0 for read and 1 for write")
    result.add_argument("--streams", metavar="N", type=streams, default=0,
                        help="merge the streams of the logs into N; without it each log of fio, each thread of strace, each process of blktrace, each task of DXT "
                             "and each file of a CSV is a stream, or each value of its column stream")
    result.add_argument("--only", metavar="GLOB", action="append", default=[],
                        help="take only files whose name matches, as '*.db', where * matches slashes too; given several times, one of these must match")
    result.add_argument("--idle-most", metavar="TIME", type=idle,
                        help="cut gaps during which no stream has a request in progress to this time, as 1s; all streams move alike")
    result.add_argument("--issued", action="store_true",
                        help="of blktrace, take the requests that were issued to a driver (D), after merges and splits; without it those that were queued (Q)")
    result.add_argument("--summary", action="store_true",
                        help="print operations, bytes, sizes, read share, span, files, streams, touched space and hot share")
    return result


def columns(text):
    try:
        trace_csv.Columns(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def streams(text):
    if not re.fullmatch(r"[1-9][0-9]{0,4}", text) or int(text) > trace_file.MOST_STREAMS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {trace_file.MOST_STREAMS}")
    return int(text)


def idle(text):
    try:
        return units.nanoseconds(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def recognise(path, options):
    """The module that reads a log."""
    if options.format:
        return READERS[options.format]
    if options.columns:
        return trace_csv
    with open_blocks(path) as blocks:
        first = next(blocks, b"")
    for reader in (trace_blktrace, trace_dxt, trace_fio, trace_strace):
        if reader.recognises(first.partition(b"\n")[0], path):
            return reader
    fail(path, "the format of this log is not recognised; name it by --format, or the columns of a CSV by --columns")


def read_lines(reader, paths, writer, options):
    """Adds the requests of logs, one after the other. Returns the names of their formats."""
    names = set()
    for path in paths:
        with open_blocks(path) as blocks:
            names.add(reader.read(path, lines_of(path, blocks), writer, options))
    return names


def read_blocks(reader, paths, writer, options):
    """Adds the requests of logs that are read side by side. Returns the names of their formats."""
    with contextlib.ExitStack() as opened:
        return {reader.read([(path, opened.enter_context(open_blocks(path))) for path in paths], writer, options)}


def reader_of(options):
    """The module that reads all inputs."""
    first, *others = options.inputs
    reader = recognise(first, options)
    for path in others:
        if recognise(path, options) is not reader:
            fail(path, f"this log has another format than {first}, and its times count from another moment; make a trace of each")
    if options.issued and reader is not trace_blktrace:
        raise Failure("--issued: only blktrace records both, requests that were queued and those that were issued")
    return reader


def write(options, output):
    """Makes the trace of all inputs. Returns lines on what it lacks."""
    reader = reader_of(options)
    with Writer(output, options.streams, [os.fsencode(pattern) for pattern in options.only], options.idle_most) as writer:
        names = (read_blocks if reader is trace_blktrace else read_lines)(reader, options.inputs, writer, options)
        writer.finish(", ".join(sorted(names)))
        return list(writer.changes())


def summarise(path, changes=()):
    with trace_file.Trace(path) as trace:
        print("\n".join([*trace_summary.lines(trace), *changes]))


def check_output(output, inputs):
    """Refuses a name under which no trace can be made."""
    if os.path.realpath(output) in map(os.path.realpath, inputs):
        fail(output, "this is a log that is read; name another file")
    if os.path.lexists(output) and (os.path.islink(output) or not os.path.isfile(output)):  # it would be replaced
        fail(output, "this is there and no regular file; name another file")
    if not os.path.isdir(os.path.dirname(output) or "."):
        fail(output, "there is no such folder")


def run(words):
    """Does what the words behind `trace` ask for. Returns the exit code."""
    options = parser().parse_args(words)
    if options.format == "csv" and not options.columns:
        raise Failure("--format=csv needs --columns")
    if options.columns and options.format not in (None, "csv"):
        raise Failure(f"--columns: the format {options.format} has its own columns")
    if not options.output and not options.summary:
        raise Failure("nothing to do; name the trace by --output, or ask for --summary")
    native = [path for path in options.inputs if trace_file.is_trace(path)]
    if native:
        if options.output or len(options.inputs) > 1 or options.only or options.idle_most is not None:
            fail(native[0], "this is a native trace already; give it alone, with --summary")
        summarise(native[0])
        return 0
    with tempfile.TemporaryDirectory() if not options.output else contextlib.nullcontext() as folder:
        output = options.output or os.path.join(folder, "trace")
        check_output(output, options.inputs)
        changes = write(options, output)
        if options.summary:
            summarise(output, changes)
    return 0
