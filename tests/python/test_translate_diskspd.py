"""Command lines of DiskSpd become the right jobs of iorx."""

import os
import unittest

import translated


class DiskSpd(translated.Case):
    def line(self, text):
        return self.blocks("diskspd", *text.split())

    def one(self, text):
        block, = self.line(text)
        return block

    def refused(self, message, text):
        self.assert_refused(message, "diskspd", *text.split())

    def test_defaults(self):
        block = self.one("-c1G f")
        self.assertEqual({key: block.get(key) for key in ("block", "test_file", "file_scope", "file_size", "operations", "sizes",
                                                          "random", "api", "queue_depth", "duration", "warmup_time", "rate")},
                         {"block": "LOAD", "test_file": "f", "file_scope": "test", "file_size": "1g", "operations": "read:100",
                          "sizes": "64k", "random": "0%", "api": "uring", "queue_depth": "2", "duration": "10",
                          "warmup_time": "5", "rate": None})

    def test_operations_in_flight_are_those_of_a_thread_and_target(self):
        blocks = self.line("-c1M -b4K -t8 -o32 a b")
        self.assertEqual([(b["num_tasks"], b["queue_depth"]) for b in blocks], [("8", "32"), ("8", "32")])
        self.assertEqual(self.one("-c1M -b4K -F4 -O16 a")["queue_depth"], "16")
        block = self.one("-c1M -b4K -o1 a")
        self.assertEqual((block["api"], block.get("queue_depth")), ("posix", None))
        self.refused("one of the two", "-c1M -F4 -t2 a")
        self.refused("-O16: DiskSpd wants -F", "-c1M -O16 a")

    def test_fixed_threads_use_all_targets(self):
        def shown(text):
            block = self.one(text)
            return [block.get(key) for key in ("test_file", "files", "queue_depth", "depth_scope", "file_choice", "rate")]
        self.assertEqual(shown("-c1M -b4K -F2 -o3 a@1 b"), ["a@@1@b", "2", "3", "file", None, None])
        self.assertEqual(shown("-c1M -b4K -F2 -o1 a b"), ["a@b", "2", "1", "file", None, None])
        self.assertEqual(shown("-c1M -b4K -F2 -O5 a b"), ["a@b", "2", "5", None, "random", None])
        self.assertEqual(shown("-c1M -b4K -F2 -o3 -g100i a b"), ["a@b", "2", "6", None, None, "200"])
        self.refused("-i8: a thread of iorx has one burst", "-c1M -F2 -i8 -j1 a b")
        self.refused("-g9 -O4: DiskSpd takes one of the two", "-c1M -F2 -O4 -g9 a b")
        for name, size in (("a", 1 << 20), ("b", 2 << 20)):
            with open(name, "wb") as file:
                file.truncate(size)
        self.refused("-F2: the targets have different sizes", "-F2 a b")

    def test_switches_stand_before_the_targets(self):
        self.refused("-b8K: switches stand before the first target", "-c1M a -b8K")
        self.refused("typographic dash", "-c1M \u2013o15 a")
        self.refused("knows no such switch", "-c1M -1 a")
        self.refused("no target", "-c1M")
        self.refused("no target", "-c1M /b8K")
        self.assertEqual(self.one("/c1M /b8K /nowhere/file.dat")["test_file"], "/nowhere/file.dat")
        self.refused("-Rptext: this prints a profile", "-c1M -Rptext a")

    def test_files_of_windows_are_taken_to_a_directory(self):
        def files(*words, target="/d"):
            return [(b["name"], b["test_file"]) for b in self.blocks("diskspd", "-c1M", *words, target=target)]
        self.refused(r"c:\\test.dat: this names a drive or path of Windows; .* --target=DIR", "-c1M c:\\test.dat")
        self.assertEqual(files("C:\\test\\a b.dat"), [("a b.dat", "/d/a b.dat")])
        self.assertEqual(files("c:\\x.dat", "D:\\iotest\\X.dat", "\\\\server\\share\\y", "E:/z", "f:w", "/own/v"),
                         [("x.dat", "/d/x.dat"), ("D-iotest-X.dat", "/d/D-iotest-X.dat"), ("y", "/d/y"), ("z", "/d/z"),
                          ("w", "/d/w"), ("v", "/own/v")])
        self.assertIn("--target: files of Windows are in this directory", self.text("diskspd", "-c1M", "c:\\x", target="/d"))
        for device in "c:", "#1", "\\\\.\\PhysicalDrive1", "c:\\":
            with self.assertRaisesRegex(translated.Failure, "this names a drive of Windows; give a path of this system$"):
                files(device)
        with self.assertRaisesRegex(translated.Failure, "--target: the job has no files of Windows"):
            files("x")
        with self.assertRaisesRegex(translated.Failure, "--target: a job of fio has no files of Windows"):
            self.text("fio", "--name=x", "--size=1m", target="/d")

    def test_targets_of_one_last_name_are_told_apart(self):
        self.assertEqual([b["name"] for b in self.line("-c1M a/x b/x")], ["x", "x.2"])
        self.refused("a/x: the target stands there twice", "-c1M a/x a/x")

    def test_sizes_and_blocks(self):
        self.assertEqual(self.one("-c100b -b4K f")["file_size"], "400k")
        self.assertEqual(self.one("-b4K -c100b f")["file_size"], "400k")
        for text in ("-c1KB f", "-c f", "-c1M -b1b f", "-c0 f", "-c1.5G f"):
            self.refused(r"command line: -", text)

    def test_share_of_writes(self):
        self.assertEqual(self.one("-c1M -w30 f")["operations"], "read:70,write:30")
        self.refused("-w: the 2.2 program wants the percentage", "-c1M -w f")
        self.assertEqual(self.one("-c1M -W0 f")["operations"], "read:100")

    def test_random_places(self):
        block = self.one("-c1G -b8K -r f")
        self.assertEqual((block["random"], block["distribution"], block.get("align")), ("100%", "uniform", None))
        self.assertEqual(self.one("-c1G -b8K -r4k f")["align"], "4k")
        self.assertEqual(self.one("-c1G -rs20 f")["random"], "20%")
        self.assertEqual(self.one("-c1G -r -rdpct60/10:30/20 f")["distribution"], "zoned:60/10,30/20,10/70")
        for text, expected in (("-rdabs60/256M:30/512M", "60/25,30/50,10/25"), ("-rdabs60/64b", "60/0.78125,40/99.21875"),
                               ("-rdabs90/512M:0/512M:5/20G", "100/50,0/50"), ("-rdabs50/1G", "100/100"),
                               ("-rdabs20/512M:60/1G", "25/50,75/50"), ("-rdpct80/20:10/80", "88.8888888889/20,11.1111111111/80")):
            self.assertEqual(self.one(f"-c1G -b128K -r {text} f")["distribution"], "zoned:" + expected, text)
        self.assertEqual(self.one("-c2G -B1G -r -rdabs60/256M f")["distribution"], "zoned:60/25,40/75")
        for text in "-rdabs0/1G:100/1G", "-rdabs60", "-rdabs60/0", "-rdpct60/10K", "-rdabs60/1G:50/1G", "-rdpct60/60:10/60", "-rdx1/1":
            self.refused(f"command line: {text}: ", f"-c1G -r {text} f")
        self.refused("at most 16 zones", "-c1G -r -rdpct" + ":".join(["5/5"] * 17) + " f")
        self.refused("-rs20 -s8b: DiskSpd takes one of the two", "-c1G -rs20 -s8b f")
        self.refused("-r -s: DiskSpd takes one of the two", "-c1G -r -s f")

    def test_strides(self):
        self.assertEqual(self.one("-c1G -b4K -s64K f")["stride"], "60k")
        self.assertIsNone(self.one("-c1G -b4K -s f").get("stride"))
        self.refused("-s2K: transfers of iorx do not overlap", "-c1G -b4K -s2K f")

    def test_streams_of_threads(self):
        self.assertEqual(self.one("-c1G -t4 -s f")["whole_files"], "1")
        self.assertIsNone(self.one("-c1G -t4 -si f").get("whole_files"))
        self.assertIsNone(self.one("-c1G -t4 -r f").get("whole_files"))
        block = self.one("-c1G -t4 -T256M -s f")
        self.assertEqual((block["region_step"], block["region_size"]), ("256m", "256m"))
        self.refused("-T1M: threads have starts of their own", "-c1G -t4 -T1M -r f")

    def test_parts_of_a_file(self):
        block = self.one("-c8G -B5g -r f")
        self.assertEqual((block["region_offset"], block.get("region_size")), ("5g", None))
        self.assertEqual(self.one("-c20G -B5g:10g -r f")["region_size"], "10g")
        self.assertEqual(self.one("-c20G -f1G -r f")["region_size"], "1g")
        self.refused("smaller than a transfer", "-c1G -B1G -r f")

    def test_a_file_that_threads_cannot_share_evenly_is_cut(self):
        text = self.text("diskspd", "-c1M", "-b4K", "-t3", "-r", "f")
        self.assertIn("\n    file_size = 1020k ", text)
        self.assertIn("DiskSpd visits the rest too", text)
        self.assertNotIn("visits the rest", self.text("diskspd", "-c1M", "-b4K", "-t4", "-r", "f"))

    def test_rates_and_bursts(self):
        block = self.one("-c1G -g80 f")
        self.assertEqual((block["byte_rate"], block["rate_scope"]), ("80000", "task"))
        self.assertEqual(self.one("-c1G -g1000i f")["rate"], "1000")
        block = self.one("-c1G -i8 -j20 f")
        self.assertEqual((block["burst"], block["burst_pause"]), ("8", "0.02"))
        self.refused("-i8: DiskSpd wants -j", "-c1G -i8 f")

    def test_caching(self):
        self.assertEqual(self.one("-c1G -Su f")["uring.direct"], "1")
        self.assertEqual(self.one("-c1G -S f")["uring.direct"], "1")
        self.assertIsNone(self.one("-c1G -Sb f").get("uring.direct"))
        for switches in ("-Sh", "-h", "-Suw"):
            block = self.one(f"-c1G {switches} f")
            self.assertEqual((block["uring.direct"], block["sync"]), ("1", "dsync"))
        self.refused("contradicts", "-c1G -Su -Sb f")
        self.refused("-Sd: this exists in the Linux port only", "-c1G -Sd f")

    def test_data(self):
        self.assertEqual(self.one("-c1G -w100 -Z f")["content"], "zeros")
        self.assertEqual(self.one("-c1G -w100 -Zr f")["content"], "random")
        self.assertIsNone(self.one("-c1G -w100 -Z1M f").get("content"))
        self.assertEqual(self.one("-c1G -w100 f")["content_compress"], "90%")
        self.refused("Linux port", "-c1G -w100 -Zz f")

    def test_a_file_that_is_there(self):
        self.refused("f: No such file or directory; without -c", "f")
        with open("f", "wb") as file:
            file.truncate(1 << 20)
        block = self.one("f")
        self.assertEqual((block["file_size"], block["layout"]), ("1m", "none"))
        self.assertEqual(os.listdir("."), ["f"])

    def test_times(self):
        block = self.one("-c1G -d30 -W7200 -C3 f")
        self.assertEqual([block[key] for key in ("duration", "warmup_time", "cooldown")], ["30", "7200", "3"])

    def test_what_only_windows_has_is_refused(self):
        for switch in ("-a0,1", "-ag", "-I1", "-l", "-Nv", "-x", "-Xprofile.xml", "-fr"):
            self.refused(f"{switch}: ", f"-c1G {switch} f")

    def test_switches_that_change_nothing_are_listed(self):
        text = self.text("diskspd", "-c1G", "-L", "-D250", "-v", "-n", "f")
        self.assertIn("# Changes nothing here: -L, -D, -v, -n.", text)


if __name__ == "__main__":
    unittest.main()
