"""iorx-health: is the storage of a folder as fast as it was?"""

import argparse
import json
import os
import re
import sys

from iorx_translate import launch

from . import command, files, health_job, newest, units
from .command import Usage
from .members import ResultError

USAGE = "iorx-health [OPTION]... DIR [-- LAUNCHER-OPTION]..."

EPILOG = """The job writes one file of all tasks with an fsync, reads it cold, reads 4 KiB at random places, and creates, stats
and removes files. It works in DIR/iorx-health, which is removed at the end. The first run of a baseline sizes the job by
short runs. Later runs take its tasks and sizes, as only equal jobs compare: a baseline is for one DIR, number of tasks
and set of nodes. A slow run is repeated at once, and each rate is then the better of both runs. The rates are judged by
the 30 newest results in FOLDER, as by iorx-compare --alarm-below=-10%. Results of slow and failed runs go into
FOLDER/suspect, where they do not count; move them into FOLDER if such rates are to count as usual."""

# What the phases are called here. Others are not judged: making and removing the few directories takes no time.
NAMES = {"write": "write", "read": "read", "load": "4 KiB read", "file-create": "create", "file-stat": "stat",
         "file-remove": "remove"}
SLOWEST, SHARE = "slowest task", units.Quantity("share", [("%", .01)])
SLOWDOWN = 0.1  # less is none
MOST_RUNS = 30
SLOW_RATIO = 1.25  # of the time of a node or task to that of the others, in a phase that is slow
SUSPECT = "suspect"  # the folder in the baseline for results of slow and failed runs
CAUSES = ("I1", "I3", "N1")  # verdicts that may explain a slow phase although they are notes


# --- what is said ---------------------------------------------------------------------------------


def slowest(phase, group):
    """The slowest of the nodes or tasks of a phase, with its time as a ratio to that of the others; None where it had no others."""
    return next(iter((phase.slow.get(group) or {}).get("slowest") or []), None)


def least_even(run):
    """The phase of at least 1 s with the slowest task; None where no task had others beside it."""
    phases = [phase for test in run.tests for phase in test.phases
              if phase.name in NAMES and phase.intervals.get("total_s", 0) >= 1 and slowest(phase, "tasks")]
    return max(phases, key=lambda phase: slowest(phase, "tasks")["ratio"], default=None)


def evenness(used, new):
    """
    A list with the Rate of the slowest task, relative to the other tasks; empty where no task had others. It shows a slow node
    where the rate of all tasks varies too much to show it.
    """
    shares = [1 / slowest(phase, "tasks")["ratio"] if phase else None for phase in map(least_even, [*used, new])]
    return [newest.Rate(SLOWEST, SHARE, shares[-1], [one for one in shares[:-1] if one])] if shares[-1] else []


def slow_phases(found):
    slow = {rate.name for rate in found.slow}
    return [phase for test in found.run.tests for phase in test.phases if NAMES.get(phase.name) in slow]


def slow_members(found):
    """The nodes, or else the tasks, that were slower than the others in the phases that are slow."""
    phases, least = slow_phases(found), SLOW_RATIO
    if SLOWEST in [rate.name for rate in found.slow] and least_even(found.run):
        phases, least = [*phases, least_even(found.run)], 1 / (1 - SLOWDOWN)
    for group in ("nodes", "tasks"):
        members = [one for one in (slowest(phase, group) for phase in phases) if one and (one.get("slow") or one["ratio"] >= least)]
        if members:
            return list(dict.fromkeys(one["host"] if group == "nodes" else f"task {one['task']} on {one['host']}" for one in members))
    return []


def verdict(found):
    """The sentence that a help desk reads first."""
    if not newest.ended_well(found.run):
        return f"{newest.headline(found)}: {health_job.first_error(found.run)}"
    if found.slow:
        rates = [f"{rate.name} failed" if rate.new is None else f"{rate.name} {-100 * rate.change:.0f} % slower" for rate in found.slow
                 if rate.name != SLOWEST]
        members = [f"{name} slow" for name in slow_members(found)]
        return ", ".join(rates + members) + f": compared with the last {len(found.used)} runs"
    if not found.name:
        return "not known: there is no --baseline=FOLDER, so there are no earlier runs to compare with"
    more = newest.LEAST_RUNS - len(found.used) - 1
    if more >= 0:
        return (f"not known yet: {newest.LEAST_RUNS} runs are needed before one is judged, and this is run {len(found.used) + 1} "
                f"in {found.name}; " + (f"{more} more to go" if more else "the next run is judged"))
    return newest.headline(found)


def causes(found):
    phases = slow_phases(found)
    said = {one.id: one for phase in phases for one in phase.verdicts if one.id in CAUSES and one.severity == "note"}
    return [f"{one.id}, {one.where}: {one.meaning}" for one in said.values()]


# --- the runs -------------------------------------------------------------------------------------


def earlier_runs(folder, place, tasks=None):
    """
    The newest results that iorx-health stored in a folder, whose name may be None, of the job that it runs in `place` with so
    many tasks, and the Sizes that they all have; None where there are no such results. Results of other jobs do not count.
    """
    names = [name for name in sorted(os.listdir(folder)) if re.fullmatch(r"health-.*\.json", name)] if folder else []
    runs, sizes = [], None
    while names and len(runs) < MOST_RUNS:
        try:
            run = files.read_file(os.path.join(folder, names.pop()))
        except ResultError as error:
            print(f"iorx-health: warning: {error}; this file does not count", file=sys.stderr)
            continue
        found = health_job.sizes_of(run, place, tasks)
        if found and sizes in (None, found):
            sizes = found
            runs.insert(0, run)
    return runs, sizes


def store(run, folder):
    """Writes the document; the names of the files are in the order of time."""
    os.makedirs(folder, exist_ok=True)
    moment = re.sub(r"\D", "", run.began)[:17]
    command.write_whole(os.path.join(folder, f"health-{moment}.json"), json.dumps(run.document), is_result=True)


def better(first, second):
    """The second Judgement, in which each rate is the better of both runs, or that of the run which has it."""
    before = {rate.name: rate for rate in first.rates}
    for rate in second.rates:
        earlier = before.pop(rate.name, rate)
        rate.new = max((one for one in (rate.new, earlier.new) if one), default=None)
    second.rates += before.values()
    return second


def examine(baseline, measure, earlier):
    """The Judgement on what measure() finds, a model.Run, and notes on it. A slow run is repeated."""
    found = newest.judge(baseline, earlier, measure(), SLOWDOWN, NAMES, evenness)
    runs, notes = [(found.run, found.exit_code == 1)], []
    if found.slow and newest.ended_well(found.run):
        notes.append("measured twice, better rates shown; first: " + "; ".join(map(newest.slow_words, found.slow)))
        again = newest.judge(baseline, earlier, measure(), SLOWDOWN, NAMES, evenness)
        runs.append((again.run, again.exit_code == 1))
        found = better(found, again)
    return found, [*notes, *store_all(runs, baseline), *causes(found)]


def store_all(runs, baseline):
    """Stores [(run, whether it is suspect)] and says what became of them. The verdict counts also where the disk is full."""
    try:
        for run, is_suspect in runs if baseline else []:
            store(run, os.path.join(baseline, SUSPECT) if is_suspect else baseline)
    except OSError as error:
        return [f"not stored in the baseline: {error.strerror}"]
    count = sum(is_suspect for _, is_suspect in runs)
    if not baseline or not count:
        return []
    return [f"{count} of {len(runs)} results went into {SUSPECT}/ of the baseline and do not count later"]


# --- the command line -----------------------------------------------------------------------------


def duration(text):
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0.01 <= value <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds from 0.01 to 3600")
    return value


def parser():
    result = argparse.ArgumentParser(
        prog="iorx-health", usage=USAGE, epilog=EPILOG, allow_abbrev=False,
        description="Measures the storage of a folder for a minute and says whether it is as fast as in earlier runs. The text has 12 "
                    "lines at most, the verdict first.")
    result.add_argument("dir", metavar="DIR", help="a folder on the storage")
    result.add_argument("--baseline", metavar="FOLDER",
                        help="a folder with the results of earlier runs, for this DIR alone; each run adds its own. It is made if it is "
                             "missing. Without it the rates are printed and the exit code is 2")
    result.add_argument("--tasks", metavar="N", type=launch.count,
                        help="the number of tasks [that of the newest earlier run, else the CPUs of this machine]")
    result.add_argument("--seconds", metavar="N", type=duration, default=10.0,
                        help="about how long the first run of a baseline lets each kind of work take: write and read, 4 KiB reads, "
                             "operations on names [10]")
    command.add_version(result)
    return result


def check(arguments):
    directory, baseline = arguments.dir, arguments.baseline
    if not os.path.isdir(directory):
        what = "this is no folder; name one" if os.path.exists(directory) else "there is no such folder; make it, or name one"
        raise Usage(f"{directory}: {what} on the storage")
    if not os.access(directory, os.W_OK | os.X_OK):
        raise Usage(f"{directory}: you may not write into this folder; name one of your own on the same storage")
    if re.search(r'["@%,\\\x00-\x1f]', directory):
        raise Usage(f"{directory}: a job cannot name a path with any of \" @ % , \\; name another folder, or a symbolic link to this one")
    if baseline:
        if os.path.realpath(baseline).startswith(os.path.realpath(directory) + os.sep + health_job.FOLDER):
            raise Usage(f"{baseline}: {health_job.FOLDER} is where the files are that each run removes; name another folder by --baseline")
        try:
            os.makedirs(baseline, exist_ok=True)
        except OSError as error:
            raise Usage(f"{baseline}: this folder cannot be made: {error.strerror}; name another one by --baseline") from None
        if not os.access(baseline, os.W_OK | os.X_OK):
            raise Usage(f"{baseline}: you may not write the result into this folder; name one of your own by --baseline")


def run(arguments):
    arguments.dir = os.path.abspath(arguments.dir)
    check(arguments)
    command.end_by_signals()
    earlier, sizes = earlier_runs(arguments.baseline, os.path.join(arguments.dir, health_job.FOLDER), arguments.tasks)
    with health_job.private_folder(arguments.dir) as folder:
        bench = health_job.Bench(folder, arguments.launcher)
        sizes = sizes or bench.pilot(arguments.tasks or len(os.sched_getaffinity(0)), arguments.seconds)
        found, notes = examine(arguments.baseline, lambda: bench.measure(sizes), earlier)
    found.verdicts = [one for one in found.verdicts if one.id != "T1"]  # the sizes are those of the baseline
    command.write_out(newest.text(found, verdict(found), notes))
    return found.exit_code


def main():
    words, launcher = launch.split(sys.argv[1:])
    result = parser()
    result.set_defaults(launcher=launcher)
    return command.start(result, run, words)


if __name__ == "__main__":
    sys.exit(main())
