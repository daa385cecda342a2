"""Darshan: the counters of a job's log become a job that does the like. Files that were used alike become one test."""

import json
import math
import os
import statistics

from . import darshan_log
from .darshan_files import BYTES, Files, calls
from .native import Job, Member, Step, laid_out
from .problems import fail
from .units import Size

DIFFERENCES = {
    "one": "Files that were used alike are one test. Tests follow each other in the order of their first transfers; what the program "
           "did between them is left out.",
    "files": "Files have new names, so that no file of the program is touched. Files that it found are written before they are read.",
    "movers": "Darshan keeps one record of a file that all tasks opened. How many of them moved data follows from the variance of "
              "their bytes, as if their parts were equal; without it, all did.",
    "order": "Counters say how many transfers went on behind the one before, and how many lay behind it or before it, but not "
             "where: blocks lie in a file as in IOR, and random places are uniform.",
    "sizes": "Darshan keeps the four commonest sizes, of reads and writes together. Other sizes are the mean of what is left, within "
             "the ranges of its histogram. Where one size moves 80 % of the bytes, an IOR block has that size only.",
    "cache": "Whether memory answered reads is not known. Files that the program did not write are read without the page cache.",
    "rate": "The rate then is bytes by the time that the busiest task spent in these calls, or by the span from the first call to the "
            "last where that is shorter. For a file of all tasks it is the slowest task's time, divided like the time of all tasks.",
    "several": "Files that a task used one after the other are repetitions, at most 10.",
    "names": "Darshan counts opens and stats, and neither unlinks nor directories: small files are created in one tree of each task, "
             "or of all, and removed at the end.",
    "collective": "A load has no collective calls; those of mixed sizes are independent here.",
    "levels": "Calls of HDF5 and PnetCDF are the MPI-IO or POSIX calls that they made. Files that only stdio (fopen) used are left out.",
}
MOST_REPETITIONS = 10
LEAST_SHARE = 0.01  # of all bytes: less is not worth a test
LEAST_NAMES = 10    # small files of a task: fewer are not


def parts_of(log, job):
    """The files by kinds, in the order of their first transfers; what matters too little is left out and named."""
    kinds, stdio = {}, 0
    for record, modules in log.counts.items():
        level = next((module for module in ("MPI-IO", "POSIX") if module in modules), None)
        if level:
            name, one = str(log.names.get(record, record)), Files(level, log.tasks)
            one.add(name, modules)
            kinds.setdefault(one.kind(), Files(level, log.tasks)).add(name, modules)
        else:
            stdio += sum(counts.get(key, 0) for counts in modules["STDIO"].values() for key in BYTES.values())
    parts = kinds.values()
    every = sum(part.bytes() for part in parts)
    kept, left = [], []
    for part in parts:
        matters = len(part.names) >= LEAST_NAMES * part.users() if part.is_names() else part.ways() and part.bytes() > LEAST_SHARE * every
        (kept if matters else left).append(part)
    if left:
        job.differ(f"Left out, as too little to measure: {sum(len(part.names) for part in left)} files such as {left[0].names[0]}, "
                   f"with {amount(sum(part.bytes() for part in left))}.")
    if stdio > LEAST_SHARE * every:
        job.differ(f"Left out: {amount(stdio)} that stdio moved.")
    return sorted(kept, key=lambda part: min(first for first, _ in part.spans.values()))


def set_ior(part, member, job):
    """An IOR block: each task has its part of a file, in segments where its transfers do not follow each other."""
    way = part.ways()[0]
    size, number = part.main(way)
    each = max(1, round(number / part.streams))  # transfers of a task in a file
    segments = 1
    if part.shared() and part.places_known:
        segments = min(each, max(1, round((number - part.sums[f"CONSEC_{way}S"]) / part.streams)))
    elif part.shared() and part.collective():
        segments = each
        member.note("The places of these collective transfers are not known; here tasks take turns in the file, transfer by transfer.")
    member.workload, member.grain = "IOR", size
    member.set("transfer_size", Size(size), f"{number} of {calls(part.sums, way)} {way.lower()}s")
    member.set("block_size", Size(size * max(1, each // segments)), amount(part.bytes(way)))
    if segments > 1:
        member.set("segment_count", segments, f"CONSEC_{way}S {part.sums[f'CONSEC_{way}S']}")
    for key, chosen in (("file_per_proc", not part.shared()), ("collective", part.shared() and part.collective()), ("write_file", True),
                        ("read_file", part.bytes("READ"))):
        if chosen:
            member.set(key, True)
    if part.files_of_user() > 1:
        job.differ(DIFFERENCES["several"])
        member.set("repetitions", min(part.files_of_user(), MOST_REPETITIONS), f"{len(part.names)} files")


def set_load(part, member, job):
    """A LOAD block: sizes, places, reads beside writes in the shares of the counters."""
    ways = part.ways()
    for way in ways:
        sizes = part.sizes(way)
        shares = ",".join(f"{Size(size)}/{number}" for size, number in sizes)
        member.set(f"{way.lower()}_sizes", shares if len(sizes) > 1 else Size(sizes[0][0]), f"SIZE_{way}_*")
    member.set("operations", ",".join(f"{way.lower()}:{calls(part.sums, way)}" for way in ways))
    total = sum(calls(part.sums, way) for way in ways)
    random = sum(part.random(way) * calls(part.sums, way) for way in ways) / total
    member.set("random", f"{100 * random:.3g}%", f"SEQ {sum(part.sums[f'SEQ_{way}S'] for way in ways)} of {total}")
    if part.files_of_user() > 1:
        member.set("files", part.files_of_user(), f"{len(part.names)} files")
    if part.shared():
        member.set("file_scope", "test")
        if random > 0.5:
            member.set("whole_files", True, "each task at random places of the whole file")
    grain = laid_out(member, max(size for way in ways for size, _ in part.sizes(way)), part.shared())
    extent = part.extent or part.bytes() // len(part.names)
    member.set("file_size", Size(max(1, -(-extent // grain)) * grain), f"MAX_BYTE {extent - 1}")
    member.set("operation_limit", max(1, round(total / part.users())), f"{total} of all")
    if "READ" not in ways:
        member.set("layout", "allocate", "only writes")
    if part.collective():
        job.differ(DIFFERENCES["collective"])


def set_names(part, member, job):
    """An MDTEST block: the small files of each task, created, and looked at or opened."""
    job.differ(DIFFERENCES["names"])
    files = len(part.names)
    member.workload = "MDTEST"
    member.set("items", part.files_of_user(), f"{files} files")
    folders = {os.path.dirname(name) for name in part.names}
    for key, chosen, origin in (
            ("files_only", True, ""), ("unique_dir", len(folders) >= part.users() > 1, f"{len(folders)} folders"), ("create", True, ""),
            ("stat", 2 * part.sums["STATS"] > files, f"{part.sums['STATS']} stats"),
            ("read", part.bytes("READ") or part.sums["OPENS"] >= 2 * files, f"{part.sums['OPENS']} opens"), ("remove", True, "")):
        if chosen:
            member.set(key, True, origin)
    for way in part.ways():
        member.set(f"{way.lower()}_bytes", Size(math.ceil(part.bytes(way) / files)), amount(part.bytes(way)))
    if part.bytes("READ") > part.bytes("WRITE"):  # what is read must have been written
        member.set("write_bytes", member.get("read_bytes"), "what is read")


def member_of(part, number, clones, job):
    users = "all tasks" if part.users() == part.tasks else f"{part.users()} tasks"
    many = f"{len(part.names)} files such as " if len(part.names) > 1 else ""
    member = Member(f"darshan-{number}", f"{many}{part.names[0]}, {'shared by' if part.shared() else 'of'} {users}", part.users() * clones)
    path = os.path.join(job.folder, member.name).replace("@", "@@")
    if part.movers:
        job.differ(DIFFERENCES["movers"])
    if part.is_names():
        member.set("dir", path)
        set_names(part, member, job)
        return member
    member.set("api", "mpiio" if part.level == "MPI-IO" else "posix", part.level)
    member.set("test_file", path)
    (set_ior if part.is_ior() else set_load)(part, member, job)
    if part.syncs() > 2 * part.streams and part.bytes("WRITE"):
        member.set("fsync_every", max(1, calls(part.sums, "WRITE") // part.syncs()), f"{part.syncs()} syncs")
    elif part.syncs() and part.bytes("WRITE"):
        member.set("fsync", True, f"{part.syncs()} syncs")
    if part.found:
        member.set("cold", "fadvise", "the program did not write this")
        if member.workload == "IOR":
            member.set("fsync", True, "only clean pages can be dropped")
    for phase, ways in ({way.lower(): [way] for way in part.ways()} if member.workload == "IOR" else {"load": part.ways()}).items():
        seconds = sum(map(part.seconds, ways))
        if seconds > 0:
            member.note(f"The job then: {phase} {amount(part.bytes(*ways) / seconds)}/s, {amount(part.bytes(*ways))} in {seconds:.3g} s.")
            job.then.append((member.name, phase, part.bytes(*ways) / seconds, part.tasks))
    return member


def amount(number):
    """Bytes for a reader: 1.2 GiB."""
    power = min(4, max(0, int(math.log2(max(1, number)) // 10)))
    return f"{number / 1024 ** power:.1f} {('bytes', 'KiB', 'MiB', 'GiB', 'TiB')[power]}"


def closing_lines(then, path):
    """The rates of the log beside those of a run, whose document is at path."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    for name, phase, rate, tasks in then:
        here = [one["load"]["bytes_per_s"] if phase == "load" else one["rates"]["total_bytes_per_s"]
                for test in document["tests"] if test["name"] == name for one in test["phases"]
                if one["phase"] == phase and one["status"] == "complete"]
        if here:
            now = document["run"]["tasks"]
            yield f"{name}, {phase}: the job then: {amount(rate)}/s; here {amount(statistics.median(here))}/s" + \
                (f" ({tasks} tasks then, {now} here)" if tasks != now else "")


OPTIONS = ("clones",)  # of iorx-translate


def translate(words, _problems, clones=1):
    """words: the log, and the folder for the files. clones: how many times the log's tasks the job has."""
    if len(words) not in (1, 2):
        fail("darshan", "write iorx-translate darshan LOG, or LOG and the folder for the files")
    log = darshan_log.read(words[0])
    job = Job(f"the counters of {os.path.basename(words[0])}")
    job.any_tasks = log.tasks * clones
    job.folder = words[1] if len(words) > 1 else ""
    job.original = [f"{key}: {log.head.get(key, '')}" for key in ("exe", "nprocs", "run time")]
    parts = parts_of(log, job)
    if not parts:
        fail(words[0], " ".join(["nothing to run: no file moved data that matters through POSIX or MPI-IO.", *job.differences]))
    for key in ("one", "files", "order", "sizes", "cache", "rate", "levels"):
        job.differ(DIFFERENCES[key])
    for number, part in enumerate((test for part in parts for test in part.tests()), 1):
        job.steps.append(Step([member_of(part, number, clones, job)]))
    return job
