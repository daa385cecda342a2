"""iorx-compare --run as a program: jobs of iorx run in turns, their results stay, and another call goes on."""

import json
import os
import shlex
import signal
import subprocess
import time
import unittest

from check_schema import check_document
from program import IORX, LAUNCH, Case, built, needs_reports

COMPARE = built("iorx-compare")


@needs_reports(COMPARE)
class Turns(Case):
    def setUp(self):
        super().setUp()
        self.keep = os.path.join(self.home, "keep")

    def job(self, block_size, transfer_size):
        return shlex.join([LAUNCH, "1", IORX, "--api=null", "-w", "-b", block_size, "-t", transfer_size, "-o", "data"])

    def start(self, *commands):
        options = [word for one in commands for word in ("--run", one)]
        return subprocess.Popen([COMPARE, *options, f"--keep={self.keep}", "--format=json", "--budget=2m"], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def test_jobs_of_a_large_and_a_small_transfer_are_told_apart(self):
        """Without storage a rate grows with the transfer size. Here the phases take some 400 ms and 2 ms, also on a busy machine."""
        commands, jobs = (self.job("64g", "4k"), self.job("64g", "1m")), None
        for _ in range(2):  # the second call finds the results of the first
            program = self.start(*commands)
            out, err = program.communicate()
            self.assertEqual((program.returncode, err), (0, ""), out)
            found = json.loads(out)
            row = found["comparisons"][0]["phases"][0]
            self.assertEqual((found["ended"], row["phase"], row["verdict"]), ("every row is decided", "write", "faster"), out)
            jobs = jobs or found["jobs"]
            self.assertEqual(found["jobs"], jobs)
        for side, count in zip("AB", jobs):
            names = sorted(os.listdir(os.path.join(self.keep, side)))
            self.assertEqual(names, [f"{number:04}.json" for number in range(1, count + 1)])
            for name in names:
                check_document(os.path.join(self.keep, side, name))

    def test_a_job_that_cannot_run_says_why(self):
        program = self.start(self.job("1m", "64k"), self.job("1m", "3"))
        out, err = program.communicate()
        self.assertEqual((program.returncode, out), (2, ""))
        self.assertRegex(err, r"(?s)^iorx-compare: error: a job failed: .*iorx: error: .*\nexit code \d+\n$")

    def test_a_signal_ends_the_job_and_says_how_to_go_on(self):
        program = self.start(self.job("64t", "4k"), self.job("64t", "4k"))
        until = time.monotonic() + 60
        while not os.path.exists(os.path.join(self.keep, "job.jsonl")) and time.monotonic() < until:
            time.sleep(.02)
        os.kill(program.pid, signal.SIGTERM)
        out, err = program.communicate(timeout=60)  # the launcher and its tasks are waited for
        self.assertEqual((program.returncode, out), (128 + signal.SIGTERM, ""))
        self.assertIn(f"--keep={self.keep} with the same commands goes on", err)


if __name__ == "__main__":
    unittest.main()
