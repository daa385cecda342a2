"""fio: from sections to members of a job of iorx."""

import itertools
import math
from collections import Counter

from . import fio_beside, fio_engines, fio_files, fio_load, fio_metadata, fio_trace
from .fio_keys import DEFAULTS, IGNORED, LEFT_OUT, OF_REPLAYS, REFUSED, TAKEN
from .fio_read import looks_like_fio, read_words  # noqa: F401 (looks_like_fio is the frame's)
from .fio_values import flag_of, number_of, size_of, time_of, value_of
from .native import Job, Member, Step
from .problems import fail
from .units import Seconds

DIFFERENCES = {
    "files": "Files that several clones write whole have the number of the task at their end, NAME.00000000, where fio writes NAME.0.0.",
    "directories": "fio makes the directories that filename and filename_format name; iorx-translate --run makes them too, and for a "
                   "job that is only printed they must be there.",
    "layout": "Missing files are written before the load, by iorx; fio lays out files that are read, and preallocates "
              "those that are written.",
    "there": "Files that are there are used as they are, as in fio. iorx writes into files that it did not make only with "
             "--allow-overwrite on its command line, and refuses those that are shorter than what the job visits; fio makes them longer.",
    "new": "A write of whole files: iorx allocates nothing before; fio preallocates a new file (fallocate=native). Into a file that "
           "is there both write in place, iorx only with --allow-overwrite on its command line if it did not make the file.",
    "clones": "Clones are tasks of one result; numbers of single clones are in the task table (--task-table).",
    "rate": "Rates are those of each clone, as in fio: rate_scope = task.",
    "mixed_rate": "fio paces reads and writes apart, so that their shares follow from the rates and not from "
                  "rwmixread; here operations has these shares.",
    "rate_of_bytes": "rate_iops with several sizes is a rate of bytes, as in fio: the number times the smallest size.",
    "rate_of_operations": "A rate with several sizes and rate_process=poisson is one of operations, as in fio: the bytes divided by "
                          "the smallest size.",
    "short_pause": "A thinktime that fits between operations at the rate is left out: fio makes up for it, so that the rate holds.",
    "long_pause": "A rate that the thinktime does not allow is left out: fio never reaches it, so that the pauses alone count.",
    "buffered_queue": "libaio and io_uring without direct reach a smaller queue depth in the kernel than asked "
                      "for; the result says how many were in flight.",
    "one_at_a_time": "iodepth is without effect where the engine moves one request at a time, as in fio.",
    "batch": "iorx hands a request in as soon as there is room in the queue, and takes requests back as they come; "
             "batches of fio are not kept.",
    "binding": "cpus_allowed, cpumask, numa_cpu_nodes and numa_mem_policy are left out: the launcher binds tasks to processors, "
               "as by mpiexec --bind-to core.",
    "errors": "continue_on_error is left out: iorx ends at the first error of an operation, so that every result is one without errors.",
    "engine": "sync and posixaio run as the nearest interface of iorx: pread and pwrite, or io_uring.",
    "shared": "Clones share the file, and each visits all of it, as in fio: whole_files = 1.",
    "together": "Sections use one file at the same time: a step before them lays it out.",
    "random": "Each block once a pass, in an order of iorx's own; a seed gives the same order again.",
    "normal": "normal: accesses lie around the middle of the file, so that neighbours of a block are as busy; fio scatters the busy "
              "blocks over the whole file.",
    "repeats": "fio visits no block twice here (norandommap is off); sizes that are mixed, or runs, make iorx "
               "draw places with repeats.",
    "cut": "fio cuts a transfer of mixed sizes to the blocks that are left of its map, so that it has fewer large ones and more "
           "requests; here the sizes have the shares that were asked for.",
    "one_position": "A task goes on behind its last transfer, a read or a write; fio has one position for reads and one "
                    "for writes.",
    "alignment": "Transfers of several sizes begin at multiples of the smallest one, be it a read or a write; in fio those "
                 "of reads and of writes count apart.",
    "range": "bsrange is the list of at most 32 sizes, multiples of the smallest, in equal shares.",
    "names": "filecreate, filestat and filedelete are metadata tests; their files have mdtest's names in a tree of each "
             "task.",
    "steps": "The files of filestat and filedelete are created by a phase of the same test, with a row of its own.",
    "device": "iorx writes a block device only with --allow-overwrite on its command line.",
    "steady": "steadystate: range is that of the largest and smallest rate, twice fio's distance from the mean; slope is the "
              "change over the whole window; both are judged on operations. Its ramp is a warm-up here.",
    "lock": "Locks are on the bytes of each operation; fio locks the whole file.",
    "start": "startdelay counts from the start of fio; here it is a pause that is left of it where the runs "
             "before have used up some.",
    "verify": "Data is checked against iorx's own stamps, in a phase of its own after the write, not by fio's headers.",
    "verify_read": "Reads are compared with the data that iorx wrote, not with fio's headers.",
    "verify_load": "A test behind the load reads the files and compares each byte. A load writes the same bytes to a place each "
                   "time, so damaged, misplaced and lost data is found, and a write that left the earlier bytes there is not.",
    "backlog": "verify_backlog: data is checked in a phase of its own when all is written; fio checks it after every so many "
               "writes, so that its reads stand between its writes.",
    "pre_read": "The test before reads the files into the memory of the nodes where it runs, and has a result of its own.",
    "end_fsync": "The fsync at the end of a load is behind the time that its rate divides by; sync_s in the result has it.",
    "pattern": "buffer_pattern is left out: the part of the data that compresses, and what a layout writes, has zeros or iorx's own "
               "bytes in its place.",
    "dedupe": "dedupe_percentage is rounded to a whole number of copies of each block.",
    "unlink": "A load keeps its files for the next one; the end of its text says how to remove them.",
    "replay": "A log that is replayed becomes a native trace before the run: iorx-translate --run makes it, and the head of a job that is only "
              "printed has the command. rw, bs, size, rate and all else that the log says changes nothing, as in fio.",
    "replay_time": "A request of a log is made at its time from the start of the replay, so that delays never add up; fio waits between "
                   "requests, and a slow one makes all later ones late.",
    "replay_files": "fio replays a log on the files that it names. Here these stay untouched: the requests go to files of iorx's own, which "
                    "are laid out before with the sizes that the log needs. replay_redirect names others.",
    "replay_redirect": "replay_redirect: a log of one file is replayed on this one. One of several is replayed on as many, whose numbers stand "
                       "behind the name; fio puts all requests on one file.",
    "tail": "A file whose size is no multiple of what lays it out is made longer; the load stays in the part that "
            "fio uses: region_size.",
}


class Wish:
    """One section while it is translated: its settings, and what became of them."""

    def __init__(self, section, job, problems):
        self.section, self.job, self.problems = section, job, problems
        self.base = 1024
        if self.value("kb_base", "1024") not in ("1000", "1024"):
            self.refuse("kb_base", "fio knows 1000 and 1024")
        elif self.value("kb_base") == "1000":
            self.base = 1000

    def get(self, key):
        return self.section.settings.get(key)

    def value(self, key, default=None):
        setting = self.get(key)
        return default if setting is None else value_of(setting)

    def flag(self, key, default=False):
        setting = self.get(key)
        return default if setting is None else flag_of(setting)

    def number(self, key, default, least=0, most=1 << 31):
        setting = self.get(key)
        return default if setting is None else number_of(setting, value_of(setting), least, most)

    def size(self, key, default=None):
        setting = self.get(key)
        return default if setting is None else size_of(setting, value_of(setting), self.base)

    def time(self, key, default=0.0, unit=1.0):
        setting = self.get(key)
        return Seconds(default) if setting is None else time_of(setting, value_of(setting), unit)

    def origin(self, *keys):
        """The words that a key of iorx follows from."""
        return "; ".join(str(self.get(key)) for key in keys if self.get(key))

    def refuse(self, key, reason):
        setting = self.get(key)
        shown = setting.shown.strip() if setting else key
        self.problems.refuse(setting.origin if setting else self.section.origin, shown, reason)

    def differ(self, word):
        self.job.differ(DIFFERENCES[word])


def check_engine(wish):
    """Fails for an engine that moves no data of files, as nothing of its section makes sense for iorx."""
    name = fio_engines.engine_of(wish.value("ioengine", "psync"))
    if name in fio_engines.WITHOUT_FILES:
        setting = wish.get("ioengine")
        fail(setting.origin, f"{setting.shown[:80]}: this engine works on {fio_engines.WITHOUT_FILES[name]}; iorx reads and "
             "writes files and devices of the system")
    return name


def check_keys(wish):
    """Refuses by name what iorx cannot do, and lists what changes nothing."""
    engine = check_engine(wish)
    for key, setting in wish.section.settings.items():
        if key in IGNORED or key in OF_REPLAYS and not fio_trace.replays(wish.section):
            wish.problems.ignore(key)
        elif key in LEFT_OUT:
            wish.differ(LEFT_OUT[key])
        elif key in fio_engines.OF_ONE_ENGINE and not fio_engines.takes(engine, key):
            wish.refuse(key, f"the key belongs to fio's engine {fio_engines.engines_of(key)}")
        elif key not in TAKEN | OF_REPLAYS and setting.value != DEFAULTS.get(key, object()):
            wish.refuse(key, REFUSED.get(key, "it belongs to a feature of fio that iorx does not have"))


def translate_section(section, script, job, problems, busy, clones):
    """
    (before, section, after): its member, and those of the steps before and behind it, or None. busy: names of files that
    other sections use at the same time or before, so that they are not made anew. clones: how many times numjobs it has.
    """
    wish = Wish(section, job, problems)
    check_keys(wish)
    member = Member(section.name, section.origin, wish.number("numjobs", 1, 1, 1 << 20) * clones)
    if member.clones > 1:
        wish.differ("clones")
    if fio_metadata.is_metadata(section):
        fio_metadata.translate(wish, member)
        return None, member, None
    if fio_trace.replays(section):
        if script.read_only:
            wish.refuse("read_iolog", f"{script.read_only} refuses jobs that write, and a log may have writes")
        fio_trace.translate(wish, member)
        return None, member, None
    load = fio_load.Load(wish, member)
    if load.writes and script.read_only:
        wish.refuse("rw", f"{script.read_only} refuses jobs that write")
    fio_files.place(wish, member, load, busy | script.repeated if member.clones > 1 else busy)
    load.finish()
    return fio_beside.before(wish, member, load), member, fio_beside.after(wish, member, load)


# --- groups ----------------------------------------------------------------------------------------


def runs(section, problems):
    """False for a section that only creates files: it does no measured work, and iorx lays files out itself."""
    if not flag_of(section.settings.get("create_only")):
        return True
    problems.ignore(f"[{section.name}], which has create_only")
    return False


def begins_step(section):
    return section.begins_file or flag_of(section.settings.get("stonewall"))


def group(sections):
    """Sections that run at the same time."""
    groups = []
    for section in sections:
        if not groups or begins_step(section):
            groups.append([])
        groups[-1].append(section)
    return groups


def tell_apart(members):
    """Numbers the members of a step whose sections have one name."""
    taken, first = {member.name for member in members}, {}
    for member in members:
        if first.setdefault(member.name, member) is not member:
            member.name = next(name for name in (f"{member.name}.{n}" for n in itertools.count(2)) if name not in taken)
            taken.add(member.name)


def seconds_of(section, key):
    setting = section.settings.get(key)
    return Seconds(0) if setting is None else time_of(setting, value_of(setting).partition("-")[0])


def delay_of(section):
    return seconds_of(section, "startdelay")


def end_of(section):
    """When a section ends at the latest, from the start of fio."""
    runtime = seconds_of(section, "runtime")
    return delay_of(section) + runtime + seconds_of(section, "ramp_time") if runtime else math.inf


def in_turn(sections):
    """The sections of a group as groups that follow each other, where startdelay lets each end before the next begins."""
    groups = [list(group) for _, group in itertools.groupby(sorted(sections, key=delay_of), key=delay_of)]
    apart = all(end_of(section) <= delay_of(after[0]) for before, after in zip(groups, groups[1:]) for section in before)
    return groups if apart else [sections]


def set_delay(step, sections, passed, job, problems):
    """startdelay counts from the start of fio; `passed` is the time that the steps before take at most."""
    delays = [delay_of(section) for section in sections]
    setting = next((s.settings["startdelay"] for s in sections if "startdelay" in s.settings), None)
    if setting is None:
        return
    if "-" in setting.value or len(set(delays)) > 1:
        problems.refuse(setting.origin, setting.shown, "iorx begins all tests of a step at once; give all sections of the group "
                        "the same delay, or a runtime after which the next delay begins, or use stonewall")
        return
    if passed:
        job.differ(DIFFERENCES["start"])
    if delays[0] > passed:
        for member in step.members:
            member.set("inter_test_delay", Seconds(delays[0] - passed), str(setting))


def in_several(sections):
    """The names of files that stand in several sections."""
    names = Counter(name for section in sections for name in set(fio_files.names_of(section)))
    return {name for name, times in names.items() if times > 1}


OPTIONS = ("clones",)  # of iorx-translate, which translate() takes


def translate(words, problems, clones=1):
    """A native.Job. clones: how many times numjobs the sections have."""
    script = read_words(words)
    fio_files.name_devices(script.sections)
    command = " ".join(words)
    job = Job(f"the job of fio {command[:200]}")
    job.original = script.original
    passed = 0.0
    busy = set()
    script.repeated = in_several(script.sections)
    groups = ([section for section in sections if runs(section, problems)] for sections in group(script.sections))
    for sections in itertools.chain.from_iterable(map(in_turn, groups)):
        busy |= in_several(sections)
        before, members, after = zip(*(translate_section(section, script, job, problems, busy, clones) for section in sections))
        for together in before, members, after:
            tell_apart([member for member in together if member])
        step = Step(members)
        busy |= {name for section in sections for name in fio_files.names_of(section)}
        set_delay(step, sections, passed, job, problems)
        passed += max(member.get("duration", member.get("stonewall", 0)) + member.get("warmup_time", 0) for member in step.members)
        passed += max(member.get("inter_test_delay", 0) for member in step.members)
        job.steps += [found for found in (Step(filter(None, before)), step, Step(filter(None, after))) if found.members]
    fio_files.share_files(job, DIFFERENCES["together"])
    return job
