"""What semantics=ior does otherwise, what is said beside IOR, and the calls each file sees."""

import os
import unittest

import program
import tracing
from program import Case, is_built_in

SMALL = ["-b", "8k", "-t", "4k"]


class Files(Case):
    def put(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def run_in(self, *arguments, tasks=1):
        return self.run_iorx([*SMALL, *arguments], tasks)

    def test_any_file_in_the_way_is_deleted(self):
        for data in b"somebody's", b"":
            with self.subTest(data=data):
                path = self.put("testFile", data)
                before = os.stat(path).st_ino
                keep = open(path, "rb")  # so that its number is not given to the next file
                self.addCleanup(keep.close)
                outcome = self.run_in("-w", "-k", "--semantics=ior")
                self.assert_exit(outcome, 0)
                self.assertEqual(outcome.phase("write")["files"]["recreated"], 1)
                self.assertNotEqual(os.stat(path).st_ino, before)

    def test_a_directory_is_never_deleted(self):
        os.mkdir(os.path.join(self.folder, "testFile"))
        outcome = self.run_in("-w", "--semantics=ior")
        self.assert_exit(outcome, 2)
        self.assertEqual(os.listdir(self.folder), ["testFile"])

    def test_what_was_only_read_goes_as_with_ior(self):
        for options, tasks in ([], 2), (["-F"], 2), (["-i", "3"], 1), (["-m", "-i", "2"], 1):
            with self.subTest(options=options):
                self.assert_exit(self.run_in("-w", "-k", *options, tasks=tasks), 0)
                before = sorted(os.listdir(self.folder))
                self.assert_exit(self.run_in("-r", *options, tasks=tasks), 0)
                self.assert_exit(self.run_in("-r", "-k", "--semantics=ior", *options, tasks=tasks), 0)
                self.assertEqual(sorted(os.listdir(self.folder)), before)
                outcome = self.run_in("-r", "--semantics=ior", *options, tasks=tasks)
                self.assert_exit(outcome, 0)
                self.assertEqual(os.listdir(self.folder), [])

    def test_a_file_that_was_written_into_goes_as_with_ior(self):
        path = self.put("testFile", bytes(20000))
        self.assert_exit(self.run_in("-w", "-E"), 0)
        self.assertEqual(os.stat(path).st_size, 20000)
        self.assert_exit(self.run_in("-w", "-E", "--semantics=ior", "-k"), 0)
        self.assertEqual(os.stat(path).st_size, 20000)
        self.assert_exit(self.run_in("-w", "-E", "--semantics=ior"), 0)
        self.assertFalse(os.path.exists(path))

    def test_a_file_that_could_not_be_read_stays(self):
        path = self.put("testFile", b"short")
        self.assert_exit(self.run_in("-r", "--semantics=ior"), 2)
        self.assertEqual(program.read(path, "rb"), b"short")


class Compared(Case):
    def compared(self, *arguments, tasks=3):
        outcome = self.run_iorx(["-a", "null", *SMALL, *arguments], tasks)
        self.assert_exit(outcome, 0)
        said = outcome.document["tests"][0]["comparable_with_ior"]
        self.assertIn(f"comparable with IOR: {'yes' if said == 'yes' else 'no: readers'}\n", outcome.out)
        return said

    def test_readers_are_the_difference_on_one_node(self):
        self.assertEqual(self.compared("-C"), "no: in reads: on one node IOR's tasks read "
                         "what they wrote themselves, iorx's what the next task wrote")
        self.assertEqual(self.compared("-C", "-w"), "yes")
        self.assertEqual(self.compared("-C", "--semantics=ior"), "yes")
        self.assertEqual(self.compared("-C", tasks=1), "yes")
        self.assertIn("-Z", self.compared("-Z", "--semantics=ior"))

    def test_flags_that_do_something_else_in_ior_are_named(self):
        for flags, keyword, sentence in (("-Y -w", "-Y", "syncs twice after each write"),
                                         ("-z -r", "shared -z", "moves each transfer once"),
                                         ("-Y -r", None, None), ("-z -F", None, None), ("-z", "shared -z", "gives each task equally many")):
            outcome = self.run_iorx(["-a", "null", *SMALL, *flags.split()], 2)
            self.assert_exit(outcome, 0)
            self.assertIn(f"comparable with IOR: {f'no: {keyword}' if keyword else 'yes'}\n", outcome.out)
            self.assertIn(sentence or "yes", outcome.document["tests"][0]["comparable_with_ior"])
        for flags, keyword in (["-a", "mmap", "-F"], "no: content, mmap with -F"), (["-a", "hdf5"], "yes, except content, HDF5 layout"):
            if is_built_in(flags[1]):
                outcome = self.run_iorx([*flags, *SMALL], 2)
                self.assertIn(f"comparable with IOR: {keyword}\n", outcome.out)

    def test_without_a_number_there_is_nothing_to_compare(self):
        outcome = self.run_iorx(["-a", "null", *SMALL, "-w", "--fault.operation=write"], 2)
        self.assert_exit(outcome, 1)
        self.assertIsNone(outcome.document["tests"][0]["comparable_with_ior"])
        self.assertNotIn("comparable", outcome.out)

    def test_a_phase_that_failed_is_named(self):
        outcome = self.run_iorx(["-a", "null", *SMALL, "--fault.operation=read"], 2)
        self.assert_exit(outcome, 1)
        self.assertEqual(outcome.document["tests"][0]["comparable_with_ior"],
                         "yes, except in phases that failed or ended early: read")

    def test_iors_readers_stay_at_home_on_one_node(self):
        outcome = self.run_iorx(["-a", "null", *SMALL, "-C", "--semantics=ior"], 3)
        plan = outcome.document["tests"][0]["plan"]
        self.assertEqual((plan["readers"]["order"], plan["readers"]["same_node_tasks"]), ("self", 3))


class Paths(Case):
    def setUp(self):
        super().setUp()
        for name in "a", "b", "c@d":
            os.mkdir(os.path.join(self.folder, name))

    def files(self):
        return sorted(os.path.relpath(os.path.join(folder, name), self.folder)
                      for folder, _, files in os.walk(self.folder) for name in files)

    def test_files_are_dealt_to_the_paths(self):
        outcome = self.run_iorx([*SMALL, "-w", "-k", "-F", "-o", "a/f@b/g@c@@d/h"], 5)
        self.assert_exit(outcome, 0)
        self.assertEqual(self.files(), ["a/f.00000000", "a/f.00000003", "b/g.00000001",
                                        "b/g.00000004", "c@d/h.00000002"])
        self.assertIn("dealt to the 3 paths in turn", " ".join(outcome.out.split()))
        self.assert_exit(self.run_iorx([*SMALL, "-r", "-C", "-F", "-o", "a/f@b/g@c@@d/h"], 5), 0)
        self.assert_exit(self.run_iorx([*SMALL, "-F", "-o", "a/f@b/g@c@@d/h"], 5), 0)
        self.assertEqual(self.files(), [])

    def test_directories_of_tasks_lie_in_them_too(self):
        self.assert_exit(self.run_iorx([*SMALL, "-w", "-k", "-F", "-u", "-m", "-o", "a/f@b/f"], 3), 0)
        self.assertEqual(self.files(), ["a/0/f.00000000.0", "a/2/f.00000002.0", "b/1/f.00000001.0"])

    def test_a_shared_file_has_one_name(self):
        self.assert_exit(self.run_iorx([*SMALL, "-w", "-k", "-o", "c@d/f@g"], 2), 0)
        self.assertEqual(self.files(), ["c@d/f@g"])

    def test_each_path_must_name_a_file(self):
        for name in "a/f@", "@a/f", "a/f@b/", "a/@b/f":
            with self.subTest(name=name):
                outcome = self.run_iorx([*SMALL, "-w", "-F", "-o", name])
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, "has no file name")

    def test_each_directory_is_looked_at(self):
        outcome = self.run_iorx([*SMALL, "-w", "-F", "-o", "a/f@nowhere/f"], 2)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "nowhere: No such file")
        self.assertEqual(self.files(), [])


# What IOR calls in order for a file between open and close, with pread and pwrite in place of
# lseek with read and write: by arguments, the write phase and the read phase of a task with 3 transfers.
# Before it closes what it wrote, iorx asks the kernel once for the number of the open file, and no server.
WRITE, SYNC, NUMBER = "pwrite64", "fsync", "statx"
CALLS = (
    ([], [WRITE] * 3, ["pread64"] * 3),
    (["-F"], [WRITE] * 3, ["pread64"] * 3),
    (["-e"], [WRITE] * 3 + [SYNC], ["pread64"] * 3),
    (["-F", "-e"], [WRITE] * 3 + [SYNC], ["pread64"] * 3),
    (["-g"], [WRITE] * 3, ["pread64"] * 3),
    (["-g", "-e"], [WRITE] * 3 + [SYNC], ["pread64"] * 3),
    (["-Y"], [WRITE, SYNC] * 3, ["pread64"] * 3),
    (["-Y", "-e"], [WRITE, SYNC] * 3 + [SYNC], ["pread64"] * 3),
)


@unittest.skipIf(tracing.why_not(), tracing.why_not())
class Calls(Case):
    def test_files_see_what_they_see_of_ior(self):
        for number, (arguments, writes, reads) in enumerate(CALLS):
            with self.subTest(arguments=arguments):
                tracer = tracing.Trace(os.path.join(self.results, f"trace{number}"), "%desc")
                outcome = self.run_iorx(["-o", os.path.join(self.folder, "data"), "-b", "12k", "-t",
                                         "4k", *arguments], 2, wrapper=tracer.wrapper)
                self.assert_exit(outcome, 0)
                creates = "O_RDWR|O_CREAT" + ("|O_EXCL" if "-F" in arguments else "") + "|O_NOFOLLOW"
                self.assertEqual(tracer.sequences(self.folder),
                                 {creates: [[*writes, NUMBER]] * 2, "O_RDONLY": [reads] * 2})


if __name__ == "__main__":
    unittest.main()
