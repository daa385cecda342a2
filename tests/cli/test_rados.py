"""Files cut into objects by the rados backend, on a small Ceph cluster (tests/servers/ceph)."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from program import SOON_SECONDS, SOURCE, Case, needs_backend, needs_storage

SERVER = os.path.join(SOURCE, "tests", "servers", "ceph")
STRIPES = ["--namespace", "iorx-stripes"]


class Cluster:
    """One cluster for all tests, as it takes some seconds to start."""

    server = folder = None

    @classmethod
    def start(cls):
        cls.folder = tempfile.mkdtemp(prefix="iorx-ceph.")
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        cls.server = subprocess.Popen([SERVER, "serve", cls.folder, str(port)], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True)
        if cls.server.stdout.readline() != "ready\n":
            raise RuntimeError("the cluster did not start")

    @classmethod
    def stop(cls):
        if cls.server:
            cls.server.communicate()
            shutil.rmtree(cls.folder)
            cls.server = None

    @classmethod
    def conf(cls):
        return os.path.join(cls.folder, "ceph.conf")


def tearDownModule():
    Cluster.stop()


@needs_backend("rados")
class Refusals(Case):
    """What needs no cluster."""

    def refused(self, words, *parts):
        outcome = self.start_iorx(["-a", "RADOS", "-w", "-t", "1m", "-b", "1m", *words], 1).wait()
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, *parts)

    def test_a_start_that_cannot_be_is_refused(self):
        self.refused(["-o", "rados://iorx/x", "--rados.conf=/no/such"], "rados.conf: /no/such: No such file")
        self.refused(["-o", "rados://iorx/x", "--rados.user=admin"], "rados.user", "client.admin")
        self.refused(["-o", "rados://iorx/x", "--rados.object-size=1k"], "rados.object_size")

    def test_a_cluster_that_is_silent_is_told(self):
        conf = os.path.join(self.folder, "ceph.conf")
        with open(conf, "w", encoding="ascii") as file:
            file.write("[global]\nmon host = [v1:127.0.0.1:9]\nauth client required = none\n")
        outcome = self.start_iorx(["-a", "RADOS", "-w", "-t", "1m", "-b", "1m", "-o", "rados://iorx/x",
                                   f"--rados.conf={conf}", "--rados.timeout=2"], 2).wait()
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "does not take us in", "no answer within rados.timeout")


@needs_backend("rados")
@needs_storage("ceph", "ceph-mon", "ceph-mgr", "ceph-osd", "rados", "monmaptool")
class Objects(Case):
    """Tests on the cluster."""

    def setUp(self):
        super().setUp()
        if Cluster.server:
            self.rados("purge", "iorx", "--yes-i-really-really-mean-it")
        else:
            Cluster.start()

    def run_job(self, *words, tasks=2):
        return self.job(*words, tasks=tasks).wait()

    def job(self, *words, tasks=2):
        return self.start_iorx([*words, f"--rados.conf={Cluster.conf()}"], tasks)

    def data(self, *words, name="x", **more):
        return self.run_job("-a", "rados", "-o", f"rados://iorx/{name}", *words, **more)

    @staticmethod
    def rados(*words):
        return subprocess.run(["rados", "-c", Cluster.conf(), "-p", "iorx", *words], check=True, timeout=60,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout

    def names(self, *words):
        return sorted(self.rados("ls", *words).splitlines())


class Data(Objects):
    def test_patterns_are_written_read_and_removed(self):
        for words, tasks in ((["-t", "1m", "-b", "6m", "-s", "2", "-C"], 3),
                             (["-t", "2560k", "-b", "10m", "-F", "--rados.object-size=1m", "-e"], 2),
                             (["-t", "64k", "-b", "4m", "-z", "-Z", "--queue-depth=8"], 2),
                             (["-t", "6m", "-b", "18m", "--queue-depth=3", "--rados.object-size=4m"], 1)):
            with self.subTest(words=words):
                outcome = self.data("-w", "-r", "-R", *words, tasks=tasks)
                self.assert_exit(outcome, 0)
                self.assertEqual(self.names() + self.names(*STRIPES), [])

    def test_names_are_kept_and_files_keep_their_cut(self):
        name = "a//b@c%d e"
        self.assert_exit(self.data("-w", "-k", "-t", "1m", "-b", "5m", "--rados.object-size=2m", name=name), 0)
        self.assertEqual(self.names(), [name])
        self.assertEqual(len(self.names(*STRIPES)), 4)
        self.assert_exit(self.data("-r", "-R", "-t", "1m", "-b", "5m", name=name), 0)

    def test_planted_damage_is_found(self):
        self.assert_exit(self.data("-w", "-k", "-t", "1m", "-b", "5m"), 0)
        damage = os.path.join(self.folder, "damage")
        with open(damage, "wb") as file:
            file.write(b"damage")
        self.rados("put", "x.00000001", damage, "--offset", "1234567", *STRIPES)
        outcome = self.data("-r", "-R", "-k", "-t", "1m", "-b", "5m")
        self.assert_exit(outcome, 1)
        self.assertIn(str((4 << 20) + 1234567), outcome.out + outcome.err)
        self.rados("rm", "x.00000001", *STRIPES)
        self.assert_exit(self.data("-r", "-R", "-t", "1m", "-b", "5m"), 1)

    def test_objects_of_others_stay(self):
        path = os.path.join(self.folder, "other")
        with open(path, "wb") as file:
            file.write(b"of another")
        self.rados("put", "x", path)
        outcome = self.data("-w", "-t", "1m", "-b", "1m")
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "was not made by iorx")

    def test_wrong_names_are_told(self):
        for name, part in (("no-pool/x", "there is no pool no-pool"), ("iorx", "names a pool and no object")):
            outcome = self.run_job("-a", "rados", "-w", "-o", f"rados://{name}", "-t", "1m", "-b", "1m")
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, part)

    def test_a_load_runs(self):
        job = os.path.join(self.folder, "load.ior")
        with open(job, "w", encoding="ascii") as file:
            file.write("LOAD START\napi=rados\ntestFile=rados://iorx/load, items=20, fileSize=9m\n"
                       "operations=\"stat:30, create:10, unlink:10, write_file:10, read_file:10, read:20, write:10\"\n"
                       "queue_depth=1, rate=200, duration=1, check_read=1\nLOAD STOP\n")
        outcome = self.run_job("-f", job)
        self.assert_exit(outcome, 0)
        self.assertGreater(outcome.phase("load")["load"]["operations"], 0)
        self.assertEqual(self.names(), ["load.00000000", "load.00000001"])


class Names(Objects):
    def test_files_of_mdtest(self):
        tree = ["mdtest", "-a", "rados", "-d", "rados://iorx/md", "-F", "-n", "12", "-z", "1", "-b", "2"]
        for more in (["-w", "3000", "-e", "3000"], ["--queue-depth=4"]):
            outcome = self.run_job(*tree, *more, tasks=3)
            self.assert_exit(outcome, 0)
            for kind in ("file-create", "file-stat", "file-read", "file-remove"):
                self.assertEqual(outcome.phase(kind)["metadata"]["operations"], 36)
            self.assertEqual(self.names(), [])

    def test_a_tree_is_found_and_cleaned(self):
        tree = ["mdtest", "-a", "rados", "-d", "rados://iorx/md", "-F", "-n", "30"]
        outcome = self.run_job(*tree, "-C", "--find")
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.phase("find")["metadata"]["entries"], 61)
        self.rados("create", "md/test-dir.0-0/foreign")
        self.run_job("mdtest", "-a", "rados", "--cleanup=rados://iorx/md")
        self.assertIn("md/test-dir.0-0/foreign", self.names())
        self.assertLess(len(self.names()), 4)


class Example(Objects):
    def test_the_example_runs(self):
        outcome = self.run_job("-f", os.path.join(SOURCE, "examples", "rados.ior"))
        self.assert_exit(outcome, 0)
        self.assertEqual(len(outcome.document["tests"]), 2)
        self.assertEqual(self.names(), [])


class Zfailures(Objects):
    """The last, as they stop the cluster."""

    def test_a_server_that_dies_is_told(self):
        job = self.job("-a", "rados", "-o", "rados://iorx/x", "-w", "-t", "4m", "-b", "4000m", "-s", "100",
                       "--rados.timeout=2", "-k")
        job.wait_until(lambda: self.names(*STRIPES), "a stripe")
        with open(os.path.join(Cluster.folder, "osd.0.pid"), encoding="ascii") as file:
            os.kill(int(file.read()), signal.SIGKILL)
        began = time.monotonic()
        outcome = job.wait()
        self.assertLess(time.monotonic() - began, SOON_SECONDS)
        self.addCleanup(Cluster.stop)
        self.assert_exit(outcome, 1)
        self.assertIn("no answer within rados.timeout", outcome.err)
        self.assertEqual(outcome.phases()[0][2], "failed")


if __name__ == "__main__":
    unittest.main()
