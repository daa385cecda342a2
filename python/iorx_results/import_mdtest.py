"""
mdtest's output as a document. It has means over the iterations only, so each kind of
phase becomes one mean.
"""

import re

from . import imported
from .imported import Output, option

PROGRAM = "mdtest"
BEGIN = re.compile(r"\s*-- started at (.*?) --\s*$")
LAUNCHED = re.compile(
    r"\s*mdtest-(\S+) was launched with (\d+) total task\(s\) on (\d+) node\(s\)")
SUMMARY = re.compile(
    r"\s*SUMMARY(?: rate)?(?: \(in ops/sec\))?: \(of (\d+) iterations\)")
ROW = re.compile(r"\s*((?:Directory|File|Tree) [a-z]+)\s*:?((?:\s+\S+)*)\s*$")
PHASES = {
    "Directory creation": "dir-create",
    "Directory stat": "dir-stat",
    "Directory rename": "dir-rename",
    "Directory removal": "dir-remove",
    "File creation": "file-create",
    "File stat": "file-stat",
    "File read": "file-read",
    "File removal": "file-remove",
    "Tree creation": "tree-create",
    "Tree removal": "tree-remove"
}
COLUMNS = ("Max", "Min", "Mean", "Std Dev")


class Text:
    """Takes the lines of one output, one after the other."""
    def __init__(self, path, first):
        self.output, self.first, self.line = Output(path, PROGRAM), first, first
        self.version, self.path, self.iterations = None, None, None
        self.run, self.phases = {}, []
        self.in_summary, self.is_finished = False, False

    def take(self, number, line):
        self.line = number
        if BEGIN.match(line):
            self.run["began"] = self.output.date(number, "started at",
                                                 BEGIN.match(line)[1])
        elif LAUNCHED.match(line):
            self.version, tasks, nodes = LAUNCHED.match(line).groups()
            self.run.update(tasks=self.output.whole(number, "tasks", tasks),
                            nodes=self.output.whole(number, "nodes", nodes))
        elif SUMMARY.match(line):
            self.iterations, self.in_summary = self.output.whole(
                number, "iterations",
                SUMMARY.match(line)[1]), True
        elif re.match(r"\s*SUMMARY time", line):
            self.in_summary = False
        elif re.match(r"\s*-- finished at", line):
            self.is_finished = True
        elif line.lstrip().startswith("Command line used:"):
            self.run["command_line"] = imported.words_of(line.split(":", 1)[1])
        elif re.match(r"\s*Path\s*:", line):
            self.path = imported.folder(line.split(":", 1)[1].strip())
        elif self.in_summary and ROW.match(line):
            self.take_row(*ROW.match(line).groups())

    def take_row(self, name, rest):
        cells = rest.split()
        if name not in PHASES:
            self.output.fail(self.line, name, rest.strip(),
                             "is of a kind that is not known")
        if len(cells) != len(COLUMNS):
            self.output.fail(
                self.line, name, rest.strip(),
                f"has {len(cells)} numbers where mdtest has {', '.join(COLUMNS)}")
        largest, least, mean, deviation = (self.output.number(
            self.line, f"{name}: {column}", cell)
                                           for column, cell in zip(COLUMNS, cells))
        if mean:  # a kind that was not done has zeros
            spread = {
                "min_operations_per_s": least,
                "max_operations_per_s": largest,
                "sd_operations_per_s": deviation
            }
            self.phases.append(
                imported.phase(0,
                               PHASES[name],
                               0, {"total_operations_per_s": mean},
                               mean_of=self.iterations,
                               spread=spread if self.iterations > 1 else None))

    def document(self):
        for is_there, key in ((self.version, "was launched with"),
                              (self.iterations, "SUMMARY rate"), (self.is_finished,
                                                                  "finished at")):
            if not is_there:
                self.output.fail(self.line, key, "", "does not stand in the output")
        if not self.phases:
            self.output.fail(self.line, "SUMMARY rate", "", "has no row with a rate")
        flags = imported.flags(self.run.get("command_line") or [""], ("-d", )) or None
        test = {
            "test": 0,
            "test_file": self.path,
            "options": {
                "flags": option(flags)
            },
            "plan": {
                "tasks": self.run["tasks"],
                "nodes": self.run["nodes"]
            },
            "phases": self.phases
        }
        return imported.document(self.output, self.version, "text", self.first,
                                 self.run, [test])
