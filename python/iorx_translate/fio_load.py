"""fio: what a section does: directions, sizes, places, pace and limits."""

import re

from .fio_distribution import distribution
from .fio_pace import set_pace
from .fio_values import Share, number_of, of_directions, size_of, value_of, wrong
from .problems import fail
from .units import Seconds, Size

DIRECTIONS = {"read": "read", "write": "write", "randread": "read", "randwrite": "write", "rw": "mixed",
              "readwrite": "mixed", "randrw": "mixed"}
TRIMS = ("trim", "randtrim", "trimwrite", "randtrimwrite")
ENGINES = {"psync": "posix", "sync": "posix", "pvsync": "posix", "pvsync2": "posix", "libaio": "libaio",
           "io_uring": "uring", "posixaio": "uring", "mmap": "mmap", "null": "null"}
QUEUED = ("libaio", "uring")
SYNCS = {"none": "none", "0": "none", "1": "sync", "sync": "sync", "dsync": "dsync"}
MOST_SIZES = 32
MOST_DEPTH = 4096


class Load:
    """A section's work, and whether whole new files are written, which is IOR's part."""

    def __init__(self, wish, member):
        self.wish, self.member = wish, member
        self.parse_direction()
        self.sizes = [self.parse_sizes(0), self.parse_sizes(1)]
        self.used = [size for on, sizes in zip((self.reads, self.writes), self.sizes) if on for size, _ in sizes]
        self.largest, self.smallest = max(self.used), min(self.used)
        member.grain = self.largest
        self.region = None  # bytes that a clone visits in a file; fio_files sets it
        self.files = 1

    # --- directions and sizes ---

    def parse_direction(self):
        wish = self.wish
        text, colon, sequence = (wish.value("rw", "read")).partition(":")
        if text in TRIMS:
            wish.refuse("rw", "iorx does not trim")
            text = "read"
        if text not in DIRECTIONS:
            fail(wish.get("rw").origin, f"rw={text[:40]}: fio knows read, write, rw, randread, randwrite, randrw and trims")
        self.random = text.startswith("rand")
        kind = DIRECTIONS[text]
        mix = 0 if kind == "write" else 100 if kind == "read" else self.mix()
        self.read_share = mix
        self.reads, self.writes = mix > 0, mix < 100
        self.run_length, self.stride = 1, 0
        if colon and self.random:
            self.run_length = number_of(wish.get("rw"), sequence, 1, 1 << 30)
        elif colon:
            self.stride = size_of(wish.get("rw"), sequence, wish.base)
        if wish.value("rw_sequencer", "sequential") != "sequential" and self.run_length > 1:
            wish.refuse("rw_sequencer", "iorx reads on behind the place that it went to")

    def mix(self):
        """rwmixread and rwmixwrite are one number; the last wins."""
        share = 50
        for key, setting in self.wish.section.settings.items():
            if key in ("rwmixread", "rwmixwrite"):
                number = number_of(setting, value_of(setting), 0, 100)
                share = number if key == "rwmixread" else 100 - number
        return share

    def parse_sizes(self, direction):
        """[(bytes, share)] of reads or writes; bssplit and bsrange stand before bs, in whatever order."""
        wish = self.wish
        if wish.get("bssplit"):
            return self.parse_split(direction)
        if wish.get("bsrange"):
            return self.parse_range(direction)
        setting = wish.get("bs")
        size = None
        if setting:
            value = value_of(setting).replace(":", ",")
            parts = value.split(",")
            part = parts[0] if len(parts) == 1 else parts[direction]
            size = size_of(setting, part, wish.base) if part.strip() else None
        size = Size(4096) if size is None else size
        if size == 0:
            fail(setting.origin, "bs: 0 bytes move nothing")
        return [(size, 100)]

    def parse_split(self, direction):
        setting = self.wish.get("bssplit")
        lists = value_of(setting).split(",")
        entries = (lists[0] if len(lists) == 1 or direction >= len(lists) else lists[direction]).split(":")
        parsed = []
        for entry in entries:
            size, _, percent = entry.partition("/")
            size = size_of(setting, size, self.wish.base)
            if not size:
                wrong(setting, entry, "0 bytes move nothing")
            parsed.append((size, number_of(setting, percent, 0, 100) if percent.strip() else None))
        named = sum(share for _, share in parsed if share is not None)
        open_shares = sum(share is None for _, share in parsed)
        if named > 100:
            wrong(setting, value_of(setting), "the shares have more than 100 in all")
        rest = (100 - named) / open_shares if open_shares else 0
        result = [(size, rest if share is None else share) for size, share in parsed]
        result = [(size, share) for size, share in result if share]
        if not result or len(result) > MOST_SIZES:
            wrong(setting, value_of(setting), f"iorx draws 1 to {MOST_SIZES} sizes")
        return result

    def parse_range(self, direction):
        setting = self.wish.get("bsrange")
        ranges = value_of(setting).split(",")
        text = ranges[0] if len(ranges) == 1 or direction >= len(ranges) else ranges[direction]
        bounds = [size_of(setting, bound, self.wish.base) for bound in re.split("[-:]", text, maxsplit=1)]
        low, high = min(bounds), max(bounds)
        if not low:
            wrong(setting, value_of(setting), "0 bytes move nothing")
        count = high // low
        step = max(1, -(-count // MOST_SIZES))
        if count > 1:
            self.wish.differ("range")
        return [(Size(low * k), 1) for k in range(step if step > 1 else 1, count + 1, step)]

    # --- what kind of test it is ---

    def whole_new_files(self):
        """A sequential write of one size and nothing else: IOR's write phase does it on new files."""
        wish = self.wish
        return (not self.reads and not self.random and len(self.sizes[1]) == 1 and not self.stride and
                self.files == 1 and not any(wish.get(key) for key in (
                    "rate", "rate_iops", "thinktime", "ramp_time", "io_size", "number_ios", "filesize", "offset",
                    "offset_increment", "fdatasync", "steadystate", "allow_file_create", "percentage_random", "loops")) and
                wish.number("fsync", 0) <= 1 and wish.value("sync", "none") in ("none", "0") and
                wish.value("lockfile", "none") == "none")

    # --- the keys ---

    def finish(self):
        self.set_engine()
        self.set_syncs()
        self.set_content()
        if self.member.workload == "IOR":
            self.finish_data()
        else:
            self.finish_load()

    def set_engine(self):
        wish, member = self.wish, self.member
        name = wish.value("ioengine", "psync")
        if name not in ENGINES:
            wish.refuse("ioengine", "iorx has posix, libaio, uring, mmap and null for fio's engines of files")
        api = ENGINES.get(name, "posix")
        if name in ("sync", "posixaio"):
            wish.differ("engine")
        if api == "mmap" and member.workload == "LOAD":
            wish.refuse("ioengine", "iorx maps files for whole new files alone (rw=write of one size); use psync")
        member.set("api", api, wish.origin("ioengine"))
        depth = wish.number("iodepth", 1, 0) or 1
        if depth > MOST_DEPTH:
            wish.refuse("iodepth", f"iorx keeps at most {MOST_DEPTH} requests of a task in flight")
        if api in QUEUED:
            member.set("queue_depth", depth, wish.origin("iodepth"))
            if depth > 1 and not wish.flag("direct"):
                wish.differ("buffered_queue")
            if any(wish.get(key) and wish.number(key, 1) > 1 for key in (
                    "iodepth_batch", "iodepth_batch_complete_min", "iodepth_batch_complete_max", "iodepth_low")):
                wish.differ("batch")
        elif depth > 1:
            wish.differ("one_at_a_time")
        if wish.flag("direct"):
            if api in ("posix", "libaio", "uring"):
                member.set(f"{api}.direct", True, wish.origin("direct"))
            elif api == "mmap":
                wish.refuse("direct", "a mapping has no direct I/O")
        elif api not in ("null", "mmap") and self.reads and wish.flag("invalidate", True) and not wish.flag("pre_read"):
            member.set("cold", "fadvise", wish.origin("invalidate") or "invalidate=1 is fio's default")

    def set_open_sync(self):
        wish, member = self.wish, self.member
        sync = SYNCS.get(wish.value("sync", "none"))
        if sync is None:
            wish.refuse("sync", "fio knows none, sync and dsync")
        elif sync != "none" and self.writes and member.get("api") != "null":
            member.set("sync", sync, wish.origin("sync"))

    def set_syncs(self):
        wish, member = self.wish, self.member
        self.set_open_sync()
        every, data = wish.number("fsync", 0), wish.number("fdatasync", 0)
        if every and data:
            wish.refuse("fdatasync", "a load of iorx has syncs of one kind; leave fsync or fdatasync out")
        elif (every or data) and self.writes and member.workload == "IOR":
            member.set("fsync_per_write", True, wish.origin("fsync"))
        elif (every or data) and self.writes:
            member.set("fsync_every", every or data, wish.origin("fsync", "fdatasync"))
            if data:
                member.set("fsync_data", True, wish.origin("fdatasync"))
        for key in ("end_fsync", "fsync_on_close"):
            if wish.flag(key) and self.writes:
                member.set("fsync", True, wish.origin(key))
                if member.workload == "LOAD":
                    wish.differ("end_fsync")

    def set_content(self):
        wish, member = self.wish, self.member
        if wish.get("buffer_pattern"):
            self.drop_pattern()
        if not self.writes:
            return
        percent = wish.number("buffer_compress_percentage", 0, 0, 100)
        if wish.flag("zero_buffers") or percent == 100:
            member.set("content", "zeros", wish.origin("zero_buffers", "buffer_compress_percentage"))
        elif percent > 90:
            wish.refuse("buffer_compress_percentage", "iorx makes data of which 90 % or all compresses")
        elif percent:
            member.set("content_compress", f"{percent}%", wish.origin("buffer_compress_percentage"))
        dedupe = wish.number("dedupe_percentage", 0, 0, 100)
        if dedupe == 100:
            wish.refuse("dedupe_percentage", "some data must differ; 99 is the most")
        elif dedupe:
            wish.differ("dedupe")
            member.set("content_dedup", max(1, round(100 / (100 - dedupe))), wish.origin("dedupe_percentage"))

    def drop_pattern(self):
        """buffer_pattern matters to a write that does not compress by a percentage: then it is all of the data."""
        if self.writes and not 0 < self.wish.number("buffer_compress_percentage", 0, 0, 100) <= 90:
            self.wish.refuse("buffer_pattern", "iorx writes stamped, random or zero data; buffer_compress_percentage says how much of "
                             "it compresses")
        self.wish.differ("pattern")

    def checks(self):
        value = self.wish.value("verify", "none")
        return value not in ("0", "none", "null") and self.wish.value("ioengine") != "null"

    def writes_all(self):
        """True if the load writes each byte that it visits, once or more."""
        return not self.reads and bool(self.member.get("passes")) and not self.wish.get("runtime") and not self.stride and \
            (not self.random or self.member.get("distribution") == "every_block")

    def finish_data(self):
        wish, member = self.wish, self.member
        member.set("write_file", True, wish.origin("rw"))
        member.set("keep_file", not wish.flag("unlink"), wish.origin("unlink"))
        member.set("transfer_size", self.largest, wish.origin("bs", "bsrange", "bssplit"))
        if self.checks() and wish.flag("do_verify", True):
            member.set("check_write", True, wish.origin("verify"))
            wish.differ("verify")
        wish.differ("new")
        runtime = wish.time("runtime")
        if runtime and wish.flag("time_based"):
            member.set("duration", runtime, wish.origin("runtime", "time_based"))
        elif runtime:
            member.set("stonewall", runtime, wish.origin("runtime"))

    def finish_load(self):
        wish, member = self.wish, self.member
        wish.differ("layout")
        share = self.read_share
        operations = "read:100" if share == 100 else "write:100" if not share else f"read:{share},write:{100 - share}"
        member.set("operations", operations, wish.origin("rw", "rwmixread", "rwmixwrite"))
        self.set_sizes()
        self.set_places()
        set_pace(wish, member, self)
        self.set_limits()
        self.set_steady()
        self.set_lock()
        if self.checks() and self.reads:
            wish.differ("verify_read")
            member.set("check_read", True, wish.origin("verify"))
        if wish.flag("unlink"):
            wish.differ("unlink")

    def set_sizes(self):
        wish, member = self.wish, self.member
        texts = [",".join(f"{Size(size)}/{share:g}" for size, share in sizes) if len(sizes) > 1 else str(sizes[0][0])
                 for sizes in self.sizes]
        origin = wish.origin("bs", "bsrange", "bssplit")
        if self.reads and self.writes and texts[0] != texts[1]:
            member.set("read_sizes", texts[0], origin)
            member.set("write_sizes", texts[1], origin)
        else:
            member.set("sizes", texts[0] if self.reads else texts[1], origin)

    def random_percents(self):
        """Returns the random share of reads, of writes, or of both, in percent."""
        setting = self.wish.get("percentage_random")
        if not self.random or not setting:
            return [100 if self.random else 0]
        shares = of_directions(setting, lambda s, text: number_of(s, text, 0, 100))
        return [100 if share is None else share for on, share in zip((self.reads, self.writes), shares) if on]

    def set_places(self):
        wish, member = self.wish, self.member
        percents = self.random_percents()
        percent = min(percents)
        member.set("random", f"{percents[0]}%", wish.origin("rw", "percentage_random"))
        if percents[-1] != percents[0]:
            member.set("write_random", f"{percents[-1]}%", wish.origin("percentage_random"))
        if self.reads and self.writes and (percent < 100 or self.run_length > 1):
            wish.differ("one_position")
        if self.run_length > 1:
            member.set("run_length", self.run_length, wish.origin("rw"))
        if self.stride:
            member.set("stride", self.stride, wish.origin("rw"))
        if not any(percents):
            return
        align, origin = self.alignment()
        if align:
            member.set("align", align, origin)
        self.set_distribution(percent, align)
        seed = wish.get("randseed")
        if seed:
            member.set("random_offset_seed", number_of(seed, value_of(seed), 0, 1 << 62), wish.origin("randseed"))

    def alignment(self):
        """What offsets are multiples of, if not the size of the transfer, and why: blockalign, or the smallest size."""
        wish = self.wish
        given = [None, None]
        if wish.get("blockalign"):
            given = of_directions(wish.get("blockalign"), lambda s, text: size_of(s, text, wish.base))
        used = [(align or min(size for size, _ in sizes), sizes)
                for on, align, sizes in zip((self.reads, self.writes), given, self.sizes) if on]
        if all(size == align for align, sizes in used for size, _ in sizes):
            return None, ""
        if len({align for align, _ in used}) > 1:
            if wish.get("blockalign"):
                wish.refuse("blockalign", "iorx has one alignment for reads and writes")
            wish.differ("alignment")
        return Size(min(align for align, _ in used)), wish.origin("blockalign") or "of the smallest size, as in fio"

    def set_distribution(self, percent, align):
        wish, member = self.wish, self.member
        text = distribution(wish)
        if text:
            member.set("distribution", text, wish.origin("random_distribution"))
            return
        if wish.flag("norandommap"):
            member.set("distribution", "uniform", wish.origin("norandommap"))
        elif percent < 100 or self.run_length > 1 or self.largest != self.smallest or align:
            wish.differ("repeats")
            if any(len(sizes) > 1 for on, sizes in zip((self.reads, self.writes), self.sizes) if on):
                wish.differ("cut")
            member.set("distribution", "uniform", "")
        else:
            wish.differ("random")
            member.set("distribution", "every_block", wish.origin("norandommap") or "norandommap=0 is fio's default")

    def set_limits(self):
        wish, member = self.wish, self.member
        runtime = wish.time("runtime")
        timed = wish.flag("time_based") and runtime > 0
        ramp = wish.time("ramp_time")
        if ramp:
            member.set("warmup_time", ramp, wish.origin("ramp_time"))
        if runtime:
            member.set("duration", runtime, wish.origin("runtime", "time_based"))
        loops = wish.number("loops", 1, 1)
        operations = wish.number("number_ios", 0, 0, 1 << 60)
        if operations:
            member.set("operation_limit", operations * loops, wish.origin("number_ios", "loops"))
        if timed:
            return
        limit = wish.size("io_size")
        if isinstance(limit, Share):
            wish.refuse("io_size", "give it in bytes")
        total = limit if limit else self.total
        origin = wish.origin("io_size", "loops") or wish.origin("size", "filesize")
        if limit or self.stride or self.total != self.region * self.files:
            member.set("byte_limit", Size(total // self.largest * self.largest * loops), origin)
        else:
            member.set("passes", loops, wish.origin("loops") or wish.origin("size", "filesize"))

    def set_steady(self):
        """steadystate=iops:5% or bw_slope:0.3%, over a window of steadystate_duration."""
        wish, member = self.wish, self.member
        setting = wish.get("steadystate")
        window = wish.time("steadystate_duration")
        if not setting or not window:
            return
        match = re.fullmatch(r"(iops|bw)(_slope)?:(\d{1,6}(?:\.\d{1,6})?)%", value_of(setting))
        if not match:
            wish.refuse("steadystate", "iorx has bounds in percent of the mean, as iops:5% or iops_slope:0.3%")
            return
        bound = float(match[3])
        wish.differ("steady")
        interval = max(1, -(-int(window) // 1000))
        member.set("interval", Seconds(interval), wish.origin("steadystate"))
        bounds = f"slope:{bound * window:g}%" if match[2] else f"range:{2 * bound:g}%"
        member.set("steady", bounds, wish.origin("steadystate"))
        member.set("steady_window", Seconds(max(3, int(window) // interval) * interval), wish.origin("steadystate_duration"))
        if wish.get("steadystate_ramp_time") and not wish.get("ramp_time"):
            member.set("warmup_time", wish.time("steadystate_ramp_time"), wish.origin("steadystate_ramp_time"))

    def set_lock(self):
        """lockfile: exclusive for all, or shared among readers."""
        wish = self.wish
        kind = wish.value("lockfile", "none")
        if kind == "none":
            return
        if kind not in ("exclusive", "readwrite"):
            wish.refuse("lockfile", "fio knows none, exclusive and readwrite")
        elif self.member.get("api") != "posix":
            wish.refuse("lockfile", "only posix locks; set ioengine=psync")
        elif kind == "exclusive" and not self.writes:
            wish.refuse("lockfile", "Linux gives exclusive locks to files that are open for writing; use readwrite")
        else:
            wish.differ("lock")
            lock = kind if kind == "exclusive" or self.reads and self.writes else "exclusive" if self.writes else "shared"
            self.member.set("lock", lock, wish.origin("lockfile"))
