"""fio: the engines that create, stat and delete files are metadata tests."""

from .fio_files import below, split_names

# What iorx does with the files of each engine; what stands before the last is done without fio's counting it.
STEPS = {"filecreate": ("create",), "filestat": ("create", "stat"), "filedelete": ("create", "remove")}


def is_metadata(section):
    setting = section.settings.get("ioengine")
    return bool(setting) and setting.value in STEPS


def translate(wish, member):
    """Makes the member a metadata test: nrfiles items of each clone, in a tree of its own."""
    member.workload = "MDTEST"
    wish.differ("names")
    steps = STEPS[wish.value("ioengine")]
    if len(steps) > 1:
        wish.differ("steps")
    directories = split_names(wish.get("directory")) if wish.get("directory") else [""]
    for key in ("filename", "time_based", "runtime", "rate_iops", "rate", "thinktime", "loops"):
        if wish.get(key) and wish.value(key, "1") != "0":
            wish.refuse(key, "a metadata test of iorx does so many items of each task, as fast as it can")
    paths = [below(directory, wish.section.name) for directory in directories]
    member.set("dir", "@".join(path.replace("@", "@@") for path in paths), wish.origin("directory"))
    member.set("items", wish.number("nrfiles", 1, 1, 1 << 40), wish.origin("nrfiles"))
    member.set("files_only", True)
    member.set("unique_dir", True)
    for step in steps:
        member.set(step, True, wish.origin("ioengine"))
