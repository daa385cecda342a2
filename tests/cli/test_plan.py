"""What iorx says it will do, and what it refuses before it touches anything."""

import os
import re
import unittest

import program
from program import Case, needs_root


class Plans(Case):
    def plan(self, arguments, tasks):
        outcome = self.run_iorx([*arguments, "--show-plan"], tasks, output=False)
        self.assert_exit(outcome, 0)
        self.assertEqual((os.listdir(self.folder), outcome.err), ([], ""))
        return outcome.out

    def rows(self, out):
        """(task, writes from, reads from, of task, bytes) of each line of the table."""
        return [tuple(map(int, row)) for row in
                re.findall(r"(?m)^ *(\d+) \S+ +(\d+) +(\d+) +(\d+) +(\d+)$", out)]

    def test_plan_of_a_shared_file_says_the_offsets(self):
        out = self.plan(["-C", "-b", "64k", "-t", "16k", "-s", "4"], 4)
        self.assertEqual(self.rows(out), [(0, 0, 65536, 1, 262144), (1, 65536, 131072, 2, 262144),
                                          (2, 131072, 196608, 3, 262144), (3, 196608, 0, 0, 262144)])
        self.assertIn("1048576 bytes", out)

    def test_a_time_that_ends_a_phase_stands_beside_its_bytes(self):
        for more, text in ([], ""), (["--duration=5"], ", again and again for 5 s per phase"), \
                (["-D", "5"], ", or as many as 5 s allow"), (["--min-time-duration=5"], ", repeated up to 5 s"):
            self.assertIn(f"1 MiB a task in 4 transfers of 256 KiB{text}; no fsync", " ".join(self.plan(more, 1).split()))

    def test_plan_of_a_file_for_each_task_says_the_names(self):
        out = self.plan(["-F", "-u", "-C", "-b", "4k", "-t", "4k"], 3)
        self.assertEqual(re.findall(r"(?m)^ +(writes|reads) +(\S+)$", out), [
            ("writes", "0/testFile.00000000"), ("reads", "1/testFile.00000001"),
            ("writes", "1/testFile.00000001"), ("reads", "2/testFile.00000002"),
            ("writes", "2/testFile.00000002"), ("reads", "0/testFile.00000000")])
        self.assertIn("3 files in 3 directories", out)

    def test_plan_of_many_tasks_shows_the_first_and_the_last(self):
        self.assertEqual([row[0] for row in self.rows(self.plan([], 12))], [*range(8), 11])
        self.assertEqual([row[0] for row in self.rows(self.plan(["-v"], 12))], list(range(12)))

    def test_plan_needs_no_memory_for_what_it_describes(self):
        out = self.plan(["-b", "1t", "-t", "1m", "-s", "1000"], 2)
        self.assertEqual(self.rows(out)[1][1], 1 << 40)

    def test_dry_run_touches_nothing(self):
        path = os.path.join(self.folder, "testFile")
        with open(path, "w", encoding="utf-8") as file:
            file.write("mine")
        outcome = self.run_iorx(["--dryRun", "--replace", "-m", "-i", "3"], 2, output=False)
        self.assert_exit(outcome, 0)
        self.assertEqual((os.listdir(self.folder), program.read(path)), (["testFile"], "mine"))

    def test_buffers_larger_than_memory_are_refused(self):
        outcome = self.run_iorx(["-b", "1t", "-t", "1t"], 2, output=False)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, re.compile(r"transfer_size: 2 tasks on a node need 20971\d\d MiB "
                                                  r"of buffers and the node has \d+ MiB"))
        self.assertEqual(os.listdir(self.folder), [])


@needs_root
class Space(Case):
    def run_small(self, arguments, tasks, options="size=8m", before=""):
        """Runs on a small file system of its own; also returns what lies there afterwards."""
        listing = os.path.join(self.results, "listing")
        script = ('mount -t tmpfs -o "$1" tmpfs "$2" && cd "$2" || exit 99; shift 2\n' +
                  before + '\n"$@"; code=$?; ls -A >' + listing + "; exit $code")
        outcome = self.run_iorx(arguments, tasks, wrapper=["unshare", "--mount", "sh", "-c", script, "sh",
                                                           options, self.folder])
        return outcome, program.read(listing).split()

    def test_more_data_than_space_is_refused(self):
        outcome, left = self.run_small(["-b", "5m", "-t", "1m"], 2)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "test_file: the test writes 10 MiB and . has 8 MiB free; "
                                       "lower block_size or segment_count, choose another "
                                       "directory, or go on with --force")
        self.assertEqual(left, [])

    def test_files_of_all_repetitions_count(self):
        outcome, left = self.run_small(["-w", "-k", "-m", "-i", "3", "-b", "3m", "-t", "1m"], 1)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "the test writes 9 MiB")
        self.assertEqual(left, [])
        outcome, left = self.run_small(["-m", "-i", "3", "-b", "3m", "-t", "1m"], 1)
        self.assert_exit(outcome, 0)

    def test_space_of_files_that_are_replaced_counts_as_free(self):
        before = '"$@" -w -k >/dev/null'
        outcome, left = self.run_small(["-b", "3m", "-t", "1m"], 2, before=before)
        self.assert_exit(outcome, 0)
        self.assertEqual(left, [])

    def test_more_files_than_inodes_is_refused(self):
        outcome, left = self.run_small(["-F", "-b", "4k", "-t", "4k"], 5, "size=8m,nr_inodes=5")
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "the test makes 5 files and directories and . has 4 inodes free")
        self.assertEqual(left, [])

    def test_force_goes_on_until_the_space_is_used_up(self):
        outcome, left = self.run_small(["--force", "-w", "-b", "5m", "-t", "1m"], 2)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "No space left on device")
        self.assertEqual(outcome.phase("write")["status"], "failed")
        self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
