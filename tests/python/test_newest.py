"""iorx-compare --alarm-below: one new run against the earlier runs of its job."""

import os
import random
import subprocess
import sys
import unittest

from scipy.stats import t as student

import results
from iorx_results import newest


def scaled(factor, seed, only=("write", "read")):
    """A job without verdicts whose phases of these names are `factor` times as fast."""
    document = results.many(1, seed=seed)
    for test in document["tests"]:
        for phase in test["phases"]:
            phase["verdicts"] = []
            if phase["phase"] in only:
                phase["rates"] = results.scale(phase["rates"], factor, "_per_s")
    return document


class LimitTest(unittest.TestCase):
    def test_quantiles_are_those_of_student(self):
        for free in (1, 2, 3, 4, 5, 19, 20):
            for beyond in (.01, .00125):
                self.assertAlmostEqual(newest.t_quantile(beyond, free) / student.isf(beyond, free), 1, places=8)

    def alarms(self, draw, earlier, runs=1000, rates=8):
        """The share of new runs that are called slow in one of their rates."""
        return sum(any(draw() < newest.least_usual([draw() for _ in range(earlier)], .1, rates)
                       for _ in range(rates)) for _ in range(runs)) / runs

    def test_a_run_like_the_others_is_hardly_ever_slow(self):
        chance = random.Random(1)
        for draw in (lambda: chance.gauss(1, .08), lambda: chance.lognormvariate(0, .2)):
            for earlier in (6, 20):
                self.assertLess(self.alarms(draw, earlier), .02)

    def test_a_slow_run_is_found(self):
        chance = random.Random(2)
        draw = lambda: chance.gauss(1, .03)
        found = sum(.69 * draw() < newest.least_usual([draw() for _ in range(8)], .1, 8) for _ in range(500))
        self.assertGreater(found / 500, .95)

    def test_a_small_difference_is_none_however_steady_the_runs(self):
        self.assertAlmostEqual(newest.least_usual([100] * 10, .1, 8), 90)

    def test_runs_that_vary_too_much_have_no_limit(self):
        self.assertEqual(newest.least_usual([10, 100] * 3, .1, 8), 0)


class NewestTest(results.Case):
    def baseline(self, count):
        folder = os.path.join(self.folder, f"runs-{count}")
        os.makedirs(folder)
        for n in range(count):
            self.write(f"runs-{count}/{n}", scaled(1, n))
        return folder

    def judge(self, *arguments):
        """(exit code, standard output, standard error) of the command."""
        done = subprocess.run([sys.executable, "-B", "-m", "iorx_results.compare", *arguments],
                              env=dict(os.environ, PYTHONPATH=os.path.join(results.TOP, "python")),
                              capture_output=True, encoding="utf-8", timeout=300)
        return done.returncode, done.stdout, done.stderr

    def test_the_exit_code_says_usual_slow_or_not_known(self):
        few, enough = self.baseline(2), self.baseline(12)
        same, slow = self.write("same", scaled(1, 50)), self.write("slow", scaled(.3, 51, ["read"]))
        for folder, new, code, words in ((few, same, 2, "not known yet: 2 earlier runs"),
                                         (enough, same, 0, "as in the 12 earlier runs"),
                                         (enough, slow, 1, "slower than in earlier runs: read by ")):
            found, out, err = self.judge(folder, new, "--alarm-below=-10%")
            self.assertEqual((found, err), (code, ""), out)
            self.assertTrue(out.startswith(words), out)
            self.assertNotIn("write by", out)
            self.assertLessEqual(len(out.splitlines()), 12)
            self.assertLessEqual(max(map(len, out.splitlines())), 80)

    def test_runs_that_cannot_be_compared_do_not_count(self):
        folder = self.baseline(6)
        other, failed, doubted = scaled(1, 8), scaled(1, 9), results.many(1)
        other["tests"][0]["options"]["transfer_size"]["value"] = 65536
        failed["status"] = "interrupted"
        self.write("runs-6/other", other)
        self.write("runs-6/failed", failed)
        self.write("runs-6/doubted", doubted)
        new = self.write("runs-6/new", scaled(1, 50))
        code, out, _ = self.judge(folder, new, "--alarm-below", "-10%")
        self.assertEqual(code, 0, out)
        self.assertTrue(out.startswith("as in the 6 earlier runs\n"), out)
        words = " ".join(out.split())
        for why in ("another job or file system", "did not end well", "has a verdict fail", "the new run itself"):
            self.assertIn(f"1 ({why})", words)

    def test_a_run_that_failed_is_an_alarm(self):
        failed = scaled(1, 9)
        failed["status"] = "interrupted"
        code, out, _ = self.judge(self.baseline(6), self.write("failed", failed), "--alarm-below=-10%")
        self.assertEqual(code, 1)
        self.assertTrue(out.startswith("this run did not end well: interrupted"), out)

    def test_rates_that_vary_too_much_are_named_beside_the_usual_ones(self):
        folder = os.path.join(self.folder, "runs")
        os.makedirs(folder)
        for n in range(8):
            self.write(f"runs/{n}", scaled((.1, 1)[n % 2], n, ["read"]))
        code, out, _ = self.judge(folder, self.write("new", scaled(1, 50)), "--alarm-below=-10%")
        self.assertEqual(code, 2, out)
        self.assertIn("the 8 earlier runs vary too much in read; longer phases or more runs help; the other rates are as usual",
                      " ".join(out.split()))

    def test_a_note_that_is_cut_short_says_so(self):
        lines = newest.note_lines(["a short one", "long words " * 40, "more words " * 40], 4)
        self.assertEqual([line.endswith(" ...") for line in lines], [False, False, True, True])
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_a_run_that_failed_before_its_first_phase_is_an_alarm(self):
        failed = dict(scaled(1, 9), status="failed", exit_code=1)
        failed["tests"][0]["phases"] = []
        code, out, err = self.judge(self.baseline(6), self.write("failed", failed), "--alarm-below=-10%")
        self.assertEqual((code, err), (1, ""))
        self.assertTrue(out.startswith("this run did not end well: failed, exit code 1"), out)

    def test_options_that_do_not_fit_are_refused(self):
        folder, new = self.baseline(2), self.write("new", scaled(1, 50))
        for words, more in (("leave out --fail-below", ["--fail-below=-5%"]), ("--format", ["--format=json"])):
            code, out, err = self.judge(folder, new, "--alarm-below=-10%", *more)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(words, err)
        self.assertIn("must be below 0", self.judge(folder, new, "--alarm-below=10%")[2])
        self.assertIn("name a file", self.judge(new, folder, "--alarm-below=-10%")[2])


if __name__ == "__main__":
    unittest.main()
