"""Darshan: what the counters of files say about the transfers in them."""

import copy
import math
from collections import Counter

K, M, G = 1 << 10, 1 << 20, 1 << 30
BINS = {"0_100": (0, 100), "100_1K": (100, K), "1K_10K": (K, 10 * K), "10K_100K": (10 * K, 100 * K), "100K_1M": (100 * K, M),
        "1M_4M": (M, 4 * M), "4M_10M": (4 * M, 10 * M), "10M_100M": (10 * M, 100 * M), "100M_1G": (100 * M, G), "1G_PLUS": (G, 8 * G)}
BYTES = {"WRITE": "BYTES_WRITTEN", "READ": "BYTES_READ"}
SMALL = 64 * K  # files of one task with no more bytes each count for their names
FEW = 0.8       # of the tasks: with more movers their parts may just be uneven
MAIN = 0.8      # a size with this share of the bytes stands for all


def calls(counts, way, kinds=("", "INDEP_", "COLL_", "SPLIT_", "NB_")):
    return sum(counts.get(f"{kind}{way}S", 0) for kind in kinds)


class Files:
    """Files that were used alike: their counters, summed."""

    def __init__(self, level, tasks):
        self.level, self.tasks = level, tasks
        self.names, self.ranks, self.streams, self.extent = [], set(), 0, 0
        self.sums, self.accesses = Counter(), Counter()
        self.busy = {"WRITE": Counter(), "READ": Counter()}  # {rank: seconds}
        self.spans = {"WRITE": [math.inf, 0], "READ": [math.inf, 0]}
        self.movers = 0  # tasks that moved data of a file that all opened; 0: there is no such file
        self.places_known = True
        self.found = False  # the program read data that it did not write

    def add(self, name, modules):
        self.names.append(name)
        for rank, counts in modules[self.level].items():
            self.ranks.add(rank)
            if rank < 0:
                self.movers = max(self.movers, self.movers_of(counts))
            self.streams += 1 if rank >= 0 else self.movers_of(counts)
            self.sums.update(counts)
            for i in range(1, 5):
                self.accesses[counts.get(f"ACCESS{i}_ACCESS", 0)] += counts.get(f"ACCESS{i}_COUNT", 0)
            for way in filter(lambda way: counts.get(BYTES[way]), BYTES):
                self.add_times(rank, counts, way)
        below = Counter()
        for counts in modules.get("POSIX", {}).values():
            below.update(counts)
            self.extent = max(self.extent, *(counts.get(f"MAX_{key}", 0) + 1 for key in ("BYTE_READ", "BYTE_WRITTEN")))
        if self.level == "MPI-IO":  # only POSIX counts what follows what; two-phase calls are not those of the tasks
            self.places_known &= all(calls(below, way) == sum(calls(one, way) for one in modules[self.level].values()) for way in BYTES)
            self.sums.update({key: below[key] for way in BYTES for key in (f"SEQ_{way}S", f"CONSEC_{way}S")})

    def movers_of(self, counts):
        """Tasks that moved data of a file that all opened: with equal parts the variance of the ranks' bytes says it."""
        whole = sum(counts.get(key, 0) for key in BYTES.values())
        inverse = 1 / self.tasks + self.tasks * counts.get("F_VARIANCE_RANK_BYTES", 0) / whole ** 2 if whole else 0
        return max(1, round(1 / inverse)) if inverse and inverse * FEW * self.tasks >= 1 else self.tasks

    def add_times(self, rank, counts, way):
        spent = counts.get(f"F_{way}_TIME", 0)
        if rank < 0:
            every = sum(counts.get(f"F_{key}_TIME", 0) for key in ("READ", "WRITE", "META"))
            spent = counts.get("F_SLOWEST_RANK_TIME", 0) * spent / every if every else 0
        self.busy[way][rank] += spent
        first, last = self.spans[way]
        self.spans[way] = [min(first, counts.get(f"F_{way}_START_TIMESTAMP", 0)), max(last, counts.get(f"F_{way}_END_TIMESTAMP", 0))]

    def seconds(self, way):
        busiest = self.busy[way][-1] + max((spent for rank, spent in self.busy[way].items() if rank >= 0), default=0)
        first, last = self.spans[way]
        return min(busiest, last - first) if busiest and last > first else busiest

    def bytes(self, *ways):
        return sum(self.sums[BYTES[way]] for way in ways or BYTES)

    def ways(self):
        return [way for way in BYTES if self.bytes(way) and calls(self.sums, way)]

    def users(self):
        """Tasks that used any of the files."""
        return self.movers or len(self.ranks)

    def files_of_user(self):
        return len(self.names) if self.shared() else math.ceil(len(self.names) / self.users())

    def shared(self):
        return self.streams > len(self.names)

    def is_names(self):
        return not self.shared() and self.bytes() <= SMALL * len(self.names)

    def collective(self):
        """True if collective calls move most of the bytes."""
        return any(2 * calls(self.sums, way, ("COLL_", "SPLIT_")) > self.main(way)[1] for way in self.ways())

    def mixed(self):
        """True if reads and writes took turns, or tasks made them at the same time."""
        (first, last), (begin, end) = self.spans.values()
        return len(self.ways()) == 2 and (self.sums["RW_SWITCHES"] * 10 > calls(self.sums, "READ") + calls(self.sums, "WRITE") or
                                          min(last, end) - max(first, begin) > min(last - first, end - begin) / 2)

    def sizes(self, way):
        """[(size, number of transfers)] of each range of the histogram that has any."""
        found, unknown = [], []
        for name, (low, high) in BINS.items():
            number = self.sums[f"SIZE_{way}_{name}"]
            known = {size: count for size, count in self.accesses.items() if low < size <= high}
            size = max(known, key=known.get, default=0)
            if number and known and 10 * known[size] >= 9 * sum(known.values()):
                found.append((size, number))
            elif number:
                unknown.append(((low, high), number))
        left = self.bytes(way) - sum(size * number for size, number in found)
        for (low, high), number in unknown:
            found.append((min(max(left // sum(number for _, number in unknown), low + 1), high), number))
        return sorted(found) or [(max(1, self.bytes(way) // max(1, calls(self.sums, way))), calls(self.sums, way))]

    def main(self, way):
        """(size, number) of the transfers that move most."""
        return max(self.sizes(way), key=lambda one: one[0] * one[1])

    def jumps(self, way):
        """Transfers before the end of the one before: half of those at random places."""
        return max(0, calls(self.sums, way) - self.sums[f"SEQ_{way}S"] - self.streams) if self.places_known else 0

    def random(self, way):
        """Share of transfers at random places. Darshan compares reads with reads: what lay between may have jumped too."""
        number = calls(self.sums, way)
        follow = max(0, 1 - self.sums["RW_SWITCHES"] / 2 / number)  # share of transfers behind one of the same kind
        order = 1 - min(1, 2 * self.jumps(way) / number)
        return 1 - order / (follow + (1 - follow) * order) if order else 1

    def is_sequence(self, way):
        """True if transfers of one size move nearly all, in file order. Others, such as those of HDF5's headers, may jump."""
        size, number = self.main(way)
        others = calls(self.sums, way) - number
        return MAIN <= size * number / self.bytes(way) <= 1 / MAIN and (self.jumps(way) - others) * 50 <= number

    def syncs(self):
        return sum(self.sums[key] for key in ("FSYNCS", "FDSYNCS", "SYNCS"))

    def is_ior(self):
        """True for files in file order and one size, written or read, or both one after the other."""
        ways, written = self.ways(), self.bytes("WRITE")
        return not self.mixed() and all(map(self.is_sequence, ways)) and len({self.main(way)[0] for way in ways}) == 1 and \
            (len(ways) == 1 or abs(self.bytes("READ") - written) * 10 <= written) and self.syncs() <= 2 * self.streams

    def tests(self):
        """The sums that are a test each: reads behind writes that no IOR block does together stand alone."""
        self.found = not self.bytes("WRITE")
        if len(self.ways()) < 2 or self.mixed() or self.is_ior() or self.is_names():
            return [self]
        halves = copy.deepcopy(self), copy.deepcopy(self)
        halves[0].sums[BYTES["READ"]] = halves[1].sums[BYTES["WRITE"]] = 0
        return [half for half in halves if not half.is_names()] or [self]

    def kind(self):
        how = () if self.is_names() else (self.collective(), self.mixed(), *((way, self.main(way)[0]) for way in self.ways()))
        return self.level, self.shared(), self.movers, *how
