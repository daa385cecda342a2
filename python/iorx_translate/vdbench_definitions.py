"""Makes definitions of the lines of a Vdbench parameter file: general, hd, sd, wd, fsd, fwd and rd."""

import re
from dataclasses import dataclass, field, replace

from . import vdbench_values as values
from . import vdbench_words as words
from . import windows
from .problems import fail
from .vdbench_lines import Line

ORDER = {"general": 0, "hd": 1, "rg": 2, "sd": 3, "fsd": 3, "wd": 4, "fwd": 4, "rd": 5}
MOST_DEFINITIONS = 20000


@dataclass(frozen=True)
class Parameter:
    """key=value of a definition. values: the parts of a list in parentheses, or the one value."""
    key: str
    text: str
    values: tuple
    line: Line
    is_loop: bool = False

    @property
    def origin(self):
        return self.line.origin

    def __str__(self):
        text = self.text if len(self.values) == 1 else f"({','.join(self.values)})"
        return f"{self.line.short_origin} {self.key}={text}"


@dataclass
class Definition:
    """One sd, wd, … with the parameters of its defaults first."""
    kind: str
    name: str
    line: Line
    parameters: list = field(default_factory=list)

    @property
    def origin(self):
        return self.line.origin

    def get(self, key):
        """The parameter that counts, which is the last one, or None."""
        return next((one for one in reversed(self.parameters) if one.key == key), None)


@dataclass
class ParameterFile:
    """All definitions of a file in their order. defaults: those of each kind at the end of the file."""
    general: list
    hosts: list
    storage: list
    workloads: list
    file_systems: list
    file_workloads: list
    runs: list
    format: Definition = None
    defaults: dict = field(default_factory=dict)


def read(lines, notes=None):
    """The definitions of lines from vdbench_lines.read_file()."""
    reader = _Reader([] if notes is None else notes)
    for line in lines:
        reader.take(line)
    return reader.finish()


def map_paths(file, target):
    """Takes the luns and anchors that are files of Windows to a windows.Target."""
    for definition in (*file.storage, *file.file_systems):
        definition.parameters = [replace(one, text=target.path(one.text), values=(target.path(one.text),))
                                 if one.key in ("lun", "anchor") and windows.is_file(one.text) else one
                                 for one in definition.parameters]
    target.check()


def check_path(parameter, path):
    """Fails for a path of Windows; parameter: the lun or anchor that names it."""
    if windows.is_windows(path):
        fail(parameter.origin, f"{parameter.key}: {path}: is a disk or file of Windows; {windows.REMEDY}")


def split(line):
    """[(key, value, parts)] of a line: commas in parentheses and quotes belong to values."""
    found = []
    for piece in _pieces(line, line.text):
        key, equals, value = piece.partition("=")
        if not equals or not re.fullmatch(r"[A-Za-z_]+", key):
            fail(line.origin, f"'{piece}' is no parameter, which has the form key=value")
        inside = value[1:-1] if value.startswith("(") and value.endswith(")") else None
        parts = [value] if inside is None else _pieces(line, inside)
        found.append((key, _plain(value), tuple(_plain(part) for part in parts)))
    return found


def one_definition_each(parts):
    """The parts of a line cut before each further definition: a comma too many at the end of a line joins two."""
    found, kind = [], None
    for part in parts:
        key = part[0].lower()
        if not found or key in words.KINDS and (key == kind or kind in words.KINDS and key not in words.known(kind)):
            found.append([])
            kind = key
        found[-1].append(part)
    return found


def select(parameter, definitions, what):
    """The definitions that names, wildcards such as sd* and ranges such as (sd1-sd9) choose, in order."""
    chosen = []
    for name in parameter.values:
        found = _named(name, definitions)
        if not found:
            fail(parameter.origin, f"{parameter.key}: there is no {what} {name} above this line")
        chosen += [one for one in found if one not in chosen]
    return chosen


def _named(name, definitions):
    exact = [one for one in definitions if one.name == name]
    if exact:
        return exact
    if "*" in name:
        pattern = ".*".join(re.escape(part) for part in name.split("*"))
        return [one for one in definitions if re.fullmatch(pattern, one.name)]
    match = re.fullmatch(r"(.*?)(\d{1,9})-(.*?)(\d{1,9})", name)
    if match and match.group(1) == match.group(3):
        first, last = int(match.group(2)), int(match.group(4))
        return [one for one in definitions if one.name.startswith(match.group(1)) and
                re.fullmatch(r"\d{1,9}", one.name[len(match.group(1)):]) and
                first <= int(one.name[len(match.group(1)):]) <= last]
    return []


def _pieces(line, text):
    """The text cut at commas outside of parentheses and quotes, without empty pieces."""
    pieces, depth, quoted, start = [], 0, False, 0
    for place, letter in enumerate(text + ","):
        if place == len(text) and (depth or quoted):
            fail(line.origin, "a parenthesis or double quote has no end")
        if letter == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
            if depth < 0:
                fail(line.origin, "a closing parenthesis has no opening one")
        elif letter == "," and not depth:
            pieces.append(text[start:place])
            start = place + 1
    return [piece for piece in pieces if piece]


def _plain(value):
    return value.replace('"', "")


class _Reader:
    def __init__(self, notes):
        self.notes = notes
        self.found = {kind: [] for kind in ORDER}
        self.defaults = {kind: [] for kind in ORDER}
        self.names = set()
        self.format = None
        self.kind = "general"
        self.current = []  # definitions that a line without a definition's key goes on with

    def take(self, line):
        for copy in self._for_each_host(line):
            self._take(copy)

    def _for_each_host(self, line):
        """A line with $host, !host or #host stands for as many lines as there are hosts."""
        if not re.search(r"[$!]host\b|#host\b", line.text):
            return [line]
        if not self.found["hd"]:
            fail(line.origin, "$host: no host is defined above this line (hd=NAME,system=…)")
        copies = []
        for index, host in enumerate(self.found["hd"]):
            text = re.sub(r"[$!]host\b", lambda _: host.name, line.text)
            copies.append(Line(line.file, line.number, text.replace("#host", str(index)), line.original))
        return copies

    def _take(self, line):
        for parts in one_definition_each(split(line)):
            self._take_parts(line, parts)

    def _take_parts(self, line, parts):
        kind = parts[0][0].lower()
        if kind not in words.KINDS:
            if not self.current:
                self._add_general(line, parts)
                return
            self.notes.append((line.origin, f"{parts[0][0]}: belongs to the {self.kind} above, as general "
                               "parameters stand first"))
            for definition in self.current:
                definition.parameters += self._parameters(self.kind, line, parts)
            return
        if kind == "rg":
            fail(line.origin, "rg: iorx replays no trace of Swat; iorx load --trace replays native traces")
        self._check_order(kind, line)
        self._add(kind, line, parts)

    def _check_order(self, kind, line):
        """general, hd, sd, wd, rd or general, hd, fsd, fwd, rd."""
        if ORDER[kind] < ORDER[self.kind]:
            fail(line.origin, f"{kind}: stands after {self.kind}; Vdbench wants the order "
                 "general, hd, sd, wd, rd or general, hd, fsd, fwd, rd")
        self.kind = kind

    def _add_general(self, line, parts):
        self.found["general"].append(
            Definition("general", "", line, self._parameters("general", line, parts)))

    def _add(self, kind, line, parts):
        name = parts[0][1]
        if not name:
            fail(line.origin, f"{kind}: the name is missing")
        own = self._parameters(kind, line, parts[1:])
        if name == "default":
            self.defaults[kind] += own
            self.current = [Definition(kind, name, line, self.defaults[kind])]
            return
        definition = Definition(kind, name, line, [*self.defaults[kind], *own])
        if kind == "fwd" and name == "format":
            definition.parameters = own
            self.format, self.current = definition, [definition]
            return
        self.current = _replicated(definition)
        for one in self.current:
            if (kind, one.name) in self.names and kind != "rd":
                fail(line.origin, f"{kind}={one.name}: is defined twice")
            self.names.add((kind, one.name))
        self.found[kind] += self.current
        if len(self.found[kind]) > MOST_DEFINITIONS:
            fail(line.origin, f"{kind}: more than {MOST_DEFINITIONS} definitions")

    @staticmethod
    def _parameters(kind, line, parts):
        made = []
        for key, text, parts_of_value in parts:
            key, is_loop = words.full_key(kind, key, line.origin)
            if not text or not any(parts_of_value):
                fail(line.origin, f"{key}: the value is missing")
            made.append(Parameter(key, text, parts_of_value, line, is_loop))
        return made

    def finish(self):
        found = self.found
        if found["sd"] and found["fsd"] or found["wd"] and found["fwd"]:
            line = (found["fsd"] or found["fwd"])[0]
            fail(line.origin, "sd and fsd cannot stand in one file")
        return ParameterFile(found["general"], found["hd"], found["sd"], found["wd"], found["fsd"],
                             found["fwd"], found["rd"], self.format, self.defaults)


def _replicated(definition):
    """count=(first,how many) makes sd1, sd2, … and numbers their luns; '*' or %04d says where."""
    count = definition.get("count") if definition.kind in ("sd", "fsd") else None
    if not count:
        return [definition]
    if len(count.values) != 2:
        fail(count.origin, "count: the form is count=(first,how many)")
    first, many = (values.count(count, text) for text in count.values)
    if not 0 < many <= MOST_DEFINITIONS or first > 10 ** 9:
        fail(count.origin, f"count: {many} is not between 1 and {MOST_DEFINITIONS}")
    path_key = "lun" if definition.kind == "sd" else "anchor"
    return [Definition(definition.kind, f"{definition.name}{index}", definition.line,
                       [_numbered(one, index) if one.key == path_key else one
                        for one in definition.parameters if one.key != "count"])
            for index in range(first, first + many)]


def _numbered(parameter, index):
    mask = re.search(r"%(0?)(\d?)d", parameter.text)
    if mask:
        digits = str(index).rjust(int(mask.group(2) or 0), "0" if mask.group(1) else " ")
        text = parameter.text.replace(mask.group(), digits)
    elif "*" in parameter.text:
        text = parameter.text.replace("*", str(index))
    else:
        text = f"{parameter.text}{index}"
    return Parameter(parameter.key, text, (text,), parameter.line, parameter.is_loop)
