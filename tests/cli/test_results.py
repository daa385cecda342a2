"""Result files: one real document of each kind against the schema, and results that are lost."""

import csv
import io
import json
import os
import shutil
import signal
import subprocess

import unittest

from check_schema import check_document
from program import IORX, Case, needs_root, read

SMALL = ["-b", "256k", "-t", "64k"]
# In a mount namespace of its own, the first argument becomes a file system of that size.
TINY = 'mount -t tmpfs -o size="$2" tmpfs "$1" || exit 99; shift 2; exec "$@"'
LONG = ["-a", "null", "-w", "-b", "4k", "-t", "4k", "-s", "2000", "--null.delay-xfer=100000"]


class Documents(Case):
    def test_complete(self):
        outcome = self.run_iorx([*SMALL, "-i", "2", "--cold=fadvise", "-v"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.document["status"], "complete")
        self.assertEqual(outcome.document["exit_code"], 0)
        self.assertEqual(len(outcome.phases()), 4)
        environment = outcome.document["run"]["environment"]
        self.assertGreaterEqual(environment["node_cpus"], environment["cpus"])
        self.assertEqual([phase.get("settings", {}).get("direct")
                          for phase in outcome.document["tests"][0]["phases"]],
                         ["false", "false", None, None])

    def test_variables_of_transports_are_recorded_and_no_others(self):
        given = {"FI_PROVIDER": "tcp", "I_MPI_FABRICS": "shm", "PMIX_MCA_gds": "hash", "UCX_TLS": "self"}
        outcome = self.run_iorx(["-a", "null", "-w"], 1, environment={**given, "MY_TOKEN": "secret"})
        recorded = outcome.document["run"]["environment"]["variables"]
        self.assertEqual({name: recorded.get(name) for name in given}, given)
        self.assertNotIn("MY_TOKEN", recorded)
        self.assertFalse([name for name in recorded if name.startswith("PMIX_") and not name.startswith("PMIX_MCA_")])

    def test_without_options_the_default_test_is_named(self):
        outcome = self.run_iorx([], output=False)
        self.assert_exit(outcome, 0)
        self.assertIn("note: no options are given: this is the default test", outcome.err)

    def test_failed(self):
        outcome = self.run_iorx([*SMALL, "--fault.operation=write", "--fault.tasks=1"], 2)
        self.assert_exit(outcome, 1)
        self.assertEqual(outcome.document["status"], "failed")
        self.assertEqual(outcome.document["exit_code"], 1)
        self.assertEqual(outcome.phase("write")["failure"]["task"], 1)

    def test_interrupted(self):
        job = self.start_iorx([*LONG, "-e"], 2)
        job.wait_for_phase(event="test")
        for pid in job.tasks().values():
            job.kill(pid, signal.SIGTERM)
        outcome = job.wait()
        self.assertEqual(outcome.document["status"], "interrupted")
        phase = outcome.phase("write")
        self.assertEqual(phase["status"], "stopped")
        if "rates" in phase:
            self.assertIsNone(phase["rates"]["durable_bytes_per_s"])

    def test_stopped_before_its_sync_is_not_durable(self):
        job = self.start_iorx(["-w", "-e", "-b", "4k", "-t", "4k", "-s", "2000",
                               "--fault.operation=write", "--fault.kind=stall",
                               "--fault.count=0", "--fault.stall=0.1s"], 2)
        job.wait_for_phase(event="test")
        job.wait_until(lambda: any(os.path.getsize(os.path.join(self.folder, name))
                                   for name in os.listdir(self.folder) if not name.endswith(".iorx-lock")), "a write")
        for pid in job.tasks().values():
            job.kill(pid, signal.SIGTERM)
        phase = job.wait().phase("write")
        self.assertEqual(phase["status"], "stopped")
        self.assertIsNone(phase["rates"]["durable_bytes_per_s"])
        self.assertEqual((phase["intervals"]["durable_s"], phase["intervals"]["sync_s"]), (0, 0))
        verdict = next(v for v in phase["verdicts"] if v["id"] == "D1")
        self.assertEqual(verdict["severity"], "warn")
        self.assertIn("stopped before the sync", verdict["meaning"])

    def test_several_outputs(self):
        names = [os.path.join(self.results, "a" + end) for end in (".json", ".csv", ".txt")]
        outcome = self.run_iorx([*SMALL, "--output=" + ",".join(names)], 2, output=False)
        self.assert_exit(outcome, 0)
        document = check_document(names[0])
        rows = list(csv.DictReader(io.StringIO(read(names[1]))))
        phases = document["tests"][0]["phases"]
        self.assertEqual([(row["phase"], float(row["total_bytes_per_s"])) for row in rows],
                         [(phase["phase"], phase["rates"]["total_bytes_per_s"]) for phase in phases])
        self.assertTrue(all(len(line) <= 80 for line in read(names[2]).split("\n")))
        self.assertEqual(sorted(name for name in os.listdir(self.results) if name.startswith("a.")),
                         ["a.csv", "a.json", "a.txt"])


@needs_root
class FullDisk(Case):
    def run_full(self, size, output):
        full = os.path.join(self.home, "full")
        os.makedirs(full)
        return self.run_iorx(["-a", "null", *SMALL, "-i", "30",
                              "--output=" + ",".join(os.path.join(full, name) for name in output)],
                             2, output=False,
                             wrapper=["unshare", "--mount", "sh", "-c", TINY, "sh", full, size])

    def check(self, outcome, word):
        self.assert_exit(outcome, 1)
        self.assertRegex(outcome.err, r"iorx: error: .*No space left on device")
        # Long paths are wrapped anywhere.
        self.assertIn(word.replace(" ", ""), "".join(outcome.out.split()))
        self.assertIn("phase rep", outcome.out)

    def test_document(self):
        self.check(self.run_full("64k", ["a.json"]), "INCOMPLETE")

    def test_table(self):
        outcome = self.run_full("8k", ["a.csv"])
        self.check(outcome, "a.csv, INCOMPLETE")

    def test_standard_output(self):
        document = os.path.join(self.results, "out.json")
        with open("/dev/full", "wb") as full:
            ended = subprocess.run([IORX, "-a", "null", *SMALL, "--output=" + document],
                                   cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True,
                                   timeout=300, check=False,
                                   env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                                        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertIn("standard output cannot be written", ended.stderr)
        self.assertEqual(check_document(document)["status"], "complete")


class Finish(Case):
    def finish(self, journal):
        return subprocess.run([IORX, "--finish=" + journal], timeout=300, check=False,
                              capture_output=True, text=True,
                              env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})

    def killed(self):
        """The journal of a job that was killed, without a document."""
        job = self.start_iorx(LONG, 1)
        job.wait_for_phase(event="test")
        job.kill(next(iter(job.tasks().values())), signal.SIGKILL)
        outcome = job.wait()
        self.assertFalse(outcome.has_document())
        return outcome

    def test_makes_the_document_and_replaces_it_only_while_it_is_interrupted(self):
        outcome = self.killed()
        for _ in range(2):
            self.assertEqual(self.finish(outcome.journal_path).returncode, 0)
            self.assertEqual(check_document(outcome.document_path)["status"], "interrupted")
        complete = read(outcome.document_path).replace('"interrupted"', '"complete"', 1)
        with open(outcome.document_path, "w", encoding="utf-8") as file:
            file.write(complete)
        ended = self.finish(outcome.journal_path)
        self.assertEqual(ended.returncode, 2, ended.stderr)
        self.assertIn("of this run, and is complete", ended.stderr)
        self.assertEqual(read(outcome.document_path), complete)

    def test_the_document_has_the_mode_of_its_journal(self):
        outcome = self.killed()
        for mode in 0o600, 0o644:
            os.chmod(outcome.journal_path, mode)
            self.assertEqual(self.finish(outcome.journal_path).returncode, 0)
            self.assertEqual(os.stat(outcome.document_path).st_mode & 0o777, mode)

    def test_the_document_of_another_run_gets_a_number(self):
        outcome, later = self.killed(), self.run_iorx(["-a", "null", *SMALL])
        shutil.copy(later.document_path, outcome.document_path)
        ended = self.finish(outcome.journal_path)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("of another run was renamed to", ended.stderr)
        self.assertEqual(check_document(outcome.document_path)["status"], "interrupted")
        self.assertEqual(check_document(outcome.document_path + ".1"), later.document)

    def test_lines_that_are_not_right_are_told(self):
        run, test, *more = read(self.killed().journal_path).splitlines(keepends=True)
        lost = json.dumps({"phase": {"test": 1}}) + "\n"
        journal = os.path.join(self.results, "changed.jsonl")
        for lines, left_out in (([run, test[:-9]], "1 of its 2 lines is left out"),
                                ([run, test, run, test], "2 of its 4 lines are left out"),
                                ([run, test, lost], "line 3: the line of its test is not there"),
                                ([run, test[:99] + "\n", test.replace(":", "=", 1)], "2 of its 3")):
            with open(journal, "w", encoding="utf-8") as file:
                file.writelines(lines)
            ended = self.finish(journal)
            self.assertEqual(ended.returncode, 1, ended.stderr)
            self.assertIn(left_out, ended.stderr)
            document = check_document(journal[:-1])
            self.assertGreater(document["unreadable_lines"], 0)
            os.remove(journal[:-1])
        self.assertEqual(more, [])


class OneName(Case):
    """Jobs with one --output."""

    def test_at_the_same_time_the_second_takes_another_name(self):
        first = self.start_iorx([*LONG[:-2], "20", "--null.delay-xfer=100000"], 1)
        first.wait_for_phase(event="test")
        second = self.run_iorx(["-a", "null", *SMALL, "--output=" + first.document], output=False)
        self.assert_exit(second, 0)
        other = first.document.replace(".json", "-2.json")
        self.assertIn(f"this job writes {other}", second.err)
        self.assertEqual(check_document(other)["status"], "complete")
        outcome = first.wait()
        self.assert_exit(outcome, 0)
        self.assertNotEqual(outcome.document["run"]["began"], check_document(other)["run"]["began"])
        self.assertFalse(os.path.exists(outcome.journal_path))

    def test_one_after_the_other_the_older_document_gets_a_number(self):
        names, documents = ["a.json.1", "a.json.2", "a.json"], []
        path = os.path.join(self.results, "a.json")
        for _ in names:
            outcome = self.run_iorx(["-a", "null", *SMALL, "--output=" + path], output=False)
            self.assert_exit(outcome, 0)
            documents.append(check_document(path))
        self.assertRegex("".join(outcome.out.split()), r"older.*a\.json\.2")
        self.assertEqual([check_document(os.path.join(self.results, name)) for name in names], documents)

    def test_a_file_of_others_is_refused(self):
        path = os.path.join(self.results, "a.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"name": "thesis"}')
        outcome = self.run_iorx(["-a", "null", *SMALL, "--output=" + path], output=False)
        self.assert_exit(outcome, 2)
        self.assertIn("is not a document of iorx", outcome.err)
        self.assertEqual(read(path), '{"name": "thesis"}')


class UnderTest(Case):
    """Results under the name of a test file."""

    def refuse(self, *arguments):
        before = sorted(os.listdir(self.folder))
        for more in ([], ["--dry-run"]):
            outcome = self.run_iorx([*SMALL, *arguments, *more], output=False)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "would be overwritten by the test")
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_is_refused(self):
        os.symlink(self.folder, os.path.join(self.home, "link"))
        link = os.path.join(self.home, "link")
        for arguments in (["-o", "a.json", "--output=a.json"], ["-o", "./a.jsonl", "--output=a.json"],
                          ["-o", "a.csv", f"--output={link}/a.csv"], ["-o", f"{link}/a.txt", "--output=a.txt"],
                          ["-o", "x", "-F", "--task-table=x.00000000"],
                          ["-o", "a@x", "-F", "--summary-file=x"]):
            with self.subTest(arguments=arguments):
                self.refuse(*arguments)

    def test_is_refused_for_links_to_one_file(self):
        kept = os.path.join(self.folder, "kept")
        self.assert_exit(self.run_iorx([*SMALL, "-w", "-k", "-o", "kept"]), 0)
        os.link(kept, os.path.join(self.folder, "hard.csv"))
        os.symlink("kept", os.path.join(self.folder, "soft.txt"))
        before = os.stat(kept).st_mtime_ns
        for name in ("hard.csv", "soft.txt"):
            self.refuse("-o", "kept", "-r", "--output=" + name)
        self.assertEqual(os.stat(kept).st_mtime_ns, before)

    def test_names_that_only_begin_alike_are_good(self):
        outcome = self.run_iorx([*SMALL, "-o", "a", "--output=a.json,a.csv", "--task-table=a-1"], output=False)
        self.assert_exit(outcome, 0)


class Anonymous(Case):
    """No name of a host, a user or a path is in any result of --anonymize."""

    NAMES = ("kestrel7", "aerie9", "bob_the_user", "Secret", "Alice", "Mine", "Tab1e", "Res1")

    def run_hidden(self, *more, text="", code=0, output=True, host="kestrel7.aerie9", table="taskTable = Tab1e.csv"):
        """One run on a host of this name, whose job file names files by relative paths."""
        path = os.path.join(self.home, "Secret", "Mine.ior")
        os.makedirs(os.path.join(self.folder, "proj", "Alice"))
        os.makedirs(os.path.dirname(path))
        with open(path, "w", encoding="utf-8") as file:
            file.write("IOR START # of Alice\ntestFile = proj/Alice/Data.x\nblockSize = 64k\n"
                       f"transferSize = 16k\n{table}\n{text}\nRUN\nIOR STOP\n")
        outcome = self.run_iorx(
            ["-f", path, "--anonymize", *more], 2, output=output, environment={**os.environ, "USER": "bob_the_user"},
            wrapper=["unshare", "--uts", "sh", "-c", f'hostname {host}; exec "$@"', "sh"])
        self.assert_exit(outcome, code)
        return outcome

    def assert_hidden(self, outcome, count):
        files = [os.path.join(folder, name) for folder, _, names in os.walk(self.home) for name in names
                 if name.endswith((".json", ".csv", ".txt"))]
        self.assertEqual(len(files), count, files)
        texts = {"standard output": outcome.out}
        for path in files:
            with open(path, encoding="utf-8") as file:
                texts[path] = file.read()
        for path, text in texts.items():
            for name in self.NAMES:
                self.assertNotIn(name, text, path)

    def test_of_a_run(self):
        outcome = self.run_hidden("-v", "-O", "output=Res1.json,Res1.csv,Res1.txt", output=False)
        self.assert_hidden(outcome, 4)
        # Names are hidden before words are wrapped.
        self.assertLessEqual(max(len(line) for line in outcome.out.splitlines()), 80, outcome.out)
        with open(os.path.join(self.folder, "Res1.json"), encoding="utf-8") as file:
            run = json.load(file)["run"]
        self.assertEqual((run["command_line"], run["job_text"]), (["iorx", "--anonymize"], None))
        self.assertRegex(run["hosts"][0], "^x[0-9a-f]{8}$")

    def test_of_a_plan(self):
        for flag in "--show-plan", "--dry-run":
            with self.subTest(flag):
                outcome = self.run_hidden(flag, "-F", "-O", "output=Res1.json", output=False)
                self.assertRegex(outcome.out, r"writes x[0-9a-f]{8}/x[0-9a-f]{8}/x[0-9a-f]{8}\.00000000")
                self.assert_hidden(outcome, 0)
                shutil.rmtree(self.home)
                os.makedirs(self.folder)
                os.makedirs(self.results)

    def test_of_tests_that_are_called_as_a_host_or_a_path(self):
        job = "api = null\nblockSize = 64k\ntransferSize = 16k\nnum_tasks = 1"
        outcome = self.run_hidden("-O", "output=Res1.json,Res1.txt", code=1, output=False, table="", text=(
            "RUN\nIOR STOP\nTOGETHER START repetitions = 2, alone = 1\n"
            f"IOR START\nname = kestrel7\n{job}\nRUN\nIOR STOP\n"
            f"IOR START\nname = /Secret/set\n{job}\nfault.operation = read\nfault.after = 1\nRUN\nIOR STOP\n"
            "TOGETHER STOP\nIOR START\nname = /Secret/study, api = null\ntransferSize = [16k 32k]"))
        self.assertIn("in set 1", outcome.out)
        self.assert_hidden(outcome, 2)

    def test_of_a_pattern_of_names(self):
        os.makedirs(os.path.join(self.folder, "tree"))
        for pattern in "quietly", "Quietly*.c":
            outcome = self.run_iorx(["mdtest", "--find", "--dir=./tree", f"--find-name={pattern}", "--anonymize"])
            self.assert_exit(outcome, 0)
            self.assertNotIn("uietly", json.dumps(outcome.document) + outcome.out)

    @needs_root
    def test_of_a_mount_whose_source_is_a_word(self):
        place = os.path.join(self.home, "mounted")
        os.makedirs(place)
        outcome = self.run_iorx(["-b", "8k", "-t", "4k", "-o", os.path.join(place, "file"), "--anonymize", "-v"], 2,
                                wrapper=["unshare", "--mount", "sh", "-c", f'mount -t tmpfs secretvol {place}; exec "$@"', "sh"])
        self.assert_exit(outcome, 0)
        self.assertNotIn("secretvol", json.dumps(outcome.document) + outcome.out)
        mount = outcome.document["tests"][0]["mount"]
        self.assertRegex(mount["source"], "^x[0-9a-f]{8}$")
        self.assertIn(mount["source"], outcome.out)

    def test_of_a_host_whose_name_is_a_plain_word(self):
        outcome = self.run_hidden(host="kestrel")
        self.assertTrue(outcome.document["tests"][0]["phases"][0]["heatmap"]["rows"])
        self.assertNotIn("kestrel", json.dumps(outcome.document))

    def test_of_a_failed_run(self):
        outcome = self.run_hidden(text="fault.operation = read\nfault.after = 1", code=1)
        self.assertIn("Alice", outcome.err)
        self.assertIn("Input/output error", json.dumps(outcome.document["errors"] + outcome.document["tests"]))
        self.assert_hidden(outcome, 2)

    def test_names_that_are_words_of_results_are_refused(self):
        outcome = self.run_iorx(["--anonymize", "-o", "write"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "test_file: anonymize cannot tell the name 'write' from a word of the "
                                       "result; write it as './write'")


if __name__ == "__main__":
    unittest.main()
