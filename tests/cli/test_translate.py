"""iorx-translate as a program: what it writes runs, and --run starts the launcher."""

import json
import os
import subprocess
import unittest

from program import SOURCE
from translated import TRANSLATE, TranslatedCase


class Program(TranslatedCase):
    def run_with_launcher(self, *words):
        launcher = os.path.join(self.folder, "launcher")
        with open(launcher, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nshift\nMPIEXEC="{os.environ.get("MPIEXEC", "mpiexec")}" exec "{os.environ["LAUNCH"]}" "$@"\n')
        os.chmod(launcher, 0o755)
        done = subprocess.run([TRANSLATE, "--run", *words], cwd=self.folder, text=True, capture_output=True, check=False,
                              env={**os.environ, "MPIEXEC": launcher})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_run_starts_the_launcher(self):
        self.translate("job.fio", text="[x]\nnumjobs=2\nsize=1m\nioengine=null\n")
        done = self.run_with_launcher("--iorx=--output=none", "job.fio")
        self.assertRegex(done.stderr, r"iorx-translate: \S*/launcher -n 2 \S*/iorx -f - --output=none")
        self.assertRegex(done.stdout, r"(?m)^tasks +2 tasks on 1 node")

    def test_the_job_of_a_log_of_darshan_makes_the_transfers_of_the_log(self):
        """iorx counts under Darshan's names. The log also has the headers of HDF5, in small transfers."""
        log = os.path.join(SOURCE, "tests/python/darshan.txt")
        done = self.run_with_launcher("--clones=1", "--iorx=--api=posix --output=a.json", "darshan", log)
        self.assertRegex(done.stdout, r"(?m)^darshan-1, write: the job then: 22\.4 MiB/s; here \d+\.\d .?i?B/s$")
        self.assertRegex(done.stdout, r"darshan-1, read: the job then: 153\.3 MiB/s; here \d")
        with open(log, encoding="utf-8") as file:
            then = {columns[3]: int(columns[4]) for columns in (line.split("\t") for line in file)
                    if columns[0] == "POSIX" and "_F_" not in columns[3]}
        with open(os.path.join(self.folder, "a.json"), encoding="utf-8") as file:
            here = json.load(file)["tests"][0]["counters"]
        for counter in ("SIZE_WRITE_100K_1M", "SIZE_READ_100K_1M", "ACCESS1_ACCESS", "ACCESS1_COUNT", "RW_SWITCHES"):
            self.assertEqual(here[f"POSIX_{counter}"], then[f"POSIX_{counter}"], counter)


if __name__ == "__main__":
    unittest.main()
