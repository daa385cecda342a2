"""Checks every #include of src and backends against the table of rooms in doc/design.md."""

import fnmatch
import re

import source

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
GENERATED = {"config.h", "build-info.h", "site-backends.h", "verdict-texts.h"}


def read_table():
    """Rows (room, file patterns, names it may include), in the order of the document."""
    section = source.text("doc/design.md").split("<!-- rooms -->")[1].split("<!-- /rooms -->")[0]
    rows = []
    for line in section.strip().splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        room, patterns, allowed = (re.findall(r"`([^`]+)`", cell) for cell in cells[:3])
        rows.append((room[0], patterns, set(allowed)))
    return rows


def room_of(rows, path):
    for room, patterns, allowed in rows:
        if any(fnmatch.fnmatch(path, pattern) for pattern in patterns):
            return room, allowed
    return None, set()


def stem(path):
    """posix for backends/posix.c and backends/posix_names.c: the files of one backend."""
    return re.split(r"[_.]", path.rsplit("/", 1)[-1])[0]


def resolve(includer, name, known):
    """The file an #include means: seen from the root, from src, or from the includer's folder."""
    for candidate in (name, "src/" + name, includer.rsplit("/", 1)[0] + "/" + name):
        if candidate in known:
            return candidate
    return None


def judge(rows, path, target):
    """None, or why path may not include target."""
    room, allowed = room_of(rows, path)
    if room is None:
        return "stands in no room of doc/design.md"
    other, _ = room_of(rows, target)
    if room == other:
        if room == "backends" and stem(path) != stem(target):
            return "a backend may not include another backend"
        return None
    if "all" in allowed or other in allowed or target in allowed:
        return None
    return f"room {room} may not include room {other}"


def main():
    rows = read_table()
    known = source.files()
    complaints = []
    for path in known:
        for number, line in enumerate(source.text(path).split("\n"), 1):
            match = INCLUDE.match(line)
            if not match or match.group(1) in GENERATED:
                continue
            target = resolve(path, match.group(1), known)
            why = judge(rows, path, target) if target else "no such file"
            if why:
                complaints.append(f"{path}:{number}: {match.group(1)}: {why}")
        if room_of(rows, path)[0] is None:
            complaints.append(f"{path}: stands in no room of doc/design.md")
    source.finish("rooms", complaints, len(known))


main()
