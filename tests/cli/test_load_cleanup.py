"""What a load leaves and names at its end, and what load --cleanup removes of it."""

import contextlib
import os
import re
import signal
import subprocess
import time
import unittest

from program import AS_ROOT, IORX, Case, is_sanitized, read

LOAD = ["load", "--file-size=1m", "--operation-limit=20"]
ITEMS = ["--operations=read:50,create:25,unlink:25", "--items=40"]


def words(command):
    """The words of a command as a shell reads them."""
    split = subprocess.run(["bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, check=True)
    return [os.fsdecode(word) for word in split.stdout.split(b"\0")[:-1]]


class CleanupCase(Case):
    def load(self, *arguments, tasks=1, **more):
        outcome = self.run_iorx([*LOAD, *arguments], tasks, **more)
        self.assert_exit(outcome, 0)
        return outcome

    def clean(self, outcome, tasks=1, exit_code=0, more=()):
        """Runs the last line of an outcome's text, and returns what it said."""
        line = words(outcome.out.splitlines()[-1])
        if tasks > 1:
            self.assertEqual(line[:3], ["mpirun", "-np", str(tasks)])
            line = line[3:]
        self.assertEqual(line[0], IORX)
        cleaned = self.run_iorx([*line[1:], *more], tasks, output=False)
        self.assert_exit(cleaned, exit_code)
        return cleaned

    def left(self):
        return sorted(os.listdir(self.folder))

    def write(self, name, content=b"foreign"):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(content)

    def bytes_of(self, name):
        return read(os.path.join(self.folder, name), "rb")


class WhatIsRemoved(CleanupCase):
    def test_all_names_of_a_load_and_no_others(self):
        for name in ("m0", "m1", "other"):
            os.mkdir(os.path.join(self.folder, name))
        foreign = ["l.0archive", "l.00000002", "l.0000000", "m0/x.0-00.bak"]
        for name in foreign:
            self.write(name)
        for arguments in (["-o", "l"], ["-o", "l", "--files=2"], ["-o", "m0/l@m1/l", "--files=3"],
                          ["-o", "l@k", "--files=2", "--file-scope=test"], ["-o", "m%s/x.%n-%02f", "--files=2"],
                          ["-o", "l", "--file-scope=node"]):
            with self.subTest(arguments):
                outcome = self.load(*arguments, tasks=2)
                made = sum(len(files) for _, _, files in os.walk(self.folder)) - len(foreign)
                cleaned = self.clean(outcome, 2)
                self.assertEqual(cleaned.messages("note"), [f"{arguments[1]}: {made} removed, 0 not there, 0 stayed"])
                self.assertEqual(self.left(), sorted([*foreign[:3], "m0", "m1", "other"]))
                self.assertEqual(os.listdir(os.path.join(self.folder, "m0")), ["x.0-00.bak"])
        cleaned = self.clean(outcome, 2)
        self.assertEqual(cleaned.messages("note"), ["l: 0 removed, 1 not there, 0 stayed"])

    def test_the_last_line_is_quoted_for_a_shell(self):
        for name in ("a b", "it's", "line\nend", "-x", "a*?$HOME`id`", "~", "\udcff\t"):
            with self.subTest(name):
                outcome = self.load(f"-o={name}", "--allow-overwrite")
                self.assertTrue(outcome.out.splitlines()[-1].endswith(" --allow-overwrite=0"), outcome)
                self.assertEqual(len(self.left()), 1)
                self.clean(outcome)
                self.assertEqual(self.left(), [])

    def test_results_of_the_load_stay_as_they_are(self):
        table = os.path.join(self.results, "tasks.csv")
        prefix = os.path.join(self.results, "rows")
        outcome = self.load("-o", "l", f"--task-table={table}", f"--operation-tables={prefix}", "--interval=1")
        before = {path: read(path) for path in (table, outcome.document_path, f"{prefix}.00000000.csv")}
        names = sorted(os.listdir(self.results))
        self.clean(outcome)
        self.assertEqual(self.left(), [])
        self.assertEqual({path: read(path) for path in before}, before)
        # The cleanup has no result, but what this program notes of its run.
        self.assertEqual([name for name in sorted(os.listdir(self.results))
                          if name not in names and not re.search(r"\.(out|err)$", name)], [])

    def test_points_of_studies_and_curves_are_cleaned_once(self):
        for arguments in (["--sizes=[4k 8k]"], ["--curve=max,50%", "--duration=0.2"]):
            with self.subTest(arguments):
                cleaned = self.clean(self.load("-o", "l", *arguments))
                self.assertEqual(cleaned.messages("note"), ["l: 1 removed, 0 not there, 0 stayed"])
                self.assertEqual(self.left(), [])

    def test_a_job_file_is_cleaned_of_its_loads_and_runs_no_test(self):
        data = ["IOR START", "testFile=d", "blockSize=1m", "transferSize=64k", "keepFile=1", "RUN", "IOR STOP"]
        load = ["LOAD START", "testFile=a", "fileSize=1m", "operationLimit=10", "numTasks=1", "RUN", "LOAD STOP"]
        lines = [*data, "TOGETHER START", *load, *data[:1], "testFile=e", *data[2:4], "numTasks=1", *data[5:],
                 "TOGETHER STOP", *load[:1], "testFile=b", *load[2:4], *load[5:]]
        self.write("job", "\n".join(lines).encode())
        outcome = self.run_iorx(["-f", "job"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(self.left(), ["a.00000000", "b.00000000", "b.00000001", "d", "job"])
        cleaned = self.clean(outcome, 2)
        self.assertEqual(cleaned.messages("note"), ["a: 1 removed, 0 not there, 0 stayed",
                                                    "b: 2 removed, 0 not there, 0 stayed"])
        self.assertEqual(self.left(), ["d", "job"])


class WhatStays(CleanupCase):
    def make_others(self):
        """Files of every kind at the names of a load of six tasks, one of them its own."""
        self.write("l.00000000")
        os.symlink("target", os.path.join(self.folder, "l.00000001"))
        self.write("target")
        os.mkfifo(os.path.join(self.folder, "l.00000002"))
        os.mkdir(os.path.join(self.folder, "l.00000003"))
        self.write("l.00000004", b"")
        return ["l.00000000 stays: it has no stamp of iorx", "l.00000001 stays: it is a symbolic link",
                "l.00000002 stays: it is a pipe", "l.00000003 stays: it is a directory",
                "l.00000004 stays: it is empty, and no job of iorx that was killed says that it made it"]

    def test_what_is_not_known_stays_and_is_named(self):
        self.load("-o", "l", tasks=6)
        for task in range(5):
            os.remove(os.path.join(self.folder, f"l.{task:08d}"))
        expected = self.make_others()
        cleaned = self.run_iorx([*LOAD, "-o", "l", "--cleanup"], 6)
        self.assert_exit(cleaned, 1)
        self.assertEqual(sorted(cleaned.messages("warning")), expected)
        self.assertEqual(cleaned.messages("note"), ["l: 1 removed, 0 not there, 5 stayed"])
        self.assert_one_error(cleaned, "cleanup: 5 files stay", "--allow-overwrite removes regular files too")
        self.assertEqual(self.left(), [f"l.{task:08d}" for task in range(5)] + ["target"])

    def test_fewer_tasks_than_those_of_the_load_name_the_first_file_that_stays(self):
        for more, word in ([], ""), (["--files=2", "-o", "l@k"], ".00000000"):
            with self.subTest(more):
                self.load("-o", "l", *more, tasks=3)
                cleaned = self.run_iorx([*LOAD, "-o", "l", *more, "--cleanup"], 2)
                self.assert_exit(cleaned, 1)
                self.assertEqual(cleaned.messages("warning"), [
                    f"l.00000002{word} stays: this job has too few tasks or nodes to name it; start the cleanup with as "
                    "many as the load"])
                self.assert_exit(self.run_iorx([*LOAD, "-o", "l", *more, "--cleanup"], 3), 0)
                self.assertEqual(self.left(), [])
        self.load("-o", "l", tasks=2)
        self.write("l.00000002")
        self.assert_exit(self.run_iorx([*LOAD, "-o", "l", "--cleanup"], 2), 0)
        self.assertEqual(self.left(), ["l.00000002"])

    def test_the_command_line_may_have_regular_files_removed(self):
        self.make_others()
        arguments = [*LOAD, "-o", "l", "--cleanup"]
        outcome = self.run_iorx(arguments, 6, environment={"IORX_OPTIONS": "--allow-overwrite"})
        self.assertEqual(outcome.messages("note"), ["l: 0 removed, 1 not there, 5 stayed"])
        cleaned = self.run_iorx([*arguments, "--allow-overwrite"], 6)
        self.assert_exit(cleaned, 1)
        self.assertEqual(cleaned.messages("note"), ["l: 2 removed, 1 not there, 3 stayed"])
        self.assertEqual(self.left(), ["l.00000001", "l.00000002", "l.00000003", "target"])

    def test_content_without_stamps_needs_a_word(self):
        outcome = self.load("-o", "l", "--content=zeros")
        cleaned = self.clean(outcome, exit_code=1)
        self.assertEqual(cleaned.messages("warning"),
                         ["l.00000000 stays: content=zeros has no stamps that say who made it"])
        self.clean(outcome, more=["--allow-overwrite"])
        self.assertEqual(self.left(), [])

    def test_files_that_were_there_before_are_not_looked_at(self):
        self.load("-o", "l")
        outcome = self.load("-o", "l", "--layout=none")
        self.assertNotIn("--cleanup", outcome.out)
        cleaned = self.run_iorx([*LOAD, "-o", "l", "--layout=none", "--cleanup", "--allow-overwrite"])
        self.assert_exit(cleaned, 0)
        self.assertEqual(cleaned.messages("note"), ["l was there before the load (layout=none) and stays"])
        cleaned = self.run_iorx([*LOAD, "-o", "l.00000000", "--allow-device", "--file-scope=test", "--cleanup"])
        self.assertEqual(cleaned.messages("note"), ["l.00000000 is a device, which stays as it is"])
        cleaned = self.run_iorx([*LOAD, "-o", "l", "--api=null", "--cleanup"])
        self.assertEqual(cleaned.messages("note"), ["null leaves no files"])
        self.assertEqual(self.left(), ["l.00000000"])

    def test_files_that_the_load_found_and_wrote_into_stay(self):
        mine = b"mine" * (1 << 18)
        found = ["-o", "l", "--layout=missing", "--region-size=64k"]
        self.write("l.00000000", mine)
        outcome = self.load(*found)
        self.assertIn("used as it is: l (64 KiB)", outcome.out)
        self.assertNotIn("--cleanup", outcome.out)
        self.assertEqual(self.bytes_of("l.00000000"), mine)
        refused = self.run_iorx([*LOAD, *found, "--operations=write:1"])
        self.assert_exit(refused, 2)
        self.assert_one_error(refused, "l.00000000 was not made by iorx, and the load writes into it", "--allow-overwrite")
        self.assertEqual(self.bytes_of("l.00000000"), mine)

    def test_a_file_that_a_permitted_load_wrote_into_is_not_taken_for_one_of_iorx(self):
        self.write("l.00000000", b"mine" * (1 << 18))
        self.load("-o", "l", "--layout=missing", "--operations=write:1", "--region-size=4k", "--allow-overwrite")
        changed = self.bytes_of("l.00000000")
        self.assertNotEqual(changed[:4], b"mine")
        self.assertEqual(changed[4096:], b"mine" * (255 << 10))
        for more in [], ["--layout=missing", "--operations=write:1"]:
            refused = self.run_iorx([*LOAD, "-o", "l", *more])
            self.assert_exit(refused, 2)
            self.assert_one_error(refused, "l.00000000", "was not made by iorx")
        cleaned = self.run_iorx([*LOAD, "-o", "l", "--layout=missing", "--cleanup", "--allow-overwrite"])
        self.assert_exit(cleaned, 1)
        self.assertIn("l.00000000 stays: it has no stamp of iorx", "".join(cleaned.messages("warning")))
        self.assertEqual(self.bytes_of("l.00000000"), changed)

    def test_a_container_of_another_program_that_a_permitted_load_wrote_into_stays(self):
        found = ["-o", "l", "--layout=missing", "--operations=write:1", "--region-offset=64k", "--region-size=4k"]
        for start in b"\x89HDF\r\n\x1a\n", b"CDF\x02\0\0\0\0":
            self.write("l.00000000", start + b"mine" * (1 << 18))
            self.load(*found, "--allow-overwrite")
            self.assertIn("was not made by iorx", self.run_iorx([*LOAD, *found]).err)
            cleaned = self.run_iorx([*LOAD, *found, "--cleanup"])
            self.assert_exit(cleaned, 1)
            self.assertIn("l.00000000 stays: it has no stamp of iorx", "".join(cleaned.messages("warning")))
            self.assertTrue(self.bytes_of("l.00000000").startswith(start + b"mine"))

    def test_files_beside_those_of_other_programs_are_marked_too(self):
        found = ["-o", "l", "--layout=missing", "--operations=write:1", "--region-size=4k"]
        made = self.load("-o", "l", "--layout=missing")
        self.assertIn("--cleanup", made.out)
        self.write("l.00000001", b"mine" * (1 << 18))
        outcome = self.run_iorx([*LOAD, *found, "--allow-overwrite"], 2)
        self.assert_exit(outcome, 0)
        self.assertNotIn("--cleanup", outcome.out)
        self.run_iorx([*LOAD, *found, "--cleanup"], 2)
        self.assertIn("l.00000001", self.left())

    def test_a_found_file_is_refused_where_it_is_short_or_others_are_missing(self):
        self.write("l.00000000", b"mine" * 1000)
        outcome = self.run_iorx([*LOAD, "-o", "l", "--layout=missing"])
        self.assert_one_error(outcome, "l.00000000 is shorter than the 1048576 bytes that the load visits")
        self.assert_exit(outcome, 2)
        self.assertEqual(self.bytes_of("l.00000000"), b"mine" * 1000)
        self.write("l.00000000", b"mine" * 2000)
        outcome = self.run_iorx([*LOAD, "-o", "l", "--layout=missing", "--region-size=4k"], 2)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "l.00000000 was not made by iorx, and other files of the load are missing")
        self.assertEqual(self.left(), ["l.00000000"])

    def test_a_link_in_the_place_of_the_items_is_not_followed(self):
        self.load("-o", "l", *ITEMS)
        os.symlink(self.results, os.path.join(self.folder, "l.items"))
        test_directory = os.path.join(self.results, "test-dir.0-0")
        os.mkdir(test_directory)
        open(os.path.join(test_directory, ".iorx-mdtest"), "wb").close()
        cleaned = self.run_iorx([*LOAD, "-o", "l", *ITEMS, "--cleanup"])
        self.assert_exit(cleaned, 1)
        self.assertEqual(cleaned.messages("warning"), ["l.items stays: it is a symbolic link, which is not followed"])
        self.assertEqual(os.listdir(test_directory), [".iorx-mdtest"])
        self.assertEqual(self.left(), ["l.items"])

    def test_a_cleanup_is_refused_where_it_has_no_load(self):
        for arguments, text in ((["-o", "l", "--load.cleanup"], "load.cleanup: it removes the files of loads"),
                                ([*LOAD, "--cleanup", "--dry-run"], "dry_run: it does not list what cleanup")):
            outcome = self.run_iorx(arguments)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, text)
        self.load("-o", "l")
        outcome = self.run_iorx([*LOAD, "-o", "l", "--cleanup", "--show-plan"], output=False)
        self.assert_exit(outcome, 0)
        self.assertIn("cleaning   l.00000000 etc., 1 file of 1 MiB for each task", outcome.out)
        self.assertEqual(self.left(), ["l.00000000"])


class AfterAnEarlyEnd(CleanupCase):
    def strike(self, number, *arguments, tasks=1):
        """The outcome of a load that gets a signal while it runs."""
        job = self.start_iorx(["load", "--file-size=1m", "-o", "l", *arguments], tasks)
        job.wait_for_phase()
        if ITEMS[0] in arguments:
            items = os.path.join(self.folder, "l.items")
            job.wait_until(lambda: sum(len(files) for _, _, files in os.walk(items)) > 20, "the items")
        for pid in [job.launcher()] if number == signal.SIGTERM else job.tasks().values():
            with contextlib.suppress(ProcessLookupError):  # a launcher may kill the second task first
                job.kill(pid, number)
        return job.wait()

    def test_a_load_that_was_stopped_names_the_command(self):
        outcome = self.strike(signal.SIGTERM, "--duration=100", tasks=2)
        self.assertTrue(outcome.messages("warning")[-1].startswith(
            f"what stays of the load is removed by: mpirun -np 2 {IORX} load --cleanup --file-size=1m -o l"), outcome)
        self.clean(outcome, 2)
        self.assertEqual(self.left(), [])

    def test_a_load_that_was_killed_is_removed_with_its_items(self):
        if is_sanitized():
            self.skipTest("the leak check of a killed task")
        self.strike(signal.SIGKILL, "--duration=100", *ITEMS, tasks=2)
        self.assertIn("l.items", self.left())
        cleaned = self.run_iorx(["load", "--file-size=1m", "-o", "l", *ITEMS, "--cleanup"], 2)
        self.assert_exit(cleaned, 0)
        self.assertRegex(cleaned.messages("note")[-1],
                         r"^l: 2 removed, 0 not there, 0 stayed; l\.items: \d\d+ small files and directories removed$")
        self.assertEqual(self.left(), [])

    def test_a_file_that_a_killed_load_found_and_wrote_into_stays(self):
        if is_sanitized():
            self.skipTest("the leak check of a killed task")
        mine = b"mine" * (1 << 18)
        found = ["--layout=missing", "--region-size=64k", "--operations=write:1", "--duration=100"]
        self.write("l.00000000", mine)
        job = self.start_iorx(["load", "--file-size=1m", "-o", "l", *found, "--allow-overwrite"])
        job.wait_until(lambda: self.bytes_of("l.00000000") != mine, "a write of the load")
        for pid in job.tasks().values():
            job.kill(pid, signal.SIGKILL)
        job.wait()
        for more in [], ["--allow-overwrite"]:
            cleaned = self.run_iorx(["load", "--file-size=1m", "-o", "l", *found, "--cleanup", *more])
            self.assert_one_error(cleaned, "files of layout=missing may have been there before the load")
        self.assertEqual(self.bytes_of("l.00000000")[64 << 10:], mine[64 << 10:])

    def write_record(self, name, age_seconds, file_bytes=1 << 20):
        """The lock file of a job that was killed."""
        since = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() - age_seconds))
        self.write(name, f"iorx alone  version=0 host=h pid=1 started=1 kernel=- processes=- job=- "
                         f"files={file_bytes} since={since}.000000000Z\n".encode())

    def test_a_file_of_the_size_in_the_record_stays_where_the_load_has_stamps(self):
        """A user may have put it there after the load was killed."""
        self.write("l.00000000", b"mine" * (1 << 18))
        self.write("l.00000001", bytes(1 << 20))
        self.write_record("l.iorx-lock", 60)
        outcome = self.run_iorx([*LOAD, "-o", "l", "--cleanup"], 2)
        self.assert_exit(outcome, 1)
        self.assertEqual(self.left(), ["l.00000000", "l.iorx-lock"])
        self.assertEqual(self.bytes_of("l.00000000"), b"mine" * (1 << 18))

    def test_the_record_of_a_killed_job_tells_of_files_without_stamps(self):
        arguments = [*LOAD, "-o", "l", "--content=zeros", "--cleanup"]
        contents = [b"", bytes(1 << 20), bytes(1 << 19)]
        names = [f"l.{task:08d}" for task in range(3)]
        me = os.geteuid()
        # A job that only read, or laid out other files, made none of these.
        for age, owner, size, stay in ((60, me, 1 << 20, names[2:]), (-3600, me, 1 << 20, names), (60, 65534, 1 << 20, names),
                                       (60, me, 0, names), (60, me, 1 << 21, names)):
            with self.subTest(age=age, owner=owner, size=size):
                for name, content in zip(names, contents):
                    self.write(name, content)
                self.write_record("l.iorx-lock", age, size)
                if owner != os.geteuid():
                    if not AS_ROOT:
                        continue
                    os.chown(os.path.join(self.folder, "l.iorx-lock"), owner, owner)
                self.assert_exit(self.run_iorx(arguments, 3), 1)
                # The record stays for a cleanup that can use it.
                self.assertEqual(self.left(), [*stay, *["l.iorx-lock"] * (size > 0)])
                self.assert_exit(self.run_iorx([*arguments, "--allow-overwrite"], 3), 0)
                self.assertEqual(self.left(), [])


if __name__ == "__main__":
    unittest.main()
