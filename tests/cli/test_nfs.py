"""Files of an NFS server by the nfs backend: mistakes without a server, all else on nfs-ganesha (tests/servers)."""

import os
import signal
import socket
import subprocess
import time
import unittest

import program
from program import SOURCE, Case, needs_backend, needs_storage, read

SERVERS = os.path.join(SOURCE, "tests", "servers")
SMALL = ["-t", "64k", "-b", "256k"]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


@needs_backend("nfs")
class Remote(Case):
    def job(self, arguments, url, tasks=1, **more):
        words = [] if arguments[0] == "mdtest" or "-f" in arguments else ["-o", url]
        return self.start_iorx([*arguments, "-a", "nfs", *words], tasks, **more)

    def refused(self, arguments, url, *parts, code=2, **more):
        outcome = self.job(arguments, url, **more).wait()
        self.assert_exit(outcome, code)
        self.assert_one_error(outcome, *parts)
        self.assertLess(outcome.seconds, program.SOON_SECONDS)


class Mistakes(Remote):
    """None of these needs a server."""

    def test_urls(self):
        write = [*SMALL, "-w"]
        self.refused(write, "/tmp/file", "test_file: /tmp/file is no URL", "nfs://SERVER/EXPORT/PATH")
        self.refused(write, "nfs:///export/file", "the server's name is missing")
        self.refused(write, "nfs://a/e/file?version=4", "by version 3 only", "use posix")
        for query in "readahead=4096", "uid=root":
            self.refused(write, f"nfs://a/e/file?{query}", "uid, gid, nfsport and mountport are taken")
        self.refused(["mdtest", "-n", "3", "-d", "/tmp/file"], "", "is no URL")

    def test_a_server_that_is_not_there(self):
        port = free_port()
        url = f"nfs://127.0.0.1/e/file?nfsport={port}&mountport={port}"
        self.refused([*SMALL, "-w"], url, "mount: nfs://127.0.0.1: the connection was refused", "nfsport", tasks=2)
        self.refused(["mdtest", "-n", "3", "-d", url], "", "the connection was refused")
        self.refused([*SMALL, "-w"], "nfs://no-such.invalid/e/file", "nfs://no-such.invalid", "name of the server")

    def test_a_server_that_is_silent(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            port = silent.getsockname()[1]
            self.refused([*SMALL, "-w", "--nfs.timeout=1"], f"nfs://127.0.0.1/e/file?nfsport={port}&mountport={port}",
                         "the server did not answer within 1 s (nfs.timeout)")
            self.refused([*SMALL, "-w", "--nfs.timeout=x"], "nfs://127.0.0.1/e/file", "nfs.timeout")

    def test_what_nfs_cannot_do_is_refused(self):
        url = "nfs://no-such.invalid/e/file"
        self.refused(["-c", "-w"], url, "collective: nfs has no collective transfers")
        self.refused(["mdtest", "-n", "3", "-k", "-d", url], "", "nfs has no mknod")
        load = ["load", "--file-size=1m", "--duration=1"]
        self.refused([*load, "--layout=allocate"], url, "nfs cannot allocate files")
        self.refused([*load, "--lock=shared"], url, "lock: nfs")

    def test_a_plan_needs_no_server(self):
        outcome = self.job(["-w", "--show-plan"], "nfs://no-such.invalid/e/file?uid=0", output=False).wait()
        self.assert_exit(outcome, 0)
        self.assertIn("nothing was touched", outcome.out)


@needs_storage("ganesha.nfsd", "rpcbind")
@unittest.skipUnless(program.AS_ROOT, "needs root")
class Server(Remote):
    def setUp(self):
        super().setUp()
        self.export = os.path.join(self.home, "export")
        ports = [free_port(), free_port()]
        self.query = "?nfsport={}&mountport={}".format(*ports)
        self.server = subprocess.Popen([os.path.join(SERVERS, "ganesha"), "serve", self.home, *map(str, ports)],
                                       stdin=subprocess.PIPE)
        self.addCleanup(self.stop)
        until = time.monotonic() + 30
        while not all(map(self.answers, ports)):
            log = os.path.join(self.home, "log")
            self.assertLess(time.monotonic(), until, os.path.exists(log) and read(log))
            time.sleep(0.1)

    @staticmethod
    def answers(port):
        try:
            socket.create_connection(("127.0.0.1", port), 5).close()
            return True
        except OSError:
            return False

    def stop(self):
        self.server.communicate()

    def signal(self, number):
        os.kill(int(read(os.path.join(self.home, "pid"))), number)

    def url(self, name="x"):
        return f"nfs://127.0.0.1{self.export}/{name}{self.query}"

    def run_job(self, arguments, tasks=1, name="x", **more):
        return self.job(arguments, self.url(name), tasks, **more).wait()

    def names(self):
        return sorted(os.listdir(self.export))

    def write_job(self, text):
        path = os.path.join(self.folder, "job.ior")
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return path


class Data(Server):
    def test_patterns(self):
        check = ["-w", "-r", "-R"]
        for words, tasks in ((["-F", "-C", "-e"], 4), (["-s", "3", "-C"], 3), (["-u", "-F"], 2),
                             (["-z", "-Z", "--queue-depth=8", "-s", "2"], 2), (["-zz", "--queue-depth=8"], 2),
                             (["-t", "4m", "-b", "4m", "-W"], 1), (["-D", "1", "-F"], 2),
                             (["-t", "4000", "-b", "40000", "--queue-depth=3"], 2), (["-F", "-k"], 4)):
            with self.subTest(words=words):
                self.assert_exit(self.run_job([*SMALL, *words, *check], tasks), 0)
        self.assertEqual(self.names(), [f"x.0000000{task}" for task in range(4)])
        self.assertEqual(os.path.getsize(os.path.join(self.export, self.names()[0])), 256 << 10)

    def test_names_keep_their_bytes_and_the_mount_is_above(self):
        os.makedirs(os.path.join(self.export, "a", "b"))
        outcome = self.run_job([*SMALL, "-w", "-k", "-vv"], name="a/b/c@d%20 e+ä")
        self.assert_exit(outcome, 0)
        self.assertEqual(os.listdir(os.path.join(self.export, "a", "b")), ["c@d%20 e+ä"])
        self.refused([*SMALL, "-w"], self.url("none/x"), "No such file or directory", code=1)
        wrong = f"nfs://127.0.0.1/wrong/x{self.query}"
        self.refused([*SMALL, "-w"], wrong, "the server exports no directory on this path", "showmount -e 127.0.0.1")

    def test_planted_damage_is_found(self):
        self.assert_exit(self.run_job([*SMALL, "-w", "-k"], 2), 0)
        path = os.path.join(self.export, "x")
        with open(path, "r+b") as file:
            file.seek(300000)
            right = file.read(6)
            file.seek(300000)
            file.write(bytes(byte ^ 255 for byte in right))
        for depth in "1", "4":
            outcome = self.run_job([*SMALL, "-r", "-R", "-k", f"--queue-depth={depth}"], 2)
            self.assert_exit(outcome, 1)
            self.assertIn("300000", outcome.out + outcome.err)
        os.truncate(path, 200000)
        self.assert_exit(self.run_job([*SMALL, "-r", "-k"], 2), 2)

    def test_files_of_others_stay(self):
        path = os.path.join(self.export, "x")
        with open(path, "wb") as file:
            file.write(b"of another" * 1000)
        self.refused([*SMALL, "-w"], self.url(), "was not made by iorx", "--replace")
        self.assertEqual(read(path), "of another" * 1000)

    def test_another_user_is_refused(self):
        os.chmod(self.export, 0o755)
        self.refused([*SMALL, "-w"], f"{self.url()}&uid=12345&gid=12345", "Permission denied",
                     "uid= and gid= in the URL", code=1)

    def test_loads(self):
        words = ["load", "--file-size=1m", "--duration=1", "--operations=read:50,write:50", "--sync=dsync"]
        for more in (["--queue-depth=4"], ["--rate=200"]):
            outcome = self.run_job([*words, *more], 2)
            self.assert_exit(outcome, 0)
            self.assertGreater(outcome.phase("load")["load"]["operations"], 20)


class Names(Server):
    def test_mdtest(self):
        tree = ["mdtest", "-d", self.url("md"), "-n", "6", "-z", "1", "-b", "2"]
        for more in (["-w", "3000", "-e", "3000", "-y"], ["-u", "-i", "2"], ["-F", "--list"]):
            with self.subTest(more=more):
                outcome = self.run_job([*tree, *more], 3)
                self.assert_exit(outcome, 0)
                for phase in outcome.document["tests"][0]["phases"]:
                    self.assertEqual(phase["metadata"]["failed_operations"], 0)
                self.assertEqual(outcome.phase("file-stat")["metadata"]["operations"], 18)
        self.assertEqual(os.listdir(os.path.join(self.export, "md")), [])

    def test_find_and_cleanup(self):
        self.assert_exit(self.run_job(["mdtest", "-d", self.url("md"), "-n", "40", "-C"], 2), 0)
        for name in "md", "":
            outcome = self.run_job(["mdtest", "-d", self.url(name), "--find", "--find-size=1"], 2)
            self.assert_exit(outcome, 0)
        tree = os.path.join(self.export, "md", "test-dir.0-0")
        with open(os.path.join(tree, "foreign"), "w", encoding="ascii"):
            pass
        self.run_job(["mdtest", f"--cleanup={self.url('md')}"], 2)
        self.assertIn("foreign", os.listdir(tree))
        os.remove(os.path.join(tree, "foreign"))
        self.assert_exit(self.run_job(["mdtest", f"--cleanup={self.url('md')}"]), 0)
        self.assertEqual(os.listdir(os.path.join(self.export, "md")), [])

    def test_conformance(self):
        environment = {**os.environ, "TEST_TMPDIR": self.export, "CONFORMANCE_SERVER": f"nfs://127.0.0.1{self.query}"}
        for tasks in "1", "3":
            suite = subprocess.run([program.LAUNCH, tasks, program.built("tests/backends/conformance"), "nfs*"],
                                   env=environment, capture_output=True, text=True, check=False)
            self.assertEqual(suite.returncode, 0, suite.stdout + suite.stderr)


class Failures(Server):
    """A server that stops is told within the limit, and what was measured before is kept."""

    def lose(self, number, words, *parts):
        read_again = self.write_job(f"IOR START\napi=nfs\ntest_file={self.url()}\ntransfer_size=64k\nblock_size=1m\n"
                                    f"write_file=1\nread_file=0\nkeep_file=1\nRUN\nblock_size=16g\n{words}\nIOR STOP\n")
        job = self.start_iorx(["-f", read_again, "--nfs.timeout=2", "--replace", "--force"], 2)
        path = os.path.join(self.export, "x")
        job.wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 8 << 20, "a write")
        self.signal(number)
        outcome = job.wait()
        self.assert_exit(outcome, 1)
        self.assertLess(outcome.seconds, program.SOON_SECONDS)
        self.assertEqual([test["phases"][0]["status"] for test in outcome.document["tests"]], ["complete", "failed"])
        for part in parts:
            self.assertIn(part, outcome.err)

    def test_a_server_that_dies(self):
        self.lose(signal.SIGKILL, "", "pwrite: nfs://127.0.0.1: the connection was refused, or the server has ended it")

    def test_a_server_that_dies_under_a_queue(self):
        self.lose(signal.SIGKILL, "queue_depth=8", "nfs://127.0.0.1")

    def test_a_server_that_stops(self):
        self.addCleanup(self.signal, signal.SIGCONT)
        self.lose(signal.SIGSTOP, "queue_depth=8", "the server did not answer within 2 s (nfs.timeout)")


class Example(Server):
    def test_the_example_runs(self):
        text = read(os.path.join(SOURCE, "examples", "nfs.ior"))
        here = text.replace("nfs://server/export/example", self.url("example"))
        self.assertNotEqual(here, text)
        here = here.replace("blockSize = 1g", "blockSize = 8m")
        outcome = self.start_iorx(["-f", self.write_job(here)], 2).wait()
        self.assert_exit(outcome, 0)
        self.assertGreater(len(outcome.document["tests"]), 1)


if __name__ == "__main__":
    unittest.main()
