"""Limits of network, servers and devices: given by options, a job or a site file; what is above fails."""

import csv
import os
import re
import shutil
import tempfile
import unittest

import hosts
from program import SOURCE, Case, needs_root
from storage import Storage, Unavailable, mounted

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
        self.assertRegex(self.line(outcome), r"^possible: write above network \(given\), \d+ %$")
        # the rates and the remedy stand in the verdict alone
        self.assertEqual(" ".join(outcome.out.split()).count("not storage"), 1)
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
        self.assertNotIn("given:", outcome.out)

    def test_no_storage_has_no_limit(self):
        outcome = self.run_iorx(["-a", "null", *TEST, "--limit.network=10G/s"], 2)
        self.assertRegex(outcome.out, r"(?m)^limits +given: network 10 GB/s \(80 Gbit/s\)$")
        self.assertEqual((self.l_verdicts(outcome), self.line(outcome)), ({}, None))

    @needs_root
    def test_a_device_in_memory_is_faster_than_the_one_it_stands_for(self):
        """Direct transfers reach the device, so that only its limit can tell what it is."""
        memory = mounted(self, "tmpfs", SOURCE)
        try:
            disk = Storage("ext4", memory.folder, SOURCE)
        except Unavailable as why:
            self.skipTest(str(why))
        self.addCleanup(disk.close)
        direct = ["-b", "32m", "-t", "1m", "--posix.direct", "-w", "-r", "-e", "-o", os.path.join(disk.folder, "data")]
        outcome = self.run_iorx([*direct, "--limit.device=4MB/s", "--limit.devices=2", "--strict"])
        self.assert_exit(outcome, 3)
        for phase in ("write", "read"):
            self.assertEqual(self.l_verdicts(outcome, phase), {"L2": "fail"})
            fails = [verdict for verdict in outcome.phase(phase)["verdicts"] if verdict["severity"] == "fail"]
            self.assertEqual([verdict["id"] for verdict in fails], ["L2"])
            self.assertIn("of device 2 x 3.81 MiB/s (given): not storage", fails[0]["meaning"])
            self.assertIn("a limit.device that is true", fails[0]["remedy"])
        outcome = self.run_iorx([*direct, f"--limit.device={MOST}", "--strict"])
        self.assert_exit(outcome, 0)
        self.assertEqual(self.l_verdicts(outcome), {})

    def test_a_load_is_judged_by_the_way_that_moves_more(self):
        outcome = self.run_iorx(["load", "--file-size=1m", "--operations=read:90, write:10", "--duration=0.5",
                                 f"--limit.device={LEAST}"], 2)
        self.assert_exit(outcome, 0)
        phase = outcome.phase("load")
        read = phase["operations"]["read"]
        self.assertEqual(self.l_verdicts(outcome, "load"), {"L2": "fail"})
        self.assertIsNone(outcome.phase("write")["possible"], "laying out files is no measurement")
        self.assertAlmostEqual(phase["possible"]["bytes_per_s"],
                               read.get("rated_bytes", read["bytes"]) / phase["load"]["window_s"], delta=1)

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
        self.assertIn("write above network (given)", self.line(outcome))
        self.assertIn("network 3 x 0.000954 MiB/s (given)", re.sub(r"\s+", " ", outcome.out))

    def test_the_network_between_hosts_is_measured(self):
        outcome = self.run_iorx([*TEST, "--limits=only"], 5, wrapper=self.hosts.command(),
                                environment=self.hosts.environment((2, 2, 1)))
        self.assert_exit(outcome, 0)
        found = outcome.document["tests"][0]["measured_limits"]
        network = next(one for one in found["limits"] if one["limit"] == "network")
        self.assertEqual((network["access"], network["count"], network["method"]),
                         (None, 3, "MPI, pairs of nodes at once"))
        self.assertGreater(network["each_bytes_per_s"], 1 << 20)
        self.assertGreater(found["round_trip_s"], 0)
        client = next(one for one in found["limits"] if one["limit"] == "client")
        self.assertEqual(client["count"], 3)


class Measured(Judged):
    def test_only_measures_and_runs_no_phase(self):
        outcome = self.run_iorx([*TEST, "--limits=only", "--strict"], 2)
        self.assert_exit(outcome, 0)
        test = outcome.document["tests"][0]
        self.assertEqual((outcome.document["status"], test["phases"]), ("complete", []))
        self.assertNotIn("\nphase", outcome.out)
        found = test["measured_limits"]
        self.assertEqual((found["why_not"], found["transfer_bytes"], found["round_trip_s"]), (None, 256 << 10, None))
        client = [one for one in found["limits"] if one["limit"] == "client"]
        self.assertEqual([(one["access"], one["judges"], one["rounds"]) for one in client],
                         [("read", False, 5), ("read", True, 5), ("write", False, 5), ("write", True, 5)])
        # a call of one byte is never slower by much than one of 256 KiB
        self.assertGreater(client[0]["each_bytes_per_s"], client[1]["each_bytes_per_s"])
        self.assertEqual(os.listdir(self.folder), [])
        if test["mount"]["type"] not in ("tmpfs", "ramfs"):
            self.assertIn("synced, 256 KiB, all tasks", outcome.out)

    @needs_root
    def test_cards_that_are_up_are_a_limit_and_stand_in_the_environment(self):
        """A card that is down, a bridge and the end of a container's link carry nothing of the storage."""
        cards = (("eth0", "25000", "up", "device"), ("eth1", "100000", "up", "device"), ("eth2", "10000", "down", "device"),
                 ("br0", "10000", "up", "bridge"), ("eth3", "-1", "up", "device"), ("veth1", "10000", "up", "upper"))
        script = "mount -t tmpfs cards /sys/class/net; (cd /sys/class/net; " + "".join(
            f"mkdir -p {name}/{kind}; echo {speed} >{name}/speed; echo {state} >{name}/operstate; "
            for name, speed, state, kind in cards) + ') && exec "$@"'
        outcome = self.run_iorx(["-b", "64k", "-t", "64k", "-w", "--limits=only"],
                                wrapper=("unshare", "--mount", "sh", "-c", script, "sh"))
        self.assert_exit(outcome, 0)
        found = {limit["method"]: limit for limit in outcome.document["tests"][0]["measured_limits"]["limits"]}
        self.assertIn("calls of 1 byte, counted as 64 KiB, on a file in memory", found)
        self.assertEqual(found["network cards of the first node"]["each_bytes_per_s"], 125e9 / 8)
        common = outcome.document["run"]["node_environments"]["common"]
        self.assertEqual({key: value for key, value in common.items() if key.startswith("net.") and key.endswith(".speed")},
                         {"net.eth0.speed": "25000", "net.eth1.speed": "100000", "net.eth3.speed": "-1"})

    def test_what_is_measured_enters_no_rate_and_given_limits_go_before(self):
        folder = tempfile.mkdtemp(dir="/dev/shm")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        outcome = self.run_iorx([*TEST, "--limits=measure", f"--limit.device={MOST}", "-o",
                                 os.path.join(folder, "data")], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.document["tests"][0]["measured_limits"]["why_not"], None)
        limits = {one["limit"]: one["method"] for one in outcome.phase("write")["possible"]["limits"]}
        self.assertEqual(limits, {"device": "given", "client": "measured"})
        self.assertIn("client (measured)", self.line(outcome).replace("client, ", "client (measured), "))
        self.assertEqual(self.l_verdicts(outcome).get("L4", "note"), "note")

    def test_what_is_not_measured_is_said(self):
        for arguments, why in ((["mdtest", "-n", "4", "-d", os.path.join(self.folder, "tree")],
                                "operations on names are not measured"),
                               (["-a", "null", *TEST], "the test has no storage"),
                               ([*TEST, "--deadline=+7s"], "the deadline is less than 8 s away")):
            with self.subTest(why=why):
                outcome = self.run_iorx([*arguments, "--limits=measure"], 1)
                self.assertEqual(outcome.document["tests"][0]["measured_limits"]["why_not"], why)
                self.assertIn("not measured: " + why, outcome.out)


class BehindALink(Judged):
    """Files behind a link of 20 MiB/s, whose pages stay in the memory of the clients."""

    MIB = 20

    @classmethod
    def setUpClass(cls):
        if os.geteuid():
            raise unittest.SkipTest("mounting needs root")
        base = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(shutil.rmtree, base, ignore_errors=True)
        try:
            cls.link = Storage("fuse", base, SOURCE, "keep", f"rate={cls.MIB}")
        except Unavailable as why:
            raise unittest.SkipTest(str(why)) from why
        cls.addClassCleanup(cls.link.close)
        # hosts see what was mounted before them
        if not hosts.why_not():
            hosts.give(cls)

    def read(self, arguments, tasks, **more):
        return self.run_iorx(["-r", "-k", "-b", f"{24 // tasks}m", "-t", "1m", f"--limit.network={self.MIB}MiB/s",
                              "-o", os.path.join(self.link.folder, "data"), *arguments], tasks, **more)

    def severities(self, outcome):
        return [verdict["severity"] for phase in outcome.document["tests"][0]["phases"]
                for verdict in phase["verdicts"] if verdict["id"] == "L1"]

    def test_what_the_link_did_not_carry_fails(self):
        outcome = self.read(["-w"], 2)
        self.assert_exit(outcome, 0)
        self.assertNotIn("fail", [verdict["severity"] for verdict in outcome.phase("write")["verdicts"]
                                  if verdict["id"] == "L1"])
        # one of five reads is quick enough, however busy this machine is
        cached = self.read(["-i5", "--strict"], 2)
        self.assert_exit(cached, 3)
        self.assertIn("fail", self.severities(cached))
        self.assertIn("read above network (given)", self.line(cached))
        cold = self.read(["--cold=fadvise"], 2)
        self.assert_exit(cold, 0)
        self.assertNotIn("fail", self.severities(cold))
        if hosts.why_not():
            return
        three = {"wrapper": self.hosts.command(), "environment": self.hosts.environment((1, 1, 1))}
        cached = self.read(["-i5"], 3, **three)
        self.assert_exit(cached, 0)
        self.assertIn("fail", self.severities(cached))
        self.assertIn("read above network (given)", self.line(cached))
        # a third of what three links carry is nothing to complain of
        self.assertEqual(self.severities(self.read(["--cold=fadvise"], 3, **three)), [])


if __name__ == "__main__":
    unittest.main()
