"""Metadata tests: names, shapes and owners in real directories, calls per operation, what fails."""

import collections
import glob
import os
import shutil
import re
import stat
import signal
import subprocess
import unittest

import storage
import tracing
from program import IORX, SOURCE, Case, is_sanitized, needs_backend, needs_root

PHASES = ["tree-create", "dir-create", "dir-stat", "dir-rename", "dir-remove", "file-create",
          "file-stat", "file-read", "file-remove", "tree-remove"]


def walk(folder):
    """Every directory and file below, as paths from there; those of directories end in a slash."""
    found = set()
    for root, directories, files in os.walk(folder):
        base = os.path.relpath(root, folder)
        found |= {os.path.normpath(os.path.join(base, name)) + "/" for name in directories}
        found |= {os.path.normpath(os.path.join(base, name)) for name in files}
    return found


class Shape:
    """What the documentation says of names, written down once more, the plain way."""

    def __init__(self, tasks, n=0, i=0, b=1, z=0, leaf=False, unique=False, targets=("out",)):
        self.tasks, self.b, self.unique, self.targets = tasks, b, unique, targets
        self.directories = sum(b ** level for level in range(z + 1))
        holders = b ** z if leaf else self.directories
        self.first = self.directories - holders
        self.per_directory = i or n // holders
        self.per_tree = i * holders if i else n
        self.items = n or self.per_tree
        self.even = self.per_directory * holders

    def path(self, task, k, directory):
        stem = f"mdtest_tree.{task}." if self.unique else "mdtest_tree."
        chain = [directory]
        while chain[0]:
            chain.insert(0, (chain[0] - 1) // self.b)
        target = self.targets[task % len(self.targets)]
        return "/".join([target, f"test-dir.0-{k}", *(f"{stem}{number}" for number in chain)])

    def trees(self):
        return -(-self.items // self.per_tree)

    def names(self, kind):
        """Of all items."""
        for task in range(self.tasks):
            for index in range(self.items):
                k, item = divmod(index, self.per_tree)
                directory = item // self.per_directory if item < self.even else item - self.even
                yield self.path(task, k, self.first + directory) + f"/{kind}.mdtest.{task}.{item}"

    def everything(self, kinds):
        owners = range(self.tasks if self.unique else min(self.tasks, len(self.targets)))
        found = {self.path(task, k, directory) + "/" for task in owners
                 for k in range(self.trees()) for directory in range(self.directories)}
        for target in {self.targets[task % len(self.targets)] for task in range(self.tasks)}:
            found |= {f"{target}/", *(f"{target}/test-dir.0-{k}/" for k in range(self.trees()))}
            found |= {f"{target}/test-dir.0-{k}/.iorx-mdtest" for k in range(self.trees())}
        if "dir" in kinds:
            found |= {name + "/" for name in self.names("dir")}
        if "file" in kinds:
            found |= set(self.names("file"))
        return found


class Trees(Case):
    SHAPES = [
        (["-n", "23"], dict(n=23), 2),
        (["-n", "103", "-z", "2", "-b", "3", "-u"], dict(n=103, z=2, b=3, unique=True), 3),
        (["-I", "4", "-z", "2", "-b", "3", "-L"], dict(i=4, z=2, b=3, leaf=True), 2),
        (["-n", "33", "-I", "10"], dict(n=33, i=10), 1),
        (["-n", "95", "-I", "3", "-z", "1", "-b", "4"], dict(n=95, i=3, z=1, b=4), 2),
        (["-n", "11", "-z", "3", "-d", "a@b/c", "--parents"], dict(n=11, z=3, targets=("a", "b/c")), 3),
        (["-n", "11", "-z", "1", "-b", "2", "-u", "-d", "a@b"],
         dict(n=11, z=1, b=2, unique=True, targets=("a", "b")), 3),
        (["-n", "3", "-z", "2", "-b", "2"], dict(n=3, z=2, b=2), 2),
    ]

    def test_directories_hold_what_the_formulas_say(self):
        for number, (arguments, shape, tasks) in enumerate(self.SHAPES):
            with self.subTest(arguments=arguments):
                folder = os.path.join(self.folder, str(number))
                os.mkdir(folder)
                expected = Shape(tasks, **shape)
                common = ["mdtest", *arguments, "--names=" + ("full", "relative")[number % 2]]
                outcome = self.run_iorx([*common, "-C", "-U"], tasks, folder=folder)
                self.assert_exit(outcome, 0)
                there = expected.everything({"dir", "file"})
                there |= {name.split("/")[0] + "/" for name in expected.targets}
                self.assertEqual(walk(folder), there)
                self.assertEqual(outcome.phase("file-create")["metadata"]["operations"],
                                 tasks * expected.items)
                outcome = self.run_iorx([*common, "-T", "-E", "-r", "-RR"], tasks, folder=folder)
                self.assert_exit(outcome, 0)
                self.assertEqual({name for name in walk(folder) if "test-dir" in name}, set())

    def test_every_phase_is_measured(self):
        outcome = self.run_iorx(["mdtest", "-n", "50", "-z", "1", "-b", "3", "-u", "-i", "2"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.phases(), [(name, repetition, "complete")
                                            for repetition in range(2) for name in PHASES])
        for name in PHASES:
            phase = outcome.phase(name, 1)
            count = 8 if "tree" in name else 100
            self.assertEqual((phase["metadata"]["operations"], phase["metadata"]["failed_operations"]),
                             (count, 0))
            self.assertEqual(sum(n for _, n in next(iter(phase["operations"].values()))["histogram"]),
                             count)
            self.assertAlmostEqual(phase["rates"]["total_operations_per_s"],
                                   count / phase["intervals"]["total_s"], delta=1)
            self.assertRegex(outcome.out, rf"(?m)^{name} *\?? *1 .* {count} +0$")
        self.assertEqual(walk(self.folder), {"out/"})

    def test_kinds_and_phases_are_chosen(self):
        for arguments, phases in ((["-F"], ["tree-create", "file-create", "file-stat", "file-read",
                                            "file-remove", "tree-remove"]),
                                  (["-D"], ["tree-create", *PHASES[1:5], "tree-remove"]),
                                  (["-C", "-F"], ["tree-create", "file-create"]),
                                  (["-T"], ["dir-stat", "file-stat"]), (["-E"], ["file-read"]),
                                  (["-U"], ["dir-rename"]),
                                  (["-r"], ["dir-remove", "file-remove", "tree-remove"])):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(["mdtest", "-a", "null", "-n", "5", *arguments])
                self.assert_exit(outcome, 0)
                self.assertEqual([name for name, _, _ in outcome.phases()], phases)

    def test_the_level_of_output_is_a_number_or_a_count(self):
        for arguments in (["-V", "2"], ["-V2"], ["-vv"], ["--verbose=2"]):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(["mdtest", "-a", "null", "-n", "1", *arguments])
                self.assert_exit(outcome, 0)
                self.assertEqual(outcome.document["run"]["options"]["verbose"]["value"], 2)
        self.assert_one_error(self.run_iorx(["mdtest", "-a", "null", "-n", "1", "-V"]), "-V needs a value")

    def test_a_link_and_a_block_are_the_same_test(self):
        os.symlink(IORX, os.path.join(self.home, "mdtest"))
        outcome = self.run_iorx(["-n", "6", "-F"], program=os.path.join(self.home, "mdtest"))
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.phase("file-create")["metadata"]["operations"], 6)
        with open(os.path.join(self.folder, "job.ior"), "w", encoding="utf-8") as job:
            job.write("IOR START\napi=null\nIOR STOP\nMDTEST START\nitems=6\nfilesOnly=1\nRUN\n"
                      "names=relative, items=7\nRUN\nMDTEST STOP\n")
        outcome = self.run_iorx(["-f", "job.ior"])
        self.assert_exit(outcome, 0)
        self.assertEqual([outcome.phase("file-stat", test=test)["metadata"]["operations"]
                          for test in (1, 2)], [6, 7])
        self.assertEqual(outcome.phases(0)[0][0], "write")

    def test_flags_that_ask_for_what_is_so_are_taken(self):
        outcome = self.run_iorx(["mdtest", "-n", "2", "-F", "-D", "-b", "0", "-B", "0"])
        self.assert_exit(outcome, 0)
        self.assertEqual([phase for phase, *_ in outcome.phases()], PHASES)

    def test_without_items_only_the_tree_is_made(self):
        for arguments in [], ["-n", "0", "-F", "--scaling=strong", "-w", "5"], ["-n0", "--names=relative", "-L"]:
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(["mdtest", "-z", "1", "-b", "2", *arguments], 2)
                self.assert_exit(outcome, 0)
                self.assertEqual([phase for phase, *_ in outcome.phases()], ["tree-create", "tree-remove"])
                self.assertEqual(outcome.phase("tree-create")["metadata"]["operations"], 3)
                self.assertIn("items: none are asked for, so only directories of the tree are made and removed; -n gives "
                              "their number for each task, -I for each directory", outcome.messages("warning"))
                self.assertEqual(walk(self.folder), {"out/"})

    def test_what_makes_no_sense_is_refused(self):
        for arguments, text in ((["-r"], "items: nothing says how many"),
                                (["--mix=create:1,stat:1,remove:1"], "items: nothing says how many"),
                                (["-n", "5", "-b", "0", "-z", "1"], "branch: with 0 directories below each"),
                                (["-n", "5", "-d", "a@@@"], "dir: directory 2 of"),
                                (["-n", "5", "-b", "4k", "-z", "20"], "depth: 20 levels of 4096"),
                                (["-n", "5", "-z", "900"], "depth: paths of its items"),
                                (["-n", "5", "-E", "-D"], "read: there is no phase left"),
                                (["-n", "5", "-R15"], "random: 15 is no level: 1 (-R) stats in random order, 2 (-RR) reads "
                                                      "and removes so too; the seed is --random-seed=15"),
                                (["-n", "5", "-RRR"], "random: 3 is no level"),
                                (["-n", "5", "--block-size=1m"], "block_size: a metadata test")):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(["mdtest", *arguments])
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, text)
                self.assertEqual(walk(self.folder), set())

    def test_trees_that_are_there_are_not_made_again_nor_missing_ones_looked_for(self):
        common = ["mdtest", "-n", "5", "-F"]
        outcome = self.run_iorx([*common, "-T"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "dir: there is no tree out/test-dir.0-0/mdtest_tree.0")
        self.assert_exit(self.run_iorx([*common, "-C"]), 0)
        before = walk(self.folder)
        outcome = self.run_iorx(common)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "out/test-dir.0-0/mdtest_tree.0 is there already")
        self.assertEqual(walk(self.folder), before)

    def test_what_others_put_there_stays(self):
        common = ["mdtest", "-n", "5", "-z", "1"]
        self.assert_exit(self.run_iorx([*common, "-C"]), 0)
        foreign = os.path.join(self.folder, "out/test-dir.0-0/mdtest_tree.0/thesis.tex")
        with open(foreign, "w", encoding="utf-8") as file:
            file.write("years of work")
        outcome = self.run_iorx([*common, "-r"])
        self.assert_exit(outcome, 1)
        self.assertEqual(outcome.phase("tree-remove")["metadata"]["errors"], {"ENOTEMPTY": 1})
        self.assertTrue(os.path.exists(foreign))

    def put(self, name):
        path = os.path.join(self.folder, "out", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("" if name.endswith(".iorx-mdtest") else "years of work")
        return path

    def test_what_has_our_names_and_is_not_ours_stays_in_every_repetition(self):
        for flags in ([], ["-w", "4"], ["-y"]):
            for place in ("test-dir.0-0", "test-dir.1-0"):
                with self.subTest(flags=flags, place=place):
                    foreign = self.put(place + "/mdtest_tree.0/file.mdtest.0.0")
                    outcome = self.run_iorx(["mdtest", "-n", "3", "-F", "-i", "2", *flags])
                    self.assertNotEqual(outcome.exit_code, 0)
                    with open(foreign, encoding="utf-8") as file:
                        self.assertEqual(file.read(), "years of work")
                    shutil.rmtree(os.path.join(self.folder, "out"))

    def test_trees_of_others_get_no_marker_and_are_not_removed(self):
        foreign = self.put("test-dir.0-0/mdtest_tree.0.0/file.mdtest.0.0")
        outcome = self.run_iorx(["mdtest", "-n", "3", "-F", "-C"])
        self.assertNotEqual(outcome.exit_code, 0)
        self.assertIn("not empty", outcome.err)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out/test-dir.0-0/.iorx-mdtest")))
        self.put("test-dir.0-0/mdtest_tree.0.0/thesis.tex")
        outcome = self.run_iorx(["mdtest", "-n", "1", "-F", "-u", "-r"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "was not made by iorx")
        self.assertTrue(os.path.exists(foreign))

    def test_cleaning_follows_no_link_and_takes_no_other_names(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "3", "-F", "-C"]), 0)
        foreign = [self.put("far/file.mdtest.0.0"),
                   self.put("test-dir.0-0/mdtest_tree.0/file.mdtest.results.txt"),
                   self.put("elsewhere/mdtest_tree.0/file.mdtest.0.0"), self.put("elsewhere/.iorx-mdtest")]
        base = os.path.join(self.folder, "out")
        os.symlink("../far", os.path.join(base, "test-dir.0-0/mdtest_tree.7"))
        os.symlink("elsewhere", os.path.join(base, "test-dir.9-9"))
        self.run_iorx(["mdtest", "--cleanup", base])
        self.assertEqual([os.path.exists(path) for path in foreign], [True] * 4)
        self.assertFalse(os.path.exists(os.path.join(base, "test-dir.0-0/mdtest_tree.0/file.mdtest.0.0")))


@unittest.skipIf(tracing.why_not(), tracing.why_not())
class Calls(Case):
    """strace -s 0 hides names, so this one keeps them."""

    # Full names go to the plain calls; they are counted with the forms that take a directory.
    PLAIN = {"mkdir": "mkdirat", "rmdir": "unlinkat", "unlink": "unlinkat", "rename": "renameat"}

    def in_directory(self, call, text):
        """A call as the form that takes a directory."""
        return (self.PLAIN[call], "AT_FDCWD, " + text) if call in self.PLAIN else (call, text)

    def calls(self, arguments, tasks=1):
        """[[(call, its arguments)]] of each task that worked below out/."""
        prefix = os.path.join(self.home, "calls")
        wrapper = ("strace", "-ff", "-qq", "-s", "400", "--seccomp-bpf", "-e",
                   "trace=%file,%desc", "-e", "signal=none", "-o", prefix)
        outcome = self.run_iorx(["mdtest", *arguments], tasks, wrapper=wrapper)
        self.assert_exit(outcome, 0)
        found = []
        for name in glob.glob(prefix + ".*"):
            with open(name, encoding="utf-8", errors="replace") as lines:
                made = [tracing.LINE.match(line) for line in lines]
            made = [self.in_directory(call[1], call[2]) for call in made if call]
            if any("mdtest." in text for _, text in made):
                found.append(made)
            os.remove(name)
        return found

    def of_items(self, made):
        """Calls on items, with the close that follows an open."""
        found, opened = collections.Counter(), False
        for call, text in made:
            if re.search(r"(file|dir)\.mdtest\.", text):
                flags = re.search(r"O_CREAT|O_RDONLY", text)
                found[call + (" " + flags[0] if flags else "")] += 1
                opened = call == "openat"
            elif opened:
                found[call] += 1
                opened = False
        return found

    def test_each_operation_is_as_few_calls_as_can_be(self):
        for form in "full", "relative":
            with self.subTest(names=form):
                made, = self.calls(["-n", "40", "--names=" + form])
                found = self.of_items(made)
                stat = "newfstatat" if "newfstatat" in found else "statx"
                # one stat says before the renames that the spare name is free
                self.assertEqual(found, {"mkdirat": 40, stat: 81, "renameat": 41, "unlinkat": 80,
                                         "openat O_CREAT": 40, "openat O_RDONLY": 40, "close": 80})

    def test_full_names_are_paths_and_relative_ones_are_not(self):
        for form, pattern in (("full", r'^AT_FDCWD, "out/test-dir.0-0/mdtest_tree.0/file.mdtest.0.3"'),
                              ("relative", r'^\d+, "file.mdtest.0.3"')):
            for data in [], ["-w", "10", "-e", "10", "-y"]:
                made, = self.calls(["-n", "5", "-F", "--names=" + form, *data])
                given = [text for call, text in made if "file.mdtest.0.3" in text]
                self.assertEqual(len(given), 4)
                for text in given:
                    self.assertRegex(text, pattern)

    def test_a_stride_goes_on_from_task_to_task(self):
        owners = {}
        for made in self.calls(["-n", "3", "-F", "-N", "1"], 4):
            own = next(re.search(r"file\.mdtest\.(\d)\.", text)[1] for _, text in made
                       if "O_CREAT" in text and "file.mdtest" in text)
            owners[int(own)] = [
                {int(number) for call, text in made if re.match(kind, call) and "O_CREAT" not in text
                 for number in re.findall(r"file\.mdtest\.(\d)\.", text)}
                for kind in ("newfstatat|statx", "openat", "unlinkat")]
        self.assertEqual(owners, {task: [{(task + step) % 4} for step in (1, 2, 3)]
                                  for task in range(4)})


class Ways(Case):
    """Options that change how items are made, or by whom."""

    def items(self, outcome, name):
        names = outcome.phase(name)["metadata"]
        self.assertEqual(names["failed_operations"], 0)
        return names["operations"]

    def test_data_is_written_synced_read_and_compared(self):
        for form in "full", "relative":
            outcome = self.run_iorx(["mdtest", "-n", "60", "-F", "-w", "3901", "-e", "3901", "-X", "-y",
                                     "--verify-write", "-N", "1", "--names=" + form], 3)
            self.assert_exit(outcome, 0)
            for name in "file-create", "file-read":
                names = outcome.phase(name)["metadata"]
                self.assertEqual((names["bytes"], names["form"]), (180 * 3901, form))
        common = ["mdtest", "-n", "60", "-F", "-w", "3901", "-e", "3901", "-X", "-G", "27"]
        self.assert_exit(self.run_iorx([*common, "-C"]), 0)
        tree = os.path.join(self.folder, "out/test-dir.0-0/mdtest_tree.0/file.mdtest.0.")
        self.assertEqual({os.path.getsize(tree + str(item)) for item in range(60)}, {3901})
        with open(tree + "7", "r+b") as file:
            file.seek(1000)
            file.write(b"wrong")
        os.truncate(tree + "9", 100)
        os.replace(tree + "11", tree + "12")
        outcome = self.run_iorx([*common, "-E"])
        self.assert_exit(outcome, 1)
        names = outcome.phase("file-read")["metadata"]
        self.assertEqual((names["operations"], names["errors"]), (56, {"other": 3, "ENOENT": 1}))
        self.assert_one_error(outcome, "file.mdtest.0.7: the data is not what was written: from byte 1000 on 5 bytes are wrong (bits)")
        outcome = self.run_iorx(["mdtest", "-n", "60", "-F", "-e", "3901", "-X", "-E"])
        self.assert_exit(outcome, 1)
        learned = outcome.phase("file-read")["metadata"]
        self.assertEqual((learned.pop("learned_seed"), learned["operations"], learned["errors"]),
                         (27, 56, names["errors"]))

    def test_data_of_another_seed_or_number_of_files_is_told_from_damage(self):
        common = ["mdtest", "-F", "-e", "200", "-X", "-E"]
        self.assert_exit(self.run_iorx(["mdtest", "-F", "-n", "5", "-w", "200", "-G", "5", "-C"], 3), 0)
        for more, text in ((["-n", "5", "-G", "6"], "file.mdtest.0.0 carries seed 5 and 6 was given (-G); give the seed of the data"),
                           (["-n", "4"], "is that of a run with 5 files of each task, and this test has 4; give the -n"),
                           (["-n", "4", "-G", "5"], "is that of a run with 5 files of each task")):
            for dry in [], ["--dry-run"]:
                outcome = self.run_iorx([*common, *more, *dry], 3)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, text)
        self.assert_exit(self.run_iorx([*common, "-n", "5", "-G", "5"], 3), 0)
        # one that lies in the place of another is damage
        tree = os.path.join(self.folder, "out/test-dir.0-0/mdtest_tree.0/file.mdtest.")
        shutil.copy(tree + "2.4", tree + "1.0")
        outcome = self.run_iorx([*common, "-n", "5"], 3)
        self.assert_exit(outcome, 1)
        self.assertEqual(outcome.phase("file-read")["metadata"]["errors"], {"other": 1})
        text = "bytes are of file 14, and file 5 was expected: misplaced, or written with another -n"
        self.assert_one_error(outcome, "file.mdtest.1.0: the data is not what was written: from byte 0 on ", text)
        self.assertIn(text, str(outcome.phase("file-read")["failure"]))

    def test_task_0_creates_for_all(self):
        outcome = self.run_iorx(["mdtest", "-n", "20", "-c", "-N", "1", "-z", "1"], 3)
        self.assert_exit(outcome, 0)
        for name in PHASES[1:-1]:
            self.assertEqual(self.items(outcome, name), 60)
        for name in "dir-create", "file-create":
            self.assertEqual(outcome.phase(name)["metadata"]["least_task_operations"], 0)

    def test_shared_files_are_everybodys(self):
        outcome = self.run_iorx(["mdtest", "-n", "20", "-S", "-C"], 3)
        self.assert_exit(outcome, 0)
        names = {name for name in walk(self.folder) if "file.mdtest" in name}
        self.assertEqual(names, {f"out/test-dir.0-0/mdtest_tree.0/file.mdtest.shared.{item}"
                                 for item in range(20)})
        outcome = self.run_iorx(["mdtest", "-n", "20", "-S", "-T", "-E", "-r"], 3)
        self.assert_exit(outcome, 0)
        self.assertEqual([self.items(outcome, name) for name in
                          ("file-stat", "file-read", "file-remove")], [60, 60, 20])

    def test_directories_are_listed_once(self):
        # 6 directories below the roots, and the items of three tasks in 4 deepest ones
        for arguments, count, entries in ((["-u"], 21, 3 * (6 + 40)), ([], 7, 6 + 120)):
            outcome = self.run_iorx(["mdtest", "-I", "10", "-z", "2", "-b", "2", "-L", "-D", "-C",
                                     "--list", "-d", f"out{count}", *arguments], 3)
            self.assert_exit(outcome, 0)
            names = outcome.phase("list")["metadata"]
            self.assertEqual((names["operations"], names["entries"]), (count, entries))

    def test_mknod_sync_pauses_and_the_way_there(self):
        outcome = self.run_iorx(["mdtest", "-n", "20", "-k", "-Y", "-t", "-F", "-u", "-z", "1", "-P",
                                 "--names=relative", "-p", "0.3", "-i", "2"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(self.items(outcome, "file-create"), 40)
        self.assertGreater(outcome.phase("file-create")["intervals"]["sync_s"], 0)
        self.assertGreater(outcome.seconds, 0.6)

    def test_mknod_makes_files_with_the_mode_that_mdtest_gives_them(self):
        for flags in [], ["--names=relative"], ["--mix=create:20,stat:60,remove:20", "--mix-operations=5"]:
            with self.subTest(flags=flags):
                self.assert_exit(self.run_iorx(["mdtest", "-n", "3", "-kFCE", *flags]), 0)
                modes = [os.stat(os.path.join(self.folder, name)).st_mode for name in walk(self.folder)
                         if "/file.mdtest." in name]
                self.assertEqual(modes, [stat.S_IFREG | 0o400] * 3)
                outcome = self.run_iorx(["mdtest", "--cleanup", "out"], output=False)
                self.assert_exit(outcome, 0)

    def test_a_stonewall_wears_out_and_its_count_is_kept(self):
        status = os.path.join(self.results, "status")
        common = ["mdtest", "-n", "100000000", "-F", "-u", "-x", status]
        outcome = self.run_iorx([*common, "-C", "-W", "0.3"], 2)
        self.assert_exit(outcome, 0)
        names = outcome.phase("file-create")["metadata"]
        with open(status, encoding="utf-8") as file:
            count = int(file.read())
        self.assertEqual(names["stonewall"]["most_task_operations"], count)
        self.assertEqual((names["least_task_operations"], names["operations"]), (count, 2 * count))
        self.assertIn("stonewalled after 0.3", outcome.out)
        outcome = self.run_iorx([*common, "-T", "-r"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(self.items(outcome, "file-remove"), 2 * count)
        self.assertEqual(walk(self.folder), {"out/"})

    def test_what_cannot_go_together_is_refused(self):
        for arguments, text in ((["-w", "5", "-k"], "mknod: it makes an empty file"),
                                (["-S", "-u"], "shared_file: it is for files in a tree"),
                                (["-X"], "verify_read: nothing is read"),
                                (["-w", "5", "-e", "6"], "read_bytes: more than write_bytes"),
                                (["-d", "a@b@./c@b/"], 'dir: b/ stands twice in "a@b@./c@b/"'),
                                (["-d", "a/b@.//a/./b"], "dir: .//a/./b stands twice"),
                                (["-B"], "-B: phases begin together here")):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(["mdtest", "-n", "5", *arguments])
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, text)

    @needs_backend("hdf5")
    def test_formats_open_by_whole_paths(self):
        outcome = self.run_iorx(["mdtest", "-a", "hdf5", "-n", "5", "-w", "5", "--names=relative"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "names: relative: hdf5 opens files with data")

    def test_a_full_test_says_that_its_directories_had_grown(self):
        outcome = self.run_iorx(["mdtest", "-n", "5"])
        self.assertEqual([outcome.phase(name)["metadata"]["directories"]
                          for name in ("dir-create", "file-create")], ["fresh", "grown"])
        self.assertIn("M3", {rule["id"] for rule in outcome.phase("file-create")["verdicts"]})


class Cleaning(Case):
    def test_what_is_left_is_removed_and_nothing_else(self):
        for arguments in ["-u"], ["-d", "out"]:
            self.assert_exit(self.run_iorx(["mdtest", "-n", "30", "-z", "1", "-b", "2", "-C", "--parents", *arguments,
                                            "-d", "out/" + arguments[0].strip("-")], 2), 0)
        base = os.path.join(self.folder, "out/u")
        foreign = ["test-dir.0-0/mdtest_tree.0.0/thesis.tex", "data.csv", "test-dir.9-9/file.mdtest.0.0"]
        os.mkdir(base + "/test-dir.9-9")
        for name in foreign:
            with open(os.path.join(base, name), "w", encoding="utf-8") as file:
                file.write("years of work")
        outcome = self.run_iorx(["mdtest", "--cleanup", base])
        self.assert_exit(outcome, 0)
        self.assertRegex(outcome.err, r"note: .*: \d+ files and directories of metadata tests were removed")
        self.assertNotIn("warning", outcome.err)
        self.assertNotIn("were removed", outcome.out)
        self.assertEqual(walk(base), {*foreign, "test-dir.9-9/", "test-dir.0-0/",
                                      "test-dir.0-0/.iorx-mdtest", "test-dir.0-0/mdtest_tree.0.0/"})
        outcome = self.run_iorx(["mdtest", "--cleanup", self.folder + "/out/d"])
        self.assertEqual(walk(self.folder + "/out/d"), set())
        outcome = self.run_iorx(["mdtest", "--cleanup", "nowhere"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "cleanup", "nowhere: No such file or directory")
        for arguments in ["-n", "1"], ["-I", "10"]:
            outcome = self.run_iorx(["mdtest", "--cleanup", base, *arguments])
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "cleanup: it only removes")

    def test_a_run_that_is_interrupted_leaves_nothing(self):
        job = self.start_iorx(["mdtest", "-n", "2000", "-i", "1000000", "-F", "-u"], 2)
        job.wait_for_phase(1)
        job.kill(job.launcher(), signal.SIGTERM)
        outcome = job.wait()
        # MPICH's launcher sometimes forgets what task 0 returned.
        self.assertNotEqual(outcome.document.get("exit_code", 1), 0)
        self.assertEqual(walk(self.folder), {"out/"})
        self.assertEqual(outcome.document["status"], "interrupted")


class Targets(Case):
    """The directory to work in is looked at before anything is touched."""

    def test_a_directory_that_cannot_be_made_is_refused_before_the_run(self):
        with open(os.path.join(self.folder, "file"), "w", encoding="utf-8") as file:
            file.write("years of work")
        for target, why in (("/proc/nope", "holds what the kernel tells"),
                            ("/proc/nope/below", "holds what the kernel tells"),
                            ("file/below/it", "dir: file is not a directory"),
                            ("file", "dir: file is not a directory")):
            for more in [], ["--dry-run"]:
                with self.subTest(target=target, more=more):
                    outcome = self.run_iorx(["mdtest", "-n", "5", "-d", target, *more], 2)
                    self.assert_exit(outcome, 2)
                    self.assert_one_error(outcome, why, "choose another")
        self.assertEqual(walk(self.folder), {"file"})
        outcome = self.run_iorx(["mdtest", "-n", "5", "-d", "new/below", "--parents", "--dry-run"])
        self.assert_exit(outcome, 0)
        self.assertEqual(walk(self.folder), {"file"})

    def test_a_tree_that_is_there_names_the_way_to_remove_it(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "5", "-C"]), 0)
        outcome = self.run_iorx(["mdtest", "-n", "5", "-C"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "is there already", "-r")


class Backends(Case):
    def test_those_listed_with_metadata_are_those_that_are_accepted(self):
        listed = subprocess.run([IORX, "--list-backends"], capture_output=True, text=True,
                                check=True).stdout
        # an entry goes on in blank-indented lines
        entries = re.sub(r"\n {20,}", " ", listed)
        # those with URLs want a server
        tried = re.findall(r"(?m)^(\w+) +[A-Z]*-? (?!.*a URL,).*shared writes(.*)$", entries)
        self.assertIn("posix", dict(tried))
        for name, abilities in tried:
            with self.subTest(api=name):
                outcome = self.run_iorx(["mdtest", "-a", name, "-n", "3", "--dry-run"])
                has_metadata = re.search(r"(?<!some)(?<!queued) metadata\b", " ".join(abilities.split())) is not None
                self.assertEqual(outcome.exit_code, 0 if has_metadata else 2, abilities)


class Pages(Case):
    """What stands on the page and in the messages."""

    def test_a_plan_of_a_cleanup_says_what_is_looked_for_and_touches_nothing(self):
        self.assert_exit(self.run_iorx(["mdtest", "-n", "2", "-CF"]), 0)
        there = walk(self.folder)
        outcome = self.run_iorx(["mdtest", "--cleanup", "out", "--show-plan"], output=False)
        self.assert_exit(outcome, 0)
        for text in "cleaning out", "looks for directories test-dir.REPETITION-NUMBER", "nothing was touched":
            self.assertIn(text, " ".join(outcome.out.split()))
        outcome = self.run_iorx(["mdtest", "--cleanup", "out", "--dry-run"], output=False)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "dry_run: it does not list what cleanup would remove; --show-plan says")
        self.assertEqual(walk(self.folder), there)

    def test_shared_files_are_counted_once(self):
        outcome = self.run_iorx(["mdtest", "-n", "20", "-S", "-F"], 4)
        self.assertIn("20 items for all tasks together", " ".join(outcome.out.split()))
        self.assertEqual(outcome.document["tests"][0]["plan"]["items"], 20)

    def test_flags_that_are_taken_stand_in_the_help(self):
        text = subprocess.run([IORX, "mdtest", "--help"], capture_output=True, text=True,
                              check=True).stdout
        for letter, words in ("W", "--stonewall"), ("x", "--status-file"), ("P", ""), ("Z", ""), ("V", "N"):
            self.assertRegex(text, rf"(?m)^  -{letter}[, ] *{words}")
        for letter, words in ("-A", "--ref-num"), ("-B", "phases begin together"):
            outcome = self.run_iorx(["mdtest", "-n", "5", letter])
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, words)

    def test_a_short_read_is_called_so(self):
        common = ["mdtest", "-n", "5", "-F"]
        self.assert_exit(self.run_iorx([*common, "-w", "3901", "-C"]), 0)
        outcome = self.run_iorx([*common, "-e", "5000", "-E"])
        self.assert_exit(outcome, 1)
        self.assertIn("5 failed: no errno: a short transfer", " ".join(outcome.out.split()))
        self.assert_one_error(outcome, "read of", "short read: the file ends 1099 bytes early")

    def test_a_run_that_only_reads_learns_the_seed(self):
        common = ["mdtest", "-n", "5", "-F"]
        self.assert_exit(self.run_iorx([*common, "-w", "100", "-C"], 2), 0)
        for form in "full", "relative":
            outcome = self.run_iorx([*common, "-E", "-e", "50", "-X", "-N", "1", "--names=" + form], 2)
            self.assert_exit(outcome, 0)
            self.assertEqual(outcome.phase("file-read")["metadata"]["operations"], 10)
            seed = outcome.phase("file-read")["metadata"]["learned_seed"]
            self.assertIn(f"seed {seed} learned from the data", outcome.out)
        given = self.run_iorx([*common, "-E", "-e", "50", "-X", "-G", str(seed)], 2)
        self.assert_exit(given, 0)
        self.assertNotIn("learned_seed", given.phase("file-read")["metadata"])
        tree = os.path.join(self.folder, "out/test-dir.0-0/mdtest_tree.0/file.mdtest.")
        os.remove(tree + "0.0")
        with open(tree + "1.3", "r+b") as file:
            file.seek(49)
            byte = file.read(1)[0]
            file.seek(49)
            file.write(bytes([byte ^ 1]))
        outcome = self.run_iorx([*common, "-E", "-e", "50", "-X"], 2)
        self.assert_exit(outcome, 1)
        names = outcome.phase("file-read")["metadata"]
        self.assertEqual((names["operations"], names["learned_seed"]), (8, seed))

    def test_data_that_says_nothing_of_its_seed_is_told(self):
        common = ["mdtest", "-n", "5", "-F"]
        self.assert_exit(self.run_iorx([*common, "-w", "100", "-C", "--content=ior"]), 0)
        outcome = self.run_iorx([*common, "-E", "-e", "100", "-X", "--content=ior"])
        self.assert_exit(outcome, 0)
        outcome = self.run_iorx([*common, "-E", "-e", "100", "-X"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "verify_read: ", "file.mdtest.0.0 has no stamp with its seed",
                              "give the seed of the run that wrote it (-G)")

    def test_a_mix_has_a_row_for_each_operation_asked_for(self):
        outcome = self.run_iorx(["mdtest", "-F", "-n", "20", "-N", "1", "-C", "-r", "--mix=stat:3,read:1"], 2)
        for name in "stat", "read":
            self.assertRegex(outcome.out, rf"(?m)^  {name} .* \d+ +-$")
        self.assertNotRegex(outcome.out, r"(?m)^  create ")

    def test_short_times_have_small_units(self):
        outcome = self.run_iorx(["mdtest", "-n", "50", "-F", "-i", "2", "-v"])
        self.assertRegex(outcome.out, r"(?m)^tree-create\S* +\S+ .* [\d.]+[um]s +1 +0$")
        self.assertRegex(" ".join(outcome.out.split()), r"median total [\d.]+ [um]?s")


    def test_nothing_is_said_of_transfers(self):
        job = os.path.join(self.folder, "job")
        with open(job, "w", encoding="utf-8") as file:
            file.write('MDTEST START\nitems=40, create=1, remove=1, filesOnly=1, list=1, find=1\n'
                       'writeBytes=100, mix="create:1,stat:1", mixOperations=50, stonewall=100\nMDTEST STOP\n')
        for arguments in (["mdtest", "-n", "40", "-u", "-Y", "-i", "2", "--outlier-threshold=1ns"], ["-f", job],
                          ["mdtest", "-n", "40", "-F", "-W", "1ms", "--fault.operation=remove", "--fault.count=1"]):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx([*arguments, "-v", "-v"], 2)
                self.assertNotIn("transfer", outcome.out.split("\n\n", 1)[1])
                self.assertRegex(" ".join(outcome.out.split()),
                                 r"busy [\d.]+ %; slowest create \S+ \S+ \(task \d on \S+, item \d+, after ")

    def test_missing_directories_are_told_from_those_above(self):
        here = self.run_iorx(["mdtest", "-n", "5", "-d", "."]).document["tests"][0]["mount"]
        above = self.run_iorx(["mdtest", "-n", "5", "--parents", "-d", "a/b/c"]).document["tests"][0]["mount"]
        for key in "directory", "type", "target":
            self.assertEqual(above[key], here[key])


class Balance(Case):
    def test_it_is_of_the_operations_and_not_of_the_sync(self):
        outcome = self.run_iorx(["mdtest", "-n", "200", "-F", "-Y", "-v"], 3)
        self.assert_exit(outcome, 0)
        for phase in outcome.document["tests"][0]["phases"]:
            with self.subTest(phase=phase["phase"]):
                rates, balance, stamps = phase["rates"], phase["balance"], phase["stamps"]
                total, worked = phase["intervals"]["total_s"], stamps["completion"]["last_ns"] / 1e9
                self.assertGreater(stamps["sync_end"]["last_ns"], stamps["completion"]["last_ns"])
                self.assertAlmostEqual(total, stamps["sync_end"]["last_ns"] / 1e9, delta=1e-9)
                alone = rates["total_operations_per_s"] * total / worked
                self.assertAlmostEqual(balance["straggler_loss"],
                                       1 - alone / rates["sum_of_tasks_operations_per_s"], delta=1e-6)
                self.assertLessEqual(balance["straggler_loss_without_skew"], balance["straggler_loss"] + 1e-9)

    def test_one_task_is_compared_with_no_others(self):
        out = self.run_iorx(["mdtest", "-n", "20", "-C", "-v"], 2).out
        self.assertEqual(out.count("x the others"), 2)  # dir-create, file-create
        self.assertNotIn("x the others", self.run_iorx(["mdtest", "-n", "20", "-v"]).out)


class Waiting(Case):
    def test_tasks_that_only_wait_are_in_no_time(self):
        for arguments, waiting in (([], ("tree-create", "tree-remove")),
                                   (["-S"], ("file-create", "file-remove"))):
            outcome = self.run_iorx(["mdtest", "-n", "20", "-F", *arguments], 4)
            self.assert_exit(outcome, 0)
            for name in waiting:
                with self.subTest(arguments=arguments, name=name):
                    phase = outcome.phase(name)
                    self.assertEqual(phase["tasks"]["measured"], 4)
                    self.assertEqual(phase["balance"]["start_skew_s"], 0)
            self.assertGreater(outcome.phase("file-stat")["balance"]["start_skew_s"], 0)


class Failures(Case):
    def test_failed_operations_are_counted_apart(self):
        common = ["mdtest", "-n", "100", "-F"]
        self.assert_exit(self.run_iorx([*common, "-C"]), 0)
        for item in range(0, 100, 10):
            os.remove(f"{self.folder}/out/test-dir.0-0/mdtest_tree.0/file.mdtest.0.{item}")
        outcome = self.run_iorx([*common, "-T"])
        self.assert_exit(outcome, 1)
        phase = outcome.phase("file-stat")
        self.assertEqual(phase["metadata"]["errors"], {"ENOENT": 10})
        self.assertEqual(phase["metadata"]["operations"], 90)
        self.assertEqual(phase["operations"]["stat"]["count"], 90)
        self.assertAlmostEqual(phase["rates"]["total_operations_per_s"],
                               90 / phase["intervals"]["total_s"], delta=1)
        self.assertIn("10 failed: No such file or directory", outcome.out)
        self.assert_one_error(outcome, "file-stat phase, repetition 0: task 0", "file.mdtest.0.0")
        outcome = self.run_iorx([*common, "-T", "--max-errors=3"])
        self.assertEqual(outcome.phase("file-stat")["metadata"]["errors"], {"ENOENT": 3})

    def test_all_storage_is_the_same(self):
        for kind in "ext4", "xfs", "btrfs":
            with self.subTest(kind=kind):
                there = storage.mounted(self, kind, SOURCE)
                outcome = self.run_iorx(["mdtest", "-n", "300", "-z", "1", "-b", "3", "-u", "-d",
                                         there.folder + "/out"], 2)
                self.assert_exit(outcome, 0)
                self.assertEqual(outcome.phase("dir-rename")["metadata"]["operations"], 600)
                self.assertEqual(os.listdir(there.folder + "/out"), [])
                there.close()


class Scale(Case):
    @unittest.skipIf(is_sanitized(), "a sanitizer keeps what was freed")
    def test_ten_million_items_take_no_memory(self):
        small, large = (self.peak(["-n", n]) for n in ("10", "10000000"))
        self.assertLess(large - small, 1024)

    def peak(self, arguments):
        """KiB of a run."""
        script = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, " \
                 "stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL); " \
                 "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        done = subprocess.run(["python3", "-c", script, IORX, "mdtest", "-a", "null", "-F", "-C", "-z",
                               "3", "-b", "10", *arguments, "--output=" + self.results + "/r.json"],
                              capture_output=True, text=True, check=True)
        return int(done.stdout)


if __name__ == "__main__":
    unittest.main()
