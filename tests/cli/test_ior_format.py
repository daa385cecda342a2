"""--format=ior: what scripts for IOR take apart, by their patterns and by the programs themselves."""

import json
import os
import re
import shutil
import subprocess
import unittest

from program import IORX, Case, read

NUMBER = r"(\d+\.\d{2})"
TIME = r"(\d+\.\d{6})"
ROW = re.compile(rf"^(write|read)\s+{NUMBER}\s+{NUMBER}\s+{TIME}\s+(\d+)\s+{NUMBER}\s+{TIME}\s+{TIME}"
                 rf"\s+{TIME}\s+{TIME}\s+(\d+)$", re.M)
# Patterns seen in the wild.
MAX = {kind: re.compile(rf"^Max {kind}:\s+(\S+) MiB/sec", re.M) for kind in ("Write", "Read")}
SUMMARY = ("Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)"
           "     StdDev    Mean(s) Stonewall(s) Stonewall(MiB) Test# #Tasks tPN reps fPP reord"
           " reordoff reordrand seed segcnt   blksiz    xsize aggs(MiB)   API RefNum")
JUBE = shutil.which("jube")
REFRAME = os.environ.get("REFRAME") or shutil.which("reframe")


def access_seconds(phase):
    """IOR's wr/rd(s), which holds the syncs."""
    return phase["intervals"]["durable_s"] or phase["intervals"]["transfer_s"]


class Form(Case):
    def text(self, *arguments, tasks=1):
        outcome = self.run_iorx([*arguments, "--format=ior"], tasks)
        self.assert_exit(outcome, 0)
        return outcome.out, outcome

    def fields(self, out):
        return dict(re.match(r"(.{20}): (.*)", line).groups() for line in out.splitlines()
                    if line[20:22] == ": ")

    def test_head_and_options(self):
        out, _ = self.text("-a", "null", "-b", "3m", "-t", "1536k", "-s", "2", "-C", "-F", tasks=2)
        self.assertRegex(out, r"\AIOR-4\.1\.0\+iorx-\S+: MPI Coordinated Test of Parallel I/O\n")
        found = {name.rstrip(): value for name, value in self.fields(out).items()}
        self.assertEqual({key: found[key] for key in (
            "TestID", "Path", "api", "test filename", "access", "type", "segments",
            "ordering in a file", "ordering inter file", "nodes", "tasks", "clients per node",
            "repetitions", "xfersize", "blocksize", "aggregate filesize")}, {
                "TestID": "0", "Path": "testFile", "api": "DUMMY", "test filename": "testFile",
                "access": "file-per-process", "type": "independent", "segments": "2",
                "ordering in a file": "sequential", "ordering inter file": "constant task offset",
                "nodes": "1", "tasks": "2", "clients per node": "2", "repetitions": "1",
                "xfersize": "1.50 MiB", "blocksize": "3 MiB", "aggregate filesize": "12 MiB"})
        for name in "Began", "StartTime", "Finished":
            self.assertRegex(found[name], r"^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$")
        self.assertIn(" -a null ", found["Command line"])
        self.assertTrue(out.splitlines()[-1].startswith("Finished            : "))

    def test_rows_have_decimals_at_any_speed(self):
        for options in (["-b", "64", "-t", "8"], ["-b", "1t", "-t", "1t"],
                        ["-b", "47008", "-t", "47008"]):
            with self.subTest(options=options):
                out, _ = self.text("-a", "null", *options)
                self.assertEqual([row[0] for row in ROW.findall(out)], ["write", "read"])

    def test_the_numbers_are_those_of_the_results(self):
        for options in [], ["-w", "-r", "-W", "-e"], ["-Y"]:
            with self.subTest(options=options):
                self.check_numbers(*self.text("-b", "1m", "-t", "256k", "-i", "3", *options, tasks=2))

    def check_numbers(self, out, outcome):
        self.assertNotIn("\nverify ", out)
        rows = ROW.findall(out)
        self.assertEqual([(row[0], int(row[-1])) for row in rows],
                         [(kind, i) for i in range(3) for kind in ("write", "read")])
        best = {"Write": 0, "Read": 0}
        for row in rows:
            phase = outcome.phase(row[0], int(row[-1]))
            rate = phase["rates"]["total_bytes_per_s"] / 2**20
            self.assertAlmostEqual(float(row[1]), rate, delta=0.006)
            access = access_seconds(phase)
            self.assertAlmostEqual(float(row[2]), phase["data"]["transfers"] / access, delta=0.006)
            self.assertEqual((row[4], row[5]), ("1024", "256.00"))
            spans = phase["intervals"]
            for value, told in zip(row[6:10], (spans["open_s"], access, spans["close_s"], spans["total_s"])):
                self.assertAlmostEqual(float(value), told, delta=6e-7)
            best[row[0].capitalize()] = max(best[row[0].capitalize()], rate)
        for kind, rate in best.items():
            self.assertAlmostEqual(float(MAX[kind].search(out)[1]), rate, delta=0.006)

    def test_rows_are_counted_without_warm_ups(self):
        out, _ = self.text("-a", "null", "-b", "64k", "-t", "64k", "--warmup=1", "-i", "2")
        self.assertEqual([(row[0], row[-1]) for row in ROW.findall(out)],
                         [("write", "0"), ("read", "0"), ("write", "1"), ("read", "1")])

    def test_the_removal_of_files_has_a_row_with_v(self):
        removal = re.compile(r"^remove(?:\s+-){8}\s+(\d+\.\d{6})\s+(\d+)$", re.M)
        slow = ["--fault.operation=remove", "--fault.kind=stall", "--fault.stall=0.1", "--fault.count=0"]
        lines = ["-b", "64k", "-t", "64k", "--warmup=1", "-i", "2"]
        for layout in [], ["-F"]:
            out, outcome = self.text(*lines, *layout, *slow, "-v", tasks=2)
            rows = removal.findall(out)
            self.assertEqual([row[1] for row in rows], ["0", "1"])
            total = outcome.document["tests"][0]["removal_s"]
            self.assertGreater(total, 0.3)  # with the warm-up's
            self.assertLess(sum(float(row[0]) for row in rows), total)
            self.assertEqual(re.findall(r"^(write|read|remove) ", out, re.M)[:6], ["write", "read", "remove"] * 2)
            self.assertEqual(len(ROW.findall(out)), 4)
        for quiet, known in (lines, True), ([*lines, "-k", "-v"], False), (["-a", "null", "-v"], False):
            out, outcome = self.text(*quiet)
            self.assertNotIn("\nremove ", out)
            self.assertEqual(outcome.document["tests"][0]["removal_s"] is not None, known)

    def test_the_summary_has_all_tests(self):
        script = os.path.join(self.folder, "two.ior")
        with open(script, "w", encoding="ascii") as file:
            file.write("IOR START\napi=DUMMY\nrefNum=7\nRUN\nwriteFile=1\nsegmentCount=3\nRUN\n"
                       "IOR STOP\n")
        out, _ = self.text("-f", script, tasks=2)
        tail = out.partition("Summary of all tests:\n")[2].splitlines()
        self.assertEqual(tail[0], SUMMARY)
        columns = tail[0].split()
        rows = [dict(zip(columns, line.split())) for line in tail[1:-1]]
        self.assertEqual([(row["Operation"], row["Test#"], row["segcnt"]) for row in rows],
                         [("write", "0", "1"), ("read", "0", "1"), ("write", "1", "3")])
        for row in rows:
            self.assertEqual((row["#Tasks"], row["API"], row["RefNum"], row["xsize"]),
                             ("2", "DUMMY", "7", "262144"))
        self.assertEqual(out.count("Options: \n"), 2)

    def test_what_must_not_be_believed_is_said_elsewhere(self):
        out, outcome = self.text("-b", "1m", "-t", "256k")
        if any(verdict["severity"] == "fail" for verdict in outcome.phase("read")["verdicts"]):
            self.assertIn("iorx: warning: read 0: ", outcome.err)
        self.assertNotIn("verdict", out)

    def test_a_load_has_the_form_of_iorx(self):
        outcome = self.run_iorx(["load", "--format=ior", "-a", "null", "--operation-limit=50"])
        self.assert_exit(outcome, 0)
        self.assertRegex(outcome.out, r"(?m)^load .* 50 +0$")
        self.assertNotRegex(outcome.out, r"(?m)^load +0\.00")

    def test_a_phase_that_failed_has_no_row(self):
        outcome = self.run_iorx(["-b", "64k", "-t", "4k", "--format=ior", "--fault.operation=write",
                                 "--fault.error=EIO"])
        self.assert_exit(outcome, 1)
        self.assertEqual(ROW.findall(outcome.out), [])
        self.assertNotIn("Max Write", outcome.out)


# Members that readers of IOR's JSON ask for: taken from such readers, and from published summaries.
RESULT = {"access", "bwMiB", "blockKiB", "xferKiB", "iops", "latency", "openTime", "wrRdTime", "closeTime", "totalTime"}
PARAMETERS = set("""testID refnum api platform testFileName deadlineForStonewall stoneWallingWearOut maxTimeDuration
    outlierThreshold options dryRun nodes memoryPerTask memoryPerNode tasksPerNode repetitions multiFile interTestDelay
    fsync fsyncperwrite useExistingTestFile uniqueDir singleXferAttempt readFile writeFile filePerProc reorderTasks
    reorderTasksRandom reorderTasksRandomSeed randomOffset checkWrite checkRead dataPacketType keepFile
    keepFileWithError warningAsErrors verbose setTimeStampSignature/incompressibleSeed collective segmentCount
    transferSize blockSize""".split()) | {"data packet type"}
SUMMARIES = set("""operation API TestID ReferenceNumber segmentCount blockSize transferSize numTasks tasksPerNode
    repetitions filePerProc reorderTasks taskPerNodeOffset reorderTasksRandom reorderTasksRandomSeed bwMaxMIB bwMinMIB
    bwMeanMIB bwStdMIB OPsMax OPsMin OPsMean OPsSD MeanTime xsizeMiB""".split())
CSV = "access,bw(MiB/s),IOPS,Latency,block(KiB),xfer(KiB),open(s),wr/rd(s),close(s),total(s),numTasks,iter"


class Summary(Case):
    def check(self, summary, outcome):
        test, = summary["tests"]
        self.assertEqual(set(test["Parameters"]), PARAMETERS)
        self.assertEqual((test["Options"]["tasks"], test["Options"]["xfersize"]), (2, "256 KiB"))
        self.assertEqual([set(result) for result in test["Results"]], 4 * [RESULT])
        self.assertEqual([result["access"] for result in test["Results"]], 2 * ["write", "read"])
        for result, (name, repetition, _) in zip(test["Results"], outcome.phases()):
            phase = outcome.phase(name, repetition)
            self.assertEqual(result["bwMiB"], phase["rates"]["total_bytes_per_s"] / 2**20)
            self.assertEqual(result["wrRdTime"], access_seconds(phase))
            self.assertEqual(result["iops"], phase["data"]["transfers"] / access_seconds(phase))
        for row, name in zip(summary["summary"], ("write", "read")):
            self.assertEqual((set(row), row["operation"]), (SUMMARIES, name))
            rates = [result["bwMiB"] for result in test["Results"] if result["access"] == name]
            self.assertEqual((row["bwMaxMIB"], row["bwMinMIB"]), (max(rates), min(rates)))
            self.assertAlmostEqual(row["bwMeanMIB"], sum(rates) / 2, delta=1e-6 * max(rates))

    def test_json_stands_on_standard_output_or_in_the_file(self):
        outcome = self.run_iorx(["-b", "1m", "-i", "2", "-e", "-O", "summaryFormat=JSON"], tasks=2)
        self.assert_exit(outcome, 0)
        self.check(json.loads(outcome.out), outcome)
        for _ in range(2):  # The second run replaces the file.
            outcome = self.run_iorx(["-b", "1m", "-i", "2", "-O", "summaryFormat=JSON,summaryFile=s.out",
                                     "--format=ior"], tasks=2)
            self.assert_exit(outcome, 0)
            self.assertIn("Max Write", outcome.out)
            self.check(json.loads(read(os.path.join(self.folder, "s.out"))), outcome)

    def test_csv_has_a_row_for_each_phase(self):
        outcome = self.run_iorx(["-b", "1m", "-i", "2", "-W", "-w", "-r", "-e", "-O", "summaryFormat=CSV"], tasks=2)
        self.assert_exit(outcome, 0)
        head, *rows = outcome.out.splitlines()
        self.assertEqual(head, CSV)
        self.assertEqual([row.split(",")[::11] for row in rows],
                         [[name, i] for i in "01" for name in ("write", "read")])
        for row in rows:
            cells = row.split(",")
            phase = outcome.phase(cells[0], int(cells[-1]))
            self.assertEqual(len(cells), 12)
            self.assertAlmostEqual(float(cells[2]), phase["data"]["transfers"] / access_seconds(phase), delta=6e-5)
            self.assertAlmostEqual(float(cells[7]), access_seconds(phase), delta=6e-7)

    def test_another_file_is_not_replaced(self):
        with open(os.path.join(self.folder, "s.json"), "w", encoding="ascii") as file:
            file.write('{"Version": "1.0"}\n')
        self.assert_exit(self.run_iorx(["-a", "null", "--format=ior", "--summary-file=s.json"]), 2)

    def test_metadata_tests_have_none(self):
        outcome = self.run_iorx(["mdtest", "-a", "null", "-n", "1", "--summary-format=JSON"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "summary_format: IOR's summary", "has no metadata tests")

    def test_loads_beside_data_tests_are_left_out(self):
        with open(os.path.join(self.folder, "job.ior"), "w", encoding="ascii") as file:
            file.write("IOR START\napi = null, blockSize = 1m\nRUN\nIOR STOP\n"
                       "LOAD START\ntestFile = load, fileSize = 64k, sizes = 4k, operationLimit = 9, duration = 0\n"
                       "RUN\nLOAD STOP\n")
        outcome = self.run_iorx(["-f", "job.ior", "-O", "summaryFormat=JSON,summaryFile=s.out", "--format=ior"])
        self.assert_exit(outcome, 0)
        summary = json.loads(read(os.path.join(self.folder, "s.out")))
        self.assertEqual([test["TestID"] for test in summary["tests"]], [0])


class InPlaceOfIor(Case):
    """A site puts a link named ior or mdtest into the path, and options into the environment."""

    def link(self, name):
        os.symlink(IORX, os.path.join(self.home, name))
        return os.path.join(self.home, name)

    def test_the_name_of_a_link_gives_the_form(self):
        ior = self.link("ior")
        outcome = self.run_iorx(["-a", "null"], program=ior)
        self.assert_exit(outcome, 0)
        self.assertTrue(outcome.out.startswith("IOR-4.1.0+iorx-"), outcome)
        outcome = self.run_iorx(["-a", "null", "--format=text"], program=ior)
        self.assertTrue(outcome.out.startswith("iorx "), outcome)
        outcome = self.run_iorx(["-a", "null", "-n", "1"], program=self.link("mdtest"))
        self.assert_exit(outcome, 0)
        self.assertIn("SUMMARY rate", outcome.out)

    def test_options_of_the_environment_are_task_0s_and_are_shown(self):
        program = os.path.join(self.home, "started")
        with open(program, "w", encoding="ascii") as file:
            file.write('#!/bin/sh\n[ "${PMIX_RANK:-$PMI_RANK}" = 0 ] || IORX_OPTIONS=-b=2m\n'
                       f'exec {IORX} "$@"\n')
        os.chmod(program, 0o755)
        outcome = self.run_iorx(["-a", "null", "-i", "2"], 2, program=program,
                                environment={"IORX_OPTIONS": "-b 512k -i 3"})
        self.assert_exit(outcome, 0)
        run, test = outcome.document["run"], outcome.document["tests"][0]
        self.assertEqual(run["iorx_options"], "-b 512k -i 3")
        self.assertEqual(test["options"]["block_size"], {"value": 512 << 10, "unit": "bytes",
                                                         "origin": "environment", "where": "environment"})
        self.assertEqual(test["options"]["repetitions"]["value"], 2)
        self.assertRegex(" ".join(outcome.out.split()), "command IORX_OPTIONS='-b 512k -i 3' ")

    def test_results_that_nobody_asked_for_may_be_missing(self):
        outcome = self.run_iorx(["-a", "null"], output=False, folder="/proc")
        self.assert_exit(outcome, 0)
        self.assertEqual(len(outcome.messages("warning")), 1, outcome)
        self.assertRegex(outcome.messages("warning")[0], r"^there is no result file: output: iorx-\S+ cannot be made")
        self.assertRegex(outcome.out, r"(?m)^read")
        self.assert_exit(self.run_iorx(["-a", "null", "--output=a.json"], output=False, folder="/proc"), 2)

    def test_output_none_leaves_nothing(self):
        outcome = self.run_iorx(["-o", "tested", "--output=none"], output=False)
        self.assert_exit(outcome, 0)
        self.assertEqual((os.listdir(self.folder), outcome.messages("warning")), ([], []))


@unittest.skipUnless(JUBE, "jube is not installed")
class Jube(Case):
    def test_jube_takes_the_numbers(self):
        with open(os.path.join(self.folder, "iorx.xml"), "w", encoding="ascii") as file:
            file.write(f"""<?xml version="1.0" encoding="UTF-8"?>
<jube><benchmark name="iorx" outpath="runs">
<parameterset name="sizes"><parameter name="transfer">64k,256k</parameter></parameterset>
<step name="run"><use>sizes</use>
<do>{IORX} -b 1m -t $transfer -i 2 --format=ior --output=result.json</do></step>
<patternset name="numbers">
<pattern name="best" type="float">^Max Write:\\s+(\\S+) MiB/sec</pattern>
<pattern name="row" type="float">^read\\s+$jube_pat_fp\\s+$jube_pat_nfp\\s+$jube_pat_nfp\\s+$jube_pat_nint\\s+$jube_pat_nfp\\s+$jube_pat_nfp\\s+$jube_pat_nfp\\s+$jube_pat_nfp\\s+$jube_pat_nfp\\s+$jube_pat_nint</pattern>
<pattern name="xfersize">xfersize\\s+: $jube_pat_wrd</pattern>
</patternset>
<analyser name="look"><use>numbers</use><analyse step="run"><file>stdout</file></analyse></analyser>
<result><use>look</use><table name="table" style="csv"><column>transfer</column><column>best</column>
<column>row_cnt</column><column>row_max</column><column>xfersize</column></table></result>
</benchmark></jube>""")
        for command in (["run", "iorx.xml"], ["result", "runs", "-a"]):
            done = subprocess.run([JUBE, *command], cwd=self.folder, capture_output=True, text=True,
                                  check=False, timeout=300)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = re.findall(r"^(\d+k),([\d.]+),(\d),([\d.]+),(\d+)$", done.stdout, re.M)
        self.assertEqual([(row[0], row[2], row[4]) for row in rows],
                         [("64k", "2", "64"), ("256k", "2", "256")], done.stdout)
        for row in rows:
            self.assertGreater(float(row[1]), 0)
            self.assertGreater(float(row[3]), 0)


@unittest.skipUnless(REFRAME, "ReFrame is not installed; REFRAME names its program in a venv")
class ReFrame(Case):
    def test_reframe_takes_the_numbers(self):
        path = os.path.join(self.folder, "check.py")
        with open(path, "w", encoding="ascii") as file:
            file.write(f"""import reframe as rfm
import reframe.utility.sanity as sn

@rfm.simple_test
class IorCheck(rfm.RunOnlyRegressionTest):
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "{IORX}"
    executable_opts = ["-b", "1m", "-t", "256k", "--format=ior", "--output=result.json"]

    @sanity_function
    def finished(self):
        return sn.assert_found(r"^Finished\\s+:", self.stdout)

    @performance_function("MiB/s")
    def write_bw(self):
        return sn.extractsingle(r"^Max Write:\\s+(\\S+) MiB/sec", self.stdout, 1, float)

    @performance_function("MiB/s")
    def read_bw(self):
        return sn.extractsingle(
            r"^read\\s+(\\S+)\\s+(\\S+)\\s+(\\S+)\\s+\\d+\\s+(\\S+)(\\s+\\d+\\.\\d+){{4}}\\s+\\d+$",
            self.stdout, 1, float)
""")
        done = subprocess.run([REFRAME, "-c", path, "-r", "--prefix", self.folder + "/rfm",
                               "--performance-report"], cwd=self.folder, capture_output=True,
                              text=True, check=False, timeout=300,
                              env={**os.environ, "HOME": self.home})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("PASSED", done.stdout)
        for name in "write_bw", "read_bw":
            self.assertRegex(done.stdout, name)


if __name__ == "__main__":
    unittest.main()
