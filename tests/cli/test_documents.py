"""The committed man pages and completion say what the program says; make man writes them anew."""

import glob
import json
import os
import re
import shutil
import subprocess
import unittest

IORX = os.environ["IORX"]
DOC = os.path.join(os.environ["SRCDIR"], "doc")


def says(*arguments):
    return subprocess.run([IORX, *arguments], check=True, capture_output=True, text=True).stdout


def committed(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def pages():
    return sorted(glob.glob(os.path.join(DOC, "iorx*.[17]")))


SITE_BACKENDS = os.environ.get("SITE_BACKENDS", "").strip()
built_as_is = unittest.skipIf(SITE_BACKENDS, "has backends of a site's own")


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

    def test_pages_are_what_the_program_says(self):
        self.assertGreaterEqual(len(pages()), 4)
        for path in pages():
            if "iorx_results.manual" in committed(path):
                continue  # of a Python program: tests/python/test_manual.py
            topic = re.fullmatch(r"iorx-?(.*)\.[17]", os.path.basename(path)).group(1)
            if not topic and SITE_BACKENDS:
                continue  # it names all backends
            with self.subTest(page=os.path.basename(path)):
                said = says("--man=" + topic) if topic else says("--man")
                self.assertEqual(committed(path), said, "make man writes it anew")

    @built_as_is
    def test_completion_is_what_the_program_says(self):
        script = committed(os.path.join(DOC, "iorx.bash"))
        for api, lines in rows(says("--list-backends")).items():
            if "not built in" in lines[0]:  # it is made by a build that has everything
                script = re.sub(rf'(\) words="posix .*?) {api}\b', r"\1", script)
        self.assertEqual(script, says("--completion=bash"))

    def test_table_of_the_guide_is_what_the_program_says(self):
        guide = committed(os.path.join(DOC, "guide.md"))
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
        named = set(re.findall(r"`(\w+)`", document))
        with open(os.path.join(DOC, "result.schema.json"), encoding="utf-8") as file:
            schema = json.load(file)["$defs"]
        for kind in ("names_plan", "names"):
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
