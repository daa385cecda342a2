"""Where the bytes of a read came from, on file systems of which it is known: verdicts follow the evidence."""

import mmap
import os
import unittest

from program import SOURCE, Case, needs_root
from storage import mounted

MIB = 1 << 20


class Pages:
    """Pages of a file that stay in memory, because a program maps and touched them."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.map = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        self.sum = sum(self.map[::4096])


@needs_root
class Sources(Case):
    def judge(self, kind, arguments, words=(), prepare=None, tasks=2):
        """{id: severity} of the read phase of a test on a file system of this kind."""
        there = mounted(self, kind, SOURCE, words=words)
        path = os.path.join(there.folder, "data")
        kept = prepare(path) if prepare else None
        outcome = self.run_iorx(["-b", "4m", "-t", "256k", "-e", "-o", path, *arguments], tasks)
        del kept
        self.assert_exit(outcome, 0)
        phase = outcome.phase("read")
        if phase["kernel"]["cache_before"] is None:
            self.skipTest("this kernel does not tell what is cached (cachestat, Linux 6.5)")
        return {verdict["id"]: verdict["severity"] for verdict in phase["verdicts"]}, phase

    def write(self, path, data=os.urandom(8 * MIB)):
        with open(path, "wb") as file:
            file.write(data)
            os.fsync(file.fileno())

    def held(self, path):
        self.write(path)
        return Pages(path)

    def test_direct_reads_that_ext4_buffers_are_not_believed(self):
        verdicts, phase = self.judge("journal", ["--posix.direct"])
        self.assertEqual(verdicts["C1"], "fail")
        self.assertIs(phase["kernel"]["reads_are_counted"], True)

    def test_direct_reads_of_ext4_are_believed(self):
        verdicts, _ = self.judge("ext4", ["--posix.direct"])
        self.assertEqual(verdicts["C1"], "good")
        self.assertFalse({"C2", "C4", "P4", "P5"} & set(verdicts))

    def test_cold_reads_of_ext4_are_believed(self):
        verdicts, _ = self.judge("ext4", ["--cold=fadvise"])
        self.assertEqual((verdicts["C1"], verdicts["C2"]), ("good", "good"))
        self.assertFalse({"C4", "P4", "P5"} & set(verdicts))

    def test_compressed_files_are_no_page_cache(self):
        half = (os.urandom(16384) + bytes(16384)) * 256
        verdicts, phase = self.judge("zstd", ["-r", "-k", "--cold=fadvise"],
                                     prepare=lambda path: self.write(path, half))
        self.assertEqual(verdicts.get("P4"), "warn", phase["verdicts"])
        self.assertNotIn("C1", verdicts)
        self.assertNotIn("P5", verdicts)

    def test_holes_are_no_storage(self):
        def make(path):
            self.write(path, os.urandom(4 * MIB))
            os.truncate(path, 8 * MIB)

        for kind in ("ext4", "zstd"):
            with self.subTest(kind=kind):
                verdicts, phase = self.judge(kind, ["-r", "-k", "--cold=fadvise"], prepare=make)
                self.assertEqual(verdicts.get("P5"), "fail", phase["verdicts"])
                self.assertFalse({"C1", "P4"} & set(verdicts))
                self.assertEqual(phase["kernel"]["source"]["hole_bytes"], 4 * MIB)

    def test_pages_that_another_program_holds_are_not_cold(self):
        for kind, words in (("ext4", ()), ("fuse", ["keep"])):
            with self.subTest(kind=kind):
                verdicts, phase = self.judge(kind, ["-r", "-k", "--cold=fadvise"], words, self.held)
                self.assertEqual((verdicts["C1"], verdicts["C2"]), ("fail", "fail"), phase["verdicts"])
                self.assertIs(phase["kernel"]["reads_are_counted"], kind == "ext4")

    def test_pages_that_a_client_keeps_uncounted_are_found(self):
        verdicts, _ = self.judge("fuse", ["-r", "-k"], ["keep"], self.held)
        self.assertEqual(verdicts["C1"], "fail")
        self.assertNotIn("C2", verdicts)

    def test_a_client_that_keeps_nothing_is_believed(self):
        for arguments in (["--cold=fadvise"], []):
            with self.subTest(arguments=arguments):
                verdicts, phase = self.judge("fuse", arguments)
                self.assertEqual(verdicts["C1"], "good", phase["verdicts"])
                self.assertIs(phase["kernel"]["reads_are_counted"], False)
                self.assertFalse({"C4", "P4", "P5"} & set(verdicts))

    def test_reads_faster_than_cold_storage_are_not_believed(self):
        verdicts, phase = self.judge("fuse", ["-r", "-k"], ["keep", "delay=20000"], self.held)
        self.assertEqual(verdicts["C3"], "fail", phase["verdicts"])
        self.assertGreater(phase["kernel"]["pilot_ns"], 0)

    def test_slow_reads_without_a_cache_are_believed(self):
        for arguments in ([], ["--cold=fadvise"], ["--posix.direct"], ["-z", "-t", "16k", "--cold=fadvise"]):
            with self.subTest(arguments=arguments):
                verdicts, phase = self.judge("fuse", arguments, ["delay=5000"])
                found = {one: severity for one, severity in verdicts.items() if one[0] in "CP"}
                self.assertEqual(found.pop("C2", "good"), "good")
                # Direct reads are as slow again, so there is no pilot.
                self.assertEqual(found.pop("C3", None), None if "--posix.direct" in arguments else "good", phase["verdicts"])
                self.assertEqual(found, {"C1": "good"}, phase["verdicts"])

    def test_counted_reads_need_no_pilot(self):
        verdicts, phase = self.judge("ext4", ["--cold=fadvise"])
        self.assertNotIn("C3", verdicts)
        self.assertIsNone(phase["kernel"]["pilot_ns"])

    def test_strict_refuses_pages_that_another_program_holds(self):
        there = mounted(self, "ext4", SOURCE)
        path = os.path.join(there.folder, "data")
        kept = self.held(path)
        outcome = self.run_iorx(["-b", "4m", "-t", "256k", "-r", "-k", "--cold=fadvise", "--strict",
                                 "-o", path], 2)
        del kept
        self.assert_exit(outcome, 3)


if __name__ == "__main__":
    unittest.main()
