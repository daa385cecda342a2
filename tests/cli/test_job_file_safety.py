"""A job file is somebody else's text: it must not overwrite or destroy what iorx did not make."""

import os
import stat
import unittest

import program
from program import Case

PRECIOUS = b"ssh-ed25519 AAAA somebody's key\n"
SWITCH = "--allow-overwrite on the command line"
SMALL = "blockSize=8k, transferSize=4k"


class Safety(Case):
    def put(self, name, data=PRECIOUS):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def run_job(self, *lines, flags=(), tasks=1, words="IOR"):
        path = os.path.join(self.results, "job.ior")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join([f"{words} START", *lines, f"{words} STOP", ""]))
        return self.run_iorx(["-f", path, *flags], tasks, output=False)

    def all_bytes(self):
        return {name: program.read(os.path.join(self.folder, name), "rb")
                for name in os.listdir(self.folder)}

    def check_refused(self, line, key, name, *lines, tasks=1):
        """Nothing is made or changed, and the message has line, key, file and switch."""
        before = self.all_bytes()
        for flags in (), ["--dry-run"]:
            outcome = self.run_job(*lines, flags=flags, tasks=tasks)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, f"job.ior:{line}: {key}: ", name, SWITCH)
            self.assertEqual(self.all_bytes(), before)

    def check_allowed(self, *lines, flags=(), tasks=1):
        outcome = self.run_job(*lines, flags=["--allow-overwrite", *flags], tasks=tasks)
        self.assert_exit(outcome, 0)


class Tested(Safety):
    def test_a_foreign_file_is_written_only_with_the_switch(self):
        self.put("k", b"chosen bytes\n")
        for key in "replace=1", "useExistingTestFile=1", "semantics=ior":
            with self.subTest(key=key):
                self.put("authorized_keys")
                lines = (SMALL, key, "keepFile=1, content=file, contentFile=k",
                         "testFile=authorized_keys, writeFile=1")
                name = {"useExistingTestFile=1": "use_existing_test_file"}.get(key, key.split("=")[0])
                self.check_refused(3, name, "authorized_keys", *lines)
                self.check_allowed(*lines)
                self.assertIn(b"chosen bytes", program.read(os.path.join(self.folder, "authorized_keys"), "rb"))

    def test_a_foreign_file_that_is_read_is_deleted_only_with_the_switch(self):
        self.put("notes", PRECIOUS * 1000)
        lines = (SMALL, "semantics=ior", "readFile=1, testFile=notes")
        self.check_refused(3, "semantics", "notes", *lines)
        self.check_refused(3, "semantics", "notes", *lines, "useExistingTestFile=1")
        self.assert_exit(self.run_job(*lines, "keepFile=1"), 0)
        self.assertEqual(self.all_bytes(), {"notes": PRECIOUS * 1000} | self.documents())
        self.check_allowed(*lines)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "notes")))

    def test_a_load_is_refused_before_the_test_that_would_make_its_files(self):
        self.put("notes.00000000", PRECIOUS * 1000)
        before = self.all_bytes()
        outcome = self.run_job("testFile=other, fileSize=8k, operationLimit=1", "RUN", "testFile=notes, layout=missing", "RUN",
                               'layout=none, operations="write:1"', words="LOAD")
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "layout: ", "notes.00000000", SWITCH)
        self.assertEqual(self.all_bytes(), before)

    def test_a_load_writes_into_a_foreign_file_only_with_the_switch(self):
        self.put("notes.00000000", PRECIOUS * 1000)
        lines = ("testFile=notes, fileSize=8k, operationLimit=5", "layout=none", 'operations="write:1"')
        before = self.all_bytes()
        for flags in (), ["--dry-run"]:
            outcome = self.run_job(*lines, flags=flags, words="LOAD")
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "layout: ", "notes.00000000", SWITCH)
            self.assertEqual(self.all_bytes(), before)
        self.assert_exit(self.run_job(*lines, flags=["--allow-overwrite"], words="LOAD"), 0)
        self.assertNotEqual(program.read(os.path.join(self.folder, "notes.00000000"), "rb"),
                            PRECIOUS * 1000)

    def documents(self):
        return {name: data for name, data in self.all_bytes().items() if name.endswith(".json")}

    def test_flags_of_the_caller_need_no_switch(self):
        lines = (SMALL, "testFile=notes, writeFile=1, keepFile=1")
        for flag in "--replace", "-E", "--semantics=ior":
            with self.subTest(flag=flag):
                self.put("notes")
                self.assert_exit(self.run_job(*lines, flags=[flag]), 0)

    def test_files_that_iorx_made_need_no_switch(self):
        lines = (SMALL, "testFile=notes, writeFile=1")
        for key in "replace=1", "useExistingTestFile=1", "semantics=ior":
            with self.subTest(key=key):
                self.assert_exit(self.run_job(*lines, "keepFile=1", key), 0)
                self.assert_exit(self.run_job(*lines, key), 0)


class Outputs(Safety):
    KEYS = (("summaryFile", "summary_file", ".bashrc"), ("output", "output", "x.txt"),
            ("output", "output", "x.csv"), ("taskTable", "task_table", "x"),
            ("savePerOpDataCSV", "operation_tables", "x.00000001.csv"),
            ("stoneWallingStatusFile", "status_file", "st"))

    @staticmethod
    def line(key, name):
        return f"{key}={name.replace('.00000001.csv', '')}"

    def test_a_foreign_file_is_replaced_only_with_the_switch(self):
        for key, named, name in self.KEYS:
            with self.subTest(key=key, name=name):
                path = self.put(name)
                lines = (SMALL, 'testFile="x$(touch PWNED)"', self.line(key, name))
                self.check_refused(4, named, name, *lines, tasks=2)
                self.check_allowed(*lines, tasks=2)
                self.assertNotIn(PRECIOUS, program.read(path, "rb"))
                os.remove(path)

    def test_a_foreign_file_is_not_replaced_for_the_caller_either(self):
        for key, named, name in self.KEYS:
            with self.subTest(key=key, name=name):
                path = self.put(name)
                outcome = self.run_job(SMALL, flags=["-O", self.line(key, name)], tasks=2)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, named + ": ", name, SWITCH)
                self.assertEqual(program.read(path, "rb"), PRECIOUS)

    def test_a_foreign_file_in_the_place_of_a_document_is_renamed_only_with_the_switch(self):
        for key, named in ("output", "output"), ("summaryFile", "summary_file"):
            with self.subTest(key=key):
                self.put("x.json")
                self.check_refused(3, named, "x.json", SMALL, f"{key}=x.json")
                self.check_allowed(SMALL, f"{key}=x.json")
                self.assertEqual(program.read(os.path.join(self.folder, "x.json.1"), "rb"), PRECIOUS)
                os.remove(os.path.join(self.folder, "x.json.1"))

    def test_a_refused_job_leaves_its_own_older_results(self):
        lines = (SMALL, "savePerOpDataCSV=ops", "output=x.txt", "taskTable=y")
        self.assert_exit(self.run_job(*lines, tasks=2), 0)
        self.put("y")
        self.check_refused(5, "task_table", "y", *lines, tasks=2)

    def test_results_of_iorx_are_replaced(self):
        for key, _, name in self.KEYS:
            with self.subTest(key=key, name=name):
                lines = (SMALL, self.line(key, name))
                self.assert_exit(self.run_job(*lines, tasks=2), 0)
                path = os.path.join(self.folder, name)
                data = program.read(path, "rb")
                self.assertTrue(data)
                os.truncate(path, 0)
                self.assert_exit(self.run_job(*lines, tasks=2), 0)
                self.assert_exit(self.run_job(*lines, tasks=2), 0)
                self.assertEqual(program.read(path, "rb")[:8], data[:8])

    def test_texts_in_the_forms_of_ior_and_mdtest_are_replaced(self):
        for form, words in ("ior", "IOR"), ("mdtest", "MDTEST"):
            for _ in range(2):
                outcome = self.run_job("items=3" if form == "mdtest" else SMALL, f"format={form}",
                                       "output=x.txt", words=words)
                self.assert_exit(outcome, 0)

    def test_a_status_file_is_digits(self):
        lines = (SMALL, "stoneWallingStatusFile=st")
        for data in b"16\n", b" 7":
            self.put("st", data)
            self.assert_exit(self.run_job(*lines), 0)
            self.assertEqual(program.read(os.path.join(self.folder, "st")), "2\n")
        for data in b"16\0x", b"16 apples\n", b"16\nrepetition 0 apples 3\n", b"-1\n":
            self.put("st", data)
            self.check_refused(3, "status_file", "st", *lines)

    def link(self, name, data):
        """A link of that name, and its target; data None: there is none."""
        link, target = os.path.join(self.folder, name), os.path.join(self.results, "target" + name)
        os.symlink(target, link)
        if data is not None:
            with open(target, "wb") as file:
                file.write(data)
        return link, target

    def test_links_are_not_followed(self):
        for key, named, name in self.KEYS:
            for data in (PRECIOUS, b"", None) if named == "task_table" else (PRECIOUS,):
                with self.subTest(key=key, name=name, data=data):
                    link, target = self.link(name, data)
                    outcome = self.run_job(SMALL, self.line(key, name), tasks=2)
                    self.assert_exit(outcome, 2)
                    self.assert_one_error(outcome, f"job.ior:3: {named}: ", name, "symbolic link", SWITCH)
                    self.assertEqual(program.read(target, "rb") if os.path.exists(target) else None, data)
                    os.remove(link)
                    if data is not None:
                        os.remove(target)

    def test_links_to_results_are_followed(self):
        lines = (SMALL, "taskTable=x")
        link, target = self.link("x", None)
        self.check_allowed(*lines)
        made = program.read(target, "rb")
        self.assert_exit(self.run_job(*lines), 0)
        self.assertTrue(os.path.islink(link))
        self.assertNotEqual(program.read(target, "rb"), made)

    def test_streams_have_nothing_to_lose(self):
        self.assert_exit(self.run_job(SMALL, "summaryFile=/dev/null", "taskTable=/dev/null",
                                      "stoneWallingStatusFile=/dev/null"), 0)


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


class Private(Safety):
    WORD = "allow it there with --allow-private"
    CONTENT = (SMALL, "content=file, contentFile=k", "testFile=copy, keepFile=1, writeFile=1")

    def put_private(self, name, data=PRECIOUS, rights=0o600):
        path = self.put(name, data)
        os.chmod(path, rights)
        return path

    def check_refused_private(self, line, key, name, *lines):
        for flags in (), ["--dry-run"]:
            outcome = self.run_job(*lines, flags=flags, tasks=2)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, f"job.ior:{line}: {key}: {name}", "not everybody may read it", self.WORD)
            self.assertNotIn("somebody", outcome.err)
            self.assertEqual(os.listdir(self.folder), [name])

    def test_a_job_file_reads_a_private_file_only_with_the_switch(self):
        for rights in 0o600, 0o640:
            self.put_private("k", rights=rights)
            self.check_refused_private(3, "content_file", "k", *self.CONTENT)
        self.assert_exit(self.run_job(*self.CONTENT, flags=["--allow-private"], tasks=2), 0)
        for words, lines in (("MDTEST", ("items=3, writeBytes=100, content=file", "contentFile=k")),
                             ("LOAD", ("operations=write, fileSize=8k, operationLimit=3, content=file",
                                       "contentFile=k, testFile=load"))):
            outcome = self.run_job(*lines, words=words)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "job.ior:3: content_file: k", self.WORD)

    def test_the_caller_names_a_private_file_without_the_switch(self):
        self.put_private("k")
        lines = (SMALL, "content=file, testFile=copy, keepFile=1, writeFile=1")
        self.assert_exit(self.run_job(*lines, flags=["--content-file=k"]), 0)
        self.assertIn(PRECIOUS, program.read(os.path.join(self.folder, "copy"), "rb"))

    def test_a_public_file_needs_no_switch(self):
        self.put("k")
        self.assert_exit(self.run_job(*self.CONTENT, "output=x.json"), 0)
        self.assertEqual(mode(os.path.join(self.folder, "copy")) & 0o044, 0o044)

    def test_a_status_file_may_be_private_as_it_is_a_number(self):
        self.put_private("st", b"none of them\n")
        outcome = self.run_job(SMALL, "stoneWallingStatusFile=st, readFile=1, testFile=f")
        self.assert_one_error(outcome, "status_file: st does not hold a number")
        self.assertNotIn("none of them", outcome.out + outcome.err)

    def test_a_copy_of_a_private_file_is_private(self):
        for api in filter(program.is_built_in, ("posix", "mmap", "uring", "libaio", "mpiio", "hdf5", "pnetcdf")):
            with self.subTest(api):
                self.put_private("k")
                outcome = self.run_job(*self.CONTENT, f"api={api}, output=x.json, taskTable=t",
                                       flags=["--allow-private"], tasks=2)
                self.assert_exit(outcome, 0)
                for name in "copy", "x.json", "t":
                    self.assertEqual(mode(os.path.join(self.folder, name)) & 0o077, 0, name)
                    os.remove(os.path.join(self.folder, name))
        self.assert_exit(self.run_job("items=3, writeBytes=100, content=file, contentFile=k", "create=1, dir=tree",
                                      words="MDTEST", flags=["--allow-private"]), 0)
        made = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(self.folder, "tree"))
                for name in names if name.startswith("file.")]
        self.assertEqual([mode(path) & 0o077 for path in made], [0] * 3)

    def test_other_tests_of_the_job_make_files_as_always(self):
        self.put_private("k")
        script = self.put("set.ior", b"TOGETHER START\nblockSize=4k, transferSize=4k, keepFile=1, writeFile=1\n"
                                     b"IOR START\nnumTasks=1, testFile=a\nRUN\nIOR STOP\nIOR START\nnumTasks=1\n"
                                     b"testFile=copy, content=file, contentFile=k\nRUN\nIOR STOP\nTOGETHER STOP\n"
                                     b"IOR START\nblockSize=4k, transferSize=4k, keepFile=1, writeFile=1\n"
                                     b"testFile=b\nRUN\nIOR STOP\n")
        outcome = self.run_iorx(["-f", script, "--allow-private", "--output=x.json"], tasks=2, output=False)
        self.assert_exit(outcome, 0)
        modes = {name: mode(os.path.join(self.folder, name)) & 0o077 for name in ("a", "b", "copy", "x.json")}
        self.assertEqual(modes, {"a": 0o044, "b": 0o044, "copy": 0, "x.json": 0})

    def test_no_copy_goes_into_a_file_that_others_read(self):
        self.put_private("k")
        for data, more in (b"", ()), (PRECIOUS * 1000, ("useExistingTestFile=1",)):
            self.put("copy", data)
            outcome = self.run_job(*self.CONTENT, *more, flags=["--allow-private", "--allow-overwrite"])
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "content_file: k is private", "into copy, which others may read", "chmod 600")
            self.assertEqual(program.read(os.path.join(self.folder, "copy"), "rb"), data)

    def test_the_bytes_of_a_private_test_file_are_not_shown(self):
        self.put_private("k", b"somebody" * 1024)
        for words, lines in (("IOR", ("blockSize=512, transferSize=512, testFile=k", "readFile=1, checkRead=1, content=zeros")),
                             ("LOAD", ("fileSize=8k, operationLimit=3, content=zeros, checkRead=1",
                                       "testFile=k, fileScope=test, layout=none"))):
            outcome = self.run_job(*lines, words=words)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "test_file: k was not made by iorx", "only with --allow-private")
            outcome = self.run_job(*lines, words=words, flags=["--allow-private"])
            self.assert_exit(outcome, 1)
            self.assertIn(b"someb".hex(), outcome.out)
        self.assert_exit(self.run_job(SMALL, "testFile=k, readFile=1, keepFile=1"), 0)

    def test_a_private_file_of_iorx_is_compared(self):
        lines = (SMALL, "testFile=own, keepFile=1")
        self.assert_exit(self.run_job(*lines, "writeFile=1"), 0)
        os.chmod(os.path.join(self.folder, "own"), 0o600)
        self.assert_exit(self.run_job(*lines, "readFile=1, checkRead=1"), 0)

    @program.needs_backend("mpiio")
    def test_a_private_hints_file(self):
        self.put_private("h", b"somebody=1\n")
        lines = (SMALL, "hintsFileName=h", "api=mpiio")
        for flags in (), ["--dry-run"]:
            outcome = self.run_job(*lines, flags=flags)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "hints_file: h", self.WORD)
            self.assertNotIn("somebody", outcome.err)
        for named, flags in ((lines, ["--allow-private"]), ((lines[0], lines[2]), ["-U", "h"])):
            outcome = self.run_job(*named, "output=x.json, summaryFile=s", flags=flags)
            self.assert_exit(outcome, 0)
            self.assertIn("somebody", program.read(os.path.join(self.folder, "x.json")))
            for name in "x.json", "s":
                self.assertEqual(mode(os.path.join(self.folder, name)) & 0o077, 0, name)
                os.remove(os.path.join(self.folder, name))

    def test_the_switch_is_for_the_command_line(self):
        outcome = self.run_job(SMALL, "allowPrivate=1")
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "allow_private: this option is for the command line only")

    def test_no_message_shows_a_line_of_another_file(self):
        name = self.put("k", b"somebody:$6$salt$hash:19000:0:\n")
        calls = [["-f", name], [f"--site-file={name}"]]
        calls += [["-a", "mpiio", "-U", name]] if program.is_built_in("mpiio") else []
        for flags in calls:
            with self.subTest(flags):
                outcome = self.run_iorx(["-b", "8k", "-t", "4k", *flags], output=False)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, name)
                self.assertNotIn("somebody", outcome.err)
                self.assertNotIn("hash", outcome.err)


if __name__ == "__main__":
    unittest.main()
