"""What the lint programs share: the C files of the tree, without comments and strings."""

import os
import re
import sys

ROOT = os.environ.get("SRCDIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def files(*tops):
    """Paths of all C files of the folders, by default src and backends, relative to the root, sorted."""
    found = []
    for top in tops or ("src", "backends"):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            found += [os.path.relpath(os.path.join(folder, name), ROOT)
                      for name in names if name.endswith((".c", ".h"))]
    return sorted(found)


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def code_lines(path):
    """(number, line) for each line, with comments and the contents of strings blanked."""
    def blank(match):
        token = match.group()
        if token[0] in "\"'":
            return token[0] * 2
        return "\n" * token.count("\n") or " "

    return list(enumerate(TOKEN.sub(blank, text(path)).split("\n"), 1))


def finish(name, complaints, checked):
    for complaint in complaints:
        print(complaint)
    print(f"{name}: {checked} files, {len(complaints)} complaints")
    sys.exit(1 if complaints or not checked else 0)
