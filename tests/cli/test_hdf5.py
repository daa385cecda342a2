"""Parallel HDF5: what serial readers find in the files, and what is refused."""

import os
import subprocess
import unittest

import program
import stamps
from program import MPI_IOS, Case, needs_backend

try:
    import h5py
except ImportError:
    h5py = None

H5DUMP = next((os.path.join(folder, "h5dump") for folder in os.environ["PATH"].split(os.pathsep)
               if os.access(os.path.join(folder, "h5dump"), os.X_OK)), None)


def place_of(stamp):
    """What does not differ from run to run."""
    return (stamp.offset, stamp.file, stamp.repetition, stamp.at)


@needs_backend("hdf5")
class Hdf5Case(Case):
    def path(self, name="testFile"):
        return os.path.join(self.folder, name)

    def write(self, arguments, tasks=3, api="hdf5", name="testFile", **more):
        outcome = self.run_iorx(["-a", api, "-w", "-k", "-o", name, "-b", "64k", "-t", "16k",
                                 "-s", "3", *arguments], tasks, **more)
        self.assert_exit(outcome, 0)
        return outcome

    def posix_places(self, arguments=(), tasks=3, suffix=""):
        self.write(["--replace", *arguments], tasks, "posix", "flat")
        return [place_of(stamp) for stamp in
                stamps.find(program.read(self.path("flat" + suffix), "rb"))]

    def assert_bytes(self, data, places):
        self.assertEqual([place_of(stamp) for stamp in stamps.find(data)], places)

    def read_by_h5dump(self, dataset, name="testFile"):
        out = os.path.join(self.results, "bytes")
        subprocess.run([H5DUMP, "-d", dataset, "-b", "NATIVE", "-o", out, self.path(name)],
                       check=True, capture_output=True)
        return program.read(out, "rb")


@unittest.skipUnless(H5DUMP, "needs h5dump: install hdf5-tools")
class SerialReaders(Hdf5Case):
    def test_h5dump_reads_what_posix_would_have_written(self):
        places = self.posix_places()
        for options in ([], ["-c"], ["--hdf5.element_type=double", "--hdf5.alignment=1m"],
                        ["-c", "--hdf5.chunk_bytes=32k", "--hdf5.filter=shuffle+deflate"],
                        ["--hdf5.libver=latest", "--hdf5.collective_metadata",
                         "--hdf5.no_fill", "--hdf5.metadata_evictions=false"]):
            with self.subTest(options):
                self.write(["--replace", *options])
                self.assert_bytes(self.read_by_h5dump("data"), places)

    def test_a_dataset_for_each_segment_joins_to_the_same_bytes(self):
        for options in ([], ["-c"]):
            with self.subTest(options):
                self.write(["--replace", "--hdf5.individual_datasets", *options])
                data = b"".join(self.read_by_h5dump(f"segment_{i:08}") for i in range(3))
                self.assert_bytes(data, self.posix_places())

    def test_a_file_for_each_task(self):
        for options in ([], ["--hdf5.chunk_bytes=32k", "--hdf5.filter=deflate"]):
            with self.subTest(options):
                self.write(["-F", "--replace", *options])
                self.assert_bytes(self.read_by_h5dump("data", "testFile.00000001"),
                                  self.posix_places(["-F"], suffix=".00000001"))

    @unittest.skipUnless(h5py, "needs h5py: install python3-h5py")
    def test_h5py_sees_the_element_type(self):
        self.write(["--hdf5.element_type=int32"])
        with h5py.File(self.path(), "r") as file:
            self.assertEqual((file["data"].dtype, file["data"].shape), ("int32", (147456,)))
            self.assert_bytes(file["data"][...].tobytes(), self.posix_places())


class Settings(Hdf5Case):
    def test_what_is_in_effect_is_told(self):
        outcome = self.write(["-c", "--hdf5.chunk_bytes=32k", "--hdf5.filter=shuffle+deflate",
                              "--hdf5.no_fill", "--hdf5.alignment=64k",
                              "--hdf5.hint.cb_nodes=1"])
        settings = outcome.phase("write")["settings"]
        for name, value in {"driver": "MPI-IO", "layout": "chunked", "chunk_bytes": "32KiB",
                            "filters": "shuffle+deflate 1", "fill": "never",
                            "transfers": "collective", "libver": "earliest",
                            "alignment": "64KiB", "datasets": "1"}.items():
            self.assertEqual(settings[name], value, name)
        self.assertRegex(settings["library"], r"^HDF5 \d+\.\d+\.\d+$")
        self.assertTrue(any(name.startswith("hint.") for name in settings), settings)

    def test_the_names_of_ior_mean_what_they_mean_there(self):
        def made(*options):
            outcome = self.run_iorx(["-a", "hdf5", "-w", "-k", "--replace", "-b", "64k", "-t", "16k", *options], 2)
            self.assert_exit(outcome, 0)
            return os.path.getsize(self.path()), outcome.phase("write")["settings"]

        size, settings = made("-J", "64k")
        # One size for threshold and alignment: only the data, 128 KiB, is aligned, the 64 KiB before it are metadata.
        self.assertEqual((size, settings["alignment"], settings["alignment_threshold"]), (196608, "64KiB", "64KiB"))
        self.assertEqual(made("-O", "setAlignment=64k")[0], size)
        self.assertEqual(made("--hdf5.setAlignment=64k")[0], size)
        size, settings = made("--hdf5.alignment=64k")
        self.assertEqual((settings["alignment"], settings["alignment_threshold"]), ("64KiB", "0"))
        self.assertGreater(size, 393216)  # each object of metadata begins at a multiple, too
        self.assertEqual(made("-c", "--hdf5.chunkSize=4096")[1]["chunk_bytes"], "32KiB")
        self.assertEqual(made("-c", "--hdf5.chunk_bytes=4096")[1]["chunk_bytes"], "4KiB")

    def test_which_mpi_io_serves_is_told(self):
        for mpi_io in MPI_IOS:
            with self.subTest(mpi_io):
                outcome = self.write(["--replace"], environment={"OMPI_MCA_io": mpi_io})
                self.assertEqual(outcome.phase("write")["settings"]["mpi_io"], mpi_io)

    def test_making_datasets_is_reported_apart(self):
        outcome = self.write(["--hdf5.individual_datasets"])
        operations = outcome.phase("write")["operations"]
        self.assertIn("define", operations)
        self.assertEqual(operations["define"]["count"], 3)


class Refusals(Hdf5Case):
    def refuse(self, arguments, *parts, code=2, tasks=2):
        outcome = self.run_iorx(["-a", "hdf5", "-w", "-b", "64k", "-t", "16k", *arguments], tasks)
        self.assert_exit(outcome, code)
        self.assert_one_error(outcome, *parts)

    def test_what_cannot_be_is_a_sentence(self):
        self.refuse(["--hdf5.element_type=double", "-t", "12", "-b", "24"],
                    "transfer_size: 12 is no multiple of the 8 bytes")
        self.refuse(["--hdf5.filter=deflate"], "set hdf5.chunk_bytes")
        self.refuse(["--hdf5.chunk_bytes=10", "--hdf5.element_type=float"], "no multiple of the 4")
        self.refuse(["--hdf5.libver=v99"], "hdf5.libver")
        self.refuse(["--hdf5.metadata-cache-size=1"], "hdf5.metadata_cache_size: 1 is", "1024")
        self.refuse(["--hdf5.metadata-cache-size=1023"], "the least is 1024")
        self.assert_exit(self.run_iorx(["-a", "hdf5", "--hdf5.metadata-cache-size=1k", "-b", "64k",
                                        "-t", "16k"]), 0)

    def test_what_would_have_no_effect_is_refused(self):
        self.refuse(["--hdf5.deflate-level=9"], "hdf5.deflate_level: nothing is deflated")
        self.refuse(["--hdf5.deflate-level=9", "--hdf5.filter=fletcher32", "--hdf5.chunk-bytes=16k",
                     "-F"], "hdf5.deflate_level")
        self.refuse(["--hdf5.chunk-bytes=16k", "--hdf5.chunk-size=2048"], "hdf5.chunk_size: hdf5.chunk_bytes says it too")
        self.refuse(["-J", "4k", "--hdf5.alignment=4k"], "hdf5.set_alignment: hdf5.alignment or")
        self.refuse(["--hdf5.alignment-threshold=1k"], "hdf5.alignment_threshold: nothing is")
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_the_layout_does_not_allow_is_refused_before_anything_is_touched(self):
        shared = ["--hdf5.individual_datasets", "-s", "3"]
        self.refuse(["--hdf5.filter=deflate", "--hdf5.chunk_bytes=16k"], "use -c, or a file for each")
        self.refuse([*shared, "--hdf5.max_datasets=2"], "3 segments would be", "hdf5.max_datasets")
        self.refuse([*shared, "--strided"], "leave it out, or the strided transfers")
        self.refuse([*shared, "-c", "-z"], "collective transfers in random order")
        self.refuse(["--hdf5.chunk_bytes=1m"], "hdf5.chunk_bytes: a chunk of 1048576 bytes is more than the 131072")
        self.assertEqual(os.listdir(self.folder), [])

    def test_another_layout_than_the_file_has_is_an_error(self):
        self.write([])
        for option, part in (("--hdf5.individual_datasets", "the file has one dataset"),
                             ("--hdf5.element_type=int64", "hdf5.element_type=int64")):
            outcome = self.run_iorx(["-a", "hdf5", "-r", "-k", "-b", "64k", "-t", "16k", "-s", "3",
                                     option], 3)
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, part)

    def test_a_file_of_another_format_is_the_jobs_mistake(self):
        with open(self.path("other"), "wb") as file:
            file.write(b"other" * 20000)
        for arguments in ["-r"], ["-r", "-R"], ["-w", "-E"]:
            outcome = self.run_iorx(["-a", "hdf5", "-b", "4k", "-t", "4k", "-o", "other", *arguments])
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "test_file: other: hdf5 cannot use it: H5Fopen:")
        self.assertEqual(program.read(self.path("other")), "other" * 20000)

    def test_a_file_that_was_cut_is_damage(self):
        self.write([])
        os.truncate(self.path(), 9 * 65536)
        outcome = self.run_iorx(["-a", "hdf5", "-r", "-R", "-b", "64k", "-t", "16k", "-s", "3"], 3)
        self.assert_exit(outcome, 1)
        self.assert_one_error(outcome, "testFile: hdf5 cannot use it: H5Fopen: ")

    def test_a_file_that_is_not_hdf5_is_left_alone(self):
        with open(self.path(), "w") as file:
            file.write("precious\n")
        self.refuse([], "testFile")
        self.assertEqual(program.read(self.path()), "precious\n")


if __name__ == "__main__":
    unittest.main()
