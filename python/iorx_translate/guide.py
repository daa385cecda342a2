"""Puts each dialect's table of differences into the guide: python3 -m iorx_translate.guide doc/guide/foreign.md."""

import re
import sys

from .command import DIALECTS


def bullet(sentence):
    return f"- {sentence}"


def with_tables(text):
    """The guide, with the sentences of DIFFERENCES between <!-- fio --> and <!-- /fio -->, and so on."""
    for name, dialect in DIALECTS.items():
        block = "\n".join([f"<!-- {name} -->", "", *map(bullet, dialect.DIFFERENCES.values()), "", f"<!-- /{name} -->"])
        text, found = re.subn(f"<!-- {name} -->.*?<!-- /{name} -->", lambda _, block=block: block, text, flags=re.DOTALL)
        if found != 1:
            raise SystemExit(f"the guide has no place <!-- {name} --> … <!-- /{name} -->")
    return text


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        content = with_tables(file.read())
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(content)
