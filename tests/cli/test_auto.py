"""api=auto: what is chosen on each file system, what is said about it, and that nothing stays behind."""

import glob
import os
import re
import subprocess
import unittest

import hosts
import tracing
from program import SOURCE, Case, backends, is_built_in, needs_root, read
from storage import KINDS, mounted

CANDIDATES = {"posix", "uring", "libaio"}
CLEARLY_FASTER = 1.10


class Auto(Case):
    def choice(self, outcome, test=0, of_data=True):
        """What was chosen, when the results say the same in each of their places."""
        self.assert_exit(outcome, 0)
        record = outcome.document["tests"][test]
        choice, depth = record["choice"], record["options"]["queue_depth"]["value"]
        self.assertEqual((record["api"], record["options"]["api"]["value"]), ("auto", "auto"))
        self.assertEqual(record["backend"], choice["chosen"])
        self.assertIn(choice["chosen"], CANDIDATES)
        self.assertIn(f"auto chose {choice['chosen']}: ", re.sub(r"\s+", " ", outcome.out))
        queues = choice["chosen"] != "posix"
        self.assertEqual(record["plan"]["queue_depth"], depth if queues else 1)
        for phase in record["phases"] if of_data else ():
            self.assertEqual(phase["queue"] is not None, queues)
            if queues:
                self.assertLessEqual(phase["queue"]["mean_depth"], depth)
        return choice

    def assert_follows(self, choice, *directions):
        """The choice is what its own figures say."""
        figures = choice["candidates"]
        self.assertEqual(set(figures), CANDIDATES)
        for name, one in figures.items():
            with self.subTest(name=name):
                self.assertEqual(one["speed"] is None, one["why_not"] is not None)
                self.assertEqual({"write", "read"} & set(one),
                                 set(directions) if one["speed"] else set())
                for direction in directions if one["speed"] else ():
                    self.assertAlmostEqual(one[direction]["bytes_per_s"], delta=1, second=
                                           one[direction]["operations_per_s"] * choice["transfer_bytes"])
        self.assertIsNone(figures["posix"]["why_not"])
        able = [name for name, one in figures.items() if (one["speed"] or 0) > CLEARLY_FASTER and all(
            one[way]["operations_per_s"] >= figures["posix"][way]["operations_per_s"]
            for way in directions)]
        best = max(able, key=lambda name: figures[name]["speed"], default="posix")
        self.assertEqual(choice["chosen"], best)

    def test_nothing_is_tried_for_one_transfer_at_a_time(self):
        choice = self.choice(self.run_iorx(["-a", "AUTO", "-b", "64k", "-t", "4k"]))
        self.assertEqual((choice["chosen"], choice["probing_nodes"], choice["candidates"]),
                         ("posix", 0, {}))

    def test_names_are_queued_where_uring_is_there(self):
        common = ["mdtest", "-a", "auto", "-F", "-n", "20", "-d", "names"]
        for more, why in ([], "uring"), (["--uring.iopoll"], "posix"):
            with self.subTest(more=more):
                chosen = why if "uring" in backends() and is_built_in("uring") else "posix"
                choice = self.choice(self.run_iorx([*common, "--queue-depth=8", *more], 2), of_data=False)
                self.assertEqual((choice["chosen"], choice["probing_nodes"], choice["queue_depth"]),
                                 (chosen, 1, 8))
                self.assertEqual(choice["candidates"]["uring"]["why_not"] is None, chosen == "uring")
                if chosen == "posix":
                    self.assertIn("names go one at a time, as uring did not run: ", choice["why"])
        choice = self.choice(self.run_iorx(common), of_data=False)
        self.assertEqual((choice["chosen"], choice["probing_nodes"], choice["why"]),
                         ("posix", 0, "one name at a time needs no queue"))

    def test_another_api_has_no_choice(self):
        outcome = self.run_iorx(["-b", "64k", "-t", "4k"])
        record = outcome.document["tests"][0]
        self.assertEqual((record["backend"], record["choice"]), ("posix", None))
        self.assertNotIn("auto chose", outcome.out)

    def opened(self, *arguments):
        """Names of probes' files that were opened."""
        trace = tracing.Trace(os.path.join(self.results, "trace"))
        self.assert_exit(self.run_iorx(["-b", "64k", "-t", "4k", *arguments], 2,
                                       wrapper=trace.wrapper), 0)
        calls = "".join(read(name) for name in glob.glob(trace.prefix + ".*"))
        for name in glob.glob(trace.prefix + ".*"):
            os.remove(name)
        return set(re.findall(r'"[^"]*(iorx-probe[^"]*)", O_RDWR\|O_CREAT\|O_EXCL', calls))

    @unittest.skipIf(tracing.why_not(), tracing.why_not())
    def test_only_auto_probes_and_only_one_task_of_a_node(self):
        self.assertEqual(len(self.opened("-a", "auto", "--queue-depth=4")), 1)
        self.assertEqual(len(self.opened("-a", "auto")), 0)
        self.assertEqual(len(self.opened("-a", "posix")), 0)
        self.assertEqual(len(self.opened("-a", "null", "--queue-depth=4")), 0)
        self.assertEqual(len(self.opened("-a", "auto", "--queue-depth=4", "--dry-run")), 0)

    def test_a_test_that_only_reads_reads_no_file_but_the_probes_own(self):
        common = ["-b", "256k", "-t", "4k", "-o", "data"]
        self.assert_exit(self.run_iorx([*common, "-w", "-k"], 2), 0)
        before = read(os.path.join(self.folder, "data"), "rb")
        choice = self.choice(self.run_iorx(["-a", "auto", "--queue-depth=8", "-r", "-k", *common], 2))
        self.assert_follows(choice, "read")
        self.assertEqual(choice["probing_nodes"], 1)
        self.assertEqual(read(os.path.join(self.folder, "data"), "rb"), before)
        self.assertEqual(os.listdir(self.folder), ["data"])

    def test_direct_of_one_candidate_holds_for_all(self):
        for given in sorted(CANDIDATES):
            with self.subTest(given=given):
                outcome = self.run_iorx(["-a", "auto", "--queue-depth=8", f"--{given}.direct", "-w",
                                         "-b", "256k", "-t", "4k"])
                if outcome.exit_code == 1 and "no direct I/O" in outcome.err:
                    self.skipTest("no direct I/O here")
                self.choice(outcome)
                options = outcome.document["tests"][0]["options"]
                told = {name: option["value"] for name, option in options.items()
                        if name.endswith(".direct")}
                self.assertGreaterEqual(set(told), {"posix.direct", f"{given}.direct"})
                self.assertEqual(set(told.values()), {True})
                self.assertEqual(outcome.phase("write")["settings"]["direct"], "true")

    def test_a_plan_says_that_nothing_is_chosen_yet(self):
        for flag in "--show-plan", "--dry-run":
            outcome = self.run_iorx(["-a", "auto", "--queue-depth=8", flag], output=False)
            self.assert_exit(outcome, 0)
            self.assertIn("auto: chosen by a probe when it runs", outcome.out)
            self.assertEqual(os.listdir(self.folder), [])

    def test_what_is_wrong_with_the_job_is_said_as_ever(self):
        outcome = self.run_iorx(["-a", "auto", "--queue-depth=8", "-o", "missing/data"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "make the directory first")

    @needs_root
    def test_where_no_file_can_be_made_posix_is_chosen_and_why_is_said(self):
        storage = mounted(self, "tmpfs", SOURCE)
        common = ["-b", "256k", "-t", "4k", "-o", os.path.join(storage.folder, "data")]
        self.assert_exit(self.run_iorx([*common, "-w", "-k"]), 0)
        subprocess.run(["mount", "-o", "remount,ro", storage.folder], check=True)
        choice = self.choice(self.run_iorx(["-a", "auto", "--queue-depth=8", "-r", "-k", *common]))
        self.assertEqual((choice["chosen"], choice["probing_nodes"]), ("posix", 1))
        self.assertIn("no file can be made beside the test file: Read-only file system",
                      choice["why"])
        outcome = self.run_iorx(["-a", "auto", "--queue-depth=8", "-r", "-k", "--posix.direct", *common])
        if "no direct I/O" not in outcome.err:
            # Nothing comes into the page cache that way, so the test's own file serves.
            self.assert_follows(self.choice(outcome), "read")

    @unittest.skipIf(hosts.why_not(), hosts.why_not())
    def test_the_first_task_of_each_node_that_takes_part_probes(self):
        folder = os.path.join(self.home, "hosts")
        os.mkdir(folder)
        machines = hosts.Hosts(folder)
        machines.start()
        self.addCleanup(machines.close)
        outcome = self.run_iorx(["-a", "auto", "--queue-depth=8", "-N", "3", "-b", "256k", "-t", "4k"],
                                6, wrapper=machines.command(),
                                environment=machines.environment((2, 2, 2), False))
        choice = self.choice(outcome)
        self.assert_follows(choice, "write", "read")
        self.assertEqual(choice["probing_nodes"], 2)
        self.assertEqual(choice["candidates"]["posix"]["nodes"], 2)
        self.assertEqual(os.listdir(self.folder), [])


def on_each(kind):
    """A test on one kind of file system."""

    @needs_root
    def test(self):
        storage = mounted(self, kind, SOURCE)
        file = os.path.join(storage.folder, "data")
        for more, directions in ((["-w"], ["write"]), ([], ["write", "read"]),
                                 (["--cold=fadvise"], ["write", "read"]),
                                 (["-F", "-N", "2", "-C"], ["write", "read"])):
            with self.subTest(more=more):
                outcome = self.run_iorx(["-a", "auto", "--queue-depth=16", "-b", "1m", "-t", "4k",
                                         "-o", file, *more], 3)
                choice = self.choice(outcome)
                self.assert_follows(choice, *directions)
                self.assertEqual((choice["queue_depth"], choice["transfer_bytes"]), (16, 4096))
                self.assertEqual(storage.names(), [])

    return test


for name in KINDS:
    setattr(Auto, f"test_choice_follows_the_probe_on_{name}", on_each(name))


if __name__ == "__main__":
    unittest.main()
