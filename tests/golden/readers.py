"""What published readers of IOR's and mdtest's standard output look for.

The expressions are those of performance checks for ReFrame, of Ramble's definition of IOR, of pattern sets for JUBE
and of parsers in batch scripts, put together anew. Each must match the text as often as a reader expects.
"""

import re

FLOAT = r"\d+\.\d+"


def row(start, *cells):
    return start + "".join(r"\s+" + cell for cell in cells)


RAMBLE_ROW = row("(read|write)", FLOAT, FLOAT, FLOAT, r"\d+", *[FLOAT] * 5, r"\d+") + r"\s*$"
RAMBLE_SUMMARY = row("(read|write)", *[FLOAT] * 9, *[r"\w+"] * 2, *[r"\d+"] * 12, FLOAT, r"\w+", r"\d+")
JUBE_ROW = row("^read", *[r"([+-]?\d*\.?\d+(?:[eE][-+]?\d+)?)"] * 3, r"\d+", *[r"[+-]?\d*\.?\d+"] * 5, r"\d+")
# (expression, how often it matches)
IOR = ((r"^Max Write:\s+(\S+) MiB/sec", 1), (r"Max Read:\s+(?P<R_ret>\S+)", 1),
       (r"Max Write:\s+[\d.]+\s+MiB/sec\s+\(([\d.]+)\s+MB/sec\)", 1), (r"^(Run finished|Finished)\s*:", 1),
       (r"^(Run began|Began)\s*:", 1), (r"^xfersize\s+: \w+", 1), (r"^Max (Read|Write): ", 2),
       (RAMBLE_ROW, 4), (RAMBLE_SUMMARY, 2), (JUBE_ROW, 2), (r"^write\s+([\d.]+)\s+[\d.]+\s+[\d.]+", 3))

NAMES = ("Directory creation", "Directory stat", "Directory removal", "File creation", "File stat", "File read",
         "File removal", "Tree creation", "Tree removal")
MDTEST = tuple((rf"^\s+{name}\s+:?\s+[0-9.]+\s+[0-9.]+\s+(?P<mean>\S+)\s+", 1) for name in NAMES)
MDTEST_COLON = tuple((rf"^\s+{name}\s+:\s+(?P<rate>\S+) ", 1) for name in NAMES if not name.startswith("Directory"))

# Job: what is looked for in what it printed.
READERS = {"ior-form": IOR, "mdtest-form": MDTEST, "mdtest-form-files": MDTEST_COLON}


def misses(name, text):
    """Expressions that do not find in a job's text what they are for."""
    return [(pattern, count) for pattern, count in READERS.get(name, ())
            if len(re.findall(pattern, text, re.M)) != count]
