"""The frame of iorx-translate: the native job, problems, scaling, the guide."""

import contextlib
import io
import os
import re
import time
import unittest
import unittest.mock

import results
import translated
from iorx_translate import VERSION, command, guide, native, units
from iorx_translate.problems import Problems


class Native(unittest.TestCase):
    def job(self, *clones):
        job = native.Job("a test")
        for number, count in enumerate(clones):
            member = native.Member(f"m{number}", "job:1", count)
            member.set("file_size", units.Size(1 << 20), "job:2 size=1m")
            job.steps.append(native.Step([member]))
        return job

    def test_sizes_and_times_are_printed_exactly(self):
        self.assertEqual([str(units.Size(n)) for n in (0, 1, 1000, 1024, 1536 << 10, 5 << 30)],
                         ["0", "1", "1000", "1k", "1536k", "5g"])
        self.assertEqual([str(units.Seconds(n)) for n in (0, 30, 0.5, 1e-6, 100)], ["0", "30", "0.5", "0.000001", "100"])

    def test_each_test_has_its_number_of_tasks(self):
        job = native.Job("a test")
        job.steps = [native.Step([native.Member("a", "", 4), native.Member("b", "", 2)]),
                     native.Step([native.Member("c", "", 1)])]
        self.assertEqual(job.tasks(), 6)
        blocks = translated.keys(native.text(job, Problems()))
        self.assertEqual([(block["num_tasks"], block.get("exact_tasks")) for block in blocks], [("4", "1"), ("2", None), ("1", None)])
        self.assertIn("#   mpirun -np 6 iorx -f 'a job.ior'\n", native.text(job, Problems(), "a job.ior"))

    def test_a_machine_of_another_size_gets_a_number_that_divides_files_evenly(self):
        for clones, most, tasks in ((64, 48, 32), (7, 2, 1), (6, 4, 3), (8, 2, 2)):
            self.assertEqual(self.job(clones).fewer_tasks(most), tasks)
        self.assertEqual(self.job(64, 3).fewer_tasks(48), 32)  # the second has 3 of 3
        self.assertEqual(self.job(64, 3).fewer_tasks(2), 1)

    def test_values_that_need_quotes_have_them(self):
        self.assertEqual([native.quoted(value) for value in (True, "a b", "read:1,write:2", 'a"b', ["1k", "2k"], 0.25)],
                         ["1", '"a b"', '"read:1,write:2"', "'a\"b'", "[1k 2k]", "0.25"])
        with self.assertRaises(ValueError):
            native.quoted("'\"")
        with self.assertRaises(ValueError):
            native.quoted("a\nb")

    def test_original_lines_are_comments_whatever_they_hold(self):
        job = self.job(1)
        job.original = ["IOR START", "a\x1b[31m\x00b", "x" * 300, ""]
        for line in native.text(job, Problems()).split("\n\n")[0].split("\n"):
            self.assertTrue(line.startswith("#"), line)
            self.assertTrue(line.isprintable())
            self.assertLessEqual(len(line), 100)

    def test_scaled_sizes_are_multiples_of_a_transfer(self):
        job = self.job(2)
        member = job.steps[0].members[0]
        member.grain = member.file_grain = 3000
        member.set("duration", units.Seconds(60))
        member.set("sizes", units.Size(4096))
        member.set("operation_limit", 10)
        job.scale(1 / 1000, 0.01)
        self.assertEqual([str(member.get(key)) for key in ("file_size", "duration", "sizes", "operation_limit")],
                         ["3000", "0.6", "4k", "1"])

    def test_factors(self):
        self.assertEqual([units.factor(text) for text in ("0.5", "1/4", "1%")], [0.5, 0.25, 0.01])
        for text in ("", "0", "1/0", "-1", "x"):
            with self.assertRaises(ValueError):
                units.factor(text)


class Frame(translated.Case):
    def test_refused_keys_are_all_named(self):
        path = self.file("[x]\nsize=1m\nlatency_target=5ms\nzonemode=zbd\n")
        self.assert_refused(r"(?s)^job\.fio:3: latency_target=5ms: .*\njob\.fio:4: zonemode=zbd: ", path)

    def test_lenient_lists_what_it_leaves_out(self):
        path = self.file("[x]\nsize=1m\nlatency_target=5ms\ngroup_reporting\n")
        text = self.text(path, lenient=True)
        self.assertRegex(text, "(?s)Left out, as --lenient says:\n#   - job.fio:3: latency_target=5ms: ")
        self.assertIn("# Changes nothing here: group_reporting.", text)

    def test_a_language_that_is_not_known_is_said(self):
        self.assert_refused("not recognised", self.file("hello\n"))
        for message, words in (("--rw=read: options of another program stand behind its name", ["--rw=read"]),
                               ("--lenient: options of iorx-translate stand before the file", ["job.fio", "--lenient"]),
                               ("--run=1: options of iorx", ["fio", "--name=x", "--run=1", "--", "-x"])):
            with self.assertRaisesRegex(translated.Failure, message):
                command.parse(words)
        self.assertEqual(command.parse(["--tasks", "fio", "--name=x", "--", "--run"]).words, ["fio", "--name=x", "--", "--run"])
        self.assert_refused("no job")

    def test_odd_words_end_in_one_line(self):
        self.file("[a]\nrw=read\nsize=64k\nfilename=a\"b'c\n")
        os.mkfifo("pipe")
        for words, message in (([""], "no job; "), (["-"], "-: a job from standard input needs the name of its program"),
                               (["job.fio"], "job.fio:4 filename=a\"b'c: a\"b'c: a value with both kinds of quotes"),
                               (["--output=pipe", "fio", "--name=a", "--size=64k"], "pipe: No such device or address"),
                               (["--output=/dev/full", "fio", "--name=a", "--size=64k"], "output: No space left on device")):
            with contextlib.redirect_stderr(io.StringIO()) as said:
                self.assertEqual(command.main(words), 2)
            self.assertRegex(said.getvalue(), rf"^iorx-translate: error: {re.escape(message)}[^\n]*\n$")
        for name, words in (("MPIEXEC: '", ["fio", "--name=a", "--size=64k"]), ("argument --iorx: '", ["--iorx='", "job.fio"])):
            with contextlib.redirect_stderr(io.StringIO()) as said, unittest.mock.patch.dict(os.environ, MPIEXEC="'"):
                with contextlib.suppress(SystemExit):
                    command.main(["--run", *words])
            self.assertIn(f"iorx-translate: error: {name}: No closing quotation\n", said.getvalue())

    def test_clones_multiply_the_tasks_of_jobs_whose_tasks_share_no_data_set(self):
        fio = self.file("[a]\nrw=randread\nsize=1m\nnumjobs=2\nrate_iops=100\n[b]\nstonewall\nrw=write\nfilename=f\nsize=1m\n")
        blocks = self.blocks(fio, clones=3)
        self.assertEqual([(block["num_tasks"], block["file_size"], block.get("whole_files")) for block in blocks],
                         [("6", "1m", None), ("3", "1032k", "1")])
        self.assertEqual(blocks[0]["rate"], "100")
        self.assertIn("--clones=3: the job has 3 times as many tasks", self.text(fio, clones=3).replace("\n#     ", " "))
        self.assertNotIn("--clones", self.text(fio, clones=1))
        for switch in "-t2", "-F2":
            self.assertEqual(self.blocks("diskspd", "-c1m", switch, "f", clones=2)[0]["num_tasks"], "4")
        with self.assertRaisesRegex(translated.Failure, "--clones: a job of vdbench says by its hosts and threads how many"):
            self.text("vdbench", "-f", "x", clones=2)

    def test_the_last_output_is_that_of_iorx(self):
        for options, output in (((), None), (("--output=a.json",), "a.json"), (("-v", "--output", "a.csv,b.json"), "a.csv,b.json"),
                                (("--output=a.json", "--output=none"), "none"), (("--output-x=a.json",), None), (("--output",), None)):
            self.assertEqual(command.output_of(options), output)

    def test_only_regular_files_are_read(self):
        os.mkfifo("pipe")  # without a writer
        self.file("[a]\ninclude pipe\n", "a.fio")
        self.file("include=/dev/zero\nsd=sd1,lun=a\nrd=r,el=9\n", "a.vdb")
        for words in (["pipe"], ["fio", "pipe"], ["vdbench", "pipe"], ["/dev/zero"], ["fio", "/dev/zero"], ["vdbench", "-f", "/dev/zero"]):
            self.assert_refused(f"^{words[-1]}: this is no regular file; give a file that holds the job$", *words)
        self.assert_refused(r"^a\.fio:2: pipe: this is no regular file", "a.fio")
        self.assert_refused(r"^a\.vdb:1: /dev/zero: this is no regular file", "a.vdb")
        self.assert_refused(r"^\.: this is a folder", "fio", ".")
        with open("long", "wb") as file:
            file.truncate(17 << 20)
        self.assert_refused("^long: more than 16 MiB; a job file is shorter$", "long")

    def test_the_guide_has_every_difference(self):
        with open(os.path.join(results.TOP, "doc/guide/foreign.md"), encoding="utf-8") as file:
            content = file.read()
        self.assertEqual(content, guide.with_tables(content), "make man writes it anew")

    def test_the_version_is_that_of_the_program(self):
        with open(os.path.join(results.TOP, "configure.ac"), encoding="utf-8") as file:
            self.assertIn(f"AC_INIT([iorx], [{VERSION}]", file.read())


class ManyFiles(translated.Case):
    """The time of a translation grows with the number of names, and not with its square."""

    def assert_linear(self, few, many):
        took = []
        for name in few, many, few, many:
            start = time.process_time()
            self.text(name)
            took.append(time.process_time() - start)
        # four times the names: 4 times the time, 16 times if it grew with the square
        self.assertLess(min(took[1::2]), 7 * min(took[::2]))

    def test_of_fio(self):
        for count in 5000, 20000:
            names = ":".join(f"/mnt/f{number}" for number in range(count))
            self.file(f"[x]\nrw=randread\nsize=1g\nruntime=1\ntime_based\nfilename={names}\n", f"{count}.fio")
        self.assert_linear("5000.fio", "20000.fio")

    def test_of_vdbench(self):
        for count in 2000, 8000:
            sds = "".join(f"sd=sd{number},lun=/mnt/f{number},size=1m\n" for number in range(count))
            self.file(f"{sds}wd=wd1,sd=*,xfersize=4k,rdpct=100,seekpct=100\nrd=r1,wd=wd1,iorate=100,elapsed=2,interval=1\n",
                      f"{count}.vdb")
        self.assert_linear("2000.vdb", "8000.vdb")


if __name__ == "__main__":
    unittest.main()
