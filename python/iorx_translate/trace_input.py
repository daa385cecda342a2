"""The bytes of a log of requests: decompressed, in blocks or in lines, with a progress bar on a terminal."""

import contextlib
import gzip
import os
import sys
import time
import zlib

from .files import open_regular
from .problems import fail

MOST_LINE = 1 << 16
BLOCK = 1 << 18          # bytes that are read at a time
BAR = 40                 # characters
GZIP = b"\x1f\x8b"


def show_progress(path, done, size):
    part = min(1, done / size) if size else 1
    sys.stderr.write(f"\r{os.path.basename(path)[:30]:30} [{'#' * int(BAR * part):{BAR}}] {100 * part:3.0f} %")
    sys.stderr.flush()


def decompressed(path, file):
    """The blocks of an open log. A bar on a terminal shows how far it is read."""
    size, shown = os.fstat(file.fileno()).st_size, time.monotonic()
    compressed = file.read(len(GZIP)) == GZIP
    file.seek(0)
    source = gzip.GzipFile(fileobj=file) if compressed else file
    terminal = sys.stderr.isatty()
    try:
        while block := source.read(BLOCK):
            yield block
            if terminal and time.monotonic() - shown > 0.2:
                shown = time.monotonic()
                show_progress(path, file.tell(), size)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        fail(path, f"the compressed log is damaged: {error}")
    if terminal:
        show_progress(path, size, size)
        sys.stderr.write("\n")


@contextlib.contextmanager
def open_blocks(path):
    """The blocks of a log, decompressed. `with` closes it."""
    with open_regular(path, path) as file, contextlib.closing(decompressed(path, file)) as blocks:
        yield blocks


def lines_of(path, blocks):
    """The lines of a log."""
    rest = b""
    for block in blocks:
        *lines, rest = (rest + block).split(b"\n")
        if len(rest) > MOST_LINE:
            fail(path, f"a line of more than {MOST_LINE} bytes")
        yield from lines
    if rest:
        yield rest
