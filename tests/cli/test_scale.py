"""What a job costs beside its data: time, processor of those who wait, memory."""

import json
import os
import time
import unittest

import hosts
import program
from program import Case, is_sanitized

COUNTED = os.path.join(os.environ["BUILDDIR"], "tests", "mpi", "counted")

needs_counted = unittest.skipUnless(os.path.exists(COUNTED), "tests/mpi/counted is not built")


def cpu_seconds(pid):
    """Processor time of all threads of a process."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        total += int(program.read(f"/proc/{pid}/task/{thread}/schedstat").split()[0])
    return total / 1e9


class Scale(Case):
    def counted(self, arguments, tasks, **more):
        name = os.path.join(self.results, "counts")
        outcome = self.run_iorx(arguments, tasks, program=COUNTED, environment={"IORX_COUNTS": name},
                                **more)
        self.assert_exit(outcome, 0)
        with open(name, encoding="utf-8") as file:
            return {**json.load(file), "launch_s": outcome.seconds}

    @needs_counted
    def test_tiny_job_of_120_tasks_is_quick(self):
        if is_sanitized():
            self.skipTest("built with sanitizers")
        counts = self.counted(["-b", "4k", "-t", "4k"], 120)
        print(f"120 tasks on {os.cpu_count()} CPUs: {counts['task_s']:.2f} s from MPI_Init to "
              f"MPI_Finalize, {counts['job_s']:.2f} s after the last task's MPI_Init (bar: 1.0 s)")
        if hosts.launcher() != "open mpi":
            self.skipTest("this MPI's own blocking calls do not yield to other tasks on a CPU")
        # What starting them takes says how busy the machine is otherwise.
        self.assertLess(counts["job_s"], max(3, counts["launch_s"] / 2))

    def test_tasks_outside_a_test_sleep(self):
        # 30 transfers of 100 ms by one task; seven wait.
        job = self.start_iorx(["-N", "1", "-a", "null", "-w", "-b", "4k", "-t", "4k", "-s", "30",
                               "--null.delay-xfer=100000"], tasks=8)
        job.wait_for_phase(event="test")
        tasks = job.tasks()
        time.sleep(0.3)
        before = {rank: cpu_seconds(pid) for rank, pid in tasks.items()}
        began = time.monotonic()
        time.sleep(1.8)
        shares = {rank: (cpu_seconds(pid) - before[rank]) / (time.monotonic() - began)
                  for rank, pid in tasks.items()}
        self.assertEqual(job.wait().exit_code, 0)
        print("processor used by waiting tasks: " +
              ", ".join(f"{100 * shares[rank]:.2f} %" for rank in sorted(shares) if rank))
        self.assertEqual(len(shares), 8)
        for rank in range(1, 8):
            self.assertLess(shares[rank], 0.01)

    def best_ns(self, tasks):
        """The least time of a transfer in some repetitions of the same test of one task."""
        outcome = self.run_iorx(["-N", "1", "-a", "null", "-w", "-b", "8g", "-t", "4k", "-i", "10"], tasks)
        self.assert_exit(outcome, 0)
        return min(phase["intervals"]["transfer_s"] * 1e9 / phase["data"]["transfers"]
                   for phase in outcome.document["tests"][0]["phases"] if phase["phase"] == "write")

    def test_one_task_of_120_is_as_fast_as_one_alone(self):
        alone, among = self.best_ns(1), self.best_ns(120)
        print(f"1 task: {alone:.1f} ns a transfer alone, {among:.1f} ns while 119 wait")
        # Were the 119 to poll, it would have a sixtieth of two CPUs.
        self.assertLess(among, 4 * alone)

    @needs_counted
    def test_memory_does_not_grow_with_the_work(self):
        if is_sanitized():
            self.skipTest("built with sanitizers")
        small = ["-F", "-b", "4k", "-t", "4k", "-s", "10"]
        base = self.counted(small, 3)
        grown = {
            "transfers": self.counted(["-F", "-b", "4k", "-t", "4k", "-s", "1000"], 3),
            "file size": self.counted(["-F", "-b", "16m", "-t", "4k"], 3),
            "operations": self.counted(["-a", "null", "-b", "100m", "-t", "4k", "-s", "10"], 3),
            "repetitions": self.counted([*small, "-i", "100"], 3),
        }
        print(f"resident: {base['others_kib']} KiB; with more " + ", ".join(
            f"{what} {counts['others_kib'] - base['others_kib']:+d} (task 0 "
            f"{counts['first_kib'] - base['first_kib']:+d})" for what, counts in grown.items()))
        for what, counts in grown.items():
            with self.subTest(more=what):
                self.assertLess(counts["others_kib"] - base["others_kib"], 1024)
                self.assertLess(counts["first_kib"] - base["first_kib"], 1024 + 4 * 200)

    @needs_counted
    def test_task_0_holds_as_much_of_64_tasks_as_of_8(self):
        if is_sanitized():
            self.skipTest("built with sanitizers")
        job = ["-a", "null", "-b", "4m", "-t", "4k", "-s", "10"]
        few, many = self.counted(job, 8), self.counted(job, 64)
        # what MPI needs for its neighbours is the same on all
        more = {tasks: counts["first_kib"] - counts["others_kib"]
                for tasks, counts in ((8, few), (64, many))}
        print(f"task 0: {few['first_kib']} KiB of 8 tasks, {many['first_kib']} KiB of 64; more than "
              f"the others by {more}")
        # rows of the heatmap, of which there are at most 128
        self.assertLess(more[64] - more[8], 1024)
        self.assertLess(many["first_kib"] - few["first_kib"], 4096)
        # one message a task and step, as ever
        self.assertEqual(few["most"], many["most"])
        self.assertEqual(few["messages"] // 7, many["messages"] // 63)


if __name__ == "__main__":
    unittest.main()
