"""Values of fio's keys: sizes, times, lists of reads and writes, arithmetic."""

import ast
import operator
import os
import re

from .fio_read import truth
from .problems import fail
from .units import Seconds, Size

POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
TIMES = {"": None, "d": 86400, "h": 3600, "m": 60, "s": 1, "ms": 1e-3, "msec": 1e-3, "us": 1e-6, "usec": 1e-6}
MEMORY = {"mb_memory": lambda: os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20,
          "ncpus": os.cpu_count, "pagesize": lambda: os.sysconf("SC_PAGE_SIZE")}


class Share(float):
    """A percentage of something that is known only where the job runs."""


def wrong(setting, text, why):
    fail(setting.origin, f"{setting.shown[:80]}: {text}: {why}")


def computed(setting, text):
    """$ncpus, $pagesize, $mb_memory and arithmetic with them, which fio does where one of them stands."""
    if not re.search(r"\$(mb_memory|ncpus|pagesize)", text):
        return text
    if "command line" in setting.origin:
        wrong(setting, text, "fio replaces such names in job files only")
    words = re.sub(r"\$(mb_memory|ncpus|pagesize)", lambda match: str(MEMORY[match[1]]()), text)
    if not re.fullmatch(r"[\d+*/ ()-]{1,100}", words):
        wrong(setting, text, "only numbers, + - * / and parentheses can stand beside $ncpus and its like")
    try:
        return str(arithmetic(ast.parse(words.strip(), mode="eval").body))
    except (SyntaxError, ZeroDivisionError, ValueError, RecursionError, MemoryError):
        wrong(setting, text, "the arithmetic cannot be worked out")


OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.floordiv}


def arithmetic(node):
    """The value of an expression of whole numbers."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](arithmetic(node.left), arithmetic(node.right))
    raise ValueError("no arithmetic of whole numbers")


def size_of(setting, text, base):
    """Bytes. fio 3.33: k and K are 1024, KiB is 1000, Ki is as k; kb_base=1000 turns k and KiB round."""
    text = computed(setting, text.strip())
    match = re.fullmatch(r"(0[xX][\da-fA-F]{1,16}|\d{1,20})([kmgtp]?)(b|i|ib)?", text, re.IGNORECASE)
    if not match:
        wrong(setting, text, "this is no size such as 4k, 1M or 10g")
    number, letter, end = int(match[1], 0) if match[1][:2] in ("0x", "0X") else int(match[1]), match[2].lower(), match[3]
    if end and not letter and end.lower() != "b":
        wrong(setting, text, "this is no size such as 4k, 1M or 10g")
    turned = end is not None and end.lower() == "ib"
    value = number * (base if not turned else 2024 - base) ** POWERS[letter]
    if value >= 1 << 62:
        wrong(setting, text, "this is too large")
    return Size(value)


def size_or_share(setting, text, base):
    match = re.fullmatch(r"(\d{1,3})(%|z)", text.strip())
    if not match:
        return size_of(setting, text, base)
    if match[2] == "z":
        wrong(setting, text, "iorx knows no zoned devices")
    return Share(match[1])


def number_of(setting, text, least=0, most=1 << 31):
    text = computed(setting, text.strip())
    match = re.fullmatch(r"(\d{1,20})([km]?)", text, re.IGNORECASE)
    value = int(match[1]) * 1024 ** POWERS[match[2].lower()] if match else None
    if value is None or not least <= value <= most:
        wrong(setting, text, f"this is no whole number from {least} on" if value is None or value < least
              else f"this is more than {most}")
    return value


def time_of(setting, text, unit=1.0):
    """Seconds; a plain number is in `unit` seconds. m is minutes here."""
    match = re.fullmatch(r"(\d{1,20})([a-z]*)", computed(setting, text.strip()), re.IGNORECASE)
    if not match or match[2].lower() not in TIMES:
        wrong(setting, text, "this is no time such as 30, 30s, 5m or 100us")
    factor = TIMES[match[2].lower()]
    if int(match[1]) > 10 ** 12:
        wrong(setting, text, "this is too long")
    return Seconds(int(match[1]) * (unit if factor is None else factor))


def value_of(setting):
    if setting.value is None or setting.value == "":
        fail(setting.origin, f"{setting.key}: the value is missing")
    return setting.value


def flag_of(setting):
    return setting is not None and truth(setting.value, setting.origin, setting.key)


def of_directions(setting, parse):
    """(reads, writes) of "r,w,t": a value alone is for all, an empty one leaves the default (None)."""
    parts = value_of(setting).split(",")
    if len(parts) > 3:
        wrong(setting, setting.value, "this has more than reads, writes and trims")
    values = [parse(setting, part) if part.strip() else None for part in parts]
    return (values[0], values[0]) if len(values) == 1 else (values[0], values[1])
