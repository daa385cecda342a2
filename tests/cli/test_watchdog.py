"""Who hangs is named and the job is ended; nothing starts that cannot end before the deadline."""

import contextlib
import os
import re
import signal
import subprocess
import time
import unittest

from program import AS_ROOT, NO_GRACE, SOON_SECONDS, Case, needs_root

STALL = ["--fault.kind=stall", "--fault.stall=100"]
HANG_AFTER = "--hang-after=3"
SINCE = re.compile(r"; since \d\d:\d\d:\d\d, [3-9] s")


class Watchdog(Case):
    def start(self, name, arguments, tasks=3, **more):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        return self.start_iorx(["-o", "test", *arguments], tasks, folder=folder, **more)

    @staticmethod
    def wait_for(*jobs):
        """All of them, so that how long one took is not how long those before were looked at."""
        for job in jobs:
            job.wait()

    def assert_ended(self, job, *parts):
        """Ended with one message that has these parts, with what was over on disk."""
        outcome = job.wait()
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, SINCE, "finished phases are on disk", *parts)
        self.assert_nothing_left(job)
        return outcome

    def finished(self, outcome):
        return [(line["phase"]["phase"], line["phase"]["repetition"], line["phase"]["status"])
                for line in outcome.journal if "phase" in line]


class Stalls(Watchdog):
    BASE = ["-b", "256k", "-t", "64k", HANG_AFTER, *STALL]

    def test_without_a_document_none_is_promised(self):
        outcome = self.start("none", [*self.BASE, "--fault.operation=write", "--output=none"], 1,
                             output=False).wait()
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, SINCE, "the job is ended, no document was asked for (output=none)")

    def test_are_named_with_task_call_file_and_place(self):
        cases = {
            "write": (["--fault.operation=write", "--fault.tasks=1", "--fault.after=6", "-i", "3"],
                      "task 1 (pid", "makes no progress in a transfer in the write phase of test,",
                      "2 of 4 transfers done, next at offset 393216"),
            "read": (["-F", "--fault.operation=read", "--fault.tasks=0"],
                     "task 0 (pid", "a transfer in the read phase of test.00000000,",
                     "0 of 4 transfers done, next at offset 0"),
            "open": (["-F", "--fault.operation=open", "--fault.tasks=2"],
                     "task 2 (pid",
                     "makes no progress in open in the write phase of test.00000002"),
            "sync": (["-e", "--fault.operation=sync", "--fault.tasks=all"],
                     "task 0 (pid", "makes no progress in sync in the write phase of test"),
            "close": (["--fault.operation=close", "--fault.tasks=0", "--fault.after=1"],
                      "task 0 (pid", "makes no progress in close in the read phase of test"),
            "remove": (["-F", "--fault.operation=remove", "--fault.tasks=1"],
                       "task 1 (pid", "makes no progress in stat or remove of test.00000001"),
        }
        jobs = {name: self.start(name, [*self.BASE, *arguments], environment=NO_GRACE)
                for name, (arguments, *_) in cases.items()}
        finished = {
            "write": [("write", 0, "complete"), ("read", 0, "complete")],
            "read": [("write", 0, "complete")],
            "open": [], "sync": [],
            "close": [("write", 0, "complete")],
            "remove": [("write", 0, "complete"), ("read", 0, "complete")],
        }
        full = self.start_on_full_disk() if AS_ROOT else None
        items = self.start_iorx(["mdtest", "-n", "5", "-F", "-d", "items", HANG_AFTER, *STALL, "--fault.tasks=1",
                                 "--fault.operation=create", "--fault.after=2"], 2, environment=NO_GRACE)
        patient = self.start("patient", ["-b", "64k", "-t", "64k", "--fault.kind=stall",
                                         "--fault.stall=4", "--fault.operation=write"], tasks=2)
        self.wait_for(*jobs.values())
        for name, job in jobs.items():
            with self.subTest(name):
                outcome = self.assert_ended(job, *cases[name][1:])
                self.assertEqual(self.finished(outcome), finished[name])
                self.assertEqual(outcome.document["status"], "interrupted")
                self.assertEqual(outcome.phases(), finished[name])
                self.assertLess(outcome.seconds, 90)  # the stall: 100 s
        with self.subTest("a metadata phase"):
            self.assert_ended(items, "task 1 (pid", "makes no progress in an operation in the file-create phase in items, "
                                     "2 operations done")
        with self.subTest("after a failure: told with it"):
            if not full:
                self.skipTest("no tmpfs can be mounted")
            self.assert_ended(full, "task 1 (pid", "a transfer", ", after task 0 failed: write of test: ",
                              "pwrite: No space left on device")  # the lock file takes a part of the last transfer
        with self.subTest("without hang_after: nothing is ended"):
            outcome = patient.wait()
            self.assert_exit(outcome, 0)
            self.assertGreater(outcome.phase("write")["intervals"]["total_s"], 3.9)

    def start_on_full_disk(self):
        """None when there can be none."""
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk],
                          capture_output=True, check=False).returncode:
            return None
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        return self.start("disk", ["-b", "4m", "-t", "64k", "--force", HANG_AFTER, *STALL,
                                   "--fault.operation=write", "--fault.tasks=1"], tasks=2,
                          environment=NO_GRACE)


class StoppedTasks(Watchdog):
    LONG = ["-b", "8m", "-t", "16k", "-i", "10000", HANG_AFTER]

    def test_are_named_by_a_neighbour(self):
        jobs = {f"task {task} of 3": (self.start(f"task {task}", self.LONG), task)
                for task in (0, 2)}
        for job, task in jobs.values():
            job.wait_for_phase(2)
            job.kill(job.tasks()[task], signal.SIGSTOP)
        self.wait_for(*(job for job, _ in jobs.values()))
        for name, (job, task) in jobs.items():
            with self.subTest(name):
                outcome = self.assert_ended(job, f"task {task} (pid",
                                            "does not run (stopped?), last seen in")
                self.assertGreaterEqual(len(self.finished(outcome)), 2)
                self.assertLess(outcome.ending, SOON_SECONDS)

    def test_go_on_when_all_were_stopped_together(self):
        job = self.start("suspended", ["-a", "null", "-b", "40g", "-t", "4k", "-w", "-s", "20",
                                       "--hang-after=2", "--deadline=+6s"], tasks=2)
        job.wait_for_phase(event="test")
        time.sleep(0.5)
        tasks = job.tasks().values()
        # Silent for longer than is forgiven to one; a wrong judgement comes at once afterwards.
        for number, seconds in ((signal.SIGSTOP, 3.3), (signal.SIGCONT, 0)):
            for task in tasks:
                os.kill(task, number)
            time.sleep(seconds)
        outcome = job.wait()
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.messages(), [])


@needs_root
class FrozenFileSystem(Watchdog):
    def make_disk(self):
        """ext4 in a file, mounted; always thawed and unmounted in the end."""
        image, disk = (os.path.join(self.home, name) for name in ("image", "disk"))
        os.mkdir(disk)
        try:
            subprocess.run(["truncate", "-s", "64m", image], check=True)
            subprocess.run(["mkfs.ext4", "-q", image], check=True, capture_output=True)
            subprocess.run(["mount", "-o", "loop", image, disk], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            self.skipTest(f"no file system can be made and mounted: {error}")
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        return disk

    def test_is_named(self):
        disk = self.make_disk()
        job = self.start_iorx(["-b", "4m", "-t", "64k", "-i", "10000", "-w", "-r", HANG_AFTER,
                               "-o", "test"], 2, folder=disk, environment=NO_GRACE)
        job.wait_for_phase(2)
        frozen = subprocess.run(["fsfreeze", "-f", disk], capture_output=True, check=False)
        if frozen.returncode:
            self.skipTest(f"the file system cannot be frozen: {frozen.stderr.decode().strip()}")
        self.addCleanup(subprocess.run, ["fsfreeze", "-u", disk], check=False,
                        stderr=subprocess.DEVNULL)
        # Processes in the frozen system end only when it thaws: the message must not wait for it.
        job.wait_until(lambda: b"finished phases" in self.said(job), "a message")
        with contextlib.suppress(subprocess.TimeoutExpired):
            job.process.wait(5)
        ended = job.process.poll()
        subprocess.run(["fsfreeze", "-u", disk], check=True)
        outcome = self.assert_ended(job, "makes no progress in ", "test")
        self.assertGreaterEqual(len(self.finished(outcome)), 2)
        self.assertEqual(ended, 1, "the job did not end before the thaw")

    @staticmethod
    def said(job):
        with open(job.err, "rb") as file:
            return file.read()


class Deadline(Watchdog):
    ENDLESS = ["-a", "null", "-b", "100g", "-t", "4k", "-s", "100", "-w"]

    def run_into(self, seconds):
        """Three jobs with little more than these seconds each; their Outcomes."""
        running = self.start("running", [*self.ENDLESS, f"--deadline=+{2 * seconds}s"])
        # A write takes half of the time, so that a second one may not end in time.
        skipping = self.start("skipping", [
            "-b", "64k", "-t", "64k", "-i", "5", "-w", f"--deadline=+{2 * seconds + 1}s",
            "--fault.kind=stall", f"--fault.stall={seconds}", "--fault.operation=write",
            "--fault.count=0"])
        # 5 s before the batch job's end.
        slurm = self.start("slurm", self.ENDLESS, 2, environment={
            "SLURM_JOB_END_TIME": str(int(time.time()) + 6 + 2 * seconds)})
        self.wait_for(running, skipping, slurm)
        return running.wait(), skipping.wait(), slurm.wait()

    def test_stops_a_phase_and_starts_none_that_cannot_end_before_it(self):
        # It counts from the start of the job: a slow machine needs time to get to the first phase.
        for seconds in 1, 5, 20:
            running, skipping, slurm = self.run_into(seconds)
            if [outcome.phases()[0][2] for outcome in (running, skipping, slurm)] == [
                    "stopped", "complete", "stopped"]:
                break
        with self.subTest("stopped"):
            self.assert_exit(running, 0)
            self.assertEqual(running.messages(), [])
            self.assertEqual(running.document["status"], "interrupted")
            self.assertEqual(running.phases(), [("write", 0, "stopped")])
            self.assertIn("deadline", running.phase("write")["stop"])
            self.assertLess(running.phase("write")["intervals"]["total_s"], 2 * seconds + 3)
        with self.subTest("skipped"):
            self.assert_exit(skipping, 0)
            self.assertEqual(skipping.document["status"], "interrupted")
            self.assertEqual(skipping.phases(), [("write", 0, "complete"), ("write", 1, "skipped")])
            self.assertIn("not started: the deadline is", skipping.phase("write", 1)["stop"])
            self.assertIn("not started: the deadline is", re.sub(r"\s+", " ", skipping.out))
            self.assertEqual(os.listdir(os.path.join(self.folder, "skipping")), [])
        with self.subTest("taken from Slurm"):
            self.assert_exit(slurm, 0)
            self.assertEqual(slurm.phases(), [("write", 0, "stopped")])
            self.assertLess(slurm.phase("write")["intervals"]["total_s"], 2 * seconds + 3)
            self.assertEqual(slurm.document["run"]["options"]["deadline"]["origin"],
                             "environment")

    def test_that_has_passed_is_refused(self):
        for deadline in ("1", "2020-01-01T00:00"):
            outcome = self.run_iorx(["-b", "256k", "-o", "test", "--deadline=" + deadline], 2)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, f"deadline: {deadline} has passed")
            self.assertEqual(os.listdir(self.folder), [])

    def test_does_not_touch_files_of_a_test_that_is_not_started(self):
        # The second test's file is of an earlier job.
        self.assert_exit(self.run_iorx(["-b", "256k", "-w", "-k", "-o", "kept"], 1), 0)
        script = os.path.join(self.home, "job")
        with open(script, "w", encoding="ascii") as file:
            file.write("IOR START\nblockSize=64k\ntransferSize=64k\nreadFile=0\ntestFile=one\n"
                       "fault.operation=write\nfault.kind=stall\nfault.stall=1.5\nRUN\n"
                       "testFile=kept\nRUN\nIOR STOP\n")
        outcome = self.run_iorx(["-f", script, "--deadline=+1s"], 1)
        self.assertEqual(outcome.document["status"], "interrupted")
        self.assertEqual(os.listdir(self.folder), ["kept"])


if __name__ == "__main__":
    unittest.main()
