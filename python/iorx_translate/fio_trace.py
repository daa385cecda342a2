"""fio: a section with read_iolog replays a log of requests. It becomes a load with a trace, which is made of the log before a run."""

import re

from .fio_files import escaped, is_device, split_names
from .fio_load import Load
from .problems import fail

# Keys that change a replay of fio 3.33. It leaves out all others that say what to read and write: rw, bs, size, rate, loops and so on.
USED = set("""
    name read_iolog replay_no_stall replay_time_scale replay_redirect replay_align replay_scale replay_skip ioengine iodepth direct sync
    numjobs stonewall runtime startdelay invalidate kb_base zero_buffers buffer_compress_percentage dedupe_percentage buffer_pattern
    iodepth_batch iodepth_low iodepth_batch_complete_max iodepth_batch_complete_min create_only
""".split())
REFUSED = ("thinktime", "ramp_time", "verify", "steadystate", "lockfile", "pre_read", "unlink", "end_fsync", "fsync_on_close")
NOTHING = ("0", "none", "null")  # values of these that ask for nothing
SAFE = re.compile(r"[^\w.-]+")


def replays(section):
    return "read_iolog" in section.settings


class Replay(Load):
    """A section's work, which its log says."""

    def __init__(self, wish, member):
        self.wish, self.member = wish, member
        self.reads = self.writes = True  # as far as the section knows


def translate(wish, member):
    """Makes the member a load that replays its logs."""
    check_keys(wish)
    logs = split_names(wish.get("read_iolog"))
    if not logs or "-" in logs:
        fail(wish.get("read_iolog").origin, "read_iolog: name a file; iorx-translate trace reads no standard input")
    if len(logs) > member.clones:
        wish.refuse("read_iolog", f"one clone replays one log; set numjobs to {len(logs)}, the number of the logs")
    elif len(logs) < member.clones:
        wish.refuse("read_iolog", f"clones that replay one log would do the same on the same files; give a log for each of {member.clones}, with "
                    "colons between them")
    path = trace_path(wish.job.traces, wish.section.name, logs)
    wish.job.traces[path] = logs
    wish.differ("replay")
    member.set("trace", path, wish.origin("read_iolog"))
    set_files(wish, member, path)
    set_pace(wish, member)
    replay = Replay(wish, member)
    replay.set_engine()
    replay.set_open_sync()
    replay.set_content()
    if wish.time("runtime"):
        member.set("duration", wish.time("runtime"), wish.origin("runtime"))


def check_keys(wish):
    for key in wish.section.settings:
        if key in REFUSED and wish.value(key, "1") not in NOTHING:
            wish.refuse(key, "a load that replays a log takes its requests and times from the log alone; leave the key out")
        elif key not in USED:
            wish.problems.ignore(key)
    for key, nothing in (("replay_align", "0 1"), ("replay_scale", "0 1")):
        if wish.value(key, "1") not in nothing.split():
            wish.refuse(key, "iorx replays each request at its offset in the log")
    if not set(re.split(r"\s*,\s*", wish.value("replay_skip", "trim"))) <= {"trim"}:
        wish.refuse("replay_skip", "iorx replays all reads, writes and fsyncs, and leaves trims out")


def trace_path(traces, name, logs):
    """A name for the trace of these logs, in the folder where the job runs."""
    stem, number = SAFE.sub("_", name) or "log", 1
    while traces.get(path := f"{stem}{f'.{number}' if number > 1 else ''}.trace", logs) != logs:
        number += 1
    return path


def set_files(wish, member, path):
    redirect = wish.get("replay_redirect")
    device = redirect and is_device(wish.value("replay_redirect"))
    wish.differ("device" if device else "replay_redirect" if redirect else "replay_files")
    member.set("test_file", escaped(wish.value("replay_redirect", path.removesuffix(".trace"))), wish.origin("replay_redirect"))
    if device:
        member.set("allow_device", True, wish.origin("replay_redirect"))
        member.set("layout", "none", "fio uses a device as it is")
        return
    if wish.value("ioengine") == "null":
        return
    wish.differ("there")
    member.set("layout", "missing", "fio uses files that are there")


def set_pace(wish, member):
    speed = wish.number("replay_time_scale", 100, 1)
    if wish.flag("replay_no_stall"):
        member.set("trace_pace", "none", wish.origin("replay_no_stall"))
        return
    wish.differ("replay_time")
    if speed != 100:
        member.set("trace_speed", speed / 100, wish.origin("replay_time_scale"))
