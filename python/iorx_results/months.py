"""
A folder of results as one page: changes of level, a line of each test over time, and a
table that leads to each result.
"""

import os
import urllib.parse
from dataclasses import dataclass
from functools import cached_property

from . import command, files, levels, limits, page, rows, words
from .charts import levels as chart
from .members import ResultError

LEAST_DRAWN = 2  # results that make a line
MOST_ROWS = 10_000  # of the table


@dataclass
class Line:
    """The rows of one test with one kind of phase, in the order of their dates."""
    rows: list
    lines: int  # that are judged together

    @property
    def phase(self):
        return self.rows[0].phase

    @property
    def quantity(self):
        return self.rows[0].quantity

    @cached_property
    def levels(self):
        return levels.levels([row.rate for row in self.rows], self.lines)

    @property
    def changes(self):
        return levels.changes(self.levels)


@dataclass
class Folder:
    """What a folder holds; left_out is [(file, why)]."""
    results: int
    rows: list
    left_out: list
    pages: dict  # {result: its own page}

    @cached_property
    def lines(self):
        """
        [Line] of the tests that have several results with a date and a rate, as they
        first appear.
        """
        found = {}
        for row in self.rows:
            if row.began and row.rate:
                found.setdefault(row.line, []).append(row)
        drawn = [
            rows for rows in found.values()
            if len({row.began for row in rows}) >= LEAST_DRAWN
        ]
        return [Line(rows, len(drawn)) for rows in drawn]


def read(names, arguments, with_pages=False):
    """
    The Folder of all results in these folders and files; one result at a time is held
    in memory.
    """
    found, known, left_out, pages, count = [], {}, [], {}, 0
    for path in [path for name in names for path in files.files_of(name)]:
        try:
            run = files.read_file(path)
        except ResultError as error:
            left_out.append((path, str(error).removeprefix(f"{path}: ")))
            continue
        limits.judge([run], arguments)
        found += rows.of_run(run, known)
        pages[path] = own_page(run, with_pages)
        count += 1
    if not count:
        path, why = left_out[0]
        raise ResultError(f"{', '.join(names)}: no file is a result; {path}: {why}")
    return Folder(count, sorted(found, key=lambda row: row.began), left_out, pages)


def own_page(run, make):
    """
    The page beside a result that is not older than it, which is made where that is
    asked for; None where there is none.
    """
    path = os.path.splitext(run.file)[0] + ".html"
    is_ours = command.begins_with(path, b'content="iorx-report"')
    if is_ours and os.path.getmtime(path) >= os.path.getmtime(run.file):
        return path
    if make and (is_ours or not os.path.lexists(path)):
        command.write_whole(path, page.make([run]))
        return path
    return None


def make(folder, output):
    """The HTML of the page that will stand at `output`."""
    artist = page.Artist()
    # Lines with a change come first, so that they are drawn even where there are too
    # many lines.
    order = sorted(folder.lines, key=lambda line: not line.changes)
    drawn = {
        id(line): artist.draw(lambda sheet, line=line: chart.draw(sheet, line),
                              caption(line))
        for line in order
    }
    tests = {}
    for line in folder.lines:
        if drawn[id(line)]:
            tests.setdefault(line.rows[0].line[:2], []).append(line)
    sections = [{
        "id": section_id(found[0]),
        "title": found[-1].rows[-1].test,
        "place": place(found[0].rows[-1]),
        "figures": [drawn[id(line)] for line in found]
    } for found in tests.values()]
    newest = folder.rows[::-1]
    return page.render("months.html",
                       title=f"iorx: {headline(folder)}",
                       headline=headline(folder),
                       span=span(folder),
                       changes=changes(folder),
                       sections=sections,
                       undrawn=artist.left_out,
                       left_out=[(os.path.basename(path), why)
                                 for path, why in folder.left_out],
                       table=[cells(folder, row, output) for row in newest[:MOST_ROWS]],
                       older=max(0, len(newest) - MOST_ROWS))


def section_id(line):
    return "line-{}-{}".format(*line.rows[0].line[:2])


def headline(folder):
    count = sum(len(line.changes) for line in folder.lines)
    found = f"{words.plural(count, 'change') if count else 'no change'} of level"
    if not count and all(len(line.rows) < levels.LEAST_VALUES for line in folder.lines):
        found = f"too few to name a change of level, which takes {levels.LEAST_VALUES} of one test"
    results = words.plural(folder.results, "result")
    return f"{results}, {found if folder.lines else 'no test twice'}"


def span(folder):
    dated = [row.began for row in folder.rows if row.began]
    if not dated:
        return ""
    lines = words.plural(len(folder.lines), "line")
    return f"{dated[0][:10]} to {dated[-1][:10]}, {lines} of results of the same test"


def place(row):
    on = " on ".join(one for one in (row.storage, row.hosts) if one)
    return on or "storage and hosts are not known"


def changes(folder):
    """What stands first on the page: every change, the newest first."""
    found = [(line.rows[change.at].began, line, change) for line in folder.lines
             for change in line.changes]
    found.sort(key=lambda one: one[0], reverse=True)
    return [{
        "id": section_id(line),
        "fell": change.share < 0,
        "test": line.rows[change.at].test,
        "place": place(line.rows[change.at]),
        "text": words.Rated(f"{line.phase} {sentence(line, change, 0)}",
                            [change.before, change.after], line.quantity)
    } for _, line, change in found]


def sentence(line, change, number):
    """
    The text of a words.Rated whose rates with this number and the next are those before
    and after the change.
    """
    how = "fell" if change.share < 0 else "rose"
    dates = " and ".join(
        when(line.rows[at].began, line) for at in (change.at - 1, change.at))
    share = f"{abs(100 * change.share):.0f} %"
    return f"{how} by {share} between {dates}: {{{number}}} to {{{number + 1}}}"


def when(began, line):
    """A date, and the time of day where the line has several results of a day."""
    days = {row.began[:10] for row in line.rows}
    return began[:10] if len(days) == len(line.rows) else began[:16].replace("T", " ")


def caption(line):
    parts = [
        f"{len(line.rows)} results; median "
        f"{{0}}{' of the last level' if line.changes else ''}."
    ]
    parts += [
        f"{number}: {sentence(line, change, 2 * number - 1)}."
        for number, change in enumerate(line.changes, 1)
    ]
    rates = [
        line.levels[-1][2],
        *(rate for change in line.changes for rate in (change.before, change.after))
    ]
    return words.Rated(" ".join(parts), rates, line.quantity)


def cells(folder, row, output):
    """A row of the table with the way to its result."""
    target = folder.pages.get(row.file) or row.file
    link = urllib.parse.quote(
        os.path.relpath(target, os.path.dirname(os.path.abspath(output))))
    return {
        "link": link,
        "file": os.path.basename(row.file),
        "row": row,
        "began": row.began[:16].replace("T", " ") or os.path.basename(row.file)
    }
