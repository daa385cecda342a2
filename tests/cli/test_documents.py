"""The committed man pages and completion say what the program says; make man writes them anew."""

import glob
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


class Documents(unittest.TestCase):
    maxDiff = None

    def test_pages_are_what_the_program_says(self):
        self.assertGreaterEqual(len(pages()), 4)
        for path in pages():
            topic = re.fullmatch(r"iorx-?(.*)\.[17]", os.path.basename(path)).group(1)
            if not topic and SITE_BACKENDS:
                continue  # it names all backends
            with self.subTest(page=os.path.basename(path)):
                said = says("--man=" + topic) if topic else says("--man")
                self.assertEqual(committed(path), said, "make man writes it anew")

    @built_as_is
    def test_completion_is_what_the_program_says(self):
        self.assertEqual(committed(os.path.join(DOC, "iorx.bash")), says("--completion=bash"))

    def test_completion_is_a_program_bash_understands(self):
        subprocess.run(["bash", "-n", os.path.join(DOC, "iorx.bash")], check=True)

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_pages_are_correct_roff(self):
        checked = subprocess.run(["mandoc", "-T", "lint", "-W", "error", *pages()],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(checked.stdout, "")


if __name__ == "__main__":
    unittest.main()
