"""Charts into files of their own, and all charts of some runs into a folder or one PDF."""

import os
import textwrap

from . import catalogue, files, headline, set_points, study, words
from .command import replacing
from .figure import LEFT, POINTS, Sheet, Style, drawing

# Nothing of the moment in the file: the same result gives the same bytes.
METADATA = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
A4 = (8.27, 11.69)


def save(chart, data, style, path, end, dpi=300):
    """One chart as a file."""
    with drawing(style):
        sheet = Sheet(style, getattr(chart, "LEFT", LEFT))
        chart.draw(sheet, data)
        with replacing(path) as new:
            sheet.figure.savefig(new, format=end, dpi=dpi if end == "png" else POINTS,
                                 facecolor=style.colours["surface"], metadata=METADATA[end])


def charts_of(runs):
    """(name for a file, words on which test it is of, chart, data) of all charts of these runs."""
    for number, found in enumerate(study.of_runs(runs)):
        where = ", ".join(files.labels_of(found.runs, runs)) + ": " if len(runs) > 1 else ""
        for name, chart, line in catalogue.of_study(found):
            yield f"study{number}-{name}-{line.name}", where, chart, line
    for overlay in study.overlays(runs, files.labels(runs)):
        for name, chart in catalogue.OVERLAY_CHARTS.items():
            yield f"{name}-{overlay.name}", ", ".join(label for label, _ in overlay.members) + ": ", chart, overlay
    for number, (run, label) in enumerate(zip(runs, files.labels(runs))):
        begin = f"run{number}-" if len(runs) > 1 else ""
        for index, ladder in enumerate(set_points.ladders(run)):
            for name, chart in catalogue.of_ladder(ladder):
                yield f"{begin}set{index}-{name}", f"{label}: " if begin else "", chart, ladder
        for test in run.tests:
            where = f"{label}, test {test.number}: " if begin else f"Test {test.number}: "
            for name, chart, kind in catalogue.of_test(test):
                yield f"{begin}test{test.number}-{name}-{kind.name}", where, chart, kind


def save_all(runs, folder):
    """All charts as PNG files in a folder; returns how many."""
    os.makedirs(folder, exist_ok=True)
    count, style = 0, Style(unit=0)
    for name, _, chart, data in charts_of(runs):
        safe = "".join(c if c.isalnum() or c in "-_" else "_" for c in name)[:120]
        save(chart, data, style, os.path.join(folder, safe + ".png"), "png", 2 * POINTS)
        count += 1
    return count


def save_pdf(runs, path):
    """The verdict lines, then every chart with its caption, on A4 pages."""
    from matplotlib.backends.backend_pdf import PdfPages
    with replacing(path) as new, PdfPages(new, metadata={"CreationDate": None}) as pages:
        put_text_pages(pages, summary_lines(runs))
        charts = list(charts_of(runs))
        for first in range(0, len(charts), 3):
            put_chart_page(pages, charts[first:first + 3])


def summary_lines(runs):
    """What the top of a page says of each run, as lines of text."""
    from . import page, tables
    lines = []
    for run, label in zip(runs, files.labels(runs)):
        lines += [label] if len(runs) > 1 else []
        lines += textwrap.wrap(", ".join(str(part) for part in headline.headline(run)), 84)
        lines += [headline.belief(run)[1], *textwrap.wrap(page.subtitle(run), 84), ""]
        for test in run.tests:
            lines += textwrap.wrap(f"Test {test.number}: {words.test_title(test)}", 84)
            lines += [line for kind in test.kinds
                      for line in textwrap.wrap(str(words.rate_sentence(kind)), 80,
                                                initial_indent="  ", subsequent_indent="    ")]
            for row in tables.findings(test).rows:
                lines += textwrap.wrap(" ".join(cell.text for cell in row[:4]), 80, initial_indent="  ",
                                       subsequent_indent="    ")
            lines.append("")
    return lines


def put_text_pages(pages, lines):
    from matplotlib.figure import Figure

    from .figure import plain
    for first in range(0, len(lines), 62):
        figure = Figure(figsize=A4)
        text = "\n".join(plain(line, 200) for line in lines[first:first + 62])
        figure.text(.08, .95, text, va="top", fontsize=9, linespacing=1.35)
        pages.savefig(figure)


def put_chart_page(pages, charts):
    """Up to three charts below each other, each with its caption."""
    import matplotlib
    from matplotlib.figure import Figure

    from .figure import plain
    style = Style(unit=0, font_size=9, width=A4[0] * POINTS, height=A4[1] * POINTS)
    with matplotlib.rc_context(style.settings()):
        figure = Figure(figsize=A4)
        for index, (_, where, chart, data) in enumerate(charts):
            top = .95 - .31 * index
            sheet = Sheet(style, axes=figure.add_axes([.16, top - .21, .74, .2]))
            chart.draw(sheet, data)
            caption = textwrap.fill(f"{where}{chart.caption(data)}", 100)
            figure.text(.08, top - .25, "\n".join(plain(line, 200) for line in caption.split("\n")),
                        va="top", fontsize=8)
        pages.savefig(figure)
