"""Transfers in flight: what null shows of the queued loop, what is refused, uring and libaio."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import IORX, LAUNCH, Case, is_built_in, is_sanitized, needs_root, read
from test_failures import NOBODY, reachable

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
# liburing 2.6 and newer on a kernel that takes it: a ring without the array of its entries.
NEW_LIBURING = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <liburing.h>
int io_uring_queue_init_params(unsigned count, struct io_uring *ring, struct io_uring_params *params)
{
	int (*init)(unsigned, struct io_uring *, struct io_uring_params *) =
		dlsym(RTLD_NEXT, "io_uring_queue_init_params");
	int ret = init(count, ring, params);
	ring->sq.array = 0;
	return ret;
}
"""
# Starts a program and leaves its highest resident memory, KiB, in a file.
WEIGH = """#!{python}
import os, sys
pid = os.spawnv(os.P_NOWAIT, "{iorx}", ["{iorx}", *sys.argv[1:]])
_, status, usage = os.wait4(pid, 0)
with open("{file}", "w") as file:
    file.write(str(usage.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status))
"""
SYSCALLS = {"uring": 425, "libaio": 206}  # io_uring_setup everywhere, io_setup on x86-64


class Queue(Case):
    def test_a_depth_of_several_batches_is_reached(self):
        outcome = self.run_iorx(["-a", "null", "-w", "-b", "16m", "-t", "4k", "--queue-depth=512",
                                 "--queue-batch=256"], 1)
        self.assert_exit(outcome, 0)
        distribution = outcome.phase("write")["queue"]
        self.assertGreater(distribution["mean_depth"], 256, distribution)

    def test_a_service_time_has_no_other_transfers_sync_in_it(self):
        outcome = self.run_iorx(["-a", "null", "-w", "-Y", "-b", "256k", "-t", "4k", "--queue-depth=32",
                                 "--queue-batch=32", "--null.delay-sync=2000"], 1)
        self.assert_exit(outcome, 0)
        operations = outcome.phase("write")["operations"]
        self.assertGreaterEqual(operations["sync"]["min_ns"], 2000000)
        self.assertLess(operations["write"]["percentiles"]["p50"]["ns"], 2000000)

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
                (["-a", "null", "--queue-depth=2", "-c"],
                 "queue_depth: collective transfers are made one at a time"),
                (["-a", "null", "--queue-depth=2", "--queue-batch=3"],
                 "queue_batch: only queue_depth transfers can be in flight")):
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

    def peak_kib(self, depth):
        """Of one task, with buffers of 4 KiB for each transfer in flight."""
        program = os.path.join(self.results, "weigh")
        weight = os.path.join(self.results, "weight")
        with open(program, "w") as file:
            file.write(WEIGH.format(python=sys.executable, iorx=IORX, file=weight))
        os.chmod(program, 0o755)
        self.assert_exit(self.run_iorx(["-a", self.api, "-w", "-r", "-b", "32m", "-t", "4k", "-o", "data",
                                        f"--queue-depth={depth}"], program=program), 0)
        return int(read(weight))

    def test_4096_in_flight_cost_less_than_a_mebibyte_beyond_the_buffers(self):
        if is_sanitized():
            self.skipTest("sanitizers take memory of their own")
        beyond_kib = self.peak_kib(4096) - self.peak_kib(1) - 4095 * 4
        self.assertLess(beyond_kib, 1024)

    def test_a_fault_of_a_queued_transfer_is_called_one(self):
        outcome = self.run_iorx(["-a", self.api, "-w", "-b", "1m", "-t", "64k", "--queue-depth=4", "-o", "data",
                                 "-O", "fault.operation=write,fault.after=3,fault.error=ENOSPC"])
        self.assert_exit(outcome, 1)
        self.assertIn("No space left on device (asked for by fault.operation)", outcome.err)

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

    def run_small(self, *options, **more):
        return self.run_iorx(["-a", "uring", "-w", "-r", "-b", "2m", "-t", "4k", "--queue-depth=32",
                              "-o", "data", *options], **more)

    @unittest.skipIf(is_sanitized(), "what is loaded first must be the sanitizer")
    def test_needs_the_array_that_newer_libraries_leave_out(self):
        source, library = (os.path.join(self.folder, name) for name in ("new.c", "new.so"))
        with open(source, "w", encoding="ascii") as file:
            file.write(NEW_LIBURING)
        done = subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            self.skipTest(f"cc: {done.stderr.strip()}")
        for depth in "1", "8":
            outcome = self.run_iorx(["-a", "uring", "-w", "-r", "-R", "-b", "1m", "-t", "4k", "-o",
                                     "data", "--queue-depth=" + depth],
                                    environment={"LD_PRELOAD": library})
            self.assert_exit(outcome, 0)

    def test_what_is_asked_for_is_in_effect(self):
        on, off = "true", "false"
        for options, settings in (
                ([], {"fixed_buffers": on, "registered_file": on, "sqpoll": off}),
                (["--queue-depth=1"], {"fixed_buffers": on, "registered_file": on}),
                (["--uring.fixed-buffers=0"], {"fixed_buffers": off, "registered_file": on}),
                (["--uring.registered-files=0"], {"fixed_buffers": on, "registered_file": off}),
                (["--uring.sqpoll"], {"sqpoll": on}),
                (["--uring.sqpoll", "--uring.sqpoll-cpu=0", "--uring.sqpoll-idle=10ms"],
                 {"sqpoll": on}),
                (["--uring.sqpoll", "--queue-depth=1"], {"sqpoll": on})):
            with self.subTest(options=options):
                outcome = self.run_small(*options)
                if "leave out uring.sqpoll" in outcome.err:
                    self.skipTest("uring.sqpoll is not allowed here")
                self.assert_exit(outcome, 0)
                for name in "write", "read":
                    phase = outcome.phase(name)
                    self.assertEqual(phase["data"]["bytes"], 2 << 20)
                    self.assertEqual(phase["settings"], {**phase["settings"], **settings})

    def test_a_processor_that_is_not_there(self):
        outcome = self.run_small("--uring.sqpoll", "--uring.sqpoll-cpu=100000")
        self.assertNotEqual(outcome.exit_code, 0)
        self.assert_one_error(outcome, "uring.sqpoll")

    def test_polling_a_device_needs_direct(self):
        outcome = self.run_iorx(["-a", "uring", "--uring.iopoll", "-w", "-o", "data"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "add uring.direct")

    def poll_queues(self, folder):
        """What the kernel says of the device below: "1", "0", or None where there is no device."""
        number = os.stat(folder).st_dev
        device = f"/sys/dev/block/{os.major(number)}:{os.minor(number)}"
        for queue in "queue", "../queue":
            name = os.path.join(device, queue, "io_poll")
            if os.path.exists(name):
                return read(name).strip()
        return None

    def test_polling_needs_a_device_that_can(self):
        memory = tempfile.mkdtemp(dir="/dev/shm")
        self.addCleanup(shutil.rmtree, memory)
        for folder in self.folder, memory:
            queues = self.poll_queues(folder)
            outcome = self.run_small("--uring.iopoll", "--uring.direct", folder=folder)
            with self.subTest(folder=folder, poll_queues=queues):
                if queues == "0":
                    self.assert_exit(outcome, 2)
                    self.assert_one_error(outcome, "no poll queues", "io_poll is 0",
                                          "leave uring.iopoll out")
                elif outcome.exit_code:  # the file system refuses, or O_DIRECT is not there
                    self.assertIsNone(queues)
                    self.assert_exit(outcome, 1)
                    self.assert_one_error(outcome, re.compile("no direct I/O|not supported"))
                else:
                    for name in "write", "read":
                        self.assertEqual(outcome.phase(name)["settings"]["iopoll"], "true")
                        self.assertEqual(outcome.phase(name)["data"]["bytes"], 2 << 20)
                self.assertEqual(os.listdir(folder), [])

    @needs_root
    def test_a_sysctl_that_forbids_it_is_named(self):
        if os.uname().machine != "x86_64":
            self.skipTest("the filter is for x86-64")
        sysctl = "/proc/sys/kernel/io_uring_disabled"
        if not os.path.exists(sysctl):
            self.skipTest(f"this kernel has no {sysctl}")
        says = os.path.join(self.results, "2")
        with open(says, "w") as file:
            file.write("2\n")
        outcome = self.run_small(wrapper=[
            "unshare", "--mount", "sh", "-ec", f'mount --bind "$0" {sysctl}; exec "$@"', says,
            sys.executable, "-c", FORBID, str(SYSCALLS["uring"])])
        if "unshare:" in outcome.err or "mount:" in outcome.err:
            self.skipTest("nothing can be mounted here")
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "kernel.io_uring_disabled is 2", self.way_out)

    @needs_root
    def test_little_memory_to_lock(self):
        """Too little for the buffers: plain ones. Too little for the ring: it says so, or does without."""
        for path in IORX, LAUNCH, os.path.join(self.results, ""):
            if not reachable(path):
                self.skipTest(f"{path} cannot be reached by other users")
        os.chmod(self.results, 0o777)
        os.chmod(self.folder, 0o777)
        for limit in 65536, 0:
            outcome = self.run_small(
                wrapper=["prlimit", f"--memlock={limit}:{limit}", "setpriv", f"--reuid={NOBODY}",
                         f"--regid={NOBODY}", "--clear-groups"],
                environment={"HOME": self.results, "TMPDIR": self.results})
            if limit == 0 and outcome.exit_code:
                self.assert_one_error(outcome, "RLIMIT_MEMLOCK", "api=libaio")
                continue
            self.assert_exit(outcome, 0)
            self.assertRegex(outcome.phase("write")["settings"]["fixed_buffers"],
                             "false: .*RLIMIT_MEMLOCK")


class Libaio(Backend, Case):
    api = "libaio"
    way_out = "use api=posix"

    def test_max_pending_of_ior_is_the_depth(self):
        outcome = self.run_iorx(["-a", "AIO", "--aio.max-pending=16", "-w", "-b", "1m", "-t", "4k",
                                 "-o", "data"])
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.document["tests"][0]["plan"]["queue_depth"], 16)

    def test_the_prefix_of_ior_is_known(self):
        outcome = self.run_iorx(["-a", "AIO", "--aio.direct", "--show-plan", "-b", "1m"], output=False)
        self.assert_exit(outcome, 0)


if __name__ == "__main__":
    unittest.main()
