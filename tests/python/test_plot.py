"""iorx-plot, and the pictures of iorx-report: every chart in every form."""

import os
import re
import unittest
import xml.etree.ElementTree
from unittest import mock

import results
from iorx_results import catalogue, plot, reader, report
from iorx_results.charts import heatmap, sizes, timeline

SOURCES = {"study-rate": "scaling", "study-efficiency": "scaling", "study-latency": "sweep",
           "study-map": "two", "study-curve": "curve", "set-copies": "set copies", "set-curve": "set curve"}
MAGIC = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}


class PlotTest(results.Case):
    def run_main(self, main, *arguments):
        """(exit code, standard error) of a command; the code of argparse's own errors too."""
        code, _, err = results.run_command(main, "command", *arguments)
        return code, err

    def plot(self, *arguments):
        return self.run_main(plot.main, *arguments)

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_every_chart_in_every_form(self):
        for kind in [*catalogue.CHARTS, *catalogue.STUDY_CHARTS, *catalogue.SET_CHARTS]:
            source = self.write(kind, results.ALL[SOURCES.get(kind, "large")]())
            for end, magic in MAGIC.items():
                with self.subTest(kind, end=end):
                    self.assertEqual(self.plot(kind, source, "-o", self.path("x." + end)), (0, ""))
                    self.assertTrue(self.read("x." + end).startswith(magic))

    def test_every_chart_of_a_load_that_there_is(self):
        load, study = self.write("load", results.load(3)), self.write("study", results.load_study())
        for kind in [*catalogue.CHARTS, "study-rate", "study-latency"]:
            with self.subTest(kind):
                self.assertEqual(self.plot(kind, study if "study" in kind else load, "-o", self.path("x.svg")), (0, ""))
                text = self.read("x.svg").decode()
                self.assertIn({"latency": "load: service and response times", "study-rate": "load: achieved and asked rate",
                               "study-latency": "load: response and service times"}.get(kind, "load: "), text)
                if kind in ("repetitions", "timeline", "study-rate"):
                    self.assertIn("op/s", text)
        code, err = self.plot("latency", load, "-o", self.path("x.svg"), "--phase", "write")
        self.assertEqual(code, 2)
        self.assertIn("--phase load, --test 0 --phase load:read", err)

    def test_charts_of_one_option_are_drawn_of_two_as_well(self):
        source = self.write("two", results.two_options())
        for kind in "study-rate", "study-latency", "study-map":
            self.assertEqual(self.plot(kind, source, "-o", self.path("x.svg")), (0, ""))
        self.assertIn("median in MiB/s against both", self.read("x.svg").decode())
        code, err = self.plot("study-efficiency", source, "-o", self.path("y.svg"))
        self.assertEqual(code, 2)
        self.assertIn("no study-efficiency chart can be drawn; these can: study-rate, study-latency, study-map", err)

    def test_curves_of_several_results_are_drawn_over_each_other(self):
        one, two = self.write("one", results.curve()), self.write("two", results.curve())
        self.assertEqual(self.plot("curves", one, two, "--label", "nconnect=1", "--label", "nconnect=8",
                                   "-o", self.path("x.svg")), (0, ""))
        for text in "nconnect=1", "nconnect=8", "response times, p99 solid, p50 dotted":
            self.assertIn(text, self.read("x.svg").decode())
        for arguments, words in ((["curves", one], "no curves chart can be drawn"),
                                 (["curves", one, two, "--label", "a"], "--label: 1 given for 2 results"),
                                 (["study-curve", one, "--label", "a"], "--label names results in the chart curves")):
            with self.subTest(arguments=arguments):
                code, err = self.plot(*arguments, "-o", self.path("y.svg"))
                self.assertEqual(code, 2)
                self.assertIn(words, err)

    def test_files_come_before_trees(self):
        document = results.metadata()
        test = document["tests"][0]
        tree = [dict(phase, phase="tree-create") for phase in test["phases"][:8]]
        test["phases"] = tree + test["phases"]
        source = self.write("metadata", document)
        self.plot("repetitions", source, "-o", self.path("x.svg"))
        self.assertIn("file-create", self.read("x.svg").decode())
        self.plot("repetitions", source, "--phase", "tree-create", "-o", self.path("x.svg"))
        self.assertIn("tree-create", self.read("x.svg").decode())

    def test_the_same_result_gives_the_same_bytes(self):
        source = self.write("run", results.large(8, 3))
        for end in MAGIC:
            for name in ("a", "b"):
                self.plot("latency", source, "-o", self.path(f"{name}.{end}"))
            self.assertEqual(self.read("a." + end), self.read("b." + end), end)

    def test_size_font_theme_unit_and_title_are_in_effect(self):
        source = self.write("run", results.many(8))
        svg = lambda *more: (self.plot("repetitions", source, "-o", self.path("x.svg"), *more),
                             self.read("x.svg").decode())[1]
        plain = svg()
        self.assertIn('width="340.15', plain)
        self.assertIn("MiB/s", plain)
        self.assertIn("write: rate of each repetition", plain)
        changed = svg("--size", "80x50", "--font-size", "7", "--unit", "MB/s", "--no-title",
                      "--theme", "dark", "--phase", "read", "--font", "DejaVu Serif")
        self.assertIn('width="226.77', changed)
        self.assertIn("MB/s", changed)
        self.assertNotIn("MiB/s", changed)
        self.assertNotIn("rate of each repetition", changed)
        self.assertIn("DejaVu Serif", changed)
        self.assertIn("#16191d", changed)
        self.assertIn("#f08a4b", changed)

    def timed(self, amounts, operations, **members):
        """The timeline of a phase that did so much in each slice of 0.1 ms."""
        document = results.one()
        phase = document["tests"][0]["phases"][0]
        phase["tasks"]["measured"], phase["concurrency"] = 1, None
        phase["timeline"] = {
            "slice_seconds": 1e-4, "bytes": amounts, "operations": operations, "p50_ns": [None] * len(amounts),
            "p99_ns": [None] * len(amounts), "max_ns": [None] * len(amounts)}
        phase.update(members)
        return reader.read_run(document, "x").tests[0].kinds[0]

    def test_slices_of_single_transfers_are_joined_and_empty_ones_count(self):
        comb = self.timed([1 << 20 if i % 3 == 0 else 0 for i in range(200)],
                          [int(i % 3 == 0) for i in range(200)])
        edges, values = timeline.series(comb.phases[0])
        self.assertEqual((len(edges), len(values), edges[0]), (5, 4, 0))
        self.assertAlmostEqual(edges[-1], .02)
        for value in values:
            self.assertAlmostEqual(value / (67 * (1 << 20) / .02), 1, delta=.05)
        stalled = self.timed([100 << 20] * 20 + [0] * 180, [100] * 20 + [0] * 180)
        words = timeline.caption(stalled).words()
        self.assertRegex(words, r"half of its \d+ whole slices are at 0 MiB/s or above, the slowest is at 0 MiB/s\. "
                                r"In \d\d % of them no transfer completed; the longest transfer took [\d.]+ [mu]s\.")
        self.assertIn("in slices of 5 ms,", timeline.caption(comb).words())

    def tasks_in_step(self, tasks, depth, rounds, slices_per_call):
        """A phase whose tasks are always busy and complete `depth` calls each at the same moments."""
        done = [int(i % slices_per_call == slices_per_call - 1) * tasks * depth
                for i in range(rounds * slices_per_call)]
        cells = [[n // tasks << 20 for n in done]] * tasks
        rows = [{"first_task": n, "last_task": n, "node": "n"} for n in range(tasks)]
        return self.timed([n << 20 for n in done], done, tasks={"measured": tasks, "idle": 0},
                          concurrency={"in_flight": float(tasks * depth), "busy_share": 1, "accounted_share": 1},
                          heatmap={"slice_seconds": 1e-4, "rows": rows, "bytes": cells})

    def test_a_slice_holds_several_calls_of_every_task(self):
        for tasks, depth in ((64, 1), (4, 16)):
            kind = self.tasks_in_step(tasks, depth, 20, 10)
            edges, values = timeline.series(kind.phases[0])
            self.assertEqual(len(values), 5)
            self.assertGreater(min(edges[1:] - edges[:-1]), 3.9e-3)
            self.assertAlmostEqual(min(values), max(values))
            _, rates = heatmap.cells(kind.phases[0])
            self.assertEqual(rates.shape, (tasks, 5))
            self.assertGreater(rates.min(), 0)
            for chart in timeline, heatmap:
                self.assertIn("slices of 4 ms", chart.caption(kind).words())
                self.assertNotIn("completed;", chart.caption(kind).words())

    def test_cells_of_a_task_that_ended_early_are_grey(self):
        kind = self.tasks_in_step(2, 1, 64, 2)
        kind.phases[0].heatmap.bytes[1, 64:] = 0
        self.assertIn("In 25 % of the cells (grey) no transfer completed;", heatmap.caption(kind).words())

    def test_sizes_stand_between_the_ends_of_their_range(self):
        kind, sheet = mock.Mock(), mock.MagicMock()
        kind.with_most.return_value.counters = {"POSIX_SIZE_WRITE_1K_10K": 7}  # such as 4 KiB
        sizes.draw(sheet, kind)
        bars, heights = sheet.axes.bar.call_args.args[:2]
        place = bars[heights.index(100)]
        edges = dict(zip(sheet.axes.set_xticklabels.call_args.args[0], sheet.axes.set_xticks.call_args.args[0]))
        self.assertLess(edges["1K"], place)
        self.assertLess(place, edges["10K"])

    def test_what_was_asked_stands_behind_what_was_done(self):
        """In a replay that stalls for a while the two go apart; documents without what was due have a level."""
        document = results.load()
        phase = document["tests"][0]["phases"][-1]
        done, due = [50] * 40 + [0] * 20 + [100] * 20 + [50] * 20, [50] * 100
        phase["timeline"] = {"slice_seconds": .01, "lead_s": 0, "bytes": [0] * 100, "operations": done, "due": due,
                             "p50_ns": [None] * 100, "p99_ns": [None] * 100, "max_ns": [None] * 100}
        kind = reader.read_run(document, "x").tests[0].kinds[-1]
        edges, values = timeline.asked(kind.phases[0])
        self.assertEqual(edges.tolist(), timeline.series(kind.phases[0])[0].tolist())
        self.assertAlmostEqual(min(values), 5000)
        self.assertAlmostEqual(max(values), 5000)
        self.assertIn("Grey: the rate that was asked for, by what was due", timeline.caption(kind).words())
        phase["timeline"]["due"] = []
        kind = reader.read_run(document, "x").tests[0].kinds[-1]
        self.assertEqual(timeline.asked(kind.phases[0])[1].tolist(), [2000])
        self.assertTrue(timeline.caption(kind).words().endswith("Grey: the rate that was asked for."))
        phase["load"]["asked_operations_per_s"] = None
        kind = reader.read_run(document, "x").tests[0].kinds[-1]
        self.assertIsNone(timeline.asked(kind.phases[0]))
        self.assertNotIn("Grey", timeline.caption(kind).words())

    def test_captions_of_few_slices_do_not_contradict_themselves(self):
        for count, said in ((1, "its one slice is at"), (2, "its two slices are at"),
                            (3, "its one whole slice is at"), (4, "its two whole slices are at"),
                            (5, r"half of its 3 whole slices are at .* the slowest is at")):
            kind = self.timed([(100 + i) << 20 for i in range(count)], [100] * count)
            self.assertRegex(timeline.caption(kind).words(), said)
        cut = self.timed([v << 20 for v in (900, 600, 700, 800, 100)], [100] * 5)
        self.assertIn("3 whole slices are at 7\u202f000\u202f000 MiB/s or above, the slowest is at 6\u202f000\u202f000 MiB/s.",
                      timeline.caption(cut).words())

    def test_hostile_texts_stay_texts(self):
        source = self.write("hostile", results.hostile())
        self.assertEqual(self.plot("heatmap", source, "-o", self.path("x.svg"))[0], 0)
        tags = {element.tag.split("}")[1] for element in
                xml.etree.ElementTree.fromstring(self.read("x.svg")).iter() if "}" in element.tag}
        self.assertNotIn("script", tags)

    def test_errors_say_what_there_is(self):
        source = self.write("run", results.one())
        out = self.path("x.svg")
        for arguments, words in (
                (("heatmap", source, "-o", out), "no heatmap chart can be drawn; these can: "),
                (("latency", source, "-o", out, "--phase", "stat"),
                 "latency can be drawn with --test 0 --phase write, --test 0 --phase read"),
                (("latency", source, "-o", out, "--test", "99"),
                 "--test 99: it has no latency chart; tests that have one: 0"),
                (("latency", source, "-o", self.path("x.gif")), "must end in .svg, .png or .pdf"),
                (("latency", source, "-o", out, "--font-size", "0"), "from 3 to 72"),
                (("latency", source, "-o", out, "--size", "1x1"), "not a size such as 80x50"),
                (("pie", source, "-o", out), "invalid choice: 'pie'")):
            code, err = self.plot(*arguments)
            self.assertEqual(code, 2)
            self.assertIn(words, err)
            self.assertFalse(os.path.exists(out))

    def test_the_report_writes_pictures_and_a_pdf(self):
        source = self.write("run", results.large(8, 3))
        code, err = self.run_main(report.main, source, "--png", self.path("charts"), "--pdf",
                                  self.path("x.pdf"))
        self.assertEqual((code, err), (0, ""))
        names = os.listdir(self.path("charts"))
        self.assertEqual(len(names), 14)
        self.assertIn("test0-repetitions-write.png", names)
        self.assertEqual(len(re.findall(rb"/Type /Page\b", self.read("x.pdf"))), 6)

    def test_pictures_of_hostile_and_failed_results_are_made_too(self):
        for name in ("hostile", "failed", "bare", "metadata"):
            source = self.write(name, results.ALL[name]())
            code, err = self.run_main(report.main, source, "--pdf", self.path("x.pdf"))
            self.assertEqual((code, err), (0, ""), name)


if __name__ == "__main__":
    unittest.main()
