"""Sets: tests that run at the same time on different tasks."""

import csv
import datetime
import os
import re
import signal
import unittest

import check_schema
from program import Case

NULL = "api=null, null.delay-xfer=1000, transferSize=4k"


def began(phase):
    return datetime.datetime.fromisoformat(phase["began"][:26] + "+00:00")


class Together(Case):
    def together(self, *members, settings="", before="", behind=""):
        """A job file; a member is (block, settings)."""
        blocks = "".join(f"{block} START\n{text}\nRUN\n{block} STOP\n" for block, text in members)
        path = os.path.join(self.results, "job.ior")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{before}TOGETHER START {settings}\n{blocks}TOGETHER STOP\n{behind}")
        return path

    def assert_refused(self, message, *members, tasks=2, **more):
        job = self.together(*members, **more)
        outcome = self.run_iorx(["-f", job], tasks)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, message.format(job=job))
        self.assertEqual(os.listdir(self.folder), [])

    def test_phases_begin_together_and_tasks_without_one_sleep(self):
        job = self.together(("IOR", f"name=writer, num_tasks=1, testFile=a, {NULL}, blockSize=1200k, writeFile=1"),
                            ("LOAD", "num_tasks=1, testFile=b, fileSize=4m, duration=0.4, operations=\"read:70,write:30\""),
                            ("MDTEST", "num_tasks=1, dir=tree, items=50, files_only=1, create=1, remove=1"),
                            settings="repetitions = 2, warmup = 1",
                            behind=f"IOR START\n{NULL}, blockSize=4k, testFile=c\nIOR STOP\n")
        outcome = self.run_iorx(["-f", job], 4)
        self.assert_exit(outcome, 0)
        tests = outcome.document["tests"]
        self.assertEqual([(test["set"] or {}).get("first_task") for test in tests], [0, 1, 2, None])
        self.assertEqual([test["name"] for test in tests], ["writer", None, None, None])
        self.assertEqual([test["plan"]["tasks"] for test in tests], [1, 1, 1, 4])
        self.assertEqual(outcome.phases(0), [("write", n, "complete") for n in range(3)])
        self.assertEqual(outcome.phases(1), [("write", 0, "complete")] + [("load", n, "complete") for n in range(3)])
        self.assertEqual([phase["warmup"] for phase in tests[0]["phases"]], [True, False, False])
        firsts = [[began(outcome.phase(name, repetition, number))
                   for number, name in enumerate(("write", "load", "tree-create"))] for repetition in range(3)]
        for before, then in zip(firsts, firsts[1:]):
            self.assertLess(max(before), min(then))
        self.assertEqual(outcome.phase("file-create", 1, 2)["operations"]["create"]["count"], 50)
        heads = [line for line in outcome.out.splitlines() if line.startswith("test ")]
        self.assertEqual([head.split()[1] for head in heads], ["0", "1", "2", "3"])
        self.assert_narrow(outcome)
        self.assertRegex(outcome.out, r"(?m)^warn T1 ")

    def test_shares_of_the_tasks(self):
        job = self.together(*((("LOAD"), f"num_tasks={share}, api=null, operation_limit=10, testFile={name}")
                              for name, share in (("a", "25%"), ("b", "rest"), ("c", "2/4"))))
        outcome = self.run_iorx(["-f", job, "--show-plan"], 4)
        self.assert_exit(outcome, 0)
        outcome = self.run_iorx(["-f", job], 4)
        self.assert_exit(outcome, 0)
        self.assertEqual([(test["plan"]["tasks"], test["set"]["first_task"]) for test in outcome.document["tests"]],
                         [(1, 0), (1, 1), (2, 2)])
        self.assertEqual([outcome.phase("load", 0, n)["load"]["operations"] for n in range(3)], [10, 10, 20])

    def test_no_step_is_started_after_the_longest_time(self):
        members = [("IOR", f"num_tasks=1, testFile={name}, api=null, blockSize=4k, transferSize=4k") for name in "ab"]
        job = self.together(*members, settings="repetitions=100, maxTimeDuration=0.02, interTestDelay=0.2")
        outcome = self.run_iorx(["-f", job], 3)
        self.assert_exit(outcome, 0)
        for number in range(2):
            self.assertEqual(outcome.phases(number)[-1][2], "skipped")
            self.assertLess(len(outcome.phases(number)), 20)
        self.assertEqual(outcome.document["status"], "complete")

    def test_members_run_alone_too_and_have_a_slowdown(self):
        job = self.together(("IOR", f"name=writer, num_tasks=1, testFile=a, {NULL}, blockSize=120k, writeFile=1"),
                            ("LOAD", "num_tasks=1, testFile=b, fileSize=4m, duration=0.1, rate=2000, alone=0"),
                            ("MDTEST", "num_tasks=1, dir=tree, items=50, files_only=1, create=1, remove=1"),
                            settings="repetitions = 6, alone = 1",
                            behind=f"IOR START\n{NULL}, blockSize=4k, testFile=c\nIOR STOP\n")
        outcome = self.run_iorx(["-f", job], 3)
        self.assert_exit(outcome, 0)
        self.assertEqual([test["set"] and (test["set"]["number"], test["set"]["first_task"], test["set"]["alone_of"])
                          for test in outcome.document["tests"]],
                         [(1, 0, None), (1, 1, None), (1, 2, None), (2, 0, 0), (3, 2, 2), None])
        rows = outcome.document["end"]["slowdowns"]
        self.assertEqual([(row["test"], row["alone_test"], row["phase"]) for row in rows][:2],
                         [(0, 3, "write"), (2, 4, "tree-create")])
        together, alone = (outcome.document["tests"][n]["summaries"][0]["total_rate"] for n in (0, 3))
        self.assertEqual(rows[0]["slowdown"], alone["median_bytes_per_s"] / together["median_bytes_per_s"])
        self.assertEqual((rows[0]["interval"]["lower"], rows[0]["interval"]["upper"]),
                         (alone["median_interval"]["lower_bytes_per_s"] / together["median_interval"]["upper_bytes_per_s"],
                          alone["median_interval"]["upper_bytes_per_s"] / together["median_interval"]["lower_bytes_per_s"]))
        self.assertRegex(outcome.out, r"(?m)^writer +write +MiB/s")
        self.assert_narrow(outcome)

    def test_a_load_runs_beside_each_phase_of_the_others(self):
        job = self.together(("LOAD", "name=users, num_tasks=1, testFile=b, fileSize=4m, beside=1, rate=500, alone=1, duration=0.2"),
                            ("IOR", f"name=writer, num_tasks=1, testFile=a, {NULL}, blockSize=2000k"),
                            ("LOAD", "num_tasks=1, testFile=c, items=20, beside=1, operations=\"stat:50,create:25,unlink:25\""))
        outcome = self.run_iorx(["-f", job], 4)
        self.assert_exit(outcome, 0)
        self.assertEqual([test["plan"]["phases"] for test in outcome.document["tests"]],
                         [["write", "load", "load"], ["write", "read"], ["load", "load"], ["write", "load"]])
        for number in 0, 2:
            loads = [phase for phase in outcome.document["tests"][number]["phases"] if phase["phase"] == "load"]
            self.assertEqual([(phase["load"]["beside"], phase["load"]["ended_by"]["beside"]) for phase in loads],
                             [("write of writer", 1), ("read of writer", 1)])
            for phase, other in zip(loads, outcome.document["tests"][1]["phases"]):
                self.assertGreater(phase["load"]["operations"], 0)
                self.assertGreater(phase["intervals"]["transfer_s"], other["intervals"]["total_s"] / 2)
                self.assertLessEqual(phase["load"]["window_s"], phase["intervals"]["transfer_s"])
                self.assertLess(abs((began(phase) - began(other)).total_seconds()), other["intervals"]["total_s"] / 2)
        said = " ".join(outcome.out.split())
        for text in "longer phases of the tests that the load runs beside", "users, in set 1: ", "from task 0 on":
            self.assertIn(text, said)
        self.assertRegex(outcome.out, r"(?m)^users +(p99|mean) response .*\n(  .*\n)* +beside write of writer$")
        self.assertEqual([(row["test"], row["phase"], row["part"], row["beside"]) for row in outcome.document["end"]["slowdowns"]],
                         [(0, "load", part, f"{kind} of writer") for kind in ("write", "read") for part in (None, "read")])
        for row in outcome.document["end"]["slowdowns"]:
            self.assertEqual((row["asked_operations_per_s"], row["slowdown"]), (500, None))
            if row["part"] is None:
                response = row["mean_response"]
                self.assertAlmostEqual(response["slowdown"], response["together_ns"] / response["alone_ns"])
                self.assertLessEqual(row["together_missed"], row["together_repetitions"])
            else:
                self.assertIsNone(row["mean_response"])
        self.assert_narrow(outcome)

    def test_a_load_beside_phases_goes_on_where_the_last_one_ended(self):
        prefix = os.path.join(self.results, "rows")
        load = ("LOAD", "num_tasks=1, testFile=b, fileSize=64m, beside=1, rate=500, distribution=every_block, "
                f"operations=\"read:50,write:50\", sizes=16k, check_read=1, operation_tables={prefix}")
        job = self.together(load, ("IOR", f"num_tasks=1, testFile=a, {NULL}, blockSize=1200k"))
        outcome = self.run_iorx(["-f", job], 2)
        self.assert_exit(outcome, 0)
        with open(f"{prefix}.00000000.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(line for line in file if not line.startswith("#"))
                    if row["phase"] == "load" and row["operation"] in ("read", "write")]
        # Two phases of 0.3 s at 500/s: fewer than the 4096 blocks, so none comes twice.
        self.assertGreater(len(rows), 50)
        self.assertLess(len(rows), 4096)
        self.assertEqual(len({row["offset_bytes"] for row in rows}), len(rows))

    def test_alone_without_a_set_has_no_effect(self):
        outcome = self.run_iorx(["-a", "null", "--alone", "-b", "4k", "-t", "4k"], 1)
        self.assert_exit(outcome, 0)
        self.assertIn("alone has no effect: no test is in a set (TOGETHER)", outcome.err)

    def test_removals_and_errors_of_all_members_are_recorded(self):
        job = self.together(("IOR", "num_tasks=1, testFile=a, transferSize=4k, blockSize=64k, writeFile=1"),
                            ("IOR", "num_tasks=1, testFile=b, transferSize=4k, blockSize=64k, writeFile=1"),
                            ("IOR", "num_tasks=1, testFile=c, transferSize=4k, blockSize=64k, writeFile=1, "
                                    "fault.operation=remove"))
        outcome = self.run_iorx(["-f", job], 3)
        self.assert_exit(outcome, 1)
        document = outcome.document
        self.assertTrue(all(test["removal_s"] > 0 for test in document["tests"][:2]))
        self.assertIsNone(document["tests"][2]["removal_s"])
        self.assertEqual(1, len(document["errors"]))
        self.assertIn("repetition 0: task 0", document["errors"][0]["text"])
        self.assertEqual(1, outcome.err.count(document["errors"][0]["text"]))

    def test_a_failing_member_stops_the_others(self):
        for first in True, False:
            with self.subTest(first=first):
                failing = ("IOR", f"num_tasks=1, testFile=a, {NULL}, blockSize=4g, writeFile=1, "
                                  "fault.operation=write, fault.after=100")
                end = "beside=1" if first else "duration=600"
                other = ("LOAD", f"num_tasks=2, testFile=b, api=null, fileSize=4m, {end}")
                done = ("IOR", f"num_tasks=1, testFile=d, {NULL}, blockSize=4k, writeFile=1")
                job = self.together(*(failing, other) if first else (other, failing), done,
                                    behind=f"IOR START\n{NULL}, testFile=c\nIOR STOP\n")
                outcome = self.run_iorx(["-f", job], 4)
                self.assert_exit(outcome, 1)
                self.assertLess(outcome.seconds, 300)
                self.assert_one_error(outcome, "write of 4096 bytes at offset 409600 of a", "of 1 tasks failed")
                self.assertEqual(outcome.document["status"], "failed")
                write, load = (0, 1) if first else (1, 0)
                self.assertEqual(outcome.phases(write), [("write", 0, "failed")])
                self.assertEqual(outcome.phases(load), [("load", 0, "stopped")])
                self.assertEqual(outcome.phases(2), [("write", 0, "complete")])
                self.assertEqual(len(outcome.document["tests"]), 3)
                self.assertIn("STOPPED because another test of the set failed", " ".join(outcome.out.split()))

    def test_a_signal_ends_a_set_with_its_results(self):
        job = self.together(*(("LOAD", f"num_tasks=1, testFile={name}, api=null, duration={seconds}")
                              for name, seconds in (("a", 0.3), ("b", 0.3))), settings="repetitions=1000")
        running = self.start_iorx(["-f", job], 2)
        running.wait_for_phase(4)
        running.kill(running.tasks()[0], signal.SIGTERM)
        outcome = running.wait()
        self.assertEqual(outcome.document["status"], "interrupted")
        for number in 0, 1:
            self.assertIn(("load", 0, "complete"), outcome.phases(number))

    def test_a_signal_names_the_files_of_all_members(self):
        load = ("LOAD", "num_tasks=1, testFile=load, fileSize=4m, duration=0.3")
        writer = ("IOR", "num_tasks=1, testFile=data, blockSize=1m, filePerProc=1")
        tree = ("MDTEST", "num_tasks=1, dir=tree, items=50, files_only=1")
        for number, members in enumerate(((load, writer, tree), (writer, tree, load))):
            with self.subTest(number):
                running = self.start_iorx(["-f", self.together(*members, settings="repetitions=1000")], 3)
                running.wait_for_phase(4)
                running.kill(running.launcher(), signal.SIGTERM)
                self.assertIn(
                    "the job ends and removes its files. Should the launcher kill it before, remove what is left of "
                    "test_file data.00000000 etc., also NAME.iorx-lock, and the rest with iorx mdtest --cleanup=tree; these "
                    "files stay: load.00000000 etc.",
                    "\n".join(running.wait().messages("warning")))

    def test_a_member_that_hangs_is_named_with_its_test_and_place(self):
        stall = "fault.operation=write, fault.kind=stall, fault.stall=100, fault.after=6, fault.tasks=1"
        job = self.together(("LOAD", "num_tasks=1, testFile=load, fileSize=1m, duration=600"),
                            ("IOR", f"name=writer, num_tasks=2, testFile=data, blockSize=1m, transferSize=64k, {stall}"))
        outcome = self.run_iorx(["-f", job, "--hang-after=3"], 3)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "test 1 (writer), task 1 (rank 2, pid ", "makes no progress in a transfer in the "
                              "write phase of data, 6 of 16 transfers done, next at offset 1441792; since ")

    def test_what_a_set_cannot_have_is_refused_with_its_place(self):
        load = ("LOAD", "num_tasks=1, testFile=a, api=null, duration=1")
        other = ("LOAD", "num_tasks=1, testFile=b, api=null, duration=1")
        self.assert_refused("{job}:1: TOGETHER: a set has two tests or more", load)
        self.assert_refused("num_tasks: the members of TOGETHER want 2 tasks and the job has 1", load, other, tasks=1)
        self.assert_refused("num_tasks: a member of TOGETHER needs a number of tasks",
                            load, ("LOAD", "testFile=b, api=null"))
        self.assert_refused("{job}:8: name: a member of TOGETHER with a list of values needs a name", load,
                            ("LOAD", "num_tasks=1, testFile=b, api=null, rate=[1 2]"))
        self.assert_refused("{job}:7: curve: the points of a curve are those of the whole set", load,
                            ("LOAD", "num_tasks=1, testFile=b,   curve=max"))
        self.assert_refused("repetitions: the members of TOGETHER repeat together; give repetitions", load,
                            ("LOAD", "num_tasks=1, testFile=b, api=null, repetitions=3"))
        self.assert_refused("test_file: two members of TOGETHER have ./a", ("LOAD", "num_tasks=1, testFile=a"),
                            ("LOAD", "num_tasks=1, testFile=./a"))
        self.assert_refused("{job}:7: TOGETHER STOP is missing", load,
                            behind="TOGETHER START\nLOAD START\nLOAD STOP\n")
        self.assert_refused("{job}:12: nodes: only a member of TOGETHER chooses its nodes", load, other,
                            behind="IOR START\nnodes=0\nIOR STOP\n")
        self.assert_refused("{job}:1: TOGETHER: all members have beside", (load[0], load[1].replace("duration=1", "beside=1")),
                            (load[0], other[1] + ", beside=1"))
        self.assert_refused("{job}:7: beside: the load begins and ends with the phases of other tests", load,
                            (load[0], other[1] + ", beside=1, passes=1"))
        self.assert_refused("{job}:12: beside: the load needs other tests to run beside", load, other,
                            behind="LOAD START\nbeside=1\nLOAD STOP\n")
        self.assert_refused("a set starts inside a set", load, before="TOGETHER START\n")
        self.assert_refused("a member of TOGETHER is one test", (load[0], load[1] + "\nRUN"), other)
        self.assert_refused("{job}:1:16: foo: unknown option", load, other, settings="foo=1")
        self.assert_refused("{job}:8: num_tasks: 10% of 2 tasks is no number from 1 to all of them", load,
                            (load[0], "num_tasks=10%, testFile=b, api=null"))
        self.assert_refused("{job}:7: name: two members of TOGETHER have the same name", (load[0], load[1] + ", name=x"),
                            (load[0], other[1] + ", name=x"))

    def test_flags_that_all_members_would_get_are_refused(self):
        members = [("LOAD", f"name={name}, num_tasks=1, testFile={name}, api=null, operation_limit=3") for name in "ab"]
        for flags, message in ((["-o", "x"], "test_file: the members of TOGETHER cannot all have the same"),
                               (["--num-tasks=1"], "--set NAME.num_tasks=VALUE"),
                               (["--format=ior"], "format: IOR's and mdtest's forms have no place"),
                               (["--summary-file=x"], "summary_file: IOR's summary has no place")):
            with self.subTest(flags=flags):
                outcome = self.run_iorx(["-f", self.together(*members), *flags], 2)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, "command line: ", message)

    def test_set_changes_one_member(self):
        job = self.together(*(("LOAD", f"name={name}, num_tasks=1, testFile={name}, api=null, operation_limit=3")
                              for name in ("a", "ab", "a.b")), before="IOR START\nname=a.b, api=null\nIOR STOP\n")
        outcome = self.run_iorx(["-f", job, "--set", "a.rate=100", "--set", "ab.num_tasks=rest", "--set=a.b.repetitions=1",
                                 "--set=a.num_tasks=rest", "--set=a.num_tasks=1"], 4)
        self.assert_exit(outcome, 0)
        tests = outcome.document["tests"][1:]
        self.assertEqual([test["options"]["load.rate"]["value"] for test in tests], [100, 0, 0])
        self.assertEqual([test["plan"]["tasks"] for test in tests], [1, 2, 1])
        for value, message in (("a", 'set: "a" is not NAME.KEY=VALUE'), ("d.rate=3", "set: no test has the name"),
                               ("a.output=x", "output: this option is for the whole job; give --output=x"),
                               ("a.rat=3", 'set: "a.rat=3": rat: unknown option')):
            outcome = self.run_iorx(["-f", job, "--set", value], 4)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, message)

    def test_the_space_of_all_members_is_counted_before_any_writes(self):
        disk = os.statvfs(self.folder)
        size = disk.f_bavail * disk.f_frsize * 6 // 10 >> 20
        self.assert_refused("test_file: the test writes", ("IOR", f"num_tasks=1, testFile=a, blockSize={size}m, transferSize=1m"),
                            ("LOAD", f"num_tasks=1, testFile=b, fileSize={size}m, duration=1"))

    def test_a_curve_of_a_set_has_shares_of_what_each_load_reached(self):
        job = self.together(("LOAD", f"name=slow, num_tasks=1, testFile=a, api=null, null.delay-xfer=1000"), ("LOAD", "num_tasks=1, testFile=b, api=null, rate=200"),
                            ("IOR", f"num_tasks=1, testFile=c, {NULL}, blockSize=40k, writeFile=1"),
                            settings="curve = \"max, 20-300/40%\", stop_response = mean:5s, duration = 0.3")
        outcome = self.run_iorx(["-f", job], 3)
        self.assert_exit(outcome, 0)
        document = check_schema.check_document(outcome.document_path)
        curve = document["end"]["curves"][0]
        numbers = [test["test"] for test in document["tests"]]
        self.assertEqual([(point["test"], point["tests"]) for point in curve["points"]], [(number, 3) for number in numbers[::3]])
        rates = {test["test"]: [phase["rates"]["total_operations_per_s"] for phase in test["phases"] if phase["phase"] == "load"]
                 for test in document["tests"]}
        for point, share in zip(curve["points"], (None, .2, .6)):
            own = [rate for number in range(point["test"], point["test"] + 3) for rate in rates[number]]
            self.assertAlmostEqual(point["operations_per_s"], sum(own), places=6)
            if share:
                self.assertAlmostEqual(point["asked_operations_per_s"], share * (rates[0][0] + 200), places=6)
        self.assertEqual([test["study"]["varied"] for test in document["tests"][3:6]], [{"load.curve": "20%"}] * 3)
        self.assertLess(document["tests"][4]["options"]["load.rate"]["value"], 41)
        self.assertRegex(outcome.out, r"(?m)^ +3-5 +\d")
        self.assertIn("study 0    slow: load: response", outcome.out)

    def test_lists_and_copies_make_sets(self):
        job = self.together(*(("LOAD", f"name={name}, num_tasks=1, testFile={name}, api=null, rate=100, operation_limit=3") for name in "ab"),
                            settings="copies = [1 2]")
        outcome = self.run_iorx(["-f", job], 2)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "the members of TOGETHER want 4 tasks with all copies and the job has 2; start it with mpirun -np 4, or lower copies")
        outcome = self.run_iorx(["-f", job, "--set", "a.rate=[50 100]"], 4)
        self.assert_exit(outcome, 0)
        tests = check_schema.check_document(outcome.document_path)["tests"]
        self.assertEqual([(test["set"]["number"], test["name"], test["set"]["copy"]) for test in tests],
                         [(1, "a", 1), (1, "b", 1), (2, "a", 1), (2, "b", 1),
                          *((n, *member) for n in (3, 4) for member in (("a", 1), ("b", 1), ("a#2", 2), ("b#2", 2)))])
        self.assertEqual(tests[7]["study"], dict(tests[1]["study"], varied={"copies": 2, "a.load.rate": 50}))
        self.assertEqual(tests[11]["test_file"], "b#2")

    def test_copies_are_one_line_of_a_study(self):
        job = self.together(("LOAD", "name=a, num_tasks=1, testFile=a, api=null, rate=100, duration=0.5"),
                            ("IOR", "name=b, num_tasks=1, testFile=b, api=null, blockSize=1m, transferSize=4k, writeFile=1"),
                            settings="copies = [1 2]")
        tables, rates = self.tables_of(job)
        self.assertIn("a: load: response, sum of copies; least, p50, p99: worst copy copies", " ".join(tables[0].split()))
        self.assertIn("b: write, sum of copies; least, p50, p99: worst copy copies", " ".join(tables[1].split()))
        for table, tests in ((tables[0], ((0,), (2, 4))), (tables[1], ((1,), (3, 5)))):
            for row, copies in zip(self.rows_of(table, ("1", "2")), tests):
                self.assert_rate(row[1], sum(rates[test] for test in copies))
                self.assert_rate(row[2], min(rates[test] for test in copies))
        tables, rates = self.tables_of(job, "--set", "a.rate=[100 200]")
        self.assertNotIn("sum of copies", tables[0])
        self.assertIn("sum of copies; least, p50, p99: worst copy; copies=2", " ".join(tables[2].split()))
        for row, tests in zip(self.rows_of(tables[2], ("100", "200")), ((4, 6), (8, 10))):
            self.assert_rate(row[1], sum(rates[test] for test in tests))

    def assert_rate(self, shown, rate):
        self.assertAlmostEqual(float(shown.rstrip("?!")) / rate, 1, delta=1e-3)

    def tables_of(self, job, *arguments):
        """The tables of the study, and the rate of each test: operations/s of loads, MiB/s of others."""
        outcome = self.run_iorx(["-f", job, *arguments], 4)
        self.assert_exit(outcome, 0)
        tables = outcome.out[outcome.out.index("study 0"):outcome.out.rindex("results ")]
        self.assertLessEqual(max(map(len, tables.split("\n"))), 80)
        rates = [phase["rates"]["total_operations_per_s"] if phase["phase"] == "load" else phase["rates"]["total_bytes_per_s"] / 2 ** 20
                 for phase in (test["phases"][-1] for test in outcome.document["tests"])]
        return [table for table in tables.split("\n\n") if table.startswith("study ")], rates

    def rows_of(self, table, labels):
        rows = [line.split() for line in table.split("\n") if re.match(r" +\d+ ", line)]
        self.assertEqual([row[0] for row in rows], list(labels), table)
        return rows

    def test_auto_ends_when_each_member_is_precise(self):
        steady, vague = ("LOAD", "num_tasks=1, testFile=a, api=null, rate=100, duration=0.1"), \
            ("IOR", "num_tasks=1, testFile=b, api=null, blockSize=4k, transferSize=4k, writeFile=1, precision=0.0001%")
        for members, end, most in (((steady, (steady[0], steady[1].replace("=a,", "=b,"))), "precise", 100),
                                   ((steady, vague), "max_repetitions", 12)):
            with self.subTest(end=end):
                job = self.together(*members, settings=f"repetitions=auto, max_repetitions={most}, precision=100%")
                outcome = self.run_iorx(["-f", job], 2)
                self.assert_exit(outcome, 0)
                self.assertEqual([test["repetitions_end"] for test in outcome.document["tests"]], [end, end])
                done = len([one for one in outcome.phases(0) if one[0] == "load"])
                self.assertIn(done, [most] if end == "max_repetitions" else range(8, most))

    def test_a_member_that_cannot_start_touches_nothing(self):
        self.assert_refused("test_file: missing: ", ("LOAD", "num_tasks=1, testFile=a, fileSize=4m"),
                            ("LOAD", "num_tasks=1, testFile=missing/b, fileSize=4m"))


if __name__ == "__main__":
    unittest.main()
