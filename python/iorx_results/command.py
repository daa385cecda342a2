"""What the three commands share: how they end and what they say on the way."""

import os
import sys

from . import VERSION
from .members import ResultError


class Usage(Exception):
    """The command line makes no sense together with the files."""


def add_version(parser):
    parser.add_argument("--version", action="version", version=f"{parser.prog} (iorx) {VERSION}",
                        help="show the version and exit")


def guard(main, name):
    """The exit code of main(); errors are one line on standard error and exit code 2."""
    try:
        return main()
    except (ResultError, Usage) as error:
        print(f"{name}: error: {error}", file=sys.stderr)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"{name}: error: {error.filename}: {error.strerror}", file=sys.stderr)
    return 2


def write_out(text):
    """To standard output, whatever encoding it has."""
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.flush()


def write_whole(path, text):
    """A file that is either the old or the new one."""
    new = f"{path}.{os.getpid()}.new"
    try:
        with open(new, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        os.replace(new, path)
    except OSError:
        if os.path.exists(new):
            os.remove(new)
        raise
