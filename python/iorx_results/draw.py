"""Charts into files of their own, and a PDF of A4 pages: what decides on three of them, or every chart."""

import os
import textwrap
from itertools import count

from . import brief, files, headline, words
from .command import replacing
from .figure import POINTS, WIDE, Sheet, Style, drawing, plain, shape

# Nothing of the moment in the file: the same result gives the same bytes.
METADATA = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
A4 = (8.27, 11.69)
MARGIN = 40  # points
ROOM = A4[0] * POINTS - 2 * MARGIN, A4[1] * POINTS - 2 * MARGIN  # of a page
LINE, TYPE = 11.5, 8  # points of a line of text, and of its letters
SIGNS = 118  # of a line
CAPTION = 6.5
MOST_PAGES = 3


def save(chart, data, style, path, end, dpi=300):
    """One chart as a file."""
    with drawing(style):
        sheet = Sheet(style, *shape(chart, data)[2:])
        chart.draw(sheet, data)
        with replacing(path) as new:
            sheet.figure.savefig(new, format=end, dpi=dpi if end == "png" else POINTS,
                                 facecolor=style.colours["surface"], metadata=METADATA[end])


def save_all(runs, folder):
    """All charts as PNG files in a folder; returns how many."""
    os.makedirs(folder, exist_ok=True)
    number = 0
    for number, one in enumerate(brief.every(runs), 1):
        width, height, *_ = shape(one.chart, one.data)
        safe = "".join(c if c.isalnum() or c in "-_" else "_" for c in one.name)[:120]
        save(one.chart, one.data, Style(unit=0, width=width, height=height), os.path.join(folder, safe + ".png"), "png", 2 * POINTS)
    return number


def save_pdf(runs, path, everything=False):
    """The first lines, the points, verdicts and environment, and the charts that decide on MOST_PAGES; or all of each."""
    from matplotlib.backends.backend_pdf import PdfPages
    with replacing(path) as new, PdfPages(new, metadata={"CreationDate": None}) as pages, drawing(Style(unit=0, font_size=TYPE)):
        paper = Paper(pages, None if everything else MOST_PAGES)
        paper.put_lines(summary_lines(runs, everything))
        for one in brief.every(runs) if everything else brief.deciding(runs):
            paper.put_chart(one)
        paper.end_page()


class Paper:
    """A4 pages that fill from the top: lines of text, then charts in two columns."""

    def __init__(self, pages, most):
        self.pages, self.left = pages, count() if most is None else range(most)
        self.left = iter(self.left)
        self.begin_page()

    def begin_page(self):
        from matplotlib.figure import Figure
        self.figure = Figure(figsize=A4) if next(self.left, None) is not None else None
        self.below, self.row, self.column = 0, 0, 0  # points from the top to what is free, the height of this row, its columns taken

    def end_page(self):
        if self.figure:
            self.pages.savefig(self.figure)

    def next_page(self):
        self.end_page()
        self.begin_page()

    def put_text(self, x, y, text, size, **how):
        self.figure.text((MARGIN + x) / A4[0] / POINTS, 1 - (MARGIN + y) / A4[1] / POINTS, text, va="top", fontsize=size, **how)

    def put_lines(self, lines):
        """[(text, whether it is bold, whether it is a row of a table)]"""
        for text, is_bold, is_row in lines:
            if self.below + LINE > ROOM[1]:
                self.next_page()
            if not self.figure:
                return
            self.put_text(0, self.below, plain(text, 400), TYPE, weight="bold" if is_bold else "normal",
                          family="monospace" if is_row else "sans-serif")
            self.below += LINE
        self.below += LINE

    def put_chart(self, one):
        """A chart with its caption: half as wide as the page, or as wide."""
        width, height, left, right = shape(one.chart, one.data)
        columns = 2 if width == WIDE else 1
        wide = (ROOM[0] - 16) / 2 if columns == 1 else ROOM[0]
        scale = wide / width
        caption = textwrap.wrap(f"{one.where}{one.chart.caption(one.data)}", int(wide / CAPTION / .5))
        tall = height * scale + (len(caption) + 2) * CAPTION * 1.3
        if self.column + columns > 2:
            self.below, self.row, self.column = self.below + self.row, 0, 0
        if self.below + tall > ROOM[1]:
            self.next_page()
        if not self.figure:
            return
        x = self.column * (ROOM[0] + 16) / 2
        style = Style(unit=0, font_size=12 * scale, width=wide, height=height * scale)
        with drawing(style):
            sheet = Sheet(style, left, right, axes=self.figure.add_axes([0, 0, 1, 1]))
            sheet.place(MARGIN + x, MARGIN + self.below)
            one.chart.draw(sheet, one.data)
        self.put_text(x, self.below + height * scale + CAPTION, "\n".join(plain(line, 400) for line in caption), CAPTION, linespacing=1.25)
        self.row, self.column = max(self.row, tall), self.column + columns


def summary_lines(runs, everything=False):
    """[(text, whether it is bold, whether it is a row of a table)] of what stands before the charts."""
    lines = []
    for run, label in zip(runs, files.labels(runs)):
        title = ", ".join(str(part) for part in headline.headline(run))
        lines += [(line, True, False) for line in wrapped(f"{label}: {title}" if len(runs) > 1 else title)]
        lines += [(line, False, False) for line in wrapped(headline.belief(run)[1])]
        if everything:
            lines += [(line, False, False) for test in run.tests for line in wrapped(f"Test {test.number}: {words.test_title(test)}")]
        lines += [(plain(line, SIGNS), False, False) for line in brief.environment(run)] + [("", False, False)]
    lines += [(line, False, True) for line in table_lines(brief.points(runs, None if everything else brief.MOST_POINTS))]
    lines += [("", False, False)]
    found = brief.verdicts(runs, None if everything else brief.MOST_VERDICTS)
    return lines + [(line, False, False) for row in found.rows for line in wrapped(" ".join(cell.text for cell in row))]


def wrapped(text):
    return textwrap.wrap(text, SIGNS, subsequent_indent="    ")


def table_lines(table):
    """The rows of a table as lines, numbers to the right; names are cut where a line would be longer than it may be."""
    from .units import rate
    rows = [[rate(cell.rate, cell.quantity) if cell.rate is not None else cell.text for cell in row] for row in table.rows]
    rows = [[name for name, _ in table.heads], *rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    widths[0] = max(8, min(widths[0], 110 - sum(widths[1:]) - 2 * len(widths)))
    numbers = [bool(table.rows) and cell.number for cell in table.rows[0]] if table.rows else []
    for row in rows if table.rows else []:
        yield "  ".join(text[:width].rjust(width) if is_number else text[:width].ljust(width)
                        for text, width, is_number in zip(row, widths, numbers)).rstrip()
    yield from textwrap.wrap(table.caption, 110)
