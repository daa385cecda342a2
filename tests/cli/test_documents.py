"""The committed man pages and completion follow from the options of the program; make man writes them."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

IORX = os.environ["IORX"]
DOC = os.path.join(os.environ["SRCDIR"], "doc")
SOURCE = os.environ["SRCDIR"]
MAKER = os.path.join(SOURCE, "build-aux", "option-documents.py")
RESULT_MAKER = os.path.join(SOURCE, "build-aux", "result-documents.py")
FIELDS = os.path.join(os.environ["BUILDDIR"], "build-aux", "result-fields")


def says(*arguments):
    return subprocess.run([IORX, *arguments], check=True, capture_output=True, text=True).stdout


def committed(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def pages():
    return sorted(glob.glob(os.path.join(DOC, "iorx*.[17]")))


SITE_BACKENDS = os.environ.get("SITE_BACKENDS", "").strip()


def site_pages():
    return [f"iorx-{name}.7" for name in SITE_BACKENDS.split()]


def rows(table):
    """{api: its lines} of what --list-backends prints; what is not indented begins one."""
    found = {}
    for line in table.split("\n\n")[0].splitlines():
        if not line.startswith(" "):
            api = line.split()[0]
        found.setdefault(api, []).append(line)
    return found


def members(schema):
    """Names of all members in a part of a schema."""
    if isinstance(schema, list):
        return set().union(*map(members, schema))
    if not isinstance(schema, dict):
        return set()
    own = schema.get("properties")
    return members(list(schema.values())) | set(own if isinstance(own, dict) else ())


class Documents(unittest.TestCase):
    maxDiff = None

    def test_pages_and_completion_follow_from_the_options(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, MAKER, folder], check=True, text=True, input=says("--help=json"))
            made = sorted(os.listdir(folder))
            self.assertGreaterEqual(len(made), 5)
            for name in made:
                if SITE_BACKENDS and name in ("iorx.1", "iorx.bash", *site_pages()):
                    continue  # they name backends that this tree does not have
                with self.subTest(document=name):
                    self.assertEqual(committed(os.path.join(DOC, name)), committed(os.path.join(folder, name)),
                                     "make man writes it anew")
        for path in pages():
            if "iorx_results.manual" not in committed(path):  # of a Python program: tests/python/test_manual.py
                self.assertIn(os.path.basename(path), made)

    def test_documents_of_results_follow_from_the_rows_of_numbers(self):
        rows = subprocess.run([FIELDS], check=True, capture_output=True, text=True).stdout
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, RESULT_MAKER, SOURCE, folder], check=True, text=True, input=rows)
            for name in ("doc/result.schema.json", "doc/result.md", "python/iorx_results/fields.py"):
                with self.subTest(document=name):
                    self.assertEqual(committed(os.path.join(SOURCE, name)), committed(os.path.join(folder, name)),
                                     "make man writes it anew")

    def test_table_of_the_guide_is_what_the_program_says(self):
        guide = committed(os.path.join(DOC, "guide", "interfaces.md"))
        table = guide.split("<!-- backends -->\n\n")[1].split("<!-- /backends -->")[0]
        there = rows(re.sub("(?m)^    ", "", table))
        # Packages are those of the MPI this is built for; the guide is made with Open MPI.
        said = rows(says("--list-backends").replace("mpich-dev  ", "openmpi-dev"))
        self.assertIn("posix", there)
        self.assertLessEqual(set(there), set(said))
        for api in set(said) - set(SITE_BACKENDS.split()):
            if "not built in" in said[api][0]:  # the guide is made by a build that has everything
                said[api] = there[api]
            self.assertEqual(there[api], said[api], "make man writes it anew, in a full build")

    def test_members_of_metadata_tests_are_explained(self):
        document = committed(os.path.join(DOC, "result.md"))
        named = {name for path in re.findall(r"`([\w.]+)`", document) for name in path.split(".")}
        with open(os.path.join(DOC, "result.schema.json"), encoding="utf-8") as file:
            schema = json.load(file)["$defs"]
        schema["metadata"] = schema["phase"]["properties"]["metadata"]
        for kind in ("metadata_plan", "metadata"):
            self.assertEqual(members(schema[kind]) - named, set(), kind)

    def test_table_fits_a_terminal(self):
        for line in says("--list-backends").splitlines():
            self.assertLessEqual(len(line), 80, line)

    def test_completion_is_a_program_bash_understands(self):
        subprocess.run(["bash", "-n", os.path.join(DOC, "iorx.bash")], check=True)

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_pages_are_correct_roff(self):
        checked = subprocess.run(["mandoc", "-T", "lint", "-W", "error", *pages()],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(checked.stdout, "")


if __name__ == "__main__":
    unittest.main()
