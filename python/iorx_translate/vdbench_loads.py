"""The parts that loads of sds and of fsds share: shares of workloads, the mix of their transfers, steps made of loops."""

import math
from fractions import Fraction

from . import native, vdbench_loops
from .problems import fail
from .units import Size
from .vdbench_differences import DIFFERENCES

LAYOUT_LEAST = 4096  # bytes of a transfer that lays files out
WHOLE = 100  # percent
MOST_CARDS = 1000  # of a deck that deals operations


def shares_of(run, kind, workloads):
    """The share of each workload in all requests: its skew, and the rest evenly. workloads: [(name, skew or None)]."""
    given = sum(Fraction(skew) for _, skew in workloads if skew)
    without = [name for name, skew in workloads if not skew]
    if given > WHOLE or not without and abs(given - WHOLE) > Fraction(1, 100):
        fail(run.origin, f"rd={run.name}: skew: the shares of its {kind}s add up to {number(given)} and not to 100")
    rest = (WHOLE - given) / len(without) if without else 0
    if without and not rest:
        fail(run.origin, f"rd={run.name}: skew: nothing is left for {kind}={without[0]}")
    return [(Fraction(skew) if skew else rest) / WHOLE for _, skew in workloads]


def set_mix(member, parts, operations_origin, sizes_origin):
    """
    Sets shares of operations, and the sizes of reads and writes, over all workloads of a load. parts: for each
    workload {operation: percent}, its sizes as pairs of bytes and percent, and its share.
    """
    total = sum(share for _, _, share in parts)
    mix, sizes = {"read": Fraction(0), "write": Fraction(0)}, {"read": {}, "write": {}}
    for of_workload, pairs, share in parts:
        for operation, percent in of_workload.items():
            weight = Fraction(percent) * share / total
            mix[operation] = mix.get(operation, 0) + weight
            for size, of_size in pairs if operation in sizes and weight else ():
                sizes[operation][size] = sizes[operation].get(size, 0) + weight * Fraction(of_size)
    member.set("operations", ",".join(f"{name}:{number(share)}" for name, share in whole(mix).items() if share),
               operations_origin)
    shown = {operation: size_list(table) for operation, table in sizes.items() if table}
    if len(set(shown.values())) == 1:
        member.set("sizes", next(iter(shown.values())), sizes_origin)
    else:
        for operation, text in shown.items():
            member.set(f"{operation}_sizes", text, sizes_origin)
    largest = max([LAYOUT_LEAST, *(size for table in sizes.values() for size in table)])
    member.grain = 1 << (largest - 1).bit_length()  # what lays files out moves powers of two


def read_share(percent):
    """The mix of reads and writes with this percentage of reads."""
    return {"read": percent, "write": WHOLE - Fraction(percent)}


def whole(mix):
    """The same shares in whole numbers, if these are small: thirds are 1:1:1 and not 33.3333."""
    factor = math.lcm(*(Fraction(share).denominator for share in mix.values()))
    if factor == 1:
        return mix
    scaled = {name: share * factor for name, share in mix.items()}
    divisor = math.gcd(*map(int, scaled.values())) or 1
    return mix if max(scaled.values()) / divisor > MOST_CARDS else {name: share / divisor for name, share in scaled.items()}


def size_list(table):
    if len(table) == 1:
        return str(Size(next(iter(table))))
    total = sum(table.values())
    return ",".join(f"{Size(size)}/{number(share * WHOLE / total)}" for size, share in table.items())


def set_nodes(member, hosts, job):
    """Sets on how many nodes a load alone runs. hosts: [(label, node)] of the file; member.nodes: those of the load."""
    if not any(node for _, node in hosts):
        return
    member.set("num_nodes", len(member.nodes))
    member.set("placement", "spread")
    job.differ(DIFFERENCES["nodes"])
    if member.nodes != list(range(len(member.nodes))):
        job.differ(DIFFERENCES["some nodes"])


def number(value):
    return f"{float(value):.9g}"


def copied(member):
    copy = native.derived(member, member.name, member.origin, member.keys)
    copy.workload, copy.notes, copy.nodes = member.workload, list(member.notes), member.nodes
    return copy


def copy_of_step(step):
    """Steps share no keys, as scaling changes each of them."""
    return native.Step(copied(member) for member in step.members)


def steps_of(clock, members, loops, job):
    """Steps of one load each: one with lists of values where that says the same as all of them."""
    lengths = [len(loop.points) for loop in loops]
    kinds = {rate if rate in ("max", "curve") else "number" for rate in clock.rates}
    if len(kinds) > 1:
        steps = [(copied(member), [rate]) for member in members for rate in clock.rates]
    else:
        keys = None
        if len({member.clones for member in members}) == 1:
            keys = vdbench_loops.as_lists(lengths, [member.keys for member in members])
        if keys:
            members[0].grain = max(member.grain for member in members)
            members, members[0].keys = members[:1], keys
        steps = [(member, clock.rates) for member in members]
    for member, rates in steps:
        clock.rows(member)
        clock.pace(member, rates, job)
    return [native.Step([member]) for member, _ in steps]


def set_of(clock, members, rate, job):
    """A step of loads that run at the same time, each with its share of the rate."""
    copies = [copied(member) for member in members]
    for copy, member in zip(copies, members):
        if copy.workload == "LOAD":
            clock.pace(copy, [rate], job, member.share)
    return native.Step(copies)
