"""Metadata tests through every backend that has files: one launch runs all shapes of all of them."""

import os
import unittest

from program import SOURCE, Case, backends, is_built_in, needs_backend, needs_root
from storage import mounted
from test_mpiio import OPEN_MPI

WITH_FILES = ("posix", "mmap", "uring", "libaio", "mpiio", "hdf5", "pnetcdf")
ON_MPI_IO = ("mpiio", "hdf5", "pnetcdf")
DATA = "writeBytes=4k readBytes=4k"
SHAPES = (
    "",
    "directoriesOnly=1",
    f"{DATA} verifyRead=1",
    f"{DATA} uniqueDir=1 fsync=1 filesOnly=1",
    f"{DATA} stride=1 sharedFile=0 verifyWrite=1",
    f"{DATA} sharedFile=1",
    "filesOnly=1 stride=1 collectiveCreate=1",
    "filesOnly=1 list=1 mix=create:2,stat:6,read:1,remove:1 mixOperations=30 writeBytes=1k readBytes=1k",
)
ITEMS = 5


def built(names):
    return [name for name in names if name in backends() and is_built_in(name)]


class Everywhere(Case):
    def job(self, apis):
        """The job's text and what each of its tests is."""
        tests = [(api, shape) for api in apis for shape in SHAPES]
        blocks = "".join("\n".join(["MDTEST START", f"api={api}", f"items={ITEMS}", f"dir={self.folder}/names",
                                    *shape.split(), "RUN", "MDTEST STOP", ""]) for api, shape in tests)
        return blocks, tests

    def expected(self, phase, shape, tasks):
        if phase in ("mix", "list") or phase.startswith("tree"):
            return None
        return ITEMS * (1 if "sharedFile=1" in shape and phase in ("file-create", "file-remove") else tasks)

    def check(self, apis, tasks, environment=()):
        text, tests = self.job(apis)
        path = os.path.join(self.folder, "job")
        with open(path, "w") as file:
            file.write(text)
        outcome = self.run_iorx(["-f", path], tasks, environment=dict(environment))
        self.assert_exit(outcome, 0)
        self.assertEqual(len(outcome.document["tests"]), len(tests))
        for test, (api, shape) in zip(outcome.document["tests"], tests):
            for phase in test["phases"]:
                with self.subTest(api=api, shape=shape, phase=phase["phase"], tasks=tasks):
                    names, count = phase["metadata"], self.expected(phase["phase"], shape, tasks)
                    self.assertEqual((test["backend"], names["failed_operations"]), (api, 0))
                    self.assertGreater(names["operations"], 0)
                    if count:
                        self.assertEqual(names["operations"], count)
        self.assertEqual(os.listdir(f"{self.folder}/names"), [])

    def test_one_task(self):
        self.check(built(WITH_FILES), 1)

    def test_three_tasks(self):
        self.check(built(WITH_FILES), 3)

    @unittest.skipUnless(OPEN_MPI and built(ON_MPI_IO), "no second MPI-IO")
    def test_three_tasks_on_romio(self):
        self.check(built(ON_MPI_IO), 3, {"OMPI_MCA_io": "romio321"})

    def test_the_marker_of_each_backend_is_recognised(self):
        for api in built(("posix", "mmap", *ON_MPI_IO)):
            with self.subTest(api=api):
                made = self.run_iorx(["mdtest", "-a", api, "-F", "-n", "3", "-w", "4k", "-C", "-d", "kept"])
                self.assert_exit(made, 0)
                self.assert_exit(self.run_iorx(["mdtest", "-a", api, "--cleanup", "kept"]), 0)
                self.assertEqual(os.listdir(os.path.join(self.folder, "kept")), [])


class WhatIsNeeded(Case):
    """Only what this test's phases do, and each that is missing is named."""

    @needs_backend("mpiio")
    def test_mpiio_takes_whole_paths(self):
        outcome = self.run_iorx(["mdtest", "-a", "mpiio", "-n", "3", "--names=relative", "-d", "d"], output=False)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "names: relative: mpiio has no open_directory, it takes whole paths; "
                                       "leave it out")
        self.assertEqual(os.listdir(self.folder), [])

    @needs_backend("hdf5")
    def test_an_empty_node_is_no_file_of_hdf5(self):
        outcome = self.run_iorx(["mdtest", "-a", "hdf5", "-n", "3", "-k", "-d", "d"], output=False)
        self.assert_exit(outcome, 2)
        self.assert_one_error(outcome, "api: hdf5 has no mknod, which phases or options of this test need; "
                                       "leave these out, or use posix")
        self.assertEqual(os.listdir(self.folder), [])


@needs_root
class FullDisk(Case):
    """A create that fails half way leaves nothing, so that all can be removed."""

    def check(self, api, io):
        storage = mounted(self, "small", SOURCE)
        outcome = self.run_iorx(["mdtest", "-a", api, "-F", "-n", "6", "-w", "1m", "--force", "-d",
                                 storage.folder], 2,
                                environment={"OMPI_MCA_io": io})
        self.assert_exit(outcome, 1)
        create = outcome.phase("file-create")["metadata"]
        self.assertGreater(create["failed_operations"], 0)
        self.assertEqual(os.listdir(storage.folder), [])

    def test_leaves_nothing(self):
        for api in built(("mmap", *ON_MPI_IO)):
            for io in ("ompio", "romio321") if OPEN_MPI and api in ON_MPI_IO else ("ompio",):
                with self.subTest(api=api, io=io):
                    self.check(api, io)


if __name__ == "__main__":
    unittest.main()
