"""Phases that end by the clock: stonewall, wear-out, status file, durations, and what is read later."""

import os
import unittest

import tracing
from program import Case, is_built_in, needs_backend, read

SLOW = ["--fault.operation=transfer", "--fault.kind=stall", "--fault.stall=4ms", "--fault.count=0",
        "--fault.tasks=0"]
LARGE = ["-b", "1g", "-t", "64k", "-s", "100000"]  # far more than the disk has


class Timed(Case):
    def run_timed(self, arguments, tasks=3, code=0, **more):
        outcome = self.run_iorx(["-o", os.path.join(self.folder, "data"), *arguments], tasks, **more)
        self.assert_exit(outcome, code)
        return outcome

    def file(self, name):
        return os.path.join(self.folder, name)


class Stonewall(Timed):
    def assert_walled_at(self, wall, limit_s):
        """The time runs from the first issue, which comes after the limit has begun, so it may be a little shorter."""
        self.assertEqual(wall["limit_s"], limit_s)
        self.assertGreater(wall["stonewalled_tasks"], 0)
        self.assertGreater(wall["time_s"], limit_s / 2)

    def test_each_task_stops_by_its_own_clock(self):
        for tasks in 1, 2, 3, 5:
            with self.subTest(tasks=tasks):
                outcome = self.run_timed([*LARGE, "-F", "-D", "0.3", "-C", *SLOW], tasks)
                phase = outcome.phase("write")
                wall = phase["stonewall"]
                self.assertEqual(phase["status"], "complete")
                self.assert_walled_at(wall, 0.3)
                # the slow one comes to 300 / 4 at most
                self.assertLessEqual(wall["least_transfers"], 76)
                if tasks > 1:
                    self.assertGreater(wall["most_transfers"], wall["least_transfers"])
                self.assertEqual(wall["bytes"], phase["data"]["bytes"])
                self.assertEqual(wall["bytes"], 65536 * phase["data"]["transfers"])
                self.assertAlmostEqual(wall["bytes_per_s"], wall["bytes"] / wall["time_s"], delta=1)
                # Nobody reads more than its writer wrote: who reads the slow one's is done at once.
                self.assertLessEqual(outcome.phase("read")["data"]["least_task_transfers"],
                                     outcome.phase("write")["data"]["least_task_transfers"])
                self.assertEqual(os.listdir(self.folder), [])

    def test_a_shared_file_is_read_as_far_as_each_wrote(self):
        for more in [], ["-z"], ["-Z"], ["-ZZ", "-z"]:
            with self.subTest(arguments=more):
                outcome = self.run_timed(["-b", "2m", "-t", "64k", "-s", "10000", "-D", "0.3",
                                          *(more or ["-C"]), *SLOW])
                written, got = (outcome.phase(name)["data"] for name in ("write", "read"))
                self.assertLess(written["least_task_transfers"], written["most_task_transfers"])
                self.assertEqual(got["expected_bytes"], written["bytes"])

    def test_wear_out_brings_all_to_the_count_of_the_fastest(self):
        outcome = self.run_timed(["-b", "64k", "-t", "64k", "-s", "100000", "-F", "-k", "-w", "-D",
                                  "0.2", "-O", "stoneWallingWearOut=1,stoneWallingStatusFile=st",
                                  "--inter-io-delay=1000", *SLOW])
        phase = outcome.phase("write")
        wall, data = phase["stonewall"], phase["data"]
        self.assertLess(wall["least_transfers"], wall["most_transfers"])
        self.assertEqual(data["least_task_transfers"], wall["most_transfers"])
        self.assertEqual(data["most_task_transfers"], wall["most_transfers"])
        self.assertEqual(wall["tasks_short_of_wear_out"], 0)
        self.assertLess(wall["bytes"], data["bytes"])
        sizes = {os.path.getsize(self.file(f"data.{task:08}")) for task in range(3)}
        self.assertEqual(sizes, {65536 * wall["most_transfers"]})
        self.assertEqual(read(self.file("st")), f"{wall['most_transfers']}\n")
        self.assertIn("with wear-out, as above", " ".join(outcome.out.split()))

    def test_wear_out_ends_at_its_limit(self):
        outcome = self.run_timed([*LARGE, "-F", "-k", "-w", "-D", "0.2", "-O",
                                  "stoneWallingWearOut=1,wearOutLimit=0.2,stoneWallingStatusFile=st",
                                  *SLOW])
        phase = outcome.phase("write")
        # Task 0 is slow by its stalls. Another task may be short too, where the machine is busy.
        self.assertIn(phase["stonewall"]["tasks_short_of_wear_out"], (1, 2))
        self.assertLess(phase["data"]["least_task_transfers"],
                        phase["data"]["most_task_transfers"])
        # what can be read of every task
        self.assertEqual(int(read(self.file("st"))), phase["data"]["least_task_transfers"])
        self.assertLess(phase["intervals"]["total_s"], 5)

    def test_a_later_run_reads_what_the_status_file_says(self):
        lines = ["-C", "-Q", "1", "-g", "-k", "-e", "-t", "2m", "-b", "9920000m", "-F", "-O",
                 "stoneWallingStatusFile=st,stoneWallingWearOut=1"]
        written = self.run_timed([*lines, "-w", "-D", "0.3"])
        self.assertIn("free: a phase fails if the file system is full",
                      written.messages("note")[0])
        got = self.run_timed([*lines, "-r"])
        count = int(read(self.file("st")))
        self.assertEqual(written.phase("write")["data"]["transfers"], 3 * count)
        self.assertEqual(got.phase("read")["data"]["transfers"], 3 * count)
        self.assertIsNone(got.phase("read")["stonewall"])

    def test_small_odd_transfers_into_a_shared_file(self):
        lines = ["-t", "47008", "-b", "47008", "-s", "1000000", "-k", "-O",
                 "stoneWallingStatusFile=st,stoneWallingWearOut=1"]
        written = self.run_timed([*lines, "-w", "-D", "0.3"], 2)
        count = int(read(self.file("st")))
        self.assertEqual(written.phase("write")["data"]["bytes"], 2 * count * 47008)
        self.assertEqual(os.path.getsize(self.file("data")), 2 * count * 47008)
        got = self.run_timed([*lines, "-r"], 2)
        self.assertEqual(got.phase("read")["data"]["bytes"], 2 * count * 47008)

    def test_a_file_that_is_too_short_for_the_status_file_is_refused(self):
        self.run_timed(["-b", "1m", "-F", "-k", "-w"], 1)
        for content, text in ("9\n", "the test reads 2359296"), ("x", "does not hold a number"):
            with open(self.file("st"), "w", encoding="utf-8") as file:
                file.write(content)
            outcome = self.run_timed(["-b", "4m", "-F", "-r", "-O", "stoneWallingStatusFile=st"], 1, 2)
            self.assert_one_error(outcome, text)

    def test_a_read_without_its_status_file_moves_what_the_files_hold(self):
        """IO500's ior-rnd4K-easy-read, whose sizes are far above what a stonewall let the writers write."""
        large = ["-k", "-t", "4k", "-b", "1g", "-s", "10000000", "-O", "stoneWallingStatusFile=st"]
        self.run_timed(["-b", "24k", "-t", "8k", "-F", "-k", "-w", "-G", "27"], 2)
        self.run_timed(["-b", "8k", "-s", "3", "-t", "4k", "-k", "-w"], 2)
        for more, each in ((["-F", "-C", "-R", "-G", "27"], [6, 6]), (["-F", "-C", "-R", "-G", "27", "-z"], [6, 6]),
                           (["-F", "-b", "16k", "-s", "1"], [4, 4]), ([], [0, 12]), (["-z"], [6, 6]),
                           (["-b", "8k"], [6, 6]), (["-b", "20k"], [5, 7]),
                           *([(["-a", "MPIIO", "-c", "-b", "20k"], [5, 5])] if is_built_in("mpiio") else [])):
            with self.subTest(more=more):
                outcome = self.run_timed([*large, *more, "-r"], 2)
                data = outcome.phase("read")["data"]
                self.assertEqual([data["least_task_transfers"], data["most_task_transfers"]], each)
                self.assertEqual(data["bytes"], sum(each) * 4096)
                self.assertEqual(data["taken_from_transfers"], max(each) if "-F" in more else 12)
                self.assertIn("status_file: there is no file st, so", outcome.messages("warning")[0])
        self.assertFalse(os.path.exists(self.file("st")))
        with open(self.file("data"), "w", encoding="utf-8") as file:
            file.truncate(4096)
        outcome = self.run_timed([*large, "-r", "-z"], 2, 2)
        self.assert_one_error(outcome, "has 4096 bytes, less than one transfer of 4 KiB for each task; write it first")

    def test_a_missing_status_file_is_refused_where_sizes_do_not_say_what_was_written(self):
        ways = [(["-a", "mpiio", "-c", "--strided"], "mpiio"), (["-a", "hdf5"], "hdf5"), (["-a", "pnetcdf"], "pnetcdf")]
        for way, backend in ways:
            if not is_built_in(backend):
                continue
            with self.subTest(way=way):
                self.run_timed([*way, "-w", "-k", "--replace", "-b", "16k", "-t", "4k"], 2)
                outcome = self.run_timed([*way, "-r", "-b", "16k", "-t", "4k", "-O", "stoneWallingStatusFile=st"], 2, 2)
                self.assert_one_error(outcome, "status_file: st cannot be read: ", "or leave it out")
                self.assertEqual(outcome.messages("warning"), [])

    def test_a_status_file_that_cannot_be_written_is_refused_before_anything_is_written(self):
        for path in "nope/st", ".":
            outcome = self.run_timed(["-b", "1m", "-k", "-w", "-O", "stoneWallingStatusFile=" + path], 1, 2)
            self.assert_one_error(outcome, f"status_file: {path} cannot be written: ", "name a file")
            self.assertFalse(os.path.exists(self.file("data")))

    @needs_backend("mpiio")
    def test_all_tasks_of_collective_calls_stop_alike(self):
        for tasks in 2, 3:
            outcome = self.run_timed(["-a", "mpiio", "-c", "-b", "2m", "-t", "64k", "-s", "10000",
                                      "-D", "0.3", "-C", *SLOW], tasks)
            self.assert_walled_at(outcome.phase("write")["stonewall"], 0.3)
            for name in "write", "read":  # reading may be done before
                data = outcome.phase(name)["data"]
                self.assertEqual(data["least_task_transfers"], data["most_task_transfers"])

    def test_a_phase_that_is_done_before_has_no_stonewall(self):
        outcome = self.run_timed(["-b", "1m", "-D", "60", "-O", "stoneWallingWearOut=1"])
        for name in "write", "read":
            self.assertIsNone(outcome.phase(name)["stonewall"])
            self.assertEqual(outcome.phase(name)["data"]["bytes"], 3 << 20)

    def test_a_task_that_fails_before_the_wear_out_keeps_nobody_waiting(self):
        outcome = self.run_timed([*LARGE, "-F", "-w", "-D", "0.5", "-O", "stoneWallingWearOut=1",
                                  "--fault.operation=write", "--fault.tasks=1", "--fault.after=3"],
                                 code=1)
        self.assertEqual(outcome.phase("write")["status"], "failed")

    @needs_backend("uring")
    def test_a_queue_is_drained(self):
        outcome = self.run_timed(["-a", "uring", "--queue-depth=8", "-b", "1g", "-t", "64k", "-F", "-z",
                                  "-s", "1000", "-D", "0.2", "-C", "-O", "stoneWallingWearOut=1"], 2)
        data = outcome.phase("write")["data"]
        self.assertEqual(data["least_task_transfers"], data["most_task_transfers"])
        self.assertEqual(outcome.phase("read")["data"]["expected_bytes"], data["bytes"])

    def test_iterations_are_the_most_that_a_task_moves(self):
        outcome = self.run_timed(["-b", "4m", "-t", "64k", "-O", "stoneWallingWearOutIterations=5"])
        for name in "write", "read":
            self.assertEqual(outcome.phase(name)["data"]["transfers"], 15)


@unittest.skipIf(tracing.why_not(), tracing.why_not())
class Offsets(Timed):
    def test_readers_stay_within_what_was_written(self):
        tracer = tracing.Trace(os.path.join(self.results, "trace"))
        self.run_timed(["-b", "256k", "-t", "64k", "-s", "10000", "-D", "0.2", "-C",
                        "--inter-io-delay=1000", *SLOW], wrapper=tracer.wrapper)
        written, got = set(), set()
        for files in tracer.tasks(self.folder):
            for file in files:
                (written if "O_RDWR" in file.flags else got).update(file.offsets)
        self.assertTrue(got)
        self.assertLessEqual(got, written)

    def test_wrapped_writes_visit_the_same_places_again(self):
        tracer = tracing.Trace(os.path.join(self.results, "trace"))
        self.run_timed(["-w", "-F", "-b", "256k", "-t", "64k", "-s", "2", "-O", "duration=0.3"], 1,
                       wrapper=tracer.wrapper)
        offsets = [file.offsets for files in tracer.tasks(self.folder) for file in files][0]
        self.assertGreater(len(offsets), 16)
        self.assertEqual(offsets, [65536 * (i % 8) for i in range(len(offsets))])


class Durations(Timed):
    def test_no_task_idles(self):
        for more in [], ["-z"], ["-F", "-C"]:
            with self.subTest(arguments=more):
                outcome = self.run_timed(["-b", "1m", "-t", "64k", "-O", "duration=0.3", *more, *SLOW])
                for name in "write", "read":
                    phase = outcome.phase(name)
                    self.assertGreaterEqual(phase["intervals"]["total_s"], 0.3)
                    self.assertEqual(phase["stonewall"]["stonewalled_tasks"], 3)
                    self.assertGreater(phase["data"]["most_task_transfers"], 16)

    def test_data_of_a_wrapped_write_is_that_of_one_pass(self):
        self.run_timed(["-b", "1m", "-t", "64k", "-w", "-k", "-O", "duration=0.3"], 2)
        self.assertEqual(os.path.getsize(self.file("data")), 2 << 20)
        outcome = self.run_timed(["-b", "1m", "-t", "64k", "-r"], 2)
        self.assertEqual(outcome.phase("read")["data"]["bytes"], 2 << 20)

    def test_each_byte_of_a_wrapped_write_is_right(self):
        once = ["-b", "1m", "-t", "64k", "-w", "-k", "-G", "5"]
        for more in [], ["-z"], ["--content=random"], ["-l", "t"]:
            with self.subTest(arguments=more):
                outcome = self.run_timed([*once, *more, "--replace", "-W", "-r", "-R", "-O", "duration=0.2"], 2)
                for name in "verify", "read":
                    self.assertEqual(outcome.phase(name)["verification"]["wrong_bytes"], 0)
                self.assertGreater(outcome.phase("write")["data"]["transfers"], 64)
                wrapped = read(self.file("data"), "rb")
                self.run_timed([*once, *more, "--replace"], 2)
                self.assertEqual(read(self.file("data"), "rb") == wrapped, True)

    def test_a_least_time_moves_all_and_more(self):
        for api in ["posix"], ["mpiio", "-c"], ["uring", "--queue-depth=4"]:
            if not is_built_in(api[0]):
                continue
            with self.subTest(api=api):
                outcome = self.run_timed(["-a", *api, "-b", "1m", "-t", "64k", "-O",
                                          "minTimeDuration=0.3"], 2)
                for name in "write", "read":
                    phase = outcome.phase(name)
                    self.assertGreaterEqual(phase["intervals"]["total_s"], 0.3)
                    self.assertGreater(phase["data"]["least_task_transfers"], 16)

    def test_no_phase_is_started_after_the_longest_time(self):
        outcome = self.run_timed(["-b", "1m", "-i", "5", "-d", "0.4", "-T", "0.6s"], 2)
        phases = outcome.phases()
        self.assertEqual(phases[-1][2], "skipped")
        self.assertLess(len(phases), 10)
        self.assertIn("max_time_duration (-T)", outcome.document["tests"][0]["phases"][-1]["stop"])
        self.assertEqual(outcome.document["status"], "complete")
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_pause_lies_between_transfers_and_in_no_service_time(self):
        outcome = self.run_timed(["-b", "640k", "-t", "64k", "-w", "--inter-io-delay=20000"], 1)
        phase = outcome.phase("write")
        self.assertGreaterEqual(phase["intervals"]["transfer_s"], 9 * 0.02)
        self.assertLess(phase["operations"]["write"]["sum_ns"], 9 * 0.02 * 1e9)


class Attempts(Timed):
    def test_a_short_transfer_fails_with_x_and_goes_on_without(self):
        short = ["-w", "-b", "1m", "-t", "64k", "--fault.operation=write", "--fault.kind=short"]
        self.assertEqual(self.run_timed(short, 1).phase("write")["data"]["short_transfers"], 1)
        outcome = self.run_timed([*short, "-x"], 1, 1)
        self.assertIn("single_xfer_attempt (-x)", outcome.phase("write")["failure"]["text"])


class Refused(Timed):
    def test_contradictions_are_refused(self):
        for arguments, text in (
                (["-w", "-O", "stoneWallingWearOut=1"], "there is no stonewall"),
                (["-O", "duration=3", "-D", "3"], "duration: stonewall (-D) also sets"),
                (["-O", "duration=3,minTimeDuration=3"], "duration: min_time_duration also sets"),
                (["-a", "null", "--queue-depth=2", "--inter-io-delay=5"], "transfers overlap")):
            with self.subTest(arguments=arguments):
                self.assert_one_error(self.run_timed(arguments, 1, 2), text)


if __name__ == "__main__":
    unittest.main()
