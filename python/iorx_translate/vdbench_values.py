"""Reads the values of Vdbench parameters: sizes, times, numbers, ranges and lists of them."""

import re

from .problems import fail

SIZES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}
MOST_POINTS = 1000  # of a range


def number(parameter, text=None):
    """A number from 0 on, as int where it is whole."""
    text = parameter.text if text is None else text
    if not re.fullmatch(r"\d{1,18}(\.\d{0,18})?|\.\d{1,18}", text):
        fail(parameter.origin, f"{parameter.key}: '{text}' is no number")
    value = float(text)
    return int(value) if value == int(value) else value


def count(parameter, text=None):
    """A whole number from 0 on."""
    value = number(parameter, text)
    if not isinstance(value, int):
        fail(parameter.origin, f"{parameter.key}: '{value}' is no whole number")
    return value


def size(parameter, text=None):
    """Bytes: k, m, g and t are powers of 1024, and a b may follow. A fraction such as 0.25m is legal."""
    text = parameter.text if text is None else text
    match = re.fullmatch(r"(\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})([kmgt]?)b?", text.lower())
    if not match:
        fail(parameter.origin, f"{parameter.key}: '{text}' is no size such as 4k or 1.5g")
    value = float(match.group(1)) * SIZES[match.group(2)]
    return int(match.group(1)) * SIZES[match.group(2)] if match.group(1).isdigit() else round(value)


def seconds(parameter, text=None):
    """A time: seconds, or minutes and hours with m and h."""
    text = parameter.text if text is None else text
    match = re.fullmatch(r"(\d{1,12}(?:\.\d{0,12})?)([smh]?)", text.lower())
    if not match:
        fail(parameter.origin, f"{parameter.key}: '{text}' is no time such as 60, 10m or 2h")
    value = float(match.group(1)) * SECONDS[match.group(2)]
    return int(value) if value == int(value) else value


def percent(parameter, text=None):
    """A share in percent, 0 to 100, with or without a % sign."""
    text = parameter.text if text is None else text
    value = number(parameter, text[:-1] if text.endswith("%") else text)
    if value > 100:
        fail(parameter.origin, f"{parameter.key}: {value} is more than 100 percent")
    return value


def word(parameter, choices, text=None):
    """The one of the words that the value begins, as Vdbench lets values be cut short: seq is sequential, not sequentialnz."""
    text = (parameter.text if text is None else text).lower()
    found = sorted((choice for choice in choices if choice.startswith(text)), key=len) if text else []
    if text in choices:
        return text
    if not found or not all(choice.startswith(found[0]) for choice in found):
        fail(parameter.origin, f"{parameter.key}: '{text}' is none of {', '.join(choices)}")
    return found[0]


def points(parameter, read):
    """The values of a loop: (1,2,4), (1-64,d) doubles, (100-1000,100) steps, and ranges may go down."""
    values = list(parameter.values)
    if len(values) == 3 and values[2].lower() == "d" and "-" not in values[0]:
        values = [f"{values[0]}-{values[1]}", "d"]  # the manual also writes (128k,1k,d)
    found, place = [], 0
    while place < len(values):
        match = re.fullmatch(r"([\d.]+\w*)-([\d.]+\w*)", values[place])
        if not match:
            found.append(read(parameter, values[place]))
            place += 1
            continue
        if place + 1 == len(values):
            fail(parameter.origin, f"{parameter.key}: the range {values[place]} needs a step "
                 f"such as ({values[place]},d) to double")
        found += _range(parameter, read(parameter, match.group(1)), read(parameter, match.group(2)),
                        values[place + 1], read)
        place += 2
    if not found:
        fail(parameter.origin, f"{parameter.key}: the list is empty")
    return found


def _range(parameter, first, last, step, read):
    if step.lower() == "d":
        step = None
    else:
        step = read(parameter, step)
    if step == 0 or (step is None and not (first and last)):
        fail(parameter.origin, f"{parameter.key}: a range with this step never ends")
    found, value = [], first
    while value <= last if first <= last else value >= last:
        if len(found) == MOST_POINTS:
            fail(parameter.origin, f"{parameter.key}: more than {MOST_POINTS} values")
        found.append(value)
        if first <= last:
            value = value * 2 if step is None else value + step
        else:
            value = value // 2 if step is None else value - step
            if value <= 0 and last > 0 or value < 0:
                break
    return found


def shares(parameter, read):
    """Pairs of a value and its percentage, which add up to 100: (4k,10,8k,90)."""
    values = parameter.values
    pairs = [(read(parameter, values[at]), percent(parameter, values[at + 1]))
             for at in range(0, len(values), 2)]
    total = sum(share for _, share in pairs)
    if abs(total - 100) > 0.5:
        fail(parameter.origin, f"{parameter.key}: the percentages add up to {total:g} and not to 100")
    return pairs


def percent_of_maximum(parameter, text):
    """A point of a curve: a share of the highest rate, which may be above 100 %."""
    value = number(parameter, text[:-1] if text.endswith("%") else text)
    return value or fail(parameter.origin, f"{parameter.key}: a point of 0 % does nothing")
