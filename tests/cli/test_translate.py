"""iorx-translate as a program: what it writes runs, and --run starts the launcher."""

import os
import subprocess
import unittest

from translated import TRANSLATE, TranslatedCase


class Program(TranslatedCase):
    def test_run_starts_the_launcher(self):
        launcher = os.path.join(self.folder, "launcher")
        with open(launcher, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nshift\nMPIEXEC="{os.environ.get("MPIEXEC", "mpiexec")}" exec "{os.environ["LAUNCH"]}" "$@"\n')
        os.chmod(launcher, 0o755)
        self.translate("job.fio", text="[x]\nnumjobs=2\nsize=1m\nioengine=null\n")
        done = subprocess.run([TRANSLATE, "--run", "--iorx=--output=none", "job.fio"], cwd=self.folder, text=True,
                              capture_output=True, check=False, env={**os.environ, "MPIEXEC": launcher})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"iorx-translate: \S*/launcher -n 2 \S*/iorx -f - --output=none")
        self.assertRegex(done.stdout, r"(?m)^tasks +2 tasks on 1 node")


if __name__ == "__main__":
    unittest.main()
