"""The find of metadata tests: all entries once by all tasks together, what matches, and nothing touched."""

import csv
import os
import signal
import subprocess
import unittest

import storage
import tracing
from program import AS_ROOT, SOON_SECONDS, SOURCE, Case, needs_root

TASKS = (1, 2, 5)


def make_tree(folder, width=6, levels=3):
    """Directories of different numbers of files of different sizes, and links that lead astray."""
    count = 0
    below = [folder]
    for level in range(levels):
        below = [os.path.join(path, f"d{level}.{i}") for path in below for i in range(width - level)]
        for path in below:
            os.makedirs(path)
            for number in range(count % 7):
                with open(os.path.join(path, f"{'file' if number % 2 else 'data'}.{number}"), "wb") as file:
                    file.write(b"x" * (number * 700))
            count += 1
    os.symlink("..", os.path.join(folder, "d0.0", "up"))
    os.symlink("/usr", os.path.join(folder, "out.of.here"))
    os.mkfifo(os.path.join(folder, "fifo"))


def state_of(folder):
    """All names with what would tell that somebody wrote."""
    found = {}
    for root, directories, files in os.walk(folder):
        for name in [".", *directories, *files]:
            path = os.path.join(root, name)
            status = os.lstat(path)
            found[path] = (status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_size)
    return found


class FindCase(Case):
    def find(self, *arguments, tasks=1, exit_code=0, **more):
        """The names of the phase and the outcome."""
        outcome = self.run_iorx(["mdtest", "--find", *arguments], tasks, **more)
        self.assert_exit(outcome, exit_code)
        return outcome.phase("find")["metadata"], outcome

    def like_find(self, folder, *arguments):
        """What find(1) prints."""
        done = subprocess.run(["find", folder, "-xdev", *arguments], cwd=self.folder,
                              capture_output=True, text=True, check=True)
        return len(done.stdout.splitlines())


class WhatIsThere(FindCase):
    def setUp(self):
        super().setUp()
        self.tree = os.path.join(self.folder, "tree")
        os.mkdir(self.tree)
        make_tree(self.tree)

    def test_all_entries_are_seen_once_as_find_does(self):
        for tasks in TASKS:
            with self.subTest(tasks=tasks):
                names, outcome = self.find("-d", "tree", tasks=tasks)
                found = names["find"]
                self.assertEqual(names["entries"], self.like_find("tree"))
                self.assertEqual(found["directories"], self.like_find("tree", "-type", "d"))
                self.assertEqual(found["files"], self.like_find("tree", "-type", "f"))
                self.assertEqual(found["others"], 3)
                self.assertEqual((found["stats"], found["made_entries"]), (0, None))
                self.assertEqual(names["operations"], found["directories"])
                self.assertEqual(names["expected_operations"], found["directories"])
                self.assertEqual([name for name, _, _ in outcome.phases()], ["find"])
                phase = outcome.phase("find")
                self.assertAlmostEqual(phase["rates"]["total_operations_per_s"],
                                       names["entries"] / phase["intervals"]["total_s"], delta=1)
                self.assertGreaterEqual(phase["balance"]["imbalance"], 1)
                self.assertLessEqual(names["least_task_operations"] * tasks, names["entries"])
                self.assertGreaterEqual(names["most_task_operations"] * tasks, names["entries"])

    def test_what_matches_is_what_find_says(self):
        mark = os.path.join(self.folder, "mark")
        with open(mark, "wb"):
            os.utime(mark, ns=(0, 1_000_000_000_000_000_007))
        for number, (root, _, files) in enumerate(sorted(os.walk(self.tree))):
            for name in files:
                if os.path.isfile(os.path.join(root, name)):
                    os.utime(os.path.join(root, name), ns=(0, 1_000_000_000_000_000_000 + number))
        cases = [(("--find-name=file.*",), ("-name", "file.*")),
                 (("--find-name=d[12]*",), ("-name", "d[12]*")),
                 (("--find-name=tree",), ("-name", "tree")),
                 (("--find-name=", "--find-size=+1k"), ("-size", "+1k")),
                 (("--find-size=+1k",), ("-size", "+1k")), (("--find-size=-1k",), ("-size", "-1k")),
                 (("--find-size=2k",), ("-size", "2k")), (("--find-size=+700c",), ("-size", "+700c")),
                 (("--find-size=3",), ("-size", "3")),
                 (("--find-newer=mark",), ("-newer", "mark")),
                 (("--find-newer=mark", "--find-size=-2k", "--find-name=*.*"),
                  ("-newer", "mark", "-size", "-2k", "-name", "*.*"))]
        for ours, theirs in cases:
            with self.subTest(ours=ours):
                names, outcome = self.find("-d", "tree/", *ours, tasks=2)
                self.assertEqual(names["find"]["matches"], self.like_find("tree", *theirs))
                self.assertEqual(names["entries"], self.like_find("tree"))
                looked_at = [word for word in theirs if word in ("-size", "-newer")]
                named = theirs[theirs.index("-name"):][:2] if "-name" in theirs else ()
                self.assertEqual(names["find"]["stats"],
                                 self.like_find("tree", *named) if looked_at else 0)
                self.assertRegex(outcome.out, rf"(?m)^ +{names['find']['matches']} entries match$")

    def test_nothing_is_touched(self):
        before = state_of(self.folder)
        self.find("-d", "tree@tree/d0.1", "--find-size=+0", tasks=2)
        self.assertEqual(state_of(self.folder), before)

    @unittest.skipIf(tracing.why_not(), tracing.why_not())
    def test_nothing_but_reading_is_asked_of_the_kernel(self):
        prefix = os.path.join(self.home, "calls")
        wrapper = ("strace", "-ff", "-qq", "-s", "400", "--seccomp-bpf", "-e", "trace=%file", "-e",
                   "signal=none", "-o", prefix)
        names, _ = self.find("-d", "tree", "--find-name=data.*", "--find-size=+0", wrapper=wrapper)
        calls = []
        for name in os.listdir(self.home):
            if name.startswith("calls."):
                with open(os.path.join(self.home, name), encoding="utf-8", errors="replace") as lines:
                    calls += [line for line in lines if '"tree' in line and not line.startswith("execve")]
        opens = [line for line in calls if line.startswith("openat(") and "O_DIRECTORY" in line]
        looks = [line for line in calls if "AT_SYMLINK_NOFOLLOW" in line and "data." in line]
        self.assertEqual(len(looks), names["find"]["stats"])
        self.assertGreaterEqual(len(opens), names["find"]["directories"])
        for line in calls:
            self.assertRegex(line, r"^(openat|open|newfstatat|statx|stat|lstat|statfs|readlink|access|"
                                   r"faccessat2?)\(")
            self.assertNotRegex(line, r"O_WRONLY|O_RDWR|O_CREAT")

    def test_several_directories_are_walked_also_by_fewer_tasks(self):
        names, _ = self.find("-d", "tree/d0.0@tree/d0.1@tree/d0.2", tasks=2)
        self.assertEqual(names["entries"],
                         sum(self.like_find(f"tree/d0.{number}") for number in range(3)))

    @needs_root
    def test_mounts_are_entered_only_when_asked(self):
        other = storage.mounted(self, "tmpfs", SOURCE)
        with open(os.path.join(other.folder, "inside"), "wb"):
            pass
        outside = self.home + "/" + os.path.basename(other.home)
        names, _ = self.find("-d", outside)
        self.assertEqual((names["entries"], names["find"]["mounts_not_entered"]), (2, 1))
        names, _ = self.find("-d", outside, "--find-mounts")
        self.assertEqual((names["entries"], names["find"]["mounts_not_entered"]), (3, 0))

    @unittest.skipIf(AS_ROOT, "root may read everything")
    def test_a_directory_that_may_not_be_read_is_a_failure_like_any_other(self):
        os.chmod(os.path.join(self.tree, "d0.1"), 0)
        self.addCleanup(os.chmod, os.path.join(self.tree, "d0.1"), 0o700)
        names, _ = self.find("-d", "tree", exit_code=1)
        self.assertEqual(names["errors"], {"EACCES": 1})

    def test_a_huge_directory_is_shared_where_each_entry_is_looked_at(self):
        flat = os.path.join(self.folder, "flat")
        os.mkdir(flat)
        for number in range(3000):
            with open(os.path.join(flat, f"entry.of.one.directory.{number}"), "wb"):
                pass
        names, _ = self.find("-d", "flat", "--find-size=-1k", "--fault.operation=stat",
                             "--fault.kind=stall", "--fault.stall=100us", "--fault.count=0", tasks=2)
        self.assertEqual((names["find"]["matches"], names["entries"]), (3000, 3001))
        self.assertGreater(names["find"]["stolen_pieces"], 0)

    def test_work_that_begins_with_one_task_reaches_all(self):
        names, _ = self.find("-d", "tree", "--fault.operation=list", "--fault.kind=stall",
                             "--fault.stall=5ms", "--fault.count=0", tasks=5)
        self.assertEqual(names["entries"], self.like_find("tree"))
        self.assertGreater(names["least_task_operations"], 0)
        self.assertGreaterEqual(names["find"]["stolen_pieces"], 4)

    def test_any_number_of_failures_ends_no_walk_and_the_first_are_named(self):
        # d0.* are six directories, of which none may be read: not more of them than max_errors would do
        for more, tasks in ([], 1), (["--fault.tasks=0"], 5):
            with self.subTest(more=more):
                names, outcome = self.find("-d", "tree", "--max-errors=0", "--fault.operation=list",
                                           "--fault.count=0", "--fault.after=1", *more, tasks=tasks, exit_code=1)
                self.assertEqual(set(names["errors"]), {"EIO"})
                self.assertEqual(names["operations"] + names["failed_operations"], names["find"]["directories"])
                self.assertEqual(outcome.phases(), [("find", 0, "complete")])
                self.assert_one_error(outcome, "find phase", "list of tree")
                named = names["find"]["failures"]
                self.assertEqual(len(named), min(5, names["failed_operations"]))
                self.assertEqual({(one["operation"], one["errno"]) for one in named}, {("list", "EIO")})
                self.assertEqual(named, sorted(named, key=lambda one: one["path"]))
                if tasks == 1:
                    self.assertEqual([one["path"] for one in named], [f"tree/d0.{i}" for i in range(5)])
                    self.assertIn("not read: tree/d0.0 (list: Input/output error), tree/d0.1",
                                  " ".join(outcome.out.split()))
                    self.assertIn(" and 1 more", " ".join(outcome.out.split()))

    def test_tasks_have_the_entries_they_saw_in_the_table_of_tasks(self):
        table = os.path.join(self.results, "tasks.csv")
        names, _ = self.find("-d", "tree", "--tasks-csv=" + table, tasks=2)
        with open(table, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(sum(int(row["operations"]) for row in rows), names["entries"])
        for row in rows:
            if row["mean_ns"]:
                self.assertLessEqual(int(row["min_ns"]), float(row["mean_ns"]))
                self.assertLessEqual(float(row["mean_ns"]), int(row["max_ns"]))

    def test_what_fails_is_counted_and_the_walk_goes_on(self):
        names, _ = self.find("-d", "tree", "--find-size=+0", "--fault.operation=stat",
                             "--fault.after=5", "--fault.count=3", exit_code=1)
        self.assertEqual((names["failed_operations"], names["errors"]), (3, {"EIO": 3}))
        self.assertEqual(names["entries"], self.like_find("tree"))
        self.assertEqual(names["find"]["stats"], names["entries"] - 3)

    def test_a_walk_that_went_to_its_end_is_complete_and_its_failures_are_told(self):
        _, outcome = self.find("-d", "tree", "-i", "2", "--fault.operation=list", "--fault.after=5",
                               "--fault.count=1", exit_code=1)
        self.assertEqual([status for _, _, status in outcome.phases()], ["complete"] * 2)
        phase = outcome.phase("find")
        m1 = next(verdict for verdict in phase["verdicts"] if verdict["id"] == "M1")
        self.assertRegex(m1["meaning"], rf"^1 of {phase['metadata']['operations'] + 1} directories and "
                                        rf"stats failed: .* {phase['metadata']['entries']} entries")
        self.assertNotIn("no complete repetition", outcome.out)

    def test_a_table_has_entries_beside_the_rate_of_entries(self):
        table = os.path.join(self.results, "find.csv")
        self.assert_exit(self.run_iorx(["mdtest", "--find", "-d", "tree", "--output=" + table], output=False), 0)
        with open(table, encoding="utf-8", newline="") as file:
            row, = csv.DictReader(file)
        self.assertEqual((int(row["operations"]), row["transfers"]), (self.like_find("tree"), ""))

    def test_a_signal_ends_it(self):
        job = self.start_iorx(["mdtest", "--find", "-d", "tree", "-i", "1000000",
                               "--fault.operation=list", "--fault.kind=stall", "--fault.stall=20ms",
                               "--fault.count=0"], 2)
        job.wait_for_phase(1)
        job.kill(job.launcher(), signal.SIGTERM)
        outcome = job.wait()
        # MPICH's launcher sometimes forgets what task 0 returned.
        if outcome.document["run"]["environment"]["mpi"].startswith("Open MPI"):
            self.assertEqual(outcome.exit_code, 1)
        self.assertEqual(outcome.document["status"], "interrupted")
        self.assertLess(outcome.ending, SOON_SECONDS)

    def test_a_job_file_says_the_same(self):
        with open(os.path.join(self.folder, "job.ior"), "w", encoding="utf-8") as job:
            job.write("MDTEST START\ndir=tree\nfind=1\nfindName=file.*\nfind_size=+1k\nRUN\n"
                      "MDTEST STOP\n")
        outcome = self.run_iorx(["-f", "job.ior"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.phase("find")["metadata"]["find"]["matches"],
                         self.like_find("tree", "-name", "file.*", "-size", "+1k"))

    def job(self, *lines):
        with open(os.path.join(self.folder, "job.ior"), "w", encoding="utf-8") as job:
            job.write("\n".join(lines) + "\n")
        return self.run_iorx(["-f", "job.ior"], 2)

    def test_a_later_test_takes_back_what_is_looked_for(self):
        outcome = self.job("MDTEST START", "dir=tree", "find=1", "findName=file.*", "findSize=+1k", "findNewer=job.ior",
                           "RUN", 'findNewer=""', "RUN", 'findSize=""', "RUN", 'findName=""', "RUN", "MDTEST STOP")
        self.assert_exit(outcome, 0)
        matches = [outcome.phase("find", test=test)["metadata"]["find"]["matches"] for test in range(3)]
        self.assertEqual(matches, [0, self.like_find("tree", "-name", "file.*", "-size", "+1k"),
                                   self.like_find("tree", "-name", "file.*")])
        names = outcome.phase("find", test=3)["metadata"]
        self.assertEqual((names["find"]["matches"], names["find"]["stats"]), (names["entries"], 0))

    def test_an_earlier_test_may_make_what_others_are_newer_than(self):
        makers = (("IOR START", "testFile=mark", "writeFile=1", "keepFile=1", "blockSize=4k", "transferSize=4k", "RUN",
                   "IOR STOP", "MDTEST START"),
                  ("MDTEST START", "dir=made", "filesOnly=1", "items=3", "create=1", "RUN", "create=0",
                   "items=0", "filesOnly=0"))
        for made, maker in zip(("mark", "made/test-dir.0-0/mdtest_tree.0/file.mdtest.1.2"), makers):
            with self.subTest(made=made):
                outcome = self.job(*maker, "dir=tree", "find=1", "findNewer=" + made, "RUN", "MDTEST STOP")
                self.assert_exit(outcome, 0)
                self.assertEqual(outcome.phase("find", test=1)["metadata"]["find"]["matches"], 0)

    def test_what_no_test_made_is_said_with_its_place(self):
        data = ("IOR START", "testFile=mark", "writeFile=1", "blockSize=4k", "transferSize=4k")
        find = ("RUN", "IOR STOP", "MDTEST START", "dir=tree", "find=1", "findNewer=no", "RUN", "MDTEST STOP")
        outcome = self.job(*data, *find)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "job.ior:11: test 1: find_newer: no: No such file or directory")
        outcome = self.job(*data, "keepFile=1", *find)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "job.ior:12: test 1: find_newer: no: No such file or directory")

    def test_a_dry_run_tells_and_does_nothing(self):
        outcome = self.run_iorx(["mdtest", "--find", "-d", "tree", "--find-newer=tree", "--dry-run"])
        self.assert_exit(outcome, 0)
        self.assertIn("posix; find; in tree\n", outcome.out)
        self.assertNotIn("makes", outcome.out)

    def test_what_makes_no_sense_is_refused(self):
        for arguments, text in ((["--find", "-d", "none"], "dir: none: No such file"),
                                (["--find", "-d", "tree/fifo"], "dir: tree/fifo is not a directory"),
                                (["--find", "-d", "tree", "-n", "5"], "find: without any of -C -T -E -U -r it walks"),
                                (["--find", "-d", "tree", "--list"], "find: without any of -C -T -E -U -r it walks"),
                                (["--find"], "dir: out: No such file or directory; name a directory that is there "
                                             "(-d; out is its default)"),
                                (["--find", "-d", "tree", "--find-name=a/*"], "find_name: names have no slash"),
                                (["-n", "5", "--find-name=x"], "find: nothing is looked for"),
                                (["--find", "-d", "tree", "--find-size=1q"], "find_size: \"1q\""),
                                (["--find", "-d", "tree", "--find-newer=no"], "find_newer: no: No such")):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(["mdtest", *arguments], 2)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, text)


class WhatWasMade(FindCase):
    def m4(self, outcome):
        return [verdict["severity"] for verdict in outcome.phase("find")["verdicts"]
                if verdict["id"] == "M4"]

    def test_as_many_are_seen_as_were_made(self):
        for number, (arguments, tasks, entries) in enumerate((
                (["-n", "20", "-C"], 1, 41), (["-n", "20", "-C", "-r"], 2, 41),
                (["-n", "30", "-z", "2", "-b", "3", "-u", "-F", "-C", "-T", "-E", "-r"], 5, 5 * 43),
                (["-n", "10", "-S", "-C", "-r"], 2, 11), (["-n", "10", "-c", "-F", "-C"], 2, 21),
                (["-n", "33", "-I", "10", "-D", "-C", "-U"], 2, 70),
                (["-n", "12", "-F", "-C", "-d", "a@b", "-N", "1", "-r"], 5, 62))):
            with self.subTest(arguments=arguments):
                folder = os.path.join(self.folder, str(number))
                os.mkdir(folder)
                names, outcome = self.find(*arguments, tasks=tasks, folder=folder)
                self.assertEqual((names["entries"], names["find"]["made_entries"]), (entries, entries))
                self.assertEqual(names["find"]["matches"], entries)
                self.assertEqual(self.m4(outcome), ["good"])

    def test_directories_are_seen_before_they_are_removed(self):
        for arguments, entries in (["-n", "20", "-D"], 41), (["-n", "20", "-D", "-z", "1", "-b", "2"], 43):
            names, outcome = self.find("--list", "-C", "-U", "-r", *arguments, tasks=2)
            self.assertEqual((names["entries"], names["find"]["made_entries"]), (entries, entries))
            self.assertEqual(self.m4(outcome), ["good"])
            self.assertEqual([name for name, _, _ in outcome.phases()],
                             ["tree-create", "dir-create", "dir-rename", "list", "find", "dir-remove",
                              "tree-remove"])
            self.assertEqual(outcome.phase("list")["metadata"]["entries"], entries - 1)

    def test_of_both_kinds_the_files_are_seen_and_both_where_nothing_is_removed(self):
        names, outcome = self.find("-n", "20", "-C", "-r")
        self.assertEqual((names["find"]["files"], names["find"]["directories"]), (20, 1))
        self.assertEqual([name for name, _, _ in outcome.phases()],
                         ["tree-create", "dir-create", "dir-remove", "file-create", "find", "file-remove",
                          "tree-remove"])
        names, _ = self.find("-n", "20", "-C")
        self.assertEqual((names["find"]["files"], names["find"]["directories"]), (20, 21))

    def test_repetitions_are_counted_each(self):
        _, outcome = self.find("-n", "7", "-F", "-C", "-r", "-i", "3", tasks=2)
        self.assertEqual([outcome.phase("find", repetition)["metadata"]["entries"]
                          for repetition in range(3)], [15] * 3)

    def test_what_is_missing_is_said(self):
        names, outcome = self.find("-n", "20", "-z", "1", "-b", "4", "-F", "-C", "-r",
                                   "--fault.operation=list", "--fault.after=3", "--fault.count=1",
                                   exit_code=1)
        self.assertLess(names["entries"], names["find"]["made_entries"])
        self.assertEqual(self.m4(outcome), ["fail"])
        self.assertRegex(" ".join(outcome.out.split()), r"entries, and this run had made 25")

    def test_trees_of_an_earlier_run_are_found_too(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "10", "-F", "-C"]), 0)
        names, outcome = self.find("-n", "10", "-F", "-T", "-r")
        self.assertEqual((names["entries"], names["find"]["made_entries"]), (11, None))
        self.assertEqual(self.m4(outcome), [])

    def test_the_null_backend_has_nothing_to_find(self):
        names, outcome = self.find("-a", "null", "-n", "10", "-C", "-r", tasks=2)
        self.assertEqual((names["entries"], names["find"]["made_entries"]), (1, None))
        self.assertEqual(self.m4(outcome), [])


if __name__ == "__main__":
    unittest.main()
