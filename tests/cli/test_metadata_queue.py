"""Names in flight: io_uring against real directories, what goes one at a time, failures and stops."""

import csv
import glob
import os
import signal
import tempfile
import unittest

from program import Case, needs_backend, needs_root
from storage import Storage, Unavailable
from test_metadata import Shape, walk

QUEUED = ["dir-create", "dir-stat", "dir-remove", "file-create", "file-stat", "file-read", "file-remove"]
ALONE = ["tree-create", "dir-rename", "tree-remove"]


@needs_backend("uring")
class InDirectories(Case):
    SHAPES = [
        (["-n", "23"], dict(n=23), 2, 7),
        (["-n", "103", "-z", "2", "-b", "3", "-u"], dict(n=103, z=2, b=3, unique=True), 3, 32),
        (["-I", "4", "-z", "2", "-b", "3", "-L"], dict(i=4, z=2, b=3, leaf=True), 2, 2),
        (["-n", "33", "-I", "10"], dict(n=33, i=10), 1, 300),
        (["-n", "11", "-z", "3", "-d", "a@b/c", "--parents"], dict(n=11, z=3, targets=("a", "b/c")), 3, 4),
        # more directories than are held open at a time
        (["-n", "1400", "-z", "1", "-b", "700"], dict(n=1400, z=1, b=700), 1, 16),
    ]

    def check(self, folder, arguments, shape, tasks, depth, form):
        expected = Shape(tasks, **shape)
        common = ["mdtest", "-a", "uring", f"--queue-depth={depth}", f"--names={form}", *arguments]
        outcome = self.run_iorx([*common, "-C", "-U"], tasks, folder=folder)
        self.assert_exit(outcome, 0)
        there = expected.everything({"dir", "file"}) | {name.split("/")[0] + "/"
                                                        for name in expected.targets}
        self.assertEqual(walk(folder) - {"lost+found/"}, there)
        outcome = self.run_iorx([*common, "-T", "-E", "-r", "-RR"], tasks, folder=folder)
        self.assert_exit(outcome, 0)
        self.assertEqual({name for name in walk(folder) if "test-dir" in name}, set())
        for name in "dir-stat", "file-stat", "file-read", "dir-remove", "file-remove":
            names = outcome.phase(name)["metadata"]
            self.assertEqual((names["operations"], names["failed_operations"]),
                             (tasks * expected.items, 0))

    def test_directories_hold_what_the_formulas_say(self):
        for number, (arguments, shape, tasks, depth) in enumerate(self.SHAPES):
            for form in "full", "relative":
                with self.subTest(arguments=arguments, names=form):
                    folder = os.path.join(self.folder, f"{number}{form}")
                    os.mkdir(folder)
                    self.check(folder, arguments, shape, tasks, depth, form)

    @needs_root
    def test_they_do_so_on_tmpfs_and_ext4(self):
        for kind in "tmpfs", "ext4":
            try:
                storage = Storage(kind, self.home, os.environ["SRCDIR"])
            except Unavailable as why:
                self.skipTest(str(why))
            with self.subTest(kind=kind):
                try:
                    self.check(storage.folder, *self.SHAPES[1], "relative")
                finally:
                    storage.close()

    def test_others_make_and_remove_for_all_too(self):
        outcome = self.run_iorx(["mdtest", "-a", "uring", "--queue-depth=8", "-n", "20", "-c", "-N", "1",
                                 "-z", "1"], 3)
        self.assert_exit(outcome, 0)
        self.assertEqual({outcome.phase(name)["metadata"]["operations"] for name in QUEUED}, {60})
        outcome = self.run_iorx(["mdtest", "-a", "uring", "--queue-depth=8", "-n", "20", "-S"], 3)
        self.assert_exit(outcome, 0)
        self.assertEqual([outcome.phase(name)["metadata"]["operations"] for name in QUEUED[3:]],
                         [20, 60, 60, 20])
        self.assertEqual(walk(self.folder), {"out/"})

    def test_what_others_took_away_is_counted_by_its_errno(self):
        common = ["mdtest", "-a", "uring", "--queue-depth=16", "-n", "200", "-F"]
        self.assert_exit(self.run_iorx([*common, "-C"]), 0)
        tree = os.path.join(self.folder, "out/test-dir.0-0/mdtest_tree.0/file.mdtest.0.")
        for item in 7, 8, 150:
            os.remove(tree + str(item))
        for form in "full", "relative":
            outcome = self.run_iorx([*common, "-T", "-E", "--names=" + form])
            self.assert_exit(outcome, 1)
            for name in "file-stat", "file-read":
                names = outcome.phase(name)["metadata"]
                self.assertEqual((names["operations"], names["errors"]), (197, {"ENOENT": 3}))
            self.assertRegex(outcome.err, r"file\.mdtest\.0\.(7|8|150)\b.*No such file or directory")
        self.assertEqual(len(walk(self.folder)), 4 + 197)

    def test_a_stonewall_wears_out(self):
        common = ["mdtest", "-a", "uring", "--queue-depth=8", "-n", "100000000", "-F", "-u"]
        outcome = self.run_iorx([*common, "-C", "-W", "0.3"], 2)
        self.assert_exit(outcome, 0)
        names = outcome.phase("file-create")["metadata"]
        count = names["stonewall"]["most_task_operations"]
        self.assertEqual((names["least_task_operations"], names["operations"]), (count, 2 * count))
        for task in range(2):
            tree = os.path.join(self.folder, f"out/test-dir.0-0/mdtest_tree.{task}.0")
            self.assertEqual(sorted(os.listdir(tree)),
                             sorted(f"file.mdtest.{task}.{item}" for item in range(count)))

    def test_a_run_that_is_interrupted_has_counted_what_is_there(self):
        job = self.start_iorx(["mdtest", "-a", "uring", "--queue-depth=32", "-n", "100000000", "-F", "-C",
                              "--force"])
        tree = os.path.join(self.folder, "out/test-dir.0-0/mdtest_tree.0")
        job.wait_until(lambda: os.path.exists(tree + "/file.mdtest.0.500"), "500 files")
        job.kill(job.launcher(), signal.SIGTERM)
        outcome = job.wait()
        self.assertEqual(outcome.document["status"], "interrupted")
        self.assertEqual(len(os.listdir(tree)), outcome.phase("file-create")["metadata"]["operations"])

    def test_a_run_that_is_interrupted_leaves_nothing(self):
        job = self.start_iorx(["mdtest", "-a", "uring", "--queue-depth=32", "-n", "2000", "-i", "1000000",
                               "-F", "-u"], 2)
        job.wait_for_phase(1)
        job.kill(job.launcher(), signal.SIGTERM)
        self.assertEqual(job.wait().document["status"], "interrupted")
        self.assertEqual(walk(self.folder), {"out/"})


class Queue(Case):
    """What needs no storage: null queues names too."""

    def test_each_phase_says_which_form_ran(self):
        outcome = self.run_iorx(["mdtest", "-a", "null", "--queue-depth=24", "-n", "1000", "--list",
                                 "--names=relative"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.document["tests"][0]["plan"]["queue_depth"], 24)
        for name in QUEUED:
            phase = outcome.phase(name)
            names = phase["metadata"]
            self.assertEqual((names["form"], phase["queue_depth"]), ("relative", 24))
            depths = names["queue"]["depths"]
            self.assertEqual(sum(count for _, count in depths), 2000)
            self.assertLessEqual(max(edge for edge, _ in depths), 32)
            self.assertGreater(names["queue"]["mean_depth"], 20)
            self.assertLessEqual(names["queue"]["mean_depth"], 24)
        for name in [*ALONE, "list"]:
            phase = outcome.phase(name)
            names = phase["metadata"]
            form = "relative" if name == "dir-rename" else "full"
            self.assertEqual((names["form"], phase["queue_depth"], names["queue"]), (form, 1, None))
        self.assertRegex(outcome.out, r"comparable with mdtest: no: .*\bqueue\b")

    def test_a_block_of_a_job_may_try_several_depths(self):
        with open(os.path.join(self.folder, "job"), "w", encoding="utf-8") as job:
            job.write("MDTEST START\napi=null, items=200, filesOnly=1, queue_depth=[1 8 64]\nRUN\nMDTEST STOP\n")
        outcome = self.run_iorx(["-f", "job"])
        self.assert_exit(outcome, 0)
        self.assertEqual([outcome.phase("file-stat", test=test)["queue_depth"]
                          for test in range(3)], [1, 8, 64])

    def test_files_with_data_go_one_at_a_time(self):
        outcome = self.run_iorx(["mdtest", "-a", "null", "--queue-depth=8", "-n", "100", "-F", "-w", "10",
                                 "-e", "10"])
        self.assert_exit(outcome, 0)
        self.assertEqual([outcome.phase(name)["queue_depth"] for name in QUEUED[3:]],
                         [1, 8, 1, 8])

    def test_what_cannot_be_queued_is_refused(self):
        uring = (["-a", "uring", "--uring.direct", "--uring.iopoll"], "uring.iopoll: a ring that is polled")
        for arguments, text in (([], "queue_depth: posix does one metadata operation at a time"),
                                (["-a", "libaio"], "queue_depth: libaio does one metadata operation"),
                                (["-a", "null", "-k"], "mknod: it cannot be queued"),
                                (["-a", "null", "-U"], "queue_depth: no phase of this test can be"),
                                uring):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(["mdtest", "-n", "5", "--queue-depth=4", *arguments])
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, text)
                self.assertEqual(walk(self.folder), set())

    def test_failures_are_counted_and_a_full_directory_ends_it(self):
        common = ["mdtest", "-a", "null", "--queue-depth=8", "-n", "300", "-F", "--fault.operation=create",
                  "--fault.after=100"]
        outcome = self.run_iorx([*common, "--fault.count=3", "--fault.error=EACCES"])
        self.assert_exit(outcome, 1)
        names = outcome.phase("file-create")["metadata"]
        self.assertEqual((names["operations"], names["errors"]), (297, {"EACCES": 3}))
        outcome = self.run_iorx([*common, "--fault.count=0", "--fault.error=ENOSPC"])
        self.assert_exit(outcome, 1)
        names = outcome.phase("file-create")["metadata"]
        self.assertEqual(names["left_tasks"], 0)
        # what was in flight with the first one has failed too
        self.assertLessEqual(names["failed_operations"], 8)
        self.assertLess(names["operations"], 110)
        outcome = self.run_iorx([*common, "--fault.count=0", "--fault.error=EIO", "--max-errors=5"])
        names = outcome.phase("file-create")["metadata"]
        self.assertGreaterEqual(names["failed_operations"], 5)
        self.assertLess(names["failed_operations"], 5 + 8)
        self.assertEqual((names["left_tasks"], names["untried_operations"]),
                         (1, 300 - names["operations"] - names["failed_operations"]))

    def test_every_operation_has_its_row_in_a_table(self):
        with tempfile.TemporaryDirectory(dir=self.home) as folder:
            prefix = os.path.join(folder, "rows")
            outcome = self.run_iorx(["mdtest", "-a", "null", "--queue-depth=8", "-n", "70000", "-F",
                                     f"--operation-tables={prefix}"])
            self.assert_exit(outcome, 0)
            with open(glob.glob(prefix + "*")[0], encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        for name in QUEUED[3:]:
            items = [int(row["offset_bytes"]) for row in rows if row["phase"] == name]
            self.assertEqual(sorted(items), list(range(70000)))

    def test_a_queue_ends_when_the_time_is_up(self):
        outcome = self.run_iorx(["mdtest", "-a", "null", "--null.delay-create=20000", "--queue-depth=8",
                                 "-n", "1000000", "-F", "-C", "-W", "0.3"])
        self.assert_exit(outcome, 0)
        names = outcome.phase("file-create")["metadata"]
        self.assertLess(names["operations"], 100000)
        self.assertEqual(names["operations"], names["stonewall"]["operations"])


if __name__ == "__main__":
    unittest.main()
