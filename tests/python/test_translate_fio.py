"""fio's job files and command lines become the right jobs of iorx. What fio does was seen by running fio 3.33."""

import contextlib
import io
import os
import unittest

import translated
from iorx_translate import command, fio

HEAD = "[x]\nsize=1m\n"


class FioCase(translated.Case):
    def member(self, text, **options):
        block, = self.blocks(self.file(HEAD + text), **options)
        return block

    def assert_keys(self, text, **expected):
        block = self.member(text)
        self.assertEqual({key: block.get(key) for key in expected}, expected, text)

    def assert_line_refused(self, message, text):
        self.assert_refused(message, self.file(HEAD + text))


class Sections(FioCase):
    def test_sections_without_stonewall_are_members_of_a_set(self):
        blocks = self.blocks(self.file("[global]\nrw=randread\nsize=128m\n[job1]\n[job2]\n"))
        self.assertEqual([(b["block"], b["test_file"], b["num_tasks"]) for b in blocks],
                         [("LOAD", "job1.%t.%f", "1"), ("LOAD", "job2.%t.%f", "1")])
        for block in blocks:
            self.assertEqual([block[key] for key in ("operations", "sizes", "distribution", "passes", "file_size")],
                             ["read:100", "4k", "every_block", "1", "128m"])

    def test_stonewall_begins_a_step(self):
        text = self.text(self.file("[global]\nsize=1m\n[a]\nstonewall\n[b]\n[c]\nstonewall\n[d]\n[e]\nwait_for_previous=1\n"))
        self.assertEqual([len(step.members) for step in self.job.steps], [2, 2, 1])
        self.assertEqual(text.count("TOGETHER START"), 2)

    def test_sections_of_one_name_are_members_of_their_own(self):
        head = "[global]\nsize=1m\n"
        blocks = self.blocks(self.file(head + "[a]\nfilename=f\n[a]\nfilename=g\n[a.2]\n[a]\nfilename=f\n[a]\nstonewall\n"))
        self.assertEqual([(block["name"], block["test_file"]) for block in blocks],
                         [("layout", "f"), ("a", "f"), ("a.3", "g"), ("a.2", "a.2.%t.%f"), ("a.4", "f"), ("a", "a.%t.%f")])
        blocks = self.blocks(self.file(head + "rw=randwrite\nverify=md5\n[a]\nfilename=f\n[a]\nfilename=g\n"))
        self.assertEqual([block["name"] for block in blocks], ["a", "a.2", "a-verify", "a-verify.2"])

    def test_a_global_section_holds_for_what_follows(self):
        blocks = self.blocks(self.file("[global]\nsize=1m\nbs=1k\n[a]\n[global]\nbs=2k\n[b]\nstonewall\n[c]\nstonewall\nbs=8k\n"))
        self.assertEqual([block["sizes"] for block in blocks], ["1k", "2k", "8k"])

    def test_the_later_of_two_keys_wins(self):
        self.assert_keys("bs=1k\nbs=2k\n", sizes="2k")
        self.assert_keys("bs=1k\nbsrange=4k-4k\nbs=2k\n", sizes="4k")
        self.assert_keys("direct=1\nbuffered=1\n", **{"posix.direct": None})
        self.assert_keys("buffered=1\ndirect=1\n", **{"posix.direct": "1"})
        self.assert_keys("rw=randrw\nrwmixwrite=40\nrwmixread=70\n", operations="read:70,write:30")
        self.assert_keys("rw=randrw\nrwmixread=70\nrwmixwrite=60\n", operations="read:40,write:60")
        self.assert_keys("rw=randrw\nrwmixread=100\n", operations="read:100")

    def test_include_pulls_lines_into_the_section(self):
        self.file("bs=64k\nstonewall\n", "more.inc")
        blocks = self.blocks(self.file("[global]\nsize=1m\n[a]\n[b]\ninclude more.inc\n"))
        self.assertEqual([block["sizes"] for block in blocks], ["4k", "64k"])
        self.assertEqual(len(self.job.steps), 2)
        self.file("[c]\n", "section.inc")
        self.assert_line_refused(r"section\.inc:1: .*holds no sections", "include section.inc\n")
        for secret in "root:hash:19000:0", "password=hash", "[hash of [a]", "{{hash}}", "$hash = 1":
            self.file("bs=4k\n" + secret + "\n", "shadow")
            self.assert_line_refused(r"shadow:2: this line is none of a job file of fio; look at the included file$",
                                     "include shadow\n")
        self.file("include loop.inc\n", "loop.inc")
        self.assert_line_refused("include each other", "include loop.inc\n")
        self.assert_line_refused(r"job\.fio:3: missing: No such file", "include missing\n")

    def test_comments_end_a_line_anywhere(self):
        self.assert_keys("bs=8k ; eight\n# none\nfilename=a#b\n", sizes="8k", test_file="a")

    def test_environment_and_arithmetic(self):
        os.environ["IORX_TEST_BS"] = "16k"
        self.addCleanup(os.environ.pop, "IORX_TEST_BS")
        self.assert_keys("bs=${IORX_TEST_BS}\n", sizes="16k")
        self.assert_line_refused(r"\$\{IORX_NOT_SET\} is not set", "bs=${IORX_NOT_SET}\n")
        self.assert_keys("bs=$pagesize*2\n", sizes="8k")
        self.assertEqual(self.text(self.file(HEAD + "numjobs=$ncpus\n")) and self.job.tasks(), os.cpu_count())
        for text in ("bs=$pagesize**9**9\n", "bs=$pagesize/0\n", "bs=$pagesize+x\n", "bs=8*1024\n"):
            self.assert_line_refused(r"job\.fio:3: ", text)

    def test_keys_that_change_nothing_are_listed(self):
        text = self.text(self.file(HEAD + "log_avg_msec=100\nlog_window_value=both\nlog_issue_time=1\nmem_align=4k\n"
                                   "steadystate_check_interval=5\n"))
        self.assertIn("# Changes nothing here: log_avg_msec, log_window_value, log_issue_time, iomem_align,\n"
                      "# steadystate_check_interval.\n", text)

    def test_the_binding_of_clones_is_left_out_with_a_sentence(self):
        for key in "cpus_allowed=0-3", "cpumask=3", "numa_cpu_nodes=0", "cpus_allowed_policy=split":
            self.assertIn("#   - cpus_allowed, cpumask, ", self.text(self.file(HEAD + key + "\n")), key)

    def test_the_end_at_an_error_is_said(self):
        self.assertIn("#   - continue_on_error is left out: ", self.text(self.file(HEAD + "continue_on_error=all\n")))

    def test_a_check_in_portions_is_a_check_behind_the_writes(self):
        for rw in "write", "randwrite":
            text = self.text(self.file(HEAD + f"rw={rw}\nverify=md5\nverify_backlog=1024\nverify_backlog_batch=8\n"))
            self.assertIn("check_", text)
            self.assertIn("#   - verify_backlog: data is checked in a phase of its own", text)
        for line in "rw=write", "rw=write\nverify=md5\ndo_verify=0", "rw=read\nverify=md5":
            self.assertNotIn("  - verify_backlog", self.text(self.file(HEAD + f"{line}\nverify_backlog=1024\n")), line)

    def test_templates_and_other_texts_are_refused_with_their_line(self):
        for line in ("bs={{ bs }}", "bs={% x %}", "size=$@"):
            self.assert_line_refused(r"job\.fio:3: .*template", line + "\n")
        self.assert_refused("stands before the first section", "fio", self.file("bs=1k\n[a]\n"))
        self.assert_line_refused(r"blocksze: fio 3.33 knows no such key; do you mean blocksize\?", "blocksze=1k\n")
        self.assert_refused(r"^job\.fio:2: siz: .* do you mean size\?\njob\.fio:3: zork: fio 3\.33 knows no such key\njob\.fio:4: iodeph: .*iodepth\?$",
                            self.file("[x]\nsiz=1m\nzork\niodeph=4\nrw=read\n"))
        self.assert_refused(r"^command line --siz=1m: siz: .*\ncommand line --rww=read: rww: ", "fio", "--name=x", "--siz=1m", "--rww=read")
        self.assert_refused("no section but", self.file("[global]\nsize=1m\n"))

    def test_carriage_returns_and_the_byte_order_mark(self):
        block, = self.blocks(self.file("\ufeff[x]\r\nsize=1m\r\nbs=8k\r\n"))
        self.assertEqual(block["sizes"], "8k")


class Values(FioCase):
    def test_suffixes_of_sizes(self):
        for text, expected in (("4k", "4k"), ("4K", "4k"), ("4kb", "4k"), ("4KB", "4k"), ("4KiB", "4000"), ("4ki", "4k"),
                               ("1Mi", "1m"), ("14", "14"), ("0x1000", "4k"), ("1b", "1"), ("1MiB", "1000000")):
            self.assertEqual(self.member(f"bs={text}\n")["sizes"], expected, text)
        for text, expected in (("1k", "1000"), ("1KiB", "1k"), ("1Ki", "1000")):
            self.assertEqual(self.member(f"kb_base=1000\nbs={text}\n")["sizes"], expected, text)

    def test_what_fio_would_misread_is_refused(self):
        for text in ("bs=2s\n", "bs=1.5k\n", "bs= 8k\n", "bs=k\n", "bs=-1\n", "bs=0\n", "bs=\n"):
            self.assert_line_refused(r"job\.fio:3: ", text)

    def test_lists_of_reads_and_writes(self):
        self.assert_keys("rw=randrw\nbs=4k,8k\n", read_sizes="4k", write_sizes="8k")
        self.assert_keys("rw=randrw\nbs=,8k\n", read_sizes="4k", write_sizes="8k")
        self.assert_keys("rw=randrw\nbs=8k,\n", read_sizes="8k", write_sizes="4k")
        self.assert_keys("rw=randwrite\nbs=,8k\n", sizes="8k")

    def test_times(self):
        self.assert_keys("runtime=2m\nramp_time=500ms\nthinktime=100\ntime_based\n", duration="120", warmup_time="0.5",
                         think_time="0.0001")
        self.assert_line_refused("no time", "runtime=5x\n")

    def test_flags(self):
        self.assert_keys("rw=randread\nnorandommap\n", distribution="uniform")
        self.assert_keys("rw=randread\nnorandommap=0\n", distribution="every_block")
        self.assert_keys("direct=1G\n", **{"posix.direct": "1"})


class Loads(FioCase):
    def test_runtime_alone_is_a_cap(self):
        self.assert_keys("runtime=30\n", duration="30", passes="1")
        self.assert_keys("runtime=30\ntime_based\n", duration="30", passes=None)
        self.assert_keys("time_based\n", duration=None, passes="1")
        self.assert_keys("runtime=30\ntime_based=1\nrw=write\n", block="IOR", duration="30", stonewall=None)
        self.assert_keys("runtime=30\nrw=write\n", block="IOR", duration=None, stonewall="30")

    def test_limits(self):
        self.assert_keys("io_size=3m\n", byte_limit="3m", passes=None)
        self.assert_keys("loops=3\n", passes="3")
        self.assert_keys("number_ios=7\nloops=2\n", operation_limit="14")

    def test_runs_and_strides(self):
        self.assert_keys("rw=randread:8\n", run_length="8", distribution="uniform")
        self.assert_keys("rw=read:4k\n", stride="4k", random="0%")
        self.assert_keys("rw=randread\npercentage_random=30\n", random="30%")

    def test_sizes_with_shares(self):
        self.assert_keys("bssplit=4k/50:64k/50\n", sizes="4k/50,64k/50", align=None)
        self.assert_keys("bssplit=1k/:32k/\n", sizes="1k/50,32k/50")
        self.assert_keys("rw=randrw\nbssplit=2k/50:4k/50,4k/90:8k/10\n", read_sizes="2k/50,4k/50", write_sizes="4k/90,8k/10")
        for text in "1k-4k", "1k:4k", "4k-1k":
            self.assert_keys(f"bsrange={text}\n", sizes="1k/1,2k/1,3k/1,4k/1")
        self.assertEqual(len(self.member("bsrange=512-1m\n")["sizes"].split(",")), 32)
        self.assert_line_refused("more than 100", "bssplit=4k/90:8k/20\n")

    def test_random_offsets_are_multiples_of_the_smallest_size(self):
        self.assert_keys("rw=randread\nbssplit=5k/50:9k/50\n", align="5k", distribution="uniform")
        self.assert_keys("rw=randrw\nbs=4k,8k\n", align=None)
        self.assert_keys("rw=randread\nbs=8k\nblockalign=8k\n", align=None, distribution="every_block")
        self.assert_keys("rw=randread\nbs=8k\nblockalign=4k\n", align="4k", distribution="uniform")
        self.assert_line_refused("blockalign", "rw=randrw\nbs=16k\nblockalign=4k,8k\n")

    def test_reads_and_writes_in_sequence_are_one_stream(self):
        self.assertIn("one position for reads", self.text(self.file(HEAD + "rw=rw\n")))
        self.assertNotIn("one position for reads", self.text(self.file(HEAD + "rw=randrw\n")))

    def test_distributions(self):
        for text, expected in (("zipf:1.2", "zipf:1.2"), ("pareto:0.2", "pareto:0.2"), ("normal:10", "normal:10%"),
                               ("zoned:60/10:30/20:8/30:2/40", "zoned:60/10,30/20,8/30,2/40"), ("random", "every_block"),
                               ("zipf", "zipf:1.1"), ("pareto", "pareto:0.2"),
                               ("zoned:50/5:30/15:20/", "zoned:50/5,30/15,20/80"), ("zoned:50/5:30/:20", "zoned:50/5,30/47.5,20/47.5"),
                               ("zoned:50/10:50/30:", "zoned:50/10,50/30,0/60")):
            self.assertEqual(self.member(f"rw=randread\nrandom_distribution={text}\n")["distribution"], expected)
        for text in ("normal", "pareto:2", "zoned_abs:1/1", "zipf:x", "zipf:1", "zipf:101", "normal:100", "zoned:50/50", "zoned:50/60:50/60",
                     "zoned:50/100:50/", "zoned:/5:100/95", "zoned", "zoned:" + ":".join(16 * ["5/5"] + ["20/"])):
            self.assert_line_refused("random_distribution", f"rw=randread\nrandom_distribution={text}\n")

    def test_a_normal_distribution_is_scattered_by_fio_alone(self):
        for text, said in (("normal:10", True), ("zipf", False)):
            job = self.text(self.file(HEAD + f"rw=randread\nrandom_distribution={text}\n"))
            self.assertEqual("#   - normal: accesses lie around the middle" in job, said)

    def test_transfers_that_fio_would_cut_are_said(self):
        for text, said in (("rw=randread\nbssplit=4k/50:64k/50", True), ("rw=randrw\nbs=4k,64k", False), ("rw=randread", False),
                           ("rw=randread\nbssplit=4k/50:64k/50\nnorandommap", False), ("rw=read\nbssplit=4k/50:64k/50", False)):
            job = self.text(self.file(HEAD + text + "\n"))
            self.assertEqual("#   - fio cuts a transfer of mixed sizes" in job, said, text)

    def test_rates_are_those_of_each_clone(self):
        self.assert_keys("rate_iops=470\nnumjobs=2\n", rate="470", rate_scope="task", arrival="even")
        self.assert_keys("rate=10m\nrate_process=poisson\n", byte_rate="10m", arrival="poisson")
        self.assert_keys("rate=,500k\n", byte_rate=None)
        self.assert_keys("rw=randwrite\nrate=,500k\n", byte_rate="500k")
        self.assert_keys("rw=randrw\nrate_iops=1000,500\n", rate="1500", operations="read:1000,write:500")
        self.assert_line_refused("paces reads and writes together", "rw=randrw\nrate_iops=,500\n")

    def test_a_rate_of_several_sizes_is_one_of_bytes(self):
        """fio 3.33: 78, and 84 + 22 operations/s of the second and third line; 208 with poisson, for both keys."""
        self.assert_keys("bsrange=4k-64k\nrate_iops=100\n", rate=None, byte_rate="400k")
        self.assert_keys("bssplit=4k/50:16k/50\nrate_iops=200\n", rate=None, byte_rate="800k")
        self.assert_keys("rw=randrw\nbssplit=4k/50:16k/50,8k/50:64k/50\nrate_iops=200,100\n", byte_rate="1600k",
                         operations="read:80,write:22.22222222")
        self.assert_keys("rw=randrw\nbs=4k,16k\nrate_iops=100\n", rate="200", byte_rate=None)
        for rate in "rate_iops=200", "rate=800k":
            self.assert_keys(f"bssplit=4k/50:16k/50\n{rate}\nrate_process=poisson\n", rate="200", byte_rate=None)

    def test_a_pause_beside_a_rate(self):
        """fio 3.33 at 100/s: 100 with 1 ms and with 100 ms after each 20, 49 with 20 ms, 67 with 300 ms after each 20."""
        for text in ("thinktime=1ms", "thinktime=100ms\nthinktime_blocks=20"):
            self.assert_keys(f"rate_iops=100\n{text}\n", rate="100", think_time=None, burst=None, burst_pause=None)
        self.assert_keys("rate_iops=100\nthinktime=20ms\n", rate=None, arrival=None, rate_scope=None, think_time="0.02")
        self.assert_keys("rate=400k\nthinktime=300ms\nthinktime_blocks=20\n", byte_rate=None, burst="20", burst_pause="0.3")
        self.assert_keys("rw=randrw\nrate_iops=100,50\nthinktime=8ms\n", rate=None, operations="read:50,write:50")
        self.assert_keys("rate_iops=0\nthinktime=20ms\n", rate=None, think_time="0.02")
        self.assert_line_refused("thinktime=1: with rate_ignore_thinktime",
                                 "thinktime=1\nrate_iops=10\nrate_ignore_thinktime=1\n")

    def test_synchronous_writes(self):
        for value, expected in (("1", "sync"), ("sync", "sync"), ("dsync", "dsync"), ("none", None), ("0", None)):
            self.assertEqual(self.member(f"rw=write\nsync={value}\n").get("sync"), expected)
        self.assert_keys("rw=read\nsync=1\n", sync=None)
        self.assert_line_refused("sync=2", "rw=write\nsync=2\n")

    def test_steady_states(self):
        self.assert_keys("steadystate=iops:5%\nss_dur=30\nss_ramp=10\n", steady="range:10%", interval="1", steady_window="30",
                         warmup_time="10")
        self.assert_keys("steadystate=bw_slope:0.3%\nss_dur=20\n", steady="slope:6%")
        self.assert_keys("steadystate=iops:5%\n", steady=None)
        self.assert_line_refused("steadystate=iops:100", "steadystate=iops:100\nss_dur=30\n")

    def test_locks(self):
        self.assert_keys("rw=write\nlockfile=exclusive\n", lock="exclusive")
        self.assert_line_refused("lockfile=exclusive: Linux gives exclusive locks", "lockfile=exclusive\n")
        self.assert_keys("lockfile=readwrite\n", lock="shared")
        self.assert_keys("rw=write\nlockfile=readwrite\n", lock="exclusive")
        self.assert_keys("rw=rw\nlockfile=readwrite\n", lock="readwrite")
        self.assert_line_refused("lockfile=shared", "lockfile=shared\n")

    def test_metadata_engines(self):
        self.assert_keys("ioengine=filecreate\nnrfiles=100\nfilesize=4k\n", block="MDTEST", dir="x", items="100", create="1",
                         stat=None, remove=None)
        self.assert_keys("ioengine=filestat\nnrfiles=7\ndirectory=/d\n", dir="/d/x", create="1", stat="1")
        self.assert_keys("ioengine=filedelete\n", create="1", remove="1")
        self.assert_line_refused("runtime=5", "ioengine=filestat\nruntime=5\n")

    def test_engines(self):
        for engine, api in (("psync", "posix"), ("libaio", "libaio"), ("io_uring", "uring"), ("null", "null")):
            self.assertEqual(self.member(f"ioengine={engine}\n")["api"], api)
        self.assert_keys("rw=write\nioengine=mmap\n", block="IOR", api="mmap")
        self.assert_line_refused("ioengine=mmap: iorx maps files for whole new files alone", "ioengine=mmap\n")
        self.assert_keys("rw=randwrite\nioengine=null\nsync=1\n", api="null", sync=None)
        self.assert_keys("ioengine=io_uring\niodepth=32\ndirect=1\n", queue_depth="32", **{"uring.direct": "1"})
        self.assert_keys("iodepth=32\n", queue_depth=None)
        self.assert_line_refused("ioengine=splice: iorx has posix", "ioengine=splice\n")

    def test_keys_of_an_engine_name_the_engine(self):
        for text, place in (("cpuload=50\nioengine=cpuio\n", "4: ioengine=cpuio: .*the processor"),
                            ("ioengine=rbd\nrbdname=a\npool=b\n", "3: ioengine=rbd: .*images of Ceph"),
                            ("ioengine=nfs\nnfs_url=nfs://a/b\n", "3: ioengine=nfs: .*NFS server"),
                            ("ioengine=external:/opt/spdk_nvme\nspdk_core_mask=1\n", "3: ioengine=external:/opt/spdk_nvme: .*SPDK"),
                            ("cpuload=50\n", "3: cpuload=50: the key belongs to fio's engine cpuio$")):
            self.assert_line_refused(r"job\.fio:" + place, text)
        self.assert_refused("command line: --ioengine=http: .*objects behind HTTP", "fio", "--name=x", "--ioengine=http",
                            "--http_host=a")

    def test_memory_of_files_is_dropped_before_buffered_reads(self):
        self.assert_keys("", cold="fadvise")
        self.assert_keys("invalidate=0\n", cold=None)
        self.assert_keys("direct=1\n", cold=None)

    def test_data(self):
        self.assert_keys("rw=randwrite\nzero_buffers\n", content="zeros")
        self.assert_keys("rw=randwrite\nbuffer_compress_percentage=40\n", content_compress="40%")
        self.assert_keys("rw=randwrite\ndedupe_percentage=50\n", content_dedup="2")
        self.assert_line_refused("buffer_compress_percentage=95", "rw=randwrite\nbuffer_compress_percentage=95\n")

    def test_a_pattern_is_the_part_that_compresses(self):
        pattern = 'buffer_pattern="aaaa"\n'
        self.assert_keys("rw=randwrite\nbuffer_compress_percentage=50\n" + pattern, content_compress="50%")
        self.assert_keys("rw=randrw\nrwmixread=100\n" + pattern, operations="read:100")
        self.assertIn("#   - buffer_pattern is left out: ", self.text(self.file(HEAD + pattern)))
        for line in "", "buffer_compress_percentage=100\n":
            self.assert_line_refused("buffer_pattern=", "rw=randwrite\n" + line + pattern)

    def test_verification(self):
        self.assert_keys("rw=write\nverify=crc32c\n", check_write="1")
        self.assert_keys("rw=write\nverify=crc32c\ndo_verify=0\n", check_write=None)
        self.assert_keys("rw=write\nverify=0\n", check_write=None)
        self.assert_keys("rw=read\nverify=md5\n", check_read="1")
        self.assert_keys("ioengine=null\nverify=md5\n", check_read=None)

    def beside(self, text):
        """The blocks of a job with several steps."""
        return [(block["name"], block.get("check_read"), block.get("cold"), block["operations"])
                for block in self.blocks(self.file(HEAD + text))]

    def test_what_a_load_wrote_is_compared_behind_it(self):
        self.assertEqual(self.beside("rw=randwrite\nverify=md5\nbs=8k\nnumjobs=2\nioengine=libaio\ndirect=1\n"),
                         [("x", None, None, "write:100"), ("x-verify", "1", None, "read:100")])
        block = self.blocks("job.fio")[1]
        self.assertEqual([block.get(key) for key in ("api", "libaio.direct", "test_file", "sizes", "random", "passes", "queue_depth")],
                         ["libaio", "1", "x.%t.%f", "8k", "0%", "1", None])
        self.assertEqual(self.beside("rw=randrw\nverify=md5\n")[0], ("x", "1", "fadvise", "read:50,write:50"))
        self.assertEqual(self.beside("rw=randwrite\nverify=md5\n")[1], ("x-verify", "1", "fadvise", "read:100"))
        self.assertEqual(len(self.beside("rw=randwrite\nverify=md5\ndo_verify=0\n")), 1)
        self.assertEqual(self.blocks(self.file(HEAD + "rw=randwrite\nverify=md5\nbs=12k\nsize=100k\noffset=4k\n"))[1]["region_size"],
                         "96k")

    def test_a_device_is_compared_if_all_of_it_was_written(self):
        device = "filename=/dev/iorx-none\nsize=1m\nverify=md5\nrw=randwrite\n"
        self.assertEqual(len(self.beside(device)), 2)
        for line in "time_based\nruntime=5", "norandommap", "io_size=4k", "rw=randrw":
            self.assert_line_refused("only what one whole pass of writes leaves", device + line + "\n")

    def test_files_may_be_read_before(self):
        self.assertEqual(self.beside("pre_read=1\nrw=randread\n"),
                         [("x-pre-read", None, None, "read:100"), ("x", None, None, "read:100")])
        self.assertEqual(self.blocks(self.file(HEAD + "pre_read=1\nrw=write\n"))[0]["block"], "IOR")
        self.assertIn("Changes nothing here: pre_read.", self.text("job.fio"))
        names = [block["name"] for block in self.blocks(self.file(
            "[global]\nfilename=f\nsize=1m\n[a]\npre_read=1\n[b]\nrw=randwrite\nverify=md5\n"))]
        self.assertEqual(names, ["a-pre-read", "layout", "a", "b", "b-verify"])
        self.assertEqual([len(step.members) for step in self.job.steps], [1, 1, 2, 1])

    def test_syncs_between_writes(self):
        self.assert_keys("rw=randwrite\nfsync=8\n", fsync_every="8", fsync_data=None)
        self.assert_keys("rw=randwrite\nfdatasync=8\n", fsync_every="8", fsync_data="1")
        self.assert_keys("rw=write\nfdatasync=1\n", block="LOAD", fsync_every="1", fsync_data="1")
        self.assert_keys("rw=randread\nfdatasync=8\n", fsync_every=None, fsync_data=None)
        self.assert_line_refused("fdatasync=8: a load of iorx has syncs of one kind", "rw=randwrite\nfsync=2\nfdatasync=8\n")

    def test_shares_of_random_places(self):
        self.assert_keys("rw=randrw\npercentage_random=100,20\n", random="100%", write_random="20%", distribution="uniform")
        self.assert_keys("rw=randrw\npercentage_random=,0\n", random="100%", write_random="0%")
        self.assert_keys("rw=randrw\npercentage_random=30\n", random="30%", write_random=None)
        self.assert_keys("rw=randwrite\npercentage_random=100,20\n", random="20%", write_random=None)
        self.assert_keys("rw=randrw\npercentage_random=0,0\n", random="0%", distribution=None)

    def test_refused_keys_name_their_reason(self):
        for line in ("wait_for=y", "latency_target=5ms", "exec_prerun=true", "zonemode=zbd", "rw=trim",
                     "nice=5", "max_latency=1s", "uid=0", "cmdprio_percentage=5"):
            self.assert_line_refused(rf"job\.fio:3: {line}: \w", line + "\n")
        self.assert_keys("zonemode=none\nexitall=0\nnowait=0\n", block="LOAD")
        self.assert_line_refused("merge_blktrace_file=a: .*iorx-translate trace", "merge_blktrace_file=a\n")
        self.assert_line_refused("iodepth=5000", "ioengine=libaio\niodepth=5000\n")

    def test_a_log_becomes_a_trace(self):
        self.assert_keys("read_iolog=a.log\nrw=randrw\nnumber_ios=3\n", block="LOAD", trace="x.trace", test_file="x", layout="missing", operations=None,
                         sizes=None, file_size=None, trace_speed=None, trace_pace=None, operation_limit=None, cold="fadvise")
        self.assertEqual(self.job.traces, {"x.trace": ["a.log"]})
        self.assertIn("Changes nothing here: size, rw, number_ios.", self.text("job.fio"))
        self.assertIn("\n#   iorx-translate trace --output=x.trace a.log\n#   mpirun -np 1", self.text("job.fio"))
        self.assert_keys("read_iolog=a.log\nreplay_time_scale=50\nruntime=10\ntime_based\nread_iolog_chunked=1\n", trace_speed="0.5", duration="10")
        self.assert_keys("read_iolog=a.log\nreplay_time_scale=50\nreplay_no_stall=1\n", trace_speed=None, trace_pace="none")
        self.assert_keys("read_iolog=a.log\nreplay_redirect=/d/a@50%\nreplay_skip=trim\nreplay_scale=1\n", test_file="/d/a@@50%%")
        self.assert_keys("read_iolog=a.log\nioengine=io_uring\niodepth=8\ndirect=1\nsync=dsync\n", api="uring", queue_depth="8", sync="dsync",
                         cold=None, **{"uring.direct": "1"})
        self.assert_keys("read_iolog=a\\:b:-c\nnumjobs=2\n", num_tasks="2")
        self.assertIn("iorx-translate trace --output=x.trace -- a:b -c\n", self.text("job.fio"))
        self.assert_keys("replay_no_stall=1\nreplay_skip=read\n", trace=None)  # as in fio

    def test_logs_have_traces_of_their_own(self):
        blocks = self.blocks(self.file("[a b/c]\nread_iolog=1\n[a b/c]\nstonewall\nread_iolog=2\n[a b/c]\nstonewall\nread_iolog=1\n"))
        self.assertEqual([block["trace"] for block in blocks], ["a_b_c.trace", "a_b_c.2.trace", "a_b_c.trace"])
        self.assertEqual(self.job.traces, {"a_b_c.trace": ["1"], "a_b_c.2.trace": ["2"]})

    def test_scaling_leaves_a_log_as_it_is_and_says_so(self):
        name = self.file("[x]\nread_iolog=a.log\nruntime=10\n")
        for scales in {"size": 0.5}, {"time": 0.5}:
            self.assertIn("--scale-size and --scale-time leave the requests of a log", self.text(name, **scales))
        self.assertNotIn("--scale-time", self.text(name))

    def test_a_trace_that_is_there_stays(self):
        """A run replaced a trace of the user's own whose name was that of the section."""
        self.file("fio version 3 iolog\n1 /a add\n2 /a read 0 512\n", "a.log")
        with contextlib.redirect_stderr(io.StringIO()):
            command.make_trace("x.trace", ["a.log"])
            command.make_trace("x.trace", ["a.log"])
            with open("x.trace", "rb") as file:
                before = file.read()
            self.file("fio version 3 iolog\n1 /a add\n2 /a read 512 512\n", "a.log")
            with self.assertRaisesRegex(translated.Failure, "^x.trace: this trace is there, and not the one of a.log .*move it"):
                command.make_trace("x.trace", ["a.log"])
        with open("x.trace", "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(sorted(os.listdir()), ["a.log", "x.trace"])

    def test_replays_are_refused_where_they_would_not_be_those_of_fio(self):
        for line in ("replay_align=4096", "replay_scale=2", "replay_skip=trim,write", "thinktime=5", "ramp_time=5", "verify=crc32c", "lockfile=exclusive",
                     "unlink=1"):
            self.assert_line_refused(rf"{line}: \w", "read_iolog=a.log\n" + line + "\n")
        self.assert_line_refused("read_iolog=a.log: .* a log for each of 2", "numjobs=2\nread_iolog=a.log\n")
        self.assert_line_refused("read_iolog=a.log:b.log: one clone replays one log; set numjobs to 2", "read_iolog=a.log:b.log\n")
        self.assert_line_refused("standard input", "read_iolog=-\n")
        self.assert_refused("--readonly refuses", "fio", "--readonly", "--name=x", "--read_iolog=a.log")

    def test_sections_that_only_create_files_are_left_out(self):
        text = self.text(self.file("[global]\nsize=1m\n[a]\ncreate_only=1\n[b]\nstonewall\ncreate_only=0\n"))
        self.assertEqual([block["name"] for block in translated.keys(text)], ["b"])
        self.assertIn("Changes nothing here: [a], which has create_only.", text)


class Files(FioCase):
    def test_each_clone_has_a_file_of_its_own_under_the_name_that_fio_gives_it(self):
        self.assert_keys("numjobs=4\ndirectory=/a:/b\n", test_file="/a/x.%t.%f@/b/x.%t.%f", file_scope=None, layout="missing")
        self.assert_keys("name=other\n", test_file="x.%t.%f")
        self.assert_keys("rw=write\ndirectory=/a:/b\n", block="IOR", test_file="/a/x.0.0", file_per_proc="0")
        self.assertEqual(self.blocks(self.file("[50%]\nsize=1m\n"))[0]["test_file"], "50%%.%t.%f")

    def test_new_files_of_several_clones_are_numbered_as_by_ior(self):
        text = "rw=write\nnumjobs=2\n"
        self.assert_keys(text, block="IOR", test_file="x", file_per_proc="1")
        self.assertIn("#   - Files that several clones write whole have the number", self.text(self.file(HEAD + text)))
        blocks = self.blocks(self.file(HEAD + text + "[x]\nstonewall\nsize=1m\nnumjobs=2\n"))  # reads what the first one wrote
        self.assertEqual([(block["block"], block["test_file"]) for block in blocks], [("LOAD", "x.%t.%f")] * 2)

    def test_the_size_of_a_file_under_the_name_of_fio_counts(self):
        with open("x.0.0", "wb") as file:
            file.truncate(64 << 10)
        self.assertEqual(self.blocks(self.file("[x]\nrw=read\n"))[0]["file_size"], "64k")

    def test_a_file_name_is_shared(self):
        self.assert_keys("filename=/data/f@1\nnumjobs=4\n", test_file="/data/f@@1", file_scope="test", whole_files="1")
        self.assert_keys("filename=a:b\nnumjobs=2\n", test_file="a@b", files="2", file_size="512k")
        self.assert_keys("filename=f\nnumjobs=4\noffset_increment=1m\n", region_step="1m", file_size="4m", whole_files=None)
        self.assert_keys("filename=a\\:b\n", test_file="a:b")
        self.assert_keys("filename=f\ndirectory=/d\n", test_file="/d/f")
        self.assert_keys("filename=/f\ndirectory=/d\n", test_file="/d/f")
        self.assert_keys("filename=/dev/iorx-none\ndirectory=/d\n", test_file="/d/dev/iorx-none", allow_device=None)
        self.assertEqual(self.blocks(self.file("[/dev/iorx-none]\nsize=1m\ndirectory=/d\n"))[0]["test_file"],
                         "/d/dev/iorx-none.%t.%f")

    def test_names_may_have_a_form(self):
        self.assert_keys("filename_format=$jobname.data\n", test_file="x.data", file_scope="test")
        self.assert_keys("dir=/d%\nfilename_format=$jobnum/50%.$filenum\nnrfiles=2\nnumjobs=2\n", test_file="/d%%/%t/50%%.%f",
                         file_scope=None, files="2", file_size="512k")
        self.assert_keys("rw=write\nfilename_format=f.$filenum\nnrfiles=2\nnumjobs=2\n", test_file="f.%f", file_scope="test",
                         whole_files="1")
        self.assert_keys("rw=write\nfilename_format=50%\n", block="IOR", test_file="50%")
        self.assert_keys("rw=write\nfilename_format=$jobname.$jobnum.$filenum\n", test_file="x.0.0", block="IOR")
        for form in "f.$clientuid", "$jobnum$filenum", "$jobnum":
            self.assert_line_refused("filename_format", f"nrfiles=2\nfilename_format={form}\n")
        blocks = self.blocks(self.file("[global]\nsize=1m\nrw=write\nfilename_format=all\n[a]\n[b]\n"))
        self.assertEqual([block["name"] for block in blocks], ["layout", "a", "b"])

    def test_sections_may_use_the_files_of_each_clone_at_once(self):
        blocks = self.blocks(self.file("[global]\nsize=1m\nfilename_format=f.$jobnum\n[a]\nrw=write\nnumjobs=2\n[b]\nbs=8k\n"
                                       "[c]\nstonewall\nfilename=f.%t\n"))
        self.assertEqual([(b["name"], b["num_tasks"], b["test_file"], b.get("layout")) for b in blocks],
                         [("layout", "2", "f.%t", "missing"), ("a", "2", "f.%t", "none"), ("b", "1", "f.%t", "none"),
                          ("c", "1", "f.%%t", "missing")])
        blocks = self.blocks(self.file("[global]\nsize=1m\n[a]\n[a]\nbs=8k\n"))  # fio gives both a.0.0
        self.assertEqual([(b["name"], b["test_file"]) for b in blocks], [(name, "a.%t.%f") for name in ("layout", "a", "a.2")])

    def test_sections_may_use_one_file(self):
        head = "[global]\nfilename=f\nsize=1m\n"
        blocks = self.blocks(self.file(head + "[a]\nrw=write\n[b]\nrw=read\nsize=2m\n"))
        self.assertEqual([(b["name"], b["block"], b["file_size"], b.get("region_size"), b.get("layout")) for b in blocks],
                         [("layout", "LOAD", "2m", None, "missing"), ("a", "LOAD", "2m", "1m", "none"),
                          ("b", "LOAD", "2m", None, "none")])
        blocks = self.blocks(self.file(head + "[a]\nrw=write\n[b]\nstonewall\nrw=read\n[c]\nstonewall\nrw=write\n"))
        self.assertEqual([b["block"] for b in blocks], ["IOR", "LOAD", "LOAD"])

    def test_several_files(self):
        self.assert_keys("nrfiles=4\n", files="4", file_size="256k", passes="1")
        self.assert_keys("nrfiles=3\nbs=64k\n", files="3", file_size="320k", passes="1")
        self.assert_keys("nrfiles=4\nfile_service_type=random\n", file_choice="random")
        self.assert_keys("nrfiles=4\nfile_service_type=zipf:1.1\n", file_choice="zipf:1.1")
        self.assert_keys("nrfiles=4\nfile_service_type=sequential\n", file_choice=None, run_length="64")
        self.assert_keys("nrfiles=4\nfile_service_type=roundrobin:3\n", run_length="3")
        self.assert_line_refused("file_service_type=sequential", "rw=randread\nnrfiles=4\nfile_service_type=sequential\n")

    def test_the_head_says_what_needs_permission(self):
        with open("there", "wb") as file:
            file.truncate(1 << 20)
        head = "[x]\nsize=1m\nfilename=there\n"
        self.assertIn("iorx -f THIS-FILE --allow-overwrite\n", self.text(self.file(head + "allow_file_create=0\nrw=randrw\n")))
        for text in "allow_file_create=0\n", "rw=randrw\n":
            self.assertIn("iorx -f THIS-FILE\n", self.text(self.file(head + text)))

    def test_files_that_are_there_are_used_as_they_are(self):
        with open("there", "wb") as file:
            file.truncate(1 << 20)
        self.assert_keys("filename=there\nrw=randrw\n", layout="missing", file_size="1m", region_size=None)
        self.assertIn("#   - Files that are there are used as they are, as in fio.", self.text(self.file(HEAD + "filename=there\n")))
        self.assert_keys("filename=there\nsize=2m\nrw=read\n", layout="missing", file_size="2m")
        self.assert_keys("filename_format=$jobnum/f\n", layout="missing")
        self.assert_keys("filename=there\nallow_file_create=0\n", layout="none")
        self.assert_keys("filename=there\nioengine=null\n", layout=None)
        self.assert_keys("rw=randread\n", layout="missing")
        self.assert_keys("filename=there\nrw=write\n", block="IOR", use_existing_test_file="1")
        blocks = self.blocks(self.file("[global]\nfilename=there\nnumjobs=3\n[a]\n[b]\nsize=512k\nallow_file_create=0\n"))
        self.assertEqual([(b["name"], b["layout"], b["file_size"], b.get("region_size"), b.get("sizes")) for b in blocks],
                         [("layout", "missing", "1032k", "1m", "4k"), ("a", "none", "1032k", "1m", "4k"),
                          ("b", "none", "1032k", "512k", "4k")])

    def test_folders_are_made_when_the_job_runs(self):
        os.mkdir("d")
        for line, folders in (("filename=n/m/f", ["n", "n/m"]), ("directory=d\nfilename=/n/f", ["d/n"]), ("directory=none\nfilename=n/f", []),
                              ("filename_format=$jobnum/$filenum/f\nnumjobs=2\nnrfiles=2", ["0", "0/0", "0/1", "1", "1/0", "1/1"])):
            text = self.text(self.file(HEAD + line + "\n"))
            before = {root for root, _, _ in os.walk(".")}
            self.job.make_folders()
            self.assertEqual(sorted(root[2:] for root, _, _ in os.walk(".") if root not in before), folders)
            self.assertIn("fio makes the directories", text)
        self.text(self.file(HEAD + "filename=d/f\n"))
        self.assertEqual(self.job.differences.count(fio.DIFFERENCES["directories"]), 0)

    def test_devices_are_named(self):
        self.assert_keys("filename=/dev/iorx-no-such-device\nrw=write\n", block="LOAD", allow_device="1", layout="none",
                         file_scope="test")
        self.assert_keys("filename=/dev/shm/f\n", allow_device=None, layout="missing")

    def test_a_section_named_as_a_device_is_on_it(self):
        block, = self.blocks(self.file("[/dev/iorx-none:1]\nsize=1m\nrw=write\nnumjobs=2\n"))
        self.assertEqual([block.get(key) for key in ("test_file", "allow_device", "layout", "file_scope", "whole_files")],
                         ["/dev/iorx-none:1", "1", "none", "test", "1"])
        block, = self.blocks(self.file("[/dev/iorx-none]\nsize=1m\nfilename=f\n"))
        self.assertEqual(block["test_file"], "f")

    def test_a_device_of_another_machine_is_said_to_be_not_here(self):
        for text in "[/dev/iorx-none]\n", "[x]\nfilename=/dev/iorx-none\n":
            self.assert_refused(r"/dev/iorx-none: this device cannot be opened here \(No such file or directory\), .* or give size=$",
                                self.file(text))

    def test_regions(self):
        self.assert_keys("offset=1m\n", region_offset="1m", file_size="2m", region_size=None)
        self.assert_keys("offset=4k\nbs=64k\n", region_offset="4k", file_size="1088k", region_size="1m")
        self.assert_keys("filesize=4m\noffset=25%\n", region_offset="1m", file_size="4m", byte_limit="1m")
        self.assert_line_refused("begin at the same offset here", "numjobs=2\noffset_increment=1m\n")

    def test_scaled_files_hold_their_regions(self):
        path = self.file("[x]\nrw=randwrite\nbs=8k\nsize=500m\noffset=16k\nfilename=f\nnumjobs=4\n")
        block, = self.blocks(path, size=1 / 4096)
        self.assertEqual([block[key] for key in ("file_size", "region_offset", "region_size")], ["160k", "8k", "128k"])
        path = self.file("[global]\nfilename=f\nrw=randread\nsize=8m\n[a]\n[b]\nsize=4m\n")
        self.assertEqual([block["file_size"] for block in self.blocks(path, size=1 / 2)], ["4m", "4m", "4m"])

    def test_a_scaled_layout_is_as_large_as_what_uses_it(self):
        path = self.file("[global]\nfilename=f\nsize=4g\n[a]\nbs=1m\n[b]\nbs=4k\n")
        self.assertEqual([block["file_size"] for block in self.blocks(path, size=1 / 1000)], ["5m", "4m", "4196k"])

    def test_sizes_of_files(self):
        self.assert_keys("filesize=16k\nsize=32k\n", file_size="16k", passes="1", byte_limit=None)
        self.assert_keys("filesize=256k\nsize=64k\noffset=128k\n", region_offset="128k", byte_limit="64k")
        for size in "200k", "256k", "512k":  # fio 3.33 reads the 32 blocks behind the offset once
            self.assert_keys(f"filesize=256k\nsize={size}\noffset=128k\n", file_size="256k", region_offset="128k", passes="1",
                             byte_limit=None)
        with open("there", "wb") as file:
            file.truncate(1 << 20)
        block, = self.blocks(self.file("[x]\nfilename=there\nsize=50%\n"))
        self.assertEqual(block["file_size"], "512k")
        block, = self.blocks(self.file("[x]\nfilename=there\n"))
        self.assertEqual(block["file_size"], "1m")
        self.assert_refused("no size", self.file("[x]\nbs=4k\n"))
        self.assert_refused("not there", self.file("[x]\nsize=20%\n"))
        self.assert_refused("less than one transfer", self.file("[x]\nsize=1k\n"))


class CommandLines(FioCase):
    def line(self, *words):
        return self.blocks("fio", *words)

    def test_keys_of_the_file_win_over_the_command_line(self):
        path = self.file("[x]\nsize=1m\nbs=4k\n")
        for words in (["--bs=8k", "--iodepth=3", "--ioengine=libaio", path], [path, "--bs=8k", "--iodepth=3", "--ioengine=libaio"]):
            block, = self.line(*words)
            self.assertEqual((block["sizes"], block["queue_depth"]), ("4k", "3"))

    def test_names_begin_jobs(self):
        blocks = self.line("--name=global", "--size=1m", "--bs", "8k", "--name", "a", "--rw=randread", "--name=b", "-bs=16k")
        self.assertEqual([(b["name"], b["sizes"]) for b in blocks], [("a", "8k"), ("b", "16k")])

    def test_one_dash_and_flags(self):
        block, = self.line("-name=a", "-size=1m", "-direct=1", "-iodepth", "64", "-ioengine=libaio", "--time_based", "--runtime", "9",
                           "--group_reporting=1")
        self.assertEqual([block[key] for key in ("libaio.direct", "queue_depth", "duration")], ["1", "64", "9"])

    def test_options_that_are_no_keys(self):
        path = self.file("[x]\nsize=1m\n[y]\nsize=2m\nrw=write\n")
        block, = self.line(path, "--output=o.json", "--output-format=json", "--eta=never", "--section=x", "--minimal")
        self.assertEqual(block["name"], "x")
        self.assert_refused("--readonly refuses jobs that write", "fio", path, "--readonly")
        self.assert_refused("--client", "fio", path, "--client=host")
        self.assert_refused("no such section", "fio", path, "--section=z")
        self.assert_refused("knows no such key", "fio", "--name=x", "--size=1m", "--zork=1")
        self.assert_refused("no job", "fio", "--size=1m")

    def test_several_files_run_one_after_the_other(self):
        self.line(self.file("[x]\nsize=1m\n[x2]\nsize=1m\n"), self.file("[y]\nsize=1m\n", "b.fio"))
        self.assertEqual([len(step.members) for step in self.job.steps], [2, 1])


class Delays(FioCase):
    def delays(self, text):
        return [block.get("inter_test_delay") for block in self.blocks(self.file(text))]

    def test_startdelay_counts_from_the_start_of_fio(self):
        head = "[global]\nsize=1m\nruntime=60\ntime_based\nstonewall\n"
        self.assertEqual(self.delays(head + "[a]\n[b]\nstartdelay=190\n[c]\nstartdelay=200\n[d]\nstartdelay=570\n"),
                         [None, "130", None, "260"])

    def test_delays_one_runtime_apart_are_steps(self):
        head = "[global]\nsize=1m\nrw=randread\nruntime=355\ntime_based\n"
        path = self.file(head + "[a]\n[b]\nstartdelay=720\n[c]\nstartdelay=360\n[d]\nstartdelay=720\n")
        self.assertEqual([(block["name"], block.get("inter_test_delay")) for block in self.blocks(path)],
                         [("a", None), ("c", "5"), ("b", "5"), ("d", "5")])
        self.assertEqual([len(step.members) for step in self.job.steps], [1, 1, 2])
        self.assertEqual(self.delays(head + "[a]\ncreate_only=1\nruntime=0\n[b]\n[c]\nstartdelay=360\n"), [None, "5"])
        self.assertEqual(self.delays(head + "rw=write\n[a]\nruntime=5\ntime_based=0\n[b]\nstartdelay=6\n"), [None, "1"])

    def test_delays_that_overlap_are_refused(self):
        for text in ("[a]\n[b]\nstartdelay=5\n", "[a]\nruntime=6\n[b]\nstartdelay=5\n",
                     "[a]\nruntime=3\nramp_time=3\n[b]\nstartdelay=5\n", "[a]\nruntime=3\n[b]\nstartdelay=5-7\n"):
            self.assert_refused("begins all tests of a step at once", self.file("[global]\nsize=1m\n" + text))
        self.assertEqual(self.delays("[global]\nsize=1m\nstartdelay=5\n[a]\n[b]\n"), ["5", "5"])


if __name__ == "__main__":
    unittest.main()
