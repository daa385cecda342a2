"""A job in iorx's own language: steps one after the other, and the members that run at a time."""

import itertools
import math
import os
import re
import shlex
import textwrap

from . import VERSION
from .units import Seconds, Size

WIDTH = 100
LAYOUT_LEAST = 4096  # bytes of a transfer that lays files out
# What --scale-size and --scale-time change; sizes of transfers and thinking times stay.
SCALED_SIZES = ("file_size", "block_size", "byte_limit", "operation_limit", "items", "region_offset",
                "region_size", "region_step", "segment_count")
SCALED_TIMES = ("duration", "stonewall", "warmup_time", "cooldown", "inter_test_delay",
                "steady_duration")


class Key:
    def __init__(self, value, origin):
        self.value, self.origin = value, origin


class Member:
    """One test: a block LOAD, IOR or MDTEST, and its number of tasks."""

    def __init__(self, name, origin, clones=1, workload="LOAD"):
        self.name, self.origin, self.clones, self.workload = name, origin, clones, workload
        self.grain = 1  # scaled sizes are multiples of it: the largest transfer
        self.file_grain = 0  # and sizes of files of this, unless 0
        self.keys = {}
        self.notes = []  # sentences about this member alone

    def set(self, key, value, origin=""):
        """Sets a key of iorx; origin says which words of the original it follows from, "job.fio:3 bs=4k"."""
        self.keys[key] = Key(value, str(origin))

    def get(self, key, default=None):
        return self.keys[key].value if key in self.keys else default

    def note(self, sentence):
        if sentence not in self.notes:
            self.notes.append(sentence)


def derived(member, name, origin, keys):
    """Another member on the same tasks, with copies of these keys, as scaling changes each."""
    result = Member(name, origin, member.clones)
    result.grain, result.file_grain = member.grain, member.file_grain
    result.keys = {key: Key(member.get(key), member.keys[key].origin) for key in keys if key in member.keys}
    return result


class Step:
    """Members that run at the same time."""

    def __init__(self, members=()):
        self.members = list(members)
        self.keys = {}  # of all members, such as repetitions
        self.notes = []

    def set(self, key, value, origin=""):
        self.keys[key] = Key(value, str(origin))

    def tasks(self):
        return sum(member.clones for member in self.members)


class Job:
    def __init__(self, title):
        self.title = title    # "the fio job job.fio"
        self.original = []    # its lines
        self.differences = [] # sentences on what means something else here
        self.steps = []
        self.folder = ""      # for the files of all tests, which must be there before a run; "": none
        self.made_folders = set()  # that a run makes as the original does: see make_folders()
        self.traces = {}       # {path: logs} of traces that must be made before a run, by iorx-translate trace
        self.any_tasks = 0     # of a job that any number of tasks may do: the number that the original had
        self.then = []        # (name, phase, bytes per second, tasks) that the original reached, where that is known

    def differ(self, sentence):
        if sentence not in self.differences:
            self.differences.append(sentence)

    def make_folders(self):
        for existing, folder, tasks, files in sorted(self.made_folders):
            for task, number in itertools.product(range(tasks), range(files)):
                if os.path.isdir(existing or "."):
                    os.makedirs(folder.replace("$jobnum", str(task)).replace("$filenum", str(number)), exist_ok=True)

    def tasks(self):
        """The largest number of tasks that work at a time."""
        return max((step.tasks() for step in self.steps), default=1)

    def fewer_tasks(self, most):
        """The largest number up to `most` of which the tasks of each member are a multiple, so that files are divided evenly."""
        clones = [member.clones for step in self.steps for member in step.members]
        return next(tasks for tasks in range(most, 0, -1) if not any(count % min(count, tasks) for count in clones))

    def scale(self, size=1.0, time=1.0):
        """Cuts sizes and times, for a trial."""
        members = [member for step in self.steps for member in step.members]
        for member in members:
            stays = "block_size" if member.get("segment_count") and member.get("block_size") == member.grain else "segment_count"
            for name, key in member.keys.items():
                if name in SCALED_SIZES and name != stays and size != 1:
                    key.value = scaled(key.value, size, grain_of(member, name))
                elif name in SCALED_TIMES and time != 1:
                    key.value = Seconds(key.value * time)
            hold_regions(member)
        for member in members:
            hold_users(member, members)
        if self.traces and (size, time) != (1, 1):
            self.differ("--scale-size and --scale-time leave the requests of a log that is replayed and their times as they are; "
                        "replay_time_scale changes the times.")


def hold_users(member, members):
    """Enlarges a scaled file that a member lays out to what others use of it, who round by transfers of their own."""
    if member.get("layout", "none") == "none" or "trace" in member.keys:
        return
    used = max((other.get("file_size", 0) for other in members
                if other.get("layout") == "none" and other.get("test_file") == member.get("test_file")), default=0)
    if used > member.get("file_size"):
        grain = grain_of(member, "file_size")
        member.keys["file_size"].value = Size(-(-used // grain) * grain)


def hold_regions(member):
    """Enlarges a scaled file to the regions in it, which are rounded for themselves."""
    end = member.get("region_offset", 0) + member.get("region_size", 0) + member.get("region_step", 0) * (member.clones - 1)
    size = member.get("file_size")
    if "region_size" in member.keys and isinstance(size, int) and size < end:
        grain = grain_of(member, "file_size")
        member.keys["file_size"].value = Size(-(-end // grain) * grain)


def grain_of(member, name):
    return member.file_grain if name == "file_size" and member.file_grain else member.grain


def scaled(value, factor, grain):
    if not isinstance(value, Size):
        return max(1, math.ceil(value * factor)) if value else value
    return Size(max(1, round(value * factor / grain)) * grain if value else 0)


def laid_out(member, largest, shared):
    """Sets the grain of a load's file; its layout moves equal parts of whole powers of two for each task."""
    member.grain = largest
    member.file_grain = max(LAYOUT_LEAST, 1 << (largest - 1).bit_length()) * (member.clones if shared else 1)
    return member.file_grain


# --- printing --------------------------------------------------------------------------------------


def quoted(value):
    """A value as a job file of iorx holds it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, (list, tuple)):
        return "[" + " ".join(str(one) if isinstance(one, str) else quoted(one) for one in value) + "]"
    if isinstance(value, float) and not isinstance(value, Seconds):
        value = f"{value:.12g}"
    text = str(value)
    if any(ord(c) < 32 or ord(c) == 127 for c in text):
        raise ValueError(f"{text!r}: a control character cannot stand in a job file of iorx")
    if text and not set(text) & set(" \t,#'\"[]="):
        return text
    mark = '"' if '"' not in text else "'"
    if mark in text:
        raise ValueError(f"{text}: a value with both kinds of quotes cannot stand in a job file of iorx")
    return mark + text + mark


def comment(text, indent="", first="# ", rest="# "):
    """Lines of a comment; the text may hold anything."""
    clean = "".join(c if c.isprintable() else "?" for c in text)
    lines = textwrap.wrap(clean, WIDTH - len(indent) - len(first), break_on_hyphens=False) or [""]
    return [(indent + (first if i == 0 else rest) + line).rstrip() for i, line in enumerate(lines)]


PLACE = re.compile(r"\S.*:\d+\b|-|command line")  # how the origin of a key begins if it names words of the original


def with_place(text, origin, place):
    """The line with its origin as a comment, which iorx quotes in errors; `place` stands before one that names no words."""
    origin = origin if PLACE.match(origin) else f"{place} {origin}".strip()
    clean = "".join(c if c.isprintable() else "?" for c in origin)
    return f"{text:<43} # {clean}"


def setting(name, key, place):
    try:
        return with_place(f"    {name} = {quoted(key.value)}", key.origin, place)
    except ValueError as error:
        raise ValueError(f"{key.origin or place}: {error}") from None


class Pattern(str):
    """A value of test_file with fields such as %t; a plain one has percent signs that are none."""


def literal(member, name, key):
    """The key, with percent signs that a load does not take for fields."""
    if member.workload != "LOAD" or name != "test_file" or isinstance(key.value, Pattern):
        return key
    return Key(str(key.value).replace("%", "%%"), key.origin)


def task_keys(job, member):
    """The number of tasks of a member; the first one of the job has the key that makes it hold."""
    first = member is job.steps[0].members[0]
    if first and not job.any_tasks:
        yield "exact_tasks", Key(True, "")
    if member.clones != job.any_tasks:
        yield "num_tasks", Key(member.clones, "")


def block(job, member, common=()):
    lines = [f"{member.workload} START"]
    lines += comment(f"{member.name}, {member.origin}", "    ")
    for sentence in member.notes:
        lines += comment(sentence, "    ")
    keys = [("name", Key(member.name, "")), *task_keys(job, member), *common, *member.keys.items()]
    lines += [setting(name, literal(member, name, key), member.origin) for name, key in keys]
    return lines + [with_place("RUN", "", member.origin), f"{member.workload} STOP"]


def step_lines(job, step):
    lines = [line for sentence in step.notes for line in comment(sentence)]
    if len(step.members) == 1:
        return lines + block(job, step.members[0], step.keys.items())
    lines.append("TOGETHER START")
    lines += [setting(name, key, step.members[0].origin) for name, key in step.keys.items()]
    for member in step.members:
        lines += block(job, member)
    return lines + ["TOGETHER STOP"]


def trace_words(path, logs):
    """The words of iorx-translate that make a trace of logs."""
    return ["trace", f"--output={path}", *(["--"] if any(log.startswith("-") for log in logs) else []), *logs]


def needs_permission(job):
    """True if the job writes a device, or a file that is there and that another program may have made."""
    members = [member for step in job.steps for member in step.members]
    made = {member.get("test_file") for member in members if member.get("layout") != "none"}
    return any(member.get("layout") == "none" and member.get("test_file") not in made and
               "write" in quoted(member.get("operations", "")) for member in members)


def header(job, problems, name):
    tasks = f"{job.tasks()} task{'s' if job.tasks() > 1 else ''}{', or another number' if job.any_tasks else ''}"
    allow = " --allow-overwrite" if needs_permission(job) else ""
    lines = comment(f"Made by iorx-translate {VERSION} from {job.title}. It runs with {tasks}:")
    lines += ["#   " + shlex.join(["iorx-translate", *trace_words(path, logs)]) for path, logs in job.traces.items()]
    lines.append(f"#   mpirun -np {job.tasks()} iorx -f {shlex.quote(name)}{allow}")
    if job.differences:
        lines += ["#", "# What means something else here:"]
    for sentence in job.differences:
        lines += comment(sentence, first="#   - ", rest="#     ")
    if problems.refusals:
        lines += ["#", "# Left out, as --lenient says:"]
    for refusal in problems.refusals:
        lines += comment(str(refusal), first="#   - ", rest="#     ")
    if problems.ignored:
        lines += ["#"] + comment("Changes nothing here: " + ", ".join(problems.ignored) + ".")
    if job.original:
        lines += ["#", "# The original:"]
        for line in job.original:
            lines += comment(line, first="#   | ", rest="#   | ") if line.strip() else ["#   |"]
    return lines


def text(job, problems, name="THIS-FILE"):
    """The whole job file, which will have this name."""
    lines = header(job, problems, name)
    for step in job.steps:
        lines += [""] + step_lines(job, step)
    return "\n".join(lines) + "\n"
