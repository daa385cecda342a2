"""fio's job files and command lines: from text to sections, each with all settings that it has."""

import difflib
import os
import re

from .files import read_bytes
from .fio_keys import ALIASES, FLAGS, KNOWN, PROGRAM_OPTIONS
from .problems import Failure, fail

MOST_INCLUDES = 16


class Setting:
    """key=value as it was written, under the key's main name."""

    def __init__(self, key, value, origin, shown):
        self.key, self.value, self.origin, self.shown = key, value, origin, shown

    def __str__(self):
        return f"{self.origin} {self.shown}"


class Section:
    """A job of fio: the settings that hold for it, the later of two with one key."""

    def __init__(self, name, origin, settings=()):
        self.name, self.origin = name, origin
        self.settings = dict(settings)
        self.begins_file = False

    def add(self, setting):
        self.settings.pop(setting.key, None)  # the order tells which of two keys was later
        self.settings[setting.key] = setting


class Script:
    """What was read so far."""

    def __init__(self):
        self.sections = []
        self.original = []
        self.asked = []       # by --section
        self.read_only = None  # the option, if it stood there
        self.repeated = set() # names of files that several sections have
        self.unknown = []     # a sentence for each key that fio does not have


def make_setting(key, value, origin, shown):
    name = ALIASES.get(key, key)
    if key == "buffered":  # one setting with direct
        value = "0" if value is None or truth(value, origin, key) else "1"
    return Setting(name, value, origin, shown)


def truth(value, origin, key):
    """A yes or no: a bare key is yes, and so is any number but 0 (direct=1G was seen)."""
    text = (value or "1").strip()
    if not re.match(r"\d", text):
        fail(origin, f"{key}: {text}: fio takes 0 or 1 here")
    return not re.fullmatch(r"0+", text)


# --- job files -------------------------------------------------------------------------------------


def read_lines(path, origin=None):
    """The lines of a job file; - is standard input."""
    text = read_bytes(path, origin, dash=True).decode("utf-8-sig", "surrogateescape")
    if "\0" in text:
        fail(path, "a NUL byte; is this a text file?")
    return text.replace("\r\n", "\n").split("\n")


def without_comment(line):
    """; and # end a line anywhere, also inside a value."""
    return re.split(r"[;#]", line, maxsplit=1)[0].strip()


def with_environment(text, origin):
    """${NAME} from the environment; fio would replace a name that is not set by nothing."""
    def value(match):
        if match[1] not in os.environ:
            fail(origin, f"${{{match[1]}}} is not set in the environment; set it, as in {match[1]}=… iorx-translate …")
        return os.environ[match[1]]
    return re.sub(r"\$\{([^}]*)\}", value, text)


TEMPLATES = re.compile(r"\{%|\{\{|\$@|<%")


def read_file(path, defaults, script):
    """Adds the sections of a job file; defaults are settings of the command line."""
    state = {"global": dict(defaults), "now": None}
    read_part(path, script, state, 0)
    if state["now"] is None:
        fail(path, "there is no section such as [job1]; is this a job file of fio?")


def read_part(path, script, state, depth, origin=None):
    shown = "standard input" if path == "-" else path
    lines = read_lines(path, origin)
    script.original += [f"{shown}:"] if depth else []
    script.original += lines[:-1] if lines[-1] == "" else lines
    for number, line in enumerate(lines, 1):
        origin = f"{shown}:{number}"
        if depth:
            check_included(without_comment(line), origin)
        if TEMPLATES.search(line):
            fail(origin, f"{line.strip()[:60]}: this is a template; fill it in first")
        text = without_comment(line)
        if text:
            read_line(text, path, origin, script, state, depth)


def check_included(text, origin):
    """An included file may be any file by mistake, so no message shows a line that is not one of fio's."""
    key = text.partition("=")[0].strip()
    if text and not (key in KNOWN or key in ALIASES or re.match(r"include\s|\[[\w.-]+\]", text)):
        fail(origin, "this line is none of a job file of fio; look at the included file")


def read_line(text, path, origin, script, state, depth):
    include = re.fullmatch(r"include\s+(\S.*)", text)
    if include:
        if depth == MOST_INCLUDES:
            fail(origin, "include: files include each other")
        name = with_environment(include[1], origin)
        beside = os.path.join(os.path.dirname(path), name)
        found = beside if path != "-" and not os.path.isabs(name) and os.path.exists(beside) else name
        read_part(found, script, state, depth + 1, origin)
    elif text.startswith("["):
        start_section(text, origin, script, state, depth)
    elif state["now"] is None:
        fail(origin, f"{text[:60]}: stands before the first section; is this a job file of fio?")
    else:
        setting = parse_setting(text, origin, script)
        now = state["now"]
        if isinstance(now, Section):
            now.add(setting)
        else:
            now.pop(setting.key, None)
            now[setting.key] = setting


def start_section(text, origin, script, state, depth):
    match = re.match(r"\[([^\]]*)\]", text)
    if not match or not match[1]:
        fail(origin, f"{text[:60]}: a section is written [name]")
    if depth:
        fail(origin, f"{text[:60]}: an included file holds no sections")
    name = with_environment(match[1], origin)
    if name == "global":
        state["now"] = state["global"]
        return
    state["now"] = Section(name, origin, state["global"])
    script.sections.append(state["now"])


def parse_setting(text, origin, script):
    key, equals, value = text.partition("=")
    key = key.strip()
    if equals and value[:1].isspace() and re.match(r"\d+[a-z]", value.strip(), re.IGNORECASE):
        fail(origin, f"{text[:60]}: with a blank before the number fio 3.33 reads no suffix; write {key}={value.strip()}")
    value = with_environment(value, origin).strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = value[1:-1]
    check_key(key, origin, script)
    return make_setting(key, value if equals else None, origin, text)


def check_key(key, origin, script):
    """Notes a key that fio does not have, so that all of them are said at once."""
    if key not in KNOWN and key not in ALIASES:
        alike = difflib.get_close_matches(key[:40], sorted({*KNOWN, *ALIASES}), 1, 0.75)
        script.unknown.append(f"{origin}: {key[:40]}: fio 3.33 knows no such key" + (f"; do you mean {alike[0]}?" if alike else ""))


# --- command lines ---------------------------------------------------------------------------------


def read_words(words):
    """A command line of fio, without its first word."""
    script, defaults, files, i = Script(), {}, [], 0
    now = None  # a Section, or None: options are defaults
    while i < len(words):
        word, used = words[i], 1
        origin = "command line"
        if not word.startswith("-") or word == "-":
            files.append(word)
            i += 1
            continue
        key, equals, value = re.sub(r"^--?", "", word).partition("=")
        value = value if equals else None
        if value is None and takes_next(key) and i + 1 < len(words):
            value, used = words[i + 1], 2
        i += used
        shown = f"--{key}" + ("" if value is None else f"={value}")
        if key == "name":
            if not value:
                fail(origin, "--name: the name is missing")
            now = None if value == "global" else Section(value, f"{origin} --name={value}", defaults)
            script.sections += [now] if now else []
        elif key in PROGRAM_OPTIONS:
            program_option(key, value, shown, script)
        else:
            check_key(key, f"{origin} {word}", script)
            setting = make_setting(key, with_environment(value, origin) if value else value, origin, shown)
            if now:
                now.add(setting)
            else:
                defaults.pop(setting.key, None)
                defaults[setting.key] = setting
    return finish(script, defaults, files, words)


def takes_next(key):
    """A flag takes a value only behind =; other keys also the next word."""
    if key in PROGRAM_OPTIONS:
        return PROGRAM_OPTIONS[key][0]
    return ALIASES.get(key, key) not in FLAGS


def program_option(key, value, shown, script):
    _, refusal = PROGRAM_OPTIONS[key]
    if refusal:
        fail(f"command line {shown}", refusal)
    if key == "section":
        script.asked.append(value)
    elif key == "readonly":
        script.read_only = shown


def finish(script, defaults, files, words):
    command = "fio " + " ".join(words)
    script.original = [command, ""] if script.sections or len(words) > 1 else []
    if script.sections and files:
        fail("command line", f"{files[0]}: jobs of the command line beside a job file; translate them one by one")
    if not script.sections and not files:
        fail("command line", "no job; give a job file or --name=…")
    for path in files:
        before = len(script.sections)
        read_file(path, defaults, script)
        if before < len(script.sections):  # fio runs files one after the other
            script.sections[before].begins_file = True
    if script.unknown:
        raise Failure("\n".join(script.unknown))
    if script.asked:
        unknown = set(script.asked) - {section.name for section in script.sections}
        if unknown:
            fail("command line", f"--section={sorted(unknown)[0]}: there is no such section")
        script.sections = [section for section in script.sections if section.name in script.asked]
    if not script.sections:
        fail(files[0] if files else "command line", "no section but [global]; nothing to run")
    return script


def looks_like_fio(content):
    """True for the text of a job file: the first line that is no comment is a section."""
    for line in content.lstrip("\ufeff").split("\n"):
        text = without_comment(line)
        if text:
            return bool(re.match(r"\[[^\]]+\]|include\s", text))
    return False
