"""A job that was killed goes on behind its journal, and refuses the journal of another job."""

import importlib.machinery
import importlib.util
import json
import os
import shutil
import signal
import unittest

from check_schema import check_document
from program import SOURCE, Case, read

# tests/kills/resume makes any number of rounds; these are the kinds of which one round each is made here.
KINDS = ("data", "turns", "items", "trees", "curve", "set")


def rounds():
    path = os.path.join(SOURCE, "tests/kills/resume")
    loader = importlib.machinery.SourceFileLoader("rounds", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("rounds", loader))
    loader.exec_module(module)
    return module


class Resume(Case):
    WORDS = ["-w", "-r", "-b", "1m", "-t", "64k", "-i", "400", "-o", "own"]

    def setUp(self):
        super().setUp()
        self.document = os.path.join(self.results, "a.json")
        self.journal = self.document + "l"

    def begin(self, *words, tasks=2):
        job = self.start_iorx([*words, "--output=" + self.document], tasks, output=False)
        job.document = self.document
        return job

    def resume(self, *words, tasks=2):
        return self.run_iorx([*(words or self.WORDS), "--resume", "--output=" + self.document], tasks, output=False)

    def kill(self, *words):
        """A journal of some phases."""
        job = self.begin(*(words or self.WORDS))
        job.wait_for_phase(5)
        job.end()

    def assert_refused(self, outcome, *parts):
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, *parts)

    def test_journals_of_other_jobs_are_refused_with_what_differs(self):
        self.kill()
        before = read(self.journal)
        self.assert_refused(self.resume(tasks=1), "tasks was 2 and is 1; ", "--resume-anyway")
        other = [word.replace("64k", "32k") for word in self.WORDS]
        self.assert_refused(self.resume(*other), "test 0: transfer_size was 65536 and is 32768; start the same job")
        first, _, rest = before.partition("\n")
        run = json.loads(first)
        run["run"]["iorx_version"] = "0.0.9"
        run["schema"]["version"] = "1.9"
        with open(self.journal, "w", encoding="utf-8") as file:
            file.write(json.dumps(run) + "\n" + rest)
        self.assert_refused(self.resume(), "its schema is not iorx-result 2.0")
        run["schema"]["version"] = "2.0"
        with open(self.journal, "w", encoding="utf-8") as file:
            file.write(json.dumps(run) + "\n" + rest)
        self.assert_refused(self.resume(), 'iorx_version was "0.0.9" and is')
        with open(self.journal, "w", encoding="utf-8") as file:
            file.write(before + before.split("\n")[2].replace('"complete"', '"failed"') + "\n")
        self.assert_refused(self.resume(), "reports a failure or wrong data")
        self.assertFalse(os.path.exists(self.document))

    def test_another_job_goes_on_with_resume_anyway(self):
        self.kill("-w", "-b", "1m", "-i", "400", "-o", "own")
        outcome = self.resume("-w", "-b", "2m", "-i", "8", "-o", "own", "--resume-anyway")
        self.assert_exit(outcome, 0)
        self.assertGreaterEqual(len(check_document(self.document)["tests"][0]["phases"]), 8)

    def test_words_that_cannot_be_followed_are_refused(self):
        words = ["-w", "-b", "1m", "-o", "own"]
        for more, part in ((["--resume"], "name the document with output=NAME.json"),
                           (["--resume=b.jsonl"], "b.jsonl is not there; --resume without a name also begins a job"),
                           (["--resume=b.json"], '"b.json" is no journal'),
                           (["--resume=b.jsonl", "--output=c.json"], "b.jsonl becomes b.json, and output names c.json"),
                           (["--resume", "--anonymize", "--output=c.json"], "leave anonymize or resume out")):
            with self.subTest(more=more):
                self.assert_refused(self.run_iorx([*words, *more], output=False), part)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_job_without_a_journal_begins_anew_and_one_that_is_complete_has_nothing_left(self):
        words = ["-w", "-b", "1m", "-i", "2", "-o", "own"]
        outcome = self.resume(*words)
        self.assert_exit(outcome, 0)
        self.assertIn("a.jsonl is not there, so the job begins anew", outcome.messages("note")[0])
        self.assertFalse(os.path.exists(self.journal))
        self.assertNotIn("sessions", check_document(self.document))
        before = read(self.document)
        outcome = self.resume(*words)
        self.assert_exit(outcome, 0)
        self.assertIn("is there and complete, so nothing is left to do", outcome.messages("note")[0])
        self.assertEqual(read(self.document), before)

    def test_a_job_that_a_signal_ended_goes_on_in_one_document(self):
        words = ["-w", "-b", "1m", "-t", "64k", "-i", "40", "--inter-test-delay=0.05", "-o", "own"]
        table = os.path.join(self.results, "tasks.csv")
        job = self.begin(*words, "--resume", "--task-table=" + table)
        job.wait_for_phase(5)
        job.kill(job.tasks()[0], signal.SIGTERM)
        job.wait()
        first = check_document(self.document)
        self.assertEqual(first["status"], "interrupted")
        self.assertTrue(os.path.exists(self.journal))
        with open(self.journal, "a", encoding="utf-8") as file:
            file.write('{"phase":{"test":0,"ph')  # torn
        outcome = self.resume(*words, "--task-table=" + table)
        self.assert_exit(outcome, 0)
        document = check_document(self.document)
        self.assertEqual(document["status"], "complete")
        self.assertEqual(document["unreadable_lines"], 0)
        self.assertEqual(document["run"], first["run"])
        self.assertEqual([session["tasks"] for session in document["sessions"]], [2])
        phases = document["tests"][0]["phases"]
        whole = [phase for phase in first["tests"][0]["phases"] if phase["status"] == "complete"]
        self.assertEqual(phases[:len(whole)], whole)
        self.assertEqual([phase["repetition"] for phase in phases], list(range(40)))
        verdict, = [one for one in document["tests"][0]["summaries"][0]["verdicts"] if one["id"] == "V6"]
        self.assertIn("measured in 2 sessions", verdict["meaning"])
        # Text and tables have what the first session measured, too.
        self.assertEqual(len([line for line in outcome.out.splitlines() if line.startswith("write ")]), 41)
        self.assertTrue(os.path.exists(table + ".1"))
        self.assertFalse(os.path.exists(self.journal))

    def test_a_journal_that_is_being_written_is_left_alone(self):
        job = self.begin(*self.WORDS)
        job.wait_for_phase(2)
        other = self.run_iorx([*(word.replace("own", "other") for word in self.WORDS), "--resume", "--resume-anyway",
                               "--output=" + self.document], 2, output=False)
        self.assertTrue(other.exit_code == 2 and "is written by a job that runs" in other.err, other)
        self.assertIsNone(job.process.poll())

    def test_killed_jobs_of_each_kind_lose_no_repetition_and_make_none_twice(self):
        module = rounds()
        module.MOST_KILLS = 1
        module.random.seed(7)
        for kind in KINDS:
            with self.subTest(kind):
                home = os.path.join(self.home, "round")
                module.make_round(kind, home)
                shutil.rmtree(home)


if __name__ == "__main__":
    unittest.main()
