"""What each task did to its files, seen from outside by strace."""

import collections
import glob
import re
import shutil
import subprocess

CALLS = "openat,pread64,pwrite64,preadv,pwritev,read,write,fsync,fdatasync,unlink,mkdir"
LINE = re.compile(r"(\w+)\((.*)\) += (-?\d+)")
OPENED = re.compile(r'[^"]*"([^"]*)", ([A-Z_|]+)')
LOCK = ".iorx-lock"  # no file of a test
HELD = re.compile(r"\d+<([^>]*)>")

# One call that moved data: "pwrite64" …, bytes, place in the file.
Move = collections.namedtuple("Move", "call length offset")


def why_not():
    """Why nothing can be traced here; None when it can."""
    if not shutil.which("strace"):
        return "strace is not installed"
    tried = subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "true"], capture_output=True,
                           text=True, check=False)
    return "strace: " + tried.stderr.strip() if tried.returncode else None


class Opened:
    """One time a file was open."""

    def __init__(self, path, flags):
        self.path = path
        self.flags = flags
        self.moves = []
        self.syncs = 0  # by fsync or fdatasync
        self.data_syncs = 0  # by fdatasync

    @property
    def offsets(self):
        return [move.offset for move in self.moves]


class Trace:
    """wrapper goes before the launcher; afterwards tasks() tells."""

    def __init__(self, prefix, calls=CALLS):
        self.prefix = prefix
        self.wrapper = ("strace", "-ff", "-qq", "-y", "-s", "0", "--seccomp-bpf", "-e",
                        "trace=" + calls, "-e", "signal=none", "-o", prefix)

    def tasks(self, folder):
        """A list of Opened for each process that opened files below folder and moved data there."""
        opened = [self._read(name, folder + "/") for name in glob.glob(self.prefix + ".*")]
        return [files for files in opened if any(file.moves for file in files)]

    def sequences(self, folder):
        """Every call between open and close of each file below folder that moved data there, by the
        flags it was opened with: {"O_RDONLY": [["pread64", …], …]}. Needs calls="%desc"."""
        found, current = collections.defaultdict(list), []
        for name in glob.glob(self.prefix + ".*"):
            with open(name, encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    call = LINE.match(line)
                    if (not call or folder + "/" not in line or LOCK in line or "(deleted)" in line
                            or call[3] == "-1"):
                        continue
                    if call[1] == "openat":
                        current, flags = [], OPENED.match(call[2])[2].replace("|O_CLOEXEC", "")
                    elif call[1] != "close":
                        current.append(call[1])
                    else:
                        if any(move in ("pread64", "pwrite64") for move in current):
                            found[flags].append(current)
                        current = []
        return dict(found)

    @staticmethod
    def _read(name, folder):
        files, current = [], {}
        with open(name, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                call = LINE.match(line)
                if not call or folder not in line or LOCK in line or call[3] == "-1":
                    continue
                Trace._take(files, current, *call.groups())
        return files

    @staticmethod
    def _take(files, current, call, arguments, result):
        if call == "openat":
            path, flags = OPENED.match(arguments).groups()
            files.append(Opened(path, flags.split("|")))
            current[path] = files[-1]
            return
        held = HELD.match(arguments)
        file = current.get(held[1]) if held else None
        if file and call in ("fsync", "fdatasync"):
            file.syncs += 1
            file.data_syncs += call == "fdatasync"
        elif file:
            file.moves.append(Move(call, int(result), int(arguments.rpartition(", ")[2])))
