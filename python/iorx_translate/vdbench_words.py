"""The keywords of Vdbench: which may stand in which definition, and what becomes of each here."""

import re

from .problems import fail

# Keys whose values the translator uses.
USED = {
    "general": ("compratio", "create_anchors", "formatsds", "fwd_thread_adjust", "loop"),
    "hd": ("hd", "system"),
    "sd": ("sd", "lun", "host", "count", "size", "range", "threads", "hitarea", "offset", "align",
           "openflags"),
    "wd": ("wd", "sd", "host", "rdpct", "rhpct", "whpct", "xfersize", "skew", "seekpct", "stride",
           "range", "hotband", "openflags"),
    "rd": ("rd", "wd", "sd", "fwd", "iorate", "fwdrate", "curve", "stopcurve", "elapsed", "interval",
           "warmup", "pause", "distribution", "maxdata", "openflags", "format", "operations",
           "xfersize", "threads", "rdpct", "rhpct", "whpct", "seekpct", "hitarea", "compratio",
           "depth", "width", "files", "sizes", "totalsize", "workingsetsize"),
    "fsd": ("fsd", "anchor", "count", "depth", "width", "files", "sizes", "openflags", "shared",
            "totalsize", "workingsetsize", "distribution"),
    "fwd": ("fwd", "fsd", "host", "operation", "rdpct", "xfersize", "fileio", "fileselect", "threads",
            "skew", "stopafter", "openflags"),
}

# Keys that change nothing here, with the reason. They are listed once.
IGNORED = {
    "general": {
        "abort_failed_skew": "shares are exact here",
        "data_errors": "the first error ends a phase here",
        "debug": "it is for Vdbench's author",
        "formatxfersize": "files are laid out in large transfers",
        "histogram": "the result has histograms",
        "ios_per_jvm": "there is no JVM",
        "messagescan": "no system log is read",
        "misc": "it is for Vdbench's author",
        "monitor": "a signal stops iorx",
        "port": "MPI connects the tasks",
        "report": "the result has all numbers",
        "report_run_totals": "the result has all numbers",
        "showlba": "iorx has --operation-tables",
        "swat_mon": "the result has all numbers",
        "timeout": "iorx has --hang-after",
    },
    "hd": dict.fromkeys(("jvms", "vdbench", "shell", "user", "master"), "the MPI launcher starts the tasks"),
    "sd": dict.fromkeys(("resetbus", "resetlun"), "no device is reset"),
    "wd": {}, "rd": {}, "fsd": {}, "fwd": {},
}

_COMMANDS = "iorx runs no command around its tests; call iorx from a script that does"
_DEDUP = ("the arrangement of duplicates differs; leave the dedup keys out and add content_dedup=N to "
          "the translated job")
_JOURNAL = "iorx keeps no journal; it verifies what a test writes with check_read"
_MAXDATA = "a load has a limit of all bytes, and not of reads or writes alone; use maxdata"
_REPLAY = "iorx replays no trace of Swat; iorx load --trace replays native traces"

# Keys that are refused by name, with the reason.
REFUSED = {
    "general": {
        "concatenatesds": "iorx does not join several files or devices into one",
        "dedupratio": _DEDUP, "dedupunit": _DEDUP, "dedupsets": _DEDUP, "deduphotsets": _DEDUP,
        "dedupflipflop": _DEDUP,
        "endcmd": _COMMANDS, "startcmd": _COMMANDS,
        "journal": _JOURNAL,
        "pattern": "iorx writes its own data; see content in man iorx",
        "validate": "Vdbench reads each block before it writes it again, which changes the load; leave "
                    "validate out and verify with iorx -R (check_read) instead",
    },
    "hd": {"mount": "iorx mounts nothing; mount the file systems before the run",
           "clients": "iorx does not stand for several clients of a host; define a host for each"},
    "sd": {"journal": _JOURNAL, "replay": _REPLAY,
           "streams": "iorx does not cut a file into several sequential streams"},
    "wd": {"iorate": "a rate of one workload beside those of the others needs priorities; give the rate "
                     "in the rd and shares with skew",
           "priority": "iorx has no priorities of operations",
           "streams": "iorx does not cut a file into several sequential streams",
           "threads": "threads of a workload belong to SD concatenation; give threads in the sd or rd"},
    "rd": {"endcmd": _COMMANDS, "startcmd": _COMMANDS, "mount": "iorx mounts nothing",
           "maxdata_read": _MAXDATA, "maxdata_written": _MAXDATA,
           "replay": _REPLAY},
    "fsd": {"journal": _JOURNAL},
    "fwd": {"target": "iorx does not copy or move files between trees"},
}

# Other spellings of keys.
ALIASES = {
    "general": {"patterns": "pattern", "create_anchor": "create_anchors"},
    "hd": {},
    "sd": {"hd": "host"},
    "wd": {"hd": "host", "readpct": "rdpct", "xfersizes": "xfersize", "poisson": "seekpct"},
    "rd": {"readpct": "rdpct", "xfersizes": "xfersize", "operation": "operations", "size": "sizes",
           "total_size": "totalsize", "total": "totalsize", "wss": "workingsetsize",
           "hpct": "rhpct"},
    "fsd": {"size": "sizes", "total_size": "totalsize", "wss": "workingsetsize"},
    "fwd": {"hd": "host", "operations": "operation", "readpct": "rdpct", "xfersizes": "xfersize"},
}

# Keys of an RD that make it a loop, with or without "for" before them.
LOOPS = ("xfersize", "threads", "rdpct", "rhpct", "whpct", "seekpct", "hitarea", "compratio", "operations",
         "depth", "width", "files", "sizes", "totalsize", "workingsetsize")

KINDS = ("hd", "rg", "sd", "wd", "fsd", "fwd", "rd")


def full_key(kind, written, origin):
    """(key, was a for-loop): the keyword that `written` stands for, whole or cut short."""
    text = written.lower()
    key = _find(kind, text)
    if key:
        return key, False
    if kind == "rd" and text.startswith("for"):
        key = _find(kind, text[3:], LOOPS)
        if key:
            return key, True
    close = [f"for{word}" for word in _beginning(kind, text[3:], LOOPS)] \
        if kind == "rd" and text.startswith("for") else _beginning(kind, text)
    if len(close) > 1:
        fail(origin, f"{written}: may be {' or '.join(close)}; write more of the word")
    fail(origin, f"{written}: Vdbench has no such parameter"
         f"{' of ' + kind if kind != 'general' else ''}")


def is_parameter(text):
    """True if a line begins with a parameter of any kind of definition, perhaps cut short."""
    match = re.match(r"(?:for)?([A-Za-z]\w+)=", text)
    return bool(match) and (match[1].lower() in (*KINDS, "include") or
                            any(word.startswith(match[1].lower()) for kind in USED for word in known(kind)))


def known(kind):
    """All keywords of a kind of definition."""
    return tuple(key for table in (USED, IGNORED, REFUSED, ALIASES) for key in table.get(kind, ()))


def _beginning(kind, text, words=None):
    aliases = ALIASES[kind]
    found = {aliases.get(word, word) for word in known(kind) if word.startswith(text)}
    return sorted(found & set(words) if words else found)


def _find(kind, text, words=None):
    aliases = ALIASES[kind]
    if text in known(kind):
        key = aliases.get(text, text)
        return key if not words or key in words else None
    if words and len(text) >= 1 or len(text) >= 2:
        found = _beginning(kind, text, words)
        if found and all(word.startswith(found[0]) for word in found):
            return found[0]
    return None
