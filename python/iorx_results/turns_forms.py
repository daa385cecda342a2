"""Jobs that ran in turns as text, Markdown, JSON and a page: who is faster, and the comparison of each with the first command."""

import json

from . import compare_forms, page_compare, ranks
from .command import Usage
from .turns import LETTERS

MOST_RANKED = 6  # rows that the ranking of many rows has, of which it takes those with a winner
TOGETHER = ("The intervals are right for all rows and all looks together, with 95 %: stopping when the rows are decided finds no "
            "more false winners.")


def lines_of_run(found):
    """What ran and where the results are."""
    jobs = ", ".join(f"{letter} {len(runs)}" for letter, runs in zip(LETTERS, found.runs))
    yield f"jobs in turns: {jobs}, in {found.seconds:.0f} s: {found.ended}"
    yield f"results: {found.folder.path}; --keep={found.folder.path} with the same commands goes on there"


def ranking(found):
    """A line for each row and each command but the first, those that differ most first; of many rows only those with a winner."""
    ranked = [(letter, row) for letter, comparison in zip(LETTERS[1:], found.comparisons)
              for row in comparison.rows if row.ratio and row.ratio.interval and not row.by_times]
    if len(ranked) > MOST_RANKED:
        ranked = [(letter, row) for letter, row in ranked if row.ratio.verdict in (ranks.FASTER, ranks.SLOWER)]
    ranked.sort(key=lambda one: compare_forms.effect(one[1]), reverse=True)
    return [f"{row.name}: {rank_words(letter, row.ratio, row.within)}" for letter, row in ranked[:MOST_RANKED]]


def rank_words(letter, found, within):
    """B is 1.24 times as fast as A, 1.18 to 1.31; the faster of the two is named first."""
    low, high = found.interval
    if found.verdict == ranks.FASTER:
        return f"{letter} is {found.ratio:.2f} times as fast as A, {low:.2f} to {high:.2f}"
    if found.verdict == ranks.SLOWER:
        return f"A is {1 / found.ratio:.2f} times as fast as {letter}, {1 / high:.2f} to {1 / low:.2f}"
    if found.verdict == ranks.EQUAL:
        return f"A and {letter} are equal within {100 * within:g} %"
    return f"undecided, {letter} may be {low:.2f} to {high:.2f} times as fast as A"


def title(letter):
    return f"{letter} against A" + ("" if letter == "B" else f", where the table calls {letter} B")


def sections(found, form, heading):
    """The comparisons in a form; where there are several each has a heading."""
    several = len(found.comparisons) > 1
    for letter, comparison in zip(LETTERS[1:], found.comparisons):
        yield (heading(title(letter)) if several else "") + form(comparison)


def text(found):
    first = [compare_forms.filled(line) for line in [*lines_of_run(found), *ranking(found)]]
    parts = sections(found, compare_forms.text, lambda words: words + "\n\n")
    return "\n\n".join(["\n".join(first), *(part.rstrip("\n") for part in parts), compare_forms.filled(TOGETHER)]) + "\n"


def markdown(found):
    first = [f"- {compare_forms.escaped(line)}" for line in [*lines_of_run(found), *ranking(found)]]
    parts = sections(found, compare_forms.markdown, lambda words: f"## {words}\n\n")
    return "\n\n".join(["\n".join(first), *(part.rstrip("\n") for part in parts), TOGETHER]) + "\n"


def as_json(found):
    return json.dumps({
        "schema": {"name": "iorx-comparison-in-turns", "version": "1.0"},
        "folder": found.folder.path, "commands": found.folder.commands, "jobs": [len(runs) for runs in found.runs],
        "looks": found.folder.looks, "seconds": found.seconds, "ended": found.ended, "failure": found.failure or None,
        "ranking": ranking(found),
        "comparisons": [compare_forms.document(comparison) for comparison in found.comparisons]}, indent=1) + "\n"


def page(found):
    if len(found.comparisons) != 1:
        raise Usage("a page shows two commands; use --format=text, markdown or json for more")
    return page_compare.make(found.comparisons[0])


FORMS = {"text": text, "markdown": markdown, "json": as_json, "html": page}
