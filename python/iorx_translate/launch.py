"""The command that starts iorx under a launcher, with its job on standard input. iorx-health uses it too."""

import argparse
import ctypes
import os
import re
import shlex
import signal
import subprocess
import sys

PR_SET_PDEATHSIG = 1  # prctl(2)


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


def follow():
    """Lets the kernel send this child a SIGTERM when its parent dies."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def start(words, job, **more):
    """
    The exit code of the launcher, which gets the job on its standard input. Exits with 128 + N after a signal N. The launcher
    has a session of its own, so that it gets a signal once, and its tasks are waited for: a second one would end it before them.
    It gets a SIGTERM if this process is killed, so that no job runs on without it.
    """
    process, got = None, []

    def forward(number, _):
        got.append(number)
        if process:
            process.send_signal(number)

    kept = {number: signal.signal(number, forward) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        process = subprocess.Popen(words, stdin=subprocess.PIPE, start_new_session=True, preexec_fn=follow, **more)
        if got:
            process.send_signal(got[0])
        process.communicate(job)
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
    if got:
        sys.exit(128 + got[0])
    return process.returncode
