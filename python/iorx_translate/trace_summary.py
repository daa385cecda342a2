"""What a native trace holds, for a reader."""

from collections import Counter

from .trace_file import OPERATIONS, READ, WRITE, FSYNC
from .units import Seconds, Size

MOST_REGIONS = 1 << 16    # counted at a time; beyond these a region becomes twice as large
SMALLEST_REGION_BITS = 12
HOT = 10                  # percent of the touched space


class Touched:
    """Requests of each region of the files. Regions grow, so that their number stays small."""

    def __init__(self):
        self.bits, self.counts = SMALLEST_REGION_BITS, Counter()

    def add(self, file, offset, length):
        while length >> self.bits > MOST_REGIONS // 2:
            self.grow()
        for region in range(offset >> self.bits, ((offset + length - 1) >> self.bits) + 1):
            self.counts[file, region] += 1
        while len(self.counts) > MOST_REGIONS and self.bits < 63:
            self.grow()

    def grow(self):
        """Makes regions twice as large."""
        self.bits += 1
        larger = Counter()
        for (file, region), count in self.counts.items():
            larger[file, region >> 1] += count
        self.counts = larger

    def space(self):
        return len(self.counts) << self.bits

    def hot_share(self):
        """Percent of the accesses that go to the HOT percent of the regions with the most."""
        most = self.counts.most_common(max(1, len(self.counts) * HOT // 100))
        return 100 * sum(count for _, count in most) / sum(self.counts.values())


def lines(trace):
    """The lines of a summary. All records are read, and so checked."""
    head, touched, sizes = trace.head, Touched(), Counter()
    for stream in range(head.num_streams):
        for _, offset, length, file, _, operation, _, _ in trace.records(stream):
            if operation != FSYNC:
                touched.add(file, offset, length)
                if len(sizes) < MOST_REGIONS or (operation, length) in sizes:
                    sizes[operation, length] += 1
    yield f"source      {head.source.rstrip(bytes(1)).decode('utf-8', 'replace')}"
    yield f"operations  {sum(head.calls)}: " + ", ".join(f"{number} {word}" for word, number in zip(OPERATIONS, head.calls) if number)
    yield f"bytes       read {Size(head.bytes[READ])}, written {Size(head.bytes[WRITE])}"
    for operation, word in enumerate(OPERATIONS):
        common = sorted(((number, length) for (kind, length), number in sizes.items() if kind == operation), reverse=True)[:4]
        if common:
            mean = head.bytes[operation] / head.calls[operation]
            yield f"{word:11} mean {mean:.0f} bytes; most often " + ", ".join(
                f"{Size(length)} ({100 * number / head.calls[operation]:.0f} %)" for number, length in common)
    moved = head.bytes[READ] + head.bytes[WRITE]
    if moved:
        yield f"read share  {100 * head.calls[READ] / (head.calls[READ] + head.calls[WRITE]):.1f} % of transfers, {100 * head.bytes[READ] / moved:.1f} % of bytes"
    yield f"span        {Seconds(head.span / 1e9)} s"
    yield f"files       {head.num_files}, {Size(sum(one.size for one in trace.files))} needed"
    yield f"streams     {head.num_streams}" + (f", at most {head.depth} requests of one in progress" if head.depth else "")
    if touched.counts:
        yield f"space       {Size(touched.space())} touched, in regions of {Size(1 << touched.bits)}"
        yield f"hot share   {touched.hot_share():.1f} % of accesses go to {HOT} % of the touched space"
    yield f"left out    {head.failed} failed calls, {head.not_played} of other kinds; {head.split} calls split"
