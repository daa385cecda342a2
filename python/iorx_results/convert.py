"""iorx-convert: results in the forms of other programs, for what reads theirs."""

import argparse
import sys

from . import command, convert_fio, convert_trace, convert_vdbench, files

# By the name of --to: the text of runs.
FORMS = {"fio": convert_fio.text, "vdbench": convert_vdbench.text}
# What is made of the tables of operations of one run.
RECORDINGS = {"trace": convert_trace.write_trace, "iolog": convert_trace.write_iologs}
CHOICES = ("test", "phase", "repetition", "tables")  # options of these

EPILOG = """fio: the JSON of fio 3.33 with a job for each complete repetition of a data phase or a load. vdbench: the columns of a flat file (flatfile.html) with an avg row for each repetition of a load, as its
parseflat reads them. doc/report.md says which number stands in which column. trace: the requests of the run as a native trace (doc/trace.md),
which iorx load --trace=FILE replays. iolog: the same as logs that fio replays (read_iolog). Both are made of the tables of operations
(iorx --operation-tables=PREFIX) of the measured phases of one test in one repetition."""


def parser():
    parser = argparse.ArgumentParser(
        prog="iorx-convert", epilog=EPILOG,
        description="Writes results of iorx in the form of another program.")
    parser.add_argument("results", metavar="RESULT", nargs="+",
                        help="result documents (.json), journals (.jsonl) or folders")
    parser.add_argument("--to", required=True, choices=[*FORMS, *RECORDINGS], help="the program whose form it is, or what replays the run")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="default: standard output; needed for trace and iolog. The iologs of several tasks are FILE.0, FILE.1, …")
    parser.add_argument("--test", type=int, metavar="N", help="of trace and iolog: take this test, where the run had several")
    parser.add_argument("--phase", metavar="NAME", help="of trace and iolog: take this phase alone")
    parser.add_argument("--repetition", type=int, metavar="N", help="of trace and iolog: take this repetition, where the test had several")
    parser.add_argument("--tables", metavar="PREFIX",
                        help="of trace and iolog: how the names of the tables begin; default: as the run was told, from the folder where it was started")
    command.add_version(parser)
    return parser


def run(arguments):
    if arguments.to in RECORDINGS:
        RECORDINGS[arguments.to](arguments, files.read_runs(arguments.results))
        return 0
    given = next((name for name in CHOICES if getattr(arguments, name) is not None), None)
    if given:
        raise command.Usage(f"--{given}: --to={arguments.to} has all tests and repetitions; only trace and iolog take this option")
    text = FORMS[arguments.to](files.read_runs(arguments.results))
    if arguments.output:
        command.write_whole(arguments.output, text)
    else:
        command.write_out(text)
    return 0


def main():
    return command.start(parser(), run)


if __name__ == "__main__":
    sys.exit(main())
