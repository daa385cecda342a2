"""Commands around the phases of metadata tests: when they run, what they know, how they end."""

import os
import signal
import unittest

from program import Case

LINE = '"$IORX_PHASE $IORX_REPETITION $IORX_PATH"'
ENDLESS = 'if test "$IORX_PHASE" = file-stat; then sleep 1000; fi'


class Commands(Case):
    def test_run_once_around_each_phase_outside_the_time(self):
        log = os.path.join(self.results, "log")
        outcome = self.run_iorx(
            ["mdtest", "-n", "3", "-F", "-C", "-T", "-i", "2", "-d", "a@b",
             "--run-cmd-before-phase", f"echo before {LINE} >>{log}; echo of a command; sleep 0.3",
             "--run-cmd-after-phase", f"echo after {LINE} >>{log}"], 3)
        self.assert_exit(outcome, 0)
        phases = [f"{name} {repetition} a" for repetition in range(2)
                  for name in ("tree-create", "file-create", "file-stat")]
        with open(log, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines, [f"{when} {phase}" for phase in phases for when in ("before", "after")])
        self.assertNotIn("of a command\n", outcome.out)
        self.assertEqual(outcome.err.count("of a command\n"), len(phases))
        slept = 0.3 * len(phases)
        self.assertLess(sum(phase["intervals"]["total_s"] for phase in outcome.document["tests"][0]["phases"]),
                        outcome.seconds - slept)

    def test_a_phase_begins_behind_its_command(self):
        log = os.path.join(self.results, "log")
        outcome = self.run_iorx(["mdtest", "-n", "3", "-F", "-C", "--run-cmd-before-phase",
                                 f"date -u +%Y-%m-%dT%H:%M:%S.%NZ >>{log}"], 2)
        self.assert_exit(outcome, 0)
        with open(log, encoding="utf-8") as file:
            commands = file.read().split()
        begins = [phase["began"] for phase in outcome.document["tests"][0]["phases"]]
        self.assertEqual(len(commands), 2)
        moments = [moment for both in zip(commands, begins) for moment in both]
        self.assertEqual(moments, sorted(moments))

    def test_that_fail_end_the_test_and_say_why(self):
        for when, done in (("before", [("tree-create", 0, "complete"), ("file-create", 0, "failed")]),
                           ("after", [("tree-create", 0, "complete"), ("file-create", 0, "failed")])):
            with self.subTest(when):
                outcome = self.run_iorx(["mdtest", "-n", "3", "-F", "-d", when, f"--run-cmd-{when}-phase",
                                         'test "$IORX_PHASE" != file-create'], 2)
                self.assert_exit(outcome, 1)
                self.assert_one_error(outcome, f"run_cmd_{when}_phase: \"test", "ended with exit code 1",
                                      "file-create phase, repetition 0", "task 0")
                self.assertEqual(outcome.phases(), done)

    def test_are_ended_by_a_signal(self):
        job = self.start_iorx(["mdtest", "-n", "3", "-F", "--run-cmd-before-phase", ENDLESS], 2)
        job.wait_for_phase(2)
        job.kill(job.tasks()[0], signal.SIGTERM)
        outcome = job.wait()
        self.assertNotEqual(outcome.exit_code, 0)
        self.assertEqual(outcome.document["status"], "interrupted")
        self.assert_nothing_left(job)

    def test_are_ended_by_the_deadline_with_all_they_started(self):
        job = self.start_iorx(["mdtest", "-n", "3", "-F", "--deadline=+8s", "--run-cmd-before-phase",
                               f"trap '' TERM; {ENDLESS} & wait"], 2)
        outcome = job.wait()
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.document["status"], "interrupted")
        self.assertIn("deadline", outcome.document["tests"][0]["phases"][-1]["stop"])
        self.assert_nothing_left(job)

    def test_of_a_job_file_need_the_word_of_the_caller(self):
        path = os.path.join(self.results, "job")
        with open(path, "w", encoding="utf-8") as file:
            file.write("MDTEST START\nitems=3\nrun-cmd-before-phase=true\nMDTEST STOP\n")
        outcome = self.run_iorx(["-f", path], output=False)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "job:3: metadata.run_cmd_before_phase: a job file may run commands "
                                       "only with --allow-commands on the command line")
        self.assert_exit(self.run_iorx(["-f", path, "--allow-commands"]), 0)


if __name__ == "__main__":
    unittest.main()
