"""
iorx-import: public outputs of other programs become documents; wrong ones are refused
with file, line, key, value and remedy.
"""

import json
import os
import re
import sys
import unittest

import results
from iorx_results import compare, files, importer, page, rows
from iorx_results.members import ResultError

try:
    import jsonschema
    from hypothesis import HealthCheck, given, settings, strategies
except ImportError:
    print(
        "needs jsonschema and hypothesis: install python3-jsonschema and "
        "python3-hypothesis"
    )
    sys.exit(77)

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES",
                              "150"))  # more of them search longer than make check does
OUTPUTS = os.path.join(results.HERE, "outputs")
MIB = 1 << 20
with open(os.path.join(results.TOP, "doc/import.schema.json"),
          encoding="utf-8") as file:
    SCHEMA = json.load(file)
ALL = sorted(name for name in os.listdir(OUTPUTS) if not name.endswith(".md"))


def output(name):
    with open(os.path.join(OUTPUTS, name), encoding="utf-8") as file:
        return file.read()


class Case(results.Case):
    def put(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        return path

    def made(self, name):
        """
        The documents of a file of outputs/, each valid by the schema and by the reader.
        """
        found = importer.documents(os.path.join(OUTPUTS, name))
        for document in found:
            jsonschema.validate(document, SCHEMA)
            files.read_file(self.write("made", document))
        return found

    def refused(self, text, name="out.txt"):
        """What is said of a text behind the path."""
        path = self.put(name, text)
        with self.assertRaises(ResultError) as caught:
            importer.documents(path)
        said = str(caught.exception)
        self.assertTrue(said.startswith(path + ":"), said)
        self.assertIn("; give ", said)
        return said[len(path) + 1:]

    def command(self, *arguments):
        return results.run_command(importer.main, "iorx-import", *arguments)


def rates(document):
    """[(phase, repetition, rate)] of the first test."""
    return [(one["phase"], one["repetition"], next(iter(one["rates"].values())))
            for one in document["tests"][0]["phases"]]


class IorTest(Case):
    def test_ior_3_0(self):
        document, = self.made("ior-3.0.1.txt")
        self.assertEqual(document["source"]["version"], "3.0.1")
        self.assertEqual(document["run"]["began"], "2019-03-22T12:41:45")
        self.assertEqual((document["run"]["tasks"], document["run"]["nodes"]), (16, 2))
        self.assertEqual(
            document["run"]["hosts"],
            ["cpn-d13-16.int.ccr.buffalo.edu", "cpn-d13-17.int.ccr.buffalo.edu"])
        test, = document["tests"]
        self.assertEqual(rates(document), [("write", 0, 158.39 * MIB)])
        self.assertEqual(test["phases"][0]["intervals"], {
            "open_s": .003322,
            "transfer_s": 1.47,
            "close_s": 20.06,
            "total_s": 20.2
        })
        self.assertEqual(
            (test["plan"]["shared_file"], test["plan"]["transfers_per_task"]),
            (True, 10))
        self.assertEqual(test["options"]["flags"]["value"],
                         "-vv -Z -b 200m -t 20m -a POSIX -w -k")
        self.assertEqual(test["options"]["transfer_size"]["value"], 20 * MIB)

    def test_a_text_with_several_outputs_becomes_several_documents(self):
        first, second = self.made("ior-3.3.0.txt")
        self.assertEqual([one["source"]["line"] for one in (first, second)], [3, 46])
        self.assertEqual(rates(first), [("write", 0, 2030.54 * MIB),
                                        ("read", 0, 1968.99 * MIB)])
        self.assertEqual([one["run"]["tasks"] for one in (first, second)], [4, 16])
        self.assertEqual(first["tests"][0]["test_file"], "/data/testdata/testFile")
        self.assertNotIn("operations_per_s", first["tests"][0]["phases"][0]
                         ["rates"])  # IOR's IOPS leave out open and close

    def test_ior_4_and_mdtest_in_one_text(self):
        ior, mdtest = self.made("ior-mdtest-4.0.0.txt")
        self.assertEqual(rates(ior), [("write", 0, 101.04 * MIB),
                                      ("read", 0, 30912 * MIB)])
        self.assertEqual(rates(mdtest), [("file-create", 0, 2568.636),
                                         ("tree-create", 0, 496.015)])
        self.assertEqual(
            (mdtest["run"]["tasks"], mdtest["run"]["nodes"], mdtest["run"]["began"]),
            (10, 2, "2026-03-19T17:55:06"))

    def test_each_row_is_a_repetition(self):
        text = output("ior-3.3.0.txt")
        row = next(line for line in text.splitlines() if line.startswith("write "))
        again = row.replace("2030.54", "1999.00").rstrip()[:-1] + "1"
        text = text.replace(row, f"{row}\n{again}", 1)
        self.assertIn(
            "43: reps: '1' is not the number of rows of write above, which is 2",
            self.refused(text))
        line = next(line for line in text.splitlines()
                    if line.startswith("write  ") and "POSIX" in line)
        cells = line.split()
        cells[cells.index("4") + 2] = "2"
        document = importer.documents(
            self.put("two.txt", text.replace(line, " ".join(cells), 1)))[0]
        self.assertEqual([one for one in rates(document) if one[0] == "write"],
                         [("write", 0, 2030.54 * MIB), ("write", 1, 1999 * MIB)])

    def test_json(self):
        rows = [{
            "access": access,
            "bwMiB": 100.5 + n,
            "blockKiB": 256,
            "xferKiB": 64,
            "iops": 8.1,
            "latency": 0.1,
            "openTime": 0.01,
            "wrRdTime": 0.2,
            "closeTime": 0.03,
            "totalTime": 0.24
        } for n in range(2) for access in ("write", "read")]
        document = {
            "Version": "4.0.0",
            "Began": "Thu Mar 19 17:42:44 2026",
            "Command line": "ior -t 64k -o /x/y",
            "Machine": "Linux h1",
            "tests": [{
                "TestID": 0,
                "Parameters": {
                    "api": "POSIX",
                    "testFileName": "/x/y",
                    "segmentCount": 1,
                    "transferSize": 65536,
                    "blockSize": 262144,
                    "filePerProc": 0
                },
                "Options": {
                    "tasks": 2,
                    "nodes": 1
                },
                "Results": rows
            }],
            "Finished": "Thu Mar 19 17:42:50 2026"
        }
        for shape in (rows, [rows[:2], rows[2:]]):
            document["tests"][0]["Results"] = shape
            found, = importer.documents(self.put("ior.json", json.dumps(document)))
            jsonschema.validate(found, SCHEMA)
            self.assertEqual(rates(found), [("write", 0, 100.5 * MIB),
                                            ("read", 0, 100.5 * MIB),
                                            ("write", 1, 101.5 * MIB),
                                            ("read", 1, 101.5 * MIB)])
        document["tests"][0]["Results"][0][0]["bwMiB"] = "x"
        self.assertIn(
            ' tests[0].Results[0][0].bwMiB: "x" is not a number; give the JSON as IOR '
            'wrote it, whole',
            self.refused(json.dumps(document), "x.json"))
        self.assertIn("Finished is missing",
                      self.refused(json.dumps({
                          "Version": "4",
                          "tests": []
                      }), "x.json"))

    def test_wrong_text_is_refused(self):
        text = output("ior-3.3.0.txt")
        for old, new, words in (
            ("2030.54    519844", "2030.54x   519844",
             "34: bw(MiB/s): '2030.54x' is not a number"),
            ("2030.54    519844", "nan        519844",
             "34: bw(MiB/s): 'nan' is not a number"),
            ("2030.54    519844", "0.00       519844",
             "34: bw(MiB/s): '0.00' is no rate"),
            ("8.07       0   \nread", "8.07\nread",
             "34: write: 'write 2030.54 519844 0.030358 1024.00 4.00 0.001463 8.07 "
             "1.1' has 10 "
             "columns where the header has 11"), ("Wed Jan 19 07:04:22 2022\nCommand",
                                                  "soon\nCommand",
                                                  "4: Began: 'soon' is not a date")):
            self.assertTrue(
                self.refused(text.replace(old, new, 1)).startswith(words),
                (words, self.refused(text.replace(old, new, 1))))
        self.assertIn(
            ": Finished: '' does not end the output; give the output as IOR wrote it, "
            "whole",
            self.refused(text[:1800]))


class MdtestTest(Case):
    def test_means_over_iterations_are_no_repetitions(self):
        for name, version, count in (("mdtest-1.9.3.txt", "1.9.3", 9),
                                     ("mdtest-4.1.0.txt", "4.1.0+dev", 3)):
            document, = self.made(name)
            self.assertEqual(document["source"]["version"], version)
            phases = document["tests"][0]["phases"]
            self.assertEqual([one["mean_of"] for one in phases], [10] * count)
        phase = phases[0]
        self.assertEqual((phase["phase"], phase["rates"]["total_operations_per_s"]),
                         ("file-create", 6996.044))
        self.assertEqual(
            phase["spread"], {
                "min_operations_per_s": 6789.531,
                "max_operations_per_s": 7147.432,
                "sd_operations_per_s": 132.149
            })
        text = page.make([files.read_file(self.write("mdtest", document))])
        self.assertIn("file-create 6\u202f996 op/s", text)
        self.assertIn("the mean of 10 repetitions", text)
        self.assertNotIn("One repetition", text)

    def test_wrong_text_is_refused(self):
        text = output("mdtest-1.9.3.txt")
        for old, new, words in (
            ("589.165          0.008", "589.165",
             "17: File creation: '589.172        589.150        589.165' has 3 numbers "
             "where mdtest has Max"
             ), ("589.165", "-5", "17: File creation: Mean: '-5' is not a number"),
            ("File creation", "File painting", "17: File painting: "),
            ("(of 10 iterations)", "", "SUMMARY rate: '' does not stand in the output"),
            ("-- finished", "", "finished at: '' does not stand in the output"),
            ("05/01/2019 16:07:45", "today", "2: started at: 'today' is not a date")):
            self.assertIn(words, self.refused(text.replace(old, new, 1)))


class FioTest(Case):
    def test_fio_2_counts_in_kib_and_us(self):
        document, = self.made("fio-2.2.10.json")
        phase, = document["tests"][0]["phases"]
        self.assertEqual(phase["data"]["bytes"], 37500272 * 1024)
        self.assertEqual(phase["rates"], {
            "total_bytes_per_s": 62499 * 1024,
            "operations_per_s": 15624.7
        })
        self.assertEqual(
            phase["data"]["bytes"] // phase["operations"]["write"]["count"], 4096)
        times = phase["operations"]["write"]
        self.assertEqual((times["is"], times["min_ns"], times["percentiles"]["p99"]),
                         ("clat", 964000, {
                             "ns": 8640000
                         }))
        self.assertEqual(document["run"]["ended"], "2017-11-17T23:59:32Z")

    def test_clones_are_one_test_at_the_rate_of_all(self):
        document, = self.made("fio-3.33-clones.json")
        test, = document["tests"]
        self.assertEqual((test["name"], test["plan"]["tasks"]), ("a", 2))
        jobs = json.loads(output("fio-3.33-clones.json"))["jobs"]
        for phase in test["phases"]:
            parts = [job[phase["phase"]] for job in jobs]
            self.assertEqual(phase["data"]["bytes"],
                             sum(part["io_bytes"] for part in parts))
            self.assertAlmostEqual(phase["rates"]["total_bytes_per_s"],
                                   sum(part["bw_bytes"] for part in parts),
                                   delta=.03 * parts[0]["bw_bytes"])
            times = phase["operations"][phase["phase"]]
            self.assertEqual(times["count"], sum(part["total_ios"] for part in parts))
            self.assertNotIn("percentiles", times)  # those of two jobs cannot be joined
            self.assertEqual(times["max_ns"],
                             max(part["clat_ns"]["max"] for part in parts))

    def test_groups_are_tests_and_latency_percentiles_are_taken(self):
        document, = self.made("fio-3.33-groups.json")
        first, second = document["tests"]
        self.assertEqual((first["name"], second["name"], second["plan"]["tasks"]),
                         ("seq", "after", 2))
        self.assertNotIn("set", first)
        times = second["phases"][0]["operations"]["read"]
        self.assertEqual(times["is"], "lat")
        self.assertEqual(set(times["percentiles"]),
                         {"p50", "p90", "p99"})  # 512 operations support no p99.9
        run = files.read_file(self.write("fio", document))
        self.assertEqual(run.tests[1].kinds[0].operation.percentiles["p99"],
                         times["percentiles"]["p99"]["ns"])

    def test_sections_of_one_group_ran_at_the_same_time(self):
        value = json.loads(output("fio-3.33-clones.json"))
        value["jobs"][1]["jobname"] = "b"
        document, = importer.documents(
            self.put("x.json", "fio: a warning\n" + json.dumps(value)))
        self.assertEqual([test["set"] for test in document["tests"]], [{
            "number": 1
        }] * 2)
        self.assertIn("It ran at the same time as b.",
                      page.make([files.read_file(self.write("set", document))]))

    def test_a_failed_job_is_failed(self):
        value = json.loads(output("fio-2.2.10.json"))
        value["jobs"][0]["error"] = 5
        document, = importer.documents(self.put("x.json", json.dumps(value)))
        jsonschema.validate(document, SCHEMA)
        self.assertEqual(document["status"], "failed")
        self.assertIn("fio ended with error 5",
                      page.make([files.read_file(self.write("failed", document))]))

    def test_wrong_json_is_refused(self):
        text = output("fio-2.2.10.json")
        self.assertIn(
            "28: not JSON: ",
            self.refused(
                text.replace('"lat" : {', '"lat" : ',
                             1).replace('"slat" : {', '"slat" ', 1), "x.json"))
        self.assertIn("not JSON: ", self.refused(text[:700], "x.json"))
        self.assertIn(
            ' jobs[0].write.io_bytes: "x" is not a number; give the JSON as fio wrote '
            'it, whole',
            self.refused(text.replace("37500272", '"x"'), "x.json"))
        self.assertIn("jobs is empty",
                      self.refused('{"fio version": "fio-3.33", "jobs": []}', "x.json"))
        self.assertIn(
            "client_stats",
            self.refused('{"fio version": "fio-3.33", "client_stats": []}', "x.json"))
        self.assertIn("this JSON is neither fio's nor IOR's",
                      self.refused('{"a": 1}', "x.json"))


class ElbenchoTest(Case):
    def test_rates_are_those_of_the_slowest_thread(self):
        document, = self.made("elbencho-2.1.csv")
        self.assertEqual(rates(document), [("dir-create", 0, 8324),
                                           ("write", 0, 4831 * MIB)])
        self.assertEqual((document["run"]["tasks"], document["run"]["nodes"],
                          document["run"]["ended"]), (32, 4, "2022-03-09T23:41:14Z"))
        phase = document["tests"][0]["phases"][1]
        self.assertEqual(phase["first_done"], {
            "time_s": 45.247,
            "rates": {
                "total_bytes_per_s": 4792 * MIB
            }
        })
        self.assertEqual(phase["operations"]["write"], {
            "mean_ns": 6621000,
            "min_ns": 2379000,
            "max_ns": 93525000
        })
        document, = self.made("elbencho-3.1.csv")
        self.assertEqual(rates(document), [("dir-create", 0, 1466),
                                           ("write", 0, 2941 * MIB),
                                           ("read", 0, 9048 * MIB)])

    def test_the_reads_of_a_mix_stand_apart(self):
        lines = output("elbencho-2.1.csv").splitlines()
        heads, cells = lines[0].split(","), lines[-1].split(
            ",",
            len(lines[0].split(",")) - 1)
        for name, value in (("rwmix read MiB/s [last]", "500"),
                            ("rwmix read IOPS [last]", "501")):
            cells[heads.index(name)] = value
        document, = importer.documents(
            self.put("mix.csv", "\n".join([lines[0], ",".join(cells)])))
        jsonschema.validate(document, SCHEMA)
        self.assertEqual(rates(document), [("write", 0, 4831 * MIB),
                                           ("read", 0, 500 * MIB)])

    def test_the_same_operation_again_is_a_repetition(self):
        text = output("elbencho-3.1.csv")
        document, = importer.documents(
            self.put("twice.csv", text + text.split("\n", 1)[1]))
        self.assertEqual([one for one in rates(document) if one[0] == "read"],
                         [("read", 0, 9048 * MIB), ("read", 1, 9048 * MIB)])

    def test_wrong_csv_is_refused(self):
        text = output("elbencho-3.1.csv")
        for old, new, words in (("2941,3494,2941", "2941,3494,fast",
                                 "3: MiB/s [last]: 'fast' is not a number"),
                                (",120903", "",
                                 "3: columns: "), ("2026-05-22T16:09:41", "now",
                                                   "4: ISO date: 'now' is not a date"),
                                ("time ms [last]", "time", "1: time ms [last]: "),
                                (",dir,1,1,8,", ",dir,1,1,many,",
                                 "2: threads: 'many' is not a whole")):
            self.assertTrue(
                self.refused(text.replace(old, new, 1), "x.csv").startswith(words),
                (words, self.refused(text.replace(old, new, 1), "x.csv")))
        self.assertIn("operation: '' has no row with a rate",
                      self.refused(text.splitlines()[0], "x.csv"))


class CommandTest(Case):
    def test_all_become_documents_that_the_other_programs_read(self):
        paths = [self.put(name, output(name)) for name in ALL]
        code, out, err = self.command(*paths)
        self.assertEqual((code, err), (0, ""))
        made = out.split()
        self.assertEqual(len(made), len(ALL) + 2)
        runs = files.read_runs(made)
        self.assertIn("numbers of fio 2.2.10, which iorx cannot judge", page.make(runs))
        self.assertNotIn('class="mark good"', page.make(runs))
        self.assertEqual({row.severity
                          for run in runs
                          for row in rows.of_run(run, {})}, {""})
        self.assertEqual(self.command(*paths)[0],
                         0)  # documents of its own are replaced

    def test_an_import_is_compared_with_a_result_of_iorx(self):
        self.command(self.put("a.txt", output("ior-3.3.0.txt")), "-o",
                     self.folder + "/made/")
        code, out, err = results.run_command(compare.main, "iorx-compare",
                                             self.folder + "/made/a.1.iorx.json",
                                             self.write("b", results.one()))
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"A  \S+: IOR 3.3.0, 2022-01-19 07:04:22\n")
        self.assertNotIn("backend", out)
        self.assertRegex(out, r"(?m)^  write +1/1 ")

    def test_nothing_is_written_where_one_file_is_wrong(self):
        good, bad = self.put("good.txt",
                             output("ior-3.0.1.txt")), self.put("bad.txt", "hello\n")
        code, out, err = self.command(good, bad)
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(
            err,
            r"^iorx-import: error: \S+/bad.txt:1: 'hello' begins no output of IOR, "
            r"mdtest, fio or elbencho; give "
        )
        self.assertEqual(sorted(os.listdir(self.folder)), ["bad.txt", "good.txt"])

    def test_names_of_documents(self):
        path = self.put("x.txt", output("ior-3.3.0.txt"))
        self.assertIn("2 documents would have the same name",
                      self.command(path, "-o", self.folder + "/one.json")[2])
        self.put("y.iorx.json", "mine")
        self.assertIn("is there and was not made by iorx-import",
                      self.command(self.put("y.txt", output("ior-3.0.1.txt")))[2])
        result = self.write("result", results.one())
        self.assertIn(
            "is a result of iorx",
            self.command(self.put("y.txt", output("ior-3.0.1.txt")), "-o", result)[2])


def changed(data, text):
    """The text with some lines cut, doubled or lost, or some characters changed."""
    kind = data.draw(
        strategies.sampled_from(["cut", "drop", "double", "swap", "splice"]))
    if kind == "cut":
        return text[:data.draw(strategies.integers(0, len(text)))]
    if kind == "splice":
        at = data.draw(strategies.integers(0, len(text)))
        return text[:at] + data.draw(strategies.text(
            max_size=12)) + text[at + data.draw(strategies.integers(0, 12)):]
    lines = text.split("\n")
    a, b = (data.draw(strategies.integers(0, len(lines) - 1)) for _ in range(2))
    if kind == "drop":
        del lines[a]
    elif kind == "double":
        lines.insert(a, lines[b])
    else:
        words = re.split(r"(\W+)", lines[a])
        words[data.draw(strategies.integers(0,
                                            len(words) - 1))] = data.draw(
                                                strategies.sampled_from([
                                                    "-1", "1e999", "nan", "0", "",
                                                    "99999999999999999999999", "null",
                                                    "true", "{", "[]", "\u0663", "1_0",
                                                    "\ud800"
                                                ]))
        lines[a] = "".join(words)
    return "\n".join(lines)


class FuzzTest(Case):
    """
    Whatever a file holds: a document that is valid, or one error that begins with its
    name.
    """
    def fuzz(self, names):
        @settings(max_examples=EXAMPLES,
                  deadline=None,
                  database=None,
                  derandomize="FUZZ_EXAMPLES" not in os.environ,
                  suppress_health_check=list(HealthCheck))
        @given(strategies.data())
        def check(data):
            text = output(data.draw(strategies.sampled_from(names)))
            for _ in range(data.draw(strategies.integers(1, 3))):
                text = changed(data, text)
            path = os.path.join(self.folder, "out")
            with open(path, "wb") as file:
                file.write(text.encode("utf-8", "surrogatepass"))
            try:
                found = importer.documents(path)
            except ResultError as error:
                self.assertTrue(str(error).startswith(path + ":"), error)
                return
            for document in found:
                jsonschema.validate(document, SCHEMA)
                json.dumps(document, allow_nan=False)
                page.subtitle(files.read_file(self.write("made", document)))

        check()

    def test_ior(self):
        self.fuzz(["ior-3.0.1.txt", "ior-3.3.0.txt", "ior-mdtest-4.0.0.txt"])

    def test_mdtest(self):
        self.fuzz(["mdtest-1.9.3.txt", "mdtest-4.1.0.txt"])

    def test_fio(self):
        self.fuzz(["fio-2.2.10.json", "fio-3.33-clones.json", "fio-3.33-groups.json"])

    def test_elbencho(self):
        self.fuzz(["elbencho-2.1.csv", "elbencho-3.1.csv"])


if __name__ == "__main__":
    unittest.main()
