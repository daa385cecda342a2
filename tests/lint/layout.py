"""Checks the layout of C files: no line is longer than 100 columns, and clang-format 14 changes none."""

import os
import shutil
import subprocess

import source

COLUMNS = 100
FORMATTER = "clang-format-14"


def long_lines(path):
    for number, line in enumerate(source.text(path).split("\n"), 1):
        if len(line.expandtabs(8)) > COLUMNS:
            yield f"{path}:{number}: the line is longer than {COLUMNS} columns"


def changed_lines(paths):
    """One complaint for each file that the formatter would change."""
    run = subprocess.run([FORMATTER, "--dry-run", *paths], cwd=source.ROOT, check=False,
                         stderr=subprocess.PIPE, encoding="utf-8")
    named = {line.split(":")[0] for line in run.stderr.splitlines() if "-Wclang-format" in line}
    return [f"{path}: the layout is not clang-format's; run {FORMATTER} -i {path}"
            for path in sorted(named)]


def main():
    known = source.files("src", "backends", "tests")
    complaints = [complaint for path in known for complaint in long_lines(path)]
    if shutil.which(FORMATTER) and os.path.exists(os.path.join(source.ROOT, ".clang-format")):
        complaints += changed_lines(known)
    else:
        print(f"layout: {FORMATTER} is not here, so only the length of lines is checked")
    source.finish("layout", complaints, len(known))


main()
