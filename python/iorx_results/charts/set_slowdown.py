"""How many times slower each test of a set was than alone, with intervals; of loads the response times."""

from dataclasses import dataclass

from . import ratios

SLOWER = ("Rate alone divided by rate in the set: how many times slower each test was while the others ran. Of a load at a rate: response time in "
          "the set divided by that alone.")


@dataclass
class Slowdowns:
    """Of a set: its number and its ratios.Row."""
    number: int
    rows: list
    name = "set"


def caption(_):
    return f"{SLOWER} Lines are intervals of at least 90 %; hollow dots have none."


def height(found):
    return 90 + 26 * len(found.rows)


def left(found):
    return 20 + 7 * max(len(row.name) for row in found.rows)


def draw(sheet, found):
    ratios.draw_rows(sheet, found.rows)
    sheet.labels("times slower in the set", None, "Slower together")
