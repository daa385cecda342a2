"""The page of a comparison."""

from . import compare_forms, page
from .charts import before_after, ratios
from .figure import HEIGHT
from .tables import Cell, Table, of_rate, of_time


MOST_WORDS = 4  # rows whose words stand in the headline
MOST_CURVES = 6  # rows whose times are drawn, those of the largest effects


def make(comparison):
    artist = page.Artist()
    drawn = []
    if any(row.ratio for row in comparison.rows):
        height = max(HEIGHT // 2, 90 + 26 * len(comparison.rows))
        drawn.append(artist.draw(lambda sheet: ratios.draw(sheet, comparison),
                                 ratios.caption(comparison), height=height, left=ratios.left(comparison)))
    largest = sorted((row for row in comparison.rows if row.ratio and not row.is_part), key=lambda row: -max(row.ratio.ratio, 1 / row.ratio.ratio))
    drawn += [artist.draw_chart(before_after, both) for both in map(before_after.of_row, largest[:MOST_CURVES]) if both]
    return page.render("compare.html", title="iorx: B against A", headline=headline(comparison),
                       bound=compare_forms.bound(comparison), alone=list(compare_forms.alone_lines(comparison)),
                       broken=bool(comparison.broken) or comparison.is_unjudged,
                       sides=list(compare_forms.side_lines(comparison)), figures=drawn,
                       differences=differences(comparison), phases=phases(comparison),
                       within=f"{100 * comparison.within:g} %")


def headline(comparison):
    """The words of each row, or how many rows have which verdict where there are more than fit."""
    rows = comparison.rows
    if len(rows) <= MOST_WORDS:
        return "; ".join(f"{row.name}: {row.words.split(';')[0]}" for row in rows)
    verdicts = [verdict(row.judged) for row in rows]
    counts = ", ".join(f"{verdicts.count(one)} {one}" for one in dict.fromkeys(sorted(verdicts)))
    return f"B against A in {len(rows)} phases: {counts}"


def verdict(judged):
    if not judged:
        return "without result"
    return f"{judged.seen} in these two runs" if judged.runs else judged.verdict


def differences(comparison):
    return Table("differences", [("what", None), ("A", None), ("B", None)],
                 [[Cell(name), Cell(a), Cell(b)] for name, a, b in comparison.differences],
                 "Options, environment and file systems that differ.")


def phases(comparison):
    from .statistics import median
    rows = []
    for row in comparison.rows:
        found = row.ratio
        rows.append([
            Cell(row.pair.name, f"{comparison.pairs.index(row.pair):05}"), Cell(row.phase),
            Cell(" / ".join(str(len(rates)) for rates in row.rates)),
            *(of_rate(median(rates) if rates else None, row.quantity) for rates in row.rates),
            Cell(f"{found.ratio:.3f}" if found else "-", found.ratio if found else -1),
            Cell(compare_forms.interval(row)),
            Cell(compare_forms.p_words(found) if found else "-", found.p if found and found.p is not None else -1),
            *(of_time(value) for value in row.latencies),
            Cell(row.words, severity="fail" if row.broken else None)])
    heads = ["test", "phase", "n", "A", "B", "B/A", "95 % interval", "p", "p99 of A", "p99 of B", "verdict"]
    return Table("phases", [(head, None) for head in heads], rows,
                 f"{compare_forms.ESTIMATE} n counts the complete repetitions of A / B.")
