"""quickstart chooses one Python, and says at its end why there is no report.

It runs in a copy of the tree that has nothing to build: configure, make, iorx and the package manager
are scripts. Nothing is installed.
"""

import os
import re
import shutil
import subprocess
import sys
import unittest

import program
from program import Case

MODULES = ("jsonschema", "matplotlib", "jinja2", "numpy", "scipy")
COPIED = ("quickstart", "build-aux/choose-python", "tests/launch", "examples/quickstart.ior")
# The pilot's rates, then the files that --output names.
IORX = """
echo "$@" >>{home}/ran
case "$*" in *--output=none*) echo "Max Write: {write} MiB/sec ("; echo "Max Read:  {read} MiB/sec ("; exit ;; esac
for last; do :; done
names=${{last#--output=}}
echo '{{}}' >"${{names%,*}}"
printf 'head\\n\\nphase\\n\\nsummary\\n\\ncomparable\\n' >"${{names#*,}}"
seq {verdicts} >>"${{names#*,}}"
"""
REPORT = "echo page >$(basename $1 .json).html"


class Quickstart(Case):
    def setUp(self):
        super().setUp()
        self.tree = os.path.join(self.home, "tree")
        self.programs = os.path.join(self.home, "programs")
        for name in COPIED:
            path = os.path.join(self.tree, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            shutil.copy(os.path.join(program.SOURCE, name), path)
        self.script("tree/configure", "exit 1")
        self.script("tree/build/config.status", "true")
        self.iorx()
        self.script("programs/make", "true")
        self.script("programs/mpiexec", 'while test "$1" != -n; do shift; done; shift 2; exec "$@"')
        self.script("programs/apt-cache", "true")
        self.script("programs/apt-get", f'echo "$@" >>{self.home}/apt; exit 1')
        self.write("tree/build/Makefile", f"MPIEXEC = {self.programs}/mpiexec\n")

    def write(self, name, text):
        path = os.path.join(self.home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def script(self, name, text):
        path = self.write(name, f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)
        return path

    def iorx(self, write="10.00", read="20.00", verdicts=3):
        self.script("tree/build/iorx", IORX.format(home=self.home, write=write, read=read, verdicts=verdicts))

    def python(self, name, *modules):
        """A Python that has these of the modules, and lacks the others."""
        for module in MODULES:
            self.write(f"{name}.modules/{module}.py", "" if module in modules else "raise ImportError")
        return self.script(name, f"PYTHONPATH={self.home}/{name}.modules exec {sys.executable} -S \"$@\"")

    def system_python(self, *modules):
        """One that has these of the modules takes the place of the distribution's own."""
        path = self.python("system/python3", *modules)
        name = os.path.join(self.tree, "build-aux", "choose-python")
        text = re.sub("(?m)^system_python=[^ ]*", f"system_python={path}", program.read(name))
        self.write("tree/build-aux/choose-python", text)
        return path

    def quickstart(self, *arguments, **variables):
        """Its last line, and what was to be installed."""
        environment = {**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}",
                       "IORX_SCRATCH": self.folder, **variables}
        if "PYTHON" not in variables:
            environment.pop("PYTHON", None)
        done = subprocess.run([os.path.join(self.tree, "quickstart"), "--yes", *arguments],
                              env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        apt = os.path.join(self.home, "apt")
        self.said = done.stdout
        self.exit_code = done.returncode
        return self.said.splitlines()[-1], program.read(apt) if os.path.exists(apt) else ""

    def test_takes_the_python_that_has_all_modules(self):
        self.script("tree/build/iorx-report", REPORT)
        self.python("programs/python3", "jinja2", "jsonschema")
        system = self.system_python(*MODULES)
        last, installed = self.quickstart()
        self.assertRegex(last, r"quickstart: to look at: .*/quickstart-results/iorx-\d+-\d+\.html$")
        self.assertNotIn("python3-", installed)
        self.assertIn(f"{system} lacks ;", program.read(self.tree + "/build/quickstart-surroundings"))

    def test_packages_are_counted_for_the_python_that_they_belong_to(self):
        self.python("programs/python3", "jinja2", "jsonschema")
        self.system_python("matplotlib")
        last, installed = self.quickstart()
        packages = "python3-jinja2 python3-numpy python3-scipy"
        self.assertEqual(self.exit_code, 0, self.said)
        self.assertIn(f" {packages}\n", installed)
        self.assertNotIn("python3-matplotlib", installed)
        self.assertRegex(last, "^quickstart: no report: /.*/programs/python3 lacks matplotlib numpy scipy; "
                               rf"install: (sudo )?apt-get install {packages}$")

    def test_a_python_that_is_named_is_the_only_one(self):
        named = self.python("named/python3", "jsonschema", "jinja2", "numpy", "scipy")
        self.system_python(*MODULES)
        last, installed = self.quickstart(PYTHON=named)
        self.assertNotIn("python3-", installed)
        self.assertEqual(last, f"quickstart: no report: {named} lacks matplotlib; install: "
                               f"{named} -m pip install matplotlib")

    def test_a_named_python_without_what_the_tests_need_is_refused(self):
        named = self.python("named/python3", "matplotlib")
        last, installed = self.quickstart("check", PYTHON=named)
        self.assertEqual(self.exit_code, 1, self.said)
        self.assertNotIn("python3-jsonschema", installed)
        self.assertIn(f"{named} -m pip install jsonschema", last)
        last, _ = self.quickstart(PYTHON=self.script("named/python3", "exit 1"))
        self.assertIn("is no Python 3.9 or newer", last)

    def test_is_configured_again_when_modules_were_installed_since(self):
        self.system_python()
        self.script("tree/build/config.status", f"echo again >>{self.home}/configured")
        self.quickstart()
        self.quickstart()
        self.assertEqual(program.read(self.home + "/configured"), "again\n" * 2)  # --recheck, and files
        self.system_python(*MODULES)
        self.quickstart()
        self.assertEqual(program.read(self.home + "/configured"), "again\n" * 4)

    def test_minimal_installs_and_builds_neither_backends_nor_reports(self):
        self.script("tree/configure", f'echo "$@" >{self.home}/configured')
        self.system_python()
        last, installed = self.quickstart("--minimal")
        self.assertEqual(last, "quickstart: no report: --minimal leaves it out")
        for package in ("python3-", "libhdf5", "liburing"):
            self.assertNotIn(package, installed)
        self.assertEqual(program.read(self.home + "/configured"), "--disable-everything --without-python\n")
        self.quickstart()
        self.assertEqual(program.read(self.home + "/configured"), "\n")

    def test_names_the_line_for_a_host_whose_name_does_not_resolve(self):
        line = "add to /etc/hosts: 127.0.0.1 localhost"
        self.system_python(*MODULES)
        self.quickstart()
        self.assertNotIn(line, self.said)
        self.script("programs/mpiexec", "exit 124")  # what timeout ends with
        self.quickstart()
        self.assertIn(line, self.said)

    def test_says_when_the_report_itself_failed(self):
        self.script("tree/build/iorx-report", "exit 1")
        self.system_python(*MODULES)
        self.assertRegex(self.quickstart()[0], "no report: .*iorx-report iorx-.*.json failed")

    def test_a_pilot_sizes_the_job_of_as_many_tasks_as_cpus(self):
        self.script("programs/nproc", "echo 1")
        self.system_python(*MODULES)
        for write, read, mib in (("10.00", "20.00", 81), ("20.00", "10.00", 81), ("1.00", "20.00", 41)):
            with self.subTest(write=write, read=read):
                self.iorx(write, read)
                self.quickstart()
                self.assertEqual(self.exit_code, 0, self.said)
                pilot, job = program.read(self.home + "/ran").splitlines()[-2:]
                self.assertIn(" -b 257m --format=ior --output=none", pilot)
                self.assertIn(f" -b {mib}m --output=", job)
        self.iorx(read="0.00")
        self.assertIn("the first run has no rates: Max Write: 10.00", self.quickstart()[0] + self.said)
        self.assertEqual(self.exit_code, 1)

    def test_shows_at_most_20_lines(self):
        self.system_python(*MODULES)
        for verdicts, shown in (3, "3"), (11, "11"), (12, "  ..."), (40, "  ..."):
            with self.subTest(verdicts=verdicts):
                self.iorx(verdicts=verdicts)
                self.quickstart()
                lines = self.said[self.said.index("quickstart: a short first run"):].splitlines()
                self.assertLessEqual(len(lines), 20)
                self.assertEqual(lines[2:6], ["", "phase", "", "comparable"])
                self.assertEqual(lines[lines.index("", 5) - 1], shown)
                self.assertNotIn("summary", lines)


if __name__ == "__main__":
    unittest.main()
