"""iorx-compare: is B as fast as A?"""

import argparse
import os
import re
import shlex
import sys

from . import command, compare_forms, comparison, files, newest, page_compare, turns, turns_forms

EPILOG = """A and B are result files, or folders of results of the same job. Repetitions of one job share its placement and
its hour, so each job counts once, by its median. One file a side says only whether these two runs differ.
Tests are compared with the tests that have the same values of the options that vary within A or B. Tests
without such a partner are named, and with --fail-below the exit code is then 2.
The interval of each ratio, after Holm's correction for all rows, decides on --fail-below. Exit code 0: it lies
above the bound in each phase, or A and B are the same results. Exit code 1: it lies below the bound in some phase, or B
has no complete repetition of the phase. Exit code 2: it holds the bound in some phase, so these jobs cannot say.
Where each side is one job the interval is that of its repetitions, and the exit code is about these two runs. Where the
rate was ordered (--mix-rate), response times are held to the same bound. The kinds of operation of a mix (mix:create)
are judged by their service times, as their rates are shares of the mix's rate; they can break the bound, and need not be
decided. An interval needs at least 4 jobs on each side, or 4 repetitions where each side is one job, and more where
there are many rows.
With --alarm-below B is one new run, and A is a folder of earlier runs of the same job. The text then has 12 lines at
most. Exit code 0: each rate is as in the earlier runs. Exit code 1: some rate is slow, or B did not end well. Exit
code 2: not known yet, as fewer than 6 earlier runs count or as they vary too much. Where rates vary normally, one in 100
runs that are as the earlier ones is called slow.
With --run instead of A and B the jobs themselves are run in turns, A B B A A B, each to its end. The result of each job counts
once. Jobs are run until every row is decided or the budget is spent. Each look at the results has a share of the 5 % error, so
that looking often finds no false winners. The first command is A, and each other one is compared with it. Exit code 0: the jobs
ended well. Exit code 2: a job failed, and the text is about those before it."""

FORMS = {"text": compare_forms.text, "markdown": compare_forms.markdown, "json": compare_forms.as_json,
         "html": page_compare.make}
DEFAULT_BUDGET = 600  # seconds
BY_END = {".md": "markdown", ".json": "json", ".html": "html"}


def share(text):
    """-5% or -0.05."""
    try:
        value = float(text.strip().rstrip("%")) / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        value = None
    if value is None or not -1 < value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share such as -5%")
    return value


def duration(text):
    """10m, 90s, 1.5h or seconds."""
    found = re.fullmatch(r"(\d+(?:\.\d*)?)([smh]?)", text)
    seconds = float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]] if found else 0
    if seconds <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as 90s, 10m or 1h")
    return seconds


def parser():
    parser = argparse.ArgumentParser(
        prog="iorx-compare", epilog=EPILOG,
        description="Compares two results of iorx: for each phase the ratio of the rates, its interval and a "
                    "verdict in words.")
    parser.add_argument("a", metavar="A", nargs="?", help="the result that is compared with: a file or a folder")
    parser.add_argument("b", metavar="B", nargs="?", help="the result that is judged: a file or a folder")
    parser.add_argument("--run", action="append", metavar="COMMAND",
                        help="a command line that runs iorx, such as 'mpirun -n 4 iorx -f a.ior', to which --output=FILE is appended. "
                             "Give it twice or more often, in place of A and B")
    parser.add_argument("--budget", type=duration, metavar="TIME",
                        help="for how long --run may run jobs, with the start of MPI, for example 90s or 1h [10m]")
    parser.add_argument("--keep", metavar="DIR",
                        help="the folder for the results of --run. Where it has results of the same commands, they count, and more "
                             "jobs are added. Task 0 writes them, so it must see the folder [a new one in this folder]")
    parser.add_argument("--fail-below", type=share, metavar="SHARE",
                        help="end with exit code 1 when a phase of B is slower by more than this, for example -5%%, and "
                             "with 2 when that cannot be told")
    parser.add_argument("--alarm-below", type=share, metavar="SHARE",
                        help="judge the one run B by the earlier runs in A, and end with exit code 1 when it is slower "
                             "than they vary and by more than this, for example -10%%")
    parser.add_argument("--equal-within", type=share, default=0.05, metavar="SHARE",
                        help="differences up to this share are called equal [5%%]")
    parser.add_argument("--format", choices=FORMS, help="default: by the suffix of FILE, else text")
    parser.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    command.add_version(parser)
    return parser


def joined(arguments):
    """argparse takes the -5% of --fail-below -5% for an option."""
    found = list(arguments)
    for index, one in enumerate(found[:-1]):
        if one in ("--fail-below", "--alarm-below", "--equal-within"):
            found[index:index + 2] = [f"{one}={found[index + 1]}"]
            break
    return found if found == list(arguments) else joined(found)


def check(arguments):
    if arguments.equal_within <= 0:
        raise command.Usage("--equal-within must be above 0")
    if not arguments.run:
        if arguments.b is None:
            raise command.Usage("name two results, A and B, or give two commands by --run")
        if arguments.budget is not None or arguments.keep is not None:
            raise command.Usage("--budget and --keep are for commands that are given by --run")
        return
    if arguments.a is not None:
        raise command.Usage(f"{arguments.a}: commands that are given by --run are compared with one another; leave out A and B")
    if not 2 <= len(arguments.run) <= len(turns.LETTERS):
        raise command.Usage(f"--run is given {len(arguments.run)} times; 2 to {len(turns.LETTERS)} commands are compared")
    if arguments.fail_below is not None or arguments.alarm_below is not None:
        raise command.Usage("--fail-below and --alarm-below judge results that are there; leave them out with --run")
    for line in arguments.run:
        try:
            if not shlex.split(line):
                raise ValueError("it is empty")
        except ValueError as error:
            raise command.Usage(f"--run={line!r} is no command line: {error}") from None


def run(arguments):
    check(arguments)
    if arguments.run:
        return run_in_turns(arguments)
    if arguments.alarm_below is not None:
        return judge_newest(arguments)
    sides = [comparison.Side(name, files.read_runs([name])) for name in (arguments.a, arguments.b)]
    found = comparison.compare(*sides, arguments.fail_below, arguments.equal_within)
    write(arguments, FORMS, found)
    if found.alone and found.is_unjudged:
        raise command.Usage("--fail-below cannot judge tests without a partner: "
                            + "; ".join(f"{pair.name} is only in {letter}" for letter, pair in found.alone))
    if found.is_unjudged and not found.broken:
        raise command.Usage("--fail-below cannot say whether B is as fast in "
                            f"{', '.join(row.name for row in found.undecided)}: {found.remedy}")
    return 1 if found.broken else 0


def write(arguments, forms, found):
    form = arguments.format or BY_END.get(os.path.splitext(arguments.output or "")[1], "text")
    if arguments.output:
        command.write_whole(arguments.output, forms[form](found))
    else:
        command.write_out(forms[form](found))


def run_in_turns(arguments):
    command.end_by_signals()
    folder = turns.open_folder(arguments.keep, arguments.run)
    try:
        found = turns.Runner(folder, arguments.budget or DEFAULT_BUDGET, arguments.equal_within).run()
    except SystemExit:
        print(f"iorx-compare: stopped; --keep={folder.path} with the same commands goes on", file=sys.stderr)
        raise
    if found.failure:
        print(f"iorx-compare: error: a job failed: {found.failure}", file=sys.stderr)
    if found.comparisons:
        write(arguments, turns_forms.FORMS, found)
    elif not found.failure:
        raise command.Usage(f"the budget is spent before one job of each has ended; --keep={folder.path} goes on")
    return 2 if found.failure else 0


def judge_newest(arguments):
    if arguments.fail_below is not None or arguments.format not in (None, "text"):
        raise command.Usage("--alarm-below has one form, text, and a bound of its own: leave out --fail-below and --format")
    if arguments.alarm_below >= 0:
        raise command.Usage("--alarm-below must be below 0, for example -10%")
    runs = files.read_runs([arguments.b])
    if len(runs) != 1:
        raise command.Usage(f"{arguments.b}: --alarm-below judges one new run, and this folder has {len(runs)}; name a file")
    found = newest.judge(arguments.a, files.read_runs([arguments.a]), runs[0], -arguments.alarm_below)
    if arguments.output:
        command.write_whole(arguments.output, newest.text(found))
    else:
        command.write_out(newest.text(found))
    return found.exit_code


def main():
    return command.start(parser(), run, joined(sys.argv[1:]))


if __name__ == "__main__":
    sys.exit(main())
