"""iorx-plot, and the pictures of iorx-report: every chart in every form."""

import os
import re
import unittest
import xml.etree.ElementTree
from unittest import mock

import results
from iorx_results import catalogue, figure, plot, reader, report, units
from iorx_results.charts import heatmap, latency, sizes, slices, timeline, times

SOURCES = {"study-rate": "scaling", "study-efficiency": "scaling", "study-latency": "sweep",
           "study-map": "two", "study-grid": "metadata study", "study-curve": "curve", "set-copies": "set copies", "set-curve": "set curve", "set-slowdown": "together"}
MAGIC = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}


class PlotTest(results.Case):
    def run_main(self, main, *arguments):
        """(exit code, standard error) of a command; the code of argparse's own errors too."""
        code, _, err = results.run_command(main, "command", *arguments)
        return code, err

    def plot(self, *arguments):
        return self.run_main(plot.main, *arguments)

    def titled(self, *arguments):
        return self.plot(*arguments, "--title")

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
        for kind in ["times", "latency", "repetitions", "timeline", "latency-time", "study-rate", "study-latency"]:
            with self.subTest(kind):
                self.assertEqual(self.titled(kind, study if "study" in kind else load, "-o", self.path("x.svg")), (0, ""))
                text = self.read("x.svg").decode()
                self.assertIn({"latency": "load:write: service", "study-rate": "load: achieved and asked rate",
                               "study-latency": "load: response and service times"}.get(kind, "load: "), text)
                if kind in ("repetitions", "timeline", "study-rate"):
                    self.assertIn("op/s", text)
        code, err = self.plot("latency", load, "-o", self.path("x.svg"), "--phase", "write")
        self.assertEqual(code, 2)
        self.assertIn("--phase load, --test 0 --phase load:read", err)

    def test_charts_of_one_option_are_drawn_of_two_as_well(self):
        source = self.write("two", results.two_options())
        for kind in "study-rate", "study-latency", "study-map":
            self.assertEqual(self.titled(kind, source, "-o", self.path("x.svg")), (0, ""))
        self.assertIn("median in MiB/s against both", self.read("x.svg").decode())
        code, err = self.plot("study-efficiency", source, "-o", self.path("y.svg"))
        self.assertEqual(code, 2)
        self.assertIn("no study-efficiency chart can be drawn; these can: study-map, study-rate, study-latency", err)

    def test_curves_of_several_results_are_drawn_over_each_other(self):
        one, two = self.write("one", results.curve()), self.write("two", results.curve())
        self.assertEqual(self.titled("curves", one, two, "--label", "nconnect=1", "--label", "nconnect=8",
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
        self.titled("repetitions", source, "-o", self.path("x.svg"))
        self.assertIn("file-create", self.read("x.svg").decode())
        self.titled("repetitions", source, "--phase", "tree-create", "-o", self.path("x.svg"))
        self.assertIn("tree-create", self.read("x.svg").decode())

    def test_letters_in_a_pdf_are_truetype(self):
        """Journals refuse Type 3."""
        self.plot("latency", self.write("run", results.many(3)), "-o", self.path("x.pdf"))
        self.assertIn(b"/CIDFontType2", self.read("x.pdf"))
        self.assertNotIn(b"/Type3", self.read("x.pdf"))

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
        self.assertIn('width="249.44', plain)  # 88 mm, one column
        self.assertIn('width="510.23', svg("--columns", "2"))
        self.assertIn("MiB/s", plain)
        self.assertNotIn("write: rate of each repetition", plain)
        self.assertIn("write: rate of each repetition", svg("--title"))
        changed = svg("--size", "80x50", "--font-size", "7", "--unit", "MB/s",
                      "--theme", "dark", "--phase", "read", "--font", "DejaVu Serif")
        self.assertIn('width="226.77', changed)
        self.assertIn("MB/s", changed)
        self.assertNotIn("MiB/s", changed)
        self.assertIn("DejaVu Serif", changed)
        self.assertIn("#16191d", changed)
        self.assertIn("#f08a4b", changed)

    def timed(self, amounts, operations, **members):
        """The timeline of a phase that did so much in each slice of 0.1 ms."""
        document = results.one()
        phase = document["tests"][0]["phases"][0]
        phase["tasks"]["measured"], phase["concurrency"], phase["stamps"] = 1, None, {}
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
        self.assertIn("in slices of 5 ms;", timeline.caption(comb).words())

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
            self.assertAlmostEqual(min(values) / max(values), 1)
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
        phase["stamps"] = {}
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

    def test_numbers_on_an_axis_have_one_form(self):
        self.assertEqual(units.ticks([0, 5, 10]), ["0", "5", "10"])
        self.assertEqual(units.ticks([0, .5, 1, 1.5]), ["0", "0.5", "1.0", "1.5"])
        self.assertEqual(units.time_ticks([0, 5e8, 1e9]), ["0", "0.5 s", "1.0 s"])

    def test_titles_are_never_cut(self):
        words = [f"word{n}" for n in range(30)]
        style = figure.Style()
        with figure.drawing(style):
            sheet = figure.Sheet(style)
            before = sheet.pixels()[1]
            sheet.title(" ".join(words))
        self.assertEqual(sheet.axes.texts[0].get_text().split(), words)
        self.assertLess(sheet.pixels()[1], before)

    def test_a_course_needs_five_slices(self):
        for count, applies in ((4, False), (5, True)):
            kind = self.timed([(100 + i) << 20 for i in range(count)], [100] * count)
            self.assertEqual(timeline.applies(kind), applies)
        self.assertRegex(timeline.caption(kind).words(), r"Half of the 5 slices are at 1.* MiB/s or above, the slowest is at ")

    def test_what_calls_moved_is_spread_over_the_time_that_they_took(self):
        comb = [0, 0, 0, 40, 0, 0, 0, 40]
        for lasted, flat in ((0, False), (4, True)):
            found = slices.spread(comb, 1., [lasted] * len(comb))
            self.assertAlmostEqual(sum(found), 80)
            self.assertEqual(max(found) < 1.5 * 10, flat)
        self.assertEqual(slices.spread(comb, 1., [0] * len(comb)).tolist(), comb)
        # no call began before the first one
        self.assertAlmostEqual(sum(slices.spread(comb, 1., [100] * len(comb), begin=2.)[:2]), 0)

    def test_a_last_slice_that_is_cut_is_no_fall(self):
        """The transfers end in the middle of a slice, and a sync follows, which is shaded."""
        phase = self.timed([100 << 20] * 9 + [50 << 20, 0, 0, 0], [100] * 9 + [50, 0, 0, 0]).phases[0]
        phase.timeline.p50_ns = [1000] * 13
        phase.stamps = {name: {"first_ns": ns, "last_ns": ns} for name, ns in
                        (("begin", 0), ("issue", 20_000), ("completion", 950_000), ("sync_end", 1_250_000), ("close_end", 1_251_000))}
        edges, values = timeline.series(phase)
        self.assertEqual((edges[0], edges[-1]), (20e-6, 950e-6))
        self.assertAlmostEqual(values[-1] / values[-2], 1, delta=.02)
        self.assertEqual({name: round(1e6 * (to - begin)) for name, (begin, to) in timeline.steps(phase).items()},
                         {"open": 20, "sync": 300, "close": 1})

    def test_where_the_time_went_adds_up_and_stands_beside_the_limits(self):
        run = reader.read_run(results.large(8, 3), "x")
        bars, = times.of_test(run.tests[0])
        self.assertEqual(bars.names, ["write", "read"])
        for bar in bars.bars:
            self.assertAlmostEqual(sum(share for _, _, share in bar.steps), 1)
            self.assertEqual([(name, round(share, 2)) for name, share in bar.bounds], [("network", .58), ("device", .29)])
        load, = times.of_test(reader.read_run(results.load(3), "x").tests[0])
        self.assertLessEqual({name for name, _, _ in load.bars[0].steps}, {"read", "write", "nothing was due"})
        self.assertEqual(times.of_test(reader.read_run(results.bare(), "x").tests[0]), [])

    def test_percentile_curves_are_those_of_the_histogram(self):
        group, = latency.of_test(reader.read_run(results.many(30), "x").tests[0])
        self.assertEqual(group.names, ["write", "read"])
        operation = group.kinds[0].operation
        shares, found = latency.percentiles(operation, [.5, .9, .99, .9999])
        self.assertEqual(shares, [.5, .9, .99])
        self.assertEqual(found, [operation.percentiles[name] for name in ("p50", "p90", "p99")])

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
        self.assertEqual(len(names), 12)
        self.assertIn("test0-repetitions-write.png", names)
        self.assertIn("test0-times-phases.png", names)

    def test_pictures_of_hostile_and_failed_results_are_made_too(self):
        for name in ("hostile", "failed", "bare", "metadata"):
            source = self.write(name, results.ALL[name]())
            code, err = self.run_main(report.main, source, "--pdf", self.path("x.pdf"))
            self.assertEqual((code, err), (0, ""), name)


if __name__ == "__main__":
    unittest.main()
