"""One self-contained page of runs: the numbers are put into template/page.html."""

import base64
import hashlib
import json
import os
import shlex
import zlib
from functools import lru_cache

import jinja2
from markupsafe import Markup, escape

from . import brief, catalogue, definitions, files, headline, limits, load_tables, metadata_tables, palette, sets, statistics, study, \
    tables, units, words
from .figure import HEIGHT, LEFT, RIGHT, WIDTH, Sheet, Style, drawing, shape, to_svg
from .palette import of_phase

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "template")
# Beyond these the page would take too long to make and to read; iorx-plot draws any of them.
MOST_FIGURES = 40
MOST_OPEN_TESTS = 6
MOST_RAW = 500_000
EXTRA = {"light": {"panel": "#f6f8fa", "good": "#1a7f37", "warn": "#8a5a00", "fail": "#b42318"},
         "dark": {"panel": "#1f242a", "good": "#5bd07d", "warn": "#e9b949", "fail": "#ff8c82"}}


def rate_of(value, quantity):
    """A rate with each of its units; which one is seen says the page's data-unit."""
    if value is None or len(quantity.units) == 1:
        return Markup(escape(units.rate(value, quantity)))
    return Markup("").join(Markup('<span class="unit{}">{}</span>').format(i, units.rate(value, quantity, i))
                           for i in range(len(quantity.units)))


def sentence_of(rated):
    """A caption: plain text, or words.Rated with its rates in both units."""
    if not isinstance(rated, words.Rated):
        return escape(rated)
    return Markup(escape(rated.text)).format(*(rate_of(rate, rated.quantity) for rate in rated.rates))


def read_part(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


def theme(name):
    colours = dict(palette.THEMES[name], **EXTRA[name])
    return "{" + "".join(f"--{key}:{value};" for key, value in colours.items()) + "}"


def colour_rules():
    return (f":root{theme('light')}\n@media screen and (prefers-color-scheme: dark)"
            f"{{:root[data-theme=auto]{theme('dark')}}}\n"
            f"@media screen{{:root[data-theme=dark]{theme('dark')}}}\n"
            ":root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}\n")


class Artist:
    """Draws the charts of a page until it has enough of them."""

    def __init__(self):
        self.drawn, self.left_out = 0, 0

    def draw(self, draw, caption, width=WIDTH, height=HEIGHT, left=LEFT, right=RIGHT):
        """{"svg", "caption", "is_wide"}, or None when there are enough."""
        if self.drawn >= MOST_FIGURES:
            self.left_out += 1
            return None
        self.drawn += 1
        style = Style(width=width, height=height)
        with drawing(style):
            sheet = Sheet(style, left, right)
            draw(sheet)
            svg = to_svg(sheet.figure, f"f{self.drawn}", str(caption))
        return {"svg": Markup(svg), "caption": caption, "is_wide": width > WIDTH}

    def draw_chart(self, chart, data):
        return self.draw(lambda sheet: chart.draw(sheet, data), chart.caption(data), *shape(chart, data))


@lru_cache(maxsize=None)
def templates():
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined,
                                     loader=jinja2.FileSystemLoader(FOLDER))
    environment.globals.update(rate_of=rate_of, sentence_of=sentence_of)
    return environment


def render(template, **values):
    """The page of a template, with what all pages have."""
    script = read_part("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return templates().get_template(template).render(
        css=Markup(read_part("page.css")), colours=Markup(colour_rules()), script=Markup(script),
        script_hash=f"sha256-{digest}", **values)


def make(runs):
    """The HTML of the page of these runs."""
    artist, labels = Artist(), files.labels(runs)
    together = [sets.shown(run, artist) for run in runs]
    studies = [show_study(found, artist, files.labels_of(found.runs, runs)) for found in study.of_runs(runs)]
    shown = [dict(show_run(run, number, label, len(runs), artist), sets=found)
             for number, (run, label, found) in enumerate(zip(runs, labels, together))]
    studies += [show_overlay(found, artist) for found in study.overlays(runs, labels)]
    return render("page.html", runs=shown, studies=studies, title=title_of(shown), definitions=definitions.DEFINITIONS)


def make_one(runs):
    """The HTML of one page to mail: what decides, without the results."""
    artist, labels = Artist(), files.labels(runs)
    figures = [artist.draw_chart(one.chart, one.data) for one in brief.deciding(runs)]
    shown = [{"label": label, "headline": headline.headline(run), "severity": headline.belief(run)[0], "belief": headline.belief(run)[1],
              "lines": brief.environment(run)} for run, label in zip(runs, labels)]
    return render("one.html", runs=shown, figures=figures, points=brief.points(runs), verdicts=brief.verdicts(runs),
                  title=title_of(shown))


def title_of(shown):
    return f"iorx: {'; '.join(', '.join(str(part) for part in run['headline']) for run in shown)[:150]}"


def show_run(run, number, label, count, artist):
    severity, belief = headline.belief(run)
    raw, note = raw_result(run, MOST_RAW // count)
    name = f"{label}, test" if count > 1 else "Test"
    folded = len(run.tests) > MOST_OPEN_TESTS
    tests = [dict(show_test(test, run.tests[0], f"run{number}-test{test.number}", artist, name, folded),
                  together=sets.sentence(test, run)) for test in run.tests]
    return {"label": label, "headline": headline.headline(run),
            "severity": severity, "belief": belief, "lines": [subtitle(run)], "tests": tests,
            "folded": folded,
            "command": shlex.join(repeat_command(run)), "command_note": command_note(run),
            "job_text": run.job_text,
            "environment": tables.environment(run),
            "node_environments": tables.node_environments(run), "raw": raw, "raw_note": note,
            "raw_id": f"raw{number}", "raw_name": os.path.basename(run.file)}


def subtitle(run):
    where = run.hosts[0] if run.hosts else "unknown host"
    more = f" and {len(run.hosts) - 1} more" if len(run.hosts) > 1 else ""
    count = len(run.sessions) + 1
    sessions = f"measured in {'two' if count == 2 else count} sessions, " if run.sessions else ""
    return (f"{sessions}{words.size_of(run)} ({where}{more}), {words.date_of(run)}, {run.made_by}; from {run.file}")


def repeat_command(run):
    if run.imported:
        return run.command_line
    variables = ["env", "IORX_OPTIONS=" + run.iorx_options] if run.iorx_options else []
    return variables + ["mpirun", "-np", str(run.tasks)] + run.command_line


def command_note(run):
    if run.imported:
        return f"This is the command line of {run.imported}, without that of its launcher." if run.command_line else "It is not known."
    return f"The command needs the job file {run.job_file}, unchanged." if run.job_file else ""


def raw_result(run, most):
    """(gzip of the document in base64, what it is); large optional parts go where it would be too large."""
    packed, note = pack(run.document, most), "The page contains the result document that it was made from."
    if packed is None:
        packed = pack(without(run.document, {"heatmap", "timeline"}))
        note = "The page contains the result document without heatmap and timeline, which would make it too large."
    return base64.b64encode(packed).decode(), note


def pack(document, most=None):
    """The document as gzip; None as soon as its base64 would be larger than that."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")
    packer, packed = zlib.compressobj(6, wbits=31), bytearray()
    for at in range(0, len(text), 1 << 16):
        packed += packer.compress(text[at:at + (1 << 16)])
        if most is not None and len(packed) > most * 3 / 4:
            return None
    return bytes(packed + packer.flush())


def without(value, names):
    if isinstance(value, dict):
        return {key: without(one, names) for key, one in value.items() if key not in names}
    return [without(one, names) for one in value] if isinstance(value, list) else value


def show_study(found, artist, labels):
    """`labels` name the files whose tests it has."""
    drawn = [artist.draw_chart(chart, line) for _, chart, line in catalogue.of_study(found)]
    how = f" ({found.how})" if found.how else ""
    return {"title": found.title, "labels": labels, "table": tables.study(found),
            "text": f"{words.plural(max(len(line.points) for line in found.lines), 'point')} per phase{how}.",
            "figures": [one for one in drawn if one]}


def show_overlay(found, artist):
    """Curves of several results over each other, as a study without a table."""
    drawn = [artist.draw_chart(chart, found) for chart in catalogue.OVERLAY_CHARTS.values() if chart.applies(found)]
    return {"title": "Load against response time, several results", "labels": [label for label, _ in found.members],
            "table": None, "text": f"{words.plural(len(found.members), 'curve')} over each other.",
            "figures": [one for one in drawn if one]}


def show_test(test, first, identity, artist, name, folded):
    """Of one of many tests, which are folded, the page has the first chart only."""
    charts, before = catalogue.of_test(test), artist.left_out
    figures = [artist.draw_chart(chart, data) for _, chart, data in (charts[:1] if folded else charts)]
    left_out = artist.left_out - before + (len(charts[1:]) if folded else 0)
    return {"id": identity, "name": f"{name} {test.number}{f', {test.name}' if test.name else ''}", "title": words.test_title(test),
            "place": place(test), "tiles": [tile(test, kind) for kind in test.kinds],
            "figures": [one for one in figures if one], "failure": failure(test),
            "left_out": f"{words.plural(left_out, 'chart')} left out here, which iorx-plot draws."
            if left_out else "",
            "findings": tables.findings(test), "comparable": test.comparable,
            "named_title": "Load" if test.is_load else "Mixes and finds", "layout": words.layout_sentence(test),
            "repetitions": (load_tables if test.is_load else tables).repetitions(test), "slowest": tables.worst(test),
            "persistent": tables.persistent(test), "measured": limits.measured(test), "tasks": tables.tasks(test),
            "named": [table for table in (load_tables.asked(test), metadata_tables.mixes(test), metadata_tables.finds(test),
                                          metadata_tables.parts(test), metadata_tables.kinds(test),
                                          metadata_tables.responses(test), metadata_tables.lateness(test)) if table.rows],
            "options": tables.options(test, first)}


def place(test):
    mount = test.mount
    where = f" on {mount.get('type')} at {mount.get('target')} from {mount.get('source')}" if mount else ""
    return f"{test.test_file}{where}"


def failure(test):
    for phase in test.phases:
        if phase.failure:
            host = phase.failure.get("host")
            return (f"{phase.name} {phase.repetition} failed: {phase.failure.get('text')} "
                    f"(task {phase.failure.get('task')} on {host}, {phase.failure.get('path')})")
        if phase.stop:
            return f"{phase.name} {phase.repetition}: {phase.stop}"
    return ""


def tile(test, kind):
    operation, quantity = kind.operation, kind.quantity
    numbers, service, response = [], [], []
    if quantity is units.BYTES and any(phase.operations_rate for phase in kind.complete):
        numbers.append(("op/s", "operations", units.number(kind.median_of(lambda phase: phase.operations_rate or 0))))
    failed = sum(phase.metadata.get("failed_operations") or 0 for phase in kind.phases)
    if failed:
        numbers.append(("failed", "operations", units.whole(failed)))
    if kind.is_load:
        numbers += load_numbers(kind)
    if operation:
        service = times_of(operation, "service " if kind.response else "", "service")
    if kind.response:
        response = times_of(kind.response, "response ", "response")
    value = rate_of(kind.median, quantity) if kind.rates else kind.phases[0].status
    return {"name": kind.name, "colour": of_phase(kind.name), "value": value,
            "severity": worst_severity(test, kind), "dots": dots(kind), "interval": interval(kind),
            "numbers": [numbers, service, response] if response else [numbers + service]}


def times_of(operation, what, definition):
    """Percentiles and the largest; `what` tells service times from response times."""
    numbers = [(what + name, "percentile", tables.percentile(operation, name).text) for name in ("p50", "p99", "p99.9")]
    return [*numbers, (f"{what}max", definition, units.time_ns(operation.max_ns))]


def load_numbers(kind):
    """What stands beside the rate of a load: asked rate, bytes, and operations that were due and not done."""
    numbers = []
    ordered = kind.median_of(lambda phase: phase.ordered_rate)
    if ordered:
        numbers.append(("asked", "load", units.rate(ordered, units.OPERATIONS)))
    data = kind.median_of(load_tables.bytes_per_s)
    if data is not None:
        numbers.append(("data", "load", rate_of(data, units.BYTES)))
    lost = [(name, sum(phase.load.get(name) or 0 for phase in kind.phases)) for name in ("skipped", "unfinished")]
    return numbers + [(name, "load", units.whole(count)) for name, count in lost if count]


def worst_severity(test, kind):
    from .model import SEVERITIES
    if any(phase.status == "failed" for phase in kind.phases):
        return "fail"
    if not test.is_judged:
        return ""
    found = [v.severity for v in test.verdicts if v.where.split(" ")[0].rstrip(",") == kind.name]
    return max(found, key=SEVERITIES.index, default="good")


def interval(kind):
    if kind.interval:
        low, high, _ = kind.interval
        half = kind.half_width
        found = len(kind.rates) >= statistics.DEPENDENCE_LEAST
        return Markup('<a href="#def-median">95 %</a>: {} to {} (± {}), n = {}{}').format(
            rate_of(low, kind.quantity), rate_of(high, kind.quantity), units.percent(half),
            len(kind.rates), "" if found else ", if independent")
    if len(kind.rates) > 1:
        why = "a 95 % interval needs 6" if len(kind.rates) < 6 \
            else "repetitions follow one another too closely for a 95 % interval"
        return Markup('{} to {}, n = {}: {}').format(
            rate_of(min(kind.rates), kind.quantity), rate_of(max(kind.rates), kind.quantity),
            len(kind.rates), why)
    if not kind.rates:
        return "no complete repetition"
    if kind.repetitions > 1:
        return f"the mean of {kind.repetitions} repetitions"
    within = kind.complete[0].within_run
    if not within:
        return "one repetition"
    if within["level_changes"]:
        return Markup("one repetition; its level changes {}{:.4g} s after its begin, from {} to {}").format(
            f"{within['level_changes']} times, most " if within["level_changes"] > 1 else "", within["change_s"],
            rate_of(within["before_bytes_per_s"], kind.quantity), rate_of(within["after_bytes_per_s"], kind.quantity))
    if within["trend_begin_bytes_per_s"] is not None:
        begin, end = within["trend_begin_bytes_per_s"], within["trend_end_bytes_per_s"]
        return Markup("one repetition; its rate {} from {} to {}").format(
            "falls" if end < begin else "rises", rate_of(begin, kind.quantity), rate_of(end, kind.quantity))
    if within["half_width_bytes_per_s"] is None:
        return "one repetition, whose rate wanders too much for an interval within it"
    return Markup("one repetition; within it the transfer rate is {} ± {}, which does not predict the next").format(
        rate_of(within["mean_bytes_per_s"], kind.quantity),
        rate_of(within["half_width_bytes_per_s"], kind.quantity))


def dots(kind):
    """Each repetition on a line from 0 to the largest; the band is the interval of the median."""
    if not kind.rated:
        return ""
    colour = f"var(--{of_phase(kind.name)})"
    top = max(phase.rate for phase in kind.rated) or 1
    parts = ['<line x1="4" y1="22" x2="296" y2="22" stroke="var(--grid)"/>']
    if kind.interval:
        low, high = (4 + 292 * value / top for value in kind.interval[:2])
        parts.append(f'<rect x="{low:.1f}" y="4" width="{max(1, high - low):.1f}" height="18" '
                     f'fill="{colour}" opacity=".18"/>')
    for phase in kind.rated:
        fill = colour if phase.counts else "var(--panel)"
        parts.append(f'<circle cx="{4 + 292 * phase.rate / top:.1f}" cy="13" r="4" fill="{fill}" '
                     f'fill-opacity=".75" stroke="{colour}"/>')
    label = f"{len(kind.rated)} repetitions on a line from 0"
    return Markup(f'<svg viewBox="0 0 300 26" preserveAspectRatio="none" role="img" '
                  f'aria-label="{label}">{"".join(parts)}</svg>')
