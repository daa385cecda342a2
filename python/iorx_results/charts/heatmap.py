"""Which task moved how much when: colour is the share of the fastest cell, grey cells completed nothing."""

import numpy

from .. import units, words
from ..figure import plain
from ..palette import HEAT, of_phase
from .axes import elapsed_axis
from .slices import empty_words, joined_edges, joined_sums, used, width_words

MOST_LABELS = 12
LEFT = 92  # pixels for the names of nodes
LEAST = 8  # rows: of fewer tasks the table of slow ones says as much


def applies(kind):
    return any(phase.heatmap and len(phase.heatmap.rows) >= LEAST for phase in kind.phases)


def shown(kind):
    return kind.with_most("heatmap")


def cells(phase):
    """(widths of the columns in recorded slices, bytes per second of each row in each column)."""
    heatmap = phase.heatmap
    edges = joined_edges(phase, used(phase, heatmap.bytes.shape[1], heatmap.slice_seconds))
    widths = numpy.diff(edges)
    return widths, joined_sums(heatmap.bytes[:, :edges[-1]], edges) / (widths * heatmap.slice_seconds)


def caption(kind):
    phase = shown(kind)
    widths, rates = cells(phase)
    slow = slow_rows(phase)
    names = ", ".join(row_name(phase.heatmap.rows[i]) for i in slow[:3])
    more = f" and {len(slow) - 3} more" if len(slow) > 3 else ""
    marked = f" Marked as slow: {names}{more}." if slow else ""
    grey = empty_words(float((rates == 0).mean()), phase, "the cells (grey)")
    return words.Rated(f"Repetition {phase.repetition}: rows are tasks, columns slices of "
                       f"{width_words(widths * phase.heatmap.slice_seconds)}. Full colour is {{0}} of a row."
                       + grey + marked, [float(rates.max())], units.BYTES)


def tasks_of(row):
    """The first and the last task of a row."""
    first = row.get("first_task") or 0
    return first, row.get("last_task") or first


def row_name(row):
    first, last = tasks_of(row)
    return f"task {first}" if first == last else f"tasks {first}-{last}"


def slow_rows(phase):
    """Rows of tasks and nodes that the result calls slow, slowest first."""
    rows, found = phase.heatmap.rows, {}
    for group in ("tasks", "nodes"):
        for one in ((phase.slow.get(group) or {}).get("slowest") or []):
            for index, row in enumerate(rows) if one.get("slow") else ():
                if holds(row, one, group):
                    found[index] = max(found.get(index, 0), one.get("ratio") or 0)
    return sorted(found, key=lambda index: -found[index])


def holds(row, one, group):
    """The row has this slow task, or is of this slow node."""
    if group == "nodes":
        return row.get("node") is not None and row.get("node") == one.get("host")
    first, last = tasks_of(row)
    return one.get("task") is not None and first <= one["task"] <= last


def image(rates, name):
    picture = numpy.zeros(rates.shape + (4,), dtype=numpy.uint8)
    picture[..., :3] = HEAT[name]
    picture[..., 3] = (40 + 215 * rates / (rates.max() or 1)).astype(numpy.uint8)
    picture[rates == 0] = HEAT["wait"] + (90,)
    return picture


def draw(sheet, kind):
    phase = shown(kind)
    widths, rates = cells(phase)
    axes, end = sheet.axes, int(widths.sum()) * phase.heatmap.slice_seconds
    axes.imshow(image(numpy.repeat(rates, widths, axis=1), of_phase(kind.name)), aspect="auto",
                interpolation="nearest", origin="upper", extent=(0, end, len(rates) - 0.5, -0.5))
    elapsed_axis(sheet, end)
    label_rows(sheet, phase.heatmap)
    slow = slow_rows(phase)[:MOST_LABELS]
    axes.plot([1.02] * len(slow), slow, marker="<", markersize=6, linestyle="none", clip_on=False,
              color=sheet.colour("accent"), transform=axes.get_yaxis_transform())
    sheet.labels("time since the phase began", None, f"{kind.name}: tasks over time")


def label_rows(sheet, heatmap):
    """The first row of each node, or evenly spaced rows where there are many nodes or one."""
    axes, rows = sheet.axes, heatmap.rows
    starts = [i for i, row in enumerate(rows) if i == 0 or row.get("node") != rows[i - 1].get("node")]
    if 1 < len(starts) <= MOST_LABELS:
        axes.set_yticks(starts)
        axes.set_yticklabels([plain(rows[i].get("node") or "", 11) for i in starts])
        for i in starts[1:]:
            axes.axhline(i - 0.5, color=sheet.colour("surface"), linewidth=1.2)
    else:
        step = -(-len(rows) // MOST_LABELS)
        chosen = list(range(0, len(rows), step))
        axes.set_yticks(chosen)
        axes.set_yticklabels([row_name(rows[i]) for i in chosen])
    axes.tick_params(axis="y", labelsize="small")
