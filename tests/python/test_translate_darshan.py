"""Counters of Darshan become the right jobs of iorx. PyDarshan is not needed: a module of the test stands in for it."""

import json
import os
import sys
import types
import unittest
import zlib
from unittest import mock

import translated
from iorx_translate import darshan

STORED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "darshan.txt")
HEAD = "# darshan log version: 3.41\n# exe: ./app in\n# nprocs: 4\n# run time: 9.0\n"
M = 1 << 20
BIN = "100K_1M"  # that of 256 KiB and 1 MiB


def record(rank, name, module="POSIX", **counters):
    """The lines of a file of one rank, or of all for -1."""
    prefix = {"POSIX": "POSIX_", "MPI-IO": "MPIIO_", "STDIO": "STDIO_"}[module]
    number = zlib.crc32(name.encode())
    return "".join(f"{module}\t{rank}\t{number}\t{prefix}{key}\t{value}\t{name}\t/s\text4\n" for key, value in counters.items())


def writes(number, size, consecutive=None, **more):
    return {"WRITES": number, "BYTES_WRITTEN": number * size, "MAX_BYTE_WRITTEN": number * size - 1, "SEQ_WRITES": number - 1,
            "CONSEC_WRITES": number - 1 if consecutive is None else consecutive, f"SIZE_WRITE_{BIN}": number,
            "ACCESS1_ACCESS": size, "ACCESS1_COUNT": number, **more}


def reads(number, size, sequential, histogram=BIN, **more):
    return {"READS": number, "BYTES_READ": number * size, "MAX_BYTE_READ": 64 * M - 1, "SEQ_READS": sequential,
            f"SIZE_READ_{histogram}": number, **more}


class Darshan(translated.Case):
    def every(self, *records):
        return self.blocks("darshan", self.file(HEAD + "".join(records), "log"))

    def one(self, *records):
        block, = self.every(*records)
        return block

    def assert_has(self, tested, /, **expected):
        self.assertEqual({key: tested.get(key) for key in expected}, expected)

    def test_the_options_of_a_run_of_ior_come_back(self):
        self.assertEqual(self.blocks("darshan", STORED, "/scratch"), [{
            "block": "IOR", "name": "darshan-1", "api": "mpiio", "test_file": "/scratch/darshan-1", "transfer_size": "256k",
            "block_size": "1m", "write_file": "1", "read_file": "1"}])
        self.assertEqual(self.job.tasks(), 4)
        self.assertEqual(self.blocks(STORED), self.blocks("darshan", STORED))
        head = self.text("darshan", STORED, clones=3).partition("\n\n")[0]
        self.assertRegex(head, "It runs with 12 tasks, or another")
        self.assertIn("#   mpirun -np 12 iorx -f THIS-FILE\n", head)
        self.assertEqual([(name, phase, round(rate / M, 1), tasks) for name, phase, rate, tasks in self.job.then],
                         [("darshan-1", "write", 22.4, 4), ("darshan-1", "read", 153.3, 4)])

    def test_a_file_of_each_task(self):
        block = self.one(*(record(rank, f"/s/{step}.{rank}", **writes(8, M, FSYNCS=1)) for rank in range(4) for step in range(3)))
        self.assert_has(block, block="IOR", transfer_size="1m", block_size="8m", segment_count=None, file_per_proc="1", fsync="1",
                        repetitions="3", num_tasks=None)
        self.assert_has(self.one(record(2, "/s/a", **writes(8, M))), block="IOR", file_per_proc="1", num_tasks="1", exact_tasks=None)
        self.assertEqual(self.job.tasks(), 1)
        self.assert_has(self.one(record(0, "/s/a", **reads(8, M, 7, ACCESS1_ACCESS=M, ACCESS1_COUNT=8))), block="IOR", write_file="1",
                        read_file="1", fsync="1", cold="fadvise")

    def test_a_shared_file_has_segments_where_tasks_skip(self):
        self.assert_has(self.one(record(-1, "/s/a", **writes(32, M, 28))), block_size="8m", segment_count=None, file_per_proc=None)
        self.assert_has(self.one(record(-1, "/s/a", **writes(32, M, 16))), block_size="2m", segment_count="4")
        self.assert_has(self.one(record(-1, "/s/a", **writes(32, M, 0))), block_size="1m", segment_count="8")

    def test_a_shared_file_has_the_tasks_whose_bytes_give_the_variance(self):
        for movers, tasks in (1, 1), (2, 2), (3, 3), (4, 4):
            size = 12 * M
            variance = sum((part - size / 4) ** 2 for part in [size / movers] * movers + [0] * (4 - movers)) / 4
            block = self.one(record(-1, "/s/a", **writes(12, M), F_VARIANCE_RANK_BYTES=variance))
            self.assert_has(block, block_size=f"{12 // movers}m", file_per_proc="1" if movers == 1 else None)
            self.assertEqual(self.job.tasks(), tasks)
        uneven = sum((part - 3 * M) ** 2 for part in (2 * M, 2 * M, 4 * M, 4 * M)) / 4
        self.one(record(-1, "/s/a", **writes(12, M), F_VARIANCE_RANK_BYTES=uneven))
        self.assertEqual(self.job.tasks(), 4)

    def test_collective_calls_say_nothing_of_places(self):
        below = record(-1, "/s/a", **writes(2, 16 * M))
        counts = writes(32, M)
        above = {"COLL_WRITES": counts.pop("WRITES"), "SIZE_WRITE_AGG_100K_1M": counts.pop("SIZE_WRITE_100K_1M"), **counts}
        block = self.one(below, record(-1, "/s/a", "MPI-IO", **above))
        self.assert_has(block, block="IOR", api="mpiio", collective="1", transfer_size="1m", block_size="1m", segment_count="8")
        self.assertIn("tasks take turns in the file", self.text("darshan", "log"))

    def test_random_places_reads_beside_writes_and_sizes(self):
        # 300 of 1000 reads lie behind the one before: 60 % are at random places
        block = self.one(record(0, "/s/a", **reads(1001, 4096, 700, "1K_10K", ACCESS1_ACCESS=4096, ACCESS1_COUNT=1001)))
        self.assert_has(block, block="LOAD", operations="read:1001", read_sizes="4k", operation_limit="1001", file_size="64m", cold="fadvise")
        self.assertAlmostEqual(float(block["random"].rstrip("%")), 60, delta=0.2)
        # runs of 8 transfers at random places: half of the runs lie before the one before
        block = self.one(record(0, "/s/a", **reads(8000, M, 7499, CONSEC_READS=7000, ACCESS1_ACCESS=M, ACCESS1_COUNT=8000)))
        self.assert_has(block, block="LOAD", random="12.5%")
        # what lay between two reads may have jumped too: 30 % at random, 70 % of it reads
        block = self.one(record(-1, "/s/a", **reads(5600, 8192, 4554, "1K_10K"), WRITES=2400, BYTES_WRITTEN=2400 * 8192,
                                SEQ_WRITES=1704, SIZE_WRITE_1K_10K=2400, RW_SWITCHES=3360, FSYNCS=240))
        self.assert_has(block, operations="write:2400,read:5600", write_sizes="8k", file_scope="test", operation_limit="2000",
                        fsync_every="10", cold=None, whole_files=None)
        self.assertAlmostEqual(float(block["random"].rstrip("%")), 30, delta=1)

    def test_a_size_that_was_not_kept_is_the_mean_of_what_is_left(self):
        counts = reads(200, M, 20, BYTES_READ=100 * M + 100 * 3000, SIZE_READ_100K_1M=100, SIZE_READ_1K_10K=100,
                       ACCESS1_ACCESS=M, ACCESS1_COUNT=100)
        self.assert_has(self.one(record(0, "/s/a", **counts)), read_sizes="3000/100,1m/100")

    def test_reads_of_another_amount_than_the_writes_are_a_test_of_their_own(self):
        counts = {**writes(8, M), **reads(4, M, 3), "F_WRITE_START_TIMESTAMP": 1.0, "F_WRITE_END_TIMESTAMP": 2.0,
                  "F_READ_START_TIMESTAMP": 3.0, "F_READ_END_TIMESTAMP": 4.0}
        first, second = self.every(*(record(rank, f"/s/{rank}", **counts) for rank in range(4)))
        self.assert_has(first, block_size="8m", read_file=None)
        self.assert_has(second, block_size="4m", read_file="1", cold=None)

    def test_small_files_are_metadata(self):
        block = self.one(*(record(rank, f"/s/{rank}/{n}", OPENS=1, STATS=1, WRITES=1, BYTES_WRITTEN=100)
                           for rank in range(4) for n in range(20)))
        self.assertEqual(block, {"block": "MDTEST", "name": "darshan-1", "dir": "darshan-1", "items": "20", "files_only": "1",
                                 "unique_dir": "1", "create": "1", "stat": "1", "remove": "1", "write_bytes": "100"})
        text = self.text("darshan", self.file(HEAD + record(0, "/s/a", **writes(800, M)) + record(0, "/s/b", OPENS=1) +
                                              record(0, "<STDOUT>", "STDIO", BYTES_WRITTEN=900 * M), "log"))
        self.assertRegex(text, r"1 files such as /s/b, with\s+#?\s*0.0 bytes")
        self.assertIn("Left out: 900.0 MiB that stdio moved.", text)

    def test_a_trial_has_fewer_segments_or_smaller_blocks(self):
        log = self.file(HEAD + record(-1, "/s/a", **writes(320, M, 0)), "log")
        self.assert_has(self.blocks("darshan", log, size=1 / 10)[0], block_size="1m", segment_count="8")
        log = self.file(HEAD + record(-1, "/s/a", **writes(320, M, 312)), "log")
        self.assert_has(self.blocks("darshan", log, size=1 / 10)[0], block_size="4m", segment_count="2")

    def test_what_is_no_log_is_refused(self):
        refused = (("not say how many processes", "# darshan log version: 3.41\n"), ("log:5: POSIX.*: this is no line", HEAD + "POSIX\tx\n"),
                   ("log:5: POSIX.*no line", HEAD + "POSIX\t0\tx\tPOSIX_READS\tmany\t/s/a\t/s\text4\n"),
                   ("nothing to run", HEAD))
        for message, text in refused:
            self.assert_refused(message, "darshan", self.file(text, "log"))
        self.assert_refused("write iorx-translate darshan LOG", "darshan")
        self.assert_refused("a.fio: this is text and no log of Darshan", "darshan", self.file("[job]\nrw=read\n", "a.fio"))
        os.mkfifo("pipe")
        self.assert_refused("no regular file", "darshan", "pipe")

    def test_a_binary_log_wants_pydarshan_or_the_parser(self):
        self.file("log of Darshan\0", "a.darshan")
        with mock.patch.dict(sys.modules, darshan=None), mock.patch.dict(os.environ, PATH=self.folder):
            self.assert_refused(r"a.darshan: to read a log of Darshan install PyDarshan .* or have darshan-parser in", "a.darshan")
            with open(self.file("#!/bin/sh\nexec /bin/cat " + self.file(HEAD + record(-1, "/s/a", **writes(32, M)), "log") + "\n",
                                "darshan-parser"), "rb") as file:
                os.fchmod(file.fileno(), 0o755)
            self.assert_has(self.blocks("a.darshan")[0], block="IOR", transfer_size="1m")
            self.file("#!/bin/sh\nexit 1\n", "darshan-parser")
            self.assert_refused("darshan-parser cannot read this", "a.darshan")

    def test_pydarshan_gives_the_same_job(self):
        self.file("log of Darshan\0", "a.darshan")
        counts = writes(8, M, F_WRITE_TIME=2.0)
        floats = {key: value for key, value in counts.items() if key.startswith("F_")}
        whole = {key: value for key, value in counts.items() if key not in floats}

        class Report:
            def __init__(self, path, read_all):
                self.metadata = {"exe": "./app in", "job": {"nprocs": 4, "run_time": 9.0}}
                self.modules, self.records, self.name_records = {"POSIX": {}, "LUSTRE": {}}, {}, {}
                self.counters = {"POSIX": {"counters": [f"POSIX_{key}" for key in whole], "fcounters": [f"POSIX_{key}" for key in floats]}}

            def mod_read_all_records(self, module):
                self.name_records = {rank: f"/s/{rank}" for rank in range(4)}
                rows = [{"id": rank, "rank": rank, "counters": list(whole.values()), "fcounters": list(floats.values())} for rank in range(4)]
                self.records[module] = types.SimpleNamespace(to_list=lambda: rows)

        with mock.patch.dict(sys.modules, darshan=types.SimpleNamespace(DarshanReport=Report)):
            here = self.blocks("a.darshan")
        self.assertEqual(here, self.every(*(record(rank, f"/s/{rank}", **counts) for rank in range(4))))
        self.assertEqual(self.job.then, [("darshan-1", "write", 16.0 * M, 4)])
        with mock.patch.dict(sys.modules, darshan=types.SimpleNamespace(DarshanReport=None)):
            self.assert_refused("PyDarshan cannot read this as a log", "a.darshan")

    def test_the_closing_lines(self):
        with open("a.json", "w", encoding="utf-8") as file:
            phases = [{"phase": "write", "status": "complete", "rates": {"total_bytes_per_s": rate}} for rate in (2 << 30, 3 << 30, 9 << 30)]
            load = [{"phase": "load", "status": "complete", "load": {"bytes_per_s": 5 * M}}]
            json.dump({"run": {"tasks": 4}, "tests": [{"name": "darshan-1", "phases": phases}, {"name": "darshan-2", "phases": load}]}, file)
        then = [("darshan-1", "write", 1.25 * (1 << 30), 4), ("darshan-2", "load", 1000, 2048), ("darshan-3", "read", 1, 4)]
        self.assertEqual(list(darshan.closing_lines(then, "a.json")), [
            "darshan-1, write: the job then: 1.2 GiB/s; here 3.0 GiB/s",
            "darshan-2, load: the job then: 1000.0 bytes/s; here 5.0 MiB/s (2048 tasks then, 4 here)"])


if __name__ == "__main__":
    unittest.main()
