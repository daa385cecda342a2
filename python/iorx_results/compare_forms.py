"""A comparison as text, Markdown, JSON and a page."""

import json
import math
import re
import textwrap

from . import ranks, units, words

WIDTH = 80
MOST_NAME_SIGNS = 17  # of the name of a row


ESTIMATE = ("A and B are medians. B/A is not their ratio: it is the median over all pairs of jobs, or of repetitions "
            "where each side is one job (Hodges and Lehmann), to which the interval belongs.")


def of_rates(row):
    """The medians of A and B, both in the same unit."""
    from .statistics import median
    medians = [median(rates) for rates in row.rates]
    quantity = units.fitting(row.quantity, [value for value in medians if value is not None])
    return [units.rate(value, quantity) for value in medians]


def interval(row):
    found = row.ratio and row.ratio.interval
    return f"{found[0]:.3f} to {found[1]:.3f}" if found else "-"


def p_words(ratio):
    if ratio.p is None:
        return "-"
    corrected = ratio.adjusted is not None and ratio.adjusted > ratio.p
    return f"{ratio.p:.2g}" + (f", corrected {ratio.adjusted:.2g}" if corrected else "")


def bound(comparison):
    """The last line: was the bound kept? None where there is none."""
    if comparison.fail_below is None:
        return None
    share = f"{100 * comparison.fail_below:+g} %"
    unjudged = " (tests without a partner are not judged)" if comparison.alone else ""
    if comparison.broken:
        return f"below the bound of {share}{unjudged}: {', '.join(row.name for row in comparison.broken)}"
    if comparison.undecided:
        return (f"undecided at the bound of {share}{unjudged}: "
                f"{', '.join(row.name for row in comparison.undecided)}; {comparison.remedy}")
    if comparison.is_same:
        return f"A and B are the same results: no phase is below the bound of {share}"
    lasts = f"; {comparison.needs} jobs of each would say whether that lasts" if comparison.needs else ""
    return f"no phase of these runs is below the bound of {share}{unjudged}{lasts}"


def alone_lines(comparison):
    """Which tests have no partner, a line for each side."""
    for letter, other in ("AB", "BA"):
        names = [pair.name for side, pair in comparison.alone if side == letter]
        if names:
            yield f"only in {letter}, without a partner in {other}: {'; '.join(names)}"


def side_lines(comparison):
    for letter, side in zip("AB", comparison.sides):
        run = side.runs[0]
        more = f" and {len(side.runs) - 1} more" if len(side.runs) > 1 else ""
        yield letter, f"{side.name}: {run.made_by}, {words.date_of(run)}{more}"


def text(comparison):
    lines = [counts(comparison), ""]
    lines += [f"{letter}  {line}" for letter, line in side_lines(comparison)]
    lines += ["", "differences between the runs"]
    for name, a, b in comparison.differences:
        lines.append(filled(f"{name}: {clip(a)} -> {clip(b)}", "  "))
    if not comparison.differences:
        lines.append("  none")
    lines += ["", *table(comparison)]
    for line in alone_lines(comparison):
        lines += ["", filled(line)]
    if any(row.ratio for row in comparison.rows):
        lines += ["", textwrap.fill(ESTIMATE, WIDTH)]
    if bound(comparison):
        lines += ["", filled(bound(comparison))]
    return "\n".join(lines) + "\n"


VERDICTS = (ranks.FASTER, ranks.SLOWER, ranks.EQUAL, ranks.UNDECIDED)


def counts(comparison):
    """The first line: how many rows have which verdict."""
    seen = [row.judged.seen if row.judged else "without result" for row in comparison.rows]
    found = ", ".join(f"{seen.count(one)} {one}" for one in (*VERDICTS, "without result") if one in seen)
    runs = " in these two runs" if any(row.judged and row.judged.runs for row in comparison.rows) else ""
    return f"{len(seen)} compared{runs}: {found}"


def effect(row):
    """How far the row's ratio is from 1; rows without a ratio come first."""
    return abs(math.log(row.judged.ratio)) if row.judged else math.inf


def table(comparison):
    """The lines of all rows, in groups. Rows of several tests have their short names, or else those of their tests above them."""
    rows, lines = comparison.rows, []
    short = [f"{row.pair.short} {row.phase}" for row in rows]
    options = dict.fromkeys(option for row in rows for option in row.pair.options)
    is_short = comparison.are_many and options and len(set(short)) == len(rows) and max(map(len, short)) <= MOST_NAME_SIGNS
    names = {id(row): name for row, name in zip(rows, short)} if is_short else {}
    if is_short:
        lines.append(filled(f"rows are named by {', '.join(options)} and phase"))
    lines.append(f"{'phase':<19}{'n':>6}{'A':>14}{'B':>14}{'B/A':>8}  95 % interval")
    for several in groups(rows):
        lines += group_lines(several, comparison.are_many and not names, names)
    return lines


def groups(rows):
    """Lists of rows that share their words, each sorted by effect: rows with a winner first, then by the largest effect."""
    found = {}
    for row in sorted(rows, key=effect, reverse=True):
        found.setdefault(shared_words(row, 0), []).append(row)
    return sorted(found.values(), key=lambda several: not has_winner(several[0]))


def shared_words(row, more):
    """The words of a row, with `more` in place of the number of jobs or repetitions that would tell."""
    if has_winner(row):
        return row.words
    return re.sub(r"about \d+ more (job|repetition)s?", rf"up to about {more} more \1s", row.words)


def has_winner(row):
    return not row.judged or row.judged.seen in (ranks.FASTER, ranks.SLOWER)


def group_lines(rows, are_named_above, names):
    """The lines of rows that share their words, which stand below the last one."""
    lines, before = [], None
    for row in rows:
        if are_named_above and row.pair is not before:
            lines.append(filled(row.pair.name))
        before = row.pair
        repetitions = "/".join(str(len(rates)) for rates in row.rates)
        ratio = f"{row.ratio.ratio:.3f}" if row.ratio else "-"
        a, b = (rate.replace("entries/s", "ent/s") for rate in of_rates(row))  # 80 columns
        name = names.get(id(row), row.phase)
        lines.append(f"  {name:<{MOST_NAME_SIGNS}}{repetitions:>6} {a:>13} {b:>13}{ratio:>8}  {interval(row)}")
    return [*lines, textwrap.fill(group_words(rows), WIDTH, initial_indent="     ", subsequent_indent="     ")]


def group_words(rows):
    row = rows[0]
    if len(rows) > 1:
        return f"these {len(rows)} rows: {shared_words(row, max(one.judged.more if one.judged else 0 for one in rows))}"
    has_p = row.ratio and row.ratio.p is not None and not row.by_times
    return row.words + (f"; Mann-Whitney p = {p_words(row.ratio)}" if has_p else "")


def filled(line, indent=""):
    """The line in 80 columns, what follows further in."""
    return textwrap.fill(clip(line, 2000), WIDTH, initial_indent=indent, subsequent_indent=indent + "    ",
                         break_on_hyphens=False)


def clip(value, longest=160):
    value = "".join(c if c.isprintable() else "\ufffd" for c in value)
    return value if len(value) <= longest else value[:longest - 1] + "…"


def escaped(value):
    """A text in a cell of a Markdown table."""
    value = clip(value).replace("&", "&amp;").replace("<", "&lt;")
    return "".join("\\" + c if c in "\\`*_{}[]()#+!|~" else c for c in value)


def markdown(comparison):
    lines = [f"- **{letter}** {escaped(line)}" for letter, line in side_lines(comparison)]
    if comparison.differences:
        lines += ["", "| differs | A | B |", "|---|---|---|"]
        lines += [f"| {escaped(name)} | {escaped(a)} | {escaped(b)} |"
                  for name, a, b in comparison.differences]
    lines += ["", "| test | phase | n | A | B | B/A | 95 % interval | p | verdict |",
              "|---|---|--:|--:|--:|--:|---|--:|---|"]
    for row in comparison.rows:
        ratio, p = (f"{row.ratio.ratio:.3f}", p_words(row.ratio)) if row.ratio else ("-", "-")
        mark = "**" if row.broken else ""
        counts, (a, b) = " / ".join(str(len(rates)) for rates in row.rates), of_rates(row)
        lines.append(f"| {escaped(row.pair.name)} | {escaped(row.phase)} | {counts} "
                     f"| {a} | {b} | {ratio} | {interval(row)} | {p} | {mark}{row.words}{mark} |")
    for line in alone_lines(comparison):
        lines += ["", escaped(line)]
    if any(row.ratio for row in comparison.rows):
        lines += ["", ESTIMATE]
    if bound(comparison):
        lines += ["", escaped(bound(comparison))]
    return "\n".join(lines) + "\n"


def as_json(comparison):
    return json.dumps(document(comparison), indent=1) + "\n"


def document(comparison):
    return {
        "schema": {"name": "iorx-comparison", "version": "1.3"},
        "a": side(comparison.sides[0]), "b": side(comparison.sides[1]),
        "differences": [{"what": name, "a": a, "b": b} for name, a, b in comparison.differences],
        "equal_within": comparison.within, "fail_below": comparison.fail_below,
        "bound_is_broken": bool(comparison.broken),
        "without_partner": [dict(as_test(pair), side=letter.lower()) for letter, pair in comparison.alone],
        "phases": [phase(row) for row in comparison.rows]}


def side(one):
    return {"name": one.name, "files": [run.file for run in one.runs]}


def phase(row):
    from .statistics import median
    unit = "bytes_per_s" if row.quantity is units.BYTES else "operations_per_s"
    found, judged = row.ratio, row.judged
    return {
        **as_test(row.pair), "phase": row.phase, "broken": row.broken, "bound": row.bound,
        **{name: {"repetitions": len(rates), f"median_{unit}": median(rates), "p99_ns": p99,
                  "ordered_operations_per_s": ordered}
           for name, rates, p99, ordered in zip("ab", row.rates, row.latencies, row.ordered)},
        "ratio": found and found.ratio,
        "interval": ends(found), "response": {one.name: as_response(one) for one in row.responses},
        "p": found and found.p, "corrected_p": found and found.adjusted,
        "least_possible_p": found and found.least_p,
        "jobs": found and list(found.jobs), "jobs_that_decide": judged and judged.needs,
        "verdict": judged and judged.verdict, "verdict_on_these_runs": judged and judged.runs or None,
        "more_repetitions": judged and judged.more if judged and judged.unit == "repetition" else 0,
        "words": row.words}


def as_test(pair):
    """`test` is its number in A, in B where it is only there; `options` tell it from the others."""
    a, b = pair.numbers
    return {"test": b if a is None else a, "test_in_b": b, "options": pair.options}


def ends(ratio):
    return ratio and ratio.interval and {"confidence": 0.95, "lower": ratio.interval[0],
                                         "upper": ratio.interval[1]}


def as_response(one):
    """A / B of the times, so that below 1 is slower, as of rates."""
    return {"a_ns": one.medians[0], "b_ns": one.medians[1], "ratio_of_speeds": one.ratio.ratio,
            "interval": ends(one.ratio), "p": one.ratio.p, "corrected_p": one.ratio.adjusted,
            "verdict": one.ratio.verdict, "verdict_on_these_runs": one.ratio.runs or None}
