"""Vdbench: from its command line and parameter file to a job of iorx."""

import os
import re
from dataclasses import dataclass, field

from . import files, native, vdbench_definitions, vdbench_files, vdbench_lines, vdbench_loads as loads, vdbench_words as words, windows
from .problems import fail
from .vdbench_clock import Clock
from .vdbench_differences import DIFFERENCES  # noqa: F401 (the guide's)
from .vdbench_raw import Raw
from .vdbench_trees import Trees

# Options of the command line that set a parameter of every rd.
OVERRIDES = {"-e": "elapsed", "-I": "interval", "-i": "interval", "-w": "warmup"}
# Options that change nothing here, and whether a value follows.
IGNORED_OPTIONS = {"-o": True, "-m": True, "-p": True, "-s": False, "-k": False, "-cn": False}
VALIDATES = "Vdbench reads each block before it writes it again, which changes the load; verify with iorx -R instead"
REFUSED_OPTIONS = {"-t": "Vdbench's own trial; give a parameter file", "-v": VALIDATES,
                   "-j": "iorx keeps no journal; verify with iorx -R instead",
                   "-c": "iorx removes no files of Vdbench"}
OPTIONS = ("fold_hosts", "target")  # of iorx-translate
COMMAND_LINE = "the command line"


def looks_like_vdbench(content):
    """True if a text has an rd and something for it to run on."""
    lines = [line.strip().lower() for line in content.splitlines()]
    return any(line.startswith("rd=") for line in lines) and \
        any(re.match(r"(sd|fsd|wd|fwd|include)=", line) for line in lines)


@dataclass
class Arguments:
    """The command line of vdbench."""
    paths: list = field(default_factory=list)
    variables: dict = field(default_factory=dict)
    overrides: dict = field(default_factory=dict)  # of parameters of every rd
    loop: str = None
    first: str = None  # the rd to begin with


def translate(words, problems, fold_hosts=0, target=""):
    """
    A native.Job. words: those behind vdbench, such as -f FILE and NAME=VALUE, or the file. fold_hosts: nodes. target: a
    directory for the files of Windows.
    """
    arguments, notes = parse_arguments(words, problems), []
    file = vdbench_definitions.read(vdbench_lines.read_files(arguments.paths, arguments.variables, notes), notes)
    apply(arguments, file)
    if target:
        vdbench_definitions.map_paths(file, windows.Target(target))
        notes.append(("--target", windows.DIFFERENCE))
    job = job_of(file, ", ".join(map(os.path.basename, arguments.paths)), problems, notes, fold_hosts)
    for path in arguments.paths:
        job.original += files.read_text(path, errors="surrogateescape").splitlines()
    return job


def parse_arguments(words, problems):
    found, rest = Arguments(), list(words)
    while rest:
        word = rest.pop(0)
        option, value = word[:2], word[2:]
        if option in ("-f", "-l", "-r", *OVERRIDES) and not value:
            value = rest.pop(0) if rest else fail(word, "a value must follow")
        if option == "-f":
            found.paths.append(value)
        elif option == "-l":
            found.loop = value
        elif option == "-r":
            found.first = value
        elif option in OVERRIDES:
            found.overrides[OVERRIDES[option]] = value
        elif word in IGNORED_OPTIONS or option in IGNORED_OPTIONS:
            problems.ignore(option)
            if IGNORED_OPTIONS.get(word) and rest:
                rest.pop(0)
        elif word.startswith("-"):
            problems.refuse(COMMAND_LINE, word, REFUSED_OPTIONS.get(option, "vdbench has no such option"))
        elif re.match(r"[A-Za-z_]\w*=", word) and not os.path.exists(word):
            name, _, value = word.partition("=")
            found.variables[name] = value
        else:
            found.paths.append(word)
    if not found.paths:
        fail("vdbench", "no parameter file; write vdbench -f FILE")
    return found


def apply(arguments, file):
    """What the command line changes in the definitions."""
    if arguments.first:
        names = [run.name for run in file.runs]
        if arguments.first not in names:
            fail(COMMAND_LINE, f"-r {arguments.first}: there is no such rd")
        del file.runs[:names.index(arguments.first)]
    for key, value in arguments.overrides.items():
        line = vdbench_lines.Line(COMMAND_LINE, 0, f"{key}={value}", f"{key}={value}")
        for run in file.runs:
            run.parameters.append(vdbench_definitions.Parameter(key, value, (value,), line))
    if arguments.loop:
        line = vdbench_lines.Line(COMMAND_LINE, 0, f"loop={arguments.loop}", "")
        file.general.append(vdbench_definitions.read([line]).general[0])


def job_of(file, path, problems, notes=(), fold=0):
    job = native.Job(f"the Vdbench parameter file {path}")
    for origin, sentence in notes:
        job.differ(f"{origin}: {sentence}.")
    check_keys(file, problems)
    if not file.runs:
        fail(path, "there is no rd, so nothing would run")
    hosts = nodes_of(file, fold)
    raw, trees = Raw(file, job, problems, hosts), Trees(file, job, problems, hosts)
    for number, run in enumerate(file.runs):
        if run.get("fwd"):
            job.steps += trees.steps(run, Clock(run, "fwdrate", not number, problems))
        else:
            job.steps += raw.steps(run, Clock(run, "iorate", not number, problems))
    vdbench_files.fit(job, problems)
    job.steps = [one for step in job.steps for one in (*vdbench_files.layouts_of(step), step)]
    once = job.steps
    job.steps = [loads.copy_of_step(step) for _ in range(repetitions(file)) for step in once]
    return job


def check_keys(file, problems):
    """Refuses and lists keys by the tables of words."""
    if file.format:
        problems.ignore("fwd=format")
    definitions = [*file.general, *file.hosts, *file.storage, *file.workloads, *file.file_systems,
                   *file.file_workloads, *file.runs]
    for definition in definitions:
        for parameter in definition.parameters:
            reason = words.REFUSED[definition.kind].get(parameter.key)
            if reason and parameter.text.lower() not in ("no", "off"):
                problems.refuse(parameter.origin, parameter.key, reason)
            elif reason or parameter.key in words.IGNORED[definition.kind]:
                problems.ignore(parameter.key)


def nodes_of(file, fold):
    """[(label, node)]: hosts of one system are one node. fold: the nodes that they are dealt to."""
    systems = {one.name: one.get("system").text if one.get("system") else one.name for one in file.hosts} \
        or {"localhost": "localhost"}
    nodes = {system: index for index, system in enumerate(dict.fromkeys(systems.values()))}
    return [(label, nodes[system] % fold if fold else nodes[system]) for label, system in systems.items()]


def repetitions(file):
    """loop=n repeats all rds."""
    parameter = next((one.get("loop") for one in reversed(file.general) if one.get("loop")), None)
    if not parameter:
        return 1
    if not re.fullmatch(r"[1-9]\d{0,2}", parameter.text):
        fail(parameter.origin, f"loop: {parameter.text}: a number up to 999 is possible, and no time")
    return int(parameter.text)
