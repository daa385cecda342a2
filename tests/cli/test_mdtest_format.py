"""--format=mdtest: what scripts for mdtest take apart, by the patterns that they use."""

import os
import re
import statistics
import unittest

from program import Case

PHASES = {"Directory creation": "dir-create", "Directory stat": "dir-stat",
          "Directory rename": "dir-rename", "Directory removal": "dir-remove",
          "File creation": "file-create", "File stat": "file-stat", "File read": "file-read",
          "File removal": "file-remove", "Tree creation": "tree-create",
          "Tree removal": "tree-remove"}
OURS = {"Directory listing": "list", "Find": "find", "Mixed": "mix"}
NUMBER = r"(\d+\.\d{3})"
ROW = re.compile(rf"^   (\w+(?: \w+)?)\s+{NUMBER}\s+{NUMBER}\s+{NUMBER}\s+{NUMBER}$", re.M)
COLON = re.compile(rf"^   (\w+(?: \w+)?)\s+:\s+{NUMBER}\s+{NUMBER}\s+{NUMBER}\s+{NUMBER}$", re.M)


class Form(Case):
    def text(self, *arguments, tasks=1, form="mdtest", code=0):
        outcome = self.run_iorx(["mdtest", *arguments, "--format=" + form], tasks)
        self.assert_exit(outcome, code)
        return outcome

    def check_rows(self, outcome, rows):
        self.assertEqual([name for name, *_ in rows], list(PHASES))
        for name, *numbers in rows:
            rates = [phase["rates"]["total_operations_per_s"]
                     for phase in outcome.document["tests"][0]["phases"]
                     if phase["phase"] == PHASES[name] and not phase["warmup"]]
            expected = (max(rates), min(rates), statistics.mean(rates), statistics.stdev(rates))
            for number, value in zip(numbers, expected):
                self.assertAlmostEqual(float(number), value, delta=0.001 + 1e-6 * value)

    def test_rows_hold_the_numbers_of_the_results(self):
        outcome = self.text("-n", "20", "-z", "1", "-b", "2", "-i", "3", "--warmup=1", tasks=2)
        self.assertIn("\nSUMMARY rate (in ops/sec): (of 3 iterations)\n", outcome.out)
        self.check_rows(outcome, ROW.findall(outcome.out))

    def test_times_stand_beside_the_rates_or_alone(self):
        for flag, heads in (("-P", ["rate (in ops/sec)", "time (in ms/op)"]), ("-Z", ["time (in ms/op)"])):
            outcome = self.text("-n", "20", "-F", "-u", "-i", "2", flag, tasks=2)
            self.assertEqual(re.findall(r"(?m)^SUMMARY (.*): \(of 2 iterations\)$", outcome.out), heads)
        times = {name: float(mean) for name, _, _, mean, _ in ROW.findall(outcome.out)}
        for name, tasks in (("File creation", 1), ("Tree creation", 2)):  # Of trees, those of one task.
            rates = [outcome.phase(PHASES[name], i)["rates"]["total_operations_per_s"] / tasks for i in (0, 1)]
            self.assertAlmostEqual(times[name], statistics.mean(1e3 / rate for rate in rates), delta=0.001)

    def test_names_may_have_colons(self):
        outcome = self.text("-n", "20", "-i", "2", form="mdtest-colon")
        self.check_rows(outcome, COLON.findall(outcome.out))
        self.assertEqual(ROW.findall(outcome.out), [])

    def test_head_and_end(self):
        outcome = self.text("-n", "20", "-F", tasks=2)
        self.assertRegex(outcome.out, r"\A-- started at \d\d/\d\d/\d{4} \d\d:\d\d:\d\d --\n")
        self.assertRegex(outcome.out, r"\nmdtest-4\.1\.0\+iorx-\S+ was launched with 2 total task\(s\) on "
                                      r"1 node\(s\)\nCommand line used: \S+ mdtest -n 20 -F ")
        self.assertRegex(outcome.out, r"\nPath {16}: \S+\n")
        self.assertIn("\n2 tasks, 40 files\n", outcome.out)
        self.assertRegex(outcome.out, r"\n-- finished at \d\d/\d\d/\d{4} \d\d:\d\d:\d\d --\n\Z")

    def test_only_what_was_done_has_a_row(self):
        outcome = self.text("-n", "20", "-F", "-C", "-r")
        self.assertEqual([name for name, *_ in ROW.findall(outcome.out)],
                         ["File creation", "File removal", "Tree creation", "Tree removal"])

    def test_phases_that_mdtest_does_not_have_come_behind_those_it_has(self):
        outcome = self.text("-n", "20", "-F", "-C", "-r", "--list", "--find", "--mix=stat:1,create:1",
                            "--mix-operations=30", "-i", "2", tasks=2)
        rows = ROW.findall(outcome.out)
        self.assertEqual([name for name, *_ in rows],
                         ["File creation", "File removal", "Tree creation", "Tree removal", *OURS])
        for name, most, *_ in rows[4:]:
            rates = [phase["rates"]["total_operations_per_s"]
                     for phase in outcome.document["tests"][0]["phases"] if phase["phase"] == OURS[name]]
            self.assertAlmostEqual(float(most), max(rates), delta=0.001 + 1e-6 * max(rates))

    def test_what_failed_is_in_no_row_and_told(self):
        self.text("-n", "10", "-F", "-C", "-i", "2", "-d", "d")
        gone = next(os.path.join(folder, name)
                    for folder, _, names in os.walk(os.path.join(self.folder, "d", "test-dir.1-0"))
                    for name in names if name.startswith("file"))
        os.remove(gone)
        outcome = self.text("-n", "10", "-F", "-T", "-r", "-i", "2", "-d", "d", code=1)
        self.assertIn("(of 2 iterations)", outcome.out)
        self.assertIn("File stat", [name for name, *_ in ROW.findall(outcome.out)])
        said = " ".join(outcome.err.split())
        self.assertIn("error: file-stat phase, repetition 1: ", said)
        self.assertIn("error: file-remove phase, repetition 1: ", said)
        self.assertNotIn("tree-remove", said)

    def test_tests_of_data_keep_our_form(self):
        outcome = self.run_iorx(["-a", "null", "-w", "--format=mdtest", "--metadata.items=3"])
        self.assert_exit(outcome, 0)
        self.assertIn("metadata.items has no effect: no test is of metadata", outcome.err)
        self.assertRegex(outcome.out, r"(?m)^write[!?]? ")
        self.assertNotIn("SUMMARY", outcome.out)


if __name__ == "__main__":
    unittest.main()
