"""
iorx-import: outputs of IOR, mdtest, fio and elbencho become documents that the other
programs read beside those of iorx.
"""

import argparse
import json
import os
import re
import sys

from . import command, files, import_elbencho, import_fio, import_ior, import_mdtest
from .imported import SCHEMA
from .members import ResultError

MARK = f'{{"schema":{{"name":"{SCHEMA}"'.encode()
TEXTS = (import_ior, import_mdtest)

EPILOG = """It reads IOR's text and JSON, mdtest's text, fio's JSON
(--output-format=json or json+) and elbencho's CSV (--csvfile). A text may hold several
outputs, as those of batch jobs do: each becomes a document. What an output does not say
is absent. Nothing is written where a file is wrong or cut short. doc/guide/import.md
says what becomes what."""


def parser():
    parser = argparse.ArgumentParser(
        prog="iorx-import",
        epilog=EPILOG,
        description=
        "Makes documents of the outputs of other programs, for iorx-report, "
        "iorx-compare and iorx_results."
    )
    parser.add_argument("outputs",
                        metavar="FILE",
                        nargs="+",
                        help="outputs of IOR, mdtest, fio or elbencho")
    parser.add_argument(
        "-o",
        "--output",
        metavar="NAME",
        help=
        "the document, or a folder for all of them; default: beside each output, its "
        "name with .iorx.json"
    )
    command.add_version(parser)
    return parser


def documents(path):
    """The documents of all outputs in a file."""
    text = files.read_text(path)
    if text.startswith(import_elbencho.BEGIN):
        return [import_elbencho.read_csv(text, path)]
    outputs = outputs_of(text, path)
    if outputs:
        return [one.document() for one in outputs]
    return [read_json(text, path)]


def outputs_of(text, path):
    """
    An import_ior.Text or import_mdtest.Text of each output, in their order; lines
    before the first are of none.
    """
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        kind = next((kind for kind in TEXTS if kind.BEGIN.match(line)), None)
        if kind:
            found.append(kind.Text(path, number))
        if found:
            found[-1].take(number, line)
    return found


def read_json(text, path):
    # fio prints warnings before its JSON.
    first = next(
        (number
         for number, line in enumerate(text.split("\n")) if line.startswith("{")), None)
    if first is None:
        begin = text.strip().split("\n")[0][:40]
        raise ResultError(
            f"{path}:1: {begin!r} begins no output of IOR, mdtest, fio or elbencho; "
            "give IOR's or mdtest's text, "
            "IOR's or fio's JSON, or the CSV of elbencho's --csvfile")
    try:
        value = json.loads("\n" * first + "\n".join(text.split("\n")[first:]))
    except json.JSONDecodeError as error:
        raise ResultError(
            f"{path}:{error.lineno}: not JSON: {error.msg}; give the whole file"
        ) from None
    except (ValueError, RecursionError) as error:
        raise ResultError(f"{path}: not JSON: {error}; give the whole file") from None
    for program, reader, is_of in JSON:
        if isinstance(value, dict) and is_of(value):
            return checked(reader, value, path, program)
    raise ResultError(
        f"{path}: this JSON is neither fio's nor IOR's: it has no 'fio version' and no "
        "'Version' with 'tests'; give fio's "
        "--output-format=json or IOR's summaryFormat=JSON")


JSON = (("fio", import_fio.read_json, lambda value: "fio version" in value),
        ("IOR", import_ior.read_json,
         lambda value: "tests" in value and ("Version" in value or "version" in value)))


def checked(reader, value, path, program):
    """
    The document; an error of a member also says what stands there, and what to do.
    """
    try:
        return reader(value, path)
    except ResultError as error:
        found = re.fullmatch(r"(.*?): ([\w.\[\] -]+?) (is not .*|is missing)",
                             str(error).removeprefix(path))
        if not found:
            raise
        for step in re.findall(r"[^.\[\]]+", found[2]):
            value = value[int(step)] if isinstance(value, list) else value.get(step)
        raise ResultError(
            f"{path}: {found[2]}: {json.dumps(value)[:60]} {found[3]}; give the JSON "
            f"as {program} wrote it, whole"
        ) from None


def targets(path, count, output):
    """The names of the documents of a file."""
    stem = os.path.splitext(path)[0]
    if output and not os.path.isdir(output) and not output.endswith("/"):
        return [output]
    if output:
        stem = os.path.join(output, os.path.basename(stem))
    return [
        f"{stem}{f'.{number}' if count > 1 else ''}.iorx.json"
        for number in range(1, count + 1)
    ]


def run(arguments):
    made = [(path, documents(path)) for path in arguments.outputs]
    count = sum(len(found) for _, found in made)
    names = [
        name for path, found in made
        for name in targets(path, len(found), arguments.output)
    ]
    if len(names) < count or len(set(names)) < count:
        raise command.Usage(
            f"{count} documents would have the same name; name a folder by -o FOLDER/, "
            "or import the files apart"
        )
    for name in names if not arguments.output else ():
        if os.path.lexists(name) and not command.begins_with(name, MARK):
            raise command.Usage(
                f"{name} is there and was not made by iorx-import; name the document "
                "by -o NAME"
            )
    if arguments.output and arguments.output.endswith("/"):
        os.makedirs(arguments.output, exist_ok=True)
    for name, document in zip(names, [one for _, found in made for one in found]):
        command.write_whole(name,
                            json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        print(name)
    return 0


def main():
    return command.start(parser(), run)


if __name__ == "__main__":
    sys.exit(main())
