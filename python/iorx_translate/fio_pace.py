"""fio: rates and pauses of a load."""

from .fio_values import number_of, of_directions, size_of
from .units import Size


def set_pace(wish, member, load):
    both = [key for key in ("rate", "rate_iops") if wish.get(key)]
    if len(both) > 1:
        wish.refuse("rate", "rate and rate_iops together; iorx has one rate")
    for key in both[-1:]:
        set_rate(wish, member, load, key)
    think = wish.time("thinktime", 0, 1e-6)
    if think and both:
        wish.refuse("thinktime", "with a rate the schedule says when operations are due; leave one of both out")
    elif think:
        blocks = wish.number("thinktime_blocks", 1, 1)
        if wish.value("thinktime_blocks_type", "complete") not in ("complete", "issue"):
            wish.refuse("thinktime_blocks_type", "fio knows complete and issue")
        if blocks > 1:
            member.set("burst", blocks, wish.origin("thinktime_blocks"))
        member.set("burst_pause" if blocks > 1 else "think_time", think, wish.origin("thinktime"))


def set_rate(wish, member, load, key):
    """
    fio paces bytes: rate_iops counts the smallest size of a direction. With rate_process=poisson it paces operations,
    and rate counts the smallest size.
    """
    setting = wish.get(key)
    parse = (lambda s, text: size_of(s, text, wish.base)) if key == "rate" else number_of
    directions = [(rate or 0, sizes) for on, rate, sizes in
                  zip((load.reads, load.writes), of_directions(setting, parse), load.sizes) if on]
    if not any(rate for rate, _ in directions):
        return
    if not all(rate for rate, _ in directions):
        wish.refuse(key, "iorx paces reads and writes together; give both a rate, or write two sections")
        return
    process = wish.value("rate_process", "linear")
    if process not in ("linear", "poisson"):
        wish.refuse("rate_process", "fio knows linear and poisson")
    in_bytes = key == "rate"
    if any(len(sizes) > 1 for _, sizes in directions) and in_bytes == (process == "poisson"):
        in_bytes = not in_bytes
        wish.differ("rate_of_operations" if process == "poisson" else "rate_of_bytes")
    operations = [operations_per_second(rate, sizes, key, in_bytes) for rate, sizes in directions]
    wish.differ("rate")
    if len(directions) > 1:
        wish.differ("mixed_rate")
        member.set("operations", f"read:{operations[0]:.10g},write:{operations[1]:.10g}", wish.origin(key))
    if in_bytes:
        rates = [rate if key == "rate" else rate * smallest(sizes) for rate, sizes in directions]
        member.set("byte_rate", Size(sum(rates)), wish.origin(key))
    else:
        member.set("rate", sum(operations), wish.origin(key))
    member.set("rate_scope", "task")
    member.set("arrival", "poisson" if process == "poisson" else "even", wish.origin("rate_process"))


def operations_per_second(rate, sizes, key, in_bytes):
    if not in_bytes:
        return rate if key == "rate_iops" else rate / smallest(sizes)
    mean = sum(size * share for size, share in sizes) / sum(share for _, share in sizes)
    return (rate if key == "rate" else rate * smallest(sizes)) / mean


def smallest(sizes):
    return min(size for size, _ in sizes)
