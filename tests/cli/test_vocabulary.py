"""IOR's flags, keys and forms, each in the real program, and the lines people run."""

import os
import re
import unittest

import program
import tracing
from program import Case

NULL = ["-a", "DUMMY"]


class Flags(Case):
    def planned(self, *arguments, tasks=1):
        outcome = self.run_iorx([*arguments, "--dry-run"], tasks)
        self.assert_exit(outcome, 0)
        return " ".join(outcome.out.split())

    def test_all_forms_of_a_value(self):
        for form in (["-b", "4k"], ["-b=4k"], ["-b4k"], ["--block-size", "4k"], ["--blockSize=4k"],
                     ["--block_size=4096"], ["-O", "blockSize=4k"], ["-O=blocksize=4k"],
                     ["-kb4k"], ["-wkb", "4k"]):
            with self.subTest(form=form):
                said = self.planned(*NULL, *form, "-t", "1k")
                self.assertIn("4 KiB a task in 4 transfers of 1 KiB", said)

    def test_groups_and_repeated_flags(self):
        outcome = self.run_iorx([*NULL, "-wk", "-vvv", "-v", "-b", "4k", "-t", "4k", "-rZZ"])
        self.assert_exit(outcome, 0)
        document = outcome.document
        options = document["tests"][0]["options"]
        self.assertEqual(document["run"]["options"]["verbose"]["value"], 4)
        self.assertEqual(options["reorder_tasks_random"]["value"], 2)
        for name in "write_file", "read_file", "keep_file":
            self.assertIs(options[name]["value"], True)

    def test_interfaces_have_the_names_of_ior(self):
        for name, ours in (("posix", "posix"), ("POSIX", "posix"), ("Dummy", "null"),
                           ("null", "null")):
            outcome = self.run_iorx(["-a", name, "-b", "4k", "-t", "4k"])
            self.assert_exit(outcome, 0)
            self.assertEqual(outcome.document["tests"][0]["backend"], ours)

    def test_refusals_are_sentences(self):
        for arguments, tasks, text in (
                (["-C", "-Z"], 2, "reorder_tasks (-C) shifts by a fixed distance"),
                (["-t", "300k"], 1, "300KiB does not divide block_size 1MiB"),
                (["--num-nodes=7"], 2, "num_nodes: 7 is given, but the 2 tasks of the test run on 1"),
                (["--numTasksOnNode0=1"], 2, "num_tasks_on_node_0: 1 is given, but 2 tasks"),
                (["-M", "x"], 1, "memory_per_node"),
                (["-M", "1EiB"], 1, "do not fit into the"),
                (["--memory-per-task=999t"], 1, "memory_per_task: "),
                (["-P"], 1, "tasks that share a file pointer wait for one another"),
                (["--lustreStripeCount=4"], 1, "iorx does not set stripes"),
                (["--posix.lustre.stripesize=1m"], 1, "iorx does not set stripes"),
                (["--gpuDirect"], 1, "gpuDirect: iorx moves data from and to main memory only"),
                (["-O", "allocateBufferOnGPU=1"], 1, "allocateBufferOnGPU: iorx moves data"),
                (["-O", "gpfsHintAccess=1"], 1, "gpfsHintAccess: iorx gives no hints to GPFS"),
                (["--posix.gpfs.releasetoken"], 1, "gpfsReleaseToken: iorx gives no hints to GPFS"),
                (["mdtest", "-n", "2", "--allocateBufferOnGPU=1"], 1, "allocateBufferOnGPU: iorx moves data"),
                (["health"], 2, "iorx health starts the launcher itself; leave out mpirun"),
                (["md-workbench"], 1, "a mixed metadata test replaces it: iorx mdtest -n 1000 -F --mix=create:15")):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(arguments, tasks)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, text)
                self.assertEqual(os.listdir(self.folder), [])

    def test_keys_that_iorx_lacks_may_be_off(self):
        for arguments in (
                ["-O", "useSharedFilePointer=0,lustreStripeCount=0,lustreStartOST=-1,"
                       "storeFileOffset=0,showHelp=0,hintsFileName=,useO_DIRECT=0"],
                ["-O", "savePerOpDataCSV=,randomPrefill=0,lustreIgnoreLocks=0,interIODelay=0.0,singleXferAttempt=no"],
                ["--useSharedFilePointer", "0", "-P", "0", "-x=0", "--lustreStripeSize=0k"],
                ["-O", "GPUid=0,gpuDirect=0,allocateBufferOnGPU=0,gpfsHintAccess=0,gpfsReleaseToken=0"],
                ["-O", "mmap.madv_pattern=0,mmap.madv_dont_need=0,mpiio.useStridedDatatype=0,aio.granularity=1"],
                ["-P0", "--storeFileOffset=false"]):
            with self.subTest(arguments=arguments):
                self.assertIn("4 KiB a task", self.planned(*arguments, *NULL, "-b", "4k", "-t",
                                                              "4k"))

    def test_a_refused_value_shows_its_letter(self):
        for arguments, text in ((["-J", "0"], "command line: -J 0: hdf5.set_alignment: 0 is too small"),
                                (["-B=x"], 'command line: -B x: posix.direct: "x" is not')):
            outcome = self.run_iorx(arguments)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, text)

    def test_options_of_other_backends_have_no_effect(self):
        for api, options, unused in (
                ("null", ["--posix.direct"], ["posix.direct"]),
                ("posix", ["--mpiio.preallocate", "-O", "null.delay-xfer=1,posix.direct=0"],
                 ["null.delay_xfer", "mpiio.preallocate"]),
                ("posix", ["--fault.kind=stall"], []),
                ("null", ["--posix.direct=0", "-O", "preallocate=0"], [])):
            with self.subTest(api=api, options=options):
                outcome = self.run_iorx(["-a", api, "-w", "-b", "4k", "-t", "4k", *options])
                self.assert_exit(outcome, 0)
                self.assertEqual([line for line in outcome.err.splitlines() if "no effect" in line],
                                 [f"iorx: warning: {name} has no effect: no test uses "
                                  f"{name.partition('.')[0]}" for name in unused])
                for name in unused:
                    self.assertNotIn(name, re.search(r"(?s)\ntest 0.*", outcome.out)[0])

    def test_more_tasks_than_there_are_and_keys_of_other_backends_warn_as_in_ior(self):
        outcome = self.run_iorx(["-N", "9", "-u", "-U", "hints", "-O", "useFileView=1,noFill=1", "-b", "4k", "-t", "4k",
                                 "-w", "-k"], 2)
        self.assert_exit(outcome, 0)
        self.assertCountEqual([message for message in outcome.messages("warning") if "the results" not in message], [
            "num_tasks: 9 tasks are wanted but the job has 2; all of them take part",
            "unique_dir has no effect: no test uses file_per_proc (-F)",
            "hintsFileName has no effect: it is for mpiio, hdf5, pnetcdf, and no test uses one of them",
            "useFileView has no effect: it is for mpiio, and no test uses it",
            "noFill has no effect: it is for hdf5, and no test uses it"])
        self.assertEqual(os.path.getsize(os.path.join(self.folder, "testFile")), 8192)

    def test_names_of_backends_options_that_ior_has(self):
        line = ["-w", "-b", "64k", "-t", "4k", "-s", "2"]
        for api, arguments, option, value in (
                ("mpiio", ["--mpiio.useStridedDatatype"], "strided", True),
                ("mmap", ["--mmap.madv_pattern"], "mmap.madvise", "pattern"),
                ("libaio", ["--aio.max-pending=8", "--aio.granularity=4"], "queue_batch", 4)):
            with self.subTest(api=api):
                if not program.is_built_in(api):
                    continue
                outcome = self.run_iorx(["-a", api, *line, *arguments])
                self.assert_exit(outcome, 0)
                self.assertEqual(outcome.document["tests"][0]["options"][option]["value"], value)

    def test_names_that_do_nothing_here_are_told_once(self):
        per_task = "has no effect; --task-table=FILE writes the times of each task"
        with open(os.path.join(self.folder, "job.ior"), "w", encoding="utf-8") as job:
            job.write("IOR START\napi=null\nmmap.madv_dont_need=1\nRUN\nRUN\nIOR STOP\n")
        for arguments, warnings in (
                (["-f", "job.ior", "--mmap.madv_dont_need"], [
                    "mmap.madv_dont_need has no effect; with mmap.madvise=dontneed the pages of each transfer are given "
                    "back after it"]),
                (["mdtest", "-n", "2", "--print-all-procs", "--showRankStatistics"],
                 ["print-all-procs " + per_task, "showRankStatistics " + per_task]),
                (["mdtest", "-n", "2", "--print-all-procs=0"], [])):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(arguments)
                self.assert_exit(outcome, 0)
                self.assertEqual([text for text in outcome.messages("warning") if "no effect" in text], warnings)

    def test_options_that_need_another_have_no_effect(self):
        for options, unused in (
                (["-X", "3", "-Q2"], ["task_per_node_offset has no effect: no test uses "
                                      "reorder_tasks (-C)",
                                      "reorder_random_seed has no effect: no test uses "
                                      "reorder_tasks_random (-Z)"]),
                (["--random-offset-seed=2", "--cold-command=true"],
                 ["random_offset_seed has no effect: no test uses random_offset (-z)",
                  "cold_command has no effect: no test uses cold=command"]),
                (["--precision=4%", "--content-dedup-block=8k"],
                 ["precision has no effect: no test uses repetitions=auto",
                  "content_dedup_block has no effect: no test uses content_dedup"]),
                (["-X3", "-Z", "-Q1", "-z", "--random-offset-seed=1", "--precision=5%"], []),
                (["-Q2", "-C", "--cold-command=true", "--cold=command", "-i8", "--precision=9%",
                  "--content-dedup-block=8k", "--content-dedup=2"], [])):
            with self.subTest(options=options):
                outcome = self.run_iorx(["-b", "4k", "-t", "4k", *options])
                self.assert_exit(outcome, 0)
                self.assertEqual([message for message in outcome.messages("warning")
                                  if "no effect" in message], unused)

    def test_options_of_metadata_tests_that_need_another_have_no_effect(self):
        moves, files, items = ("moves data of files (-w, -e)", "has files as items",
                               "has items, as a find alone walks what is there")
        os.mkdir(os.path.join(self.folder, "there"))
        for options, unused in (
                ("-n 4 -s 2 -t -G 5 --random-seed=3 --content-compress=50%",
                 {"content_seed": moves, "content_compress": moves, "task_step": "uses last_tasks (-l)",
                  "random_seed": "uses random (-R)", "time_unique_dir": "uses names=relative"}),
                ("-n 4 -D -w 10 -e 10 -y -G 5",
                 {"content_seed": moves, "write_bytes": files, "read_bytes": files, "fsync": files}),
                ("-n 4 -D -k", {"mknod": files}),
                ("--find -d there -W 3 -F -z 2 -b 2 -L -w 3 -e 3 -R -N 1 --names=relative -u -c -t --random-seed=1",
                 {"stonewall": "creates items (-C)", "random_seed": "uses random (-R)",
                  "time_unique_dir": "uses names=relative", "write_bytes": files, "read_bytes": files,
                  "files_only": items, "branch": items, "depth": items, "leaf_only": items, "unique_dir": items,
                  "stride": items, "random": items, "names": items, "collective_create": items}),
                ("-n 4 -F -C -W 60 --wear-out-limit=9 -f 1 -l 2 -s 1 -d kept", {}),
                ("-n 4 -F -T -r -W 60 --wear-out-limit=9 -d kept",
                 {"wear_out_limit": "has a wear-out (wear_out; in metadata tests -C with -W)",
                  "stonewall": "creates items (-C)"}),
                ("-n 4 -l 2 -s 2 -F -w 9 -e 9 -y -G 5 -N 1 -R --random-seed=3 --names=relative -t -W 60", {}),
                ("-n 4 -F --mix=stat:1,read:1 --random-seed=3", {})):
            with self.subTest(options=options):
                outcome = self.run_iorx(["mdtest", *options.split()])
                self.assert_exit(outcome, 0)
                self.assertCountEqual(
                    [message for message in outcome.messages("warning") if "no effect" in message],
                    [f"{name} has no effect: no test {what}" for name, what in unused.items()])
                if "-D" in options:
                    self.assertNotRegex(outcome.out, "bytes are written|an fsync|by mknod")

    def test_each_verdict_has_its_help(self):
        with open(os.path.join(program.SOURCE, "doc/measurement.md"), encoding="utf-8") as file:
            titles = re.findall(r"^\*\*([A-Z][0-9]), (.*?)\*\*", file.read(), re.M)
        self.assertIn("C1", dict(titles))
        for verdict, title in titles:
            outcome = self.run_iorx(["--help=" + verdict.lower()], output=False)
            self.assert_exit(outcome, 0)
            self.assertTrue(outcome.out.startswith(f"{verdict}, {title}"), outcome)
            self.assertNotIn("](", outcome.out)  # a link of the document
            self.assertLessEqual(max(map(len, outcome.out.splitlines())), 80)

    def test_columns_have_their_help(self):
        for topic, words in (("p99", "Rows of data: "), ("op/s", "Rows of metadata and loads: "), ("total", "total time"),
                             ("mib/s", "all bytes"), ("effic", "rate per task"),
                             ("open", "each last from the first task"), ("sync", "each last from the first task"),
                             ("close", "fault.operation"), ("phase", "timed by itself"), ("rep", "rep: the number of"),
                             ("slices", "equal time"), ("verdicts", "what rules say"), ("test", "what each task does"),
                             ("rate", "An option of iorx load: --rate=N")):
            outcome = self.run_iorx(["--help=" + topic], output=False)
            self.assert_exit(outcome, 0)
            self.assertIn(words, outcome.out)
            self.assertLessEqual(max(map(len, outcome.out.splitlines())), 80)

    def test_several_paths_without_a_file_per_task_say_what_they_want(self):
        outcome = self.run_iorx(["-w", "-o", "missing/a@missing/b"], 2, output=False)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "with a file for each task only (-F)")

    def test_a_test_of_many_shows_its_own_options(self):
        path = os.path.join(self.folder, "job.ior")
        with open(path, "w", encoding="utf-8") as file:
            file.write("IOR START\nwriteFile=1\nblockSize=4k\ntransferSize=4k\nposix.direct=1\n"
                       "null.delay-xfer=1\napi=POSIX\nRUN\napi=DUMMY\nRUN\nIOR STOP\n")
        outcome = self.run_iorx(["-f", path, "--null.delay-close=1"])
        self.assert_exit(outcome, 0)
        self.assertNotIn("no effect", outcome.err)
        first, second = (test["options"] for test in outcome.document["tests"])
        self.assertIs(first["posix.direct"]["value"], True)
        self.assertEqual(second["null.delay_xfer"]["origin"], "file")

    def test_said_placement_that_is_so_passes(self):
        for arguments in (["--num-nodes=1", "--num-tasks-on-node-0=3"],
                          ["-O", "numNodes=1,numTasksOnNode0=2,platform=linux,summaryAlways=1", "-N",
                           "2"], ["-O", "numNodes=-1,numTasksOnNode0=0"]):
            with self.subTest(arguments=arguments):
                self.assert_exit(self.run_iorx([*NULL, "-b", "4k", "-t", "4k", *arguments], 3), 0)

    def test_warnings_are_errors_when_asked_for(self):
        small = ["-w", "-b", "64k", "-t", "4k"]
        outcome = self.run_iorx(small)
        self.assert_exit(outcome, 0)
        severities = {verdict["severity"] for verdict in outcome.phase("write")["verdicts"]}
        self.assertIn("warn", severities)
        self.assertNotIn("fail", severities)
        self.assert_exit(self.run_iorx([*small, "--strict"]), 0)
        self.assert_exit(self.run_iorx([*small, "--warningAsErrors"]), 3)


# Keys of IOR that can stand together, none at its default, and what they set here.
KEYS = (
    ("refNum=3", "ref_num", 3), ("api=DUMMY", "api", "null"), ("blockSize=64k", "block_size", 65536),
    ("transferSize=4k", "transfer_size", 4096), ("segmentCount=2", "segment_count", 2),
    ("reorderTasksConstant=1", "reorder_tasks", True), ("taskPerNodeOffset=2", "task_per_node_offset", 2),
    ("reorderTasksRandomSeed=4", "reorder_random_seed", 4), ("randomOffset=1", "random_offset", 1),
    ("randomOffsetSeed=5", "random_offset_seed", 5), ("interTestDelay=0.1", "inter_test_delay", 0.1),
    ("deadlineForStonewalling=9", "stonewall", 9), ("stoneWallingWearOut=1", "wear_out", True),
    ("stoneWallingWearOutIterations=30", "wear_out_iterations", 30),
    ("stoneWallingStatusFile=st", "status_file", "st"), ("fsync=1", "fsync", True),
    ("fsyncPerWrite=1", "fsync_per_write", True), ("useExistingTestFile=1", "use_existing_test_file", True),
    ("keepFile=1", "keep_file", True), ("keepFileWithError=1", "keep_file_with_error", True),
    ("multiFile=1", "multi_file", True), ("uniqueDir=1", "unique_dir", True),
    ("filePerProc=1", "file_per_proc", True), ("intraTestBarriers=1", "intra_test_barriers", True),
    ("setTimeStampSignature=12", "content_seed", 12), ("repetitions=2", "repetitions", 2),
    ("outlierThreshold=7", "outlier_threshold", 7), ("dataPacketType=offset", "content", "offset"),
    ("memoryPerNode=1%", "memory_per_node", "1%"), ("memoryPerTask=1m", "memory_per_task", 1 << 20),
    ("numTasks=2", "num_tasks", 2), ("testFile=abc", "test_file", "abc"), ("writeFile=1", "write_file", True),
    ("readFile=1", "read_file", True), ("maxTimeDuration=5", "max_time_duration", 5),
    ("singleXferAttempt=1", "single_xfer_attempt", True), ("minTimeDuration=0.01", "min_time_duration", 0.01),
    ("interIODelay=5", "inter_io_delay", 5), ("numNodes=1", "num_nodes", 1),
    ("numTasksOnNode0=2", "num_tasks_on_node_0", 2),
)
# Of the whole job, or always so.
OF_THE_JOB = ("verbose=1", "summaryFile={}/s.csv", "summaryFormat=CSV", "summaryAlways=1",
              "saveRankPerformanceDetailsCSV={}/ranks.csv", "savePerOpDataCSV={}/ops", "platform=x",
              "quitOnError=1", "showHints=1", "dryRun=0", "warningAsErrors=0")


class Keys(Case):
    def test_each_sets_what_it_says(self):
        keys = [key for key, _, _ in KEYS]
        job = os.path.join(self.results, "job.ior")
        with open(job, "w", encoding="utf-8") as file:
            file.write("IOR START\n" + "\n".join([*keys, *OF_THE_JOB]).format(*[self.results] * 3) +
                       "\nRUN\nIOR STOP\n")
        for arguments in (["-O", ",".join(keys)], ["-f", job],
                          [f"--{key}" for key in keys]):
            outcome = self.run_iorx(arguments, 3)
            self.assert_exit(outcome, 0)
            options = outcome.document["tests"][0]["options"]
            self.assertEqual({name: options[name]["value"] for _, name, _ in KEYS},
                             {name: value for _, name, value in KEYS})
        self.assertTrue({"s.csv", "ranks.csv", "ops.00000000.csv", "ops.00000001.csv"} <=
                        set(os.listdir(self.results)))


class Scripts(Case):
    def run_script(self, script, *arguments, tasks=1):
        path = os.path.join(self.folder, "job.ior")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script)
        outcome = self.run_iorx(["-f", path, *arguments], tasks)
        self.assert_exit(outcome, 0)
        return [{name: option["value"] for name, option in test["options"].items()}
                for test in outcome.document["tests"]]

    def test_text_outside_and_no_end(self):
        tests = self.run_script("whatever = 3\nRUN\nior start\napi=DUMMY, blockSize=8k, transferSize=4k # a\n"
                           "  # a comment\n\nRUN # two\nrun\nsegmentCount = 2")
        self.assertEqual([test["segment_count"] for test in tests], [1, 1, 2])

    def test_interfaces_may_change(self):
        tests = self.run_script("IOR START\nblockSize=8k\ntransferSize=4k\napi=DUMMY\nRUN\napi=POSIX\n"
                           "--posix.odirect=0\nRUN\nIOR STOP\njunk\nIOR START\napi=DUMMY\nRUN\nIOR STOP\n")
        self.assertEqual([test["api"] for test in tests], ["null", "posix", "null"])
        self.assertEqual([test["block_size"] for test in tests], [8192, 8192, 2 ** 20])

    def test_flags_override_every_test_wherever_they_stand(self):
        tests = self.run_script("IOR START\napi=DUMMY\nblockSize=8k\ntransferSize=4k\nRUN\nblockSize=16k\n"
                           "RUN\nIOR STOP\n", "-b", "64k")
        self.assertEqual([test["block_size"] for test in tests], [65536] * 2)


class Memory(Case):
    def resident(self, *arguments, tasks=1):
        """The most that the tasks held together while they stood in a phase, bytes."""
        job = self.start_iorx([*NULL, "-w", "-b", "4k", "-t", "4k", "-i", "3", "-d", "0.4",
                               *arguments], tasks)
        job.wait_for_phase()
        held = sum(int(re.search(rb"VmRSS:\s+(\d+)", program.proc(pid, "status"))[1]) * 1024
                   for pid in job.tasks().values())
        outcome = job.wait()
        self.assert_exit(outcome, 0)
        return held, outcome

    def test_it_is_occupied(self):
        bare, _ = self.resident(tasks=2)
        node, outcome = self.resident("-M", "200m", tasks=2)
        self.assertAlmostEqual((node - bare) / 2 ** 20, 200, delta=30)
        self.assertEqual(outcome.document["tests"][0]["plan"]["memory_hog_per_node_bytes"], 200 * 2 ** 20)
        task, outcome = self.resident("--memoryPerTask=60m", tasks=2)
        self.assertAlmostEqual((task - bare) / 2 ** 20, 120, delta=30)

    def test_a_share_is_of_the_node(self):
        outcome = self.run_iorx([*NULL, "-b", "4k", "-t", "4k", "-M", "1%"])
        memory = outcome.document["run"]["environment"]["memory_bytes"]
        self.assertEqual(outcome.document["tests"][0]["plan"]["memory_hog_per_node_bytes"], memory // 100)


@unittest.skipIf(tracing.why_not(), tracing.why_not())
class DualMount(Case):
    def test_reads_go_by_the_second_path(self):
        for name in "first", "second":
            os.mkdir(os.path.join(self.home, name))
        second = os.path.join(self.home, "second")
        os.rmdir(second)
        os.symlink(os.path.join(self.home, "first"), second)
        for number, options in enumerate(([], ["-F"], ["-F", "-C"])):
            with self.subTest(options=options):
                tracer = tracing.Trace(os.path.join(self.results, f"trace{number}"))
                outcome = self.run_iorx(["-y", "-o", f"{self.home}/first/f@{second}/f", "-b", "8k", "-t",
                                         "4k", *options], 2, wrapper=tracer.wrapper)
                self.assert_exit(outcome, 0)
                opened = [(file.path.split("/")[-2], "O_RDWR" in file.flags)
                          for files in tracer.tasks(self.home) for file in files
                          if re.fullmatch(r"f(\.\d{8})?", file.path.split("/")[-1]) and
                          ("O_RDWR" in file.flags or file.path.startswith(second))]
                self.assertEqual({where for where, writes in opened if writes}, {"first"})
                self.assertIn(("second", False), opened)
                self.assertEqual(os.listdir(second), [])
                self.assertIn("readas" + second, "".join(outcome.out.split()))

    def test_what_is_compared_came_by_the_second_path(self):
        first, second = (os.path.join(self.home, name, "f") for name in ("first", "second"))
        for path in first, second:
            os.mkdir(os.path.dirname(path))
        small = ["-b", "8k", "-t", "4k", "-w"]
        self.assert_exit(self.run_iorx([*small, "-k", "-G", "5", "-o", second], 2), 0)
        outcome = self.run_iorx([*small, "-y", "-W", "-r", "-R", "-G", "6", "-o", f"{first}@{second}"], 2)
        self.assert_exit(outcome, 1)
        for name in "verify", "read":
            found = outcome.phase(name)["verification"]
            self.assertEqual((found["wrong_transfers"], set(found["kinds"])), (4, {"other run"}))
        os.unlink(second)
        os.symlink(first, second)
        outcome = self.run_iorx([*small, "-y", "-W", "-r", "-R", "-o", f"{first}@{second}"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(outcome.phase("read")["verification"]["wrong_bytes"], 0)


if __name__ == "__main__":
    unittest.main()
