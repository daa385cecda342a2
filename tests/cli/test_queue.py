"""Transfers in flight: what null shows of the queued loop, what is refused, uring and libaio."""

import os
import re
import subprocess
import sys
import unittest

from program import IORX, Case

# Programs of the classic kind (BPF) that a container's filter is made of: one call is answered EPERM.
FORBID = """
import ctypes, os, struct, sys
NUMBER = int(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
filter = b"".join(struct.pack("HBBI", *line) for line in (
    (0x20, 0, 0, 0), (0x15, 0, 1, NUMBER), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000)))
room = ctypes.create_string_buffer(filter)
program = struct.pack("HxxxxxxP", 4, ctypes.addressof(room))
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
    sys.exit(99)
os.execv(sys.argv[2], sys.argv[2:])
"""
SYSCALLS = {"uring": 425, "libaio": 206}  # io_uring_setup everywhere, io_setup on x86-64
LIST = subprocess.run([IORX, "--list-backends"], capture_output=True, text=True).stdout


def is_built_in(api):
    return bool(re.search(rf"^{api}\b(?!.*not (in|built))", LIST, re.M))


class Queue(Case):
    def test_every_transfer_comes_back_once(self):
        for depth, batch in ((2, 1), (7, 3), (64, 64), (300, 1)):
            with self.subTest(depth=depth, batch=batch):
                outcome = self.run_iorx(["-a", "null", "-b", "1m", "-t", "4k", "-s", "3", "-w", "-r",
                                         f"--queue-depth={depth}", f"--queue-batch={batch}"], 2)
                self.assert_exit(outcome, 0)
                for name in "write", "read":
                    data = outcome.phase(name)["data"]
                    self.assertEqual((data["transfers"], data["bytes"]), (2 * 3 * 256, 2 * 3 << 20))

    def test_what_cannot_be_queued_is_refused(self):
        for arguments, text in (
                (["-a", "posix", "--queue-depth=2"], "queue_depth: posix moves one transfer at a time"),
                (["-a", "null", "--queue-depth=2", "-c"],
                 "queue_depth: collective transfers are made one at a time"),
                (["-a", "null", "--queue-depth=2", "--queue-batch=3"],
                 "queue_batch: only queue_depth transfers can be in flight"),
                (["-a", "null", "-c"], "collective: null has no collective transfers"),
                (["-a", "null", "--strided"], "strided: null moves one segment at a time")):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(arguments)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, text)


class Backend:
    """What both do; a subclass for each says its name."""

    def setUp(self):
        super().setUp()
        if not is_built_in(self.api):
            self.skipTest("not built in")

    def test_files_of_all_shapes_are_whole(self):
        for depth, batch, tasks, arguments in (
                (1, 1, 1, ["-b", "300k", "-t", "20k"]),
                (32, 16, 2, ["-b", "1m", "-t", "4k", "-s", "3"]),
                (7, 3, 3, ["-b", "100000", "-t", "5000", "-F"]),
                (4096, 256, 1, ["-b", "20m", "-t", "4k"])):
            with self.subTest(depth=depth, arguments=arguments):
                folder = os.path.join(self.folder, str(depth))
                os.mkdir(folder)
                outcome = self.run_iorx(["-a", self.api, "-w", "-r", "-e", "-k", "-o", "data",
                                         f"--queue-depth={depth}", f"--queue-batch={batch}",
                                         *arguments], tasks, folder=folder)
                self.assert_exit(outcome, 0)
                sizes = [os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)]
                for name in "write", "read":
                    self.assertEqual(outcome.phase(name)["data"]["bytes"], sum(sizes))

    def test_a_full_disk_is_told(self):
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk],
                          capture_output=True).returncode:
            self.skipTest("no tmpfs can be mounted")
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        for depth in 1, 32:
            outcome = self.run_iorx(["-a", self.api, "-w", "-o", "disk/data", "-b", "16m", "-t", "64k",
                                     "--force", f"--queue-depth={depth}"])
            self.assert_exit(outcome, 1)
            self.assert_one_error(outcome, "No space left on device")

    def test_what_is_forbidden_names_the_way_out(self):
        if os.uname().machine != "x86_64":
            self.skipTest("the filter is for x86-64")
        forbid = [sys.executable, "-c", FORBID, str(SYSCALLS[self.api])]
        outcome = self.run_iorx(["-a", self.api, "-w", "--queue-depth=4", "-b", "1m", "-o", "data"],
                                wrapper=forbid)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "Operation not permitted", self.way_out)
        self.assertEqual(os.listdir(self.folder), [])

    def test_direct_transfers(self):
        outcome = self.run_iorx(["-a", self.api, f"--{self.api}.direct", "-w", "-r", "-b", "2m",
                                 "-t", "16k", "--queue-depth=16", "-o", "data"], 2)
        if outcome.exit_code and "has no direct I/O" in outcome.err:
            self.skipTest("no O_DIRECT here")
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.phase("read")["settings"]["direct"], "true")


class Uring(Backend, Case):
    api = "uring"
    way_out = "use api=libaio or api=posix"

    def test_polling_a_device_needs_direct(self):
        outcome = self.run_iorx(["-a", "uring", "--uring.iopoll", "-w", "-o", "data"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "add uring.direct")


class Libaio(Backend, Case):
    api = "libaio"
    way_out = "use api=posix"

    def test_the_prefix_of_ior_is_known(self):
        outcome = self.run_iorx(["-a", "AIO", "--aio.direct", "--show-plan", "-b", "1m"], output=False)
        self.assert_exit(outcome, 0)


if __name__ == "__main__":
    unittest.main()
