"""Runs the jobs of jobs.py and compares their texts, with what was measured masked, with those in expected/.

GOLDEN=write in the environment writes the files in expected/ anew.
"""

import os
import re
import shutil
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

import masks  # noqa: E402
import readers  # noqa: E402
import rows  # noqa: E402
from check_schema import check_document  # noqa: E402
from jobs import JOBS  # noqa: E402
from program import OPEN_MPI, Case, is_built_in, read  # noqa: E402

WRITES = os.environ.get("GOLDEN") == "write"


# Counts of a phase that do not depend on its speed.
COUNTS = (("data", "bytes"), ("data", "transfers"), ("load", "operations"), ("metadata", "operations"), ("tasks", "measured"))


def document_lines(document):
    """What a document says of each phase, apart from what was measured."""
    yield f"document {document['status']}, exit {document.get('exit_code')}, errors {len(document['errors'])}"
    for test in document["tests"]:
        for phase in test["phases"]:
            counts = [f"{name} {phase[group][name]}" for group, name in COUNTS
                      if phase.get(group) and phase["status"] == "complete"]
            yield " ".join([str(test["test"]), phase["phase"], str(phase["repetition"]), phase["status"], *counts])
        for summary in test.get("summaries", ()):
            yield f"{test['test']} {summary['phase']} summary {summary['complete_repetitions']}"


class Golden(Case):
    def run_line(self, job, line):
        result = "../results/RESULT"  # short, as a long path would wrap
        words = line.replace("RESULT", result).split()
        if "RESULT" not in line:
            words.append(f"--output={result}.json")
        running = self.start_iorx(words, job.tasks, output=False)
        running.document = os.path.join(self.results, "RESULT.json")
        if job.signal and line == job.lines[0]:
            running.wait_for_phase()
            time.sleep(3)  # the load has begun by then, also on a busy machine
            for task in running.tasks().values():
                running.kill(task, job.signal)
        return running.wait()

    def look_at(self, job, line):
        """Runs a command; what it said and left."""
        outcome = self.run_line(job, line)
        self.assertEqual(readers.misses(job.name, outcome.out), [], outcome)
        names = {os.path.realpath(self.home): "HOME", self.home: "HOME"}
        yield f"$ iorx {line}"
        yield "killed" if outcome.exit_code > 128 else f"exit {outcome.exit_code}"
        yield masks.mask_page(outcome.out, names)
        errors = masks.mask_errors(outcome.err, names)
        if errors:
            yield "--- standard error\n" + errors
        for name in job.shows:
            yield f"--- {name}"
            yield masks.mask_page(read(os.path.join(self.results, name)), names)
        if outcome.exit_code != 2 and outcome.has_document():
            yield "--- document"
            yield from document_lines(outcome.document)
            if re.search("^phase +rep", outcome.out, re.M):
                self.assertEqual(rows.differences(outcome.out, outcome.document), [], outcome)

    def golden_text(self, job):
        if job.text:
            with open(os.path.join(self.folder, "job.ior"), "w", encoding="utf-8") as file:
                file.write(job.text)
        return "\n".join(part for line in job.lines for part in self.look_at(job, line)) + "\n"


class Texts(unittest.TestCase):
    def test_each_stored_text_is_of_a_job(self):
        self.assertEqual(sorted(os.listdir(os.path.join(HERE, "expected"))), sorted(job.name + ".txt" for job in JOBS))


class Earlier(Case):
    def test_the_journal_of_an_earlier_version_is_finished(self):
        shutil.copy(os.path.join(HERE, "earlier/killed.jsonl"), self.results)
        path = os.path.join(self.results, "killed.json")
        outcome = self.run_iorx([f"--finish={path}l"], output=False)
        self.assert_exit(outcome, 0)
        self.assertEqual(list(document_lines(check_document(path))),
                         ["document interrupted, exit None, errors 0",
                          "0 write 0 complete bytes 524288 transfers 8 measured 2"])


def test_of(job):
    def test(self):
        if not is_built_in(job.backend):
            self.skipTest(f"{job.backend} is not built in")
        if job.signal and not OPEN_MPI:
            self.skipTest("this launcher says on standard output that a task was killed")
        path = os.path.join(HERE, "expected", job.name + ".txt")
        text = self.golden_text(job)
        if WRITES:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        self.assertEqual(text, read(path))
    return test


for each in JOBS:
    setattr(Golden, "test_" + each.name.replace("-", "_"), test_of(each))

if __name__ == "__main__":
    unittest.main()
