"""What stands under a name that an option gives: nothing waits for a pipe, and no file is made where none belongs."""

import os
import unittest

import program
from program import SOON_SECONDS, Case

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
            self.check_refused([*SMALL, f"--output={name}"], f"output: {name} is a pipe that nobody reads")
        self.check_refused([*SMALL, "--output=none", "--operation-tables=t"],
                           "operation_tables: t.00000001.csv is a pipe")
        self.check_refused([*SMALL, "--output=x.json"], "output: x.json exists and is not a document")
        os.remove(self.path("x.json"))
        self.check_refused(["load", "--file-size=1m", "--operation-limit=1", "--interval=1s", "--output=x.json"],
                           "interval: x.intervals.csv is a pipe")

    def test_a_pipe_that_is_read_takes_an_output(self):
        reader = os.open(self.path(self.pipe("p.csv")), os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.assert_exit(self.run_iorx([*SMALL, "--output=p.csv"], output=False), 0)
        self.assertTrue(os.read(reader, 100).startswith(b"test,phase,repetition,"))


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
                self.check_refused([*SMALL, *arguments], f"{key}: ", "is not there, and a new file does not belong into")
                self.assertEqual([name for name in os.listdir("/dev") if name.startswith("iorx-new")], [])
        self.check_refused(["load", "-o", "/dev/iorx-new", "--file-scope=test", "--allow-device", "--duration=1",
                            "--file-size=1m", "--output=none"], "allow_device: /dev/iorx-new is no block device")

    @unittest.skipUnless(os.access("/dev/shm", os.W_OK), "/dev/shm cannot be written")
    def test_shared_memory_is_no_folder_of_the_kernel(self):
        name = f"/dev/shm/iorx-{os.getpid()}"
        self.assert_exit(self.run_iorx([*SMALL, "-o", name, f"--task-table={name}.csv"]), 0)
        os.remove(name + ".csv")
        self.assertFalse(os.path.exists(name))


if __name__ == "__main__":
    unittest.main()
