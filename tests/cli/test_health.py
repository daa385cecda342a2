"""iorx-health as a program: a short job runs, its result is kept, and nothing else stays."""

import json
import os
import signal
import subprocess
import time
import unittest

from program import LAUNCH, Case, built, needs_reports

HEALTH = built("iorx-health")


@needs_reports(HEALTH)
class Health(Case):
    def setUp(self):
        super().setUp()
        self.baseline = os.path.join(self.home, "baseline")
        launcher = os.path.join(self.home, "launcher")
        with open(launcher, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nshift\nMPIEXEC="{os.environ.get("MPIEXEC", "mpiexec")}" exec "{LAUNCH}" "$@"\n')
        os.chmod(launcher, 0o755)
        self.environment = {**os.environ, "MPIEXEC": launcher}

    def start(self, *words, program=(HEALTH,)):
        return subprocess.Popen([*program, self.folder, "--tasks=2", f"--baseline={self.baseline}", *words], env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def documents(self):
        found = []
        for name in sorted(os.listdir(self.baseline)):
            with open(os.path.join(self.baseline, name), encoding="utf-8") as file:
                found.append(json.load(file))
        return found

    def test_two_runs_of_a_baseline_have_the_same_sizes(self):
        for program in ([HEALTH], [built("iorx"), "health"]):
            job = self.start("--seconds=0.1", program=program)
            out, err = job.communicate()
            self.assertEqual((job.returncode, err), (2, ""), out)
            self.assertIn("more to go", " ".join(out.split()))
            self.assertRegex(out, r"(?m)^4 KiB read +\d.* op/s")
            self.assertLessEqual(len(out.splitlines()), 12, out)
            self.assertLessEqual(max(map(len, out.splitlines())), 80, out)
            self.assertEqual(os.listdir(self.folder), [])
        first, second = self.documents()
        for document in first, second:
            phases = [[phase["phase"] for phase in test["phases"]] for test in document["tests"]]
            self.assertEqual(phases, [["write", "read"], ["load"],
                                      ["tree-create", "file-create", "file-stat", "file-remove", "tree-remove"]])
        self.assertEqual(*([test["options"] for test in one["tests"]] for one in (first, second)))

    def start_job(self):
        """A run that takes minutes, once its job writes."""
        job = self.start("--seconds=60")
        until = time.monotonic() + 60
        while not os.path.exists(os.path.join(self.folder, "iorx-health", "file")) and time.monotonic() < until:
            time.sleep(.02)
        return job

    def test_the_job_ends_with_a_program_that_is_killed(self):
        job = self.start_job()
        job.kill()
        job.communicate(timeout=60)  # the launcher and its tasks hold the pipes too

    def test_a_signal_leaves_nothing(self):
        """A terminal sends SIGINT to all processes of its group."""
        for number, send in ((signal.SIGTERM, os.kill), (signal.SIGINT, os.killpg)):
            with self.subTest(number.name):
                job = self.start_job()
                send(job.pid, number)
                job.communicate()
                self.assertEqual((job.returncode, os.listdir(self.folder), os.listdir(self.baseline)), (128 + number, [], []))


if __name__ == "__main__":
    unittest.main()
