"""iorx-report: every kind of result becomes one self-contained page."""

import base64
import gzip
import html.parser
import json
import os
import re
import stat
import subprocess
import sys
import time
import unittest

import results
from iorx_results import brief, draw, files, headline, page, reader, report, units


class Elements(html.parser.HTMLParser):
    """What a browser would take for elements: (tag, attributes) of each."""

    def __init__(self, text):
        super().__init__()
        self.found, self.texts, self.open = [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        self.open.append(tag)

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def of(self, tag):
        return [attributes for name, attributes in self.found if name == tag]


class ReportTest(results.Case):
    def assert_says(self, words, text):
        """Like assertIn, without the whole page in the message."""
        self.assertTrue(words in text, f"the page does not say {words!r}")

    def make(self, document, name="run"):
        """The text of the page of a document."""
        path = self.write(name, document)
        return page.make(files.read_runs([path]))

    def run_report(self, *arguments):
        """(exit code, standard output, standard error) of the command."""
        return results.run_command(report.main, "iorx-report", *arguments)

    def test_every_kind_of_result_becomes_a_page_without_foreign_parts(self):
        for name, make in results.ALL.items():
            with self.subTest(name):
                text = self.make(make(), name)
                elements = Elements(text)
                for tag, attributes in elements.found:
                    for key in ("src", "href", "data", "action"):
                        value = attributes.get(key) or "#"
                        self.assertTrue(value.startswith(("#", "data:image/png;base64,")),
                                        f"{tag} {key}={value[:60]}")
                self.assertEqual(len(elements.of("h1")), 1)
                self.assertNotIn("@import", text)
                self.assertNotIn("nan", [value for one in elements.found for value in one[1].values()])

    def test_files_that_iorx_report_did_not_make_stay(self):
        path = self.write("one", results.one())
        page_path = path.replace(".json", ".html")
        with open(page_path, "w", encoding="utf-8") as file:
            file.write("precious")
        code, _, err = self.run_report(path)
        self.assertEqual((code, files.read_text(page_path)), (2, "precious"))
        self.assertIn("was not made by iorx-report; name the page by -o FILE", err)
        for name in path, self.write("two", results.one()):
            code, _, err = self.run_report(path, "-o", name)
            self.assertEqual(code, 2)
            self.assertIn("is a result of iorx, which stays", err)
        os.remove(page_path)
        for _ in range(2):
            self.assertEqual(self.run_report(path)[0], 0)

    def test_devices_and_links_are_written_and_not_replaced(self):
        path, link, target = self.write("one", results.one()), os.path.join(self.folder, "link"), os.path.join(self.folder, "target")
        os.symlink("/dev/null", link)
        for arguments in (["-o", link], ["-o", target, "--pdf", link]):
            code, _, err = self.run_report(path, *arguments)
            self.assertEqual((code, os.readlink(link), stat.S_ISCHR(os.stat("/dev/null").st_mode)), (0, "/dev/null", True), err)
        os.remove(link)
        os.symlink(target, link)
        self.assertEqual(self.run_report(path, "-o", link)[0], 0)
        self.assertTrue(os.path.islink(link))

    def test_each_figure_has_a_caption_and_a_label(self):
        text = self.make(results.large())
        figures = re.findall(r"<figure>(.*?)</figure>", text, re.DOTALL)
        self.assertEqual(len(figures), 12)
        for figure in figures:
            caption = re.search(r"<figcaption>(.+?)</figcaption>", figure, re.DOTALL).group(1)
            self.assertGreater(len(re.sub("<.*?>", "", caption)), 30)
            self.assertRegex(figure, r'role="img" aria-label="[^"]{30,}"')

    def test_charts_have_no_colours_of_their_own_and_no_id_twice(self):
        text = self.make(results.large())
        drawn = "".join(re.findall(r"<figure>.*?</figure>", text, re.DOTALL))
        self.assertEqual(set(re.findall(r"(?:fill|stroke|color): (#\w+)", drawn)), set())
        ids = [one["id"] for _, one in Elements(text).found if "id" in one]
        self.assertEqual(len(ids), len(set(ids)))
        wanted = set(re.findall(r"url\(#([^)]+)\)", text)) | {
            one["href"][1:] for _, one in Elements(text).found if one.get("href", "").startswith("#")}
        self.assertLessEqual(wanted, set(ids))

    def test_job_file_is_in_it(self):
        document = results.one()
        document["run"].update(job_file="job.ior", job_text="IOR START\ntestFile=<b>\nIOR STOP\n")
        text = self.make(document)
        self.assert_says("<summary>Job file</summary><pre>IOR START\ntestFile=&lt;b&gt;\nIOR STOP", text)
        self.assertFalse("<summary>Job file</summary>" in self.make(results.one(), "other"))

    def test_hostile_texts_stay_texts(self):
        text = self.make(results.hostile())
        elements = Elements(text)
        self.assertEqual(len(elements.of("script")), 2)
        self.assertEqual(elements.of("img"), [])
        self.assertFalse([one for _, one in elements.found if any(k.startswith("on") for k in one)])
        self.assert_says("&lt;/script&gt;", text)
        self.assertNotIn("{{", text.replace("{{7*7}}", ""))

    def test_the_raw_result_is_in_the_page(self):
        document = results.many(3)
        text = self.make(document)
        packed = re.search(r'id="raw0">([^<]*)<', text).group(1)
        self.assertEqual(json.loads(gzip.decompress(base64.b64decode(packed))), document)

    def test_a_page_of_120_tasks_is_below_a_megabyte(self):
        self.assertLess(len(self.make(results.large(120, 10)).encode()), 1e6)

    def spent(self, tasks):
        """Seconds of the processor that a page of so many tasks takes."""
        path = self.write(f"run{tasks}", results.large(tasks, 10))
        before = os.times()
        subprocess.run([sys.executable, "-m", "iorx_results.report", path], check=True,
                       cwd=os.path.join(results.TOP, "python"), stdout=subprocess.DEVNULL)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    def test_a_page_of_120_tasks_takes_little_more_of_the_processor_than_one_of_8(self):
        self.assertLess(self.spent(120), 3 * self.spent(8))

    def test_rates_stand_in_both_units(self):
        document = results.one()
        rate = document["tests"][0]["phases"][0]["rates"]["total_bytes_per_s"]
        text = self.make(document).replace("\u202f", "")
        self.assert_says(f'<span class="unit0">{rate / 2**20:.0f} MiB/s</span>', text)
        self.assert_says(f'<span class="unit1">{rate / 1e6:.0f} MB/s</span>', text)

    def test_the_first_line_says_what_came_out(self):
        def first(document):
            text = re.search(r"<h1>(.*?)</h1>", self.make(document)).group(1)
            return re.sub("<.*?>", "", re.sub('<span class="unit1">.*?</span>', "", text))

        self.assertRegex(first(results.one()), r"^write [\d\u202f.]+ MiB/s, read [\d\u202f.]+ MiB/s$")
        self.assertRegex(first(results.failed()), r"^failed: pwrite: No space left on device \(task 3 on vm\)")
        self.assertRegex(first(results.metadata()), r"^file-create [\d\u202f.]+ op/s, file-stat ")

    def test_the_headline_names_the_best_point(self):
        def said(document):
            return [str(part).replace("\u202f", " ") for part in headline.headline(reader.read_run(document, "x"))]

        write, read = said(results.two_options())
        self.assertRegex(write, r"^write best [\d ]+ MiB/s: 16 MiB, queue depth 64$")
        self.assertRegex(read, r"^read best ")
        self.assertEqual(said(results.together()), ["worst together: test 1 load, p99 response 4.00 times slower than alone"])
        self.assertEqual(headline.curve_words("load", [], [("10%", 10, 1e6, True), ("70%", 70, 2e6, True), ("90%", 90, 9e6, False)]),
                         ["p99 2 ms at 70 %", "the first rate that was missed: 90 %"])

    def test_the_first_verdict_stands_in_words_and_the_others_by_number(self):
        run = reader.read_run(results.many(3), "x")
        severity, text = headline.belief(run)
        first, *_ = {one.id: one for one in run.verdicts if one.severity == severity}.values()
        self.assertRegex(text, f"^not to be believed: {re.escape(first.meaning)} .{first.id}, read 0 and 2 more.; also .*T1$")

    def test_a_page_to_mail_has_what_decides(self):
        path = self.write("two", results.two_options())
        code, _, err = self.run_report(path, "--page=one", "-o", path + ".html", "--pdf", path + ".pdf")
        self.assertEqual((code, err), (0, ""))
        text = files.read_text(path + ".html")
        self.assertEqual((text.count("<figure"), text.count("<h1>")), (7, 1))
        self.assertLess(text.index("write: median against both"), text.index("write: rate by"))
        self.assert_says("8 more rows are not shown.", text)
        self.assertFalse("application/gzip" in text)
        self.assertEqual(len(brief.environment(files.read_runs([path])[0])), 5)

    def pages(self, path, *more):
        """Of the PDF of a result."""
        self.assertEqual(self.run_report(path, "--pdf", path + ".pdf", *more)[0], 0)
        with open(path + ".pdf", "rb") as file:
            return len(re.findall(rb"/Type /Page\b", file.read()))

    def test_a_pdf_has_three_pages_at_most_and_all_on_request(self):
        for name in ("two", "metadata study", "hostile", "set curve"):
            path = self.write(name.replace(" ", ""), results.ALL[name]())
            self.assertLessEqual(self.pages(path), 3, name)
        self.assertGreater(self.pages(self.write("all", results.two_options()), "--all"), 3)

    def test_headings_tell_metadata_tests_apart(self):
        document = results.metadata()
        document["tests"][0]["options"].update({
            "metadata.items": {"value": 10, "origin": "file"}, "metadata.files_only": {"value": True, "origin": "file"},
            "metadata.write_bytes": {"value": 4096, "unit": "bytes", "origin": "command line"},
            "metadata.dir": {"value": "out", "origin": "file"}, "metadata.fsync": {"value": False, "origin": "default"}})
        self.assert_says("posix, 4 tasks on 1 node, items=10, files_only, write_bytes=4 KiB", self.make(document))

    def test_the_times_of_a_find_are_those_of_reading_directories(self):
        document = results.find()
        listed = document["tests"][0]["phases"][0]["operations"]["list"]
        text = self.make(document)
        self.assert_says("took no longer. find p50 ", text)
        row = re.search(r"<td[^>]*>find</td>.*?</tr>", text, re.DOTALL).group(0)
        self.assertIn(units.time_ns(listed["max_ns"]), row)

    def test_what_a_mix_and_a_find_did_is_told(self):
        def told(document, pattern):
            text = re.sub(r"[ \n]+", " ", re.sub("<.*?>", " ", self.make(document)))
            self.assertTrue(re.search(pattern, text), f"the page does not say {pattern}")

        told(results.mix(1, 100, 50), r"mix 0 400 400\.0 [\d\u202f.]+ 5 ")
        told(results.mix(1, 100, 50), r"mix 0 open_close 10 % 101 [\d\u202f.]+ ")
        told(results.mix(1, 100, 50), r"response p50 .*mix 0 64 5\.7\d ms n&lt;368 ")
        told(results.mix(8), r" mix:create 8 1\u202f608 ([\d\u202f.]+ ){3}")
        self.assertFalse("over its complete repetitions" in self.make(results.mix(1)))
        told(results.find(), "find [a-z]* ?[\\d\u202f.]+ entries/s")
        told(results.find(), "find 0 4\u202f001 77 32 3\u202f967 2 4\u202f001 13 ")
        self.assertFalse("What mixes and finds did" in self.make(results.one()))

    def words_of(self, document):
        """What a reader of the page sees, in MiB/s."""
        text = re.sub(r"<(style|script|svg)\b.*?</\1>|<span class=.unit1.>.*?</span>", " ", self.make(document),
                      flags=re.DOTALL)
        return re.sub(r"\s+", " ", re.sub("<.*?>", " ", text).replace("\u202f", ""))

    def test_tests_of_a_set_are_named_and_slowdowns_come_first(self):
        text = self.words_of(results.together())
        for words in ("writer write ", "Set 1: together and alone",
                      "writer write 953.7 MiB/s 1907 MiB/s 2.000 1.500 to 3.000 3 us 2 us 1.500",
                      "test 1 load: p99 response 8 us 2 us 4.000 -", "test 1 load: mean response 3 us 2 us 1.500 1.200 to 1.800",
                      "test 1 load 1900 op/s 2000 op/s - - 3 us 2 us 1.500 together: in 2 of 6",
                      "Test 0, writer: ", "It ran at the same time as users.", "Test 0 once more, alone and on the same tasks."):
            self.assert_says(words, text)
        self.assertLess(text.index("Set 1:"), text.index("Test 0, writer"))
        self.assertFalse(re.search("write [0-9.]+ MiB/s to ", text), "rates together and alone are not taken as one")
        self.assert_says("Slower together", self.make(results.together()))

    def test_a_load_says_its_operations_and_never_mixes_service_and_response_times(self):
        document = results.load(3, skipped=7, unfinished=2, oldest_unfinished_ns=3_000_000)
        text = self.words_of(document)
        for words in ("load 2000 op/s of 2000 op/s asked, response p99 1.63 ms",
                      "load of read:70,write:30, transfers of 4KiB, 2000 op/s, even arrivals",
                      "asked 2000 op/s data 7.812 MiB/s skipped 21 unfinished 6 service p50 3.54 us",
                      " service p50 service p99 service max response p50 response p99 response max done skipped unfinished ",
                      "load 2 complete 2000 op/s 7.812 MiB/s 3.54 us 39.3 us 49.7 us 3.94 us 1.63 ms 2.78 ms 400 7 2 3 ms 0 200 ms",
                      "load rate 2000 op/s 2000 op/s", "load share of reads 70 % "):
            self.assert_says(words, text)
        page = self.make(document)
        for title in ("load, load:read, load:write: service and response times", "load: where the time went"):
            self.assert_says(title, page)
        self.assertFalse("load:response" in page)
        # Among the slow operations stand service times only.
        self.assertFalse(re.search(r"load \d (response|mixed) \d", text.split("Slow tasks and operations", 1)[1]))

    def test_a_replay_has_then_beside_now_and_says_how_late_it_was(self):
        document = results.load(late_drift_ns_per_s=-2500.0)
        test = document["tests"][0]
        test["options"]["trace"] = {"value": "app.trace", "origin": "command line"}
        operations = test["phases"][-1]["operations"]
        operations["read_recorded"] = results.timed(operations["read"], 3)
        operations["lateness"] = results.timed(operations["response"], .5)
        text = self.words_of(document)
        self.assertIn("replay of app.trace", text)
        then = re.search(r"read_recorded - [\d\u202f]+ (\S+) ", text)
        self.assertEqual(then.group(1), "-")
        self.assertRegex(text, r"late max drift per second load 0 \S+( \S+)? \S+( \S+)? \S+ \S+ -2\.5 us")
        self.assertNotIn("load 0 lateness", text)

    def test_laying_out_the_files_of_a_load_is_no_result(self):
        text = self.words_of(results.load())
        self.assert_says("Before the load its files were laid out: 2 MiB in 598 us, 3345 MiB/s . That is no result", text)
        self.assertFalse(re.search("write: rate of each|layout: |write 3345", self.make(results.load())))

    def test_a_load_without_a_rate_has_no_response_times(self):
        text = self.words_of(results.closed_load())
        self.assert_says("load rate as fast as possible", text)
        self.assert_says("a closed loop", text)
        self.assertFalse("response p50" in text)

    def test_metadata_phases_have_operations_where_others_have_transfers(self):
        def head(document):
            table = self.make(document).split("Each phase of each repetition", 1)[1]
            return re.sub(r"\s+", " ", re.sub("<.*?>", " ", re.search("<thead>.*?</thead>", table, re.DOTALL).group(0)))

        self.assertIn(" open transfer sync close total ", head(results.one()))
        self.assertIn(" done failed sync total ", head(results.find()))
        self.assertNotIn("transfer", head(results.find()))

    def test_a_failed_run_is_not_to_be_believed(self):
        self.assert_says('<p class="belief fail">not to be believed', self.make(results.failed()))

    def test_outliers_are_among_the_slow(self):
        self.assert_says("task, open: outlier", self.make(results.large()))

    def test_who_the_result_calls_slow_is_marked_and_named(self):
        text = re.sub("<.*?>", "", self.make(results.large()))
        self.assert_says("Marked as slow: task 17.", text)
        self.assert_says("persistent: placement or hardware", text)
        self.assert_says("task 17: slow, time per transfer", text)

    def test_how_busy_tasks_were_is_told_where_the_result_tells_it(self):
        text = re.sub("<.*?>", " ", self.make(results.large()))
        self.assertRegex(text, r"write +0 +120 +3 +108 +90 % +97 % +210 us +250 us +4.1 ms +18 ")
        self.assertNotIn("How busy the tasks were", self.make(results.bare()))

    def test_one_long_repetition_says_how_steady_it_was(self):
        text = re.sub("<.*?>", "", self.make(results.large(8, 2)))
        self.assert_says("one repetition; within it the transfer rate is 2\u202f861 MiB/s", text)

    def test_one_long_repetition_says_from_where_to_where_its_rate_fell(self):
        document = results.large(8, 2)
        for phase in document["tests"][0]["phases"]:
            phase["within_run"].update(half_width_bytes_per_s=None, trend_begin_bytes_per_s=4e9, trend_end_bytes_per_s=2e9)
        text = re.sub("<.*?>", "", self.make(document))
        self.assertRegex(text, "one repetition; its rate falls from 3\u202f815 MiB/s.* to 1\u202f907 MiB/s")

    def test_many_tests_do_not_become_an_endless_page(self):
        document = results.many(2)
        document["tests"] = [dict(document["tests"][0], test=n) for n in range(40)]
        text = self.make(document)
        self.assertEqual(text.count("<figure>"), page.MOST_FIGURES)
        self.assert_says("1 chart left out here, which iorx-plot draws.", text)

    def test_the_command_writes_beside_the_result(self):
        path = self.write("run", results.one())
        code, out, err = self.run_report(path)
        self.assertEqual((code, out, err), (0, path[:-5] + ".html\n", ""))
        self.assertTrue(os.path.exists(path[:-5] + ".html"))

    def test_many_files_make_one_page(self):
        paths = [self.write("a", results.one()), self.write("b", results.many(3))]
        page_file = os.path.join(self.folder, "all.html")
        code, _, err = self.run_report(*paths, "-o", page_file)
        self.assertEqual((code, err), (0, ""))
        with open(page_file, encoding="utf-8") as file:
            self.assertEqual(file.read().count("<h1>"), 2)

    def test_each_section_says_which_file_it_is_of(self):
        for folder in "before", "after":
            os.mkdir(os.path.join(self.folder, folder))
        paths = [self.write("before/run", results.sweep()), self.write("after/run", results.many(3)),
                 self.write("other", results.sweep())]
        runs = files.read_runs(paths)
        self.assertEqual(files.labels(runs), ["before/run.json", "after/run.json", "other.json"])
        text = page.make(runs)
        for label in files.labels(runs):
            self.assertRegex(text, f"<h1>{label}: ")
            self.assertRegex(text, f"{label}, test 0: ")
            self.assertIn(f"How to repeat {label}<", text)
        self.assertEqual(re.findall(r"<h2>(\S+): transfer_size varied<", text), ["before/run.json", "other.json"])
        self.assertRegex("\n".join(text for text, *_ in draw.summary_lines(runs)), r"(?m)^after/run\.json: write ")
        self.assertEqual({one.where for one in brief.every(runs[1:])},
                         {"run.json, test 0: ", "other.json: "} | {f"other.json, test {n}: " for n in range(7)})
        self.assertNotIn("run.json: ", page.make(runs[1:2]))

    def test_a_study_of_several_files_names_them(self):
        paths = []
        for tasks in (2, 4, 8):
            document = results.many(2, seed=tasks)
            document["tests"][0]["plan"]["tasks"] = tasks
            paths.append(self.write(f"n{tasks}", document))
        self.assertIn("Drawn from n2.json, n4.json, n8.json.", page.make(files.read_runs(paths)))

    def test_errors_are_one_line_and_exit_code_2(self):
        empty = os.path.join(self.folder, "empty")
        os.mkdir(empty)
        for arguments, words in (
                ([os.path.join(self.folder, "none.json")], "none.json: No such file"),
                ([empty], "this folder has no result (.json or .jsonl)"),
                ([self.write("run", results.one()), "-o", "/nowhere/x.html"], "No such file")):
            code, out, err = self.run_report(*arguments)
            self.assertEqual((code, out), (2, ""))
            self.assertRegex(err, "^iorx-report: error: .*" + re.escape(words))
            self.assertEqual(err.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
