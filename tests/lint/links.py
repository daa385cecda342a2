"""Checks every link between the documents: the file exists, and so does the heading it names."""

import os
import re

import source

FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def documents():
    for top in ("", "doc", "doc/guide"):
        for name in sorted(os.listdir(os.path.join(source.ROOT, top))):
            if name.endswith(".md"):
                yield os.path.join(top, name)


def anchors(path):
    """The anchors that the headings of a document get from a forge."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", source.text(path)), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def complaint(document, link):
    path, _, anchor = link.partition("#")
    target = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
    if not os.path.exists(os.path.join(source.ROOT, target)):
        return f"{document}: {link}: there is no {target}"
    if anchor and anchor not in anchors(target):
        return f"{document}: {link}: {target} has no such heading"
    return None


def main():
    checked = list(documents())
    links = [(document, link) for document in checked
             for link in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", source.text(document)))
             if ":" not in link]
    source.finish("links", list(filter(None, (complaint(*link) for link in links))), len(checked))


main()
