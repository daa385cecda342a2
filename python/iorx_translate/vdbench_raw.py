"""Makes loads on files and devices of the sd, wd and rd of Vdbench."""

import os
import stat
from fractions import Fraction

from . import native, vdbench_loads as loads, vdbench_loops, vdbench_values as values, vdbench_workloads as workloads
from .problems import fail
from .units import Size
from .vdbench_definitions import Definition, check_path, select
from .vdbench_differences import DIFFERENCES

LOOPS = ("xfersize", "threads", "rdpct", "rhpct", "whpct", "seekpct", "hitarea", "compratio")
WHOLE = 100  # percent
BAND_LEVELS = 5
LONGEST_LIST = 3900  # bytes of the paths of a test


class Load:
    """Workloads of one pass on the same places, and their share of all requests."""

    def __init__(self, places):
        self.places, self.parts, self.share = places, [], Fraction(0)
        self.threads = Fraction(1)  # share of the threads of each sd
        self.has_neighbours = False  # other loads use the same files at the same time

    def add(self, part, share):
        self.parts.append((part, share))
        self.share += share

    def by_pattern(self):
        """A load for each pattern of the workloads; the threads of the sds are shared out among them."""
        found = {}
        for part, share in self.parts:
            found.setdefault(part.pattern(), Load(self.places)).add(part, share)
        for load in found.values():
            load.threads, load.has_neighbours = load.share / self.share, len(found) > 1
        return list(found.values())


class Raw:
    """Makes steps of a native.Job of the rds of a file. hosts: [(label, node)]."""

    def __init__(self, file, job, problems, hosts):
        self.file, self.job, self.problems, self.hosts = file, job, problems, hosts
        self.storage = {one.name: one for one in reversed(file.storage)}  # the first of a name counts

    def steps(self, run, clock):
        return [step for storage in self._storage(run) for step in self._steps(run, clock, storage)]

    def _storage(self, run):
        """The sds of each repetition of the rd; None: those of the wds."""
        chosen = run.get("sd")
        word = chosen.text.lower() if chosen else ""
        everything = self.file.storage
        if not chosen:
            return [None]
        if word == "single":
            return [[one] for one in everything]
        if word == "range":
            return [everything[:end + 1] for end in range(len(everything))]
        if word.startswith("setsof"):
            fail(chosen.origin, f"sd={chosen.text}: draws the sds at random; name them instead")
        return [select(chosen, everything, "sd")]

    def _steps(self, run, clock, storage):
        loops = vdbench_loops.loops(run, LOOPS)
        points = vdbench_loops.passes(run, loops, clock.rates)
        tests = [self._members(run, clock, storage, point) for point in points]
        if any(len(members) > 1 for members in tests):
            return [self._set(clock, members, rate) for members in tests for rate in clock.rates]
        for member, *_ in tests:
            loads.set_nodes(member, self.hosts, self.job)
        return loads.steps_of(clock, [members[0] for members in tests], loops, self.job)

    def _set(self, clock, members, rate):
        """Several loads at the same time, each with its share of the rate."""
        if rate == "curve":
            self.problems.refuse(clock.origin.origin, clock.origin.key, "a curve of several loads at the same time is "
                                 "not possible; give rates, or an rd for each wd")
        if rate == "max" and any(member.is_skewed for member in members):
            self.problems.refuse(clock.origin.origin, "skew", "with max each of several loads goes as fast as it "
                                 "can; give a rate, or leave skew out")
        return loads.set_of(clock, members, rate, self.job)

    # --- one pass --------------------------------------------------------------------------------

    def _members(self, run, clock, storage, point):
        """The loads that run together in one pass of the loops."""
        lookup = workloads.Definitions(run, point, self.problems)
        parts = [workloads.workload(one, self.file, lookup, storage) for one in self._workloads(run)]
        shares = loads.shares_of(run, "wd", [(part.definition.name, part.skew) for part in parts])
        found = {}
        for part, share in zip(parts, shares):
            places = self._places(part, lookup)
            found.setdefault(tuple(places), Load(places)).add(part, share)
        self._check_overlap(run, found.values())
        patterns = [one for load in found.values() for one in load.by_pattern()]
        members = [self._member(run, clock, lookup, load, alike)
                   for load in patterns for alike in self._alike(load.places, lookup)]
        clock.limit_bytes(members, sum(self._bytes(place) for load in found.values() for place in load.places), self.job)
        if len(members) > 1:
            for number, member in enumerate(members, 1):
                member.name += f".{number}"
            self._check_devices(run, members)
        for member in members:
            member.is_skewed = len(patterns) > 1 and any(part.skew is not None for part in parts)
        return members

    def _workloads(self, run):
        chosen = run.get("wd")
        if chosen:
            return select(chosen, self.file.workloads, "wd")
        return [Definition("wd", run.name, run.line, list(self.file.defaults["wd"]))]

    def _places(self, part, lookup):
        places = workloads.places(part, self.file, lookup, self.hosts)
        files = {place.file: place for place in reversed(places)}
        if len(files) == len(places):
            return places
        if part.random:
            self.job.differ(DIFFERENCES["shared"])
            return places
        self.job.differ(DIFFERENCES["one host"])
        return [place for place in places if place is files[place.file]]

    @staticmethod
    def _check_overlap(run, found):
        seen = {}
        for load in found:
            for place in load.places:
                if place.lun in seen and seen[place.lun] is not load:
                    fail(run.origin, f"rd={run.name}: two of its wds use the file {place.lun} with other sds beside it; "
                         "iorx runs wds together on exactly the same sds, or on different ones")
                seen[place.lun] = load

    def _alike(self, places, lookup):
        """Lists of places that one load can serve: as many threads, as many bytes, the same flags."""
        groups = {}
        for place in places:
            storage = self._sd(place)
            key = (place.threads, self._bytes(place), frozenset(workloads.flags(storage)[0]),
                   *(str(storage.get(name) and storage.get(name).text) for name in ("range", "align", "hitarea")))
            groups.setdefault(key, []).append(place)
        found = [part for group in groups.values()
                 for part in (in_short_lists(group) if len({place.file for place in group}) == len(group) and
                              not is_device(group[0].lun) else [group])]
        if len(found) > len(groups):
            self.job.differ(DIFFERENCES["long"])
        return found

    def _sd(self, place):
        return self.storage[place.name]

    # --- one load --------------------------------------------------------------------------------

    def _member(self, run, clock, lookup, load, places):
        """places: those of the load that are alike."""
        member = native.Member(run.name, run.origin, len(places))
        member.share = load.share * Fraction(len(places), len(load.places))
        member.nodes = sorted({place.node for place in places})
        part = load.parts[0][0]
        storage = self._sd(places[0])
        if len(load.parts) > 1:
            self.job.differ(DIFFERENCES["merged"])
            if "max" in clock.rates and all(one.skew is None for one, _ in load.parts):
                self.job.differ(DIFFERENCES["even"])
        self._set_files(member, storage, places)
        threads = places[0].threads
        if load.has_neighbours:
            threads = max(1, round(threads * load.threads))
            member.set("layout", "none", "the test before lays the files out")
            self.job.differ(DIFFERENCES["beside"])
        self._set_backend(member, lookup, run, load, storage)
        self._set_depth(member, lookup, storage, threads, clock)
        loads.set_mix(member, [(loads.read_share(one.reads), one.sizes, share) for one, share in load.parts],
                      lookup.origin(part.definition, "rdpct"), lookup.origin(part.definition, "xfersize"))
        self._set_order(member, lookup, part, storage)
        if part.to_the_end and part.reads < WHOLE and not member.get("allow_device"):
            member.note(DIFFERENCES["filled"])
        clock.limit(member, part.to_the_end and (lookup.origin(part.definition, "seekpct") or run.origin), self.job)
        self._set_content(member, lookup)
        return member

    def _set_depth(self, member, lookup, storage, threads, clock):
        """The threads of an sd are in flight in each of its files; with a rate, in all files of a task together."""
        origin, files = lookup.origin(storage, "threads"), member.get("files", 1)
        if member.get("api") != "uring":
            return
        closed = set(clock.rates) == {"max"}
        member.set("queue_depth", threads if closed else threads * files, origin)
        if closed and files > 1:
            member.set("depth_scope", "file", origin)
        self.job.differ(DIFFERENCES["queue"])

    def _set_backend(self, member, lookup, run, load, storage):
        origin = lookup.origin(storage, "threads")
        looped = run.get("threads") and len(run.get("threads").values) > 1
        backend = "posix" if load.places[0].threads * member.get("files", 1) == 1 and not looped else "uring"
        member.set("api", backend, origin)
        flags, where = workloads.flags(run, *(part.definition for part, _ in load.parts), storage)
        if flags & {"o_direct", "directio"}:
            member.set(f"{backend}.direct", True, where)
        workloads.set_sync(member, flags, where)
        if "clear_cache" in flags:
            member.set("cold", "fadvise", where)
        if "fsync" in flags:
            self.job.differ(DIFFERENCES["fsync"])

    def _set_files(self, member, storage, places):
        luns, origin = [place.lun for place in places], storage.get("lun")
        files = list(dict.fromkeys(place.file for place in places))
        member.set("file_size", Size(self._bytes(places[0])), storage.get("size") or origin)
        if any(is_device(lun) for lun in luns):
            self._set_devices(member, places, origin)
            return
        if len(files) == len(places):  # a file for each task
            paths = self._paths_in_turn(luns, origin)
        else:
            paths = [lun for _, lun in files]
        member.set("test_file", "@".join(path.replace("@", "@@") for path in paths), origin)
        # Each task's file has its number behind the name, which those that are there have not.
        there = len({place.host for place in places}) == 1 and any(os.path.isfile(lun) for lun in luns)
        if len(files) == 1:
            member.set("file_scope", "test")
        elif len(files) == len(places) and not there:
            self.job.differ(DIFFERENCES["files"])
        else:
            self._share_files(member, places, files, origin)
        general = [one.get("formatsds") for one in self.file.general if one.get("formatsds")]
        if general and general[-1].text.lower() == "no":
            member.set("layout", "none", general[-1])
        elif member.get("file_scope") == "test":
            self.job.differ(DIFFERENCES["there"])
            member.set("layout", "missing", "Vdbench formats files that are missing")

    def _paths_in_turn(self, luns, origin):
        """The shortest list that gives each task its lun if it is dealt again and again: a path stands in it once."""
        length = next(n for n in range(1, len(luns) + 1) if all(lun == luns[at % n] for at, lun in enumerate(luns)))
        if len(set(luns[:length])) < length:
            self.problems.refuse(origin.origin, "lun", "some hosts have other sds of the same lun than the rest; give them other "
                                 "names, or each host as many")
        return luns[:length]

    def _share_files(self, member, places, files, origin):
        """Several sds that hosts share or whose files are there: all files are of the task that each host has."""
        hosts = list(dict.fromkeys(place.host for place in places))
        if len(hosts) * len(files) != len(places):
            self.problems.refuse(origin.origin, "lun", "some hosts share other sds than the rest; give each host its own "
                                 "sds, or all of them the same")
        member.clones = len(hosts)
        member.set("file_scope", "test")
        member.set("files", len(files), origin)
        self.job.differ(DIFFERENCES["shared files"])

    def _set_devices(self, member, places, origin):
        """The devices of a host are files of one task, under their own names."""
        hosts = {}
        for place in places:
            hosts.setdefault(place.host, []).append(place.lun)
        luns = next(iter(hosts.values()))
        if not all(is_device(place.lun) for place in places):
            self.problems.refuse(origin.origin, "lun", "devices and files in one load; write an rd for each")
        elif any(own != luns for own in hosts.values()) or len(set(luns)) < len(luns):
            self.problems.refuse(origin.origin, "lun", "a load uses devices of the same names on all its nodes, each once; give "
                                 "them these names on each host, as links below /dev")
        member.clones = len(hosts)
        member.set("test_file", "@".join(lun.replace("@", "@@") for lun in luns), origin)
        member.set("file_scope", "test")
        if len(luns) > 1:
            member.set("files", len(luns), origin)
        if len(hosts) > 1:
            member.set("whole_files", True, "each host visits all of its devices")
        member.set("allow_device", True, origin)
        member.set("layout", "none", "a device is not laid out")
        self.job.differ(DIFFERENCES["devices"])

    def _check_devices(self, run, members):
        """Tasks of a member of a set follow each other, so that a member on several nodes would not have one on each."""
        if any(member.get("allow_device") and len(member.nodes) > 1 for member in members):
            self.problems.refuse(run.origin, f"rd={run.name}", "several loads at the same time on devices of several hosts; write "
                                 "an rd for each of them, or give all sds the same size and threads")

    def _bytes(self, place):
        storage = self._sd(place)
        check_path(storage.get("lun"), place.lun)
        parameter = storage.get("size")
        size = values.size(parameter) if parameter else size_there(place.lun)
        if not size:
            fail(storage.origin, f"sd={storage.name}: size= is missing, and there is no {place.lun} here whose size "
                 "would count; add size=")
        return size

    def _set_order(self, member, lookup, part, storage):
        origin = lookup.origin(part.definition, "seekpct")
        if part.stride:
            member.set("random", "0%", origin)
            member.set("stride", Size(part.stride), part.definition.get("stride"))
        else:
            member.set("random", f"{loads.number(part.random)}%", origin)
        if workloads.starts_anywhere(part.definition, lookup):
            self.job.differ(DIFFERENCES["anywhere"])
        align = storage.get("align")
        if align and part.random and not part.stride:
            member.set("align", Size(values.size(align)), align)
        self._set_distribution(member, lookup, part, storage)

    def _set_distribution(self, member, lookup, part, storage):
        """A range is a region of the file, or two zones if it goes over its end; hit percentages are zones."""
        bytes_ = int(member.get("file_size"))
        if part.band:
            self._set_band(member, lookup, part, zones_of(part.band, bytes_))
            return
        window, offset = part.range or storage.get("range"), storage.get("offset")
        zones = zones_of(window, bytes_) if window else [(0.0, 1.0)]
        if offset and values.size(offset) and window:
            lookup.refuse(offset, "an offset and a range of one sd; write the range in bytes from the start of the file")
        elif offset and values.size(offset):
            if values.size(offset) >= bytes_:
                fail(offset.origin, "offset: is not within the file")
            window, zones = offset, [(values.size(offset) / bytes_, 1.0)]
        if len(zones) == 1 and zones != [(0.0, 1.0)]:
            bytes_, zones = self._set_region(member, window, zones[0], bytes_), [(0.0, 1.0)]
        elif len(zones) > 1 and not part.random:
            lookup.refuse(window, "a sequential load of iorx does not go over the end of a file within a range")
        hits = hit_share(part, lookup)
        origin, parts = window or "", [(begin, end, None) for begin, end in zones]
        if hits is not None:
            area = lookup.value(storage, "hitarea", values.size, workloads.DEFAULT_HIT_AREA) / bytes_
            begin, end = zones[0]
            if not 0 < area < end - begin:
                fail(part.definition.origin, f"wd={part.definition.name}: the hit area is not smaller than the file or "
                     "its range")
            origin = lookup.origin(part.definition, "rhpct" if hits == part.hits[0] else "whpct")
            parts[:1] = [(begin, begin + area, hits), (begin + area, end, None)]
        if part.random and (len(parts) > 1 or len(zones) > 1):
            member.set("distribution", zoned(parts), origin)
            self.job.differ(DIFFERENCES["parts"])

    def _set_band(self, member, lookup, part, zones):
        """hotband: random places that are closer to the start of a band the more often they are visited."""
        if part.range or any(part.hits) or part.random != WHOLE:
            lookup.refuse(part.band, "needs seekpct=100 here, and neither range nor hit percentages beside it")
        member.set("distribution", zoned(band_of(zones)), part.band)
        self.job.differ(DIFFERENCES["hotband"])

    def _set_region(self, member, window, zone, bytes_):
        """Sets the part of the file that is visited, in whole transfers. Returns its bytes."""
        begin, end = (round(share * bytes_) // member.grain * member.grain for share in zone)
        size = max(member.grain, end - begin)
        if begin:
            member.set("region_offset", Size(begin), window)
        if zone[1] < 1:
            member.set("region_size", Size(size), window)
        self.job.differ(DIFFERENCES["parts"])
        return size

    def _set_content(self, member, lookup):
        parameter = next((one.get("compratio") for one in self.file.general if one.get("compratio")), None)
        ratio = lookup.point.get("compratio", values.number(parameter) if parameter else None)
        if ratio is None or ratio == 1:
            return
        origin = lookup.run.get("compratio") or parameter
        share = WHOLE * (1 - 1 / ratio) if ratio > 1 else -1
        if not 0 <= share <= 90:
            self.problems.refuse(origin.origin, "compratio", "iorx makes data that compresses by 1 to 10 times")
            return
        member.set("content_compress", f"{share:.6g}%", origin)


# --- pure parts ------------------------------------------------------------------------------------


def in_short_lists(places):
    """The places cut so that the paths of each part are not too long for test_file."""
    parts, length = [], LONGEST_LIST
    for place in places:
        length += len(place.lun.encode()) + 1 + place.lun.count("@")
        if length > LONGEST_LIST:
            parts.append([])
            length = len(place.lun.encode()) + 1
        parts[-1].append(place)
    return parts


def zones_of(parameter, bytes_):
    """[(begin, end)] as shares of the file; percent, or bytes above 200."""
    if len(parameter.values) != 2:
        fail(parameter.origin, "range: the form is range=(from,to)")
    begin, end = (values.size(parameter, text) for text in parameter.values)
    unit = bytes_ if end > 200 else WHOLE
    begin, end = begin / unit, end / unit
    if not 0 <= begin < end or end - begin > 1 or begin >= 1 or unit == bytes_ and end > 1:
        fail(parameter.origin, f"range: ({','.join(parameter.values)}) is no part of the file")
    if end > 1:
        return [(begin, 1.0), (0.0, end - 1)]
    return [(begin, end)]


def band_of(zones):
    """Zones (begin, end, percent): 80 % of the accesses in the first 20 % of the band, and so on within. zones: of the band."""
    parts, done, ends = [], 0.0, [0.2 ** level for level in reversed(range(BAND_LEVELS))]
    length = sum(end - begin for begin, end in zones)
    for end, accesses in zip(ends, (0.8 ** (BAND_LEVELS - 1), *(0.2 * 0.8 ** level for level in reversed(range(BAND_LEVELS - 1))))):
        pieces = list(piece_of(zones, done * length, end * length))
        parts += [(first, last, WHOLE * accesses * (last - first) / ((end - done) * length)) for first, last in pieces]
        done = end
    return parts


def piece_of(zones, first, last):
    """The parts of the file that lie between two distances from the start of a band."""
    for begin, end in zones:
        low, high = max(first, 0), min(last, end - begin)
        if low < high:
            yield begin + low, begin + high
        first, last = first - (end - begin), last - (end - begin)


def hit_share(part, lookup):
    """The percent of transfers to the hit area, or None without one."""
    hits = part.hits[0] if part.reads == WHOLE else part.hits[1] if not part.reads else None
    if hits is None and part.hits[0] == part.hits[1]:
        hits = part.hits[0]
    origin = next(filter(None, (lookup.origin(part.definition, key) for key in ("rhpct", "whpct"))), None)
    if hits is None:
        lookup.refuse(origin, "reads and writes have different hit percentages, and a load has one distribution; make them "
                      "equal, or write a wd for each on sds of their own")
    elif hits and part.random != WHOLE:
        lookup.refuse(origin, "hit percentages need seekpct=100 here")
        return None
    return hits or None


def zoned(parts):
    """A distribution of zones (begin, end, percent of accesses or None for its share of the rest)."""
    given = sum(percent for _, _, percent in parts if percent is not None)
    free = sum(end - begin for begin, end, percent in parts if percent is None)
    zones, at = [], 0.0
    for begin, end, percent in sorted(parts):
        if begin > at:
            zones.append((0, begin - at))
        zones.append(((WHOLE - given) * (end - begin) / free if percent is None else percent, end - begin))
        at = end
    if at < 1:
        zones.append((0, 1 - at))
    return "zoned:" + ",".join(f"{access:.12g}/{size * WHOLE:.12g}" for access, size in zones)


def is_device(lun):
    """Vdbench makes no files below /dev; those of shared memory are files all the same."""
    return lun.startswith("/dev/") and not lun.startswith("/dev/shm/")


def size_there(path):
    """The size of a file or device that is there, or None."""
    try:
        status = os.stat(path)
        if stat.S_ISBLK(status.st_mode):
            with open(path, "rb") as file:
                return file.seek(0, os.SEEK_END)
        return status.st_size if stat.S_ISREG(status.st_mode) else None
    except OSError:
        return None
