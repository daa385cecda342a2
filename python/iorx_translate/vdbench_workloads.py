"""The requests of each wd of Vdbench in one pass of an rd, and the files and devices that it works on."""

from dataclasses import dataclass

from . import vdbench_values as values
from .problems import fail
from .vdbench_definitions import select

FLAGS = ("o_direct", "directio", "directio_off", "o_sync", "o_dsync", "o_rsync", "fsync", "clear_cache")
DEFAULT_SIZE = 4096
DEFAULT_THREADS = 8
DEFAULT_HIT_AREA = 1 << 20
MOST_SIZES = 32  # of a load
SECTOR = 512


@dataclass
class Workload:
    """A wd as one pass runs it."""
    definition: object
    storage: list     # sd definitions
    reads: float      # percent
    sizes: list       # pairs of bytes and percent
    random: float     # percent of transfers at random places
    to_the_end: bool  # seekpct=eof
    stride: int
    range: object     # Parameter or None
    band: object      # hotband, a Parameter or None
    hits: tuple       # percent of reads and of writes
    skew: object      # percent or None

    def pattern(self):
        """What has to be equal for two workloads to be one load."""
        hits = self.hits if self.random else ()
        return (self.random, self.to_the_end, self.stride, self.range and self.range.values,
                self.band and self.band.values, hits)


@dataclass(frozen=True)
class Place:
    """One sd on one host, where one task works."""
    node: int
    host: str
    name: str  # of the sd
    lun: str
    threads: int

    @property
    def file(self):
        """Two sds are two files, also where their luns have the same name on different hosts."""
        return self.name, self.lun


class Definitions:
    """Looks values up: in the pass of the rd, in the rd itself, and in the wd or sd."""

    def __init__(self, run, point, problems):
        self.run, self.point, self.problems = run, point, problems

    def refuse(self, parameter, reason):
        """Refuses a parameter by name; a lenient translation goes on without it."""
        self.problems.refuse(parameter.origin, parameter.key, reason)

    def value(self, definition, key, read, default):
        """What counts for this definition; the rd's value stands before the definition's."""
        if key in self.point:
            return self.point[key]
        parameter = definition.get(key)
        return read(parameter) if parameter else default

    def origin(self, definition, key):
        """Where the value stands, for the comment in the job; "" for a default of Vdbench."""
        return self.run.get(key) or definition.get(key) or ""


def workload(definition, file, lookup, storage):
    """A wd with its values; storage: the sds that the rd names, or None."""
    chosen = definition.get("sd")
    if storage is None:
        if not chosen:
            fail(definition.origin, f"wd={definition.name}: names no sd")
        storage = select(chosen, file.storage, "sd")
    random, to_the_end = _seek(definition, lookup)
    return Workload(definition, storage, lookup.value(definition, "rdpct", values.percent, 100),
                    sizes_of(definition, lookup, SECTOR), random, to_the_end, _stride(definition, lookup, random),
                    definition.get("range"), definition.get("hotband"),
                    (lookup.value(definition, "rhpct", values.percent, 0),
                     lookup.value(definition, "whpct", values.percent, 0)),
                    optional(definition, "skew", values.percent))


def optional(definition, key, read):
    parameter = definition.get(key)
    return read(parameter) if parameter else None


def _seek(definition, lookup):
    """(percent of random places, ends at the end of the file)."""
    parameter = lookup.run.get("seekpct") or definition.get("seekpct")
    text = str(lookup.value(definition, "seekpct", lambda one: one.values[0], "100")).lower()
    if text in ("-1", "eof"):
        return 0, True
    if text[:1].isdigit() or text[:1] == ".":
        return values.percent(parameter, text), False
    word = values.word(parameter, ("random", "sequential", "poisson"), text[:-2] if text.endswith("nz") else text)
    if word == "poisson":
        lookup.refuse(parameter, "the manual does not define its Poisson distribution; use seekpct=100")
    return (0 if word == "sequential" else 100), False


def starts_anywhere(definition, lookup):
    """seekpct=seqnz: sequential from a random block on."""
    return str(lookup.value(definition, "seekpct", lambda one: one.values[0], "")).lower().endswith("nz")


def sizes_of(definition, lookup, unit):
    parameter = definition.get("xfersize")
    if "xfersize" in lookup.point:
        parameter, sizes = lookup.run.get("xfersize"), [(lookup.point["xfersize"], 100)]
    elif not parameter:
        return [(DEFAULT_SIZE, 100)]
    elif len(parameter.values) == 1:
        sizes = [(values.size(parameter, parameter.values[0]), 100)]
    elif len(parameter.values) == 3:
        sizes = _size_range(parameter)
    elif len(parameter.values) % 2:
        fail(parameter.origin, "xfersize: the form is (size,percent,size,percent,…) or (least,most,multiple)")
    else:
        sizes = [(size, share) for size, share in values.shares(parameter, values.size) if share]
    if len(sizes) > MOST_SIZES:
        fail(parameter.origin, f"xfersize: has {len(sizes)} sizes; a load of iorx has at most {MOST_SIZES}, so take "
             "a larger multiple")
    for size, _ in sizes:
        if not size or size % unit:
            fail(parameter.origin, f"xfersize: {size} is no multiple of {unit} bytes, as Vdbench demands")
    return sizes


def _size_range(parameter):
    """(least,most,multiple): each multiple equally often."""
    least, most, multiple = (values.size(parameter, text) for text in parameter.values)
    if not multiple or least > most:
        fail(parameter.origin, "xfersize: the form of a range is (least,most,multiple)")
    first = -(-least // multiple) * multiple or multiple
    number = (most - first) // multiple + 1
    if not 0 < number <= MOST_SIZES:
        fail(parameter.origin, f"xfersize: has {max(0, number)} sizes; a load of iorx has 1 to {MOST_SIZES}, so "
             "change the multiple")
    return [(first + index * multiple, 100 / number) for index in range(number)]


def _stride(definition, lookup, random):
    """Bytes skipped between transfers; 0: none."""
    parameter = definition.get("stride")
    if not parameter:
        return 0
    steps = [values.size(parameter, text) for text in parameter.values]
    if len(set(steps)) != 1:
        lookup.refuse(parameter, "iorx skips the same number of bytes each time; write stride=(n,n)")
    if random != 100:
        lookup.refuse(parameter, "iorx skips behind each transfer, so it needs seekpct=100")
        return 0
    return steps[0]


# --- storage ---------------------------------------------------------------------------------------


def places(load, file, lookup, hosts):
    """The places of a workload, those of one node together. hosts: [(label, node)]."""
    allowed = labels(load.definition.get("host"), hosts, file)
    found = []
    for storage in load.storage:
        for host, lun in _luns(storage, hosts, file):
            if host in allowed:
                threads = lookup.value(storage, "threads", values.count, DEFAULT_THREADS)
                if not threads:
                    fail(storage.origin, f"sd={storage.name}: threads: 0 threads do nothing")
                found.append(Place(dict(hosts)[host], host, storage.name, lun, threads))
    if not found:
        fail(load.definition.origin, f"wd={load.definition.name}: none of its sds is on a host that it runs on")
    order = [label for label, _ in hosts]
    return sorted(found, key=lambda place: (place.node, order.index(place.host)))


def labels(parameter, hosts, file):
    """The hosts that a host= names; all without one."""
    if not parameter:
        return [label for label, _ in hosts]
    if parameter.values == ("localhost",) and not file.hosts:
        return ["localhost"]
    return [one.name for one in select(parameter, file.hosts, "hd")]


def _luns(storage, hosts, file):
    """[(host, lun)]: lun= and host= in pairs where the names differ, else one lun for all its hosts."""
    luns = [one for one in storage.parameters if one.key == "lun"]
    owners = [one for one in storage.parameters if one.key == "host"]
    if not luns:
        fail(storage.origin, f"sd={storage.name}: lun= is missing")
    own = [one for one in luns if one.line is storage.line] or luns[-1:]
    if len(own) > 1:
        named = [one for one in owners if one.line is storage.line]
        if len(named) != len(own):
            fail(storage.origin, f"sd={storage.name}: several luns need a host= each")
        return [(label, lun.text) for lun, owner in zip(own, named) for label in labels(owner, hosts, file)]
    return [(label, own[0].text) for label in labels(storage.get("host"), hosts, file)]


def set_sync(member, flags, where):
    """O_SYNC or O_DSYNC of the openflags; Linux takes O_RSYNC for O_SYNC."""
    if flags & {"o_sync", "o_rsync"}:
        member.set("sync", "sync", where)
    elif "o_dsync" in flags:
        member.set("sync", "dsync", where)


def flags(*definitions):
    """All openflags of the definitions, with where the first of them stands."""
    found, origin = set(), ""
    for definition in definitions:
        parameter = definition.get("openflags")
        for text in parameter.values if parameter else ():
            if text.lower().startswith("0x"):
                fail(parameter.origin, f"openflags: {text}: iorx passes no numbers to open; use o_direct or o_sync")
            found.add(values.word(parameter, FLAGS, text))
            origin = origin or parameter
    return found, origin
