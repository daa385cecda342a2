"""
Command lines whose jobs run in turns: A B B A A B … so that slow changes of the machine meet all of them. The result of each job
stays in a folder, from which a later call goes on.
"""

import json
import os
import shlex
import string
import subprocess
import sys
import time
from dataclasses import dataclass, field

from iorx_translate import launch

from . import command, comparison, files, looks, newest
from .command import Usage

LETTERS = string.ascii_uppercase
RECORD = "turns.json"
RESULT, MESSAGES = "job.json", "job.err"
MOST_MESSAGE_LINES = 20
DECIDED, SPENT, FAILED = "every row is decided", "the budget is spent", "a job failed"


def sequence(sides):
    """(side, its job from 0 on) of all jobs in their order: each round is the mirror of the one before."""
    number = 0
    while True:
        order = range(sides) if number % 2 == 0 else reversed(range(sides))
        yield from ((side, number) for side in order)
        number += 1


@dataclass
class Folder:
    """The folder of the results: one folder for each side, and the record of the commands and the looks."""
    path: str
    commands: list
    looks: list = field(default_factory=list)  # jobs of each at each look

    def job_path(self, side, number):
        return os.path.join(self.path, LETTERS[side], f"{number + 1:04}.json")

    def runs(self):
        """The model.Runs of each side that are there."""
        found = [[] for _ in self.commands]
        for side, runs in enumerate(found):
            while os.path.exists(self.job_path(side, len(runs))):
                runs.append(files.read_file(self.job_path(side, len(runs))))
        return found

    def write_record(self):
        command.write_whole(os.path.join(self.path, RECORD), json.dumps({"commands": self.commands, "looks": self.looks}) + "\n")


def open_folder(path, commands):
    """The Folder of a --keep, made if it is missing; without a path a new one in the current folder."""
    path = path or time.strftime("iorx-compare-%Y%m%d-%H%M%S")
    found = Folder(path, commands)
    record = os.path.join(path, RECORD)
    if os.path.exists(record):
        try:
            known = json.loads(files.read_text(record))
            earlier, found.looks = list(known["commands"]), [int(jobs) for jobs in known["looks"]]
        except (ValueError, TypeError, KeyError):
            raise Usage(f"{record} is no record of jobs in turns; name another folder by --keep") from None
        if earlier != commands:
            raise Usage(f"{path} has jobs of other commands ({'; '.join(earlier)}); name another folder by --keep")
    elif os.path.isdir(path) and os.listdir(path):
        raise Usage(f"{path} has other files; name an empty or a new folder by --keep")
    for side in range(len(commands)):
        os.makedirs(os.path.join(path, LETTERS[side]), exist_ok=True)
    found.write_record()
    return found


class JobFailed(Exception):
    """A job that made no complete result."""


def run_job(folder, side):
    """The model.Run of a job, whose document is still in its first place."""
    result, messages = (os.path.abspath(os.path.join(folder.path, name)) for name in (RESULT, MESSAGES))
    for path in (result, result + "l"):
        if os.path.exists(path):
            os.remove(path)
    words = [*shlex.split(folder.commands[side]), f"--output={result}"]
    with open(messages, "w+", encoding="utf-8", errors="replace") as file:
        try:
            code = launch.start(words, b"", stdout=subprocess.DEVNULL, stderr=file)
        except OSError as error:
            raise JobFailed(f"{words[0]}: {error.strerror}") from None
        file.seek(0)
        said = "".join(file.readlines()[:MOST_MESSAGE_LINES])
    run = files.read_made(result)
    if not run or code or not newest.ended_well(run):
        why = f"exit code {code}" if run or code else "it made no result: --output=FILE, which is appended to the command, must reach iorx"
        raise JobFailed(f"{shlex.join(words)}\n{said}{why}")
    os.remove(messages)
    return run


@dataclass
class Turns:
    """What the jobs say: one comparison of each other command with the first."""
    folder: Folder
    runs: list  # of each command
    comparisons: list
    ended: str
    failure: str
    seconds: float


class Progress:
    """One line on a terminal, which is renewed."""

    def __init__(self, budget):
        self.budget, self.is_shown = budget, sys.stderr.isatty()

    def show(self, text):
        if self.is_shown:
            print(f"\r{text[:79]}\033[K", end="", file=sys.stderr, flush=True)

    def clear(self):
        self.show("")


class Runner:
    """Runs jobs until every row is decided or the budget is spent."""

    def __init__(self, folder, budget, within):
        self.folder, self.budget, self.within = folder, budget, within
        self.runs, self.began, self.longest = folder.runs(), time.monotonic(), 0
        self.comparisons, self.progress = [], Progress(budget)

    def seconds(self):
        return time.monotonic() - self.began

    def jobs(self):
        """Complete jobs of each side."""
        return min(map(len, self.runs))

    def compare(self):
        """Compares all that is there, each side with as many jobs."""
        jobs = self.jobs()
        sides = [comparison.Side(line, runs[:jobs]) for line, runs in zip(self.folder.commands, self.runs)]
        self.comparisons = [looks.compare(sides[0], side, self.folder.looks, self.within, len(sides) - 1) for side in sides[1:]]

    def look(self):
        """A look at all jobs that are there, unless there was one at as many."""
        if self.jobs() > max(self.folder.looks, default=0):
            self.folder.looks.append(self.jobs())
            self.folder.write_record()
        self.compare()

    def rows(self):
        return [row for one in self.comparisons for row in one.rows]

    def is_decided(self):
        return bool(self.folder.looks) and all(map(looks.is_decided, self.rows()))

    def next_look(self):
        """At how many jobs of each the next look is."""
        if self.folder.looks:
            return looks.following(self.folder.looks[-1])
        return self.first_look()

    def first_look(self):
        return looks.first(sum(len(row.tested) for row in self.rows()))

    def after_round(self):
        """Compares the first jobs, so that a command without a partner is found at once, and looks where a look is due."""
        if not self.comparisons:
            self.compare()
        if self.jobs() >= self.next_look():
            self.look()

    def run(self):
        """The Turns of the jobs that were there and those that are run now."""
        if self.jobs():
            self.after_round()
        ended, failure = None, ""
        try:
            for side, number in sequence(len(self.runs)):
                if number < len(self.runs[side]):
                    continue
                ended = self.reason_to_end()
                if ended:
                    break
                self.run_next(side, number)
                if min(map(len, self.runs)) == max(map(len, self.runs)):
                    self.after_round()
        except JobFailed as error:
            ended, failure = FAILED, str(error)
        finally:
            self.progress.clear()
        if self.comparisons and not self.is_decided() and self.jobs() >= self.first_look():
            self.look()
        elif self.jobs():
            self.compare()
        return Turns(self.folder, self.runs, self.comparisons, ended, failure, self.seconds())

    def reason_to_end(self):
        """Why no more job is started; a job that would not end within the budget is not started either."""
        if self.comparisons and self.is_decided():
            return DECIDED
        left = self.budget - self.seconds()
        return SPENT if left <= 0 or self.longest > left else None

    def run_next(self, side, number):
        undecided = sum(not looks.is_decided(row) for row in self.rows())
        rows = f", {undecided} of {len(self.rows())} rows undecided" if self.comparisons else ""
        self.progress.show(f"{LETTERS[side]}, job {number + 1}{rows}, {self.seconds():.0f} of {self.budget:.0f} s")
        began = time.monotonic()
        run = run_job(self.folder, side)
        self.longest = max(self.longest, time.monotonic() - began)
        os.replace(run.file, self.folder.job_path(side, number))
        run.file = self.folder.job_path(side, number)
        self.runs[side].append(run)
