"""Results may gain members and never lose one: the schema must have each member that it had when members.txt was made.

GOLDEN=write in the environment writes members.txt anew.
"""

import functools
import json
import os
import re
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ALIKE = re.compile(r"\.(operations|percentiles)\.[\w.]+?\.(?=[a-z])")  # each has the same members
EXPECTED = os.path.join(HERE, "members.txt")


def members(schema, whole, path="", inside=()):
    """Paths of members, with "required" behind those that are always there. Definitions in `inside` are being read."""
    reference = schema.get("$ref")
    if reference and reference not in inside:
        meant = functools.reduce(lambda part, name: part[name], reference.split("/")[1:], whole)
        yield from members(meant, whole, path, (*inside, reference))
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ()), *schema.get("prefixItems", ())):
        yield from members(part, whole, path, inside)
    for several in ("items", "additionalProperties"):
        if isinstance(schema.get(several), dict):
            yield from members(schema[several], whole, path + "[]", inside)
    for name, member in schema.get("properties", {}).items():
        yield f"{path}.{name}" + (" required" if name in schema.get("required", ()) else "")
        yield from members(member, whole, f"{path}.{name}", inside)


class Members(unittest.TestCase):
    def test_no_member_was_lost(self):
        with open(os.path.join(HERE, "../../doc/result.schema.json"), encoding="utf-8") as file:
            schema = json.load(file)
        found = sorted({ALIKE.sub(r".\1.*.", member) for member in members(schema, schema)})
        if os.environ.get("GOLDEN") == "write":
            with open(EXPECTED, "w", encoding="utf-8") as file:
                file.write("\n".join(found) + "\n")
        with open(EXPECTED, encoding="utf-8") as file:
            lost = [line for line in file.read().split("\n") if line and line not in found]
        self.assertEqual(lost, [])


if __name__ == "__main__":
    unittest.main()
