"""What stands under a name that an option gives: nothing waits for a pipe, and no file is made where none belongs."""

import os
import signal
import stat
import unittest

import program
from program import OPEN_MPI, SOON_SECONDS, Case

SMALL = ["-b", "8k", "-t", "4k"]


class Named(Case):
    def path(self, name):
        return os.path.join(self.folder, name)

    def pipe(self, name):
        os.mkfifo(self.path(name))
        return name

    def check_refused(self, arguments, *parts):
        """At once, with one message, and nothing is made."""
        before = sorted(os.listdir(self.folder))
        outcome = self.run_iorx(arguments, 2, output=False)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, *parts)
        self.assertLess(outcome.seconds, 2 * SOON_SECONDS)
        self.assertEqual(sorted(os.listdir(self.folder)), before)


class Pipes(Named):
    def test_nothing_waits_for_the_reader_of_an_output(self):
        self.pipe("p")
        for key in "summary_file", "task_table", "status_file":
            with self.subTest(key):
                self.check_refused([*SMALL, "--output=none", f"--{key}=p"], f"{key}: p is a pipe")
        for name in "x.csv", "x.txt", "x.intervals.csv", "x.json", "t.00000001.csv":
            self.pipe(name)
        for name in "x.csv", "x.txt":
            self.check_refused([*SMALL, f"--output={name}"],
                               f"output: {name} is a pipe that nobody reads; start its reader first, or name a file")
        os.mknod(self.path("s.csv"), stat.S_IFSOCK | 0o600)
        self.check_refused([*SMALL, "--output=s.csv"], "output: s.csv is a socket; name a file")
        self.check_refused([*SMALL, "--output=none", "--operation-tables=t"],
                           "operation_tables: t.00000001.csv is a pipe")
        self.check_refused([*SMALL, "--output=x.json"], "output: x.json is a pipe; name a file")
        os.remove(self.path("x.json"))
        self.check_refused(["load", "--file-size=1m", "--operation-limit=1", "--interval=1s", "--output=x.json"],
                           "interval: x.intervals.csv is a pipe")

    def test_a_pipe_that_is_read_takes_an_output(self):
        reader = os.open(self.path(self.pipe("p.csv")), os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.assert_exit(self.run_iorx([*SMALL, "--output=p.csv"], output=False), 0)
        self.assertTrue(os.read(reader, 100).startswith(b"test,phase,repetition,"))

    def test_nothing_waits_for_the_writer_of_an_input(self):
        self.pipe("p")
        self.pipe("p.jsonl")
        for arguments, message in (
                (["--content=file", "--content-file=p"], "content_file: p cannot be used: it is a pipe; name a reg"),
                (["-r", "--status-file=p"], "status_file: p cannot be read: it is a pipe; name a regular file"),
                (["--site-file=p"], "p: it is a pipe that nobody writes; site_file takes the name of a file"),
                (["-f", "p"], "p: it is a pipe that nobody writes; -f takes the name of a file"),
                (["-f", "."], ".: it is a directory; -f takes the name of a file"),
                (["-f", "/dev/zero"], "/dev/zero: it has more than 64 MiB"),
                (["--finish=p.jsonl"], "finish: p.jsonl: it is a pipe")):
            with self.subTest(arguments):
                self.check_refused([*arguments, *SMALL, "--output=none"], message)

    @program.needs_backend("mpiio")
    def test_nothing_waits_for_the_writer_of_hints(self):
        self.pipe("p")
        self.check_refused([*SMALL, "-a", "mpiio", "-U", "p"], "hints_file: p: it is a pipe; name a regular file")

    def test_a_pipe_that_is_written_is_a_job_file(self):
        job = self.start_iorx(["-f", self.pipe("p"), "--output=none"], 2, output=False)
        with open(self.path("p"), "w", encoding="utf-8") as file:
            file.write("IOR START\nblockSize=8k\ntransferSize=4k\n")
            file.flush()
            file.write("IOR STOP\n")
        self.assert_exit(job.wait(), 0)


class Early(Named):
    def test_the_first_signal_ends_a_job_that_has_not_begun(self):
        writer = None
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGUSR1:
            with self.subTest(number):
                name = self.pipe(f"p{int(number)}")
                job = self.start_iorx(["-f", name], 2, output=False)
                writer = os.open(self.path(name), os.O_WRONLY)  # from here on the job waits for its text
                job.kill(job.tasks()[0], number)
                outcome = job.wait()
                os.close(writer)
                # The launcher of MPICH may tell how it killed the other task.
                self.assertIn(outcome.exit_code, (1,) if OPEN_MPI else (1, signal.SIGKILL), outcome)
                self.assertLess(outcome.ending, SOON_SECONDS)
                self.assert_one_error(outcome, f"{number.name}: the job ends before its first test; nothing was")
                self.assertEqual(os.listdir(self.folder), [name])
                os.remove(self.path(name))


class Names(Named):
    def test_a_name_has_a_last_part(self):
        os.mkdir(self.path("d"))
        for name in "d/", "d/.", "..", ".":
            for key, arguments in (("test_file", ["-o", name]), ("test_file", ["-F", "-o", "x@" + name]),
                                   ("test_file", ["load", "-o", name]),
                                   ("summary_file", ["--summary-file", name]), ("task_table", ["--task-table", name]),
                                   ("operation_tables", ["--operation-tables", name])):
                with self.subTest(arguments):
                    extra = ["--duration=1"] if arguments[0] == "load" else SMALL
                    self.check_refused([*arguments, *extra, "--output=none", "--show-plan"],
                                       f"command line: {key}: ", f'{name}" has no file name')
            self.check_refused([*SMALL, "--output=none", "--status-file", name], "status_file: " + name)

    @program.needs_root
    def test_no_new_file_in_the_folders_of_the_kernel(self):
        os.symlink("/dev", self.path("link"))
        for key, arguments in (("test_file", ["-o", "/dev/iorx-new"]), ("test_file", ["-o", "link/iorx-new"]),
                               ("test_file", ["-o", "/proc/iorx-new"]), ("test_file", ["-F", "-o", "/sys/iorx-new"]),
                               ("output", ["--output=/dev/iorx-new.json"]), ("output", ["--output=/dev/iorx-new.csv"]),
                               ("task_table", ["--task-table=/dev/iorx-new", "--output=none"]),
                               ("operation_tables", ["--operation-tables=/dev/iorx-new", "--output=none"]),
                               ("status_file", ["--status-file=/dev/iorx-new", "--output=none"])):
            with self.subTest(arguments):
                self.check_refused([*SMALL, *arguments], f"{key}: ", "is not there, and new files do not belong into")
                self.assertEqual([name for name in os.listdir("/dev") if name.startswith("iorx-new")], [])
        self.check_refused(["mdtest", "-n", "2", "-d", "/dev/iorx-new", "--output=none"], "dir: ", "new files do not belong into")
        self.assertFalse(os.path.exists("/dev/iorx-new"))
        self.check_refused(["load", "-o", "/dev/iorx-new", "--file-scope=test", "--allow-device", "--duration=1",
                            "--file-size=1m", "--output=none"], "test_file: /dev/iorx-new: No such file or directory; name a device")

    @unittest.skipUnless(os.access("/dev/shm", os.W_OK), "/dev/shm cannot be written")
    def test_shared_memory_is_no_folder_of_the_kernel(self):
        name = f"/dev/shm/iorx-{os.getpid()}"
        self.assert_exit(self.run_iorx([*SMALL, "-o", name, f"--task-table={name}.csv"]), 0)
        os.remove(name + ".csv")
        self.assertFalse(os.path.exists(name))


if __name__ == "__main__":
    unittest.main()
