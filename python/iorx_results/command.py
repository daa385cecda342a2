"""The parts that the commands share: options, messages and exit codes."""

import os
import signal
import sys
from contextlib import contextmanager

from . import VERSION
from .members import ResultError


class Usage(Exception):
    """The command line makes no sense together with the files."""


def add_version(parser):
    parser.add_argument("--version", action="version", version=f"{parser.prog} (iorx) {VERSION}",
                        help="show the version and exit")


def start(parser, run, arguments=None):
    """The exit code of run(parsed arguments); errors are one line on standard error and exit code 2."""
    parsed, name = parser.parse_args(arguments), parser.prog
    try:
        return run(parsed)
    except (ResultError, Usage) as error:
        print(f"{name}: error: {error}", file=sys.stderr)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"{name}: error: {error.filename}: {error.strerror}", file=sys.stderr)
    return 2


def end_by_signals():
    """Lets a signal exit with 128 + N from now on, so that what was opened is closed and removed."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda got, _: sys.exit(128 + got))


def write_out(text):
    """To standard output, whatever encoding it has."""
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.flush()


RESULT = b'{"schema":{"name":"iorx-result"'


def begins_with(path, mark):
    """Whether the mark, which has no blanks, stands among the first bytes of a regular file, blanks left out."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return mark in b"".join(file.read(1024).split())


@contextmanager
def replacing(path, is_result=False):
    """
    The name to write under, so that the file is either the old or the new one. Links are followed, and devices and pipes are
    written themselves. A result of iorx is never replaced by what is made of results; is_result: this is a result.
    """
    path = os.path.realpath(path)
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        yield path
        return
    if not is_result and begins_with(path, RESULT):
        raise Usage(f"{path} is a result of iorx, which stays; name another file")
    new = f"{path}.{os.getpid()}.new"
    try:
        yield new
        os.replace(new, path)
    except BaseException:
        if os.path.exists(new):
            os.remove(new)
        raise


def write_whole(path, text, is_result=False):
    with replacing(path, is_result) as new, open(new, "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
