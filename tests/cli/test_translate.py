"""iorx-translate as a program: what it writes runs, and --run starts the launcher."""

import csv
import json
import os
import re
import shlex
import signal
import subprocess
import time
import unittest

from program import SOURCE, read
from translated import TRANSLATE, TranslatedCase


class Program(TranslatedCase):
    def launcher(self):
        launcher = os.path.join(self.folder, "launcher")
        with open(launcher, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nshift\nMPIEXEC="{os.environ.get("MPIEXEC", "mpiexec")}" exec "{os.environ["LAUNCH"]}" "$@"\n')
        os.chmod(launcher, 0o755)
        return launcher

    def run_with_launcher(self, *words):
        done = subprocess.run([TRANSLATE, "--run", *words], cwd=self.folder, text=True, capture_output=True, check=False,
                              env={**os.environ, "MPIEXEC": self.launcher()})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_run_starts_the_launcher(self):
        self.translate("job.fio", text="[x]\nnumjobs=2\nsize=1m\nioengine=null\n")
        done = self.run_with_launcher("--iorx=--output=none", "job.fio")
        self.assertRegex(done.stderr, r"iorx-translate: \S*/launcher -n 2 \S*/iorx -f - --output=none")
        self.assertRegex(done.stdout, r"; 2 tasks on 1 node; x\.%t\.%f")

    def test_the_job_of_a_log_of_darshan_makes_the_transfers_of_the_log(self):
        """iorx counts under Darshan's names. The log also has the headers of HDF5, in small transfers."""
        log = os.path.join(SOURCE, "tests/python/darshan.txt")
        done = self.run_with_launcher("--clones=1", "--iorx=--api=posix --output=a.json", "darshan", log)
        self.assertRegex(done.stdout, r"(?m)^darshan-1, write: the job then: 22\.4 MiB/s; here \d+\.\d .?i?B/s$")
        self.assertRegex(done.stdout, r"darshan-1, read: the job then: 153\.3 MiB/s; here \d")
        with open(log, encoding="utf-8") as file:
            then = {columns[3]: int(columns[4]) for columns in (line.split("\t") for line in file)
                    if columns[0] == "POSIX" and "_F_" not in columns[3]}
        with open(os.path.join(self.folder, "a.json"), encoding="utf-8") as file:
            here = json.load(file)["tests"][0]["counters"]
        for counter in ("SIZE_WRITE_100K_1M", "SIZE_READ_100K_1M", "ACCESS1_ACCESS", "ACCESS1_COUNT", "RW_SWITCHES"):
            self.assertEqual(here[f"POSIX_{counter}"], then[f"POSIX_{counter}"], counter)

    def test_logs_of_fio_are_replayed(self):
        """A run makes the trace of the logs, whose files it does not touch, and replays it at twice the speed."""
        logs = []
        for clone in range(2):
            steps = [(100000 * number, f"f{clone}", ("write", "read", "read", "sync")[number % 4], 8192 * number if number % 4 < 3 else 0,
                      4096 if number % 4 < 3 else 0) for number in range(8)]
            logs.append([step[2:] for step in steps])
            with open(os.path.join(self.folder, f"{clone}.log"), "w", encoding="utf-8") as file:
                file.writelines(["fio version 3 iolog\n", f"0 f{clone} add\n0 f{clone} open\n",
                                 *(" ".join(map(str, step)) + "\n" for step in steps)])
        self.translate("job.fio", text="[x]\nnumjobs=2\nread_iolog=0.log:1.log\nreplay_time_scale=200\nrw=randwrite\nreplay_redirect=copy\n")
        done = self.run_with_launcher("--iorx=--output=a.json --operation-tables=t", "job.fio")
        self.assertIn("iorx-translate: iorx-translate trace --output=x.trace 0.log 1.log\n", done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "f0")))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "copy.00000001")))
        for clone in range(2):
            with open(os.path.join(self.folder, f"t.{clone:08d}.csv"), encoding="utf-8", newline="") as file:
                rows = [row for row in csv.DictReader(file) if row["phase"] == "load" and row["operation"] not in ("open", "close")]
            self.assertEqual([(row["operation"], int(row["offset_bytes"] or 0), int(row["length_bytes"] or 0)) for row in rows], logs[clone])
            self.assertEqual({row["file"] for row in rows}, {str(clone)})
            self.assertGreater(float(rows[-1]["start_s"]) - float(rows[0]["start_s"]), 0.3)
        with open(os.path.join(self.folder, "a.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["tests"][0]["options"]["load.trace_speed"]["value"], 2)
        # The command that removes the files takes the trace that is there, and what is no trace stays.
        os.remove(os.path.join(self.folder, "0.log"))
        self.run_with_launcher("--iorx=--output=a.json --load.cleanup", "job.fio")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "copy.00000000")))
        self.translate("job.fio", text="precious", name="x.trace")
        done = subprocess.run([TRANSLATE, "--run", "job.fio"], cwd=self.folder, text=True, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("x.trace: this is there and no trace", done.stderr)

    def test_what_a_run_refuses_is_named_by_the_line_of_the_original(self):
        for text, place in (("[a]\nrw=randread\nsize=64k\nfilename=x\n", "(job.fio:3 size=64k): file_size: x is shorter "),
                            ("[a]\nsize=64k\nioengine=null\n[b]\nsize=64k\nnumjobs=2\n", "(job.fio:1): num_tasks: the members of TOGETHER want 3 tasks")):
            self.translate("job.fio", text=text, name="job.fio")
            with open(os.path.join(self.folder, "x"), "wb") as file:
                file.write(b"of another")
            done = subprocess.run(["sh", "-c", '"$0" job.fio | "$LAUNCH" 1 "$IORX" -f - --output=none', TRANSLATE], cwd=self.folder,
                                  text=True, capture_output=True, check=False)
            self.assertRegex(done.stderr, r"iorx: error: (test 1: )?-:\d+ " + re.escape(place))

    def test_run_names_the_command_that_removes_the_files(self):
        self.translate("job.fio", text="[a b]\nrw=randread\nsize=64k\n", name="job.fio")
        done = self.run_with_launcher("--iorx=--output=none -v", "job.fio")
        command = shlex.split(done.stdout.splitlines()[-1])
        self.assertEqual(command, [TRANSLATE, "--run", "--iorx=--output=none -v --load.cleanup", "job.fio"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["a b.0.0", "job.fio", "launcher"])
        self.run_with_launcher(*command[2:])
        self.assertEqual(sorted(os.listdir(self.folder)), ["job.fio", "launcher"])
        done = subprocess.run(["sh", "-c", f"{shlex.quote(TRANSLATE)} job.fio >job.ior"], cwd=self.folder, check=False)
        outcome = self.run_iorx(["-f", "-", "--output=none"], wrapper=["sh", "-c", 'exec "$@" <job.ior', "sh"], output=False)
        self.assert_exit(outcome, 0)
        self.assertIn("with --load.cleanup, and the job on standard input", outcome.out.replace("\n           ", " "))
        self.assertNotIn("IORX_CLEANUP", outcome.out)

    def test_a_signal_ends_the_job_as_it_does_without_translate(self):
        """A terminal sends SIGINT to all processes of its group."""
        self.translate("job.fio", text="[a]\nrw=randread\nsize=64k\ntime_based\nruntime=60\n", name="job.fio")
        job = subprocess.Popen([TRANSLATE, "--run", "--iorx=--output=a.json", "job.fio"], cwd=self.folder, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                               env={**os.environ, "MPIEXEC": self.launcher()})
        until = time.monotonic() + 60
        while not self.has_phase("a.jsonl") and time.monotonic() < until:
            time.sleep(.02)
        os.killpg(job.pid, signal.SIGINT)
        _, err = job.communicate()
        self.assertEqual(job.returncode, 128 + signal.SIGINT, err)
        self.assertNotIn("Traceback", err)
        with open(os.path.join(self.folder, "a.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["status"], "interrupted")

    def has_phase(self, name):
        path = os.path.join(self.folder, name)
        return os.path.exists(path) and '{"phase":' in read(path)

    def test_the_job_that_is_translated_is_not_replaced(self):
        self.translate("job.fio", text="[a]\nsize=64k\n", name="job.fio")
        done = subprocess.run([TRANSLATE, "--output=job.fio", "job.fio"], cwd=self.folder, text=True, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "iorx-translate: error: job.fio is the job that is translated; name another file\n"))

    def test_a_missing_folder_is_refused_before_a_start(self):
        log = os.path.join(SOURCE, "tests/python/darshan.txt")
        done = subprocess.run([TRANSLATE, "--run", "darshan", log, "missing"], cwd=self.folder, text=True, capture_output=True,
                              check=False, env={**os.environ, "MPIEXEC": "false"})
        self.assertEqual((done.returncode, done.stderr), (2, "iorx-translate: error: missing: there is no such folder for the files; "
                                                         "make it first\n"))
        self.assertEqual(self.translate("darshan", "--help"), self.translate("--help"))


class Tasks(TranslatedCase):
    """The number of tasks is a part of the job: surplus tasks sleep, and too few are refused."""

    def tasks_of(self, outcome):
        return [(test["name"], test["plan"]["tasks"]) for test in outcome.document["tests"]]

    def test_stages_have_their_own_widths(self):
        text = "[global]\nrw=randread\nsize=64k\n[a]\n[b]\nstonewall\nnumjobs=2\n[c]\nstonewall\nrw=write\nfilename=c\n"
        outcome = self.run_translated("job.fio", text=text, tasks=4)
        self.assertEqual(self.tasks_of(outcome), [("a", 1), ("b", 2), ("c", 1)])
        said = " ".join(outcome.out.split())
        for sentence in "a: posix; 1 of 4 tasks on 1 node, 3 sleep;", "2 of 4 tasks on 1 node, 2 sleep;", "c: posix; 1 of 4 tasks on 1 node, 3 sleep;":
            self.assertIn(sentence, said)
        before = sorted(os.listdir(self.folder))
        refused = self.run_iorx(["-f", os.path.join(self.results, "job.ior")], 1)
        self.assert_exit(refused, 2)
        self.assert_one_error(refused, "num_tasks: 2 tasks are wanted but the job has 1; start it with mpirun -np 2 or lower num_tasks")
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_sections_that_run_together_are_added_up(self):
        text = "[global]\nrw=randread\nsize=64k\n[a]\nnumjobs=2\n[b]\n"
        outcome = self.run_translated("job.fio", text=text, tasks=4)
        self.assertEqual(self.tasks_of(outcome), [("a", 2), ("b", 1)])
        self.assertIn("from task 2 on, 1 sleeps;", " ".join(outcome.out.split()))
        refused = self.run_iorx(["-f", os.path.join(self.results, "job.ior")], 2)
        self.assert_one_error(refused, "num_tasks: the members of TOGETHER want 3 tasks and the job has 2; start it with mpirun -np 3")

    def test_the_rate_of_one_clone_stays_that_of_one_clone(self):
        outcome = self.run_translated("job.fio", text="[a]\nrw=randwrite\nsize=64k\nrate_iops=100\ntime_based\nruntime=1\n", tasks=4)
        self.assertEqual(self.tasks_of(outcome), [("a", 1)])
        self.assertEqual(outcome.phase("load")["load"]["asked_operations_per_s"], 100)
        outcome = self.run_translated("--clones=2", "job.fio")
        self.assertEqual(self.tasks_of(outcome), [("a", 2)])
        self.assertEqual(outcome.phase("load")["load"]["asked_operations_per_s"], 200)

    def test_threads_and_hosts_of_vdbench_and_threads_of_diskspd(self):
        rd = "rd=r1,elapsed=2,interval=1,"
        files = "fsd=f1,anchor=tree,depth=1,width=1,files=4,size=64k\nfwd=w1,fsd=f1,operation=read,xfersize=4k,threads=2\n"
        os.mkdir(os.path.join(self.folder, "tree"))
        hosts = "hd=h1,system=x\nhd=h2,system=x\nsd=s1,lun=one,size=1m,threads=4,host=*\n"
        two = "sd=s2,lun=two,size=1m,host=h1\nwd=w1,sd=s1\nwd=w2,sd=s2\n"
        for text, tasks in ((files + rd + "fwd=w1,fwdrate=100,format=yes\n", [("r1", 2)]),
                            (hosts + "wd=w1,sd=s1\n" + rd + "wd=w1,iorate=100\n", [("r1", 2)]),
                            (hosts + two + rd + "wd=w*,iorate=100\n", [("r1.1", 2), ("r1.2", 1)])):
            outcome = self.run_translated("--scale-time=1/4", "job.vdb", text=text, name="job.vdb", tasks=4)
            self.assertEqual(self.tasks_of(outcome), tasks)
        outcome = self.run_translated("diskspd", *"-c1m -t1 -b4K -r -W0 -d1 a.dat b.dat".split(), tasks=4)
        self.assertEqual(self.tasks_of(outcome), [("a.dat", 1), ("b.dat", 1)])
        outcome = self.run_translated("diskspd", *"-c1m -F3 -b4K -r -W0 -d1 a.dat b.dat".split(), tasks=4)
        self.assertEqual(self.tasks_of(outcome), [("a.dat", 3)])


if __name__ == "__main__":
    unittest.main()
