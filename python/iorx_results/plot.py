"""iorx-plot: one chart of a result alone, for papers and slides."""

import argparse
import os
import sys
import textwrap

from . import catalogue, command, draw, files, palette, set_points, study, units

KINDS = dict(catalogue.CHARTS, **catalogue.STUDY_CHARTS, **catalogue.SET_CHARTS, **catalogue.OVERLAY_CHARTS)
ENDS = ("svg", "png", "pdf")
MM = 25.4

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
    parser.add_argument("--size", type=size, default=(120, 74), metavar="WxH", help="size in mm [120x74]")
    parser.add_argument("--font", metavar="NAME", help="font family, by its name in matplotlib")
    parser.add_argument("--font-size", type=float, default=9, metavar="PT", help="font size in points [9]")
    parser.add_argument("--dpi", type=float, default=300, help="dots per inch of a PNG [300]")
    parser.add_argument("--theme", choices=palette.THEMES, default="light", help="colours [light]")
    parser.add_argument("--unit", choices=[name for name, _ in units.BYTES.units], default="MiB/s",
                        help="unit of rates [MiB/s]")
    parser.add_argument("--no-title", action="store_true", help="leave the title out")
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
        return [(None, chart, ladder) for run in runs for ladder in set_points.ladders(run)
                for name, chart in catalogue.of_ladder(ladder) if name == arguments.kind]
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
    names += [name for run in runs for ladder in set_points.ladders(run) for name, _ in catalogue.of_ladder(ladder)]
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
               and arguments.phase in (None, one[2].name)]
    if not fitting:
        there = ", ".join(one[2].name if one[0] is None else f"--test {one[0]} --phase {one[2].name}"
                          for one in found[:8])
        raise command.Usage(f"no such test or phase; {arguments.kind} can be drawn with {there}")
    return (fitting[0] if arguments.phase else preferred(fitting))[1:]


def preferred(found):
    """Of the first test: write, read or work on files before what makes and removes the directories."""
    same = [one for one in found if one[0] == found[0][0]]
    return min(same, key=lambda one: one[2].name.startswith(("tree-", "dir-")))


def style_of(arguments):
    if not 3 <= arguments.font_size <= 72:
        raise command.Usage("--font-size: from 3 to 72 points")
    width, height = (part / MM * draw.POINTS for part in arguments.size)
    unit = [name for name, _ in units.BYTES.units].index(arguments.unit)
    return draw.Style(palette.THEMES[arguments.theme], unit, width, height, arguments.font_size,
                      arguments.font, not arguments.no_title)


def run(arguments):
    end = os.path.splitext(arguments.output)[1].lstrip(".").lower()
    if end not in ENDS:
        raise command.Usage(f"{arguments.output}: the name must end in .svg, .png or .pdf")
    if arguments.label and arguments.kind not in catalogue.OVERLAY_CHARTS:
        raise command.Usage(f"--label names results in the chart curves, not in {arguments.kind}")
    style = style_of(arguments)
    chart, data = choose(arguments, files.read_runs(arguments.results))
    draw.save(chart, data, style, arguments.output, end, arguments.dpi)
    if arguments.caption:
        caption = chart.caption(data)
        command.write_out((caption.words(style.unit) if hasattr(caption, "words") else str(caption)) + "\n")
    return 0


def main():
    return command.start(parser(), run)


if __name__ == "__main__":
    sys.exit(main())
