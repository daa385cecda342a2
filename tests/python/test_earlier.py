"""Results that iorx 0.1.0 wrote, a document of each kind and a journal, go on being read."""

import os
import unittest

import results
from iorx_results import compare, convert, report

EARLIER = os.path.join(results.TOP, "tests/golden/earlier")
FILES = sorted(os.path.join(EARLIER, name) for name in os.listdir(EARLIER))


def run(program, *arguments):
    """(exit code, all that was said) of a command."""
    code, out, err = results.run_command(program.main, "command", *arguments)
    return code, out + err


class EarlierTest(results.Case):
    def test_reports_have_a_page_of_each(self):
        for path in FILES:
            with self.subTest(file=path):
                page = os.path.join(self.folder, "page.html")
                code, said = run(report, path, "-o", page)
                self.assertEqual(code, 0, said)
                self.assertGreater(os.path.getsize(page), 10000)

    def test_a_document_is_as_fast_as_itself(self):
        for path in FILES:
            if path.endswith(".json"):
                with self.subTest(file=path):
                    code, said = run(compare, path, path)
                    self.assertEqual(code, 0, said)
                    self.assertIn("1.00", said)

    def test_a_curve_is_converted(self):
        code, said = run(convert, "--to=fio", os.path.join(EARLIER, "curve.json"))
        self.assertEqual(code, 0, said)
        self.assertIn('"iops"', said)


if __name__ == "__main__":
    unittest.main()
