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
    setting = wish.get(key)
    parse = (lambda s, text: size_of(s, text, wish.base)) if key == "rate" else number_of
    rates = of_directions(setting, parse)
    used = [rate or 0 for on, rate in zip((load.reads, load.writes), rates) if on]
    if not any(used):
        return
    if not all(used):
        wish.refuse(key, "iorx paces reads and writes together; give both a rate, or write two sections")
        return
    wish.differ("rate")
    if len(used) > 1:
        wish.differ("mixed_rate")
        if key == "rate":
            means = [sum(s * w for s, w in sizes) / sum(w for _, w in sizes) for sizes in load.sizes]
            shares = [rate / mean for rate, mean in zip(used, means)]
        else:
            shares = used
        member.set("operations", f"read:{shares[0]:.10g},write:{shares[1]:.10g}", wish.origin(key))
    member.set("byte_rate" if key == "rate" else "rate", Size(sum(used)) if key == "rate" else sum(used),
               wish.origin(key))
    member.set("rate_scope", "task")
    process = wish.value("rate_process", "linear")
    if process not in ("linear", "poisson"):
        wish.refuse("rate_process", "fio knows linear and poisson")
    member.set("arrival", "poisson" if process == "poisson" else "even", wish.origin("rate_process"))
