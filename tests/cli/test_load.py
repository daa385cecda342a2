"""Load tests: what is issued, where and when, what counts, and what is kept and compared."""

import collections
import csv
import fcntl
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import time
import unittest

import tracing
from program import Case, is_built_in, needs_backend

STALL = ["--fault.operation=transfer", "--fault.kind=stall", "--fault.count=1"]


class Load(Case):
    def load(self, *arguments, tasks=1, exit_code=0, **more):
        """The load phase and the outcome."""
        outcome = self.run_iorx(["load", "--file-size=4m", *arguments], tasks, **more)
        self.assert_exit(outcome, exit_code)
        return outcome.phase("load"), outcome

    def rows(self, prefix, task):
        with open(f"{prefix}.{task:08d}.csv", newline="") as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))


class WhatIsIssued(Load):
    def test_shares_are_exact_and_every_operation_is_counted(self):
        for extra in ([], ["--api=uring", "--queue-depth=8"]):
            with self.subTest(extra=extra):
                if extra and not is_built_in("uring"):
                    continue
                phase, outcome = self.load("--operations=read:70,write:30", "--operation-limit=3000",
                                           "--sizes=4k/50,16k/50", "-v", *extra, tasks=2)
                load, operations = phase["load"], phase["operations"]
                self.assertEqual(load["operations"], 6000)
                self.assertEqual([operations[kind]["count"] for kind in ("read", "write", "mixed")],
                                 [4200, 1800, 6000])
                self.assertEqual(load["achieved_shares"], {"read": 0.7, "write": 0.3})
                for sizes in (load["asked_sizes"], load["achieved_sizes"]):
                    for kind in ("read", "write"):
                        self.assertAlmostEqual(sizes[kind + "_bytes"] / 10240, 1, delta=0.02)
                self.assertIn("asked read 70 % of 10 KiB, write 30 % of 10 KiB", " ".join(outcome.out.split()))
                self.assertIn("ended by operation_limit", " ".join(outcome.out.split()))
                self.assertEqual(load["bytes"],
                                 operations["read"]["bytes"] + operations["write"]["bytes"])
                self.assertEqual(operations["read"]["bytes"] % 4096, 0)
                self.assertNotIn("response", operations)
                self.assertIsNone(load["asked_operations_per_s"])
                self.assertRegex(outcome.out, r"(?m)^load +[?!]? +0 +\d")
                self.assertRegex(outcome.out, r"(?m)^  write +[\d.]+ .* 1800 +-$")

    def test_every_block_is_visited_once_in_a_pass(self):
        prefix = os.path.join(self.results, "rows")
        phase, _ = self.load("--distribution=every_block", "--passes=2", "--sizes=64k",
                             f"--operation-tables={prefix}")
        offsets = [int(row["offset_bytes"]) for row in self.rows(prefix, 0) if row["operation"] == "read"
                   and row["phase"] == "load"]
        blocks = list(range(0, 4 << 20, 64 << 10))
        self.assertEqual(phase["load"]["operations"], 128)
        self.assertEqual([sorted(offsets[:64]), sorted(offsets[64:])], [blocks, blocks])
        self.assertNotEqual(offsets[:64], blocks)

    def test_tasks_take_turns_on_a_sequential_file(self):
        prefix = os.path.join(self.results, "rows")
        self.load("--file-scope=test", "--random=0", "--sizes=64k", "--operation-limit=32",
                  f"--operation-tables={prefix}", tasks=2)
        for task in range(2):
            offsets = [int(row["offset_bytes"]) for row in self.rows(prefix, task)
                       if row["operation"] == "read"]
            self.assertEqual(offsets, [(2 * i + task) * (64 << 10) for i in range(32)])


    def test_a_stride_leaves_holes_between_transfers(self):
        prefix = os.path.join(self.results, "rows")
        phase, _ = self.load("--random=0", "--sizes=64k", "--stride=192k", "--operation-limit=16",
                             f"--operation-tables={prefix}")
        offsets = [int(row["offset_bytes"]) for row in self.rows(prefix, 0)
                   if row["operation"] == "read"]
        self.assertEqual(offsets, [i * (256 << 10) for i in range(16)])
        self.assertEqual(phase["load"]["ended_by"]["operation_limit"], 1)

    def test_switches_between_reads_and_writes_are_those_of_each_file(self):
        prefix = os.path.join(self.results, "rows")
        phase, _ = self.load("--operations=read:50,write:50", "--files=3", "--operation-limit=300",
                             f"--operation-tables={prefix}")
        files = collections.defaultdict(list)
        for row in self.rows(prefix, 0):
            if row["operation"] in ("read", "write"):
                files[row["file"]].append(row["operation"])
        self.assertEqual(len(files), 3)
        switches = sum(first != second for kinds in files.values() for first, second in zip(kinds, kinds[1:]))
        self.assertGreater(switches, 50)
        self.assertEqual(phase["counters"]["POSIX_RW_SWITCHES"], switches)

    def test_rows_of_the_table_add_up_to_the_histogram(self):
        prefix = os.path.join(self.results, "rows")
        phase, _ = self.load("-a", "null", "--layout=none", "--operation-limit=20000", f"--operation-tables={prefix}")
        times = [int(row["service_ns"]) for row in self.rows(prefix, 0) if row["operation"] == "read"]
        read = phase["operations"]["read"]
        self.assertEqual((len(times), sum(times), max(times)), (20000, read["sum_ns"], read["max_ns"]))

    def test_tasks_may_have_hot_blocks_of_their_own(self):
        for which, number in (("same", 1), ("own", 2)):
            prefix = os.path.join(self.results, which)
            self.load("--distribution=zipf:100", "--operation-limit=20", f"--hot-blocks={which}",
                      "--file-scope=test", f"--operation-tables={prefix}", tasks=2)
            offsets = {row["offset_bytes"] for task in range(2) for row in self.rows(prefix, task)
                       if row["operation"] == "read"}
            self.assertEqual(len(offsets), number)

    def test_syncs_follow_writes_only(self):
        phase, _ = self.load("--operations=read:50,write:50", "--operation-limit=1000",
                             "--fsync-every=100")
        self.assertEqual(phase["operations"]["sync"]["count"], 5)
        self.assertNotIn("item", phase["operations"]["mixed"]["worst"])
        self.assertLess(phase["operations"]["mixed"]["worst"]["offset_bytes"], 4 << 20)

    @unittest.skipIf(tracing.why_not(), tracing.why_not())
    def test_syncs_between_writes_may_be_of_data_alone(self):
        for option, of_data in (("--fsync-data", 4), ("--fsync-data=0", 0)):
            tracer = tracing.Trace(os.path.join(self.results, "trace" + option))
            self.load("--operations=write", "--operation-limit=20", "--fsync-every=5", "-e", option,
                      "-o", os.path.join(self.folder, "f"), wrapper=tracer.wrapper)
            task, = tracer.tasks(self.folder)
            load = [opened for opened in task if opened.moves][-1]
            self.assertEqual((load.syncs, load.data_syncs), (5, of_data), "the last one is that of -e")

    def test_reads_and_writes_have_shares_of_random_runs(self):
        prefix = os.path.join(self.results, "rows")
        _, outcome = self.load("--operations=read:50,write:50", "--operation-limit=1000", "--random=80%", "--write-random=10%",
                               f"--operation-tables={prefix}")
        jumps, end = collections.Counter(), 0
        for row in self.rows(prefix, 0):
            if row["phase"] == "load" and row["operation"] in ("read", "write"):
                jumps[row["operation"]] += int(row["offset_bytes"]) != end
                end = (int(row["offset_bytes"]) + 4096) % (4 << 20)
        self.assertAlmostEqual(jumps["read"], 400, delta=20, msg="a random run may begin behind the last one")
        self.assertAlmostEqual(jumps["write"], 50, delta=10)
        self.assertIn("80 % of reads and 10 % of writes random", " ".join(outcome.out.split()))
        for share in "110%", "x":
            outcome = self.run_iorx(["load", "--operations=write", f"--write-random={share}"])
            self.assert_exit(outcome, 2)
            self.assertIn("write_random: ", outcome.err)

    def test_the_layout_is_synced_once(self):
        phase, outcome = self.load("--operations=write:100", "--operation-limit=10", "-Y", tasks=2)
        self.assertEqual(outcome.phase("write")["operations"]["sync"]["count"], 2)
        self.assertEqual(phase["operations"]["sync"]["count"], 20)


class WhenItIsIssued(Load):
    def test_bursts_come_together_and_pauses_between_them(self):
        prefix = os.path.join(self.results, "rows")
        phase, _ = self.load("--burst=10", "--burst-pause=0.1", "--duration=1",
                             f"--operation-tables={prefix}")
        starts = [float(row["start_s"]) for row in self.rows(prefix, 0) if row["operation"] == "read"]
        self.assertLessEqual(phase["load"]["operations"], 100)
        self.assertGreater(len(starts), 20)
        bursts = list(zip(starts[::10], starts[9::10], starts[10::10]))
        self.assertGreaterEqual(min(then - last for _, last, then in bursts), 0.099)
        # A slow machine may interrupt some bursts, but not all of them.
        self.assertLess(min(last - first for first, last, _ in bursts), 0.099)
        phase, _ = self.load("--burst=10", "--rate=100", "--duration=1")
        self.assertEqual(phase["load"]["operations"] + phase["load"]["unfinished"], 100)

    def test_each_operation_of_an_even_rate_is_accounted_for(self):
        for arguments in ([], ["--arrival=even", "--rate-scope=task", "--rate=250"],
                          ["--byte-rate=2000k"]):
            with self.subTest(arguments=arguments):
                rate = [] if arguments else ["--rate=500"]
                phase, outcome = self.load("--duration=2", *rate, *arguments, tasks=2)
                load = phase["load"]
                self.assertEqual(load["asked_operations_per_s"], 500)
                self.assertEqual(load["operations"] + load["unfinished"], 1000)
                self.assertEqual(phase["operations"]["response"]["count"], 1000)
                self.assertEqual(load["window_s"], 2)
                self.assertEqual({end: tasks for end, tasks in load["ended_by"].items() if tasks}, {"time": 2})
                self.assertRegex(outcome.out, r"(?m)^  response +- .* - +- +-$")
                # The heat map has the bytes that each task moved.
                rows = [sum(row) for row in phase["heatmap"]["bytes"]]
                self.assertEqual((len(rows), sum(rows)), (2, load["bytes"]))

    def test_a_stall_is_seen_in_response_times_and_not_in_service_times(self):
        phase, _ = self.load("--duration=2", "--rate=500", "--fault.after=200", "--fault.stall=1",
                             *STALL)
        times = {kind: phase["operations"][kind]["percentiles"]["p90"]["ns"] / 1e9
                 for kind in ("mixed", "response")}
        # 500 of 1000 operations were due in the stall; 100 of these waited 0.8 s and more.
        self.assertGreater(times["response"], 0.7)
        self.assertLess(times["mixed"], times["response"] / 4)

    def test_late_operations_are_skipped_where_that_is_wanted(self):
        phase, outcome = self.load("--duration=2", "--rate=500", "--on-late=skip",
                                   "--fault.after=200", "--fault.stall=1", *STALL)
        load = phase["load"]
        self.assertGreaterEqual(load["skipped"], 450)
        self.assertEqual(load["operations"] + load["skipped"] + load["unfinished"], 1000)
        self.assertIn("skipped, late (on_late=skip)", outcome.out)

    def test_an_overloaded_run_says_so_and_shows_no_good_response_time(self):
        phase, outcome = self.load("--duration=1", "--rate=1000", "--fault.kind=stall",
                                   "--fault.operation=transfer", "--fault.stall=0.01",
                                   "--fault.count=0")
        load = phase["load"]
        self.assertGreater(load["unfinished"], 500)
        self.assertGreater(load["oldest_unfinished_ns"], 5e8)
        self.assertGreater(phase["operations"]["response"]["percentiles"]["p90"]["ns"], 5e8)
        self.assertIn("of the due rate was reached", outcome.out)
        self.assertIn("due and not issued before the end", outcome.out)

    def test_an_overload_shows_behind_a_cool_down_and_a_limit_and_a_stall_is_none(self):
        slow = ["--fault.kind=stall", "--fault.operation=transfer", "--fault.stall=0.01", "--fault.count=0"]
        for arguments, is_saturated in ((["--duration=1", "--cooldown=1", "--rate=1000", *slow], True),
                                        (["--operation-limit=100", "--rate=1000", *slow], True),
                                        # 400 of 500 operations are issued in the cool-down, and then none is late
                                        (["--duration=1", "--cooldown=2", "--rate=500", "--fault.after=100",
                                          "--fault.stall=1.2", *STALL], False)):
            with self.subTest(arguments=arguments):
                phase, _ = self.load(*arguments)
                load = phase["load"]
                self.assertEqual(load["issued"] < load["due"] / 2, is_saturated, load)
                # What the storage could not do in the window is in no rate, also where the cool-down did it.
                self.assertEqual(load["rated_operations"], min(load["issued"], load["operations"]))
                self.assert_rate_is_of_the_window(phase)
                if is_saturated:
                    self.assertIn("M5", [verdict["id"] for verdict in phase["verdicts"]])

    def test_a_load_that_falls_behind_drifts(self):
        """
        Each operation takes at least 2 % longer than it may. On a busy machine it may be more, so that the load is
        saturated, or so irregular that the lateness follows no line.
        """
        phase, outcome = self.load("--duration=3", "--rate=200", "--fault.kind=stall", "--fault.operation=transfer",
                                   "--fault.stall=5.1ms", "--fault.count=0", "-v")
        self.assertGreater(phase["load"]["late_drift_ns_per_s"], 15e6)
        for verdict in phase["verdicts"]:
            if verdict["id"] == "M5":
                self.assertRegex(verdict["meaning"], "^(drift: with each second operations were issued [0-9.]+ ms later|saturated: )")
        self.assertEqual(sum(phase["timeline"]["due"]), phase["load"]["due"])
        self.assertRegex(outcome.out, r"(?m)^ +issued late: p50 .*; drift \+")

    def test_a_load_that_leaves_nearly_all_out_is_saturated_too(self):
        phase, outcome = self.load("--duration=1", "--rate=1000", "--on-late=skip", "--fault.kind=stall",
                                   "--fault.operation=transfer", "--fault.stall=0.1", "--fault.count=0")
        self.assertLess(phase["load"]["operations"], 20)
        self.assertGreater(phase["load"]["skipped"], 500)
        self.assertEqual(sum(phase["timeline"]["due"]), phase["load"]["due"])
        meaning, = [verdict["meaning"] for verdict in phase["verdicts"] if verdict["id"] == "M5"]
        self.assertRegex(meaning, r"^saturated: .* left out \(on_late=skip\)$")

    def test_the_head_says_when_nobody_chose_the_size_of_the_files(self):
        for given, text in ([], "1 file of 64 MiB for each task (default file_size)"), (["--file-size=64m"], "1 file of 64 MiB for each task"):
            outcome = self.run_iorx(["load", *given, "--show-plan"], 2)
            self.assert_exit(outcome, 0)
            self.assertIn(text + "; ", " ".join(outcome.out.split()))

    @needs_backend("uring")
    def test_slots_of_a_queue_are_no_larger_than_operations_where_nothing_is_laid_out(self):
        outcome = self.run_iorx(["load", "-a", "uring", "--queue-depth=64", "--layout=none", "--file-size=4m", "--show-plan"])
        self.assert_exit(outcome, 0)
        self.assertIn("256 KiB of it transfer buffers", outcome.out)

    def test_warm_up_and_cool_down_do_not_count(self):
        phase, _ = self.load("--duration=1", "--warmup-time=1", "--cooldown=1", "--rate=200")
        self.assertEqual(phase["load"]["operations"] + phase["load"]["unfinished"], 200)
        self.assertGreater(phase["load"]["outside_window"], 200)
        self.assertLessEqual(phase["load"]["outside_window"], 400)
        self.assertGreaterEqual(phase["intervals"]["transfer_s"], 1)
        self.assertLess(phase["intervals"]["transfer_s"], 2)

    def assert_rate_is_of_the_window(self, phase):
        load = phase["load"]
        self.assertAlmostEqual(phase["rates"]["total_operations_per_s"] * load["window_s"],
                               load["rated_operations"], places=3)

    def test_the_rate_is_that_of_the_window_however_late_its_last_operation_ends(self):
        phase, _ = self.load("--duration=1", "--cooldown=3", "--rate=200", "--fault.after=190", "--fault.stall=1.5",
                             *STALL)
        self.assertEqual((phase["load"]["window_s"], phase["load"]["rated_operations"]),
                         (1, phase["load"]["operations"]))
        self.assertGreater(phase["intervals"]["transfer_s"], 1.3)
        self.assert_rate_is_of_the_window(phase)

    def test_a_number_of_operations_takes_until_the_next_would_be_due(self):
        for more in ([], ["--burst=10"], ["--burst=8"], ["--burst=1000"], ["--arrival=poisson"]):
            with self.subTest(more=more):
                phase, _ = self.load("--rate=1000", "--operation-limit=100", *more, tasks=2)
                load = phase["load"]
                self.assertEqual((load["operations"], load["due"]), (200, 200))
                self.assertEqual(load["rated_operations"], load["issued"])
                self.assert_rate_is_of_the_window(phase)
                if not more or more == ["--burst=10"]:
                    self.assertAlmostEqual(load["window_s"], 0.2, places=6)

    def test_a_late_stall_does_not_make_the_window_of_a_limit_longer(self):
        phase, _ = self.load("--rate=200", "--operation-limit=100", "--fault.after=95", "--fault.stall=1", *STALL)
        self.assertAlmostEqual(phase["load"]["window_s"], 0.5, places=6)
        self.assertEqual(phase["load"]["due"], 100)
        self.assertGreater(phase["intervals"]["transfer_s"], 1.2)

    def test_a_closed_loop_counts_what_ended_in_its_window(self):
        phase, outcome = self.load("--duration=0.5", "--warmup-time=0.5", "--operations=read:50,write:50",
                                   "--fault.operation=transfer", "--fault.kind=stall", "--fault.stall=0.02",
                                   "--fault.count=0", tasks=4)
        kinds = [phase["operations"][kind] for kind in ("read", "write")]
        rated = [one.get("rated", one["count"]) for one in kinds]
        self.assertEqual(sum(rated), phase["load"]["rated_operations"])
        # Of each task at most one operation lies across each end of the window.
        self.assertLessEqual(abs(sum(rated) - phase["load"]["operations"]), 4)
        self.assertLessEqual(sum(rated), 4 * 0.5 / 0.02 + 4)
        self.assertEqual(phase["load"]["window_s"], 0.5)
        self.assert_rate_is_of_the_window(phase)
        for kind, count in zip(("read", "write"), rated):
            shown, = re.findall(rf"(?m)^  {kind} +([\d.]+) ", outcome.out)
            self.assertAlmostEqual(float(shown) * 0.5, count, delta=0.01 * count)

    def test_a_load_that_measured_nothing_says_so(self):
        for more in (["--duration=0.3", "--layout=none", "-a", "null", "--null.delay-xfer=900000"],
                     ["--operation-limit=10", "--warmup-time=0.5", "--rate=1000"]):
            with self.subTest(more=more):
                phase, _ = self.load(*more)
                self.assertEqual(phase["load"]["rated_operations"], 0)
                self.assertIn(("T1", "fail"), [(one["id"], one["severity"]) for one in phase["verdicts"]])

    def test_a_load_that_is_stopped_has_the_window_that_was_measured(self):
        running = self.start_iorx(["load", "--file-size=4m", "--rate=200", "--duration=60"])
        running.wait_for_phase(1)
        time.sleep(0.3)
        running.kill(running.tasks()[0], signal.SIGTERM)
        phase = running.wait().phase("load")
        self.assertEqual(phase["status"], "stopped")
        self.assertLess(phase["load"]["window_s"], 60)
        self.assertLessEqual(abs(phase["load"]["window_s"] * 200 - phase["load"]["operations"] - phase["load"]["unfinished"]), 1)
        self.assert_rate_is_of_the_window(phase)

    def test_the_table_has_the_rates_of_the_window_and_what_varies(self):
        table = os.path.join(self.results, "rows.csv")
        outcome = self.run_iorx(["load", "-a", "null", "--layout=none", "--file-size=4m", "--operations=read:70,write:30",
                                 "--duration=0.4", "--warmup-time=0.2", "--cooldown=0.2", "--rate=[500,1000]",
                                 "--sizes=4k", "--name=probe", f"--output={self.results}/r.json,{table}"], output=False)
        self.assert_exit(outcome, 0)
        with open(f"{self.results}/r.json", encoding="utf-8") as file:
            document = json.load(file)
        with open(table, encoding="utf-8", newline="") as file:
            rows = {(int(row["test"]), row["phase"]): row for row in csv.DictReader(file)}
        for number, test in enumerate(document["tests"]):
            phase, = test["phases"]
            whole, read, write = (rows[number, name] for name in ("load", "load:read", "load:write"))
            self.assertEqual(float(whole["operations_per_s"]), phase["rates"]["total_operations_per_s"])
            self.assertAlmostEqual((float(read["operations_per_s"]) + float(write["operations_per_s"]))
                                   / float(whole["operations_per_s"]), 1, places=9)
            asked = test["study"]["varied"]["load.rate"]
            self.assertEqual(float(whole["asked_operations_per_s"]), asked)
            self.assertEqual(read["asked_operations_per_s"], "")
            self.assertEqual(rows[number, "load:response"]["operations_per_s"], "")
            for row in whole, read, write:
                self.assertEqual((row["varied"], row["name"]), (f"load.rate={asked:g}", "probe"))
                self.assertEqual((row["host"], row["began"]), (document["run"]["hosts"][0], phase["began"]))


class HowFilesAreUsed(Load):
    def test_each_write_is_synced_by_the_open(self):
        for sync, flags in (("none", "O_RDWR"), ("dsync", "O_RDWR|O_DSYNC"), ("sync", "O_RDWR|O_SYNC")):
            for api in ("posix", "uring", "libaio"):
                with self.subTest(sync=sync, api=api):
                    if not is_built_in(api):
                        continue
                    phase, outcome = self.load(f"--sync={sync}", "-a", api, "--operations=write:100",
                                               "--operation-limit=20")
                    self.assertEqual(phase["settings"]["open_flags"], flags)
                    self.assertEqual("each write with" in " ".join(outcome.out.split()), sync != "none")

    def test_operations_wait_for_the_locks_of_others(self):
        self.load("--operation-limit=1")
        path = os.path.join(self.folder, "testFile.00000000")
        for lock, operations, held in (("shared", "read", fcntl.LOCK_EX), ("exclusive", "write", fcntl.LOCK_SH),
                                       ("readwrite", "read", fcntl.LOCK_EX), ("readwrite", "write", fcntl.LOCK_SH)):
            with self.subTest(lock=lock, operations=operations), open(path, "r+b") as file:
                fcntl.lockf(file, held)
                job = self.start_iorx(["load", "--file-size=4m", f"--lock={lock}", "--operation-limit=10",
                                       f"--operations={operations}:100"])
                self.wait_for_waiter(os.fstat(file.fileno()).st_ino)
                time.sleep(0.3)
                fcntl.lockf(file, fcntl.LOCK_UN)
                outcome = job.wait()
                self.assert_exit(outcome, 0)
                self.assertGreater(outcome.phase("load")["operations"][operations]["max_ns"], 0.2e9)

    def test_readers_do_not_wait_for_readers(self):
        self.load("--operation-limit=1")
        with open(os.path.join(self.folder, "testFile.00000000"), "r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_SH)
            self.load("--lock=readwrite", "--operation-limit=10")

    def wait_for_waiter(self, inode):
        """Until the kernel has a task that waits for a lock on this file."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with open("/proc/locks", encoding="ascii") as locks:
                if any("->" in line and f":{inode} " in line for line in locks):
                    return
            time.sleep(0.01)
        self.fail("nobody waits for the lock")

    def test_ways_that_an_interface_does_not_have_are_refused(self):
        for arguments, text in ((["-a", "null", "--sync=dsync"], "sync: null cannot open files"),
                                (["-a", "null", "--lock=shared"], "lock: null cannot lock"),
                                (["--lock=exclusive"], "lock: exclusive locks need files")):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(["load", "--file-size=4m", "--operation-limit=1", *arguments])
                self.assert_exit(outcome, 2)
                self.assertIn(text, outcome.err)


@unittest.skipIf(os.geteuid() or not shutil.which("losetup"), "loop devices need root and losetup")
class Devices(Load):
    def setUp(self):
        super().setUp()
        self.image = os.path.join(self.results, "image")
        with open(self.image, "wb") as image:
            image.write(b"precious" * (1 << 20))
        done = subprocess.run(["losetup", "-f", "--show", self.image], capture_output=True, text=True, check=False)
        if done.returncode:
            self.skipTest("no loop devices here: " + done.stderr)
        self.device = done.stdout.strip()
        self.addCleanup(subprocess.run, ["losetup", "-d", self.device], check=True)

    def image_bytes(self):
        subprocess.run(["blockdev", "--flushbufs", self.device], check=False)
        os.sync()
        with open(self.image, "rb") as image:
            return image.read()

    def refuse(self, *arguments):
        outcome = self.run_iorx(["load", "--file-scope=test", "--operation-limit=100", *arguments], 2)
        self.assert_exit(outcome, 2)
        self.assertEqual(self.image_bytes(), b"precious" * (1 << 20))
        return outcome.err

    def test_a_device_is_never_written_without_being_asked_for(self):
        device = ["-o", self.device, "--file-size=4m"]
        self.assertIn("is a block device; a load may use it with allow_device", self.refuse(*device))
        self.assertIn("is a block device", self.refuse(*device, "--layout=none"))
        self.assertIn("the device", self.refuse("-o", self.device, "--file-size=16m", "--allow-device"))
        self.assertIn("set file_scope = test", self.refuse(*device, "--allow-device", "--file-scope=task"))
        self.assertIn("is no block device", self.refuse("-o", self.image, "--file-size=4m", "--allow-device"))
        job = os.path.join(self.folder, "job.ior")
        with open(job, "w", encoding="utf-8") as file:
            file.write(f"LOAD START\ntestFile={self.device}\nfileSize=4m\nfileScope=test\nallowDevice=1\n"
                       "operationLimit=10\nLOAD STOP\n")
        outcome = self.run_iorx(["-f", job])
        self.assert_exit(outcome, 2)
        self.assertIn("--allow-overwrite", outcome.err)
        self.assertEqual(self.image_bytes(), b"precious" * (1 << 20))

    def test_a_device_is_laid_out_used_and_kept(self):
        device = ["-o", self.device, "--file-size=4m", "--file-scope=test", "--allow-device", "--check-read",
                  "--operations=read:50,write:50"]
        for api in ("posix", "uring", "libaio"):
            if not is_built_in(api):
                continue
            with self.subTest(api=api):
                outcome = self.run_iorx(["load", *device, "-a", api, "--operation-limit=500"], 2)
                self.assert_exit(outcome, 0)
                self.assertEqual(outcome.phase("load")["load"]["verification"]["wrong_bytes"], 0)
                self.assertEqual([name for name, _, _ in outcome.phases()], ["write", "load"])
                self.assertEqual(outcome.document["tests"][0]["mount"]["type"], "block device")
                self.assertNotIn("--cleanup", outcome.out)
        self.assertTrue(stat.S_ISBLK(os.stat(self.device).st_mode))
        self.assertNotIn(b"precious", self.image_bytes()[:4 << 20])
        self.assertEqual(self.image_bytes()[4 << 20:], b"precious" * (1 << 19))
        outcome = self.run_iorx(["load", *device, "--layout=none", "--operation-limit=100"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual([name for name, _, _ in outcome.phases()], ["load"])


class Files(Load):
    def test_files_are_laid_out_once_and_stay(self):
        _, outcome = self.load("--operation-limit=100", "--repetitions=2", tasks=2)
        self.assertEqual([(name, repetition) for name, repetition, _ in outcome.phases()],
                         [("write", 0), ("load", 0), ("load", 1)])
        names = [os.path.join(self.folder, f"testFile.{task:08d}") for task in range(2)]
        inodes = [os.stat(name).st_ino for name in names]
        self.assertIn("2 files laid out: 8 MiB", outcome.out)
        self.assertIn("left       2 files of 4 MiB, 8 MiB in all, stay for the next load\n", outcome.out)
        _, outcome = self.load("--operation-limit=100", "--operations=write:100", tasks=2)
        self.assertEqual([name for name, _, _ in outcome.phases()], ["load"])
        self.assertTrue(outcome.phase("load")["load"]["files_found"])
        self.assertIn("files that an earlier test laid out were used again", outcome.out)
        self.assertEqual([os.stat(name).st_ino for name in names], inodes)
        _, outcome = self.load("--operation-limit=100", "--file-size=8m", tasks=2)
        self.assertEqual([name for name, _, _ in outcome.phases()], ["write", "load"])
        self.assertEqual([os.path.getsize(name) for name in names], [8 << 20] * 2)

    def test_allocated_files_are_not_taken_for_files_that_were_written(self):
        writes = ["--operations=write:100", "--operation-limit=20", "--layout=allocate", "--files=2"]
        _, outcome = self.load(*writes, tasks=2)
        self.assertIn("4 files allocated: 16 MiB", outcome.out)
        self.assertEqual(outcome.phase("write")["operations"]["write"]["count"], 4)
        names = sorted(os.path.join(self.folder, name) for name in os.listdir(self.folder))
        self.assertEqual([os.path.getsize(name) for name in names], 4 * [4 << 20])
        self.assertGreaterEqual(min(os.stat(name).st_blocks for name in names), (4 << 20) // 512)
        phase, outcome = self.load(*writes, tasks=2)
        self.assertTrue(phase["load"]["files_found"])
        phase, outcome = self.load("--operations=read:100", "--operation-limit=20", "--files=2", "--check-read", tasks=2)
        self.assertIn("4 files laid out: 16 MiB", outcome.out)
        self.assertEqual(phase["load"]["verification"]["wrong_bytes"], 0)
        for arguments, text in ((["--operations=read:1,write:99"], "layout: allocated blocks hold no data"),
                                (["--operations=write:1", "-a", "null"], "layout: null cannot allocate files")):
            outcome = self.run_iorx(["load", "--file-size=4m", "--layout=allocate", *arguments])
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, text)

    def test_every_block_of_all_files_is_visited_and_compared(self):
        prefix = os.path.join(self.results, "rows")
        for directory in ("a", "b"):
            os.mkdir(os.path.join(self.folder, directory))
        several = ["--files=3", "--file-size=1m", "--sizes=64k", "--distribution=every_block",
                   "--check-read", "-o", "a/x@b/x"]
        _, outcome = self.load(*several, "--passes=2", "--operations=read:50,write:50",
                               f"--operation-tables={prefix}", tasks=2)
        self.assertIn("6 files laid out: 6 MiB", outcome.out)
        for task in range(2):
            rows = [row for row in self.rows(prefix, task) if row["phase"] == "load"]
            self.assertEqual(sorted((int(row["file"]), int(row["offset_bytes"])) for row in rows
                                    if row["offset_bytes"]),
                             [(file, offset) for file in range(3)
                              for offset in range(0, 1 << 20, 64 << 10) for _ in range(2)])
            self.assertEqual([row["file"] for row in rows if row["operation"] == "open"],
                             ["0", "1", "2"])
        # The second file of task 1 is the fifth of the test, so it lies on the first path.
        damaged = os.path.join("a", "x.00000001.00000001")
        with open(os.path.join(self.folder, damaged), "r+b") as file:
            file.seek(70000)
            file.write(b"damage")
        phase, outcome = self.load(*several, "--passes=1", tasks=2, exit_code=1)
        self.assertTrue(phase["load"]["files_found"])
        self.assertEqual(phase["load"]["verification"]["wrong_transfers"], 1)
        self.assertIn(f"the first in {damaged} at offset 70", outcome.err)

    def test_tasks_share_several_files(self):
        _, outcome = self.load("--files=2", "--file-scope=test", "--file-size=1m", "--check-read",
                               "--operations=write:50,read:50", "--operation-limit=200",
                               "--file-choice=zipf:1", "--fsync-every=10", tasks=2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["testFile.00000000", "testFile.00000001"])
        write = outcome.phase("write")["operations"]["write"]
        self.assertEqual((write["bytes"], outcome.phase("write")["operations"]["open"]["count"]),
                         (2 << 20, 4))
        self.load("--files=2", "--file-scope=test", "--file-size=1m", "--layout=none",
                  "--operation-limit=20", "-o", "testFile.00000000@testFile.00000001")

    def test_each_file_has_a_queue_of_its_own(self):
        prefix = os.path.join(self.results, "rows")
        phase, _ = self.load("--api=uring" if is_built_in("uring") else "--api=null", "--files=3",
                             "--file-size=1m", "--queue-depth=2", "--depth-scope=file",
                             "--operation-limit=600", f"--operation-tables={prefix}")
        self.assertEqual(phase["queue_depth"], 6)
        files = [row["file"] for row in self.rows(prefix, 0) if row["operation"] == "read"
                 and row["phase"] == "load"]
        self.assertEqual(sorted(files[:6]), ["0", "0", "1", "1", "2", "2"])
        self.assertEqual({file: files.count(file) > 100 for file in "012"},
                         {"0": True, "1": True, "2": True})

    def test_names_have_fields_for_numbers(self):
        for slot in range(2):
            os.mkdir(os.path.join(self.folder, f"m{slot}"))
        _, outcome = self.load("-o", "m%s/x.%n-%02f", "--files=2", "--file-size=64k",
                               "--operation-limit=10", tasks=2)
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "m1"))), ["x.0-00", "x.0-01"])

    def test_a_list_of_names_that_is_too_long_is_refused_with_a_shorter_way(self):
        names = "@".join(f"/mnt/storage-cluster/node{node}/mount{mount}/data" for node in range(24) for mount in range(6))
        outcome = self.run_iorx(["load", "--show-plan", "-o", names])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, f"test_file: the name, or the list of names, has {len(names)} bytes and may have 4032")
        self.assertIn("as fields, as in /mnt/%n/%s/data", outcome.err)

    def test_a_failure_names_the_file_of_several(self):
        self.load("--files=3", "--file-size=1m", "--operation-limit=10")
        outcome = self.run_iorx(["load", "--files=3", "--file-size=1m", "--operation-limit=99",
                                 "--operations=write", "--fault.operation=write",
                                 "--fault.kind=fail", "--fault.after=4"])
        self.assert_exit(outcome, 1)
        self.assertIn("of testFile.00000000.00000001: ", outcome.err)

    def test_more_files_than_a_process_may_open_are_refused(self):
        outcome = self.run_iorx(["load", "--files=900000", "--file-size=4k"])
        self.assert_exit(outcome, 2)
        self.assertIn("files: each task has 900000 files open", outcome.err)

    def test_files_of_others_are_spared(self):
        path = os.path.join(self.folder, "testFile.00000000")
        with open(path, "wb") as file:
            file.write(b"not yours" * 1000)
        outcome = self.run_iorx(["load", "--file-size=4m", "--operation-limit=10"])
        self.assert_exit(outcome, 2)
        self.assertIn("was not made by iorx", outcome.err)
        self.assertIn("layout=missing", outcome.err)
        self.assertEqual(os.path.getsize(path), 9000)
        outcome = self.run_iorx(["load", "--file-size=12k", "--operation-limit=10", "--layout=none"])
        self.assert_exit(outcome, 2)
        self.assertIn("lower file_size", outcome.err)
        outcome = self.run_iorx(["load", "--file-size=8k", "--operation-limit=10", "--layout=none"])
        self.assert_exit(outcome, 0)
        self.assertNotIn("--cleanup", outcome.out)


class Curve(Load):
    """Each transfer takes 2 ms, so that a task can do nearly 500 operations per second."""
    SLOW = ["load", "-a", "null", "--null.delay-xfer=2000", "--file-size=4m", "--duration=0.5"]

    def curve(self, *arguments):
        outcome = self.run_iorx([*self.SLOW, *arguments], 2)
        self.assert_exit(outcome, 0)
        return outcome.document["end"]["curves"][0], outcome

    def test_points_are_shares_of_the_maximum(self):
        # The maximum of a machine that is slow for a moment is too small, so the last share is large.
        curve, outcome = self.curve("--curve=max,20-60/20%,2000%", "--arrival=poisson")
        first, *points = curve["points"]
        self.assertEqual([first["asked_operations_per_s"], first["reached"]], [None, False])
        for point, share in zip(points, (.2, .4, .6, 20)):
            self.assertAlmostEqual(point["asked_operations_per_s"] / first["operations_per_s"], share)
        self.assertFalse(points[3]["reached"])
        self.assertGreater(points[3]["mean_ns"], points[0]["mean_ns"])
        self.assertGreater(points[0]["mean_ns"], 2e6)
        self.assertEqual(len(outcome.document["tests"]), 5)
        for test, point in zip(outcome.document["tests"], curve["points"]):
            self.assertEqual(test["phases"][0]["load"]["asked_operations_per_s"],
                             point["asked_operations_per_s"])
        self.assertRegex(outcome.out, r"(?m)^ +4 .* missed$")
        self.assertNotIn("\nstudy  ", outcome.out)

    def test_a_bound_ends_a_curve(self):
        curve, outcome = self.curve("--curve=10,20,5000,10000", "--stop-response=mean:100ms")
        self.assertEqual([point["asked_operations_per_s"] for point in curve["points"]], [10, 20, 5000, 5000])
        self.assertEqual(list(curve["bound"].values()), ["mean", 100000000, 20, 5000, False])
        self.assertIn("mean within 100 ms: 20.0 op/s, no longer at", " ".join(outcome.out.split()))

    def test_a_search_ends_at_a_narrow_bracket(self):
        curve, _ = self.curve("--search=p50<100ms", "--duration=0.3")
        maximum, *points = curve["points"]
        self.assertLessEqual(len(points), 24)
        self.assertAlmostEqual(points[0]["asked_operations_per_s"], maximum["operations_per_s"] / 2)
        asked = [round(point["asked_operations_per_s"], 3) for point in points]
        bound = curve["bound"]
        if bound["agrees"]:
            low, high = (round(bound[f"{what}_operations_per_s"], 3) for what in ("met", "missed"))
            self.assertTrue(high * .95 <= low < high)
            self.assertTrue(asked.count(low) >= 2 and asked.count(high) >= 2, asked)

    def test_a_search_ends_where_its_percentile_is_not_known(self):
        curve, outcome = self.curve("--search=p99.9<100ms")
        _, point = curve["points"]
        self.assertAlmostEqual(point["bound_needs_s"], 3688 / point["asked_operations_per_s"])
        self.assertEqual([curve["bound"][f"{what}_operations_per_s"] for what in ("met", "missed")], [None, None])
        self.assertRegex(outcome.out, r"(?m)^ +1 .* few$")
        self.assertRegex(" ".join(outcome.out.split()), r"few: too few operations for p99\.9, which duration=\d+ would give")

    def test_a_point_too_short_to_show_an_overload_says_so(self):
        curve, outcome = self.curve("--curve=20,400")
        first, second = curve["points"]
        self.assertEqual(first["overload_needs_s"], 2)
        self.assertIsNone(second["overload_needs_s"])
        self.assertRegex(outcome.out, r"(?m)^ +0 +20\.\d.* short$")
        self.assertIn("duration=2 would show it", " ".join(outcome.out.split()))
        curve, outcome = self.curve("--curve=20,400", "--operation-limit=10", "--duration=0")
        self.assertIn("an overload does not show", " ".join(outcome.out.split()))
        self.assertNotIn("duration=", outcome.out.split("curve 0")[1].split("\n\n")[0])

    def test_bad_curves_are_refused_with_their_place(self):
        for arguments, text in ((["--curve=10%"], "curve: 10% is a share of the maximum"),
                                (["--search=p99"], 'search: "p99" is no bound'),
                                (["--curve=max", "--stop-response=1ms"], 'stop_response: "1ms" is no')):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx([*self.SLOW, *arguments])
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, "command line: " + text)


class Ends(Load):
    def test_a_failing_operation_ends_the_load(self):
        outcome = self.run_iorx(["load", "--file-size=4m", "--duration=600",
                                 "--fault.operation=transfer", "--fault.after=100"], 2)
        self.assert_exit(outcome, 1)
        self.assertLess(outcome.seconds, 300)
        self.assertTrue(any("fault" in text for text in outcome.messages()), outcome)

    def test_a_deadline_ends_the_load_with_its_numbers(self):
        outcome = self.run_iorx(["load", "--file-size=4m", "--duration=600", "--rate=100",
                                 "--deadline=+8s"])
        self.assert_exit(outcome, 0)
        self.assertLess(outcome.seconds, 300)

    def test_what_cannot_be_done_is_refused_before_anything_is_touched(self):
        for arguments, text in (
                (["--api=mpiio"], "api: mpiio cannot serve a load"),
                (["--file-size=5000"], "file_size: "),
                (["--operations=reed:1"], "operations: "),
                (["--sizes=3k/a"], "sizes: "),
                (["--distribution=zipf:-1"], "distribution: ")):
            with self.subTest(arguments=arguments):
                if "mpiio" in arguments[0] and not is_built_in("mpiio"):
                    continue
                outcome = self.run_iorx(["load", "--file-size=4m", *arguments])
                self.assert_exit(outcome, 2)
                self.assertIn(text, outcome.err)
                self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
