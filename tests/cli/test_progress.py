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

from program import IORX, LAUNCH, LIMIT_SECONDS, Case, read

SLOW = ["-a", "null", "--null.delay-xfer=10000", "-w", "-b", "4k", "-t", "4k", "-s", "150", "-i", "2"]
# Points whose phases take 100, 50 and 25 ms, in turns.
SHORT = ["-a", "null", "--null.delay-xfer=5000", "-w", "-b", "4k", "-t", "1k,2k,4k", "-s", "5", "-i", "20"]
ERASE = "\r\033[K"


class Progress(Case):
    def watch(self, arguments, columns, tasks=2, fails=False):
        """
        What comes out of a terminal of so many columns. tasks 0: one, without a launcher. Messages
        are among it if the job fails.
        """
        leader, follower = pty.openpty()
        self.addCleanup(os.close, leader)
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        command = [*([LAUNCH, str(tasks)] if tasks else []), IORX,
                   "--output=" + os.path.join(self.results, "progress.json"), *arguments]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=follower,
                                   stderr=follower if fails else subprocess.PIPE, cwd=self.folder)
        os.close(follower)
        said = b""
        end = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < end:
            ready, _, _ = select.select([leader], [], [], 1)
            try:
                said += os.read(leader, 65536) if ready else b""
            except OSError:
                break
        _, errors = process.communicate(timeout=LIMIT_SECONDS)
        self.assertEqual(process.returncode, int(fails), errors)
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

    def shares(self, lines):
        """Percentages of the job, where they are known."""
        return [int(share) for line in lines for share in re.findall(r"(\d+) % of the job", line)]

    def test_a_wide_terminal_sees_the_job_and_the_phase_with_its_rate(self):
        lines = [line for line in self.live_lines(self.watch(SLOW, 150)) if line]
        for line in lines:
            self.assertRegex(line, r"^repetition [12] of 2(, \d+ % of the job, about \d+ s left)?(; write |$)")
        moving = [line for line in lines if "op/s" in line]
        self.assertGreaterEqual(len(moving), 3, lines)
        for line in moving:
            self.assertRegex(line, r"; write \d+ %, [\d.]+ MiB/s, [\d.]+ op/s, ends in \d+ s$")
            rate = float(re.search(r"([\d.]+) op/s", line).group(1))
            # Two tasks, one transfer in 10 ms at best.
            self.assertTrue(0 < rate < 210, line)
        first = [int(re.search(r"write (\d+) %", line).group(1)) for line in moving if line.startswith("repetition 1 ")]
        self.assertEqual(first, sorted(first))
        # Nothing is known of the job in the first repetition, which is half of it.
        self.assertTrue(self.shares(lines), lines)
        self.assertGreater(self.shares(lines)[0], 20, lines)

    def test_short_points_are_seen_with_and_without_a_launcher(self):
        for tasks in (0, 1, 2):
            with self.subTest(tasks=tasks):
                lines = [line for line in self.live_lines(self.watch(SHORT, 80, tasks)) if line]
                self.assertGreaterEqual(len(lines), 5, lines)
                for line in lines:
                    self.assertLess(len(line), 80)
                    self.assertRegex(line, r"^point [123] of 3, repetition \d+ of 20(, |;|$)")
                shares = self.shares(lines)
                self.assertGreaterEqual(len(shares), 4, lines)
                self.assertLess(shares[0], shares[len(shares) // 2], lines)
                self.assertLess(shares[len(shares) // 2], shares[-1], lines)
                self.assertGreater(shares[-1], 70, lines)

    def test_a_narrow_terminal_sees_whole_pieces(self):
        for line in self.live_lines(self.watch(SHORT, 40)):
            self.assertRegex(line, r"^(point [123] of 3, repetition \d+ of 20)?$")

    def test_a_set_counts_as_one_test(self):
        job = os.path.join(self.results, "job.ior")
        member = "IOR START\nnum_tasks=1, api=null, null.delay-xfer=10000, transferSize=4k, blockSize=400k, " \
                 "writeFile=1, testFile={}\nRUN\nIOR STOP\n"
        with open(job, "w", encoding="utf-8") as file:
            file.write("TOGETHER START repetitions = 3\n" + member.format("a") + member.format("b") +
                       "TOGETHER STOP\n" + member.format("c"))
        lines = [line for line in self.live_lines(self.watch(["-f", job], 80)) if line]
        self.assertTrue(any(re.match(r"test 1 of 2, repetition 2 of 3, \d+ % of the job, about \d+ s left", line)
                            for line in lines), lines)
        for line in lines:
            self.assertRegex(line, r"^test (1 of 2, repetition [123] of 3|2 of 2)(, |;|$)")

    def test_nothing_of_it_stays(self):
        for job in (SLOW, SHORT):
            text = os.path.join(self.results, "page.txt")
            standing = self.left_standing(self.watch([*job, "--output=" + text], 80))
            self.assertEqual(standing, read(text).split("\n"))
            self.assertTrue(all(len(line) <= 80 for line in standing), standing)

    def test_a_message_has_a_line_of_its_own(self):
        said = self.watch([*SLOW, "--fault.kind=fail", "--fault.operation=transfer", "--fault.after=250"], 80,
                          fails=True)
        self.assertGreaterEqual(len(self.shares(self.live_lines(said))), 1, said)
        errors = [line for line in self.left_standing(said) if "iorx: error" in line]
        self.assertEqual([line[:12] for line in errors], ["iorx: error:"], said)

    def test_off_is_off(self):
        self.assertNotIn(ERASE, self.watch([*SLOW, "--progress=off"], 80))

    def test_no_terminal_sees_none_unless_asked(self):
        outcome = self.run_iorx(SLOW, 2)
        self.assertNotIn("\033", outcome.out)
        asked = self.run_iorx([*SLOW, "--progress=on"], 2)
        self.assertRegex(asked.out, r"repetition 2 of 2, \d+ % of the job")


if __name__ == "__main__":
    unittest.main()
