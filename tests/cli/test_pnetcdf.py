"""The pnetcdf backend: that its files are netCDF with the expected bytes, and what the results say."""

import os
import shutil
import subprocess
import unittest

import program
import stamps
from program import MPI_IOS, Case, needs_backend, needs_root, read

try:
    import netCDF4
except ImportError:
    netCDF4 = None

MODES = ([], ["-F"], ["-c"], ["-c", "-F"])


class PnetcdfCase(Case):
    def setUp(self):
        super().setUp()
        self.path = os.path.join(self.folder, "data")

    def run_pnetcdf(self, arguments, tasks=1, **more):
        return self.run_iorx(["-a", "NCMPI", "-o", self.path, *arguments], tasks, **more)

    def good(self, arguments, tasks=1, **more):
        outcome = self.run_pnetcdf(arguments, tasks, **more)
        self.assert_exit(outcome, 0)
        return outcome

    def settings(self, *arguments, **more):
        outcome = self.good(["-w", "-b", "64k", "-t", "64k", *arguments], 2, **more)
        return outcome.phase("write")["settings"]


@needs_backend("pnetcdf")
class Files(PnetcdfCase):
    @unittest.skipUnless(shutil.which("ncvalidator"), "pnetcdf-bin is not installed")
    def test_are_valid_in_every_mode_and_format(self):
        for mode in MODES:
            for number, name in ((1, "cdf1"), (2, "cdf2"), (5, "cdf5")):
                with self.subTest(mode=mode, format=name):
                    self.good(["-w", "-k", "--replace", "-b", "64k", "-t", "16k", "-s", "2",
                               "--ncmpi.format=" + name, *mode], 3)
                    for file in os.listdir(self.folder):
                        file = os.path.join(self.folder, file)
                        self.assertEqual(read(file, "rb")[:4], b"CDF" + bytes([number]))
                        subprocess.run(["ncvalidator", "-q", file], check=True)
                        os.unlink(file)

    @unittest.skipUnless(netCDF4, "python3-netcdf4 is not installed")
    def test_are_read_by_netcdf_with_every_stamp_in_its_place(self):
        for mode in MODES:
            with self.subTest(mode=mode):
                self.good(["-w", "-k", "-b", "64k", "-t", "16k", "-s", "2", *mode], 3)
                files = sorted(os.listdir(self.folder))
                each = 2 * 65536 * (3 if "-F" not in mode else 1)
                self.assertEqual(len(files), 3 if "-F" in mode else 1)
                for file in files:
                    self.check_stamps(os.path.join(self.folder, file), each)
                    os.unlink(os.path.join(self.folder, file))

    def check_stamps(self, path, length):
        """Each sector begins with a stamp of its own offset in the file."""
        with netCDF4.Dataset(path) as dataset:
            self.assertEqual(list(dataset.variables), ["data"])
            variable = dataset.variables["data"]
            variable.set_auto_mask(False)
            self.assertEqual((variable.dimensions, variable.shape), (("bytes",), (length,)))
            data = variable[:].tobytes()
        self.assertEqual([stamp.offset for stamp in stamps.find(data)], list(range(0, length, 512)))

    def test_read_back_by_others_and_rewritten_in_place(self):
        for mode in MODES:
            with self.subTest(mode=mode):
                self.good(["-w", "-k", "-b", "64k", "-t", "16k", *mode], 3)
                self.good(["-r", "-k", "-C", "-b", "64k", "-t", "16k", *mode], 3)
                outcome = self.good(["-w", "-E", "-k", "-b", "64k", "-t", "16k", *mode], 3)
                self.assertEqual(outcome.phase("write")["data"]["bytes"], 3 * 65536)
                for file in os.listdir(self.folder):
                    os.unlink(os.path.join(self.folder, file))

    def test_of_others_are_not_touched(self):
        with open(self.path, "wb") as file:
            file.write(b"not netCDF" * 1000)
        outcome = self.run_pnetcdf(["-w", "-b", "64k", "-t", "64k"], 2)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "test_file: " + self.path)
        self.assertEqual(read(self.path, "rb"), b"not netCDF" * 1000)

    def test_that_are_empty_are_used_and_stay(self):
        for mode in [], ["-i", "2"], ["-c"]:
            with self.subTest(mode=mode):
                with open(self.path, "wb"):
                    pass
                outcome = self.good(["-w", "-b", "64k", "-t", "64k", *mode], 2)
                self.assertEqual(outcome.phase("write")["files"]["used_empty"], 1)
                self.assertEqual(os.path.getsize(self.path), 0)

    def test_too_long_for_their_format_are_refused_with_what_helps(self):
        outcome = self.run_pnetcdf(["-w", "-b", "2g", "-t", "1m", "--ncmpi.format=cdf1", "--force"])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "pnetcdf.format: cdf1 cannot hold the 2147483648 bytes",
                              "cdf5 can")
        self.assertEqual(os.listdir(self.folder), [])

    def test_begin_at_multiples_of_four(self):
        small = ["-w", "-b", "4k", "-t", "4k"]
        for align, code in ("3", 2), ("6", 2), ("4", 0), ("12", 0), ("1k", 0):
            with self.subTest(align=align):
                outcome = self.run_pnetcdf([*small, "--pnetcdf.align=" + align])
                self.assert_exit(outcome, code)
                if code:
                    self.assert_one_error(outcome, f"pnetcdf.align: {align} is no multiple of 4")
        self.assertEqual(os.listdir(self.folder), [])

    def test_that_are_shorter_cannot_be_lengthened_in_place(self):
        self.good(["-w", "-k", "-b", "64k", "-t", "64k"], 2)
        outcome = self.run_pnetcdf(["-w", "-E", "-b", "128k", "-t", "64k"], 2)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "the variable has 131072 bytes and cannot grow to 262144")


@needs_backend("pnetcdf")
class Results(PnetcdfCase):
    def test_name_library_format_and_hints(self):
        self.assertEqual(self.settings()["transfers"], "independent")
        told = self.settings("-c", "--pnetcdf.align=64k",
                             "--ncmpi.hint.nc_header_read_chunk_size=1024")
        self.assertRegex(told["library"], r"^\d+\.\d+")
        self.assertEqual({name: told[name] for name in
                          ("format", "transfers", "data_offset_bytes",
                           "hint.nc_header_read_chunk_size")},
                         {"format": "cdf5", "transfers": "collective",
                          "data_offset_bytes": "65536",
                          "hint.nc_header_read_chunk_size": "1024"})

    def test_name_the_mpi_io_that_serves(self):
        for mpi_io in MPI_IOS:
            with self.subTest(mpi_io):
                told = self.settings(environment={"OMPI_MCA_io": mpi_io})
                self.assertEqual(told["mpi_io"], mpi_io)
                self.assertIn("mpi_io.known_by", told)

    def test_tell_the_time_of_defining_apart(self):
        operations = self.good(["-b", "64k", "-t", "64k"], 2).phase("write")["operations"]
        self.assertEqual(operations["define"]["count"], 2)
        self.assertLess(operations["define"]["sum_ns"], operations["open"]["sum_ns"])

    def test_count_collective_syncs(self):
        outcome = self.good(["-c", "-e", "-b", "64k", "-t", "16k"], 3)
        self.assertEqual(outcome.phase("write")["operations"]["sync"]["count"], 3)

    def test_hints_come_from_a_file_too(self):
        name = os.path.join(self.home, "hints")
        with open(name, "w", encoding="ascii") as file:
            file.write("# for the header\nnc_header_read_chunk_size=4096\n")
        told = self.settings("--pnetcdf.hints-file=" + name)
        self.assertEqual(told["hint.nc_header_read_chunk_size"], "4096")


@needs_backend("pnetcdf")
class Failures(PnetcdfCase):
    def test_of_one_task_do_not_leave_the_others_waiting(self):
        for operation in ("open", "write", "sync", "close"):
            for mode in ([], ["-c"]):
                with self.subTest(operation=operation, mode=mode):
                    outcome = self.run_pnetcdf(["-w", "-e", "-b", "64k", "-t", "16k", *mode,
                                                "--fault.tasks=1",
                                                "--fault.operation=" + operation], 3)
                    self.assert_exit(outcome, 1)
                    self.assert_one_error(outcome, f"{operation}: Input/output error")

    @needs_root
    def test_of_a_full_disk_are_told_under_every_mpi_io(self):
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", self.folder],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            self.skipTest(f"no tmpfs can be mounted: {done.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", self.folder], check=True)
        for component in ("ompio", "romio321"):
            for mode in ([], ["-c"]):
                with self.subTest(component=component, mode=mode):
                    outcome = self.run_pnetcdf(["-w", "-e", "-b", "6m", "-t", "512k", "--force",
                                                *mode], 2,
                                               environment={"OMPI_MCA_io": component})
                    self.assert_exit(outcome, 1)
                    self.assert_one_error(outcome, "No space left on device")
                    self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
