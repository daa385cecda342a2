"""Studies: which tests make one, what is drawn of it, and when a fit is justified."""

import copy
import random
import re
import unittest

import results
from iorx_results import catalogue, figure, files, headline, page, reader, scaling, study, tables
from iorx_results.charts import study_axes, study_curve, study_grid, study_latency, study_map, study_rate


class StudyTest(results.Case):
    def studies(self, document):
        self.runs = files.read_runs([self.write("study", document)])
        return study.of_runs(self.runs)

    def names(self, found):
        return sorted({name for name, _, _ in catalogue.of_study(found)})

    def test_a_caption_of_one_point_goes_nowhere(self):
        document = results.sweep()
        for test in document["tests"][1:]:
            for phase in test["phases"]:
                phase["operations"] = {}
        line = study.of_runs([reader.read_run(document, "x")])[0].lines[0]
        self.assertRegex(study_latency.caption(line), r"p99 is \S+ ms at 4 KiB, the only one known\.")

    def test_a_scaling_study_is_found_drawn_and_fitted(self):
        found, = self.studies(results.scaling_study())
        self.assertEqual(self.names(found), ["study-efficiency", "study-latency", "study-rate"])
        fit = found.lines[0].fit
        for value, ends, truth in ((fit.serial, fit.serial_interval, .03),
                                   (fit.talk, fit.talk_interval, .0005)):
            self.assertLess(ends[0], truth)
            self.assertGreater(ends[1], truth)
            self.assertLess(ends[0], value)
            self.assertGreater(ends[1], value)
        self.assertAlmostEqual(found.lines[0].efficiency[0], 1)
        self.assertLess(found.lines[0].efficiency[-1], .3)

    def test_the_kinds_of_a_mix_have_lines_of_their_own(self):
        document = results.mix(7)
        base, tests = document["tests"][0], []
        for tasks in 1, 2, 4:
            test = copy.deepcopy(base)
            test.update(test=len(tests), plan=dict(base["plan"], tasks=tasks),
                        study={"id": 0, "varied": {"tasks": tasks}, "scaling": "weak", "placement": "packed"})
            for phase in test["phases"]:
                phase["test"] = test["test"]
                phase["intervals"]["total_s"] /= tasks
            tests.append(test)
        document["tests"] = tests
        found, = self.studies(document)
        self.assertEqual([line.name for line in found.lines],
                         ["mix", "mix:create", "mix:stat", "mix:read", "mix:remove"])
        for share in found.lines[1].efficiency:
            self.assertAlmostEqual(share, 1)
        self.assertEqual(found.lines[1].points[0].operation.name, "create")
        rows = [row for row in tables.study(found).rows if row[1].text == "mix:create"]
        self.assertEqual([row[0].text for row in rows], ["1", "2", "4"])

    def test_loads_at_several_rates_show_what_was_achieved_and_the_response_times(self):
        found, = self.studies(results.load_study())
        line = found.lines[0]
        self.assertEqual([line.name for line in found.lines], ["load", "load:read", "load:write"])
        self.assertEqual((found.varied, line.asked, line.has_response), (["rate"], [500, 1000, 2000], True))
        charts = {(name, one.name): chart.caption(one) for name, chart, one in catalogue.of_study(found)}
        self.assertEqual(list(charts), [("study-rate", "load"), *(("study-latency", one.name) for one in found.lines)])
        self.assertIn("at rate = 2000. Dotted: the rate that was asked for", str(charts["study-rate", "load"]))
        self.assertIn("response p99 goes from 1.63 ms at 500 to 4.88 ms at 2000", charts["study-latency", "load"])
        self.assertEqual([curve[0] for curve in study_latency.curves(line)],
                         ["response p99", "response p50", "service p99", "service p50"])
        table = tables.study(found)
        self.assertEqual([title for title, _ in table.heads][6:],
                         ["asked", "response p50", "response p99", "response max", "service p50", "service p99", "service max"])
        self.assertEqual([cell.text for cell in table.rows[3][7:10]], ["-"] * 3)

    def test_a_curve_shows_response_times_against_the_rate(self):
        document = results.curve()
        found, = self.studies(document)
        line = found.lines[0]
        charts = {(name, one.name): chart.caption(one) for name, chart, one in catalogue.of_study(found)}
        self.assertEqual(list(charts), [("study-curve", "load")])
        self.assertEqual([(point.asked, point.is_reached) for point in study_curve.points(line)],
                         [(500, True), (1000, True), (2000, False)])
        self.assertIn("The overall response time is 2 ms, the knee is at 1\u202f000 op/s. p99 is within 4 ms at 1\u202f000 op/s.",
                      charts["study-curve", "load"])
        answer = "load: p99 is within 4 ms at 1\u202f000 op/s"
        self.assertEqual([str(part) for part in headline.headline(self.runs[0])],
                         [answer, "load max 4\u202f010 op/s", "p99 4.88 ms at 25 %", "the first rate that was missed: 50 %"])
        self.assertNotIn("-again", charts["study-curve", "load"])
        del document["end"]["curves"]
        document["tests"][2]["study"]["varied"] = {"load.curve": "12.5%-again"}
        found, = self.studies(document)
        self.assertIn("-again is a second measurement", study_curve.caption(found.lines[0]))
        self.assertNotIn("overall", study_curve.caption(found.lines[0]))
        self.assertNotIn(answer, [str(part) for part in headline.headline(self.runs[0])])

    def test_more_tasks_at_one_rate_have_no_efficiency(self):
        found, = self.studies(results.load_study(name="tasks"))
        self.assertEqual(found.lines[0].efficiency, [None] * 3)
        self.assertFalse(found.lines[0].scales)

    def test_a_sweep_of_another_option_has_neither_ideal_nor_fit(self):
        found, = self.studies(results.sweep())
        self.assertEqual(self.names(found), ["study-latency", "study-rate"])
        self.assertIsNone(found.lines[0].fit)

    def test_two_options_give_a_map(self):
        found, = self.studies(results.two_options())
        self.assertEqual(self.names(found), ["study-latency", "study-map", "study-rate"])
        self.assertEqual(len(found.lines[0].points), 16)

    def drawn(self, chart, line):
        """(lines of the axes, texts of the axes, caption) of a chart."""
        style = figure.Style(unit=0)
        with figure.drawing(style):
            sheet = figure.Sheet(style, 92)
            chart.draw(sheet, line)
            texts = [text.get_text() for text in sheet.axes.texts]
            return sheet.axes.lines, texts, str(chart.caption(line))

    def two(self, count):
        """The line of a study of two options with so many repetitions."""
        found, = self.studies(results.varied("transfer_size", [4096, 65536, 1 << 20], lambda a, b: a ** .2 * b ** .1,
                                             count=count, second=("queue_depth", [1, 4])))
        return found.lines[0]

    def test_studies_of_two_options_have_intervals_where_repetitions_are_there(self):
        line = self.two(7)
        lines, _, caption = self.drawn(study_rate, line)
        bars = {tuple(one.get_ydata()) for one in lines if one.get_linewidth() == 3.5}
        self.assertEqual(bars, {point.kind.interval[:2] for point in line.points})
        self.assertIn("Bars are 95 % intervals of the median.", caption)
        _, texts, caption = self.drawn(study_map, line)
        self.assertEqual(sum(" – " in text for text in texts), 6)
        self.assertIn("Below each median: its 95 % interval.", caption)
        self.assertNotIn("Empty cells", caption)

    def test_a_metadata_study_is_one_grid_with_one_axis(self):
        found, = self.studies(results.metadata_study())
        self.assertEqual([(name, chart.lines(one) == one.lines) for name, chart, one in catalogue.of_study(found)], [("study-grid", True)])
        style = figure.Style(unit=0)
        with figure.drawing(style):
            sheet = figure.Sheet(style)
            study_grid.draw(sheet, found)
        panels = sheet.figure.axes[1:]
        self.assertEqual(len(panels), 3)
        self.assertEqual(len({panel.get_ylim() for panel in panels}), 1)

    def test_phases_have_one_scale_unless_one_is_much_slower(self):
        for factor, count in ((2, 1), (50, 2)):
            document = results.sweep()
            for phase in (phase for test in document["tests"] for phase in test["phases"] if phase["phase"] == "read"):
                phase["rates"]["total_bytes_per_s"] *= factor
            found, = self.studies(document)
            tops = {study_axes.top_rate(line) for line in found.lines}
            self.assertEqual(len(tops), count, factor)

    def test_no_line_joins_values_that_have_no_order(self):
        for name, values, width in (("api", ["posix", "mpiio", "hdf5"], 0), ("queue_depth", [1, 2, 4], 1.4)):
            found, = self.studies(results.varied(name, values, lambda value: 1, count=1))
            lines, *_ = self.drawn(study_rate, found.lines[0])
            self.assertEqual({one.get_linewidth() for one in lines if one.get_marker() == "o"}, {width}, name)

    def test_values_that_are_true_or_false_are_words(self):
        found, = self.studies(results.varied("posix.direct", [False, True], lambda value: 1 + value, count=1))
        self.assertEqual([found.text(0, point.values[0]) for point in found.lines[0].points], ["without direct", "with direct"])

    def test_few_repetitions_of_two_options_show_their_range(self):
        line = self.two(3)
        lines, _, caption = self.drawn(study_rate, line)
        bars = {tuple(one.get_ydata()) for one in lines if one.get_linewidth() == 1.2}
        self.assertEqual(bars, {(min(point.kind.rates), max(point.kind.rates)) for point in line.points})
        self.assertIn("Thin bars reach from the slowest to the fastest repetition", caption)
        _, texts, caption = self.drawn(study_map, line)
        self.assertEqual(sum(" – " in text for text in texts), 6)
        self.assertIn("Below each median: the slowest and the fastest repetition.", caption)
        self.assertNotIn("bars", self.drawn(study_rate, self.two(1))[2].lower())

    def test_of_three_options_each_value_of_the_third_has_a_map(self):
        document = results.two_options()
        for index, test in enumerate(document["tests"]):
            test["study"]["varied"]["fsync"] = bool(index % 2)
        found = self.studies(document)
        self.assertEqual([one.how for one in found],
                         ["without fsync", "with fsync"])

    def test_tasks_and_another_option_have_curves_ideals_and_efficiency(self):
        for name, second in (("tasks", ("transfer_size", [1 << n for n in range(12, 26, 2)])),
                             ("transfer_size", ("tasks", [1, 2, 4, 8]))):
            values = [1, 2, 4, 8] if name == "tasks" else [1 << n for n in range(12, 26, 2)]
            found, = self.studies(results.varied(name, values, lambda a, b: (a * b) ** .5, count=1,
                                                 second=second))
            self.assertEqual(self.names(found), ["study-efficiency", "study-latency", "study-map", "study-rate"])
            shown = study.family(found.lines[0])
            self.assertEqual((shown.study.varied, shown.other, shown.left_out), (["tasks"], "transfer_size", 2))
            self.assertEqual([text for text, _ in shown.members],
                             ["4 KiB", "16 KiB", "256 KiB", "1 MiB", "16 MiB"])
            self.assertEqual([len(line.points) for _, line in shown.members], [4] * 5)
            table = tables.study(found)
            place = [head for head, _ in table.heads].index("efficiency")
            axis = found.varied.index("tasks")
            shares = {(row[axis].text, row[1 - axis].text): row[place].text
                      for row in table.rows if row[2].text == "write"}
            self.assertEqual({shares["1", text] for text in ("4 KiB", "64 KiB", "16 MiB")}, {"100 %"})
            self.assertRegex(shares["4", "64 KiB"], "^(4[5-9]|5[0-5]) %$")
            artist = page.Artist()
            out = " ".join(str(artist.draw_chart(chart, line)["caption"])
                           for _, chart, line in catalogue.of_study(found))
            self.assertEqual(out.count("Dotted: ideal"), 2)  # of write and read, in efficiency only
            self.assertIn("a curve for each transfer_size. 2 values are only in the map.", out)

    def test_tests_that_differ_in_one_option_are_a_study_without_being_declared(self):
        document = results.varied("transfer_size", [4096, 65536, 1 << 20], lambda b: b ** .1, declare=False)
        found, = self.studies(document)
        self.assertEqual(found.varied, ["transfer_size"])

    def test_several_files_with_other_numbers_of_tasks_are_a_study(self):
        paths = []
        for tasks in (2, 4, 8):
            document = results.many(6, seed=tasks)
            document["tests"][0]["plan"].update(tasks=tasks, nodes=tasks // 2)
            paths.append(self.write(f"n{tasks}", document))
        found, = study.of_runs(files.read_runs(paths))
        self.assertEqual(found.varied, ["tasks"])
        self.assertTrue(found.scales)

    def test_tests_that_differ_in_unrelated_options_are_none(self):
        document = results.varied("transfer_size", [4096, 65536, 1 << 20], lambda b: 1, declare=False)
        for index, test in enumerate(document["tests"]):
            test["options"]["queue_depth"]["value"] = 1 << index
        self.assertEqual(self.studies(document), [])
        self.assertEqual(self.studies(results.many(3)), [])

    def test_few_or_close_numbers_of_tasks_carry_no_fit(self):
        self.assertIn("5 numbers of tasks, 6 are needed", scaling.why_not([1, 2, 3, 4, 99]))
        self.assertIn("less than 8 times", scaling.why_not([10, 11, 12, 13, 14, 15]))
        self.assertIsNone(scaling.why_not([1, 2, 4, 8, 16, 32]))
        found, = self.studies(results.varied("tasks", [1, 2, 4, 8], results.usl))
        self.assertIsNone(found.lines[0].fit)
        text = page.make(self.runs)
        self.assertIn("No fit: 4 numbers of tasks, 6 are needed for three parameters.", text)

    def test_intervals_of_the_fit_hold_the_truth_mostly(self):
        counts, chance, held = [1, 2, 4, 8, 16, 32, 64, 128], random.Random(5), 0
        for _ in range(20):
            rates = [[results.usl(n) * chance.lognormvariate(0, .05) for _ in range(8)] for n in counts]
            fit = scaling.fit(counts, rates)
            held += fit.serial_interval[0] <= .03 <= fit.serial_interval[1]
        self.assertGreater(held, 16)

    def test_values_that_are_no_numbers_stand_side_by_side(self):
        document = results.varied("api", ["posix", "uring{0}", "$x$"], lambda name: len(name))
        found, = self.studies(document)
        text = page.make(self.runs)
        self.assertIn("uring{0}", text)
        self.assertIn("$x$", text)
        self.assertFalse(found.numeric(0))

    def test_texts_with_numbers_stand_in_the_order_of_these(self):
        for values in (["10%", "20%", "20%-again", "100%", "max"], ["500", "500-again", "1000"], ["4k", "16k", "1m"], ["search90", "search1.5e+03"], [2, 10, "auto"]):
            self.assertEqual(sorted(reversed(values), key=study.order), values)
        document = results.varied("api", ["10%", "100%", "25%"], lambda name: len(name))
        found, = self.studies(document)
        self.assertEqual([point.values[0] for point in found.lines[0].points], ["10%", "25%", "100%"])

    def test_many_tests_are_folded_and_the_page_stays_small(self):
        document = results.varied("transfer_size", [1 << n for n in range(8, 24)], lambda b: b ** .2)
        self.studies(document)
        text = page.make(self.runs)
        self.assertEqual(len(re.findall('<details class="test">', text)), 16)
        self.assertLess(len(text), 1e6)

    def test_repetitions_that_failed_leave_a_point_out(self):
        document = results.scaling_study()
        for phase in document["tests"][3]["phases"]:
            phase["status"] = "failed"
        found, = self.studies(document)
        self.assertEqual(found.lines[0].counts, [1, 2, 4, 16, 32, 64])


if __name__ == "__main__":
    unittest.main()
