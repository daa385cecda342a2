"""Checks result documents and journals of iorx against doc/result.schema.json.

As a module: check_document(path) and check_journal(path) return what they read or raise
SchemaError. By hand: check_schema.py FILE.json|FILE.jsonl ...
"""

import functools
import json
import math
import os
import sys

import jsonschema

ROOT = os.environ.get("SRCDIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


class SchemaError(AssertionError):
    """A document is not what the schema says; the text names the place."""


def refuse_constant(name):
    raise SchemaError(f"{name} is no JSON")


def refuse_duplicates(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise SchemaError("a member stands twice in " + ", ".join(key for key, _ in pairs))
    return members


def parse(text):
    return json.loads(text, parse_constant=refuse_constant, object_pairs_hook=refuse_duplicates)


@functools.cache
def load_schema():
    with open(os.path.join(ROOT, "doc/result.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


def check(value, schema, name):
    error = jsonschema.exceptions.best_match(
        jsonschema.Draft202012Validator(schema).iter_errors(value))
    if error:
        place = "/".join(str(part) for part in error.absolute_path)
        raise SchemaError(f"{name}: {place}: {error.message[:500]}")
    return value


def check_finite(value, name):
    """No number of 1e999, which JSON can write and Python reads as infinite."""
    if isinstance(value, float) and not math.isfinite(value):
        raise SchemaError(f"{name}: a number is not finite")
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        check_finite(part, name)


def check_histograms(phase, name):
    """What a schema cannot say: buckets ascend and add up to the count."""
    for operation, record in phase.get("operations", {}).items():
        edges = [edge for edge, _ in record["histogram"]]
        total = sum(count for _, count in record["histogram"])
        if edges != sorted(set(edges)) or total != record["count"]:
            raise SchemaError(f"{name}: the histogram of {operation} does not add up")


def check_document(path):
    with open(path, encoding="utf-8") as file:
        document = parse(file.read())
    check(document, load_schema(), path)
    check_finite(document, path)
    for test in document["tests"]:
        for phase in test["phases"]:
            check_histograms(phase, path)
    return document


def check_journal(path):
    """The lines of a journal; a torn last one is left out."""
    schema = load_schema()
    line_schema = {"$schema": schema["$schema"], "$defs": schema["$defs"],
                   "$ref": "#/$defs/journal_line"}
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")[:-1]
    return [check(parse(line), line_schema, f"{path}:{number}")
            for number, line in enumerate(lines, 1)]


def main():
    failed = False
    for path in sys.argv[1:]:
        try:
            (check_journal if path.endswith(".jsonl") else check_document)(path)
            print(f"{path}: good")
        except (SchemaError, ValueError, OSError) as error:
            print(f"{path}: {error}")
            failed = True
    sys.exit(failed or len(sys.argv) < 2)


if __name__ == "__main__":
    main()
