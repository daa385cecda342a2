"""Runs the jobs of jobs.py with --anonymize: no name of a host, a user or a file is in what they print or write.

All forms of the text and all tables take names from lines, where they are hidden, or hide them themselves.
"""

import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from jobs import JOBS  # noqa: E402
from program import Case, is_built_in, needs_root, read  # noqa: E402

ON_A_HOST = ["unshare", "--uts", "sh", "-c", 'hostname ZzHost.ZzDomain; exec "$@"', "sh"]


@needs_root
class Hidden(Case):
    """Every name that iorx can know begins with Zz."""

    def setUp(self):
        super().setUp()
        self.folder = os.path.join(self.home, "Zz", "folder")
        self.results = os.path.join(self.home, "ZzResults")
        os.makedirs(self.folder)
        os.makedirs(self.results)

    def texts(self, outcome):
        yield "standard output", outcome.out
        for folder, _, names in os.walk(self.home):
            yield from ((name, read(os.path.join(folder, name))) for name in names
                        if name.endswith((".json", ".jsonl", ".csv", ".txt")))

    def hide(self, job):
        with open(os.path.join(self.folder, "Zz.ior"), "w", encoding="utf-8") as file:
            file.write(re.sub(r"(testFile|dir) = ", r"\1 = ./Zz", job.text))
        for line in job.lines:
            words = re.sub(r"(-[od]) (\./)?", r"\1 ./Zz", line).replace("job.ior", "./Zz.ior").split()
            outcome = self.run_iorx([*words, "--anonymize", f"--output={self.results}/Zz.json,{self.results}/Zz.csv"],
                                    job.tasks, output=False, wrapper=ON_A_HOST,
                                    environment={**os.environ, "USER": "ZzUser"})
            self.assertNotEqual(outcome.exit_code, 2, outcome)  # a refused job has nothing to hide
            for name, text in self.texts(outcome):
                self.assertNotIn("Zz", text, (job.name, line, name))


def test_of(job):
    def test(self):
        if not is_built_in(job.backend):
            self.skipTest(f"{job.backend} is not built in")
        self.hide(job)
    return test


for each in JOBS:
    if not each.signal and not each.name.startswith("refused"):
        setattr(Hidden, "test_" + each.name.replace("-", "_"), test_of(each))

if __name__ == "__main__":
    unittest.main()
