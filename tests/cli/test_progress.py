"""The live line and the columns of a wide terminal, seen on a pseudo terminal."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
import unittest

from program import IORX, LAUNCH, LIMIT_SECONDS, Case

SLOW = ["-a", "null", "--null.delay-xfer=10000", "-w", "-b", "4k", "-t", "4k", "-s", "150", "-i", "2"]
ERASE = "\r\033[K"


class Progress(Case):
    def watch(self, arguments, columns, tasks=2):
        """What comes out of a terminal of so many columns."""
        leader, follower = pty.openpty()
        self.addCleanup(os.close, leader)
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        command = [LAUNCH, str(tasks), IORX, *arguments,
                   "--output=" + os.path.join(self.results, "progress.json")]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=follower,
                                   stderr=subprocess.PIPE, cwd=self.folder)
        self.addCleanup(process.stderr.close)
        os.close(follower)
        said = b""
        end = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < end:
            ready, _, _ = select.select([leader], [], [], 1)
            try:
                said += os.read(leader, 65536) if ready else b""
            except OSError:
                break
        self.assertEqual(process.wait(timeout=LIMIT_SECONDS), 0, process.stderr.read())
        return said.decode().replace("\r\n", "\n")

    def live_lines(self, said):
        """What was erased again."""
        return [part.rsplit("\n", 1)[-1] for part in said.split(ERASE)[:-1]]

    def left_standing(self, said):
        """What a reader sees in the end."""
        lines = []
        for line in said.split("\n"):
            lines.append(line.rsplit(ERASE, 1)[-1])
        return lines

    def test_a_terminal_sees_phase_repetition_percent_rate_and_time_left(self):
        said = self.watch(SLOW, 80)
        lines = [line for line in self.live_lines(said) if line]
        self.assertGreaterEqual(len(lines), 4, said)
        for line in lines:
            self.assertLess(len(line), 80)
            self.assertRegex(line, r"^write [12]/2 +\d+ %  ")
        moving = [line for line in lines if "op/s" in line]
        self.assertGreaterEqual(len(moving), 3, lines)
        for line in moving:
            self.assertRegex(line, r" %  [\d.]+ MiB/s \([\d.]+ MB/s\)  [\d.]+ op/s  phase ends in \d+ s$")
            rate = float(re.search(r"([\d.]+) op/s", line).group(1))
            # Two tasks, one transfer in 10 ms at best.
            self.assertTrue(0 < rate < 210, line)
        shares = [int(re.search(r"(\d+) %", line).group(1)) for line in lines if line.startswith("write 1/")]
        self.assertEqual(shares, sorted(shares))

    def test_nothing_of_it_stays(self):
        standing = self.left_standing(self.watch(SLOW, 80))
        self.assertNotIn("ends in", "".join(standing))
        self.assertTrue(all(len(line) <= 80 for line in standing), standing)
        rows = [line for line in standing if re.match(r"write +\S?[01]? ", line)]
        self.assertGreaterEqual(len(rows), 2, standing)

    def test_off_is_off(self):
        self.assertNotIn("ends in", self.watch([*SLOW, "--progress=off"], 80))

    def test_no_terminal_sees_none_unless_asked(self):
        outcome = self.run_iorx(SLOW, 2)
        self.assertNotIn("\033", outcome.out)
        asked = self.run_iorx([*SLOW, "--progress=on"], 2)
        self.assertIn("ends in", asked.out)


if __name__ == "__main__":
    unittest.main()
