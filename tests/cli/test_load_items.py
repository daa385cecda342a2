"""Loads of operations on names and small files: what is done, what is left, and what fails."""

import os
import unittest

from program import Case, is_built_in, needs_root

ALL = ("stat", "access", "open", "read_file", "write_file", "append", "rmw", "truncate", "chmod", "fsync", "list",
       "create", "unlink", "rename", "mkdir", "rmdir")
OPERATION = {"open": "open_close", "unlink": "remove"}
EDA = ("stat:39,access:15,write:15,write_file:10,read:8,read_file:7,create:2,unlink:2,chmod:1,mkdir:1")


class Items(Case):
    def load(self, operations, *arguments, tasks=1, exit_code=0, **more):
        """The load phase and the outcome."""
        outcome = self.run_iorx(["load", "--file-size=4m", "--items=200", f"--operations={operations}", *arguments],
                                tasks, **more)
        self.assert_exit(outcome, exit_code)
        return outcome.phase("load"), outcome

    def count(self, phase, kind):
        return phase["operations"].get(OPERATION.get(kind, kind), {"count": 0})["count"]

    def assert_no_items(self):
        self.assertEqual([name for _, directories, files in os.walk(self.folder) for name in directories + files
                          if "items" in name or "mdtest" in name], [])


class WhatIsDone(Items):
    def test_the_plan_has_the_space_of_small_files(self):
        outcome = self.run_iorx(["load", "--operations=stat", "--items=5", "--item-bytes=1m", "--show-plan"], 2)
        self.assert_exit(outcome, 0)
        self.assertRegex(outcome.out, r"(?m)^space +10 files in 2 directories, 10 MiB \(10485760 bytes\)")

    def test_each_share_is_exact_and_nothing_is_left(self):
        for tasks in (1, 2):
            with self.subTest(tasks=tasks):
                phase, outcome = self.load("stat:60,open:20,create:10,unlink:10", "--operation-limit=2000", tasks=tasks)
                load = phase["load"]
                self.assertEqual((load["operations"], load["failed_operations"], load["errors"]), (2000 * tasks, 0, {}))
                self.assertEqual({kind: self.count(phase, kind) for kind in ("stat", "open", "create", "unlink")},
                                 {"stat": 1200 * tasks, "open": 400 * tasks, "create": 200 * tasks,
                                  "unlink": 200 * tasks})
                self.assertEqual((load["achieved_shares"]["stat"], load["asked_shares"]["unlink"]), (0.6, 0.1))
                self.assertEqual(load["bytes"], 200 * tasks * 4096)
                self.assertIn("item", phase["operations"]["create"]["worst"])
                self.assertNotIn("open", phase["operations"])
                self.assertRegex(outcome.out, rf"(?m)^  unlink +[\d.]+ .* {200 * tasks} +-$")
                self.assertNotIn(" stays", outcome.out)
                self.assert_no_items()

    def test_every_operation_can_be_mixed(self):
        for api in ("posix", "uring", "libaio", "mmap", "null"):
            if not is_built_in(api):
                continue
            missing = {"null": ("truncate", "append"), "mmap": ("rmw",)}.get(api, ())
            kinds = [kind for kind in ALL if kind not in missing]
            with self.subTest(api=api):
                phase, outcome = self.load(",".join(f"{kind}:1" for kind in kinds), f"--api={api}", "--items=100",
                                           "--branch=2", "--depth=1", "--item-bytes=8k",
                                           f"--operation-limit={100 * len(kinds)}", tasks=2)
                self.assertEqual((phase["status"], phase["load"]["failed_operations"]), ("complete", 0), outcome.out)
                for kind in kinds:
                    self.assertAlmostEqual(self.count(phase, kind), 200, delta=40, msg=kind)
                self.assert_no_items()

    def test_operations_on_data_and_on_items_are_mixed(self):
        phase, outcome = self.load(EDA, "--operation-limit=1000", "--check-read", "-i", "2", tasks=2)
        self.assertEqual((phase["load"]["operations"], phase["load"]["failed_operations"]), (2000, 0))
        self.assertEqual([self.count(phase, kind) for kind in ("write", "read", "read_file", "create", "mkdir")],
                         [300, 160, 140, 40, 20])
        self.assertEqual(phase["load"]["verification"]["wrong_bytes"], 0)
        self.assertEqual(phase["load"]["bytes"], 4096 * (300 + 160 + 200 + 140 + 40))
        self.assertEqual([name for name, _, _ in outcome.phases()], ["write", "load", "load"])
        self.assertRegex(outcome.out, "2 files of 4 MiB")
        self.assert_no_items()

    def test_at_a_rate_each_operation_has_a_response_time(self):
        phase, _ = self.load("stat:60,open:20,create:10,unlink:10", "--rate=500", "--duration=2", tasks=2)
        self.assertEqual(phase["load"]["operations"] + phase["load"]["unfinished"], 1000)
        self.assertEqual(phase["operations"]["response"]["count"], 1000)
        self.assertEqual(phase["load"]["asked_operations_per_s"], 500)

    def test_members_of_a_set_may_have_items(self):
        with open(os.path.join(self.folder, "job.ior"), "w", encoding="utf-8") as job:
            job.write("TOGETHER START\n"
                      "LOAD START\nname=a, numTasks=1, testFile=a, items=50, operations=stat:3,create:1, "
                      "operationLimit=100\nRUN\nLOAD STOP\n"
                      "LOAD START\nname=b, numTasks=1, testFile=b, fileSize=1m, operationLimit=100\nRUN\nLOAD STOP\n"
                      "TOGETHER STOP\n")
        outcome = self.run_iorx(["-f", "job.ior"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual([test["phases"][-1]["load"]["operations"] for test in outcome.document["tests"]], [100, 100])
        self.assert_no_items()


class WhatFails(Items):
    def test_a_failure_is_counted_by_errno_and_the_load_goes_on(self):
        for operation, after in ("stat", 100), ("create", 250), ("remove", 50), ("chmod", 50):
            with self.subTest(operation=operation):
                phase, outcome = self.load("stat:50,create:20,unlink:20,chmod:10", "--operation-limit=1000",
                                           "--item-bytes=0", f"--fault.operation={operation}",
                                           "--fault.error=EACCES", f"--fault.after={after}",
                                           "--fault.count=3", "-i", "2", tasks=1, exit_code=1)
                self.assertEqual((phase["status"], phase["load"]["errors"]), ("failed", {"EACCES": 3}))
                self.assertEqual(phase["load"]["operations"], 997)
                self.assertEqual(len(list(outcome.phases())), 2)
                self.assertIn("3 failed: Permission denied", outcome.out)
                self.assert_no_items()

    def test_data_that_fails_ends_the_phase(self):
        phase, _ = self.load("stat:50,write:50", "--operation-limit=1000", "--fault.operation=write",
                             "--fault.after=300", exit_code=1)
        self.assertEqual(phase["status"], "failed")
        self.assertLess(phase["load"]["operations"], 700)
        self.assert_no_items()

    def test_wrong_data_in_a_small_file_is_a_failure(self):
        phase, outcome = self.load("read_file:100", "--operation-limit=100", "--check-read", "--fault.operation=read",
                                   "--fault.kind=corrupt", "--fault.after=20", exit_code=1)
        self.assertEqual(phase["load"]["failed_operations"], 1)
        self.assertIn("the data is not what was written", outcome.out + outcome.err)

    def test_items_that_cannot_be_made_end_the_test(self):
        phase, outcome = self.load("stat:1", "--fault.operation=write", "--fault.error=ENOSPC", "--fault.after=20",
                                   tasks=2, exit_code=1)
        self.assertNotEqual(phase["status"], "complete")
        self.assertIn("No space left on device", outcome.err)
        self.assert_no_items()

    def test_files_of_others_stay(self):
        os.makedirs(os.path.join(self.folder, "d", "test-dir.0-0"))
        kept = os.path.join(self.folder, "d", "test-dir.0-0", "mine")
        with open(kept, "w", encoding="utf-8"):
            pass
        outcome = self.run_iorx(["load", "--operations=stat:1", "--dir=d", "--operation-limit=10"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "dir: d/test-dir.0-0 is there and not empty")
        self.assertTrue(os.path.exists(kept))

    @needs_root
    def test_a_link_of_another_user_is_not_followed(self):
        other, link = os.path.join(self.folder, "other"), os.path.join(self.folder, "testFile.items")
        os.mkdir(other)
        os.symlink("other", link)
        os.lchown(link, 65534, 65534)
        outcome = self.run_iorx(["load", "--operations=stat", "--items=5", "--operation-limit=10"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "dir: testFile.items is a symbolic link of another user")
        self.assertEqual(os.listdir(other), [])
        self.load("stat:100", "--operation-limit=10", "--dir=testFile.items")
        os.lchown(link, os.geteuid(), os.getegid())
        self.load("stat:100", "--operation-limit=10")

    def test_what_cannot_be_done_is_refused(self):
        for arguments, text in ((["--operations=stat:1", "--api=uring", "--queue-depth=4"],
                                 "queue_depth: operations on names and small files are made one at a time"),
                                (["--operations=unlink:1,stat:9"], "operations: more unlink than create"),
                                (["--operations=chmod:1", "--api=mpiio"], "api: mpiio cannot do chmod"),
                                (["--operations=stat:1", "--byte-rate=1m"], "byte_rate: operations on names"),
                                (["--operations=stat:1,read:1", "--passes=1"], "passes: operations on names"),
                                (["--operations=statt:1"], "did you mean stat?")):
            with self.subTest(arguments=arguments):
                if "--api=uring" in arguments and not is_built_in("uring"):
                    continue
                outcome = self.run_iorx(["load", *arguments])
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, text)


if __name__ == "__main__":
    unittest.main()
