"""Tables of operations as a native trace, which iorx load --trace replays, or as logs of fio (iolog), which fio replays."""

import os
import re
import tempfile

from iorx_translate import trace, trace_fio
from iorx_translate.problems import Failure, fail
from iorx_translate.trace_file import FDATASYNC, FSYNC, READ, WRITE, Trace
from iorx_translate.trace_input import lines_of, open_blocks
from iorx_translate.trace_writer import Writer

from .command import RESULT, Usage, begins_with, replacing
from .model import LAYOUT

SOURCE = "iorx operation tables"
HEAD = b"test,phase,repetition,task,operation,offset_bytes,length_bytes,start_s,service_ns,file"
FIELD = re.compile(r"%(\d*)([tnf%])")  # of test_file, as plan/name_fields.h has them
OPERATIONS = {b"read": READ, b"write": WRITE, b"sync": FSYNC}
COUNTED = (b"read", b"write")  # operations of which each that the run counted has a row


def write_trace(arguments, runs):
    check_output(arguments)
    try:
        make(Tables(arguments, runs), arguments.output)
    except Failure as error:
        raise Usage(str(error)) from None


def write_iologs(arguments, runs):
    """A log for each task that has requests: FILE, or FILE.0, FILE.1, … of several tasks."""
    check_output(arguments)
    try:
        with tempfile.TemporaryDirectory(dir=os.path.dirname(arguments.output) or ".") as folder:
            path = os.path.join(folder, "trace")
            make(Tables(arguments, runs), path)
            with Trace(path) as found:
                write_streams(found, arguments.output, runs[0].file)
    except Failure as error:
        raise Usage(str(error)) from None


def write_streams(found, output, source):
    for stream in range(found.head.num_streams):
        name = output if found.head.num_streams == 1 else f"{output}.{stream}"
        with replacing(name) as new, open(new, "wb") as file:
            trace_fio.write(found, stream, file, source)


def check_output(arguments):
    if not arguments.output:
        raise Usage(f"--to={arguments.to}: name the file by --output")
    if begins_with(arguments.output, RESULT):
        raise Usage(f"{arguments.output} is a result of iorx, which stays; name another file")
    try:
        trace.check_output(arguments.output, arguments.results)
    except Failure as error:
        raise Usage(str(error)) from None


class Tables:
    """The tables of the operations of a run, and which of their rows are wanted."""

    def __init__(self, arguments, runs):
        if len(runs) != 1:
            raise Usage(f"--to={arguments.to} takes one result, as each run has tables of its own")
        run = self.run = runs[0]
        prefix = arguments.tables or (run.options.get("operation_tables") or {}).get("value")
        if not prefix:
            raise Usage(f"{run.file}: the run wrote no tables of operations; --operation-tables=PREFIX makes iorx write them")
        self.paths = [f"{prefix}.{task:08d}.csv" for task in range(run.tasks)]
        trace.check_output(arguments.output, self.paths)
        missing = next((path for path in self.paths if not os.path.exists(path)), None)
        if missing:
            raise Usage(f"{missing}: there is no such table; --tables=PREFIX says where the tables of the run lie now")
        self.test = choose_test(run, arguments.test)
        phases = choose_phases(self.test, arguments.phase)
        repetition = choose_repetition(self.test, phases, arguments.repetition)
        self.phases = [phase for phase in phases if phase.repetition == repetition]
        self.rows = dict.fromkeys(COUNTED, 0)  # of these operations
        names = {row_name(self.test, phase) for phase in phases}
        self.wanted = tuple(f"{self.test.number},{name},{repetition},".encode() for name in names)

    def check_rows(self):
        """Refuses tables that lack operations. They may have more, for two phases of a test may share a name."""
        for word, rows in self.rows.items():
            counted = sum(phase.operations[word.decode()].count for phase in self.phases
                          if word.decode() in phase.operations and not phase.metadata)
            if rows < counted:
                fail(self.paths[0], f"the tables have {rows} operations {word.decode()} of these phases, and the run counted {counted}; "
                                    "take those that this run wrote, whole")


def choose_test(run, number):
    """The test of this number; None: the only one."""
    numbers = [test.number for test in run.tests]
    if number is None and len(numbers) == 1:
        return run.tests[0]
    if number not in numbers:
        raise Usage(f"{run.file} has the tests {shown(numbers)}; choose one by --test=N")
    return run.tests[numbers.index(number)]


def choose_phases(test, name):
    """The phases of this name; None: those that are measured."""
    names = list(dict.fromkeys(phase.name for phase in test.phases))
    if name is None:
        return [phase for phase in test.phases if phase.name != LAYOUT]
    if name not in names:
        raise Usage(f"--phase={name}: the phases of test {test.number} are {', '.join(names)}")
    return [phase for phase in test.phases if phase.name == name]


def choose_repetition(test, phases, number):
    numbers = list(dict.fromkeys(phase.repetition for phase in phases))
    if number is None and len(numbers) == 1:
        return numbers[0]
    if number not in numbers:
        raise Usage(f"test {test.number} has the repetitions {shown(numbers)}; choose one by --repetition=N")
    return number


def shown(numbers):
    return ", ".join(map(str, numbers[:20])) + (" …" if len(numbers) > 20 else "") if numbers else "(none)"


def row_name(test, phase):
    """What the tables call a phase. They call what lays out the files of a load a write, and a second read in a plan a read."""
    return "write" if phase.name == LAYOUT else phase.name.split()[0]


# --- names of files --------------------------------------------------------------------------------


def node_of(test, task):
    """The node of a task, counted in the order of the test's nodes."""
    for run in test.plan.get("placement") or []:
        tasks = run["nodes"] * run["tasks_per_node"]
        if task < tasks:
            return run["first_node"] + task // run["tasks_per_node"]
        task -= tasks
    return 0


def file_name(test, phase, task, file):
    """The name of a task's file of this number, as iorx gives it; with further numbers where several paths or a slot decide."""
    task -= test.set.get("first_task") or 0
    if test.is_load:
        return load_file_name(test, task, file)
    if not test.option("file_per_proc"):
        return test.test_file
    return f"{test.test_file}.{source_of(test, phase, task):08d}"


def load_file_name(test, task, file):
    scope, plan, numbers = test.option("file_scope", "task"), test.plan, {"t": task, "n": node_of(test, task), "f": file}
    owners = {"task": plan.get("tasks"), "node": plan.get("nodes")}.get(scope) or 1
    own_files, paths = (plan.get("files") or owners) // owners, re.split("(?<!@)@(?!@)", test.test_file)
    if scope == "test" and len(paths) == own_files > file:
        return expanded(paths[file], numbers)
    if len(paths) == 1 and {field[-1] for field in FIELD.findall(paths[0])} & set(numbers):
        return expanded(paths[0], numbers)
    behind = {"task": [task], "node": [numbers["n"]]}.get(scope, []) + ([file] if own_files > 1 else [])
    return "".join([expanded(test.test_file, numbers), *(f".{number:08d}" for number in behind)])


def expanded(path, numbers):
    """A path of test_file with its fields replaced, but for %s."""
    return FIELD.sub(lambda match: match[2] if match[2] == "%" else f"{numbers[match[2]]:0{match[1] or 1}d}", path.replace("@@", "@"))


def source_of(test, phase, task):
    """The task whose file a task of a data test writes or reads."""
    tasks, readers = test.plan.get("tasks") or 1, test.plan.get("readers") or {}
    order = readers.get("order", "self")
    if phase == "write" or tasks == 1 or (phase == "read" and order == "self"):
        return task
    if phase == "read" and order == "by number":
        return (task + readers.get("shift_tasks", 0)) % tasks
    raise Usage(f"test {test.number}: the result does not say whose file each task read in the phase {phase}; choose another by --phase")


# --- rows ------------------------------------------------------------------------------------------


def make(tables, output):
    """Writes the trace of the rows that are wanted."""
    with Writer(output) as writer:
        for path in tables.paths:
            with open_blocks(path) as blocks:
                add_rows(path, lines_of(path, blocks), tables, writer)
        tables.check_rows()
        writer.finish(SOURCE)


def add_rows(path, lines, tables, writer):
    """Adds the requests of a table. Its task is a stream."""
    if next(lines, b"") != HEAD:
        fail(path, f"this is no table of operations, which begins with {HEAD.decode()}")
    files, wanted, add = {}, tables.wanted, writer.add
    sync_flag = FDATASYNC if tables.test.option("fsync_data") else 0
    for number, line in enumerate(lines, 2):
        if not line.startswith(wanted):
            continue
        try:
            _, phase, _, task, word, offset, length, start, service, name = line.split(b",")
            operation = OPERATIONS.get(word)
            if operation is None:
                writer.not_played += 1
                continue
            if word in tables.rows:
                tables.rows[word] += 1
            if start[-10:-9] != b".":  # seconds with nine decimals
                raise ValueError(start)
            if (phase, name) not in files:
                stream = writer.stream(int(task))
                files[phase, name] = writer.file(os.fsencode(file_name(tables.test, phase.decode(), int(task), int(name))))
            add(stream, int(start.replace(b".", b"")), int(offset or 0), int(length or 0), files[phase, name], operation, int(service),
                sync_flag if operation == FSYNC else 0)
        except ValueError:
            fail(f"{path}:{number}", f"this is no row of a table of operations: {line[:80].decode('utf-8', 'replace')!r}")
