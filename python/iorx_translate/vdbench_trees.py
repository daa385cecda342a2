"""Makes loads on many files of the fsd, fwd and rd of Vdbench."""

import copy
import os
from fractions import Fraction

from . import (native, vdbench_loads as loads, vdbench_loops, vdbench_names as names, vdbench_values as values,
               vdbench_workloads as workloads)
from .problems import fail
from .units import Size
from .vdbench_definitions import check_path, select
from .vdbench_differences import DIFFERENCES

LOOPS = ("xfersize", "threads", "rdpct", "operations", "depth", "width", "files", "sizes", "totalsize",
         "workingsetsize")
OPERATIONS = ("read", "write", *names.ON_NAMES, "close", "copy", "move")
FILE_CHOICES = {"random": "random", "poisson": "pareto:0.2", "skewed": "pareto:0.2"}
FORMATS = ("no", "yes", "restart", "only", "directories", "clean", "once", "limited", "complete")
DEFAULT_THREADS, DEFAULT_FILES, DEFAULT_SIZE = 1, 10, 4096
WHOLE = 100


class Part:
    """A fwd in one pass: so many tasks on these trees, with this share of the operations."""

    def __init__(self, definition, trees, tasks, weight):
        self.definition, self.trees, self.tasks, self.weight = definition, trees, tasks, weight
        self.hosts = []
        self.size = 0      # of each file
        self.files = Fraction(1)  # share of the files of the trees
        self.mix = {}      # percent of each operation of iorx
        self.sizes = []    # of reads and writes
        self.order = None  # in which data is visited; None: nothing but operations on names

    @property
    def anchors(self):
        return tuple(tree.get("anchor").text.rstrip("/") for tree in self.trees)


class Trees:
    """Makes steps of a native.Job of the rds of a file. hosts: [(label, node)]."""

    def __init__(self, file, job, problems, hosts):
        self.file, self.job, self.problems, self.hosts = file, job, problems, hosts

    def steps(self, run, clock):
        if self._only_formats(run):
            return []
        found = [loop for loop in vdbench_loops.loops(run, LOOPS)
                 if loop.parameter.key != "operations" or loop.parameter.is_loop]
        points = vdbench_loops.passes(run, found, clock.rates)
        tests = [self._members(run, clock, workloads.Definitions(run, point, self.problems)) for point in points]
        if all(len(members) == 1 for members in tests):
            for member, in tests:
                loads.set_nodes(member, self.hosts, self.job)
            members = [members[0] for members in tests]
            if not any(member.workload == "MDTEST" for member in members):
                return loads.steps_of(clock, members, found, self.job)
            return [step for member in members for step in self._alone(clock, member)]
        return [self._set(clock, members, rate) for members in tests for rate in clock.rates]

    def _only_formats(self, run):
        """True if the rd makes or removes files and measures nothing."""
        parameter = run.get("format")
        chosen = {values.word(parameter, FORMATS, text) for text in parameter.values} if parameter else {"no"}
        if chosen & {"only", "clean", "directories"}:
            self.job.differ(DIFFERENCES["only"])
            return True
        self.job.differ(DIFFERENCES["format"])
        return False

    def _alone(self, clock, member):
        """The steps of one pass, whose neighbours may be tests of another kind."""
        if member.workload == "MDTEST":
            self._check_pace(clock)
            return [native.Step([member])]
        return loads.steps_of(clock, [member], [], self.job)

    def _check_pace(self, clock):
        if clock.rates != ["max"]:
            self.problems.refuse(clock.origin.origin, "fwdrate", "delete and rmdir of an rd of their own go as fast as they can; "
                                 "write fwdrate=max")

    def _set(self, clock, members, rate):
        if any(member.workload == "MDTEST" for member in members):
            self._check_pace(clock)
        if rate == "curve":
            self.problems.refuse(clock.origin.origin, "fwdrate", "a curve of several loads at the same time is not "
                                 "possible; give rates, or an rd for each fwd")
        if rate == "max":
            self.job.differ(DIFFERENCES["uncontrolled"])
            for member in members:
                if member.skew:
                    self.problems.refuse(member.skew.origin, "skew", "with max each of several loads on different files "
                                         "goes as fast as it can; give a rate, or leave skew out")
        return loads.set_of(clock, members, rate, self.job)

    # --- one pass --------------------------------------------------------------------------------

    def _members(self, run, clock, lookup):
        chosen = run.get("fwd")
        definitions = select(chosen, self.file.file_workloads, "fwd")
        shares = loads.shares_of(run, "fwd", [(one.name, workloads.optional(one, "skew", values.percent))
                                              for one in definitions])
        parts = [part for definition, share in zip(definitions, shares)
                 for part in self._by_size(self._part(run, lookup, definition, share), lookup)]
        members = [self._member(run, clock, lookup, group, parts) for group in grouped(parts)]
        own = [member for member in members if member.workload == "LOAD"]
        clock.limit_bytes(own, sum(bytes_of(member) for member in own), self.job)
        if len(members) > 1:
            for number, member in enumerate(members, 1):
                member.name += f".{number}"
        return members

    def _part(self, run, lookup, definition, share):
        trees = select(definition.get("fsd") or fail(definition.origin, f"fwd={definition.name}: names no fsd"),
                       self.file.file_systems, "fsd")
        for tree in trees:
            if not tree.get("anchor"):
                fail(tree.origin, f"fsd={tree.name}: anchor= is missing")
            check_path(tree.get("anchor"), tree.get("anchor").text)
            self._make_later(tree.get("anchor").text.rstrip("/"))
        hosts = workloads.labels(definition.get("host"), self.hosts, self.file)
        for tree in trees:
            shared = tree.get("shared")
            if len(hosts) > 1 and (not shared or shared.text.lower() not in ("yes", "y")):
                fail(tree.origin, f"fsd={tree.name}: several hosts use it, so Vdbench wants shared=yes")
        operations = self._operations(run, lookup, definition)
        threads = lookup.value(definition, "threads", values.count, DEFAULT_THREADS)
        each = max(1, threads // (len(trees) * len(hosts) * len(operations)))
        part = Part(definition, trees, each * len(operations) * len(trees) * len(hosts), share)
        part.hosts = hosts
        adjust = next((one.get("fwd_thread_adjust") for one in self.file.general if one.get("fwd_thread_adjust")), None)
        if part.tasks != threads and adjust and adjust.text.lower() == "no":
            fail(adjust.origin, f"fwd_thread_adjust: fwd={definition.name} has {threads} threads, which cannot be shared "
                 "out evenly")
        if part.tasks != threads:
            self.job.differ(DIFFERENCES["threads"])
        part.mix = mix_of(operations, lookup.value(definition, "rdpct", values.percent, None))
        part.sizes = workloads.sizes_of(definition, lookup, 1)
        if "read" in operations or "write" in operations:
            part.order = self._order(definition)
        return part

    def _by_size(self, whole, lookup):
        """A part for each size of files, with its share of the operations and of the threads."""
        sizes = self._file_sizes(lookup, whole.trees)
        if len(sizes) == 1:
            whole.size = sizes[0][0]
            return [whole]
        self.job.differ(DIFFERENCES["sizes"])
        parts = []
        for size, percent in sizes:
            part = copy.copy(whole)
            part.size, part.files = size, Fraction(percent) / WHOLE
            parts.append(part)
        visits = [part.files * (self._run_length(part) if part.order else 1) for part in parts]
        for part, visit in zip(parts, visits):
            part.weight = whole.weight * visit / sum(visits)
            part.tasks = max(1, round(whole.tasks * visit / sum(visits)))
        return parts

    def _make_later(self, anchor):
        """Vdbench makes the last folder of an anchor, and with create_anchors all of them."""
        given = next((one.get("create_anchors") for one in self.file.general if one.get("create_anchors")), None)
        makes_all = given and given.text.lower() in ("yes", "y")
        self.job.made_folders.add(("/" if makes_all else os.path.dirname(anchor), anchor, 1, 1))

    def _operations(self, run, lookup, definition):
        parameter = run.get("operations") or definition.get("operation")
        if "operations" in lookup.point:
            texts = [lookup.point["operations"]]
        else:
            texts = parameter.values if parameter else ("read",)
        operations = [values.word(parameter, OPERATIONS, text) if parameter else text for text in texts]
        for operation in sorted({"copy", "move"} & set(operations)):
            self.problems.refuse(parameter.origin, "operation", f"{operation}: a load has no such operation")
        if "close" in operations and "open" not in operations:
            self.job.differ(DIFFERENCES["closes"])
            operations[operations.index("close")] = "open"
        return [one for one in operations if one not in ("copy", "move", "close")] or ["read"]

    def _order(self, definition):
        """(is random, is shared, stopafter, file choice, once)."""
        io = definition.get("fileio")
        words = [values.word(io, ("random", "sequential", "shared", "delete", "sequentialnz"), text)
                 for text in io.values] if io else ["sequential"]
        if "delete" in words:
            self.problems.refuse(io.origin, "fileio", "a load does not delete a file before it writes it")
        if "sequentialnz" in words:
            self.job.differ(DIFFERENCES["anywhere"])
        choice = definition.get("fileselect")
        chosen = [values.word(choice, ("random", "sequential", "once", "poisson", "skewed", "sequentialnz"), text)
                  for text in choice.values[:1]] if choice else ["sequential"]
        if choice and any(text.lower().startswith("once") for text in choice.values[1:]):
            chosen.append("once")
        stop = definition.get("stopafter")
        return ("random" in words, "shared" in words, stop.text if stop else "",
                FILE_CHOICES.get(chosen[0], "in_turn"), "once" in chosen)

    # --- one load --------------------------------------------------------------------------------

    def _member(self, run, clock, lookup, parts, all_parts):
        if names.is_removal(parts):
            member = self._removal(run, lookup, parts)
            clock.wait(member)
        else:
            member = self._load(run, clock, lookup, parts, all_parts)
        member.share = sum((part.weight for part in parts), Fraction(0))
        member.nodes = sorted({dict(self.hosts)[host] for part in parts for host in part.hosts})
        member.skew = next((part.definition.get("skew") for part in parts if part.definition.get("skew")), None)
        return member

    def _removal(self, run, lookup, parts):
        files, items, origins = self._items(run, lookup, parts)
        if "rmdir" in parts[0].mix:
            items = sum(self._directories(lookup, tree) for tree in parts[0].trees)
            origins = (parts[0].trees[0].get("width") or "", *origins[1:])
        return names.removal(run, parts, files, items, origins, self.problems, self.job)

    def _items(self, run, lookup, parts):
        """(files of a directory, files of all trees, where both and the size and the operations stand)."""
        trees, first = parts[0].trees, parts[0].definition
        files = lookup.value(trees[0], "files", values.count, DEFAULT_FILES)
        operations = run.get("operations") or first.get("rdpct") or first.get("operation") or ""
        return (files, sum(self._files(lookup, tree, parts[0]) for tree in trees),
                (trees[0].get("files") or "", lookup.origin(trees[0], "sizes"), operations))

    def _load(self, run, clock, lookup, parts, all_parts):
        first = next((part for part in parts if part.order), parts[0])
        member = native.Member(run.name, run.origin, sum(part.tasks for part in parts))
        member.set("api", "posix")
        flags, where = workloads.flags(run, *(part.definition for part in parts), *first.trees)
        if flags & {"o_direct", "directio"}:
            member.set("posix.direct", True, where)
        if any(set(part.mix) & {"read", "write"} for part in parts):
            workloads.set_sync(member, flags, where)
        size = first.size
        operations = run.get("operations") or first.definition.get("rdpct") or first.definition.get("operation") or ""
        for part in parts:  # a transfer is no larger than the file
            part.sizes = [(min(bytes_, size), share) for bytes_, share in part.sizes]
        self._set_paths(member, first, all_parts)
        loads.set_mix(member, [(part.mix, part.sizes, part.weight) for part in parts], operations,
                      lookup.origin(first.definition, "xfersize"))
        if first.order:
            self._set_data(member, lookup, first, all_parts, size)
        if any(set(part.mix) - {"read", "write"} for part in parts):
            names.set_items(member, parts, *self._items(run, lookup, parts), self.problems, self.job)
        once = first.order and first.order[4]
        if once and "items" in member.keys:
            lookup.refuse(first.definition.get("fileselect"), "operations on names make no passes; give them an rd of their own, "
                          "or leave once out")
        clock.limit(member, once and first.definition.get("fileselect"), self.job)
        return member

    @staticmethod
    def _set_paths(member, part, all_parts):
        several = len({one.order for one in all_parts if one.anchors == part.anchors and one.order}) > 1
        name = f"vdb-{part.definition.name}" if several else "vdb"
        if part.files < 1:
            name += f"-{Size(part.size)}"
        member.set("test_file", "@".join(f"{anchor}/{name}".replace("@", "@@") for anchor in part.anchors),
                   part.trees[0].get("anchor"))

    def _set_data(self, member, lookup, first, all_parts, size):
        """Files, and the order in which they are visited."""
        is_random, is_shared, _, choice, _ = first.order
        self._set_files(member, lookup, first, all_parts, size, is_shared)
        member.set("random", "100%" if is_random else "0%", first.definition.get("fileio") or "")
        if not is_random:
            member.set("run_length", self._run_length(first), first.definition.get("stopafter") or "")
        else:
            self.job.differ(DIFFERENCES["each transfer"])
        if choice != "in_turn" and member.get("files", 1) > 1:
            member.set("file_choice", choice, first.definition.get("fileselect"))
            if choice != "random":
                self.job.differ(DIFFERENCES["skewed"])
        self.job.differ(DIFFERENCES["trees"])
        self.job.differ(DIFFERENCES["open"])

    def _file_sizes(self, lookup, trees):
        """[(bytes, percent of the files)]"""
        found = []
        for tree in trees:
            sizes = lookup.value(tree, "sizes", self._sizes, DEFAULT_SIZE)
            sizes = [(sizes, WHOLE)] if isinstance(sizes, int) else sizes
            if not all(size for size, _ in sizes):
                fail(tree.origin, f"fsd={tree.name}: sizes: files of 0 bytes hold no data")
            found.append(sizes)
        if any(sizes != found[0] for sizes in found):
            self.problems.refuse(trees[0].origin, "sizes", "the fsds of one fwd have files of different sizes; write a fwd "
                                 "for each")
        return found[0]

    def _sizes(self, parameter):
        """sizes=n, (n,0), which is a mean, or (n,percent,…)."""
        if len(parameter.values) == 2 and not values.percent(parameter, parameter.values[1]):
            self.job.differ(DIFFERENCES["mean size"])
        elif len(parameter.values) > 1:
            if len(parameter.values) % 2:
                fail(parameter.origin, "sizes: the form is (size,percent,size,percent,…)")
            return merged((size, share) for size, share in values.shares(parameter, values.size) if share)
        return values.size(parameter, parameter.values[0])

    def _set_files(self, member, lookup, part, all_parts, size, is_shared):
        tree = part.trees[0]
        total = sum(self._files(lookup, one, part) for one in part.trees)
        tasks = sum(one.tasks for one in all_parts if set(one.anchors) & set(part.anchors) and one.size == part.size)
        own = total if is_shared else total // tasks
        if not own:
            fail(part.definition.origin, f"fwd={part.definition.name}: {tasks} threads need a file each, and there are "
                 f"{total}")
        if own > names.MOST_FILES:
            fail(tree.origin, f"fsd={tree.name}: {own} files of each task; iorx has at most {names.MOST_FILES}")
        if own * tasks != total and not is_shared:
            self.job.differ(DIFFERENCES["equal files"])
        if is_shared:
            member.set("file_scope", "test", part.definition.get("fileio"))
        member.set("files", own, tree.get("files") or "")
        member.set("file_size", Size(size), lookup.origin(tree, "sizes"))

    @staticmethod
    def _directories(lookup, tree, below=1):
        """How many directories a tree has, from the level `below` on; None: in the lowest one."""
        depth, width = (lookup.value(tree, key, values.count, 1) for key in ("depth", "width"))
        if depth > 64 or width > 10 ** 6:
            fail(tree.origin, f"fsd={tree.name}: the tree is too large")
        return sum(width ** level for level in range(below or depth, depth + 1))

    def _files(self, lookup, tree, part):
        """How many files of the part's size a tree has: in its lowest directories, or in all."""
        everywhere = tree.get("distribution")
        is_all = everywhere and values.word(everywhere, ("bottom", "all")) == "all"
        number = self._directories(lookup, tree, 1 if is_all else None) * lookup.value(tree, "files", values.count, DEFAULT_FILES)
        mean = max(1, int(sum(size * Fraction(share) for size, share in self._file_sizes(lookup, [tree])) / WHOLE))
        for key in ("totalsize", "workingsetsize"):
            limit = lookup.value(tree, key, values.size, None)
            if limit:
                number = min(number, -(-limit // mean))
        return int(number * part.files)

    @staticmethod
    def _run_length(part):
        """Transfers of a file before the next one is chosen."""
        size, stop = part.size, part.order[2]
        mean = sum(Fraction(bytes_) * Fraction(share) for bytes_, share in part.sizes) / WHOLE
        blocks = max(1, -(-size // max(1, int(mean))))
        if not stop:
            return blocks
        parameter = part.definition.get("stopafter")
        if stop.endswith("%"):
            return max(1, int(blocks * values.percent(parameter) // WHOLE))
        return max(1, values.count(parameter))


# --- pure parts ------------------------------------------------------------------------------------


def bytes_of(member):
    """All bytes of a member's files."""
    owners = 1 if member.get("file_scope") == "test" else member.clones
    return member.get("file_size", 0) * member.get("files", 1) * owners


def merged(pairs):
    """The pairs (size, percent) with each size once."""
    found = {}
    for size, share in pairs:
        found[size] = found.get(size, 0) + share
    return list(found.items())


def mix_of(operations, reads):
    """{operation of iorx: percent}; rdpct mixes reads and writes in the same files, whatever the operation."""
    each = Fraction(WHOLE, len(operations))
    mix = {}
    for operation in operations:
        if operation in names.ON_NAMES:
            mix[names.ON_NAMES[operation]] = mix.get(names.ON_NAMES[operation], 0) + each
        else:
            read = Fraction(reads) / WHOLE if reads is not None else Fraction(operation == "read")
            mix["read"] = mix.get("read", 0) + each * read
            mix["write"] = mix.get("write", 0) + each * (1 - read)
    return mix


def grouped(parts):
    """Parts that are one load: same trees, and data in the same order; operations on names go along with any data."""
    groups = {}
    for part in parts:
        if part.order:
            groups.setdefault((part.anchors, part.size, part.order), []).append(part)
    for part in parts:
        if not part.order:
            key = next((key for key in groups if key[:2] == (part.anchors, part.size)), (part.anchors, part.size, None))
            groups.setdefault(key, []).append(part)
    return list(groups.values())
