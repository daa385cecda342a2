"""The points of sets of loads: what is valid, and what follows from it."""

import unittest

import results
from iorx_results import catalogue, files, set_points, sets
from iorx_results.model import Kept
from iorx_results.set_points import Load, Point

SHARES = {"stat": .6, "read": .4}


class Times:
    def __init__(self, mean_ns):
        self.mean_ns = mean_ns


def load(rate, asked=100, **more):
    return Load("users", asked, rate, SHARES, more.pop("achieved", SHARES), kept=Kept(asked or 0, rate or 0), **more)


def ladder(*points):
    found = []
    for copies, rate, mean_ns in points:
        point = Point(copies, [load(rate, 100 * copies)])
        point.response = Times(mean_ns)
        found.append(point)
    return set_points.Ladder(None, "copies", (), 0, found)


class SetTest(results.Case):
    def test_loads_at_a_rate_are_drawn_with_the_ratios_of_their_response_times(self):
        run, = files.read_runs([self.write("set", results.together())])
        self.assertEqual([(row.name, row.ratio, row.interval) for row in sets.ratio_rows(run.slowdowns)],
                         [("writer write", 2.0, (1.5, 3.0)), ("test 1 load, p99 response", 4.0, None), ("test 1 load, mean response", 1.5, (1.2, 1.8))])
        said = [[cell.text for cell in cells] for cells in sets.table(run.slowdowns).rows]
        self.assertEqual([row[4] for row in said], ["2.000", "4.000", "1.500", "-"])
        self.assertEqual([row[-1] for row in said], ["-", "-", "-", "together: in 2 of 6"])

    def test_documents_of_before_have_the_ratio_of_p99_for_loads_at_a_rate(self):
        document = results.together()
        row = document["end"]["slowdowns"][1]
        for name in ("mean_response", "p99_response", "together_missed", "alone_missed"):
            del row[name]
        row["slowdown"] = 1.0
        document["end"]["slowdowns"].append(dict(row, part="response", together_p99_ns=8000, alone_p99_ns=2000))
        run, = files.read_runs([self.write("set", document)])
        self.assertEqual([(row.name, row.ratio, row.interval) for row in sets.ratio_rows(run.slowdowns)],
                         [("writer write", 2.0, (1.5, 3.0)), ("test 1 load, p99", 4.0, None)])
        self.assertEqual([row[4].text for row in sets.table(run.slowdowns).rows], ["2.000", "1.000", "1.000"])

    def test_loads_of_before_are_judged_by_what_they_counted(self):
        phase, = self.run_of("old load").tests[0].kinds[-1].phases[:1]
        self.assertEqual((phase.kept.due, phase.kept.issued), (phase.done, phase.done))
        self.assertEqual(phase.rated_seconds, phase.intervals["transfer_s"])
        phase.load.update(skipped=phase.done, failed_operations=2)
        self.assertEqual((phase.kept.due, phase.kept.issued, phase.kept.is_reached), (2 * phase.done + 2, phase.done + 2, False))

    def test_a_point_is_valid_if_each_load_reached_its_rate_with_its_mix(self):
        for loads, words in (([load(95), load(1000, 1000)], []),
                             ([load(100)] * 3, []),
                             ([load(94), load(1000, 1000)], ["users reached 94 % of its rate"]),
                             ([load(None), load(100)], ["users has no complete repetition"]),
                             ([load(100, None)], ["users has no rate"]), ([], ["no load ran"]),
                             ([load(100, achieved={"stat": .549, "read": .4, "open": .051})],
                              ["5.1 % of the operations of users are of another kind than asked for"]),
                             ([load(100, achieved={"stat": .551, "read": .449})], []),
                             ([load(100, achieved={"stat": 1}, operations=999)], [])):
            self.assertEqual(set_points.faults(loads), words)

    def test_one_operation_is_no_miss(self):
        self.assertEqual([Kept(*of).is_reached for of in ((0, 0), (2, 1), (2, 0), (40, 38), (39, 37), (1000, 950), (1000, 949))],
                         [False, True, False, True, False, True, False])

    def test_copies_are_valid_up_to_the_first_point_that_is_not(self):
        # the area is 100 * 1 ms + 100 * (1 + 3) / 2 ms, over 200
        self.assertEqual(set_points.conclusion(ladder((1, 100, 1e6), (2, 200, 3e6), (4, 300, 9e6), (8, 800, 1e6))),
                         "the highest valid number of copies is 2, with 200.0 op/s, and the overall response time up to there 1.5 ms")
        self.assertEqual(set_points.conclusion(ladder((1, 90, 1e6), (2, 200, 3e6))), "no number of copies is valid")
        self.assertIsNone(set_points.overall_response_ns([]))

    def run_of(self, name):
        return files.read_runs([self.write("x", results.ALL[name]())])[0]

    def test_copies_of_a_result_are_added_up(self):
        found, = set_points.ladders(self.run_of("set copies"))
        self.assertEqual([(point.value, len(point.loads), point.asked, point.rate) for point in found.points],
                         [(1, 2, 2000, 2000), (2, 4, 4000, 3700)])
        self.assertEqual(found.points[1].faults, ["load1 reached 70 % of its rate"])
        self.assertEqual(found.points[1].response.count, 4 * found.points[1].loads[0].response.count)
        self.assertEqual([name for name, _ in catalogue.of_ladder(found)], ["set-copies"])
        table = sets.ladder_table(found)
        self.assertEqual(table.rows[1][-1].text, "; ".join(found.points[1].faults))
        self.assertIn("if each load reached its rate (95 % of the operations that were due", str(vars(table)))

    def test_a_curve_of_a_result_says_which_points_were_missed(self):
        found, = set_points.ladders(self.run_of("set curve"))
        self.assertEqual([(point.value, point.rate, point.is_reached) for point in found.points],
                         [("50%", 2000, True), ("100%", 4000, True), ("150%", 5100, False)])
        self.assertEqual([row[-1].text for row in sets.ladder_table(found).rows], ["yes", "yes", "missed"])
        self.assertEqual(set_points.conclusion(found), "all loads of the set reached up to 4\u202f000 op/s")
        document = results.ALL["set curve"]()
        document["tests"][1]["phases"][-1]["status"] = "failed"
        found, = set_points.ladders(files.read_runs([self.write("failed", document)])[0])
        self.assertEqual(found.points[0].is_reached, False)


if __name__ == "__main__":
    unittest.main()
