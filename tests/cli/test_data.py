"""What lies in the files, which files there are, and which calls made them."""

import collections
import os
import time
import unittest
import zlib

import program
import stamps
import tracing
from program import Case

class DataCase(Case):
    def write(self, arguments, tasks=4):
        """Writes and keeps files; the Outcome."""
        outcome = self.run_iorx(["-w", "-k", *arguments], tasks)
        self.assert_exit(outcome, 0)
        return outcome

    def content(self, name="testFile"):
        return program.read(os.path.join(self.folder, name), "rb")

    def put(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def assert_filled(self, name, size, file=0, repetition=0):
        """The file has this size, and each stamp names its own place, file and repetition."""
        data = self.content(name)
        self.assertEqual(len(data), size, name)
        found = stamps.find(data)
        for stamp in found:
            self.assertIsNotNone(stamp, name)
            self.assertEqual((stamp.offset, stamp.file, stamp.repetition),
                             (stamp.at, file, repetition), name)
        self.assertEqual(len({stamp.seed for stamp in found}), 1)

    def assert_files(self, *names):
        there = [os.path.relpath(os.path.join(folder, name), self.folder)
                 for folder, _, files in os.walk(self.folder) for name in files]
        self.assertEqual(sorted(there), sorted(names))


class Content(DataCase):
    def test_shared_file_is_filled_by_all_tasks(self):
        outcome = self.write(["-b", "64k", "-t", "16k", "-s", "3"])
        self.assert_filled("testFile", 4 * 3 * 65536)
        self.assert_files("testFile")
        data = outcome.phase("write")["data"]
        self.assertEqual((data["bytes"], data["transfers"], data["short_transfers"]),
                         (4 * 3 * 65536, 4 * 3 * 4, 0))
        self.assertEqual((data["least_task_bytes"], data["most_task_bytes"]), (3 * 65536,) * 2)

    def test_each_task_fills_its_own_file(self):
        self.write(["-F", "-b", "32k", "-t", "8k", "-s", "2"], tasks=3)
        for task in range(3):
            self.assert_filled(f"testFile.{task:08}", 65536, file=task)
        self.assert_files(*(f"testFile.{task:08}" for task in range(3)))

    def test_each_task_has_a_directory(self):
        outcome = self.write(["-F", "-u", "-b", "8k", "-t", "4k"], tasks=3)
        for task in range(3):
            self.assert_filled(f"{task}/testFile.{task:08}", 8192, file=task)
        plan = outcome.document["tests"][0]["plan"]
        self.assertEqual((plan["files"], plan["directories"]), (3, 3))

    def test_each_repetition_has_a_file(self):
        self.write(["-m", "-i", "3", "-b", "8k", "-t", "4k"], tasks=2)
        for repetition in range(3):
            self.assert_filled(f"testFile.{repetition}", 16384, repetition=repetition)
        self.assert_files("testFile.0", "testFile.1", "testFile.2")

    def test_each_repetition_of_each_task_has_a_file(self):
        self.write(["-F", "-m", "-i", "2", "-b", "4k", "-t", "4k"], tasks=2)
        for task in range(2):
            for repetition in range(2):
                self.assert_filled(f"testFile.{task:08}.{repetition}", 4096, task, repetition)

    def test_transfers_of_any_size_fit_together(self):
        self.write(["-b", "141024", "-t", "47008", "-s", "2"], tasks=3)
        self.assert_filled("testFile", 3 * 2 * 141024)

    def test_tiny_transfers_leave_no_holes(self):
        self.write(["-b", "32", "-t", "16", "-s", "5"], tasks=3)
        data = self.content()
        self.assertEqual(len(data), 3 * 5 * 32)
        self.assertEqual(stamps.read(data).offset, 0)
        words = [data[at:at + 16] for at in range(0, len(data), 16)]
        self.assertEqual(len(set(words)), len(words))

    def test_the_last_of_the_repetitions_is_kept(self):
        outcome = self.write(["-i", "3", "-b", "8k", "-t", "4k"], tasks=2)
        self.assert_filled("testFile", 16384, repetition=2)
        self.assertEqual([outcome.phase("write", i)["files"]["recreated"] for i in range(3)],
                         [0, 1, 1])

    def test_no_piece_is_twice_and_nothing_compresses(self):
        self.write(["-b", "1m", "-t", "128k"], tasks=2)
        data = self.content()
        pieces = {data[at:at + 512] for at in range(0, len(data), 512)}
        self.assertEqual(len(pieces), len(data) // 512)
        for at in range(0, len(data), 131072):
            self.assertGreater(len(zlib.compress(data[at:at + 131072], 9)), 0.99 * 131072)

    def test_tasks_outside_the_test_write_nothing(self):
        outcome = self.write(["-F", "-N", "2", "-b", "4k", "-t", "4k"], tasks=4)
        self.assert_files("testFile.00000000", "testFile.00000001")
        self.assertEqual(outcome.phase("write")["tasks"]["measured"], 2)


class Files(DataCase):
    def test_nothing_is_left_behind(self):
        for options in ([], ["-F"], ["-F", "-u"], ["-m", "-i", "2"], ["-w"], ["-F", "-u", "-m"]):
            with self.subTest(options=options):
                self.assert_exit(self.run_iorx(["-b", "4k", "-t", "4k", *options], 2), 0)
                self.assertEqual(os.listdir(self.folder), [])

    def test_directories_of_others_stay(self):
        os.mkdir(os.path.join(self.folder, "0"))
        self.put("0/note", b"mine")
        self.assert_exit(self.run_iorx(["-b", "4k", "-t", "4k", "-F", "-u"], 2), 0)
        self.assert_files("0/note")
        self.assertEqual(os.listdir(self.folder), ["0"])

    def test_new_files_can_be_written_by_the_group(self):
        before = os.umask(0o002)
        try:
            self.write(["-b", "4k", "-t", "4k"], tasks=1)
        finally:
            os.umask(before)
        self.assertEqual(os.stat(os.path.join(self.folder, "testFile")).st_mode & 0o777, 0o664)

    def test_reading_keeps_what_others_wrote(self):
        self.put("testFile", b"x" * 8192)
        outcome = self.run_iorx(["-r", "-b", "4k", "-t", "4k"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(self.content(), b"x" * 8192)
        self.assertEqual(outcome.phase("read")["data"]["bytes"], 8192)

    def test_reading_past_the_end_is_refused(self):
        self.put("testFile", b"x" * 8191)
        outcome = self.run_iorx(["-r", "-b", "4k", "-t", "4k"], 2)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "testFile has 8191 bytes and the test reads 8192")

    def test_empty_file_is_used_as_it_is(self):
        path = self.put("testFile", b"")
        os.link(path, path + ".same")
        outcome = self.write(["-b", "8k", "-t", "4k"], tasks=2)
        self.assertTrue(os.path.samefile(path, path + ".same"))
        self.assert_filled("testFile", 16384)
        self.assertEqual(outcome.phase("write")["files"]["used_empty"], 1)

    def test_file_of_an_earlier_run_is_made_anew(self):
        path = os.path.join(self.folder, "testFile")
        self.write(["-b", "64k", "-t", "4k"], tasks=2)
        os.link(path, path + ".old")
        outcome = self.write(["-b", "8k", "-t", "4k"], tasks=2)
        self.assertFalse(os.path.samefile(path, path + ".old"))
        self.assert_filled("testFile", 16384)
        self.assert_filled("testFile.old", 131072)
        files = outcome.phase("write")["files"]
        self.assertEqual((files["recreated"], files["fresh"]), (1, 0))

    def test_files_that_ior_left_are_made_anew(self):
        """The second test has another layout and other content."""
        for content in ["-l", "t"], ["-l", "o", "-G", "27"]:
            for layout in ["-b", "64k"], ["-b", "64k", "-F"], ["-b", "64k", "-t", "47008", "-b", "94016"]:
                with self.subTest(content=content, layout=layout):
                    name = ["-o", "test" + "".join([*content, *layout])]
                    self.write(["-t", "4k", *content, *layout, *name], tasks=2)
                    more = ["-F"] if "-F" in layout else []
                    outcome = self.write(["-t", "8k", "-b", "16k", "-i", "2", *more, *name], tasks=2)
                    files = [outcome.phase("write", i)["files"] for i in range(2)]
                    self.assertEqual([(each["recreated"], each["of_ior"]) for each in files],
                                     [(2, 2), (2, 0)] if more else [(1, 1), (1, 0)])

    def test_files_that_ior_left_through_libraries_are_made_anew(self):
        words = b"".join(number.to_bytes(8, "little") for number in range(1700000000, 1700000512))
        for data in (b"\x89HDF\r\n\x1a\n".ljust(700) + b"Dataset-0000.0000".ljust(9000),
                     b"CDF\x02" + b"data_var".rjust(60) + words):
            self.put("testFile", data)
            self.assertEqual(self.write(["-b", "4k", "-t", "4k"]).phase("write")["files"]["of_ior"], 1)

    def test_a_read_of_no_file_says_to_write_it(self):
        for arguments, remedy in (["-r"], "; write it first (-w -k)"), (["load", "--layout=none"], "; lay it out with layout=write"):
            outcome = self.run_iorx(arguments)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "cannot be read: ", "No such file or directory" + remedy)

    def test_a_prefill_does_not_make_the_file_of_another_program_one_of_iorx(self):
        with open(os.path.join(self.folder, "mine"), "wb") as file:
            file.write(b"mine" * (1 << 18))
        fault = ["--fault.operation=write", "--fault.error=EIO", "--fault.after=16"]
        self.run_iorx(["-o", "mine", "-w", "-k", "-E", "-z", "--content=zeros", "--random-prefill=64k", "-b", "1m", "-t", "64k", *fault])
        with open(os.path.join(self.folder, "mine"), "rb") as file:
            changed = file.read()
        self.assertNotEqual(changed[:4096], b"mine" * 1024)
        self.assertNotEqual(changed[:4096], bytes(4096))
        refused = self.run_iorx(["-o", "mine", "-w"])
        self.assert_exit(refused, 2)
        self.assert_one_error(refused, "mine exists and was not made by iorx or IOR")

    def test_a_librarys_file_that_iorx_did_not_make_stays_foreign_after_a_write_into_it(self):
        for api in filter(program.is_built_in, ("hdf5", "pnetcdf")):
            with self.subTest(api):
                words = ["-a", api, "-o", api, "-w", "-b", "64k", "-t", "64k"]
                self.assert_exit(self.run_iorx([*words, "-k", "--content=zeros"]), 0)
                self.assert_exit(self.run_iorx([*words, "-k", "-E"]), 0)
                refused = self.run_iorx(words)
                self.assert_exit(refused, 2)
                self.assert_one_error(refused, "was not made by iorx or IOR")

    def test_what_only_looks_like_iors_data_is_refused(self):
        count = b"".join(number.to_bytes(8, "little") for number in range(1, 8193))
        small = "holds numbers that count up, as IOR's data with a small seed (-G) and those of other programs do; choose another"
        other = "was not made by iorx or IOR"
        for data, why in ((count, small), (bytes(65536), other), (count[:4096] * 15 + b"a letter".ljust(4096), other),
                          (b"CDF\x02" + b"data_var".rjust(60) + b"x" * 4096, other),
                          (b"\x89HDF\r\n\x1a\n".ljust(700) + count, other)):
            with self.subTest(data=data[:16]):
                self.put("testFile", data)
                outcome = self.run_iorx(["-w", "-b", "32k", "-t", "4k", "-l", "t"], 2)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, "testFile exists and " + why)
                self.assertEqual(self.content(), data)

    def test_file_of_somebody_else_is_refused(self):
        self.put("testFile", b"the only copy of a thesis")
        outcome = self.run_iorx(["-w", "-b", "4k", "-t", "4k"], 2)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "testFile exists and was not made by iorx", "-E", "--replace")
        self.assertEqual(self.content(), b"the only copy of a thesis")

    def test_any_file_of_any_task_of_somebody_else_is_refused(self):
        self.put("testFile.00000002.1", b"a letter")
        outcome = self.run_iorx(["-F", "-m", "-i", "2", "-b", "4k", "-t", "4k"], 4)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "testFile.00000002.1 exists and was not made by iorx")
        self.assert_files("testFile.00000002.1")

    def test_existing_file_is_not_truncated(self):
        self.put("testFile", b"x" * 100000)
        outcome = self.write(["-E", "-b", "8k", "-t", "4k"], tasks=2)
        data = self.content()
        self.assertEqual(len(data), 100000)
        self.assertEqual(data[16384:], b"x" * (100000 - 16384))
        self.assertEqual([stamp.offset for stamp in stamps.find(data[:16384])],
                         list(range(0, 16384, 512)))
        self.assertEqual(outcome.phase("write")["files"]["overwritten"], 1)

    def test_replaced_file_is_deleted_first(self):
        path = self.put("testFile", b"x" * 100000)
        os.link(path, path + ".old")
        outcome = self.write(["--replace", "-b", "8k", "-t", "4k"], tasks=2)
        self.assert_filled("testFile", 16384)
        self.assertEqual(self.content("testFile.old"), b"x" * 100000)
        self.assertEqual(outcome.phase("write")["files"]["recreated"], 1)

    def test_what_is_allocated_is_told(self):
        outcome = self.write(["-F", "-e", "-b", "64k", "-t", "16k"], tasks=3)
        files = outcome.phase("write")["files"]
        self.assertEqual((files["sized"], files["fresh"]), (3, 3))
        self.assertGreaterEqual(files["allocated_bytes"], 3 * 65536)


@unittest.skipIf(tracing.why_not(), tracing.why_not())
class Calls(DataCase):
    def traced(self, arguments, tasks):
        """Runs with absolute names; the Outcome and what each task opened."""
        tracer = tracing.Trace(os.path.join(self.results, "trace"))
        outcome = self.run_iorx(["-o", os.path.join(self.folder, "data"), *arguments], tasks,
                                wrapper=tracer.wrapper)
        self.assert_exit(outcome, 0)
        return outcome, tracer.tasks(self.folder)

    def test_a_file_of_one_task_must_be_new(self):
        _, tasks = self.traced(["-F", "-w", "-t", "4k", "-b", "8k"], 2)
        for files in tasks:
            made = [file.flags for file in files if "O_CREAT" in file.flags]
            self.assertEqual([("O_EXCL" in flags, "O_NOFOLLOW" in flags) for flags in made], [(True, True)])

    def written_and_read(self, files):
        """The one time a task wrote, and the one time it read."""
        moved = [file for file in files if file.moves]
        self.assertEqual(["O_RDWR" in file.flags for file in moved], [True, False])
        return moved

    def test_tasks_read_their_own_data(self):
        _, tasks = self.traced(["-b", "8k", "-t", "4k", "-s", "2"], 3)
        for files in tasks:
            written, read = self.written_and_read(files)
            self.assertEqual(written.offsets, read.offsets)
        self.assertEqual(sorted(files[0].offsets[0] for files in map(self.written_and_read, tasks)),
                         [0, 8192, 16384])

    def test_readers_on_one_node_shift_by_one_task(self):
        outcome, tasks = self.traced(["-C", "-b", "8k", "-t", "4k", "-s", "2"], 4)
        for files in tasks:
            written, read = self.written_and_read(files)
            first = (written.offsets[0] + 8192) % 32768
            self.assertEqual(read.offsets, [first, first + 4096, first + 32768, first + 36864])
        self.assertEqual(outcome.phase("read")["tasks"]["same_node"], 4)
        self.assertEqual(outcome.document["tests"][0]["plan"]["readers"]["shift_tasks"], 1)

    def test_readers_open_the_file_of_the_next_task(self):
        _, tasks = self.traced(["-C", "-Q", "3", "-F", "-b", "8k", "-t", "4k"], 3)
        pairs = [(int(written.path[-8:]), int(read.path[-8:]))
                 for written, read in map(self.written_and_read, tasks)]
        self.assertEqual(sorted(pairs), [(0, 1), (1, 2), (2, 0)])

    def test_one_sync_after_each_write(self):
        outcome, tasks = self.traced(["-w", "-Y", "-b", "16k", "-t", "4k"], 2)
        self.assertEqual([file.syncs for files in tasks for file in files if file.moves], [4, 4])
        self.assertEqual(outcome.phase("write")["operations"]["sync"]["count"], 8)

    def test_small_calls_of_the_lecture_are_counted_exactly(self):
        self.count_lecture("4k")

    def test_the_example_of_the_lecture_is_counted_exactly(self):
        self.count_lecture("1m")

    def count_lecture(self, transfer):
        """10 tasks, 100 transfers each, write + fsync then read, 3 repetitions."""
        outcome, tasks = self.traced(["-b", transfer, "-t", transfer, "-s", "100", "-e", "-i", "3"],
                                     10)
        moved = [file for files in tasks for file in files if file.moves]
        calls = collections.Counter(move.call for file in moved for move in file.moves)
        self.assertEqual(len(tasks), 10)
        self.assertEqual(calls, {"pwrite64": 3000, "pread64": 3000})
        self.assertEqual(len(moved), 60)
        self.assertEqual(sum(file.syncs for file in moved), 30)
        for file in moved:
            self.assertEqual("O_CREAT" in file.flags, "O_NOFOLLOW" in file.flags)
        # Nothing but looks at the page cache opens the file besides, before and after a phase.
        # Once task 0 tries with a file without a name whether reads are counted, and after the first
        # phase of each kind it opens the file as the phase did, to ask for its settings.
        looks = [file for files in tasks for file in files
                 if not file.moves and "O_TMPFILE" not in file.flags]
        self.assertLessEqual(len(looks), 14)
        self.assertLessEqual(sum(file.flags[0] == "O_RDWR" for file in looks), 1)
        for file in looks:
            self.assertEqual(("O_CREAT" in file.flags, file.syncs), (False, 0))
        size = {"4k": 4096, "1m": 1 << 20}[transfer]
        for repetition in range(3):
            self.check_lecture_phases(outcome, repetition, 1000 * size)

    def check_lecture_phases(self, outcome, repetition, moved):
        write, read = (outcome.phase(name, repetition) for name in ("write", "read"))
        counts = [{name: record["count"] for name, record in phase["operations"].items()}
                  for phase in (write, read)]
        self.assertEqual(counts, [{"open": 10, "write": 1000, "sync": 10, "close": 10},
                                  {"open": 10, "read": 1000, "close": 10}])
        self.assertEqual((write["data"]["bytes"], read["data"]["bytes"]), (moved, moved))
        for phase, calls, other, chars, other_chars in (
                (write, "syscw", "syscr", "wchar_bytes", "rchar_bytes"),
                (read, "syscr", "syscw", "rchar_bytes", "wchar_bytes")):
            io = phase["kernel"]["io"]
            if io is not None:
                self.assertEqual((io["tasks"], io[calls], io[other], io[chars], io[other_chars]),
                                 (10, 1000, 0, moved, 0))


class Others(DataCase):
    """Links, other programs and other jobs that meet the test's files."""

    REPLACED = "another program removed or replaced the file; is another job using this test_file?"
    BLOCK = 64 << 30
    LONG = ("-w", "-r", "-t", "4k", "-b", str(BLOCK), "-D", "3", "-O", "stoneWallingWearOut=0")

    def start_long(self, arguments=(), tasks=1, name="testFile"):
        """A job whose tasks have the file open and have written to it."""
        job = self.start_iorx([*self.LONG, *arguments], tasks)
        path = os.path.join(self.folder, name)
        # A library writes its header in the open, before iorx can look at what was opened.
        job.wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 65536, "the first writes")
        if tasks > 1 and name == "testFile":
            job.wait_until(lambda: os.path.getsize(path) > self.BLOCK, "writes of the second task")
            job.wait_until(lambda: self.starts_with_data(path), "writes of the first task")
        return job, path

    @staticmethod
    def starts_with_data(path):
        with open(path, "rb") as file:
            return os.lseek(file.fileno(), 0, os.SEEK_DATA) == 0

    def assert_replaced(self, outcome):
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, self.REPLACED)
        self.assertNotIn("lost", outcome.err + outcome.out)

    def test_a_file_that_takes_the_place_stays(self):
        for arguments, tasks, name in ((), 1, "testFile"), ((), 2, "testFile"), (("-F",), 2, "testFile.00000001"):
            with self.subTest(arguments=arguments, tasks=tasks):
                job, path = self.start_long(arguments, tasks, name)
                self.put("new", b"years of work")
                os.replace(os.path.join(self.folder, "new"), path)
                self.assert_replaced(job.wait())
                self.assertEqual(self.content(name), b"years of work")
                os.remove(path)

    def test_a_file_that_is_gone_is_told(self):
        job, path = self.start_long()
        os.remove(path)
        self.assert_replaced(job.wait())

    def test_a_library_is_compared_too(self):
        for api in filter(program.is_built_in, ("mpiio", "hdf5", "pnetcdf")):
            with self.subTest(api):
                arguments = ["-a", api, "-b", "16m"] if api != "mpiio" else ["-a", api]
                job, path = self.start_long([*arguments, "-D", "1"] if api == "mpiio" else
                                            [*arguments, "-O", "minTimeDuration=2"])
                self.put("new", b"years of work")
                os.replace(os.path.join(self.folder, "new"), path)
                self.assert_replaced(job.wait())
                self.assertEqual(self.content(), b"years of work")
                os.remove(path)

    def test_a_file_that_takes_the_place_after_the_check_stays(self):
        self.assert_exit(self.run_iorx(["-w", "-k", "-t", "4k", "-b", "64k"]), 0)
        for before in "ours", "nothing":
            with self.subTest(before):
                if before == "nothing":
                    os.remove(os.path.join(self.folder, "testFile"))
                job = self.start_iorx(["-w", "-t", "4k", "-b", "64k", "-d", "6"])
                job.wait_until(lambda: any(name.endswith(".jsonl") for name in os.listdir(self.results)),
                               "the journal")
                time.sleep(2)
                self.put("new", b"years of work")
                os.replace(os.path.join(self.folder, "new"), os.path.join(self.folder, "testFile"))
                self.assert_replaced(job.wait())
                self.assertEqual(self.content(), b"years of work")

    def test_of_two_jobs_on_one_file_the_first_is_told(self):
        first, path = self.start_long(["--allow-sharing"])
        second = self.run_iorx(["-w", "-r", "-R", "-k", "-t", "4k", "-b", "64k", "--allow-sharing"])
        self.assert_exit(second, 0)
        self.assert_replaced(first.wait())
        self.assertEqual(os.path.getsize(path), 65536)

    def test_a_link_is_written_through_only_on_purpose(self):
        target, link = os.path.join(self.folder, "target"), os.path.join(self.folder, "testFile")
        os.symlink("target", link)
        for arguments in [], ["-E"], ["--replace"]:
            for tasks in 1, 2:
                outcome = self.run_iorx(["-w", "-t", "4k", "-b", "64k", *arguments], tasks)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, "testFile is a symbolic link to nothing")
                self.assertEqual(os.listdir(self.folder), ["testFile"])
        self.put("target", b"")
        outcome = self.run_iorx(["-w", "-t", "4k", "-b", "64k"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "testFile is a symbolic link; name the file it leads to")
        self.assert_exit(self.run_iorx(["-w", "-r", "-t", "4k", "-b", "64k", "-E"]), 0)
        self.assertTrue(os.path.islink(link))
        self.assertEqual(os.path.getsize(target), 65536)
        self.assert_exit(self.run_iorx(["-w", "-t", "4k", "-b", "4k", "--replace"]), 0)
        self.assertEqual(os.listdir(self.folder), ["target"])
        self.assertEqual(os.path.getsize(target), 65536)


if __name__ == "__main__":
    unittest.main()
