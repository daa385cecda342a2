"""Every job file of examples/ does what it says, on two tasks and with less data."""

import glob
import os
import re
import unittest

import check_schema
import program
from program import Case

EXAMPLES = sorted(glob.glob(os.path.join(program.SOURCE, "examples", "*.ior")))
UNITS = {"k": 1 << 10, "m": 1 << 20}


def largest_transfer(text):
    """All transfer sizes of a file divide this; powers of two, as people write them."""
    return max(int(number) * UNITS[unit]
               for number, unit in re.findall(r"transferSize\s*=\s*(\d+)([km])", text))


class Examples(Case):
    def run_example(self, path):
        text = program.read(path)
        outcome = self.run_iorx(["-f", path, "-b", str(2 * largest_transfer(text)), "-s", "2"],
                                tasks=2)
        self.assert_exit(outcome, 0)
        document = check_schema.check_document(outcome.document_path)
        self.assertEqual(document["status"], "complete")
        self.assertEqual(len(document["tests"]), len(re.findall(r"^RUN$", text, re.M)))
        for test in document["tests"]:
            self.assertTrue(test["phases"])
            self.assertEqual({phase["status"] for phase in test["phases"]}, {"complete"})
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
                self.assertRegex(comment[0], r"mpirun -np 4 iorx -f " + name)


if __name__ == "__main__":
    unittest.main()
