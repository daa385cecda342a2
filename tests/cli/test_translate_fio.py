"""Jobs of fio, translated and run: the requests are those that fio makes."""

import collections
import json
import os
import shutil
import subprocess
import unittest

import tracing
from program import needs_backend
from translated import Request, TranslatedCase

KIB, MIB = 1 << 10, 1 << 20


class Acceptance(TranslatedCase):
    def test_two_sections_read_each_block_of_their_files_once(self):
        outcome = self.run_translated("--scale-size=1/128", "job.fio",
                                      text="[global]\nrw=randread\nsize=128m\n[job1]\n[job2]\n")
        self.assertEqual([test["name"] for test in outcome.document["tests"]], ["job1", "job2"])
        for test in 0, 1:
            self.assert_each_block_once(self.requests(outcome, test), 1, "read", 4 * KIB, MIB)

    def assert_each_block_once(self, tasks, count, operation, length, size):
        self.assertEqual(len(tasks), count)
        for requests in tasks:
            self.assertEqual(sorted(requests), [Request(operation, n, length) for n in range(0, size, length)])
            self.assertNotEqual(requests, sorted(requests))

    @needs_backend("libaio")
    def test_random_writers_with_a_queue(self):
        outcome = self.run_translated("--scale-size=1/16", "job.fio", text="[random-writers]\nioengine=libaio\niodepth=4\n"
                                      "rw=randwrite\nblocksize=32k\ndirect=0\nsize=64m\nnumjobs=4\n")
        self.assert_each_block_once(self.requests(outcome), 4, "write", 32 * KIB, 4 * MIB)
        load = outcome.phase("load")
        self.assertEqual((load["load"]["queue"]["depths"][-1][0], load["settings"]["direct"]), (4, "false"))

    @needs_backend("libaio")
    def test_readers_beside_writers_at_a_rate(self):
        for name in "d1", "d2":
            os.mkdir(os.path.join(self.folder, name))
        outcome = self.run_translated(
            "--scale-size=1/8000", "--scale-time=1/60", "fio", "job.fio", "--runtime", "30",
            text="[global]\nsize=30g\ndirect=1\niodepth=256\nioengine=libaio\nbs=4k\nnumjobs=4\n"
            "[reader1]\nrw=randread\ndirectory=d1\n[writer1]\nrw=randwrite\ndirectory=d2\nrate_iops=3200\n")
        readers, writers = outcome.document["tests"]
        self.assertEqual([readers["plan"]["tasks"], writers["plan"]["tasks"]], [4, 4])
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "d1"))), [f"reader1.{n}.0" for n in range(4)])
        self.assertEqual([outcome.phase("load", 0, n)["settings"]["direct"] for n in (0, 1)], ["true", "true"])
        self.assertEqual([outcome.phase("load", 0, n)["queue_depth"] for n in (0, 1)], [256, 256])
        self.assertEqual(outcome.phase("load", 0, 1)["load"]["asked_operations_per_s"], 4 * 3200)
        self.assert_blocks_within(self.requests(outcome, 0), 4, "read", 4 * KIB, 30 * 1024 * MIB // 8000)
        self.assert_blocks_within(self.requests(outcome, 1), 4, "write", 4 * KIB, 30 * 1024 * MIB // 8000)

    def assert_blocks_within(self, tasks, count, operation, length, size):
        """Each block at most once: the time may end before the pass does."""
        self.assertEqual(len(tasks), count)
        for requests in tasks:
            self.assertEqual({(request.operation, request.length) for request in requests}, {(operation, length)})
            offsets = [request.offset for request in requests]
            self.assertEqual(len(set(offsets)), len(offsets))
            self.assertLessEqual(max(offsets) + length, size + length)
            self.assertEqual({offset % length for offset in offsets}, {0})

    @needs_backend("libaio")
    def test_the_four_directions_with_a_deep_queue(self):
        for rw, length in (("randread", "8k"), ("randwrite", "8k"), ("read", "64k"), ("write", "64k")):
            with self.subTest(rw=rw):
                outcome = self.run_translated(
                    "--scale-size=1/2048", "fio", "--name=" + rw, "--rw=" + rw, "--direct=1", "--ioengine=libaio",
                    "--bs=" + length, "--numjobs=4", "--iodepth=128", "--size=4G", "--runtime=600", "--group_reporting")
                bytes_moved = 64 * KIB if length == "64k" else 8 * KIB
                tasks = self.requests(outcome)
                operation = "write" if rw.endswith("write") else "read"
                if rw.startswith("rand"):
                    self.assert_each_block_once(tasks, 4, operation, bytes_moved, 2 * MIB)
                else:
                    whole = [Request(operation, n, bytes_moved) for n in range(0, 2 * MIB, bytes_moved)]
                    self.assertEqual([sorted(requests) for requests in tasks], 4 * [whole])  # rows are in order of completion
                phase = outcome.document["tests"][0]["phases"][-1]
                self.assertEqual((phase["queue_depth"], phase["settings"]["direct"]), (128, "true"))

    def test_sections_share_a_file(self):
        outcome = self.run_translated("job.fio", text="[global]\nfilename=f\nsize=1m\nbs=4k\n[a]\nrw=randread\nnumjobs=2\n"
                                      "[b]\nrw=write\nsize=512k\n[c]\nstonewall\nrw=read\noffset=256k\nsize=64k\n")
        names = [test["name"] for test in outcome.document["tests"]]
        self.assertEqual(names, ["layout", "a", "b", "c"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["f", "job.fio"])
        self.assert_each_block_once(self.requests(outcome, 1), 2, "read", 4 * KIB, MIB)
        self.assertEqual(self.requests(outcome, 2), [[Request("write", n, 4096) for n in range(0, 512 * KIB, 4096)]])
        self.assertEqual(self.requests(outcome, 3), [[Request("read", n, 4096) for n in range(256 * KIB, 320 * KIB, 4096)]])

    def test_files_of_other_programs_are_used_as_they_are(self):
        path, data = os.path.join(self.folder, "f"), os.urandom(MIB)
        with open(path, "wb") as file:
            file.write(data)
        outcome = self.run_translated("job.fio", text="[x]\nfilename=f\nsize=256k\nrw=randread\n")
        self.assert_each_block_once(self.requests(outcome), 1, "read", 4 * KIB, 256 * KIB)
        self.assertIn("used as it is: f (256 KiB)", outcome.out)
        self.assertIn("f is shorter than the 2097152 bytes", self.refused("job.fio", text="[x]\nfilename=f\nsize=2m\nrw=read\n"))
        for rw in "randrw", "write":
            text = f"[x]\nfilename=f\nsize=256k\nrw={rw}\n"
            self.assertIn("iorx-translate --run: --iorx=--allow-overwrite", self.refused("job.fio", text=text))
            with open(path, "rb") as file:
                self.assertEqual(file.read(), data)
        for rw in "randwrite", "write", "randwrite":
            self.run_translated("job.fio", text=f"[x]\nfilename=f\nsize=256k\nrw={rw}\nverify=md5\n", arguments=["--allow-overwrite"])
            self.assertIn("was not made by iorx", self.refused("job.fio", text=f"[x]\nfilename=f\nsize=256k\nrw={rw}\n"))
        with open(path, "rb") as file:
            after = file.read()
        self.assertNotEqual(after[:4096], data[:4096])
        self.assertEqual(after[256 * KIB:], data[256 * KIB:])

    def test_files_that_fio_made_under_its_own_names_are_read(self):
        data = {name: os.urandom(64 * KIB) for name in ("x.0.0", "x.1.0")}
        for name, content in data.items():
            with open(os.path.join(self.folder, name), "wb") as file:
                file.write(content)
        outcome = self.run_translated("job.fio", text="[x]\nsize=64k\nnumjobs=2\nrw=randread\n")
        self.assert_each_block_once(self.requests(outcome), 2, "read", 4 * KIB, 64 * KIB)
        self.assertEqual(sorted(os.listdir(self.folder)), ["job.fio", "x.0.0", "x.1.0"])
        for name, content in data.items():
            with open(os.path.join(self.folder, name), "rb") as file:
                self.assertEqual(file.read(), content, name)

    def test_writes_of_one_byte_and_of_one_mebibyte(self):
        outcome = self.run_translated("--scale-size=1/1048576", "fio", "--name=a", "--filename=bytes", "--rw=write", "--bs=1",
                                      "--size=1g", "--runtime=60")
        self.assertEqual(self.requests(outcome), [[Request("write", n, 1) for n in range(1024)]])
        self.assertEqual(os.listdir(self.folder), ["bytes"])
        outcome = self.run_translated("--scale-size=1/1024", "fio", "--name=b", "--rw=write", "--bs=1m", "--size=5g")
        self.assertEqual(self.requests(outcome), [[Request("write", n * MIB, MIB) for n in range(5)]])

    @unittest.skipIf(tracing.why_not(), tracing.why_not())
    def test_system_calls_of_a_job_with_fsync(self):
        for option, syncs in (("--fsync=4", 4), ("--fdatasync=4", 4), ("--end_fsync=1", 1), ("--fsync=0", 0)):
            tracer = tracing.Trace(os.path.join(self.results, "trace" + option))
            self.run_translated("fio", "--name=x", "--rw=randwrite", "--bs=4k", "--size=64k", option, "--ioengine=psync",
                                "--directory=" + self.folder, wrapper=tracer.wrapper)
            task, = tracer.tasks(self.folder)
            load = [opened for opened in task if opened.moves][-1]
            self.assertEqual((load.syncs, load.data_syncs), (syncs, syncs if "fdata" in option else 0), option)
            self.assertEqual(sorted(load.moves), [("pwrite64", 4096, n) for n in range(0, 65536, 4096)])

    def test_what_random_and_mixed_writes_left_is_compared(self):
        for rw in "--rw=randwrite", "--rw=randrw":
            with self.subTest(rw=rw):
                outcome = self.run_translated("fio", "--name=x", rw, "--bs=8k", "--size=1m", "--numjobs=2", "--verify=crc32c")
                self.assertEqual([test["name"] for test in outcome.document["tests"]], ["x", "x-verify"])
                for own in self.requests(outcome, 1):
                    self.assertEqual(own, [Request("read", n, 8192) for n in range(0, MIB, 8192)])
                self.assertEqual(outcome.phase("load", 0, 1)["load"]["verification"]["transfers"], 256)

    def test_files_are_read_before_what_is_measured(self):
        outcome = self.run_translated("fio", "--name=x", "--rw=randread", "--bs=8k", "--size=1m", "--pre_read=1")
        self.assertEqual(self.requests(outcome, 0), [[Request("read", n, 8192) for n in range(0, MIB, 8192)]])
        self.assert_each_block_once(self.requests(outcome, 1), 1, "read", 8192, MIB)
        self.assertFalse(outcome.phase("load", 0, 1)["cold"])

    @unittest.skipIf(os.geteuid() or not shutil.which("losetup"), "loop devices need root and losetup")
    def test_a_block_device_is_used_as_it_is(self):
        image = os.path.join(self.results, "image")
        with open(image, "wb") as file:
            file.truncate(4 * MIB)
        done = subprocess.run(["losetup", "-f", "--show", image], capture_output=True, text=True, check=False)
        if done.returncode:
            self.skipTest("no loop devices here: " + done.stderr)
        device = done.stdout.strip()
        self.addCleanup(subprocess.run, ["losetup", "-d", device], check=True)
        outcome = self.run_translated("fio", "--name=x", "--filename=" + device, "--rw=randwrite", "--direct=1", "--bs=8k",
                                      "--size=100%", "--numjobs=2", arguments=["--allow-overwrite"])
        self.assertEqual(outcome.phases(), [("load", 0, "complete")])
        self.assert_each_block_once(self.requests(outcome), 2, "write", 8 * KIB, 4 * MIB)
        outcome = self.run_translated("fio", "--name=x", "--filename=" + device, "--rw=randwrite", "--direct=1", "--bs=8k",
                                      "--size=100%", "--verify=md5", arguments=["--allow-overwrite"])
        self.assertEqual(outcome.phase("load", 0, 1)["load"]["verification"]["transfers"], 512)
        self.assertIn("O_DIRECT", outcome.phase("load")["settings"]["open_flags"])

    def test_engines_of_metadata_do_as_many_operations(self):
        outcome = self.run_translated("fio", "--name=x", "--ioengine=filestat", "--nrfiles=20", "--numjobs=2", "--filesize=4k")
        for name, operation in (("file-create", "create"), ("file-stat", "stat")):
            self.assertEqual(outcome.phase(name)["operations"][operation]["count"], 40)

    @needs_backend("libaio")
    def test_synchronous_writes_and_locks(self):
        outcome = self.run_translated("fio", "--name=x", "--rw=randwrite", "--bs=4k", "--size=64k", "--sync=dsync",
                                      "--ioengine=libaio", "--iodepth=2")
        self.assertIn("O_DSYNC", outcome.phase("load")["settings"]["open_flags"])
        outcome = self.run_translated("fio", "--name=y", "--rw=read", "--bs=4k", "--size=64k", "--lockfile=readwrite")
        self.assertEqual(outcome.document["tests"][0]["options"]["load.lock"]["value"], "shared")


# Jobs that both run; fio's log says which requests it made.
SEQUENCE, SET, COUNT = "the same requests in the same order", "the same requests", "as many bytes"
JUMPS = "as many requests of each kind that do not go on behind one before"
JOBS = (
    (SEQUENCE, "--rw=read --bs=4k --size=64k"),
    (SEQUENCE, "--rw=write --bs=4k --size=64k"),
    (SEQUENCE, "--rw=write --bs=5k --size=64k"),
    (SEQUENCE, "--rw=read --bs=4k --size=10k"),
    (SEQUENCE, "--rw=read --bs=4k --size=64k --io_size=192k"),
    (SEQUENCE, "--rw=read --bs=4k --size=64k --number_ios=5"),
    (SEQUENCE, "--rw=read --bs=4k --size=32k --loops=3"),
    (SEQUENCE, "--rw=read --bs=1KiB --size=16k"),
    (SEQUENCE, "--rw=write --bs=,8k --size=64k"),
    (SEQUENCE, "--rw=read --bs=,8k --size=64k"),
    (SET, "--rw=randread --bs=4k --size=64k"),
    (SET, "--rw=randwrite --bs=4k --size=64k"),
    (SET, "--rw=randread --bs=4k --size=10k"),
    (SEQUENCE, "--rw=read --bs=4k --size=32k --offset=12k"),
    (SEQUENCE, "--rw=read --bs=4k --filesize=64k --offset=12k"),
    (SEQUENCE, "--rw=read --bs=4k --size=64k --filesize=64k --offset=32k"),
    (SEQUENCE, "--rw=read --bs=3k --size=32k"),
    (SEQUENCE, "--rw=read --bs=4k --size=32k --nrfiles=2 --file_service_type=sequential"),
    (SET, "--rw=randread --bs=12k --size=100k --offset=4k"),
    (COUNT, "--rw=randread --bs=4k --size=256k --norandommap"),
    (COUNT, "--rw=randrw --rwmixread=75 --bs=4k --size=256k"),
    (COUNT, "--rw=randread --bssplit=4k/50:8k/50 --size=240k --norandommap"),
    (SEQUENCE, "--rw=read:4k --bs=4k --size=64k"),
    (JUMPS, "--rw=randrw --bs=4k --size=64m --number_ios=2000 --percentage_random=100,10 --norandommap"),
    (JUMPS, "--rw=randwrite --bs=4k --size=64m --number_ios=2000 --percentage_random=25 --norandommap"),
)


@unittest.skipUnless(shutil.which("fio"), "fio is not installed")
class BesideFio(TranslatedCase):
    """What fio did is taken from the log that it writes, with the psync engine."""

    def requests_of_fio(self, words):
        folder = os.path.join(self.results, "fio")
        os.mkdir(folder)
        subprocess.run(["fio", *words, "--write_iolog=log", "--output-format=json", "--output=out.json"], cwd=folder,
                       check=True, capture_output=True)
        with open(os.path.join(folder, "log"), encoding="utf-8") as file:
            rows = [line.split() for line in file.readlines()[1:]]
        with open(os.path.join(folder, "out.json"), encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)["jobs"]), 1)
        shutil.rmtree(folder)
        return [Request(row[2], int(row[3]), int(row[4])) for row in rows if row[2] in ("read", "write")]

    def test_requests_are_those_of_fio(self):
        for kind, options in JOBS:
            with self.subTest(options=options):
                words = ["--name=x", *options.split()]
                expected = self.requests_of_fio(words)
                made, = self.requests(self.run_translated("fio", *words))
                if kind == SEQUENCE:
                    self.assertEqual(made, expected)
                elif kind == SET:
                    self.assertEqual(sorted(made), sorted(expected))
                elif kind == JUMPS:
                    self.assert_jumps(made, expected)
                else:
                    self.assert_alike(made, expected)

    def assert_jumps(self, made, expected):
        ours, theirs = (self.jumps(list_) for list_ in (made, expected))
        self.assertEqual(set(ours), set(theirs))
        for operation in ours:
            self.assertAlmostEqual(ours[operation], theirs[operation], delta=0.05, msg=operation)

    @staticmethod
    def jumps(requests):
        """{operation: share of those that begin behind no earlier request}; fio goes on behind the last of the same kind."""
        ends, jumps, total = {0}, collections.Counter(), collections.Counter()
        for request in requests:
            total[request.operation] += 1
            jumps[request.operation] += request.offset not in ends
            ends.add(request.offset + request.length)
        return {operation: jumps[operation] / total[operation] for operation in total}

    def assert_alike(self, made, expected):
        """As many bytes, up to a request, and the same shares of kinds and sizes, up to what chance does to fio's."""
        self.assertAlmostEqual(sum(r.length for r in made), sum(r.length for r in expected), delta=8192)
        for request in (lambda r: r.operation), (lambda r: r.length):
            ours, theirs = (collections.Counter(map(request, list_)) for list_ in (made, expected))
            self.assertEqual(set(ours), set(theirs))
            for value in ours:
                self.assertAlmostEqual(ours[value] / len(made), theirs[value] / len(expected), delta=0.25)


if __name__ == "__main__":
    unittest.main()
