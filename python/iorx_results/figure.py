"""Drawing without a screen: one small figure, and its SVG made fit for a page with two themes."""

import io
import re
from contextlib import contextmanager
from html import escape

import matplotlib
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from .palette import LIGHT
from .units import NARROW

WIDTH, HEIGHT = 440, 270  # of a chart in a page, in CSS pixels
LEFT = 66
POINTS = 72
# One point is one pixel in our SVG. The font is the reader's own, so text stays text.
SETTINGS = {
    "svg.fonttype": "none",
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "axes.axisbelow": True,
    "axes.labelpad": 3,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
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
            "font.size": self.font_size, "axes.titlesize": self.font_size, "axes.edgecolor": muted,
            "axes.labelcolor": ink, "axes.titlecolor": ink, "xtick.color": muted, "ytick.color": muted,
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

    def __init__(self, style, left=LEFT, right=22, top=26, bottom=46, axes=None):
        self.style = style
        scale = style.font_size / 12
        self.left, self.bottom = left * scale, bottom * scale
        if axes is None:
            self.figure = Figure(figsize=(style.width / POINTS, style.height / POINTS), dpi=POINTS)
            axes = self.figure.add_axes([
                self.left / style.width, self.bottom / style.height,
                1 - (left + right) * scale / style.width, 1 - (top + bottom) * scale / style.height])
            self.figure.patch.set_facecolor(style.colours["surface"])
        self.axes = axes

    def colour(self, name):
        return self.style.colours[name]

    def grid(self, axis="y"):
        self.axes.grid(True, axis=axis)

    def legend(self, columns=3):
        """On one line at the top, inside: charts with one leave room there."""
        legend = self.axes.legend(loc="upper right", ncol=columns, frameon=False, fontsize="small",
                                  handlelength=1.8, borderaxespad=0.1, columnspacing=1)
        for text in legend.get_texts():
            text.set_color(self.colour("ink"))

    def labels(self, x, y, title):
        if x:
            self.axes.set_xlabel(plain(x))
        if y:
            self.axes.set_ylabel(plain(y))
        if self.style.title:
            self.axes.set_title(plain(title))


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
