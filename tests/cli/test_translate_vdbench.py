"""Jobs of Vdbench, translated and run: places, sizes, shares and depth of the requests."""

import collections
import os
import unittest

from program import needs_backend
from translated import TranslatedCase

HOSTS, DISKS, FILE_BYTES = 2, 2, 1 << 20

# The acceptance job of a vendor with 24 hosts of 6 disks, here with fewer of both.
JOB = "\n".join([
    "hd=default,jvms=1,shell=ssh",
    *(f"hd=vm{host},system=10.0.0.{host}" for host in range(1, HOSTS + 1)),
    "sd=default,size=693g",
    *(f"sd=sd-{host}-{disk},host=vm{host},lun=$dir/vdb{disk}-file-{host}-{disk},openflags=o_direct"
      for host in range(1, HOSTS + 1) for disk in range(1, DISKS + 1)),
    """
wd=FillWrite,rdpct=0,seekpct=eof,xfersize=64k,sd=(sd*)
wd=SeqWrite,rdpct=0,seekpct=0,xfersize=64k,sd=(sd*)
wd=SeqRead,rdpct=100,seekpct=0,xfersize=64k,sd=(sd*)
wd=SeqMixed,rdpct=50,seekpct=0,xfersize=64k,sd=(sd*)
wd=RndWrite,rdpct=0,seekpct=100,xfersize=8k,sd=(sd*)
wd=RndRead,rdpct=100,seekpct=100,xfersize=8k,sd=(sd*)
wd=RndMixed,rdpct=50,seekpct=100,xfersize=8k,sd=(sd*)
rd=default,warmup=60,elapsed=600,iorate=max,interval=1
rd=Initialize-LUNs-Full,wd=FillWrite,sd=("sd*"),iorate=max,interval=1,forthreads=1,elapsed=259200
rd=SeqWrite,wd=SeqWrite,sd=("sd*"),threads=25
rd=SeqRead,wd=SeqRead,sd=("sd*"),threads=25
rd=SeqMixed,wd=SeqMixed,sd=("sd*"),threads=25
rd=RndWrite,wd=RndWrite,sd=("sd*"),threads=25
rd=RndRead,wd=RndRead,sd=("sd*"),threads=25
rd=RndMixed,wd=RndMixed,sd=("sd*"),threads=25
rd=default,curve=(50,100),iorate=curve,warmup=60,elapsed=600,interval=1
rd=Curve,wd=RndRead,sd=("sd*"),threads=25
"""])


@needs_backend("uring")
class Vdbench(TranslatedCase):
    def run_job(self, text, size="1", time="0.0005", variables=()):
        """Runs a parameter file with sizes and times cut."""
        return self.run_translated("--fold-hosts=1", f"--scale-size={size}", f"--scale-time={time}", "job.vdb", *variables,
                                   text=text, name="job.vdb")

    def test_the_acceptance_job_makes_its_requests(self):
        outcome = self.run_job(JOB, size=f"{FILE_BYTES}/{693 << 30}", variables=[f"dir={self.folder}"])
        tests = outcome.document["tests"]
        self.assertEqual([test["name"] for test in tests], ["Initialize-LUNs-Full", "SeqWrite", "SeqRead", "SeqMixed",
                                                            "RndWrite", "RndRead", "RndMixed", "Curve", "Curve", "Curve"])
        self.check_fill(self.requests(outcome, 0))
        for number, share in ((1, 0), (2, 1), (3, 0.5)):
            self.check_sequence(self.requests(outcome, number))
            self.check_share(outcome, number, share)
        for number, share in ((4, 0), (5, 1), (6, 0.5)):
            self.check_random(self.requests(outcome, number))
            self.check_share(outcome, number, share)
        for number in range(1, 7):
            load = outcome.phase("load", 0, number)
            self.assertEqual(load["queue_depth"], 25)
            self.assertLessEqual(load["load"]["queue"]["mean_depth"], 25)
            self.assertGreater(load["load"]["queue"]["mean_depth"], 12)
            self.assertIn("O_DIRECT", load["settings"]["open_flags"])
        self.check_curve(outcome)

    def check_fill(self, tasks):
        """Each 64 KiB of each file once, in order."""
        self.assertEqual(len(tasks), HOSTS * DISKS)
        for own in tasks:
            self.assertEqual(own, [("write", offset, 65536) for offset in range(0, FILE_BYTES, 65536)])

    def check_sequence(self, tasks):
        """One behind the other, and at the end from the start again. Completions may overtake each other."""
        blocks = FILE_BYTES // 65536
        for own in tasks:
            self.assertEqual({one.length for one in own}, {65536})
            visits = collections.Counter(one.offset // 65536 for one in own)
            self.assertLessEqual(set(visits), set(range(blocks)))
            self.assertLessEqual(max(visits.values()) - min(visits[block] for block in range(blocks)), 1 + 2 * 25 // blocks)

    def check_random(self, tasks):
        requests = [one for own in tasks for one in own]
        self.assertGreater(len(requests), 100)
        self.assertEqual({one.length for one in requests}, {8192})
        self.assertFalse([one for one in requests if one.offset % 8192 or one.offset + 8192 > FILE_BYTES])
        self.assertGreater(len({one.offset for one in requests}), FILE_BYTES // 8192 // 2)

    def check_share(self, outcome, number, reads):
        asked = outcome.phase("load", 0, number)["load"]["asked_shares"]
        self.assertEqual(asked["read"], reads)

    def check_curve(self, outcome):
        """max, then half of it and all of it."""
        rates = [outcome.phase("load", 0, number)["load"]["asked_operations_per_s"] for number in (7, 8, 9)]
        self.assertIsNone(rates[0])
        self.assertAlmostEqual(rates[1] / rates[2], 0.5, places=6)

    def test_a_hot_band_is_visited_at_its_start(self):
        outcome = self.run_job(f"sd=sd1,lun={self.folder}/f,size=8m,threads=1\nwd=hot,sd=sd1,hotband=(50,75),xfersize=4k\n"
                               "rd=r,wd=hot,iorate=6000,elapsed=2000,interval=100,dist=d\n")
        requests, = self.requests(outcome)
        shares = [(one.offset - (4 << 20)) / (2 << 20) for one in requests]
        self.assertTrue(0 <= min(shares) and max(shares) < 1)
        for part, expected in ((0.2, 0.8), (0.04, 0.64)):
            self.assertAlmostEqual(sum(share < part for share in shares) / len(shares), expected, delta=0.05)

    def test_files_of_several_sizes_are_read_whole(self):
        outcome = self.run_job(f"fsd=fsd1,anchor={self.folder},depth=1,width=1,files=20,sizes=(8k,75,64k,25)\n"
                               "fwd=fwd1,fsd=fsd1,operation=read,xfersize=4k,threads=4,fileselect=random\n"
                               "rd=r,fwd=fwd1,fwdrate=2200,elapsed=2000,interval=100\n")
        made = sorted((name.rpartition(".")[0], size) for name, size in self.sizes_of_files())
        self.assertEqual(collections.Counter(size for _, size in made), {8192: 15, 65536: 3})
        self.assertEqual([test["options"]["load.rate"]["value"] for test in outcome.document["tests"]], [600, 1600])
        for number, size in (0, 8192), (1, 65536):
            for own in self.requests(outcome, number):
                offsets = [one.offset for one in own]
                self.assertEqual(offsets, [(offsets[0] + n * 4096) % size for n in range(len(offsets))])
                self.assertGreater(len(offsets), 100)

    def sizes_of_files(self):
        return [(name, os.path.getsize(os.path.join(self.folder, name))) for name in os.listdir(self.folder) if name != "job.vdb"]

    def test_zones_and_shares_of_a_skewed_set_are_as_asked(self):
        outcome = self.run_job(f"sd=default,size=1m,hitarea=128k,threads=1\nsd=sd1,lun={self.folder}/f1\n"
                               f"sd=sd2,lun={self.folder}/f2\nwd=hit,sd=sd1,rhpct=80,xfersize=4k,skew=75\n"
                               "wd=part,sd=sd2,range=(90,110),rdpct=40,xfersize=(4k,25,8k,75)\n"
                               "rd=both,wd=(hit,part),iorate=4000,elapsed=2000,warmup=100,interval=100,dist=d\n")
        self.assertEqual([test["options"]["load.rate"]["value"] for test in outcome.document["tests"]], [3000, 1000])
        requests = [self.requests(outcome, number)[0] for number in (0, 1)]
        hits = sum(one.offset < 131072 for one in requests[0])
        self.assertAlmostEqual(hits / len(requests[0]), 0.8, delta=0.06)
        for one in requests[1]:
            self.assertTrue(one.offset < 0.11 * (1 << 20) or one.offset >= 0.89 * (1 << 20), one)
        sizes = collections.Counter(one.length for one in requests[1])
        self.assertAlmostEqual(sizes[8192] / len(requests[1]), 0.75, delta=0.05)
        reads = collections.Counter(one.operation for one in requests[1])["read"]
        self.assertAlmostEqual(reads / len(requests[1]), 0.4, delta=0.05)


if __name__ == "__main__":
    unittest.main()
