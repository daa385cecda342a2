"""What is left of a job that a signal ends: finished phases on disk, nothing that still runs."""

import os
import signal
import subprocess
import time
import unittest

from program import IORX, SOON_SECONDS, Case

# Many short phases: some are over when the signal comes, one is not.
LONG = ["-b", "8m", "-t", "16k", "-i", "10000", "-o", "test"]


class Signals(Case):
    def start(self, name, *more, tasks=3):
        folder = os.path.join(self.folder, name)
        os.mkdir(folder)
        return self.start_iorx([*LONG, *more], tasks, folder=folder)

    def strike(self, jobs):
        """{name: (signal, target of job, …)}: each job meets its signal after 4 phases; Outcomes."""
        running = {name: self.start(name, *more) for name, (_, _, *more) in jobs.items()}
        outcomes = {}
        for name, (number, target, *_) in jobs.items():
            running[name].wait_for_phase(4)
            time.sleep(0.2)
            running[name].kill(target(running[name]), number)
        for name in jobs:
            outcomes[name] = running[name].wait()
            self.assert_nothing_left(running[name])
        return outcomes

    def finish(self, journal):
        subprocess.run([IORX, "--finish=" + journal], check=True, timeout=300,
                       stdout=subprocess.DEVNULL)

    def assert_interrupted(self, outcome):
        """A valid document, with what was over before and the phase that was stopped."""
        document = outcome.document
        self.assertEqual(document["status"], "interrupted")
        self.assertEqual(document.get("exit_code", 1), 1)
        # MPICH's launcher sometimes forgets what task 0 returned after a Ctrl-C.
        if document["run"]["environment"]["mpi"].startswith("Open MPI"):
            self.assertNotEqual(outcome.exit_code, 0, outcome)
        phases = outcome.phases()
        self.assertGreaterEqual(len(phases), 4)
        for phase, _, status in phases[:-1]:
            self.assertEqual(status, "complete")
        self.assertIn(phases[-1][2], ("complete", "stopped"))
        return document

    def test_to_the_launcher_leave_a_valid_document(self):
        jobs = {"SIGTERM": (signal.SIGTERM, lambda job: job.launcher()),
                "SIGINT": (signal.SIGINT, lambda job: job.launcher()),
                "SIGUSR1": (signal.SIGUSR1, lambda job: job.launcher())}
        for name, outcome in self.strike(jobs).items():
            with self.subTest(name):
                self.assert_interrupted(outcome)
                self.assertLess(outcome.ending, SOON_SECONDS)
                self.assertRegex("\n".join(outcome.messages("warning")),
                                 r"signal \d+ .* remove what is left of test_file test\b")

    def test_to_the_launcher_leave_a_document_also_when_a_call_does_not_return(self):
        stall = ["--fault.operation=open", "--fault.kind=stall", "--fault.stall=100",
                 "--fault.after=4"]
        jobs = {
            "SIGTERM 0": (signal.SIGTERM, lambda job: job.launcher(), *stall, "--fault.tasks=0"),
            "SIGINT 1": (signal.SIGINT, lambda job: job.launcher(), *stall, "--fault.tasks=1"),
        }
        for name, outcome in self.strike(jobs).items():
            with self.subTest(name):
                self.assert_interrupted(outcome)
                # Open MPI kills soon after; others wait until we name who hangs and end it.
                self.assertLess(outcome.ending, SOON_SECONDS)

    def test_to_a_task_stop_all_of_them_in_order(self):
        jobs = {"SIGTERM 0": (signal.SIGTERM, lambda job: job.tasks()[0]),
                "SIGTERM 1": (signal.SIGTERM, lambda job: job.tasks()[1]),
                "SIGINT 2": (signal.SIGINT, lambda job: job.tasks()[2])}
        for name, outcome in self.strike(jobs).items():
            with self.subTest(name):
                document = self.assert_interrupted(outcome)
                self.assertLess(outcome.ending, SOON_SECONDS)
                self.assertEqual(outcome.exit_code, 1, outcome)
                self.assertEqual(document["exit_code"], 1)
                last = document["tests"][0]["phases"][-1]
                # Between two phases there is none to stop.
                if last["status"] == "stopped":
                    self.assertIn("signal", last["stop"])
                self.assertEqual(os.listdir(os.path.join(self.folder, name)), [])

    def test_that_kill_a_task_end_the_job_with_finished_phases_on_disk(self):
        jobs = {"SIGKILL 0": (signal.SIGKILL, lambda job: job.tasks()[0]),
                "SIGKILL 1": (signal.SIGKILL, lambda job: job.tasks()[1])}
        for name, outcome in self.strike(jobs).items():
            with self.subTest(name):
                self.assertNotEqual(outcome.exit_code, 0, outcome)
                self.assertLess(outcome.ending, SOON_SECONDS)
                phases = [line["phase"] for line in outcome.journal if "phase" in line]
                self.assertGreaterEqual(len(phases), 4)
                # Of task 0 nobody was left to make the document.
                if not outcome.has_document():
                    self.finish(outcome.journal_path)
                self.assert_interrupted(outcome)


if __name__ == "__main__":
    unittest.main()
