"""iorx-compare: is B as fast as A?"""

import argparse
import os
import sys

from . import command, compare_forms, comparison, files, newest, page_compare

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
runs that are as the earlier ones is called slow."""

FORMS = {"text": compare_forms.text, "markdown": compare_forms.markdown, "json": compare_forms.as_json,
         "html": page_compare.make}
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


def parser():
    parser = argparse.ArgumentParser(
        prog="iorx-compare", epilog=EPILOG,
        description="Compares two results of iorx: for each phase the ratio of the rates, its interval and a "
                    "verdict in words.")
    parser.add_argument("a", metavar="A", help="the result that is compared with: a file or a folder")
    parser.add_argument("b", metavar="B", help="the result that is judged: a file or a folder")
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


def run(arguments):
    if arguments.equal_within <= 0:
        raise command.Usage("--equal-within must be above 0")
    if arguments.alarm_below is not None:
        return judge_newest(arguments)
    sides = [comparison.Side(name, files.read_runs([name])) for name in (arguments.a, arguments.b)]
    found = comparison.compare(*sides, arguments.fail_below, arguments.equal_within)
    form = arguments.format or BY_END.get(os.path.splitext(arguments.output or "")[1], "text")
    if arguments.output:
        command.write_whole(arguments.output, FORMS[form](found))
    else:
        command.write_out(FORMS[form](found))
    if found.alone and found.is_unjudged:
        raise command.Usage("--fail-below cannot judge tests without a partner: "
                            + "; ".join(f"{pair.name} is only in {letter}" for letter, pair in found.alone))
    if found.is_unjudged and not found.broken:
        raise command.Usage("--fail-below cannot say whether B is as fast in "
                            f"{', '.join(row.name for row in found.undecided)}: {found.remedy}")
    return 1 if found.broken else 0


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
