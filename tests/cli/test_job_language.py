"""What a job file and the command line say, and what iorx answers when it does not understand."""

import csv
import os
import re
import unittest

import program
import check_schema
from program import Case, backends, is_built_in


class JobCase(Case):
    def put_job(self, text, name="job.ior"):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run_job(self, text, *arguments, tasks=1, **more):
        self.put_job(text)
        return self.run_iorx(["-f", "job.ior", *arguments], tasks, **more)

    def values(self, outcome, name):
        """The value of an option in each test."""
        return [test["options"][name]["value"] for test in outcome.document["tests"]]


class Scripts(JobCase):
    several = """\
text outside a block says nothing: blockSize = 7
ior start
    # every test takes over what stands before it
    api = null, blockSize = 8k   # a comment
    TRANSFERSIZE=4k
    repetitions=2
    RUN
    segmentCount=3
    writeFile=1
    RUN
    RUN

    api=POSIX
    refNum = 7
IOR STOP
segmentCount=9
"""

    def test_keys_of_ior_that_are_off_ask_for_nothing(self):
        outcome = self.run_job("IOR START\napi=null\ncollective=0\nrandomOffset = 0\n"
                               "checkWrite=no\nRUN\nIOR STOP\n")
        self.assert_exit(outcome, 0)

    def test_named_values_are_told_by_name(self):
        outcome = self.run_job("IOR START\napi=null\nncmpi.hint.cb_Nodes = 4, pnetcdf.hint.b=x y\n"
                               "RUN\nncmpi.hint.cb_Nodes = 8\nRUN\nIOR STOP\n")
        self.assert_exit(outcome, 0)
        self.assertEqual(self.values(outcome, "pnetcdf.hint"),
                         [{"cb_Nodes": "4", "b": "x y"}, {"cb_Nodes": "8", "b": "x y"}])
        check_schema.check_document(outcome.document_path)
        self.assertNotIn("pnetcdf.hint", outcome.out)  # null has no use for it

    def test_old_keys_belong_to_the_api(self):
        for value, warnings in ("hints.txt", ["hintsFileName has no effect: it is for mpiio, hdf5, pnetcdf, "
                                              "and no test uses one of them"]), ("", []):
            with self.subTest(value=value):
                outcome = self.run_job(f"IOR START\napi=null\nhintsFileName = {value}\n"
                                       "showHints=1\nRUN\nIOR STOP\n")
                self.assert_exit(outcome, 0)
                self.assertEqual([line for line in outcome.messages("warning") if "no effect" in line], warnings)

    def test_each_test_takes_over_what_stands_before_it(self):
        outcome = self.run_job(self.several, tasks=2)
        self.assert_exit(outcome, 0)
        expected = {
            "api": ["null", "null", "null", "posix"],
            "block_size": [8192] * 4,
            "transfer_size": [4096] * 4,
            "segment_count": [1, 3, 3, 3],
            "repetitions": [2] * 4,
            "write_file": [True] * 4,
            "read_file": [True, False, False, False],
            "ref_num": [0, 0, 0, 7],
        }
        for name, values in expected.items():
            self.assertEqual(self.values(outcome, name), values, name)
        phases = [len(test["phases"]) for test in outcome.document["tests"]]
        self.assertEqual(phases, [4, 2, 2, 2])
        self.assertEqual(os.listdir(self.folder), ["job.ior"])

    def test_command_line_overrides_every_test_of_the_file(self):
        outcome = self.run_job(self.several, "-i", "1", "-a", "DUMMY", "-s2")
        self.assert_exit(outcome, 0)
        self.assertEqual(self.values(outcome, "repetitions"), [1] * 4)
        self.assertEqual(self.values(outcome, "api"), ["null"] * 4)
        self.assertEqual(self.values(outcome, "segment_count"), [2] * 4)

    def test_result_says_where_each_value_comes_from(self):
        outcome = self.run_job(self.several, "-i", "1")
        options = outcome.document["tests"][1]["options"]
        origins = {name: (options[name]["origin"], options[name]["where"])
                   for name in ("block_size", "transfer_size", "segment_count", "repetitions", "fsync")}
        self.assertEqual(origins, {
            "block_size": ("file", "job.ior:4:17"),
            "transfer_size": ("file", "job.ior:5:5"),
            "segment_count": ("file", "job.ior:8:5"),
            "repetitions": ("command line", "command line"),
            "fsync": ("default", "default"),
        })
        run = outcome.document["run"]
        self.assertEqual((run["job_file"], run["tests"]), ("job.ior", 4))
        self.assertIn("-f", run["command_line"])

    def test_one_block_without_run_is_a_test(self):
        outcome = self.run_job("IOR START\napi=null\nIOR STOP\nother text\nIOR START\napi=null\n")
        self.assertEqual(self.values(outcome, "api"), ["null", "null"])

    def test_backend_options_stand_in_the_file(self):
        outcome = self.run_job("IOR START\napi=null\n--dummy.delay-xfer=1000\nwriteFile=1\n")
        self.assert_exit(outcome, 0)
        self.assertEqual(self.values(outcome, "null.delay_xfer"), [1000])
        self.assertGreater(outcome.phase("write")["intervals"]["transfer_s"], 0.004)

    def test_file_can_come_from_standard_input(self):
        self.put_job("IOR START\napi=null\nblockSize=4k, transferSize=1k\n")
        outcome = self.run_iorx(["-f", "-"], 2, wrapper=["sh", "-c", 'exec "$@" <job.ior', "sh"])
        self.assert_exit(outcome, 0)
        self.assertEqual(self.values(outcome, "transfer_size"), [1024])


class CommandLine(JobCase):
    def test_all_forms_of_a_flag_mean_the_same(self):
        for size in (["-b4k"], ["-b=4k"], ["-b", "4k"], ["--block-size=4k"], ["--blockSize", "4k"],
                     ["-O", "blockSize=4k"], ["--block_size=4KiB"], ["-b", "0.00390625m"]):
            with self.subTest(size=size):
                outcome = self.run_iorx(["-a", "null", "-t", "1k", "-vwr", *size])
                self.assert_exit(outcome, 0)
                self.assertEqual(self.values(outcome, "block_size"), [4096])

    def test_letters_can_stand_together(self):
        outcome = self.run_iorx(["-wFk", "-vvv", "-b4k", "-t=4k"], 2)
        self.assert_exit(outcome, 0)
        self.assertEqual(sorted(os.listdir(self.folder)), ["testFile.00000000", "testFile.00000001"])
        self.assertEqual(outcome.document["run"]["options"]["verbose"]["value"], 3)

    def test_text_of_the_job_file_is_in_the_document(self):
        text = "# a job\nIOR START\napi=null\nRUN\nIOR STOP\n"
        with open(os.path.join(self.folder, "job"), "w", encoding="utf-8") as file:
            file.write(text)
        outcome = self.run_iorx(["-f", "job"])
        self.assert_exit(outcome, 0)
        run = outcome.document["run"]
        self.assertEqual((run["job_file"], run["job_text"]), ("job", text))
        self.assertIsNone(self.run_iorx(["-a", "null"]).document["run"]["job_text"])

    def test_summary_file_of_ior_is_written_as_csv(self):
        outcome = self.run_iorx(["-a", "null", "-i", "2", "-O", "summaryFile=x,summaryFormat=CSV"], 3)
        self.assert_exit(outcome, 0)
        with open(os.path.join(self.folder, "x"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["phase"], row["repetition"]) for row in rows],
                         [("write", "0"), ("read", "0"), ("write", "1"), ("read", "1")])

    def test_results_go_to_several_files_at_once(self):
        names = [os.path.join(self.results, "r." + ending) for ending in ("json", "csv", "txt")]
        outcome = self.run_iorx(["-b", "64k", "-t", "4k", "-e", "-i", "2",
                                 "--output=" + ",".join(names)], 2, output=False)
        self.assert_exit(outcome, 0)
        outcome.document_path = names[0]
        self.assertEqual(program.read(names[2]), outcome.out)
        with open(names[1], encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        phases = outcome.document["tests"][0]["phases"]
        self.assertEqual(len(rows), 4)
        for row, phase in zip(rows, phases):
            self.assertEqual((row["phase"], int(row["repetition"]), row["status"]),
                             (phase["phase"], phase["repetition"], "complete"))
            self.assertEqual(int(row["bytes"]), phase["data"]["bytes"])
            self.assertAlmostEqual(float(row["total_s"]), phase["intervals"]["total_s"])
            self.assertAlmostEqual(float(row["total_bytes_per_s"]) /
                                   phase["rates"]["total_bytes_per_s"], 1)
        self.assertEqual(os.listdir(self.folder), [])

    def test_pages_are_80_columns_wide(self):
        outcome = self.run_iorx(["-F", "-u", "-C", "-e", "-v"], 3)
        # Names and commands are not broken.
        wide = [line for line in outcome.out.splitlines() if len(line) > 80 and "/" not in line]
        self.assertEqual(wide, [])


class Answers(JobCase):
    def ask(self, *arguments, tasks=3):
        outcome = self.run_iorx(list(arguments), tasks, output=False)
        self.assert_exit(outcome, 0)
        self.assertEqual(os.listdir(self.folder), [])
        return outcome.out

    def test_help_shows_each_option_once(self):
        out = self.ask("--help")
        options = out[out.index("What is measured:"):]
        for flag in ("-a, --api=", "-o, --test-file=", "-C, --reorder-tasks", "--show-plan",
                     "--cold=", "--deadline=", "--hang-after=", "-h, --help"):
            self.assertEqual(options.count(flag), 1, flag)
        self.assertLessEqual(max(map(len, out.splitlines())), 80)

    def test_help_of_a_backend_shows_its_options(self):
        out = self.ask("--help=posix")
        self.assertIn("--posix.direct", out)
        self.assertNotIn("--test-file", out)

    def test_help_of_an_option_shows_it(self):
        self.assertIn("It must divide the block size", self.ask("--help=transferSize"))

    def test_version_names_the_libraries(self):
        out = self.ask("--version")
        self.assertRegex(out, r"^iorx \d+\.\d+")
        self.assertRegex(out, r"MPI: \S+")
        self.assertRegex(out, r"jansson \d")
        self.assertEqual(out.count("iorx "), 1)

    def test_version_names_the_backends(self):
        there, _, missing = re.search(r"(?m)^backends: (.*)$", self.ask("--version"))[1].partition(" (")
        listed = {api for api, rest in backends().items()
                  if api not in ("api", "fault", "Options") and "not in this version" not in rest}
        self.assertEqual(set(there.split(", ")), {api for api in listed if is_built_in(api)})
        self.assertEqual(set(re.findall(r"\w+", missing.partition(": ")[2])),
                         {api for api in listed if not is_built_in(api)})

    def test_help_on_the_api_has_all_names_of_ior(self):
        told = re.search(r"names work too: (.*?)\.", re.sub(r"\s+", " ", self.ask("--help=api")))[1].split(", ")
        names = [rest.split()[0] for api, rest in backends().items() if "not in this version" not in rest]
        self.assertEqual(told, [name for name in names if name != "-" and name.isupper()])

    def test_files_of_hints_are_told_alike(self):
        said = [self.ask(f"--help={api}.hints_file").replace(api, "API")
                for api in ("mpiio", "hdf5", "pnetcdf")]
        self.assertEqual(said, [said[0]] * 3)

    def test_backends_are_listed_with_the_names_of_ior(self):
        out = self.ask("--list-backends")
        self.assertRegex(out, r"(?m)^posix +POSIX ")
        self.assertRegex(out, r"(?m)^null +DUMMY ")
        self.assertRegex(out, r"(?m)^cephfs .*not")


class Mistakes(JobCase):
    """Each is said once, in whole, by exit code 2, and nothing is touched."""

    def check(self, outcome, text):
        self.assert_exit(outcome, 2)
        self.assertEqual(outcome.messages(), [text])
        self.assertEqual(outcome.out, "")
        self.assertLessEqual(set(os.listdir(self.folder)), {"job.ior"})

    def test_mistakes_in_a_file_are_shown_with_their_place(self):
        for lines, text in (
                ("blokSize=1m",
                 "job.ior:2:1: blokSize: unknown option; did you mean block_size?"),
                ("api=null\n  transferSize=300k, blockSize=1m\nRUN",
                 "job.ior:3: transfer_size: 300KiB does not divide block_size 1MiB; use a divisor "
                 "such as 256KiB"),
                ("blockSize=1m\nblockSize=abc",
                 'job.ior:3:1: block_size: "abc" is not a size; write for example 4096, 256k, 1MiB '
                 "or 1.5g"),
                ("keepFile = perhaps",
                 'job.ior:2:1: keep_file: "perhaps" is not yes or no; write 1 or 0'),
                ("cold=command, coldCommand=reboot",
                 "job.ior:2: cold_command: a job file may run commands only with --allow-commands "
                 "on the command line"),
        ):
            with self.subTest(lines=lines):
                outcome = self.run_job(f"IOR START\n{lines}\nIOR STOP\n", tasks=5, output=False)
                self.check(outcome, text)

    def test_each_key_of_a_rule_of_metadata_tests_is_its_place(self):
        for keys, text in (
                (("mixThink=1", "mixTotalRate=5", "mixRate=5", "mixDuration=1s", "mixOperations=5"), "mix: nothing is mixed"),
                (("findMounts=1", "findName=x", "findSize=1", "findNewer=x"), "find: nothing is looked for"),
                (("random=15",), "random: 15 is no level"),
                (('mix="stat:1"\nstride=1\nwriteBytes=9\nreadBytes=9\nmix="create:1,read:1"',),
                 None)):
            for key in keys:
                with self.subTest(key=key):
                    outcome = self.run_job(f"MDTEST START\nitems=9, filesOnly=1\n{key}\nRUN\nMDTEST STOP\n", tasks=2,
                                           output=False)
                    self.assert_exit(outcome, 2)
                    self.assert_one_error(outcome, "job.ior:3: " + text if text else
                                          "job.ior:7: mix: with a stride (-N) files may be read")

    def test_second_test_of_a_file_can_be_wrong(self):
        outcome = self.run_job("IOR START\nblockSize=4k\ntransferSize=4k\nRUN\ntransferSize=3k\nRUN\n",
                               tasks=2, output=False)
        self.check(outcome, "job.ior:5: transfer_size: 3KiB does not divide block_size 4KiB; use a "
                            "divisor such as 2KiB")

    def test_file_without_a_block_is_no_job(self):
        outcome = self.run_job("blockSize=1m\n", output=False)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "job.ior: there is no line IOR START")

    def test_mistakes_on_the_command_line_are_shown(self):
        for arguments, text in (
                (["-b", "1x"], 'command line: -b 1x: block_size: "1x" is not a size: cannot read '
                               '"x"; write for example 4096, 256k, 1MiB or 1.5g'),
                (["--blokc-size=1m"],
                 "command line: blokc-size: unknown option; did you mean block_size?"),
                (["--posix.direkt"],
                 "command line: posix.direkt: unknown option; did you mean posix.direct?"),
                (["-E", "--replace"], "command line: replace: it deletes the file that "
                                      "use_existing_test_file (-E) writes into; choose one"),
                (["-b"], "command line: -b needs a value"),
                (["file.ior"], 'command line: "file.ior" is not a flag; if it is a job file, write '
                               "iorx -f file.ior"),
                (["-a", "posix,null"], 'command line: api: there is no backend "posix,null", --list-backends '
                                       "shows them all; a list is written [posix, null]"),
                (["--precision=5"], "command line: precision: 5 is more than 100%; did you mean 5%?"),
                (["--precision=500"], "command line: precision: 500 is too much; the most is 100%"),
                (["--help=C9"], "C9: there is no such verdict, but there are C1, C2, C3, C4"),
                (["-n", "4"], "command line: \"4\" is not a flag, and IOR's -n takes no value; mdtest's does: iorx "
                              "mdtest -n 4; the number of tasks stands before iorx: mpiexec -n 4 iorx"),
                (["mdtest", "-o", "x"], "command line: there is no flag -o of mdtest; it is IOR's test_file: iorx "
                                        "-o …, without mdtest"),
                (["mdtest", "-t", "1m"], "command line: \"1m\" is not a flag, and mdtest's -t takes no value; IOR's "
                                         "does: iorx -t 1m, without mdtest"),
                (["load", "-t", "1m"], "command line: -t: transfer_size: a load test has sizes instead, such as "
                                       "sizes=4k"),
                (["load", "--rate=9", "--arrival=closed"], "command line: arrival: closed has no rate, as an "
                                                           "operation starts when an earlier one has finished; "
                                                           "leave arrival or rate out"),
                (["--rate=9"], "command line: rate: unknown option; load tests have it: iorx load, or load.rate for "
                               "LOAD blocks of a job file"),
                (["-f", "none.ior"], "none.ior: No such file or directory; -f takes the name of a file"),
                (["-i", "0"],
                 "command line: -i 0: repetitions: 0 is too small; the least is 1"),
        ):
            with self.subTest(arguments=arguments):
                self.check(self.run_iorx(arguments, 5, output=False), text)

    def test_backend_that_is_not_there_is_named(self):
        for name in ("CEPHFS", "nonsense"):
            with self.subTest(api=name):
                outcome = self.run_iorx(["-a", name], 2, output=False)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, "api:")

    def test_auto_is_refused_where_it_stands(self):
        self.put_job("IOR START\n\tqueueDepth=8\n\tapi=auto\nRUN\nIOR STOP\n")
        outcome = self.run_iorx(["-f", "job.ior"], 2, output=False)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, 'job.ior:3: api: there is no backend "auto"')
        self.assertIn("api = [uring libaio]", outcome.err)

    def test_missing_directory_is_an_input_mistake(self):
        outcome = self.run_iorx(["-o", "none/data"], 2)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "test_file: none: No such file or directory; make the "
                                       "directory first, or choose another")


if __name__ == "__main__":
    unittest.main()
