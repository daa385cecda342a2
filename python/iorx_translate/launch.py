"""The command that starts iorx under a launcher, with its job on standard input. iorx-health uses it too."""

import argparse
import os
import re
import shlex
import sys


def count(text):
    """The type of an option that takes a number of tasks or nodes."""
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 999999")
    return int(text)


def split(words):
    """The words of a command line before --, and those behind -- for the launcher."""
    if "--" not in words:
        return words, []
    at = words.index("--")
    return words[:at], words[at + 1:]


def command(tasks, launcher, options):
    """The words of MPIEXEC or mpiexec, its options `launcher`, and iorx: IORX, the program beside this one, or that of PATH."""
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "iorx")
    program = os.environ.get("IORX") or (beside if os.access(beside, os.X_OK) else "iorx")
    return [*shlex.split(os.environ.get("MPIEXEC", "mpiexec")), "-n", str(tasks), *launcher, program, "-f", "-", *options]
