"""Lists of values: a test for each, on the right tasks of the right hosts, and the table that compares them."""

import os
import re
import unittest

import hosts
from program import Case

NULL = ["-a", "null", "-b", "64k", "-t", "4k"]


def studied(outcome):
    """[(values that are varied, tasks, bytes of each)] of every test that belongs to a study."""
    return [(test["study"]["varied"], test["plan"]["tasks"], test["plan"].get("task_bytes"))
            for test in outcome.document["tests"] if test["study"]]


def tables(outcome):
    """{title: [cells of each row]} of the tables that compare the values of one option, their heads first.

    A title stands before the heads or on lines of its own. Rates lose their marks.
    """
    end = outcome.out[outcome.out.index("\nstudy  "):]
    found = {}
    for above, title, head, rows in re.findall(r"^((?:\S.*\n)*)(\S+(?: \S+)*?|) +((?:tasks nodes|\S+) +\S+/s .* p50 +p99)\n((?: .+\n)+)", end, re.M):
        lines = [line for line in above.split("\n") if not line.startswith("study  ")]
        found[" ".join([*lines, title]).strip()] = [line.split() for line in [head, *re.sub("[?!]", "", rows).splitlines()]]
    return found


def cross_tables(outcome):
    """{phase: lines} of the tables that compare the values of several options, without marks."""
    end = re.sub("[?!]", "", outcome.out[outcome.out.index("\nstudy  "):])
    return {phase: [" ".join(line.split()) for line in [head, *rows.splitlines()]]
            for phase, head, rows in re.findall(r"^(\S+) +(\S+/s .*task.*)\n((?:(?!best|[a-z-]+ +\S+/s).+\n)+)", end, re.M)}


class Study(Case):
    def job(self, text):
        path = os.path.join(self.results, "job.ior")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"IOR START\n{text}\nRUN\nIOR STOP\n")
        return path

    def test_each_number_of_tasks_is_a_test(self):
        outcome = self.run_iorx([*NULL, "--tasks=1,2,4", "-i", "6"], 4)
        self.assert_exit(outcome, 0)
        self.assertEqual(studied(outcome), [({"tasks": n}, n, 65536) for n in (1, 2, 4)])
        study = outcome.document["tests"][2]["study"]
        self.assertEqual(study, {"id": 0, "order": "interleaved", "sequential_because": None, "varied": {"tasks": 4},
                                 "scaling": "weak", "placement": "first"})
        for test, tasks in enumerate((1, 2, 4)):
            self.assertEqual(outcome.phase("write", 5, test)["tasks"]["measured"], tasks)
            self.assertEqual(outcome.document["tests"][test]["options"]["num_tasks"]["value"], tasks)

    def test_points_are_interleaved_over_the_repetitions(self):
        table = os.path.join(self.results, "rows.csv")
        data = ["-b", "64k", "-t", "16k,32k", "-o", os.path.join(self.folder, "data"), "-O", "warmup=1"]
        outcome = self.run_iorx([*data, "--tasks=1,2", "-i", "3", f"--task-table={table}"], 2)
        self.assert_exit(outcome, 0)
        with open(table, encoding="utf-8") as file:
            visits = [tuple(line.split(",")[:3]) for line in file][1:]
        order = [(int(test), int(repetition)) for test, phase, repetition in dict.fromkeys(visits)
                 if phase == "write"]
        self.assertEqual(order[:8], [(test, repetition) for test in range(4) for repetition in (0, 1)])
        self.assertEqual(order[8:], [(test, repetition) for repetition in (2, 3) for test in range(4)])
        for number, test in enumerate(outcome.document["tests"]):
            self.assertEqual((test["test"], test["study"]["order"]), (number, "interleaved"))
            self.assertEqual([(phase["phase"], phase["repetition"]) for phase in test["phases"]],
                             [(kind, repetition) for repetition in range(4) for kind in ("write", "read")])
            self.assertEqual([summary["complete_repetitions"] for summary in test["summaries"]], [3, 3])
        self.assertEqual(re.findall(r"^test (\d)", outcome.out, re.M), ["0"])
        self.assertRegex(outcome.out, r"test 0     point transfer_size=16KiB, num_tasks=1 of 4, all in turn:")
        self.assertNotRegex(outcome.out, r"(?m)^(?:phase rep|median) ")
        self.assertEqual(os.listdir(self.folder), [])

    def in_turns(self, *settings):
        """Runs points in turns: the Outcome, and the point of each repetition in their order."""
        table = os.path.join(self.results, "rows.csv")
        job = self.job("api = null\nblockSize = 32k\ntransferSize = 4k\nwriteFile = 1\n" + "\n".join(settings))
        outcome = self.run_iorx(["-f", job, f"--task-table={table}"])
        self.assert_exit(outcome, 0)
        self.assertEqual({test["study"]["order"] for test in outcome.document["tests"]}, {"interleaved"})
        with open(table, encoding="utf-8") as file:
            return outcome, [int(line.split(",")[0]) for line in file if not line.startswith("test,")]

    def test_each_point_has_the_whole_budget_in_turns(self):
        """If the turns of the slow point counted for the fast one, both would end within one repetition of each other."""
        points = "null.delay_xfer = [1000 60000]"
        for limit, end, status in (("budget = 4", "budget", "complete"), ("maxTimeDuration = 0.066", "ended", "skipped")):
            with self.subTest(limit=limit):
                outcome, order = self.in_turns(points, "repetitions = 50", limit)
                tests = outcome.document["tests"]
                fast, slow = ([phase for phase in test["phases"] if phase["status"] == "complete"] for test in tests)
                self.assertEqual((tests[1]["repetitions_end"], tests[1]["phases"][-1]["status"]), (end, status), outcome)
                self.assertGreater(len(fast), len(slow) + 1, outcome)
                self.assertEqual(order[:2 * len(slow)], [0, 1] * len(slow))

    def test_points_in_turns_repeat_until_each_is_precise(self):
        outcome, order = self.in_turns("null.delay_xfer = 1000", "precision = [100% 0.0001% 90%]", "repetitions = auto",
                                       "max_repetitions = 100")
        self.assertEqual([test["repetitions_end"] for test in outcome.document["tests"]],
                         ["precise", "max_repetitions", "precise"])
        self.assertEqual(order[:24], [0, 1, 2] * 8)
        self.assertEqual(order, [point for turn in range(100) for point in (0, 1, 2) if turn < order.count(point)])
        self.assertEqual(order.count(1), 100)

    def test_a_failure_in_turns_ends_all_points(self):
        outcome = self.run_iorx(["-b", "64k", "-t", "64k,32k,16k", "-i", "3", "-o", os.path.join(self.folder, "data"),
                                 "--fault.operation=write", "--fault.after=3"])
        self.assert_exit(outcome, 1)
        self.assertEqual(outcome.document["status"], "failed")
        self.assertEqual([len(test["phases"]) for test in outcome.document["tests"]], [2, 2, 1])
        self.assertEqual({test["repetitions_end"] for test in outcome.document["tests"]}, {"ended"})
        self.assertEqual(os.listdir(self.folder), [])

    def test_points_whose_files_stay_run_one_after_the_other(self):
        data = ["-b", "64k", "-t", "16k,32k", "-i", "2", "-o", os.path.join(self.folder, "data")]
        for more, why in ((["-k"], "keep_file"), (["--order=sequential"], "asked for")):
            outcome = self.run_iorx([*data, *more])
            self.assert_exit(outcome, 0)
            study = outcome.document["tests"][0]["study"]
            self.assertEqual(study["order"], "sequential")
            self.assertIn(why, study["sequential_because"])
            self.assertIn("one by one, as", outcome.out)

    def test_the_table_says_what_the_document_says(self):
        outcome = self.run_iorx([*NULL, "--tasks=1,2,4", "-i", "6"], 4)
        found = tables(outcome)
        self.assertEqual(list(found), ["write", "read"])
        self.assertIn("study 3 values of num_tasks x 6 repetitions, in turn; weak scaling, the first tasks ",
                      " ".join(outcome.out.split()))
        head, *rows = found["read"]
        self.assertEqual(head, "tasks nodes MiB/s from to op/s effic. p50 p99".split())
        summaries = [next(summary for summary in test["summaries"] if summary["phase"] == "read")
                     for test in outcome.document["tests"]]
        rates = [summary["total_rate"]["median_bytes_per_s"] for summary in summaries]
        for row, rate, tasks, summary in zip(rows, rates, (1, 2, 4), summaries):
            self.assertEqual(row[:2], [str(tasks), "1"])
            self.assertAlmostEqual(float(row[2]) / (rate / 2**20), 1, places=3)
            interval = summary["total_rate"]["median_interval"]
            for cell, bound in zip(row[3:5], ("lower", "upper")):
                self.assertAlmostEqual(float(cell) / (interval[f"{bound}_bytes_per_s"] / 2**20), 1, places=3)
            self.assertAlmostEqual(float(row[6].rstrip("%")), 100 * rate / tasks / rates[0], delta=0.1)
        self.assertLessEqual(max(map(len, outcome.out.splitlines())), 80)

    def test_the_text_says_nothing_twice_and_nothing_of_one_value(self):
        outcome = self.run_iorx([*NULL, "-w", "-v", "--tasks=2,3,4"], 4)
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.out.count("Rows of data: "), 1)
        self.assertEqual(outcome.out.count("Studies: "), 1)
        self.assertEqual(len(re.findall("^phase rep ", outcome.out, re.M)), 3)
        self.assertNotRegex(outcome.out, r"\bsd\b")
        again = self.run_iorx([*NULL, "-w", "-v", "-i", "2"], 1)
        self.assertRegex(again.out, r"\bsd\b")

    def test_two_lists_are_a_cross_table(self):
        job = self.job("api = null\nblockSize = 64k\ntasks = [1 3]\ntransferSize = [4k, 16k]\n"
                       "writeFile = 1")
        outcome = self.run_iorx(["-f", job], 3)
        self.assert_exit(outcome, 0)
        self.assertEqual(studied(outcome),
                         [({"tasks": tasks, "transfer_size": size}, tasks, 65536)
                          for tasks in (1, 3) for size in (4096, 16384)])
        self.assertIn("study 2 num_tasks x 2 transfer_size = 4 points; weak scaling", " ".join(outcome.out.split()))
        (head, *rows), = cross_tables(outcome).values()
        self.assertEqual(head, "MiB/s 1 task 3 tasks")
        self.assertEqual([row.split()[0] for row in rows], ["4KiB", "16KiB"])
        rates = [test["summaries"][0]["total_rate"]["median_bytes_per_s"] / 2**20 for test in outcome.document["tests"]]
        for row, wanted in zip(rows, (rates[0::2], rates[1::2])):
            for cell, rate in zip(row.split()[1:], wanted, strict=True):
                self.assertAlmostEqual(float(cell) / rate, 1, delta=0.01)
        best = max(rates)
        shown, = re.findall(r"^best +write ([\d.]+)", outcome.out, re.M)
        self.assertAlmostEqual(float(shown) / best, 1, delta=0.01)

    def test_other_options_are_compared_with_the_best(self):
        outcome = self.run_iorx([*NULL, "-w", "--null.delay-xfer=[40000,200,10000]"])
        self.assert_exit(outcome, 0)
        self.assertEqual([study["null.delay_xfer"] for study, _, _ in studied(outcome)], [40000, 200, 10000])
        (head, *rows), = tables(outcome).values()
        self.assertEqual(head, "delay_xfer MiB/s from to op/s of best p50 p99".split())
        self.assertEqual([row[0] for row in rows], ["40000", "200", "10000"])
        self.assertEqual(rows[1][5], "100.0%")
        self.assertLess(float(rows[0][5].rstrip("%")), float(rows[2][5].rstrip("%")))

    def test_strong_scaling_shares_the_bytes(self):
        outcome = self.run_iorx(["-b", "48k", "-t", "4k", "--tasks=1,2,3", "--scaling=strong", "-F"], 3)
        self.assert_exit(outcome, 0)
        self.assertEqual([size for _, _, size in studied(outcome)], [49152, 24576, 16384])
        self.assertIn("; strong scaling, the first tasks", " ".join(outcome.out.split()))
        outcome = self.run_iorx(["-b", "4k", "-t", "4k", "-s", "6", "--tasks=1,2,3",
                                 "--scaling=strong", "-w", "-W"], 3)
        self.assert_exit(outcome, 0)
        for test in outcome.document["tests"]:
            self.assertEqual(test["plan"]["file_bytes"], 24576)
            self.assertEqual({phase["data"]["bytes"] for phase in test["phases"]}, {24576})

    def test_what_cannot_be_shared_is_refused_with_its_place(self):
        job = self.job("tasks = [1 3]\nscaling = strong\nblockSize = 16k\ntransferSize = 4k")
        outcome = self.run_iorx(["-f", job], 3)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, f"{job}:4: block_size: 16KiB in transfers of 4KiB cannot be "
                                       "shared by 3 tasks (scaling=strong); use a multiple of 3 transfers")
        outcome = self.run_iorx(["-f", self.job("tasks = [1 2]\nscaling = strong\nsegmentCount = 3")], 2)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, ":4: segment_count: 3 cannot be shared by 2 tasks")

    def test_bad_lists_name_file_line_and_key(self):
        for line, message in (("tasks = [1 2", 'num_tasks: the list [1 2 has no "]" at its end'),
                              ("fsync = 1, tasks = [1 two]", 'num_tasks: "two" is not a number'),
                              ("transferSize = [4k 4096]", "transfer_size: 4KiB stands twice"),
                              ("tasks = []", "num_tasks: the list is empty"),
                              ("verbose = [0 1]", "verbose: a job has one value")):
            with self.subTest(line=line):
                job = self.job("\n" + line)
                outcome = self.run_iorx(["-f", job])
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, re.compile(re.escape(job) + r":3:\d+: " +
                                                          re.escape(message)))
        job = self.job("tasks = [1 2 9]")
        outcome = self.run_iorx(["-f", job], 2)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, f"{job}:2: num_tasks: 9 tasks are wanted but the job has 2")
        job = self.job("tasks = [1 3 9]")
        outcome = self.run_iorx(["-f", job], 2)
        self.assert_one_error(outcome, "num_tasks: 3 tasks are wanted but the job has 2; start it with mpirun -np 9, as "
                              "another test wants so many, or lower num_tasks")
        for arguments in (["-f", "5"], ["-f", "5", "-l", "7"]):
            outcome = self.run_iorx(["mdtest", "-n", "10", *arguments], 3)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "command line: first_tasks: 5 tasks are wanted but the job has 3; start it "
                                  "with mpirun -np 5 or lower first_tasks (-f)")
        self.assertEqual(os.listdir(self.folder), [])

    def test_metadata_tests_are_studied_too(self):
        outcome = self.run_iorx(["mdtest", "-n", "60", "-F", "-C", "-r", "--tasks=1,2,3", "-I", "[20 30]",
                                 "--scaling=strong"], 3)
        self.assert_exit(outcome, 0)
        tests = outcome.document["tests"]
        self.assertEqual([test["study"]["varied"] for test in tests],
                         [{"tasks": tasks, "metadata.items_per_dir": size}
                          for tasks in (1, 2, 3) for size in (20, 30)])
        for test in range(6):
            self.assertEqual(outcome.phase("file-create", 0, test)["operations"]["create"]["count"], 60)
        head, *rows = cross_tables(outcome)["file-create"]
        self.assertEqual(head, "op/s 1 task 2 tasks 3 tasks")
        self.assertEqual([row.split()[0] for row in rows], ["items_per_dir=20", "items_per_dir=30"])

    def test_strong_scaling_makes_exactly_as_many_items(self):
        for flags in [], ["-u"], ["-c"], ["-I", "7"], ["-N", "1", "-R"], ["-z", "2", "-b", "2"]:
            outcome = self.run_iorx(["mdtest", "-n", "50", *flags, "--tasks=[1 3 4]", "--scaling=strong", "-v"], 4)
            self.assert_exit(outcome, 0)
            for test, less in enumerate((0, 1, 2)):
                plan = outcome.document["tests"][test]["plan"]
                self.assertEqual((plan["items"], plan["tasks_with_one_item_less"]), (50, less), flags)
                for kind in "dir", "file":
                    for name in "create", "stat", "remove":
                        names = outcome.phase(f"{kind}-{name}", 0, test)["metadata"]
                        self.assertEqual((names["operations"], names["expected_operations"]), (50, 50),
                                         (flags, kind, name))
        self.assertIn("16 or 17 items of each task, 50 in all",
                      " ".join(outcome.out.split()))

    def test_fewer_items_than_tasks_leave_some_without(self):
        outcome = self.run_iorx(["mdtest", "-n", "2", "-F", "--tasks=[1 4]", "--scaling=strong"], 4)
        self.assert_exit(outcome, 0)
        names = outcome.phase("file-stat", 0, 1)["metadata"]
        self.assertEqual((names["operations"], names["working_tasks"]), (2, 2))
        plan = self.run_iorx(["mdtest", "-n", "2", "-F", "--tasks=[4]", "--scaling=strong", "--show-plan"], 4,
                             output=False)
        self.assertRegex(plan.out, r"1 from +out/\S+file\.mdtest\.1\.0\n +to +out/\S+file\.mdtest\.1\.0\n"
                                   r" +2 from +\(nothing\)")

    def test_the_word_mdtest_comes_first_and_its_options_have_a_name_in_jobs(self):
        for flags, text in ((["-w", "mdtest", "-n", "5"], "mdtest is the first word: iorx mdtest"),
                            (["--items=7"], "metadata.items for MDTEST blocks of a job file")):
            outcome = self.run_iorx(flags)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, text)

    def test_what_must_be_shared_evenly_says_so(self):
        for flags, why in ((["-S"], "shared_file (-S) needs that"), (["--mix=stat:1"], "a mix needs that")):
            outcome = self.run_iorx(["mdtest", "-n", "61", "-F", *flags, "--tasks=1,2", "--scaling=strong"], 2)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "command line: items: 61 cannot be shared by 2 tasks (scaling=strong) "
                                           f"evenly, and {why}; use a multiple of 2, such as -n 62; in a study, of each")

    def test_items_of_each_directory_are_not_shared_and_the_remedy_is_named(self):
        common = ["mdtest", "-I", "5", "-b", "2", "-z", "1", "-F", "-S", "--scaling=strong"]
        outcome = self.run_iorx(common, 3)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "command line: scaling: strong shares the items of all tasks, and items_per_dir "
                                       "(-I) alone counts those of each; add -n, ", "-n 45 for as many as without scaling")
        self.assert_exit(self.run_iorx([*common, "-n", "45"], 3), 0)

    def test_names_take_no_lists(self):
        outcome = self.run_iorx(["mdtest", "-n", "5", "--dir=[a b]"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "dir: names take no list; a@b deals", "./[a b] is one of that name")
        outcome = self.run_iorx(["-f", self.job("testFile = [a b]")])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, ":2: test_file: names take no list", "./[a b] is one of that name")
        self.assertEqual(os.listdir(self.folder), [])
        outcome = self.run_iorx(["mdtest", "-n", "5", "-d", "./[a b]"])
        self.assert_exit(outcome, 0)
        self.assertEqual(os.listdir(self.folder), ["[a b]"])

    def test_steps_of_tasks_as_mdtest_has_them(self):
        outcome = self.run_iorx(["mdtest", "-n", "10", "-f", "1", "-l", "5", "-s", "2"], 5)
        self.assert_exit(outcome, 0)
        self.assertEqual([varied for varied, _, _ in studied(outcome)],
                         [{"tasks": 1}, {"tasks": 3}, {"tasks": 5}])
        outcome = self.run_iorx(["mdtest", "-n", "10", "-f", "3", "-l", "2"], 3)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "command line: last_tasks: the tests go from first_tasks")

    def test_mdtests_steps_begin_with_one_task_and_end_with_those_there_are(self):
        for flags, tasks in ((["-l", "2"], [1, 2]), (["-f", "2"], [2]), (["-l", "9", "-s", "2"], [1, 3]),
                             (["-f", "2", "-l", "4"], [2, 3])):
            outcome = self.run_iorx(["mdtest", "-n", "10", *flags], 3)
            self.assert_exit(outcome, 0)
            self.assertEqual([varied["tasks"] for varied, _, _ in studied(outcome)], tasks, flags)
            cut = re.findall(r"warning: last_tasks: the job has 3 tasks; of the numbers up to (\d)", outcome.err)
            self.assertEqual(cut, [flag for flag in flags[-1:] + flags[1:2] if flag in "49"][:1], flags)
        outcome = self.run_iorx(["mdtest", "-n", "10", "-f", "4", "-l", "5"], 3)
        self.assert_exit(outcome, 2)
        self.assertIn("first_tasks: 4 tasks are wanted but the job has 3", outcome.err)

    def test_what_one_task_does_has_no_efficiency(self):
        outcome = self.run_iorx(["mdtest", "-n", "20", "--list", "--tasks=[1 2 4]"], 4)
        self.assert_exit(outcome, 0)
        shares = {title.split(",")[0]: [row[5] for row in rows[1:]]
                  for title, rows in tables(outcome).items()}
        alone = {"tree-create", "tree-remove", "list"}
        self.assertEqual({name for name, cells in shares.items() if cells == ["-"] * 3}, alone)
        self.assertEqual({cells[0] for name, cells in shares.items() if name not in alone}, {"100.0%"})
        words = [title.partition(", ")[2] for title in tables(outcome) if "one task" in title]
        self.assertEqual(words, [f"{verb} by one task: no efficiency" for verb in ("made", "listed", "removed")])
        for test, tasks in enumerate((1, 2, 4)):
            for name in shares:
                self.assertEqual(outcome.phase(name, 0, test)["metadata"]["working_tasks"],
                                 1 if name in alone else tasks, name)

    def test_who_works_follows_from_the_options(self):
        create, remove = "file-create", "file-remove"
        for flags, few in ((["-u"], {}),
                           (["-c"], {"tree-create": 1, create: 1, "tree-remove": 1}),
                           (["-S"], {"tree-create": 1, create: 1, remove: 1, "tree-remove": 1}),
                           (["-d", "a@b"], {"tree-create": 2, "tree-remove": 2})):
            outcome = self.run_iorx(["mdtest", "-n", "10", "-F", *flags, "--tasks=[3 4]"], 4)
            self.assert_exit(outcome, 0)
            found = {phase["phase"]: phase["metadata"]["working_tasks"]
                     for phase in outcome.document["tests"][1]["phases"]}
            self.assertEqual({name: count for name, count in found.items() if count < 4}, few, flags)
            self.assertEqual("by 2 tasks at most: no efficiency" in " ".join(outcome.out.split()),
                             "a@b" in flags)

    def test_a_study_that_stands_in_its_own_way_is_refused_before_anything_is_made(self):
        made = ["mdtest", "-n", "20", "-F", "-u"]
        for flags, text in ((["-C"], "create: each test of the study makes its tree anew"),
                            (["-C", "-T", "-E"], "create: each test of the study"),
                            (["-r"], "remove: the first test of the study removes the tree")):
            outcome = self.run_iorx([*made, *flags, "-f", "1", "-l", "3"], 3)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "command line: " + text)
            self.assertEqual(os.listdir(self.folder), [])
        self.assert_exit(self.run_iorx([*made, "-C", "-a", "null", "--tasks=[1 2]"], 2), 0)
        self.assertEqual(os.listdir(self.folder), [])
        self.assert_exit(self.run_iorx([*made, "-C"], 2), 0)
        self.assert_exit(self.run_iorx([*made, "-T", "--tasks=[1 2]"], 2), 0)

    def test_the_command_line_overrides_a_list(self):
        job = self.job("api = null\ntasks = [1 2]\ntransferSize = [4k 8k]\nblockSize = 64k")
        outcome = self.run_iorx(["-f", job, "--tasks=2", "-t", "[16k 32k]"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual([varied for varied, _, _ in studied(outcome)],
                         [{"transfer_size": 16384}, {"transfer_size": 32768}])

    def test_a_failure_ends_the_study_and_the_table_says_how_far_it_came(self):
        # 16 transfers a segment; the 21st of a test fails
        outcome = self.run_iorx([*NULL, "-w", "-s", "[1 2 3]", "--fault.operation=write",
                                 "--fault.after=20"])
        self.assert_exit(outcome, 1)
        self.assertEqual(len(studied(outcome)), 2)
        (_, *rows), = tables(outcome).values()
        self.assertEqual([row[0] for row in rows], ["1", "2"])
        self.assertEqual(" ".join(rows[1][1:]), "no complete repetition")

    def test_a_plan_of_a_study_shows_each_test(self):
        outcome = self.run_iorx(["--tasks=1,2", "--show-plan", "-t", "[64k,1m]"], 2, output=False)
        self.assert_exit(outcome, 0)
        self.assertEqual(re.findall(r"^test \d +point (.*) of 4: ", outcome.out, re.M),
                         ["num_tasks=1, transfer_size=64KiB", "num_tasks=1, transfer_size=1MiB",
                          "num_tasks=2, transfer_size=64KiB", "num_tasks=2, transfer_size=1MiB"])


@unittest.skipIf(hosts.why_not(), hosts.why_not())
class Placement(Case):
    @classmethod
    def setUpClass(cls):
        hosts.give(cls)

    def placed(self, slots, placement, tasks, by_node=False):
        """[[tasks on each host], …] for each number of tasks, as the rows of tasks say."""
        table = os.path.join(self.results, "tasks.csv")
        outcome = self.run_iorx(["-F", "-b", "8k", "-t", "4k", "-C", "-w", "-R", "--tasks=" + tasks,
                                 "--placement=" + placement, "--task-table=" + table],
                                sum(slots), wrapper=self.hosts.command(),
                                environment=self.hosts.environment(slots, by_node))
        self.assert_exit(outcome, 0)
        with open(table, encoding="ascii") as file:
            rows = [line.split(",") for line in file.read().splitlines()]
        test, phase, node = (rows[0].index(name) for name in ("test", "phase", "node"))
        found = [[0] * len(slots) for _ in outcome.document["tests"]]
        for row in rows[1:]:
            if row[phase] == "write":
                found[int(row[test])][int(row[node])] += 1
        for counts, test in zip(found, outcome.document["tests"]):
            self.assertEqual(test["plan"]["nodes"], sum(count > 0 for count in counts))
            self.assertEqual(test["study"]["placement"], placement)
        return found

    def test_spread_deals_one_to_each_host(self):
        self.assertEqual(self.placed((3, 3, 2), "spread", "1,2,3,4,7,8"),
                         [[1, 0, 0], [1, 1, 0], [1, 1, 1], [2, 1, 1], [3, 2, 2], [3, 3, 2]])

    def test_uneven_hosts_give_what_they_have(self):
        self.assertEqual(self.placed((1, 4, 2), "spread", "4,6"), [[1, 2, 1], [1, 3, 2]])

    def test_packed_fills_host_after_host(self):
        self.assertEqual(self.placed((3, 3, 2), "packed", "2,3,4,7"),
                         [[2, 0, 0], [3, 0, 0], [3, 1, 0], [3, 3, 1]])

    def test_packed_of_tasks_dealt_out_takes_one_host_first(self):
        self.assertEqual(self.placed((2, 2, 2), "packed", "2,3", by_node=True), [[2, 0, 0], [2, 1, 0]])

    def test_first_follows_the_launcher(self):
        self.assertEqual(self.placed((2, 2, 2), "first", "2,4", by_node=True), [[1, 1, 0], [2, 1, 1]])
        self.assertEqual(self.placed((2, 2, 2), "first", "2,4"), [[2, 0, 0], [2, 2, 0]])


if __name__ == "__main__":
    unittest.main()
