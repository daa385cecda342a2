"""iorx-convert: results in the forms of other programs."""

import contextlib
import io
import json
import os
import tempfile
import unittest
from unittest import mock

import results
from iorx_results import convert, convert_fio, convert_vdbench, files, reader


def rows(text):
    """[{column: cell}] of a flat file."""
    lines = [line.split() for line in text.splitlines() if not line.startswith("*")]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def document(**options):
    """A real load, with other values of some options."""
    made = results.one("load.json")
    for name, value in options.items():
        made["tests"][0]["options"].setdefault(name.replace("__", "."), {})["value"] = value
    return made


def flat(made):
    return rows(convert_vdbench.text([reader.read_run(made, "load.json")]))


class VdbenchTest(unittest.TestCase):
    def test_a_row_has_as_many_cells_as_the_header(self):
        text = convert_vdbench.text([reader.read_run(document(), "load.json")])
        lines = [line.split() for line in text.splitlines() if not line.startswith("*")]
        self.assertEqual(lines[0], list(convert_vdbench.COLUMNS))
        self.assertEqual({len(line) for line in lines}, {len(convert_vdbench.COLUMNS)})

    def test_the_layout_of_the_files_is_no_row(self):
        made = document()
        phases = [phase["phase"] for phase in made["tests"][0]["phases"]]
        self.assertIn("write", phases)
        self.assertEqual(len(flat(made)), phases.count("load"))

    def test_numbers_are_those_of_the_document(self):
        made = document()
        phase = next(one for one in made["tests"][0]["phases"] if one["phase"] == "load")
        row, load = flat(made)[0], phase["load"]
        self.assertAlmostEqual(float(row["rate"]), phase["rates"]["total_operations_per_s"], delta=1e-3)
        self.assertAlmostEqual(float(row["MB/sec"]), load["bytes_per_s"] / 1048576, delta=1e-3)
        self.assertEqual(row["bytes/io"], f"{load['bytes'] / load['operations']:.0f}")
        self.assertAlmostEqual(float(row["read%"]), 100 * load["achieved_shares"]["read"], delta=1e-2)
        for column, operation in (("resp", "mixed"), ("read_resp", "read"), ("write_resp", "write")):
            times = phase["operations"].get(operation)
            self.assertAlmostEqual(float(row[column]), times["mean_ns"] / 1e6 if times else 0, delta=1e-4)
            name = column.split("_")[0]
            self.assertAlmostEqual(float(row[f"{name}_max"]), times["max_ns"] / 1e6 if times else 0, delta=1e-4)

    def test_the_interval_begins_behind_the_warm_up(self):
        made = document(load__warmup_time=60.0)
        for phase in made["tests"][0]["phases"]:
            phase["intervals"]["transfer_s"] = 600.0
        self.assertEqual(flat(made)[0]["Interval"], "avg_61-660")

    def test_rows_of_intervals_stand_before_their_average(self):
        table = ("test,repetition,interval,began_epoch_s,from_s,seconds,part,nodes,all_nodes,operations_per_s,"
                 "read_operations,read_bytes,read_service_mean_ns,write_operations,write_bytes,write_service_mean_ns\n"
                 "0,0,1,1700000000.5,0,2,warm-up,1,1,500,750,6144000,2000000,250,2048000,6000000\n"
                 "0,0,2,1700000002.5,2,2,measured,1,1,0,0,0,,0,0,\n"
                 "0,0,3,1700000004.5,4,0.000062,measured,1,1,56970,4,32768,2000000,0,0,\n")
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "r.json")
            for path, text in ((name, json.dumps(document(load__interval=2.0, load__warmup_time=4.0))),
                               (name.replace(".json", ".intervals.csv"), table)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            found = rows(convert_vdbench.text(files.read_runs([name])))
        self.assertEqual([row["Interval"] for row in found[:2]], ["1", "2"])
        self.assertRegex(found[2]["Interval"], r"^avg_3-\d+$")
        first = {name: found[0][name] for name in ("timestamp", "rate", "MB/sec", "bytes/io", "read%", "resp", "read_resp",
                                                   "write_resp", "resp_max")}
        self.assertEqual(first, {"timestamp": "11/14/2023-22:13:20.500-UTC", "rate": "500.0000", "MB/sec": "3.9062",
                                 "bytes/io": "8192", "read%": "75.00", "resp": "3.0000", "read_resp": "2.0000",
                                 "write_resp": "6.0000", "resp_max": "n/a"})
        self.assertEqual((found[1]["bytes/io"], found[1]["resp"]), ("n/a", "0.0000"))

    def test_a_closed_loop_was_asked_for_max_and_a_rate_for_its_number(self):
        for asked, shown in ((None, "999988.00"), (2500.0, "2500.00")):
            made = document()
            for phase in made["tests"][0]["phases"]:
                if phase["phase"] == "load":
                    phase["load"]["asked_operations_per_s"] = asked
            self.assertEqual(flat(made)[0]["reqrate"], shown)

    def test_blanks_in_a_name_do_not_shift_the_columns(self):
        self.assertEqual(flat(document(name="a b\tc"))[0]["Run"], "a_b_c")

    def test_the_size_is_a_number(self):
        made = document()
        for phase in made["tests"][0]["phases"]:
            if phase["phase"] == "load":
                phase["load"].update(asked_shares={"read": .75, "write": .25, "stat": 0},
                                     asked_sizes={"read_bytes": 4096, "write_bytes": 8192})
        self.assertEqual(flat(made)[0]["xfersize"], "5120")

    def test_compression_is_a_ratio(self):
        self.assertEqual(flat(document(content_compress=0.5))[0]["compratio"], "2.00")

    def test_the_deviation_is_that_of_the_histogram(self):
        operation = mock.Mock(count=4, histogram=[(100, 2), (200, 2)])
        self.assertAlmostEqual(convert_vdbench.deviation(operation), (4 * 50 ** 2 / 3) ** .5)
        self.assertEqual(convert_vdbench.deviation(None), 0)


class FioTest(unittest.TestCase):
    def jobs(self, made):
        return json.loads(convert_fio.text([reader.read_run(made, "load.json")]))["jobs"]

    def test_numbers_are_those_of_the_document(self):
        made = document()
        phase = next(one for one in made["tests"][0]["phases"] if one["phase"] == "load")
        job = self.jobs(made)[0]
        seconds = phase["intervals"]["transfer_s"]
        for name in "read", "write":
            times = phase["operations"].get(name)
            self.assertEqual(job[name]["total_ios"], times["count"] if times else 0)
            self.assertEqual(job[name]["io_bytes"], times["bytes"] if times else 0)
            self.assertAlmostEqual(job[name]["iops"], times["count"] / seconds if times else 0, places=6)
            self.assertEqual(job[name]["lat_ns"]["max"], times["max_ns"] if times else 0)
            self.assertEqual(job[name]["clat_ns"].get("bins", {}),
                             {str(ns): count for ns, count in times["histogram"]} if times else {})
        for members in ("latency_ns", "latency_us", "latency_ms"), ("iodepth_level",):
            self.assertAlmostEqual(sum(sum(job[member].values()) for member in members), 100, places=6)

    def test_a_data_phase_is_a_job_too(self):
        made = results.one()
        jobs = self.jobs(made)
        self.assertEqual([job["job options"]["rw"] for job in jobs],
                         [phase["phase"].replace("verify", "read") for phase in made["tests"][0]["phases"]])
        self.assertEqual(jobs[0]["write"]["io_bytes"], made["tests"][0]["phases"][0]["data"]["bytes"])

    def test_tests_of_a_set_are_one_group(self):
        made = document()
        for number in 1, 2, 3:
            test = json.loads(json.dumps(made["tests"][0]))
            test["test"] = number
            for phase in test["phases"]:
                phase["test"] = number
            test["set"] = {"number": 1, "first_task": 0, "nodes": [0], "copy": 1, "alone_of": None} if number < 3 else None
            made["tests"].append(test)
        groups = {job["jobname"]: job["groupid"] for job in self.jobs(made)}
        self.assertEqual(list(groups.values()), [0, 1, 1, 2])

    def test_what_is_not_known_is_null_and_what_did_not_happen_is_0(self):
        made = results.one()
        phase = made["tests"][0]["phases"][0]
        job = self.jobs(made)[0]
        self.assertEqual([job[name] for name in ("majf", "minf")], [None, None])
        self.assertEqual([job["write"][name] for name in ("bw_min", "iops_stddev", "iops_samples")], [None, None, 0])
        self.assertEqual(set(job["write"]["slat_ns"].values()), {None})
        self.assertEqual([job["read"][name] for name in ("bw_min", "iops_stddev", "total_ios")], [0, 0, 0])
        kernel, time_ns = phase["kernel"], phase["intervals"]["total_s"] * 1e9 * phase["tasks"]["measured"]
        self.assertAlmostEqual(job["usr_cpu"], 100 * kernel["user_ns"] / time_ns)
        self.assertEqual(job["ctx"], kernel["voluntary_context_switches"] + kernel["involuntary_context_switches"])

    def test_samples_are_of_half_seconds_inside_the_window(self):
        phase = mock.Mock(load=None, total_rate=1, timeline=mock.Mock(
            slice_seconds=.25, operations=[0, 0, 10, 20, 30, 40, 5, 0], bytes=[0, 0, 1, 2, 3, 4, 5, 0]))
        phase.name = "read"
        self.assertEqual(convert_fio.samples(phase), [[60, 6], [140, 14]])
        phase.load, phase.operations = {"operations": 1}, {"read": 1, "write": 1}
        self.assertEqual(convert_fio.samples(phase), [])

    def test_members_are_those_of_fio(self):
        """fio 3.33 wrote this shape."""
        job = self.jobs(document())[0]
        self.assertEqual(set(job), {
            "jobname", "groupid", "error", "eta", "elapsed", "job options", "read", "write", "trim", "sync", "job_runtime",
            "usr_cpu", "sys_cpu", "ctx", "majf", "minf", "iodepth_level", "latency_ns", "latency_us", "latency_ms",
            "latency_depth", "latency_target", "latency_percentile", "latency_window"})
        self.assertEqual(set(job["read"]), {
            "io_bytes", "io_kbytes", "bw_bytes", "bw", "iops", "runtime", "total_ios", "short_ios", "drop_ios", "slat_ns",
            "clat_ns", "lat_ns", "bw_min", "bw_max", "bw_agg", "bw_mean", "bw_dev", "bw_samples", "iops_min", "iops_max",
            "iops_mean", "iops_stddev", "iops_samples"})
        self.assertEqual(list(job["latency_ms"])[-2:], ["2000", ">=2000"])


class CommandTest(unittest.TestCase):
    def run_it(self, *arguments):
        errors = io.StringIO()
        with mock.patch("sys.argv", ["iorx-convert", *arguments]), contextlib.redirect_stderr(errors):
            return convert.main(), errors.getvalue()

    def test_the_file_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            name, output = os.path.join(folder, "r.json"), os.path.join(folder, "flat.txt")
            with open(name, "w", encoding="utf-8") as file:
                json.dump(document(), file)
            self.assertEqual(self.run_it("--to=vdbench", name, "-o", output), (0, ""))
            with open(output, encoding="utf-8") as file:
                self.assertEqual(file.read(), convert_vdbench.text(files.read_runs([name])))

    def test_a_result_without_a_load_is_refused(self):
        code, errors = self.run_it("--to=vdbench", os.path.join(results.HERE, "one.json"))
        self.assertEqual(code, 2)
        self.assertIn("no result has a complete load", errors)


if __name__ == "__main__":
    unittest.main()
