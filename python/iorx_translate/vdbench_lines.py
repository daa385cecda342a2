"""Cuts Vdbench parameter files into lines of parameters: comments, continuations, includes, variables."""

import os
import re
from dataclasses import dataclass

from . import files, vdbench_words as words
from .problems import fail

COMMENT_MARKS = "*#/"
MOST_LINES = 100000


@dataclass(frozen=True)
class Line:
    """One line of parameters, with the lines joined that continue it."""
    file: str
    number: int    # 0: an option of the command line
    text: str      # without blanks, comments and line ends
    original: str  # as it stands in the file

    @property
    def origin(self):
        return f"{self.file}:{self.number}" if self.number else self.file

    @property
    def short_origin(self):
        """For comments, in which the folder would take too much room."""
        return f"{os.path.basename(self.file)}:{self.number}" if self.number else self.file


def read_files(paths, variables=None, notes=None):
    """The lines of some files, one behind the other."""
    return read_texts([(path, files.read_text(path)) for path in paths], variables, notes)


def read_texts(texts, variables=None, notes=None):
    """
    The lines of texts with their names. Files that a text includes are looked for beside its name, then in the
    current folder. variables: of the command line. notes: a list that gets (origin, sentence).
    """
    notes = [] if notes is None else notes
    variables, used = dict(variables or {}), set()
    lines = [line for name, text in texts
             for line in _joined(_with_includes(text, name, variables, used, notes), notes)]
    for variable in sorted(set(variables) - used):
        fail(f"{variable}={variables[variable]}", f"the file has no ${variable}; leave it out")
    return lines


def _with_includes(text, name, variables, used, notes, depth=0):
    in_list = False  # a list in parentheses goes on in this line
    for number, raw in enumerate(text.splitlines(), 1):
        if number > MOST_LINES:
            fail(f"{name}:{number}", f"a parameter file has at most {MOST_LINES} lines")
        stripped = raw.strip()
        if stripped.lower().startswith("eof"):
            return
        if not stripped or stripped[0] in COMMENT_MARKS:
            continue
        if depth and not in_list and not words.is_parameter(stripped):
            # It may be any file by mistake, so no message shows this line.
            fail(f"{name}:{number}", "this line is none of a parameter file of Vdbench; look at the included file")
        in_list = stripped.endswith(",") and (in_list or stripped.count("(") > stripped.count(")"))
        line = Line(name, number, _substitute(stripped, variables, used), raw.rstrip())
        match = re.match(r"include=(\S+)$", _without_comment(line, notes), re.IGNORECASE)
        if not match:
            yield line
            continue
        if depth:
            fail(line.origin, "include: an included file cannot include another one; "
                 "put both lines into the first file")
        path = _find_include(match.group(1).strip('"'), name)
        if path is None:
            fail(line.origin, f"include: there is no file {match.group(1)} beside {name} "
                 "or in the current folder")
        yield from _with_includes(files.read_text(path, line.origin), path, variables, used, notes, depth + 1)


def _find_include(path, name):
    for folder in (os.path.dirname(name), "."):
        found = os.path.join(folder, path)
        if os.path.exists(found):
            return found
    return None


def _substitute(text, variables, used):
    """$name and !name become the values of the command line; $host waits for the host definitions."""
    for name in sorted(variables, key=len, reverse=True):
        for mark in "$!":
            if mark + name in text:
                used.add(name)
                text = text.replace(mark + name, variables[name])
    return text


def _without_comment(line, notes):
    """The line up to its first blank outside of double quotes: Vdbench takes the rest as a comment."""
    quoted = False
    for place, letter in enumerate(line.text):
        if letter == '"':
            quoted = not quoted
        elif letter in " \t" and not quoted:
            kept, rest = line.text[:place], line.text[place:].strip()
            if kept.count("(") > kept.count(")"):
                fail(line.origin, f"a blank ends the parameters of a line, so '{rest}' would be a comment to Vdbench; "
                     "write a comma between the names in parentheses")
            if re.match(r"[A-Za-z_]+=", rest):
                if kept.endswith(","):
                    fail(line.origin, f"a blank ends the parameters of a line, so '{rest}' "
                         "would be a comment to Vdbench; remove the blank before it")
                notes.append((line.origin, f"'{rest}' stands behind a blank and is a comment to Vdbench"))
            return kept
    if quoted:
        fail(line.origin, "a double quote has no end on this line")
    return line.text


def _joined(lines, notes):
    """A line that ends with a comma goes on in the next one."""
    first, text, original = None, "", []
    for line in lines:
        part = _without_comment(line, notes)
        unset = re.search(r"[$!](?!host\b)([A-Za-z_]\w*)", part)
        if unset:
            fail(line.origin, f"{unset.group()} has no value; write {unset.group(1)}=VALUE "
                 "on the command line")
        first = first or line
        text += part
        original.append(line.original)
        if not part.endswith(","):
            yield Line(first.file, first.number, text, "\n".join(original))
            first, text, original = None, "", []
    if first:
        fail(first.origin, "the last line ends with a comma, and nothing follows")
