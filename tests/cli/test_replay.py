"""Loads that replay a trace: which requests are made, when, on which files, and what a wrong trace does."""

import collections
import csv
import glob
import os
import re
import shutil
import subprocess
import unittest

import tracing
from program import IORX, is_built_in, needs_backend
from translated import TRANSLATE, TranslatedCase

CONVERT = os.path.join(os.path.dirname(IORX), "iorx-convert")

COLUMNS = "time,stream,duration,file,operation,offset,length"

Played = collections.namedtuple("Played", "task file operation offset length start")


def application(streams, count, seconds):
    """Rows of a CSV: each stream makes `count` requests in so many seconds, and now and then an fsync."""
    rows = []
    for number in range(count):
        for stream in range(streams):
            due = seconds * (number * streams + stream) / (count * streams)
            name, length = f"f{(number + stream) % 3}", 4096 << number % 3
            if number % 10 == 9:
                rows.append((due, stream, 0.001, name, "fsync", 0, 0))
            else:
                rows.append((due, stream, 0.0002, name, "write" if number % 4 == 1 else "read", 16384 * (number % 50), length))
    return rows


class ReplayCase(TranslatedCase):
    def trace(self, rows, name="app.trace"):
        """The path of a trace of these rows."""
        source, path = os.path.join(self.results, "app.csv"), os.path.join(self.results, name)
        with open(source, "w", encoding="utf-8") as file:
            file.writelines(",".join(map(str, row)) + "\n" for row in rows)
        subprocess.run([TRANSLATE, "trace", "--format=csv", "--columns=" + COLUMNS, "-o", path, source], check=True)
        return path

    def replay(self, trace, *arguments, tasks=1, exit_code=0, **more):
        """The load phase and the outcome."""
        self.table = os.path.join(self.results, "played")
        outcome = self.run_iorx(["load", "--trace=" + trace, "-o", "copy", "--operation-tables=" + self.table, *arguments],
                                tasks, **more)
        self.assert_exit(outcome, exit_code)
        return outcome.phase("load"), outcome

    def played(self, tasks=1, phases=("load",)):
        """What the tasks did in these phases, in the order of each task."""
        found = []
        for task in range(tasks):
            with open(f"{self.table}.{task:08d}.csv", encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    if row["phase"] in phases and row["operation"] not in ("open", "close"):
                        found.append(Played(task, int(row["file"]), row["operation"], int(row["offset_bytes"] or 0),
                                            int(row["length_bytes"] or 0), float(row["start_s"])))
        return found

    def assert_played(self, played, rows, names=("f0", "f1", "f2")):
        """The requests of `rows`, in their order on each file; names are in the order of the trace."""
        for file, name in enumerate(names):
            with self.subTest(name=name):
                self.assertEqual([(one.operation.replace("sync", "fsync"), one.offset, one.length) for one in played if one.file == file],
                                 [row[4:7] for row in rows if row[3] == name])


class WhatIsPlayed(ReplayCase):
    def test_each_request_once_in_its_order_and_the_files_have_the_sizes(self):
        rows = application(1, 400, 0.5)
        trace = self.trace(rows)
        phase, outcome = self.replay(trace)
        self.assert_played(self.played(), rows)
        kinds = collections.Counter(row[4] for row in rows)
        self.assertEqual({kind: phase["operations"][kind]["count"] for kind in ("read", "write")},
                         {kind: kinds[kind] for kind in ("read", "write")})
        self.assertEqual(phase["operations"]["sync"]["count"], kinds["fsync"])
        self.assertEqual(phase["load"]["ended_by"]["trace"], 1)
        self.assertRegex(outcome.out, rf"(?m)^  fsync +[\d.]+ .* {kinds['fsync']} +-$")
        # All of them are in the rate, whose time ends with the last one.
        self.assertEqual(phase["load"]["rated_operations"], phase["load"]["operations"])
        self.assertAlmostEqual(phase["load"]["window_s"] * phase["rates"]["total_operations_per_s"] / phase["load"]["operations"], 1, delta=1e-3)
        told = outcome.document["tests"][0]["plan"]["trace"]
        self.assertEqual([told[key] for key in ("reads", "writes", "fsyncs", "trims_left_out", "streams")],
                         [kinds["read"], kinds["write"], kinds["fsync"], 0, 1])
        for file in range(3):
            path = os.path.join(self.folder, f"copy.{file:08d}")
            needed = max(row[5] + row[6] for row in rows if row[3] == f"f{file}")
            self.assertTrue(needed <= os.path.getsize(path) <= 1.2 * needed, (needed, os.path.getsize(path)))
            with open(path, "rb") as laid_out:
                self.assertEqual(os.lseek(laid_out.fileno(), 0, os.SEEK_HOLE), os.path.getsize(path))
        # The same trace finds its files, and every byte of them.
        phase, outcome = self.replay(trace, "--check-read")
        self.assertTrue(phase["load"]["files_found"])
        self.assertEqual(phase["load"]["verification"]["wrong_bytes"], 0)

    def test_tasks_deal_the_streams_or_play_all_of_them(self):
        rows = application(3, 40, 0.2)
        trace = self.trace(rows)
        self.replay(trace, tasks=2)
        played = self.played(2)
        self.assertEqual(collections.Counter(one.task for one in played), {0: 80, 1: 40})
        self.assertEqual(sorted(one[1:5] for one in played),
                         sorted((int(row[3][1]), row[4].replace("fsync", "sync"), *row[5:7]) for row in rows))
        phase, outcome = self.replay(trace, "--file-scope=task", "-o", "own", tasks=2)
        self.assertEqual(collections.Counter(one.task for one in self.played(2)), {0: 120, 1: 120})
        self.assertEqual(outcome.document["tests"][0]["plan"]["files"], 6)
        # Of five tasks two have no stream, and end at once.
        phase, _ = self.replay(trace, tasks=5)
        self.assertEqual(phase["load"]["ended_by"]["trace"], 5)
        self.assertEqual(phase["load"]["operations"], 108)

    @needs_backend("uring")
    def test_an_fsync_waits_for_what_is_in_flight(self):
        rows = application(1, 600, 0.01)
        self.replay(self.trace(rows), "--api=uring", "--queue-depth=8", "--trace-pace=none")
        played = sorted(self.played(), key=lambda one: one.start)  # rows come in the order of completion
        self.assertEqual(collections.Counter(one.operation for one in played), {"read": 420, "write": 120, "sync": 60})
        # Between two fsyncs lie the same requests as in the trace, in any order.
        for number, row in enumerate(range(0, 600, 10)):
            with self.subTest(number=number):
                self.assertEqual(sorted(one[1:5] for one in played[row:row + 10]),
                                 sorted((int(one[3][1]), one[4].replace("fsync", "sync"), *one[5:7]) for one in rows[row:row + 10]))

    def test_a_part_of_the_trace(self):
        rows = application(1, 400, 2)
        trace = self.trace(rows)
        phase, outcome = self.replay(trace, "--trace-from=0.5", "--trace-until=1s", "-v")
        self.assert_played(self.played(), [row for row in rows if 0.5 <= row[0] < 1])
        self.assertLess(phase["load"]["window_s"], 1.5)
        self.assertNotIn("asked", outcome.out)

    def test_a_rare_kind_is_no_missed_share(self):
        """The shares of a trace are its own; rule M8 is for those that a user asked for."""
        rows = [(0.0005 * i, 0, 0, "f", "write" if i == 7 else "read", 4096 * (i % 100), 4096) for i in range(2000)]
        phase, _ = self.replay(self.trace(rows))
        self.assertNotIn("M8", [one["id"] for one in phase["verdicts"]])
        self.assertEqual(phase["operations"]["write"]["count"], 1)

    def test_files_that_are_there(self):
        rows = application(1, 50, 0.1)
        trace = self.trace(rows)
        self.assert_exit(self.run_iorx(["load", "--trace=" + trace, "-o", "copy", "--layout=none"]), 2)
        self.replay(trace, "--layout=missing")
        _, outcome = self.replay(trace, "--layout=none")
        _, outcome = self.replay(trace, "--layout=missing")
        self.assertRegex(" ".join(outcome.out.split()), r"used as they are: copy \([\d.]+ MiB\)")
        writes = self.trace([row for row in rows if row[4] == "write"], "writes.trace")
        self.replay(writes, "--layout=allocate", "-o", "allocated")

    def test_what_was_recorded_stands_beside_what_is_measured(self):
        _, outcome = self.replay(self.trace(application(1, 400, 0.2)))
        operations = outcome.phase("load")["operations"]
        for kind, count in (("read", 280), ("write", 80)):
            then = operations[kind + "_recorded"]
            self.assertEqual((then["count"], then["min_ns"], then["max_ns"]), (operations[kind]["count"], 200000, 200000))
            self.assertEqual(then["count"], count)
        self.assertRegex(outcome.out, r"(?m)^  read_then +- +200us ")


@unittest.skipIf(os.geteuid() or not shutil.which("losetup"), "loop devices need root and losetup")
class OnDevices(ReplayCase):
    def test_a_trace_of_one_file_is_replayed_on_a_device(self):
        image = os.path.join(self.results, "image")
        with open(image, "wb") as file:
            file.write(b"precious" * (1 << 19))
        done = subprocess.run(["losetup", "-f", "--show", image], capture_output=True, text=True, check=False)
        if done.returncode:
            self.skipTest("no loop devices here: " + done.stderr)
        device = done.stdout.strip()
        self.addCleanup(subprocess.run, ["losetup", "-d", device], check=True)
        rows = [(0.001 * i, 0, 0, "disk", "write" if i == 50 else "read", 4096 * (i * 37 % 200), 4096) for i in range(100)]
        trace = self.trace(rows)
        self.assert_exit(self.run_iorx(["load", "--trace=" + trace, "-o", device]), 2)
        self.replay(trace, "-o", device, "--allow-device", "--layout=none")
        self.assert_played(self.played(), rows, ("disk",))
        subprocess.run(["blockdev", "--flushbufs", device], check=False)
        os.sync()
        with open(image, "rb") as file:
            content = file.read()
        written = 4096 * (50 * 37 % 200)
        self.assertNotIn(b"precious", content[written:written + 4096])
        self.assertEqual(content[:written] + content[written + 4096:], b"precious" * ((1 << 19) - 512))
        trace = self.trace(application(1, 20, 0.1), "three.trace")
        self.assert_one_error(self.run_iorx(["load", "--trace=" + trace, "-o", device, "--allow-device"]), "allow_device: ", "has 3 files, and a device is one")


class When(ReplayCase):
    def test_no_request_is_made_before_its_time(self):
        """How much later one is made depends on the machine, and is measured by make bench."""
        rows = application(1, 300, 1.5)
        trace = self.trace(rows)
        for speed in (1, 3):
            phase, _ = self.replay(trace, f"--trace-speed={speed}")
            played = self.played()
            # The first request is due when the phase starts, which is before it was made.
            begin = played[0].start
            self.assertEqual(len(played), len(rows))
            latest = max(begin - (one.start - row[0] / speed) for one, row in zip(played, rows))
            self.assertLess(latest, phase["load"]["late_max_ns"] / 1e9 + 0.001)
            self.assertGreater(phase["load"]["asked_operations_per_s"], 0.9 * 270 / 1.5 * speed)

    def test_a_stream_of_fsyncs_ends_with_the_duration(self):
        """A log flusher: its task has no operation that counts."""
        rows = [(0.01 * i, i % 2, 0, f"f{i % 2}", "fsync" if i % 2 else "write", 0, 0 if i % 2 else 4096) for i in range(20)]
        trace = self.trace(rows)
        for words in ([], ["--trace-pace=none"], ["--api=uring", "--queue-depth=4"] if is_built_in("uring") else []):
            with self.subTest(words=words):
                phase, _ = self.replay(trace, "--trace-loop", "--duration=0.5s", *words, tasks=2)
                self.assertEqual(phase["load"]["ended_by"]["time"], 2)
                self.assertGreater(phase["operations"]["sync"]["count"], 0)

    def test_late_fsyncs_are_made_where_late_operations_are_left_out(self):
        rows = application(1, 200, 0.002)
        phase, _ = self.replay(self.trace(rows), "--on-late=skip")
        self.assertGreater(phase["load"]["skipped"], 0)
        self.assertEqual(phase["operations"]["sync"]["count"], 20)
        self.assertEqual(phase["load"]["due"], 180)

    def test_requests_without_times_have_no_pace(self):
        trace = self.trace([(0, 0, 0, "f", "read", 4096 * i, 4096) for i in range(10)])
        outcome = self.run_iorx(["load", "--trace=" + trace, "-o", "copy"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "trace_pace: ", "take trace_pace = none")
        phase, _ = self.replay(trace, "--trace-pace=none")
        self.assertEqual(phase["load"]["operations"], 10)

    def test_a_loop_ends_with_its_duration(self):
        rows = application(1, 50, 0.3)
        phase, _ = self.replay(self.trace(rows), "--trace-loop", "--duration=1s", "--trace-speed=2")
        played = self.played()
        self.assertEqual(phase["load"]["ended_by"]["time"], 1)
        for first in range(0, len(played) - 50, 50):
            self.assert_played(played[first:first + 50], rows)
        self.assertGreater(len(played), 50)

    def test_no_pace_does_not_wait(self):
        phase, outcome = self.replay(self.trace(application(1, 100, 60)), "--trace-pace=none")
        self.assertLess(phase["load"]["window_s"], 30)
        self.assertNotIn("response", phase["operations"])
        self.assertIn("a closed loop", " ".join(outcome.out.split()))

    def test_an_application_that_thinks_waits_for_its_requests(self):
        """Its 40 calls took 25 ms of each 40 ms: it goes on 15 ms behind the end of each, and a stall holds it up."""
        rows = [(0.04 * i, 0, 0.025, "f", "fsync" if i == 20 else "read", 0 if i == 20 else 4096 * i, 0 if i == 20 else 4096)
                for i in range(40)]
        trace = self.trace(rows)
        phase, outcome = self.replay(trace, "--trace-pace=think", "--fault.operation=transfer", "--fault.kind=stall",
                                     "--fault.stall=300ms", "--fault.after=50", "--fault.count=1")
        played = self.played()
        self.assert_played(played, rows, ("f",))
        self.assertGreater(phase["load"]["window_s"], 39 * 0.015 + 0.3)
        self.assertGreater(max(later.start - one.start for one, later in zip(played, played[1:])), 0.3)
        self.assertNotIn("response", phase["operations"])
        self.assertIn("a closed loop with the pauses of the application", " ".join(outcome.out.split()))
        self.replay(trace, "--trace-pace=think", "--trace-loop", "--duration=0.5s")

    def test_a_trace_beside_other_tests_begins_with_each_of_their_phases(self):
        trace = self.trace(application(1, 50, 0.1))
        job = os.path.join(self.results, "job.ior")
        with open(job, "w", encoding="utf-8") as file:
            file.write("TOGETHER START\nIOR START\ntasks = 1, blockSize = 128m, transferSize = 1m, testFile = ior, fsync = 1\nIOR STOP\n"
                       f"LOAD START\ntasks = 1, trace = {trace}, trace_loop = 1, beside = 1, testFile = copy\nLOAD STOP\nTOGETHER STOP\n")
        outcome = self.run_iorx(["-f", job], 2)
        self.assert_exit(outcome, 0)
        phases = [one for one in outcome.document["tests"][1]["phases"] if one["phase"] == "load"]
        self.assertEqual([one["load"]["beside"] for one in phases], ["write of test 0", "read of test 0"])
        for phase in phases:
            self.assertGreater(phase["load"]["operations"], 0)

    def test_a_storage_that_stalls_shows_in_the_response_times(self):
        rows = application(1, 400, 0.8)
        phase, _ = self.replay(self.trace(rows), "--fault.operation=transfer", "--fault.kind=stall",
                               "--fault.stall=500ms", "--fault.after=250", "--fault.count=1")
        operations = phase["operations"]
        self.assertGreater(operations["mixed"]["max_ns"], 490e6)
        self.assertGreater(operations["response"]["sum_ns"], 10 * 490e6)


class HowLate(ReplayCase):
    def test_lateness_is_response_less_service_and_slices_have_the_schedule(self):
        """At trace_speed the recorded rate is scaled in time; a stall changes what was done, and not what was due."""
        rows = [(0.001 * i if i < 500 else 2 + 0.001 * i, 0, 0, "f", "read", 4096 * (i % 100), 4096) for i in range(1000)]
        phase, outcome = self.replay(self.trace(rows), "--trace-speed=2", "--fault.operation=transfer", "--fault.kind=stall",
                                     "--fault.stall=300ms", "--fault.after=200", "--fault.count=1")
        operations, slices = phase["operations"], phase["timeline"]
        late = operations["lateness"]
        self.assertEqual(late["count"], 1000)
        self.assertEqual(late["sum_ns"], operations["response"]["sum_ns"] - operations["mixed"]["sum_ns"])
        self.assertGreater(late["percentiles"]["p99"]["ns"], 200e6)
        self.assertGreaterEqual(late["max_ns"], phase["load"]["late_max_ns"])
        self.assertRegex(outcome.out, r"(?m)^ +issued late: p50 .*, p99 .*, max .*; drift [+-]")
        self.assertEqual(sum(slices["due"]), 1000)
        at = [slices["slice_seconds"] * i - slices["lead_s"] for i in range(len(slices["due"]))]
        gap = [due for seconds, due in zip(at, slices["due"]) if 0.3 < seconds < 1.2]
        self.assertEqual(sum(gap), 0)
        self.assertEqual(sum(due for seconds, due in zip(at, slices["due"]) if seconds <= 0.3), 500)

    def test_requests_without_a_pace_are_not_late(self):
        phase, outcome = self.replay(self.trace(application(1, 100, 60)), "--trace-pace=none")
        self.assertNotIn("lateness", phase["operations"])
        self.assertNotIn("due", phase["timeline"])
        self.assertIsNone(phase["load"]["late_drift_ns_per_s"])
        self.assertNotIn("issued late", outcome.out)


@unittest.skipUnless(os.path.exists(CONVERT), "iorx-convert is not built: reports are missing")
class Recorded(ReplayCase):
    """A run whose tables of operations become a trace, or logs of fio, which do the same again."""

    def record(self, *words, tasks=2):
        """The result document and what the run did."""
        self.table = os.path.join(self.results, "recorded")
        outcome = self.run_iorx([*words, "-o", "data", "--operation-tables=" + self.table], tasks)
        self.assert_exit(outcome, 0)
        return outcome.document_path, self.played(tasks, ("load",) if words[0] == "load" else ("write", "read"))

    def convert(self, form, document, name):
        path = os.path.join(self.results, name)
        subprocess.run([CONVERT, "--to=" + form, document, "-o", path], check=True, cwd=self.folder)
        return path

    def assert_same_on_each_file(self, then, now):
        """then, now: {file: [Played]}."""
        self.assertEqual([list(map(request, requests)) for requests in then.values()],
                         [list(map(request, requests)) for requests in now.values()])

    def test_a_load_is_played_again(self):
        document, then = self.record("load", "--files=2", "--file-size=1m", "--sizes=4k/60,16k/40", "--operations=read:60,write:40",
                                     "--fsync-every=5", "--rate=300", "--duration=500ms")
        self.replay(self.convert("trace", document, "run.trace"), tasks=2)
        now = self.played(2)
        # Files of a trace are numbered in the order in which the tables name them.
        self.assert_same_on_each_file(grouped(then, lambda one: (one.task, one.file)), by_number(now))
        self.assertEqual(len(by_number(now)), 4)
        self.assertIn("sync", {one.operation for one in now})
        begins = [min(one.start for one in played) for played in (then, now)]
        earliest = min(new.start - begins[1] - (old.start - begins[0]) for old, new in zip(by_start(then), by_start(now)))
        self.assertGreater(earliest, -0.1)

    def test_a_data_test_is_played_again_on_one_file(self):
        document, then = self.record("-w", "-r", "-k", "-b", "256k", "-t", "64k", "-s", "2")
        self.replay(self.convert("trace", document, "run.trace"), tasks=2)
        now = self.played(2)
        self.assertEqual({one.file for one in now}, {0})
        for task in range(2):
            self.assertEqual(*([request(one) for one in played if one.task == task] for played in (then, now)))
        self.assertEqual(len(now), 2 * 2 * 8)

    @unittest.skipIf(not shutil.which("fio") or tracing.why_not(), "needs fio and strace")
    def test_fio_plays_it_again(self):
        document, then = self.record("load", "--files=2", "--file-size=256k", "--sizes=4k", "--operations=read:60,write:40",
                                     "--fsync-every=5", "--rate=200", "--duration=300ms")
        logs, calls = self.convert("iolog", document, "run.log"), os.path.join(self.results, "calls")
        done = subprocess.run(["strace", "-ff", "-s", "0", "-y", "-e", "trace=pread64,pwrite64,fsync", "-o", calls, "fio", "--name=x", "--ioengine=psync",
                               "--numjobs=2", f"--read_iolog={logs}.0:{logs}.1"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        now = collections.defaultdict(list)
        for path in glob.glob(calls + ".*"):
            with open(path, encoding="utf-8") as file:
                for call, name, length, offset in re.findall(r'(\w+)\(\d+<[^>]*/(data\.[\d.]+)>(?:, ""\.\.\., (\d+), (\d+))?\)', file.read()):
                    now[name].append((FIO_CALLS[call], int(offset or 0), int(length or 0)))
        self.assertEqual({f"data.{task:08d}.{file:08d}": list(map(request, requests))
                          for (task, file), requests in grouped(then, lambda one: (one.task, one.file)).items()}, dict(now))


FIO_CALLS = {"pread64": "read", "pwrite64": "write", "fsync": "sync"}


def request(one):
    """What it was; a sync in a table of a load has the offset of the write before it."""
    return (one.operation, 0, 0) if one.operation == "sync" else one[2:5]


def grouped(played, key):
    """{key: requests}, in the order in which the keys come."""
    found = {}
    for one in played:
        found.setdefault(key(one), []).append(one)
    return found


def by_number(played):
    return dict(sorted(grouped(played, lambda one: one.file).items()))


def by_start(played):
    return sorted(played, key=lambda one: one.start)


class WrongTraces(ReplayCase):
    def refused(self, *arguments, why, trace=None):
        outcome = self.run_iorx(["load", "--trace=" + (trace or self.good), "-o", "copy", *arguments])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, *why)
        self.assertEqual(os.listdir(self.folder), [])

    def setUp(self):
        super().setUp()
        self.good = self.trace(application(2, 100, 0.1))

    def test_nothing_is_touched_before_the_trace_is_known(self):
        with open(self.good, "rb") as file:
            content = file.read()
        for name, damaged in (("cut", content[:-1000]), ("changed", content[:70] + b"x" + content[71:]), ("empty", b"")):
            with open(os.path.join(self.results, name), "wb") as file:
                file.write(damaged)
        os.mkfifo(os.path.join(self.results, "pipe"))
        for name, why in (("cut", "it was cut"), ("changed", "checksum"), ("empty", "ends within its head"),
                          ("pipe", "it is a pipe"), ("app.csv", "no trace of iorx"), ("none", "No such file"), ("", "a directory")):
            with self.subTest(name=name):
                self.refused(trace=os.path.join(self.results, name), why=("trace: ", why))

    def test_options_that_the_trace_says_are_refused(self):
        for words, why in ((["--sizes=8k"], "sizes: the trace says"), (["--rate=10"], "rate: the trace says"),
                           (["--files=2"], "files: the trace says"), (["--trace-loop"], "trace_loop: without a duration"),
                           (["--trace-speed=0"], "trace_speed: "), (["--trace-from=2", "--trace-until=1"], "trace_until: "),
                           (["--trace-from=9"], "trace_from: 9 s lie behind the end"), (["-Y"], "fsync_per_write: "), (["--beside"], "beside: "), (["--trace="], "trace: the name is empty"),
                           (["--trace-pace=think"], "trace_pace: with think each stream needs a task"),
                           (["--trace-pace=think", "--queue-depth=2", "--api=libaio"], "trace_pace: with think a request waits")):
            with self.subTest(words=words):
                self.refused(*words, why=(why,))

    def test_a_wrong_record_ends_the_load_and_is_named(self):
        with open(self.good, "r+b") as file:
            file.seek(-32 * 50 + 20, os.SEEK_END)
            file.write(b"\x99")
        outcome = self.run_iorx(["load", "--trace=" + self.good, "-o", "copy"], 2)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "app.trace", "record 50 of stream 1 of the trace has an unknown file")
        self.assertEqual(outcome.phase("load")["status"], "failed")

    def test_another_trace_under_the_same_name_is_found(self):
        """Each task has a working folder of its own, as on nodes whose local disks differ."""
        script = os.path.join(self.results, "run")
        for rank in range(2):
            os.mkdir(os.path.join(self.results, str(rank)))
            self.trace(application(2, 100 + rank, 0.1), f"{rank}/same.trace")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"""#!/bin/sh\ncd '{self.results}'/${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} && exec '{IORX}' "$@"\n""")
        os.chmod(script, 0o755)
        outcome = self.run_iorx(["load", "--trace=same.trace", "-o", os.path.join(self.folder, "copy")], 2, program=script)
        self.assert_exit(outcome, 2)
        self.assertEqual(os.listdir(self.folder), [])
        self.assertIn("is another file than task 0 saw", outcome.err)

    def test_the_trace_itself_is_not_written(self):
        with open(self.good, "rb") as file:
            before = file.read()
        os.link(self.good, os.path.join(self.folder, "copy.00000001"))
        outcome = self.run_iorx(["load", "--trace=" + self.good, "-o", "copy", "--layout=none"], 2)
        self.assert_exit(outcome, 2)
        self.assertIn("copy.00000001 is the trace itself", outcome.err)
        with open(self.good, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_cleanup_knows_the_files(self):
        _, outcome = self.replay(self.good)
        self.assertEqual(len(os.listdir(self.folder)), 3)
        line = outcome.out.splitlines()[-1].split()
        self.assertIn("--trace=" + self.good, line)
        self.assert_exit(self.run_iorx(line[1:], output=False), 0)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
