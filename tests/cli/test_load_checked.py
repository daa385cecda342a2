"""Load tests that compare what they read, also with what they wrote before."""

import os
import unittest

from program import Case, is_built_in

PASSES = ["--distribution=every_block", "--operations=read:50,write:50", "--sizes=64k"]
LOST = ["--fault.operation=write", "--fault.kind=lose", "--fault.after=40", "--fault.count=20"]
QUEUE = ["--api=uring", "--queue-depth=16"]


class Checked(Case):
    def load(self, *arguments, tasks=1, exit_code=0, **more):
        """Returns the results of comparing in each load phase, and the outcome."""
        outcome = self.run_iorx(["load", "--file-size=4m", "--check-read", *arguments], tasks, **more)
        self.assert_exit(outcome, exit_code)
        return [phase["load"]["verification"] for phase in outcome.document["tests"][0]["phases"]
                if phase["phase"] == "load"], outcome

    def assert_right(self, *arguments, says="none are older than the last write", **more):
        found, outcome = self.load(*arguments, **more)
        self.assertEqual([check["wrong_bytes"] for check in found], [0] * len(found))
        self.assertIn(says, " ".join(outcome.out.split()))

    def remove_files(self):
        for name in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, name))

    def change_a_bit(self, offset):
        with open(os.path.join(self.folder, "testFile.00000000"), "r+b") as file:
            file.seek(offset)
            byte = file.read(1)[0]
            file.seek(offset)
            file.write(bytes([byte ^ 1]))

    def test_a_changed_bit_is_found(self):
        self.load("--operation-limit=500", "--operations=read:50,write:50")
        self.assert_right("--distribution=every_block", "--passes=1", says="all are right")
        self.change_a_bit(123456)
        found, _ = self.load("--distribution=every_block", "--passes=1", exit_code=1)
        self.assertEqual((found[0]["wrong_transfers"], found[0]["wrong_bytes"]), (1, 1))

    def test_a_write_that_was_lost_is_found(self):
        for extra in ([], QUEUE):
            with self.subTest(extra=extra):
                if extra and not is_built_in("uring"):
                    continue
                # The layout has 4 writes, so all that are lost are writes of the load.
                found, outcome = self.load(*PASSES, "--passes=6", *LOST, *extra, exit_code=1)
                self.assertGreater(found[0]["wrong_transfers"], 0)
                self.assertEqual({kind for kind, count in found[0]["kinds"].items() if count}, {"stale"})
                self.assertNotIn("none are older", " ".join(outcome.out.split()))
                self.remove_files()

    def test_a_lost_write_of_a_later_run_is_found_in_its_files(self):
        self.assert_right(*PASSES, "--passes=6", "-G", "5")
        found, outcome = self.load(*PASSES, "--passes=6", *LOST, "-G", "5", exit_code=1)
        self.assertIn("an earlier pass of a load: stale", " ".join(outcome.out.split()))
        self.assertEqual({kind for kind, count in found[0]["kinds"].items() if count}, {"stale"})

    def test_honest_runs_are_right(self):
        shared = ["--file-scope=test", "--files=2"]
        for extra, tasks in ((["--passes=4", "--repetitions=2", "--warmup=1"], 1),
                             (["--passes=6", *QUEUE], 1),
                             (["--passes=6", *QUEUE, *shared], 2),
                             (["--duration=0.5", "--rate=2000", "--warmup-time=0.3", "--files=3"], 2),
                             (["--duration=0.5", "--rate=3000", "--arrival=poisson", *QUEUE], 1),
                             (["--passes=3", "--content=random", "--content-dedup=2", "--content-compress=0.5"], 1)):
            with self.subTest(extra=extra):
                if "--api=uring" in extra and not is_built_in("uring"):
                    continue
                self.assert_right(*PASSES, *extra, tasks=tasks)
                self.remove_files()

    def test_files_with_data_of_several_passes_can_be_compared(self):
        self.assert_right(*PASSES, "--passes=5")
        self.assert_right(*PASSES, "--passes=2", "--sizes=16k")
        self.assert_right("--operations=read:50,write:50", "--operation-limit=300", "--sizes=4k",
                          says="so a lost one is not found")
        read = ["-r", "-R", "-F", "-k", "-t", "64k", "-b", "4m"]
        outcome = self.run_iorx(read)
        self.assert_exit(outcome, 0)
        # Comparing goes by the stamps, so what they do not explain is found byte by byte.
        self.change_a_bit(123456)
        outcome = self.run_iorx(read)
        self.assert_exit(outcome, 1)
        found = outcome.phase("read")["verification"]
        self.assertEqual((found["wrong_bytes"], found["kinds"]["bits"]), (1, 1))

    def test_parts_of_sectors_of_passes_are_refused(self):
        self.assert_right(*PASSES, "--passes=5")
        outcome = self.run_iorx(["load", "--file-size=4m", "--sizes=4000", "--operations=write:1",
                                 "--operation-limit=10"])
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "holds sectors of several passes of a load")

    def test_what_a_write_cannot_prove_is_said(self):
        self.load("--operation-limit=1")
        self.assert_right(*PASSES, "--passes=2", "--layout=none", says="so a lost one is not found")
        for extra in (["--on-late=skip", "--rate=1000"], ["--sizes=4000"], ["--whole-files", "--file-scope=test"],
                      ["--distribution=uniform"], ["--content=zeros"]):
            with self.subTest(extra=extra):
                self.assert_right(*PASSES, "--passes=2", *extra, says="so a lost one is not found", tasks=2)
                self.remove_files()


if __name__ == "__main__":
    unittest.main()
