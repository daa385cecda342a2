"""Checks that no object needs a function that glibc 2.28 does not have (EL 8; SLES 15 and Ubuntu 20.04 have 2.31)."""

import glob
import os
import re
import subprocess
import unittest

OLDEST = (2, 28)
# Functions of newer versions that the headers of older ones make of other functions.
MADE_BY_HEADERS = re.compile(r"([fl]?stat|fstatat|mknod|mknodat)(64)?$|__isoc23_")
EXPORT = re.compile(r" [TWiVDB] (\w+)@@?GLIBC_(\d+)\.(\d+)")


def listed(*command):
    return subprocess.run(["nm", *command], capture_output=True, text=True, check=True).stdout


def libraries():
    """The C library's files that the program is linked with."""
    needed = subprocess.run(["ldd", os.environ["IORX"]], capture_output=True, text=True, check=True).stdout
    return re.findall(r"=> (\S*/lib(?:c|m|pthread|dl|rt)[.-]\S*)", needed)


def first_versions(library):
    """{function: the oldest version that it has in the library}"""
    oldest = {}
    for name, major, minor in EXPORT.findall(listed("-D", "--with-symbol-versions", library)):
        version = (int(major), int(minor))
        oldest[name] = min(version, oldest.get(name, version))
    return oldest


def too_new(names):
    """Those of the names that came with a later version, with it."""
    oldest = {}
    for library in libraries():
        oldest.update(first_versions(library))
    if "pthread_create" not in oldest:
        raise unittest.SkipTest("the C library is not glibc")
    return {name: oldest[name] for name in names
            if oldest.get(name, OLDEST) > OLDEST and not MADE_BY_HEADERS.match(name)}


class OldGlibc(unittest.TestCase):
    def test_functions_are_in_the_oldest_glibc(self):
        build = os.environ["BUILDDIR"]
        objects = [*glob.glob(os.path.join(build, "src/main*.o")), os.path.join(build, "libiorx.a")]
        self.assertEqual(len(objects), 2)
        names = set(re.findall(r"^ +U (\w+)", listed("-u", *objects), re.M))
        self.assertIn("pwrite", {name.replace("64", "") for name in names})
        self.assertEqual(too_new(names), {})

    def test_newer_functions_are_found(self):
        self.assertEqual(too_new({"pthread_create", "stat", "pow", "fcntl64"}), {})
        newer = first_versions(next(path for path in libraries() if "/libc." in path or "/libc-" in path))
        if newer.get("strerrorname_np"):
            self.assertEqual(too_new({"strerrorname_np", "open"}), {"strerrorname_np": (2, 32)})


if __name__ == "__main__":
    unittest.main()
