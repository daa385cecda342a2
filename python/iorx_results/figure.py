"""Drawing without a screen: one small figure, and its SVG made fit for a page with two themes."""

import io
import re
import textwrap
from contextlib import contextmanager
from copy import copy
from html import escape

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from .palette import LIGHT
from .units import NARROW

WIDTH, HEIGHT = 440, 270  # of a chart in a page, in CSS pixels
WIDE = 800  # of one that takes the whole width of a page
LEFT, RIGHT = 66, 22
TITLE, BARE = 26, 10  # above the axes, with a title and without
NAME = 16  # pixels above a panel
LONGEST = 300  # signs of a title; only texts from outside can be longer
POINTS = 72
# One point is one pixel in our SVG. The font is the reader's own, so text stays text.
SETTINGS = {
    "svg.fonttype": "none",
    "pdf.fonttype": 42,  # TrueType: journals refuse Type 3
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "axes.axisbelow": True,
    "axes.labelpad": 3,
    "xtick.major.size": 3, "ytick.major.size": 3,
    "xtick.major.width": 0.8, "ytick.major.width": 0.8,
    "grid.linewidth": 0.8,
    "path.simplify": True,
    "svg.hashsalt": "iorx",
}
FRACTION = re.compile(r"\d+\.\d{3,}")
UNIT_GROUPS = ("unit0", "unit1")


class Style:
    """How a chart looks: its colours, which unit its rates have (None: both), size and font."""

    def __init__(self, colours=LIGHT, unit=None, width=WIDTH, height=HEIGHT, font_size=12, font=None,
                 title=True):
        self.colours, self.unit, self.title = colours, unit, title
        self.width, self.height, self.font_size, self.font = width, height, font_size, font

    def settings(self):
        ink, muted = self.colours["ink"], self.colours["muted"]
        settings = dict(SETTINGS, **{
            "font.size": self.font_size, "axes.edgecolor": muted,
            "axes.labelcolor": ink, "xtick.color": muted, "ytick.color": muted,
            "xtick.labelcolor": ink, "ytick.labelcolor": ink, "grid.color": self.colours["grid"]})
        if self.font:
            settings["font.family"] = [self.font]
        return settings


def plain(text, longest=48):
    """A text from a result as matplotlib must get it: no formulas, no control characters."""
    text = "".join(c if c.isprintable() or c == NARROW else "\ufffd" for c in str(text))
    if len(text) > longest:
        text = text[:longest // 2 - 1] + "…" + text[-(longest // 2):]
    return text.replace("$", r"\$")


class Sheet:
    """One pair of axes with margins in pixels, so that nothing has to be measured; or given ones."""

    def __init__(self, style, left=LEFT, right=RIGHT, bottom=46, axes=None):
        self.style, top = style, TITLE if style.title else BARE
        self.scale = style.font_size / 12
        self.left, self.right, self.bottom = left * self.scale, right * self.scale, bottom * self.scale
        self.margins = (self.left, self.bottom, self.right, top * self.scale)
        if axes is None:
            self.figure = Figure(figsize=(style.width / POINTS, style.height / POINTS), dpi=POINTS)
            axes = self.figure.add_axes([0, 0, 1, 1])
            self.figure.patch.set_facecolor(style.colours["surface"])
        self.axes = axes
        self.place(0, 0)

    def place(self, x, y):
        """Puts the sheet so many points from the left and the top of its figure."""
        left, bottom, right, top = self.margins
        width, height = (POINTS * side for side in self.axes.figure.get_size_inches())
        self.axes.set_position([(x + left) / width, 1 - (y + self.style.height - bottom) / height,
                                (self.style.width - left - right) / width, (self.style.height - top - bottom) / height])

    def colour(self, name):
        return self.style.colours[name]

    def pixels(self):
        """(width, height) of the axes."""
        box = self.axes.get_position()
        width, height = self.axes.figure.get_size_inches()
        return box.width * width * POINTS, box.height * height * POINTS

    def shrink(self, top=0, bottom=0):
        """Takes room from the axes, in lines of text, for a longer title or labels."""
        box, line = self.axes.get_position(), 15 * self.scale / POINTS / self.axes.figure.get_size_inches()[1]
        self.axes.set_position([box.x0, box.y0 + bottom * line, box.width, box.height - (top + bottom) * line])
        self.bottom += 15 * self.scale * bottom

    def panels(self, count, columns, gap=(16, 34)):
        """Sheets on parts of these axes, row by row; the axes themselves are no longer seen. Each has room for a name above it."""
        box, (width, height) = self.axes.get_position(), self.pixels()
        rows, x, y = -(-count // columns), gap[0] * self.scale, gap[1] * self.scale
        each, tall = (width + x) / columns, (height - NAME * self.scale + y) / rows
        self.axes.set_axis_off()
        for index in range(count):
            part = copy(self)
            part.axes = self.axes.figure.add_axes([
                box.x0 + box.width * (index % columns) * each / width,
                box.y0 + box.height * (rows - 1 - index // columns) * tall / height,
                box.width * (each - x) / width, box.height * (tall - y) / height])
            yield part

    def grid(self, axis="y"):
        self.axes.grid(True, axis=axis)

    def legend(self, columns=3, place="upper right"):
        """At the top, inside: charts with one leave room there."""
        legend = self.axes.legend(loc=place, ncol=columns, frameon=False, fontsize="small",
                                  handlelength=1.8, borderaxespad=0.1, columnspacing=1)
        for text in legend.get_texts():
            text.set_color(self.colour("ink"))

    def unit(self, name, x=False):
        """The unit of the numbers beside the axes, or of those below them."""
        at, aside, turned = ((.5, 0), (0, 4 - self.bottom), 0) if x else ((0, .5), (4 - self.left, 0), 90)
        return self.axes.annotate(name, at, xycoords="axes fraction", xytext=aside, textcoords="offset points", rotation=turned,
                                  ha="center" if x else "left", va="bottom" if x else "center", color=self.colour("ink"))

    def labels(self, x, y, title):
        if x:
            self.axes.set_xlabel(plain(x))
        if y:
            self.axes.set_ylabel(plain(y))
        if self.style.title:
            self.title(title)

    def title(self, title):
        """In as many lines as it takes: a title is never cut."""
        room = self.pixels()[0] + self.left + self.right - 8
        lines = textwrap.wrap(plain(title, LONGEST), max(12, int(room / (.64 * self.style.font_size)))) or [""]
        self.shrink(top=len(lines) - 1)
        self.axes.annotate("\n".join(lines), (0, 1), xycoords="axes fraction", xytext=(4 - self.left, 7),
                           textcoords="offset points", ha="left", va="bottom", weight="bold", color=self.colour("ink"))


def shape(chart, data):
    """(width, height, left, right) in pixels of a chart in a page: its module says what is not usual."""
    def said(name, usual):
        found = getattr(chart, name, usual)
        return found(data) if callable(found) else found

    return (WIDE if said("WIDTH", "") == "wide" else WIDTH, said("height", HEIGHT), said("left", getattr(chart, "LEFT", LEFT)),
            said("RIGHT", RIGHT))


@contextmanager
def drawing(style):
    with matplotlib.rc_context(style.settings()):
        yield


def nice_step(top, steps=5):
    """1, 2 or 5 times a power of ten, so that at most `steps` of them reach top."""
    power = 1.0
    while power * steps < top:
        power *= 10
    while power * steps >= top * 10:
        power /= 10
    for factor in (0.1, 0.2, 0.5, 1):
        if factor * power * steps >= top:
            return factor * power
    return power


def ticks_to(top, steps=5):
    step = nice_step(top, steps)
    return [step * i for i in range(int(top / step + 1e-9) + 1)]


def to_svg(figure, prefix, label):
    """The figure as an element for a page: its colours are variables, its ids begin with prefix."""
    text = io.StringIO()
    FigureCanvasSVG(figure).print_svg(text, metadata={"Date": None, "Creator": None, "Format": None,
                                                      "Type": None})
    return for_page(text.getvalue(), prefix, label)


def for_page(svg, prefix, label):
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    # its rules would hold for the whole page
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, count=1, flags=re.DOTALL)
    head, body = svg.split(">", 1)
    box = re.search(r'viewBox="[^"]*"', head).group()
    used = set(re.findall(r'url\(#([^)]+)\)|xlink:href="#([^"]+)"', body))
    used = {one for pair in used for one in pair if one}

    def name(match):
        if match.group(1).startswith(UNIT_GROUPS):
            return f' class="{match.group(1)[:5]}"'
        return f' id="{prefix}-{match.group(1)}"' if match.group(1) in used else ""

    body = re.sub(r' id="([^"]*)"', name, body)
    body = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", body)
    body = re.sub(r'xlink:href="#([^"]+)"', rf'href="#{prefix}-\1"', body)
    body = body.replace("xlink:href", "href")
    body = re.sub(r"font: (?:(bold|\d{3}) )?([0-9.]+)px [^;\"]*",
                  lambda m: f"font-size: {m.group(2)}px"
                  + (f"; font-weight: {m.group(1)}" if m.group(1) else ""), body)
    for key, colour in LIGHT.items():
        body = body.replace(colour, f"var(--{key})")
    body = re.sub(r"<[^>]*>", lambda tag: FRACTION.sub(lambda m: f"{float(m.group()):.2f}", tag.group()),
                  body)
    body = re.sub(r">\s+<", "><", body)
    return (f'<svg {box} role="img" aria-label="{escape(label)}" xmlns="http://www.w3.org/2000/svg">'
            f"{body}").strip()
