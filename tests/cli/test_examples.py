"""Every job file of examples/ does what it says, on two tasks and with less data."""

import glob
import math
import os
import re
import unittest

import check_schema
import program
from program import Case

EXAMPLES = sorted(path for path in glob.glob(os.path.join(program.SOURCE, "examples", "*.ior"))
                  if "://" not in program.read(path).partition("IOR START")[2])  # those need a server
UNITS = {"k": 1 << 10, "m": 1 << 20}


def largest_transfer(text):
    """All transfer sizes of a file divide this; powers of two, as people write them."""
    return max(int(number) * UNITS[unit]
               for number, unit in re.findall(r"transferSize\s*=\s*(\d+)([km])", text))


def lists(text):
    """{key: values} of what a file lists, "tasks = [1 2 4]"."""
    return {key: values.split() for key, values in re.findall(r"^\s*(\w+) = \[(.*)\]$", text, re.M)}


def most_tasks(text):
    members = [1 if tasks == "rest" else int(tasks) for tasks in re.findall(r"num_tasks = (\d+|rest)", text)]
    return max([2, sum(members) * max(copies(text)), *map(int, lists(text).get("tasks", []))])


def copies(text):
    """The numbers of copies of a set that are run; a file may list more."""
    return [1, 2] if "copies = [" in text else [1]


def count_tests(text):
    """Of each RUN; lists stand in files with one RUN."""
    runs = len(re.findall(r"^RUN$", text, re.M)) * (2 if "alone = 1" in text else 1)
    return runs * sum(copies(text)) * math.prod(len(values) for values in lists(text).values())


class Examples(Case):
    def run_example(self, path):
        text = program.read(path)
        metadata = "MDTEST START" in text
        less = ["--metadata.items=60"] if metadata else \
            ["-b", str(2 * largest_transfer(text)), "-s", "2"] if "IOR START" in text else []
        less += ["--load.file_size=1m", "--duration=0.3", "--load.warmup_time=0"] if "LOAD START" in text else []
        less += ["--copies=1,2"] if copies(text) != [1] else []
        less += ["--posix.direct=0"] if "posix.direct = 1\n" in text else []  # not every file system has it
        for name in re.findall(r"testFile = (mount-\w)/", text):
            os.mkdir(os.path.join(self.folder, name))
        outcome = self.run_iorx(["-f", path, *less], tasks=most_tasks(text))
        if re.search(r"\bnodes = 1", text):  # here is one node; test_hosts.py runs it on three
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "nodes: the job has no node 1, it runs on 1 node, numbered from 0")
            return
        self.assert_exit(outcome, 0)
        document = check_schema.check_document(outcome.document_path)
        self.assertEqual(document["status"], "complete")
        if "curve = " in text:  # it may end early
            self.assertGreater(len(document["tests"]), 1)
        else:
            self.assertEqual(len(document["tests"]), count_tests(text))
        for test in document["tests"]:
            self.assertTrue(test["phases"])
            self.assertEqual({phase["status"] for phase in test["phases"]}, {"complete"})
        if metadata:
            os.rmdir(os.path.join(self.folder, "out"))  # stays, empty
        for name in glob.glob(os.path.join(self.folder, "*.0*")) + glob.glob("/dev/shm/calls.0*"):
            os.remove(name)  # what loads keep
        for name in glob.glob(os.path.join(self.folder, "mount-*")):
            os.rmdir(name)
        self.assertEqual(os.listdir(self.folder), [])

    def test_there_are_examples(self):
        self.assertGreaterEqual(len(EXAMPLES), 4)

    def test_each_example_runs_and_leaves_nothing(self):
        for path in EXAMPLES:
            with self.subTest(example=os.path.basename(path)):
                self.run_example(path)

    def test_each_example_says_what_it_is_for_and_how_it_is_run(self):
        for path in EXAMPLES:
            with self.subTest(example=os.path.basename(path)):
                name = re.escape("examples/" + os.path.basename(path))
                comment = re.match(r"(#.*\n)+", program.read(path))
                self.assertRegex(comment[0], r"mpirun -np (4|5|20) iorx -f " + name)


if __name__ == "__main__":
    unittest.main()
