"""Paths of Windows in a job: --target=DIR takes their files to a directory of this system."""

import itertools
import os
import re

from .problems import Failure

REMEDY = "give a path of this system, or --target=DIR, in which the files of Windows are then"
DIFFERENCE = "files of Windows are in this directory, under their last names"


def is_windows(text):
    """True for a drive, a file on one, a device and a network share."""
    return bool(re.match(r"[A-Za-z]:|\\", text))


def is_file(text):
    """True for a file or directory of Windows, which has a name: not for C: or \\\\.\\PhysicalDrive1."""
    return is_windows(text) and not re.match(r"\\\\[.?]\\", text) and bool(parts_of(text))


def parts_of(text):
    return [part for part in re.split(r"[\\/]", re.sub(r"^[A-Za-z]:", "", text)) if part not in ("", ".", "..")]


class Target:
    """The directory, and which names in it are taken."""

    def __init__(self, directory):
        self.directory, self.taken = directory, {}

    def path(self, text):
        """The file here; two of one last name have their whole paths in their names."""
        parts = parts_of(text)
        whole = "-".join([*re.findall(r"^[A-Za-z](?=:)", text), *parts])
        names = itertools.chain([parts[-1], whole], (f"{whole}-{number}" for number in itertools.count(2)))
        return os.path.join(self.directory, next(name for name in names if self.is_free(name, text)))

    def check(self):
        """Fails if the job had no file of Windows."""
        if not self.taken:
            raise Failure("--target: the job has no files of Windows")

    def is_free(self, name, text):
        return self.taken.setdefault(name.lower(), text.lower()) == text.lower()
