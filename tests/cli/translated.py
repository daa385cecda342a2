"""Translates jobs of other programs and runs them, with every request in a table."""

import collections
import csv
import glob
import os
import subprocess
import unittest

from program import Case, built

TRANSLATE = built("iorx-translate")

# One request of a task: "read", "write", "fsync" …; offset and length are 0 where it has none.
Request = collections.namedtuple("Request", "operation offset length")


@unittest.skipUnless(os.path.exists(TRANSLATE), "iorx-translate is not built: no Python >= 3.9, or --without-python")
class TranslatedCase(Case):
    def translate(self, *words, text=None, name="job.fio"):
        """The job that iorx-translate writes; text is that of the file `name`."""
        if text is not None:
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        done = subprocess.run([TRANSLATE, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refused(self, *words, text=None):
        """The error of a job that iorx refuses before its first test."""
        job = os.path.join(self.results, "job.ior")
        with open(job, "w", encoding="utf-8") as file:
            file.write(self.translate(*words, text=text))
        outcome = self.run_iorx(["-f", job])
        self.assert_exit(outcome, 2)
        return outcome.err

    def run_translated(self, *words, text=None, name="job.fio", tasks=None, arguments=(), **more):
        """Runs the job with as many tasks as it wants and these arguments; outcome.text is the job."""
        job = os.path.join(self.results, "job.ior")
        written = self.translate(*words, text=text, name=name)
        with open(job, "w", encoding="utf-8") as file:
            file.write(written)
        tasks = tasks or int(self.translate("--tasks", *words))
        self.table = os.path.join(self.results, "requests")
        for old in glob.glob(self.table + ".*"):
            os.remove(old)
        outcome = self.run_iorx(["-f", job, "--operation-tables=" + self.table, *arguments], tasks, **more)
        self.assert_exit(outcome, 0)
        outcome.text = written
        return outcome

    def requests(self, outcome, test=0):
        """[[Request, …] of each task] of a test's measured phases: not those that lay out files."""
        phases = {phase["phase"] for phase in outcome.document["tests"][test]["phases"]}
        wanted = {"load"} if "load" in phases else phases
        found = {}
        for path in sorted(glob.glob(self.table + ".*.csv")):
            with open(path, encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    if int(row["test"]) == test and row["phase"] in wanted and row["operation"] not in ("open", "close"):
                        found.setdefault(int(row["task"]), []).append(Request(
                            row["operation"], int(row["offset_bytes"] or 0), int(row["length_bytes"] or 0)))
        return [found[task] for task in sorted(found)]
