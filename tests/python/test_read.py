"""Reading results: what is wrong is named, what is new is tolerated."""

import json
import math
import os
import unittest

import results
from iorx_results import files, model, page, statistics
from iorx_results.members import ResultError


class ReadTest(results.Case):
    def refused(self, document):
        path = self.write("bad", document)
        with self.assertRaises(ResultError) as caught:
            files.read_runs([path])
        text = str(caught.exception)
        self.assertTrue(text.startswith(path + ": "), text)
        return text[len(path) + 2:]

    def test_newer_minor_versions_and_unknown_members_are_read(self):
        document = results.one()
        document["schema"]["version"] = "2.42"
        document["tests"][0]["phases"][0]["new_member"] = {"x": [1]}
        run, = files.read_runs([self.write("new", document)])
        self.assertEqual(len(run.tests[0].phases), 2)

    def test_other_documents_are_refused(self):
        document = results.one()
        document["schema"]["version"] = "3.0"
        self.assertIn("is of another iorx (schema.version 3.0, these programs read 2.x); run the job again",
                      self.refused(document))
        document["schema"]["version"] = "1.0"
        self.assertIn("was written by iorx before 0.1 (schema.version 1.0, these programs read 2.x); run the job "
                      "again, or use the iorx-report of that version", self.refused(document))
        self.assertEqual(self.refused({"a": 1}), "schema is missing")
        self.assertEqual(self.refused([1]), "the document is not an object")
        self.assertEqual(self.refused({"schema": {"name": "fio"}}),
                         "schema.name is 'fio', so this is not a result of iorx")

    def test_a_wrong_member_is_named(self):
        for place, value, words in (
                (("status",), 1, "tests[0].phases[1].status is not a text"),
                (("phase",), "{0.__class__}",
                 "tests[0].phases[1].phase is '{0.__class__}', which is not a name of a phase"),
                (("rates", "total_bytes_per_s"), "x",
                 "tests[0].phases[1].rates.total_bytes_per_s is not a number"),
                (("operations", "read", "count"), 1.5,
                 "tests[0].phases[1].operations.read.count is not a whole number"),
                (("timeline",), {"slice_seconds": 1, "bytes": [1, 1e-320]},
                 "tests[0].phases[1].timeline.bytes[1] is not a number"),
                (("operations", "read", "histogram"), [[1]],
                 "tests[0].phases[1].operations.read.histogram[0] is not [lower edge in ns, operations]"),
                (("verdicts",), [{"id": "T1", "severity": "bad"}],
                 "tests[0].phases[1].verdicts[0].severity is 'bad'"),
                (("heatmap",), {"slice_seconds": 1, "rows": [{}], "bytes": []},
                 "tests[0].phases[1].heatmap.bytes has 0 rows, not 1")):
            document = results.one()
            inner = document["tests"][0]["phases"][1]
            for name in place[:-1]:
                inner = inner[name]
            inner[place[-1]] = value
            self.assertEqual(self.refused(document), words)

    def test_a_journal_of_two_sessions_has_each_phase_once(self):
        document = results.one()
        test, run = document["tests"][0], document["run"]
        phases = test.pop("phases")
        later = [dict(phase, began="2031" + phase["began"][4:]) for phase in phases]
        lines = [{"schema": document["schema"], "run": run}, {"test": test}, {"phase": phases[0]},
                 {"test_end": {"test": 0, "precise": True}}, {"end": {"status": "interrupted"}}, {"session": run},
                 *({"phase": phase} for phase in later)]
        path = os.path.join(self.folder, "x.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(json.dumps(line) + "\n" for line in lines))
        made, = files.read_runs([path])
        self.assertEqual(made.sessions, [run["began"]])
        self.assertEqual([phase.began[:4] for phase in made.tests[0].phases], ["2031"] * len(later))
        self.assertIn("measured in two sessions, ", page.subtitle(made))

    def test_torn_and_foreign_files_are_refused(self):
        path = os.path.join(self.folder, "torn.json")
        for content in (b'{"schema": ', b"\xff\xfe", b"[" * 100000):
            with open(path, "wb") as file:
                file.write(content)
            with self.assertRaises(ResultError):
                files.read_runs([path])

    def test_only_regular_files_of_a_bounded_size_are_read(self):
        fifo, large = os.path.join(self.folder, "fifo.json"), os.path.join(self.folder, "large.json")
        os.mkfifo(fifo)
        with open(large, "wb") as file:
            file.truncate(files.MOST_BYTES + 1)
        for path, words in (("/dev/zero", "this is no regular file"), (fifo, "this is no regular file"),
                            (large, "bytes are more than a result has")):
            with self.assertRaisesRegex(ResultError, words):
                files.read_runs([path])

    def test_a_journal_is_read_like_its_document(self):
        document = results.one()
        test = dict(document["tests"][0])
        phases, summaries = test.pop("phases"), test.pop("summaries")
        lines = [{"schema": document["schema"], "run": document["run"]}, {"test": test}]
        lines += [{"phase": phase} for phase in phases]
        lines += [{"test_end": {"test": 0, "summaries": summaries}}]
        path = os.path.join(self.folder, "x.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(map(json.dumps, lines)) + '\n{"end": {"st')
        run, = files.read_runs([path])
        self.assertEqual(run.status, "interrupted")
        self.assertEqual([kind.name for kind in run.tests[0].kinds], ["write", "read"])

    def test_statistics_are_those_of_the_document(self):
        document = results.one()
        run, = files.read_runs([self.write("one", document)])
        for summary in document["tests"][0]["summaries"]:
            kind = next(k for k in run.tests[0].kinds if k.name == summary["phase"])
            self.assertAlmostEqual(kind.median, summary["total_rate"]["median_bytes_per_s"])
        for phase in run.tests[0].phases:
            for operation in phase.operations.values():
                for name, value in operation.percentiles.items():
                    mine = statistics.percentile(operation.histogram, float(name[1:]) / 100,
                                                 operation.min_ns, operation.max_ns)
                    self.assertEqual(None if mine is None else round(mine), value, name)

    def test_intervals_of_the_median_are_those_of_the_tables(self):
        for count, ranks in ((5, None), (6, (1, 6)), (8, (1, 8)), (10, (2, 9)), (20, (6, 15)),
                             (30, (10, 21))):
            # from both ends in turn, as ascending values follow one another
            values = [(one + 1) // 2 if one % 2 else count + 1 - one // 2 for one in range(1, count + 1)]
            found = statistics.median_interval(values)
            self.assertEqual(found and found[:2], ranks)

    def test_values_that_follow_one_another_have_a_wider_interval(self):
        turns = [one % 2 + one / 100 for one in range(30)]
        waves = [math.sin(one / 2) + one % 2 / 2 for one in range(30)]
        self.assertEqual(statistics.effective(turns), 30)
        self.assertEqual(statistics.effective(waves[:19]), 19)
        self.assertLess(statistics.effective(waves), 15)
        low, high, _ = statistics.median_interval(waves)
        narrow = sorted(waves)[9], sorted(waves)[20]
        self.assertLess(low, narrow[0])
        self.assertGreater(high, narrow[1])
        self.assertIsNone(statistics.median_interval([one % 15 // 5 for one in range(30)]))

    def test_values_that_drift_have_the_interval_of_the_measured_ones(self):
        for count, ranks in ((20, (6, 15)), (30, (10, 21))):
            values = [one + .3 * (one % 3) for one in range(count)]
            self.assertEqual(statistics.effective(values), count)
            low, high, _ = statistics.median_interval(values)
            self.assertEqual((low, high), tuple(sorted(values)[rank - 1] for rank in ranks))

    def test_two_phases_of_one_kind_are_two_series(self):
        document = results.many(3)
        test = document["tests"][0]
        for phase in test["phases"]:
            phase["phase"] = "read"
        test["plan"]["series"] = [{"phase_index": index, "operation": name, "part": None}
                                  for index, name in enumerate(("write", "read"))]
        run, = files.read_runs([self.write("t", document)])
        self.assertEqual([(kind.name, len(kind.rates), kind.operation.name) for kind in run.tests[0].kinds],
                         [("read", 3, "write"), ("read 2", 3, "read")])

    def test_warm_ups_and_failed_phases_count_in_nothing(self):
        run, = files.read_runs([self.write("w", results.many(4, warmups=1))])
        self.assertEqual([len(kind.rates) for kind in run.tests[0].kinds], [3, 3])
        run, = files.read_runs([self.write("f", results.failed())])
        self.assertEqual([len(kind.rates) for kind in run.tests[0].kinds], [1, 1])
        self.assertEqual(model.SEVERITIES[-1], "fail")


if __name__ == "__main__":
    unittest.main()
