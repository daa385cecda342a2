"""How often a test is done, and what its repetitions say of one another."""

import unittest

from program import Case


class Repetitions(Case):
    def test_auto_ends_when_the_median_is_known(self):
        outcome = self.run_iorx(["-a", "null", "--null.delay-xfer=5000", "-i", "auto", "--precision=90%",
                                 "--max-repetitions=200", "-b", "1m"], 2)
        self.assert_exit(outcome, 0)
        test = outcome.document["tests"][0]
        self.assertEqual(test["repetitions_end"], "precise")
        for summary in test["summaries"]:
            self.assertGreaterEqual(summary["complete_repetitions"], 8)
            self.assertLess(summary["complete_repetitions"], 200)
            self.assertLessEqual(summary["precision"], 0.9)
            interval = summary["total_rate"]["median_interval"]
            self.assertGreaterEqual(interval["coverage"], 0.95)
            self.assertLessEqual(interval["lower_bytes_per_s"],
                                 summary["total_rate"]["median_bytes_per_s"])
            self.assertGreaterEqual(interval["upper_bytes_per_s"],
                                    summary["total_rate"]["median_bytes_per_s"])
        self.assertIn("repeated until", outcome.out)

    def test_auto_ends_at_the_most_and_says_what_is_missing(self):
        outcome = self.run_iorx(["-a", "null", "-w", "-i", "auto", "--precision=0.0001%",
                                 "--max-repetitions=9", "-b", "1m"], 1)
        self.assert_exit(outcome, 0)
        test = outcome.document["tests"][0]
        summary = test["summaries"][0]
        self.assertEqual(test["repetitions_end"], "max_repetitions")
        self.assertEqual(summary["complete_repetitions"], 9)
        self.assertGreater(summary["needed_repetitions"], 9)
        self.assertIn("V1", [verdict["id"] for verdict in summary["verdicts"]])
        self.assertEqual(test["options"]["repetitions"]["value"], "auto")
        self.assertEqual(test["options"]["precision"]["value"], 1e-6)

    def test_an_interval_says_whether_independence_was_tested(self):
        for count, words, known in ((6, "interval of independent repetitions", ["assumed"]),
                                    (20, "", ["tested", "corrected", "drift", None])):
            with self.subTest(repetitions=count):
                outcome = self.run_iorx(["-a", "null", "-w", "-v", "-i", str(count)], 1)
                interval = outcome.document["tests"][0]["summaries"][0]["total_rate"]["median_interval"]
                self.assertIn(interval and interval["independence"], known)
                said = " ".join(outcome.out.split())
                if words:
                    self.assertEqual(interval["effective_repetitions"], 6)
                    self.assertIn(words, said)
                else:
                    self.assertNotIn("interval of independent", said)
                    drifts = bool(interval) and interval["independence"] == "drift"
                    self.assertEqual("; the rates drift: " in said, drifts)
                    if interval and not drifts:
                        self.assertEqual("repetitions follow one another" in said,
                                         interval["independence"] == "corrected")

    def test_too_few_have_no_interval(self):
        outcome = self.run_iorx(["-a", "null", "-w", "-i", "5"], 1)
        summary = outcome.document["tests"][0]["summaries"][0]
        self.assertIsNone(summary["total_rate"]["median_interval"])
        self.assertIsNone(summary["precision"])
        self.assertIn("V5", [verdict["id"] for verdict in summary["verdicts"]])
        self.assertEqual(outcome.document["tests"][0]["repetitions_end"], "asked")

    def test_who_asked_for_auto_is_not_told_to(self):
        outcome = self.run_iorx(["-a", "null", "-w", "--repetitions=auto", "--budget=1s",
                                 "-d", "0.4"])
        summary = outcome.document["tests"][0]["summaries"][0]
        self.assertIn("1 s (budget)", outcome.out)
        self.assertEqual([verdict["remedy"] for verdict in summary["verdicts"]
                          if verdict["id"] == "V5"], ["more time (budget, deadline)"])

    def test_warm_ups_are_kept_and_in_no_summary(self):
        outcome = self.run_iorx(["-a", "null", "-w", "-i", "6", "--warmup=2"], 2)
        test = outcome.document["tests"][0]
        self.assertEqual([phase["warmup"] for phase in test["phases"]],
                         [True] * 2 + [False] * 6)
        self.assertEqual(test["summaries"][0]["complete_repetitions"], 6)
        rates = sorted(phase["rates"]["total_bytes_per_s"] for phase in test["phases"][2:])
        interval = test["summaries"][0]["total_rate"]["median_interval"]
        self.assertEqual(interval["lower_bytes_per_s"], rates[0])
        self.assertEqual(interval["upper_bytes_per_s"], rates[5])

    def test_no_repetition_begins_that_would_pass_the_budget(self):
        for option in ("--budget=1s", "--node-budget=1s"):
            with self.subTest(option):
                outcome = self.run_iorx(["-a", "null", "-w", "-i", "1000", "-d", "0.2", option], 2)
                self.assert_exit(outcome, 0)
                test = outcome.document["tests"][0]
                self.assertEqual(test["repetitions_end"], "budget")
                self.assertIn(test["summaries"][0]["complete_repetitions"], range(1, 6))

    def test_files_of_all_repetitions_stay_apart(self):
        outcome = self.run_iorx(["-w", "-k", "-m", "-i", "auto", "--max-repetitions=8", "--warmup=1",
                                 "-b", "64k", "-t", "64k", "-o", "data"], 1)
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.document["tests"][0]["plan"]["files"], 9)

    def test_mistakes_say_what_is_right(self):
        for arguments, text in ((["-i", "often"], "neither a whole number nor auto"),
                                (["--precision=x"], "write for example 5% or 0.05"),
                                (["--precision=101%"], "the most is 100%"),
                                (["--max-repetitions=7"], "the least is 8")):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(arguments, 1, output=False)
                self.assert_exit(outcome, 2)
                self.assertIn(text, outcome.err)


if __name__ == "__main__":
    unittest.main()
