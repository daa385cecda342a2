"""What single tasks did: the table of tasks, and those that are far from the mean."""

import csv
import os
import re
import unittest

from program import Case

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
                              row["transfers"], row["sync_s"]),
                             ("0", "0", host, "0", "65536", "16", ""))
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

    def test_a_task_that_failed_is_marked(self):
        rows, _ = self.rows([*SMALL, "-w", "--fault.operation=write", "--fault.tasks=1",
                             "--fault.error=EIO"], 3, 1)
        self.assertEqual([row["failed"] for row in rows], ["0", "1", "0"])

    def test_a_table_that_cannot_be_made_is_told_first(self):
        outcome = self.run_iorx(["-w", "--save-rank-performance-details-csv=/nowhere/tasks.csv"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "/nowhere/tasks.csv cannot be made")
        self.assertEqual(os.listdir(self.folder), [])


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
                               r"(transfer|total) 0\.\d{3} s, mean 0\.\d{3} s")

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


if __name__ == "__main__":
    unittest.main()
