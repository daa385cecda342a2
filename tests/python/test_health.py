"""iorx-health without a launcher: sizes, the choice of the earlier run, what is said, exit codes."""

import contextlib
import io
import os
import socket
import subprocess
import sys
import unittest
from types import SimpleNamespace
from unittest import mock

import results
from iorx_results import files, health, health_job, newest

PLACE = "/scratch/iorx-health"
SIZES = health_job.Sizes(4, 100, 2000, 10.0, True)
RATES = {"write": 500 << 20, "read": 2000 << 20, "file-create": 10_000, "file-stat": 100_000, "file-remove": 20_000}
ROOM = 1 << 50


def document(seed, folder=PLACE, **factors):
    """The result of a job of iorx-health; each factor is that of the rates of a phase, by the name it has in Python."""
    found, tests = results.many(1, seed=seed), []
    data, load, names = found["tests"][0], results.load(1)["tests"][0], results.metadata()["tests"][0]
    load["phases"][-1]["load"].update(asked_operations_per_s=None, due=None, issued=None)
    names["phases"] = [dict(phase, phase=name, phase_index=index) for index, name in enumerate(("tree-create", "file-create", "file-stat"))
                       for phase in names["phases"][:1]]
    for number, test in enumerate((data, load, names)):
        test.update(test=number, summaries=[])
        for phase in test["phases"]:
            phase.update(test=number, verdicts=[])
            phase["rates"] = results.scale(phase["rates"], factors.get(phase["phase"].replace("-", "_"), 1), "_per_s")
        tests.append(test)
    data.update(test_file=f"{folder}/file")
    data["options"]["block_size"]["value"] = 100 << 20
    load["options"].update({"duration": {"value": 10.0}, "posix.direct": {"value": True}})
    names["options"]["metadata.items"] = {"value": 2000}
    found["tests"] = tests
    found["run"].update(tasks=4, began=f"2026-11-25T21:00:{seed:02}.000000000Z")
    return found


def slow_member(ratio, group="tasks"):
    return {"judged": True, "tasks": None, "slots": None, "nodes": None, group: {"slowest": [
        {"task": 5, "node": 2, "host": "n03", "slow": False, "time_s": .2, "ratio": ratio}]}}


def uneven(seed, ratio):
    """A run in whose load the slowest task took so many times the others' time."""
    found = document(seed)
    phase = found["tests"][1]["phases"][-1]
    phase.update(slow=slow_member(ratio), intervals=dict(phase["intervals"], total_s=8.0))
    return found


class SizesTest(unittest.TestCase):
    def fitting(self, space=ROOM, inodes=0, tasks=2, seconds=10, **rates):
        return health_job.fitting(dict(RATES, **rates), tasks, seconds, space, inodes)

    def test_the_faster_phase_takes_half_of_the_time(self):
        self.assertEqual(self.fitting()[0], 2000 * 5 / 2)

    def test_the_slower_phase_takes_at_most_twice_the_time(self):
        self.assertEqual(self.fitting(write=100 << 20)[0], 100 * 20 / 2)

    def test_a_quarter_of_the_free_space_and_inodes_is_the_most(self):
        self.assertEqual(self.fitting(space=800 << 20)[0], 100)
        self.assertEqual(self.fitting(inodes=8000)[1], 1000)

    def test_stats_take_a_second_where_that_costs_not_too_much(self):
        self.assertGreaterEqual(2 * self.fitting()[1], 100_000)
        each = 1 / 10_000 + 1 / 9e6 + 1 / 20_000
        self.assertAlmostEqual(2 * self.fitting(**{"file-stat": 9e6})[1], 20 / each, delta=2)

    def test_something_is_done_however_slow_the_storage_is(self):
        self.assertEqual(health_job.fitting(dict.fromkeys(RATES, .01), 64, .1, 1 << 20, 4), (1, 1))

    def test_a_pilot_grows_only_where_it_was_short(self):
        sizes = health_job.Sizes(2, 128, 1000, 0, False)
        self.assertEqual(health_job.larger(sizes, RATES, (5000, 60000), 10), health_job.Sizes(2, 1024, 8000, 0, False))
        self.assertEqual(health_job.larger(sizes, RATES, (500, 3000), 10), health_job.Sizes(2, 500, 3000, 0, False))
        slow = dict(RATES, write=1 << 20, **{"file-create": 10})
        self.assertEqual(health_job.larger(sizes, slow, (5000, 60000), 10), sizes)

    def test_the_job_has_the_sizes(self):
        text = health_job.text(SIZES, "/scratch/a b")
        for words in ('testFile = "/scratch/a b/file"', "blockSize = 100m", "fileSize = 400m", "duration = 10,", "items = 2000,",
                      "posix.direct = 1"):
            self.assertIn(words, text)
        self.assertNotIn("LOAD", health_job.text(health_job.Sizes(4, 100, 2000, 0, True), "/scratch"))


class HealthTest(results.Case):
    def run_of(self, *arguments, **factors):
        return files.read_file(self.write("new", document(*arguments, **factors)))

    def baseline(self, count, **factors):
        folder = os.path.join(self.folder, "base")
        for n in range(count):
            os.makedirs(folder, exist_ok=True)
            self.write(f"base/health-{n:02}", document(n, **factors))
        return folder

    def read(self, folder, *wanted):
        """The names of the earlier results that count."""
        return [os.path.basename(run.file) for run in health.earlier_runs(folder, *(wanted or [PLACE]))[0]]

    def examine(self, folder, *documents):
        """(exit code, text, names of the stored results) after these runs."""
        runs = [files.read_file(self.write(f"run{n}", one)) for n, one in enumerate(documents)]
        left = iter(runs)
        found, notes = health.examine(folder, lambda: next(left), health.earlier_runs(folder, PLACE)[0])
        self.assertEqual(len(list(left)), 0, "a run was not asked for")
        text = newest.text(found, health.verdict(found), notes)
        self.assertLessEqual(len(text.splitlines()), 12, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80, text)
        return found.exit_code, text, {where: sorted(name for name in os.listdir(where) if name.endswith("000.json"))
                                       for where in (folder, f"{folder}/suspect") if folder and os.path.isdir(where)}

    def test_a_run_like_the_others_is_as_usual(self):
        folder = self.baseline(8)
        code, text, stored = self.examine(folder, document(50))
        self.assertEqual((code, text.splitlines()[0]), (0, "as in the 8 earlier runs"), text)
        self.assertEqual(stored, {folder: ["health-20261125210050000.json"]})
        self.assertRegex(text, r"(?m)^4 KiB read .*op/s")
        self.assertNotIn("tree-create", text)

    def test_few_runs_say_how_many_are_missing(self):
        for count, words in ((0, "5 more to go"), (3, "2 more to go"), (5, "the next run is judged")):
            folder = self.baseline(count)
            os.makedirs(folder, exist_ok=True)
            code, text, stored = self.examine(folder, document(50))
            self.assertEqual(code, 2)
            self.assertIn(words, " ".join(text.split()))
            self.assertEqual(len(stored[folder]), 1)

    def test_without_a_baseline_nothing_is_known_and_nothing_is_stored(self):
        code, text, stored = self.examine(None, document(50))
        self.assertEqual((code, stored), (2, {}))
        self.assertTrue(text.startswith("not known: there is no --baseline=FOLDER"), text)

    def test_two_slow_runs_are_an_alarm(self):
        folder = self.baseline(8)
        code, text, stored = self.examine(folder, document(50, read=.3), document(51, read=.4))
        self.assertEqual(code, 1)
        self.assertRegex(text, r"^read \d\d % slower: compared with the last 8 runs\n")
        self.assertIn("2 of 2 results went into suspect/", text)
        self.assertEqual(stored, {folder: [], f"{folder}/suspect": [f"health-202611252100{n}000.json" for n in (50, 51)]})
        self.assertEqual(len(self.read(folder)), 8)

    def test_the_verdict_is_said_also_where_nothing_can_be_stored(self):
        folder = self.baseline(8)
        with open(f"{folder}/suspect", "w", encoding="utf-8"):
            code, text, _ = self.examine(folder, document(50, read=.3), document(51, read=.4))
        self.assertEqual(code, 1)
        self.assertIn("not stored in the baseline: File exists", text)

    def test_a_damaged_result_does_not_count(self):
        folder = self.baseline(8)
        with open(f"{folder}/health-03.json", "w", encoding="utf-8") as file:
            file.write("{")
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            self.assertEqual(len(self.read(folder)), 7)
        self.assertIn("health-03.json: not JSON", err.getvalue())

    def test_a_rate_that_only_the_first_run_has_stays(self):
        first, second = (newest.Judgement("", None, [], {}, [newest.Rate(name, None, 1, [2]) for name in names], [])
                         for names in (("read", "slowest task"), ("read",)))
        self.assertEqual([rate.name for rate in health.better(first, second).rates], ["read", "slowest task"])

    def test_one_slow_run_is_none(self):
        folder = self.baseline(8)
        code, text, stored = self.examine(folder, document(50, read=.3), document(51))
        self.assertEqual((code, text.splitlines()[0]), (0, "as in the 8 earlier runs"))
        self.assertIn("first: read by", " ".join(text.split()))
        self.assertEqual((len(stored[folder]), len(stored[f"{folder}/suspect"])), (1, 1))

    def test_runs_that_are_slow_in_different_phases_are_none(self):
        folder = self.baseline(8)
        code, _, stored = self.examine(folder, document(50, read=.3), document(51, file_create=.2))
        self.assertEqual((code, len(stored[f"{folder}/suspect"])), (0, 2))

    def test_a_slow_node_is_named(self):
        slow = document(50, read=.3)
        phase = next(one for one in slow["tests"][0]["phases"] if one["phase"] == "read")
        phase["slow"] = slow_member(1.9, "nodes")
        phase["verdicts"] = [{"id": "I1", "severity": "note", "meaning": "others waited " * 40, "remedy": ""}]
        code, text, _ = self.examine(self.baseline(8), slow, slow)
        self.assertEqual(code, 1)
        self.assertRegex(text, r"^read \d\d % slower, n03 slow: ")
        self.assertIn("I1, read 0: others waited", text)

    def test_a_slow_task_is_an_alarm_although_the_rate_is_usual(self):
        folder = os.path.join(self.folder, "base")
        os.makedirs(folder)
        for n in range(8):
            self.write(f"base/health-{n:02}", uneven(n, 1.02 + n / 1000))
        self.assertEqual(self.examine(folder, uneven(50, 1.03))[0], 0)
        code, text, _ = self.examine(folder, uneven(51, 4), uneven(52, 3))
        self.assertEqual((code, text.splitlines()[0]), (1, "task 5 on n03 slow: compared with the last 9 runs"))
        self.assertRegex(text, r"(?m)^slowest task +33\.33 % +97\.\d\d % +-66 %")

    def test_a_run_that_failed_is_an_alarm_at_once(self):
        failed = document(50)
        failed.update(status="failed", exit_code=1, errors=[{"at": "", "kind": "io", "errno": 28, "text": "no space left"}])
        folder = self.baseline(8)
        code, text, stored = self.examine(folder, failed)
        self.assertEqual((code, len(stored[f"{folder}/suspect"])), (1, 1))
        self.assertIn("this run did not end well: failed, exit code 1: no space left", text)

    def test_the_sizes_are_those_of_an_earlier_run_in_the_folder(self):
        run = self.run_of(1)
        self.assertEqual(health_job.sizes_of(run, PLACE), SIZES)
        self.assertEqual(health_job.sizes_of(run, PLACE, 4), SIZES)
        self.assertIsNone(health_job.sizes_of(run, PLACE, 2))
        self.assertIsNone(health_job.sizes_of(run, "/other/iorx-health"))
        self.assertIsNone(health_job.sizes_of(files.read_file(self.write("one", results.one())), PLACE))

    def test_only_the_newest_results_of_this_program_are_read(self):
        folder = self.baseline(33)
        self.write("base/other", {"schema": "of another program"})
        self.assertEqual(self.read(folder), [f"health-{n:02}.json" for n in range(3, 33)])

    def test_newer_results_of_other_jobs_hide_none(self):
        folder = self.baseline(3)
        for n in range(40):
            self.write(f"base/health-other-{n:02}", document(n, "/other/iorx-health"))
        self.assertEqual(self.read(folder), ["health-00.json", "health-01.json", "health-02.json"])
        self.assertEqual(len(self.read(folder, "/other/iorx-health")), 30)
        self.assertEqual(self.read(folder, PLACE, 2), [])


class RefusalTest(results.Case):
    def health(self, *arguments, mpiexec="false"):
        return subprocess.run([sys.executable, "-B", "-m", "iorx_results.health", *arguments], encoding="utf-8", timeout=300,
                              env=dict(os.environ, PYTHONPATH=os.path.join(results.TOP, "python"), MPIEXEC=mpiexec),
                              capture_output=True)

    def refused(self, words, *arguments, **more):
        done = self.health(*arguments, **more)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, rf"^iorx-health: error: .*{words}")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_a_refusal_names_a_remedy_and_leaves_nothing(self):
        self.refused("no such folder; make it", os.path.join(self.folder, "missing"))
        odd = os.path.join(self.folder, "a@b")
        os.makedirs(odd)
        self.refused("name another folder", odd)
        self.refused("cannot be made.*name another one by --baseline", self.folder, f"--baseline={__file__}/x")
        self.refused("Options for it stand behind --", self.folder)
        self.refused("MPIEXEC=srun", self.folder, mpiexec="/missing/mpiexec")
        self.assertEqual(os.listdir(self.folder), ["a@b"])

    def test_a_second_run_in_the_folder_is_refused(self):
        with health_job.private_folder(self.folder) as folder:
            self.refused(f"another iorx-health measures here, process {os.getpid()} on", self.folder)
            self.assertEqual(os.listdir(folder), ["owner"])
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_a_killed_run_left_is_removed_and_what_others_made_is_not(self):
        folder = os.path.join(self.folder, "iorx-health")
        with health_job.private_folder(self.folder):
            with open(os.path.join(folder, "owner"), encoding="utf-8") as file:
                host = file.read().split()[0]
        os.makedirs(folder)
        self.write("iorx-health/other", {})
        self.refused("rename it", self.folder)
        with open(os.path.join(folder, "owner"), "w", encoding="utf-8") as file:
            file.write(f"{host} 999999999")
        self.refused("Options for it stand behind --", self.folder)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_symbolic_link_is_not_followed(self):
        mine = os.path.join(self.folder, "mine")
        os.makedirs(mine)
        with open(os.path.join(mine, "owner"), "w", encoding="utf-8") as file:
            file.write(f"{socket.gethostname()} 999999999")
        os.symlink(mine, os.path.join(self.folder, "iorx-health"))
        self.refused("rename it", self.folder)
        self.assertEqual(os.listdir(mine), ["owner"])

    def test_too_little_space_is_refused(self):
        space = SimpleNamespace(f_bavail=1000, f_frsize=4096, f_favail=0)
        with mock.patch("os.statvfs", return_value=space), \
                self.assertRaisesRegex(health.Usage, "are free.*give --tasks or another DIR"):
            health_job.Bench(self.folder, []).pilot(4, 10)


if __name__ == "__main__":
    unittest.main()
