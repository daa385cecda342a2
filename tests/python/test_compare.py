"""iorx-compare: the ratio, its interval, the words, and the exit code."""

import json
import os
import random
import re
import unittest

from scipy.stats import mannwhitneyu

import results
from iorx_results import compare, jobs, ranks


def faster(document, factor):
    """The document with all rates `factor` times as high."""
    for test in document["tests"]:
        for phase in test["phases"]:
            phase["rates"] = results.scale(phase["rates"], factor, "_per_s")
    return document


class RanksTest(unittest.TestCase):
    def test_orders_are_counted_exactly(self):
        self.assertEqual(ranks.orders(1, 1), (1, 1))
        self.assertEqual(ranks.orders(2, 2), (1, 1, 2, 1, 1))
        self.assertEqual(sum(ranks.orders(8, 11)), 75582)

    def test_the_interval_belongs_to_the_test(self):
        """1 is outside of the interval just when p < 0.05."""
        chance, both = random.Random(7), set()
        for _ in range(300):
            n, m = chance.randint(4, 12), chance.randint(4, 12)
            a = [chance.lognormvariate(0, 1) for _ in range(n)]
            b = [chance.lognormvariate(chance.choice([0, .8, -.8]), 1) for _ in range(m)]
            found = ranks.compare(a, b)
            outside = not found.interval[0] <= 1 <= found.interval[1]
            self.assertEqual(outside, mannwhitneyu(a, b, method="exact").pvalue < .05)
            both.add(outside)
        self.assertEqual(both, {True, False})

    def test_the_interval_covers_the_true_ratio(self):
        chance, inside = random.Random(3), 0
        for _ in range(1000):
            a = [chance.lognormvariate(0, .1) for _ in range(8)]
            b = [1.1 * chance.lognormvariate(0, .1) for _ in range(8)]
            low, high = ranks.compare(a, b).interval
            inside += low <= 1.1 <= high
        self.assertGreater(inside / 1000, .94)

    def test_three_against_three_can_never_tell(self):
        found = ranks.compare([1, 2, 3], [100, 200, 300])
        self.assertIsNone(found.interval)
        self.assertEqual(found.verdict, "undecided")
        self.assertAlmostEqual(found.least_p, .1)
        self.assertIn("3 against 3 repetitions can never reach p < 0.05", found.words)
        self.assertEqual(found.more, 1)
        self.assertIsNotNone(ranks.compare([1, 2, 3, 4], [5, 6, 7, 8]).interval)

    def test_verdicts_in_words(self):
        base = [100 + i / 10 for i in range(8)]
        for factor, words in ((1.2, r"B is faster by 19\.\d to 20\.\d %"), (.8, r"B is slower by [\d.]+ to 20\.\d %"),
                              (1.001, "equal within 5 %"), (3, "B is 2.99 to 3.01 times as fast")):
            self.assertRegex(ranks.compare(base, [factor * x for x in base]).words, words)
        wide = ranks.compare([80, 90, 100, 110, 120], [82, 95, 103, 111, 125])
        self.assertRegex(wide.words, r"undecided: B may be faster or slower; about \d+ more repetitions of each")

    def test_as_many_more_as_it_says_do_tell(self):
        """Of samples that are undecided, most are decided with the repetitions that were asked for."""
        chance, decided, asked = random.Random(11), 0, 0
        for _ in range(60):
            draw = lambda count, factor: [factor * chance.lognormvariate(0, .05) for _ in range(count)]
            found = ranks.compare(draw(6, 1), draw(6, 1.04))
            if found.verdict != "undecided" or found.more > 60:
                continue
            asked += 1
            decided += ranks.compare(draw(6 + found.more, 1), draw(6 + found.more, 1.04)).verdict \
                != "undecided"
        self.assertGreater(asked, 20)
        self.assertGreater(decided / asked, .5)


class JobsTest(unittest.TestCase):
    def test_equal_pairs_whose_jobs_differ_hardly_ever_have_a_winner(self):
        """Jobs differ by 3 % (sd), their repetitions by 1 %: of 3 rows of 6 jobs of each, any has a winner."""
        chance, wins, wins_alone, runs = random.Random(5), 0, 0, 500
        for _ in range(runs):
            draw = lambda: [[job * chance.lognormvariate(0, .01) for _ in range(4)]
                            for job in (chance.lognormvariate(0, .03) for _ in range(6))]
            found = [jobs.compare(draw(), draw()) for _ in range(3)]
            wins_alone += found[0].verdict in ("faster", "slower")
            jobs.correct(found)
            wins += any(one.verdict in ("faster", "slower") for one in found)
        self.assertLessEqual(wins / runs, .06)
        self.assertLessEqual(wins_alone / runs, .06)

    def test_of_many_rows_of_two_equal_runs_hardly_ever_one_differs(self):
        """36 rows of 8 repetitions each, which differ by 3 or by 10 % (sd)."""
        chance, runs = random.Random(2), 40
        for noise in .03, .1:
            differs = broken = 0
            for _ in range(runs):
                draw = lambda: [[chance.lognormvariate(0, noise) for _ in range(8)]]
                found = [jobs.compare(draw(), draw()) for _ in range(36)]
                broken += ranks.BELOW in jobs.against(found, .95)
                jobs.correct(found)
                differs += any(one.runs in ("faster", "slower") for one in found)
            self.assertLessEqual(differs / runs, .15)
            self.assertLessEqual(broken / runs, .05)

    def test_a_corrected_interval_lies_above_or_below_a_bound_or_holds_it(self):
        base = [100 + one / 10 for one in range(8)]
        ratios = [jobs.compare([base], [[factor * one for one in base]]) for factor in (1, .7, .95)]
        self.assertEqual(jobs.against(ratios, .95), ["above", "below", "undecided"])
        self.assertEqual(jobs.against([jobs.compare([base[:4]], [base[:4]])] * 36, .5), ["undecided"] * 36)

    def test_p_is_that_of_mann_and_whitney(self):
        chance = random.Random(4)
        for ratio in 1, .9:
            for n, m in (4, 9), (120, 110):
                a, b = ([chance.lognormvariate(0, .1) for _ in range(count)] for count in (n, m))
                self.assertAlmostEqual(ranks.compare(a, b).p_against(ratio),
                                       mannwhitneyu([ratio * one for one in a], b, method="auto" if n < 9 else "asymptotic").pvalue,
                                       delta=1e-3)

    def test_a_difference_between_jobs_is_found(self):
        chance, wins = random.Random(9), 0
        for _ in range(50):
            draw = lambda factor: [[factor * chance.lognormvariate(0, .03)] for _ in range(6)]
            found = [jobs.compare(draw(1), draw(1.15)) for _ in range(3)]
            jobs.correct(found)
            wins += all(one.verdict == "faster" for one in found)
        self.assertGreater(wins / 50, .9)

    def test_holm_corrects_the_smallest_p_most(self):
        ratios = [ranks.compare([1, 1.1, 1.2, 1.3, 1.4], [factor + one / 10 for one in range(5)])
                  for factor in (2, 1.25, 1)]
        for one in ratios:
            one.jobs, one.unit = (5, 5), "job"
        jobs.correct(ratios)
        self.assertAlmostEqual(ratios[0].adjusted, 3 * ratios[0].p)
        self.assertAlmostEqual(ratios[1].adjusted, max(ratios[0].adjusted, 2 * ratios[1].p))
        self.assertEqual([one.verdict for one in ratios], ["faster", "undecided", "undecided"])

    def test_more_rows_need_more_jobs(self):
        self.assertEqual([jobs.needed(rows) for rows in (1, 2, 3, 6, 7, 20, 100)], [4, 5, 5, 5, 6, 6, 8])


class CompareTest(results.Case):
    def compare(self, *arguments):
        """(exit code, standard output, standard error) of the command."""
        return results.run_command(compare.main, "iorx-compare", *arguments)

    def pair(self, factor, count=8):
        return (self.write("a", results.many(count)),
                self.write("b", faster(results.many(count, seed=2), factor)))

    def test_the_bound_decides_the_exit_code(self):
        for factor, bound, code in ((1, "-5%", 2), (.7, "-5%", 1), (.7, "-50%", 0), (1.5, "-5%", 0),
                                    (.7, "-0.05", 1)):
            found = self.compare(*self.pair(factor), "--fail-below", bound)
            self.assertEqual(found[0], code, found)
        self.assertEqual(self.compare(*self.pair(.5))[0], 0)
        err = self.compare(*self.pair(1), "--fail-below=-5%")[2]
        self.assertEqual(err, "iorx-compare: error: --fail-below cannot say whether B is as fast in write, read: more "
                              "repetitions of each would tell\n")

    def test_a_file_against_itself_or_its_copy_keeps_every_bound(self):
        for name, make in results.ALL.items():
            paths = [self.write(f"{name}-{side}", make()) for side in "ab"]
            for pair in paths, paths[:1] * 2:
                code, out, err = self.compare(*pair, "--fail-below", "-0.1%")
                if err:  # no phase, or a text that cannot be read
                    self.assertIn("have no ", err, name)
                    continue
                self.assertEqual(code, 0, name)
                self.assertIn("A and B are the same results: no phase is below the bound", " ".join(out.split()))

    def folders(self, count, factor, prefix=""):
        """Two folders of `count` jobs each, of which B's are `factor` times as fast."""
        for folder, times in (("x", 1), ("y", factor)):
            os.makedirs(os.path.join(self.folder, prefix + folder))
            for n in range(count):
                self.write(f"{prefix}{folder}/{n}", faster(results.many(3, seed=n), times))
        return [os.path.join(self.folder, prefix + folder) for folder in "xy"]

    def test_of_several_jobs_a_side_each_counts_once(self):
        for count, factor, code, words in ((2, 1.1, 2, "2 against 2 jobs can never reach p < 0.025 (at best 0.33); 5 jobs of each"),
                                           (5, 1.1, 0, "no phase of these runs is below the bound"), (5, .7, 1, "B is slower by"),
                                           (2, .7, 2, "undecided at the bound of -5 %: write, read; at least 5 jobs")):
            with self.subTest(jobs=count, factor=factor):
                paths = self.folders(count, factor, f"{count}-{factor}-")
                found, out, err = self.compare(*paths, "--fail-below=-5%")
                self.assertEqual(found, code, out)
                self.assertIn(words, " ".join(out.split()))
                self.assertEqual("in write, read: at least 5 jobs of each are needed" in err, code == 2)
                row = json.loads(self.compare(*paths, "--format", "json")[1])["phases"][0]
                self.assertEqual((row["jobs"], row["a"]["repetitions"]), ([count] * 2, 3 * count))
                self.assertEqual(row["jobs_that_decide"], 5 if count == 2 else 0)
                self.assertIsNone(row["verdict_on_these_runs"])
                self.assertGreaterEqual(row["corrected_p"], row["p"])

    def test_two_runs_never_have_a_winner(self):
        row = json.loads(self.compare(*self.pair(.5), "--format", "json")[1])["phases"][0]
        self.assertEqual((row["verdict"], row["verdict_on_these_runs"]), ("undecided", "slower"))
        self.assertEqual((row["jobs"], row["jobs_that_decide"]), ([1, 1], 5))
        self.assertRegex(row["words"], r"^these two runs differ: B is slower by .*; 5 jobs of each would decide$")

    def test_few_repetitions_cannot_break_the_bound(self):
        code, _, err = self.compare(*self.pair(.7, 3), "--fail-below", "-5%")
        self.assertEqual(code, 2)
        self.assertIn("at least 5 repetitions of each are needed", err)

    def test_a_phase_without_result_breaks_the_bound(self):
        a, b = self.write("a", results.many(3)), self.write("b", results.failed())
        document = results.many(3)
        for phase in document["tests"][0]["phases"]:
            if phase["phase"] == "read":
                phase["status"] = "failed"
        b = self.write("b", document)
        code, out, _ = self.compare(a, b, "--fail-below=-50%")
        self.assertEqual(code, 1)
        self.assertIn("no complete repetition in B", out)
        self.assertIn("below the bound of -50 %: read", out)

    def test_what_differs_comes_first(self):
        a, document = self.write("a", results.many(8)), results.many(8, seed=2)
        document["tests"][0]["options"]["transfer_size"]["value"] = 65536
        document["run"]["environment"]["kernel"] = "Linux 7"
        out = self.compare(a, self.write("b", document))[1]
        self.assertIn("  transfer_size: 256 KiB -> 64 KiB\n", out)
        self.assertIn("environment: kernel: Linux 6", out)
        self.assertLess(out.index("transfer_size"), out.index("95 % interval"))
        self.assertIn("  none\n", self.compare(a, a)[1])

    def study(self, name, values, rate=lambda value: value, second=None, **changed):
        """The path of a study of transfer_size whose rates follow `rate`, with some options changed."""
        document = results.varied("transfer_size", values, rate, count=8, second=second)
        for test in document["tests"]:
            test["options"].update((key, {"value": value}) for key, value in changed.items())
        return self.write(name, document)

    def test_tests_are_matched_by_the_values_that_vary(self):
        a, b = self.study("a", [65536, 1 << 20]), self.study("b", [1 << 20, 65536], lambda value: 1.01 * value)
        code, out, _ = self.compare(a, b, "--fail-below=-20%")
        self.assertEqual(code, 0, out)
        self.assertIn("\nrows are named by transfer_size and phase\n", out)
        for size in "64 KiB", "1 MiB":
            self.assertRegex(out, rf"\n  {size} write  ")
        self.assertNotIn("transfer_size:", out)
        found = json.loads(self.compare(a, b, "--format", "json")[1])
        self.assertEqual([(one["test"], one["test_in_b"], one["options"]) for one in found["phases"][::2]],
                         [(0, 1, {"transfer_size": "64 KiB"}), (1, 0, {"transfer_size": "1 MiB"})])
        for one in found["phases"]:
            self.assertAlmostEqual(one["ratio"], 1, delta=.1)
        for form in "markdown", "html":
            self.assertRegex(self.compare(a, b, "--format", form)[1], r"transfer\\?_size = 64 KiB")

    def test_the_text_begins_with_counts_and_says_common_words_once(self):
        """36 rows, of which the writes of one transfer size are much faster in B and those of another slower."""
        values = [1 << power for power in range(12, 30)]
        documents = [results.varied("transfer_size", values, lambda value: 1, count=8) for _ in "ab"]
        for value, factor in ((2, 2), (5, .7)):
            for phase in documents[1]["tests"][value]["phases"]:
                if phase["phase"] == "write":
                    phase["rates"] = results.scale(phase["rates"], factor, "_per_s")
        out = self.compare(*(self.write(name, one) for name, one in zip("ab", documents)))[1]
        self.assertRegex(out, r"^36 compared in these two runs: 1 faster, 1 slower(, \d+ (equal|undecided))+\n")
        ratios = [float(one) for one in re.findall(r"(?m)^  \S+ \S+ (?:write|read) .* ([\d.]+)  [\d.]+ to", out)]
        self.assertEqual((len(ratios), ratios[:2]), (36, [2, .7]))
        self.assertLessEqual(out.count("would"), 6, out)
        self.assertLessEqual(len(out.splitlines()), 36 + 40, out)

    def test_where_nothing_is_common_one_short_line_says_so(self):
        sides = [self.study(name, [first << power for power in range(0, 24, 2)]) for name, first in (("a", 1), ("b", 2))]
        code, out, err = self.compare(*sides)
        self.assertEqual((code, out, err.count("\n")), (2, "", 1))
        self.assertIn("have no test in common: only in A: transfer_size = 1 B; transfer_size = 4 B; transfer_size = 16 B and 9 "
                      "more; only in B: ", err)

    def test_tests_of_a_set_are_matched_by_name_and_by_being_alone(self):
        a, b = self.write("a", results.together()), self.write("b", results.together())
        found = json.loads(self.compare(a, b, "--format", "json")[1])
        pairs = {(one["test"], one["test_in_b"], *one["options"].values()) for one in found["phases"]}
        self.assertEqual(pairs, {(0, 0, "writer", "together"), (1, 1, "users", "together"), (2, 2, "writer", "alone"),
                                 (3, 3, "users", "alone")})

    def test_tests_without_a_partner_are_named_and_a_bound_cannot_judge_them(self):
        a, b = self.study("a", [65536, 1 << 20]), self.study("b", [1 << 20, 4 << 20])
        for form in "text", "markdown", "html":
            code, out, err = self.compare(a, b, "--format", form)
            self.assertEqual((code, err), (0, ""))
            for words in "only in A, without a partner in B: transfer_size = 64 KiB", \
                    "only in B, without a partner in A: transfer_size = 4 MiB":
                self.assertIn(words, out.replace("\\", ""))
        found = json.loads(self.compare(a, b, "--format", "json")[1])
        self.assertEqual([(one["side"], one["test"]) for one in found["without_partner"]], [("a", 0), ("b", 1)])
        self.assertEqual({one["options"]["transfer_size"] for one in found["phases"]}, {"1 MiB"})
        code, out, err = self.compare(a, b, "--fail-below=-5%")
        self.assertEqual(code, 2)
        self.assertIn("tests without a partner are not judged", " ".join(out.split()))
        self.assertRegex(err, "^iorx-compare: error: .*transfer_size = 64 KiB is only in A; "
                              "transfer_size = 4 MiB is only in B\n$")
        code, out, err = self.compare(a, self.study("c", [4 << 20]))
        self.assertEqual((code, out), (2, ""))
        self.assertIn("have no test in common", err)

    def test_the_headline_of_many_tests_counts_verdicts(self):
        values = [65536, 1 << 20, 4 << 20]
        paths = [self.study(name, values, lambda value, factor=factor: factor * value)
                 for name, factor in (("a", 1), ("b", .5))]
        page_text = self.compare(*paths, "--format", "html")[1]
        self.assertIn("B against A in 6 phases: 6 slower in these two runs<", page_text)
        self.assertIn("Rows are named by transfer_size and phase.", page_text)

    def test_common_differences_are_said_once(self):
        second = ("queue_depth", [1, 4])
        both = lambda value, depth: value
        a = self.study("a", [65536, 1 << 20], both, second, fsync=False)
        out = self.compare(a, self.study("b", [65536, 1 << 20], both, second, fsync=True))[1]
        self.assertEqual(out.count("fsync: false -> true"), 1)
        self.assertIn("\n  fsync: false -> true\n", out)
        self.assertIn("\n  64 KiB, 4 write  ", out)

    def test_one_test_of_a_job_may_have_another_option(self):
        documents = [results.varied("transfer_size", [65536, 1 << 20, 4 << 20], lambda value: value, declare=False)
                     for _ in "ab"]
        documents[1]["tests"][1]["options"]["fsync"]["value"] = True
        code, out, _ = self.compare(*(self.write(name, one) for name, one in zip("ab", documents)), "--fail-below=-5%")
        self.assertEqual(code, 2, out)  # one job a side
        self.assertIn("\n  transfer_size = 1 MiB: fsync: false -> true\n", out)
        self.assertNotIn("only in", out)

    def test_equal_tests_are_matched_in_their_order(self):
        documents = [results.varied("transfer_size", [65536, 65536], lambda value: 1, count=4, declare=False)
                     for _ in "ab"]
        for document in documents:
            for index, test in enumerate(document["tests"]):
                test["options"]["test_file"]["value"] = f"/{id(document)}/{index}"
        paths = [self.write(name, one) for name, one in zip("ab", documents)]
        self.assertRegex(self.compare(*paths)[1], r"(?s)\ntest 0\n.*\ntest 1\n")
        # the same files in another order
        for document, order in zip(documents, ("xy", "yx")):
            for name, test in zip(order, document["tests"]):
                test["options"]["test_file"]["value"] = f"/{name}"
        paths = [self.write(name, one) for name, one in zip("ab", documents)]
        self.assertRegex(self.compare(*paths)[1], r"(?s)\n  /x write .*\n  /y write ")

    def test_a_folder_that_was_made_first_is_no_difference(self):
        paths = []
        for name, directory, kind in (("a", "/d", "ext4"), ("b", "/d/md", "ext4"), ("c", "/d/md", "xfs")):
            document = results.one()
            document["tests"][0]["mount"] = {"directory": directory, "type": kind}
            paths.append(self.write(name, document))
        self.assertIn("  none\n", self.compare(paths[0], paths[1])[1])
        self.assertIn("mount: type: ext4 -> xfs", self.compare(paths[0], paths[2])[1])

    def test_of_ordered_rates_the_response_times_are_compared(self):
        def drifting(document):
            for phase in document["tests"][0]["phases"]:
                one = phase["operations"]["response"]
                phase["operations"]["response"] = results.timed(one, 1 + phase["repetition"] / 1000)
            return document

        paths = [self.write(f"x{slow}", drifting(results.mix(8, 100, slow))) for slow in (1, 700)]
        code, out, _ = self.compare(*paths, "--fail-below", "-5%")
        said = " ".join(out.split())
        self.assertEqual(code, 1)
        self.assertIn("(700 times as long, not by chance in these runs)", said)
        self.assertIn("the rate was ordered (400.0 op/s)", said)
        self.assertNotIn("equal within", said[:said.index("mix:create")])
        self.assertNotIn("mix:response", said)
        found = json.loads(self.compare(*paths, "--format", "json")[1])["phases"][0]
        self.assertEqual(found["verdict_on_these_runs"], "slower")
        self.assertAlmostEqual(found["response"]["p50"]["ratio_of_speeds"], 1 / 700, delta=1e-5)
        self.assertEqual(self.compare(*reversed(paths), "--fail-below", "-5%")[0], 2)
        said = " ".join(self.compare(paths[0], paths[0], "--fail-below", "-5%")[1].split())
        self.assertIn("equal within 5 %); the rate was ordered", said)
        self.assertIn("Ordered rates", self.compare(*paths, "--format", "html")[1])

    def test_of_loads_at_a_rate_response_times_are_compared_and_no_layouts(self):
        documents = results.load(8), results.load(8)
        for document, slow in zip(documents, (1, 3)):
            for phase in document["tests"][0]["phases"][1:]:
                response = phase["operations"]["response"]
                phase["operations"]["response"] = results.timed(response, slow + phase["repetition"] / 1000)
        paths = [self.write(name, one) for name, one in zip("ab", documents)]
        code, out, _ = self.compare(*paths, "--fail-below", "-5%")
        said = " ".join(out.split())
        self.assertEqual(code, 1)
        self.assertRegex(said, r"the rate was ordered \(2\s000 op/s\)")
        self.assertIn("2.99 times as long, not by chance", said)
        self.assertIn("service p50 2.57 us -> 2.57 us", said)
        self.assertIn("a share of the load's rate", said)
        rows = json.loads(self.compare(*paths, "--format", "json")[1])["phases"]
        self.assertEqual([row["phase"] for row in rows], ["load", "load:read", "load:write"])
        self.assertEqual(rows[0]["a"]["median_operations_per_s"], 2000)
        # Without a rate the rates themselves are compared.
        closed = self.write("closed", results.closed_load())
        self.assertIn("1.000", self.compare(closed, closed)[1])

    def test_of_the_kinds_of_a_mix_service_times_are_compared(self):
        def made(slow):
            document = results.mix(8)
            for phase in document["tests"][0]["phases"]:
                operations, drift = phase["operations"], 1 + phase["repetition"] / 1000
                for name, factor in ("create", slow), ("stat", 1):
                    operations[name] = results.timed(operations[name], factor * drift, 602)
            return document

        paths = [self.write(f"x{slow}", made(slow)) for slow in (1, 3)]
        rows = {row["phase"]: row for row in json.loads(self.compare(*paths, "--format", "json")[1])["phases"]}
        self.assertEqual(list(rows), ["mix", "mix:create", "mix:stat", "mix:read", "mix:remove"])
        self.assertEqual([rows[name]["verdict_on_these_runs"] for name in ("mix:create", "mix:stat")],
                         ["slower", "equal"])
        self.assertAlmostEqual(rows["mix:create"]["response"]["p50"]["ratio_of_speeds"], 1 / 3, delta=1e-3)
        code, out, _ = self.compare(*paths, "--fail-below", "-5%")
        self.assertEqual(code, 1)
        self.assertIn("below the bound of -5 %: mix:create\n", out)
        self.assertEqual(self.compare(*reversed(paths), "--fail-below", "-5%")[0], 2)

    def test_an_ordered_rate_against_none_is_named(self):
        paths = self.write("a", results.mix(8, 100)), self.write("b", results.mix(8))
        self.assertIn("the rate of A was ordered (400.0 op/s)", " ".join(self.compare(*paths)[1].split()))

    def test_the_text_fits_80_columns(self):
        for names in (("hostile", "one"), ("metadata", "metadata"), ("mix", "mix"), ("find", "find"), ("large", "thirty")):
            paths = [self.write(name, results.ALL[name]()) for name in names]
            out = self.compare(*paths)[1]
            for line in out.split("\n"):
                if self.folder not in line:
                    self.assertLessEqual(len(line), 80, line)

    def test_large_rates_stay_apart(self):
        for factor, unit in ((.9, "op/s"), (20, "Mop/s|kop/s"), (3000, "Gop/s|Mop/s")):
            paths = []
            for name in "ab":
                document = results.metadata()
                for phase in document["tests"][0]["phases"]:
                    phase["rates"] = {key: 1_000_000 * factor for key in phase["rates"]}
                paths.append(self.write(name, document))
            out = self.compare(*paths)[1]
            self.assertEqual(len(re.findall(rf"8/8 +[\d\u202f.]+ (?:{unit}) +[\d\u202f.]+ (?:{unit}) +1.000 ", out)), 3,
                             out)

    def test_the_ratio_is_named_where_the_medians_say_another(self):
        a, b = results.many(3), results.many(3)
        for document, rates in ((a, (1000, 1158, 1200)), (b, (1100, 1148, 1400))):
            for phase in document["tests"][0]["phases"]:
                phase["rates"] = {key: rates[phase["repetition"]] << 20 for key in phase["rates"]}
        paths = self.write("a", a), self.write("b", b)
        out = self.compare(*paths)[1]
        self.assertRegex(out, "1\u202f158 MiB/s +1\u202f148 MiB/s +1.1")
        for form in "text", "markdown", "html":
            self.assertIn("B/A is not their ratio", " ".join(self.compare(*paths, "--format", form)[1].split()))

    def test_forms_agree(self):
        a, b = self.pair(.7)
        document = json.loads(self.compare(a, b, "--format", "json", "--fail-below", "-5%")[1])
        self.assertEqual(document["schema"], {"name": "iorx-comparison", "version": "1.3"})
        self.assertTrue(document["bound_is_broken"])
        phase = document["phases"][0]
        self.assertEqual((phase["broken"], phase["bound"]), (True, "below"))
        self.assertLess(phase["interval"]["lower"], phase["ratio"])
        self.assertEqual(phase["a"]["repetitions"], 8)
        for form, end in (("text", ".txt"), ("markdown", ".md"), ("html", ".html")):
            path = os.path.join(self.folder, "c" + end)
            self.assertEqual(self.compare(a, b, "-o", path)[0], 0)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            self.assertIn(f"{phase['ratio']:.3f}", text, form)
            self.assertIn(phase["words"], " ".join(text.split()), form)

    def test_hostile_texts_stay_texts(self):
        a, b = self.write("a", results.hostile()), self.write("b", results.one())
        page = self.compare(a, b, "--format", "html")[1]
        self.assertEqual(len(re.findall("<script", page)), 1)
        self.assertNotIn("<img", page)
        marked = self.compare(a, b, "--format", "markdown")[1]
        self.assertNotIn("<script", marked)
        self.assertNotIn("\x07", marked)

    def test_folders_are_taken_together(self):
        for folder, factor in (("x", 1), ("y", 1.3)):
            os.mkdir(os.path.join(self.folder, folder))
            for n in range(4):
                self.write(f"{folder}/{n}", faster(results.many(1, seed=n), factor))
        code, out, _ = self.compare(os.path.join(self.folder, "x"), os.path.join(self.folder, "y"))
        self.assertEqual(code, 0)
        self.assertRegex(out, r"write +4/4 ")

    def test_errors_are_one_line_and_exit_code_2(self):
        one, names = self.write("one", results.one()), self.write("metadata", results.metadata())
        for arguments, words in (((one, "none.json"), "none.json: No such file"),
                                 ((one, names), "have no kind of phase in common"),
                                 ((one, one, "--equal-within", "-5%"), "must be above 0")):
            code, out, err = self.compare(*arguments)
            self.assertEqual((code, out), (2, ""))
            self.assertRegex(err, "^iorx-compare: error: .*" + words + ".*\n$")


if __name__ == "__main__":
    unittest.main()
