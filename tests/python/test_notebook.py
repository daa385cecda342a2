"""iorx_results.read().table(): what doc/guide/notebook.md shows is what happens."""

import contextlib
import io
import os
import re
import sys
import types
import unittest

import results
import iorx_results
from iorx_results import rows
from iorx_results.members import ResultError


def guide():
    with open(os.path.join(results.TOP, "doc/guide/notebook.md"),
              encoding="utf-8") as file:
        return file.read()


class Frame:
    """Stands for pandas.DataFrame where pandas is not installed."""
    def __init__(self, table):
        self.columns = list(table[0])

    def pivot_table(self, index, columns, values):
        for name in (index, columns, values):
            if name not in self.columns:
                raise KeyError(name)


class NotebookTest(results.Case):
    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.folder, "results"))
        for name in ("three", "failed", "metadata", "load"):
            self.write(f"results/{name}", results.ALL[name]())

    def test_the_snippets_of_the_guide_run(self):
        names, out, there = {}, io.StringIO(), os.getcwd()
        if "pandas" not in sys.modules:
            try:
                import pandas  # noqa: F401
            except ImportError:
                sys.modules["pandas"] = types.SimpleNamespace(DataFrame=Frame)
                self.addCleanup(sys.modules.pop, "pandas")
        snippets = re.findall(r"```python\n(.*?)```", guide(), re.DOTALL)
        self.assertEqual(len(snippets), 6)
        os.chdir(self.folder)
        try:
            for snippet in snippets:
                with contextlib.redirect_stdout(out):
                    exec(snippet, names)
        finally:
            os.chdir(there)
        self.assertRegex(out.getvalue(),
                         r"(?m)^\d{4}-\d\d-\d\d \d+ MB/s (good|note|warn)$")
        self.assertRegex(out.getvalue(), r"(?m)^results 0 to 1: \d+ MB/s$")
        self.assertGreater(names["best"], 0)

    def test_the_guide_names_every_column(self):
        for name in rows.SHOWN:
            self.assertIn(f"`{name}`", guide())

    def test_the_table_is_shown_and_can_be_chosen_from(self):
        table = iorx_results.read(os.path.join(self.folder, "results")).table()
        self.assertEqual(table.columns, rows.SHOWN)
        self.assertEqual({row["phase"] for row in table.where(phase="load")}, {"load"})
        self.assertEqual(len(table.column("rate")), len(table))
        shown = iorx_results.read(self.write("hostile",
                                             results.hostile())).table()._repr_html_()
        self.assertNotIn("<script", shown)
        self.assertEqual(shown.count("<tr>"), 3)

    def test_a_file_that_is_no_result_is_named(self):
        path = self.write("results/other", {"a": 1})
        with self.assertRaisesRegex(ResultError, re.escape(path)):
            iorx_results.read(os.path.join(self.folder, "results/*.json")).table()
        with self.assertRaisesRegex(ResultError, "no file has such a name"):
            iorx_results.read(os.path.join(self.folder, "none*.json"))


if __name__ == "__main__":
    unittest.main()
