"""iorx-translate trace: each format becomes the native trace, which is refused where it is damaged.

FUZZ_EXAMPLES=100000 searches longer than make check does.
"""

import contextlib
import gzip
import io
import os
import random
import shutil
import struct
import subprocess
import sys
import types
import unittest
import zlib
from unittest import mock

import results
import translated
from iorx_translate import command, trace_file, trace_input, trace_writer
from iorx_translate.problems import Failure

try:
    from hypothesis import HealthCheck, given, settings, strategies
except ImportError:
    given = None

HERE = os.path.dirname(os.path.abspath(results.__file__))
IOLOG, STRACE = os.path.join(HERE, "trace.iolog"), os.path.join(HERE, "trace.strace")
READ, WRITE, FSYNC, TRIM = range(4)
MSR = "128166372003061629,usr,0,Read,7014609920,24576,41286\n128166372016382155,usr,0,Write,1317441536,8192,1963\n"
ALIBABA = "0,R,126703644672,4096,1577808000000626\n3,W,0,8192,1577808000000600\n"
TENCENT = "1538323200,12910952,128,0,1063\n1538323201,6265312,8,1,1326\n"


class Trace(translated.Case):
    def run_trace(self, *words):
        """(exit code, standard output, standard error) of iorx-translate trace."""
        with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(io.StringIO()) as error:
            code = command.main(["trace", *words])
        return code, output.getvalue(), error.getvalue()

    def trace(self, *words):
        """(head, names, [records (due from the start, offset, length, file, duration, operation, flags) of each stream])."""
        code, _, error = self.run_trace(*words, "--output=out.trace")
        self.assertEqual((code, error), (0, ""))
        with trace_file.Trace("out.trace") as trace:
            return trace.head, trace.names, [[(record[0] - trace.head.origin, *record[1:7]) for record in trace.records(stream)]
                                             for stream in range(trace.head.num_streams)]

    def assert_trace_refused(self, message, *words):
        code, _, error = self.run_trace(*words)
        self.assertEqual(code, 2)
        self.assertRegex(error, message)
        self.assertFalse(os.path.exists("new.trace"))


class Formats(Trace):
    def test_fio_3(self):
        head, names, streams = self.trace(IOLOG)
        self.assertEqual(names, ["/mnt/f c", "/mnt/g"])
        self.assertEqual(streams, [[
            (0, 0, 4096, 0, 0, WRITE, 0), (49946000, 45056, 4096, 0, 0, WRITE, 0), (50001000, 0, 0, 0, 0, FSYNC, 0),
            (99941000, 53248, 16384, 0, 0, WRITE, 0), (99958000, 8192, 8192, 1, 0, READ, 0), (149951000, 28672, 4096, 0, 0, WRITE, 0),
            (150015000, 0, 0, 0, 0, FSYNC, 1), (150068000, 0, 65536, 1, 0, TRIM, 0)]])
        self.assertEqual((head.calls, head.bytes), ((1, 4, 2, 1), (8192, 28672, 0, 65536)))
        self.assertEqual((head.origin, head.span, head.largest, head.granule, head.not_played), (1232000, 150068000, 65536, 4096, 3))

    def test_waits_of_fio_2_add_up(self):
        self.file("fio version 2 iolog\n/f add\n/f open\n/f wait 100 0\n/f read 0 512\n/f wait 250 0\n/f write 512 512\n/f close\n", "a")
        self.assertEqual(self.trace("a")[2], [[(0, 0, 512, 0, 0, READ, 0), (250000, 512, 512, 0, 0, WRITE, 0)]])

    def test_names_of_fio_may_have_blanks(self):
        self.file("fio version 3 iolog\n1 /a b c add\n2 /a b c read 0 512\n", "a")
        self.assertEqual(self.trace("a")[1:], (["/a b c"], [[(0, 0, 512, 0, 0, READ, 0)]]))

    def test_a_file_beside_the_trace_stays(self):
        self.file(ALIBABA, "a.csv")
        self.file("precious", "victim")
        os.symlink("victim", "b.trace.new")
        self.file("precious", "a.trace.new")
        for name in "a.trace", "b.trace":
            code, _, error = self.run_trace("a.csv", "--format=alibaba", f"--output={name}")
            self.assertEqual(code, 2)
            self.assertIn(f"{name}.new: this file is there", error)
            self.assertFalse(os.path.exists(name))
            with open(f"{name}.new", encoding="utf-8") as file:
                self.assertEqual(file.read(), "precious")

    def test_msr(self):
        self.file(MSR, "a.csv")
        head, names, streams = self.trace("a.csv", "--format=msr")
        self.assertEqual((names, head.flags, head.with_duration, head.depth), (["usr_0"], 1, 2, 1))
        self.assertEqual(streams, [[(0, 7014609920, 24576, 0, 41286, READ, 0), (1332052600, 1317441536, 8192, 0, 1963, WRITE, 0)]])
        self.assertEqual(head.origin // 10 ** 9, 1172163600)  # 2007-02-22 17:00 UTC

    def test_alibaba_and_compressed(self):
        with gzip.open("a.csv.gz", "wb") as file:
            file.write(ALIBABA.encode())
        head, names, streams = self.trace("a.csv.gz", "--format=alibaba")
        self.assertEqual((names, head.origin), (["0", "3"], 1577808000000600000))
        self.assertEqual(streams, [[(26000, 126703644672, 4096, 0, 0, READ, 0)], [(0, 0, 8192, 1, 0, WRITE, 0)]])

    def test_tencent(self):
        self.file(TENCENT, "a.csv")
        self.assertEqual(self.trace("a.csv", "--format=tencent")[2],
                         [[(0, 12910952 * 512, 65536, 0, 0, READ, 0)], [(10 ** 9, 6265312 * 512, 4096, 1, 0, WRITE, 0)]])

    def test_named_columns(self):
        self.file("when,x,what,from,bytes,who\n0.5,x,W,8,3,a\n0.75,x,fdatasync,0,0,b\n", "a.csv")
        self.assertEqual(self.trace("a.csv", "--columns=time:ms,-,operation,offset:512,length,stream")[2],
                         [[(0, 4096, 3, 0, 0, WRITE, 0)], [(250000, 0, 0, 0, 0, FSYNC, 1)]])

    def test_times_of_a_table_may_have_exponents(self):
        """As Python and R print what is below 0.0001 s; without the exponent it would be 10^5 times as long."""
        self.file("1.6666666e-05,r,0,1\n 2E-4 ,r,0,1\n.5,r,0,1\n1e0,r,0,1\n", "a.csv")
        self.assertEqual([record[0] for record in self.trace("a.csv", "--columns=time,operation,offset,length")[2][0]],
                         [0, 183334, 499983334, 999983334])
        self.file("0,r,0,1\n1e,r,0,1\n", "a.csv")
        self.assertIn("a.csv:2", self.run_trace("a.csv", "--columns=time,operation,offset,length", "--output=x")[2])

    def test_strace(self):
        """Places follow lseek, dup, fork and O_APPEND; calls of two threads that strace shows in halves are joined."""
        head, names, streams = self.trace(STRACE)
        self.assertEqual((names, len(streams), head.failed), (["/srv/data", "/srv/log"], 4, 1))
        self.assertEqual([record[1:4] + record[5:] for record in streams[0]], [
            (0, 10000, 0, WRITE, 0), (4096, 4096, 0, READ, 0), (65536, 512, 0, WRITE, 0), (65600, 100, 0, READ, 0), (0, 0, 0, FSYNC, 0),
            (8192, 100, 0, READ, 0), (8292, 7, 0, WRITE, 0), (0, 0, 0, FSYNC, 1), (0, 33, 1, WRITE, 0), (33, 11, 1, WRITE, 0),
            (100, 30, 0, WRITE, 0), (100, 11, 0, READ, 0), (8309, 10, 0, READ, 0)])
        for stream in streams[1:3]:
            self.assertEqual([record[1:3] for record in stream],
                             [(0, 1000), (0, 50), (1000, 1000), (1, 50), (2000, 1000), (2, 50), (3000, 1000), (3, 50)])
        self.assertEqual(streams[2][1], (16241000, 0, 50, 0, 370, READ, 0))  # begins where the call began
        self.assertEqual([record[1:3] for record in streams[3]], [(8299, 10)])

    def test_logs_of_threads_are_refused(self):
        """Of strace -ff: all calls became one stream, and places of descriptors that the threads share were wrong."""
        for name in "log.7", "log.8":
            self.file('1700000000.000001 read(3</a>, "", 9) = 9 <0.000001>\n', name)
        self.assert_trace_refused("log.7:1: .* strace -f -o ONE-FILE", "log.7", "log.8", "--output=new.trace")
        self.assertEqual(len(self.trace("log.7")[2]), 1)

    def test_options_that_strace_lacked_are_named(self):
        call = 'read(3</a>, "", 9) = 9 <0.000001>\n'
        for text, message in (("1700000000.000001 " + call.replace("</a>", ""), "^[^:]*: error: log: no call shows .* -y shows it"),
                              ("14:21:22.000001 " + call, "log:1: the time .* -ttt "), ("14:21:22 " + call, "log:1: the time .* -ttt "),
                              ("7     14:21:22.000001 " + call, "log:1: the time .* -ttt "), ("[pid  7] 14:21:22 " + call, "log:1: the time .* -ttt "),
                              ("     0.000000 " + call, "log:1: the time .* -ttt "), ("1234      0.000012 " + call, "log:1: the time .* -ttt ")):
            with self.subTest(text=text):
                self.assert_trace_refused(message, self.file(text, "log"), "--output=new.trace")

    def test_descriptors_that_are_no_files_are_left_out(self):
        self.file('1700000000.000001 read(0</dev/null<char 1:3>>, "", 9) = 9 <0.000001>\n1700000000.000002 read(1<pipe:[12]>, "", 9) = 9 <0.000001>\n'
                  '1700000000.000003 pread64(3</a>, "", 9, 5) = 4 <0.000001>\n', "log")
        self.assertEqual(self.trace("log")[2], [[(0, 5, 4, 0, 10, READ, 0)]])

    def test_long_calls_are_split(self):
        self.file(f"0,r,7,{5 << 29}\n", "a.csv")
        head, _, streams = self.trace("a.csv", "--columns=time,operation,offset,length")
        self.assertEqual(streams, [[(0, 7, 1 << 30, 0, 0, READ, 0), (0, 7 + (1 << 30), 1 << 30, 0, 0, READ, 2), (0, 7 + (2 << 30), 1 << 29, 0, 0, READ, 2)]])
        self.assertEqual(head.split, 1)

    def test_streams_are_merged(self):
        self.file("3,a,r,0,1\n1,b,r,0,1\n2,c,w,0,1\n", "a.csv")
        self.assertEqual([record[0] // 10 ** 9 for record in self.trace("a.csv", "--streams=1", "--columns=time,file,operation,offset,length")[2][0]],
                         [0, 1, 2])

    def test_summary(self):
        code, output, _ = self.run_trace(IOLOG, "--summary")
        self.assertEqual(code, 0)
        for line in ("operations  8: 1 read, 4 write, 2 fsync, 1 trim", "read share  20.0 % of transfers", "files       2, 132k needed"):
            self.assertIn(line, output)


    def test_a_large_request_touches_all_of_its_space(self):
        self.file("0,x,W,0,1073741824\n", "a.csv")
        self.assertIn("1g touched", self.run_trace("a.csv", "--columns=time:s,file,operation,offset,length", "--summary")[1])


# Actions of blktrace, as linux/blktrace_api.h has them: what happened, and a bit for each category.
R, W, FLUSH, COMMAND, NOTE, DISCARD = (1 << bit for bit in (16, 17, 18, 25, 26, 29))
QUEUE, MERGE, ISSUE, COMPLETE = 1 | 1 << 20, 2 | 1 << 20, 7 | 1 << 22, 8 | 1 << 23


def record(time, action, sector=0, length=0, pid=7, error=0, data=b"", cpu=0, order="<", magic=0x65617407):
    """A struct blk_io_trace of the device 8,16."""
    return struct.pack(order + "IIQQIIIIIHH", magic, 0, time, sector, length, action, pid, 8 << 20 | 16, cpu, error, len(data)) + data


class Blktrace(Trace):
    def file(self, records, name="a.blktrace.0"):
        with open(name, "wb") as file:
            file.write(b"".join(records))

    def requests(self, *records, options=()):
        """(due, offset, length, duration, operation) of each request."""
        self.file(records)
        return [(*one[:3], *one[4:6]) for stream in self.trace("a.blktrace.0", *options)[2] for one in stream]

    def test_cpus_are_merged(self):
        """A request may be queued by one CPU and completed by another one. A CPU may have no requests."""
        self.file([record(10, NOTE | 0, data=b"fio".ljust(16, b"\0")), record(100, QUEUE | R, 8, 4096), record(150, ISSUE | R, 8, 4096),
                   record(900, COMPLETE | W, 64, 512, 9)])
        self.file([record(90, NOTE | 1, data=bytes(8)), record(95, NOTE | 2, data=b"odd"), record(200, QUEUE | W, 64, 512, 9),
                   record(5100, COMPLETE | R, 8, 4096)], "a.blktrace.1")
        self.file([], "a.blktrace.2")
        head, names, streams = self.trace("a.blktrace.0", "a.blktrace.1", "a.blktrace.2")
        self.assertEqual((names, head.source.rstrip(b"\0"), head.origin), (["8,16"], b"blktrace, queued requests", 100))
        self.assertEqual(streams, [[(0, 4096, 4096, 0, 50, READ, 0)], [(100, 32768, 512, 0, 7, WRITE, 0)]])

    @unittest.skipUnless(shutil.which("blkparse"), "needs blkparse")
    def test_the_merged_file_of_blkparse_is_the_same_trace(self):
        self.file([record(100, QUEUE | R, 8, 4096), record(300, QUEUE | W | FLUSH, 16, 512), record(5000, COMPLETE | W, 64, 512)])
        self.file([record(200, QUEUE | W, 64, 512, 9, cpu=1), record(5100, COMPLETE | R, 8, 4096, cpu=1),
                   record(6000, COMPLETE | W | FLUSH, 16, 512, cpu=1)], "a.blktrace.1")
        subprocess.run(["blkparse", "-i", "a", "-d", "merged", "-O"], check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(self.trace("merged")[1:], self.trace("a.blktrace.0", "a.blktrace.1")[1:])

    def test_issued_requests(self):
        records = [record(0, QUEUE | W, 0, 4096), record(1, QUEUE | W, 8, 4096), record(2, MERGE | W, 8, 4096), record(100, ISSUE | W, 0, 8192),
                   record(600, COMPLETE | W, 0, 8192)]
        self.assertEqual(self.requests(*records, options=["--issued"]), [(0, 0, 8192, 5, WRITE)])
        self.assertEqual(self.requests(*records), [(0, 0, 4096, 6, WRITE), (1, 4096, 4096, 5, WRITE)])

    def test_a_split_request_ends_with_its_last_part(self):
        self.assertEqual(self.requests(record(0, QUEUE | R, 0, 8192), record(500, COMPLETE | R, 0, 4096), record(900, COMPLETE | R, 8, 4096)),
                         [(0, 0, 8192, 9, READ)])

    def test_kinds(self):
        """A flush is a fsync, on its own or before a write. Failed requests are left out, those of unknown kinds counted."""
        records = [record(0, QUEUE | W | FLUSH), record(1, QUEUE | W | FLUSH, 0, 512), record(2, QUEUE | W | DISCARD, 80, 3 << 20),
                   record(3, QUEUE | R, 8, 512), record(4, COMPLETE | R, 8, 512, error=65531), record(5, QUEUE | COMMAND | R, 0, 36)]
        self.assertEqual(self.requests(*records), [(0, 0, 0, 0, FSYNC), (1, 0, 0, 0, FSYNC), (1, 0, 512, 0, WRITE), (2, 40960, 3 << 20, 0, TRIM)])
        with trace_file.Trace("out.trace") as trace:
            self.assertEqual((trace.head.failed, trace.head.not_played), (1, 1))
        self.assertEqual(self.requests(record(0, ISSUE | W | FLUSH), record(1, ISSUE | W | FLUSH, 0, 512), options=["--issued"]),
                         [(0, 0, 0, 0, FSYNC), (1, 0, 512, 0, WRITE)])

    def test_byte_orders_and_blocks(self):
        for order in "<>":
            with mock.patch.object(trace_input, "BLOCK", 50):
                self.assertEqual(self.requests(
                    record(0, QUEUE | R, 8, 512, order=order), record(1, NOTE | 2, data=b"m" * 333, order=order),
                    record(200, COMPLETE | R, 8, 512, order=order)), [(0, 4096, 512, 2, READ)])

    def test_refused(self):
        good = record(0, QUEUE | R, 8, 512)
        for message, content, *options in (
                ("cut off", good + good[:20]), ("cut off", good + record(0, NOTE, data=b"abc")[:-1]), ("magic number is wrong", good + bytes(48)),
                ("version 7", record(0, QUEUE, magic=0x65617406), "--format=blktrace"), ("leave --issued out", good, "--issued"),
                ("--issued takes", record(0, ISSUE | R, 8, 512)), ("behind the end of any device", record(0, QUEUE | R, 1 << 60, 512))):
            with self.subTest(message):
                self.file([content])
                self.assert_trace_refused(message, "a.blktrace.0", "--output=new.trace", *options)
        self.assert_trace_refused("only blktrace", IOLOG, "--issued", "--output=new.trace")


DXT_HEAD = "# darshan log version: 3.21\n# exe: ./app in\n# nprocs: 2\n\n"
DXT_LACKS = "# *WARNING*: The DXT_POSIX module contains incomplete data!\n"


def dxt(rank, *rows, layer="POSIX", name="/s/a b"):
    """The text that darshan-dxt-parser prints for a file of a task."""
    return (f"# DXT, file_id: 16457598720760448348, file_name: {name}\n# DXT, rank: {rank}, hostname: node\n"
            f"# DXT, write_count: 1, read_count: 1\n# DXT, mnt_pt: /, fs_type: ext4\n# Module Rank Wt/Rd Segment Offset Length Start(s) End(s) [OST]\n" +
            "".join(f" X_{layer} {rank:8} {row}\n"[1:] for row in rows))


class Segments(dict):
    """A table of PyDarshan: columns by name, none of them where there are no rows."""

    def __init__(self, *rows):
        names = ("offset", "length", "start_time", "end_time")
        super().__init__({name: types.SimpleNamespace(tolist=lambda column=column: list(column)) for name, column in zip(names, zip(*rows))})
        self.rows = rows

    def __len__(self):
        return len(self.rows)


class Report:
    """PyDarshan's report of a log with two tasks, one file and both layers."""

    def __init__(self, path, read_all):
        self.modules, self.name_records = {"POSIX": {}, "DXT_POSIX": {"partial_flag": "part" in path}, "DXT_MPIIO": {}}, {5: "/s/a"}
        self.records = {}

    def mod_read_all_dxt_records(self, module):
        rows = [{"id": 5, "rank": rank, "write_segments": Segments((rank * 4096, 4096, 0.5, 0.5000021)), "read_segments": Segments()} for rank in range(2)]
        self.records[module] = types.SimpleNamespace(to_df=lambda: rows)


class Dxt(Trace):
    def test_text(self):
        """Each task is a stream. Only POSIX calls are played; those of MPI-IO made some of them."""
        self.file(DXT_HEAD + dxt(0, "write 0 0 262144 0.0029 0.0032", "read 0 8192 512 0.0048 0.0048 [ 3] [ 4]") +
                  dxt(1, "write 0 262144 262144 0.0030 0.0040") + dxt(0, "write 0 0 262144 0.0028 0.0032", layer="MPIIO"), "a.txt")
        head, names, streams = self.trace("a.txt")
        self.assertEqual((names, head.not_played, head.source.rstrip(b"\0")), (["/s/a b"], 1, b"Darshan DXT"))
        self.assertEqual(streams, [[(0, 0, 262144, 0, 3000, WRITE, 0), (1900000, 8192, 512, 0, 0, READ, 0)],
                                   [(100000, 262144, 262144, 0, 10000, WRITE, 0)]])

    def test_pydarshan(self):
        self.file("", "a.darshan")
        with mock.patch.dict(sys.modules, darshan=types.SimpleNamespace(DarshanReport=Report)):
            head, names, streams = self.trace("a.darshan")
        self.assertEqual((names, head.not_played, head.origin), (["/s/a"], 2, 500000000))
        self.assertEqual(streams, [[(0, 0, 4096, 0, 21, WRITE, 0)], [(0, 4096, 4096, 0, 21, WRITE, 0)]])
        with mock.patch.dict(sys.modules, darshan=types.SimpleNamespace(DarshanReport=None)):
            self.assert_trace_refused("PyDarshan cannot read this as a log", "a.darshan", "--output=new.trace")

    def test_the_parser(self):
        self.file("", "a.darshan")
        with mock.patch.dict(sys.modules, darshan=None), mock.patch.dict(os.environ, PATH=self.folder):
            self.assert_trace_refused("install PyDarshan .* or have darshan-dxt-parser in", "a.darshan", "--output=new.trace")
            text = self.file(DXT_HEAD + dxt(0, "read 0 0 1 0.1 0.2"), "text")
            os.chmod(self.file(f"#!/bin/sh\nexec /bin/cat {text}\n", "darshan-dxt-parser"), 0o755)
            self.assertEqual(self.trace("a.darshan")[2], [[(0, 0, 1, 0, 1000000, READ, 0)]])
            self.file("#!/bin/sh\nexit 1\n", "darshan-dxt-parser")
            self.assert_trace_refused("darshan-dxt-parser cannot read this", "a.darshan", "--output=new.trace")

    def test_memory_that_ran_out_is_said(self):
        """The text says it in a comment, PyDarshan by a flag. What MPI-IO lacks does not matter."""
        text = DXT_HEAD + DXT_LACKS + dxt(0, "read 0 0 1 0.1 0.2")
        self.file(text, "a.txt")
        self.file(text.replace("DXT_POSIX", "DXT_MPIIO"), "b.txt")
        self.file("", "part.darshan")
        with mock.patch.dict(sys.modules, darshan=types.SimpleNamespace(DarshanReport=Report)):
            for log, lacks in (("a.txt", True), ("b.txt", False), ("part.darshan", True)):
                code, output, error = self.run_trace(log, "--summary")
                self.assertEqual((code, "(memory ran out)" in output, f"{log}: DXT's memory ran out" in error), (0, lacks, lacks))

    def test_refused(self):
        row = "read 0 0 1 0.1 0.2"
        for message, text in (("no POSIX calls of DXT", DXT_HEAD), ("no POSIX calls of DXT", DXT_HEAD + dxt(0, row, layer="MPIIO")),
                              ("a.txt:10: this is no line", DXT_HEAD + dxt(0, "read 0 0")), ("a.txt:10", DXT_HEAD + dxt(0, "open 0 0 1 0.1 0.2")),
                              ("a.txt:5", DXT_HEAD + f"X_POSIX 0 {row}\n"), ("a.txt:5", DXT_HEAD + "POSIX\t0\t7\tPOSIX_OPENS\t1\t/s/a\t/s\text4\n"),
                              ("a.txt:10", DXT_HEAD + dxt(0, "read 0 0 1 inf 0.2"))):
            with self.subTest(text):
                self.file(text, "a.txt")
                self.assert_trace_refused(message, "a.txt", "--output=new.trace")


class Refused(Trace):
    def test_sources(self):
        self.file("hello\n", "unknown")
        self.file("fio version 3 iolog\n12 /f read 0\n", "short")
        self.file("fio version 3 iolog\n12 /f add\n", "empty")
        self.file("fio version 3 iolog\n12 /f wait 5 0\n", "wait")
        for message, *words in (
                ("format of this log is not recognised", "unknown"), ("short:2: this is no line of fio's iolog of version 3", "short"),
                ("no request", "empty"), ("wait:2", "wait"), ("needs --columns", "--format=csv", "short"),
                ("has its own columns", "--format=msr", "--columns=time,operation,offset,length", "short"),
                ("gone: No such file", "gone"), ("unknown:1: this is no line with these columns", "--format=alibaba", "unknown")):
            with self.subTest(words):
                self.assert_trace_refused(message, *words, "--output=new.trace")

    def test_logs_of_different_formats(self):
        """They made one trace, though fio's times count from its start and those of strace from 1970."""
        self.assert_trace_refused(f"{STRACE}: this log has another format than {IOLOG}", IOLOG, IOLOG, STRACE, "--output=new.trace")

    def test_the_log_is_not_overwritten(self):
        self.file("fio version 3 iolog\n", "log")
        self.assert_trace_refused("name another file", "log", "--output=./log")

    def test_only_a_regular_file_is_replaced(self):
        os.mkfifo("pipe")
        os.symlink("target", "link")
        for output, message in (("pipe", "no regular file"), ("link", "no regular file"), (".", "no regular file"), ("gone/x", "no such folder")):
            self.assert_trace_refused(message, IOLOG, f"--output={output}")

    def test_heads_that_contradict_the_records(self):
        """The checksum is right in each: another program may have written it."""
        self.file(ALIBABA, "a.csv")
        head = self.trace("a.csv", "--format=alibaba")[0]
        with open("out.trace", "rb") as file:
            good = file.read()
        for change in ({"origin": 0}, {"span": 1}, {"bytes": (1, 8192, 0, 0)}, {"calls": (3, 0, 0, 0)}, {"largest": 1}, {"granule": 12345},
                       {"flags": 255}, {"largest": 1 << 31}):
            with self.subTest(**change), open("new", "wb") as file:
                content = head._replace(checksum=0, **change).pack() + good[trace_file.HEAD.size:head.records_at]
                file.write(head._replace(checksum=trace_file.checksum(content), **change).pack() + content[trace_file.HEAD.size:] +
                           good[head.records_at:])
                file.flush()
                self.assertEqual(self.run_trace("new", "--summary")[0], 2)

    def test_damaged_traces(self):
        self.run_trace(IOLOG, "--output=good")
        with open("good", "rb") as file:
            good = file.read()
        records_at = trace_file.Head.unpack(good[:256]).records_at
        for message, content in (
                ("ends within its head", good[:200]), ("it was cut or has grown", good[:-32]), ("it was cut or has grown", good + b"x"),
                ("version 9", good[:8] + b"\x09" + good[9:]), ("checksum", good[:300] + bytes([good[300] ^ 1]) + good[301:]),
                ("stream 0: a record of fsync", good[:records_at + 28] + b"\2" + good[records_at + 29:]),
                ("contradicts itself", good[:32] + b"\xff" * 4 + good[36:]), ("not recognised", b"")):
            with self.subTest(message), open("bad", "wb") as file:
                file.write(content)
                file.flush()
                self.assert_trace_refused(message, "bad", "--summary")


class Parts(Trace):
    """Traces without some files, and without long gaps."""

    ROWS = "0,a,/x/f.db,w,0,100\n1,b,/x/g.log,r,0,3\n5,a,/x/f.db,r,0,7\n5.5,b,/x/h.db,fsync,0,0\n30,c,/x/g.log,w,0,9\n31,a,/x/f.db,r,8,1\n"
    CSV = ["a.csv", "--columns=time,stream,file,operation,offset,length"]

    def setUp(self):
        super().setUp()
        self.file(self.ROWS, "a.csv")

    def summary(self, *words):
        code, output, error = self.run_trace(*self.CSV, *words, "--summary")
        self.assertEqual((code, error), (0, ""))
        return output

    def test_only_some_files(self):
        head, names, streams = self.trace(*self.CSV, "--only=*/f.*", "--only=/x/h.db")
        self.assertEqual(names, ["/x/f.db", "/x/h.db"])
        self.assertEqual([[(record[0] / 1e9, *record[1:4]) for record in stream] for stream in streams],
                         [[(0, 0, 100, 0), (5, 0, 7, 0), (31, 8, 1, 0)], [(5.5, 0, 0, 1)]])
        self.assertEqual((head.calls, head.bytes, head.largest, head.granule), ((2, 1, 1, 0), (8, 100, 0, 0), 100, 1))
        self.assertIn("not taken   2 requests on 1 other files", self.summary("--only=*.db"))
        self.assert_trace_refused("on a file that --only names, and 6 on others", *self.CSV, "--only=f.db", "--output=new.trace")

    def test_gaps_of_all_streams_are_cut(self):
        """Not those in which another stream works: from 5.5 s to 30 s nobody makes a request, from 0 s to 5 s stream b does."""
        head, _, streams = self.trace(*self.CSV, "--idle-most=4s")
        self.assertEqual([[record[0] / 1e9 for record in stream] for stream in streams], [[0, 5, 10.5], [1, 5.5], [9.5]])
        self.assertEqual((head.origin, head.span), (0, 10500000000))
        self.assertIn("idle        1 gaps cut to 4 s, by 20.5 s in all", self.summary("--idle-most=4"))
        self.assertIn("idle        0 gaps cut to 30 s, by 0 s in all", self.summary("--idle-most=500ms", "--idle-most=0.5m"))

    def test_a_call_in_progress_is_no_gap(self):
        """The time of a call counted as idle, so that the pauses behind it became shorter or negative."""
        self.file("0,a,r,0,1,3.0\n1,b,r,0,1,0.1\n3.5,a,r,0,1,3.0\n7,a,r,0,1,0\n9.6,a,r,0,1,0\n", "d.csv")
        _, _, streams = self.trace("d.csv", "--columns=time,stream,operation,offset,length,duration", "--idle-most=0.5s")
        self.assertEqual([[record[0] / 1e9 for record in stream] for stream in streams], [[0, 3.5, 7, 7.5], [1]])

    def test_gaps_are_those_between_the_files_that_are_taken(self):
        self.assertEqual([record[0] for record in self.trace(*self.CSV, "--only=*.log", "--idle-most=1ms")[2][1]], [1000000])

    def test_gaps_in_many_runs(self):
        chance = random.Random(3)
        before, trace_writer.RUN_RECORDS = trace_writer.RUN_RECORDS, 50
        self.addCleanup(setattr, trace_writer, "RUN_RECORDS", before)
        for most in 0, 1, 7, 40, 10 ** 6:
            dues = [chance.randrange(1000, 11000) for _ in range(1000)]
            lengths = [chance.choice([0, 0, 0, 100, 300]) for _ in dues]
            self.file("".join(f"{due},{number % 3},{'r' if number % 5 else 'w'},0,1,{length}\n"
                              for number, (due, length) in enumerate(zip(dues, lengths))), "b.csv")
            ordered = sorted(zip(dues, lengths))
            moved, before, end = {ordered[0][0]: 0}, ordered[0][0], ordered[0][0]
            for due, length in ordered:
                moved[due] = moved[before] + due - before - max(0, due - end - most)
                before, end = due, max(end, due + length)
            _, _, streams = self.trace("b.csv", "--columns=time:ns,stream,operation,offset,length,duration:ns", f"--idle-most={most}ns")
            with self.subTest(most=most):
                for number, stream in enumerate(streams):
                    self.assertEqual([record[0] for record in stream], [moved[due] for due in sorted(dues[number::3])])

    def test_refused(self):
        for words, why in ((["--idle-most=1d"], "no time"), (["--idle-most="], "no time"), (["--idle-most=-1s"], "no time")):
            with self.subTest(words=words), contextlib.redirect_stderr(io.StringIO()) as error:
                self.assertRaises(SystemExit, command.main, ["trace", *self.CSV, *words, "--summary"])
                self.assertIn(why, error.getvalue())
        self.trace(*self.CSV)
        for words in ["--only=*"], ["--idle-most=1s"]:
            self.assert_trace_refused("native trace already", "out.trace", "--summary", *words)


class Writer(Trace):
    def test_runs_are_merged(self):
        """Requests in any order, in many runs on disk, come back sorted; those of one due keep their order."""
        chance = random.Random(7)
        requests = [(chance.randrange(500), number) for number in range(3000)]
        before, trace_writer.RUN_RECORDS = trace_writer.RUN_RECORDS, 100
        self.addCleanup(setattr, trace_writer, "RUN_RECORDS", before)
        writer = trace_writer.Writer("a.trace")
        self.addCleanup(writer.runs_file.close)
        file, streams = writer.file(b"f"), [writer.stream(key) for key in "ab"]
        for due, number in requests:
            writer.add(streams[number % 2], due, number, 1, file, READ)
        writer.finish("test")
        with trace_file.Trace("a.trace") as trace:
            for stream in streams:
                self.assertEqual([record[:2] for record in trace.records(stream)],
                                 sorted((one for one in requests if one[1] % 2 == stream), key=lambda one: one[0]))


if given:
    EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "150"))
    SEARCH = settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize="FUZZ_EXAMPLES" not in os.environ,
                      suppress_health_check=list(HealthCheck))
    WORD = strategies.one_of(strategies.sampled_from([b"0", b"1", b"7.5", b"-1", b"99999999999999999999999", b"read", b"write", b"R", b"sync", b"wait", b"add",
                                                      b"trim", b"/f", b"a b", b"", b"\0", b"4096", b"3000000000"]), strategies.binary(max_size=5))
    LINES = strategies.lists(strategies.lists(WORD, max_size=7), max_size=8)

    class Fuzz(Trace):
        def answer(self, content, *options):
            """Makes a trace of a log, which is readable where it was not refused."""
            with open("log", "wb") as file:
                file.write(content)
            code, _, error = self.run_trace(*options, "log", "--output=fuzz.trace", "--summary")
            self.assertIn(code, (0, 2), error)

        @SEARCH
        @given(LINES, strategies.sampled_from([b"2", b"3"]))
        def test_iolog(self, lines, version):
            self.answer(b"\n".join([b"fio version " + version + b" iolog", *map(b" ".join, lines)]))

        @SEARCH
        @given(LINES, strategies.sampled_from(["--format=msr", "--format=alibaba", "--format=tencent", "--columns=time,operation,offset,length,stream"]))
        def test_csv(self, lines, option):
            self.answer(b"\n".join(map(b",".join, lines)), option)

        @SEARCH
        @given(strategies.lists(strategies.tuples(
            strategies.sampled_from([b"7 1700000000.000001 ", b"[pid 8] 1700000000.000002 ", b"1700000000.000003 ", b""]),
            strategies.sampled_from([b"read(3</f>, \"\", 9", b"pwrite64(3</f>, \"\", 9, 5", b"write(3</f>", b"preadv2(3</f>, [], 1, -1, 0", b"open(\"f\", O_APPEND",
                                     b"clone(CLONE_FILES", b"dup2(3</f>, 4", b"lseek(3</f>, 5", b"close(3", b"ftruncate(3</f>, x", b"<... read resumed>"]),
            strategies.sampled_from([b") = 9 <0.000001>", b") = -1 EIO (x)", b") = 3</f>", b" <unfinished ...>", b") = ?", b") = 99999999999999999999999"]),
            strategies.binary(max_size=2)), max_size=12))
        def test_strace(self, lines):
            self.answer(b"1700000000.000000 close(1) = 0\n" + b"\n".join(map(b"".join, lines)))

        @SEARCH
        @given(strategies.lists(strategies.tuples(
            strategies.sampled_from([b"X_POSIX 0 ", b"X_POSIX 1 ", b"X_MPIIO 0 ", b"# DXT, file_id: 7, file_name: ", b"# incomplete data ", b""]),
            strategies.lists(strategies.one_of(strategies.sampled_from([b"read 0", b"write 0", b"nan", b"inf", b"0.0031", b"-0.5", b"1e300"]), WORD),
                             max_size=6).map(b" ".join)), max_size=12))
        def test_dxt(self, lines):
            self.answer(b"# darshan log version: 3.41\n# DXT, file_id: 7, file_name: /f\nX_POSIX 0 write 0 0 9 0.1 0.2\n" + b"\n".join(map(b"".join, lines)))

        @SEARCH
        @given(strategies.lists(strategies.builds(
            record, strategies.integers(0, 9), strategies.builds(int.__or__, strategies.sampled_from([QUEUE, ISSUE, COMPLETE, MERGE, NOTE]), strategies.sampled_from(
                [0, R, W, W | FLUSH, W | DISCARD, COMMAND])), strategies.sampled_from([0, 1, 2, 3, 4, 8, 1 << 54, (1 << 64) - 1]),
            strategies.sampled_from([0, 1, 512, 513, 1024, 2048, (1 << 32) - 1]), error=strategies.sampled_from([0, 0, 5]), data=strategies.binary(max_size=9)),
            max_size=15), strategies.integers(0, 15), strategies.integers(0, 60), strategies.sampled_from([(), ("--issued",)]))
        def test_blktrace(self, records, at, cut, option):
            """Two CPUs, of which the first one's file may be cut."""
            with open("two", "wb") as file:
                file.write(b"".join(records[at:]))
            content = b"".join(records[:at])
            self.answer(content[:max(0, len(content) - cut)] if cut > 48 else content, "--format=blktrace", *option, "two")

        @SEARCH
        @given(strategies.lists(strategies.tuples(strategies.integers(0, 700), strategies.integers(0, 255)), max_size=4), strategies.booleans())
        def test_native(self, changes, correct):
            """Any change of a trace is refused or read, also where the checksum was made to fit."""
            self.run_trace(IOLOG, "--output=good")
            with open("good", "rb") as file:
                content = bytearray(file.read())
            for at, value in changes:
                content[at % len(content)] = value
            records_at = min(int.from_bytes(content[24:32], "little"), len(content))
            if correct:
                content[12:16] = bytes(4)
                content[12:16] = zlib.crc32(content[:records_at]).to_bytes(4, "little")
            with open("bad", "wb") as file:
                file.write(content)
            with contextlib.suppress(Failure), trace_file.Trace("bad") as trace:
                for stream in range(trace.head.num_streams):
                    for _ in trace.records(stream):
                        pass
            self.assertIn(self.run_trace("bad", "--summary")[0], (0, 2))


if __name__ == "__main__":
    unittest.main()
