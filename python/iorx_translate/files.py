"""Opens the files that a command line or a job names: regular ones only, for a pipe or a device may have no end."""

import os
import stat

from .problems import fail

MOST_BYTES = 16 << 20  # of a job file


def open_regular(path, place):
    """The file, to read bytes. place: what stands before a message."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)  # else a FIFO waits for a writer
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        fail(place, f"this is {'a folder' if stat.S_ISDIR(mode) else 'no regular file'}; give a file that holds the job")
    return open(descriptor, "rb")


def read_bytes(path, origin=None, dash=False):
    """All bytes of a job file. origin: the line that names it. dash: "-" is standard input."""
    place = f"{origin}: {path}" if origin else path
    try:
        with open(0, "rb", closefd=False) if dash and path == "-" else open_regular(path, place) as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        fail(place, error.strerror)
    if len(content) > MOST_BYTES:
        fail(place, f"more than {MOST_BYTES >> 20} MiB; a job file is shorter")
    return content


def read_text(path, origin=None, errors="replace"):
    return read_bytes(path, origin).decode("utf-8", errors)
