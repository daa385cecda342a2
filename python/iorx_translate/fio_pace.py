"""fio: rates and pauses of a load."""

from dataclasses import dataclass

from .fio_values import number_of, of_directions, size_of
from .units import Size


@dataclass
class Rate:
    """What rate or rate_iops asks of each clone, in the directions that the load has."""
    key: str
    arrival: str
    operations: list  # per second, for each direction
    bytes: list       # per second too, or None where operations are paced
    sentences: list   # of DIFFERENCES


def set_pace(wish, member, load):
    both = [key for key in ("rate", "rate_iops") if wish.get(key)]
    if len(both) > 1:
        wish.refuse("rate", "rate and rate_iops together; iorx has one rate")
    rate = parse_rate(wish, load, both[-1]) if both else None
    think = wish.time("thinktime", 0, 1e-6)
    blocks = wish.number("thinktime_blocks", 1, 1)
    if think and wish.value("thinktime_blocks_type", "complete") not in ("complete", "issue"):
        wish.refuse("thinktime_blocks_type", "fio knows complete and issue")
    if think and rate and wish.flag("rate_ignore_thinktime"):
        wish.refuse("thinktime", "with rate_ignore_thinktime fio does not make up for the pauses, and a schedule of iorx does; "
                    "leave thinktime or the rate out")
    elif think and rate:  # fio makes up for pauses, so that the slower of both counts
        fits = think <= blocks / sum(rate.operations)
        wish.differ("short_pause" if fits else "long_pause")
        rate, think = (rate, 0) if fits else (None, think)
    if rate:
        set_rate(wish, member, rate)
    if think:
        if blocks > 1:
            member.set("burst", blocks, wish.origin("thinktime_blocks"))
        member.set("burst_pause" if blocks > 1 else "think_time", think, wish.origin("thinktime"))


def parse_rate(wish, load, key):
    """
    The Rate, or None. fio paces bytes: rate_iops counts the smallest size of a direction. With rate_process=poisson it
    paces operations, and rate counts the smallest size.
    """
    process = wish.value("rate_process", "linear")
    if process not in ("linear", "poisson"):
        wish.refuse("rate_process", "fio knows linear and poisson")
    parse = (lambda setting, text: size_of(setting, text, wish.base)) if key == "rate" else number_of
    rates = [rate or 0 for on, rate in zip((load.reads, load.writes), of_directions(wish.get(key), parse)) if on]
    sizes = [sizes for on, sizes in zip((load.reads, load.writes), load.sizes) if on]
    if not any(rates):
        return None
    if not all(rates):
        wish.refuse(key, "iorx paces reads and writes together; give both a rate, or write two sections")
        return None
    sentences, in_bytes = ["rate"], key == "rate"
    if any(len(pairs) > 1 for pairs in sizes) and in_bytes == (process == "poisson"):
        in_bytes = not in_bytes
        sentences.append("rate_of_bytes" if in_bytes else "rate_of_operations")
    if len(rates) > 1:
        sentences.append("mixed_rate")
    arrival = "poisson" if process == "poisson" else "even"
    if not in_bytes:
        operations = [rate / smallest(pairs) if key == "rate" else rate for rate, pairs in zip(rates, sizes)]
        return Rate(key, arrival, operations, None, sentences)
    if key == "rate_iops":
        rates = [rate * smallest(pairs) for rate, pairs in zip(rates, sizes)]
    return Rate(key, arrival, [rate / mean(pairs) for rate, pairs in zip(rates, sizes)], rates, sentences)


def set_rate(wish, member, rate):
    origin = wish.origin(rate.key)
    if rate.bytes:
        member.set("byte_rate", Size(sum(rate.bytes)), origin)
    else:
        member.set("rate", sum(rate.operations), origin)
    member.set("rate_scope", "task")
    member.set("arrival", rate.arrival, wish.origin("rate_process"))
    if len(rate.operations) > 1:
        member.set("operations", "read:{:.10g},write:{:.10g}".format(*rate.operations), origin)
    for sentence in rate.sentences:
        wish.differ(sentence)


def smallest(sizes):
    return min(size for size, _ in sizes)


def mean(sizes):
    return sum(size * share for size, share in sizes) / sum(share for _, share in sizes)
