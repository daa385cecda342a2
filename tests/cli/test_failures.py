"""What happens when storage fails: who is told, what is stopped, what is left, the exit code."""

import os
import re
import socket
import stat
import subprocess
import unittest

import program
import storage
from program import NO_GRACE, SOON_SECONDS, Case, needs_root, read

HOST = socket.gethostname()
NOBODY = 65534
FULL = "No space left on device"
EIO = "Input/output error"
SMALL = ["-b", "64k", "-t", "64k"]


def mount(kind, options, directory):
    subprocess.run(["mount", "-t", kind, "-o", options, kind, directory], check=True,
                   capture_output=True)


def snapshot(directory):
    """Everything in a directory: what it is, how long, when it was changed, and what is in it."""
    found = {}
    for folder, directories, files in os.walk(directory):
        for name in directories + files:
            path = os.path.join(folder, name)
            status = os.lstat(path)
            content = read(path, "rb") if stat.S_ISREG(status.st_mode) else None
            found[path] = (status.st_mode, status.st_mtime_ns, content)
    return found


def write(path, bytes_or_size):
    content = bytes_or_size if isinstance(bytes_or_size, bytes) else b"x" * bytes_or_size
    with open(path, "wb") as file:
        file.write(content)


class Failure(Case):
    def subfolder(self, name):
        path = os.path.join(self.folder, name)
        os.mkdir(path)
        return path

    def small_disk(self, name, size="8m"):
        path = self.subfolder(name)
        try:
            mount("tmpfs", f"size={size}", path)
        except subprocess.CalledProcessError as error:
            self.skipTest(f"no tmpfs can be mounted: {error.stderr.decode().strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", path], check=True)
        return path

    def start_together(self, jobs):
        """Jobs (name, arguments, tasks, …), each in a folder of its own: pairs (job, Outcome)."""
        done = []
        for first in range(0, len(jobs), 4):
            running = []
            for job in jobs[first:first + 4]:
                name, arguments, tasks = job[:3]
                folder = os.path.join(self.folder, name)
                os.makedirs(folder, exist_ok=True)
                running.append((job, self.start_iorx(arguments, tasks, folder=folder,
                                                      environment=NO_GRACE)))
            done += [(job, started.wait()) for job, started in running]
        return done

    def assert_folder_has(self, name, *files):
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, name))), sorted(files))

    def failed_phase(self, outcome):
        """The only phase that failed, which is the last."""
        phases = outcome.document["tests"][0]["phases"]
        self.assertEqual([phase["status"] for phase in phases],
                         ["complete"] * (len(phases) - 1) + ["failed"], outcome)
        return phases[-1]


@needs_root
class FullDisk(Failure):
    """The disk is filled behind the job's back, after its first repetition."""

    # Leaves 1 MiB, and files that look as before: what was read comes back as zeros.
    FILL = ("for f in test*; do s=$(stat -c %s $f) && : >$f && truncate -s $s $f; done;"
            "head -c 7m /dev/zero >filler")

    def job(self, tasks, *more):
        name = f"{tasks} {' '.join(more)}"
        self.small_disk(name)
        block = 3 * 1024 // tasks // 64 * 64
        return (name, ["-b", f"{block}k", "-t", "64k", "-i", "3", "-e", "-o", "test",
                       "--cold=command", "--cold-command", self.FILL, *more], tasks)

    def test_is_told_once_with_the_place_and_leaves_nothing(self):
        jobs = [self.job(tasks, *more) for tasks in (1, 2, 5) for more in ([], ["-F"])]
        jobs.append(self.job(16))
        for (name, _, tasks), outcome in self.start_together(jobs):
            with self.subTest(name):
                self.assert_exit(outcome, 1)
                self.assert_one_error(
                    outcome, "write phase, repetition 1: task ", f"on {HOST}: write of ", FULL,
                    re.compile(r"task (\d+) \(rank \1\)"),
                    re.compile(r"write of \d+ bytes at offset \d+ of test(\.\d{8})?: "
                               r"(after \d+ of \d+ bytes: )?pwrite: "),
                    re.compile(rf"; [1-9]\d* of {tasks} tasks failed$"))
                self.assertEqual(outcome.phases(), [
                    ("write", 0, "complete"), ("read", 0, "complete"), ("write", 1, "failed")])
                failed = self.failed_phase(outcome)
                self.assertEqual(failed["failure"]["errno"], 28, failed["failure"])
                self.assertLess(failed["intervals"]["total_s"], SOON_SECONDS)
                self.assertEqual(outcome.document["status"], "failed")
                self.assert_folder_has(name, "filler")

    def test_is_seen_before_when_it_is_too_small_from_the_start(self):
        disk = self.small_disk("disk")
        outcome = self.run_iorx(["-b", "3m", "-o", "test"], 3, folder=disk)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "the test writes 9 MiB and", "has 8 MiB free", "--force")
        self.assertEqual(os.listdir(disk), [])

    def test_is_met_with_force(self):
        disk = self.small_disk("disk")
        outcome = self.run_iorx(["-b", "3m", "-o", "test", "--force"], 3, folder=disk)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "write phase, repetition 0", FULL)
        self.assertEqual(os.listdir(disk), [])

    def test_takes_back_the_files_of_a_layout_and_leaves_what_was_there(self):
        disk = self.small_disk("disk")
        with open(os.path.join(disk, "test.00000001.00000000"), "wb"):
            pass  # an empty file may have a striping of its own, so it is used and stays
        outcome = self.run_iorx(["load", "--file-size=2m", "--files=3", "-o", "test", "--force"], 2,
                                folder=disk)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "write phase, repetition 0", FULL)
        self.assertEqual(os.listdir(disk), ["test.00000001.00000000"])
        self.assertEqual(os.path.getsize(os.path.join(disk, "test.00000001.00000000")), 0)

    def test_refuses_when_inodes_run_out(self):
        disk = self.small_disk("disk", "8m,nr_inodes=3")
        outcome = self.run_iorx([*SMALL, "-F", "-o", "test"], 3, folder=disk)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "inodes")
        self.assertEqual(os.listdir(disk), [])


class FileSizeLimit(Failure):
    def test_is_an_error_like_any_other_and_kills_nobody(self):
        # The MPI library itself makes files of a few MiB.
        outcome = self.run_iorx(["-b", "34m", "-t", "1m", "-w", "-F", "-o", "test"], 2,
                                wrapper=["prlimit", f"--fsize={32 << 20}"])
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "write of 1048576 bytes at offset 33554432 of test.0000000",
                              "File too large", "of 2 tasks failed")


@needs_root
class HiddenByTheLibrary(Failure):
    """Libraries lose what close(2) and unlink(2) say; the file system in user space says it."""

    LIBRARIES = [(api, io) for api in ("mpiio", "hdf5") if program.is_built_in(api)
                 for io in program.MPI_IOS]

    def test_an_error_of_close_fails_the_phase(self):
        disk = storage.mounted(self, "fuse", program.SOURCE, words=["flush=28"])
        for api, mpi_io in self.LIBRARIES:
            for mode in ([], ["-F"]):
                with self.subTest(api=api, mpi_io=mpi_io, mode=mode):
                    outcome = self.run_iorx(["-a", api, "-w", *SMALL, "-o", "test", *mode], 2,
                                            folder=disk.folder, environment={"OMPI_MCA_io": mpi_io})
                    self.assert_exit(outcome, 1)
                    self.assert_one_error(outcome, "write phase, repetition 0: task ", "close")
                    self.assertEqual(self.failed_phase(outcome)["failure"]["errno"], 28)
                    self.assertEqual(disk.names(), [])

    def test_an_error_of_removal_keeps_its_errno(self):
        disk = storage.mounted(self, "fuse", program.SOURCE, words=["unlink=5"])
        for mpi_io in program.MPI_IOS:
            with self.subTest(mpi_io=mpi_io):
                outcome = self.run_iorx(["-a", "mpiio", "-w", *SMALL, "-o", mpi_io], 2,
                                        folder=disk.folder, environment={"OMPI_MCA_io": mpi_io})
                self.assert_exit(outcome, 1)
                self.assert_one_error(outcome, "MPI_File_delete", EIO)


class InjectedError(Failure):
    BASE = ["-b", "256k", "-t", "32k", "-e", "-w", "-r", "-o", "test"]

    def job(self, operation, tasks, *more, after=0):
        name = " ".join([operation, tasks, *more])
        return (name, [*self.BASE, *more, f"--fault.operation={operation}",
                       f"--fault.tasks={tasks}", f"--fault.after={after}"], 3, operation, tasks,
                "test." if "-F" in more else "test")

    def test_in_a_phase_is_told_once_with_its_place(self):
        jobs = [
            self.job("open", "1", "-F", after=1),
            self.job("open", "all"),
            self.job("write", "0", after=3),
            self.job("write", "1", "-F"),
            self.job("write", "all", after=7),
            self.job("read", "1", after=3),
            self.job("read", "all", "-F"),
            self.job("sync", "1"),
            self.job("sync", "all", "-F"),
            self.job("sync", "2", "-F", "-Y", after=3),
            self.job("close", "0"),
            self.job("close", "1", "-F", after=1),
            self.job("size", "1", "-F", after=2),
            self.job("size", "0", after=2),
        ]
        for (name, _, tasks, operation, faulty, path), outcome in self.start_together(jobs):
            with self.subTest(name):
                phase = self.failed_phase(outcome)
                failure = phase["failure"]
                one = faulty != "all"

                self.assert_exit(outcome, 1)
                self.assertIn("faults injected: operation=" + operation, " ".join(outcome.out.split()))
                self.assert_one_error(
                    outcome, f"{phase['phase']} phase, repetition 0: task {failure['task']} ",
                    f"(rank {failure['task']}) on {HOST}: {operation} of ", path, EIO,
                    re.compile(rf"; {1 if one else '[123]'} of {tasks} tasks failed$"))
                if one:
                    self.assertEqual(str(failure["task"]), faulty)
                if operation in ("read", "write"):
                    self.assert_one_error(outcome, f"of {failure['length_bytes']} bytes at offset "
                                                   f"{failure['offset_bytes']} of {path}")
                self.assertEqual(outcome.document["status"], "failed")
                self.assertEqual(outcome.document["exit_code"], 1)
                self.assert_folder_has(name)

    def test_in_start_stop_and_remove_is_told_once(self):
        jobs = [
            self.job("start", "1"),
            self.job("stop", "0"),
            self.job("remove", "0"),
            self.job("remove", "1", "-F"),
        ]
        for (name, _, _, operation, faulty, _), outcome in self.start_together(jobs):
            with self.subTest(name):
                self.assert_exit(outcome, 1)
                self.assert_one_error(outcome, f"task {faulty} on {HOST}", operation, EIO)
                # A session that cannot start or stop is found before results are opened.
                if operation == "remove":
                    self.assertEqual(outcome.document["status"], "failed")
                    self.assertEqual(len(outcome.document["errors"]), 1)
                left = {"remove 0": ["test"], "remove 1 -F": ["test.00000001"]}.get(name, [])
                self.assert_folder_has(name, *left)

    def test_does_not_keep_tasks_waiting_at_barriers(self):
        jobs = [self.job("open", "1", "-g"), self.job("write", "2", "-g")]
        for (name, *_), outcome in self.start_together(jobs):
            with self.subTest(name):
                self.assert_exit(outcome, 1)
                self.assert_one_error(outcome, "1 of 3 tasks failed")
                self.assert_folder_has(name)

    def test_stops_the_others_within_a_second(self):
        # Minutes of work for each task, when nobody stops it.
        outcome = self.run_iorx(["-a", "null", "-b", "100g", "-t", "4k", "-s", "100", "-w",
                                 "--fault.operation=write", "--fault.tasks=1",
                                 "--fault.after=1000"], 3)
        phase = self.failed_phase(outcome)
        self.assertLess(phase["intervals"]["total_s"], SOON_SECONDS)
        self.assertEqual(phase["tasks"], {"measured": 3, "idle": 0, "failed": 1, "stopped": 2})

    def test_ends_the_job_with_the_test(self):
        script = os.path.join(self.home, "job")
        write(script, b"IOR START\nblockSize=64k\ntransferSize=64k\ntestFile=one\n"
                      b"fault.operation=write\nRUN\nfault.operation=none\ntestFile=two\nIOR STOP\n")
        outcome = self.run_iorx(["-f", script], 2)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, EIO)
        self.assertEqual(len(outcome.document["tests"]), 1)
        self.assertEqual(os.listdir(self.folder), [])


class ShortTransfers(Failure):
    def test_are_continued_and_counted(self):
        # Three calls in a row fall short: the transfer and two of what is left of it.
        jobs = [(name, ["-b", "256k", "-t", "64k", "-w", "-r", "-o", "test", "--fault.kind=short",
                        *more], 2, counts) for name, counts, *more in (
            ("write", (1, 0), "--fault.operation=write", "--fault.tasks=1"),
            ("read", (0, 2), "--fault.operation=read", "--fault.count=3", "-F"))]
        for (name, _, _, counts), outcome in self.start_together(jobs):
            with self.subTest(name):
                self.assert_exit(outcome, 0)
                self.assertEqual(outcome.messages(), [])
                for phase, count in zip(("write", "read"), counts):
                    data = outcome.phase(phase)["data"]
                    self.assertEqual(data["short_transfers"], count)
                    self.assertEqual(data["bytes"], 512 * 1024)
                    self.assertEqual(data["transfers"], 8)
                self.assert_folder_has(name)


class Refused(Failure):
    """What is wrong before anything was done: exit code 2, and nothing is touched."""

    def check(self, *cases):
        """[(name, arguments, parts of the message)]; the folders exist."""
        jobs = [(name, [*SMALL, *arguments], 3, parts)
                for name, arguments, *parts in cases]
        before = snapshot(self.folder)
        for (name, _, _, parts), outcome in self.start_together(jobs):
            with self.subTest(name):
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, *parts)
        self.assertEqual(snapshot(self.folder), before)

    def test_a_directory_that_is_missing_or_is_a_file(self):
        self.subfolder("missing")
        write(os.path.join(self.subfolder("file"), "taken"), 10)
        self.check(
            ("missing", ["-o", "no/such/file"], "no/such: No such file or directory", "make the"),
            ("file", ["-o", "taken/file"], "taken is not a directory"))

    def test_a_test_file_that_is_no_file(self):
        os.mkdir(os.path.join(self.subfolder("directory"), "test"))
        os.mkdir(os.path.join(self.subfolder("replace"), "test"))
        os.mkfifo(os.path.join(self.subfolder("pipe"), "test"))
        os.mknod(os.path.join(self.subfolder("socket"), "test"), stat.S_IFSOCK | 0o600)
        self.check(
            ("directory", ["-o", "test"], "test is a directory"),
            ("replace", ["-o", "test", "--replace"], "test is a directory"),
            ("pipe", ["-o", "test"], "test is a pipe; name a file"),
            ("socket", ["-o", "test"], "test is a socket; name a file"))

    def test_a_file_that_iorx_did_not_make(self):
        write(os.path.join(self.subfolder("shared"), "test"), 200000)
        each = self.subfolder("each")
        write(os.path.join(each, "test.00000000"), 0)
        write(os.path.join(each, "test.00000001"), b"a thesis, the only copy")
        self.check(
            ("shared", ["-o", "test"], "test exists and was not made by iorx", "--replace"),
            ("each", ["-o", "test", "-F"], "test.00000001 exists and was not made by iorx"))

    def test_a_file_to_read_that_is_missing_or_too_short(self):
        self.subfolder("missing")
        each = self.subfolder("each")
        for task, size in enumerate((65536, 65535, 65536)):
            write(os.path.join(each, f"test.{task:08}"), size)
        self.check(
            ("missing", ["-r", "-o", "test"], "test", "No such file or directory"),
            ("each", ["-r", "-F", "-o", "test"], "test.00000001 has 65535 bytes", "reads 65536"))

    def test_results_that_cannot_be_written(self):
        folder = self.subfolder("data")
        outcome = self.run_iorx([*SMALL, "-o", "test", "--output=no/such/file.json"], 2,
                                folder=folder, output=False)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "no/such/file")
        self.assertEqual(os.listdir(folder), [])


def reachable(path):
    """Whether anybody may go down to path."""
    parent = os.path.dirname(path)
    return parent == path or (os.stat(parent).st_mode & 1 and reachable(parent))


@needs_root
class NoPermission(Failure):
    """Root passes permission checks: everything from the launcher on is somebody else's."""

    def run_as_nobody(self, arguments, tasks, folder):
        for path in (program.IORX, program.LAUNCH, os.path.join(self.results, "")):
            if not reachable(path):
                self.skipTest(f"{path} cannot be reached by other users")
        os.chmod(self.results, 0o777)
        return self.run_iorx(arguments, tasks, folder=folder,
                             wrapper=["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}",
                                      "--clear-groups"],
                             environment={"HOME": self.results, "TMPDIR": self.results})

    def test_to_make_a_file(self):
        before = snapshot(self.folder)
        outcome = self.run_as_nobody([*SMALL, "-o", "test"], 2, self.folder)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "test cannot be made in .", "Permission denied")
        self.assertEqual(snapshot(self.folder), before)

    def test_to_look_into_the_directory(self):
        private = self.subfolder("private")
        write(os.path.join(private, "test"), 10)
        os.chmod(private, 0o700)
        before = snapshot(self.folder)
        outcome = self.run_as_nobody([*SMALL, "-o", "private/test"], 2, self.folder)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "private", "Permission denied")
        self.assertEqual(snapshot(self.folder), before)

    def test_to_read_the_file(self):
        path = os.path.join(self.folder, "test")
        write(path, 1 << 20)
        os.chmod(path, 0o600)
        before = snapshot(self.folder)
        for access in (["-r"], ["-w"], ["-w", "-E"]):
            outcome = self.run_as_nobody([*SMALL, "-o", "test", *access], 2, self.folder)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "test", "Permission denied")
        self.assertEqual(snapshot(self.folder), before)


class OthersFiles(Failure):
    def test_that_are_written_into_are_not_deleted(self):
        path = os.path.join(self.folder, "test")
        write(path, 10)
        outcome = self.run_iorx([*SMALL, "-w", "-E", "-i", "2", "-o", "test"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual([phase["files"]["overwritten"]
                          for phase in outcome.document["tests"][0]["phases"]], [1, 1])
        self.assertTrue(os.path.exists(path))


@needs_root
class ReadOnlyMount(Failure):
    def test_is_told_and_left_as_it_is(self):
        disk = self.small_disk("disk")
        made = self.run_iorx([*SMALL, "-w", "-k", "-o", "ours"], 2, folder=disk)
        self.assert_exit(made, 0)
        mount("tmpfs", "remount,ro", disk)
        before = snapshot(disk)
        for path, access, code in (("new", "-w", 2), ("ours", "-w", 2), ("ours", "-r", 0)):
            outcome = self.run_iorx([*SMALL, access, "-o", path], 2, folder=disk)
            self.assert_exit(outcome, code)
            if code:
                self.assert_one_error(outcome, path, "Read-only file system")
        self.assertEqual(snapshot(disk), before)


class ChangedBehind(Failure):
    """Somebody else changes the files between write and read."""

    def job(self, name, command, *more):
        return (name, ["-b", "256k", "-t", "64k", "-o", "test", "-i", "2", "--cold=command",
                       "--cold-command", command, *more], 3)

    def test_is_told_by_the_task_that_meets_it(self):
        wanted = {
            "gone": ("read phase, repetition 0", "open of test:", "No such file or directory: another program",
                     "3 of 3 tasks failed"),
            "one gone": ("task 1 (rank 1)", "open of test.00000001:", "No such file or directory: another program",
                         "1 of 3 tasks failed"),
            "shorter": ("read phase, repetition 0: task 2", "at offset 562144 of test:",
                        "the file ends here, 27680 bytes early", "1 of 3 tasks failed"),
            "one empty": ("task 0 (rank 0)", "read of 65536 bytes at offset 0 of test.00000000",
                          "the file ends here", "1 of 3 tasks failed"),
            "command": ("cold_command", "\"exit 3\" ended with exit code 3"),
        }
        jobs = [
            self.job("gone", "rm test"),
            self.job("one gone", "rm test.00000001", "-F"),
            self.job("shorter", "truncate -s 562144 test"),
            self.job("one empty", ": >test.00000000", "-F"),
            self.job("command", "exit 3"),
        ]
        for (name, *_), outcome in self.start_together(jobs):
            with self.subTest(name):
                self.assert_exit(outcome, 1)
                self.assert_one_error(outcome, *wanted[name])
                self.assertEqual(outcome.phases(),
                                 [("write", 0, "complete"), ("read", 0, "failed")])
                self.assert_folder_has(name)

    def test_commands_can_be_interrupted(self):
        # 15 is SIGTERM; iorx blocks it in its own tasks.
        outcome = self.run_iorx([*SMALL, "-o", "test", "--cold=command",
                                 "--cold-command", "kill -15 $$; sleep 20"], 1)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "ended with signal 15")


class Verdicts(Failure):
    def test_fail_the_job_only_when_it_is_strict(self):
        # What is read comes from memory: C1 fails.
        for more, code in ([], 0), (["--strict"], 3):
            outcome = self.run_iorx(["-b", "1m", "-o", "test", *more], 2)
            self.assert_exit(outcome, code)
            self.assertEqual(outcome.document["status"], "complete")
            self.assertEqual(outcome.document["exit_code"], code)
            self.assertIn("fail", [verdict["severity"] for verdict
                                   in outcome.phase("read")["verdicts"]])


if __name__ == "__main__":
    unittest.main()
