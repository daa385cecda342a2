"""Several hosts, emulated on this machine: who runs where, who reads whose data, whose clock is which."""

import csv
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

import hosts
import program
import tracing
from program import Case


@unittest.skipIf(hosts.why_not(), hosts.why_not())
class ThreeHosts(Case):
    @classmethod
    def setUpClass(cls):
        hosts.give(cls)

    def run_on(self, slots, arguments, by_node=False, wrapper=(), **more):
        """One launch with slots[i] tasks on host i."""
        return self.run_iorx(arguments, sum(slots), wrapper=self.hosts.command(*wrapper),
                             environment=self.hosts.environment(slots, by_node), **more)

    def sources(self, slots, arguments, by_node=False):
        """Runs a test with a file for each task: {task: task whose file it read}, and the Outcome."""
        tracer = tracing.Trace(os.path.join(self.results, "trace"))
        traced = ["-F", "-b", "4k", "-t", "4k", "-o", os.path.join(self.folder, "data")]
        outcome = self.run_on(slots, traced + arguments, by_node, tracer.wrapper)
        self.assert_exit(outcome, 0)
        found = {}
        for files in tracer.tasks(self.folder):
            written, read = (int(file.path[-8:]) for file in files if file.moves)
            found[written] = read
        return found, outcome

    def assert_hosts(self, outcome, *placement):
        """placement: (first node, nodes, tasks per node) of each run of tasks."""
        document = outcome.document
        self.assertEqual(document["run"]["hosts"], list(hosts.NAMES))
        self.assertEqual(document["run"]["nodes"], 3)
        plan = document["tests"][0]["plan"]
        self.assertEqual([(run["first_node"], run["nodes"], run["tasks_per_node"])
                          for run in plan["placement"]], list(placement))

    def test_clocks_of_the_hosts_stand_hours_apart(self):
        ask = f"{sys.executable} -c 'import time; print(time.monotonic())'"
        agent = os.path.join(self.hosts.folder, "agent")
        clocks = [float(subprocess.run(self.hosts.command(agent, name, ask), check=True,
                                       capture_output=True, text=True).stdout)
                  for name in hosts.NAMES]
        for before, after in zip(clocks, clocks[1:]):
            self.assertAlmostEqual(after - before, 7200, delta=60)

    def set_timestamps(self, host, value):
        agent = os.path.join(self.hosts.folder, "agent")
        subprocess.run(self.hosts.command(agent, host, f"echo {value} >/proc/sys/net/ipv4/tcp_timestamps"), check=True)

    def test_what_differs_on_a_host_is_shown(self):
        self.set_timestamps("h2", 0)
        self.addCleanup(self.set_timestamps, "h2", 1)
        outcome = self.run_on((1, 1, 1), ["-b", "64k", "-t", "64k", "-w",
                                          "-o", os.path.join(self.folder, "data")])
        self.assert_exit(outcome, 0)
        said = outcome.document["run"]["node_environments"]
        self.assertEqual((said["nodes"], said["distinct"], said["unheard"]), (3, 2, 0))
        # a small part of a launch, which takes a second on an idle machine
        self.assertLess(said["gathered_cpu_s"], outcome.seconds / (5 if program.is_sanitized() else 50))
        self.assertEqual(said["differences"], [
            {"key": "tcp.timestamps", "common": "1",
             "others": [{"value": "0", "count": 1, "nodes": [1]}]}])
        self.assertIn("differ in tcp.timestamps 0 on h2", " ".join(outcome.out.split()))

    def test_mounts_of_the_hosts_stay_hidden(self):
        """The files lie on another mount on each host, and h2 is slow: the remedy of N1 says where it differs."""
        mounted = os.path.join(self.results, "mounted")
        with open(mounted, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(f"""\
                #!/bin/sh
                export SOURCE=secret$(hostname | tr 123 abc)
                exec unshare --mount sh -e -c 'mount -t tmpfs $SOURCE {self.folder}
                    exec "$@"' sh {program.IORX} "$@"
                """))
        os.chmod(mounted, 0o755)
        slow = ["kind=stall", "operation=write", "stall=0.022", "count=0", "tasks=1"]
        outcome = self.run_on(
            (1, 1, 1), ["-F", "-w", "-b", "200k", "-t", "4k", "-i", "6", "-o", os.path.join(self.folder, "data"),
                        "--anonymize", "-v", *("--fault." + word for word in slow)], program=mounted)
        self.assert_exit(outcome, 0)
        document, text = outcome.document, " ".join(outcome.out.split())
        difference = document["run"]["node_environments"]["differences"][0]
        self.assertEqual(difference["key"], "target0.source")
        source = difference["others"][0]["value"]
        self.assertIn(f"differ in target0.source {source} on {document['run']['hosts'][1]}", text)
        verdict = next(one for one in document["tests"][0]["summaries"][0]["verdicts"] if one["id"] == "N1")
        self.assertIn(f"target0.source {source} (others {difference['common']})", verdict["remedy"])
        self.assertIn(verdict["remedy"], text)
        self.assertEqual(difference["common"], document["tests"][0]["mount"]["source"])
        for said in json.dumps(document), text:
            self.assertNotIn("secret", said)

    def test_a_collective_writer_beside_readers_on_all_hosts(self):
        path, data = (os.path.join(self.results, name) for name in ("set.ior", "data"))
        os.mkdir(data)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"""TOGETHER START repetitions = 6, alone = 1
                IOR START
                    name = writer, num_tasks = 3, api = mpiio, collective = 1, testFile = {data}/written
                    blockSize = 1m, transferSize = 64k, writeFile = 1
                IOR STOP
                LOAD START
                    name = readers, num_tasks = rest, testFile = {data}/read, fileSize = 1m
                    operations = "read:100", beside = 1, duration = 0.3
                LOAD STOP
            TOGETHER STOP
            """)
        outcome = self.run_on((2, 2, 2), ["-f", path], by_node=True)
        self.assert_exit(outcome, 0)
        tests = outcome.document["tests"]
        self.assertEqual([(test["plan"]["tasks"], test["plan"]["nodes"]) for test in tests], [(3, 3)] * 4)
        rates = [statistics.median((phase["rates"].get("total_bytes_per_s") or phase["rates"]["total_operations_per_s"])
                                   for phase in test["phases"] if phase["phase"] == ("write", "load")[number % 2])
                 for number, test in enumerate(tests)]
        rows = [row for row in outcome.document["end"]["slowdowns"] if not row["part"]]
        self.assertEqual([(row["name"], row["phase"]) for row in rows], [("writer", "write"), ("readers", "load")])
        for number, row in enumerate(rows):
            self.assertAlmostEqual(row["slowdown"], rates[number + 2] / rates[number])
            self.assertLessEqual(row["interval"]["lower"], row["slowdown"])
            self.assertGreaterEqual(row["interval"]["upper"], row["slowdown"])

    def test_members_of_a_set_choose_their_nodes(self):
        example = os.path.join(program.SOURCE, "examples", "near-far.ior")
        outcome = self.run_on((2, 1, 2), ["-f", example, "--load.file_size=1m", "--duration=0.2", "--repetitions=1",
                                          "--set", "far.nodes=1,2", "--set", "far.num_tasks=2"], by_node=True)
        self.assert_exit(outcome, 0)
        tests = outcome.document["tests"]
        self.assertEqual([(test["plan"]["tasks"], test["set"]["first_task"], test["set"]["nodes"]) for test in tests],
                         [(2, 0, [0]), (2, 1, [1, 2])] * 2)
        for number, names in enumerate([["h1", "h1"], ["h2", "h3"]] * 2):
            rows = outcome.phase("load", 0, number)["heatmap"]["rows"]
            self.assertEqual([row["node"] for row in rows], names)
            self.assertGreater(outcome.phase("load", 0, number)["load"]["operations"], 0)
        self.assertRegex(outcome.out, r"2\s+tasks\s+on\s+2\s+nodes\s+\(nodes\s+1,2\)")
        self.assertEqual(sorted(os.listdir(self.folder)), [f"{name}.0000000{task}" for name in ("far", "near") for task in (0, 1)])

    def test_copies_of_members_stay_on_their_nodes(self):
        job = os.path.join(self.results, "copies.ior")
        load = f"fileSize=1m, operation_limit=20, operations=write, testFile={self.folder}/"
        with open(job, "w", encoding="ascii") as file:
            file.write("TOGETHER START\ncopies=[1 2]\n"
                       f"LOAD START\nname=near, nodes=0, num_tasks=1, {load}near\nLOAD STOP\n"
                       f"LOAD START\nname=far, nodes=1-2, num_tasks=2, {load}far\nLOAD STOP\n"
                       f"LOAD START\nname=any, num_tasks=1, {load}any\nLOAD STOP\nTOGETHER STOP\n")
        outcome = self.run_on((4, 2, 2), ["-f", job])
        self.assert_exit(outcome, 0)
        found = [(test["name"], test["set"]["first_task"], [row["node"] for row in outcome.phase("load", 0, number)["heatmap"]["rows"]])
                 for number, test in enumerate(outcome.document["tests"])]
        self.assertEqual(found, [("near", 0, ["h1"]), ("far", 4, ["h2", "h2"]), ("any", 1, ["h1"]),
                                 ("near", 0, ["h1"]), ("far", 4, ["h2", "h2"]), ("any", 2, ["h1"]),
                                 ("near#2", 1, ["h1"]), ("far#2", 6, ["h3", "h3"]), ("any#2", 3, ["h1"])])
        self.assertEqual(sorted(os.listdir(self.folder)), ["any#2.00000000", "any.00000000", *(
            f"far{copy}.0000000{task}" for copy in ("#2", "") for task in (0, 1)), "near#2.00000000", "near.00000000"])
        outcome = self.run_on((1, 2, 2), ["-f", job])
        self.assert_exit(outcome, 2)
        self.assertRegex(" ".join(outcome.err.split()), r"copies.ior:4: nodes: the member wants 1 task of nodes 0, which have 1, and .* "
                         "lower num_tasks or copies, as copies use the same nodes")

    def test_a_slow_node_of_a_member_has_its_own_name(self):
        """h2 is node 1 of the job and the first node of the member."""
        self.set_timestamps("h2", 0)
        self.addCleanup(self.set_timestamps, "h2", 1)
        job = os.path.join(self.results, "set.ior")
        null = "api=null, transferSize=4k, writeFile=1"
        with open(job, "w", encoding="ascii") as file:
            file.write("TOGETHER START\nrepetitions=6\n"
                       f"IOR START\nnum_tasks=1, nodes=0, testFile=a, blockSize=4k, {null}\nIOR STOP\n"
                       f"IOR START\nnum_tasks=4, nodes=1-2, testFile=b, blockSize=200k, {null}\n"
                       "fault.operation=write, fault.kind=stall, fault.stall=0.022\n"
                       "fault.count=0, fault.tasks=\"0,1\"\nIOR STOP\nTOGETHER STOP\n")
        outcome = self.run_on((1, 2, 2), ["-f", job, "-v"])
        self.assert_exit(outcome, 0)
        summary = outcome.document["tests"][1]["summaries"][0]
        phase = outcome.phase("write", 0, 1)
        places = [phase["operations"]["write"]["worst"], phase["slow"]["nodes"]["slowest"][0],
                  *phase["slow"]["tasks"]["slowest"][:2], *summary["slow"]["members"]]
        self.assertEqual({(place["node"], place["host"]) for place in places if "node" in place}, {(1, "h2")})
        self.assertRegex(outcome.out, r"slowest write \S+ \S+ \(task [01] on h2, ")
        verdict = next(one for one in summary["verdicts"] if one["id"] == "N1")
        self.assertIn("node 1 was slow in 6 of 6 repetitions", verdict["meaning"])
        self.assertIn("tcp.timestamps 0 (others 1)", verdict["remedy"])

    def test_a_load_has_one_schedule_on_all_hosts(self):
        prefix = os.path.join(self.results, "rows")
        outcome = self.run_on((2, 2, 2), ["load", "--file-size=1m", "--rate=300", "--duration=2", "-o",
                                          os.path.join(self.folder, "load"),
                                          f"--operation-tables={prefix}"])
        self.assert_exit(outcome, 0)
        load = outcome.phase("load")["load"]
        self.assertEqual(load["operations"] + load["unfinished"], 600)
        starts = []
        for task in range(6):
            with open(f"{prefix}.{task:08d}.csv", newline="", encoding="ascii") as file:
                starts += [float(row["start_s"]) for row in csv.DictReader(file)
                           if row["operation"] == "read"]
        # Tasks take turns: the schedule has one operation each 3.3 ms, whichever host makes it.
        starts.sort()
        gaps = sorted(after - before for before, after in zip(starts, starts[1:]))
        self.assertAlmostEqual(starts[-1] - starts[0], 2, delta=0.2)
        self.assertAlmostEqual(gaps[len(gaps) // 2], 1 / 300, delta=0.002)

    def test_the_tasks_of_a_node_share_its_files(self):
        outcome = self.run_on((2, 2, 2), ["load", "--file-scope=node", "--files=2", "--file-size=1m",
                                          "--sizes=64k", "--distribution=every_block", "--passes=1",
                                          "--check-read", "-o", os.path.join(self.folder, "load")])
        self.assert_exit(outcome, 0)
        self.assertEqual(sorted(os.listdir(self.folder)),
                         [f"load.{node:08d}.{file:08d}" for node in range(3) for file in range(2)])
        self.assertEqual(outcome.phase("write")["operations"]["write"]["bytes"], 6 << 20)
        load = outcome.phase("load")["load"]
        self.assertEqual((load["operations"], load["verification"]["wrong_bytes"]), (96, 0))
        outcome = self.run_on((2, 2, 1), ["load", "--file-scope=node"])
        self.assert_exit(outcome, 2)
        self.assertIn("file_scope: node needs equally many tasks on each node", outcome.err)

    @unittest.skipIf(tracing.why_not(), tracing.why_not())
    def test_blocks_of_tasks_read_from_the_next_host(self):
        sources, outcome = self.sources((2, 2, 2), ["-C"])
        self.assertEqual(sources, {task: (task + 2) % 6 for task in range(6)})
        self.assert_hosts(outcome, (0, 3, 2))
        self.assertEqual(outcome.phase("read")["tasks"]["same_node"], 0)

    @unittest.skipIf(tracing.why_not(), tracing.why_not())
    def test_uneven_hosts_read_from_another_host(self):
        sources, outcome = self.sources((3, 2, 1), ["-C"])
        host = [0, 0, 0, 1, 1, 2]
        self.assertEqual(sorted(sources.values()), list(range(6)))
        self.assertEqual([task for task, source in sources.items() if host[task] == host[source]], [])
        self.assertEqual(sources, {task: (task + 3) % 6 for task in range(6)})
        self.assert_hosts(outcome, (0, 1, 3), (1, 1, 2), (2, 1, 1))
        self.assertEqual(outcome.phase("read")["tasks"]["same_node"], 0)

    @unittest.skipIf(tracing.why_not(), tracing.why_not())
    def test_tasks_dealt_out_read_from_the_next_task(self):
        sources, outcome = self.sources((2, 2, 2), ["-C", "-Q", "2"], by_node=True)
        self.assertEqual(sources, {task: (task + 2) % 6 for task in range(6)})
        self.assert_hosts(outcome, (0, 3, 1), (0, 3, 1))
        self.assertEqual(outcome.phase("read")["tasks"]["same_node"], 0)

    def test_hosts_of_one_kernel_share_its_page_cache(self):
        outcome = self.run_on((2, 2, 2), ["-b", "1m", "-t", "256k", "-C", "-e"])
        self.assert_exit(outcome, 0)
        phase = outcome.phase("read")
        self.assertEqual((phase["tasks"]["same_node"], phase["tasks"]["same_kernel"]), (0, 6))
        verdict = next(verdict for verdict in phase["verdicts"] if verdict["id"] == "C4")
        self.assertEqual((verdict["severity"], verdict["evidence"]["data_per_node_bytes"]),
                         ("warn", 6 << 20))

    def test_rows_of_tasks_stand_in_the_order_of_nodes(self):
        table = os.path.join(self.results, "tasks.csv")
        outcome = self.run_on((2, 2, 2), ["-a", "null", "-w", "-b", "4k", "-t", "4k",
                                          "--tasks-csv=" + table], by_node=True)
        self.assert_exit(outcome, 0)
        with open(table, newline="", encoding="ascii") as file:
            rows = [(int(row["node"]), int(row["task"]), row["host"]) for row in csv.DictReader(file)]
        self.assertEqual(rows, [(0, 0, "h1"), (0, 3, "h1"), (1, 1, "h2"), (1, 4, "h2"),
                                (2, 2, "h3"), (2, 5, "h3")])

    def test_a_find_on_one_host_is_shared_by_all(self):
        tree = os.path.join(self.folder, "tree")
        for number in range(60):
            os.makedirs(os.path.join(tree, f"d{number}", "below"))
        outcome = self.run_on((2, 2, 1), ["mdtest", "--find", "-d", tree, "--fault.operation=list",
                                          "--fault.kind=stall", "--fault.stall=10ms",
                                          "--fault.count=0"])
        self.assert_exit(outcome, 0)
        names = outcome.phase("find")["metadata"]
        self.assertEqual((names["entries"], names["operations"]), (121, 121))
        # all begins with task 0
        self.assertGreater(names["find"]["stolen_pieces"], 0)
        self.assertLess(names["most_task_operations"], 121)

    def test_a_mix_looks_at_files_of_the_next_host(self):
        outcome = self.run_on((2, 2, 1), ["mdtest", "-F", "-n", "50", "-N", "1", "-d",
                                          os.path.join(self.folder, "out"), "--mix=stat:1,remove:1",
                                          "--mix-operations=500"])
        self.assert_exit(outcome, 0)
        names = outcome.phase("mix")["metadata"]
        self.assertEqual(names["operations"] + names["mix"]["missed"], 2500)

    def test_first_tasks_take_part(self):
        outcome = self.run_on((2, 2, 2), ["-N", "3", "-C", "-b", "4k", "-t", "4k"])
        self.assert_exit(outcome, 0)
        self.assert_hosts(outcome, (0, 1, 2), (1, 1, 1))
        test = outcome.document["tests"][0]
        self.assertEqual((test["plan"]["tasks"], test["plan"]["nodes"]), (3, 2))
        # Of three tasks on two hosts one has to read at home.
        self.assertEqual(outcome.phase("read")["tasks"], {**outcome.phase("read")["tasks"],
                                                          "measured": 3, "same_node": 1})

    def check_times(self, clock):
        # 30 transfers of 10 ms: the phase takes a third of a second.
        began = time.monotonic()
        outcome = self.run_on((2, 2, 2), ["-a", "null", "--null.delay-xfer=10000", "-w", "-b", "4k",
                                          "-t", "4k", "-s", "30", "-i", "2", "--clock=" + clock])
        outside = time.monotonic() - began
        if outcome.exit_code == 2 and clock == "tsc":
            self.skipTest(outcome.err)
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.document["run"]["environment"]["clock"], clock)
        for repetition in range(2):
            phase = outcome.phase("write", repetition)
            self.assertGreater(phase["intervals"]["total_s"], 0.3)
            self.assertLess(phase["intervals"]["total_s"], outside)
            # Unknown clocks would be hours apart, by what the hosts were given.
            self.assertLess(phase["balance"]["start_skew_s"], phase["intervals"]["total_s"])
            self.assertGreater(phase["clock"]["residual_ns"], 0)
            self.assertLess(phase["clock"]["residual_ns"], 1e9 * phase["intervals"]["total_s"])
            print(f"{clock}: total {phase['intervals']['total_s']:.3f} s, "
                  f"start skew {1e3 * phase['balance']['start_skew_s']:.2f} ms, "
                  f"clocks known within {phase['clock']['residual_ns'] / 1e3:.0f} us")

    def test_monotonic_clocks_of_the_hosts_are_brought_together(self):
        self.check_times("monotonic")

    def test_counters_of_the_hosts_are_brought_together(self):
        self.check_times("tsc")

    def test_failure_on_the_third_host_stops_the_first_within_a_second(self):
        # 2000 transfers of 10 ms or more; one fails after half a second.
        for clock in ("monotonic", "auto"):
            with self.subTest(clock=clock):
                self.check_failure(clock)

    def check_failure(self, clock):
        outcome = self.run_on((2, 2, 2), ["-a", "null", "--null.delay-xfer=10000", "-w", "-b", "4k",
                                          "-t", "4k", "-s", "2000", "--fault.operation=write",
                                          "--fault.tasks=5", "--fault.after=50", "--clock=" + clock])
        self.assert_exit(outcome, 1)
        self.assertEqual(len(outcome.messages()), 1, outcome)
        phase = outcome.phase("write")
        self.assertEqual(phase["status"], "failed")
        self.assertEqual((phase["failure"]["task"], phase["failure"]["host"]), (5, "h3"))
        late = phase["stamps"]["close_end"]["last_ns"] / 1e9 - phase["failure"]["at_s"]
        print(f"{clock}: the last task stopped {late:.3f} s after the failure on h3")
        # Unstopped, the others would take forty times as long as the one until it failed.
        self.assertLess(late, max(1, phase["failure"]["at_s"]))
        self.assertGreater(phase["failure"]["at_s"], 0.4)
        self.assertEqual(phase["tasks"]["stopped"], 5)


@unittest.skipIf(hosts.why_not(), hosts.why_not())
class Offsets(Case):
    """What the clocks of the hosts show is known here: each goes two hours ahead of the one before."""

    AROUND = "MPICH on UCX sees one machine, and goes through its memory instead of the slow network"

    # Round trips are those of an idle machine at best: this one is shared.
    FLOOR_NS = 20000

    def measure(self, clock, far):
        base = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, base, ignore_errors=True)
        emulated = hosts.Hosts(base, far)
        emulated.start()
        self.addCleanup(emulated.close)
        table = os.path.join(self.results, "tasks.csv")
        outcome = self.run_iorx(["-a", "null", "--null.delay-xfer=10000", "-w", "-b", "4k", "-t", "4k",
                                 "-s", "20", "-i", "2", "--tasks-csv=" + table, "--clock=" + clock], 3,
                                wrapper=emulated.command(), environment=emulated.environment((1, 1, 1)))
        if outcome.exit_code == 2 and clock == "tsc":
            self.skipTest(outcome.err)
        self.assert_exit(outcome, 0)
        with open(table, newline="", encoding="ascii") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([int(row["node"]) for row in rows], 2 * [0, 1, 2])
        return rows, outcome

    def check(self, clock, far=(0, 0, 0)):
        rows, outcome = self.measure(clock, far)
        half_trip_ns = 1e9 * (far[1] + far[2]) / 2
        for row in rows:
            node = int(row["node"])
            error = int(row["clock_offset_ns"]) + node * 7200 * 10**9
            residual = int(row["clock_residual_ns"])
            print(f"{clock}, far host {far}: node {node}: {error / 1e3:+.1f} us off, "
                  f"known within {residual / 1e3:.1f} us")
            self.assertLessEqual(abs(error), max(residual, self.FLOOR_NS))
            if node + 1 == far[0]:
                self.assertGreater(residual, 0.9 * half_trip_ns)
        for repetition in range(2):
            phase = outcome.phase("write", repetition)
            self.assertLessEqual(phase["clock"]["drift_ns"], 2 * phase["clock"]["residual_ns"])

    def test_monotonic_clocks(self):
        self.check("monotonic")

    def test_time_stamp_counters(self):
        self.check("tsc")

    @unittest.skipIf(hosts.launcher() == "hydra", AROUND)
    def test_a_host_behind_a_slow_network(self):
        self.check("monotonic", (3, 0.002, 0.002))

    @unittest.skipIf(hosts.launcher() == "hydra", AROUND)
    def test_a_way_there_that_is_slower_than_the_way_back(self):
        self.check("tsc", (2, 0.003, 0.001))


if __name__ == "__main__":
    unittest.main()
