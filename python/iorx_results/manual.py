"""The man pages of the Python programs, made from their options: python3 -m iorx_results.manual report."""

import argparse
import sys

from iorx_translate import command as translate

from . import compare, convert, health, importer, plot, report

PROGRAMS = {"report": report, "compare": compare, "plot": plot, "convert": convert, "import": importer, "health": health,
            "translate": translate}
GUIDES = {"translate": "guide/foreign.md", "health": "guide/health.md", "import": "guide/import.md"}  # of the others report.md


def roff(text):
    """A text as roff takes it literally."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in lines)


def names(action):
    """How an option or argument is written, in bold, with what it takes."""
    value = "" if action.nargs == 0 else f" \\fI{roff(action.metavar or '|'.join(action.choices or []))}\\fR"
    if not action.option_strings:
        return f"\\fI{roff(action.metavar)}\\fR"
    return ", ".join(f"\\fB{roff(name)}\\fR" for name in action.option_strings) + value


def page(name):
    parser = PROGRAMS[name].parser()
    first, _, _ = parser.description.partition(".")
    lines = [f".\\\" Made by python3 -m iorx_results.manual {name}; do not edit.",
             f'.TH {parser.prog.upper()} 1 "" "iorx" "iorx"', ".SH NAME",
             f"{roff(parser.prog)} \\- {roff(first[0].lower() + first[1:])}", ".SH SYNOPSIS",
             *synopsis(parser), ".SH DESCRIPTION", roff(parser.description)]
    raw = parser.formatter_class is argparse.RawDescriptionHelpFormatter
    lines += [".PP", ".nf"] if raw else [".PP"]
    lines += [roff(parser.epilog)] + ([".fi"] if raw else [])
    lines.append(".SH OPTIONS")
    for action in parser._actions:
        lines += [".TP", names(action), roff(action.help.replace("%%", "%"))]
    lines += [".SH EXIT STATUS", exit_status(name), ".SH SEE ALSO",
              ", ".join(["\\fBiorx\\fR(1)"] + [f"\\fBiorx\\-{other}\\fR(1)" for other in PROGRAMS
                                               if other != name]) + f"; doc/{guide(name)}"]
    return "\n".join(lines) + "\n"


def guide(name):
    """The document that describes a program."""
    return GUIDES.get(name, "report.md")


def synopsis(parser):
    """The lines of the synopsis: those of a usage that the program writes itself, or made of its arguments."""
    if parser.usage:
        return [".nf", roff("\n".join(line.strip() for line in parser.usage.split("\n"))), ".fi"]
    parts = [f"\\fB{roff(parser.prog)}\\fR [\\fIOPTION\\fR]..."]
    for action in parser._actions:
        if not action.option_strings:
            parts.append(names(action) + ("..." if action.nargs == "+" else ""))
    return [" ".join(parts)]


def exit_status(name):
    if name == "translate":
        return "0: success. 2: the job cannot be translated; each reason is a line. With \\-\\-run: that of the launcher."
    if name == "health":
        return ("0: each rate is as in the earlier runs. 1: some rate was slow in two runs, or a run failed. 2: not known, as fewer than "
                "6 earlier runs count or as they vary too much; or nothing was measured, and a line on standard error says why.")
    text = "0: success. 2: a file is not a result of iorx or cannot be written, or an option is wrong."
    return text + (" 1: the bound of \\-\\-fail\\-below or \\-\\-alarm\\-below is broken." if name == "compare" else "")


if __name__ == "__main__":
    sys.stdout.write(page(sys.argv[1]))
