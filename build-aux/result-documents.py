#!/usr/bin/env python3
"""Writes what follows from the rows of src/result/fields.c: result-fields | result-documents.py SOURCE [TARGET].

These are the phase in doc/result.schema.json, the tables of doc/result.md between their marks, and the module
fields.py of the Python programs. Members that are written by hand keep the definition that stands in the schema.
Needs Python 3.6 and nothing else.
"""

import json
import os
import sys

WIDTH = 100
BEGIN, END = "<!-- members -->\n", "<!-- /members -->\n"
BEGAN, DATA, OPERATIONS = "in phases that began", "in phases that move data", "in metadata and load phases"
MODULE = '''"""The members of a phase that are plain numbers, from the rows of src/result/fields.c; `make man` writes this."""

from .kinds import NUMBER, SIGNED, TEXT, TRUTH, WHOLE

'''


# --- the schema ---------------------------------------------------------------------------------------

def described(row, schema):
    schema["type"] = [schema["type"], "null"] if row["null"] else schema["type"]
    if row["text"]:
        schema["description"] = row["text"]
    return schema


def members_of(row, old):
    """{name: schema} of the one or two members of a row; old: the properties that stand there now."""
    key, kind = row["key"], row["type"]
    if kind == "by hand":
        if key not in old:
            sys.exit(f"result.schema.json: {key} is written by hand and has no definition there")
        return {key: old[key]}
    if kind == "object":
        return {key: described(row, object_of(row["members"], old.get(key, {})))}
    if kind == "extent":
        return {key: {"$ref": "#/$defs/extent", "description": row["text"]}}
    if kind == "truth":
        return {key: described(row, {"type": "boolean"})}
    number = {"type": "number" if kind == "number" else "integer"}
    if not row["signed"]:
        number["minimum"] = 0
    found = {key: described(row, number)}
    if kind == "node":
        found["host"] = {"type": "string"}
    return found


def object_of(rows, old):
    """The schema of an object: of two that exclude each other where every row is for data or for operations."""
    if {row["only"] for row in rows} == {DATA, OPERATIONS}:
        variants = [[dict(row, only=None) for row in rows if row["only"] == only] for only in (DATA, OPERATIONS)]
        return {"type": "object", "oneOf": [object_of(one, {}) for one in variants]}
    properties, needs = {}, {}
    for row in rows:
        properties.update(members_of(row, old.get("properties", {})))
        if row["type"] != "extent":
            needs.setdefault(row["only"], []).append(row["key"])
    schema = {"type": "object", "additionalProperties": False, "required": needs.pop(None, []),
              "properties": properties}
    dependent = {keys[0]: keys[1:] for keys in needs.values() if keys[1:]}
    if dependent:
        schema["dependentRequired"] = dependent
    return schema


def layout(value, indent=""):
    """JSON with what fits on one line on one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        members = [f"{inner}{json.dumps(key)}: {layout(one, inner)}" for key, one in value.items()]
        return "{\n" + ",\n".join(members) + f"\n{indent}}}"
    if all(isinstance(one, str) for one in value):
        return "[\n" + filled([json.dumps(one) for one in value], inner) + f"\n{indent}]"
    return "[\n" + ",\n".join(inner + layout(one, inner) for one in value) + f"\n{indent}]"


def filled(words, indent):
    lines = [indent + words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) + 3 <= WIDTH:
            lines[-1] += ", " + word
        else:
            lines[-1] += ","
            lines.append(indent + word)
    return "\n".join(lines)


def schema_with(rows, text):
    schema = json.loads(text)
    phase = schema["$defs"]["phase"]
    phase.update(object_of(rows, phase))
    return layout(schema) + "\n"


# --- the document -------------------------------------------------------------------------------------

def table_rows(rows, path=""):
    """The members of an object, then those of the objects in it."""
    lines = [f"| `{row['key']}` | {row['text']}{where(row)} |" for row in rows
             if row["type"] not in ("by hand", "object")]
    for row in rows:
        if row["type"] == "object":
            name = f"{path}.{row['key']}" if path else row["key"]
            lines += [f"| **`{name}`** | **{row['text']}**{where(row)} |", *table_rows(row["members"], name)]
    return lines


def where(row):
    return f" Only {row['only']}." if row["only"] not in (None, BEGAN) else ""


def document_with(rows, text):
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    table = ["| member | holds |", "|---|---|", *table_rows(rows)]
    return before + BEGIN + "\n" + "\n".join(table) + "\n\n" + END + after


# --- the module ---------------------------------------------------------------------------------------

def shape_lines(rows, indent):
    lines = []
    for row in rows:
        if row["type"] == "object":
            lines += [f'{indent}"{row["key"]}": {{', *shape_lines(row["members"], indent + "    "), f"{indent}}},"]
        elif row["type"] not in ("by hand", "extent"):
            kind = {"truth": "TRUTH", "number": "SIGNED" if row["signed"] else "NUMBER"}.get(row["type"], "WHOLE")
            lines.append(f'{indent}"{row["key"]}": {kind},')
        if row["type"] == "node":
            lines.append(f'{indent}"host": TEXT,')
    return lines


def module_of(rows):
    return MODULE + "PHASE = {\n" + "\n".join(shape_lines(rows, "    ")) + "\n}\n"


# --- all ----------------------------------------------------------------------------------------------

DOCUMENTS = {"doc/result.schema.json": schema_with, "doc/result.md": document_with,
             "python/iorx_results/fields.py": lambda rows, _: module_of(rows)}


def main():
    source, target = sys.argv[1], sys.argv[-1]
    rows = json.load(sys.stdin)
    for name, make in DOCUMENTS.items():
        with open(os.path.join(source, name), encoding="utf-8") as file:
            text = make(rows, file.read())
        os.makedirs(os.path.dirname(os.path.join(target, name)), exist_ok=True)
        with open(os.path.join(target, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
