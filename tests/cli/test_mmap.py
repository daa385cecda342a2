"""The mmap backend: what the kernel was told of the mapping, and what a mapped file's failures become."""

import os
import re
import subprocess
import unittest

import program
from program import NO_GRACE, Case, needs_backend, needs_root, proc

MIB = 1 << 20
FULL = "mmap: No space left on device"


def mapping(pid, path):
    """What /proc/PID/smaps says of the mapping of a file; empty while there is none."""
    for part in re.split(r"^(?=[0-9a-f]+-[0-9a-f]+ )", proc(pid, "smaps").decode(), flags=re.M):
        if part.partition("\n")[0].endswith(" " + path):
            return part
    return ""


def resident(part):
    return int(re.search(r"^Rss: +(\d+) kB", part, re.M)[1]) * 1024


def flags(part):
    return re.search(r"^VmFlags: (.*)$", part, re.M)[1].split()


class MmapCase(Case):
    def setUp(self):
        super().setUp()
        self.path = os.path.join(self.folder, "data")

    def mount(self, kind, options):
        done = subprocess.run(["mount", "-t", kind, "-o", options, kind, self.folder],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            self.skipTest(f"no {kind} can be mounted: {done.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", self.folder], check=True)

    def write_file(self, tasks=1, *more):
        outcome = self.run_iorx(["-a", "mmap", "-w", "-k", "-b", "1m", "-t", "64k", "-o", self.path,
                                 *more], tasks)
        self.assert_exit(outcome, 0)
        return outcome

    def stalled(self, access, after, *arguments, tasks=1):
        """A job whose tasks, having mapped the file and moved so much, stand still for 2 s."""
        job = self.start_iorx(["-a", "mmap", "-b", "1m", "-t", "64k", "-o", self.path,
                               f"--fault.operation={access}", "--fault.kind=stall",
                               "--fault.stall=2", f"--fault.after={after}", *arguments], tasks,
                              environment=NO_GRACE)

        def stand():
            pids = job.tasks().values()
            return len(pids) == tasks and all(self.at_rest(pid) for pid in pids)

        job.wait_until(stand, "the stall")
        return job

    def at_rest(self, pid):
        return mapping(pid, self.path) and b"nanosleep" in proc(pid, "wchan") + proc(pid, "stack")


@needs_backend("mmap")
class Mapping(MmapCase):
    def look(self, *arguments):
        """The reader's mapping after three transfers of 64 KiB."""
        job = self.stalled("read", 3, "-r", "-k", *arguments)
        part = mapping(job.tasks()[0], self.path)
        self.assert_exit(job.wait(), 0)
        return part

    def test_is_as_long_as_the_file_of_all_tasks(self):
        self.write_file(3)
        self.assertEqual(os.path.getsize(self.path), 3 * MIB)
        part = self.look()
        first, last = re.match(r"([0-9a-f]+)-([0-9a-f]+) ", part).groups()
        self.assertEqual(int(last, 16) - int(first, 16), 3 * MIB)

    def test_takes_the_advice_that_was_asked_for(self):
        self.write_file()
        found = {}
        for advice in ("normal", "sequential", "random"):
            part = self.look("--mmap.madvise=" + advice)
            found[advice] = [flag for flag in flags(part) if flag in ("sr", "rr")]
        for name, order in (("pattern", []), ("pattern -z", ["-z"])):
            part = self.look("--mmap.madv_pattern", *order)
            found[name] = [flag for flag in flags(part) if flag in ("sr", "rr")]
        self.assertEqual(found, {"normal": [], "sequential": ["sr"], "random": ["rr"],
                                 "pattern": ["sr"], "pattern -z": ["rr"]})

    def test_gives_pages_back_under_dontneed_and_has_all_under_populate(self):
        self.write_file()
        # One transfer before, the kernel may have mapped up to 64 KiB of its neighbour as well.
        self.assertLessEqual(resident(self.look("--mmap.madvise=dontneed")), 65536)
        self.assertGreaterEqual(resident(self.look()), 3 * 65536)
        self.assertEqual(resident(self.look("--mmap.populate")), MIB)

    @unittest.skipUnless(os.path.exists("/sys/kernel/mm/transparent_hugepage"), "no huge pages")
    def test_asks_for_huge_pages(self):
        self.write_file()
        self.assertIn("hg", flags(self.look("--mmap.huge_pages")))

    def test_is_told_as_it_was_made(self):
        outcome = self.write_file(2, "--mmap.madvise=willneed", "--mmap.populate")
        told = outcome.phase("write")["settings"]
        self.assertEqual({name: told[name] for name in ("madvise", "populate", "huge_pages",
                                                        "space")},
                         {"madvise": "willneed", "populate": "true", "huge_pages": "false",
                          "space": "allocated"})

    def test_a_file_cut_while_it_is_read_is_an_error_with_its_place(self):
        for tasks in (1, 2):
            self.write_file(tasks)
            job = self.stalled("read", 4, "-r", "-k", tasks=tasks)
            os.truncate(self.path, 100000)
            outcome = job.wait()
            self.assert_exit(outcome, 1)
            self.assert_one_error(outcome, "read of 65536 bytes", "mmap: Input/output error",
                                  "cut the file to 100000 bytes", f"of {tasks} tasks failed")
            failure = outcome.phase("read")["failure"]
            self.assertEqual(failure["offset_bytes"], failure["task"] * MIB + 4 * 65536)

    def test_a_sync_is_an_msync(self):
        if not os.path.exists("/usr/bin/strace"):
            self.skipTest("strace is not installed")
        trace = os.path.join(self.results, "trace")
        outcome = self.run_iorx(["-a", "mmap", "-w", "-Y", "-b", "256k", "-t", "64k", "-o", self.path],
                                wrapper=("strace", "-f", "-qq", "-o", trace, "-e", "trace=msync"))
        self.assert_exit(outcome, 0)
        calls = re.findall(r"msync\(\w+, 262144, MS_SYNC\) += 0", program.read(trace))
        self.assertEqual(len(calls), 4)


@needs_root
@needs_backend("mmap")
class Space(MmapCase):
    def test_that_is_not_there_fails_the_open(self):
        self.mount("tmpfs", "size=8m")
        for more in ([], ["-F"]):
            outcome = self.run_iorx(["-a", "mmap", "-b", "6m", "-t", "1m", "--force", *more, "-o",
                                     self.path], 2)
            self.assert_exit(outcome, 1)
            self.assert_one_error(outcome, "open of", "fallocate: No space left on device")
            self.assertEqual(os.listdir(self.folder), [])

    def test_that_is_lost_while_mapped_is_an_error_with_its_place(self):
        self.mount("tmpfs", "size=8m")
        job = self.stalled("write", 4, "-w")
        subprocess.run(["fallocate", "-p", "-o", "524288", "-l", "524288", self.path], check=True)
        with open(os.path.join(self.folder, "filler"), "wb", buffering=0) as filler:
            with self.assertRaises(OSError):
                while filler.write(bytes(4096)):
                    pass
        outcome = job.wait()
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, FULL, "write of 65536 bytes at offset 524288")
        self.assertEqual(os.listdir(self.folder), ["filler"])

    def test_is_not_allocated_where_the_file_system_cannot(self):
        self.mount("ramfs", "mode=700")
        outcome = self.write_file(2, "--force")
        self.assertEqual(outcome.phase("write")["settings"]["space"],
                         "not allocated: no fallocate here")
        self.assertEqual(os.path.getsize(self.path), 2 * MIB)


if __name__ == "__main__":
    unittest.main()
