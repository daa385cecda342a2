"""Darshan: the counters of a log, by PyDarshan or from the text of darshan-parser."""

import contextlib
import io
import shutil
import subprocess
import sys

from .files import open_regular
from .problems import fail

MODULES = ("POSIX", "MPI-IO", "STDIO")  # whose counters a job is made of
MOST = 1 << 63                          # of a counter
TEXT = "# darshan log version"          # how the text of darshan-parser begins
TEXT_BYTES = 4096                       # a log has a byte 0 among these


class Log:
    def __init__(self, path):
        self.path = path
        self.head = {}    # "nprocs", "exe", "run time"
        self.names = {}   # {record: name of the file}
        self.counts = {}  # {record: {module: {rank: {counter: value}}}}; rank -1: all tasks together

    def add(self, module, rank, record, counter, value):
        """A counter has the same name in all modules: WRITES, SIZE_WRITE_0_100. -1 is a value that is not known."""
        if 0 <= value < MOST:
            ranks = self.counts.setdefault(record, {}).setdefault(module, {})
            ranks.setdefault(rank, {})[counter.partition("_")[2].replace("_AGG_", "_")] = value


def looks_like_darshan(content):
    """True for the text of darshan-parser."""
    return content.startswith(TEXT)


def read(path):
    log = Log(path)
    try:
        with open_regular(path, path) as file:
            is_text = file.read(len(TEXT)) == TEXT.encode()
            file.seek(0)
            if is_text:
                with io.TextIOWrapper(file, "utf-8", "surrogateescape") as lines:
                    read_text(lines, log)
            elif b"\0" not in file.read(TEXT_BYTES):
                fail(path, f"this is text and no log of Darshan; the text of darshan-parser begins with \"{TEXT}\"")
        if not is_text and not read_by_pydarshan(log):
            read_by_parser(log)
        log.tasks = int(log.head["nprocs"])
        if not 0 < log.tasks < 1 << 31:
            raise ValueError
    except OSError as error:
        fail(path, error.strerror)
    except (KeyError, ValueError):
        fail(path, "the log does not say how many processes the job had (nprocs)")
    return log


def read_text(lines, log):
    """The lines of darshan-parser: a head of comments, then module, rank, record, counter, value, file, mount, type."""
    for number, line in enumerate(lines, 1):
        if line.startswith("# "):
            key, _, log.head[key] = line[2:].strip().partition(": ")
            continue
        columns = line.split("\t", 5)
        if columns[0] in MODULES:
            try:
                module, rank, record, counter, value, rest = columns
                log.add(module, int(rank), record, counter, float(value) if "_F_" in counter else int(value))
            except ValueError:
                fail(f"{log.path}:{number}", f"{line.strip()[:60]}: this is no line of darshan-parser")
            log.names.setdefault(record, rest.rsplit("\t", 2)[0])


def read_by_pydarshan(log):
    """False where PyDarshan is not installed."""
    try:
        import darshan
    except ImportError:
        return False
    try:
        report = darshan.DarshanReport(log.path, read_all=False)
        job = report.metadata["job"]
        log.head = {"exe": report.metadata["exe"], "nprocs": job["nprocs"], "run time": job["run_time"]}
        for module in filter(report.modules.__contains__, MODULES):
            report.mod_read_all_records(module)
            for record in report.records[module].to_list():
                for kind in ("counters", "fcounters"):
                    for counter, value in zip(report.counters[module][kind], record[kind]):
                        log.add(module, record["rank"], record["id"], counter, value)
        log.names = dict(report.name_records)
    except Exception as error:  # whatever the library makes of a file that is no log
        fail(log.path, f"PyDarshan cannot read this as a log of Darshan: {error}")
    return True


def read_by_parser(log):
    with parsed("darshan-parser", log.path, encoding="utf-8", errors="surrogateescape") as text:
        read_text(text, log)


@contextlib.contextmanager
def parsed(name, path, **how):
    """The text that a program of Darshan's makes of a log. how: further arguments of subprocess.Popen()."""
    program = shutil.which(name)
    if not program:
        fail(path, f"to read a log of Darshan install PyDarshan ({sys.executable} -m pip install darshan) or have {name} in "
             f"PATH, or give a file with the text that {name} LOG writes")
    with subprocess.Popen([program, path], stdout=subprocess.PIPE, **how) as parser:
        yield parser.stdout
    if parser.returncode:
        fail(path, f"{program} cannot read this as a log of Darshan")
