"""iorx-convert: results in the forms of other programs."""

import contextlib
import io
import json
import os
import tempfile
import unittest
from unittest import mock

import results
from iorx_results import convert, convert_fio, convert_trace, convert_vdbench, files, reader
from iorx_translate import trace_file


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


class Command(unittest.TestCase):
    def run_it(self, *arguments):
        errors = io.StringIO()
        with mock.patch("sys.argv", ["iorx-convert", *arguments]), contextlib.redirect_stderr(errors):
            return convert.main(), errors.getvalue()


class CommandTest(Command):
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

    def test_only_recordings_are_of_one_test(self):
        code, errors = self.run_it("--to=fio", "--test=0", os.path.join(results.HERE, "one.json"))
        self.assertEqual(code, 2)
        self.assertIn("--test: ", errors)


class RecordingTest(Command):
    """Tables of operations as a trace and as logs of fio."""

    HEAD = "test,phase,repetition,task,operation,offset_bytes,length_bytes,start_s,service_ns,file\n"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def record(self, made, *rows, head=HEAD, counted=None):
        """The name of the result, with tables of these rows, each of which has its task in the fourth column. counted: {operation: number}."""
        for test in made["tests"]:
            for phase in test["phases"]:
                operations = phase.get("operations", {})
                phase["operations"] = {name: {**operations[name], "count": number} for name, number in (counted or {}).items() if name in operations}
        made["run"]["options"]["operation_tables"] = {"value": self.path("t"), "origin": "command line", "where": "command line"}
        for task in range(made["run"]["tasks"]):
            with open(self.path(f"t.{task:08d}.csv"), "w", encoding="utf-8") as file:
                file.writelines([head, *(row + "\n" for row in rows if row.split(",")[3] == str(task))])
        with open(self.path("r.json"), "w", encoding="utf-8") as file:
            json.dump(made, file)
        return self.path("r.json")

    def trace(self, made, *rows, words=()):
        """(head, names, [records (due, offset, length, file, duration, operation, flags) of each stream])."""
        self.assertEqual(self.run_it("--to=trace", self.record(made, *rows), "-o", self.path("x"), *words), (0, ""))
        with trace_file.Trace(self.path("x")) as trace:
            return trace.head, trace.names, [[record[:7] for record in trace.records(stream)] for stream in range(trace.head.num_streams)]

    def assert_refused(self, message, *words):
        code, errors = self.run_it(*words)
        self.assertEqual(code, 2)
        self.assertRegex(errors, message)
        self.assertFalse(os.path.exists(self.path("x")))

    def test_rows_of_a_load_become_records_and_its_layout_stays_out(self):
        head, names, streams = self.trace(
            document(fsync_data=True, load__file_scope="task"), "0,write,0,0,write,0,1048576,0.1,5,0", "0,load,0,0,open,,,1.000000000,9,0",
            "0,load,0,0,read,4096,512,2.000000001,1200,0", "0,load,0,0,write,0,4096,1.500000000,99,0",
            "0,load,0,0,sync,0,0,2.500000000,777,0", "0,load,0,1,read,0,1,2.000000000,1200,0", "0,load,1,1,read,0,1,3.000000000,1200,0")
        self.assertEqual(names, ["/scratch/load.00000000", "/scratch/load.00000001"])
        self.assertEqual(streams, [[(1500000000, 0, 4096, 0, 1, 1, 0), (2000000001, 4096, 512, 0, 12, 0, 0), (2500000000, 0, 0, 0, 7, 2, 1)],
                                   [(2000000000, 0, 1, 1, 12, 0, 0)]])
        self.assertEqual((head.not_played, head.origin, head.with_duration, head.source.rstrip(b"\0")), (1, 1500000000, 4, b"iorx operation tables"))

    def test_both_phases_of_a_data_test_or_one(self):
        rows = [f"0,{phase},0,{task},{phase},0,4096,{start}.000000000,100,0"
                for start, phase in enumerate(("write", "read")) for task in range(4)]
        head, names, streams = self.trace(results.one(), *rows)
        self.assertEqual((names, len(streams), head.calls), ([results.one()["tests"][0]["test_file"]], 4, (4, 4, 0, 0)))
        self.assertEqual(self.trace(results.one(), *rows, words=["--phase=read"])[0].calls, (4, 0, 0, 0))

    def test_names_are_those_that_iorx_gave(self):
        load = reader.read_run(document(), "load.json").tests[0]
        own = reader.read_run(results.one(), "one.json").tests[0]
        own.options["file_per_proc"] = {"value": True}
        nodes = [{"first_node": 0, "nodes": 2, "tasks_per_node": 1}, {"first_node": 0, "nodes": 2, "tasks_per_node": 1}]
        for test, options, plan, wanted, arguments in (
                (load, {"file_scope": "task"}, {"files": 6}, "/scratch/load.00000001.00000002", ("load", 1, 2)),
                (load, {"file_scope": "test"}, {"files": 1}, "/scratch/load", ("load", 1, 0)),
                (load, {"file_scope": "test"}, {"files": 2}, "/scratch/load.00000001", ("load", 0, 1)),
                (load, {"file_scope": "node"}, {"files": 2, "nodes": 2, "placement": nodes}, "/scratch/load.00000001", ("load", 3, 0)),
                (own, {}, {}, own.test_file + ".00000003", ("write", 3, 0)),
                (own, {}, {"readers": {"order": "by number", "shift_tasks": 2}}, own.test_file + ".00000001", ("read", 3, 0))):
            with self.subTest(wanted=wanted, options=options):
                test.options.update({name: {"value": value} for name, value in options.items()})
                test.plan.update(plan)
                self.assertEqual(convert_trace.file_name(test, *arguments), wanted)
        load.test_file = "/%%/%03t.%f"
        self.assertEqual(convert_trace.file_name(load, "load", 2, 1), "/%/002.1")
        load.test_file = "/a/x@/b/y"
        load.plan["files"], load.options["file_scope"] = 4, {"value": "task"}
        self.assertEqual(convert_trace.file_name(load, "load", 0, 1), "/a/x@/b/y.00000000.00000001")
        load.plan["files"], load.options["file_scope"] = 2, {"value": "test"}
        self.assertEqual(convert_trace.file_name(load, "load", 0, 1), "/b/y")

    def test_a_log_of_fio_for_each_task(self):
        name = self.record(document(), "0,load,0,0,read,4096,512,1.000000000,1,0", "0,load,0,1,write,0,4096,1.000500999,1,0",
                           "0,load,0,1,sync,0,0,2.000000000,1,0")
        self.assertEqual(self.run_it("--to=iolog", name, "-o", self.path("x")), (0, ""))
        with open(self.path("x.1"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "fio version 3 iolog\n" + "".join(
                f"{due} /scratch/load.00000001 {what}\n" for due, what in (
                    (500, "add"), (500, "open"), (500, "write 0 4096"), (1000000, "sync 0 0"), (1000000, "close"))))
        self.assertEqual(sorted(one for one in os.listdir(self.folder) if one.startswith("x")), ["x.0", "x.1"])
        name = self.record(document(), "0,load,0,1,read,4096,512,1.000000000,1,0")
        self.assertEqual(self.run_it("--to=iolog", name, "-o", self.path("one")), (0, ""))
        self.assertTrue(os.path.exists(self.path("one")))

    def test_tables_that_lack_operations_are_refused(self):
        """They became a trace that lacked requests, without a word."""
        rows = [f"0,load,0,{task},read,4096,512,{task + 1}.000000000,1,0" for task in range(2)]
        self.assert_refused("t.00000000.csv: the tables have 2 operations read of these phases, and the run counted 3;",
                            "--to=trace", self.record(document(), *rows, counted={"read": 3}), "-o", self.path("x"))
        self.assertEqual(self.run_it("--to=trace", self.record(document(), *rows, counted={"read": 2}), "-o", self.path("x")), (0, ""))

    def test_what_cannot_be_recorded_is_refused(self):
        row, out = "0,load,0,0,read,4096,512,1.000000000,1,0", self.path("x")
        name = self.record(document(), row)
        self.assert_refused("name the file by --output", "--to=trace", name)
        self.assert_refused("is a result of iorx", "--to=trace", name, "-o", name)
        self.assert_refused("takes one result", "--to=trace", name, name, "-o", out)
        self.assert_refused("has the tests 0; choose", "--to=trace", name, "-o", out, "--test=7")
        self.assert_refused("the phases of test 0 are layout, load", "--to=iolog", name, "-o", out, "--phase=read")
        self.assert_refused("choose one by --repetition", "--to=trace", name, "-o", out, "--repetition=9")
        self.assert_refused("none.00000000.csv: there is no such table; --tables=PREFIX says", "--to=trace", name, "-o", out, "--tables=" + self.path("none"))
        self.assert_refused("no such folder", "--to=iolog", name, "-o", self.path("no/x"))
        for form in "trace", "iolog":
            self.assert_refused("this is a log that is read", f"--to={form}", name, "-o", self.path("t.00000001.csv"))
        for rows, why in ((["0,load,0,0,read,4096,512,1.5,1,0"], "t.00000000.csv:2: this is no row"), (["0,load,0,0,read"], "this is no row"),
                          (["0,load,0,0,read,-1,512,1.000000000,1,0"], "this is no row"), ([], "no request"),
                          ([row.replace("read", "stat")], "no request")):
            with self.subTest(rows=rows):
                self.assert_refused(why, "--to=trace", self.record(document(), *rows), "-o", out)
        self.assert_refused("this is no table of operations", "--to=trace", self.record(document(), row, head="a,b\n"), "-o", out)
        made = document()
        made["run"]["options"]["operation_tables"]["value"] = None
        with open(name, "w", encoding="utf-8") as file:
            json.dump(made, file)
        self.assert_refused("wrote no tables of operations", "--to=trace", name, "-o", out)
        several = results.many(2)
        self.assert_refused("has the repetitions 0, 1; choose", "--to=trace", self.record(several), "-o", out)
        self.assert_refused(rf"{name}: /scratch/my load.*: fio cannot replay a file whose name has a blank", "--to=iolog", self.record(spaced(document()), row), "-o", out)


def spaced(made):
    made["tests"][0]["test_file"] = "/scratch/my load"
    return made


if __name__ == "__main__":
    unittest.main()
