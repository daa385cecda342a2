"""Transfers in flight: what null shows of the queued loop, and what is refused."""

import unittest

from program import Case


class Queue(Case):
    def test_every_transfer_comes_back_once(self):
        for depth, batch in ((2, 1), (7, 3), (64, 64), (300, 1)):
            with self.subTest(depth=depth, batch=batch):
                outcome = self.run_iorx(["-a", "null", "-b", "1m", "-t", "4k", "-s", "3", "-w", "-r",
                                         f"--queue-depth={depth}", f"--queue-batch={batch}"], 2)
                self.assert_exit(outcome, 0)
                for name in "write", "read":
                    data = outcome.phase(name)["data"]
                    self.assertEqual((data["transfers"], data["bytes"]), (2 * 3 * 256, 2 * 3 << 20))

    def test_what_cannot_be_queued_is_refused(self):
        for arguments, text in (
                (["-a", "posix", "--queue-depth=2"], "queue_depth: posix moves one transfer at a time"),
                (["-a", "null", "--queue-depth=2", "-c"],
                 "queue_depth: collective transfers are made one at a time"),
                (["-a", "null", "--queue-depth=2", "--queue-batch=3"],
                 "queue_batch: only queue_depth transfers can be in flight"),
                (["-a", "null", "-c"], "collective: null has no collective transfers"),
                (["-a", "null", "--strided"], "strided: null moves one segment at a time")):
            with self.subTest(arguments=arguments):
                outcome = self.run_iorx(arguments)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, text)


if __name__ == "__main__":
    unittest.main()
