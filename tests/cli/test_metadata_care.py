"""Metadata tests beside others: whose trees are worked in, what is never replaced, what is left and removed."""

import glob
import os
import shutil
import subprocess
import unittest

import storage
from program import AS_ROOT, SOURCE, Case, is_built_in, needs_root

ITEMS = "mdtest_tree.0"


class Scene(Case):
    """A folder out/, of which items are looked at by their names."""

    def path(self, *names):
        return os.path.join(self.folder, "out", *names)

    def names(self, pattern="**"):
        found = glob.glob(self.path(pattern), recursive=True, include_hidden=True)
        return {os.path.relpath(name, self.path()) for name in found} - {"."}

    def put(self, *names):
        os.makedirs(os.path.dirname(self.path(*names)), exist_ok=True)
        with open(self.path(*names), "w", encoding="utf-8") as file:
            file.write("" if names[-1] == ".iorx-mdtest" else "years of work")

    def mark(self, *directories):
        """Each item directory gets something inside that tells which one it was."""
        for name in directories:
            open(self.path(name, "was-" + os.path.basename(name)), "w", encoding="utf-8").close()

    def count(self, outcome, phase):
        names = outcome.phase(phase)["metadata"]
        return names["operations"], names["failed_operations"]


class Owners(Scene):
    def test_task_0_creates_in_the_trees_of_each(self):
        for arguments in (["-u", "-z", "1", "-b", "2"], ["-d", "out/a@out/b", "--parents", "-z", "1"],
                          ["-u", "--parents", "-d", "out/a@out/b"]):
            made = []
            for form in "full", "relative":
                outcome = self.run_iorx(["mdtest", "-n", "7", "-C", "-c", *arguments, "--names=" + form], 3)
                self.assert_exit(outcome, 0)
                made.append(self.names())
                outcome = self.run_iorx(["mdtest", "-n", "7", "-T", "-E", "-r", *arguments], 3)
                self.assert_exit(outcome, 0)
                self.assertEqual(self.count(outcome, "file-stat"), (21, 0))
            self.assertEqual(made[0], made[1])

    def test_each_directory_is_listed_once_whoever_lists_it(self):
        # tasks 0 and 2 in a, task 1 in b: 6 directories below each root, and 14 items of each task
        for stride in "1", "2":
            outcome = self.run_iorx(["mdtest", "-n", "14", "-z", "2", "-b", "2", "-F", "--list", "-N",
                                     stride, "-d", "out/a@out/b", "--parents"], 3)
            self.assert_exit(outcome, 0)
            names = outcome.phase("list")["metadata"]
            self.assertEqual((names["operations"], names["entries"]), (14, 6 + 28 + 6 + 14), stride)

    def test_shared_files_lie_in_one_directory(self):
        outcome = self.run_iorx(["mdtest", "-n", "5", "-S", "-d", "out/a@out/b"], 2)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "dir: shared files")
        self.assertFalse(os.path.exists(self.path()))

    def test_trees_are_counted_where_tasks_are(self):
        for more, directories in ([], 2 * 4), (["-u"], 2 * 4), (["-d", "out"], 4):
            outcome = self.run_iorx(["mdtest", "-n", "5", "-z", "1", "-b", "3", "-F", "-d",
                                     "out/a@out/b@out/c", "--parents", *more], 2)
            self.assertEqual(outcome.document["tests"][0]["plan"]["directories"], directories)


class Targets(Scene):
    def test_what_was_missing_and_is_made_is_said_and_stays(self):
        outcome = self.run_iorx(["mdtest", "-n", "5", "-i", "2", "--parents", "-d", "out/deep/er@out/x"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.phase("tree-create")["metadata"]["missing_directories"],
                         {"made": 4, "first": "out"})
        self.assertEqual(outcome.phase("tree-create", 1)["metadata"]["missing_directories"],
                         {"made": 0, "first": None})
        self.assertEqual(self.names(), {"deep", "deep/er", "x"})
        self.assertEqual(" ".join(outcome.out.split()).count(
            "missing, so made, and kept at the end: out and 3 more"), 1)
        outcome = self.run_iorx(["mdtest", "-n", "5", "-d", "out/y"])
        self.assertIn("missing, so made, and kept at the end: out/y", " ".join(outcome.out.split()))
        outcome = self.run_iorx(["mdtest", "-n", "5", "-d", "out/y"])
        self.assertNotIn("missing, so made", outcome.out)
        self.assertNotRegex(outcome.out, r"(?m)^tree-create.*\n\n")

    def test_only_the_last_component_is_made_unless_parents_are_asked_for(self):
        for target, missing in (("no/a/b", "no"), ("out/../no/a", "out"), ("./no//a/", "./no"),
                                (self.folder + "/no/a", self.folder + "/no"), (".@no/a", "no")):
            outcome = self.run_iorx(["mdtest", "-n", "5", "-d", target], 2)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, f"dir: {missing} is not there, and {target.split('@')[-1]} would lie "
                                  "below it; make it, or add --parents")
            self.assertEqual(os.listdir(self.folder), [])
        for target in "new/", ".", "./newer//", self.folder + "/newest":
            self.assert_exit(self.run_iorx(["mdtest", "-n", "5", "-d", target]), 0)
            self.assertTrue(os.path.isdir(os.path.join(self.folder, target)))


class Before(Scene):
    """What stands there is looked at before the first repetition of the first test."""

    def setUp(self):
        super().setUp()
        os.makedirs(self.path())

    def refuse(self, arguments, tasks, *texts):
        before = self.names()
        outcome = self.run_iorx(arguments, tasks)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, *texts)
        self.assertEqual(self.names(), before)
        self.assertFalse(outcome.has_document())

    def test_directories_of_others_are_met_before_the_first_repetition(self):
        for name, arguments in (("test-dir.2-0", ["-i", "3"]), ("test-dir.1-0", ["--warmup=1"]),
                                ("test-dir.29-0", ["-i", "auto"]), ("test-dir.4999-0", ["-i", "5000"]),
                                ("test-dir.0-2", ["-I", "2"]), ("test-dir.1-2", ["-I", "2", "-i", "2", "-u"]),
                                ("test-dir.69-1", ["-I", "3", "-i", "70"])):
            with self.subTest(name=name):
                self.put(name, "thesis.tex")
                self.refuse(["mdtest", "-n", "5", *arguments], 3, f"dir: out/{name} is there and not empty")
                self.refuse(["mdtest", "-n", "5", "-d", "out/new@out", *arguments], 3, f"dir: out/{name} is there")
                shutil.rmtree(self.path(name))

    def test_other_names_and_empty_directories_are_in_nobodys_way(self):
        for name in ("test-dir.2-0", "test-dir.0-2", "test-dir.00-0", "test-dir.1-0.tar", "test-dir.1-", "test-dir.-0",
                     "test-dir.18446744073709551617-0", "xtest-dir.1-0"):
            self.put(name, "thesis.tex")
        self.put("test-dir.1-0", ".iorx-mdtest")
        os.mkdir(self.path("test-dir.0-1"))
        before = self.names() - {"test-dir.1-0", "test-dir.1-0/.iorx-mdtest", "test-dir.0-1"}
        for more in [], ["-u"]:
            outcome = self.run_iorx(["mdtest", "-n", "4", "-I", "2", "-i", "2", *more], 2)
            self.assert_exit(outcome, 0)
            self.assertEqual(self.names(), before)
        # so many that the directory is listed
        shutil.rmtree(self.path("test-dir.2-0"))
        os.mkdir(self.path("test-dir.1-0"))
        self.assert_exit(self.run_iorx(["mdtest", "-n", "2", "-F", "-i", "70"], 2), 0)

    def test_a_file_or_a_link_of_such_a_name_is_met_too(self):
        for make in (lambda path: open(path, "w", encoding="utf-8").close(), lambda path: os.symlink("nowhere", path)):
            for repetitions in "2", "100":
                make(self.path("test-dir.1-0"))
                self.refuse(["mdtest", "-n", "5", "-i", repetitions], 2, "dir: out/test-dir.1-0 is there and is no directory")
                os.remove(self.path("test-dir.1-0"))

    def test_one_that_nobody_may_look_into_is_met(self):
        if not AS_ROOT:
            self.skipTest("needs root")
        self.put("test-dir.1-0", "thesis.tex")
        os.chmod(self.path("test-dir.1-0"), 0o700)
        os.chmod(self.path(), 0o777)
        os.chmod(self.results, 0o777)
        self.put("test-dir.0-0", ".iorx-mdtest")
        os.mkdir(self.path("test-dir.0-0", ITEMS))
        for arguments in self.job("remove=1", "repetitions=2"), ["mdtest", "-n", "5", "--warmup=1", "-d", "out"]:
            if "mdtest" in arguments:
                os.rmdir(self.path("test-dir.0-0", ITEMS))
            outcome = self.run_iorx(arguments, wrapper=("setpriv", "--reuid=65534", "--clear-groups"))
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "dir: out/test-dir.1-0 is there, and what is in it cannot be seen: Permission")

    def test_more_names_than_are_held_at_once_are_all_looked_into(self):
        count = 8000  # of 16 bytes: more than 64 KiB
        for number in range(count):
            os.mkdir(self.path(f"test-dir.0-{number}"))
        arguments = ["mdtest", "-n", str(count), "-I", "1", "-F", "--dry-run", "--force"]
        self.assert_exit(self.run_iorx(arguments), 0)
        for number in 0, count // 2, count - 1:
            self.put(f"test-dir.0-{number}", "thesis.tex")
            outcome = self.run_iorx(arguments)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, f"dir: out/test-dir.0-{number} is there and not empty")
            os.remove(self.path(f"test-dir.0-{number}", "thesis.tex"))

    def test_runs_over_what_is_there_need_the_trees_of_all_repetitions(self):
        common = ["mdtest", "-n", "5", "-F"]
        self.assert_exit(self.run_iorx([*common, "-C", "-i", "2"], 2), 0)
        self.assert_exit(self.run_iorx([*common, "-C", "-u", "-i", "2", "-d", "out/own"], 3), 0)
        for more, tasks, missing in ((["-T", "-i", "3"], 2, "test-dir.2-0/mdtest_tree.0, of repetition 2"),
                                     (["-E", "-i", "auto"], 2, "test-dir.2-0/mdtest_tree.0, of repetition 2"),
                                     (["-r", "-i", "4"], 2, "test-dir.2-0/mdtest_tree.0, of repetition 2"),
                                     (["-T", "-u", "-i", "3", "-d", "out/own"], 3, "own/test-dir.2-0/mdtest_tree.")):
            with self.subTest(more=more):
                self.refuse([*common, *more], tasks, "dir: there is no tree out/" + missing, "-C, or ask for those "
                            "that are there, -i 2")
        self.refuse([*common, "-T", "--warmup=1", "-i", "2"], 2, "mdtest_tree.0, of repetition 2", "there, -i 1")
        shutil.rmtree(self.path("own/test-dir.1-0/mdtest_tree.2.0"))
        self.refuse([*common, "-T", "-u", "-i", "2", "-d", "out/own"], 3, "own/test-dir.1-0/mdtest_tree.2.0, of repetition 1")
        # a budget may end it before: how many there will be is not known
        self.assert_exit(self.run_iorx([*common, "-T", "-i", "3", "--budget=1us"], 2), 0)
        self.assert_exit(self.run_iorx([*common, "-T", "-i", "2"], 2), 0)

    def test_nothing_is_removed_where_a_later_repetition_is_of_others(self):
        common = ["mdtest", "-n", "5", "-F", "-i", "2"]
        self.assert_exit(self.run_iorx([*common, "-C"], 2), 0)
        os.remove(self.path("test-dir.1-0/.iorx-mdtest"))
        self.put("test-dir.1-0/mdtest_tree.0/thesis.tex")
        self.refuse([*common, "-r"], 2, "dir: out/test-dir.1-0 was not made by iorx")

    def job(self, *tests):
        path = os.path.join(self.results, "job.ior")
        with open(path, "w", encoding="utf-8") as file:
            for test in tests:
                file.write(f"MDTEST START\nitems=5\nfiles_only=1\n{test}\nMDTEST STOP\n")
        return ["-f", path]

    def test_later_tests_of_a_job_are_looked_at_before_the_first(self):
        self.put("test-dir.2-0", "thesis.tex")
        self.refuse(self.job("", "repetitions=3"), 2, "test 1: dir: out/test-dir.2-0 is there and not empty")
        self.refuse(["mdtest", "-n", "5", "-i", "[1 3]"], 2, "test 1: dir: out/test-dir.2-0 is there and not empty")
        self.refuse(self.job("", "stat=1"), 2, "test 1: dir: there is no tree out/test-dir.0-0")
        self.assert_exit(self.run_iorx(self.job("create=1", "stat=1, read=1", "remove=1", "repetitions=2"), 2), 0)
        self.assertEqual(self.names(), {"test-dir.2-0", "test-dir.2-0/thesis.tex"})

    def test_what_an_earlier_test_removes_is_in_no_later_ones_way(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "5", "-F", "-C", "-i", "2"], 2), 0)
        self.put("test-dir.2-0", "thesis.tex")
        self.refuse(self.job("remove=1, repetitions=2", "repetitions=3"), 2, "test 1: dir: out/test-dir.2-0 is there")
        self.refuse(self.job("stat=1", ""), 2, "test 1: dir: out/test-dir.0-0/mdtest_tree.0 is there already")
        self.assert_exit(self.run_iorx(self.job("remove=1, repetitions=2", "repetitions=2"), 2), 0)
        self.assertEqual(self.names(), {"test-dir.2-0", "test-dir.2-0/thesis.tex"})

    def test_tests_of_a_job_that_stand_in_each_others_way_are_refused(self):
        self.refuse(self.job("create=1", "create=1"), 2, "job.ior:9: create: a test before this one leaves its tree in out")
        self.refuse(self.job("create=1, dir=out/a@out/b", "stat=1, dir=out/b", "dir=out//b"), 2,
                    "leaves its tree in out//b", "test 2")
        for later in "stat=1", "remove=1", "rename=1, files_only=0":
            self.refuse(self.job("create=1", "remove=1", later), 2, "a test before this one removes the tree in out",
                        "test 2")
        outcome = self.run_iorx(self.job("create=1", "remove=1", "find=1, items=0", "create=1", "remove=1, stat=1", "",
                                         "create=1, dir=out/a", "create=1, dir=out/b"), 2)
        self.assert_exit(outcome, 0)
        self.assertEqual({name.partition("/")[0] for name in self.names()}, {"a", "b"})


class Space(Scene):
    def setUp(self):
        super().setUp()
        self.small = storage.mounted(self, "tmpfs", SOURCE, "size=8m", "nr_inodes=200").folder
        self.free = os.statvfs(self.small).f_favail

    def refuse(self, arguments, tasks, *parts):
        for more in [], ["--dry-run"]:
            with self.subTest(arguments=arguments, more=more):
                outcome = self.run_iorx(["mdtest", *arguments, *more], tasks)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, "dir: the test ", *parts, "go on with --force")
                self.assertEqual(os.listdir(self.small), [])

    @needs_root
    def test_what_does_not_fit_is_refused_before_anything_is_made(self):
        there = self.small + "/a"
        # a test directory, its marker and the root of the tree, beside what tests of each task make
        inodes = f" and {self.small} has {self.free} inodes free"
        self.refuse(["-n", "150", "-d", there], 2, f"makes 303 files and directories{inodes}")
        self.refuse(["-n", "150", "-C", "-d", there], 1, f"makes 303 files and directories{inodes}")
        self.refuse(["-n", "40", "-C", "-F", "-i", "5", "-d", there], 1, f"makes 215 files and directories{inodes}")
        self.refuse(["-n", "50", "-z", "2", "-b", "5", "-u", "-F", "-d", there], 3,
                    f"makes {3 * (50 + 31) + 2} files and directories{inodes}")
        self.refuse(["-n", "120", "-F", "-d", f"{there}@{self.small}/b"], 2,
                    f"makes 246 files and directories{inodes}")
        self.refuse(["-n", "90", "-F", "-w", "100000", "-d", there], 1, "writes 8.789 MiB", "has 8 MiB free")

    @needs_root
    def test_what_fits_or_is_forced_or_ends_with_the_time_is_tried(self):
        there = ["-d", self.small + "/a"]
        for arguments, tasks in ((["-n", "150"], 1), (["-n", "150", "-S", "-F"], 3), (["-n", "1000", "-T", "-F"], 1),
                                 (["-n", "30", "-C", "-r", "-i", "20"], 1), (["-n", "100000", "-a", "null"], 1)):
            with self.subTest(arguments=arguments):
                self.assert_exit(self.run_iorx(["mdtest", *arguments, "--dry-run", *there], tasks),
                                 2 if "-T" in arguments else 0)
        outcome = self.run_iorx(["mdtest", "-n", "250", "-F", "-W", "60", *there])
        self.assert_exit(outcome, 1)
        self.assertEqual([len(outcome.messages("note")), outcome.phase("file-create")["metadata"]["errors"]],
                         [1, {"ENOSPC": 1}])
        self.assertRegex(outcome.messages("note")[0], "^it may be too much before -W ends it: dir: the test makes 253 ")
        outcome = self.run_iorx(["mdtest", "-n", "250", "-F", "--force", *there])
        self.assertEqual(outcome.phase("file-create")["metadata"]["errors"], {"ENOSPC": 1})
        self.assertEqual(outcome.messages("note"), [])


class Counts(Scene):
    def test_a_status_file_holds_what_there_is_of_each_task(self):
        status = os.path.join(self.results, "status")
        for more in [], ["-c"], ["-S"], ["-c", "-u"], ["-D"], ["-D", "-c"]:
            with self.subTest(more=more):
                common = ["mdtest", "-n", "30", "-x", status, *(more if "-D" in more else ["-F", *more])]
                self.assert_exit(self.run_iorx([*common, "-C"], 3), 0)
                with open(status, encoding="utf-8") as file:
                    self.assertEqual(file.read(), "30\n")
                os.truncate(status, 0)
                with open(status, "w", encoding="utf-8") as file:
                    file.write("10\n")
                kind = "dir" if "-D" in more else "file"
                outcome = self.run_iorx([*common, "-T"], 3)
                self.assertEqual(self.count(outcome, kind + "-stat"), (30, 0))
                os.remove(status)
                self.run_iorx(["mdtest", "--cleanup", "out"])

    def status(self):
        with open(os.path.join(self.results, "status"), encoding="utf-8") as file:
            return file.read()

    def remove_by_status(self, arguments, tasks):
        status = ["-x", os.path.join(self.results, "status")]
        self.assert_exit(self.run_iorx(["mdtest", *arguments, "-T", "-r", *status], tasks), 0)
        self.assertEqual(self.names(), set())

    def test_what_a_stonewall_left_is_removed_by_its_status_file(self):
        status = ["-x", os.path.join(self.results, "status")]
        for common in (["-n", "1m", "-F"], ["-n", "1m", "-D"], ["-n", "1m", "-F", "-u"]):
            with self.subTest(common=common):
                self.assert_exit(self.run_iorx(["mdtest", *common, "-C", "-W", "0.02", *status], 2), 0)
                self.remove_by_status(common, 2)

    def test_a_status_file_holds_for_tasks_that_have_one_fewer(self):
        status = ["-x", os.path.join(self.results, "status")]
        for more in [], ["-c"]:
            common = ["-F", "-n", "8", "--scaling=strong"]
            self.assert_exit(self.run_iorx(["mdtest", *common, "-C", *more, *status], 3), 0)
            self.assertEqual(self.status(), "3\n")
            self.remove_by_status(common, 3)

    def refuse(self, arguments, *texts):
        before = self.names()
        for more in [], ["--dry-run"]:
            outcome = self.run_iorx(["mdtest", "-n", "4", *arguments, *more], 2)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "status_file: ", *texts)
            self.assertEqual(self.names(), before)

    def test_a_status_file_that_tells_too_little_is_refused_before_anything_is_done(self):
        status = os.path.join(self.results, "status")
        self.assert_exit(self.run_iorx(["mdtest", "-n", "4", "-C", "-i", "2"], 2), 0)
        for lines, flags, text in (
                ("0\n", [], "a task wrote none of its items; write again, once --cleanup"),
                ("4\nrepetition 0\n", [], "does not hold a number of items; name the file"),
                ("-4\n", [], "does not hold a number of items"), ("", [], "does not hold a number of items")):
            with open(status, "w", encoding="utf-8") as file:
                file.write(lines)
            with self.subTest(lines=lines):
                self.refuse(["-T", "-r", "-i", "2", "-x", status, *flags], text)
        self.assert_exit(self.run_iorx(["mdtest", "-n", "4", "-r", "-i", "2"], 2), 0)

    def test_a_status_file_that_cannot_be_written_is_refused_before_anything_is_made(self):
        for path, text in (("nope/dir/st", "nope/dir/st cannot be written: No such file or directory; name a file"),
                           (".", ". cannot be written: Is a directory"),
                           ("/dev/null/st", "/dev/null/st cannot be written: Not a directory")):
            with self.subTest(path=path):
                self.refuse(["-C", "-x", path], text)
                self.refuse(["-D", "-x", path], text)
        # the directory of the test is made before
        self.assert_exit(self.run_iorx(["mdtest", "-n", "4", "-C", "-x", "out/st"]), 0)
        self.assertIn("st", self.names())

    def test_no_number_tells_what_task_0_made_for_all_until_the_stonewall(self):
        self.refuse(["-C", "-c", "-W", "1", "-x", "st"], "some tasks have none", "leave -c, -W or -x out")
        for more in (["-c", "-S", "-F", "-W", "9"], ["-c"], ["-c", "-W", "9"]):
            status = [] if more == ["-c", "-W", "9"] else ["-x", os.path.join(self.results, "status")]
            self.assert_exit(self.run_iorx(["mdtest", "-n", "4", *more, *status], 2), 0)

    def test_what_lies_in_a_tree_beside_the_items_of_the_test_is_named(self):
        for form in "full", "relative":
            self.assert_exit(self.run_iorx(["mdtest", "-n", "5", "-F", "-C"], 3), 0)
            outcome = self.run_iorx(["mdtest", "-n", "5", "-F", "-r", "--names=" + form], 2)
            self.assert_exit(outcome, 1)
            self.assert_one_error(outcome, "rmdir: Directory not empty; the directory has items that this test does not know",
                                  "remove all that iorx made with --cleanup=out")
            self.assert_exit(self.run_iorx(["mdtest", "--cleanup=out"]), 0)
            self.assertEqual(self.names(), set())

    def test_a_disk_that_is_full_for_the_last_item_fails_the_repetition(self):
        for flags, operation in (["-F"], "create"), (["-F", "-w", "100"], "write"), (["-D"], "mkdir"):
            with self.subTest(flags=flags):
                # of mkdir out, the test directory and the root of the tree come first
                after = 9 + (operation == "create") + 3 * (operation == "mkdir")
                outcome = self.run_iorx(["mdtest", "-n", "10", *flags, "-O", "fault.operation=" + operation,
                                         "-O", f"fault.after={after}", "-O", "fault.error=ENOSPC"])
                self.assert_exit(outcome, 1)
                kind = "dir" if "-D" in flags else "file"
                self.assertEqual(self.count(outcome, kind + "-create"), (9, 1))
                self.assertEqual(outcome.phases()[-1][0], kind + "-create")
                self.assert_one_error(outcome, "; 9 of 10 items were made; the repetition has failed")
                self.assertEqual(self.names(), set())

    def test_failures_of_another_kind_are_looked_for(self):
        fault = ["-O", "fault.operation=create", "-O", "fault.error=EACCES"]
        for after, failing, there in (1 + 6, 4, 6), (1 + 2, 3, 7):
            outcome = self.run_iorx(["mdtest", "-n", "10", "-F", *fault, "-O", f"fault.after={after}",
                                     "-O", f"fault.count={failing}"])
            self.assert_exit(outcome, 1)
            self.assertEqual(self.count(outcome, "file-create"), (there, failing))
            self.assertEqual(self.count(outcome, "file-stat"), (there, failing))
            self.assertEqual(self.names(), set())

    def test_a_task_that_leaves_says_what_it_did_not_try(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "10", "-F", "-C"]), 0)
        for limit, failed in ((1, 1), (10, 10), (0, 1), (1000, 1000)):
            outcome = self.run_iorx(["mdtest", "-n", "3000", "-F", "-T", f"--max-errors={limit}"])
            self.assert_exit(outcome, 1)
            names = outcome.phase("file-stat")["metadata"]
            self.assertEqual((names["operations"], names["errors"], names["left_tasks"]),
                             (10, {"ENOENT": failed}, 1))
            self.assertEqual(names["untried_operations"], 2990 - failed)
            self.assertIn(f"1 task left after max_errors={limit} failures, {2990 - failed} not tried",
                          " ".join(outcome.out.split()))
            self.assert_one_error(outcome, f"{2990 - failed} were not tried")

    def test_what_failed_is_not_comparable(self):
        with_failure = ["mdtest", "-n", "20", "-F", "-i", "2", "--fault.operation=remove", "--fault.count=1",
                        "--fault.error=EIO"]
        self.assert_exit(self.run_iorx(["mdtest", "-n", "10", "-F", "-C", "-d", "alone"]), 0)
        for arguments, phase in ((with_failure, "file-remove"),
                                 (["mdtest", "-n", "20", "-F", "-T", "-d", "alone"], "file-stat")):
            outcome = self.run_iorx(arguments)
            self.assert_exit(outcome, 1)
            said = outcome.document["tests"][0]["comparable_with_mdtest"]
            self.assertRegex(said, f"^yes, except in phases that failed or ended early: {phase}")
            self.assertRegex(outcome.out, "comparable with mdtest: yes, except incomplete phases(, open mode)?\n")

    def test_items_that_mdtest_would_not_make_are_not_comparable(self):
        for arguments, even in (("-n 8 -I 2", True), ("-n 9 -I 2", False), ("-n 12 -I 2 -z 1 -b 2", True),
                                ("-n 9 -I 2 -z 1 -b 2", False), ("-n 9 -z 1 -b 2", True), ("-n 10 -z 1 -b 2", False),
                                ("-I 3 -z 1 -b 2", True)):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(["mdtest", "-F", "-C", "-T", "-r", *arguments.split()])
                self.assert_exit(outcome, 0)
                self.assertEqual(outcome.document["tests"][0]["comparable_with_mdtest"],
                                 "yes" if even else "no: mdtest rounds the items down to what all "
                                 "directories share evenly")
        outcome = self.run_iorx(["mdtest", "-F", "-n", "4", "-u"], 2)
        self.assertIn("comparable with mdtest: yes, except open mode, trees with -u\n", outcome.out)
        outcome = self.run_iorx(["mdtest", "--find", "-d", "."])
        self.assertEqual(outcome.document["tests"][0]["comparable_with_mdtest"],
                         "yes, except in find: mdtest has no such phase")

    def test_the_last_failure_leaves_nothing_out(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "10", "-F", "-C"]), 0)
        outcome = self.run_iorx(["mdtest", "-n", "20", "-F", "-T", "--max-errors=10"])
        names = outcome.phase("file-stat")["metadata"]
        self.assertEqual((names["failed_operations"], names["left_tasks"], names["untried_operations"]),
                         (10, 0, 0))
        self.assertNotIn("not tried", outcome.out + outcome.err)


class Direct(Scene):
    def test_files_with_data_bypass_the_cache(self):
        both = ["-w", "8192", "-e", "4k", "-X", "--verify-write"]
        for options in (["--posix.odirect", "-w", "4096"], ["--posix.odirect", *both, "-u"],
                        ["--posix.odirect", *both, "-d", "missing/a/b@missing/c/d", "--parents"],
                        ["-a", "libaio", "--libaio.direct", *both],
                        ["-a", "uring", "--uring.direct", *both]):
            with self.subTest(options=options):
                if options[0] == "-a" and not is_built_in(options[1]):
                    self.skipTest(f"no {options[1]}")
                outcome = self.run_iorx(["mdtest", "-n", "5", "-F", *options], 2)
                if "has no direct I/O" in outcome.err:
                    self.skipTest("no direct I/O here")
                self.assert_exit(outcome, 0)
                self.assertEqual(self.count(outcome, "file-create"), (10, 0))
                self.assertEqual(self.count(outcome, "file-read"), (10, 0))

    def test_a_block_can_too(self):
        with open(os.path.join(self.folder, "job"), "w", encoding="utf-8") as file:
            file.write("MDTEST START\nitems=4\nfiles_only=1\nwrite_bytes=4k\nposix.odirect=1\n"
                       f"saveRankPerformanceDetails={self.results}/ranks.csv\nMDTEST STOP\n")
        outcome = self.run_iorx(["-f", "job"])
        if "has no direct I/O" in outcome.err:
            self.skipTest("no direct I/O here")
        self.assert_exit(outcome, 0)
        self.assertTrue(os.path.exists(self.results + "/ranks.csv"))

    def test_sizes_that_cannot_be_are_refused_before(self):
        for option, name in (("-w", "write_bytes"), ("-e", "read_bytes")):
            outcome = self.run_iorx(["mdtest", "-n", "5", "-F", "--posix.odirect", "-w", "4k", option, "100"])
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, f"{name}: 100 is no multiple of the ")
            self.assertEqual(os.listdir(self.folder), [])


class Strangers(Scene):
    def test_a_file_that_comes_between_is_neither_written_nor_removed(self):
        for flags in [], ["-w", "4"], ["-k"]:
            with self.subTest(flags=flags):
                job = self.start_iorx(["mdtest", "-n", "5", "-i", "1", "-F", "-O", "fault.operation=mkdir",
                                       "-O", "fault.after=2", "-O", "fault.kind=stall", "-O",
                                       "fault.stall=3s", *flags])
                # the root of the tree is made by the third mkdir, which sleeps first
                job.wait_until(lambda: os.path.exists(self.path("test-dir.0-0/.iorx-mdtest")), "the marker")
                os.mkdir(self.path("test-dir.0-0", ITEMS))
                self.put("test-dir.0-0", ITEMS, "file.mdtest.0.3")
                outcome = job.wait()
                self.assert_exit(outcome, 1)
                create = outcome.phase("file-create")["metadata"]
                self.assertEqual((create["operations"], create["errors"]), (3, {"EEXIST": 1}))
                self.assertEqual(outcome.phases()[-1][0], "file-create")
                self.assertIn("3 of 5 items were made; the repetition has failed, and its trees stay; remove what "
                              "iorx made with --cleanup", outcome.messages()[-1])
                with open(self.path("test-dir.0-0", ITEMS, "file.mdtest.0.3"), encoding="utf-8") as file:
                    self.assertEqual(file.read(), "years of work")
                os.remove(self.path("test-dir.0-0", ITEMS, "file.mdtest.0.3"))
                self.run_iorx(["mdtest", "--cleanup", "out"])
                self.assertEqual(self.names(), set())


class Rings(Scene):
    """Renames that fail: nothing is replaced, and all names are there again."""

    def rename(self, items, after, count=1, more=()):
        common = ["mdtest", "-n", str(items), "-D", *more]
        self.assert_exit(self.run_iorx([*common, "-C"]), 0)
        items = self.names("**/dir.mdtest.0.*")
        self.mark(*items)
        outcome = self.run_iorx([*common, "-U", "-O", "fault.operation=rename", "-O",
                                 f"fault.after={after}", "-O", f"fault.count={count}"])
        self.assert_exit(outcome, 1)
        return outcome, items

    def clean(self):
        for name in self.names("**/was-*"):
            os.remove(self.path(name))
        self.run_iorx(["mdtest", "--cleanup", "out"])
        self.assertEqual(self.names(), set())

    def test_a_rename_that_failed_leaves_all_names_and_all_items(self):
        for more in ["-z", "2", "-b", "2"], ["-z", "1", "--names=relative"]:
            for after, count in (0, 1), (1, 1), (5, 3), (11, 1), (0, 12):
                with self.subTest(after=after, count=count, more=more):
                    outcome, items = self.rename(12, after, count, more)
                    self.assertEqual(self.count(outcome, "dir-rename"), (12 - count, count))
                    self.assertEqual(self.names("**/dir.mdtest.0.*"), items)
                    marks = self.names("**/was-*")
                    self.assertEqual(len(marks), 12)
                    self.assertEqual({os.path.dirname(name) for name in marks}, items)
                    self.clean()

    def test_empty_directories_are_not_replaced_either(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "9", "-D", "-C"]), 0)
        before = self.names()
        outcome = self.run_iorx(["mdtest", "-n", "9", "-D", "-U", "-O", "fault.operation=rename", "-O",
                                 "fault.after=4"])
        self.assertEqual(self.count(outcome, "dir-rename"), (8, 1))
        self.assertEqual(self.names(), before)

    def test_an_item_that_keeps_the_spare_name_is_told(self):
        outcome, items = self.rename(6, 6)
        self.assertEqual(self.count(outcome, "dir-rename"), (6, 1))
        self.assert_one_error(outcome, "dir.mdtest.0.spare", "the item that was renamed first keeps this name")
        self.assertEqual(len(self.names("**/dir.mdtest.0.*")), 6)
        # and nothing comes in its place
        outcome = self.run_iorx(["mdtest", "-n", "6", "-D", "-U"])
        self.assertEqual(outcome.exit_code, 1)
        self.assert_one_error(outcome, "dir.mdtest.0.spare", "earlier ring")
        self.assertEqual(len(self.names("**/was-*")), 6)
        self.clean()

    def test_missing_items_keep_nothing_from_the_others(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "8", "-D", "-C"]), 0)
        for item in 0, 3, 4, 7:
            os.rmdir(self.path("test-dir.0-0", ITEMS, f"dir.mdtest.0.{item}"))
        left = self.names("**/dir.mdtest.0.*")
        self.mark(*left)
        outcome = self.run_iorx(["mdtest", "-n", "8", "-D", "-U"])
        self.assertEqual(outcome.phase("dir-rename")["metadata"]["errors"], {"ENOENT": 4})
        self.assertEqual(self.names("**/dir.mdtest.0.*"), left)
        self.assertEqual(len(self.names("**/was-*")), 4)
        self.clean()


class Leftovers(Scene):
    def test_a_rest_keeps_its_marker(self):
        """So that --cleanup knows it when what others put there is gone."""
        self.assert_exit(self.run_iorx(["mdtest", "-n", "5", "-C"]), 0)
        self.put("test-dir.0-0", "notes.txt")
        self.put("test-dir.0-0", ITEMS, "thesis.tex")
        marker = os.path.join("test-dir.0-0", ".iorx-mdtest")
        self.run_iorx(["mdtest", "-n", "5", "-r"])
        self.assertIn(marker, self.names())
        outcome = self.run_iorx(["mdtest", "--cleanup", "out"])
        self.assert_exit(outcome, 0)
        self.assertIn("2 directories stay, because they hold other files; the first is out/test-dir.0-0/" + ITEMS,
                      outcome.err)
        self.assertNotIn("were removed", outcome.out)
        self.assertEqual(self.names(), {"test-dir.0-0", marker, "test-dir.0-0/notes.txt",
                                        "test-dir.0-0/" + ITEMS, f"test-dir.0-0/{ITEMS}/thesis.tex"})
        os.remove(self.path("test-dir.0-0", "notes.txt"))
        os.remove(self.path("test-dir.0-0", ITEMS, "thesis.tex"))
        self.assert_exit(self.run_iorx(["mdtest", "--cleanup", "out"]), 0)
        self.assertEqual(self.names(), set())

    def test_trees_of_mdtest_are_removed(self):
        """They are as those of iorx, without its marker."""
        for more in [], ["-u"]:
            for remove in ["-n", "6", "-z", "1", "-b", "2", "-r", *more], ["--cleanup", "out"]:
                with self.subTest(remove=remove):
                    self.assert_exit(self.run_iorx(["mdtest", "-n", "6", "-z", "1", "-b", "2", "-C", *more], 2), 0)
                    os.remove(self.path("test-dir.0-0", ".iorx-mdtest"))
                    self.assert_exit(self.run_iorx(["mdtest", *remove], 2), 0)
                    self.assertEqual(self.names(), set())

    def test_trees_that_hold_more_than_those_of_mdtest_stay(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "6", "-z", "1", "-C"], 2), 0)
        os.remove(self.path("test-dir.0-0", ".iorx-mdtest"))
        leaf = self.path("test-dir.0-0", ITEMS, "mdtest_tree.1")
        for name, make in (("notes.txt", lambda path: self.put(path)), ("file.mdtest.0.07", lambda path: self.put(path)),
                           ("file.mdtest.0.7", os.mkfifo), ("dir.mdtest.0.7", lambda path: os.symlink("nowhere", path)),
                           ("file.mdtest.1.7", os.mkdir)):
            with self.subTest(name):
                make(os.path.join(leaf, name))
                there = self.names()
                outcome = self.run_iorx(["mdtest", "-n", "6", "-z", "1", "-r"], 2)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, "out/test-dir.0-0 was not made by iorx", "holds more than mdtest makes")
                self.assert_exit(self.run_iorx(["mdtest", "--cleanup", "out"], 2), 0)
                self.assertEqual(self.names(), there)
                (os.rmdir if os.path.isdir(os.path.join(leaf, name)) and make is os.mkdir else os.remove)(
                    os.path.join(leaf, name))

    def test_many_names_that_stay_hide_no_others(self):
        """More names of others than one listing takes, 1 MiB, and some of ours somewhere between them."""
        os.makedirs(self.path())
        for number in range(24000):
            os.mkdir(self.path(f"test-dir.{10**18 + number}-{10**18}"))
        for number in range(40):
            os.makedirs(self.path(f"test-dir.{number}-7", ITEMS))
            open(self.path(f"test-dir.{number}-7", ".iorx-mdtest"), "w", encoding="utf-8").close()
        outcome = self.run_iorx(["mdtest", "--cleanup", "out"])
        self.assert_exit(outcome, 0)
        self.assertIn("120 files and directories", outcome.err)
        self.assertEqual(len(os.listdir(self.path())), 24000)

    def test_other_names_and_types_stay(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "5", "-F", "-C"]), 0)
        there = self.names()
        os.remove(self.path("test-dir.0-0", ITEMS, "file.mdtest.0.1"))
        for name in "file.mdtest..0", "file.mdtest.00.1", "file.mdtest.0.01":
            self.put("test-dir.0-0", ITEMS, name)
        self.put("test-dir.0-0", "mdtest_tree.00", "file.mdtest.0.0")
        os.mkfifo(self.path("test-dir.0-0", ITEMS, "file.mdtest.0.1"))
        os.symlink("elsewhere", self.path("test-dir.0-0", ITEMS, "dir.mdtest.0.0"))
        others = self.names() - there | {f"test-dir.0-0/{ITEMS}/file.mdtest.0.1"}
        outcome = self.run_iorx(["mdtest", "--cleanup", "out"], 2)
        self.assert_exit(outcome, 0)
        self.assertIn("2 directories stay", outcome.err)
        self.assertEqual(self.names() - others, {"test-dir.0-0", "test-dir.0-0/" + ITEMS, "test-dir.0-0/.iorx-mdtest"})
        self.assertLessEqual(others, self.names())

    def test_a_marker_with_contents_is_no_marker(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "5", "-F", "-C"]), 0)
        with open(self.path("test-dir.0-0", ".iorx-mdtest"), "w", encoding="utf-8") as file:
            file.write("notes\n")
        there = self.names()
        self.assert_exit(self.run_iorx(["mdtest", "--cleanup", "out"]), 0)
        self.assertEqual(self.names(), there)

    @needs_root
    def test_nothing_on_another_file_system_goes(self):
        mounted = self.path("test-dir.0-0", "mdtest_tree.1")
        self.assert_exit(self.run_iorx(["mdtest", "-n", "5", "-F", "-C"]), 0)
        os.mkdir(mounted)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", mounted], check=True)
        self.addCleanup(subprocess.run, ["umount", mounted], check=True)
        self.put("test-dir.0-0", "mdtest_tree.1", "file.mdtest.0.1")
        self.assert_exit(self.run_iorx(["mdtest", "--cleanup", "out"]), 0)
        self.assertEqual(self.names(), {"test-dir.0-0", "test-dir.0-0/.iorx-mdtest", "test-dir.0-0/mdtest_tree.1",
                                        "test-dir.0-0/mdtest_tree.1/file.mdtest.0.1"})

    def test_all_tasks_clean_together(self):
        for more in [], ["-u"]:
            self.assert_exit(self.run_iorx(["mdtest", "-n", "200", "-z", "2", "-b", "2", "-C", *more], 3), 0)
            there = len(self.names())
            outcome = self.run_iorx(["mdtest", "--cleanup", "out"], 3)
            self.assert_exit(outcome, 0)
            self.assertIn(f" {there} files and directories", outcome.err)
            self.assertEqual(self.names(), set())

    def test_a_cleaning_leaves_no_result_that_was_not_asked_for(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "5", "-C"]), 0)
        outcome = self.run_iorx(["mdtest", "--cleanup", "out"], output=False)
        self.assert_exit(outcome, 0)
        self.assertEqual(os.listdir(self.folder), ["out"])
        self.assertNotIn("results", outcome.out)
        outcome = self.run_iorx(["mdtest", "--cleanup", "out"])
        self.assertEqual((outcome.document["status"], os.listdir(self.folder)), ("complete", ["out"]))

    def test_several_directories_are_cleaned_and_each_is_told(self):
        for target, items in ("out/a", 5), ("out/b@c", 7):
            self.assert_exit(self.run_iorx(["mdtest", "-n", str(items), "-C", "-F", "--parents", "-d", target.replace("@", "@@")]), 0)
        os.mkdir(self.path("empty"))
        self.put("file")
        before = self.names()
        for bad, why in (("out/a@out/nowhere", "out/nowhere: No such file or directory"),
                         ("out/file@out/a", "out/file: Not a directory"), ("out/a@", "directory 2 of"),
                         ("out/a@out//a", "out//a stands twice"), ("[out/a out/empty]", "names take no list"),
                         ("out/b@c", "out/b: No such file")):
            outcome = self.run_iorx(["mdtest", "--cleanup=" + bad], 2)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "cleanup: ", why)
            self.assertEqual(self.names(), before)
        outcome = self.run_iorx(["mdtest", "--cleanup=out/a@out/empty@out/b@@c"], 3)
        self.assert_exit(outcome, 0)
        # beside the items a test directory, its marker and the root of the tree
        self.assertEqual(outcome.messages("note"), [f"{name}: {count} files and directories of metadata tests were removed"
                                                    for name, count in (("out/a", 8), ("out/empty", 0), ("out/b@c", 10))])
        self.assertEqual(self.names(), {"a", "b@c", "empty", "file"})

    @needs_root
    def test_what_stays_in_one_directory_keeps_nothing_in_the_next(self):
        for target in "a", "b":
            self.assert_exit(self.run_iorx(["mdtest", "-n", "5", "-C", "-F", "--parents", "-d", "out/" + target]), 0)
        os.chown(self.path("b"), 65534, -1)
        os.chmod(self.results, 0o777)
        for folder, _, files in os.walk(self.path("b")):
            for name in (folder, *(os.path.join(folder, name) for name in files)):
                os.chown(name, 65534, -1)
        outcome = self.run_iorx(["mdtest", f"--cleanup={self.path('a')}@{self.path('b')}"], 2,
                                wrapper=("setpriv", "--reuid=65534", "--clear-groups"))
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "cleanup", "could not be looked at or removed; the first", "/out/a/")
        self.assertEqual(len(outcome.messages("note")), 2)
        self.assertEqual((os.listdir(self.path("a")), os.listdir(self.path("b"))), (["test-dir.0-0"], []))

    @needs_root
    def test_what_cannot_be_looked_at_or_removed_is_an_error(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "5", "-C", "-F"]), 0)
        other = ("setpriv", "--reuid=65534", "--clear-groups")
        os.chmod(self.results, 0o777)
        for mode, path in ((0o755, ("test-dir.0-0", ITEMS)), (0o700, ("test-dir.0-0",))):
            os.chmod(self.path(*path), mode)
            outcome = self.run_iorx(["mdtest", "--cleanup", self.path()], 2, wrapper=other)
            self.assert_exit(outcome, 1)
            self.assert_one_error(outcome, "cleanup", "could not be looked at or removed; the first",
                                  "test-dir.0-0", "Permission denied")
            self.assertEqual(len(self.names("**/file.mdtest.*")), 5)


if __name__ == "__main__":
    unittest.main()
