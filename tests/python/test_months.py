"""iorx-report FOLDER: results over time, with changes of level."""

import datetime
import os
import re
import time
import unittest

import browser
import numpy
import results
from iorx_results import levels, months, report
from test_browser import CONTRAST, MEETING, STICKING_OUT

FIRST = datetime.datetime(2026, 3, 1, 2, 30)


def dated(document, day, factors=None):
    """The document of another day; factors: {phase: how many times as fast}."""
    document["run"]["began"] = (FIRST +
                                datetime.timedelta(days=day)).isoformat() + ".123Z"
    for test in document["tests"]:
        for phase in filter(lambda one: one.get("rates"), test["phases"]):
            phase["rates"] = results.scale(phase["rates"],
                                           (factors or {}).get(phase["phase"],
                                                               1), "_per_s")
    return document


class LevelsTest(unittest.TestCase):
    def line(self, counts, noise=.03, change=-.1):
        """
        Rates of levels with so many values each, the second and fourth of which are
        lower or higher by `change`.
        """
        at = numpy.concatenate([
            numpy.full(count, 1 + change * (place % 2))
            for place, count in enumerate(counts)
        ])
        return list(1000 * at * self.chance.lognormal(0, noise, len(at)))

    def setUp(self):
        self.chance = numpy.random.default_rng(7)

    def test_equal_rates_have_one_level(self):
        """
        At most 5 % of lines, and with 36 lines on a page at most 5 % of pages, but for
        chance in 200 of them.
        """
        for count, noise in ((10, .03), (30, .1), (60, .1), (300, .1)):
            alone = sum(
                len(levels.levels(self.line([count], noise))) > 1 for _ in range(200))
            self.assertLessEqual(alone, 20, count)
            on_a_page = sum(
                len(levels.levels(self.line([count], noise), 36)) > 1
                for _ in range(200))
            self.assertLessEqual(on_a_page, 3, count)

    def test_a_tenth_is_found_in_noise_of_3_percent(self):
        for counts, lines in (((30, 5), 1), ((30, 10), 36), ((500, 20), 36)):
            found = [
                levels.changes(levels.levels(self.line(counts), lines))
                for _ in range(50)
            ]
            self.assertGreaterEqual(
                sum(
                    any(abs(one.at - counts[0]) <= 2 for one in each)
                    for each in found), 42, counts)

    def test_there_and_back_are_two_changes(self):
        found = levels.changes(levels.levels(self.line((40, 30, 40))))
        self.assertEqual([abs(one.at - at) <= 1 for one, at in zip(found, (40, 70))],
                         [True, True])
        self.assertAlmostEqual(found[0].share, -.1, delta=.03)
        self.assertAlmostEqual(found[1].share, .11, delta=.03)

    def test_rates_that_follow_one_another_are_no_change(self):
        """
        Each night resembles the one before: without the correction for it 27 of 100
        such lines have a change.
        """
        found = 0
        for _ in range(100):
            noise = self.chance.normal(size=100)
            for place in range(1, 100):
                noise[place] = .3 * noise[place - 1] + .954 * noise[place]
            found += len(levels.levels(list(1000 * numpy.exp(.1 * noise)))) > 1
        self.assertLessEqual(found, 16)

    def test_small_changes_and_outliers_are_none(self):
        self.assertEqual(len(levels.levels(self.line((100, 100), .002, -.03))), 1)
        rates = self.line([40])
        rates[39] = rates[20] = 1
        self.assertEqual(len(levels.levels(rates)), 1)

    def test_odd_lines(self):
        for values in ([1.0], [1.0] * 50, [1e-9, 1e12] * 3):
            self.assertEqual([found[:2] for found in levels.levels(values)],
                             [(0, len(values))])


class MonthsTest(results.Case):
    def setUp(self):
        super().setUp()
        self.inside = os.path.join(self.folder, "months")
        os.mkdir(self.inside)

    def put(self, name, document):
        return self.write(f"months/{name}", document)

    def report(self, *arguments):
        """(exit code, the page, standard error)"""
        page_file = os.path.join(self.folder, "page.html")
        code, _, err = results.run_command(report.main, "iorx-report", self.inside,
                                           "-o", page_file, *arguments)
        text = ""
        if os.path.exists(page_file):
            with open(page_file, encoding="utf-8") as file:
                text = file.read()
        return code, text, err

    def put_days(self, count=40, slow_from=30):
        chance = numpy.random.default_rng(3)
        for day in range(count):
            factors = {
                "write": chance.lognormal(0, .02) * (.85 if day >= slow_from else 1),
                "read": chance.lognormal(0, .02)
            }
            self.put(f"day{day:02}", dated(results.one(), day, factors))

    def test_a_change_is_named_with_its_days(self):
        self.put_days()
        code, text, err = self.report()
        self.assertEqual((code, err), (0, ""))
        self.assertIn("<h1>40 results, 1 change of level</h1>", text)
        self.assertRegex(
            text,
            r'class="fail">write fell by 1[456] % between 2026-03-30 and 2026-03-31: ')
        self.assertEqual(text.count("<figure>"), 2)
        self.assertEqual(text.count("<tr><td"), 80)

    def test_each_result_is_one_click_away(self):
        self.put_days(3)
        self.put("od#d %41", dated(results.one(), 5))
        _, text, _ = self.report()
        self.assertEqual(
            set(re.findall(r'<td[^>]*><a href="([^"]+)"', text)), {
                "months/day00.json", "months/day01.json", "months/day02.json",
                "months/od%23d%20%2541.json"
            })
        code, text, _ = self.report("--pages")
        self.assertEqual(code, 0)
        for link in ("months/day00.html", "months/od%23d%20%2541.html"):
            self.assertIn(f'href="{link}"', text)
        self.assertTrue(os.path.exists(os.path.join(self.inside, "od#d %41.html")))
        made = os.path.getmtime(os.path.join(self.inside, "day00.html"))
        time.sleep(.01)
        self.report("--pages")
        self.assertEqual(os.path.getmtime(os.path.join(self.inside, "day00.html")),
                         made)

    def test_what_is_no_result_is_named_and_left_out(self):
        self.put_days(2)
        for name, text in (("notes.json", '{"a": 1}'), ("torn.json", '{"schema":'),
                           ("bin.json", "\udcff"), ("x.jsonl", "no")):
            with open(os.path.join(self.inside, name),
                      "w",
                      encoding="utf-8",
                      errors="surrogateescape") as file:
                file.write(text)
        os.mkdir(os.path.join(self.inside, "folder.json"))
        code, text, err = self.report()
        self.assertEqual((code, err), (0, ""))
        self.assertIn("5 files are left out, as they are no results", text)
        for words in ("<code>notes.json</code>: schema is missing",
                      "<code>torn.json</code>: not JSON",
                      "<code>bin.json</code>: not UTF-8",
                      "<code>folder.json</code>: this is no regular file"):
            self.assertIn(words, text)
        for name in os.listdir(self.inside):
            if name.startswith("day"):
                os.remove(os.path.join(self.inside, name))
        code, _, err = self.report()
        self.assertEqual(code, 2)
        self.assertRegex(
            err,
            r"^iorx-report: error: \S+: no file is a result; \S+bin.json: not UTF-8 "
            r"text\n$"
        )

    def test_only_equal_tests_make_a_line(self):
        for day in range(4):
            document = dated(results.one(), day)
            if day % 2:
                document["tests"][0]["options"]["queue_depth"] = {
                    "value": 8,
                    "origin": "file"
                }
            self.put(f"day{day}", document)
        found = months.read([self.inside], report.parser().parse_args([self.inside]))
        self.assertEqual(
            sorted([row.began[8:10] for row in line.rows] for line in found.lines),
            [["01", "03"]] * 2 + [["02", "04"]] * 2)

    def test_local_storage_of_another_host_is_another_line(self):
        for source, lines in (("/dev/sda1", 0), ("server:/export", 2)):
            for day, host in enumerate(("a", "b")):
                document = dated(results.one(), day)
                document["run"]["hosts"] = [host]
                document["tests"][0]["mount"].update(type="ext4",
                                                     source=source,
                                                     target="/x")
                self.put(f"day{day}", document)
            self.assertEqual(
                len(
                    months.read([self.inside],
                                report.parser().parse_args([self.inside])).lines),
                lines, source)

    def test_options_of_single_results_are_refused(self):
        self.put_days(1)
        for arguments, words in ((["--png", "x"], "--png is of single results"),
                                 (["--pdf", "x"], "--pdf is of single results")):
            self.assertIn(words, self.report(*arguments)[2])
        path = os.path.join(self.inside, "day00.json")
        _, _, err = results.run_command(report.main, "iorx-report", path, "--pages")
        self.assertIn("--pages is of folders", err)

    def test_a_limit_judges_the_results_of_a_folder(self):
        self.put_days(2)
        _, text, _ = self.report("--limit.network=1kB/s")
        self.assertRegex(text, r'<span class="mark fail">fail: [^<]*L1')

    def test_a_thousand_results_keep_the_memory(self):
        """With 60 of them: nothing of a result may stay but its rows."""
        self.put_days(60)
        _, text, _ = self.report()
        self.assertLess(len(text), 400_000)

    @unittest.skipUnless(browser.find(), "no Chromium in PATH")
    def test_the_page_fits_in_a_browser(self):
        self.put_days()
        for name, make in results.ALL.items():
            for day in (0, 200):
                if name != "4096":
                    self.put(f"{name}{day}", dated(make(), day))
        code, text, err = self.report()
        self.assertEqual((code, err), (0, ""))
        self.assertIn("more lines are not drawn", text)
        with browser.Browser() as chromium:
            for width, theme in ((1200, "light"), (420, "dark")):
                chromium.open(os.path.join(self.folder, "page.html"), width, theme)
                for question, answer in ((STICKING_OUT,
                                          []), (MEETING, []), ("document.body.id", ""),
                                         ("document.images.length", 0)):
                    self.assertEqual(chromium.evaluate(question), answer)
                self.assertGreater(chromium.evaluate(CONTRAST), 4.5)


if __name__ == "__main__":
    unittest.main()
