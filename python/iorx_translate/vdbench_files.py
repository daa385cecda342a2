"""The files that several loads of a job of Vdbench use: their sizes, and steps that lay them out."""

import math

from . import native, vdbench_loads as loads
from .units import Size
from .vdbench_differences import DIFFERENCES

MOST_DEPTH = 4096
LARGE = 100  # parts, of which a file may lose one


def layouts_of(step):
    """Steps that lay out the files that several members of a step use."""
    users = {}
    for member in step.members:
        users.setdefault(member.get("test_file"), []).append(member)
    for same in users.values():
        if len(same) > 1 and same[0].get("layout") == "none" and not same[0].get("allow_device"):
            member = loads.copied(same[0])
            member.name, member.origin, member.notes = "layout", f"for {same[0].name}", []
            member.keys = {name: key for name, key in member.keys.items()
                           if name in ("test_file", "file_scope", "files", "file_size")}
            member.set("api", "posix")
            member.set("layout", "missing")
            member.set("operation_limit", 1)
            yield native.Step([member])


def fit(job, problems):
    """
    Files hold whole transfers of all loads that use them, so that each load finds the files of the one before. Large files
    that tasks share have equal parts for all of them, which they lay out together.
    """
    members = [member for step in job.steps for member in step.members]
    grains, sharers = {}, {}
    for member in members:
        name = member.get("test_file")
        grains[name] = max(grains.get(name, 1), member.grain)
    for member in members:
        name = member.get("test_file")
        queue_threads(member, grains[name], job)
        sharers[name] = math.lcm(sharers.get(name, 1), sharers_of(member))
    for member in members:
        name, size = member.get("test_file"), member.get("file_size")
        member.grain = unit = grains[name]
        parts = unit * sharers[name]
        if isinstance(size, int) and (size >= LARGE * parts or size % parts == 0):
            unit = member.file_grain = parts
        if isinstance(size, int) and size % unit:
            member.keys["file_size"].value = Size(max(1, size // unit) * unit)
            job.differ(DIFFERENCES["whole"])
        if isinstance(size, int) and member.get("file_size") % (member.grain * sharers_of(member)):
            problems.refuse(member.origin, f"rd={member.name}", f"{sharers_of(member)} tasks cannot share files of {Size(size)} in parts "
                            f"of whole transfers, {Size(member.grain)} each; leave shared out, or take larger files or fewer threads")


def queue_threads(member, grain, job):
    """
    Makes threads that share small files, and could not lay out equal parts of them, transfers in flight of one task on
    each node. Transfers at random places are the same requests then; operations on names would not be.
    """
    size, nodes, tasks = member.get("file_size"), len(member.nodes), sharers_of(member)
    is_random = member.get("random") == "100%" and member.get("api") == "posix" and "items" not in member.keys
    if not isinstance(size, int) or not is_random or size >= LARGE * grain * tasks or size // grain * grain % (grain * tasks) == 0:
        return
    depth = tasks // nodes
    if depth * nodes != tasks or depth > MOST_DEPTH or size // grain * grain % (grain * nodes):
        return
    member.clones = nodes
    member.set("api", "uring", "threads that share small files")
    member.set("queue_depth", depth, "threads of one task")
    if "posix.direct" in member.keys:
        member.keys["uring.direct"] = member.keys.pop("posix.direct")
    if "byte_limit" in member.keys:
        member.keys["byte_limit"].value = Size(member.get("byte_limit") * depth)
    job.differ(DIFFERENCES["queued"])


def sharers_of(member):
    """How many tasks lay out each file of a member."""
    return member.clones if member.get("file_scope") == "test" and not member.get("allow_device") else 1
