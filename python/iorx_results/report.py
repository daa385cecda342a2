"""iorx-report: results as one page that can be mailed, or a folder of them over time."""

import argparse
import os
import sys

from . import command, draw, files, limits, months, page

EPILOG = """Of a folder the page has a line of each test over time with the changes of its level, and a table that leads to each result.
Otherwise it has all of the results that are given. It needs no network and no other file, and contains the results it was made from, but for those of a folder. It shows rates in MiB/s
or MB/s, has a light and a dark theme, and its tables sort by a click on a column's name."""


def parser():
    parser = argparse.ArgumentParser(
        prog="iorx-report", description="Makes one self-contained page of results of iorx.",
        epilog=EPILOG)
    parser.add_argument("results", nargs="+", metavar="RESULT",
                        help="result documents (.json), journals (.jsonl) or folders of them")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="the page; default: beside the first result, its name with .html")
    parser.add_argument("--png", metavar="DIR", help="also write every chart as a PNG file into this folder")
    parser.add_argument("--pages", action="store_true", help="of a folder: also make the page of each result that has none yet")
    parser.add_argument("--pdf", metavar="FILE", help="also write what decides as a PDF of 3 A4 pages at most")
    parser.add_argument("--page", choices=("all", "one"), default="all",
                        help="one: a page to mail and to print, of what decides; all: every table and chart [all]")
    parser.add_argument("--all", action="store_true", help="put every chart into the PDF")
    limits.add_options(parser)
    command.add_version(parser)
    return parser


def default_output(name):
    name = name.rstrip("/")
    stem, end = os.path.splitext(name)
    return (stem if end in (".json", ".jsonl") else name) + ".html"


def own_output(name):
    """The name, which nobody gave, if no file is there or one that iorx-report made."""
    if os.path.lexists(name) and not command.begins_with(name, b'content="iorx-report"'):
        raise command.Usage(f"{name} is there and was not made by iorx-report; name the page by -o FILE")
    return name


def run_months(arguments):
    """The page of a folder."""
    if arguments.png or arguments.pdf:
        raise command.Usage(f"--{'png' if arguments.png else 'pdf'} is of single results; name the files instead of their folder")
    output = arguments.output or own_output(default_output(next(filter(os.path.isdir, arguments.results))))
    command.write_whole(output, months.make(months.read(arguments.results, arguments, arguments.pages), output))
    print(output)
    return 0


def run(arguments):
    if any(map(os.path.isdir, arguments.results)):
        return run_months(arguments)
    if arguments.pages:
        raise command.Usage("--pages is of folders; without one the page has all of each result")
    runs = files.read_runs(arguments.results)
    limits.judge(runs, arguments)
    output = arguments.output or own_output(default_output(arguments.results[0]))
    command.write_whole(output, page.make_one(runs) if arguments.page == "one" else page.make(runs))
    print(output)
    if arguments.png:
        draw.save_all(runs, arguments.png)
        print(arguments.png)
    if arguments.pdf:
        draw.save_pdf(runs, arguments.pdf, arguments.all)
        print(arguments.pdf)
    return 0


def main():
    return command.start(parser(), run)


if __name__ == "__main__":
    sys.exit(main())
