"""iorx-convert: results in the forms of other programs, for what reads theirs."""

import argparse
import sys

from . import command, convert_fio, convert_vdbench, files

# By the name of --to: the text of runs.
FORMS = {"fio": convert_fio.text, "vdbench": convert_vdbench.text}

EPILOG = """fio: the JSON of fio 3.33 with a job for each complete repetition of a data phase or a load. vdbench: the columns of a flat file (flatfile.html) with an avg row for each repetition of a load, as its
parseflat reads them. doc/report.md says which number stands in which column."""


def parser():
    parser = argparse.ArgumentParser(
        prog="iorx-convert", epilog=EPILOG,
        description="Writes results of iorx in the form of another program.")
    parser.add_argument("results", metavar="RESULT", nargs="+",
                        help="result documents (.json), journals (.jsonl) or folders")
    parser.add_argument("--to", required=True, choices=FORMS, help="the program whose form it is")
    parser.add_argument("-o", "--output", metavar="FILE", help="default: standard output")
    command.add_version(parser)
    return parser


def run(arguments):
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
