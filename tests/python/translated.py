"""Translates a job in a test, and reads back what was written."""

import os
import re
import sys
import tempfile
import unittest

import results  # noqa: F401 (finds the packages)
from iorx_translate import command, native
from iorx_translate.problems import Failure, Problems

__all__ = ["Case", "Failure", "keys"]


def keys(text):
    """[{key: value}] of each block LOAD, IOR or MDTEST of a job file; "block" is its word."""
    tests = []
    for line in text.split("\n"):
        start = re.fullmatch(r"(LOAD|IOR|MDTEST) START", line)
        if start:
            tests.append({"block": start[1]})
        setting = re.match(r"    (\w[\w.]*) = (\"[^\"]*\"|'[^']*'|\[[^\]]*\]|\S+)", line)
        if setting and tests:
            tests[-1][setting[1]] = setting[2].strip("\"'")
    return tests


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)

    def file(self, text, name="job.fio"):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def text(self, *words, lenient=False, size=1.0, time=1.0, **of_some):
        """The job file that these words of a command line become."""
        problems = Problems(lenient)
        self.job = command.translate(list(words), problems, **of_some)
        problems.check()
        self.job.scale(size, time)
        self.problems = problems
        return native.text(self.job, problems)

    def blocks(self, *words, **options):
        return keys(self.text(*words, **options))

    def assert_refused(self, message, *words):
        with self.assertRaises(Failure) as caught:
            self.text(*words)
        self.assertRegex(str(caught.exception), message)


if __name__ == "__main__":
    sys.exit("helpers of tests")
