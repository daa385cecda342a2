"""What iorx writes is what iorx-report reads: a real run becomes a page, a comparison and a plot."""

import json
import os
import subprocess
import unittest

from program import Case
from translated import TRANSLATE

PYTHON = os.environ.get("REPORT_PYTHON")
PACKAGE = os.path.join(os.environ.get("SRCDIR", "."), "python")


@unittest.skipUnless(PYTHON, "needs Python with matplotlib, jinja2, numpy and scipy")
class ReportTest(Case):
    def run_module(self, name, *arguments):
        return subprocess.run([PYTHON, "-B", "-m", f"iorx_results.{name}", *arguments], text=True,
                              env=dict(os.environ, PYTHONPATH=PACKAGE), capture_output=True, timeout=300)

    def result(self):
        name, = [name for name in os.listdir(self.results) if name.endswith(".json")]
        return os.path.join(self.results, name)

    def test_a_real_run_becomes_a_page_a_comparison_and_a_plot(self):
        run = self.run_iorx(["-b", "1m", "-t", "64k", "-i", "6", "-F"], tasks=2)
        self.assert_exit(run, 0)
        result = self.result()
        page = self.run_module("report", result, "-o", result + ".html")
        self.assertEqual((page.returncode, page.stderr), (0, ""))
        with open(result + ".html", encoding="utf-8") as file:
            text = file.read()
        for words in ("where the time of each phase went", "write: rate of each repetition", "write and read: service times"):
            self.assertIn(words, text)
        same = self.run_module("compare", result, result)
        self.assertEqual((same.returncode, same.stderr), (0, ""))
        self.assertIn("1.000", same.stdout)
        kept = self.run_module("compare", result, result, "--fail-below=-50%")
        self.assertEqual((kept.returncode, kept.stderr), (0, ""))
        self.assertIn("A and B are the same results", kept.stdout)
        plot = self.run_module("plot", "times", result, "-o", result + ".svg")
        self.assertEqual((plot.returncode, plot.stderr), (0, ""))

    def test_outputs_in_the_forms_of_ior_and_mdtest_are_imported(self):
        """What iorx prints in these forms comes back with the rates of its own document, as far as they are printed."""
        for words in (["-b", "1m", "-t", "64k", "-i", "3", "--format=ior"], ["-b", "1m", "-t", "64k", "-i", "3", "-O", "summaryFormat=JSON"],
                      ["mdtest", "-d", "tree", "-n", "20", "--format=mdtest"]):
            with self.subTest(words):
                run = self.run_iorx(words, tasks=2)
                self.assert_exit(run, 0)
                document, path = run.document_path, os.path.join(self.folder, "output.txt")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(run.out)
                made = self.run_module("importer", path, "-o", path + ".json")
                self.assertEqual((made.returncode, made.stderr), (0, ""))
                own, imported = ([(phase["phase"], phase["repetition"],
                                   phase["rates"].get("total_bytes_per_s") or phase["rates"].get("total_operations_per_s"))
                                  for test in json.load(open(name, encoding="utf-8"))["tests"] for phase in test["phases"]]
                                 for name in (document, path + ".json"))
                self.assertEqual([one[:2] for one in sorted(own)], [one[:2] for one in sorted(imported)])
                for (*_, rate), (*_, again) in zip(sorted(own), sorted(imported)):
                    self.assertAlmostEqual(again / rate, 1, delta=.001)

    @unittest.skipUnless(os.path.exists(TRANSLATE), "iorx-translate is not built: no Python >= 3.9, or --without-python")
    def test_a_replay_becomes_a_page_and_a_comparison(self):
        """What a trace recorded stands in the result beside what was measured, and has no rate."""
        source, trace = (os.path.join(self.results, name) for name in ("app.csv", "app.trace"))
        with open(source, "w", encoding="utf-8") as file:
            file.writelines(f"{i / 1000},0.0{i % 9 + 1},{'rw'[i % 2]},{4096 * i},4096\n" for i in range(200))
        subprocess.run([TRANSLATE, "trace", "--columns=time,duration,operation,offset,length",
                        "-o", trace, source], check=True)
        self.assert_exit(self.run_iorx(["load", "--trace=" + trace]), 0)
        result = self.result()
        page = self.run_module("report", result, "-o", result + ".html")
        self.assertEqual((page.returncode, page.stderr), (0, ""))
        same = self.run_module("compare", result, result)
        self.assertEqual((same.returncode, same.stderr), (0, ""))
        self.assertIn("load:write", same.stdout)
        self.assertNotIn("_then", same.stdout)

    def test_a_load_at_two_rates_becomes_a_page_a_comparison_and_plots(self):
        self.assert_exit(self.run_iorx(["load", "--file-size=1m", "--duration=0.2", "--rate=[500 1000]",
                                        "--operations=read:70,write:30"], tasks=2), 0)
        result = self.result()
        page = self.run_module("report", result, "-o", result + ".html")
        self.assertEqual((page.returncode, page.stderr), (0, ""))
        with open(result + ".html", encoding="utf-8") as file:
            text = file.read()
        for words in ("rate varied", "load: achieved and asked rate", "load: response and service times",
                      "load, load:read, load:write: service and response", "files were laid out: "):
            self.assertIn(words, text)
        same = self.run_module("compare", result, result)
        self.assertEqual((same.returncode, same.stderr), (0, ""))
        self.assertRegex(same.stdout, r"(?m)^rows are named by rate and phase$")
        self.assertRegex(same.stdout, r"(?m)^  500 load +1/1 ")
        self.assertNotIn("\n  write ", same.stdout)
        plot = self.run_module("plot", "study-latency", result, "-o", result + ".svg")
        self.assertEqual((plot.returncode, plot.stderr), (0, ""))

    def test_a_failed_run_becomes_a_page_that_says_so(self):
        run = self.run_iorx(["-b", "1m", "-t", "64k", "--fault.operation=write", "--fault.kind=fail",
                             "--fault.error=ENOSPC", "--fault.after=3"])
        self.assert_exit(run, 1)
        result = self.result()
        page = self.run_module("report", result, "-o", result + ".html")
        self.assertEqual((page.returncode, page.stderr), (0, ""))
        with open(result + ".html", encoding="utf-8") as file:
            self.assertIn("<h1>failed: ", file.read())


if __name__ == "__main__":
    unittest.main()
