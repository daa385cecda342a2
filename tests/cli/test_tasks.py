"""What single tasks did: the table of tasks, and those that are far from the mean."""

import csv
import os
import re
import unittest

from program import Case, is_built_in

SMALL = ["-a", "null", "-b", "64k", "-t", "4k"]
SLOW = ["--fault.operation=write", "--fault.tasks=2", "--fault.kind=stall", "--fault.stall=0.4"]


class Table(Case):
    def rows(self, arguments, tasks, code=0):
        path = os.path.join(self.results, "tasks.csv")
        outcome = self.run_iorx([*arguments, "-O", "saveRankPerformanceDetailsCSV=" + path], tasks)
        self.assert_exit(outcome, code)
        with open(path, newline="", encoding="ascii") as file:
            return list(csv.DictReader(file)), outcome

    def test_each_task_has_a_row_in_each_phase(self):
        rows, outcome = self.rows([*SMALL, "-i", "2"], 70 if os.cpu_count() > 8 else 9)
        tasks = outcome.document["run"]["tasks"]
        self.assertEqual([(row["phase"], row["repetition"], int(row["task"])) for row in rows],
                         [(phase, repetition, task) for repetition in "01"
                          for phase in ("write", "read") for task in range(tasks)])
        host = outcome.document["run"]["hosts"][0]
        for row in rows:
            self.assertEqual((row["test"], row["node"], row["host"], row["failed"], row["bytes"],
                              row["transfers"], row["operations"], row["sync_s"]),
                             ("0", "0", host, "0", "65536", "16", "", ""))
            self.assertLessEqual(float(row["transfer_s"]), float(row["total_s"]))
            self.assertLessEqual(int(row["min_ns"]), float(row["mean_ns"]))
            self.assertLessEqual(float(row["mean_ns"]), int(row["max_ns"]))

    def test_rows_and_phase_tell_the_same(self):
        rows, outcome = self.rows(["-b", "64k", "-t", "4k", "-e", "-w"], 3)
        phase = outcome.phase("write")
        ends = [float(row["begin_s"]) + float(row["total_s"]) for row in rows]
        self.assertAlmostEqual(max(ends), phase["intervals"]["total_s"], places=6)
        rate = sum(int(row["bytes"]) / float(row["total_s"]) for row in rows)
        self.assertAlmostEqual(rate / phase["rates"]["sum_of_tasks_bytes_per_s"], 1, places=6)
        self.assertEqual(sum(int(row["bytes"]) for row in rows), phase["data"]["bytes"])
        self.assertTrue(all(float(row["sync_s"]) > 0 for row in rows))

    def test_metadata_phases_have_operations(self):
        path = os.path.join(self.results, "ranks.csv")
        outcome = self.run_iorx(["mdtest", "-n", "30", "-F", "-w", "7", "--saveRankPerformanceDetails", path],
                                2)
        self.assert_exit(outcome, 0)
        with open(path, newline="", encoding="ascii") as file:
            rows = [row for row in csv.DictReader(file) if row["phase"] in ("file-create", "file-stat")]
        self.assertEqual([(row["phase"], row["task"], row["transfers"], row["operations"], row["bytes"])
                          for row in rows],
                         [("file-create", "0", "", "30", "210"), ("file-create", "1", "", "30", "210"),
                          ("file-stat", "0", "", "30", ""), ("file-stat", "1", "", "30", "")])
        for row in rows:
            self.assertAlmostEqual(float(row["total_operations_per_s"]) * float(row["total_s"]), 30,
                                   places=6)
            self.assertEqual(row["total_bytes_per_s"] == "", row["bytes"] == "")
        for phase in "file-create", "file-stat":
            rate = sum(float(row["total_operations_per_s"]) for row in rows if row["phase"] == phase)
            told = outcome.phase(phase)["rates"]["sum_of_tasks_operations_per_s"]
            self.assertAlmostEqual(rate / told, 1, places=6)

    def test_a_task_that_failed_is_marked(self):
        rows, _ = self.rows([*SMALL, "-w", "--fault.operation=write", "--fault.tasks=1",
                             "--fault.error=EIO"], 3, 1)
        self.assertEqual([row["failed"] for row in rows], ["0", "1", "0"])

    def test_a_table_that_cannot_be_made_is_told_first(self):
        outcome = self.run_iorx(["-w", "--save-rank-performance-details-csv=/nowhere/tasks.csv"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "/nowhere/tasks.csv cannot be made")
        self.assertEqual(os.listdir(self.folder), [])


class Operations(Case):
    def rows(self, arguments, tasks, code=0):
        """Each task's rows."""
        prefix = os.path.join(self.results, "ops")
        outcome = self.run_iorx([*arguments, "-O", "savePerOpDataCSV=" + prefix], tasks)
        self.assert_exit(outcome, code)
        tables = []
        for task in range(tasks):
            with open(f"{prefix}.{task:08}.csv", newline="", encoding="ascii") as file:
                tables.append(list(csv.DictReader(file)))
        return tables, outcome

    def assert_as_in(self, outcome, name, rows, operation=None):
        """The rows of a phase's first repetition and its histogram tell the same."""
        times = [int(row["service_ns"]) for row in rows
                 if (row["phase"], row["repetition"], row["operation"]) ==
                 (name, "0", operation or name)]
        told = outcome.phase(name)["operations"][operation or name]
        self.assertEqual((len(times), sum(times), min(times), max(times)),
                         (told["count"], told["sum_ns"], told["min_ns"], told["max_ns"]))

    def test_each_operation_has_a_row(self):
        tables, outcome = self.rows(["-b", "16k", "-t", "4k", "-s", "2", "-i", "2", "-e", "-C"], 2)
        for task, rows in enumerate(tables):
            self.assertEqual({row["task"] for row in rows}, {str(task)})
            wrote, read = ([(segment * 2 + owner) * 16384 + i * 4096 for segment in (0, 1)
                            for i in range(4)] for owner in (task, 1 - task))
            seen = [(row["phase"], row["repetition"], row["operation"], row["offset_bytes"])
                    for row in rows]
            self.assertEqual(seen, [
                (phase, repetition, operation, offset) for repetition in "01"
                for phase, offsets in (("write", wrote), ("read", read))
                for operation, offset in (("open", ""), *((phase, str(at)) for at in offsets),
                                          *((("sync", ""),) if phase == "write" else ()),
                                          ("close", ""))])
            self.assertEqual({row["length_bytes"] for row in rows if row["offset_bytes"]}, {"4096"})
            starts = [float(row["start_s"]) for row in rows]
            self.assertEqual(starts, sorted(starts))
        for name in "write", "read":
            self.assert_as_in(outcome, name, tables[0] + tables[1])
        self.assert_as_in(outcome, "write", tables[0] + tables[1], "sync")

    def test_more_operations_than_fit_into_memory(self):
        for options in (["-Y"], [], ["-F", "-z"]):
            with self.subTest(options=options):
                tables, outcome = self.rows(["-a", "null", "-w", "-t", "8", "-b", "640k", "-s", "2",
                                             *options], 1)
                self.assert_as_in(outcome, "write", tables[0])
                self.assertEqual(len(tables[0]), 2 + 163840 * (1 + ("-Y" in options)))

    def test_queued_and_collective_ones_too(self):
        for options in (["-a", "uring", "--queue-depth=40", "-R", "-w", "-b", "36m"],
                        ["-a", "libaio", "--queue-depth=8", "-Y", "-w", "-b", "16k"],
                        ["-a", "mpiio", "-c", "-b", "1m"]):
            with self.subTest(options=options):
                if not is_built_in(options[1]):
                    self.skipTest(f"no {options[1]}")
                tables, outcome = self.rows(["-t", "512", *options], 2)
                rows = tables[0] + tables[1]
                for phase in outcome.phases():
                    self.assert_as_in(outcome, phase[0], rows)

    def test_a_table_that_cannot_be_made_is_told_first(self):
        outcome = self.run_iorx(["-w", "--operation-tables=/nowhere/ops"], 3)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "/nowhere/ops.00000000.csv cannot be made: No such file")
        self.assertEqual(os.listdir(self.folder), [])

    def test_one_that_cannot_be_written_is_told(self):
        prefix = os.path.join(self.results, "full")
        os.symlink("/dev/full", prefix + ".00000001.csv")
        outcome = self.run_iorx([*SMALL, "--operation-tables=" + prefix], 2)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "full.00000001.csv cannot be written: No space left on device")
        self.assertEqual(outcome.phases(), [("write", 0, "complete"), ("read", 0, "complete")])


class Outliers(Case):
    def test_a_slow_task_is_named_with_its_node(self):
        outcome = self.run_iorx([*SMALL, "-w", "-j", "0.1", *SLOW], 4)
        self.assert_exit(outcome, 0)
        outliers = outcome.phase("write")["outliers"]
        host = outcome.document["run"]["hosts"][0]
        slow = next(task for task in outliers["named"] if task["task"] == 2)
        self.assertEqual((slow["host"], slow["node"]), (host, 0))
        self.assertIn(slow["step"], ("transfer", "total"))
        self.assertGreaterEqual(slow["time_s"], 0.4)
        self.assertLess(outliers["means_s"][slow["step"]], slow["time_s"])
        text = " ".join(outcome.out.split())
        self.assertRegex(text, rf"more than 0\.1 s from the mean: .*task 2 on {re.escape(host)}: "
                               r"(transfer|total) \d+\.\d{3} s, mean \d+\.\d{3} s")

    def test_tasks_alike_are_not_named(self):
        outcome = self.run_iorx([*SMALL, "-j", "20"], 3)
        self.assert_exit(outcome, 0)
        outliers = outcome.phase("write")["outliers"]
        self.assertEqual((outliers["tasks"], outliers["named"]), (0, []))
        self.assertNotIn("from the mean", outcome.out)

    def test_names_are_bounded(self):
        outcome = self.run_iorx([*SMALL, "-w", "-j", "1us"], 24)
        self.assert_exit(outcome, 0)
        outliers = outcome.phase("write")["outliers"]
        self.assertLessEqual(len(outliers["named"]), 16)
        self.assertGreater(outliers["tasks"], 16)
        self.assertIn(f"and {outliers['tasks'] - 16} more", " ".join(outcome.out.split()))

    def test_nothing_is_said_unasked(self):
        outcome = self.run_iorx([*SMALL, "-w"], 2)
        self.assertNotIn("outliers", outcome.phase("write"))


class Slow(Case):
    """A task whose every transfer is delayed, and tasks that are alike."""

    # 100 transfers of 10 ms: below 1 s nobody is judged.
    EVEN = ["-a", "null", "--null.delay-xfer=10000", "-w", "-F", "-b", "4k", "-t", "4k", "-s", "110"]

    def test_a_task_that_is_always_slow_is_named(self):
        outcome = self.run_iorx([*self.EVEN, "-i", "5", "-v", "--fault.operation=write", "--fault.tasks=2",
                                 "--fault.kind=stall", "--fault.count=0", "--fault.stall=0.01"], 4)
        self.assert_exit(outcome, 0)
        host = outcome.document["run"]["hosts"][0]
        for repetition in range(5):
            tasks = outcome.phase("write", repetition)["slow"]["tasks"]
            slowest = tasks["slowest"][0]
            self.assertEqual((tasks["members"], slowest["task"], slowest["host"]), (4, 2, host))
            self.assertGreater(slowest["ratio"], 1.3)
        summary = outcome.document["tests"][0]["summaries"][0]
        task = next(member for member in summary["slow"]["members"] if member["kind"] == "task"
                    and member["task"] == 2)
        self.assertEqual((task["repetitions"], task["persistent"]), (5, True))
        verdict = next(verdict for verdict in summary["verdicts"] if verdict["id"] == "N1")
        self.assertEqual(verdict["severity"], "warn")
        self.assertIn("task 2 on node 0 was slow in 5 of 5 repetitions", verdict["meaning"])
        self.assertIn("N2", [verdict["id"] for verdict in outcome.phase("write")["verdicts"]
                             if verdict["severity"] == "warn"])
        self.assertRegex(" ".join(outcome.out.split()), rf"slowest task 2 on {re.escape(host)}, [12](\.\d+)? x the others")

    def slowest(self, outcome, name):
        one = outcome.phase(name)["slow"]["tasks"]["slowest"][0]
        return one["task"], one["ratio"]

    def test_waiting_for_the_slow_one_is_nobodys_own_time(self):
        # The fast ones are done long before the time is up, and wait to agree on the wear-out.
        outcome = self.run_iorx(["-a", "null", "--null.delay-xfer=1000", "-w", "-F", "-b", "4k", "-t", "4k",
                                 "-s", "60", "-D", "60", "-O", "stoneWallingWearOut=1", "-i", "1",
                                 "--fault.operation=write", "--fault.tasks=2", "--fault.kind=stall",
                                 "--fault.count=0", "--fault.stall=0.005"], 4)
        self.assert_exit(outcome, 0)
        task, ratio = self.slowest(outcome, "write")
        self.assertEqual(task, 2)
        self.assertGreater(ratio, 1.5)

    def test_a_sync_of_the_node_after_the_phase_is_nobodys_own_time(self):
        outcome = self.run_iorx(["mdtest", "-n", "60", "-F", "-Y", "--fault.operation=create", "--fault.tasks=1",
                                 "--fault.kind=stall", "--fault.count=0", "--fault.stall=0.01"], 3)
        self.assert_exit(outcome, 0)
        task, ratio = self.slowest(outcome, "file-create")
        self.assertEqual(task, 1)
        self.assertGreater(ratio, 1.5)

    def test_the_spread_of_the_tasks_own_p99(self):
        outcome = self.run_iorx(["-a", "null", "--null.delay-xfer=50", "-w", "-F", "-b", "4k", "-t", "4k",
                                 "-s", "400", "-i", "1", "-v", "--fault.operation=write", "--fault.tasks=2",
                                 "--fault.kind=stall", "--fault.after=300", "--fault.count=8",
                                 "--fault.stall=0.2"], 3)
        self.assert_exit(outcome, 0)
        phase = outcome.phase("write")
        spread = phase["task_p99"]
        self.assertEqual((spread["tasks"], spread["slowest"]["task"]), (3, 2))
        # A percentile is the middle of its bucket, which may lie below the shortest stall.
        self.assertGreaterEqual(spread["max_ns"], 0.9 * 200e6)
        self.assertLessEqual(spread["min_ns"], spread["median_ns"])
        self.assertLess(spread["median_ns"], spread["max_ns"])
        self.assertLessEqual(spread["max_ns"], phase["operations"]["write"]["max_ns"])
        few = self.run_iorx([*SMALL, "-w"], 2).phase("write")
        self.assertIsNone(few["task_p99"])

    def test_tasks_with_nothing_to_do_are_in_no_mean(self):
        # Task 0 makes the tree that all use.
        outcome = self.run_iorx(["mdtest", "-n", "60", "-z", "1", "-b", "3"], 3)
        self.assert_exit(outcome, 0)
        phase = outcome.phase("tree-create")
        self.assertEqual((phase["tasks"]["measured"], phase["tasks"]["idle"]), (3, 2))
        self.assertAlmostEqual(phase["balance"]["imbalance"], 1, places=9)
        self.assertEqual(phase["balance"]["mean_task_s"], phase["balance"]["slowest"]["time_s"])
        self.assertEqual(phase["balance"]["tail_share"], 0)
        self.assertGreater(phase["concurrency"]["busy_share"], 0.5)
        self.assertEqual(outcome.phase("file-create")["tasks"]["idle"], 0)

    def test_equal_tasks_are_not_named(self):
        outcome = self.run_iorx([*self.EVEN, "-i", "5"], 2)
        self.assert_exit(outcome, 0)
        summary = outcome.document["tests"][0]["summaries"][0]
        self.assertEqual(summary["slow"]["judged_repetitions"], 5)
        self.assertNotIn("N1", [verdict["id"] for verdict in summary["verdicts"]])
        self.assertNotIn("slow:", outcome.out)

    def test_short_phases_are_not_judged(self):
        outcome = self.run_iorx([*SMALL, "-w"], 2)
        self.assertFalse(outcome.phase("write")["slow"]["judged"])

    def test_places_are_busy_by_littles_law(self):
        outcome = self.run_iorx([*self.EVEN, "-i", "1"], 2)
        phase = outcome.phase("write")
        little = phase["concurrency"]
        record = phase["operations"]["write"]
        self.assertAlmostEqual(little["in_flight"], record["sum_ns"] / 1e9 / phase["intervals"]["transfer_s"], places=6)
        self.assertAlmostEqual(little["busy_share"], little["in_flight"] / 2, places=9)
        self.assertAlmostEqual(little["accounted_share"], 1, delta=0.02)

    def test_no_time_is_accounted_twice(self):
        # Stamping 1 KiB takes less than reading the clock once more, and lies in the service time.
        for size in ("1k", "4k"):
            outcome = self.run_iorx(["-w", "-b", "4m", "-t", size, "-s", "8", "-i", "1",
                                     "-o", os.path.join(self.folder, "data")], 1)
            self.assert_exit(outcome, 0)
            phase = outcome.phase("write")
            self.assertGreater(phase["data"]["content_ns"], 0)
            self.assertLessEqual(phase["concurrency"]["accounted_share"], 1.0)

    def test_time_is_accounted_also_when_it_is_up(self):
        for more in (["-D", "1.1"], ["-O", "duration=1.1"]):
            outcome = self.run_iorx(["-a", "null", "--null.delay-xfer=1000", "-w", "-F", "-b", "4k", "-t", "4k",
                                     "-s", "100000", "-i", "1", *more], 2)
            self.assert_exit(outcome, 0)
            phase = outcome.phase("write")
            self.assertIsNotNone(phase["stonewall"])
            self.assertAlmostEqual(phase["concurrency"]["accounted_share"], 1, delta=0.02)
            self.assertIn("T5", [verdict["id"] for verdict in phase["verdicts"]])


if __name__ == "__main__":
    unittest.main()
