"""Jobs in turns: the error of repeated looks, the order of the jobs, and what a folder of earlier results does."""

import itertools
import json
import math
import os
import random
import shutil
import unittest
from dataclasses import dataclass, field
from unittest import mock

import results
from iorx_results import compare, jobs, looks, turns
from test_compare import faster

NOISE = .02  # sd of the rates of jobs


@dataclass
class Pair:
    label: str = ""


@dataclass
class Row:
    """What looks need of a comparison.Row."""
    phase: str
    tested: list
    pair: Pair = field(default_factory=Pair)


def verdicts(chance, effects, most):
    """The verdicts on rows of which B is so many times as fast, after `most` jobs a side or once all are decided."""
    values = [([], []) for _ in effects]
    found, look, due = looks.Sequence(.05, 1), 0, looks.first(len(effects))
    while True:
        due = min(due, most)
        for (a, b), effect in zip(values, effects):
            while len(a) < due:
                a.append([chance.lognormvariate(0, NOISE)])
                b.append([effect * chance.lognormvariate(0, NOISE)])
        rows, look = [Row(str(n), [jobs.compare(a, b)]) for n, (a, b) in enumerate(values)], look + 1
        found.narrow(rows, look)
        found.judge(rows)
        said = [row.tested[0].verdict for row in rows]
        if due == most or "undecided" not in said:
            return said
        due = looks.following(due)


class LooksTest(unittest.TestCase):
    def test_the_levels_of_all_looks_add_up_to_the_error(self):
        self.assertAlmostEqual(sum(looks.level(look, 1) for look in range(1, 100000)), .05, delta=1e-5)
        self.assertEqual([looks.first(count) for count in (1, 2, 36)], [5, 5, 7])

    def test_equal_commands_hardly_ever_have_a_winner(self):
        """Of one row, and of 36 rows together; the same jobs, judged at 5 % after each one, show what the correction is for."""
        chance = random.Random(6)
        for count, most, times in ((1, 12, 600), (1, 60, 200), (36, 12, 30)):
            winners = sum(not {"faster", "slower"}.isdisjoint(verdicts(chance, [1] * count, most)) for _ in range(times))
            self.assertLessEqual(winners / times, .05, (count, most))
        winners = 0
        for _ in range(300):
            a, b = ([[chance.lognormvariate(0, .1)] for _ in range(12)] for _ in "ab")
            winners += any(jobs.compare(a[:n], b[:n]).verdict in ("faster", "slower") for n in range(4, 13))
        self.assertGreater(winners / 300, .08)

    def test_a_planted_difference_is_found_within_12_jobs(self):
        """5 % faster or slower at a noise of 2 % between jobs."""
        chance = random.Random(8)
        for effect, verdict in ((1.05, "faster"), (1 / 1.05, "slower")):
            found = sum(verdicts(chance, [effect], 12) == [verdict] for _ in range(300))
            self.assertGreaterEqual(found / 300, .9)

    def test_slow_changes_make_no_winner(self):
        """The rate of the machine wanders by 5 % from job to job, or falls by 2 % with each job: both meet A and B."""
        chance = random.Random(3)
        for wander, fall in ((.05, 0), (0, -.02)):
            winners = 0
            for _ in range(200):
                level, sides = 0, ([], [])
                for side, _ in itertools.islice(turns.sequence(2), 30):
                    level += chance.gauss(fall, wander)
                    sides[side].append([math.exp(level + chance.gauss(0, NOISE))])
                sequence = looks.Sequence(.05, 1)
                for number, count in enumerate((5, 7, 10, 15), 1):
                    rows = [Row("", [jobs.compare(*(side[:count] for side in sides))])]
                    sequence.narrow(rows, number)
                sequence.judge(rows)
                winners += rows[0].tested[0].verdict in ("faster", "slower")
            self.assertLessEqual(winners / 200, .05)

    def test_intervals_hold_the_true_ratio_at_all_looks(self):
        chance, missed = random.Random(4), 0
        for _ in range(300):
            a, b = ([[chance.lognormvariate(0, NOISE)] for _ in range(22)] for _ in "ab")
            sequence = looks.Sequence(.05, 1)
            for number, count in enumerate((5, 7, 10, 15, 22), 1):
                sequence.narrow([Row("", [jobs.compare(a[:count], b[:count])])], number)
            low, high = sequence.intervals["", "", 0]
            missed += not low <= 1 <= high
        self.assertLessEqual(missed / 300, .05)


# Moves the next document of a folder to the place that --output names, or fails.
JOB = """#!/bin/sh
basename "$1" >>"$0.log"
next=$(ls "$1"/*.json | head -n 1)
test -n "$next" || { echo "the disk is full" >&2; exit 3; }
mv "$next" "${2#--output=}"
"""


class TurnsTest(results.Case):
    def setUp(self):
        super().setUp()
        self.keep = os.path.join(self.folder, "keep")
        self.program = os.path.join(self.folder, "job")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(JOB)
        os.chmod(self.program, 0o755)

    def side(self, name, factor=1, count=12, seed=0):
        """The command of jobs that are so many times as fast; it fails after `count` jobs."""
        os.mkdir(os.path.join(self.folder, name))
        for n in range(count):
            self.write(f"{name}/{n:02}", faster(results.many(1, seed=seed + n), factor))
        return f"{self.program} {os.path.join(self.folder, name)}"

    def compare(self, *commands, keep=True):
        options = [f"--keep={self.keep}"] if keep else []
        arguments = [word for one in commands for word in (("--run", one) if " " in one else (one,))]
        return results.run_command(compare.main, "iorx-compare", *arguments, *options)

    def log(self):
        with open(self.program + ".log", encoding="utf-8") as file:
            return "".join(file.read().split())

    def test_jobs_run_in_turns_until_all_is_decided(self):
        code, out, err = self.compare(self.side("a"), self.side("b", 2, seed=50))
        self.assertEqual((code, err), (0, ""), out)
        self.assertEqual(self.log(), "abbaabbaab")
        self.assertRegex(out, r"^jobs in turns: A 5, B 5, in \d+ s: every row is decided\n")
        self.assertRegex(out, r"\nwrite: B is [\d.]+ times as fast as A, [\d.]+ to [\d.]+\n")
        self.assertIn("\n2 compared: 2 faster\n", out)
        self.assertEqual(sorted(os.listdir(self.keep)), ["A", "B", "turns.json"])
        # The folder says the same again, and no job is run.
        code, again, _ = self.compare(*(f"{self.program} {os.path.join(self.folder, name)}" for name in "ab"), "--format=json")
        found = json.loads(again)
        self.assertEqual((self.log(), found["jobs"], found["looks"]), ("abbaabbaab", [5, 5], [5]))
        self.assertEqual([row["verdict"] for row in found["comparisons"][0]["phases"]], ["faster"] * 2)
        self.assertEqual(len(found["ranking"]), 2)

    def test_three_commands_run_in_mirrored_rounds(self):
        sides = [self.side(name, factor, seed=50 * factor) for name, factor in (("a", 1), ("b", 2), ("c", 4))]
        code, out, _ = self.compare(*sides, "--format=markdown")
        self.assertEqual((code, self.log()[:9]), (0, "abccbaabc"))
        self.assertIn("## C against A, where the table calls C B\n", out)
        self.assertLess(out.index("C is"), out.index("B is"))
        self.assertIn("a page shows two commands", self.compare(*sides, "--format=html")[2])

    def test_a_job_that_fails_ends_the_run_and_another_call_goes_on(self):
        commands = self.side("a"), self.side("b", 2, count=3, seed=50)
        code, out, err = self.compare(*commands)
        self.assertEqual(code, 2)
        self.assertRegex(err, "(?s)^iorx-compare: error: a job failed: .*the disk is full\nexit code 3\n$")
        self.assertRegex(out, r"^jobs in turns: A 3, B 3, .*: a job failed\n")
        self.assertIn("undecided: 5 jobs of each are the least that can decide", " ".join(out.split()))
        shutil.rmtree(os.path.join(self.folder, "b"))
        self.side("b", 2, seed=80)
        code, out, err = self.compare(*commands)
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"^jobs in turns: A 5, B 5, .*: every row is decided\n")

    def test_the_budget_ends_the_run_with_what_there_is(self):
        clock = iter(range(10000))
        with mock.patch.object(turns.time, "monotonic", lambda: next(clock)):
            code, out, err = self.compare(self.side("a"), self.side("b", 1, seed=50), "--budget=20s")
        self.assertEqual((code, err), (0, ""))
        self.assertIn(": the budget is spent\n", out)
        self.assertLess(len(self.log()), 12)

    def test_a_folder_of_other_commands_or_files_is_not_used(self):
        a, b = self.side("a"), self.side("b", 2, seed=50)
        self.compare(a, b)
        self.assertIn("has jobs of other commands", self.compare(b, a)[2])
        os.remove(os.path.join(self.keep, "turns.json"))
        self.assertIn("has other files", self.compare(a, b)[2])

    def test_commands_without_a_common_test_end_at_the_first_round(self):
        os.mkdir(os.path.join(self.folder, "b"))
        self.write("b/0", results.metadata())
        code, out, err = self.compare(self.side("a"), f"{self.program} {self.folder}/b")
        self.assertEqual((code, out, self.log()), (2, "", "ab"))
        self.assertRegex(err, "^iorx-compare: error: .* in common.*\n$")

    def test_options_that_do_not_go_together_are_refused(self):
        for arguments, words in ((("true x",), "--run is given 1 times"), (("true x", "true y", "--fail-below=-5%"), "leave them out"),
                                 (("a.json", "--run=true", "--run=true"), "leave out A and B"), (("--budget=1m",), "name two results"),
                                 (("a.json", "b.json", "--budget=1m"), "are for commands"), (("true 'x", "true y"), "no command line"),
                                 (("true x", "true y", "--budget=0"), "is not a time")):
            code, out, err = self.compare(*arguments, keep=False)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(words, err)


if __name__ == "__main__":
    unittest.main()
