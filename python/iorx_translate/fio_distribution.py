"""fio: random_distribution in iorx's words."""

import re

from .fio_values import value_of, wrong


def distribution(setting):
    """random_distribution in iorx's words; None for fio's default."""
    kind, _, rest = value_of(setting).partition(":")
    number = rest.partition("/")[0].partition(":")[0]
    if kind == "random":
        return None
    if kind in ("zipf", "pareto", "normal") and re.fullmatch(r"\d{1,9}(\.\d{1,12})?", number) and number == rest:
        if kind == "pareto" and not 0 < float(number) < 1:
            wrong(setting, rest, "pareto takes a number between 0 and 1")
        if float(number) == 0:
            wrong(setting, rest, "the number is above 0")
        return f"{kind}:{number}{'%' if kind == 'normal' else ''}"
    if kind == "zoned":
        zones = [zone.partition("/") for zone in rest.partition(",")[0].split(":")]
        if all(re.fullmatch(r"\d{1,3}", part) for zone in zones for part in (zone[0], zone[2])) and "," not in rest:
            return "zoned:" + ",".join(f"{accesses}/{size}" for accesses, _, size in zones)
    wrong(setting, value_of(setting)[:60], "iorx has random, zipf:N, pareto:N, normal:N and zoned:A/B:C/D of one list")
