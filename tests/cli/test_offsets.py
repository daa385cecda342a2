"""Offsets by task, from the formulas, against the real system calls of each task."""

import os
import unittest

import tracing
from program import Case

TRANSFER = 4096


def places(task, tasks, block, segments, own):
    """(file's task or None, offset) of a task's transfers in order, as IOR lays them out."""
    return [(task if own else None,
             (segment * block if own else segment * tasks * block + task * block) + j * TRANSFER)
            for segment in range(segments) for j in range(block // TRANSFER)]


# Flags, tasks, block, segments, how far away a task reads (all run on one node).
JOBS = (
    ([], 1, 8192, 1, 0),
    ([], 3, 8192, 1, 0),
    ([], 2, 12288, 3, 0),
    (["-F"], 3, 8192, 2, 0),
    (["-C"], 3, 8192, 2, 1),
    (["-C", "-F"], 4, 8192, 1, 1),
    (["-C", "-Q", "2"], 4, 4096, 3, 1),
    (["-C", "-Q", "0"], 3, 4096, 2, 0),
    (["-C", "--semantics=ior"], 3, 8192, 1, 0),
    (["-C", "-N", "2"], 3, 8192, 2, 1),
    (["-F", "-u", "-m", "-C"], 2, 8192, 2, 1),
)

# Random orders are the same on every machine and in every version: flags, tasks, block, segments, and for
# each task the transfers it writes and those it reads, as numbers of a file; names of files with -F.
RANDOM = (
    (["-z", "--random-offset-seed=11"], 2, 16384, 1,
     (([0, 3, 2, 5], [0, 3, 2, 5]), ([4, 7, 1, 6], [4, 7, 1, 6]))),
    (["-z", "-C", "--random-offset-seed=-3"], 3, 8192, 2,
     (([5, 1, 6, 4], [3, 11, 7, 0]), ([3, 11, 7, 0], [2, 8, 10, 9]), ([2, 8, 10, 9], [5, 1, 6, 4]))),
    (["-z", "-F", "--random-offset-seed=7"], 2, 16384, 1,
     ((["0:1", "0:0", "0:2", "0:3"], ["0:1", "0:0", "0:2", "0:3"]),
      (["1:0", "1:1", "1:2", "1:3"], ["1:0", "1:1", "1:2", "1:3"]))),
    (["-zz", "--random-offset-seed=4"], 2, 16384, 1,
     (([1, 7, 2, 2], [1, 7, 2, 2]), ([6, 1, 1, 2], [6, 1, 1, 2]))),
    (["-Z", "-X", "5"], 5, 4096, 1,
     (([0], [1]), ([1], [2]), ([2], [3]), ([3], [4]), ([4], [0]))),
    (["-ZZ", "-X", "5", "-F"], 5, 4096, 1,
     ((["0:0"], ["1:0"]), (["1:0"], ["0:0"]), (["2:0"], ["2:0"]), (["3:0"], ["4:0"]),
      (["4:0"], ["3:0"]))),
)


@unittest.skipIf(tracing.why_not(), tracing.why_not())
class Offsets(Case):
    def seen(self, file):
        """(file's task or None, offset) of each move."""
        parts = os.path.basename(file.path).split(".")
        owner = int(parts[1]) if len(parts) > 1 and len(parts[1]) == 8 else None
        return [(owner, move.offset) for move in file.moves]

    def test_each_task_moves_what_the_formulas_say(self):
        for number, (flags, tasks, block, segments, away) in enumerate(JOBS):
            with self.subTest(flags=flags, tasks=tasks):
                tracer = tracing.Trace(os.path.join(self.results, f"trace{number}"))
                outcome = self.run_iorx(["-o", os.path.join(self.folder, "data"), "-b", str(block),
                                         "-t", str(TRANSFER), "-s", str(segments), *flags], tasks,
                                        wrapper=tracer.wrapper)
                self.assert_exit(outcome, 0)
                taking_part = int(flags[flags.index("-N") + 1]) if "-N" in flags else tasks
                table = [places(task, taking_part, block, segments, "-F" in flags)
                         for task in range(taking_part)]
                found = {}
                for files in tracer.tasks(self.folder):
                    moved = [file for file in files if file.moves and "data" in file.path]
                    wrote, read = (self.seen(file) for file in moved)
                    found[table.index(wrote)] = read
                self.assertEqual(found, {task: table[(task + away) % taking_part]
                                         for task in range(taking_part)})

    def named(self, file):
        return [offset // TRANSFER if owner is None else f"{owner}:{offset // TRANSFER}"
                for owner, offset in self.seen(file)]

    def test_random_orders_and_readers_stay_what_they_are(self):
        for number, (flags, tasks, block, segments, table) in enumerate(RANDOM):
            with self.subTest(flags=flags):
                tracer = tracing.Trace(os.path.join(self.results, f"random{number}"))
                outcome = self.run_iorx(["-o", os.path.join(self.folder, "data"), "-b", str(block),
                                         "-t", str(TRANSFER), "-s", str(segments), *flags], tasks,
                                        wrapper=tracer.wrapper)
                self.assert_exit(outcome, 0)
                found = []
                for files in tracer.tasks(self.folder):
                    wrote, read = (self.named(file) for file in files
                                   if file.moves and "data" in file.path)
                    found.append((wrote, read))
                self.assertEqual(sorted(found), sorted(table))


if __name__ == "__main__":
    unittest.main()
