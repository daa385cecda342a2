"""iorx-plot: one chart of a result alone, for papers and slides."""

import argparse
import os
import sys
import textwrap

from . import catalogue, command, draw, files, palette, sets, study, units
from .figure import BARE, TITLE, shape

KINDS = dict(catalogue.CHARTS, **catalogue.STUDY_CHARTS, **catalogue.SET_CHARTS, **catalogue.OVERLAY_CHARTS)
ENDS = ("svg", "png", "pdf")
MM = 25.4
COLUMNS = {1: 88, 2: 180}  # mm of the columns of most journals

EPILOG = "charts:\n" + "\n".join(
    textwrap.fill(chart.__doc__.splitlines()[0], 71, initial_indent=f"  {name:<17}", subsequent_indent=19 * " ")
    for name, chart in KINDS.items())


def size(text):
    """80x50: millimetres."""
    try:
        width, height = (float(part) for part in text.lower().split("x"))
    except ValueError:
        width = height = 0
    if not (20 <= width <= 1000 and 20 <= height <= 1000):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 80x50, each side from 20 to 1000 mm")
    return width, height


def parser():
    parser = argparse.ArgumentParser(
        prog="iorx-plot", description="Draws one chart of results of iorx.", epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", metavar="KIND", choices=KINDS, help="which chart, see below")
    parser.add_argument("results", nargs="+", metavar="RESULT",
                        help="result documents (.json), journals (.jsonl) or folders; charts of studies take many")
    parser.add_argument("-o", "--output", required=True, metavar="FILE",
                        help="the picture; the suffix .svg, .png or .pdf chooses the format")
    parser.add_argument("--test", type=int, metavar="N", help="draw this test; default: the first that has the chart")
    parser.add_argument("--phase", metavar="NAME", help="draw this kind of phase; default: the first, phases of files before those of trees")
    parser.add_argument("--label", action="append", default=[], metavar="TEXT",
                        help="name of a result in the legend of the chart curves, once for each RESULT in their order; "
                             "default: the names of the files")
    parser.add_argument("--size", type=size, metavar="WxH", help="size in mm [as wide as --columns, and a height that fits]")
    parser.add_argument("--columns", type=int, choices=(1, 2), default=1, metavar="N",
                        help="columns of a paper that the picture takes, 88 or 180 mm, with type of 8 points [1]")
    parser.add_argument("--font", metavar="NAME", help="font family, by its name in matplotlib")
    parser.add_argument("--font-size", type=float, default=8, metavar="PT", help="font size in points [8]")
    parser.add_argument("--dpi", type=float, default=300, help="dots per inch of a PNG [300]")
    parser.add_argument("--theme", choices=palette.THEMES, default="light", help="colours [light]")
    parser.add_argument("--unit", choices=[name for name, _ in units.BYTES.units], default="MiB/s",
                        help="unit of rates [MiB/s]")
    parser.add_argument("--title", action="store_true", help="draw the title too, which a paper says in its caption")
    parser.add_argument("--caption", action="store_true", help="print the caption of the chart")
    command.add_version(parser)
    return parser


def candidates(arguments, runs):
    """[(number of the test or None, chart, what it draws)] that there are of this kind."""
    if arguments.kind in catalogue.OVERLAY_CHARTS:
        chart = catalogue.OVERLAY_CHARTS[arguments.kind]
        return [(None, chart, overlay) for overlay in study.overlays(runs, labels(arguments, runs))
                if chart.applies(overlay)]
    if arguments.kind in catalogue.SET_CHARTS:
        return [(None, chart, one) for run in runs for name, chart, one in sets.charts(run) if name == arguments.kind]
    if arguments.kind in catalogue.STUDY_CHARTS:
        return [(None, chart, line) for found in study.of_runs(runs)
                for name, chart, line in catalogue.of_study(found) if name == arguments.kind]
    return [(test.number, chart, kind) for run in runs for test in run.tests
            for name, chart, kind in catalogue.of_test(test) if name == arguments.kind]


def labels(arguments, runs):
    """A name for each run."""
    if not arguments.label:
        return files.labels(runs)
    if len(arguments.label) != len(runs):
        raise command.Usage(f"--label: {len(arguments.label)} given for {len(runs)} results; give one for each")
    return arguments.label


def others(runs):
    """Words about the charts that there are."""
    names = [name for found in study.of_runs(runs) for name, _, _ in catalogue.of_study(found)]
    names += [name for run in runs for name, _, _ in sets.charts(run)]
    names += [name for run in runs for test in run.tests for name, _, _ in catalogue.of_test(test)]
    return f"; these can: {', '.join(dict.fromkeys(names))}" if names else ""


def choose(arguments, runs):
    found = candidates(arguments, runs)
    if not found:
        raise command.Usage(f"{', '.join(arguments.results)}: no {arguments.kind} chart can be drawn"
                            + others(runs))
    numbers = sorted({one[0] for one in found} - {None})
    if numbers and arguments.test not in (None, *numbers):
        shown = ", ".join(map(str, numbers[:20])) + (" …" if numbers[20:] else "")
        raise command.Usage(f"--test {arguments.test}: it has no {arguments.kind} chart; "
                            f"tests that have one: {shown}")
    fitting = [one for one in found if arguments.test in (None, one[0])
               and (arguments.phase is None or arguments.phase in catalogue.names(one[2]))]
    if not fitting:
        there = ", ".join(name if number is None else f"--test {number} --phase {name}"
                          for number, _, data in found[:8] for name in catalogue.names(data))
        raise command.Usage(f"no such test or phase; {arguments.kind} can be drawn with {there}")
    return (fitting[0] if arguments.phase else preferred(fitting))[1:]


def preferred(found):
    """Of the first test: write, read or work on files before what makes and removes the directories."""
    same = [one for one in found if one[0] == found[0][0]]
    return min(same, key=lambda one: catalogue.names(one[2])[0].startswith(("tree-", "dir-")))


def style_of(arguments, chart, data):
    if not 3 <= arguments.font_size <= 72:
        raise command.Usage("--font-size: from 3 to 72 points")
    unit = [name for name, _ in units.BYTES.units].index(arguments.unit)
    return draw.Style(palette.THEMES[arguments.theme], unit, *size_of(arguments, chart, data), arguments.font_size,
                      arguments.font, arguments.title)


def size_of(arguments, chart, data):
    """(width, height) in points: what was asked for, or the columns of a paper and the height that the chart has in a page."""
    if arguments.size:
        return [part / MM * draw.POINTS for part in arguments.size]
    width, (_, height, *_) = COLUMNS[arguments.columns] / MM * draw.POINTS, shape(chart, data)
    return width, (height - (0 if arguments.title else TITLE - BARE)) * arguments.font_size / 12


def run(arguments):
    end = os.path.splitext(arguments.output)[1].lstrip(".").lower()
    if end not in ENDS:
        raise command.Usage(f"{arguments.output}: the name must end in .svg, .png or .pdf")
    if arguments.label and arguments.kind not in catalogue.OVERLAY_CHARTS:
        raise command.Usage(f"--label names results in the chart curves, not in {arguments.kind}")
    chart, data = choose(arguments, files.read_runs(arguments.results))
    style = style_of(arguments, chart, data)
    draw.save(chart, data, style, arguments.output, end, arguments.dpi)
    if arguments.caption:
        caption = chart.caption(data)
        command.write_out((caption.words(style.unit) if hasattr(caption, "words") else str(caption)) + "\n")
    return 0


def main():
    return command.start(parser(), run)


if __name__ == "__main__":
    sys.exit(main())
