"""The job of iorx-health: its sizes, its text, and its run in a private folder."""

import os
import shlex
import shutil
import socket
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, replace

from iorx_translate import launch

from . import files, newest, units
from .command import Usage

MOST_PILOTS = 4
LEAST_MIB = 64  # of each task, in a quarter of the free space
HANG_SECONDS = 300
OWNER = "owner"
FOLDER = "iorx-health"  # in DIR


@dataclass(frozen=True)
class Sizes:
    """What a run does; runs with equal sizes compare."""
    tasks: int
    mib: int  # of each task
    items: int  # of each task
    seconds: float  # of the 4 KiB reads; 0: there are none
    direct: bool  # whether the 4 KiB reads bypass the page cache


SMALL_READS = """LOAD START
    testFile = "{folder}/file", fileScope = test, wholeFiles = 1, layout = none, fileSize = {mib}m
    operations = "read:100", sizes = 4k, duration = {seconds:g}, posix.direct = {direct:d}
LOAD STOP
"""

TEXT = """# Made by iorx-health.
IOR START
    testFile = "{folder}/file", keepFile = 1
    blockSize = {sizes.mib}m, transferSize = 1m
    fsync = 1, cold = fadvise, reorderTasks = 1
RUN
IOR STOP
{small_reads}MDTEST START
    dir = "{folder}/names"
    items = {sizes.items}, filesOnly = 1, uniqueDir = 1, stride = 1
    create = 1, stat = 1, remove = 1
RUN
MDTEST STOP
"""


def text(sizes, folder):
    small_reads = SMALL_READS.format(folder=folder, mib=sizes.mib * sizes.tasks, seconds=sizes.seconds, direct=sizes.direct)
    return TEXT.format(folder=folder, sizes=sizes, small_reads=small_reads if sizes.seconds else "")


def sizes_of(run, folder, tasks=None):
    """The Sizes of an earlier run in the same folder, with so many tasks unless that is None. None: it was no such run."""
    if not newest.ended_well(run) or len(run.tests) != 3 or tasks not in (None, run.tasks):
        return None
    data, small, names = run.tests
    found = [data.option("block_size"), names.option("metadata.items"), small.option("duration")]
    if data.test_file != f"{folder}/file" or not all(isinstance(one, (int, float)) for one in found):
        return None
    return Sizes(run.tasks, int(found[0]) // units.MIB, int(found[1]), found[2], bool(small.option("posix.direct")))


def fitting(rates, tasks, seconds, space, inodes):
    """
    The MiB and the items of each task, by the rates of a pilot: the faster one of write and read shall take half of `seconds`,
    unless the slower one would take more than twice `seconds`. Operations on names take `seconds`, or up to twice as long where
    stats would take less than 1 s. A quarter of the free bytes and inodes is the most; inodes is 0 where nobody counts them.
    """
    slow, fast = sorted((rates["write"], rates["read"]))
    data = min(seconds / 2 * fast, 2 * seconds * slow, space / 4)
    each = sum(1 / rates[name] for name in ("file-create", "file-stat", "file-remove"))
    items = min(max(seconds / each, 1.2 * rates["file-stat"]), 2 * seconds / each, inodes / 4 if inodes else float("inf"))
    return max(1, int(data / tasks / units.MIB)), max(1, int(items / tasks))


def larger(sizes, rates, most, seconds):
    """The Sizes of the next pilot: eight times as much of what took less than a fifth of `seconds`, as caches take the first bytes."""
    mib, items = sizes.mib, sizes.items
    if sizes.tasks * mib * units.MIB / rates["write"] < seconds / 5:
        mib = max(mib, min(8 * mib, most[0]))
    if sizes.tasks * items / rates["file-create"] < seconds / 5:
        items = max(items, min(8 * items, most[1]))
    return replace(sizes, mib=mib, items=items)


class Bench:
    """Runs jobs in a folder."""

    def __init__(self, folder, launcher):
        self.folder, self.launcher = folder, launcher

    def measure(self, sizes):
        """The model.Run of a job of these sizes."""
        self.empty()
        result = os.path.join(self.folder, "result.json")
        words = launch.command(sizes.tasks, self.launcher, [f"--output={result}", f"--hang-after={HANG_SECONDS}"])
        code = start(words, text(sizes, self.folder))
        run = files.read_made(result)
        if not run:
            raise Usage(f"the launcher ended with exit code {code} and there is no result; it says why above. It was started by: "
                        f"{shlex.join(words)}. Options for it stand behind --, and MPIEXEC names another launcher")
        return run

    def empty(self):
        for entry in os.scandir(self.folder):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            elif entry.name != OWNER:
                os.remove(entry.path)

    def pilot(self, tasks, seconds):
        """The Sizes of a job whose kinds of work take about so many seconds each."""
        state = os.statvfs(self.folder)
        space, inodes = state.f_bavail * state.f_frsize, state.f_favail
        if space / 4 < LEAST_MIB * tasks * units.MIB:
            raise Usage(f"{os.path.dirname(self.folder)}: {units.size(space)} are free, and a quarter of that is less than "
                        f"{LEAST_MIB} MiB for each of {tasks} tasks; remove files, or give --tasks or another DIR")
        sizes = Sizes(tasks, max(1, int(25 * seconds / tasks)), max(10, int(100 * seconds)), 0, takes_direct(self.folder))
        for _ in range(MOST_PILOTS):
            rates = self.rates(sizes)
            most = fitting(rates, tasks, seconds, space, inodes)
            again = larger(sizes, rates, most, seconds)
            if again == sizes:
                break
            sizes = again
        return replace(sizes, mib=most[0], items=most[1], seconds=seconds)

    def rates(self, sizes):
        run = self.measure(sizes)
        if not newest.ended_well(run):
            raise Usage(f"the short run that sizes the job failed: {first_error(run)}")
        return {kind.name: kind.median for test in run.tests for kind in test.kinds}


def first_error(run):
    return run.errors[0] if run.errors else f"{run.status}, exit code {run.exit_code}"


def takes_direct(folder):
    path = os.path.join(folder, "direct")
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_DIRECT, 0o600))
    except OSError:
        return False
    return True


def start(words, job):
    """The exit code of the launcher. A signal to this process ends the launcher and its tasks before it goes on."""
    try:
        return launch.start(words, job.encode(), stdout=subprocess.DEVNULL)
    except OSError as error:
        raise Usage(f"{words[0]}: {error.strerror}; load or install an MPI, or name its launcher, as in MPIEXEC=srun") from None


@contextmanager
def private_folder(directory):
    """DIR/iorx-health, which one run at a time has. What a killed run of this host left there is removed."""
    folder = os.path.join(directory, FOLDER)
    if os.path.lexists(folder):
        remove_left(folder)
    os.mkdir(folder, 0o700)
    try:
        with open(os.path.join(folder, OWNER), "w", encoding="utf-8") as file:
            file.write(f"{socket.gethostname()} {os.getpid()}")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if os.path.exists(folder):
            print(f"iorx-health: warning: {folder} could not be removed; remove it", file=sys.stderr)


def remove_left(folder):
    try:
        with open(os.path.join(folder, OWNER), encoding="utf-8") as file:
            owner = file.read().split()
    except (OSError, ValueError):
        owner = []
    if len(owner) != 2 or os.path.islink(folder):
        raise Usage(f"{folder} is in the way and is no folder of iorx-health; rename it, or name another DIR")
    host, process = owner
    if host != socket.gethostname() or os.path.exists(f"/proc/{process}"):
        raise Usage(f"{folder}: another iorx-health measures here, process {process} on {host}; wait for its end, or remove this "
                    "folder if that process was killed")
    shutil.rmtree(folder)
