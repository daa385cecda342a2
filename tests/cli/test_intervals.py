"""Interval rows of loads: what is in them, over several hosts too, and loads that end when they are steady."""

import csv
import os
import re
import unittest

import hosts
from program import Case

KINDS = ("read", "write", "metadata")


class Intervals(Case):
    def rows(self, outcome):
        with open(outcome.document_path.replace(".json", ".intervals.csv"), newline="", encoding="ascii") as file:
            return list(csv.DictReader(file))

    def done(self, rows):
        return sum(int(row[f"{kind}_operations"]) for row in rows for kind in KINDS)

    def assert_all_is_in_rows(self, outcome, rows, test=0):
        """Each operation, also of warm-up and cool-down, is in one row."""
        for repetition in [number for name, number, _ in outcome.phases(test) if name == "load"]:
            load = outcome.phase("load", repetition, test)["load"]
            mine = [row for row in rows if (int(row["test"]), int(row["repetition"])) == (test, repetition)]
            self.assertEqual(self.done(mine), load["operations"] + load["outside_window"])
            self.assertEqual([int(row["interval"]) for row in mine],
                             sorted({int(row["interval"]) for row in mine}))


class Rows(Intervals):
    def test_rows_have_every_operation_of_the_load(self):
        outcome = self.run_iorx(["load", "--file-size=4m", "--operations=read:70,write:30", "--rate=1000",
                                 "--duration=1.5", "--warmup-time=1", "--cooldown=0.5", "--interval=500ms",
                                 "--repetitions=2", "--sizes=8k"], 2)
        self.assert_exit(outcome, 0)
        rows = self.rows(outcome)
        self.assert_all_is_in_rows(outcome, rows)
        for row in rows:
            self.assertEqual((row["test"], row["nodes"], row["all_nodes"]), ("0", "1", "1"))
            for kind in KINDS:
                self.assertEqual(int(row[f"{kind}_bytes"]), 8192 * int(row[f"{kind}_operations"]))
        first = [row for row in rows if row["repetition"] == "0"]
        # A machine that is slow for a moment may join two intervals.
        self.assertEqual({row["part"] for row in first}, {"warm-up", "measured", "cool-down"})
        for row in first:
            begin = float(row["from_s"])
            self.assertEqual(begin, (int(row["interval"]) - 1) / 2)
            self.assertEqual(row["part"], "warm-up" if begin < 1 else "measured" if begin < 2.5 else "cool-down")
            for kind in KINDS:
                count = int(row[f"{kind}_operations"])
                self.assertEqual(row[f"{kind}_service_mean_ns"] != "", count > 0)
                self.assertEqual(row[f"{kind}_response_mean_ns"] != "", count > 0)
                if count < 300:
                    self.assertEqual(row[f"{kind}_service_p99_ns"], "")
        self.assertIn(".intervals.csv", outcome.out.replace("\n           ", ""))

    def test_operations_on_names_have_columns_of_their_own(self):
        outcome = self.run_iorx(["load", "--operations=stat:60,create:20,unlink:20", "--items=100", "--interval=1",
                                 "--operation-limit=1000"], 2)
        self.assert_exit(outcome, 0)
        rows = self.rows(outcome)
        self.assert_all_is_in_rows(outcome, rows)
        self.assertEqual(sum(int(row["metadata_operations"]) for row in rows), 2000)
        self.assertEqual(sum(int(row["metadata_bytes"]) for row in rows), 400 * 4096)
        self.assertGreater(float(rows[0]["metadata_service_mean_ns"]), 0)

    def test_members_of_a_set_have_rows_in_one_table(self):
        with open(os.path.join(self.folder, "job.ior"), "w", encoding="utf-8") as job:
            job.write("TOGETHER START repetitions = 2\n"
                      "IOR START\nnumTasks=1, testFile=a, api=null, null.delay-xfer=1000, transferSize=4k, "
                      "blockSize=3m, writeFile=1\nRUN\nIOR STOP\n"
                      "LOAD START\nnumTasks=1, testFile=b, operations=\"stat:1, read:1\", items=100, fileSize=1m, "
                      "interval=0.5, rate=200, duration=1\nRUN\nLOAD STOP\n"
                      "LOAD START\nnumTasks=1, testFile=c, api=null, null.delay-xfer=1000, interval=0.5, "
                      "steady=\"range:250%\", steadyWindow=1.5, duration=600\nRUN\nLOAD STOP\n"
                      "TOGETHER STOP\n")
        outcome = self.run_iorx(["-f", "job.ior"], 3)
        self.assert_exit(outcome, 0)
        rows = self.rows(outcome)
        self.assertEqual({row["test"] for row in rows}, {"1", "2"})
        for test in 1, 2:
            self.assert_all_is_in_rows(outcome, rows, test)
        self.assertEqual(outcome.phase("load", 1, 2)["load"]["ended_by"]["steady"], 1)

    def test_a_closed_loop_has_no_response_times(self):
        outcome = self.run_iorx(["load", "--file-size=4m", "--operation-limit=1000", "--interval=1",
                                 "--cooldown=0"])
        self.assert_exit(outcome, 0)
        rows = self.rows(outcome)
        self.assert_all_is_in_rows(outcome, rows)
        self.assertEqual({row["read_response_mean_ns"] for row in rows}, {""})
        self.assertGreater(max(int(row["read_service_p99_ns"] or 0) for row in rows), 0)

    def test_rows_of_a_closed_loop_sum_to_what_its_rate_counts(self):
        outcome = self.run_iorx(["load", "--file-size=4m", "--duration=1", "--interval=500ms"], 2)
        self.assert_exit(outcome, 0)
        load, done = outcome.phase("load")["load"], self.done(self.rows(outcome))
        self.assertEqual(done, load["operations"])
        # The rows also have the operation of each task that ended behind the window.
        self.assertLessEqual(done - 2, load["rated_operations"])
        self.assertLessEqual(load["rated_operations"], done)

    def test_a_named_table_of_others_is_spared(self):
        path = os.path.join(self.results, "mine.intervals.csv")
        with open(path, "w", encoding="ascii") as file:
            file.write("mine\n")
        outcome = self.run_iorx(["load", "--file-size=4m", "--operation-limit=10", "--interval=1",
                                 "--output=" + os.path.join(self.results, "mine.json")], output=False)
        self.assert_exit(outcome, 2)
        self.assertIn("mine.intervals.csv", outcome.err)
        self.assertEqual(os.path.getsize(path), 5)


class Steady(Intervals):
    """Each transfer takes 2 ms, so that the rate is steady by construction."""
    LOAD = ["load", "-a", "null", "--null.delay-xfer=2000", "--file-size=4m", "--interval=0.5",
            "--steady-window=1.5"]

    def test_a_load_ends_when_it_is_steady(self):
        outcome = self.run_iorx([*self.LOAD, "--steady=range:200%,slope:200%", "--duration=600",
                                 "--warmup-time=0.5"], 2)
        self.assert_exit(outcome, 0)
        load = outcome.phase("load")["load"]
        self.assertEqual((load["steady"]["reached"], load["ended_by"]["steady"]), (True, 2))
        self.assertGreaterEqual(load["steady"]["after_s"], 1.5)
        self.assertLess(outcome.phase("load")["intervals"]["transfer_s"], 300)
        self.assertLessEqual(load["steady"]["range_share"], 2)
        self.assert_all_is_in_rows(outcome, self.rows(outcome))
        self.assertIn("ended by steady steady after", " ".join(outcome.out.split()))

    def test_a_load_that_never_is_ends_at_its_limit_and_says_so(self):
        outcome = self.run_iorx([*self.LOAD, "--steady=range:0.000001%", "--duration=3"])
        self.assert_exit(outcome, 0)
        load = outcome.phase("load")["load"]
        self.assertEqual((load["steady"]["reached"], load["steady"]["after_s"]), (False, None))
        self.assertGreater(load["steady"]["range_share"], 0)
        self.assertEqual(load["ended_by"]["time"], 1)
        self.assertIn("not steady (range:0.000001%)", " ".join(outcome.out.split()))
        outcome = self.run_iorx([*self.LOAD, "--steady=range:50%", "--duration=1"])
        self.assert_exit(outcome, 0)
        self.assertIsNone(outcome.phase("load")["load"]["steady"]["range_share"])
        self.assertIn("the load was shorter than the window of 1.5 s", " ".join(outcome.out.split()))

    def test_bounds_that_are_none_are_refused(self):
        outcome = self.run_iorx([*self.LOAD, "--steady=20%"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, 'steady: "20%" is no steady state')


@unittest.skipIf(hosts.why_not(), hosts.why_not())
class ThreeHosts(Intervals):
    @classmethod
    def setUpClass(cls):
        hosts.give(cls)

    def run_on(self, slots, *arguments):
        outcome = self.run_iorx(["load", "--file-size=1m", "--interval=0.5", "-o",
                                 os.path.join(self.folder, "load"), *arguments], sum(slots),
                                wrapper=self.hosts.command(), environment=self.hosts.environment(slots))
        self.assert_exit(outcome, 0)
        return outcome

    def test_rows_have_the_operations_of_all_hosts(self):
        outcome = self.run_on((2, 1, 2), "--rate=500", "--duration=3", "--progress=on")
        rows = self.rows(outcome)
        self.assert_all_is_in_rows(outcome, rows)
        self.assertEqual({row["all_nodes"] for row in rows}, {"3"})
        self.assertIn("3", [row["nodes"] for row in rows])
        # The first live line comes before the first row and knows one host.
        lines = [line for line in outcome.out.replace("\033[K", "").split("\n") if re.match(r"load \d+ %", line)]
        self.assertTrue(any("op/s" in line and "from " not in line for line in lines), lines)

    def test_a_host_that_reports_late_is_missed_and_its_operations_are_not_lost(self):
        outcome = self.run_on((1, 2, 1), "--rate=500", "--duration=6", "--fault.kind=stall",
                              "--fault.operation=transfer", "--fault.tasks=1", "--fault.after=100",
                              "--fault.stall=4")
        rows = self.rows(outcome)
        self.assert_all_is_in_rows(outcome, rows)
        self.assertIn("2", [row["nodes"] for row in rows])

    def test_a_member_of_a_set_on_other_hosts_has_rows(self):
        load = "api=null, null.delay-xfer=2000, interval=0.5, steady=\"range:250%\", steadyWindow=1.5, duration=600"
        with open(os.path.join(self.folder, "job.ior"), "w", encoding="utf-8") as job:
            job.write(f"TOGETHER START\nLOAD START\nnumTasks=1, testFile={self.folder}/b, api=null, "
                      "null.delay-xfer=1000, operationLimit=500\nRUN\nLOAD STOP\n"
                      f"LOAD START\nnumTasks=rest, testFile={self.folder}/a, {load}\nRUN\nLOAD STOP\n"
                      "TOGETHER STOP\n")
        outcome = self.run_iorx(["-f", os.path.join(self.folder, "job.ior")], 4, wrapper=self.hosts.command(),
                                environment=self.hosts.environment((1, 1, 2)))
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.phase("load", 0, 1)["load"]["ended_by"]["steady"], 3)
        rows = self.rows(outcome)
        self.assert_all_is_in_rows(outcome, rows, 1)
        self.assertEqual({row["all_nodes"] for row in rows}, {"2"})

    def test_all_hosts_end_when_the_load_is_steady(self):
        outcome = self.run_on((1, 1, 1), "-a", "null", "--null.delay-xfer=2000", "--steady=range:200%",
                              "--steady-window=1.5", "--duration=600")
        load = outcome.phase("load")["load"]
        self.assertEqual((load["steady"]["reached"], load["ended_by"]["steady"]), (True, 3))
        self.assert_all_is_in_rows(outcome, self.rows(outcome))


if __name__ == "__main__":
    unittest.main()
