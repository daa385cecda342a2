"""Runs iorx under the launcher: what it was asked, what it answered, how long it took.

A test class derives from Case and calls self.run_iorx(["-b", "1m", …], tasks=4), which returns an
Outcome: exit_code, out, err, seconds, document. self.start_iorx() returns the running Job, to send
signals to. Everything happens in self.folder, an empty folder of the test; test files by default lie in
it, result files in self.results. Needs what make check sets: IORX, LAUNCH, TEST_TMPDIR.
"""

import functools
import itertools
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import uuid

from check_schema import check_document, check_journal

IORX = os.environ["IORX"]
SOURCE = os.environ["SRCDIR"]
LAUNCH = os.environ.get("LAUNCH", os.path.join(SOURCE, "tests", "launch"))
TOKEN = "IORX_TEST_RUN"  # in the environment of everything a launch starts
# Open MPI gives the other tasks two seconds after one returned non-zero; ours are over by then.
NO_GRACE = {"OMPI_MCA_odls_base_sigkill_timeout": "0"}
SOON_SECONDS = 20  # what is not stopped, or not told, takes a minute or more
LIMIT_SECONDS = 150  # of a launch that should take one, on a machine where much else runs
OPEN_MPI = "MPI: Open MPI" in subprocess.run([IORX, "--version"], capture_output=True, text=True,
                                             check=False).stdout
MPI_IOS = ("ompio", "romio321") if OPEN_MPI else ("romio",)  # what the results call them
AS_ROOT = os.geteuid() == 0

needs_root = unittest.skipUnless(AS_ROOT, "needs root")


@functools.lru_cache(None)
def backends():
    """The table of --list-backends: {api: what stands behind it, in one line}."""
    listed = subprocess.run([LAUNCH, "1", IORX, "--list-backends"], capture_output=True, text=True,
                            check=True).stdout
    entries = re.findall(r"^(\w+) (.*(?:\n .*)*)", listed, re.M)
    return {api: re.sub(r"\s+", " ", rest) for api, rest in entries}


def is_built_in(api):
    return "not built in" not in backends()[api]


def needs_backend(api):
    return unittest.skipUnless(is_built_in(api), f"{api} is not built in")


def needs_storage(*programs):
    """For tests on servers that take minutes to install, which are no part of the plain check."""
    missing = [name for name in programs if not shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")]
    if missing:
        return unittest.skip(f"{', '.join(missing)} missing; ./quickstart check --storage installs them")
    return unittest.skipUnless(os.environ.get("IORX_STORAGE"), "./quickstart check --storage runs it, or IORX_STORAGE=1")


def built(name):
    """The path of a program of the build, beside which tests/run may not have left iorx."""
    return os.path.join(os.environ["BUILDDIR"], name)


def needs_reports(program):
    return unittest.skipUnless(os.path.exists(program), f"{os.path.basename(program)} is not built: no Python with numpy and scipy, "
                                                        "or --without-python")


def read(path, mode="r"):
    with open(path, mode) as file:
        return file.read()


def is_sanitized():
    """Sanitizers take time and memory of their own."""
    return b"__asan_init" in read(IORX, "rb")


def proc(pid, name):
    """A file of a process; empty when it is gone."""
    try:
        return read(f"/proc/{pid}/{name}", "rb")
    except OSError:
        return b""


def state(pid):
    """R, S, D, T, Z …, or nothing when there is no such process."""
    return proc(pid, "stat").rpartition(b")")[2].decode()[1:2]


class Outcome:
    """What a job left."""

    def __init__(self, job):
        self.exit_code = job.process.returncode
        self.out = read(job.out)
        self.err = read(job.err)
        self.seconds = job.seconds
        self.ending = job.ending
        self.document_path = job.document
        self.journal_path = job.document and re.sub(r"\.json$", ".jsonl", job.document)

    def has_document(self):
        return bool(self.document_path) and os.path.exists(self.document_path)

    @functools.cached_property
    def document(self):
        """The result document, checked against the schema."""
        return check_document(self.document_path)

    @property
    def journal(self):
        """The objects of the journal, which stays when nobody was left to make the document."""
        return check_journal(self.journal_path)

    def messages(self, kind="error"):
        """What iorx said on standard error: the texts behind "iorx: error: "."""
        return re.findall(rf"^iorx: {kind}: (.*)$", self.err, re.M)

    def phases(self, test=0):
        """[("write", 0, "complete"), …] of a test."""
        return [(phase["phase"], phase["repetition"], phase["status"])
                for phase in self.document["tests"][test]["phases"]]

    def phase(self, name, repetition=0, test=0):
        return next(phase for phase in self.document["tests"][test]["phases"]
                    if (phase["phase"], phase["repetition"]) == (name, repetition))

    def __str__(self):
        return f"exit {self.exit_code} after {self.seconds:.1f} s\n{self.out}\n{self.err}"


class Job:
    """A job that runs. launcher() and tasks() are process ids to send signals to."""

    def __init__(self, arguments, tasks, folder, results, wrapper=(), environment=None,
                 output=True, time_limit=LIMIT_SECONDS, program=IORX):
        name = uuid.uuid4().hex
        self.token = f"{TOKEN}={name}".encode()
        self.out = os.path.join(results, name + ".out")
        self.err = os.path.join(results, name + ".err")
        self.document = os.path.join(results, name + ".json") if output else None
        self.command = [*wrapper, LAUNCH, str(tasks), program, *arguments]
        if output:
            self.command.append("--output=" + self.document)
        # Launches that share a folder for Open MPI's sessions fail when one ends as another begins.
        self.sessions = tempfile.mkdtemp()
        os.chmod(self.sessions, 0o1777)
        variables = {**os.environ, "LAUNCH_TIMEOUT": str(time_limit), "LC_ALL": "C",
                     "TMPDIR": self.sessions, TOKEN: name, **(environment or {})}
        if wrapper or "LAUNCH_FLAGS" in variables:
            # The search for leaks cannot work under strace or in a namespace of processes.
            variables["ASAN_OPTIONS"] = variables.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
        self.program = program
        self.count = tasks
        self.seconds = self.ending = 0  # since the start, since the last kill()
        self.began = time.monotonic()
        self.struck = None
        self.outcome = None
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            self.process = subprocess.Popen(self.command, cwd=folder, env=variables,
                                            stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                            start_new_session=True)

    def wait(self, seconds=LIMIT_SECONDS + 20):
        """Waits for the launcher; an Outcome, the same when it is waited for again."""
        if not self.outcome:
            try:
                self.process.wait(seconds)
            finally:
                self.end()
            now = time.monotonic()
            self.seconds = now - self.began
            self.ending = now - (self.struck or now)
            self.outcome = Outcome(self)
        return self.outcome

    def kill(self, pid, number):
        """Sends a signal; Outcome.ending counts from here."""
        self.struck = time.monotonic()
        os.kill(pid, number)

    def processes(self):
        """Everything this launch started that is still there."""
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        return [pid for pid in pids if self.token in proc(pid, "environ").split(b"\0")]

    def tasks(self):
        """{rank: pid} of the tasks that run; PMIx and PMI put the rank into the environment."""
        found = {}
        for pid in self.processes():
            rank = re.search(rb"(?:^|\0)(?:PMIX_RANK|OMPI_COMM_WORLD_RANK|PMI_RANK)=(\d+)",
                             proc(pid, "environ"))
            # A child of a task has its rank too, but is not the program.
            if rank and proc(pid, "cmdline").split(b"\0")[0] == self.program.encode():
                found[int(rank[1])] = pid
        return found

    def launcher(self):
        """mpirun or mpiexec: the child of timeout, which tests/launch has become."""
        children = proc(self.process.pid, f"task/{self.process.pid}/children").split()
        return int(children[0])

    def wait_until(self, happened, what, seconds=60):
        """Waits until happened() is true; what says it in the message when it does not become so."""
        until = time.monotonic() + seconds
        while not happened():
            if self.process.poll() is not None or time.monotonic() > until:
                self.end()
                raise AssertionError(f"{what} did not happen\n{read(self.out)}{read(self.err)}")
            time.sleep(0.02)

    def wait_for_phase(self, count=1, event="phase"):
        """Waits until the journal has this many phases: they are over and on disk."""
        journal = re.sub(r"\.json$", ".jsonl", self.document)
        key = f'{{"{event}":'
        self.wait_until(lambda: os.path.exists(journal) and read(journal).count(key) >= count,
                        f"{event} {count} in the journal")

    def end(self):
        """Kills what is left, by process id, also what was stopped."""
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        shutil.rmtree(self.sessions, ignore_errors=True)


class Case(unittest.TestCase):
    """A test with folders of its own."""

    numbers = itertools.count()
    maxDiff = None

    def setUp(self):
        base = os.environ.get("TEST_TMPDIR") or tempfile.gettempdir()
        self.home = os.path.join(base, f"{os.getpid()}-{next(self.numbers)}")
        self.folder = os.path.join(self.home, "data")
        self.results = os.path.join(self.home, "results")
        os.makedirs(self.folder)
        os.makedirs(self.results)
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)

    def start_iorx(self, arguments, tasks=1, **more):
        """more: wrapper, environment, output, time_limit, folder, program of Job."""
        more.setdefault("folder", self.folder)
        job = Job(arguments, tasks, results=self.results, **more)
        self.addCleanup(job.end)
        return job

    def run_iorx(self, arguments, tasks=1, **more):
        more["environment"] = {**NO_GRACE, **more.get("environment", {})}
        outcome = self.start_iorx(arguments, tasks, **more).wait()
        # As a container refuses it; the job was not started.
        if more.get("wrapper") and re.search("^(unshare|mount): ", outcome.err, re.M):
            self.skipTest(outcome.err)
        return outcome

    def assert_exit(self, outcome, code):
        self.assertEqual(outcome.exit_code, code, outcome)

    def assert_one_error(self, outcome, *parts):
        """Exactly one error was said, and it has these parts; patterns where they are compiled."""
        self.assertEqual(len(outcome.messages()), 1, outcome)
        for part in parts:
            self.assertRegex(outcome.messages()[0],
                             part if isinstance(part, re.Pattern) else re.escape(part))

    def assert_narrow(self, outcome):
        """No line is wider than 80 columns, but for the command behind a load, which is to be pasted."""
        for line in outcome.out.splitlines():
            if "cleanup" not in line:
                self.assertLessEqual(len(line), 80, line)

    def assert_nothing_left(self, job, seconds=3):
        """No process of the launch is left, given a moment to go."""
        until = time.monotonic() + seconds
        while job.processes() and time.monotonic() < until:
            time.sleep(0.05)
        left = [proc(pid, "cmdline").replace(b"\0", b" ") for pid in job.processes()]
        self.assertEqual(left, [])
