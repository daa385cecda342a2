"""Two jobs on the same files: lock files say who uses them, and the second job is refused."""

import glob
import os
import re
import signal
import stat
import unittest

import hosts
from program import Case, needs_root, proc

END = ".iorx-lock"
LOAD = ["load", "--file-size=1m", "--operations=write:100", "-o"]
SHORT = ["--operation-limit=10"]
LONG = ["--duration=100"]


class Locks(Case):
    def start_long(self, arguments, lock, **more):
        """A job that has taken its lock and goes on until stop()."""
        job = self.start_iorx(arguments, **more)
        path = os.path.join(self.folder, lock)
        job.wait_until(lambda: os.path.exists(path) and os.path.getsize(path), "the lock")
        return job

    def stop(self, job):
        """Ends the job by a signal: it leaves no lock."""
        job.wait_for_phase(1, "test")
        job.kill(job.tasks()[0], signal.SIGTERM)
        self.assertEqual(job.wait().document["status"], "interrupted")
        self.assertEqual(self.locks(), [])

    def locks(self):
        return [name for _, folders, files in os.walk(self.folder) for name in folders + files
                if name.endswith(END)]

    def snapshot(self):
        return {os.path.join(path, name): os.stat(os.path.join(path, name)).st_ino
                for path, _, files in os.walk(self.folder) for name in files}

    def assert_refused(self, arguments, *parts, **more):
        outcome = self.run_iorx(arguments, **more)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, *parts, "--allow-sharing")

    def assert_runs(self, arguments, **more):
        outcome = self.run_iorx(arguments, **more)
        self.assert_exit(outcome, 0)
        return outcome


class SameHost(Locks):
    def test_names_without_room_for_a_lock_are_counted(self):
        notes = []
        for names in 2, 140, 150:
            outcome = self.assert_runs(["-F", "-w", "-b", "4k", "-t", "4k", "-o", "@".join(f"x{i}" for i in range(names))])
            notes.append([int(note.split(" of them have no lock")[0].split()[-1]) for note in outcome.messages("note")
                          if "more files than it can lock" in note])
        self.assertEqual(notes[0], [])
        (fewer,), (more,) = notes[1:]
        self.assertEqual(more, fewer + 10)
        self.assertEqual(self.locks(), [])

    def test_the_second_job_is_told_who_was_first(self):
        first = self.start_long([*LOAD, "data", *LONG], "data" + END, tasks=2,
                                environment={"SLURM_JOB_ID": "4711"})
        who = (f"test_file: another job of iorx uses data: pid {first.tasks()[0]} on {os.uname().nodename} "
               "(job 4711) since ", f"holds data{END}")
        first.wait_for_phase()
        os.symlink("data.00000001", os.path.join(self.folder, "link"))
        before = self.snapshot()
        self.assert_refused([*LOAD, "data", *SHORT], *who)
        self.assert_refused([*LOAD, "data", *SHORT, "--dry-run"], *who)
        self.assert_refused([*LOAD, "data", *SHORT, "--allow-sharing"], *who)
        self.assert_refused(["-w", "-b", "4k", "-t", "4k", "-o", "./data"], "another job of iorx uses ./data")
        self.assert_refused(["-r", "-b", "4k", "-t", "4k", "-o", "data"], who[0])
        for arguments in (["--replace", "-o", "data.00000001"], ["-E", "-k", "-o", "link"]):
            self.assert_refused(["-w", "-b", "4k", "-t", "4k", *arguments], "another job of iorx uses ")
        self.assertEqual(self.snapshot(), before)
        self.assert_runs([*LOAD, "other", *SHORT])
        self.stop(first)

    def test_a_killed_job_is_followed_and_named(self):
        first = self.start_long([*LOAD, "data", *LONG], "data" + END)
        pid = first.tasks()[0]
        first.kill(pid, signal.SIGKILL)
        first.wait()
        self.assertEqual(self.locks(), ["data" + END])
        look = self.assert_runs([*LOAD, "data", *SHORT, "--dry-run"])
        self.assertNotIn(END, look.err)
        outcome = self.assert_runs([*LOAD, "data", *SHORT])
        self.assertRegex(" ".join(outcome.messages("note")),
                         rf"data{END} was left by a job that died, pid {pid} on \S+ since [-\d]+ [:\d]+; "
                         "this job takes it over")
        self.assertEqual(self.locks(), [])
        self.assertNotIn(END, self.assert_runs([*LOAD, "data", *SHORT]).err)

    def test_a_cleanup_removes_the_lock_of_a_killed_metadata_test(self):
        for name in "tree", "deep/er/tree":
            with self.subTest(name):
                first = self.start_long(["mdtest", "--parents", "-n", "2000", "-i", "500", "-d", name],
                                        name.replace("/", ".") + END)
                first.wait_until(lambda name=name: glob.glob(os.path.join(self.folder, name, "*", ".iorx*")), "the marker")
                first.kill(first.tasks()[0], signal.SIGKILL)
                first.wait()
                self.assertEqual(len(self.locks()), 1)
                self.assert_runs(["mdtest", "--cleanup=" + name])
                self.assertEqual(self.locks(), [])
                self.assertEqual(glob.glob(os.path.join(self.folder, name, "*")), [])

    def test_readers_exclude_writers_only(self):
        layout = ["-b", "64k", "-t", "4k", "-o", "data"]
        read = ["-r", *layout]
        self.assert_runs(["-w", "-k", *layout])
        first = self.start_long([*read, "-i", "100000"], "data" + END)
        self.assert_runs(read)
        self.assert_runs(["load", "--file-size=64k", "--file-scope=test", "--layout=none", *SHORT, "-o", "data"])
        for writer in (["-w", "-k", *layout], [*read, "--semantics=ior"], [*LOAD, "data", *SHORT]):
            self.assert_refused(writer, f"uses data: pid {first.tasks()[0]} on ")
        self.stop(first)
        self.assertEqual(os.listdir(self.folder), ["data"])

    def test_jobs_that_all_allow_it_share(self):
        shared = [*LOAD, "data", "--allow-sharing"]
        first = self.start_long([*shared, *LONG], "data" + END)
        self.assert_runs([*shared, *SHORT])
        self.assertEqual(self.locks(), ["data" + END])
        self.assert_refused([*LOAD, "data", *SHORT], f"uses data: pid {first.tasks()[0]} on ")
        self.stop(first)

    def test_tests_of_one_job_do_not_exclude_each_other(self):
        os.symlink(".", os.path.join(self.folder, "here"))
        script = os.path.join(self.results, "job.ior")
        with open(script, "w", encoding="utf-8") as file:
            file.write("IOR START\nblockSize=4k, transferSize=4k, testFile=data, keepFile=1\nRUN\n"
                       "testFile=here/data\nRUN\ntestFile=./data, keepFile=0\n"
                       "RUN\nIOR STOP\n")
        outcome = self.assert_runs(["-f", script], tasks=2)
        self.assertNotIn(END, outcome.err)
        self.assertEqual(os.listdir(self.folder), ["here"])

    def test_each_directory_of_a_metadata_test_has_a_lock(self):
        os.mkdir(os.path.join(self.folder, "there"))
        tree = ["mdtest", "-n", "10", "-F"]
        # The lock of a directory that is missing lies where the directory will be made.
        first = self.start_long([*tree, "-d", "there@new/a", "--parents", "-u", "-i", "100000"], "new.a" + END, tasks=2)
        self.assertEqual(sorted(self.locks()), [END, "new.a" + END])
        first.wait_until(lambda: os.path.exists(os.path.join(self.folder, "new/a")), "the directory")
        who = f"pid {first.tasks()[0]} on "
        for refused in ("there", "new/a", "./new/a/"):
            self.assert_refused([*tree, "-d", refused], "dir: another job of iorx uses ", who)
        self.assert_refused(["mdtest", "--cleanup=there"], "cleanup: another job of iorx uses there", who)
        self.assert_refused(["mdtest", "--find", "-d", "there"], "dir: another job of iorx uses there", who)
        self.assert_runs([*tree, "-d", "new"])
        self.stop(first)
        os.rmdir(os.path.join(self.folder, "there"))
        os.rmdir(os.path.join(self.folder, "new/a"))

    def test_a_find_does_not_see_locks(self):
        script = os.path.join(self.results, "job.ior")
        with open(script, "w", encoding="utf-8") as file:
            file.write("IOR START\nblockSize=4k, transferSize=4k, testFile=tree/data, keepFile=1\nRUN\nIOR STOP\n"
                       "MDTEST START\ndir=tree/new, items=3, files_only=1, create=1, remove=1\nRUN\nMDTEST STOP\n"
                       "MDTEST START\ndir=tree, find=1\nRUN\nMDTEST STOP\n")
        os.mkdir(os.path.join(self.folder, "tree"))
        outcome = self.assert_runs(["-f", script])
        found = outcome.phase("find", 0, 2)["metadata"]["find"]
        self.assertEqual((found["files"], found["directories"]), (1, 2), found)
        self.assertEqual(self.locks(), [])

    def test_items_of_a_load_and_the_table_of_tasks(self):
        names = ["load", "--operations=create:50,unlink:50", "--items=20", "-o"]
        first = self.start_long([*names, "data", "--dir=small", *LONG], "data" + END)
        self.assertEqual(len(self.locks()), 2)
        self.assert_refused([*names, "other", "--dir=small", *SHORT], "dir: another job of iorx uses small")
        self.stop(first)
        table = ["-b", "4k", "-t", "4k", "--task-table=tasks.csv", "-o"]
        first = self.start_long([*table, "a", "-i", "100000"], "tasks.csv" + END)
        self.assert_refused([*table, "b"], "task_table: another job of iorx uses tasks.csv")
        self.stop(first)

    def test_where_no_lock_can_be_made_the_job_goes_on(self):
        layout = ["-b", "64k", "-t", "4k", "-o"]
        self.assert_runs(["-w", "-k", *layout, "data"])
        lock = os.path.join(self.folder, "data" + END)
        os.symlink("elsewhere", lock)
        self.assert_runs(["-r", *layout, "data"])
        os.remove(lock)
        os.mkfifo(lock)
        self.assert_runs(["-r", *layout, "data"])
        os.remove(lock)
        with open(lock, "w", encoding="utf-8") as file:
            file.write("my notes\n")
        outcome = self.assert_runs(["-r", *layout, "data"])
        self.assertIn("is no lock file of iorx", outcome.err)
        self.assertEqual(os.path.getsize(lock), 9)
        self.assert_runs([*layout, "n" * 250, "-w"])

    @needs_root
    def test_a_folder_that_is_read_only_gets_no_lock(self):
        self.assert_runs(["-w", "-k", "-b", "64k", "-t", "4k", "-o", "data"])
        bind = f"mount --bind {self.folder} {self.folder} && mount -o remount,bind,ro {self.folder} && cd {self.folder}"
        outcome = self.run_iorx(["-r", "-b", "64k", "-t", "4k", "-o", "data"],
                                wrapper=["unshare", "--mount", "sh", "-c", bind + ' && exec "$@"', "sh"])
        self.assert_exit(outcome, 0)
        self.assertNotIn(END, outcome.err)

    def test_devices_have_no_lock(self):
        outcome = self.run_iorx(["-w", "-b", "4k", "-t", "4k", "-o", "/dev/null"])
        self.assert_exit(outcome, 2)
        self.assertFalse(os.path.exists("/dev/null" + END))
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))


@unittest.skipIf(hosts.why_not(), hosts.why_not())
class TwoHosts(Locks):
    @classmethod
    def setUpClass(cls):
        hosts.give(cls)

    def on(self, name):
        """What starts a job on that host."""
        return {"wrapper": self.hosts.command(os.path.join(self.hosts.folder, "agent"), name)}

    def test_exclude_each_other(self):
        data = os.path.join(self.folder, "data")
        first = self.start_long([*LOAD, data, *LONG], "data" + END, **self.on("h1"))
        self.assert_refused([*LOAD, data, *SHORT], "another job of iorx uses ", " on h1 since ",
                            f"holds {data}{END}", **self.on("h2"))
        pid = next(pid for pid in first.processes() if b"load" in proc(pid, "cmdline").split(b"\0")
                   and re.match(rb"\S*iorx$", proc(pid, "cmdline").split(b"\0")[0]))
        first.kill(pid, signal.SIGKILL)
        first.wait()
        outcome = self.assert_runs([*LOAD, data, *SHORT], **self.on("h2"))
        self.assertIn(f"data{END} was left by a job that died, pid ", outcome.err)
        self.assertEqual(self.locks(), [])


if __name__ == "__main__":
    unittest.main()
