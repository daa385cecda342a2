"""What happened when in a phase, who moved it, and the counters: they say what the phase says."""

import os
import re
import unittest

import check_schema
import tracing
from program import Case, is_built_in, needs_backend

SMALL = ["-b", "256k", "-t", "16k", "-s", "3"]


def phases_of(outcome):
    return outcome.document["tests"][0]["phases"]


class Timelines(Case):
    def run_well(self, arguments, tasks, **more):
        outcome = self.run_iorx(arguments, tasks, **more)
        self.assert_exit(outcome, 0)
        check_schema.check(outcome.document, check_schema.load_schema(), "document")
        return outcome

    def assert_timeline_tells_the_phase(self, phase):
        timeline, heat, data = phase["timeline"], phase["heatmap"], phase["data"]
        kind = "write" if phase["phase"] == "write" else "read"
        operation = phase["operations"][kind]
        slices = len(timeline["bytes"])
        self.assertEqual(sum(timeline["bytes"]), data["bytes"])
        self.assertEqual(sum(timeline["operations"]), data["transfers"])
        self.assertEqual(max(ns or 0 for ns in timeline["max_ns"]), operation["max_ns"])
        for name in ("operations", "p50_ns", "p99_ns", "max_ns"):
            self.assertEqual(len(timeline[name]), slices)
        for count, median, longest in zip(timeline["operations"], timeline["p50_ns"],
                                          timeline["max_ns"]):
            self.assertEqual(longest is None, count == 0)
            self.assertEqual(median is None, count < 6)
        # as long as the phase; the first one may begin before it, the last end after it
        total_s = phase["intervals"]["total_s"]
        self.assertGreaterEqual(slices * timeline["slice_seconds"], total_s)
        self.assertLess((slices - 2) * timeline["slice_seconds"], total_s + timeline["lead_s"])
        self.assertLessEqual(slices, 200)
        self.assertEqual(sum(map(sum, heat["bytes"])), data["bytes"])
        self.assertEqual(len(heat["bytes"]), len(heat["rows"]))
        for row in heat["bytes"]:
            self.assertLessEqual(len(row), 50)
            self.assertGreaterEqual(len(row) * heat["slice_seconds"], total_s)

    def test_slices_and_rows_add_up_to_the_phase(self):
        jobs = {
            "shared": [*SMALL, "-C"],
            "file per task": [*SMALL, "-F", "-e"],
            "random": [*SMALL, "-z"],
            "synced writes": [*SMALL, "-Y"],
            "compared": [*SMALL, "-w", "-W", "-r", "-R"],
            "null": ["-a", "null", "-b", "40m", "-t", "4k", "-s", "8"],
            "queued null": ["-a", "null", "-b", "4m", "-t", "4k", "-s", "8", "--queue-depth=8"],
            "stonewall": ["-a", "null", "-w", "-b", "100g", "-t", "1m", "-D", "0.3",
                          "--null.delay-xfer=1000", "-O", "stoneWallingWearOut=1"],
        }
        for name, arguments in jobs.items():
            with self.subTest(job=name):
                for phase in phases_of(self.run_well(arguments, 3)):
                    self.assert_timeline_tells_the_phase(phase)

    def test_rows_are_tasks_in_their_order(self):
        phase = self.run_well([*SMALL, "-F", "-w"], 3).phase("write")
        self.assertEqual([(row["first_task"], row["last_task"]) for row in phase["heatmap"]["rows"]],
                         [(0, 0), (1, 1), (2, 2)])
        self.assertEqual({row["node"] for row in phase["heatmap"]["rows"]}, {os.uname().nodename})
        self.assertEqual([sum(row) for row in phase["heatmap"]["bytes"]], [3 << 18] * 3)

    def test_a_stall_is_seen_in_its_slice(self):
        # 100 transfers of 5 ms, and one of 300 ms
        phase = self.run_well(["-a", "null", "-w", "-b", "100m", "-t", "1m", "--null.delay-xfer=5000",
                               "--fault.kind=stall", "--fault.operation=write", "--fault.after=50",
                               "--fault.count=1", "--fault.stall=300ms"], 1).phase("write")
        timeline = phase["timeline"]
        longest = max(range(len(timeline["bytes"])), key=lambda i: timeline["max_ns"][i] or 0)
        at_s = phase["operations"]["write"]["worst"]["at_s"]
        self.assertLess(timeline["lead_s"], 4 * timeline["slice_seconds"])
        self.assertAlmostEqual((longest + 0.5) * timeline["slice_seconds"] - timeline["lead_s"], at_s,
                               delta=0.6 * timeline["slice_seconds"])
        # nothing was moved meanwhile
        first = longest - int(0.25 / timeline["slice_seconds"])
        self.assertEqual(sum(timeline["bytes"][first:longest]), 0)

    def test_what_is_not_started_has_none(self):
        # The time begins before the first phase, which a slow machine may then not start either.
        for seconds in 0.2, 10:
            outcome = self.run_iorx(["-w", "-r", "-b", "200k", "-t", "1k", "-T", f"{0.9 * seconds}s",
                                     "--fault.kind=stall", "--fault.operation=write", "--fault.count=1",
                                     f"--fault.stall={seconds}"])
            phases = phases_of(outcome)
            if len(phases) == 2:
                break
        written, skipped = phases
        self.assertEqual(skipped["status"], "skipped")
        for name in "timeline", "heatmap", "within_run", "counters":
            self.assertIsNone(skipped[name])
        self.assertIsNotNone(written["counters"])

    def test_a_long_phase_says_how_sure_it_is_of_itself(self):
        outcome = self.run_well(["-a", "null", "-w", "-b", "1500m", "-t", "1m", "--null.delay-xfer=1000"], 1)
        phase = outcome.phase("write")
        within = phase["within_run"]
        said = " ".join(outcome.out.split())
        self.assertEqual(within["mean_bytes_per_s"], phase["rates"]["transfer_bytes_per_s"])
        self.assertGreaterEqual(within["slice_seconds"] * phase["rates"]["operations_per_s"], 14)
        # others on the machine may disturb the phase
        if within["level_changes"]:
            self.assertIsNone(within["half_width_bytes_per_s"])
            self.assertRegex(said, r"within this run only: the level changes .*at \S+ s from \S+ to \S+ MiB/s")
        elif within["trend_begin_bytes_per_s"]:
            self.assertIsNone(within["half_width_bytes_per_s"])
            self.assertRegex(said, r"within this run only: the rate (falls|rises) from \S+ to \S+ MiB/s")
        elif within["effective_slices"] < 8:
            self.assertIsNone(within["half_width_bytes_per_s"])
            self.assertIn("interval not known, as the rate wanders", said)
        else:
            self.assertLess(within["half_width_bytes_per_s"], within["mean_bytes_per_s"])
            self.assertRegex(said, r"within this run only: \S+ MiB/s of transfers, 95 % from \S+ to \S+")

    def test_a_change_of_level_is_said_with_its_time(self):
        # each operation from the 901st on takes ten times as long
        outcome = self.run_well(["-a", "null", "-w", "-b", "1200m", "-t", "1m", "--null.delay-xfer=1000",
                                 "--fault.kind=stall", "--fault.operation=write", "--fault.after=900", "--fault.count=0",
                                 "--fault.stall=10ms"], 1)
        phase = outcome.phase("write")
        within = phase["within_run"]
        self.assertGreaterEqual(within["level_changes"], 1)
        self.assertIsNone(within["half_width_bytes_per_s"])
        self.assertLess(within["after_bytes_per_s"], 0.5 * within["before_bytes_per_s"])
        self.assertLess(0.2, within["change_s"])
        self.assertLess(within["change_s"], phase["intervals"]["transfer_s"])
        self.assertIn("within this run only: the level changes", " ".join(outcome.out.split()))

    def test_few_transfers_or_a_short_phase_say_nothing_of_themselves(self):
        # few and long, few, and many that are done in a moment
        for block, transfer, delay in (("16m", "1m", 80000), ("280m", "1m", 5000), ("1600k", "4k", 0)):
            with self.subTest(block=block):
                outcome = self.run_well(["-a", "null", "-w", "-b", block, "-t", transfer,
                                         f"--null.delay-xfer={delay}"], 1)
                self.assertIsNone(outcome.phase("write")["within_run"])
                self.assertNotIn("within this run", outcome.out)


class Counters(Case):
    def counted(self, arguments, tasks=1, **more):
        outcome = self.run_iorx(["-o", os.path.join(self.folder, "data"), *arguments], tasks, **more)
        self.assert_exit(outcome, 0)
        return outcome

    def test_exact_counts_of_a_shared_file(self):
        counters = self.counted([*SMALL, "-w", "-e"], 2).phase("write")["counters"]
        transfers = 2 * 3 * 16
        wanted = {
            "OPENS": 2, "READS": 0, "WRITES": transfers, "FSYNCS": 2, "BYTES_READ": 0,
            "BYTES_WRITTEN": transfers << 14, "MAX_BYTE_READ": 0,
            "MAX_BYTE_WRITTEN": (transfers << 14) - 1,
            # 15 in each of 6 blocks; task 0's first one, at 0, follows nothing, all others go up
            "CONSEC_WRITES": 6 * 15, "SEQ_WRITES": transfers - 1, "CONSEC_READS": 0, "SEQ_READS": 0,
            "RW_SWITCHES": 0, "FILE_NOT_ALIGNED": 0, "SIZE_WRITE_10K_100K": transfers,
            "SIZE_WRITE_1K_10K": 0, "SIZE_READ_10K_100K": 0, "ACCESS1_ACCESS": 16384,
            "ACCESS1_COUNT": transfers, "ACCESS2_ACCESS": 0, "ACCESS2_COUNT": 0,
        }
        self.assertEqual({name: counters["POSIX_" + name] for name in wanted}, wanted)

    def test_reading_what_one_wrote_is_a_switch(self):
        outcome = self.counted([*SMALL, "-F", "-i", "2", "-m"], 2)
        self.assertEqual([phase["counters"]["POSIX_RW_SWITCHES"] for phase in phases_of(outcome)],
                         [0, 2, 0, 2])
        outcome = self.counted([*SMALL, "-F", "-C", "-i", "2"], 3)
        self.assertEqual([phase["counters"]["POSIX_RW_SWITCHES"] for phase in phases_of(outcome)],
                         [0, 0, 0, 0])
        outcome = self.counted([*SMALL, "-i", "2"], 2)
        self.assertEqual([phase["counters"]["POSIX_RW_SWITCHES"] for phase in phases_of(outcome)],
                         [0, 2, 2, 2])

    def test_a_test_has_the_sum_of_its_phases(self):
        test = self.counted([*SMALL, "-i", "3", "-F", "-O", "warmup=1"], 2).document["tests"][0]
        total = test["counters"]
        for name in ("OPENS", "READS", "WRITES", "BYTES_READ", "CONSEC_WRITES", "RW_SWITCHES",
                     "SIZE_READ_10K_100K"):
            name = "POSIX_" + name
            self.assertEqual(total[name], sum(phase["counters"][name] for phase in test["phases"]))
        self.assertEqual(total["POSIX_WRITES"], 4 * 2 * 3 * 16)

    def test_transfers_across_blocks_of_the_file_system_are_counted(self):
        counters = self.counted(["-w", "-b", "30000", "-t", "3000"]).phase("write")["counters"]
        unit = counters["POSIX_FILE_ALIGNMENT"]
        self.assertEqual(counters["POSIX_FILE_NOT_ALIGNED"],
                         sum(1 for i in range(10) if i * 3000 % unit))

    def test_the_kernel_counts_the_same(self):
        for more in ([], ["-z"], ["-F"], ["-t", "1m", "-b", "2m"]):
            with self.subTest(options=more):
                for phase in phases_of(self.counted([*SMALL, *more])):
                    counters, kernel = phase["counters"], phase["kernel"]["io"]
                    self.assertEqual(
                        [counters["POSIX_" + name] for name in ("READS", "WRITES", "BYTES_READ",
                                                                "BYTES_WRITTEN")],
                        [kernel[name] for name in ("syscr", "syscw", "rchar_bytes", "wchar_bytes")])

    def test_short_transfers_are_counted_as_the_calls_they_are(self):
        # the first of 48 moves 8 KiB, 4 KiB, 2 KiB, 1 KiB, 512 bytes, and the rest
        phase = self.counted([*SMALL, "-w", "--fault.kind=short", "--fault.operation=write",
                              "--fault.count=5"]).phase("write")
        counters = phase["counters"]
        self.assertEqual(phase["data"]["short_transfers"], 1)
        self.assertEqual(counters["POSIX_WRITES"], 48 + 5)
        self.assertEqual(counters["POSIX_BYTES_WRITTEN"], 48 << 14)
        self.assertEqual(counters["POSIX_CONSEC_WRITES"], 47 + 5)
        self.assertEqual((counters["POSIX_ACCESS1_ACCESS"], counters["POSIX_ACCESS1_COUNT"]),
                         (16384, 47))
        self.assertEqual((counters["POSIX_ACCESS2_ACCESS"], counters["POSIX_ACCESS2_COUNT"]),
                         (512, 2))
        self.assertEqual(counters["POSIX_SIZE_WRITE_100_1K"], 3)
        self.assertEqual(counters["POSIX_SIZE_WRITE_1K_10K"], 3)
        self.assertEqual(phase["kernel"]["io"]["syscw"], counters["POSIX_WRITES"])

    def test_a_short_transfer_of_a_queue_is_one_call_more(self):
        for api in ("libaio", "uring"):
            if not is_built_in(api):
                continue
            with self.subTest(api=api):
                phase = self.counted([*SMALL, "-w", "-a", api, "-O", "queue_depth=4", "--fault.kind=short",
                                      "--fault.operation=write"]).phase("write")
                counters = phase["counters"]
                self.assertEqual(phase["data"]["short_transfers"], 1)
                self.assertEqual(counters["POSIX_WRITES"], 48 + 1)
                self.assertEqual(counters["POSIX_BYTES_WRITTEN"], 48 << 14)
                self.assertEqual(counters["POSIX_MAX_BYTE_WRITTEN"], (48 << 14) - 1)
                # Other transfers were submitted before the rest, which goes back to the place of the first.
                self.assertEqual(counters["POSIX_SEQ_WRITES"], 47)
                self.assertIn(counters["POSIX_CONSEC_WRITES"], (46, 47))

    def test_a_prefill_is_counted_by_itself_and_in_the_test(self):
        outcome = self.counted([*SMALL, "-z", "-O", "random_prefill=64k"], 2)
        write, read = phases_of(outcome)
        prefill = write["prefill_counters"]
        wanted = {"OPENS": 2, "WRITES": 24, "FSYNCS": 2, "BYTES_WRITTEN": 96 << 14, "READS": 0,
                  "MAX_BYTE_WRITTEN": (96 << 14) - 1, "SEQ_WRITES": 23, "CONSEC_WRITES": 22,
                  "SIZE_WRITE_10K_100K": 24, "ACCESS1_ACCESS": 65536, "ACCESS1_COUNT": 24}
        self.assertEqual({name: prefill["POSIX_" + name] for name in wanted}, wanted)
        self.assertEqual(write["counters"]["POSIX_WRITES"], 96)
        self.assertIsNone(read["prefill_counters"])
        total = outcome.document["tests"][0]["counters"]
        self.assertEqual([total["POSIX_" + name] for name in ("WRITES", "OPENS", "FSYNCS")], [120, 6, 2])

    @needs_backend("mpiio")
    def test_each_task_prefills_alone_also_where_calls_are_collective(self):
        outcome = self.counted(["-a", "mpiio", "-c", "-w", *SMALL, "-z", "-O", "random_prefill=64k"], 2)
        total = outcome.document["tests"][0]["counters"]
        self.assertEqual([total[f"MPIIO_{kind}_WRITES"] for kind in ("INDEP", "COLL")], [24, 96])

    def test_names_are_opened_and_looked_at(self):
        outcome = self.run_iorx(["mdtest", "-n", "20"], 2)
        self.assert_exit(outcome, 0)
        counted = {phase["phase"]: [phase["counters"]["POSIX_" + name] for name in ("OPENS", "STATS")]
                   for phase in phases_of(outcome)}
        wanted = {"file-create": [40, 0], "file-read": [40, 0], "file-stat": [0, 40],
                  "dir-create": [0, 0], "dir-stat": [0, 40], "file-remove": [0, 0]}
        self.assertEqual({name: counted[name] for name in wanted}, wanted)
        for phase in phases_of(outcome):
            self.assertEqual(sum(phase["timeline"]["operations"]), phase["metadata"]["operations"])

    def test_data_of_items_is_counted(self):
        def counted(outcome, name):
            counters = outcome.phase(name)["counters"]
            return [counters["POSIX_" + key] for key in (
                "OPENS", "READS", "WRITES", "FSYNCS", "BYTES_READ", "BYTES_WRITTEN", "MAX_BYTE_READ",
                "MAX_BYTE_WRITTEN", "RW_SWITCHES", "SIZE_WRITE_1K_10K")]

        data = ["mdtest", "-F", "-n", "20", "-w", "3000", "-e", "3000", "-d", self.folder]
        outcome = self.run_iorx([*data, "-y"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(counted(outcome, "file-create"), [40, 0, 40, 40, 0, 120000, 0, 2999, 0, 40])
        self.assertEqual(counted(outcome, "file-read"), [40, 40, 0, 0, 120000, 0, 2999, 0, 0, 0])
        io = [outcome.phase(name)["kernel"]["io"] for name in ("file-create", "file-read")]
        self.assertEqual([(io[0]["syscw"], io[0]["wchar_bytes"]), (io[1]["syscr"], io[1]["rchar_bytes"])],
                         [(40, 120000), (40, 120000)])
        # One is written by two calls.
        outcome = self.run_iorx([*data, "--fault.kind=short", "--fault.operation=write"], 1)
        self.assert_exit(outcome, 0)
        self.assertEqual(counted(outcome, "file-create")[2:6:3], [21, 60000])
        self.assertEqual(outcome.phase("file-create")["counters"]["POSIX_CONSEC_WRITES"], 1)

    def test_made_nodes_are_not_opened(self):
        outcome = self.run_iorx(["mdtest", "-F", "-n", "20", "-k", "-d", self.folder], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.phase("file-create")["metadata"]["operations"], 40)
        self.assertEqual(outcome.phase("file-create")["counters"]["POSIX_OPENS"], 0)
        self.assertEqual(outcome.phase("file-read")["counters"]["POSIX_OPENS"], 40)

    def test_interfaces_have_their_own_names(self):
        listed = self.run_iorx(["--list-backends"]).out
        layers = {"mpiio": "MPIIO_INDEP_WRITES", "hdf5": "H5D_WRITES", "libaio": "POSIX_WRITES"}
        for api, name in layers.items():
            if not re.search(rf"^ *{api}\b(?!.*not built in)", listed, re.MULTILINE):
                continue
            with self.subTest(api=api):
                counters = self.counted(["-a", api, *SMALL, "-w"], 2).phase("write")["counters"]
                self.assertEqual(counters[name], 96)
                self.assertEqual({key.split("_")[0] for key in counters} - {"H5F"},
                                 {name.split("_")[0]})
        self.assertIsNone(self.counted(["-a", "null", *SMALL, "-w"]).phase("write")["counters"])

    @unittest.skipIf(tracing.why_not(), tracing.why_not())
    def test_traced_calls_are_the_same(self):
        for number, more in enumerate((["-z"], ["-F", "-Y"], ["-zz", "-e"], ["-s", "5", "-b", "64k"],
                                       ["-z", "-O", "random_prefill=64k"])):
            with self.subTest(options=more):
                tracer = tracing.Trace(os.path.join(self.results, f"trace{number}"))
                outcome = self.counted([*SMALL, *more], 2, wrapper=tracer.wrapper)
                total = outcome.document["tests"][0]["counters"]
                seen = self.count_traced(tracer)
                self.assertEqual({name: total["POSIX_" + name] for name in seen}, seen)

    def count_traced(self, tracer):
        """The same counters from each task's calls, file by file."""
        seen = dict.fromkeys(("OPENS", "READS", "WRITES", "FSYNCS", "BYTES_READ", "BYTES_WRITTEN",
                              "CONSEC_READS", "CONSEC_WRITES", "SEQ_READS", "SEQ_WRITES"), 0)
        for files in tracer.tasks(self.folder):
            for file in files:
                if not file.moves:
                    continue
                seen["OPENS"] += 1
                seen["FSYNCS"] += file.syncs
                last = 0
                for move in file.moves:
                    kind = "WRITE" if "write" in move.call else "READ"
                    seen[kind + "S"] += 1
                    seen["BYTES_" + ("WRITTEN" if kind == "WRITE" else "READ")] += move.length
                    seen[f"CONSEC_{kind}S"] += move.offset == last + 1
                    seen[f"SEQ_{kind}S"] += move.offset > last
                    last = move.offset + move.length - 1
        return seen


if __name__ == "__main__":
    unittest.main()
