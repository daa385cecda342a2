"""DiskSpd 2.2: a command line becomes a set of loads, one for each target (-t) or one for all (-F)."""

import os
import re

from . import windows
from .native import Job, Member, Step, laid_out
from .problems import fail
from .units import Seconds, Size

DIFFERENCES = {
    "queue": "More than one operation in flight (-o, 2 where it is not given) goes through io_uring; Windows has "
             "overlapped I/O.",
    "layout": "-c re-creates a file that is there; iorx uses it as it is, and writes into one that it did not make only "
              "with --allow-overwrite on its command line.",
    "content": "The default data 0, 1, 2 … 255, again and again, compresses well; here 90 % of each 512 bytes are zeros.",
    "direct": "-Su is O_DIRECT, -Sw is O_DSYNC.",
    "interlocked": "-si: threads take turns by their numbers in the one stream, whichever is faster.",
    "streams": "Sequential threads of one file: each has its own stream from the start of the file, as in DiskSpd.",
    "starts": "-T: all threads have parts of the file of the same length; in DiskSpd each goes on to the end of the file.",
    "rate": "-g is the rate of each thread and target, as in DiskSpd: rate_scope = task.",
    "depth": "-F with several targets and a rate: a thread has the operations in flight of all targets together, and goes "
             "from one to the next.",
    "zones": "-rdabs: sizes are shares of the part of the file that is visited, and count from its start.",
    "tail": "A file is cut to equal parts of whole transfers for all threads; DiskSpd visits the rest too.",
    "seed": "A seed gives the same places again, but not those of DiskSpd.",
}

SUFFIXES = {"k": 1, "m": 2, "g": 3, "t": 4}
OPTIONS = ("target", "clones")  # of iorx-translate
PLACE = "command line"
MOST_ZONES = 16

# Switches that change nothing here: names that may be followed by anything.
IGNORED = {"L": "", "v": "", "n": "", "D": r"\d*", "R": r"p?(text|xml)?", "P": r"\d*"}
WINDOWS = {
    "a": "tasks are bound by the launcher, as by mpiexec --bind-to", "ag": "tasks are bound by the launcher",
    "I": "priorities of I/O are Windows' own; use ionice", "l": "large pages are Windows' own",
    "N": "flushes of mapped views are Windows' own", "p": "iorx starts no parallel operations at one offset",
    "x": "completion routines are Windows' own", "X": "iorx-translate reads no profiles; give the switches",
    "y": "events are Windows' own", "e": "event tracing is Windows' own",
    "Sd": "this exists in the Linux port only", "Ss": "this exists in the Linux port only",
    "Zz": "this exists in the Linux port only", "Zs": "this exists in the Linux port only",
    "xp": "this exists in the Linux port only", "Sr": "caches of remote file systems are Windows' own",
    "fr": "hints of Windows' CreateFile", "fs": "hints of Windows' CreateFile", "ft": "hints of Windows' CreateFile",
}


def is_switch(word):
    """True of -b8K and /b8K. A word with a further slash is a path here: /scratch/file, not -s and a value."""
    return word[:1] in ("-", "/") and not (word[0] == "/" and "/" in word[1:]) and not os.path.exists(word)


class Line:
    """The switches of one command line: {letter: value}, and the targets."""

    def __init__(self, words, problems, target=None):
        self.problems, self.directory = problems, target  # a windows.Target for files of Windows, or None
        self.switches, self.targets = {}, []
        self.caching = []  # of -S and -h, "u" and "w" and "b" and "m"
        for word in words:
            if is_switch(word):
                self.read_switch(word)
            else:
                self.read_target(word)
        self.block = self.size("b", Size(64 << 10))

    def read_target(self, word):
        if not word:
            fail(PLACE, "an empty word; give a file")
        if word[0] in "\u2010\u2011\u2012\u2013\u2014\u2212":
            fail(PLACE, f"{word}: this begins with a typographic dash; write -")
        if self.directory and windows.is_file(word):
            word = self.directory.path(word)
        elif windows.is_windows(word) or re.match(r"#\d|\*\d", word):
            fail(PLACE, f"{word}: this names a drive or path of Windows; {windows.REMEDY}" if windows.is_file(word) else
                 f"{word}: this names a drive of Windows; give a path of this system")
        self.targets.append(word)

    def read_switch(self, word):
        name, value = word[1:2], word[2:]
        if self.targets:
            fail(PLACE, f"{word}: switches stand before the first target ({self.targets[0]})")
        if name == "S" or word == "-h":
            self.read_caching(word)
        elif name in IGNORED and re.fullmatch(IGNORED[name], value):
            if word.startswith("-Rp"):
                fail(PLACE, f"{word}: this prints a profile and runs nothing")
            self.problems.ignore("-" + name)
        elif word[1:3] in WINDOWS or (name in WINDOWS and name not in "fZx"):
            self.problems.refuse(PLACE, word, WINDOWS.get(word[1:3], WINDOWS.get(name)))
        elif name in "bBcCdfFgijoOrstTwWzZ" and name:
            if word[1:3] in ("rs", "rd", "si"):
                name, value = word[1:3], word[3:]
            self.switches[name] = (value, word)  # of two the later counts
        else:
            fail(PLACE, f"{word}: DiskSpd 2.2 knows no such switch")

    def read_caching(self, word):
        letters = "uw" if word in ("-h", "-Sh") else word[2:] or "u"
        if word[:3] in ("-Sd", "-Ss", "-Sr"):
            self.problems.refuse(PLACE, word, WINDOWS[word[1:3]])
            return
        if not set(letters) <= set("ubwm"):
            fail(PLACE, f"{word}: -S takes u, w, h, b and m")
        kind = set(letters)
        for earlier in self.caching:
            if ("b" in kind) != ("b" in earlier) and ("u" in kind or "u" in earlier):
                fail(PLACE, f"{word}: this contradicts an earlier -S")
        self.caching.append(kind)

    def has(self, name):
        return name in self.switches

    def value(self, name):
        return self.switches[name][0]

    def word(self, name):
        return self.switches[name][1]

    def origin(self, *names):
        return " ".join(self.word(name) for name in names if self.has(name))

    def size(self, name, default=None):
        """Bytes; b is blocks of -b, wherever -b stands."""
        if not self.has(name):
            return default
        return self.parse_size(self.value(name), self.word(name), name != "b")

    def parse_size(self, text, word, blocks=True):
        match = re.fullmatch(r"(\d{1,20})([kmgt]?|b)", text, re.IGNORECASE)
        if not match or (match[2].lower() == "b" and not blocks):
            fail(PLACE, f"{word}: a size such as 4K, 1M or 10G, or 100b for blocks, stands here (KB is none)")
        letter = match[2].lower()
        value = int(match[1]) * (int(self.size("b", Size(64 << 10))) if letter == "b" else 1024 ** SUFFIXES.get(letter, 0))
        if value >= 1 << 62:
            fail(PLACE, f"{word}: this is too large")
        return Size(value)

    def number(self, name, default, least=0, most=1 << 31):
        if not self.has(name):
            return default
        if not re.fullmatch(r"\d{1,12}", self.value(name)) or not least <= int(self.value(name)) <= most:
            fail(PLACE, f"{self.word(name)}: a whole number from {least} to {most} stands here")
        return int(self.value(name))


def check(line):
    """What the 2.2 program calls an error."""
    if not line.targets:
        fail(PLACE, "no target; give a file")
    for one, other in (("F", "t"), ("r", "s"), ("r", "si"), ("rs", "s"), ("rs", "si"), ("s", "si"), ("O", "o")):
        if line.has(one) and line.has(other):
            fail(PLACE, f"{line.word(one)} {line.word(other)}: DiskSpd takes one of the two")
    for one, other in (("O", "F"), ("i", "j"), ("j", "i")):
        if line.has(one) and not line.has(other):
            fail(PLACE, f"{line.word(one)}: DiskSpd wants -{other} beside it")
    if line.has("rd") and not (line.has("r") or line.has("rs")):
        fail(PLACE, f"{line.word('rd')}: DiskSpd wants -r or -rs beside it")
    if line.has("w") and not line.value("w"):
        fail(PLACE, "-w: the 2.2 program wants the percentage, as -w100")
    if line.has("b") and not line.block:
        fail(PLACE, f"{line.word('b')}: 0 bytes move nothing")


def set_operations(line, member):
    writes = line.number("w", 0, 0, 100)
    operations = {0: "read:100", 100: "write:100"}.get(writes, f"read:{100 - writes},write:{writes}")
    member.set("operations", operations, line.origin("w") or "-w0 is DiskSpd's default")
    member.set("sizes", line.block, line.origin("b") or "-b64K is DiskSpd's default")
    return writes


def set_places(line, member, job):
    if line.has("r") or line.has("rs"):
        share = line.number("rs", 100, 0, 100)
        member.set("random", f"{share}%", line.origin("rs", "r"))
        align = line.size("r") if line.has("r") and line.value("r") else line.block
        if not align:
            fail(PLACE, f"{line.word('r')}: 0 bytes are no alignment")
        if align != line.block:
            member.set("align", align, line.origin("r"))
        member.set("distribution", distribution(line, member, job) if line.has("rd") else "uniform", line.origin("rd"))
        return
    member.set("random", "0%", line.origin("s", "si") or "sequential is DiskSpd's default")
    name = "si" if line.has("si") else "s"
    step = line.size(name) if line.has(name) and line.value(name) else line.block
    if step < line.block:
        line.problems.refuse(PLACE, line.word(name), "transfers of iorx do not overlap the one before")
    elif step > line.block:
        member.set("stride", Size(step - line.block), line.origin(name))
    if line.has("si"):
        job.differ(DIFFERENCES["interlocked"])


def distribution(line, member, job):
    """-rdpct60/10:30/20 or -rdabs60/10G:30/20G in iorx's words; what is left of both is the last zone."""
    kind, parts = line.value("rd")[:3], [part.partition("/") for part in line.value("rd")[3:].split(":")]
    if kind not in ("pct", "abs") or not all(re.fullmatch(r"\d{1,3}", io) and size for io, _, size in parts):
        fail(PLACE, f"{line.word('rd')}: DiskSpd knows -rdpct60/10:30/20 and -rdabs60/10G:30/20G")
    whole = 100
    if kind == "abs":
        whole = member.get("region_size") or member.get("file_size") - member.get("region_offset", 0)
        job.differ(DIFFERENCES["zones"])
    zones = [(int(io), size_of_zone(line, kind, size)) for io, _, size in parts]
    if sum(io for io, _ in zones) > 100 or kind == "pct" and sum(size for _, size in zones) > 100:
        fail(PLACE, f"{line.word('rd')}: more than 100 % in all")
    used = zones_within([*zones, (100 - sum(io for io, _ in zones), whole)], whole)
    accesses = sum(io for io, _ in used)
    if not accesses:
        fail(PLACE, f"{line.word('rd')}: no operation goes to the part of the file that there is")
    if len(used) > MOST_ZONES:
        line.problems.refuse(PLACE, line.word("rd"), f"iorx has at most {MOST_ZONES} zones; join some")
    return "zoned:" + ",".join(f"{100 * io / accesses:.12g}/{100 * size / whole:.12g}" for io, size in used)


def size_of_zone(line, kind, text):
    if kind == "abs":
        size = line.parse_size(text, line.word("rd"))
    else:
        size = int(text) if re.fullmatch(r"\d{1,3}", text) else 0
    return size or fail(PLACE, f"{line.word('rd')}: {text}: the size of a zone stands here, in percent or as 10G")


def zones_within(zones, whole):
    """The zones up to the end of what there is; the last one is cut."""
    found, left = [], whole
    for io, size in zones:
        if left > 0:
            found.append((io, min(size, left)))
        left -= size
    return found


def set_engine(line, member, job, targets):
    """-o is for each target of a thread, -O for all of them."""
    depth = line.number("O", 0, 1, 4096) if line.has("O") else line.number("o", 2, 1, 4096)
    kinds = set().union(*line.caching) if line.caching else set()
    if "m" in kinds:
        line.problems.refuse(PLACE, "-Sm", "a load reads and writes one open file in any order, which iorx does not map")
    api = "posix" if depth == 1 and (targets == 1 or line.has("O")) else "uring"
    member.set("api", api, line.origin("o", "O") or "-o2 is DiskSpd's default")
    if api == "uring":
        for_each = targets > 1 and not line.has("O")
        paced = line.has("g")
        member.set("queue_depth", depth * targets if for_each and paced else depth, line.origin("o", "O"))
        if for_each and paced:
            job.differ(DIFFERENCES["depth"])
        elif for_each:
            member.set("depth_scope", "file", line.origin("F"))
        job.differ(DIFFERENCES["queue"])
    if targets > 1 and line.has("O"):
        member.set("file_choice", "random", line.origin("O"))
    if "u" in kinds:
        job.differ(DIFFERENCES["direct"])
        if "m" in kinds:
            fail(PLACE, "-Sm and -Su: a mapping is cached")
        member.set(f"{api}.direct", True, "no -Sb, but -S, -Su or -Sh")
    if "w" in kinds:
        member.set("sync", "dsync", "-Sw, -Sh or -h")


def set_pace(line, member, job, targets):
    if line.has("g") and line.has("O"):
        fail(PLACE, f"{line.word('g')} {line.word('O')}: DiskSpd takes one of the two")
    if line.has("g"):
        match = re.fullmatch(r"(\d{1,12})(i?)", line.value("g"))
        if not match or not int(match[1]):
            fail(PLACE, f"{line.word('g')}: bytes per millisecond, or operations per second with i, stand here")
        rate = int(match[1]) * targets
        member.set("rate" if match[2] else "byte_rate", rate if match[2] else Size(rate * 1000), line.origin("g"))
        member.set("rate_scope", "task", line.origin("g"))
        job.differ(DIFFERENCES["rate"])
    if line.has("i"):
        if line.has("g") or targets > 1:
            line.problems.refuse(PLACE, line.word("i"), "with a rate the schedule says when operations are due" if line.has("g")
                                 else "a thread of iorx has one burst for all its targets; write -t")
            return
        member.set("burst", line.number("i", 1, 1), line.origin("i"))
        member.set("burst_pause", Seconds(line.number("j", 0) / 1000), line.origin("j"))


def set_times(line, member):
    member.set("duration", Seconds(line.number("d", 10, 1)), line.origin("d") or "-d10 is DiskSpd's default")
    member.set("warmup_time", Seconds(line.number("W", 5)), line.origin("W") or "-W5 is DiskSpd's default")
    if line.number("C", 0):
        member.set("cooldown", Seconds(line.number("C", 0)), line.origin("C"))


def set_content(line, member, job):
    if not line.has("Z"):
        job.differ(DIFFERENCES["content"])
        member.set("content_compress", "90%", "without -Z DiskSpd's data compresses")
        return
    value = line.value("Z")
    if not value:
        member.set("content", "zeros", line.origin("Z"))
    elif value == "r":
        member.set("content", "random", line.origin("Z"))
    else:
        pool, comma, path = value.partition(",")
        line.parse_size(pool, line.word("Z"))
        if comma:
            member.set("content", "file", line.origin("Z"))
            member.set("content_file", path, line.origin("Z"))


def size_of(target):
    try:
        return Size(os.stat(target).st_size)
    except OSError as error:
        fail(PLACE, f"{target}: {error.strerror}; without -c DiskSpd takes a file that is there")


def set_files(line, member, job, targets):
    created = line.size("c")
    if created is None:
        sizes = [size_of(target) for target in targets]
        created = min(sizes)
        if max(sizes) != created:
            line.problems.refuse(PLACE, line.word("F"), "the targets have different sizes; files of a load of iorx have one size")
        member.set("layout", "none", "no -c: the file is there")
    elif created == 0:
        fail(PLACE, f"{line.word('c')}: 0 bytes hold nothing")
    else:
        member.set("layout", "missing", line.word("c"))
        job.differ(DIFFERENCES["layout"])
    unit = laid_out(member, line.block, True)
    size = Size(created // unit * unit) if created >= unit else Size(unit)
    if size != created:
        job.differ(DIFFERENCES["tail"])
    member.set("test_file", "@".join(target.replace("@", "@@") for target in targets))
    member.set("file_scope", "test", line.origin("t", "F"))
    if len(targets) > 1:
        member.set("files", len(targets), line.origin("F"))
    member.set("file_size", size, line.origin("c"))
    set_region(line, member, job, size)


def set_region(line, member, job, size):
    """-B base:length, -f end, -T between threads; threads of a file each have a stream of their own."""
    base, colon, length = line.value("B").partition(":") if line.has("B") else ("0", "", "")
    base = line.parse_size(base, line.word("B")) if line.has("B") else 0
    end = min(size, line.size("f")) if line.has("f") else size
    if colon:
        end = min(end, base + line.parse_size(length, line.word("B")))
    random = line.has("r") or line.has("rs")
    step = line.size("T", 0) if member.clones > 1 else 0
    if line.has("T") and (random or line.has("si")):
        fail(PLACE, f"{line.word('T')}: threads have starts of their own only where each has a sequential stream")
    if end - base - step * (member.clones - 1) < line.block:
        fail(PLACE, f"{line.origin('B', 'f', 'T')}: the part of the file is smaller than a transfer")
    if base:
        member.set("region_offset", Size(base), line.origin("B"))
    if end < size or step:
        member.set("region_size", Size(end - base - step * (member.clones - 1)), line.origin("f", "B", "T"))
    if step:
        job.differ(DIFFERENCES["starts"])
        member.set("region_step", Size(step), line.origin("T"))
    elif member.clones > 1 and not line.has("si") and (not random or line.has("rs")):
        job.differ(DIFFERENCES["streams"])
        member.set("whole_files", True, "each thread has a stream of its own")


def member_of(line, job, targets, clones):
    member = Member(os.path.basename(targets[0]) or targets[0], f"{PLACE} {' '.join(targets)}", clones)
    set_files(line, member, job, targets)
    writes = set_operations(line, member)
    set_places(line, member, job)
    set_engine(line, member, job, len(targets))
    set_pace(line, member, job, len(targets))
    set_times(line, member)
    if writes:
        set_content(line, member, job)
    if line.has("z") or line.has("r") or line.has("rs"):
        job.differ(DIFFERENCES["seed"])
        member.set("random_offset_seed", line.number("z", 0) if line.has("z") and line.value("z") else 0, line.origin("z"))
    return member


def tell_apart(members):
    """Numbers the members whose targets have one last name."""
    for number, member in enumerate(members, 1):
        if member.get("test_file") in (other.get("test_file") for other in members[:number - 1]):
            fail(PLACE, f"{member.get('test_file')}: the target stands there twice; give more threads (-t) instead")
        if member.name in (other.name for other in members[:number - 1]):
            member.name += f".{number}"


def translate(words, problems, target="", clones=1):
    """A native.Job. target: a directory for the files of Windows. clones: how many times its threads the line has."""
    if words and words[0].lower().endswith(("diskspd", "diskspd.exe")):
        words = words[1:]
    directory = windows.Target(target) if target else None
    line = Line(words, problems, directory)
    check(line)
    job = Job("this command line of DiskSpd")
    if directory:
        directory.check()
        job.differ(f"--target: {windows.DIFFERENCE}.")
    job.original = ["diskspd " + " ".join(words)]
    if line.has("F"):  # each thread uses all targets
        members = [member_of(line, job, line.targets, line.number("F", 0, 1, 1 << 20) * clones)]
    else:
        members = [member_of(line, job, [target], line.number("t", 1, 1, 1 << 20) * clones) for target in line.targets]
        tell_apart(members)
    job.steps.append(Step(members))
    return job
