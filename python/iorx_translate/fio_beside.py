"""fio: the steps beside a section, which read its files into memory before it (pre_read) or compare them behind it (verify)."""

from .native import derived

FILES = ("test_file", "file_scope", "whole_files", "files", "file_size", "region_offset", "region_size", "region_step",
         "allow_device", "layout")
DIRECT = ("posix.direct", "libaio.direct", "uring.direct")


def reader(name, origin, member, load, more=()):
    """A load that reads all bytes that a section visits, in the order of the file."""
    result = derived(member, f"{member.name}-{name}", f"for {member.name}, {origin}", (*FILES, *more))
    result.set("operations", "read:100")
    result.set("sizes", load.largest if load.region % load.largest == 0 else load.smallest)
    result.set("random", "0%")
    result.set("passes", 1)
    return result


def before(wish, member, load):
    """pre_read: the member that reads the files first, or None."""
    if not wish.flag("pre_read") or member.get("api") == "null":
        return None
    if member.workload == "IOR":  # new files, of which nothing can be read before
        wish.problems.ignore("pre_read")
        return None
    wish.differ("pre_read")
    result = reader("pre-read", wish.origin("pre_read"), member, load)
    result.set("api", "posix")
    return result


def after(wish, member, load):
    """verify: the member that compares what a load has written, or None."""
    if not (load.checks() and load.writes and wish.flag("do_verify", True)):
        return None
    if wish.number("verify_backlog", 0):
        wish.differ("backlog")
    if member.workload == "IOR":
        return None
    if member.get("layout") == "none" and not load.writes_all():
        wish.refuse("verify", "iorx did not lay these files out, so only what one whole pass of writes leaves could be "
                    "compared; leave runtime out, or verify by a section of its own")
        return None
    wish.differ("verify_load")
    result = reader("verify", wish.origin("verify"), member, load, ("api", "cold", *DIRECT))
    result.set("check_read", True, wish.origin("verify"))
    if wish.flag("invalidate", True) and not wish.flag("direct") and member.get("api") != "mmap":
        result.set("cold", "fadvise", wish.origin("invalidate") or "invalidate=1 is fio's default")
    return result

