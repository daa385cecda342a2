"""What a text says apart from what was measured, and apart from the machine that it was measured on."""

import os
import re
import socket

NUMBER = r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
UNIT = r"(?:[num]?s|min|h|[kKMGTPE]i?B?|B|%)"
MEASURED = re.compile(rf"(?<![\w.]){NUMBER}(?: ?{UNIT}(?![\w/]))?")
NOT_KNOWN = re.compile(r"(?<= )-(?= |$)")
CELLS = re.compile(rf" *(?:\S+ )?(?: *(?:{NUMBER}{UNIT}?[?!]?|-))+")
DATE = re.compile(r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][^\"\n]*\d{4}\b|\d+/\d+/\d{4} [\d:]+"
                  r"|\d{4}-\d\d-\d\dT[\d:.]+Z")
# The mark of the worst verdict of a row.
ROW_MARK = re.compile(r"^(\S+?) *[?!](?= +\d)")
# Paragraphs that say where the job ran.
OF_MACHINE = re.compile(r" *\"?(command|system|FS|Capacity|Used Capacity|Inodes|Used Inodes)\b")
STORAGE = re.compile(r"; \S+ at /\S*(?: from \S+)?, [\d.]+ \w+ of [\d.]+ \w+ free")
# A load says what it was asked for where the machine was too busy for it.
MISSED = re.compile(r"asked [^;]*; achieved [^;]*; (?=ended)")
# Verdicts and the best point depend on how busy the machine is; test_verdicts.py and the unit tests have them.
VERDICT = re.compile(r"(?:fail|warn|note|good) [A-Z]\d |(?:good|note|warn|best)     |iorx: warning: .*: [A-Z]\d: ")
SEVERITY = re.compile(r"(?<=,)(?:good|note|warn|fail)(?=,)")
TABLES = re.compile(r"phase +rep|set \d|results|ended|test,phase,| *median +n|curve \d|study +\d|SUMMARY rate|access[ ,]+bw|Results:| *\"Results\"")
TEST = re.compile(r"test \d|TestID")


def paragraphs(text):
    """The lines, each with those that continue it: where a text wraps depends on the width of its numbers."""
    whole = []
    for line in text.split("\n"):
        if whole and whole[-1] and re.match(" {9}", line) and not CELLS.fullmatch(line):
            whole[-1] += " " + line.strip()
        else:
            whole.append(line)
    return whole


def mask_names(text, names):
    """names: {what stands in the text: what stands in place of it}."""
    for name, shown in {**names, socket.gethostname(): "HOST", os.environ["IORX"]: "iorx"}.items():
        text = text.replace(name, shown)
    text = re.sub(r"\b((?:expected|found) )[0-9a-f]{2}\b", r"\1BYTE", re.sub(r"\bx[0-9a-f]{8}\b", "HASH", text))
    return DATE.sub("DATE", re.sub(r"^iorx +\d.*(\n {9}.*)*", "iorx VERSION", text))


def mask_numbers(text):
    return SEVERITY.sub("#", NOT_KNOWN.sub("#", re.sub("#[?!]", "#", MEASURED.sub("#", text))))


def mask_page(text, names):
    """Settings keep their numbers; from the first table of a test on there is none."""
    in_tables = False
    masked = []
    for line in paragraphs(mask_names(text, names)):
        if TEST.match(line):
            in_tables = False
        in_tables = in_tables or bool(TABLES.match(line))
        if VERDICT.match(line) or OF_MACHINE.match(line):
            continue
        line = re.sub("  +", " ", MISSED.sub("", STORAGE.sub("; STORAGE", ROW_MARK.sub(r"\1", line)))).rstrip()
        if line or masked and masked[-1]:
            masked.append(mask_numbers(line) if in_tables else line)
    return "\n".join(masked).strip("\n")


def mask_errors(text, names):
    """What iorx says on standard error; the launcher has words of its own there."""
    messages = [line for line in mask_names(text, names).split("\n")
                if line.startswith("iorx: ") and not VERDICT.match(line)]
    return mask_numbers("\n".join(messages))
