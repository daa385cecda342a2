"""Metadata tests on a full disk: the repetition has failed, nothing is left of it, and the next one runs."""

import os
import re
import unittest

import storage
from program import SOURCE, Case, is_built_in, needs_root

MADE = re.compile(r"(\d+) of (\d+) items were made; the repetition has failed, and its trees are removed$")


class Scene(Case):
    def phases(self, outcome, repetition):
        return [phase for phase in outcome.document["tests"][0]["phases"] if phase["repetition"] == repetition]

    def assert_ended_by(self, outcome, name, repetition=0):
        """The named phase is the last one of its repetition, and says how many items were made."""
        *before, last = self.phases(outcome, repetition)
        self.assertEqual([phase["status"] for phase in before], ["complete"] * len(before))
        self.assertEqual((last["phase"], last["status"]), (name, "failed"))
        names = last["metadata"]
        self.assertEqual(names["operations"] + names["failed_operations"] + names["untried_operations"],
                         names["expected_operations"])
        said, = (line for line in outcome.messages() if f"{name} phase, repetition {repetition}: " in line)
        self.assertRegex(said, MADE)
        self.assertEqual(MADE.search(said).groups(), (str(names["operations"]), str(names["expected_operations"])))
        return last


@needs_root
class Disk(Scene):
    """A real one, with a file of somebody else beside the test directories."""

    def setUp(self):
        super().setUp()
        self.small = storage.mounted(self, "tmpfs", SOURCE, "size=8m", "nr_inodes=500").folder
        os.mkdir(self.small + "/x")
        with open(self.small + "/x/file.mdtest.0.0", "w", encoding="utf-8") as file:
            file.write("years of work")

    def fill(self, arguments, tasks, name, *, repetitions=2):
        outcome = self.run_iorx(["mdtest", *arguments, "--force", "-d", self.small + "/x", "-i", str(repetitions)],
                                tasks)
        self.assert_exit(outcome, 1)
        for repetition in range(repetitions):
            self.assert_ended_by(outcome, name, repetition)
        self.assertEqual(len(outcome.messages()), repetitions)
        self.assertEqual(outcome.document["status"], "failed")
        self.assert_only_the_stranger_stays()
        return outcome

    def assert_only_the_stranger_stays(self):
        self.assertEqual(os.listdir(self.small), ["x"])
        self.assertEqual(os.listdir(self.small + "/x"), ["file.mdtest.0.0"])
        with open(self.small + "/x/file.mdtest.0.0", encoding="utf-8") as file:
            self.assertEqual(file.read(), "years of work")

    def test_trees_that_have_no_inodes_fail_each_repetition(self):
        for form in ([], ["-u", "-c"], ["-t", "-u", "-N", "1", "-R", "--list"], ["-I", "2"], ["--names=relative"],
                     ["-C"], ["-C", "-u"]):
            with self.subTest(form=form):
                self.fill(["-n", "600", "-z", "3", "-b", "10", "-F", *form], 3, "tree-create")

    def test_items_that_have_no_inodes_fail_each_repetition(self):
        queue = ["-a", "uring", "--queue-depth=16"]
        for form in ([], ["-u"], ["-c"], ["-u", "-c"], ["-S"], ["-N", "1", "-R"], ["--names=relative", "-z", "1"],
                     ["-C"], ["-W", "60"], queue, [*queue, "-u", "--names=relative"], [*queue, "-c"]):
            if form[:1] == ["-a"] and not is_built_in("uring"):
                continue
            for kind in ["-F"], ["-D"]:
                if "-S" in form and kind == ["-D"]:
                    continue
                with self.subTest(form=form, kind=kind):
                    self.fill(["-n", "600", *kind, *form], 4, "file-create" if kind == ["-F"] else "dir-create")

    def test_data_that_has_no_room_fails_each_repetition(self):
        for form in [], ["-u"], ["-c"], ["--names=relative"]:
            with self.subTest(form=form):
                self.fill(["-n", "20", "-F", "-w", "300k", *form], 3, "file-create")

    def test_the_next_repetition_runs_where_there_is_room_again(self):
        filler = os.path.join(self.small, "filler")
        with open(filler, "wb") as file:
            file.write(bytes(4 << 20))
        outcome = self.run_iorx(["mdtest", "-n", "20", "-F", "-w", "100k", "-d", self.small + "/x", "-i", "2", "--force",
                                 "--run-cmd-before-phase", f"test $IORX_REPETITION = 0 || rm -f {filler}"], 3)
        self.assert_exit(outcome, 1)
        self.assert_ended_by(outcome, "file-create")
        later = self.phases(outcome, 1)
        self.assertEqual([later[-1]["phase"], {phase["status"] for phase in later}], ["tree-remove", {"complete"}])
        self.assert_only_the_stranger_stays()

    def test_a_mix_whose_room_others_take_fails_its_repetition(self):
        job = self.start_iorx(["mdtest", "-n", "30", "-F", "-w", "64k", "--mix=create:50,stat:50", "--mix-duration=60",
                               "--mix-think=1ms", "-d", self.small + "/x"], 3)
        job.wait_for_phase(2)
        filler = os.path.join(self.small, "filler")
        with open(filler, "wb", buffering=0) as file:
            while job.process.poll() is None:
                try:
                    file.write(bytes(4096))
                except OSError:
                    pass
        outcome = job.wait()
        os.remove(filler)
        self.assert_exit(outcome, 1)
        *_, last = self.phases(outcome, 0)
        self.assertEqual((last["phase"], last["status"]), ("mix", "failed"))
        self.assert_one_error(outcome, "mix phase, repetition 0", "No space left on device",
                              " items were made again by then; the repetition has failed, and its trees are removed")
        self.assert_only_the_stranger_stays()

    def test_a_test_directory_that_has_no_room_ends_the_job_and_leaves_nothing(self):
        used = os.statvfs(self.small)
        # room for 7 test directories with markers, and for one more without
        for number in range(used.f_ffree - 15):
            os.mknod(f"{self.small}/{number}")
        outcome = self.run_iorx(["mdtest", "-n", "20", "-I", "1", "-F", "-C", "--force", "-d", self.small + "/x"], 3)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "prepare of ", "No space left on device")
        for number in range(used.f_ffree - 15):
            os.remove(f"{self.small}/{number}")
        self.assert_only_the_stranger_stays()


class Faults(Scene):
    """Creates that fail for chosen tasks only: all tasks take the same way."""

    SHAPE = ["-n", "222", "-z", "2", "-b", "10", "-F"]  # 111 directories with two items each

    def fail(self, arguments, tasks, operation, after, *, fails="all", error="ENOSPC", count=0):
        outcome = self.run_iorx(["mdtest", *arguments, f"--fault.operation={operation}", f"--fault.tasks={fails}",
                                 f"--fault.after={after}", f"--fault.count={count}", f"--fault.error={error}"],
                                tasks)
        self.assert_exit(outcome, 1)
        return outcome

    def left(self):
        return [name for target in os.listdir(self.folder)
                for name in os.listdir(os.path.join(self.folder, target))]

    def test_one_task_without_room_is_enough(self):
        # of mkdir the directory and the test directory come first for the task that makes them
        for form, tasks, after, fails, made in (
                ([], 3, 2 + 50, "0", 50),
                (["-d", "a@b"], 3, 2 + 50, "1", 111 + 50),
                (["-d", "a@b@c", "-N", "1"], 5, 2 + 50, "1,2", 111 + 50 + 50),
                (["-u"], 3, 50, "1", 2 * 111 + 50),
                (["-u", "-c"], 4, 50, "2", 3 * 111 + 50),
                (["-S"], 3, 2 + 50, "0", 50)):
            for error in "ENOSPC", "EDQUOT", "EMLINK", "EROFS":
                with self.subTest(form=form, error=error):
                    outcome = self.fail([*self.SHAPE, *form], tasks, "mkdir", after, fails=fails, error=error)
                    last = self.assert_ended_by(outcome, "tree-create")
                    self.assertEqual((last["metadata"]["operations"], set(last["metadata"]["errors"])), (made, {error}))
                    self.assertEqual(self.left(), [])

    def test_a_task_that_leaves_after_max_errors_is_like_one_without_room(self):
        outcome = self.fail([*self.SHAPE, "-u", "--max-errors=3"], 3, "mkdir", 50, fails="1", error="EACCES")
        self.assert_ended_by(outcome, "tree-create")
        self.assertEqual(self.left(), [])

    def test_other_failures_leave_gaps_that_are_counted(self):
        """The walk goes on: items and directories that are missing are tried, and nothing that was made is left."""
        for names in "full", "relative":
            with self.subTest(names=names):
                outcome = self.fail([*self.SHAPE, "--names=" + names], 2, "mkdir", 2 + 50, error="EACCES", count=1)
                for phase, counts in (("tree-create", (110, 111, 1, 0)), ("tree-remove", (110, 111, 1, 0)),
                                      *((name, (2 * 220, 2 * 222, 2 * 2, 0)) for name in
                                        ("file-create", "file-stat", "file-read", "file-remove"))):
                    found = outcome.phase(phase)["metadata"]
                    self.assertEqual((found["operations"], found["expected_operations"], found["failed_operations"],
                                      found["untried_operations"]), counts, phase)
                    if phase.startswith("file-"):
                        self.assertEqual(found["errors"], {"ENOENT": 4})
                self.assertEqual(self.left(), [])

    def test_the_next_repetition_has_a_tree_of_its_own(self):
        for form in [], ["-C"]:
            outcome = self.fail([*self.SHAPE, *form, "-i", "2"], 2, "mkdir", 2 + 50, fails="0", count=1)
            self.assert_ended_by(outcome, "tree-create")
            later = self.phases(outcome, 1)
            self.assertEqual({phase["status"] for phase in later}, {"complete"})
            self.assertEqual(outcome.phase("file-create", 1)["metadata"]["operations"], 444)
            self.assertEqual(self.left(), ["test-dir.1-0"] if form else [])

    def test_a_later_test_that_needs_the_tree_does_not_run(self):
        with open(os.path.join(self.folder, "job"), "w", encoding="utf-8") as file:
            file.write("MDTEST START\nitems=10, filesOnly=1, dir=out\ncreate=1\nRUN\ncreate=0, stat=1\nRUN\nMDTEST STOP\n")
        outcome = self.run_iorx(["-f", "job", "-O", "fault.operation=create", "-O", f"fault.after={1 + 5}", "-O",
                                 "fault.error=ENOSPC", "-O", "fault.count=1"], 2)
        self.assert_exit(outcome, 1)
        self.assertIn("dir: there is no tree out/test-dir.0-0/mdtest_tree.0", outcome.messages()[-1])
        self.assertEqual(os.listdir(os.path.join(self.folder, "out")), [])

    def test_a_task_that_fell_short_of_the_wear_out_is_followed_by_its_own_count(self):
        outcome = self.run_iorx(["mdtest", "-n", "100000", "-F", "-N", "1", "-W", "0.2", "--wear-out-limit=0.1",
                                 "--fault.operation=create", "--fault.kind=stall", "--fault.stall=20ms",
                                 "--fault.tasks=1", "--fault.count=0"], 3)
        self.assert_exit(outcome, 0)
        create = outcome.phase("file-create")["metadata"]
        # Task 1 always falls short. Another task can, where the machine is busy; the task with the most items cannot.
        self.assertIn(create["stonewall"]["tasks_short_of_wear_out"], (1, 2))
        for name in "file-stat", "file-read", "file-remove":
            self.assertEqual(outcome.phase(name)["metadata"]["operations"], create["operations"])
        self.assertEqual(self.left(), [])


if __name__ == "__main__":
    unittest.main()
