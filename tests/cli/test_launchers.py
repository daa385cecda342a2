"""A launcher or a library of another MPI is refused before anything is done."""

import os
import subprocess
import unittest

import program
from program import Case, is_sanitized

OTHER_LIBRARY = f"""
int MPI_Get_library_version(char *version, int *length)
{{
	*length = __builtin_sprintf(version, "{'MPICH Version: 0.1' if program.OPEN_MPI else 'Open MPI v0.1'}");
	return 0;
}}
"""


class Launchers(Case):
    def start_alone(self, *arguments, **variables):
        """Without tests/launch, as a launcher of another MPI starts each task."""
        return subprocess.run([program.IORX, "-a", "null", "-b", "64k", "-t", "64k", *arguments],
                              cwd=self.folder, env={**os.environ, **variables}, capture_output=True,
                              text=True, check=False)

    def test_of_another_mpi_is_refused_unless_that_is_allowed(self):
        done = self.start_alone(PMI_SIZE="4")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "iorx: error: PMI_SIZE=4: several tasks were started")
        self.assertEqual(os.listdir(self.folder), [])
        self.assertEqual(self.start_alone("--allow-separate-jobs", PMI_SIZE="4").returncode, 0)

    def test_of_one_task_in_an_allocation_of_four_is_taken(self):
        outcome = self.run_iorx(["-a", "null", "-b", "64k", "-t", "64k"],
                                environment={"SLURM_NTASKS": "4", "SLURM_PROCID": "0"})
        self.assert_exit(outcome, 0)

    @unittest.skipIf(is_sanitized(), "AddressSanitizer wants to be the first library")
    def test_another_library_is_refused(self):
        library = os.path.join(self.home, "other.so")
        with open(library[:-2] + "c", "w", encoding="ascii") as file:
            file.write(OTHER_LIBRARY)
        done = subprocess.run(["cc", "-shared", "-fPIC", "-o", library, library[:-2] + "c"],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            self.skipTest(f"cc: {done.stderr.strip()}")
        done = self.start_alone(LD_PRELOAD=library)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"iorx was built for .*, but the MPI library is .* v?\S*0\.1;")


if __name__ == "__main__":
    unittest.main()
