"""Data that did not arrive is never reported as written: what lies, what is found, what is said."""

import itertools
import os
import re
import subprocess
import unittest

import stamps
import storage
from program import NO_GRACE, OPEN_MPI, SOURCE, Case, needs_backend, needs_root, read

MPI_IO = ["ompio", "romio321"]  # of Open MPI; others ignore the variable
LOSE = ["--fault.operation=write", "--fault.kind=lose"]


class Lost(Case):
    def lose(self, arguments, tasks=3):
        outcome = self.run_iorx(["-o", "test", "-w", *arguments, *LOSE], tasks)
        self.assert_exit(outcome, 1)
        self.assertEqual(outcome.phases(), [("write", 0, "failed")])
        self.assertEqual(outcome.document["status"], "failed")
        return outcome

    def files(self, outcome):
        return outcome.phase("write")["files"]


class Wrapper(Lost):
    BASE = ["-b", "1m", "-t", "64k"]

    def test_in_the_middle_leaves_a_hole_that_is_found(self):
        outcome = self.lose([*self.BASE, "-F", "--fault.tasks=2", "--fault.after=3"])
        self.assert_one_error(outcome, "task 2 ", "65536 bytes at offset 196608 of test.00000002",
                              "65536 bytes of 1048576 never arrived")
        self.assertEqual(self.files(outcome)["hole_bytes"], 65536)

    def test_of_zeros_is_none(self):
        """A storage may keep them as a hole; reading it gives what was written."""
        with open(os.path.join(self.folder, "zeros"), "wb") as file:
            file.write(bytes(8192))
        for content in ["-l", "zeros"], ["--content=file", "--content-file=zeros"]:
            with self.subTest(content=content):
                outcome = self.run_iorx(["-o", "test", "-w", *self.BASE, "-F", *content, *LOSE,
                                         "--fault.tasks=2", "--fault.after=3"], 3)
                self.assert_exit(outcome, 0)

    def test_at_the_end_leaves_a_file_too_short(self):
        outcome = self.lose([*self.BASE, "-F", "--fault.tasks=1", "--fault.after=15"])
        self.assert_one_error(outcome, "size of test.00000001", "the file has 983040 bytes",
                              "data was lost")

    def test_of_everything_is_found(self):
        outcome = self.lose([*self.BASE, "--fault.count=0"])
        self.assert_one_error(outcome, re.compile("data was lost|lost the data"))

    def test_in_a_file_that_was_there_shows_what_was_there_before(self):
        self.assert_exit(self.run_iorx(["-o", "test", "-w", "-k", *self.BASE], 3), 0)
        outcome = self.lose([*self.BASE, "-E", "--fault.tasks=1", "--fault.after=15"])
        self.assert_one_error(
            outcome, "task 1 ", "read back of 65536 bytes at offset 2031616 of test: this is not "
            "what was written although all calls reported success: what was there before from offset "
            "20316", "1 of 16 transfers read back are wrong")
        # One byte in 256 is by chance what it should be: a few of the first ones may be.
        first = int(re.search(r"from offset (\d+) on", outcome.messages()[0])[1])
        self.assertIn(first, range(2031616, 2031616 + 8))
        self.assertEqual(self.files(outcome)["lost_transfers"], 1)

    def test_of_transfers_of_any_size_is_found_and_nothing_else(self):
        for size, block in (("10", "100"), ("31", "3100"), ("4100", "41000"), ("5m", "10m")):
            with self.subTest(size):
                arguments = ["-b", block, "-t", size, "-s", "2"]
                good = self.run_iorx(["-o", "test", "-w", "-k", *arguments, *LOSE,
                                      "--fault.after=1000000"], 2)
                self.assert_exit(good, 0)
                # Read back because the fault might have hidden something.
                self.assertGreater(self.files(good)["read_back_transfers"], 3)
                self.assertEqual(self.files(good)["lost_transfers"], 0)
                outcome = self.lose(["-E", *arguments, "--fault.tasks=1"], 2)
                self.assert_one_error(outcome, "task 1 ", "this is not what was written")

    def test_is_looked_for_only_as_far_as_a_stopped_phase_came(self):
        # The deadline counts from the start of the job: a slow disk may not even get as far as the phase.
        for seconds in 2, 10, 50:
            outcome = self.run_iorx(["-o", "test", "-w", "-b", "64m", "-t", "64k",
                                     f"--deadline=+{seconds}s", "--fault.operation=write",
                                     "--fault.kind=stall", "--fault.stall=0.1", "--fault.count=0",
                                     "--fault.tasks=0"], 2)
            self.assert_exit(outcome, 0)
            if outcome.phases() != [("write", 0, "skipped")]:
                break
        self.assertEqual(outcome.phases(), [("write", 0, "stopped")])
        self.assertEqual(self.files(outcome)["sized"], 1)


class HiddenCause(Case):
    """Calls that fail below a library, on a file system in user space."""

    def fail(self, words, arguments, environment=None):
        """The one error of a job on a file system that does what the words say."""
        disk = storage.mounted(self, "fuse", SOURCE, words=[*words, "direct"])
        outcome = self.run_iorx(["-o", os.path.join(disk.folder, "test"), "-w", "-b", "128k", "-t", "64k",
                                 "--hang-after=3", *arguments], 2, environment=environment or {})
        self.assert_exit(outcome, 1)
        self.assertEqual(len(outcome.messages()), 1, outcome)
        disk.close()
        return outcome.messages()[0]

    def test_is_said_of_what_cannot_be_read_back(self):
        for mpi_io in MPI_IO:
            with self.subTest(mpi_io):
                said = self.fail(["read=5"], ["-a", "mpiio"], {"OMPI_MCA_io": mpi_io})
                self.assertRegex(said, "cannot be read although all writes reported success: MPI_File_read_at: Input/output "
                                       "error.* 2 of 2 transfers read back failed")
                self.assertNotIn("lost the data", said)

    @needs_backend("pnetcdf")
    def test_of_pnetcdf_is_looked_for_by_posix(self):
        for call in "read", "fsync", "open":
            with self.subTest(call):
                self.assertIn("Input/output error", self.fail([call + "=5"], ["-a", "pnetcdf", "-e"]))

    @needs_backend("hdf5")
    def test_of_hdf5_is_looked_for_by_posix(self):
        for call in "read", "fsync":
            with self.subTest(call):
                self.assertIn("Input/output error", self.fail([call + "=5"], ["-a", "hdf5", "-e"]))
        if OPEN_MPI:  # the MPI-IO of MPICH writes what is left of a short write
            self.assertIn("the library names no cause, and by POSIX the file can be opened",
                          self.fail(["write=short"], ["-a", "hdf5"]))

    def test_of_an_open_that_never_returns_is_looked_for_by_posix(self):
        said = self.fail(["open=5"], ["-a", "mpiio"], {"OMPI_MCA_io": "ompio"})
        self.assertRegex(said, "makes no progress in open .*, which POSIX cannot open: Input/output error|"
                               "MPI_File_open: .*Input/output error")

    def test_of_a_file_to_measure_with_that_stays_is_said(self):
        disk = storage.mounted(self, "fuse", SOURCE, words=["unlink=5"])
        outcome = self.run_iorx(["load", "-o", os.path.join(disk.folder, "test"), "--file-size=256k", "--duration=0.1"])
        self.assert_exit(outcome, 0)
        left = [name for name in disk.names() if name.startswith(".iorx-")]
        self.assertEqual(len(left), 1)
        self.assertIn(f"{os.path.join(disk.folder, left[0])}: unlink: Input/output error; iorx made this file to measure "
                      "with and could not remove it", outcome.err)


class Recognised(Case):
    STAMP = stamps.make(1, 0)
    CONTAINERS = {"hdf5": b"\x89HDF\r\n\x1a\n", "netcdf": b"CDF\x05"}

    def write_over(self, content):
        with open(os.path.join(self.folder, "test"), "wb") as file:
            file.write(content)
        return self.run_iorx(["-b", "64k", "-t", "64k", "-w", "-o", "test"])

    def test_is_what_iorx_wrote_through_a_library(self):
        for name, header in self.CONTAINERS.items():
            for start in (2048, 511):
                with self.subTest(name, start=start):
                    outcome = self.write_over(header.ljust(start) + self.STAMP + b"x" * 5000)
                    self.assert_exit(outcome, 0)
                    self.assertEqual(outcome.phase("write")["files"]["recreated"], 1)

    def test_is_nothing_else(self):
        for content in (b"x" * 2048 + self.STAMP, self.CONTAINERS["hdf5"].ljust(9000),
                        self.CONTAINERS["hdf5"].ljust(2048) + self.STAMP[:20]):
            outcome = self.write_over(content)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "test exists and was not made by iorx")
            self.assertEqual(read(os.path.join(self.folder, "test"), "rb"), content)


@needs_root
class FullDisk(Lost):
    """8 MiB that 12 MiB are written to, as both MPI-IO implementations of Open MPI see it."""

    # Either a task says it, or the library hangs after it has said it.
    TRUTH = re.compile(r"write phase, repetition 0: task \d .*; \d of 2 tasks failed$|"
                       r"makes no progress in .*, after task \d failed: ")
    # Whatever the library says, or does not say.
    FULL = "No space left on device"
    MODES = ((), ("-c",), ("-F",), ("-c", "-F"))
    cases = itertools.count()

    def setUp(self):
        super().setUp()
        # A journal's fsync on a slow disk would take as long as what is called a hang here.
        self.mount(self.results, "16m")

    def mount(self, path, size):
        try:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", path], check=True,
                           capture_output=True)
        except subprocess.CalledProcessError as error:
            self.skipTest(f"no tmpfs can be mounted: {error.stderr.decode().strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", path], check=True)

    def disk(self):
        path = os.path.join(self.folder, f"disk{next(self.cases)}")
        os.mkdir(path)
        self.mount(path, "8m")
        return path

    def fill(self, library, mpi_io, *more):
        return self.start_iorx(
            ["-a", library, "-w", "-b", "2m", "-t", "256k", "-s", "3", "-o", "test", "--force", *more],
            2, folder=self.disk(), time_limit=90, environment={**NO_GRACE, "OMPI_MCA_io": mpi_io})

    def check(self, job, seconds=60):
        outcome = job.wait(seconds)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, self.TRUTH, self.FULL)
        if outcome.has_document():
            self.assertNotIn(("write", 0, "complete"), outcome.phases())
        else:  # task 0 did not get to run before another one ended the job
            self.assertNotIn("complete", [line["phase"]["status"] for line in outcome.journal
                                          if "phase" in line])
        self.assert_nothing_left(job)

    def fill_with(self, library, modes=MODES):
        for mpi_io in MPI_IO:
            jobs = {more: self.fill(library, mpi_io, "--hang-after=5", *more)
                    for more in modes}
            for more, job in jobs.items():
                with self.subTest(f"{mpi_io} {' '.join(more)}"):
                    self.check(job)

    @needs_backend("mpiio")
    def test_is_never_called_written_by_mpiio(self):
        self.fill_with("mpiio")

    @needs_backend("mpiio")
    def test_is_never_called_written_by_mpiio_with_views_and_strides(self):
        self.fill_with("mpiio", modes=(("-S",), ("-S", "-c"), ("-V", "-c"), ("-c", "-e")))

    @needs_backend("hdf5")
    def test_is_never_called_written_by_hdf5(self):
        self.fill_with("hdf5")

    @needs_backend("hdf5")
    def test_while_datasets_are_made_ends_the_job_too(self):
        # HDF5 fills chunks in open: one task fails there, others may wait for it in the library.
        for mpi_io in MPI_IO:
            jobs = {more: self.fill("hdf5", mpi_io, "--hang-after=5", "--hdf5.chunk_bytes=64k", *more)
                    for more in ((), ("-c",), ("-F",), ("-c", "--hdf5.filter=fletcher32"))}
            for more, job in jobs.items():
                with self.subTest(f"{mpi_io} {' '.join(more)}"):
                    self.check(job)

    @needs_backend("hdf5")
    def test_is_seen_on_a_file_system_that_keeps_blocks_for_itself(self):
        image, disk = os.path.join(self.home, "image"), os.path.join(self.folder, "disk")
        os.mkdir(disk)
        with open(image, "wb") as file:
            file.truncate(24 << 20)
        try:
            storage.call("mkfs.ext4", "-q", image)
            storage.call("mount", "-o", "loop", image, disk)
        except storage.Unavailable as why:
            self.skipTest(str(why))
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        outcome = self.run_iorx(["-a", "hdf5", "-w", "-b", "32m", "-t", "16k", "-o", "test", "--force"],
                                1, folder=disk)
        self.assert_exit(outcome, 1)
        # Some libraries say so themselves, and no more is added then.
        self.assert_one_error(outcome, re.compile(r"H5Dwrite: No space left on device|"
                                                  r"has 0 bytes free \(No space left on device\)"))

    @needs_backend("mpiio")
    def test_is_not_the_cause_of_what_fails_for_another_reason(self):
        """With room enough, and where the file has its room already."""
        disk = self.disk()
        arguments = ["-a", "mpiio", "-w", "-b", "1m", "-t", "256k", "-o", "test", "--force"]
        fault = ["--fault.operation=write", "--fault.tasks=1"]
        for more, exit_code in (fault, 1), (["-k"], 0), ([*fault, "-E"], 1):
            outcome = self.run_iorx([*arguments, *more], 2, folder=disk)
            self.assert_exit(outcome, exit_code)
            self.assertNotIn("bytes free", outcome.err)
            if exit_code:
                self.assert_one_error(outcome, "Input/output error")
            else:
                with open(os.path.join(disk, "rest"), "wb") as file, self.assertRaises(OSError):
                    while True:
                        os.write(file.fileno(), bytes(4096))

    @needs_backend("pnetcdf")
    def test_is_never_called_written_by_pnetcdf(self):
        self.fill_with("pnetcdf")


if __name__ == "__main__":
    unittest.main()
