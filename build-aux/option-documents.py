#!/usr/bin/env python3
"""Writes the man pages and the bash completion: iorx --help=json | option-documents.py FOLDER.

Needs Python 3.6 and nothing else. The pages hold no date and no version, so that they change only
with the options.
"""

import json
import os
import re
import sys

HEAD = r""".TH IORX 1 "" iorx "User Commands"
.SH NAME
iorx \- measure how fast parallel programs write and read files
.SH SYNOPSIS
.B mpiexec \-n
.I N
.B iorx
.RI [ OPTION ]...
.br
.B mpiexec \-n
.I N
.B iorx \-f
.I FILE
.RI [ OPTION ]...
.SH DESCRIPTION
.B iorx
writes and reads files from many tasks at once, through one of several storage interfaces,
measures every operation, and says how fast it was and whether to believe it.
It is started by an MPI launcher; without one it runs with one task.
It reads the job files and takes the flags of IOR.
.PP
A
.I task
is one MPI process.
A
.I file
consists of segments.
A
.I segment
holds one block of each task, or, with a file for each task, one block.
A
.I block
is moved in transfers, one call each.
A
.I test
writes and reads such files; each of these is a
.IR phase .
After its last phase a test removes the files that it made, unless told to keep them.
.PP
Sizes are 1024-based however they are written: 4k, 4K, 4KB and 4KiB are 4096 bytes;
decimals are allowed (1.5g).
Times are seconds (those of \-T minutes), or have a unit: 500ms, 5m, 2h.
Flags may be written
.BR "\-b 4k" , " \-b=4k" , " \-b4k" , " \-\-block\-size 4k" " or"
.BR \-\-block\-size=4k ;
those without a value may be grouped
.RB ( \-wk ).
Names of options match without case, dashes and underscores.
.PP
.BI \-O " key=value,key=value"
sets several options by their keys; a comma separates only where a key and an equal sign
follow.
"""

JOB_FILES = r""".SH JOB FILES
A job file holds blocks of lines between
.B IOR START
and
.BR "IOR STOP" ;
text outside is ignored.
In a block, a line is empty, a comment that starts with #, the word
.BR RUN ,
or key = value pairs with commas between them.
RUN closes a test; all settings stay for the next one.
Text after the last RUN is a test too, and a block without RUN is one.
Values in quotes may hold blanks, commas and #.
Options of a backend are written with its name: posix.direct = 1.
Flags on the command line override every test of the file.
.PP
.nf
IOR START
    # first write, then read what another node wrote
    api = posix, testFile = /scratch/testFile
    blockSize = 1g, transferSize = 1m
    writeFile = 1, keepFile = 1
RUN
    writeFile = 0, readFile = 1, reorderTasks = 1
RUN
IOR STOP
.fi
"""

TAIL = r""".SH OUTPUT
Each row of the text is one phase of one repetition.
MiB/s is all bytes divided by the total time, from the first open to the last close with the
sync; IOR calls it bw.
p50, p99 and max are the service times of one transfer.
open, trans, sync and close are the times of the steps, which overlap.
The summary has the median of all repetitions, and from 6 repetitions on the interval in which
it lies with 95 % probability.
.PP
Verdicts at the end say whether to believe a row.
.B ?
in a row stands for a verdict that warns,
.B !
for one that fails.
.B \-\-help=C1
explains verdict C1;
.B \-v
explains the columns.
The line "comparable with IOR" names what may make a number differ from that of IOR for the
same command line.
.SH EXIT STATUS
.TP
0
Everything asked for was done, or a deadline ended it early.
.TP
1
An operation on storage failed, data was wrong or lost, a signal or a hang ended the job, or
results could not be written.
.TP
2
The job, an option or a file that stands in the way is wrong; no file of the test was touched.
.TP
3
A verdict is fail, and
.B \-\-strict
was given.
.TP
4
A bug in iorx; please report it.
.SH FILES
.TP
iorx\-DATE\-TIME.json
The results, in the working directory, unless
.B \-\-output
names other files.
.TP
iorx\-DATE\-TIME.jsonl
The journal: one line for each finished phase, complete also after a crash.
.TP
NAME.iorx\-lock
Beside the files of a test while a job uses them: its host, pid and batch job. A job that was killed
leaves it, and the next one takes it over.
.SH ENVIRONMENT
.TP
IORX_CLEANUP_COMMAND
The command that removes what the loads of a job leave, named at the end of a job that was read from
standard input. Programs that write jobs set it, as
.B iorx\-translate \-\-run
does.
.TP
IORX_OPTIONS
Options that stand before those of the command line, with blanks between them and
without quotes, as in
.BR \-\-output=none .
Task 0's value is that of all tasks.
.TP
SLURM_JOB_END_TIME
The deadline, in seconds since the epoch, unless
.B \-\-deadline
is given.
.SH EXAMPLES
Four tasks write 1 GiB each into one file in transfers of 1 MiB, sync it, drop it from the page
cache, and read what another task wrote:
.PP
.nf
    mpiexec \-n 4 iorx \-b 1g \-t 1m \-e \-C \-\-cold=fadvise \-o /scratch/testFile
.fi
.PP
The same with a file for each task, eight times:
.PP
.nf
    mpiexec \-n 64 iorx \-F \-e \-C \-\-cold=fadvise \-i 8 \-b 16g \-t 4m \-o /scratch/testFile
.fi
.PP
Check a job file and print what each task would do:
.PP
.nf
    mpiexec \-n 4 iorx \-f job.ior \-\-dry\-run \-\-show\-plan
.fi
.SH SEE ALSO
.BR iorx\-mdtest (1),
.BR iorx\-load (1),
"""

MDTEST_HEAD = r""".TH IORX-MDTEST 1 "" iorx "User Commands"
.SH NAME
iorx\-mdtest \- measure how fast parallel programs create, find and remove files
.SH SYNOPSIS
.B mpiexec \-n
.I N
.B iorx mdtest
.RI [ OPTION ]...
.SH DESCRIPTION
.B iorx mdtest
creates, stats, opens, renames and removes files and directories from many tasks at once,
measures every operation, and says how fast it was and whether to believe it.
It takes the flags of mdtest; a link to
.B iorx
with the name mdtest does the same.
In job files, blocks between
.B MDTEST START
and
.B MDTEST STOP
hold such tests, with the keys below; outside of them a key is written with
.B metadata.
before it.
.PP
Task p of N makes its items in directories of a tree,
.PP
.nf
    DIR/test\-dir.REPETITION\-K/mdtest_tree.0/mdtest_tree.2/file.mdtest.P.ITEM
.fi
.PP
(with a tree for each task mdtest_tree.P.0/mdtest_tree.P.2/\|...);
in each test\-dir an empty file .iorx\-mdtest says that iorx made it.
A rate is the number of operations that succeeded, divided by the time from the common start to
the end of the last task.
An operation that fails is counted by its cause, is in no rate, and makes the exit status 1.
"""

LOAD_HEAD = r""".TH IORX-LOAD 1 "" iorx "User Commands"
.SH NAME
iorx\-load \- measure response times under a mix of operations at a given rate
.SH SYNOPSIS
.B mpiexec \-n
.I N
.B iorx load
.RI [ OPTION ]...
.SH DESCRIPTION
.B iorx load
reads and writes from many tasks at once, for a given time:
a mix of operations and sizes, at random places or in sequence, as fast as possible or at a given
rate.
.PP
Without a rate it is a closed loop: a task starts an operation when an earlier one has finished,
and
.B \-\-queue\-depth
says how many are in flight.
With
.B \-\-rate
operations are due at fixed times, whether earlier ones have finished or not.
The service time of an operation counts from its start, the response time from the moment it is
due, so that a storage system that stalls cannot hide the operations that wait for it.
.PP
In job files, blocks between
.B LOAD START
and
.B LOAD STOP
hold such tests, with the keys that stand below; elsewhere a key is written with
.B load.
before it.
.PP
.nf
LOAD START
    # reads and writes of 4 KiB, at three rates
    test_file = /scratch/load, file_size = 10g, duration = 1m
    operations = "read:70, write:30", sizes = 4k
    rate = [1000 10000 100000], arrival = poisson
LOAD STOP
.fi
"""

# Bash takes "--clock=ts" for three words and hands over the last one.
COMPLETION = r"""# bash completion for iorx; made from its options by build-aux/option-documents.py
_iorx()
{
	local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} words=
	if [ "$current" = = ]; then
		current=
	elif [ "$option" = = ]; then
		option=${COMP_WORDS[COMP_CWORD-2]}
	fi
	case $option in
@CASES@
	esac
	local flags="@FLAGS@"
	if [ "${COMP_WORDS[1]}" = mdtest ] || [ "${COMP_WORDS[0]##*/}" = mdtest ]; then
		flags="@MDTEST_FLAGS@"
	elif [ "${COMP_WORDS[1]}" = load ]; then
		flags="@LOAD_FLAGS@"
	fi
	if [ $COMP_CWORD = 1 ] && [ -n "$current" ]; then
		words=$(compgen -W "mdtest load" -- "$current")
	fi
	if [ -z "$words" ] && [ "${COMP_WORDS[COMP_CWORD]}" != = ]; then
		words=$flags
	fi
	COMPREPLY=($(compgen -W "$words" -- "$current"))
	case ${COMPREPLY[*]} in
	*= | *.) compopt -o nospace ;;
	esac
}
complete -F _iorx iorx mdtest
"""


def roff(text):
    """A text as roff takes it literally; flags and paths keep their dashes for copying."""
    text = re.sub(r"""(?<![^\s("'=])[-/]\S*""", lambda word: word[0].replace("-", "\0"),
                  text.replace("\\", "\\e"))
    text = text.replace("\0", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def sentence(text):
    return roff(text) + ("" if text.endswith(".") else ".")


def argument(option):
    """The part behind the flag: "=SIZE", "[=TOPIC]", or nothing."""
    if not option["argument"] or option["type"] == "level":
        return ""
    return ("[=%s]" if option["bare"] else "=%s") % option["argument"]


def flags(option):
    """The line of an option: its letter and its flag in bold, the argument in italics."""
    letter = "\\fB\\-%s\\fR, " % option["letter"] if option["letter"] else ""
    value = argument(option)
    return "%s\\fB%s\\fR%s" % (letter, roff(option["flag"]), "\\fI%s\\fR" % value if value else "")


def number(option, value):
    units = ["", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    while option["type"] == "size" and value % 1024 == 0 and len(units) > 1:
        value //= 1024
        units.pop(0)
    return str(value) + (units[0] if option["type"] == "size" else "")


def facts(option):
    """The sentences that follow from the members of an option."""
    if option["choices"]:
        yield "One of %s." % ", ".join(choice["name"] for choice in option["choices"])
    yield "On the command line only." if option["command_line_only"] else "Key: %s." % option["key"]
    if option["aliases"]:
        yield "Also: %s." % " ".join(option["aliases"])
    if option["default"] and (option["type"], option["default"]) != ("bool", "0"):
        yield "Default: %s." % option["default"]
    if option["unit"]:
        yield "Unit: %s." % option["unit"]
    for word, limit in ("Least", option["min"]), ("Most", option["max"]):
        if limit:
            yield "%s: %s." % (word, number(option, limit))


def option_lines(option):
    more = [sentence(option["more"])] if option["more"] else []
    return [".TP", flags(option), sentence(option["help"]), *more, *facts(option)]


def options_section(options):
    """All options by their groups, in the order in which the groups appear."""
    lines = [".SH OPTIONS"]
    for group in dict.fromkeys(option["group"] for option in options):
        if group != "Options":
            lines.append(".SS " + group)
        for option in options:
            if option["group"] == group:
                lines += option_lines(option)
    return "\n".join(lines) + "\n"


def main_page(document):
    backends = document["backends"]
    lines = [".SH BACKENDS",
             "A backend decides what a file is and how it is reached. Its options start with its name."]
    for backend in backends:
        lines += [".TP", ".BR iorx\\-%s (7)" % backend["name"], sentence(backend["summary"])]
    references = "".join(".BR iorx\\-%s (7)%s\n" % (backend["name"], "," if backend is not backends[-1] else "")
                         for backend in backends)
    return (HEAD + options_section(document["iorx"]) + "\n".join(lines) + "\n" + JOB_FILES + TAIL +
            references)


def mdtest_page(document):
    lines = [".SS The same with a number"]
    for known in document["mdtest_letters"]:
        lines += [".TP", ".BI \\-%s \" N\"" % known["letter"], ".B \\-\\-%s=N" % known["number_of"]]
    lines += [".SH SEE ALSO", ".BR iorx (1)"]
    return MDTEST_HEAD + options_section(document["mdtest"]) + "\n".join(lines) + "\n"


def load_page(document):
    return LOAD_HEAD + options_section(document["load"]) + ".SH SEE ALSO\n.BR iorx (1)\n"


def backend_page(backend):
    name, summary = backend["name"], backend["summary"]
    lines = ['.TH IORX-%s 7 "" iorx "iorx backends"' % name.upper(), ".SH NAME",
             "iorx\\-%s \\- %s" % (name, roff(summary)), ".SH SYNOPSIS", ".B iorx",
             ".RB [ \\-\\-%s.\\fINAME\\fR[=\\fIVALUE\\fR] ]..." % name, ".SH DESCRIPTION",
             sentence(summary),
             "Its options are written \\-\\-%s.\\fINAME\\fR on the command line and %s.\\fINAME\\fR in "
             "job files." % (name, name)]
    if backend["aliases"]:
        lines.append("Instead of %s the prefix may be %s." % (name, " ".join(backend["aliases"])))
    return ("\n".join(lines) + "\n" + options_section(backend["options"]) +
            ".SH SEE ALSO\n.BR iorx (1)\n")


def completed_flag(option):
    """A flag as far as the shell can know it: the name of a pair is the user's."""
    if option["type"] == "pairs":
        return option["flag"][:-len("NAME")]
    return option["flag"] + ("" if option["bare"] else "=")


def completed_flags(options):
    """The flags of a command, one a line, so that a new option changes one line of the file."""
    return "\n".join(map(completed_flag, options))


def completion_case(option, apis):
    """The branch for an option whose values the shell can complete, or None."""
    words = apis if option["key"] == "api" else [choice["name"] for choice in option["choices"]]
    letter = "-%s | " % option["letter"] if option["letter"] else ""
    if option["file"]:
        return '\t%s%s) COMPREPLY=($(compgen -f -- "$current")); return ;;' % (letter, option["flag"])
    return '\t%s%s) words="%s" ;;' % (letter, option["flag"], " ".join(words)) if words else None


def completion(document):
    backends = document["backends"]
    apis = [backend["name"] for backend in backends if not backend["wrapper"]]
    options = document["iorx"] + [option for backend in backends for option in backend["options"]]
    # The letters are those of IOR, and each flag has one branch.
    known = {option["flag"]: option for option in options}
    for option in document["mdtest"] + document["load"]:
        known.setdefault(option["flag"], dict(option, letter=None))
    cases = [completion_case(option, apis) for option in known.values()]
    return (COMPLETION.replace("@CASES@", "\n".join(case for case in cases if case))
            .replace("@FLAGS@", completed_flags(options))
            .replace("@MDTEST_FLAGS@", completed_flags(document["mdtest"]))
            .replace("@LOAD_FLAGS@", completed_flags(document["load"])))


def documents(document):
    """All files by their names."""
    files = {"iorx.1": main_page(document), "iorx-mdtest.1": mdtest_page(document),
             "iorx-load.1": load_page(document), "iorx.bash": completion(document)}
    for backend in document["backends"]:
        files["iorx-%s.7" % backend["name"]] = backend_page(backend)
    return files


def main():
    for name, text in documents(json.load(sys.stdin)).items():
        with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
