"""Random orders and random readers: what the real calls of each task do, and what is said of them."""

import collections
import os
import unittest

import tracing
from program import NO_GRACE, Case, is_built_in


class Said(Case):
    def test_the_plan_names_order_and_seed(self):
        outcome = self.run_iorx(["-a", "null", "-z", "-Z", "--random-offset-seed=7", "-X", "-2",
                                 "-i", "2", "-b", "64k", "-t", "4k"], 4)
        self.assert_exit(outcome, 0)
        plan = outcome.document["tests"][0]["plan"]
        self.assertEqual((plan["order"], plan["readers"]["order"]), ("random", "by node"))
        text = " ".join(outcome.out.split())
        self.assertIn("in random order, seed 7", text)
        for name in "write", "read":
            self.assertEqual(outcome.phase(name)["data"]["bytes"], 4 * 65536)

    def test_what_has_no_order_is_refused(self):
        for arguments, text in ((["-z", "--strided"], "random_offset: strided moves all segments"),
                                (["-C", "-Z"], "reorder_tasks_random: reorder_tasks (-C) shifts")):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(["-a", "null", *arguments])
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, text)

    def test_orders_go_through_the_queue(self):
        outcome = self.run_iorx(["-a", "null", "-z", "--queue-depth=4", "-b", "1m", "-t", "4k"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.phase("write")["data"]["transfers"], 512)


class Prefill(Case):
    """Of each task's 16 transfers of 4 KiB 12 are left to what stood there before."""

    cut = ["-z", "-k", "-b", "64k", "-t", "4k", "--randomPrefill=64k",
           "-O", "stoneWallingWearOutIterations=4"]
    whole = ["-R", "-b", "64k", "-t", "4k"]

    def test_what_was_not_written_is_filled(self):
        for options in ([], ["-F"], ["-l", "zeros", "-G", "7"], ["-l", "t", "-G", "7"],
                        ["-a", "mmap"], ["-a", "mpiio", "-c"], ["-a", "uring", "--queue-depth=4"]):
            if "-a" in options and not is_built_in(options[1]):
                continue
            with self.subTest(options=options):
                outcome = self.run_iorx(["-w", "-W", *self.cut, *options], 2)
                self.assert_exit(outcome, 0)
                self.assertEqual(outcome.phase("write")["data"]["bytes"], 2 * 4 * 4096)
                self.assertEqual(sum(os.path.getsize(os.path.join(self.folder, name))
                                     for name in os.listdir(self.folder)), 2 * 65536)
                outcome = self.run_iorx([*self.whole, *options], 2)
                self.assert_exit(outcome, 1)
                found = outcome.phase("read")["verification"]
                self.assertEqual(found["wrong_transfers"], 2 * 12)
                if "-l" not in options:
                    self.assertEqual({piece["meaning"] for piece in found["ranges"]},
                                     {"random_prefill: never written"})
                for name in os.listdir(self.folder):
                    os.unlink(os.path.join(self.folder, name))

    def test_what_is_written_replaces_it_in_each_repetition(self):
        outcome = self.run_iorx(["-z", "-w", "-W", "-R", "-i", "2", "-b", "1m", "-t", "4k", "-s", "2",
                                 "--randomPrefill=12k"], 3)
        self.assert_exit(outcome, 0)
        self.assertEqual([phase[2] for phase in outcome.phases()], ["complete"] * 6)

    def test_what_cannot_be_filled_is_refused(self):
        for arguments, text in ((["--random-prefill=6k", "-t", "4k", "-b", "8k"],
                                 "random_prefill: 6KiB is no multiple of transfer_size 4KiB"),
                                (["-a", "null", "--random-prefill=1m"],
                                 "random_prefill: null keeps no data")):
            outcome = self.run_iorx(arguments)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, text)

    def test_a_failure_in_it_is_told(self):
        outcome = self.run_iorx(["-w", "-z", "--random-prefill=256k", "--fault.operation=write",
                                 "--fault.tasks=1", "--fault.error=ENOSPC"], 3)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "prefill", "No space left on device")
        self.assertEqual(os.listdir(self.folder), [])


@unittest.skipIf(tracing.why_not(), tracing.why_not())
class Calls(Case):
    runs = 0

    def traced(self, arguments, tasks):
        """What each task wrote and read: two lists of lists of (path, offset)."""
        self.runs += 1
        tracer = tracing.Trace(os.path.join(self.results, f"trace{self.runs}"))
        outcome = self.run_iorx(["-o", os.path.join(self.folder, "data"), *arguments], tasks,
                                wrapper=tracer.wrapper)
        self.assert_exit(outcome, 0)
        self.outcome = outcome
        written, read = [], []
        for files in tracer.tasks(self.folder):
            for file in files:
                if file.moves:
                    place = [(file.path, move.offset) for move in file.moves]
                    (written if "O_RDWR" in file.flags else read).append(place)
        return written, read

    def assert_each_once(self, tasks, size):
        count = collections.Counter(place for places in tasks for place in places)
        self.assertEqual(set(count.values()), {1})
        files = {path for path, _ in count}
        self.assertEqual(sorted(offset for _, offset in count),
                         sorted(list(range(0, size, 4096)) * len(files)))

    def test_all_tasks_move_a_shared_file_once(self):
        written, read = self.traced(["-z", "-Y", "-b", "32k", "-t", "4k", "-s", "3"], 3)
        for tasks in written, read:
            self.assertEqual([len(places) for places in tasks], [24] * 3)
            self.assert_each_once(tasks, 3 * 3 * 32768)
            for places in tasks:
                self.assertNotEqual(places, sorted(places))
        self.assertEqual(sorted(written), sorted(read))

    def test_each_task_moves_its_own_file_once(self):
        written, read = self.traced(["-z", "-F", "-b", "64k", "-t", "4k", "-s", "2"], 3)
        self.assert_each_once(written, 2 * 65536)
        self.assertEqual(sorted(written), sorted(read))
        orders = {tuple(offset for _, offset in places) for places in written}
        self.assertEqual(len(orders), 3)

    def test_seeds_decide(self):
        arguments = ["-z", "-w", "-k", "-b", "64k", "-t", "4k"]
        first, _ = self.traced([*arguments, "--random-offset-seed=1"], 1)
        again, _ = self.traced([*arguments, "--random-offset-seed=1"], 1)
        other, _ = self.traced([*arguments, "--random-offset-seed=2"], 1)
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_reads_with_repeats_come_from_the_whole_file(self):
        self.traced(["-w", "-k", "-b", "256k", "-t", "4k"], 2)
        _, read = self.traced(["-r", "-zz", "-b", "256k", "-t", "4k"], 2)
        self.assertEqual([len(places) for places in read], [64, 64])
        for places in read:
            offsets = {offset for _, offset in places}
            self.assertLess(len(offsets), 64)
            self.assertLess(min(offsets), 262144)
            self.assertGreaterEqual(max(offsets), 262144)

    def test_reads_with_repeats_come_from_what_the_files_have(self):
        """IO500's ior-rnd4K-easy-read: sizes far above what a stonewall let the writers write, and a status file."""
        status = os.path.join(self.results, "status")
        with open(status, "w", encoding="utf-8") as file:
            file.write("64\n")
        nominal = ["-b", "1g", "-s", "10000000", "-O", "stoneWallingStatusFile=" + status]
        for layout, drawn, files in ([], 128, 1), (["-F", "-C"], 64, 2):
            self.traced(["-w", "-k", "-G", "27", "-b", "256k", "-t", "64k", *layout], 2)
            for sizes in nominal, ["-b", "64k", "-s", "2"], ["-b", "64k"]:
                with self.subTest(layout=layout, sizes=sizes):
                    _, read = self.traced(["-r", "-R", "-zz", "-G", "27", "-t", "4k", *layout, *sizes], 2)
                    places = [place for task in read for place in task]
                    self.assertEqual(len({path for path, _ in places}), files)
                    self.assertLess(max(offset for _, offset in places), drawn * 4096)
                    self.assertGreater(max(offset for _, offset in places), drawn * 4096 // 2)
                    data = self.outcome.phase("read")["data"]
                    self.assertEqual(data["drawn_from_transfers"], drawn)
                    self.assertEqual(data["transfers"], {"64k": 32, "2": 64}.get(sizes[-1], 128))
                    self.assertIn(f"drawn from {drawn} transfers of 4 KiB", " ".join(self.outcome.out.split()))
        # those of all repetitions count
        self.traced(["-w", "-k", "-m", "-i", "2", "-b", "256k"], 1)
        os.truncate(os.path.join(self.folder, "data.1"), 65536)
        self.traced(["-r", "-m", "-i", "2", "-zz", "-b", "256k", "-t", "4k"], 1)
        self.assertEqual(self.outcome.phase("read", 0)["data"]["drawn_from_transfers"], 16)
        self.assertIn("as the shortest file has 64 KiB", " ".join(self.outcome.out.split()))
        outcome = self.run_iorx(["-o", os.path.join(self.folder, "data"), "-r", "-zz", "-t", "1m"], 2)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "has 524288 bytes, less than one transfer of 1 MiB")

    def test_a_hang_names_the_next_place_of_a_read_that_its_file_cuts(self):
        self.traced(["-w", "-k", "-b", "64k", "-t", "4k"], 1)
        cut = ["-r", "-k", "-z", "-t", "4k", "-b", "1g", "-O", "stoneWallingStatusFile=missing"]
        _, (places,) = self.traced(cut, 1)
        outcome = self.run_iorx(["-o", os.path.join(self.folder, "data"), *cut, "--hang-after=1", "--fault.kind=stall",
                                 "--fault.stall=100", "--fault.operation=read", "--fault.after=3"], 1, environment=NO_GRACE)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, f"3 of 16 transfers done, next at offset {places[3][1]}; since")

    def test_writes_with_repeats_are_read_as_they_were_written(self):
        for options in ([], ["-F", "-C"], ["-O", "stoneWallingWearOutIterations=20", "-C"]):
            with self.subTest(options=options):
                written, read = self.traced(["-w", "-r", "-R", "-W", "-zz", "-b", "256k", "-t", "4k",
                                             *options], 2)
                self.assertEqual(sorted(read), sorted(written * 2))
                for places in written:
                    self.assertLess(len(set(places)), len(places))

    def test_random_readers_are_a_permutation(self):
        written, read = self.traced(["-ZZ", "-X", "5", "-F", "-b", "8k", "-t", "4k"], 5)
        self.assertEqual(sorted(written), sorted(read))

    def test_a_seed_below_zero_changes_with_the_repetition(self):
        for seed, others in (("-4", True), ("4", False)):
            with self.subTest(seed=seed):
                tracer = tracing.Trace(os.path.join(self.results, "trace" + seed))
                outcome = self.run_iorx(["-o", os.path.join(self.folder, "data"), "-ZZ", "-X", seed,
                                         "-F", "-i", "4", "-b", "4k", "-t", "4k"], 5,
                                        wrapper=tracer.wrapper)
                self.assert_exit(outcome, 0)
                sources = [tuple(file.path for file in files
                                 if file.moves and "O_RDWR" not in file.flags)
                           for files in tracer.tasks(self.folder)]
                self.assertEqual([len(names) for names in sources], [4] * 5)
                self.assertEqual(any(len(set(names)) > 1 for names in sources), others)


if __name__ == "__main__":
    unittest.main()
