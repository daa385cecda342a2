"""fio: random_distribution in iorx's words."""

import re

from .fio_values import value_of, wrong

DEFAULTS = {"zipf": "1.1", "pareto": "0.2"}
MOST_THETA = 100
MOST_ZONES = 16
WHOLE = 100  # percent


def distribution(wish):
    """iorx's distribution, or None for fio's default."""
    setting = wish.get("random_distribution")
    if not setting:
        return None
    kind, _, rest = value_of(setting).partition(":")
    if kind == "random":
        return None
    if kind in DEFAULTS and not rest:
        return f"{kind}:{DEFAULTS[kind]}"
    if kind in ("zipf", "pareto", "normal") and re.fullmatch(r"\d{1,9}(\.\d{1,12})?", rest):
        check_number(setting, kind, rest)
        if kind == "normal":
            wish.differ("normal")
        return f"{kind}:{rest}{'%' if kind == 'normal' else ''}"
    if kind == "zoned" and "," not in rest:
        return "zoned:" + ",".join(f"{accesses}/{size:.12g}" for accesses, size in zones_of(setting, rest))
    return wrong(setting, value_of(setting)[:60], "iorx has random, zipf:N, pareto:N, normal:N and zoned:A/B:C/D of one list")


def check_number(setting, kind, text):
    number = float(text)
    if number == 0:
        wrong(setting, text, "the number is above 0")
    if kind == "pareto" and number >= 1:
        wrong(setting, text, "pareto takes a number between 0 and 1")
    if kind == "zipf" and number == 1:
        wrong(setting, text, "fio has no zipf:1; take a number beside it")
    if kind == "zipf" and number > MOST_THETA or kind == "normal" and number >= WHOLE:
        wrong(setting, text, f"this is more than {MOST_THETA}" if kind == "zipf" else "the deviation is below 100 percent")


def zones_of(setting, text):
    """[(percent of accesses, percent of the file)]; zones without a size share what the others leave, and 0 is none."""
    found = []
    for zone in filter(None, text.split(":")):
        match = re.fullmatch(r"(\d{1,3})(?:/(\d{0,3}))?", zone)
        if not match:
            wrong(setting, zone, "a zone is ACCESSES/SIZE in whole percent, as 60/10; the size may be left out")
        found.append((int(match[1]), int(match[2] or 0)))
    if sum(accesses for accesses, _ in found) != WHOLE:
        wrong(setting, text, "the accesses of the zones are not 100 percent together, as fio wants")
    left, without = WHOLE - sum(size for _, size in found), sum(not size for _, size in found)
    if left < 0 or without and not left:
        wrong(setting, text, "the sizes of the zones are more than 100 percent together")
    if left and not without:  # no access goes to the end of the file
        found.append((0, left))
    if len(found) > MOST_ZONES:
        wrong(setting, text, f"a load of iorx has at most {MOST_ZONES} zones; join some")
    return [(accesses, size or left / without) for accesses, size in found]
