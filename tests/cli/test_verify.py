"""Verification: damage of every kind is planted in real files, found, and said for what it is."""

import os
import random
import re
import unittest

from program import Case, needs_backend, read

SECTOR, PAGE = 512, 4096


class Verify(Case):
    BASE = ["-b", "128k", "-t", "16k", "-s", "2"]
    SIZE = 3 * 2 * 128 * 1024  # of three tasks

    def path(self, name="test"):
        return os.path.join(self.folder, name)

    def write(self, *arguments, tasks=3, base=None):
        outcome = self.run_iorx(["-o", "test", "-w", "-k", *(base or self.BASE), *arguments], tasks)
        self.assert_exit(outcome, 0)
        return outcome

    def check(self, *arguments, tasks=3, base=None):
        return self.run_iorx(["-o", "test", "-r", "-R", *(base or self.BASE), *arguments], tasks)

    def patch(self, offset, content, name="test"):
        with open(self.path(name), "r+b") as file:
            file.seek(offset)
            file.write(content)

    def bytes(self, offset, length, name="test"):
        with open(self.path(name), "rb") as file:
            file.seek(offset)
            return file.read(length)

    def flip(self, offset, bit=3, name="test"):
        self.patch(offset, bytes([self.bytes(offset, 1, name)[0] ^ 1 << bit]), name)

    def assert_good(self, outcome, phase="read", repetition=0):
        self.assert_exit(outcome, 0)
        found = outcome.phase(phase, repetition)["verification"]
        self.assertEqual((found["wrong_transfers"], found["wrong_bytes"], found["ranges"]),
                         (0, 0, []))
        return found

    def assert_wrong(self, outcome, phase="read", repetition=0):
        """Exit code, message, and that everything ran; the verification."""
        self.assert_exit(outcome, 1)
        phases = outcome.phases()
        self.assertEqual({status for _, _, status in phases}, {"complete"})
        self.assertEqual(outcome.document["status"], "failed")
        found = outcome.phase(phase, repetition)["verification"]
        self.assertGreater(found["wrong_bytes"], 0)
        self.assertEqual(sum(found["kinds"].values()), found["wrong_ranges"])
        messages = [text for text in outcome.messages() if text.startswith(f"{phase} phase")]
        self.assertEqual(len(messages), len({r for p, r, _ in phases if p == phase
                                             and outcome.phase(p, r)["verification"]["wrong_bytes"]}))
        self.assertIn("wrong data", messages[0])
        for line in outcome.out.splitlines():
            self.assertLessEqual(len(line), 80, line)
        return found

    def one_range(self, outcome, **more):
        found = self.assert_wrong(outcome, **more)
        self.assertEqual(found["wrong_ranges"], 1, found)
        self.assertEqual(found["ranges"][0]["wrong_bytes"], found["wrong_bytes"])
        return found["ranges"][0]

    def assert_covers(self, damage, offset, length):
        """By chance a wrong byte can be right: the first and the last ones some bytes further in."""
        self.assertTrue(offset <= damage["offset_bytes"] < offset + 4, damage)
        end = damage["offset_bytes"] + damage["length_bytes"]
        self.assertTrue(offset + length - 4 < end <= offset + length, damage)
        self.assertGreater(damage["wrong_bytes"], length * 0.98)


class Damage(Verify):
    """One kind each, planted between a write job and a read job."""

    def test_nothing_is_found_where_nothing_is_wrong(self):
        self.write("-G", "77")
        found = self.assert_good(self.check())
        self.assertTrue(found["learned"])
        self.assertEqual((found["seed"], found["repetition"], found["transfers"]), (77, 0, 48))

    def test_a_bit(self):
        self.write()
        place = 300001
        before = self.bytes(place, 8)
        self.flip(place)
        outcome = self.check()
        damage = self.one_range(outcome)
        self.assertEqual((damage["kind"], damage["offset_bytes"], damage["length_bytes"],
                          damage["wrong_bytes"]), ("bits", place, 1, 1))
        self.assertEqual((damage["expected"], damage["found"]),
                         (f"{before[0]:02x}", f"{before[0] ^ 8:02x}"))
        self.assertEqual((damage["file"], damage["path"], damage["read_by_task"]), (0, "test", 2))
        text = " ".join(outcome.out.split())
        self.assertIn("WRONG DATA: 1 of 48 transfers, 1 bytes in 1 range", text)
        self.assertIn(f"test: offset 0x{place:x} ({place}), 1 bytes, read by task 2: 1 byte changed",
                      text)

    def test_swapped_blocks(self):
        self.write()
        a, b, length = 5 * PAGE, 131072 + 3 * PAGE, 2 * PAGE
        first, second = self.bytes(a, length), self.bytes(b, length)
        self.patch(a, second)
        self.patch(b, first)
        found = self.assert_wrong(self.check())
        self.assertEqual(found["kinds"], {"misplaced": 2})
        for damage, at, origin, task in zip(found["ranges"], (a, b), (b, a), (1, 0)):
            self.assert_covers(damage, at, length)
            origin += damage["offset_bytes"] - at  # its first byte can be right by chance
            self.assertEqual((damage["origin"]["offset_bytes"], damage["origin"]["task"]),
                             (origin, task))
            self.assertIn(f"belongs to offset 0x{origin:x} of file 0, task {task}",
                          damage["meaning"])

    def test_data_of_another_file(self):
        self.write("-F")
        self.patch(PAGE, self.bytes(2 * PAGE, PAGE, "test.00000002"), "test.00000001")
        damage = self.one_range(self.check("-F", "-C"))
        self.assertEqual((damage["file"], damage["path"], damage["read_by_task"]),
                         (1, "test.00000001", 0))
        origin = PAGE + damage["offset_bytes"]
        self.assertIn(f"belongs to offset 0x{origin:x} of file 2, task 2", damage["meaning"])

    def test_stale_sectors_at_the_start_of_a_small_file(self):
        """Six of a file's first eight sectors are of another run: the other ninety have a vote too."""
        small = ["-o", "test", "-b", "48k", "-t", "512", "-F"]
        self.assert_exit(self.run_iorx([*small, "-w", "-k", "-G", "5"], 1), 0)
        stale = self.bytes(0, 6 * SECTOR, "test.00000000")
        self.assert_exit(self.run_iorx([*small, "-w", "-k", "-G", "6"], 1), 0)
        self.patch(0, stale, "test.00000000")
        found = self.run_iorx([*small, "-R"], 1).phase("read")["verification"]
        self.assertEqual((found["seed"], found["wrong_transfers"], found["transfers"]), (6, 6, 96))

    def test_a_file_of_a_task_that_holds_nothing_of_ours(self):
        self.write("-F")
        length = os.path.getsize(os.path.join(self.folder, "test.00000000"))
        self.patch(0, bytes(length), "test.00000000")
        damage = self.one_range(self.check("-F"))
        self.assert_covers(damage, 0, length)
        self.assertEqual((damage["file"], damage["path"], damage["kind"]),
                         (0, "test.00000000", "zeros"))

    def test_a_stale_repetition(self):
        self.write("-i", "2", "-m")
        self.patch(7 * PAGE, self.bytes(7 * PAGE, PAGE, "test.0"), "test.1")
        outcome = self.check("-i", "2", "-m")
        damage = self.one_range(outcome, repetition=1)
        self.assert_covers(damage, 7 * PAGE, PAGE)
        self.assertEqual((damage["kind"], damage["meaning"]), ("stale", "repetition 0: stale"))
        for repetition in 0, 1:
            found = outcome.phase("read", repetition)["verification"]
            self.assertEqual((found["repetition"], found["learned"]), (repetition, True))

    def test_a_lost_write(self):
        self.write()
        self.patch(10 * 16384, bytes(16384))
        damage = self.one_range(self.check())
        self.assert_covers(damage, 10 * 16384, 16384)
        self.assertEqual((damage["kind"], damage["meaning"]), ("zeros", "zeros: never written"))

    def test_a_zeroed_page_over_two_transfers(self):
        self.write()
        self.patch(16384 * 3 - 2048, bytes(PAGE))
        outcome = self.check()
        damage = self.one_range(outcome)
        self.assert_covers(damage, 16384 * 3 - 2048, PAGE)
        self.assertEqual(damage["kind"], "zeros")
        self.assertEqual(outcome.phase("read")["verification"]["wrong_transfers"], 2)

    def test_a_truncated_file(self):
        self.write()
        end = self.SIZE - 20000
        os.truncate(self.path(), end)
        outcome = self.check()
        found = self.assert_wrong(outcome)
        self.assertEqual((found["wrong_bytes"], found["missing_bytes"], found["kinds"]),
                         (20000, 20000, {"not read": 1}))
        damage = found["ranges"][0]
        self.assertEqual((damage["offset_bytes"], damage["length_bytes"], damage["found"]),
                         (end, 20000, None))
        self.assertEqual(outcome.phase("read")["data"]["bytes"], end)
        self.assertIn("20000 of them behind the end", " ".join(outcome.out.split()))

    def test_data_shifted_by_a_sector(self):
        self.write()
        self.patch(6 * PAGE + SECTOR, self.bytes(6 * PAGE, 4 * PAGE))
        damage = self.one_range(self.check())
        self.assert_covers(damage, 6 * PAGE + SECTOR, 4 * PAGE)
        self.assertEqual((damage["kind"], abs(damage["origin"]["shift_bytes"])), ("shifted", SECTOR))
        self.assertRegex(damage["meaning"], r"shifted by -?512$")

    def test_data_of_another_run(self):
        self.write("-G", "5")
        other = self.bytes(9 * PAGE, PAGE)
        self.write("-G", "6")
        self.patch(9 * PAGE, other)
        damage = self.one_range(self.check())
        self.assert_covers(damage, 9 * PAGE, PAGE)
        self.assertEqual((damage["kind"], damage["origin"]["seed"]), ("other run", 5))

    def test_random_damage(self):
        self.write()
        self.patch(11 * PAGE, os.urandom(PAGE))
        damage = self.one_range(self.check())
        self.assert_covers(damage, 11 * PAGE, PAGE)
        self.assertEqual((damage["kind"], damage["origin"]), ("random", None))

    def test_the_first_sectors_do_not_decide_what_is_right(self):
        self.write("-i", "2", "-m")
        self.patch(0, self.bytes(0, 2 * PAGE, "test.0"), "test.1")
        damage = self.one_range(self.check("-i", "2", "-m"), repetition=1)
        self.assert_covers(damage, 0, 2 * PAGE)
        self.assertEqual(damage["kind"], "stale")


class Bounds(Verify):
    def test_lists_are_bounded_and_counts_are_not(self):
        self.write()
        places = sorted(random.Random(3).sample(range(0, self.SIZE // SECTOR, 3), 250))
        for place in places:
            self.flip(place * SECTOR + 77)
        outcome = self.check("-C")
        found = self.assert_wrong(outcome)
        self.assertEqual((found["wrong_bytes"], found["wrong_ranges"], found["kinds"]),
                         (250, 250, {"bits": 250}))
        self.assertEqual([damage["offset_bytes"] for damage in found["ranges"]],
                         [place * SECTOR + 77 for place in places[:100]])
        self.assertIn("and 245 more", outcome.out)
        self.assertEqual(len(re.findall(r"^ {10}- ", outcome.out, re.M)), 6)

    def test_every_flip_is_found_and_nothing_else(self):
        """The bar of make bench, smaller."""
        base, tasks = ["-b", "4m", "-t", "256k", "-s", "4"], 4
        self.write("-W", "-C", tasks=tasks, base=base)
        places = sorted(random.Random(4).sample(range(64 << 20), 50))
        for place in places:
            self.flip(place, place % 8)
        for arguments in ["-C"], ["-z", "-t", "64k"], ["-ZZ", "-t", "1m"]:
            found = self.assert_wrong(self.check(*arguments, tasks=tasks, base=base))
            self.assertEqual((found["wrong_bytes"], found["wrong_ranges"]), (50, 50))
            self.assertEqual([damage["offset_bytes"] for damage in found["ranges"]], places)

    def test_the_table_has_the_counts(self):
        self.write()
        self.flip(1000)
        table = os.path.join(self.results, "table.csv")
        self.run_iorx(["-o", "test", "-r", "-R", *self.BASE, "--output=" + table], 3, output=False)
        head, row = (line.split(",") for line in read(table).splitlines())
        cells = dict(zip(head, row))
        self.assertEqual((cells["wrong_transfers"], cells["wrong_bytes"]), ("1", "1"))


class Phase(Verify):
    """-W and -R within one run, and what is done with the files."""

    CORRUPT = ["--fault.operation=write", "--fault.kind=corrupt", "--fault.tasks=1",
               "--fault.after=3"]

    def run_both(self, *arguments, tasks=3, base=None):
        return self.run_iorx(["-o", "test", "-w", "-r", "-W", "-R", *(base or self.BASE), *arguments],
                             tasks)

    def test_phases_and_readers(self):
        outcome = self.run_both("-C", "-i", "2", tasks=4)
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.phases(), [(name, repetition, "complete") for repetition in (0, 1)
                                            for name in ("write", "verify", "read")])
        for phase in outcome.document["tests"][0]["phases"]:
            if phase["phase"] == "write":
                self.assertIsNone(phase["verification"])
                continue
            found = phase["verification"]
            self.assertEqual((found["transfers"], found["wrong_bytes"], found["learned"],
                              found["repetition"]), (64, 0, False, phase["repetition"]))
            self.assertGreater(phase["data"]["content_ns"], 0)
        plan = outcome.document["tests"][0]["plan"]
        self.assertEqual((plan["readers"]["shift_tasks"], plan["verifiers"]["shift_tasks"]), (1, 2))
        self.assertEqual([row["phase"] for row in outcome.document["tests"][0]["summaries"]],
                         ["write", "verify", "read"])
        self.assertFalse(os.path.exists(self.path()))

    def test_a_corrupt_write_is_found_twice_and_everything_runs(self):
        outcome = self.run_both(*self.CORRUPT, "-i", "2")
        for phase in "verify", "read":
            damage = self.one_range(outcome, phase=phase)
            self.assertEqual(damage["offset_bytes"], 128 * 1024 + 3 * 16384 + 8192)
            self.assertEqual(damage["kind"], "bits")
            self.assertEqual(outcome.phase(phase, 1)["verification"]["wrong_bytes"], 0)
        self.assertFalse(os.path.exists(self.path()))
        self.assertIn("keep them with -K", outcome.err)

    def test_files_that_are_wrong_are_kept(self):
        outcome = self.run_both("-K", "-F", *self.CORRUPT)
        self.assert_wrong(outcome, phase="verify")
        self.assertTrue(outcome.phase("read")["verification"]["files_stay"])
        self.assertIn("the file stays in test.00000001", outcome.err)
        for task in range(3):
            self.assertTrue(os.path.exists(self.path(f"test.{task:08}")))
        self.one_range(self.check("-F"))

    def test_files_that_are_right_are_not(self):
        self.assert_exit(self.run_both("-K"), 0)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_wrong_read_is_found_where_it_happens(self):
        outcome = self.run_both("--fault.operation=read", "--fault.kind=corrupt", "--fault.tasks=0",
                                "--fault.after=20")
        self.assertEqual(outcome.phase("verify")["verification"]["wrong_bytes"], 0)
        damage = self.one_range(outcome)
        self.assertEqual((damage["kind"], damage["read_by_task"]), ("bits", 0))

    def test_a_read_that_did_nothing_is_never_right(self):
        for base, count in (self.BASE, 16), (["-t", "100", "-b", "3000"], 30):
            with self.subTest(base=base):
                self.write(base=base)
                found = self.assert_wrong(self.check(
                    "-W", "--fault.operation=read", "--fault.kind=lose", "--fault.count=0",
                    "--fault.tasks=1", base=base))
                self.assertEqual((found["wrong_transfers"], set(found["kinds"])),
                                 (count, {"not read"}))

    def test_short_reads_are_compared_to_their_end(self):
        self.assert_exit(self.run_both("--fault.operation=read", "--fault.kind=short",
                                       "--fault.count=9"), 0)

    def test_nothing_to_compare_is_refused(self):
        for arguments, text in ((["-a", "null", "-W"], "check_write: null moves no data"),
                                (["-W", "-r", "-zz"], "check_write: with repeats (-zz)")):
            outcome = self.run_iorx([*arguments, *self.BASE])
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, text)


class Cut(Verify):
    """Where a phase ended by the clock, what was written is checked: all of it and no more."""

    SLOW = ["--fault.operation=write", "--fault.kind=stall", "--fault.stall=4ms", "--fault.count=0",
            "--fault.tasks=0"]
    LARGE = ["-b", "2m", "-t", "64k", "-s", "10000", "-D", "0.3", "-w", "-W"]
    PAUSED = [*LARGE, "--inter-io-delay=500"]

    def assert_checks_what_was_written(self, outcome):
        written = outcome.phase("write")["data"]
        self.assertLess(written["least_task_transfers"], written["most_task_transfers"])
        for phase in outcome.document["tests"][0]["phases"][1:]:
            self.assert_good(outcome, phase["phase"])
            if phase["phase"] == "verify":
                self.assertEqual(phase["data"]["bytes"], written["bytes"])
            else:  # a read may be cut too
                self.assertLessEqual(phase["data"]["bytes"], written["bytes"])

    def test_each_task_wrote_as_far_as_it_came(self):
        for more in [], ["-F", "-C"], ["-z"], ["-r", "-R", "-C"]:
            with self.subTest(arguments=more):
                self.assert_checks_what_was_written(self.run_iorx(
                    ["-o", "test", *self.PAUSED, *self.SLOW, *more], 3))

    def test_damage_before_the_cut_is_found(self):
        outcome = self.run_iorx(["-o", "test", *self.PAUSED, "-F", "--fault.operation=write",
                                 "--fault.kind=corrupt", "--fault.tasks=1", "--fault.after=3"], 2)
        self.assertEqual(self.assert_wrong(outcome, phase="verify")["wrong_transfers"], 1)

    def test_the_verification_itself_has_all_its_time(self):
        outcome = self.run_iorx(["-o", "test", *self.PAUSED, "--fault.operation=read",
                                 "--fault.kind=stall", "--fault.stall=10ms", "--fault.count=0"], 2)
        self.assert_good(outcome, "verify")
        phase = outcome.phase("verify")
        self.assertIsNone(phase["stonewall"])
        self.assertEqual(phase["data"]["bytes"], outcome.phase("write")["data"]["bytes"])

    def test_a_later_run_checks_what_the_status_file_says(self):
        status = ["-O", "stoneWallingStatusFile=status,stoneWallingWearOut=1"]
        written = self.run_iorx(["-o", "test", "-k", *self.PAUSED, *self.SLOW, *status], 2)
        self.assert_good(written, "verify")
        outcome = self.check("-C", "-O", "stoneWallingStatusFile=status", tasks=2,
                             base=self.LARGE[:6])
        self.assert_good(outcome)
        self.assertEqual(outcome.phase("read")["data"]["transfers"],
                         2 * int(read(self.path("status"))))


class Learning(Verify):
    def test_a_file_without_stamps_is_refused_before_anything_is_timed(self):
        with open(self.path(), "wb") as file:
            file.write(os.urandom(self.SIZE))
        for flag in "-R", "-W":
            outcome = self.run_iorx(["-o", "test", flag, *self.BASE], 3)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "test has no stamps, so the expected data is not known")
            self.assertFalse(outcome.has_document())

    def test_a_seed_that_is_given_must_be_that_of_the_data(self):
        self.write("-G", "27")
        self.assert_good(self.check("-G", "27"))
        outcome = self.check("-G", "28")
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "carries seed 27", "28")

    def test_the_seed_of_data_in_a_file_of_another_program_is_the_given_one(self):
        with open(self.path(), "wb") as file:
            file.write(os.urandom(self.SIZE))
        self.write("-E", "-G", "27")
        self.assert_good(self.check("-G", "27"))
        load = ["load", "-o", "test", "--file-scope=test", f"--file-size={self.SIZE}", "--layout=missing", "-R", "--operation-limit=20"]
        self.assert_exit(self.run_iorx([*load, "-G", "27"]), 0)
        for outcome in self.check("-G", "28"), self.run_iorx([*load, "-G", "28"]):
            self.assert_one_error(outcome, "carries seed 27 and 28 was given")

    def test_the_data_of_ior_says_its_seed_and_others_need_none(self):
        for kind in "t", "o", "zeros", "r":
            with self.subTest(kind=kind):
                self.write("-l", kind, "-G", "123456")
                found = self.assert_good(self.check("-l", kind, "-C"))
                self.assertEqual(found["learned"], kind != "zeros")
                if found["learned"]:
                    self.assertEqual(found["seed"], 123456)
                self.flip(400000)
                self.assertEqual(self.assert_wrong(self.check("-l", kind, "-C"))["wrong_bytes"], 1)
                os.remove(self.path())

    def test_what_an_earlier_test_of_the_job_wrote_is_learned(self):
        script = self.path("job.ior")
        with open(script, "w", encoding="ascii") as file:
            file.write("IOR START\ntestFile = test\nblockSize = 128k\ntransferSize = 16k\n"
                       "repetitions = 3\nwriteFile = 1\nkeepFile = 1\nRUN\nwriteFile = 0\n"
                       "checkWrite = 1\nrepetitions = 1\nRUN\nIOR STOP\n")
        outcome = self.run_iorx(["-f", script], 2)
        self.assert_exit(outcome, 0)
        found = outcome.phase("verify", test=1)["verification"]
        self.assertEqual((found["learned"], found["repetition"]), (True, 2))


class Anyone(Verify):
    """Any reader, any order, any transfer size, any number of tasks."""

    WAYS = ([], ["-C", "-Q", "2"], ["-z", "-C", "--random-offset-seed=9"], ["-Z", "-t", "4k"],
            ["-ZZ", "-X", "4", "-t", "64k"])

    def round(self, tasks, *layout, ways=WAYS, base=None):
        base = base or self.BASE
        name = "test.00000000" if "-F" in layout else "test"
        self.write("-W", *layout, tasks=tasks, base=base)
        size = os.path.getsize(self.path(name))
        places = sorted(random.Random(tasks).sample(range(size), 3))
        for place in places:
            self.flip(place, name=name)
        for way in ways:
            with self.subTest(tasks=tasks, layout=layout, way=way):
                found = self.assert_wrong(self.check(*layout, *way, tasks=tasks, base=base))
                self.assertEqual([damage["offset_bytes"] for damage in found["ranges"]], places)
                self.assertEqual(found["wrong_bytes"], 3)

    def test_one_task(self):
        self.round(1, ways=([], ["-z"]))

    def test_two_tasks(self):
        self.round(2, ways=(["-z", "-C"],))
        self.round(2, "-F", ways=(["-z"],))

    def test_three_tasks(self):
        self.round(3)
        self.round(3, "-F", ways=(["-z", "-ZZ"],))

    def test_five_tasks(self):
        self.round(5, ways=(["-z", "-ZZ"],))
        self.round(5, "-F", ways=(["-C", "-Q", "3"],))

    def test_transfers_that_are_no_sectors(self):
        for block, transfer in ("94016", "47008"), ("5000", "100"), ("4100", "4100"):
            self.round(2, base=["-b", block, "-t", transfer, "-s", "3"], ways=(["-C"],))

    def test_random_writes_are_what_anyone_reads(self):
        self.write("-z", "-W")
        self.assert_good(self.check())
        self.assert_good(self.check("-zz"))
        self.assert_good(self.check("-z", "-C", "-t", "32k"))

    def test_repeats_find_what_they_meet(self):
        self.write()
        for place in range(0, self.SIZE, 2048):
            self.flip(place)
        found = self.assert_wrong(self.check("-zz"))
        self.assertEqual((found["wrong_transfers"], found["wrong_bytes"]), (48, 48 * 8))


class Interface(Verify):
    """Every interface that is built in."""

    WAYS = {
        "posix": [[], ["--posix.direct"]], "mmap": [[]],
        "uring": [["--queue-depth=7"], ["--queue-depth=32", "-z", "--queue-batch=4"]],
        "libaio": [["--queue-depth=7"], ["--queue-depth=16", "-z"]],
        "mpiio": [[], ["-c"], ["-c", "-z"], ["--strided"]],
        "hdf5": [[], ["-c"]], "pnetcdf": [[], ["-c"]],
    }

    def round(self, api):
        for number, way in enumerate(self.WAYS[api]):
            for layout in ([], ["-F"]) if not number else ([],):
                with self.subTest(way=way, layout=layout):
                    arguments = ["-a", api, *way, *layout]
                    outcome = self.run_iorx(["-o", "test", "-w", "-k", "-W", "-r", "-R", "-C",
                                             *self.BASE, *arguments], 3)
                    self.assert_good(outcome, "verify")
                    self.assert_good(outcome)
                    name = "test.00000001" if layout else "test"
                    # Behind all headers, before anything that follows the data.
                    self.flip(os.path.getsize(self.path(name)) // 2, name=name)
                    damage = self.one_range(self.check("-C", *arguments))
                    self.assertEqual((damage["kind"], damage["length_bytes"], damage["path"]),
                                     ("bits", 1, name))

    @needs_backend("uring")
    def test_lost_reads_of_a_queue(self):
        self.write()
        outcome = self.check("-a", "uring", "--queue-depth=8", "--fault.operation=read",
                             "--fault.kind=lose", "--fault.after=5", "--fault.tasks=1")
        found = self.assert_wrong(outcome)
        self.assertEqual((found["wrong_transfers"], found["kinds"]), (1, {"not read": 1}))


def add_round(api):
    @needs_backend(api)
    def test(self):
        self.round(api)

    setattr(Interface, f"test_{api}", test)


for each in Interface.WAYS:
    add_round(each)


if __name__ == "__main__":
    unittest.main()
