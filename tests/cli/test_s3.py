"""Objects by the s3 backend, on a server of our own that checks signatures (tests/servers)."""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

import program
from program import SOURCE, Case, needs_backend, read

sys.path.append(os.path.join(SOURCE, "tests", "servers"))
import s3_server  # noqa: E402

SERVERS = os.path.join(SOURCE, "tests", "servers")
SERVER = os.path.join(SERVERS, "s3_server.py")
VERSITYGW = os.environ.get("IORX_VERSITYGW", "")
SECRET = "secret"
KEYS = {"AWS_ACCESS_KEY_ID": "user", "AWS_SECRET_ACCESS_KEY": SECRET, "no_proxy": "127.0.0.1"}
PARTS = ["-t", "5m", "-b", "10m"]
SMALL = ["-t", "1m", "-b", "1m"]
NONE = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_PROFILE": ""}


@needs_backend("s3")
class Objects(Case):
    """A server with a bucket."""

    def setUp(self):
        super().setUp()
        self.store = os.path.join(self.home, "store")
        self.bucket = os.path.join(self.store, "bucket")
        self.server = self.endpoint = None

    def serve(self, *flags):
        os.makedirs(self.bucket)
        self.server = subprocess.Popen([sys.executable, SERVER, self.store, *flags],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.stop)
        self.endpoint = f"http://127.0.0.1:{int(self.server.stdout.readline())}"

    def stop(self):
        self.server.kill()
        self.server.communicate()

    def job(self, arguments, tasks=1, name="bucket/x", **more):
        more["environment"] = {**KEYS, **more.get("environment", {})}
        words = [] if arguments[0] == "mdtest" or "-f" in arguments else ["-o", f"s3://{name}"]
        arguments = [*arguments, "-a", "S3", f"--s3.endpoint={self.endpoint}", *words]
        return self.start_iorx(arguments, tasks, **more)

    def run_job(self, *arguments, **more):
        return self.job(*arguments, **more).wait()

    def names(self):
        self.assertEqual(os.listdir(os.path.join(self.store, ".uploads")), [])
        return sorted(os.listdir(self.bucket))

    def refused(self, arguments, *parts, code=2, **more):
        outcome = self.run_job(arguments, **more)
        self.assert_exit(outcome, code)
        self.assert_one_error(outcome, *parts)
        return outcome


class Data(Objects):
    def test_a_file_of_each_task_is_one_object(self):
        self.serve()
        for _ in range(2):  # objects of iorx are replaced
            self.assert_exit(self.run_job([*SMALL, "-F", "-w", "-k"], 4), 0)
        self.assertEqual(self.names(), [f"x.0000000{task}" for task in range(4)])
        outcome = self.run_job([*SMALL, "-F", "-r", "-R", "-C"], 4)
        self.assert_exit(outcome, 0)
        self.assert_exit(self.run_job([*SMALL, "-F", "-w", "-r", "-R"], 4), 0)
        self.assertEqual(self.names(), [])

    def test_a_shared_file_is_one_upload_of_all_tasks(self):
        self.serve()
        for more in (["-C"], ["-z", "-Z", "--queue-depth=4", "--s3.sign-payload"]):
            with self.subTest(more=more):
                outcome = self.run_job([*PARTS, "-s", "2", "-w", "-r", "-R", "-k", *more], 3,
                                       name="bucket/a//b@c%d e+ä")
                self.assert_exit(outcome, 0)
                self.assertEqual(self.names(), ["a%2F%2Fb%40c%25d%20e%2B%C3%A4"])
                self.assertEqual(os.path.getsize(os.path.join(self.bucket, self.names()[0])), 60 << 20)

    def test_requests_are_in_flight_together(self):
        self.serve("--delay=0.05")
        outcome = self.run_job(["-t", "5m", "-b", "40m", "--queue-depth=4", "-w", "-r", "-R"], 2)
        self.assert_exit(outcome, 0)
        self.assertGreater(outcome.phase("read")["concurrency"]["in_flight"], 2)

    def test_planted_damage_is_found(self):
        self.serve()
        self.assert_exit(self.run_job([*PARTS, "-w", "-k"], 2), 0)
        with open(os.path.join(self.bucket, "x"), "r+b") as file:
            file.seek((12 << 20) + 5000)
            right = file.read(6)
            file.seek((12 << 20) + 5000)
            file.write(bytes(byte ^ 255 for byte in right))
        outcome = self.run_job([*PARTS, "-r", "-R", "-k"], 2)
        self.assert_exit(outcome, 1)
        self.assertIn(str((12 << 20) + 5000), outcome.out + outcome.err)
        os.truncate(os.path.join(self.bucket, "x"), 7 << 20)
        self.assert_exit(self.run_job([*PARTS, "-r", "-k"], 2), 2)

    def test_a_stopped_phase_leaves_nothing(self):
        self.serve()
        job = self.job(["-t", "5m", "-b", "2000m", "-w"], 2)
        uploads = os.path.join(self.store, ".uploads")
        job.wait_until(lambda: os.listdir(uploads), "an upload")
        time.sleep(0.3)
        job.kill(min(job.tasks().items())[1], signal.SIGTERM)
        outcome = job.wait()
        self.assert_exit(outcome, 1)
        self.assertEqual(outcome.phases()[0][2], "stopped")
        self.assertEqual(self.names(), [])


@unittest.skipUnless(VERSITYGW, "IORX_VERSITYGW names no versitygw; tests/servers/versitygw get builds it")
class RealServer(Objects):
    """The same on versitygw, which knows nothing of iorx."""

    def serve(self, *flags):
        os.makedirs(self.store)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.server = subprocess.Popen([os.path.join(SERVERS, "versitygw"), "serve", VERSITYGW,
                                        self.store, str(port)], stdin=subprocess.PIPE)
        self.addCleanup(self.server.communicate)
        self.endpoint = f"http://127.0.0.1:{port}"
        until = time.monotonic() + 20
        while self.make_bucket(port) != 200:
            self.assertLess(time.monotonic(), until, "the server does not answer")
            time.sleep(0.1)

    @staticmethod
    def make_bucket(port):
        headers = s3_server.signed_headers("PUT", f"127.0.0.1:{port}", "/bucket")
        connection = http.client.HTTPConnection("127.0.0.1", port)
        try:
            connection.request("PUT", "/bucket", headers=headers)
            return connection.getresponse().status
        except OSError:
            return 0
        finally:
            connection.close()

    def test_all_ways_to_write_and_read(self):
        self.serve()
        for words, tasks in ((["-t", "1m", "-b", "1m", "-F", "-k"], 4),
                             (["-t", "1m", "-b", "1m", "-F"], 4),
                             ([*PARTS, "-s", "2", "-C", "--queue-depth=4"], 3),
                             ([*PARTS, "-z", "--s3.sign-payload"], 1)):
            with self.subTest(words=words):
                self.assert_exit(self.run_job([*words, "-w", "-r", "-R"], tasks), 0)
        self.assertEqual([name for name in os.listdir(self.bucket) if name[0] != "."], [])

    def test_names(self):
        self.serve()
        tree = ["mdtest", "-d", "s3://bucket/md", "-F", "-n", "12", "-z", "1", "-b", "2"]
        self.assert_exit(self.run_job([*tree, "-w", "3000", "-e", "3000"], 3), 0)
        self.assert_exit(self.run_job([*tree, "-C"], 2), 0)
        self.assert_exit(self.run_job(["mdtest", "--cleanup=s3://bucket/md"], 2), 0)
        self.assertEqual([name for name in os.listdir(self.bucket) if name[0] != "."], [])
        self.refused([*SMALL, "-w"], "status 403", environment={"AWS_SECRET_ACCESS_KEY": "wrong"})
        self.refused([*SMALL, "-w"], "there is no bucket", name="no-such/x")


class Names(Objects):
    def test_files_of_mdtest(self):
        self.serve()
        tree = ["mdtest", "-d", "s3://bucket/md", "-F", "-n", "12", "-z", "1", "-b", "2"]
        outcome = self.run_job([*tree, "-w", "3000", "-e", "3000", "-i", "2"], 3)
        self.assert_exit(outcome, 0)
        for kind in ("file-create", "file-stat", "file-read", "file-remove"):
            self.assertEqual(outcome.phase(kind, 1)["metadata"]["operations"], 36)
        self.assertEqual(self.names(), [])

    def test_a_cleanup_removes_what_a_tree_has(self):
        self.serve()
        self.assert_exit(self.run_job(["mdtest", "-d", "s3://bucket/md", "-F", "-n", "600", "-C"], 2), 0)
        self.assertEqual(len(self.names()), 1203)  # more than one page; marker and two prefixes
        with open(os.path.join(self.bucket, "md%2Ftest-dir.0-0%2Fforeign"), "w", encoding="ascii"):
            pass
        self.run_job(["mdtest", "--cleanup=s3://bucket/md"], 2)
        self.assertIn("md%2Ftest-dir.0-0%2Fforeign", self.names())
        self.assertLess(len(self.names()), 5)

    def test_operations_are_in_flight_together(self):
        self.serve("--delay=0.05")
        outcome = self.run_job(["mdtest", "-d", "s3://bucket/md", "-F", "-n", "40", "--queue-depth=4"], 2)
        self.assert_exit(outcome, 0)
        for kind in ("file-create", "file-stat", "file-read", "file-remove"):
            self.assertEqual(outcome.phase(kind)["metadata"]["operations"], 80)
            self.assertGreater(outcome.phase(kind)["concurrency"]["in_flight"], 2)
        self.assertEqual(self.names(), [])

    def test_a_tree_that_is_there_is_refused(self):
        self.serve()
        tree = ["mdtest", "-d", "s3://bucket/md", "-F", "-n", "3", "-C"]
        self.assert_exit(self.run_job(tree), 0)
        self.refused(tree, "is there already")


class Refusals(Objects):
    def test_what_objects_cannot_do_is_refused(self):
        self.serve()
        for more, part in {
                "-zz": "random_offset: with -zz places are written several times",
                "-D 1": "stonewall: a file of s3 is there only when all of it was written",
                "--duration=1": "duration: a file of s3",
                "-E": "use_existing_test_file: s3 writes a file as a whole",
                "--random-prefill=5m": "random_prefill: s3",
                "-t 1m": "parts of at least 5 MiB"}.items():
            with self.subTest(more=more):
                self.refused([*PARTS, "-w", *more.split()], part)
        self.refused([*PARTS, "-s", "6000", "-w"], "12000 parts")
        job = os.path.join(self.folder, "job.ior")
        with open(job, "w", encoding="ascii") as file:
            file.write("LOAD START\ntest_file=s3://bucket/x\nfile_size=8m\nduration=1\nLOAD STOP\n")
        self.refused(["-f", job], "api: s3 has no loads", "--mix")
        self.refused(["mdtest", "-d", "s3://bucket/md", "-n", "3"], "files_only", "add -F")
        self.assertEqual(self.names(), [])

    def test_objects_of_others_stay(self):
        self.serve()
        path = os.path.join(self.bucket, "x")
        for content in (b"", b"of another"):
            with open(path, "wb") as file:
                file.write(content)
            self.refused([*SMALL, "-w"], "was not made by iorx", "--replace")
            job = os.path.join(self.folder, "job.ior")
            with open(job, "w", encoding="ascii") as file:
                file.write("IOR START\ntest_file=s3://bucket/x\ntransfer_size=1m\nblock_size=1m\n"
                           "write_file=1\nread_file=0\nreplace=1\nIOR STOP\n")
            self.refused(["-f", job], "--allow-overwrite")
            self.assertEqual(read(path, "rb"), content)
        self.assert_exit(self.run_job(["-f", job, "--allow-overwrite"]), 0)

    def test_mistakes_are_told_before_anything_is_touched(self):
        self.serve()
        write = [*SMALL, "-w"]
        outcome = self.refused(write, "status 403", "check the keys",
                               environment={"AWS_SECRET_ACCESS_KEY": "wrongly-typed"})
        self.assertNotIn("wrongly-typed", outcome.out + outcome.err)
        self.refused(write, "there are no keys", environment={**NONE, "HOME": self.folder})
        self.refused(write, "there is no bucket no-such", name="no-such/x")
        self.refused(write, "names a bucket and no object", name="bucket")
        self.endpoint = "http://user:hidden@127.0.0.1"
        outcome = self.refused(write, "s3.endpoint", "without a path or keys")
        self.assertNotIn("hidden", outcome.err)

    def test_keys_may_come_from_a_profile_and_are_nowhere(self):
        self.serve()
        path = os.path.join(self.folder, "credentials")
        with open(path, "w", encoding="ascii") as file:
            file.write("[default]\naws_access_key_id = no\naws_secret_access_key = no\n[mine]\n"
                       f"aws_access_key_id=user\naws_secret_access_key = {SECRET}\n")
        outcome = self.run_job([*SMALL, "-w", "-v", "-v"], environment={
            **NONE, "AWS_PROFILE": "mine", "AWS_SHARED_CREDENTIALS_FILE": path})
        self.assert_exit(outcome, 0)
        os.remove(path)
        for folder in (self.results, self.folder):
            for name in os.listdir(folder):
                self.assertNotIn(SECRET, read(os.path.join(folder, name)), name)


class Failures(Objects):
    """Those of the server are told at once, and what was measured before is kept."""

    def assert_failed(self, outcome, *parts):
        self.assert_exit(outcome, 1)
        self.assertIn("failed", [phase[2] for phase in outcome.phases()])
        for part in parts:
            self.assertIn(part, outcome.err)
        self.assertLess(outcome.seconds, program.SOON_SECONDS)

    def test_a_status_is_told(self):
        for flags, status in ((["--fail", "503", "--after", "2"], "status 503 Planted"),
                              (["--fail", "403", "--after", "2", "--count", "1"], "status 403 Planted")):
            with self.subTest(status=status):
                self.serve(*flags)
                outcome = self.run_job([*PARTS, "-w", "--s3.retries=3"], 2)
                self.assert_failed(outcome, "PUT: " + status)
                self.assertEqual(self.names(), [])
                self.stop()
                shutil.rmtree(self.store)

    def test_a_request_is_repeated(self):
        for depth in ("1", "2"):
            self.serve("--fail", "503", "--after", "1", "--count", "2")
            outcome = self.run_job([*PARTS, "-w", "-r", "-R", "--s3.retries=2",
                                    f"--queue-depth={depth}"], 2)
            self.assert_exit(outcome, 0)
            self.assertEqual((outcome.phase("write")["retries"], outcome.phase("read")["retries"]), (2, 0))
            self.assertIn("requests failed and were repeated, 2 times for 4 operations", outcome.out)
            self.stop()
            shutil.rmtree(self.store)

    def test_a_server_that_is_silent_is_told(self):
        self.serve("--stall", "--after", "6")
        outcome = self.run_job([*PARTS, "-w", "-r", "-k", "--s3.timeout=2"], 2)
        self.assert_failed(outcome, "GET: ", "Timeout was reached")
        self.assertEqual(outcome.phases()[0], ("write", 0, "complete"))

    def test_a_server_that_dies_is_told(self):
        self.serve()
        job = self.job(["-t", "5m", "-b", "1000m", "-w"], 2)
        job.wait_until(lambda: os.listdir(os.path.join(self.store, ".uploads")), "an upload")
        time.sleep(0.3)
        self.stop()
        self.assert_failed(job.wait(), "PUT: " + self.endpoint)


class Example(Objects):
    def test_the_example_runs(self):
        self.serve()
        os.rename(self.bucket, os.path.join(self.store, "iorx-bench"))
        outcome = self.run_job(["-f", os.path.join(SOURCE, "examples", "s3.ior")], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(len(outcome.document["tests"]), 2)


if __name__ == "__main__":
    unittest.main()
