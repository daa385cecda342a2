"""fio: the files of a section."""

import itertools
import os
import re
import stat

from .fio_read import Setting
from .fio_values import Share, size_or_share, value_of
from .native import Pattern, Step, derived, laid_out
from .problems import fail
from .units import Size


def split_names(setting):
    r"""a:b are two names; \: is a colon."""
    names = [re.sub(r"\\(.)", r"\1", name) for name in re.split(r"(?<!\\):", value_of(setting))]
    return [name for name in names if name]


def below(directory, name):
    """A name in a directory; fio puts a name that begins with a slash below it too."""
    return os.path.join(directory, name.lstrip("/")) if directory else name


def escaped(name):
    """As test_file holds a name."""
    return name.replace("@", "@@")


def size_there(path):
    """The size of a file or device that is there, or None."""
    try:
        status = os.stat(path)
        if stat.S_ISREG(status.st_mode):
            return status.st_size or None
        if stat.S_ISBLK(status.st_mode):
            with open(path, "rb") as file:
                return file.seek(0, os.SEEK_END) or None
    except OSError:
        pass
    return None


def is_device(path):
    """True for a block device, also of another machine."""
    try:
        return stat.S_ISBLK(os.stat(path).st_mode)
    except OSError:
        return path.startswith("/dev/") and not path.startswith("/dev/shm/")


def name_devices(sections):
    """Gives a section that is named as a device this device, if it names no file."""
    for section in sections:
        if is_device(section.name) and not {"filename", "filename_format", "directory"} & set(section.settings):
            section.add(Setting("filename", section.name.replace(":", r"\:"), section.origin, f"[{section.name}]"))


def why_no_size(names, directory):
    """The sentence for a section that neither says how many bytes it visits nor has a file with a size."""
    path = below(directory, names[0]) if names else ""
    if not path or not is_device(path):
        return "no size; give size=, as iorx lays the file out"
    try:
        with open(path, "rb"):
            reason = "this device has no bytes"
    except OSError as error:
        reason = f"this device cannot be opened here ({error.strerror})"
    return f"{path}: {reason}, so that its size is not known; translate the job where the device is, or give size="


def section_and(section, sentence):
    """The sentence behind the name of its section, unless it begins with this name."""
    return sentence if sentence.startswith(f"{section.name}: ") else f"{section.name}: {sentence}"


USUAL_FORMAT = "$jobname.$jobnum.$filenum"


def format_of(section):
    """The filename_format of a section, with its name in it, or None where filename names the files."""
    if section.settings.get("filename"):
        return None
    setting = section.settings.get("filename_format")
    return (value_of(setting) if setting else USUAL_FORMAT).replace("$jobname", section.name)


def has_usual_names(section):
    return format_of(section) == USUAL_FORMAT.replace("$jobname", section.name)


def clones_share(section):
    """True if the files of a section have the same names for all clones."""
    return not re.search(r"\$(jobnum|clientuid)", format_of(section) or "")


def names_of(section):
    """The names of a section's files, with the fields of filename_format in them."""
    names, directory = section.settings.get("filename"), section.settings.get("directory")
    first = split_names(directory)[0] if directory and split_names(directory) else ""
    return [os.path.normpath(below(first, name)) for name in (split_names(names) if names else [format_of(section)])]


def place(wish, member, load, busy):
    """Sets the files and their sizes, and whether the member is a load or a write of new files. busy: names that other sections use."""
    section, origin = wish.section, wish.origin("directory", "filename", "filename_format")
    directories = split_names(wish.get("directory")) if wish.get("directory") else [""]
    names = split_names(wish.get("filename")) if wish.get("filename") else []
    if wish.get("filename") and not names:
        fail(wish.get("filename").origin, "filename: the name is missing")
    form, usual = format_of(section), has_usual_names(section)
    count = len(names) or wish.number("nrfiles", 1, 1, 1000000)
    shared = clones_share(section)
    if shared and len(directories) > 1:
        wish.refuse("directory", "several directories for one shared file; leave filename or directory out")
    load.files = count
    device = any(is_device(below(directories[0], name)) for name in names) and wish.value("ioengine") != "null"
    first = [re.sub(r"\$(jobnum|filenum)", "0", name) for name in names_of(section)] if form else names
    set_sizes(wish, load, count, first, "" if form else directories[0])
    used_by_others = set(names_of(section)) & busy or shared and member.clones > 1
    fields = form and "$" in form
    whole = load.whole_new_files() and not device and not used_by_others and (usual or not fields)
    member.workload = "IOR" if whole else "LOAD"
    if whole and usual:
        set_new_files(wish, member, directories, origin)
    elif form:
        check_format(wish, form, count)
        paths = "@".join(escaped(below(directory, form)) for directory in directories)
        member.set("test_file", pattern(paths) if fields else paths, origin)
    else:
        paths = [below(directories[0], name) for name in names]
        member.set("test_file", "@".join(map(escaped, paths)), origin)
    if not device and not usual and wish.value("ioengine") != "null":
        for directory, name in itertools.product(directories, [form] if form else names):
            set_folder(wish, member, load, directory, name)
    if device:
        wish.differ("device")
        member.set("allow_device", True, origin)
    set_scope(wish, member, load, shared, whole)
    set_layout(wish, member)
    if count > 1:
        member.set("files", count, wish.origin("filename", "nrfiles"))
        set_choice(wish, member, load)


def set_new_files(wish, member, directories, origin):
    """The usual names of a write of whole files: IOR's block numbers the files of several tasks in its own way."""
    name = wish.section.name
    if member.clones == 1:
        directories, name = directories[:1], f"{name}.0.0"
    else:
        wish.differ("files")
    member.set("test_file", "@".join(escaped(below(directory, name)) for directory in directories), origin)


def set_folder(wish, member, load, directory, name):
    """fio makes the folders that filename and filename_format name below its directory."""
    folder = os.path.dirname(name)
    if not os.path.isdir(below(directory, folder) or "."):
        wish.differ("directories")
    if folder.strip("/"):
        wish.job.made_folders.add((directory or ("/" if name.startswith("/") else ""), below(directory, folder),
                                   member.clones if "$jobnum" in folder else 1, load.files if "$filenum" in folder else 1))


CHOICES = {"zipf": "zipf:", "pareto": "pareto:", "normal": "normal:", "gauss": "normal:"}


def set_choice(wish, member, load):
    """file_service_type: which file comes next, and after how many transfers."""
    setting = wish.get("file_service_type")
    if not setting:
        return
    kind, _, number = value_of(setting).partition(":")
    if kind == "roundrobin" and number in ("", "1"):
        return
    in_runs = not load.random and load.largest == load.smallest
    if kind == "sequential" and in_runs:
        member.set("run_length", load.region // load.largest, str(setting))
    elif kind == "roundrobin" and in_runs and re.fullmatch(r"[1-9]\d{0,8}", number):
        member.set("run_length", int(number), str(setting))
    elif kind == "random" and number in ("", "1"):
        member.set("file_choice", "random", str(setting))
    elif kind in CHOICES and re.fullmatch(r"\d{1,9}(\.\d{1,12})?", number) and float(number):
        percent = "%" if kind in ("normal", "gauss") else ""
        member.set("file_choice", CHOICES[kind] + number + percent, str(setting))
    else:
        wish.refuse("file_service_type", "iorx takes the files of random transfers in turn after each operation, or at random")


def pattern(name):
    """A name of filename_format in iorx's words: $jobnum is %t, the task, and $filenum %f."""
    return Pattern(name.replace("%", "%%").replace("$jobnum", "%t").replace("$filenum", "%f"))


def check_format(wish, form, count):
    if "$clientuid" in form:
        wish.refuse("filename_format", "iorx has no clients; use $jobnum, the number of the task")
    elif re.search(r"\$(jobnum|filenum)\$(jobnum|filenum)", form):
        wish.refuse("filename_format", "two numbers side by side give one name to several files; put a letter between them")
    elif count > 1 and "$filenum" not in form:
        wish.refuse("filename_format", "several files of one name; add $filenum")


def size_in_bytes(wish, key, existing):
    setting = wish.get(key)
    if not setting:
        return None
    value = value_of(setting)
    if key == "filesize" and "-" in value:
        low, _, high = value.partition("-")
        if low.strip() != high.strip():
            wish.refuse(key, "the files of a load have one size; give one, or write a section for each size")
        value = high
    size = size_or_share(setting, value, wish.base)
    if isinstance(size, Share):
        if existing is None:
            wish.refuse(key, "a share of a file that is not there; give it in bytes")
            return Size(1 << 30)
        return Size(existing * int(size) // 100)
    return size


def offset_of(wish, key, whole):
    """offset or offset_increment in bytes; a share is one of the file."""
    setting = wish.get(key)
    if not setting:
        return 0
    value = size_or_share(setting, value_of(setting), wish.base)
    if not isinstance(value, Share):
        return value
    if whole is None:
        wish.refuse(key, "a share of a file that is not there; give it in bytes")
        return 0
    return Size(whole * int(value) // 100)


def set_sizes(wish, load, count, names, directory):
    """
    The bytes that a clone visits in each file, and those it moves. size is split over the files and counts from the
    offset; filesize is that of each file, from its start.
    """
    load.existing = existing = size_there(below(directory, names[0])) if names else None
    size = size_in_bytes(wish, "size", existing)
    each = size_in_bytes(wish, "filesize", existing)
    load.begin = offset_of(wish, "offset", each or existing)
    load.step = offset_of(wish, "offset_increment", each or existing)
    if not size and not each and existing:
        each = Size(existing)
    if not size and not each:
        fail(wish.section.origin, section_and(wish.section, why_no_size(names, directory)))
    region = each - load.begin if each else size // count
    if region < load.largest:
        fail(wish.section.origin, f"{wish.section.name}: {max(0, region)} bytes of a file are less than one transfer of "
             f"{load.largest}")
    if load.largest == load.smallest:  # the tail is left out
        region = region // load.largest * load.largest
    load.region = Size(region)
    whole = Size(region // load.largest * load.largest * count)
    load.total = min(size, whole) if size and each else whole


def set_scope(wish, member, load, shared, whole):
    origin = wish.origin("size", "filesize")
    if whole:
        member.set("file_per_proc", not shared and member.clones > 1)
        member.grain = load.largest
        member.set("block_size", load.region, origin)
        return
    if shared:
        member.set("file_scope", "test", wish.origin("filename", "filename_format"))
    elif load.step and member.clones > 1:
        wish.refuse("offset_increment", "clones with files of their own begin at the same offset here")
    if shared and member.clones > 1 and not load.step:
        member.set("whole_files", True, wish.origin("numjobs"))
        wish.differ("shared")
    set_region(wish, member, load, shared, origin)


def set_layout(wish, member):
    """What becomes of files that are there, which other programs may have made."""
    if member.workload == "IOR":
        member.set("use_existing_test_file", True, "fio writes into files that are there")
    elif member.get("allow_device"):
        member.set("layout", "none", "fio lays out no device")
    elif not wish.flag("allow_file_create", True):
        member.set("layout", "none", wish.origin("allow_file_create"))
    elif wish.value("ioengine") != "null":
        wish.differ("there")
        member.set("layout", "missing", "fio uses files that are there")


def set_region(wish, member, load, shared, origin):
    """The size of the files, which a layout rounds up, and the part that is visited."""
    step = load.step if shared and member.clones > 1 else 0
    end = load.begin + step * (member.clones - 1) + load.region
    unit = laid_out(member, load.largest, shared)
    size = Size(-(-end // unit) * unit)
    if member.get("allow_device") and load.existing and size > load.existing:
        size = Size(load.existing // unit * unit)
    if not size:
        fail(wish.section.origin, f"{wish.section.name}: the device is too small")
    member.set("file_size", size, origin)
    if load.begin:
        member.set("region_offset", Size(load.begin), wish.origin("offset"))
    if step:
        member.set("region_step", Size(step), wish.origin("offset_increment"))
    if size - load.begin - step * (member.clones - 1) != load.region:
        if not load.begin and not step:
            wish.differ("tail")
        member.set("region_size", Size(min(load.region, size - load.begin)), origin)


# --- files of several sections ---------------------------------------------------------------------


def named_file(member):
    """The name by which other members can use a load's files too, and whether it has fields; or None."""
    name = member.get("test_file")
    fields = isinstance(name, Pattern)
    return (name, fields) if fields or member.get("file_scope") == "test" else None


def share_files(job, sentence):
    """Gives all members that share files the same size of them, and a step that lays out what several use at once."""
    sizes = {}
    for member in (member for step in job.steps for member in step.members):
        if named_file(member):
            sizes[named_file(member)] = max(member.get("file_size"), sizes.get(named_file(member), 0))
    steps, made = [], set()
    for step in job.steps:
        named = [member for member in step.members if named_file(member)]
        for member in named:
            enlarge(member, sizes[named_file(member)])
        files = [named_file(member) for member in named]
        for file in sorted({file for file in files if files.count(file) > 1}):
            users = [member for member in named if named_file(member) == file]
            job.differ(sentence)
            makers = [member for member in users if member.get("layout") != "none"]
            if file not in made and makers:
                made.add(file)
                steps.append(Step([layout_of(makers)]))
            for member in users:
                member.set("layout", "none", "the step before lays it out")
        steps.append(step)
    job.steps = steps


def enlarge(member, size):
    """Makes the files larger; the member stays in its part."""
    old = member.get("file_size")
    if old == size:
        return
    if "region_size" not in member.keys:
        step = member.get("region_step", 0) * (member.clones - 1)
        member.set("region_size", Size(old - member.get("region_offset", 0) - step), member.keys["file_size"].origin)
    member.set("file_size", Size(size), "another section uses more of it")


def layout_of(users):
    """A load that lays out what all users of a file visit, and reads one block of it."""
    member = derived(users[0], "layout", f"for {users[0].name}", ("api", "test_file", "file_scope", "files", "file_size", "layout"))
    member.clones = 1 if member.get("file_scope") == "test" else max(user.clones for user in users)
    member.grain = max(user.grain for user in users)
    member.set("sizes", Size(member.grain))
    end = max(map(visited_end, users))
    if end < member.get("file_size"):
        member.set("region_size", Size(end))
    member.set("operation_limit", 1)
    return member


def visited_end(member):
    """The end of what a member visits in its files."""
    if "region_size" not in member.keys:
        return member.get("file_size")
    return member.get("region_offset", 0) + member.get("region_step", 0) * (member.clones - 1) + member.get("region_size")
