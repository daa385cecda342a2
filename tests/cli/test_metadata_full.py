"""Metadata tests whose trees could not be made whole: later phases work on what there is, and nothing is left."""

import os
import unittest

import storage
from program import SOURCE, Case, is_built_in, needs_root


class Scene(Case):
    def run_cut(self, arguments, tasks, *, status=1):
        outcome = self.run_iorx(["mdtest", *arguments, "--force"], tasks)
        self.assert_exit(outcome, status)
        return outcome

    def counts(self, outcome):
        """{phase: (operations, expected, failed, untried)}"""
        return {phase["phase"]: tuple(phase["names"][key] for key in
                                      ("operations", "expected_operations", "failed_operations",
                                       "untried_operations"))
                for phase in outcome.document["tests"][0]["phases"]}

    def assert_adds_up(self, outcome):
        """Nothing that was not made is looked for, and each expected operation is somewhere."""
        counts = self.counts(outcome)
        for phase, (done, expected, failed, untried) in counts.items():
            self.assertEqual(done + failed + untried, expected, phase)
            self.assertNotIn("ENOENT", outcome.phase(phase)["names"]["errors"], phase)
            if not phase.endswith("-create"):
                self.assertEqual((failed, untried, outcome.phase(phase)["status"]), (0, 0, "complete"), phase)
        self.assertEqual(counts["tree-remove"][0], counts["tree-create"][0])
        return counts


@needs_root
class Disk(Scene):
    """Real ones."""

    def test_without_inodes_trees_end_in_the_middle(self):
        small = storage.mounted(self, "tmpfs", SOURCE, "size=8m", "nr_inodes=500")
        there = os.path.join(small.folder, "x")
        for form in ([], ["-u", "-c"], ["-t", "-u", "-N", "1", "-R", "--list"], ["-I", "2"], ["--names=relative"],
                     ["-d", f"{there}@{small.folder}/y"]):
            with self.subTest(form=form):
                where = ["-d", there] if "-d" not in form else []
                outcome = self.run_cut(["-n", "600", "-z", "3", "-b", "10", "-F", *where, *form], 2)
                counts = self.assert_adds_up(outcome)
                self.assertLess(counts["tree-create"][0], 500)
                # at most the error of the tree and that of the files
                self.assertLessEqual(len(outcome.messages()), 2)
                self.assertFalse(set(small.names()) - {"x", "y"})
                self.assertEqual([os.listdir(os.path.join(small.folder, name)) for name in small.names()],
                                 [[] for _ in small.names()])

    def test_without_blocks_files_lie_in_what_was_made(self):
        for form in [], ["-c"], ["-N", "1", "--list"], ["-a", "uring", "--queue-depth=8"]:
            if "uring" in form and not is_built_in("uring"):
                continue
            with self.subTest(form=form):
                # A new one each: without a journal ext4 does not take an inode again for some seconds.
                tight = storage.mounted(self, "tight", SOURCE)
                there = os.path.join(tight.folder, "x")
                outcome = self.run_cut(["-n", "1000", "-z", "3", "-b", "10", "-F", "-d", there, *form], 2)
                counts = self.assert_adds_up(outcome)
                made = counts["tree-create"][0]
                self.assertGreater(made, 300)
                # one item of each task in each directory; task 0, which makes all, ends with the first tree
                files = made if "-c" in form else 2 * made
                self.assertEqual(counts["file-create"], (files, 2000, 0, 2000 - files))
                self.assertEqual(counts["file-stat"][0], files)
                self.assertEqual(os.listdir(there), [])
                tight.close()

    def test_what_a_run_left_there_is_cleaned(self):
        small = storage.mounted(self, "tmpfs", SOURCE, "size=8m", "nr_inodes=500")
        there = os.path.join(small.folder, "x")
        for form in [], ["-u"], ["-I", "1"]:
            with self.subTest(form=form):
                self.run_cut(["-n", "600", "-z", "3", "-b", "10", "-F", "-C", "-d", there, *form], 2)
                self.assertNotEqual(os.listdir(there), [])
                self.assert_exit(self.run_iorx(["mdtest", "--cleanup", there], 2), 0)
                self.assertEqual(os.listdir(there), [])

    def test_a_test_directory_without_its_marker_goes_again(self):
        # x, 7 test directories with markers, and one more test directory; the root itself is one
        small = storage.mounted(self, "tmpfs", SOURCE, "size=8m", "nr_inodes=17")
        there = os.path.join(small.folder, "x")
        outcome = self.run_cut(["-n", "20", "-I", "1", "-F", "-C", "-d", there], 1)
        self.assert_one_error(outcome, "prepare of ", "No space left on device")
        self.assertEqual(len(os.listdir(there)), 7)
        for name in os.listdir(there):
            self.assertEqual(os.listdir(os.path.join(there, name)), [".iorx-mdtest"])


class Faults(Scene):
    """mkdir fails for chosen tasks: who works in which tree has how much of it."""

    SHAPE = ["-n", "222", "-z", "2", "-b", "10", "-F"]  # 111 directories with two items each

    def cut(self, arguments, tasks, after, *, fails="all", error="ENOSPC", count=0):
        return self.run_cut([*arguments, "--fault.operation=mkdir", f"--fault.tasks={fails}",
                             f"--fault.after={after}", f"--fault.count={count}", f"--fault.error={error}"],
                            tasks)

    def assert_counts(self, outcome, tree, files, *phases):
        counts = self.assert_adds_up(outcome)
        self.assertEqual((counts["tree-create"][0], counts["tree-remove"][0]), (tree, tree))
        for phase in "file-create", "file-stat", "file-read", "file-remove", *phases:
            self.assertEqual(counts[phase][0], files, phase)
        self.assertEqual(self.left(), [])

    def left(self):
        return [name for target in os.listdir(self.folder)
                for name in os.listdir(os.path.join(self.folder, target))]

    def test_everybody_goes_by_the_tree_it_works_in(self):
        # of mkdir the directory and the test directory come first for who makes them
        for form, tasks, after, fails, tree, files in (
                ([], 3, 2 + 50, "0", 50, 3 * 100),
                (["-d", "a@b"], 3, 2 + 50, "1", 111 + 50, 2 * 222 + 100),
                (["-d", "a@b@c", "-N", "1"], 5, 2 + 50, "1,2", 111 + 50 + 50, 2 * 222 + 3 * 100),
                (["-u"], 3, 50, "1", 2 * 111 + 50, 2 * 222 + 100),
                (["-u", "-N", "2", "-d", "a@b"], 4, 50, "2,3", 2 * 111 + 2 * 50, 2 * 222 + 2 * 100),
                (["-S"], 3, 2 + 50, "0", 50, None)):
            for names in "full", "relative":
                with self.subTest(form=form, names=names):
                    outcome = self.cut([*self.SHAPE, "--names=" + names, *form], tasks, after, fails=fails)
                    if "-S" not in form:
                        self.assert_counts(outcome, tree, files)
                        continue
                    counts = self.assert_adds_up(outcome)
                    self.assertEqual([counts[name][0] for name in ("file-create", "file-stat", "file-remove")],
                                     [100, 300, 100])

    def test_the_task_that_creates_everything_ends_with_the_first_tree_that_was_cut(self):
        for form, tasks, after, fails, tree, files in (
                (["-u"], 4, 50, "2", 3 * 111 + 50, 2 * 222 + 100),
                (["-u"], 4, 0, "1,3", 2 * 111, 222),
                (["-d", "a@b"], 4, 2 + 50, "1", 111 + 50, 222 + 100),
                ([], 4, 2 + 50, "0", 50, 100)):
            with self.subTest(form=form, fails=fails):
                outcome = self.cut([*self.SHAPE, "-c", *form], tasks, after, fails=fails)
                self.assert_counts(outcome, tree, files)
                self.assertEqual(outcome.phase("file-create")["failure"]["text"],
                                 "tree-create did not make the directories of all items")

    def test_directories_are_listed_as_far_as_they_were_made(self):
        for form, after, fails, lists in (([], 2 + 50, "0", 50), (["-d", "a@b"], 2 + 50, "all", 2 * 50),
                                          (["-u", "-N", "1"], 50, "1-2", 111 + 2 * 50)):
            with self.subTest(form=form):
                outcome = self.cut([*self.SHAPE, "--list", *form], 3, after, fails=fails)
                self.assertEqual(self.assert_adds_up(outcome)["list"][0], lists)

    def test_full_trees_come_before_the_one_that_was_cut(self):
        # 20 trees of 11 directories: three whole ones, and 5 of the fourth; 2 items in each
        outcome = self.cut(["-n", "440", "-I", "2", "-z", "1", "-b", "10", "-F"], 2, 1 + 20 + 3 * 11 + 5)
        self.assert_counts(outcome, 3 * 11 + 5, 2 * (3 * 22 + 10))

    def test_leaves_that_hold_the_items_come_last(self):
        # 11 directories above the 100 that hold two each
        for after, files in (11, 0), (11 + 40, 80):
            outcome = self.cut(["-n", "200", "-z", "2", "-b", "10", "-L", "-F"], 2, 2 + after)
            self.assert_counts(outcome, after, 2 * files)

    def test_both_kinds_of_items_are_bounded(self):
        outcome = self.cut(["-n", "222", "-z", "2", "-b", "10"], 2, 2 + 50, fails="0", count=1)
        counts = self.assert_adds_up(outcome)
        for phase in "dir-create", "dir-stat", "dir-rename", "dir-remove", "file-create", "file-remove":
            self.assertEqual(counts[phase][0], 200, phase)

    def test_what_was_not_tried_is_said_once_for_each_phase(self):
        outcome = self.cut(self.SHAPE, 2, 2 + 50, fails="0")
        self.assertEqual(len(outcome.messages()), 2)
        self.assertRegex(outcome.messages()[1], "^file-create phase, repetition 0: .* tree-create did not make "
                         "the directories of all items; 244 operations were not tried$")
        words = " ".join(outcome.out.split())
        self.assertIn("244 not tried", words)
        self.assertIn("fail M1 file-create 0: 244 operations were not tried, 200 succeeded", words)
        self.assertIn("in phases that failed or ended early: tree-create, file-create", words)

    def test_a_mix_without_files_says_so(self):
        outcome = self.cut([*self.SHAPE, "-u", "--mix=create:20,stat:60,remove:20", "--mix-operations=100"], 2,
                           0, fails="1")
        counts = self.counts(outcome)
        self.assertEqual(counts["mix"], (100, 200, 0, 100))
        self.assertEqual(outcome.phase("mix")["status"], "failed")
        self.assertIn("too few files", outcome.phase("mix")["failure"]["text"])
        self.assertEqual(self.left(), [])

    def test_other_failures_leave_gaps_that_are_told(self):
        """The walk goes on: items and directories that are missing are tried, and nothing that was made is left."""
        for names in "full", "relative":
            with self.subTest(names=names):
                outcome = self.cut([*self.SHAPE, "--names=" + names], 2, 2 + 50, error="EACCES", count=1)
                counts = self.counts(outcome)
                self.assertEqual(counts["tree-create"], (110, 111, 1, 0))
                for phase in "file-create", "file-stat", "file-read", "file-remove":
                    self.assertEqual(counts[phase], (2 * 220, 2 * 222, 2 * 2, 0), phase)
                    self.assertEqual(outcome.phase(phase)["names"]["errors"], {"ENOENT": 4})
                self.assertEqual(counts["tree-remove"], (110, 111, 1, 0))
                self.assertEqual(self.left(), [])

    def test_each_repetition_goes_by_its_own_tree(self):
        outcome = self.cut([*self.SHAPE, "-i", "2"], 2, 2 + 50, fails="0", count=1)
        self.assertEqual([outcome.phase(name, 1)["names"]["operations"] for name in
                          ("tree-create", "file-create", "tree-remove")], [111, 444, 111])
        self.assertEqual(outcome.phase("file-create", 1)["status"], "complete")


if __name__ == "__main__":
    unittest.main()
