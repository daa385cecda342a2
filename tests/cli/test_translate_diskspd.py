"""Command lines of DiskSpd, translated and run."""

import os
import unittest

from program import needs_backend
from translated import TranslatedCase

CUT = ("--scale-size=1/25600", "--scale-time=1/30")  # 200 GiB become 8 MiB, 30 s become 1 s


class Acceptance(TranslatedCase):
    def run_line(self, text, *cut):
        """A line, its requests of each task, and the phase."""
        outcome = self.run_translated(*(cut or CUT), "diskspd", *text.split())
        return self.requests(outcome), outcome.phase("load")

    def assert_random(self, tasks, count, operation, length, size):
        self.assertEqual(len(tasks), count)
        for requests in tasks:
            self.assertEqual({(request.operation, request.length) for request in requests}, {(operation, length)})
            offsets = [request.offset for request in requests]
            self.assertEqual({offset % length for offset in offsets}, {0})
            self.assertTrue(0 <= min(offsets) <= max(offsets) <= size - length)
            self.assertGreater(len(set(offsets)), min(len(offsets), size // length) // 4)

    @needs_backend("uring")
    def test_random_writes_past_all_caches(self):
        line = "-c200G -w100 -b8K -F4 -r -o128 -W30 -d30 -Sh testfile.dat"
        for text in line, line.replace("-b8K", "-b4K"), line.replace("-w100 ", ""):
            with self.subTest(text=text):
                tasks, load = self.run_line(text)
                self.assertEqual(os.listdir(self.folder), ["testfile.dat"])
                self.assert_random(tasks, 4, "write" if "-w100" in text else "read", 8192 if "-b8K" in text else 4096, 8 << 20)
                self.assertEqual((load["queue_depth"], load["settings"]["direct"]), (128, "true"))
                self.assertEqual(load["load"]["queue"]["depths"][-1][0], 128)
                self.assertIn("O_DSYNC", load["settings"]["open_flags"])

    def test_a_long_warm_up_stands_before_the_measured_time(self):
        job = self.translate("diskspd", *"-c200G -w100 -b8K -F4 -r -o128 -W7200 -d30 -Sh testfile.dat".split())
        self.assertRegex(job, r"(?s)\n    duration = 30 .*\n    warmup_time = 7200 ")

    def test_each_thread_has_a_stream_of_its_own(self):
        line = "-c16M -w0 -b64K -t2 -o1 -W0 -d1 testfile.dat"
        tasks, _ = self.run_line(line, "--scale-time=1/5")
        for requests in tasks:
            self.assertEqual([request.offset for request in requests[:256]], [n * 65536 for n in range(256)][:len(requests)])
        tasks, _ = self.run_line(line.replace("-o1", "-o1 -si"), "--scale-time=1/5")
        self.assertEqual([[request.offset // 65536 for request in requests[:3]] for requests in tasks], [[0, 2, 4], [1, 3, 5]])

    def test_zones_of_given_sizes(self):
        tasks, _ = self.run_line("-c8M -b4K -t2 -r -o1 -rdabs60/1M:0/1M:30/2M -W0 -d1 testfile.dat", "--scale-time=1/2")
        for requests in tasks:
            zones = [request.offset >> 20 for request in requests]
            self.assertNotIn(1, zones)
            for share, found in ((0.6, (0,)), (0.3, (2, 3)), (0.1, (4, 5, 6, 7))):
                self.assertAlmostEqual(sum(zone in found for zone in zones) / len(zones), share, delta=0.05)

    def test_a_file_of_another_program_is_written_only_with_the_switch(self):
        path, data = os.path.join(self.folder, "f.dat"), os.urandom(1 << 20)
        with open(path, "wb") as file:
            file.write(data)
        line = "-c1M -w100 -b4K -t1 -o1 -W0 -d1 f.dat".split()
        self.assertIn("--allow-overwrite on the command line", self.refused("diskspd", *line))
        with open(path, "rb") as file:
            self.assertEqual(file.read(), data)
        outcome = self.run_translated("diskspd", *line, arguments=["--allow-overwrite"])
        self.assertIn("used as it is: f.dat (1 MiB)", outcome.out)

    def test_two_targets_at_a_rate(self):
        outcome = self.run_translated("diskspd", *"-c4M -w25 -b4K -t1 -r -o1 -g100i -W0 -d1 a.dat b.dat".split())
        self.assertEqual([test["name"] for test in outcome.document["tests"]], ["a.dat", "b.dat"])
        for test in 0, 1:
            load = outcome.phase("load", 0, test)["load"]
            self.assertEqual((load["asked_operations_per_s"], load["asked_shares"]["write"]), (100, 0.25))
            requests, = self.requests(outcome, test)
            self.assertLessEqual(len(requests), 101)
            self.assertEqual({request.length for request in requests}, {4096})

    @needs_backend("uring")
    def test_fixed_threads_keep_their_depth_on_each_target(self):
        outcome = self.run_translated("diskspd", *"-c1M -b4K -F2 -r -o3 -W0 -d1 a.dat b.dat".split())
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.dat", "b.dat"])
        self.assertEqual(outcome.document["tests"][0]["options"]["load.depth_scope"]["value"], "file")
        self.assert_random(self.requests(outcome), 2, "read", 4096, 1 << 20)


if __name__ == "__main__":
    unittest.main()
