"""The mpiio backend under each MPI-IO: where bytes land, what its options do, what the results say."""

import itertools
import os
import subprocess
import unittest

import stamps
from program import IORX, MPI_IOS, OPEN_MPI, Case, is_built_in, needs_backend, needs_root, read

FLAGS = {"collective": "collective", "view": "mpiio.use_file_view", "strided": "strided",
         "own": "file_per_proc", "random": "random_offset"}
BLOCK, TRANSFER, SEGMENTS, TASKS = 65536, 16384, 2, 3


class MpiioCase(Case):
    def good(self, arguments, tasks=TASKS, mpi_io=MPI_IOS[0], **more):
        outcome = self.run_with(arguments, tasks, mpi_io, **more)
        self.assert_exit(outcome, 0)
        return outcome

    def run_with(self, arguments, tasks, mpi_io, **more):
        more["environment"] = {"OMPI_MCA_io": mpi_io, **more.get("environment", {})}
        return self.run_iorx(["-a", "mpiio", *arguments], tasks, **more)

    def settings(self, *arguments, **more):
        """Those of a collective write by two tasks."""
        outcome = self.good(["-w", "-c", "-b", "64k", "-t", "64k", "-o", "test", *arguments], 2, **more)
        return outcome.phase("write")["settings"]

    def script(self, tests):
        """A job file with one test for each list of lines."""
        path = os.path.join(self.home, "job")
        head = (f"block_size={BLOCK}\ntransfer_size={TRANSFER}\nsegment_count={SEGMENTS}\n"
                "keep_file=1\n")
        with open(path, "w", encoding="ascii") as file:
            for lines in tests:
                file.write("\n".join(["IOR START", head, *lines, "RUN", "IOR STOP", ""]))
        return ["-f", path]

    def file(self, name):
        return os.path.join(self.folder, name)

    def assert_stamped(self, name, length):
        """Each sector begins with a stamp of its own offset in the file."""
        data = read(self.file(name), "rb")
        self.assertEqual([stamp and stamp.offset for stamp in stamps.find(data)],
                         list(range(0, length, stamps.SECTOR)))



@needs_backend("mpiio")
class Modes(MpiioCase):
    MODES = [set(itertools.compress(FLAGS, wanted))
             for wanted in itertools.product((False, True), repeat=len(FLAGS))]
    MODES = [mode for mode in MODES if "random" not in mode or not {"strided", "view"} & mode]

    def test_move_every_byte_to_its_place(self):
        tests = [[f"{FLAGS[flag]}=1" for flag in mode] +
                 ["test_file=" + "-".join(["data", *sorted(mode)])] for mode in self.MODES]
        for mpi_io in MPI_IOS:
            outcome = self.good(self.script(tests), mpi_io=mpi_io)
            for number, mode in enumerate(self.MODES):
                with self.subTest(mpi_io=mpi_io, mode=mode):
                    self.check_files("-".join(["data", *sorted(mode)]), "own" in mode)
                    for name in ("write", "read"):
                        self.check_phase(outcome.phase(name, test=number), mode, mpi_io)

    def check_files(self, name, own):
        for file in ([f"{name}.{task:08}" for task in range(TASKS)] if own else [name]):
            self.assert_stamped(file, BLOCK * SEGMENTS * (1 if own else TASKS))
            os.unlink(self.file(file))

    def check_phase(self, phase, mode, mpi_io):
        told, moved = phase["settings"], phase["data"]
        self.assertEqual(told["mpi_io"], mpi_io)
        self.assertEqual(told["call"], f"MPI_File_{phase['phase']}_at" +
                         ("_all" if "collective" in mode else ""))
        self.assertRegex(told["file_view"], self.view_of(mode))
        self.assertEqual(moved["bytes"], BLOCK * SEGMENTS * TASKS)
        # Strided: a transfer of every segment in each call.
        calls = BLOCK * TASKS // TRANSFER * (1 if "strided" in mode else SEGMENTS)
        self.assertEqual(phase["operations"][phase["phase"]]["count"], calls)

    @staticmethod
    def view_of(mode):
        stride = "64KiB" if "own" in mode else "192KiB"
        if "strided" in mode:
            return f"^16KiB of every {stride} from byte 0 on, moved for each transfer$"
        if "view" not in mode:
            return "^none$"
        return ("^none: this open is for any" if "random" in mode else
                f"^64KiB of every {stride} from byte 0 on$")

    def test_have_calls_of_more_than_an_int_can_count(self):
        for mpi_io in MPI_IOS:
            with self.subTest(mpi_io):
                size = (2 << 30) + 12288
                outcome = self.good(["-b", str(size), "-t", str(size), "-o", "large"], 1, mpi_io)
                for name in ("write", "read"):
                    self.assertEqual(outcome.phase(name)["operations"][name]["count"], 1)
                    self.assertEqual(outcome.phase(name)["data"]["bytes"], size)
                    self.assertEqual(outcome.phase(name)["data"]["short_transfers"], 0)
                self.assertEqual(outcome.phase("write")["files"]["lost_transfers"], 0)


@needs_backend("mpiio")
class Hints(MpiioCase):
    def test_come_from_file_environment_and_job_and_the_later_wins(self):
        name = os.path.join(self.home, "hints")
        with open(name, "w", encoding="ascii") as file:
            file.write("# tuned\nIOR_HINT__MPI__cb_buffer_size=1048576\nind_rd_buffer_size = 1\n"
                       "ind_wr_buffer_size=1\n")
        for mpi_io in MPI_IOS:
            with self.subTest(mpi_io):
                told = self.settings("--mpiio.hints-file=" + name,
                                     "--mpiio.hint.ind_wr_buffer_size=262144", mpi_io=mpi_io,
                                     environment={"IOR_HINT__MPI__ind_rd_buffer_size": "2097152",
                                                  "IOR_HINT__MPI__ind_wr_buffer_size": "2"})
                self.assertEqual([told["hint." + hint] for hint in (
                    "cb_buffer_size", "ind_rd_buffer_size", "ind_wr_buffer_size")],
                    ["1048576", "2097152", "262144"])

    def test_that_did_not_come_into_effect_are_told_beside_what_was_asked(self):
        told = self.settings("--mpiio.hint.cb_nodes=7", "--mpiio.hint.nonsense=1")
        if OPEN_MPI:
            # It repeats what it was given, which the results must not take for an effect.
            self.assertIn("does not tell what it makes of them", told["hints"])
            self.assertNotIn("hints", self.settings())
            return
        self.assertNotIn("hints", told)
        self.assertEqual((told["hint.cb_nodes"], told["hint.cb_nodes.asked"]), ("1", "7"))
        self.assertEqual((told["hint.nonsense"], told["hint.nonsense.asked"]),
                         ("not in effect", "1"))
        self.assertIn("hint.romio_ds_write", told)

    def test_for_gpfs_are_warned_of_once(self):
        name = os.path.join(self.home, "hints")
        with open(name, "w", encoding="ascii") as file:
            file.write("IOR_HINT__GPFS__in_file=1\n")
        arguments = ["-w", "-b", "64k", "-t", "64k", "-o", "test"]
        environment = {"IOR_HINT__GPFS__foo": "1"}
        outcome = self.good([*arguments, "-U", name], 2, environment=environment)
        self.assertEqual([said for said in outcome.messages("warning") if "GPFS" in said], [
            f"IOR_HINT__GPFS__foo (environment), IOR_HINT__GPFS__in_file ({name}): hints for GPFS have "
            "no effect, those for MPI-IO begin with IOR_HINT__MPI__"])
        # Nobody asks for hints.
        outcome = self.run_iorx(["-a", "posix", "--replace", *arguments], 2, environment=environment)
        self.assertNotIn("GPFS", outcome.err)

    def test_that_are_none_are_refused_before_anything_is_touched(self):
        outcome = self.run_with(["-w", "-o", "test", "--mpiio.hints-file=missing"], 2, MPI_IOS[0])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "hints_file: missing: No such file")
        self.assertEqual(os.listdir(self.folder), [])


@needs_backend("mpiio")
class Preallocated(MpiioCase):
    MORE = ("", "file_per_proc=1", "strided=1", "collective=1")

    def test_files_have_their_size_and_keep_it(self):
        first = [["api=mpiio", "mpiio.preallocate=1", "read_file=0", more, f"test_file=test{number}"]
                 for number, more in enumerate(self.MORE)]
        # Here the space is there already.
        again = [[*lines, "use_existing_test_file=1"] for lines in first]
        for mpi_io in MPI_IOS:
            with self.subTest(mpi_io):
                self.good(self.script(first + again), mpi_io=mpi_io)
                for name in os.listdir(self.folder):
                    self.assert_stamped(name, BLOCK * SEGMENTS * (1 if "." in name else TASKS))
                    os.unlink(self.file(name))

    @needs_root
    def test_files_need_their_space(self):
        disk = self.file("disk")
        os.mkdir(disk)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            self.skipTest(f"no tmpfs can be mounted: {done.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=True)
        for mpi_io in MPI_IOS:
            with self.subTest(mpi_io):
                outcome = self.run_with(["-w", "-b", "6m", "-t", "1m", "-o", "test", "--force",
                                         "--mpiio.preallocate"], 2, mpi_io, folder=disk)
                self.assert_exit(outcome, 1)
                # OMPIO takes no notice of a write that came back short.
                self.assert_one_error(outcome, "No space left on device", *(
                    () if mpi_io == "ompio" else ("open of test: MPI_File_preallocate: ",)))
                self.assertEqual(os.listdir(disk), [])


@needs_backend("mpiio")
class Names(MpiioCase):
    def test_of_one_letter_can_be_opened(self):
        for mpi_io in MPI_IOS:
            for api in "mpiio", "hdf5", "pnetcdf":
                if is_built_in(api):
                    with self.subTest(mpi_io, api=api):
                        self.good(["-a", api, "-w", "-r", "-b", "64k", "-t", "64k", "-o", "q"], 2, mpi_io)
                        self.assertEqual(os.listdir(self.folder), [])

    def test_of_romio_before_a_path_are_refused(self):
        for path in "ufs:test", "ufs:" + os.path.join(self.folder, "test"):
            outcome = self.run_with(["-w", "-b", "64k", "-t", "64k", "-o", path], 2, MPI_IOS[-1])
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, 'leave out "ufs:"')
        self.assertEqual(os.listdir(self.folder), [])

    @needs_root
    def test_are_removed_by_mpi(self):
        """In a directory that takes names and gives none back."""
        done = subprocess.run(["chattr", "+a", self.folder], capture_output=True, text=True, check=False)
        if done.returncode:
            self.skipTest(f"chattr +a: {done.stderr.strip()}")
        self.addCleanup(subprocess.run, ["chattr", "-a", self.folder], check=True)
        for mpi_io in MPI_IOS:
            with self.subTest(mpi_io):
                outcome = self.run_with(["-w", "-b", "64k", "-t", "64k", "-o", mpi_io], 2, mpi_io)
                self.assertIn("MPI_File_delete: ", outcome.err)


@needs_root
@needs_backend("mpiio")
class FilesThatOneTaskCannotSee(MpiioCase):
    """Its node has something else mounted there. OMPIO waits for ever in such an open."""

    HIDE = """#!/bin/sh
if test "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 2; then
    exec unshare --mount sh -c 'mount -t tmpfs none "$0" && exec "$@"' FOLDER IORX "$@"
fi
exec IORX "$@"
"""

    def setUp(self):
        super().setUp()
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
            self.skipTest("no namespace of mounts can be made")
        os.mkdir(self.file("there"))

    def run_hidden(self, hidden, mpi_io, *more):
        name = os.path.join(self.home, "iorx")
        with open(name, "w", encoding="utf-8") as file:
            file.write(self.HIDE.replace("FOLDER", hidden).replace("IORX", IORX))
        os.chmod(name, 0o755)
        return self.run_with(["-w", "-b", "64k", "-t", "64k", "-o", self.file("there/test"), *more], 3,
                             mpi_io, program=name, folder=self.results)

    def test_because_of_the_directory_end_the_job_before_it_begins(self):
        for mpi_io in MPI_IOS:
            with self.subTest(mpi_io):
                outcome = self.run_hidden(self.folder, mpi_io)
                self.assert_exit(outcome, 2)
                self.assert_one_error(outcome, "task 2 on ", "there: No such file or directory")
                self.assertEqual(os.listdir(self.file("there")), [])

    def test_for_no_reason_to_be_seen_before_end_with_hang_after(self):
        """The directory is there, but another one: the file task 0 makes does not appear."""
        for mpi_io in MPI_IOS:
            with self.subTest(mpi_io):
                outcome = self.run_hidden(self.file("there"), mpi_io, "--hang-after=4")
                self.assert_exit(outcome, 1)
                self.assert_one_error(outcome, "makes no progress in open in the write phase of "
                                      if mpi_io == "ompio" else "MPI_File_open: ")


@needs_backend("mpiio")
class Words(MpiioCase):
    """IOR's, and what they became."""

    def test_of_ior_set_the_options(self):
        hints = os.path.join(self.home, "hints")
        with open(hints, "w", encoding="ascii") as file:
            file.write("cb_nodes=1\n")
        expected = {"mpiio.use_file_view": True, "mpiio.preallocate": True, "strided": True,
                    "mpiio.hints_file": hints, "collective": True}
        flags = ["-a", "MPIIO", "-w", "-b", "64k", "-t", "64k", "-o", "test",
                 "-V", "-p", "-S", "-c", "-H", "-U", hints]
        script = self.script([["api=MPIIO", "test_file=test", "useFileView=1", "preallocate=1",
                               "useStridedDatatype=1", "collective=1", "showHints=1",
                               "hintsFileName=" + hints]])
        for arguments in (flags, script):
            options = self.good(arguments, 2).document["tests"][0]["options"]
            self.assertEqual({name: options[name]["value"] for name in expected}, expected)

    def test_of_views_have_no_random_order(self):
        for more in [], ["-F"], ["-c"]:
            outcome = self.run_with(["-w", "-o", "test", "-V", "-z", *more], 2, MPI_IOS[0])
            self.assert_exit(outcome, 2)
            self.assert_one_error(outcome, "mpiio.use_file_view: a view shows")
        self.assertEqual(os.listdir(self.folder), [])

    def test_of_views_cannot_queue(self):
        outcome = self.run_with(["-w", "-o", "test", "--queue-depth=4"], 1, MPI_IOS[0])
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "queue_depth")


if __name__ == "__main__":
    unittest.main()
