"""Operations of fwds on names: small files of a load, or a metadata test where an rd does nothing but remove names."""

from . import native
from .problems import fail
from .units import Size
from .vdbench_differences import DIFFERENCES

# Vdbench's operations on names, and those of iorx.
ON_NAMES = {"mkdir": "mkdir", "rmdir": "rmdir", "create": "create", "delete": "unlink", "open": "open",
            "access": "access", "getattr": "stat", "setattr": "chmod"}
REMOVES = {"unlink": "create", "rmdir": "mkdir"}  # what has to be made as often
MOST_FILES = 1000000  # of a task


def set_items(member, parts, files, items, origins, problems, job):
    """
    Gives a load small files of each task. files: of a directory; items: of all tasks together; origins: of the number,
    of the size and of the operations.
    """
    mix = {}
    for part in parts:
        for operation, percent in part.mix.items():
            mix[operation] = mix.get(operation, 0) + percent * part.weight
    number, size, operations = origins
    for removes, makes in REMOVES.items():
        if mix.get(removes, 0) > mix.get(makes, 0):
            problems.refuse(operations.origin, "operation", f"{vdbench_word(removes)}: a load removes no more than it makes, so that it "
                            f"can go on; give {makes} the same share, or an rd of its own")
    each = set_number(member, parts, files, items, number)
    moves = any(part.order for part in parts)  # its transfers and the small files have buffers of one size
    bytes_ = parts[0].size
    member.set("item_bytes", Size(0 if "create" in mix else min(bytes_, member.grain) if moves else bytes_), size)
    set_directories(member, files, each)
    job.differ(DIFFERENCES["items"])
    if "create" in mix or "mkdir" in mix:
        job.differ(DIFFERENCES["creates"])


def set_number(member, parts, files, items, origin):
    each = max(1, items // member.clones)
    if each > MOST_FILES:
        tree = parts[0].trees[0]
        fail(tree.origin, f"fsd={tree.name}: {each} files of each task; iorx has at most {MOST_FILES}")
    member.set("items", each, origin)
    return each


def set_directories(member, files, items):
    if files and items > files:
        member.set("depth", 1)
        member.set("branch", -(-items // files))


def vdbench_word(operation):
    return next(name for name, own in ON_NAMES.items() if own == operation)


# --- rds that remove names and do nothing else ------------------------------------------------------


def is_removal(parts):
    """True if all operations of these parts remove names of one kind."""
    mixes = {operation for part in parts for operation in part.mix}
    return len(mixes) == 1 and mixes <= set(REMOVES) and not any(part.order for part in parts)


def removal(run, parts, files, items, origins, problems, job):
    """A metadata test that creates the names and then removes them; as set_items()."""
    operation = next(iter(parts[0].mix))
    word, (number, size, operations) = vdbench_word(operation), origins
    member = native.Member(run.name, run.origin, sum(part.tasks for part in parts), "MDTEST")
    of_size = f"-{Size(parts[0].size)}" if parts[0].files < 1 else ""  # a part of the files has trees of its own
    paths = (f"{anchor}/vdb-{run.name}-{word}{of_size}" for anchor in parts[0].anchors)
    member.set("dir", "@".join(path.replace("@", "@@") for path in paths), parts[0].trees[0].get("anchor"))
    each = set_number(member, parts, files, items, number)
    if each * member.clones != items:
        job.differ(DIFFERENCES["equal files"])
    member.set("files_only" if operation == "unlink" else "directories_only", True, operations)
    member.set("unique_dir", True)
    if operation == "unlink":
        set_directories(member, files, each)
        if "depth" in member.keys:
            member.set("leaf_only", True)
        member.set("write_bytes", Size(parts[0].size), size)
    member.set("create", True)
    member.set("remove", True, operations)
    job.differ(DIFFERENCES["removals"])
    for parameter in filter(None, (run.get("maxdata"), *(part.definition.get("skew") for part in parts))):
        problems.refuse(parameter.origin, parameter.key, f"{word} of an rd of its own removes each name once, as fast as it can")
    return member
