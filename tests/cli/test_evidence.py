"""Whether the verdicts are right about what is known to be true: caches, syncs, memory, time."""

import errno
import os
import signal
import subprocess
import unittest

from program import SOURCE, Case, needs_backend, needs_root
from storage import KINDS, mounted

IN_MEMORY = ("tmpfs", "ramfs")


class Evidence(Case):
    def judge(self, arguments, tasks=2, **more):
        outcome = self.run_iorx(arguments, tasks, **more)
        self.assert_exit(outcome, 0)
        return outcome

    def verdicts(self, outcome, phase, repetition=0):
        """{"C1": "fail", …} of a phase."""
        return {verdict["id"]: verdict["severity"]
                for verdict in outcome.phase(phase, repetition)["verdicts"]}

    def verdict(self, outcome, phase, which):
        return next(verdict for verdict in outcome.phase(phase)["verdicts"] if verdict["id"] == which)


class OnDisk(Evidence):
    """The folder of the tests must lie on a disk for these: then the kernel counts its reads."""

    data = ["-b", "4m", "-t", "256k", "-e"]

    def setUp(self):
        super().setUp()
        outcome = self.judge(["-b", "4k", "-t", "4k", "-e", "--cold=fadvise"], 1)
        self.mount = outcome.document["tests"][0]["mount"]["type"]
        io = outcome.phase("read")["kernel"]["io"]
        if self.mount in IN_MEMORY or not io or not io["read_bytes"]:
            self.skipTest(f"{self.folder} ({self.mount}) is not on a device whose reads are counted")

    def cached(self, outcome, when):
        state = outcome.phase("read")["kernel"]["cache_" + when]
        if state is None:
            self.skipTest("this kernel does not tell what is cached (cachestat, Linux 6.5)")
        return state["resident_bytes"] / state["file_bytes"]

    def test_reading_from_the_page_cache_is_not_believed(self):
        outcome = self.judge(self.data)
        verdict = self.verdict(outcome, "read", "C1")
        self.assertEqual(verdict["severity"], "fail")
        self.assertGreater(verdict["evidence"]["hit_share"], 0.9)
        self.assertIn("cold=fadvise", verdict["remedy"])
        self.assertEqual(self.verdicts(outcome, "read")["C4"], "warn")
        self.assertGreater(self.cached(outcome, "before"), 0.99)

    def test_strict_turns_it_into_an_exit_code(self):
        outcome = self.run_iorx([*self.data, "--strict"], 2)
        self.assert_exit(outcome, 3)
        self.assertEqual(outcome.document["status"], "complete")

    def test_reading_after_fadvise_is_believed(self):
        for files in ([], ["-F"], ["-F", "-C"]):
            with self.subTest(files=files):
                outcome = self.judge([*self.data, *files, "--cold=fadvise"])
                self.assert_cold(outcome, "fadvise")

    @needs_root
    def test_reading_after_drop_caches_is_believed(self):
        if not os.access("/proc/sys/vm/drop_caches", os.W_OK):
            self.skipTest("drop_caches cannot be written here")
        self.assert_cold(self.judge([*self.data, "--cold=drop_caches"]), "drop_caches")

    def test_reading_after_a_command_that_does_nothing_is_not_believed(self):
        outcome = self.judge([*self.data, "--cold=command", "--cold-command=true"])
        self.assertEqual(self.verdicts(outcome, "read")["C1"], "fail")
        self.assertEqual(outcome.phase("read")["cold_method"], "command")

    def assert_cold(self, outcome, method):
        phase = outcome.phase("read")
        self.assertEqual((phase["cold"], phase["cold_method"]), (True, method))
        verdicts = self.verdicts(outcome, "read")
        self.assertEqual(verdicts["C1"], "good", outcome)
        self.assertNotIn("C4", verdicts)
        self.assertLess(self.cached(outcome, "before"), 0.01)
        self.assertIs(phase["kernel"]["reads_are_counted"], True)

    def test_direct_reading_is_believed(self):
        outcome = self.run_iorx([*self.data, "--posix.direct"], 2)
        if "has no direct I/O" in outcome.err:
            self.skipTest(outcome.err)
        self.assert_exit(outcome, 0)
        verdicts = self.verdicts(outcome, "read")
        self.assertEqual(verdicts["C1"], "good", outcome)
        self.assertNotIn("C4", verdicts)
        self.assertIs(outcome.document["tests"][0]["options"]["posix.direct"]["value"], True)

    def test_nobody_is_told_to_do_what_was_done(self):
        outcome = self.run_iorx(["-b", "4m", "-t", "256k", "--posix.direct"], 2)
        if "has no direct I/O" in outcome.err:
            self.skipTest(outcome.err)
        for name in ("write", "read"):
            for verdict in outcome.phase(name)["verdicts"]:
                self.assertNotIn("posix.direct", verdict.get("remedy") or "", verdict)
        verdicts = self.verdicts(outcome, "write")
        self.assertNotIn("C4", verdicts)
        self.assertEqual(verdicts["D1"], "note")

    def test_synced_data_left_memory(self):
        outcome = self.judge(["-w", *self.data])
        verdict = self.verdict(outcome, "write", "D1")
        self.assertEqual(verdict["severity"], "good")
        self.assertEqual(verdict["evidence"].get("dirty_bytes", 0), 0)
        phase = outcome.phase("write")
        self.assertGreaterEqual(phase["kernel"]["io"]["write_bytes"], phase["data"]["bytes"])
        self.assertNotIn("C4", self.verdicts(outcome, "write"))
        self.assertGreater(phase["rates"]["durable_bytes_per_s"], 0)

    def test_unsynced_data_is_still_in_memory(self):
        outcome = self.judge(["-w", "-b", "4m", "-t", "256k"])
        verdict = self.verdict(outcome, "write", "D1")
        self.assertEqual(verdict["severity"], "warn")
        self.assertEqual(self.verdicts(outcome, "write")["C4"], "warn")
        self.assertIsNone(outcome.phase("write")["rates"]["durable_bytes_per_s"])
        if "dirty_bytes" in verdict["evidence"]:
            self.assertGreater(verdict["evidence"]["dirty_bytes"], 0)
            self.assertRegex(verdict["meaning"], r"[\d.]+ of 8\.0 MiB were still in memory")


class Anywhere(Evidence):
    def test_short_phase_is_doubted(self):
        outcome = self.judge(["-a", "null", "-b", "4k", "-t", "4k"])
        self.assertEqual(self.verdicts(outcome, "write"), {"T1": "warn"})

    def test_phase_of_a_second_is_long_enough(self):
        outcome = self.judge(["-a", "null", "-w", "-b", "4k", "-t", "4k", "-s", "11",
                              "--null.delay-xfer=100000"])
        self.assertEqual(self.verdicts(outcome, "write"), {"T1": "good", "T5": "good", "N2": "good"})
        self.assertGreater(outcome.phase("write")["intervals"]["total_s"], 1.1)

    @needs_root
    def test_file_system_in_memory_is_named(self):
        script = 'mount -t tmpfs tmpfs "$1" && cd "$1" || exit 99; shift; exec "$@"'
        outcome = self.run_iorx(["-b", "1m", "-e"], 2,
                                wrapper=["unshare", "--mount", "sh", "-c", script, "sh", self.folder])
        self.assert_exit(outcome, 0)
        verdict = self.verdict(outcome, "read", "C1")
        self.assertEqual(verdict["severity"], "warn")
        self.assertIn("tmpfs lives in memory", verdict["meaning"])
        self.assertEqual(outcome.document["tests"][0]["mount"]["type"], "tmpfs")

    def read_slowly(self, folder):
        """I1 of a read phase of 6 MiB and at least 1.4 s, or None."""
        outcome = self.judge(["-b", "6m", "-t", "256k", "-e", "--cold=fadvise", "--inter-io-delay=60000",
                              "-o", os.path.join(folder, "data")], 1)
        verdicts = [verdict for verdict in outcome.phase("read")["verdicts"] if verdict["id"] == "I1"]
        self.assertEqual(outcome.phase("read")["kernel"]["activity"]["devices"], 1)
        return verdicts[0] if verdicts else None

    @needs_root
    def test_writer_beside_a_phase_is_noticed(self):
        storage = mounted(self, "ext4", SOURCE)
        # waiting for CPUs is only a note, as other programs may run on this machine
        alone = self.read_slowly(storage.folder)
        self.assertNotEqual(alone and alone["severity"], "warn", alone)
        other = subprocess.Popen(["sh", "-c", 'while dd if=/dev/zero of="$1" bs=1M count=64 oflag=direct; do :; done',
                                  "sh", os.path.join(storage.folder, "other")], stderr=subprocess.DEVNULL,
                                 start_new_session=True)
        try:
            beside = self.read_slowly(storage.folder)
        finally:
            os.killpg(other.pid, signal.SIGKILL)
            other.wait()
        self.assertEqual(beside["severity"], "warn", beside)
        self.assertGreater(beside["evidence"]["others_written_bytes"], 16 << 20)

    def serves_without_waiting(self, path):
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)
        except OSError as error:
            return error.errno != errno.EOPNOTSUPP
        finally:
            os.close(file)
        return True

    def one_queue(self, kind):
        storage = mounted(self, kind, SOURCE)
        serves = self.serves_without_waiting(os.path.join(storage.folder, "probe"))
        self.assertTrue(serves or kind not in ("ext4", "xfs"))
        for options in ([], ["--uring.direct"], ["-F", "-w"]):
            with self.subTest(options=options):
                outcome = self.judge(["-a", "uring", "--queue-depth=4", "-b", "64k", "-t", "4k", "-i2",
                                      "-o", os.path.join(storage.folder, "data"), *options])
                self.assertEqual(outcome.phase("write")["settings"]["nowait"], str(serves).lower())
                self.assertEqual(outcome.out.count("warn Q1"), 0 if serves else 1)
                if not serves:
                    self.assertIn(outcome.document["tests"][0]["mount"]["type"],
                                  self.verdict(outcome, "write", "Q1")["meaning"])

    @needs_root
    @needs_backend("uring")
    def test_queue_that_threads_of_the_kernel_may_serve_is_told_once(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.one_queue(kind)


if __name__ == "__main__":
    unittest.main()
