"""How much the tasks talk: collective calls and messages of a phase, by the profiling interface."""

import json
import os
import unittest

from program import Case

COUNTED = os.path.join(os.environ["BUILDDIR"], "tests", "mpi", "counted")


@unittest.skipUnless(os.path.exists(COUNTED), "tests/mpi/counted is not built: it needs CMocka's folder")
class Collectives(Case):
    def count(self, tasks, repetitions, *arguments):
        name = os.path.join(self.results, "counts")
        outcome = self.run_iorx(["-i", str(repetitions), *arguments], tasks, program=COUNTED,
                                environment={"IORX_COUNTS": name})
        self.assert_exit(outcome, 0)
        with open(name, encoding="utf-8") as file:
            return json.load(file)

    def repetition(self, tasks, *arguments):
        """Collective calls of a task and messages of all in one more repetition: a write and a read."""
        one, three = self.count(tasks, 1, *arguments), self.count(tasks, 3, *arguments)
        for counts in (one, three):
            self.assertEqual(counts["tasks"], tasks)
            self.assertEqual(counts["least"], counts["most"], "tasks differ in their collective calls")
        return (three["most"] - one["most"]) / 2, (three["messages"] - one["messages"]) / 2

    def test_as_many_with_2_as_with_32_tasks(self):
        null = ("-a", "null", "-b", "4k", "-t", "4k")
        found = {tasks: self.repetition(tasks, *null) for tasks in (2, 8, 32)}
        print({tasks: f"{calls:g} collective calls, {messages:g} messages a repetition"
               for tasks, (calls, messages) in found.items()})
        self.assertEqual(len({calls for calls, _ in found.values()}), 1, found)
        # A join in a tree is a message of each task but one.
        joins = {messages / (tasks - 1) for tasks, (_, messages) in found.items()}
        self.assertEqual(len(joins), 1, found)
        self.assertLessEqual(found[32][0], 12)

    def test_as_many_for_a_thousand_transfers_as_for_one(self):
        one = self.repetition(2, "-F", "-b", "4k", "-t", "4k", "-s", "1")
        many = self.repetition(2, "-F", "-b", "4k", "-t", "4k", "-s", "1000")
        self.assertEqual(one, many)


if __name__ == "__main__":
    unittest.main()
