"""How large the accesses of a phase were and in which order they came, by Darshan's counters."""

from .. import units

# Darshan's ranges; each contains its upper end, and the last has none.
RANGES = ("0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M", "1M_4M", "4M_10M", "10M_100M", "100M_1G", "1G_PLUS")
EDGES = ("100", "1K", "10K", "100K", "1M", "4M", "10M", "100M", "1G")
# (module, what stands in the names of its sizes), the one nearest to the storage first
MODULES = (("POSIX", ""), ("MPIIO", "AGG_"), ("H5D", "AGG_"))
ACCESSES = (("WRITE", "write"), ("READ", "read"))


def counted(counters):
    """{"write": [operations of each range], "read": …} of the first module that counted any."""
    for module, middle in MODULES:
        found = {name: [counters.get(f"{module}_SIZE_{access}_{middle}{one}") or 0 for one in RANGES]
                 for access, name in ACCESSES}
        if any(map(any, found.values())):
            return {name: values for name, values in found.items() if any(values)}
    return {}


def applies(kind):
    phase = kind.with_most("counters")
    return phase is not None and any(sum(map(bool, values)) > 1 for values in counted(phase.counters).values())


def caption(kind):
    phase = kind.with_most("counters")
    found = counted(phase.counters)
    total = sum(map(sum, found.values()))
    parts = [f"Sizes of {units.whole(total)} accesses of repetition {phase.repetition}; a range "
             "contains its upper end."]
    for access, name in ACCESSES:
        count = phase.counters.get(f"POSIX_{access}S")
        if name in found and count:
            follow, behind = (phase.counters.get(f"POSIX_{order}_{access}S") or 0
                              for order in ("CONSEC", "SEQ"))
            parts.append(f"{units.percent(follow / count)} of the {name}s begin where the one before "
                         f"ended, {units.percent(behind / count)} at that offset or a higher one.")
    alignment = phase.counters.get("POSIX_FILE_ALIGNMENT")
    if alignment:
        astray = phase.counters.get("POSIX_FILE_NOT_ALIGNED") or 0
        parts.append(f"{units.percent(astray / total)} begin at an offset that is no multiple of {units.size(alignment)}.")
    return " ".join(parts)


def draw(sheet, kind):
    axes, found = sheet.axes, counted(kind.with_most("counters").counters)
    total = sum(map(sum, found.values()))
    width = 0.8 / len(found)
    for index, (name, values) in enumerate(found.items()):
        at = [place + (index - (len(found) - 1) / 2) * width for place in range(len(RANGES))]
        axes.bar(at, [100 * value / total for value in values], width * 0.94, label=name,
                 color=sheet.colour(name))
    axes.set_xlim(-0.6, len(RANGES) - 0.4)
    axes.set_ylim(0, 115)
    axes.set_yticks(range(0, 101, 20))
    axes.set_xticks([edge + 0.5 for edge in range(len(EDGES))])
    axes.set_xticklabels(EDGES)
    sheet.grid()
    if len(found) > 1:
        sheet.legend()
    sheet.labels("size of an access in bytes (K, M, G: of 1024)", "% of accesses", f"{kind.name}: access sizes")
