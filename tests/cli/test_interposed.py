"""Libraries in front of the C library: one that serves a file system of its own, and one that counts calls."""

import collections
import os
import subprocess
import sys
import unittest

from program import SOURCE, Case, is_sanitized, read

TASKS = 2
DATA = ["-b", "256k", "-t", "64k", "-w", "-r", "-W", "-R", "-e", "-i", "2"]
ITEMS, DATA_OF_ITEMS, PHASES = 20, ["-w", "4k", "-e", "4k", "-X", "-y", "-N", "1"], 2


@unittest.skipIf(is_sanitized(), "the sanitizer's own library must come first")
class Preloaded(Case):
    def preload(self, source, **variables):
        """Builds the library; returns the environment that loads it."""
        library = os.path.join(self.home, source + ".so")
        built = subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library,
                                os.path.join(SOURCE, "tests/cli", source + ".c"), "-ldl"],
                               capture_output=True, text=True, check=False)
        if "must be a function of the C library" in built.stderr:
            self.skipTest("this C library is too old for " + source)
        self.assertEqual(built.returncode, 0, built.stderr)
        return {**variables, "LD_PRELOAD": library}

    def run_good(self, arguments, environment):
        outcome = self.run_iorx(arguments, TASKS, environment=environment)
        self.assert_exit(outcome, 0)
        return outcome

    def metadata(self, outcome):
        """Operations of each kind of phase, none of which failed."""
        self.assertEqual([phase["metadata"]["failed_operations"] for phase in outcome.document["tests"][0]["phases"]
                          if phase["metadata"]["failed_operations"]], [])
        return {phase["phase"]: phase["metadata"]["operations"] for phase in outcome.document["tests"][0]["phases"]}


class Interposer(Preloaded):
    """Whatever passes by the C library ends in EBADF, ENOENT or at a place that the test looks at."""

    def setUp(self):
        super().setUp()
        self.root = os.path.join(self.home, "interposed")
        self.environment = self.preload("interposer", INTERPOSED=self.root,
                                        INTERPOSED_STORE=os.path.join(self.home, "store"))

    def see(self, expression):
        """What a Python program sees that runs in front of the same library."""
        program = subprocess.run([sys.executable, "-c", f"import os; print({expression})"], check=True,
                                 env={**os.environ, **self.environment}, capture_output=True, text=True)
        return program.stdout.strip()

    def assert_nothing_real(self):
        self.assertFalse(os.path.exists(self.root))
        self.assertEqual(os.listdir(self.folder), [])

    def test_serves_a_data_test(self):
        path = os.path.join(self.root, "file")
        for name, more in {"shared file": [], "a file for each task": ["-F"], "random": ["-z"]}.items():
            with self.subTest(name):
                outcome = self.run_good([*DATA, "-o", path, *more], self.environment)
                phases = outcome.document["tests"][0]["phases"]
                self.assertEqual([phase["phase"] for phase in phases], ["write", "verify", "read"] * 2)
                self.assertEqual({phase["data"]["bytes"] for phase in phases}, {TASKS << 18})
                self.assertEqual({phase["status"] for phase in phases}, {"complete"})
                self.assertEqual(self.see(f"os.listdir({self.root!r})"), "[]")
        self.run_good([*DATA, "-o", path, "-k"], self.environment)
        self.assertEqual(self.see(f"os.stat({path!r}).st_size"), str(TASKS << 18))
        self.assert_nothing_real()

    def test_serves_a_metadata_test(self):
        path = os.path.join(self.root, "tree")
        job = ["mdtest", "-n", str(ITEMS), "-z", "1", "-b", "2", *DATA_OF_ITEMS, "-d", path]
        for more in ([], ["--names=relative"], ["-u"]):
            with self.subTest(more):
                done = self.metadata(self.run_good([*job, *more], self.environment))
                for phase in ("dir-create", "dir-stat", "dir-rename", "dir-remove",
                              "file-create", "file-stat", "file-read", "file-remove"):
                    self.assertEqual(done[phase], TASKS * ITEMS, phase)
        self.run_good(["mdtest", "-F", "-n", str(ITEMS), "-C", "-d", path], self.environment)
        found = f"sum(len(files) for *_, files in os.walk({path!r}))"
        self.assertGreaterEqual(int(self.see(found)), TASKS * ITEMS)
        self.assert_nothing_real()


class Counter(Preloaded):
    def counted(self, part, *arguments):
        """What the library counted on files whose names have this part, and the outcome."""
        counts = os.path.join(self.home, "counts")
        environment = self.preload("call_counter", COUNTED=part, COUNTS=counts)
        outcome = self.run_good(arguments, environment)
        total = collections.Counter()
        for line in read(counts).splitlines():
            call, number = line.split()
            total[call] += int(number)
        os.remove(counts)
        return total, outcome

    def test_agrees_on_transfers(self):
        seen, outcome = self.counted("counted", *DATA, "-o", "counted", "-k")
        own = outcome.document["tests"][0]["counters"]
        self.assertEqual((seen["pread"], seen["pwrite"], seen["fsync"]),
                         (own["POSIX_READS"], own["POSIX_WRITES"], own["POSIX_FSYNCS"]))
        self.assertEqual((seen["pread"], seen["pwrite"], seen["fsync"]), (32, 16, 4))
        # Files are looked at outside the timed part too.
        self.assertGreaterEqual(seen["open"] + seen["create"], own["POSIX_OPENS"])
        self.assertEqual(seen["close"], seen["open"] + seen["create"])

    def test_agrees_on_operations_on_files(self):
        for more in ([], ["--names=relative"]):
            with self.subTest(more):
                seen, outcome = self.counted("file.mdtest.", "mdtest", "-F", "-n", str(ITEMS), "-i", "2",
                                             *DATA_OF_ITEMS, "-d", "tree", *more)
                own = collections.Counter()
                for phase in outcome.document["tests"][0]["phases"]:
                    own.update(phase["counters"])
                every = TASKS * ITEMS * PHASES
                self.assertEqual(own["POSIX_OPENS"], seen["open"] + seen["create"])
                self.assertEqual([seen[call] for call in ("create", "pwrite", "fsync", "stat", "open", "pread",
                                                          "unlink")], [every] * 7)
                self.assertEqual([own["POSIX_" + name] for name in ("WRITES", "FSYNCS", "STATS", "READS")],
                                 [every] * 4)
                self.assertEqual(seen["close"], 2 * every)

    def test_agrees_on_operations_on_directories(self):
        seen, outcome = self.counted("dir.mdtest.", "mdtest", "-D", "-n", str(ITEMS), "-d", "tree")
        done = self.metadata(outcome)
        self.assertEqual((seen["mkdir"], seen["rmdir"]), (done["dir-create"], done["dir-remove"]))
        self.assertEqual(seen["mkdir"], TASKS * ITEMS)
        # Items are looked at outside the timed part too.
        self.assertGreaterEqual(seen["stat"], done["dir-stat"])


class LateOpen(Preloaded):
    def test_a_file_that_takes_the_place_before_the_last_open_stays(self):
        environment = self.preload("late_open", LATE="testFile")
        job = self.start_iorx(["-w", "-t", "4k", "-b", "64g", "-D", "5", "-O", "stoneWallingWearOut=0"], TASKS,
                              environment=environment)
        path = os.path.join(self.folder, "testFile")
        job.wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 65536, "writes of the second task")
        other = os.path.join(self.folder, "other")
        with open(other, "w") as file:
            file.write("years of work")
        inode = os.stat(other).st_ino
        os.replace(other, path)
        outcome = job.wait()
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "another program removed or replaced the file")
        self.assertEqual(os.stat(path).st_ino, inode)


if __name__ == "__main__":
    unittest.main()
