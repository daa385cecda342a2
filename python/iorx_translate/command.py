"""iorx-translate: the command line, and the start of the launcher."""

import argparse
import contextlib
import filecmp
import os
import re
import shlex
import sys
import tempfile
import time

from . import VERSION, darshan, darshan_log, diskspd, files, fio, launch, native, trace, trace_file, units, vdbench
from .problems import Failure, Problems

# Each has translate(words, problems) -> native.Job; words are those behind its name, or the file.
DIALECTS = {"fio": fio, "vdbench": vdbench, "diskspd": diskspd, "darshan": darshan}
HINTS = {"darshan": darshan_log.looks_like_darshan, "fio": fio.looks_like_fio, "vdbench": vdbench.looks_like_vdbench}

USAGE = """iorx-translate [OPTION]... FILE [ARGUMENT]... [-- LAUNCHER-OPTION]...
       iorx-translate [OPTION]... PROGRAM ARGUMENT... [-- LAUNCHER-OPTION]...
       iorx-translate trace INPUT... [-o FILE] [--summary]"""

EPILOG = """iorx-translate --run job.fio runs a job. Without --run the job is written to standard output, and its first lines
say how to start it. doc/guide/foreign.md says what each key means here, and where that differs from the other program.

iorx-translate trace makes a native trace (doc/trace.md) of a log of requests: fio's iolog, the output of strace, records of
blktrace, Darshan's DXT, or a CSV; iorx-translate trace --help says how. iorx load --trace=FILE replays it."""


def parser():
    result = argparse.ArgumentParser(
        prog="iorx-translate", usage=USAGE, epilog=EPILOG, allow_abbrev=False,
        description="Translates jobs of other programs into a job of iorx. Options stand before the file or "
                    "the name of the other program; what follows belongs to that program.")
    result.add_argument("words", nargs=argparse.REMAINDER, metavar="FILE",
                        help="a job file, whose language is recognised, or the name of the program "
                             "(fio, vdbench, diskspd) and its command line; or darshan LOG [FOLDER]")
    result.add_argument("-o", "--output", metavar="FILE", help="write the job into this file")
    result.add_argument("--tasks", action="store_true", help="print how many tasks the job wants, and nothing else")
    result.add_argument("--run", action="store_true",
                        help="start the launcher, MPIEXEC of the environment or mpiexec, with the number of "
                             "tasks that the job wants; options for it stand behind --. A job of a log of Darshan gets at most as many "
                             "as there are CPUs here, and its last lines show the rates that it had then beside those of the run")
    result.add_argument("--clones", metavar="N", type=launch.count, default=0,
                        help="N times as many tasks: numjobs of fio, threads of DiskSpd, tasks of a log of Darshan; each has the rate "
                             "and the files that one has. Not for Vdbench, whose tasks share a data set")
    result.add_argument("--iorx", metavar="OPTIONS", type=options_of_iorx, default=[],
                        help="further options of iorx with --run, as --iorx='--output=a.json'")
    result.add_argument("--lenient", action="store_true",
                        help="leave out keys that iorx cannot honour, and list them")
    result.add_argument("--scale-size", metavar="FACTOR", type=factor, default=1.0,
                        help="multiply sizes of files and numbers of operations, as 1/1000; transfers stay")
    result.add_argument("--scale-time", metavar="FACTOR", type=factor, default=1.0,
                        help="multiply run times, ramps and pauses, as 0.01")
    result.add_argument("--fold-hosts", metavar="N", type=launch.count, default=0,
                        help="deal the hosts that a job of Vdbench names to so many nodes")
    result.add_argument("--target", metavar="DIR", default="",
                        help="take the files of Windows in a job of DiskSpd or Vdbench to this directory")
    result.add_argument("--version", action="version", version=f"%(prog)s (iorx) {VERSION}",
                        help="show the version and exit")
    return result


def factor(text):
    try:
        return units.factor(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error))


def options_of_iorx(text):
    try:
        return shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}")


OWN = re.compile(r"--(tasks|run|iorx|lenient|clones|scale-size|scale-time|fold-hosts|target)(=.*)?", re.DOTALL)


def parse(arguments=None):
    """The options of iorx-translate, and the words behind them."""
    found, foreign = parser().parse_known_args(arguments)
    if found.words[:1] and found.words[0] in DIALECTS and found.words[1:] == ["--help"]:
        parser().parse_args(["--help"])
    if foreign:
        raise Failure(f"{foreign[0]}: options of another program stand behind its name, as in iorx-translate fio {foreign[0]}; "
                      "--help shows those of iorx-translate")
    late = next(filter(OWN.fullmatch, launch.split(found.words)[0]), None)
    if late:
        raise Failure(f"{late}: options of iorx-translate stand before the file or the name of the program")
    return found


def recognise(path):
    """The dialect of a file."""
    if path == "-":
        raise Failure("-: a job from standard input needs the name of its program, as in iorx-translate fio -")
    if path.endswith(".darshan"):
        return "darshan"
    content = files.read_text(path)
    for name, looks_right in HINTS.items():
        if looks_right(content):
            return name
    raise Failure(f"{path}: the language of this file is not recognised; name the program first, as in "
                  f"iorx-translate fio {path}")


# Options that only jobs of some programs can have, and why others cannot: the names of translate()'s parameters.
OF_SOME = {"fold_hosts": ("--fold-hosts", "names no hosts"), "target": ("--target", "has no files of Windows"),
           "clones": ("--clones", "says by its hosts and threads how many tasks share its data; change these")}


def translate(words, problems, **options):
    """The native.Job of a file or a command line. options: those of OF_SOME that were given."""
    if not words or not words[0]:
        raise Failure("no job; give a file, or the name of the program and its command line")
    if words[0] in DIALECTS:
        return translate_dialect(words[0], words[1:], problems, options)
    return translate_dialect(recognise(words[0]), words, problems, options)


def translate_dialect(name, words, problems, options):
    given = {option: value for option, value in options.items() if value}
    for option in given:
        if option not in getattr(DIALECTS[name], "OPTIONS", ()):
            raise Failure(f"{OF_SOME[option][0]}: a job of {name} {OF_SOME[option][1]}")
    job = DIALECTS[name].translate(words, problems, **given)
    if given.get("clones", 1) > 1:
        job.differ(f"--clones={given['clones']}: the job has {given['clones']} times as many tasks, each with the rate and the files "
                   "that one task has; a file of all tasks is one file still.")
    return job


# --- the run ---------------------------------------------------------------------------------------


def output_of(options):
    """The last value of --output among iorx's options, or None."""
    found = None
    for at, option in enumerate(options):
        if option == "--output" and at + 1 < len(options):
            found = options[at + 1]
        elif option.startswith("--output="):
            found = option.partition("=")[2]
    return found


def cleanup_environment(words, options):
    """The environment of the launcher, with the command by which iorx says its files are removed. words: behind the own options."""
    if "-" in launch.split(words)[0]:  # nobody can give standard input again
        return os.environ
    own = [word for word in sys.argv[:len(sys.argv) - len(words)] if not word.startswith("--iorx=")]
    taken_back = ["--allow-overwrite=0"] if any(option.startswith("--allow-overwrite") for option in options) else []
    cleanup = shlex.join([*own, "--iorx=" + shlex.join([*options, "--load.cleanup", *taken_back]), *words])
    return {**os.environ, "IORX_CLEANUP_COMMAND": cleanup}


TOUCH_NOTHING = {"--load.cleanup", "--dry-run", "--show-plan"}  # options of iorx with which no test runs


def tasks_to_start(job, clones):
    """All tasks of the job; those of a log of Darshan only as far as this machine has CPUs, unless --clones was given."""
    cpus = len(os.sched_getaffinity(0))
    if not job.any_tasks or clones or job.tasks() <= cpus:
        return job.tasks()
    tasks = job.fewer_tasks(cpus)
    print(f"iorx-translate: {tasks} of the {job.tasks()} tasks of the log start, as this machine has {cpus} CPU{'s' if cpus > 1 else ''}; "
          "--clones=1 starts all of them", file=sys.stderr)
    return tasks


def make_trace(path, logs):
    """Makes a trace that the job replays. A file that is there stays; it is used if it is the same trace."""
    there = os.path.lexists(path)
    if there and not trace_file.is_trace(path):
        raise Failure(f"{path}: this is there and no trace, which the job would have under this name; move it")
    print("iorx-translate: " + shlex.join(["iorx-translate", *native.trace_words(path, logs)]), file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path) or ".") if there else contextlib.nullcontext() as folder:
        new = os.path.join(folder, "trace") if there else path
        trace.run(native.trace_words(new, logs)[1:])
        if there and not filecmp.cmp(new, path, shallow=False):
            raise Failure(f"{path}: this trace is there, and not the one of {' '.join(logs)} that the job would have under this name; move it")


def run(job, text, launcher, arguments):
    """Starts the launcher; its exit code. Task 0 reads the job from standard input. Then come rates of the original, if known."""
    if job.folder and not launcher and not os.path.isdir(job.folder):
        raise Failure(f"{job.folder}: there is no such folder for the files; make it first")
    if arguments.clones > 1:
        print(f"iorx-translate: --clones={arguments.clones}: {job.tasks()} tasks, {arguments.clones} times those of the job", file=sys.stderr)
    options = list(arguments.iorx)
    touches = not TOUCH_NOTHING & set(options)
    if touches:
        job.make_folders()
    for path, logs in job.traces.items():
        if touches or not os.path.exists(path):
            make_trace(path, logs)
    environment = cleanup_environment(arguments.words, options)
    output = output_of(options)
    if job.then and output is None:
        output = time.strftime("iorx-%Y%m%d-%H%M%S.json")
        options.append("--output=" + output)
    try:
        command = launch.command(tasks_to_start(job, arguments.clones), launcher, options)
    except ValueError as error:
        raise Failure(f"MPIEXEC: {os.environ['MPIEXEC']}: {error}") from None
    print("iorx-translate: " + shlex.join(command), file=sys.stderr, flush=True)
    code = launch.start(command, text.encode("utf-8", "surrogateescape"), env=environment)
    documents = [name for name in (output or "").split(",") if name.endswith(".json")]
    if job.then and documents and code in (0, 3) and os.path.exists(documents[-1]):
        for line in darshan.closing_lines(job.then, documents[-1]):
            print(line)
    return code


def open_without_wait(path, flags):
    """For open(): a FIFO that nobody reads is refused by the system and not waited for."""
    descriptor = os.open(path, flags | os.O_NONBLOCK, 0o666)
    os.set_blocking(descriptor, True)
    return descriptor


def translate_and_write(arguments):
    words, launcher = launch.split(arguments.words)
    if launcher and not arguments.run:
        raise Failure("--: launcher options need --run")
    problems = Problems(arguments.lenient)
    try:
        job = translate(words, problems, fold_hosts=arguments.fold_hosts, target=arguments.target,
                        clones=arguments.clones)
    except Failure as failure:  # what was refused before stands above it
        raise Failure("\n".join([*map(str, problems.refusals), str(failure)])) from None
    problems.check()
    if not job.steps:
        raise Failure(" ".join([f"{job.title}: nothing to run.", *job.differences]))
    job.scale(arguments.scale_size, arguments.scale_time)
    try:
        text = native.text(job, problems, arguments.output or "THIS-FILE")
    except ValueError as error:
        raise Failure(str(error)) from None
    for refusal in problems.refusals:
        print(f"iorx-translate: left out: {refusal}", file=sys.stderr)
    if arguments.tasks:
        print(job.tasks())
    elif arguments.run:
        return run(job, text, launcher, arguments)
    elif arguments.output:
        if os.path.realpath(arguments.output) in map(os.path.realpath, words):
            raise Failure(f"{arguments.output} is the job that is translated; name another file")
        with open(arguments.output, "wb", opener=open_without_wait) as file:
            file.write(text.encode("utf-8", "surrogateescape"))
    else:
        with open(1, "wb", closefd=False) as file:
            file.write(text.encode("utf-8", "surrogateescape"))
    return 0


def main(arguments=None):
    """The exit code; 2 where the job cannot be translated, with a line for each reason."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        return trace.run(words[1:]) if words[:1] == ["trace"] else translate_and_write(parse(words))
    except Failure as error:
        for line in str(error).split("\n"):
            print(f"iorx-translate: error: {line}", file=sys.stderr)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        name = error.filename if isinstance(error.filename, str) else "output"
        print(f"iorx-translate: error: {name}: {error.strerror}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
