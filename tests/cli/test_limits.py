"""Limits of network, servers and devices: given by options, a job or a site file; what is above fails."""

import csv
import os
import unittest

import hosts
from program import Case

TEST = ["-b", "1m", "-t", "256k", "-w"]
LEAST = "1kB/s"  # nothing is so slow
MOST = "900TB/s"


class Judged(Case):
    def l_verdicts(self, outcome, phase="write"):
        return {verdict["id"]: verdict["severity"] for verdict in outcome.phase(phase)["verdicts"]
                if verdict["id"].startswith("L")}

    def line(self, outcome):
        """The line below the table, in one piece."""
        lines = outcome.out.split("\n")
        first = next((n for n, line in enumerate(lines) if line.startswith("possible: ")), None)
        if first is None:
            return None
        last = next(n for n in range(first + 1, len(lines)) if not lines[n].startswith("          "))
        return " ".join(line.strip() for line in lines[first:last])


class Limits(Judged):
    def write(self, name, text):
        path = os.path.join(self.results, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_without_limits_nothing_is_said(self):
        outcome = self.run_iorx(TEST, 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(self.l_verdicts(outcome), {})
        self.assertIsNone(outcome.phase("write")["possible"])
        self.assertIsNone(self.line(outcome))

    def test_a_rate_above_a_limit_is_marked_everywhere(self):
        table = os.path.join(self.results, "rows.csv")
        outcome = self.run_iorx([*TEST, f"--limit.network={LEAST}", f"--limit.device={MOST}", "--strict",
                                 f"--summary-file={table}"], 2)
        self.assert_exit(outcome, 3)
        self.assertEqual(self.l_verdicts(outcome), {"L1": "fail"})
        self.assertRegex(outcome.out, r"\nwrite ! 0")
        self.assertRegex(self.line(outcome), r"write \d+ MiB/s is \d+ % of network 0.000954 MiB/s \(given\): not storage")
        phase = outcome.phase("write")
        possible = phase["possible"]
        self.assertEqual((phase["severity"], possible["least"], possible["limits"][0]),
                         ("fail", "network", {"limit": "network", "each_bytes_per_s": 1000, "count": 1,
                                              "method": "given"}))
        self.assertAlmostEqual(possible["share"], phase["rates"]["total_bytes_per_s"] / 1000)
        with open(table, encoding="utf-8") as file:
            row = next(csv.DictReader(file))
        self.assertEqual((row["severity"], row["limit"], float(row["limit_share"])),
                         ("fail", "network", possible["share"]))

    def test_a_rate_below_all_limits_is_silent(self):
        outcome = self.run_iorx([*TEST, "-r", f"--limit.device={MOST}", f"--limit.server={MOST}",
                                 "--limit.servers=3", "--limit.devices=2"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(self.l_verdicts(outcome), {})
        self.assertEqual(self.line(outcome), "possible: write below all limits; next is device, 0 %; "
                                             "read below all limits; next is device, 0 %")
        counts = {one["limit"]: one["count"] for one in outcome.phase("write")["possible"]["limits"]}
        self.assertEqual(counts, {"device": 2, "server": 3})

    def test_limits_can_be_switched_off(self):
        outcome = self.run_iorx([*TEST, f"--limit.network={LEAST}", "--limits=off"], 2)
        self.assertEqual((self.l_verdicts(outcome), self.line(outcome)), ({}, None))

    def test_no_storage_has_no_limit(self):
        outcome = self.run_iorx(["-a", "null", *TEST, f"--limit.network={LEAST}"], 2)
        self.assertEqual((self.l_verdicts(outcome), self.line(outcome)), ({}, None))

    def test_a_load_is_judged_by_the_way_that_moves_more(self):
        outcome = self.run_iorx(["load", "--file-size=1m", "--operations=read:90, write:10", "--duration=0.5",
                                 f"--limit.device={LEAST}"], 2)
        self.assert_exit(outcome, 0)
        phase = outcome.phase("load")
        self.assertEqual(self.l_verdicts(outcome, "load"), {"L2": "fail"})
        self.assertAlmostEqual(phase["possible"]["bytes_per_s"],
                               phase["operations"]["read"]["bytes"] / phase["intervals"]["transfer_s"], delta=1)

    def test_a_site_file_gives_what_nobody_else_gave(self):
        site = self.write("site", "# our site\n\nlimit.network = 100Gbit/s # of each node\n"
                                  "limit.server = 4GB/s, limit.servers = 16\n")
        job = self.write("job.ior", "IOR START\nlimit.servers = 2\nblockSize = 1m, transferSize = 256k\n"
                                    "writeFile = 1, fsync = 1\nRUN\nIOR STOP\n")
        outcome = self.run_iorx(["-f", job, f"--site-file={site}"], 2)
        self.assert_exit(outcome, 0)
        options = outcome.document["run"]["options"]
        self.assertEqual([options[name]["value"] for name in ("limit.network", "limit.server", "limit.servers")],
                         [12.5e9, 4e9, 2])
        self.assertEqual([options[name]["origin"] for name in ("limit.network", "limit.servers")],
                         ["environment", "file"])
        outcome = self.run_iorx(TEST, 2, environment={**os.environ, "IORX_OPTIONS": f"--site-file={site}"})
        self.assertEqual(outcome.document["run"]["options"]["limit.servers"]["value"], 16)

    def test_mistakes_in_a_site_file_have_a_place(self):
        for text, message in (("\nlimit.network = 100G\n", ':2: limit.network: "100G" is not a speed: cannot read "G"'),
                              ("limit.networks = 1GB/s", ":1: limit.networks: a site file sets limits"),
                              ("output = none", ":1: output: a site file sets limits"),
                              ("limit.network 1GB/s", ':1:1: "limit.network 1GB/s" is not key = value')):
            with self.subTest(text=text):
                site = self.write("site", text)
                outcome = self.run_iorx([*TEST, f"--site-file={site}"], 2)
                self.assert_exit(outcome, 2)
                self.assertIn(site + message, outcome.err)
        outcome = self.run_iorx([*TEST, "--site-file=/nowhere/site"], 2)
        self.assert_exit(outcome, 2)
        self.assertIn("/nowhere/site: No such file or directory; site_file takes the name of a file", outcome.err)


@unittest.skipIf(hosts.why_not(), hosts.why_not())
class ThreeHosts(Judged):
    @classmethod
    def setUpClass(cls):
        hosts.give(cls)

    def test_each_host_has_a_network(self):
        outcome = self.run_iorx([*TEST, f"--limit.network={LEAST}"], 6, wrapper=self.hosts.command(),
                                environment=self.hosts.environment((2, 2, 2)))
        self.assert_exit(outcome, 0)
        self.assertEqual(self.l_verdicts(outcome), {"L1": "fail"})
        self.assertIn("of network 3 x 0.000954 MiB/s (given): not storage", self.line(outcome))


if __name__ == "__main__":
    unittest.main()
