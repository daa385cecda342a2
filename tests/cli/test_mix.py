"""The mixed phase of metadata tests: shares, a population that stays, rates and what fails."""

import csv
import json
import os
import signal
import statistics
import unittest

from program import Case

MIX = "--mix=create:15,stat:60,read:10,remove:15"
KINDS = ("create", "stat", "open_close", "remove")


class Mix(Case):
    def mix(self, *arguments, tasks=1, exit_code=0, **more):
        """The phase and the outcome."""
        outcome = self.run_iorx(["mdtest", "-F", *arguments], tasks, **more)
        self.assert_exit(outcome, exit_code)
        return outcome.phase("mix"), outcome

    def counts(self, phase):
        return {kind: phase["operations"].get(kind, {"count": 0})["count"] for kind in KINDS}

    def files(self):
        return sorted(name for _, _, files in os.walk(self.folder) for name in files
                      if name.startswith("file."))

    def test_it_does_what_was_asked_and_all_files_are_there_again(self):
        for tasks in (1, 2, 5):
            with self.subTest(tasks=tasks):
                target = f"out{tasks}"
                phase, outcome = self.mix("-n", "40", "-z", "1", "-b", "3", "-C", "-T", MIX,
                                          "--mix-operations=2000", "-d", target, tasks=tasks)
                names, counts = phase["metadata"], self.counts(phase)
                self.assertEqual(names["operations"], 2000 * tasks)
                self.assertEqual(names["expected_operations"], 2000 * tasks)
                self.assertEqual(sum(counts.values()), 2000 * tasks)
                self.assertEqual(phase["operations"]["mixed"]["count"], 2000 * tasks)
                self.assertNotIn("response", phase["operations"])
                # the binomial's deviation is 22 for one task: 6 of them
                self.assertAlmostEqual(counts["stat"], 1200 * tasks, delta=140 * tasks)
                self.assertTrue(0 <= counts["remove"] - counts["create"] <= 4 * tasks, counts)
                self.assertEqual(names["mix"]["files"], 40 * tasks)
                self.assertTrue(0 < names["mix"]["most_missing_of_a_task"] <= 4)
                self.assertEqual((names["failed_operations"], names["mix"]["missed"]), (0, 0))
                self.assertEqual([name for name in self.files()], sorted(
                    f"file.mdtest.{task}.{item}" for task in range(tasks) for item in range(40)))
                self.assertRegex(outcome.out, r"(?m)^mix +\?? +0 +\d")
                for kind in "create", "stat", "read", "remove":
                    self.assertRegex(outcome.out, rf"(?m)^  {kind} +[\d.]+ .* \d+ +-$")
                self.assert_exit(self.run_iorx(["mdtest", "-F", "-n", "40", "-z", "1", "-b", "3", "-r",
                                                "-d", target], tasks), 0)
                self.assertEqual(self.files(), [])

    def test_what_comes_behind_finds_all_files(self):
        _, outcome = self.mix("-n", "50", "-u", MIX, "--mix-operations=777", "-i", "2", tasks=2)
        self.assertEqual([name for name, repetition, status in outcome.phases()
                          if repetition == 1 and status == "complete"],
                         ["tree-create", "file-create", "file-stat", "file-read", "mix", "file-remove",
                          "tree-remove"])
        self.assertEqual(outcome.phase("file-remove", 1)["metadata"]["operations"], 100)

    def test_every_form_of_files_can_be_mixed(self):
        for arguments in (["--names=relative"], ["-k"], ["-w", "3000", "-e", "3000"], ["-y"], ["-c"],
                          ["-N", "1"], ["-a", "null"]):
            with self.subTest(arguments=arguments):
                phase, _ = self.mix("-n", "30", "-z", "1", "-b", "2", MIX, "--mix-operations=600",
                                    *arguments, tasks=2)
                done = phase["metadata"]["operations"] + phase["metadata"]["mix"]["missed"]
                self.assertEqual(done, 1200)
                if "-w" in arguments:
                    counts = self.counts(phase)
                    self.assertEqual(phase["metadata"]["bytes"],
                                     3000 * (counts["create"] + counts["open_close"]))
                    for name, one in phase["operations"].items():
                        self.assertEqual(one.get("bytes"), {
                            "create": 3000 * counts["create"], "open_close": 3000 * counts["open_close"],
                            "mixed": phase["metadata"]["bytes"]}.get(name), name)

    def test_reads_are_compared_where_that_is_asked_for(self):
        arguments = ["-n", "20", "-w", "3000", "-e", "3000", "-X", "--mix=create:1,read:8,remove:1", "-G", "5",
                     "--mix-operations=400"]
        phase, _ = self.mix("-C", *arguments)
        self.assertEqual((phase["metadata"]["operations"], phase["metadata"]["failed_operations"]), (400, 0))
        for folder, _, names in os.walk(self.folder):
            for name in names:
                if name == "file.mdtest.0.7":
                    with open(os.path.join(folder, name), "r+b") as file:
                        file.seek(2000)
                        file.write(b"x")
        phase, _ = self.mix("-r", *arguments, exit_code=1)
        self.assertGreater(phase["metadata"]["failed_operations"], 0)
        self.assertLess(phase["metadata"]["failed_operations"], 300)

    def test_files_of_others_are_read_and_compared_where_none_is_being_made(self):
        for tasks, stride in (2, "1"), (5, "2"):
            with self.subTest(tasks=tasks):
                phase, _ = self.mix("-n", "30", "-w", "700", "-e", "700", "-X", "-N", stride, "--mix=stat:70,read:30",
                                    "--mix-operations=300", tasks=tasks)
                names = phase["metadata"]
                self.assertEqual((names["operations"], names["failed_operations"], names["mix"]["missed"]),
                                 (300 * tasks, 0, 0))
                self.assertGreater(self.counts(phase)["open_close"], 0)

    def test_a_later_test_takes_it_back(self):
        with open(os.path.join(self.folder, "job.ior"), "w", encoding="utf-8") as job:
            job.write('MDTEST START\nfilesOnly=1, items=20\nmix="stat:3,read:1"\nRUN\nmix=""\nRUN\nMDTEST STOP\n')
        outcome = self.run_iorx(["-f", "job.ior"])
        self.assert_exit(outcome, 0)
        self.assertEqual([["mix" in names for names, _, _ in outcome.phases(test)].count(True) for test in (0, 1)],
                         [1, 0])
        self.assertIsNone(outcome.document["tests"][1]["options"]["metadata.mix"]["value"])

    def test_no_pause_follows_the_last_operation(self):
        phase, _ = self.mix("-n", "20", MIX, "--mix-operations=2", "--mix-think=2s")
        self.assertGreaterEqual(phase["intervals"]["total_s"], 2)
        self.assertLess(phase["intervals"]["total_s"], 4)

    def test_an_earlier_run_may_have_made_the_files(self):
        self.assert_exit(self.run_iorx(["mdtest", "-F", "-n", "20", "-C"], 2), 0)
        phase, _ = self.mix("-n", "20", "-r", MIX, tasks=2)
        self.assertEqual(phase["metadata"]["operations"], 40)
        self.assertEqual(self.files(), [])

    def test_a_rate_is_kept_and_response_times_count_from_when_it_was_due(self):
        phase, outcome = self.mix("-n", "20", "-a", "null", "--mix=stat:1", "--mix-operations=100",
                                  "--mix-total-rate=400", tasks=2)
        response, service = (phase["operations"][name] for name in ("response", "mixed"))
        self.assertEqual(response["count"], 200)
        self.assertGreaterEqual(response["sum_ns"], service["sum_ns"])
        # 100 operations at 200 a second, of which the first is due at once
        self.assertGreater(phase["intervals"]["total_s"], 99 / 200)
        self.assertEqual(phase["metadata"]["mix"]["task_rate_operations_per_s"], 200)
        self.assertRegex(outcome.out, r"(?m)^  response +- .* - +- +-$")
        mix = phase["metadata"]["mix"]
        self.assertTrue(0 < mix["slept_until_due"] <= 200)
        self.assertLessEqual(mix["late_max_ns"], mix["late_sum_ns"])
        self.assertLessEqual(mix["late_sum_ns"] + service["sum_ns"], response["sum_ns"])
    def test_each_kind_stands_in_the_summary_and_in_the_table(self):
        document, table = (os.path.join(self.results, name) for name in ("r.json", "r.csv"))
        outcome = self.run_iorx(["mdtest", "-F", "-n", "20", "-a", "null", "-i", "6", "--mix=create:1,stat:8,remove:1",
                                 "--mix-operations=300", "--mix-rate=20k", f"--output={document},{table}"], 2,
                                output=False)
        self.assert_exit(outcome, 0)
        with open(document, encoding="utf-8") as file:
            test, = json.load(file)["tests"]
        phases = [phase for phase in test["phases"] if phase["phase"] == "mix"]
        self.assertEqual([one["parts"] for one in test["summaries"] if one["phase"] != "mix"], [[]] * 6)
        summary, = [one for one in test["summaries"] if one["phase"] == "mix"]
        self.assertEqual([part["part"] for part in summary["parts"]],
                         ["create", "stat", "remove", "response"])
        index = test["plan"]["phases"].index("mix")
        self.assertEqual({phase["phase_index"] for phase in phases}, {index})
        self.assertEqual([one["part"] for one in test["plan"]["series"] if one["phase_index"] == index],
                         [None, "create", "stat", "remove", "response"])
        with open(table, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertNotIn("mix:read", [row["phase"] for row in rows])
        self.assertEqual({row["asked_operations_per_s"] for row in rows if row["phase"] == "mix"}, {"40000"})
        for part in summary["parts"]:
            operations = [phase["operations"][part["operation"]] for phase in phases]
            rates = [one["count"] / phase["intervals"]["total_s"] for one, phase in zip(operations, phases)]
            self.assertEqual(part["operations"], sum(one["count"] for one in operations))
            self.assertAlmostEqual(part["total_rate"]["median_operations_per_s"], statistics.median(rates),
                                   delta=1e-6 * max(rates))
            own = [row for row in rows if row["phase"] == "mix:" + part["part"]]
            self.assertEqual(part["max_ns"], max(one["max_ns"] for one in operations))
            self.assertLessEqual(part["total_rate"]["median_interval"]["lower_operations_per_s"],
                                 part["total_rate"]["median_operations_per_s"])
            self.assertEqual([int(row["operations"]) for row in own], [one["count"] for one in operations])
            self.assertEqual([int(row["max_ns"]) for row in own], [one["max_ns"] for one in operations])
            self.assertEqual({row["total_s"] for row in own}, {""})
            rate = r" +- +- +- " if part["part"] == "response" else r" +[\d.]+ +[\d.]+ +[\d.]+ "
            self.assertRegex(outcome.out, rf"(?m)^  {part['part']}{rate}.* [\d.]+[nmu]?s$")

    def test_each_kind_has_a_table_in_a_study(self):
        with open(os.path.join(self.folder, "job.ior"), "w", encoding="utf-8") as job:
            job.write('MDTEST START\nfilesOnly=1, items=20, api=null\nmix="stat:3,create:1"\nmixOperations=200\n'
                      "tasks=[1 2]\nRUN\nMDTEST STOP\n")
        outcome = self.run_iorx(["-f", "job.ior"], 2)
        self.assert_exit(outcome, 0)
        for part in "create", "stat", "remove":
            self.assertRegex(outcome.out, rf"(?m)^mix: {part} +tasks .*\n +1 +1 +[\d.]+[?!]? +- +- +100.0%.*\n +2 +1 +[\d.]+")
        self.assertNotIn("mix: read", outcome.out)
        self.assertNotIn("mix: response", outcome.out)

    def test_rates_need_not_be_whole(self):
        for option, rate, each in (("--mix-rate", "2.5", 2.5), ("--mix-total-rate", "0.5", 0.25),
                                   ("--mix-rate", "2k", 2000)):
            with self.subTest(option=option, rate=rate):
                phase, outcome = self.mix("-n", "20", "-a", "null", "--mix=stat:1", "--mix-operations=2",
                                          f"{option}={rate}", tasks=2)
                self.assertEqual(phase["metadata"]["mix"]["task_rate_operations_per_s"], each)
                # the second of the second task is due one and a half intervals after the start
                self.assertGreater(phase["intervals"]["total_s"], 1.5 / each)

    def test_that_the_own_node_may_have_answered_is_told(self):
        for shares, told in ("stat:50,create:50", True), ("read:1", True), ("create:1,remove:1", False):
            with self.subTest(shares=shares):
                phase, _ = self.mix("-n", "20", f"--mix={shares}", tasks=2)
                self.assertEqual([verdict["id"] for verdict in phase["verdicts"]
                                  if verdict["id"] == "M2"], ["M2"] * told)

    def m5(self, phase):
        return [verdict for verdict in phase["verdicts"] if verdict["id"] == "M5"]

    def test_a_rate_that_is_not_reached_is_told(self):
        arguments = ["-n", "20", "-a", "null", "--mix=stat:1", "--mix-operations=100"]
        phase, _ = self.mix(*arguments, "--mix-rate=2000", "--fault.operation=stat", "--fault.kind=stall",
                            "--fault.stall=5ms", "--fault.count=0", tasks=2)
        verdict, = self.m5(phase)
        self.assertEqual((verdict["severity"], verdict["evidence"]["due_operations_per_s"]), ("warn", 4000))
        self.assertLess(verdict["evidence"]["reached_share"], 0.11)
        self.assertRegex(verdict["meaning"], r"^saturated: only [\d.]+ % of the due rate was reached")
        phase, _ = self.mix(*arguments, "--mix-rate=50", tasks=2)
        self.assertEqual(self.m5(phase), [])
        phase, _ = self.mix(*arguments)
        self.assertEqual(self.m5(phase), [])

    def test_one_slow_operation_counts_for_all_that_wait_behind_it(self):
        phase, _ = self.mix("-n", "20", "-a", "null", "--mix=stat:1", "--mix-operations=200",
                            "--mix-rate=1000", "-C", "--fault.operation=stat", "--fault.kind=stall",
                            "--fault.stall=400ms", "--fault.after=50", "--fault.count=1")
        response, service = (phase["operations"][name] for name in ("response", "mixed"))
        self.assertGreaterEqual(service["max_ns"], 400_000_000)
        # the 100 behind it that were due within 300 ms waited at least 100 ms each
        self.assertGreater(response["sum_ns"] - service["sum_ns"], 100 * 100_000_000)

    def test_it_ends_when_its_time_is_over(self):
        phase, _ = self.mix("-n", "20", "-a", "null", MIX, "--mix-duration=0.3", "--mix-think=1ms", tasks=2)
        self.assertGreater(phase["intervals"]["total_s"], 0.29)
        self.assertEqual(phase["metadata"]["mix"]["think_s"], 0.001)
        self.assertLess(phase["metadata"]["most_task_operations"], 400)
        self.assertEqual(phase["status"], "complete")
        self.assertEqual(phase["metadata"]["operations"], phase["metadata"]["expected_operations"])

    def test_what_fails_is_counted_apart_and_the_mix_goes_on(self):
        for operation in "create", "remove", "stat":
            with self.subTest(operation=operation):
                phase, outcome = self.mix("-n", "30", "-C", "-r", MIX, "--mix-operations=500",
                                          "--fault.operation=" + operation, "--fault.after=40",
                                          "--fault.count=3", exit_code=1)
                self.assertEqual(phase["metadata"]["errors"], {"EIO": 3})
                self.assertEqual(phase["metadata"]["operations"], 497)
                self.assertEqual(outcome.phase("file-remove")["metadata"]["operations"], 30)
                self.assert_one_error(outcome, "mix phase", operation)

    def test_a_file_that_cannot_be_made_again_fails_the_repetition(self):
        arguments = ["-n", "100", "--mix=remove:50,create:1,stat:49", "--mix-operations=281"]
        counts = self.counts(self.mix(*arguments)[0])
        # behind the marker's, those of the files and those of the mix: what it makes again
        after = 1 + 100 + counts["create"]
        phase, outcome = self.mix(*arguments, "-i", "2", "--fault.operation=create", f"--fault.after={after}",
                                  "--fault.count=1", exit_code=1)
        names = phase["metadata"]
        self.assertEqual((phase["status"], names["operations"], names["errors"]), ("failed", 281, {"EIO": 1}))
        self.assert_one_error(outcome, f"; when the mix was over, {counts['remove'] - counts['create']} files could not "
                              f"be made again; {counts['create']} items were made again by then; the repetition has "
                              "failed, and its trees are removed")
        self.assertEqual([name for name, repetition, _ in outcome.phases() if repetition == 0][-1], "mix")
        self.assertEqual({status for _, repetition, status in outcome.phases() if repetition == 1}, {"complete"})
        self.assertEqual(os.listdir(os.path.join(self.folder, "out")), [])

    def test_a_full_disk_in_it_leaves_nothing_behind(self):
        for error, more in (("EDQUOT", []), ("ENOSPC", ["-N", "1", "-z", "1", "-b", "3"]), ("EROFS", ["-u", "-i", "2"])):
            with self.subTest(error=error, more=more):
                phase, outcome = self.mix("-n", "100", "--mix=create:50,stat:50", "--mix-operations=300", *more,
                                          "--fault.operation=create", "--fault.tasks=1", "--fault.after=105",
                                          "--fault.count=1", f"--fault.error={error}", tasks=3, exit_code=1)
                self.assertEqual((phase["status"], phase["metadata"]["errors"]), ("failed", {error: 1}))
                self.assertEqual([name for name, repetition, _ in outcome.phases() if repetition == 0][-1], "mix")
                self.assert_one_error(outcome, "its trees are removed")
                self.assertEqual(os.listdir(os.path.join(self.folder, "out")), [])

    def test_trees_that_another_run_made_stay(self):
        self.assert_exit(self.run_iorx(["mdtest", "-F", "-n", "40", "-C"]), 0)
        _, outcome = self.mix("-n", "40", "-r", "--mix=create:1,remove:1", "--mix-operations=2",
                              "--fault.operation=create", "--fault.count=0", exit_code=1)
        self.assertEqual(outcome.phases()[-1][0], "mix")
        self.assert_one_error(outcome, "its trees stay; remove what iorx made with --cleanup")
        self.assertIn(len(self.files()), (38, 39))

    def test_too_many_failures_end_it_for_their_task_only(self):
        phase, _ = self.mix("-n", "30", "-C", "-r", MIX, "--mix-operations=500", "--max-errors=2",
                            "--fault.operation=stat", "--fault.tasks=1", "--fault.count=0", tasks=2,
                            exit_code=1)
        self.assertEqual(phase["metadata"]["errors"], {"EIO": 2})
        self.assertEqual(phase["metadata"]["left_tasks"], 1)
        self.assertEqual(phase["metadata"]["untried_operations"],
                         498 - phase["metadata"]["least_task_operations"])
        self.assertEqual(phase["metadata"]["most_task_operations"], 500)
        self.assertLess(phase["metadata"]["least_task_operations"], 100)

    def test_a_signal_ends_it_and_nothing_is_left(self):
        job = self.start_iorx(["mdtest", "-F", "-n", "20", "-C", "-r", "-i", "100000", MIX,
                               "--mix-operations=20", "--mix-rate=100"], 2)
        job.wait_for_phase(3)
        job.kill(job.launcher(), signal.SIGTERM)
        outcome = job.wait()
        self.assertEqual(outcome.document["status"], "interrupted")
        self.assertEqual(self.files(), [])
        self.assertLess(outcome.ending, 10)

    def test_a_job_file_says_the_same(self):
        with open(os.path.join(self.folder, "job.ior"), "w", encoding="utf-8") as job:
            job.write('MDTEST START\nfilesOnly=1, items=20\nmix="stat:3,read:1"\nmixOperations=100\nRUN\n'
                      "MDTEST STOP\n")
        outcome = self.run_iorx(["-f", "job.ior"])
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.phase("mix")["metadata"]["mix"]["shares"],
                         {"create": 0, "stat": 0.75, "read": 0.25, "remove": 0})

    def test_a_dry_run_tells(self):
        outcome = self.run_iorx(["mdtest", "-F", "-n", "50", MIX, "--mix-rate=10", "--dry-run"], 2)
        self.assert_exit(outcome, 0)
        self.assertIn("; mix: create 15 %, stat 60 %, read 10 %, remove 15 %", " ".join(outcome.out.split()))
        outcome = self.run_iorx(["mdtest", "-F", "-n", "50", "--mix=create:20,stat:70,remove:10", "--dry-run"], 2)
        self.assertIn("create 20 % and remove 10 % were balanced", " ".join(outcome.out.split()))

    def test_what_makes_no_sense_is_refused(self):
        for arguments, text in ((["--mix=stat:1,foo:2"], "mix: \"stat:1,foo:2\": there is no such name"),
                                (["--mix=stat:1", "-S"], "mix: each task needs files of its own"),
                                (["--mix=stat:1", "-D"], "mix: each task needs files of its own"),
                                (["--mix-rate=5"], "mix: nothing is mixed"),
                                ([MIX, "--mix-rate=5", "--mix-think=1"], "mix_rate: mix_think also sets"),
                                ([MIX, "--mix-rate=fast"], "mix_rate: \"fast\" is not a rate; write for"),
                                ([MIX, "--mix-total-rate=0,5"], "\"0,5\" is not a rate: cannot read"),
                                ([MIX, "--mix-rate=-1"], "mix_rate: \"-1\" is not a rate"),
                                ([MIX, "--mix-rate=0.00000001"], "is less than one in eleven days"),
                                (["--mix-rate=0.5"], "mix: nothing is mixed"),
                                ([MIX, "--mix-rate=0.5", "--mix-total-rate=1"], "mix_rate: mix_total_rate"),
                                ([MIX, "-N", "1", "-w", "9", "-e", "9"], "mix: with a stride (-N) files"),
                                ([MIX, "-N", "1", "--names=relative"], "mix: with a stride (-N) relative names"),
                                (["--mix=stat=60"], "mix: \"stat=60\": there is no such name"),
                                ([MIX, "-n", "1"], "mix: a task has one file")):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(["mdtest", "-n", "20", *arguments], 2)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, text)


if __name__ == "__main__":
    unittest.main()
