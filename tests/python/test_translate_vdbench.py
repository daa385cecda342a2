"""Vdbench's parameter files become the right jobs of iorx."""

import os
import re
import unittest

import translated
import vdbench_examples
from iorx_translate import vdbench_definitions, vdbench_lines, vdbench_loops, vdbench_values
from iorx_translate.problems import Failure

SD = "sd=sd1,lun=/mnt/f1,size=1g\n"
RD = "rd=rd1,wd=wd1,iorate=max,elapsed=60,interval=1,warmup=10\n"


def lines(text, **variables):
    return [line.text for line in vdbench_lines.read_texts([("job.vdb", text)], variables)]


def parameter(text):
    """The parameter of a text such as "xfersize=(4k,8k)"."""
    line = vdbench_lines.Line("job.vdb", 1, text, text)
    key, value, parts = vdbench_definitions.split(line)[0]
    return vdbench_definitions.Parameter(key, value, parts, line)


def read(text):
    return vdbench_definitions.read(vdbench_lines.read_texts([("job.vdb", text)]))


class Lines(translated.Case):
    def assert_fails(self, pattern, text, **variables):
        with self.assertRaisesRegex(Failure, pattern):
            lines(text, **variables)

    def test_comments_and_what_stands_behind_a_blank_are_left_out(self):
        self.assertEqual(lines("* a\n# b\n/ c\n\n  sd=sd1,lun=/x \t first disk\n"), ["sd=sd1,lun=/x"])

    def test_a_line_that_ends_with_a_comma_goes_on(self):
        self.assertEqual(lines("rd=r1,\n* why\n   wd=w1, now\nelapsed=60\n"), ["rd=r1,wd=w1,elapsed=60"])
        self.assert_fails("the last line ends with a comma", "sd=a,\n")

    def test_blanks_in_quotes_stay(self):
        self.assertEqual(lines('sd=sd1,lun="/a b/c",size=1m rest\n'), ['sd=sd1,lun="/a b/c",size=1m'])
        self.assert_fails("double quote has no end", 'sd=sd1,lun="/a b\n')

    def test_eof_ends_the_file(self):
        self.assertEqual(lines("sd=a\neof\nsd=b\n"), ["sd=a"])

    def test_variables_come_from_the_command_line(self):
        self.assertEqual(lines("sd=sd1,lun=$lun,size=!lunsize\n", lun="/d", lunsize="5g"), ["sd=sd1,lun=/d,size=5g"])
        self.assert_fails(r"\$lun has no value; write lun=VALUE", "sd=sd1,lun=$lun\n")
        self.assert_fails(r"the file has no \$x", "sd=sd1\n", x="1")

    def test_a_blank_in_front_of_further_parameters_is_a_mistake(self):
        self.assert_fails("a blank ends the parameters", "wd=wd1, sd=sd1\n")
        self.assert_fails("write a comma between the names", "rd=r,fwd=(a b),fwdrate=max\n")

    def test_include_is_looked_for_beside_the_file_and_does_not_nest(self):
        self.file("sd=sd1,lun=/x\n", "disks")
        self.assertEqual(lines("include=disks\nwd=wd1\n"), ["sd=sd1,lun=/x", "wd=wd1"])
        self.file("include=disks\n", "nested")
        self.assert_fails("^nested:1: include: an included file cannot", "include=nested\n")
        for secret in "root:hash:19000:0", "password=hash", "a hash=b", "hash":
            self.file("sd=sd1,lun=/x,\nsize=1g\n" + secret + "\n", "shadow")
            self.assert_fails(r"^shadow:3: this line is none of a parameter file of Vdbench; look at the included file$",
                              "include=shadow\n")
        self.assert_fails("^job.vdb:1: include: there is no file none", "include=none\n")

    def test_crlf_is_no_part_of_a_value(self):
        self.assertEqual(lines("sd=sd1,lun=/x\r\n"), ["sd=sd1,lun=/x"])


class Values(unittest.TestCase):
    def test_sizes_are_powers_of_1024_and_may_be_fractions(self):
        self.assertEqual([vdbench_values.size(parameter("size=1"), text) for text in
                          ("512", "4k", "4KB", "0.25m", "1.5g", "2t")],
                         [512, 4096, 4096, 262144, 1610612736, 2 << 40])

    def test_m_is_minutes_in_a_time(self):
        self.assertEqual([vdbench_values.seconds(parameter("elapsed=1"), text) for text in ("90", "10m", "1.5h", "5s")],
                         [90, 600, 5400, 5])

    def test_ranges_double_step_and_go_down(self):
        for text, found in (("(1-64,d)", [1, 2, 4, 8, 16, 32, 64]), ("(10-50,20)", [10, 30, 50]), ("(8-1,d)", [8, 4, 2, 1]),
                            ("(100-40,30)", [100, 70, 40]), ("(1,5,9)", [1, 5, 9]), ("7", [7]), ("(2,4-16,d,99)", [2, 4, 8, 16, 99]),
                            ("(1-5,d)", [1, 2, 4]), ("(4-0,2)", [4, 2, 0])):
            self.assertEqual(vdbench_values.points(parameter(f"threads={text}"), vdbench_values.count), found, text)
        self.assertEqual(vdbench_values.points(parameter("forxfersize=(128k,32k,d)"), vdbench_values.size),
                         [131072, 65536, 32768])

    def test_what_is_no_value_is_said(self):
        for text, reader in (("x", vdbench_values.number), ("1.5", vdbench_values.count), ("4q", vdbench_values.size),
                             ("1d", vdbench_values.seconds), ("101", vdbench_values.percent), ("9" * 400, vdbench_values.number)):
            with self.assertRaisesRegex(Failure, "^job.vdb:1: "):
                reader(parameter(f"key={text}"))
        for text in ("(1-64)", "(1-64,0)", "(0-64,d)", "(1-5000,1)"):
            with self.assertRaises(Failure):
                vdbench_values.points(parameter(f"threads={text}"), vdbench_values.count)


class Definitions(unittest.TestCase):
    def assert_fails(self, pattern, text):
        with self.assertRaisesRegex(Failure, pattern):
            read(text)

    def test_keywords_may_be_cut_short(self):
        run = read("rd=r,io=max,el=60,in=5,xf=8k,forth=4,dist=e,wa=10,openflag=o_direct,seek=rand\n").runs[0]
        self.assertEqual([one.key for one in run.parameters], ["iorate", "elapsed", "interval", "xfersize", "threads",
                                                               "distribution", "warmup", "openflags", "seekpct"])

    def test_a_beginning_of_two_words_is_no_keyword(self):
        self.assert_fails("^job.vdb:1: st: may be startcmd or stopcurve", "rd=r,st=5\n")
        self.assert_fails("^job.vdb:1: fort: may be forthreads or fortotalsize", "rd=r,fort=5\n")
        self.assert_fails("^job.vdb:1: distribution: the value is missing", "rd=r,dist=(,)\n")
        self.assert_fails("^job.vdb:1: rg: iorx replays no trace", "rg=g,devices=(1,2),sd=a\n")
        self.assert_fails("^job.vdb:1: colour: Vdbench has no such parameter of sd", "sd=a,colour=red\n")

    def test_defaults_hold_for_what_comes_later_and_may_be_repeated(self):
        file = read("sd=a,lun=/a\nsd=default,size=1g,threads=2\nsd=b,lun=/b\nsd=default,size=2g\nsd=c,lun=/c,threads=5\n")
        self.assertEqual([[one.get(key) and one.get(key).text for key in ("size", "threads")] for one in file.storage],
                         [[None, None], ["1g", "2"], ["2g", "5"]])

    def test_a_comma_too_many_does_not_join_two_definitions(self):
        file = read("sd=a,host=h1,lun=/a,\nsd=b,lun=/b,\nwd=w,sd=a,\nrd=r,sd=b,wd=w\n")
        self.assertEqual([[one.name for one in of_kind] for of_kind in (file.storage, file.workloads, file.runs)],
                         [["a", "b"], ["w"], ["r"]])
        self.assertEqual([one.key for one in file.runs[0].parameters], ["sd", "wd"])

    def test_the_order_is_enforced(self):
        self.assert_fails("^job.vdb:2: sd: stands after wd", "wd=w\nsd=s\n")
        self.assert_fails("sd and fsd cannot stand in one file", "sd=s\nfsd=f\nrd=r\n")

    def test_names_are_chosen_by_wildcard_and_range(self):
        file = read("sd=sd1\nsd=sd2\nsd=sd10\nsd=log-1\nsd=log-2\n")
        for names, found in (("sd*", ["sd1", "sd2", "sd10"]), ('("sd*")', ["sd1", "sd2", "sd10"]), ("(sd1-sd9)", ["sd1", "sd2"]),
                             ("log-1", ["log-1"]), ("(log-2,sd1)", ["log-2", "sd1"]), ("*1*", ["sd1", "sd10", "log-1"])):
            chosen = vdbench_definitions.select(parameter(f"sd={names}"), file.storage, "sd")
            self.assertEqual([one.name for one in chosen], found, names)
        with self.assertRaisesRegex(Failure, "there is no sd x"):
            vdbench_definitions.select(parameter("sd=x"), file.storage, "sd")

    def test_count_makes_a_row_of_sds(self):
        for lun, found in (("/d/f", ["/d/f8", "/d/f9", "/d/f10"]), ("/d/f-*.dat", ["/d/f-8.dat", "/d/f-9.dat", "/d/f-10.dat"]),
                           ("/d/f%04d", ["/d/f0008", "/d/f0009", "/d/f0010"])):
            file = read(f"sd=sd,lun={lun},count=(8,3)\n")
            self.assertEqual([one.get("lun").text for one in file.storage], found)
            self.assertEqual([one.name for one in file.storage], ["sd8", "sd9", "sd10"])

    def test_a_line_with_host_stands_for_all_hosts(self):
        file = read("hd=a,system=x\nhd=b,system=y\nsd=sd_$host,host=!host,lun=/mnt/#host/f\n")
        self.assertEqual([(one.name, one.get("host").text, one.get("lun").text) for one in file.storage],
                         [("sd_a", "a", "/mnt/0/f"), ("sd_b", "b", "/mnt/1/f")])

    def test_loops_nest_in_the_order_of_the_line(self):
        run = read("rd=default,forrdpct=(0,50)\nrd=r,forxfersize=(4k,8k),threads=(1,2)\n").runs[0]
        found = vdbench_loops.loops(run, ("xfersize", "threads", "rdpct"))
        points = vdbench_loops.passes(run, found, [1])
        self.assertEqual([(one["rdpct"], one["xfersize"], one["threads"]) for one in points[:3]],
                         [(0, 4096, 1), (0, 4096, 2), (0, 8192, 1)])
        self.assertEqual(len(points), 8)
        with self.assertRaisesRegex(Failure, "stands for 1200 runs"):
            vdbench_loops.passes(run, found, range(150))


class Vdbench(translated.Case):
    def blocks_of(self, text, *words, **options):
        return self.blocks("vdbench", "-f", self.file(text, "job.vdb"), *words, **options)

    def one(self, text, *words, **options):
        blocks = self.blocks_of(text, *words, **options)
        self.assertEqual(len(blocks), 1)
        return blocks[0]

    def assert_vdbench_refused(self, pattern, text, *words):
        self.assert_refused(pattern, "vdbench", "-f", self.file(text, "job.vdb"), *words)


class Raw(Vdbench):
    def test_what_is_not_written_has_vdbenchs_defaults(self):
        block = self.one(SD + "wd=wd1,sd=sd1\nrd=rd1,wd=wd1,iorate=max\n")
        self.assertEqual({key: block.get(key) for key in ("name", "api", "queue_depth", "test_file", "file_scope", "file_size",
                                                          "operations", "sizes", "random", "duration", "warmup_time", "rate")},
                         {"name": "rd1", "api": "uring", "queue_depth": "8", "test_file": "/mnt/f1", "file_scope": "test",
                          "file_size": "1g", "operations": "read:100", "sizes": "4k", "random": "100%", "duration": "29",
                          "warmup_time": "1", "rate": None})

    def test_one_thread_needs_no_queue(self):
        block = self.one(SD + "wd=wd1,sd=sd1\nrd=rd1,wd=wd1,iorate=max,threads=1,openflags=o_direct\n")
        self.assertEqual((block["api"], block["posix.direct"], block.get("queue_depth")), ("posix", "1", None))

    def test_threads_of_the_rd_are_of_each_sd(self):
        text = "sd=sd,lun=/mnt/f-*,count=(1,3),size=1g,threads=2\nwd=wd1,sd=sd*\n"
        block = self.one(text + "rd=rd1,wd=wd1,iorate=max,threads=25\n")
        self.assertEqual((self.job.tasks(), block["queue_depth"], block["test_file"]), (3, "25", "/mnt/f-1@/mnt/f-2@/mnt/f-3"))

    def test_elapsed_counts_after_the_warmup(self):
        block = self.one(SD + "wd=wd1,sd=sd1\n" + RD)
        self.assertEqual((block["warmup_time"], block["duration"]), ("10", "60"))
        self.assert_vdbench_refused("elapsed=65 is no multiple of interval=10", SD + "wd=wd1,sd=sd1\n" +
                                    "rd=rd1,wd=wd1,iorate=max,elapsed=65,interval=10\n")

    def test_intervals_have_rows_but_not_in_a_set(self):
        text = "sd=sd1,lun=/a,size=1g\nsd=sd2,lun=/b,size=1g\nwd=wd1,sd=sd1\nwd=wd2,sd=sd2\n"
        self.assertEqual(self.one(text + "rd=rd1,wd=wd1,iorate=max,elapsed=60,interval=5\n")["interval"], "5")
        self.assertEqual([block.get("interval") for block in self.blocks_of(text + "rd=rd1,wd=wd*,iorate=100,elapsed=60,interval=5\n")],
                         [None, None])

    def test_a_run_to_the_end_is_one_pass(self):
        block = self.one(SD + "wd=wd1,sd=sd1,rdpct=0,seekpct=eof,xfersize=64k\n" + RD)
        self.assertEqual([block.get(key) for key in ("passes", "random", "duration", "warmup_time", "operations")],
                         ["1", "0%", "60", None, "write:100"])

    def test_loops_and_rates_are_lists_in_their_order(self):
        text = self.text("vdbench", self.file(SD + "wd=wd1,sd=sd1\nrd=rd1,wd=wd1,iorate=(100,200),forxfersize=(4k,8k),"
                                              "forrdpct=(0,50,100),forthreads=(1,4)\n", "job.vdb"))
        found = re.findall(r"(?m)^    (\w+) = (\[.*?\])", text)
        self.assertEqual(found, [("sizes", "[4k 8k]"), ("operations", "[write:100 read:50,write:50 read:100]"),
                                 ("queue_depth", "[1 4]"), ("rate", "[100 200]")])

    def test_loops_that_are_no_lists_are_written_out(self):
        blocks = self.blocks_of(SD + "wd=wd1,sd=sd1,xfersize=8k\nrd=rd1,wd=wd1,iorate=max,rhpct=50,forrdpct=(0,100)\n")
        self.assertEqual([(block["operations"], block.get("distribution")) for block in blocks],
                         [("write:100", None), ("read:100", "zoned:50/0.09765625,50/99.90234375")])

    def test_a_curve_begins_with_the_highest_rate(self):
        block = self.one(SD + "wd=wd1,sd=sd1\nrd=rd1,wd=wd1,iorate=curve,curve=(10-120,110),stopcurve=2.5,dist=d\n")
        self.assertEqual([block[key] for key in ("curve", "arrival", "stop_response")], ["max, 10%, 120%", "even", "mean:2.5ms"])
        self.assertEqual(self.one(SD + "wd=wd1,sd=sd1\nrd=rd1,wd=wd1,iorate=curve\n")["curve"],
                         "max, 10%, 50%, 70%, 80%, 90%, 100%")

    def test_skew_divides_the_rate_among_workloads(self):
        text = "sd=sd1,lun=/a,size=1g\nsd=sd2,lun=/b,size=1g\nwd=wd1,sd=sd1,skew=40\nwd=wd2,sd=sd2\n"
        blocks = self.blocks_of(text + "rd=rd1,wd=wd*,iorate=200\n")
        self.assertEqual([(block["name"], block["rate"], block["arrival"], block["num_tasks"]) for block in blocks],
                         [("rd1.1", "80", "poisson", "1"), ("rd1.2", "120", "poisson", "1")])
        self.assert_vdbench_refused("skew: with max each of several loads", text + "rd=rd1,wd=wd*,iorate=max\n")
        self.assert_vdbench_refused("skew: the shares of its wds add up to 140", text.replace("sd=sd2\n", "sd=sd2,skew=100\n") +
                                    "rd=rd1,wd=wd*,iorate=200\n")

    def test_workloads_on_the_same_sds_are_one_load_for_each_pattern(self):
        block = self.one(SD + "wd=wd1,sd=sd1,rdpct=75,skew=80\nwd=wd2,sd=sd1,rdpct=0,xfersize=8k\nrd=rd1,wd=wd*,iorate=100\n")
        self.assertEqual([block.get(key) for key in ("operations", "read_sizes", "write_sizes", "sizes", "rate")],
                         ["read:60,write:40", "4k", "4k/50,8k/50", None, "100"])
        text = SD + "wd=wd1,sd=sd1,skew=75\nwd=wd2,sd=sd1,seekpct=0\nrd=rd1,wd=wd*,iorate=100\n"
        blocks = self.blocks_of(text)
        self.assertEqual([[block.get(key) for key in ("name", "test_file", "layout", "random", "rate", "queue_depth", "operation_limit")]
                          for block in blocks],
                         [["layout", "/mnt/f1", "missing", None, None, None, "1"], ["rd1.1", "/mnt/f1", "none", "100%", "75", "6", None],
                          ["rd1.2", "/mnt/f1", "none", "0%", "25", "2", None]])
        self.assert_vdbench_refused("skew: with max each of several loads", text.replace("iorate=100", "iorate=max"))

    def test_the_files_of_several_sds_that_are_there_keep_their_names(self):
        job = "sd=default,size=1m,threads=3\nsd=sd1,lun=a\nsd=sd2,lun=b\nwd=w,sd=sd*\nrd=r,wd=w,iorate=max,elapsed=4\n"
        names = ("num_tasks", "test_file", "file_scope", "files", "layout", "queue_depth", "depth_scope")
        for found in ("2", "a@b", None, None, None, "3", None), ("1", "a@b", "test", "2", "missing", "3", "file"):
            block, = self.blocks("vdbench", "-f", self.file(job, "job.vdb"))
            self.assertEqual(tuple(block.get(name) for name in names), found)
            self.file("x" * (1 << 20), "a")

    def test_files_that_are_there_are_used_as_they_are(self):
        self.assertEqual(self.one(SD + "wd=wd1,sd=sd1\n" + RD)["layout"], "missing")
        self.assertEqual(self.one("formatsds=no\n" + SD + "wd=wd1,sd=sd1\n" + RD)["layout"], "none")
        self.assertIn("#   - Files that are there are used as they are, as in Vdbench.",
                      self.text(self.file(SD + "wd=wd1,sd=sd1\n" + RD, "job.vdb")))

    def test_anchors_are_made_when_the_job_runs(self):
        rest = ",depth=1,width=1,files=4,size=64k\nfwd=fwd1,fsd=fsd1\nrd=rd1,fwd=fwd1,fwdrate=max,format=yes,elapsed=5,interval=1\n"
        for head, there in (("fsd=fsd1,anchor=new", True), ("fsd=fsd1,anchor=a/b", False), ("create_anchors=yes\nfsd=fsd1,anchor=c/d", True)):
            anchor = head.rpartition("=")[2]
            self.text(self.file(head + rest, "job.vdb"))
            self.assertFalse(os.path.exists(anchor))
            self.job.make_folders()
            self.assertEqual(os.path.isdir(anchor), there, anchor)

    def zones(self, band):
        """[(percent of accesses, first and last percent of the file)]"""
        text = self.one(SD + f"wd=wd1,sd=sd1,hotband={band}\n" + RD)["distribution"]
        at, found = 0, []
        for zone in text.removeprefix("zoned:").split(","):
            accesses, size = map(float, zone.split("/"))
            found.append((round(accesses, 6), round(at, 6), round(at + size, 6)))
            at += size
        self.assertAlmostEqual(at, 100, places=9)
        self.assertAlmostEqual(sum(accesses for accesses, _, _ in found), 100, places=9)
        return found

    def test_hot_bands_favour_their_start(self):
        self.assertEqual(self.zones("(0,100)"), [(40.96, 0, 0.16), (10.24, 0.16, 0.8), (12.8, 0.8, 4), (16, 4, 20), (20, 20, 100)])
        self.assertEqual([zone for zone in self.zones("(40,60)") if zone[0]],
                         [(40.96, 40, 40.032), (10.24, 40.032, 40.16), (12.8, 40.16, 40.8), (16, 40.8, 44), (20, 44, 60)])
        self.assertEqual(self.zones("(512m,1g)")[0], (0, 0, 50))
        wrapped = self.zones("(90,110)")
        self.assertEqual(wrapped[:2], [(12.5, 0, 10), (0, 10, 90)])
        self.assertEqual(wrapped[-2:], [(16, 90.8, 94), (7.5, 94, 100)])
        for more in ",seekpct=0", ",rhpct=50", ",range=(0,50)", ",seekpct=50":
            self.assert_vdbench_refused("hotband: needs seekpct=100 here", SD + f"wd=wd1,sd=sd1,hotband=(10,20){more}\n" + RD)

    def test_sds_of_other_sizes_are_members_of_their_own(self):
        blocks = self.blocks_of("sd=sd1,lun=/a,size=1g\nsd=sd2,lun=/b,size=2g,threads=3\nsd=sd3,lun=/c,size=1g\n"
                          "rd=rd1,sd=*,iorate=300\n")
        self.assertEqual([(block["test_file"], block["queue_depth"], block["rate"]) for block in blocks],
                         [("/a@/c", "8", "200"), ("/b", "3", "100")])

    def test_sizes_may_be_a_list_or_a_range(self):
        for written, sizes in (("(4k,10,8k,20,16k,70)", "4k/10,8k/20,16k/70"), ("(4k,16k,4k)", "4k/25,8k/25,12k/25,16k/25"),
                               ("1m", "1m")):
            self.assertEqual(self.one(SD + f"wd=wd1,sd=sd1,xfersize={written}\n" + RD)["sizes"], sizes)
        for written, reason in (("(4k,10,8k,20)", "add up to 30"), ("1000", "no multiple of 512"), ("(1k,1m,1k)", "1024 sizes"),
                                ("(4k,5,8k,5,4k)", "the form is")):
            self.assert_vdbench_refused(reason, SD + f"wd=wd1,sd=sd1,xfersize={written}\n" + RD)

    def test_ranges_and_hits_are_zones(self):
        for written, zones, offset, size in (
                ("range=(25,75)", None, "256m", "512m"), ("range=(90,110)", "zoned:50/10,0/80,50/10", None, None),
                ("range=(256m,512m)", None, "256m", "256m"), ("rhpct=80", "zoned:80/25,20/75", None, None),
                ("rhpct=80,range=(50,100)", "zoned:80/50,20/50", "512m", None), ("seekpct=seq,range=(0,50)", None, None, "512m")):
            block = self.one(SD.replace("\n", ",hitarea=256m\n") + f"wd=wd1,sd=sd1,{written}\n" + RD)
            self.assertEqual([block.get(key) for key in ("distribution", "region_offset", "region_size")], [zones, offset, size],
                             written)
        self.assert_vdbench_refused("range: a sequential load of iorx does not go over", SD +
                                    "wd=wd1,sd=sd1,seekpct=seq,range=(90,110)\n" + RD)
        block = self.one(SD.replace("\n", ",offset=64m\n") + "wd=wd1,sd=sd1,seekpct=seq\n" + RD)
        self.assertEqual((block["region_offset"], block.get("region_size")), ("64m", None))

    def test_a_stride_skips_behind_each_transfer(self):
        block = self.one(SD + "wd=wd1,sd=sd1,stride=(64k,64k)\n" + RD)
        self.assertEqual((block["random"], block["stride"]), ("0%", "64k"))
        self.assert_vdbench_refused("stride: iorx skips the same number", SD + "wd=wd1,sd=sd1,stride=(4k,64k)\n" + RD)

    def test_hosts_are_nodes_in_their_order(self):
        text = "hd=h1,system=a\nhd=h2,system=b\nhd=h3,system=c\nsd=default,size=1g\n" + \
            "".join(f"sd=s{host}{disk},host=h{host},lun=/h{host}d{disk}\n" for disk in "12" for host in "123")
        block = self.one(text + "rd=r,sd=*,iorate=max\n")
        self.assertEqual((block["test_file"], block["num_nodes"], block["placement"]),
                         ("/h1d1@/h1d2@/h2d1@/h2d2@/h3d1@/h3d2", "3", "spread"))
        block = self.one(text.replace("system=c", "system=a") + "rd=r,sd=*,iorate=max\n")
        self.assertEqual((block["test_file"], block["num_nodes"]), ("/h1d1@/h1d2@/h3d1@/h3d2@/h2d1@/h2d2", "2"))
        block = self.one(text + "rd=r,sd=*,iorate=max\n", fold_hosts=2)
        self.assertEqual((block["test_file"], block["num_nodes"]), ("/h1d1@/h1d2@/h3d1@/h3d2@/h2d1@/h2d2", "2"))

    def test_24_hosts_of_6_disks_want_144_tasks(self):
        text = "hd=default,jvms=1,shell=ssh\n" + "".join(f"hd=vm{host},system=n{host}\n" for host in range(1, 25)) + \
            "sd=default,size=693g\n" + "".join(f"sd=sd-{host}-{disk},host=vm{host},lun=/mnt{disk}/vdb{host}/file-{host}-{disk}\n"
                                               for disk in range(1, 7) for host in range(1, 25)) + \
            'wd=RndRead,rdpct=100,seekpct=100,xfersize=8k,sd=(sd*)\n' \
            'rd=RndRead,wd=RndRead,sd=("sd*"),threads=25,warmup=60,elapsed=600,iorate=max,interval=1\n'
        block = self.one(text)
        luns = [f"/mnt{disk}/vdb{host}/file-{host}-{disk}" for host in range(1, 25) for disk in range(1, 7)]
        self.assertEqual((self.job.tasks(), block["test_file"].split("@"), block["queue_depth"], block["num_nodes"]),
                         (144, luns, "25", "24"))
        block = self.one(text, fold_hosts=3)
        self.assertEqual((self.job.tasks(), block["test_file"].split("@")[6:8], block["num_nodes"]),
                         (144, ["/mnt1/vdb4/file-4-1", "/mnt2/vdb4/file-4-2"], "3"))

    def test_luns_that_are_too_many_for_one_list_are_several_loads(self):
        blocks = self.blocks_of(f"sd=sd,lun=/mnt/{'x' * 90}-*,count=(100,90),size=1g\nrd=r,sd=*,iorate=900\n")
        self.assertEqual([(len(block["test_file"].split("@")), block["rate"]) for block in blocks], [(39, "390"), (39, "390"), (12, "120")])
        self.assertLess(max(len(block["test_file"]) for block in blocks), 3950)

    def test_an_sd_of_all_hosts_is_one_file(self):
        text = "hd=h1,system=a\nhd=h2,system=b\nsd=sd1,lun=/shared,size=1g,host=*\nwd=wd1,sd=sd1,seekpct={}\n" + RD
        self.assertEqual((self.one(text.format(100))["file_scope"], self.job.tasks()), ("test", 2))
        self.assertEqual((self.one(text.format("seq"))["test_file"], self.job.tasks()), ("/shared", 1))
        both = text.replace("wd=wd1,sd=sd1", "sd=sd2,lun=/other,size=1g,host=*\nwd=wd1,sd=*")
        block = self.one(both.format(100))
        self.assertEqual(([block[key] for key in ("test_file", "files", "file_scope", "queue_depth", "depth_scope")],
                          self.job.tasks()), (["/shared@/other", "2", "test", "8", "file"], 2))
        block = self.one(both.format(100).replace("iorate=max", "iorate=100"))
        self.assertEqual((block["queue_depth"], block.get("depth_scope")), ("16", None))
        self.assertEqual((self.one(both.format(0))["test_file"], self.job.tasks()), ("/shared@/other", 2))
        three = "hd=h3,system=c\n" + text.format(100)
        self.assertEqual((self.one(three)["file_size"], self.job.tasks()), ("1048572k", 3))
        self.assert_vdbench_refused("3 tasks cannot share files of 1m", three.replace("size=1g", "size=1m"))
        local = "hd=a,system=x\nhd=b,system=y\nsd=default,size=1g\nsd=s1,host=a,lun=/tmp/f\nsd=s2,host=b,lun=/tmp/f\nrd=r,sd=*,iorate=max\n"
        block = self.one(local)
        self.assertEqual((block["test_file"], block.get("file_scope"), self.job.tasks()), ("/tmp/f", None, 2))
        four = local.replace("rd=r", "sd=s3,host=a,lun=/tmp/g\nsd=s4,host=b,lun=/tmp/g\nrd=r")
        self.assertEqual((self.one(four)["test_file"], self.job.tasks()), ("/tmp/f@/tmp/g", 4))
        self.assert_vdbench_refused("lun: some hosts have other sds", four.replace("sd=s2,host=b,lun=/tmp/f\n", ""))
        pairs = "hd=a,system=x\nhd=b,system=y\nsd=s,host=a,lun=/a,host=b,lun=/b,size=1g\nrd=r,sd=s,iorate=max\n"
        self.assertEqual(self.one(pairs)["test_file"], "/a@/b")

    def test_devices_keep_their_names(self):
        keys = "test_file", "files", "file_scope", "whole_files", "queue_depth", "depth_scope", "allow_device", "layout"
        def shown(text):
            block = self.one(text)
            return [block.get(key) for key in keys], self.job.tasks()
        one = "sd=sd1,lun=/dev/sdx,size=1g\nwd=wd1,sd=sd*\n" + RD
        self.assertEqual(shown(one), (["/dev/sdx", None, "test", None, "8", None, "1", "none"], 1))
        two = one.replace("wd=", "sd=sd2,lun=/dev/sdy,size=1g\nwd=", 1)
        self.assertEqual(shown(two), (["/dev/sdx@/dev/sdy", "2", "test", None, "8", "file", "1", "none"], 1))
        hosts = "hd=a,system=x\nhd=b,system=y\nsd=default,size=1g,lun=/dev/sdx\nsd=s1,host=a\nsd=s2,host=b\nrd=r,sd=*,iorate=max\n"
        self.assertEqual(shown(hosts), (["/dev/sdx", None, "test", "1", "8", None, "1", "none"], 2))
        self.assert_vdbench_refused("lun: a load uses devices of the same names", hosts.replace("s2,", "s2,lun=/dev/sdy,"))
        self.assert_vdbench_refused("lun: devices and files", two.replace("/dev/sdy", "/mnt/f"))
        sizes = hosts.replace("rd=r", "sd=s3,host=a,size=2g,lun=/dev/sdz\nsd=s4,host=b,size=2g,lun=/dev/sdz\nrd=r")
        self.assert_vdbench_refused("rd=r: several loads at the same time on devices", sizes)
        seek = one.replace("wd=wd1", "wd=wd0,sd=sd1,seekpct=seq\nwd=wd1", 1).replace("rd=rd1,wd=wd1", "rd=rd1,wd=*")
        self.assertEqual([block["name"] for block in self.blocks_of(seek)], ["rd1.1", "rd1.2"])

    def test_maxdata_is_that_of_the_whole_rd(self):
        blocks = self.blocks_of("sd=s1,lun=/a,size=1g\nsd=s2,lun=/b,size=2g\nrd=r,sd=*,iorate=max,maxdata=6g\n")
        self.assertEqual([block["byte_limit"] for block in blocks], ["3g", "3g"])
        self.assertEqual(self.one("sd=s1,lun=/a,size=1g\nrd=r,sd=*,iorate=max,maxdata=2\n")["byte_limit"], "2g")

    def test_the_size_of_a_file_that_is_there_counts(self):
        path = self.file("x" * 8192, "disk")
        self.assertEqual(self.one(f"sd=sd1,lun={path}\nrd=r,sd=sd1,iorate=max\n")["file_size"], "8k")
        self.assert_vdbench_refused("size= is missing", "sd=sd1,lun=/no/such\nrd=r,sd=sd1,iorate=max\n")

    def test_compression_is_a_share(self):
        self.assertEqual(self.one("compratio=4\n" + SD + "wd=wd1,sd=sd1\n" + RD)["content_compress"], "75%")

    def test_a_pause_stands_before_all_but_the_first(self):
        blocks = self.blocks_of(SD + "wd=wd1,sd=sd1\nrd=default,pause=30\n" + RD + RD.replace("rd1", "rd2"))
        self.assertEqual([block.get("inter_test_delay") for block in blocks], [None, "30"])

    def test_scaled_files_keep_one_size(self):
        text = SD + "wd=wd1,sd=sd1,xfersize=8k\nwd=wd2,sd=sd1,xfersize=48k\n" + RD + RD.replace("rd1,wd=wd1", "rd2,wd=wd2")
        blocks = self.blocks_of(text, size=1e-6, time=0.1)
        self.assertEqual([(block["file_size"], block["duration"], block["warmup_time"]) for block in blocks], [("64k", "6", "1")] * 2)

    def test_scaling_changes_each_test_once(self):
        text = "loop=2\nsd=sd1,lun=/a,size=1g\nsd=sd2,lun=/b,size=2g\nrd=r,sd=*,iorate=(100,200),elapsed=100,interval=10,warmup=10\n"
        blocks = self.blocks_of(text, time=0.1, size=0.5)
        self.assertEqual([(block["duration"], block["warmup_time"], block["file_size"]) for block in blocks],
                         [("10", "1", "512m"), ("10", "1", "1g")] * 4)

    def test_files_hold_whole_transfers(self):
        text = SD.replace("1g", "1000k") + "wd=wd1,sd=sd1,xfersize=4k\nwd=wd2,sd=sd1,xfersize=96k\n" + RD + RD.replace("rd1,wd=wd1", "rd2,wd=wd2")
        self.assertEqual([block["file_size"] for block in self.blocks_of(text)], ["896k", "896k"])
        self.assertEqual(self.one(SD.replace("1g", "1k") + "wd=wd1,sd=sd1,xfersize=512\n" + RD)["file_size"], "4k")

    def test_loop_repeats_all(self):
        blocks = self.blocks_of("loop=3\n" + SD + "wd=wd1,sd=sd1\n" + RD + RD.replace("rd1", "rd2"))
        self.assertEqual([block["name"] for block in blocks], ["rd1", "rd2"] * 3)

    def test_each_key_without_a_counterpart_is_refused_by_name(self):
        for key, text in (("clients: ", "hd=h,system=x,clients=4\n" + SD),
                          ("validate: ", "validate=yes\n" + SD), ("streams: ", SD.replace("\n", ",streams=4\n"))):
            self.assert_vdbench_refused(key, text + "wd=wd1,sd=sd1\n" + RD)
        self.assert_vdbench_refused("-v: Vdbench reads each block", SD + "wd=wd1,sd=sd1\n" + RD, "-v")

    def test_flags_of_the_open_are_keys(self):
        for flags, expected in (("o_sync", "sync"), ("o_dsync", "dsync"), ("(o_direct,o_dsync)", "dsync"), ("o_direct", None)):
            block = self.one(SD.replace("\n", f",openflags={flags}\n") + "wd=wd1,sd=sd1,rdpct=0\n" + RD)
            self.assertEqual(block.get("sync"), expected)

    def test_a_percent_sign_in_a_lun_is_no_field(self):
        self.assertIn("%%t", self.one(SD.replace("/mnt/f1", "/mnt/f%t") + "wd=wd1,sd=sd1\n" + RD)["test_file"])

    def test_the_command_line_overrides_times_and_chooses_where_to_begin(self):
        text = SD + "wd=wd1,sd=sd1\n" + RD + RD.replace("rd1", "rd2")
        block = self.one(text, "-e", "120", "-I5", "-w", "20", "-r", "rd2", "-o", "out", "-m", "4")
        self.assertEqual([block[key] for key in ("name", "duration", "warmup_time")], ["rd2", "120", "20"])
        self.assertEqual(self.problems.ignored, ["-o", "-m"])
        self.assertEqual(len(self.blocks_of(text, "-l", "2")), 4)
        self.assert_vdbench_refused("-r x: there is no such rd", text, "-r", "x")

    def test_several_files_are_read_one_behind_the_other(self):
        self.file("wd=wd1,sd=sd1,rdpct=$reads\n" + RD, "second")
        self.assertEqual(self.one(SD, "-f", "second", "reads=40")["operations"], "read:40,write:60")

    def test_lenient_goes_on_without_what_is_refused(self):
        text = self.text("vdbench", self.file("validate=yes\n" + SD + "wd=wd1,sd=sd1,seekpct=(poisson,3),rdpct=50,rhpct=20\n" + RD, "job.vdb"),
                         lenient=True)
        self.assertRegex(text, r"(?s)Left out, as --lenient says:.*seekpct: the manual.*rhpct: reads and writes")
        self.assertIn("random = 100%", text)

    def test_a_workload_needs_a_rate(self):
        self.assert_vdbench_refused("rd=r: iorate= is missing", SD + "rd=r,sd=sd1\n")
        self.assert_vdbench_refused("there is no rd", SD)


FSD = "fsd=fsd1,anchor=/mnt/a,depth=2,width=3,files=10,size=128k\n"
FWD = "fwd=fwd1,fsd=fsd1,operation=read,xfersize=4k,threads=9\n"
RATE = "rd=rd1,fwd=fwd*,fwdrate=max,elapsed=60,interval=1,warmup=5\n"


class Trees(Vdbench):
    def test_threads_are_tasks_with_equal_parts_of_the_files(self):
        block = self.one(FSD + FWD + RATE)
        self.assertEqual(self.job.tasks(), 9)
        self.assertEqual({key: block.get(key) for key in ("test_file", "files", "file_size", "operations", "random", "run_length",
                                                          "sizes", "file_scope", "duration")},
                         {"test_file": "/mnt/a/vdb", "files": "10", "file_size": "128k", "operations": "read:100", "random": "0%",
                          "run_length": "32", "sizes": "4k", "file_scope": None, "duration": "60"})

    def test_depth_width_and_limits_give_the_number_of_files(self):
        for more, files in (("", 90), (",distribution=all", 120), (",totalsize=1m", 8), (",wss=2m", 16)):
            block = self.one(FSD.replace("\n", more + "\n") + FWD.replace("threads=9", "threads=1") + RATE)
            self.assertEqual(block["files"], str(files), more)

    def test_threads_are_shared_out_in_whole_numbers(self):
        fsds = FSD + FSD.replace("fsd1", "fsd2").replace("/mnt/a", "/mnt/b")
        block = self.one(fsds + "fwd=fwd1,fsd=fsd*,threads=7\n" + RATE.replace("fwdrate", "operations=(read,write),fwdrate"))
        self.assertEqual((self.job.tasks(), block["operations"], block["test_file"]), (4, "read:50,write:50", "/mnt/a/vdb@/mnt/b/vdb"))

    def test_threads_stay_where_they_must_not_be_adjusted(self):
        text = "fwd_thread_adjust=no\n" + FSD + FWD + RATE.replace("fwdrate", "operations=(read,write),fwdrate")
        self.assert_vdbench_refused("fwd=fwd1 has 9 threads, which cannot be shared", text)

    def test_rdpct_mixes_whatever_the_operation_is(self):
        for operation in ("read", "write"):
            block = self.one(FSD + FWD.replace("operation=read", f"operation={operation},rdpct=70") + RATE)
            self.assertEqual(block["operations"], "read:70,write:30")

    def test_files_of_windows_are_taken_to_a_directory(self):
        raw = "sd=sd1,lun=c:\\vdb\\f1,size=1g\nsd=sd,lun=d:\\vdb\\f*,size=1g,count=(2,2)\nwd=wd1,sd=sd*\nrd=rd1,wd=wd1,iorate=max\n"
        block = self.one(raw, target="/d")
        self.assertEqual(block["test_file"], "/d/f1@/d/f2@/d/f3")
        self.assert_vdbench_refused(r"lun: c:\\vdb\\f1: is a disk or file of Windows; .* --target=DIR", raw)
        trees = FSD.replace("/mnt/a", "c:\\fs") + FWD + RATE
        self.assertEqual(self.one(trees, target="/d")["test_file"], "/d/fs/vdb")
        self.assert_vdbench_refused(r"job.vdb:1: anchor: c:\\fs: is a disk or file of Windows", trees)

    def test_random_io_and_selection(self):
        block = self.one(FSD + FWD.replace("threads", "fileio=random,fileselect=rand,threads") + RATE)
        self.assertEqual((block["random"], block["file_choice"], block.get("run_length")), ("100%", "random", None))
        shared = FWD.replace("threads", "fileio=(random,shared),threads")
        block = self.one(FSD + shared.replace("=9", "=8") + RATE)
        self.assertEqual((block["file_scope"], block["files"]), ("test", "90"))

    def test_threads_that_share_small_files_are_in_flight_of_one_task(self):
        shared = FWD.replace("threads", "openflags=o_direct,fileio=(random,shared),fileselect=random,threads")
        block = self.one(FSD + shared + RATE)
        self.assertEqual({key: block.get(key) for key in ("api", "queue_depth", "uring.direct", "posix.direct", "file_scope", "files",
                                                          "file_size", "num_tasks")},
                         {"api": "uring", "queue_depth": "9", "uring.direct": "1", "posix.direct": None, "file_scope": "test",
                          "files": "90", "file_size": "128k", "num_tasks": "1"})
        self.assertEqual(self.job.tasks(), 1)
        hosts = "hd=h1,system=a\nhd=h2,system=b\n" + FSD.replace("\n", ",shared=yes\n")
        block = self.one(hosts + shared.replace("=9", "=12") + RATE)
        self.assertEqual((self.job.tasks(), block["queue_depth"], block["num_nodes"]), (2, "6", "2"))
        self.assertEqual(self.one(hosts + shared.replace("=9", "=8") + RATE)["api"], "posix")
        blocks = self.blocks_of(FSD + shared + shared.replace("fwd1", "fwd2").replace("xfersize=4k", "xfersize=8k") +
                                RATE.replace("rd1,fwd=fwd*", "rd1,fwd=fwd1") + RATE.replace("rd1,fwd=fwd*", "rd2,fwd=fwd2"))
        self.assertEqual([(block["api"], block["sizes"]) for block in blocks], [("uring", "4k"), ("uring", "8k")])
        for other in shared.replace("random,shared", "sequential,shared"), shared + "fwd=fwd2,fsd=fsd1,operation=getattr\n":
            self.assert_vdbench_refused("rd=rd1: .* tasks cannot share files of 128k in parts of whole transfers, 4k each",
                                        FSD + other + RATE)

    def test_a_skewed_choice_of_files(self):
        for choice in "poisson", "(poisson,3)", "skewed":
            text = FSD + FWD.replace("threads", f"fileselect={choice},threads") + RATE
            self.assertEqual(self.one(text)["file_choice"], "pareto:0.2")
            self.assertIn("favours some files by a law", self.text(self.file(text, "job.vdb")))

    def test_words_may_be_cut_short(self):
        block = self.one(FSD + FWD.replace("threads", "fileio=seq,fileselect=seq,threads") + RATE)
        self.assertEqual([block.get(key) for key in ("random", "run_length", "file_choice")], ["0%", "32", None])
        self.assert_vdbench_refused("fileio: 's' is none of", FSD + FWD.replace("threads", "fileio=s,threads") + RATE)

    def test_files_of_several_sizes_are_loads_of_their_own(self):
        mixed = FSD.replace("128k", "(8k,50,64k,30,128k,20)")
        blocks = self.blocks_of(mixed + FWD.replace("threads=9", "threads=10") + RATE.replace("max", "580"))
        found = [[block[key] for key in ("test_file", "file_size", "files", "run_length", "num_tasks", "rate")] for block in blocks]
        self.assertEqual(found, [["/mnt/a/vdb-8k", "8k", "45", "2", "1", "47.5409836066"],
                                 ["/mnt/a/vdb-64k", "64k", "6", "16", "4", "228.196721311"],
                                 ["/mnt/a/vdb-128k", "128k", "3", "32", "5", "304.262295082"]])
        block = self.one(FSD.replace("128k", "(64k,0)") + FWD + RATE)
        self.assertEqual(block["file_size"], "64k")
        self.assertIn("in Vdbench n is their mean", self.text(self.file(FSD.replace("128k", "(64k,0)") + FWD + RATE, "job.vdb")))
        self.assertEqual(self.one(FSD.replace("128k", "(64k,40,64k,60)") + FWD + RATE)["file_size"], "64k")
        blocks = self.blocks_of(mixed.replace("\n", ",totalsize=4m\n") + FWD.replace("threads=9", "threads=1") + RATE)
        self.assertEqual([block["files"] for block in blocks], ["42", "25", "16"])
        for sizes, reason in (("(8k,50,64k)", "the form is"), ("(8k,50,64k,10)", "add up to 60"), ("(0,50,64k,50)", "0 bytes")):
            self.assert_vdbench_refused(reason, FSD.replace("128k", sizes) + FWD + RATE)

    def test_small_files_beside_reads_are_no_larger_than_transfers(self):
        rate = RATE.replace("fwdrate", "operations=(read,getattr),fwdrate")
        self.assertEqual(self.one(FSD + FWD + rate)["item_bytes"], "4k")
        self.assertEqual(self.one(FSD + FWD.replace("operation=read", "operation=getattr") + RATE)["item_bytes"], "128k")
        self.assert_vdbench_refused("fileselect: operations on names make no passes",
                                    FSD + FWD.replace("threads", "fileselect=(random,once),threads") + rate)

    def test_operations_on_names_have_files_of_several_sizes(self):
        blocks = self.blocks_of(FSD.replace("128k", "(8k,50,64k,50)") + FWD.replace("operation=read", "operation=getattr") + RATE)
        self.assertEqual([[block[key] for key in ("item_bytes", "items", "num_tasks")] for block in blocks],
                         [["8k", "11", "4"], ["64k", "11", "4"]])

    def test_a_transfer_is_no_larger_than_the_file(self):
        block = self.one(FSD.replace("128k", "8k") + FWD.replace("4k", "64k") + RATE)
        self.assertEqual((block["sizes"], block["run_length"], block["file_size"]), ("8k", "1", "8k"))

    def test_stopafter_ends_a_visit(self):
        for text, length in (("8", "8"), ("25%", "8")):
            self.assertEqual(self.one(FSD + FWD.replace("threads", f"stopafter={text},threads") + RATE)["run_length"], length)

    def test_fwds_of_one_order_are_one_load(self):
        block = self.one(FSD + FWD.replace("threads", "skew=75,threads") + FWD.replace("fwd1", "fwd2").replace("=read", "=write") + RATE)
        self.assertEqual((block["operations"], self.job.tasks(), block["files"]), ("read:75,write:25", 18, "5"))

    def test_other_fwds_are_members_with_files_of_their_own(self):
        blocks = self.blocks_of(FSD + FWD + FWD.replace("fwd1", "fwd2").replace("threads", "fileio=random,threads") +
                                RATE.replace("max", "300"))
        self.assertEqual([(block["test_file"], block["rate"], block["files"]) for block in blocks],
                         [("/mnt/a/vdb-fwd1", "150", "5"), ("/mnt/a/vdb-fwd2", "150", "5")])

    def test_hosts_of_one_tree_need_shared(self):
        text = "hd=h1,system=a\nhd=h2,system=b\n" + FSD + FWD + RATE
        self.assert_vdbench_refused("several hosts use it, so Vdbench wants shared=yes", text)
        block = self.one(text.replace("size=128k", "size=128k,shared=yes"))
        self.assertEqual((self.job.tasks(), block["num_nodes"], block["placement"]), (8, "2", "spread"))

    def test_an_rd_that_only_formats_is_left_out(self):
        blocks = self.blocks_of(FSD + FWD + "rd=f,fwd=fwd1,fwdrate=max,format=(restart,only)\n" + RATE)
        self.assertEqual([block["name"] for block in blocks], ["rd1"])

    def test_operations_on_names_act_on_small_files_of_each_task(self):
        block = self.one(FSD + FWD.replace("=read", "=getattr") + RATE)
        self.assertEqual({key: block.get(key) for key in ("operations", "items", "item_bytes", "branch", "depth", "files", "sizes", "random")},
                         {"operations": "stat:100", "items": "10", "item_bytes": "128k", "branch": None, "depth": None,
                          "files": None, "sizes": None, "random": None})
        block = self.one(FSD + FWD.replace("threads=9", "threads=2") +
                         RATE.replace("fwdrate", "operations=(create,delete,setattr,open,close),fwdrate"))
        self.assertEqual([block[key] for key in ("operations", "items", "item_bytes", "branch", "depth")],
                         ["create:25,unlink:25,chmod:25,open:25", "22", "0", "3", "1"])
        self.assertEqual(self.job.tasks(), 4)
        block = self.one(FSD + FWD + RATE.replace("fwdrate", "operations=(getattr,access,setattr),fwdrate"))
        self.assertEqual(block["operations"], "stat:1,access:1,chmod:1")

    def test_data_and_names_in_one_load_have_their_shares(self):
        block = self.one(FSD + FWD.replace("threads", "skew=60,threads") + FWD.replace("fwd1", "fwd2").replace("=read", "=getattr") + RATE)
        self.assertEqual((block["operations"], block["files"], block["items"], self.job.tasks()), ("read:60,stat:40", "5", "5", 18))

    def test_removals_of_their_own_are_a_metadata_test(self):
        block = self.one(FSD.replace("files=10", "files=4") + FWD.replace("=read", "=delete").replace("=9", "=4") +
                         RATE.replace("warmup=5", "pause=3"))
        self.assertEqual({key: block.get(key) for key in ("block", "dir", "items", "depth", "branch", "leaf_only", "files_only",
                                                          "unique_dir", "write_bytes", "create", "remove", "duration", "api")},
                         {"block": "MDTEST", "dir": "/mnt/a/vdb-rd1-delete", "items": "9", "depth": "1", "branch": "3",
                          "leaf_only": "1", "files_only": "1", "unique_dir": "1", "write_bytes": "128k", "create": "1",
                          "remove": "1", "duration": None, "api": None})
        self.assertEqual(self.job.tasks(), 4)
        block = self.one(FSD + FWD.replace("=read", "=rmdir").replace("=9", "=4") + RATE)
        self.assertEqual([block.get(key) for key in ("items", "directories_only", "write_bytes")], ["3", "1", None])
        blocks = self.blocks_of(FSD + FWD + RATE.replace("fwdrate", "foroperations=(create,delete,open),fwdrate"))
        self.assertEqual([(block["block"], block.get("operations")) for block in blocks],
                         [("LOAD", "create:100"), ("MDTEST", None), ("LOAD", "open:100")])
        blocks = self.blocks_of(FSD.replace("128k", "(8k,50,64k,50)") + FWD.replace("=read", "=delete") + RATE)
        self.assertEqual([(block["dir"], block["write_bytes"], block["num_tasks"]) for block in blocks],
                         [("/mnt/a/vdb-rd1-delete-8k", "8k", "4"), ("/mnt/a/vdb-rd1-delete-64k", "64k", "4")])
        for old, new, reason in (("max", "100", "fwdrate: delete and rmdir of an rd"), ("max", "max,maxdata=1g", "maxdata: delete of an rd")):
            self.assert_vdbench_refused(reason, FSD + FWD.replace("=read", "=delete") + RATE.replace(old, new))

    def test_close_of_its_own_is_open(self):
        text = FSD + FWD.replace("=read", "=close") + RATE
        self.assertEqual(self.one(text)["operations"], "open:100")
        self.assertIn("close of an rd of its own is open here", self.text(self.file(text, "job.vdb")))

    def test_operations_without_a_counterpart_are_refused(self):
        self.assert_vdbench_refused("operation: delete: a load removes no more", FSD + FWD +
                                    RATE.replace("fwdrate", "operations=(delete,getattr),fwdrate"))
        self.assert_vdbench_refused("operation: copy: a load has no such", FSD + FWD.replace("=read", "=copy") + RATE)
        self.assert_vdbench_refused("fwdrate= is missing", FSD + FWD + RATE.replace("fwdrate=max", "maxdata=1g"))


class Examples(translated.Case):
    def count_of(self, step):
        """How many tests iorx makes of a step: its lists multiply, and a curve is a test for each point."""
        number = 0
        for member in step.members:
            of_member = len((member.get("curve") or "").split(","))
            for key in member.keys.values():
                of_member *= len(key.value) if isinstance(key.value, list) else 1
            number += of_member
        return number

    def test_each_is_translated_or_refused_by_name(self):
        for name, (text, expected) in vdbench_examples.EXAMPLES.items():
            with self.subTest(name):
                words = ["vdbench", "-f", self.file(text, "job.vdb"), *vdbench_examples.ARGUMENTS.get(name, [])]
                if isinstance(expected, str):
                    self.assert_refused(re.escape(expected), *words)
                    continue
                self.text(*words)
                self.assertEqual(sum(self.count_of(step) for step in self.job.steps), expected)

    def test_the_language_is_recognised(self):
        for name, (text, expected) in vdbench_examples.EXAMPLES.items():
            if isinstance(expected, int) and name not in vdbench_examples.ARGUMENTS:
                self.text(self.file(text, "job.vdb"))


if __name__ == "__main__":
    unittest.main()
