"""Metadata tests that meet directories they may not remove, or cannot open: all is counted and told."""

import glob
import os
import shutil
import unittest

from program import Case, is_built_in, needs_root

ROOT = "test-dir.0-0"
MARKER = os.path.join(ROOT, ".iorx-mdtest")
LOCK = ".iorx-lock"


class Scene(Case):
    def setUp(self):
        super().setUp()
        os.chmod(self.results, 0o777)

    def path(self, *names):
        return os.path.join(self.folder, "out", *names)

    def left(self):
        found = glob.glob(self.path("**"), recursive=True, include_hidden=True)
        return {os.path.relpath(name, self.path()) for name in found} - {"."}

    def run_test(self, arguments, tasks=1, *, status=1, other=False):
        """other: as a user who may not do everything, in a directory of its own."""
        if other:
            os.makedirs(self.path(), exist_ok=True)
            os.chown(self.path(), 65534, -1)
        wrapper = ("setpriv", "--reuid=65534", "--clear-groups") if other else ()
        outcome = self.run_iorx(["mdtest", "-d", self.path(), *arguments], tasks, wrapper=wrapper)
        self.assert_exit(outcome, status)
        return outcome

    def before(self, phase, command):
        return f"--run-cmd-before-phase=test $IORX_PHASE != {phase} || {command}"


class Removal(Scene):
    """Test directories, which tree-remove removes after its time."""

    def assert_told(self, outcome, error, repetition=0, tasks=1):
        phase = outcome.phase("tree-remove", repetition)
        names = phase["metadata"]
        self.assertEqual((phase["status"], names["operations"], names["expected_operations"],
                          names["failed_operations"], names["errors"], names["test_directories"]["kept"]),
                         ("failed", tasks, tasks + 1, 1, {error: 1}, 0))
        self.assertTrue(phase["failure"]["path"].endswith(f"/test-dir.{repetition}-0"), phase["failure"])

    def test_one_that_cannot_be_removed_is_an_error(self):
        # remove: 20 files come before the marker; rmdir: the tree before the test directory
        for operation, after, error in ("remove", 20, "EACCES"), ("rmdir", 1, "EBUSY"):
            with self.subTest(operation=operation):
                outcome = self.run_test(["-n", "20", "-F", "--fault.operation=" + operation, "--fault.tasks=0",
                                         f"--fault.after={after}", "--fault.error=" + error])
                self.assert_told(outcome, error)
                self.assert_one_error(outcome, "tree-remove phase, repetition 0: task 0", "rmdir of ", "/" + ROOT)
                self.assertIn("comparable with mdtest: yes, except incomplete phases",
                              " ".join(outcome.out.split()))
                self.assertEqual(self.left(), {ROOT, MARKER})
                self.assert_exit(self.run_iorx(["mdtest", "--cleanup", self.path()]), 0)
                self.assertEqual(self.left(), set())

    def test_each_repetition_tells_of_its_own(self):
        outcome = self.run_test(["-n", "20", "-F", "-i", "2", "--fault.operation=rmdir", "--fault.after=1",
                                 "--fault.error=EBUSY", "--fault.count=1"])
        self.assert_told(outcome, "EBUSY")
        self.assertEqual(outcome.phase("tree-remove", 1)["status"], "complete")
        self.assertEqual(self.left(), {ROOT, MARKER})

    @needs_root
    def test_a_directory_that_nobody_may_write_to_keeps_them(self):
        command = self.before("tree-remove", f"chmod 555 {self.path()}")
        for form in [], ["-u"]:
            with self.subTest(form=form):
                outcome = self.run_test(["-n", "20", "-F", "-i", "2", *form, command], 2, other=True)
                # the second repetition cannot be prepared there
                self.assert_told(outcome, "EACCES", tasks=2 if form else 1)
                self.assertIn("/" + ROOT, outcome.messages()[0])
                self.assertIn("Permission denied", outcome.messages()[0])
                self.assertEqual(self.left(), {ROOT, MARKER, LOCK})
                os.chmod(self.path(), 0o755)
                cleaning = self.run_iorx(["mdtest", "--cleanup", self.path()])
                self.assert_exit(cleaning, 0)
                self.assertNotIn(LOCK, cleaning.err)
                self.assertEqual(self.left(), set())

    def test_what_others_put_there_keeps_it_with_a_word(self):
        outcome = self.run_test(["-n", "20", "-F", "-I", "10", self.before(
            "tree-remove", f"touch {self.path(ROOT, 'notes')} {self.path('test-dir.0-1', 'more')}")], status=0)
        phase = outcome.phase("tree-remove")
        self.assertEqual((phase["status"], phase["metadata"]["test_directories"]["kept"]), ("complete", 2))
        self.assertTrue(phase["metadata"]["test_directories"]["first"].endswith("/" + ROOT))
        # the page breaks long paths
        self.assertRegex("".join(outcome.out.split()),
                         f"notempty,sokept:\\S*/{ROOT}and1more")
        self.assertEqual(self.left(), {ROOT, MARKER, ROOT + "/notes", "test-dir.0-1", "test-dir.0-1/.iorx-mdtest",
                                       "test-dir.0-1/more"})

    def test_one_that_is_gone_is_no_loss(self):
        outcome = self.run_test(["-n", "5", "-F", "-u", self.before("tree-remove", f"rm -r {self.path(ROOT)}")], 2)
        names = outcome.phase("tree-remove")["metadata"]
        self.assertEqual((names["errors"], names["expected_operations"], names["test_directories"]),
                         ({"ENOENT": 2}, 2, {"kept": 0, "first": None}))


class Marker(Scene):
    def test_a_directory_that_could_not_be_marked_goes_again(self):
        outcome = self.run_test(["-n", "20", "-F", "--fault.operation=create", "--fault.tasks=0",
                                 "--fault.count=1", "--fault.error=ENOSPC"], 2)
        self.assert_one_error(outcome, "No space left on device")
        self.assertEqual(self.left(), set())

    def test_one_that_was_there_stays(self):
        os.makedirs(self.path(ROOT))
        self.run_test(["-n", "20", "-F", "--fault.operation=create", "--fault.count=1", "--fault.error=ENOSPC"])
        self.assertEqual(self.left(), {ROOT})


class Closed(Scene):
    """Directories that cannot be opened, nor gone through: with relative names as with whole paths."""

    TREE = ("-n", "20", "-F", "-u")

    def tree(self, task):
        return self.path(ROOT, f"mdtest_tree.{task}.0")

    def ways(self):
        yield "full", ["--names=full"]
        yield "relative", ["--names=relative"]
        if is_built_in("uring"):
            yield "queued", ["--names=relative", "-a", "uring", "--queue-depth=4"]

    def counts(self, outcome):
        """{phase: (operations, errors)}"""
        return {phase["phase"]: (phase["metadata"]["operations"], phase["metadata"]["errors"])
                for phase in outcome.document["tests"][0]["phases"]}

    def test_one_that_is_gone_is_missed_by_each_operation_in_it(self):
        command = self.before("file-stat", f"rm -rf {self.tree(1)}")
        for name, way in self.ways():
            with self.subTest(name):
                outcome = self.run_test([*self.TREE, *way, command], 2)
                counts = self.counts(outcome)
                for phase in "file-stat", "file-read", "file-remove":
                    self.assertEqual(counts[phase], (20, {"ENOENT": 20}), phase)
                self.assertEqual(counts["tree-remove"], (1, {"ENOENT": 1}))
                self.assertGreater(outcome.phase("file-stat")["rates"]["total_operations_per_s"], 0)
                self.assertIn("/mdtest_tree.1.0", outcome.messages()[0])
                self.assertEqual(self.left(), set())

    @needs_root
    def test_one_that_may_not_be_entered_keeps_nothing_from_the_others(self):
        # a directory of mode 444 can be opened, and holds no name that could be looked up
        for phase, mode, names in (("file-create", "000", 3), ("file-stat", "444", 3), ("file-read", "000", 2),
                                   ("file-remove", "444", 2)):
            for name, way in list(self.ways())[:names]:
                with self.subTest(name=name, phase=phase):
                    command = self.before(phase, f"chmod {mode} {self.tree(1)}")
                    outcome = self.run_test([*self.TREE, *way, command], 2, other=True)
                    self.assert_closed(outcome, phase)
                    shutil.rmtree(self.path())

    @needs_root
    def test_one_that_cannot_be_opened_keeps_what_somebody_put_there(self):
        # a directory of mode 300 cannot be opened, and whoever has a path of a name in it can remove that
        stranger = os.path.join(self.tree(1), "file.mdtest.1.7")
        command = self.before("file-create", f"{{ echo mine >{stranger} && chmod 300 {self.tree(1)}; }}")
        for name, way in self.ways():
            with self.subTest(name):
                self.run_test([*self.TREE, *way, command], 2, other=True)
                with open(stranger, encoding="utf-8") as file:
                    self.assertEqual(file.read(), "mine\n")
                shutil.rmtree(self.path())

    def assert_closed(self, outcome, closed):
        """Task 0's are measured, and all phases run."""
        counts = self.counts(outcome)
        phases = ["file-create", "file-stat", "file-read", "file-remove"]
        for phase in phases[phases.index(closed):]:
            self.assertEqual(counts[phase], (20, {"EACCES": 20}), phase)
        self.assertIn("tree-remove", counts)

    @needs_root
    def test_one_of_many_keeps_only_its_own_items(self):
        command = self.before("dir-create", f"chmod 000 {self.tree(0)}/mdtest_tree.0.2")
        for name, way in self.ways():
            with self.subTest(name):
                # 13 directories with two items each; one is closed, and the three below it are missed with it
                outcome = self.run_test(["-n", "26", "-D", "-u", "-z", "2", "-b", "3", *way, command], other=True)
                counts = self.counts(outcome)
                self.assertEqual(counts["dir-create"], (18, {"EACCES": 8}))
                self.assertEqual(counts["dir-stat"], (18, {"EACCES": 8}))
                self.assertEqual(counts["dir-remove"], (18, {"EACCES": 8}))
                shutil.rmtree(self.path())


if __name__ == "__main__":
    unittest.main()
