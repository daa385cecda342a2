"""Limits in reports: results made earlier are judged as iorx judges them, and rows that fail are marked."""

import argparse
import os
import re
import unittest

import results
from iorx_results import comparison, files, limits, page, report
from iorx_results.charts import times

MIB = 1 << 20


def with_rate(rate, nodes=1):
    """A document of one repetition whose phases have this rate in bytes per second."""
    document = results.many(1)
    test = document["tests"][0]
    test["plan"]["nodes"] = nodes
    for phase in test["phases"]:
        phase["rates"]["total_bytes_per_s"] = rate
        phase["verdicts"] = []
    return document


class LimitsTest(results.Case):
    def judged(self, document, *options):
        """The Run of a document, judged by options of iorx-report."""
        path = self.write("run", document)
        arguments = report.parser().parse_args([path, *options])
        runs = files.read_runs([path])
        limits.judge(runs, arguments)
        return runs[0]

    def l_verdicts(self, run):
        return [(v.id, v.severity, v.meaning) for v in run.tests[0].phases[0].verdicts if v.id.startswith("L")]

    def test_speeds_are_those_of_iorx(self):
        for text, value in (("1100MiB/s", 1100 * MIB), ("12.5GB/s", 12.5e9), ("100Gbit/s", 12.5e9), ("64kB", 64e3),
                            ("1000", 1000), ("40gbit", 5e9), ("10G/s", 1e10), ("2Gbyte/s", 2e9), ("1Mibit/s", MIB / 8)):
            self.assertEqual(limits.speed(text), value)
        for text in ("10Gb/s", "10mb", "8b/s"):
            with self.assertRaisesRegex(argparse.ArgumentTypeError, "may mean bits or bytes"):
                limits.speed(text)
        for text in ("100G", "100Gb/s2", "", "fast", "-1MB/s", "1 MB/s", "0", "1e9"):
            with self.assertRaises(argparse.ArgumentTypeError):
                limits.speed(text)
        for text in ("0", "-1", "1.5", "many"):
            with self.assertRaises(argparse.ArgumentTypeError):
                limits.parts(text)

    def test_iorx_and_its_reports_judge_alike(self):
        """The table is that of tests/unit/test_possible.c, too."""
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "limits.txt"), encoding="ascii") as file:
            table = re.findall(r"^(\d\S*) (.*)\n((?:\t.*\n)*)", file.read(), re.M)
        self.assertGreater(len(table), 10)
        for rate, words, wanted in table:
            with self.subTest(rate=rate, limits=words):
                bounds = [{"limit": name, "each_bytes_per_s": float(each) * MIB, "count": int(count),
                           "method": "given" if how == "=" else "measured"}
                          for name, how, count, each in re.findall(r"([a-z]+)([=~])(\d+)x(\S+)", words)]
                document = with_rate(float(rate) * MIB)
                for phase in document["tests"][0]["phases"]:
                    phase["possible"] = {"bytes_per_s": 1, "least": bounds[0]["limit"], "share": 1, "limits": bounds}
                run = files.read_runs([self.write("run", document)])[0]
                test = run.tests[0]
                limits.judge_phase(test, test.phases[0], [])
                found = sorted(self.l_verdicts(run))
                self.assertEqual("".join(f"\t{' '.join(one)}\n" for one in found), wanted)

    def test_a_limit_that_is_given_counts_for_the_whole_run(self):
        run = self.judged(with_rate(1800 * MIB), "--limit.network=1100MiB/s")
        self.assertEqual((self.l_verdicts(run)[0][:2], run.severity), (("L1", "fail"), "fail"))
        run = self.judged(with_rate(640 * MIB), "--limit.network=1100MiB/s")
        self.assertEqual(self.l_verdicts(run), [])
        bars, = times.of_test(run.tests[0])
        self.assertIn(" write: Below all limits; next is network, 58 %.", str(times.caption(bars)))
        self.assertEqual([(name, round(share, 2)) for name, share in bars.bars[0].bounds], [("network", .58)])

    def test_nodes_servers_and_devices_are_counted(self):
        run = self.judged(with_rate(1734 * MIB, nodes=3), "--limit.network=50MiB/s", "--limit.server=1000MiB/s",
                          "--limit.servers=2", "--limit.device=100MiB/s", "--limit.devices=10")
        self.assertEqual([one[0::2] for one in self.l_verdicts(run)],
                         [("L1", "1734 MiB/s is 1156 % of network 3 x 50 MiB/s (given): not storage"),
                          ("L2", "1734 MiB/s is 173 % of device 10 x 100 MiB/s (given): not storage")])
        self.assertEqual(run.tests[0].phases[0].possible["least"], "network")

    def test_a_limit_given_anew_takes_the_place_of_the_old_one(self):
        document = with_rate(1000 * MIB)
        for phase in document["tests"][0]["phases"]:
            phase["possible"] = results.possible(phase, share=2)
            phase["verdicts"] = [{"id": "L1", "severity": "fail", "meaning": "old", "remedy": "", "evidence": {}}]
        run = self.judged(document, "--limit.network=9000MiB/s")
        self.assertEqual(self.l_verdicts(run), [("L2", "note", "1000 MiB/s is 100 % of device 1000 MiB/s (given): "
                                                             "it limits this phase")])
        self.assertEqual(run.severity, "note")
        self.assertEqual(self.l_verdicts(self.judged(document)), [("L1", "fail", "old")])

    def test_what_was_measured_warns_and_has_a_table(self):
        document = with_rate(1400 * MIB)
        document["tests"][0]["measured_limits"] = {
            "why_not": None, "measuring_s": 4, "transfer_bytes": MIB, "round_trip_s": None,
            "limits": [{"limit": "client", "access": "read", "method": "calls of 1 MiB on a file in memory", "judges": True,
                        "each_bytes_per_s": 1000 * MIB, "count": 1, "rounds": 5, "spread": 0.25}]}
        for phase in document["tests"][0]["phases"]:
            phase["possible"] = {"bytes_per_s": 1400 * MIB, "least": "client", "share": 1.4, "limits": [
                {"limit": name, "each_bytes_per_s": rate * MIB, "count": 1, "method": "measured"}
                for name, rate in (("client", 1000), ("network", 1050))]}
        run = self.judged(document, "--limit.device=1300MiB/s")
        self.assertEqual(self.l_verdicts(run), [
            ("L4", "warn", "1400 MiB/s is 140 % of client 1000 MiB/s (measured): more than the memory of the clients moved"),
            ("L1", "note", "1400 MiB/s is 133 % of network 1050 MiB/s (measured): the storage has a faster way than MPI"),
            ("L2", "fail", "1400 MiB/s is 108 % of device 1300 MiB/s (given): not storage")])
        self.assertIn("calls of 1 MiB on a file in memory", page.make([run]))

    def test_a_load_is_judged_by_the_way_that_moves_more(self):
        run = self.judged(results.load(1), "--limit.network=1kB/s")
        phase = next(phase for phase in run.tests[0].phases if phase.load)
        most = max(phase.operations[name].bytes for name in ("read", "write"))
        self.assertEqual(phase.possible["bytes_per_s"], most / phase.intervals["transfer_s"])
        self.assertEqual(phase.severity, "fail")
        self.assertFalse(any(phase.possible for phase in run.tests[0].layouts if not phase.load))

    def test_no_storage_and_no_bytes_have_no_limit(self):
        document = with_rate(1000 * MIB)
        document["tests"][0]["api"] = "null"
        for one in (document, results.metadata()):
            self.assertEqual(self.l_verdicts(self.judged(one, "--limit.network=1kB/s")), [])

    def test_the_page_marks_rows_and_draws_the_limits(self):
        run = self.judged(with_rate(1800 * MIB), "--limit.network=1100MiB/s")
        text = page.make([run])
        self.assertRegex(text, r'<td class=""[^>]*><span class="mark fail">write</span>')
        self.assertIn("Thin bars: the time in which each limit", text)
        self.assertIn("1800 MiB/s is 164 % of network 1100 MiB/s (given): not storage", re.sub(r"\s+", " ", text))
        text = page.make([self.judged(with_rate(1800 * MIB))])
        self.assertNotIn("Thin bars", text)
        self.assertNotIn('<span class="mark fail">write</span>', text)

    def test_a_comparison_says_which_side_is_not_to_be_believed(self):
        good, bad = with_rate(100 * MIB), with_rate(200 * MIB)
        for phase in bad["tests"][0]["phases"]:
            phase["verdicts"] = [{"id": "L1", "severity": "fail", "meaning": "x", "remedy": "", "evidence": {}}]
        sides = [comparison.Side(name, files.read_runs([self.write(name, one)])) for name, one in (("a", good), ("b", bad))]
        row = comparison.compare(*sides).rows[0]
        self.assertIn("; do not believe B: L1 failed", row.words)
        self.assertEqual(comparison.compare(sides[0], sides[0]).rows[0].doubt, "")


if __name__ == "__main__":
    unittest.main()
