"""
From names of files and folders to runs: documents and the journals of interrupted jobs. ResultError says which file
cannot be read, and why.
"""

import json
import os
import stat

from . import read_imported, reader
from .members import Members, ResultError

MOST_BYTES = 1 << 30  # of a document: one of 1000 tests with 8 repetitions has a quarter of it


def read_runs(names):
    """The model.Runs of all files, those of folders in the order of their names."""
    paths = [path for name in names for path in files_of(name)]
    return [read_file(path) for path in paths]


def labels(runs):
    """The shortest end of each run's path that tells it from the others."""
    paths = [os.path.abspath(run.file).split(os.sep) for run in runs]
    return [shortest_end(path, [other for other in paths if other is not path]) for path in paths]


def labels_of(chosen, runs):
    """The labels among all runs of those that were chosen."""
    return [label for label, run in zip(labels(runs), runs) if any(run is one for one in chosen)]


def shortest_end(path, others):
    for count in range(1, len(path)):
        if not any(other[-count:] == path[-count:] for other in others):
            return os.sep.join(path[-count:])
    return os.sep.join(path)


def files_of(name):
    if not os.path.isdir(name):
        return [name]
    inside = sorted(os.listdir(name))
    found = [os.path.join(name, one) for one in inside if one.endswith(".json")]
    # a journal counts only where no document was made of it
    found += [os.path.join(name, one) for one in inside
              if one.endswith(".jsonl") and one[:-1] not in inside]
    if not found:
        raise ResultError(f"{name}: this folder has no result (.json or .jsonl)")
    return found


def read_text(path):
    """The text of a file; a pipe or a device may have no end, so that only regular files are opened."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise ResultError(f"{path}: this is no regular file; write the result into one")
        if status.st_size > MOST_BYTES:
            raise ResultError(f"{path}: {status.st_size} bytes are more than a result has ({MOST_BYTES})")
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise ResultError(f"{path}: {reason}") from None


def read_file(path):
    text = read_text(path)
    if path.endswith(".jsonl"):
        return reader.read_run(document_of_journal(text, path), path)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ResultError(f"{path}: not JSON: {error}") from None
    return (read_imported if read_imported.is_imported(document) else reader).read_run(document, path)


def read_made(path):
    """The model.Run of a job that was to write its document to `path`: of its journal where it was ended; None where it made nothing."""
    found = next((name for name in (path, path + "l") if os.path.exists(name)), None)
    return read_file(found) if found else None


def document_of_journal(text, path):
    """The document that iorx --finish would make; a torn last line is left out."""
    document = {"status": "interrupted", "tests": [], "errors": []}
    lines = [line for line in text.split("\n") if line.strip()]
    events = []
    for number, line in enumerate(lines, 1):
        try:
            event = json.loads(line)
        except ValueError:
            if number == len(lines):
                break
            raise ResultError(f"{path}: line {number} is not JSON") from None
        events.append(Members(event, path, f"line {number}"))
    if any("session" in event.value for event in events):
        events = without_replaced(events)
    for event in events:
        add_event(document, event)
    return document


def without_replaced(events):
    """The events of a job that went on with --resume, without those that a later session has replaced."""
    kept, seen = [], set()
    for place, event in reversed(list(enumerate(events))):
        phase, end = event.inner("phase", None), event.inner("test_end", None)
        if phase is not None:
            subject = phase.whole("test"), phase.whole("repetition"), phase.whole("phase_index")
            if subject in seen:
                continue
            seen |= {subject, subject[0]}
        elif end is not None:
            if end.whole("test") in seen:
                continue
            seen.add(end.whole("test"))
        elif "end" in event.value and place < len(events) - 1:
            continue
        kept.append(event)
    return kept[::-1]


def add_event(document, event):
    tests = document["tests"]
    if "run" in event.value:
        document.update(event.value)
    elif "session" in event.value:
        document.setdefault("sessions", []).append(event.inner("session").value)
    elif "test" in event.value:
        tests.append(dict(event.inner("test").value, phases=[]))
    elif "error" in event.value:
        document["errors"].append(event.inner("error").value)
    elif "end" in event.value:
        document["status"] = event.inner("end").text("status")
    else:
        name = "phase" if "phase" in event.value else "test_end"
        inner = event.inner(name, None)
        if inner is None:
            return
        owner = [test for test in tests if test.get("test") == inner.whole("test")]
        if not owner:
            raise ResultError(f"{event.file}: {inner.where('test')} is of a test that no line describes")
        if name == "phase":
            owner[0]["phases"].append(inner.value)
        else:
            owner[0].update(inner.value)
