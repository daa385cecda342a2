"""Where the time of each phase went, as shares, and beside it the time that each limit would have taken."""

from dataclasses import dataclass

from .. import limits, units, words
from ..figure import plain

ROW, THIN, ROOM = 24, 15, 92  # pixels of a phase, of a limit, and of all that stands around them
NAME_COLUMNS, LEAST_SEEN = 3, .005
LEAST_BOUND = .05  # of the time: a limit that is farther away, and not the nearest, is left out
NAMES = 15  # of a row of names of steps
MOST_STEPS = 6
MOST_SIGNS = 16  # of a name beside a bar
STEPS = (("open", "accent"), ("transfer", "write"), ("sync", "other"), ("close", "verify"))
WAIT = "waiting for the slowest"
KINDS = ("other", "accent", "verify", "muted", "read", "write")  # colours of the operations of a load but reads and writes
# Operations of a load that are no kinds of work in its window.
BESIDE = {"mixed", "response", "lateness", "open", "close"}


@dataclass
class Bar:
    """One phase, in the repetition nearest to the median: steps are (name, colour, share of the time)."""
    name: str
    seconds: float
    steps: list
    bounds: list  # (name of the limit, share of the time that the same bytes take at it)
    limited: tuple = None  # limits.sentence()


@dataclass
class Bars:
    """The phases of a test that say how their time was spent."""
    names: list
    bars: list
    is_load: bool

    @property
    def steps(self):
        """The names of the steps that can be seen."""
        return list(dict.fromkeys(name for bar in self.bars for name, _, share in bar.steps if share >= LEAST_SEEN))

    @property
    def name_rows(self):
        return -(-len(self.steps) // NAME_COLUMNS)

    @property
    def name(self):
        return self.names[0] if len(self.names) == 1 else "phases"


def of_test(test):
    """[Bars]: one for a test, none where no phase says how its time was spent."""
    found = [(kind, kind.with_most("balance")) for kind in test.kinds]
    bars = [bar for kind, phase in found if phase for bar in [bar_of(kind.name, phase)] if bar]
    return [Bars([bar.name for bar in bars], bars, test.is_load)] if bars else []


def bar_of(name, phase):
    total, mean = phase.rated_seconds if phase.load else phase.intervals.get("total_s"), phase.balance.get("mean_task_s")
    if not total or not mean or not phase.working_tasks:
        return None
    steps = load_steps(phase, total) if phase.load else steps_of(phase, total, mean)
    bounds = sorted(((bound.name, phase.possible["bytes_per_s"] / bound.whole) for bound in limits.of_phase(phase) if bound.whole),
                    key=lambda one: -one[1])
    return Bar(name, total, [step for step in steps if step[2] > 0],
               bounds[:1] + [bound for bound in bounds[1:] if bound[1] >= LEAST_BOUND],
               limits.sentence(phase) if bounds and limits.least_of(phase) else None)


def spent(phase, *names):
    """Seconds that a task spent in these operations, on average."""
    found = [phase.operations[name] for name in names if name in phase.operations]
    return sum(one.mean_ns * one.count for one in found) / 1e9 / phase.working_tasks


def steps_of(phase, total, mean):
    """The mean task's steps, transfers being what the others leave, and its waiting before it began and behind its end."""
    seconds = {"open": spent(phase, "open", "define"), "close": spent(phase, "close"),
               "sync": spent(phase, "sync") if phase.intervals.get("sync_s") else 0}
    if phase.counts_operations:
        seconds = dict.fromkeys(seconds, 0)
        seconds["sync"] = min(phase.intervals.get("sync_s") or 0, mean)
    seconds["transfer"] = max(0, mean - sum(seconds.values()))
    whole = max(total, sum(seconds.values()))
    steps = [(name, colour, seconds[name] / whole) for name, colour in STEPS]
    if phase.counts_operations:
        steps = [("operations" if name == "transfer" else name, *rest) for name, *rest in steps]
    return steps + [(WAIT, "wait", max(0, whole - sum(seconds.values())) / whole)]


def load_steps(phase, total):
    """Which operations were in flight, as a share of what the tasks can have in flight at a time."""
    room = phase.working_tasks * (phase.queue_depth or 1) * total
    found = sorted(((one.mean_ns * one.count / 1e9 / room, name) for name, one in phase.operations.items()
                    if name not in BESIDE and not name.endswith("_recorded")), reverse=True)
    rest = sum(share for share, _ in found[MOST_STEPS - 1:])
    named = [(name, share) for share, name in found[:MOST_STEPS - 1]] + ([("others", rest)] if rest else [])
    whole = max(1, sum(share for _, share in named))
    idle = "nothing was due" if phase.ordered_rate else "between operations"
    free = [colour for colour in KINDS if colour not in dict(named)]
    colours = [name if name in KINDS else free.pop(0) for name, _ in named]
    return [(name, colour, share / whole) for (name, share), colour in zip(named, colours)] + \
        [(idle, "wait", 1 - sum(share for _, share in named) / whole)]


def height(bars):
    return ROOM + NAMES * (bars.name_rows - 1) + sum(ROW + THIN * len(bar.bounds) for bar in bars.bars)


def left(bars):
    names = [bar.name for bar in bars.bars] + [name for bar in bars.bars for name, _ in bar.bounds]
    return 22 + 7 * max(min(len(name), MOST_SIGNS) for name in names)


RIGHT = 66


def caption(bars):
    most = [words.braces(f"{bar.name}: {step} {units.percent(share)}") for bar in bars.bars
            for step, _, share in [max(bar.steps, key=lambda one: one[2])]]
    what = "What the tasks had in flight in the measured window" if bars.is_load else \
        "Where the time of the mean task went, in the repetition nearest to the median"
    text, rates = f"{what}. Most of it: {', '.join(most)}.", []
    if any(bar.bounds for bar in bars.bars):
        text += " Thin bars: the time in which each limit alone would have moved the same bytes."
    for bar in bars.bars:
        if bar.limited:
            sentence, found = bar.limited
            text += f" {bar.name}: " + sentence.format(*(f"{{{len(rates) + index}}}" for index in range(len(found))))
            rates += found
    return words.Rated(text, rates, units.BYTES)


def draw(sheet, bars):
    axes, place, ticks = sheet.axes, 0, []
    sheet.shrink(bottom=bars.name_rows - 1)
    seen = {}
    for bar in bars.bars:
        place += ROW / 2
        begin = 0
        for name, colour, share in bar.steps:
            patch = axes.barh(place, share, ROW - 8, begin, color=sheet.colour(colour), linewidth=0)
            begin += share
            if name in bars.steps:
                seen.setdefault(name, patch)
        ticks.append((place, bar.name, units.time_ns(1e9 * bar.seconds)))
        place += ROW / 2
        for name, share in bar.bounds:
            axes.barh(place + THIN / 2 - 3, min(share, 1), 4, color=sheet.colour("ink"), linewidth=0)
            ticks.append((place + THIN / 2 - 3, name, units.percent(share)))
            place += THIN
    axes.set_xlim(0, 1)
    axes.set_ylim(place + 2, -2)
    axes.set_xticks([0, .25, .5, .75, 1])
    axes.set_xticklabels(["0", "25 %", "50 %", "75 %", "100 %"])
    axes.set_yticks([at for at, _, _ in ticks])
    axes.set_yticklabels([plain(name, MOST_SIGNS) for _, name, _ in ticks])
    axes.tick_params(axis="y", length=0)
    for (at, _, text), label in zip(ticks, axes.get_yticklabels()):
        small = {"fontsize": "small"} if text.endswith("%") else {}
        label.set(**small)
        axes.annotate(text, (1, at), xycoords=axes.get_yaxis_transform(), xytext=(6, 0), textcoords="offset points",
                      ha="left", va="center", color=sheet.colour("ink"), **small)
    put_names(sheet, seen)
    sheet.labels(None, None, f"{bars.names[0]}: where the time went" if len(bars.names) == 1 else "where the time of each phase went")


def put_names(sheet, seen):
    """Of the steps, below the axes."""
    legend = sheet.axes.legend(seen.values(), seen, loc="upper left", bbox_to_anchor=(-sheet.left / sheet.pixels()[0], 0),
                               bbox_transform=sheet.axes.transAxes, ncol=min(NAME_COLUMNS, len(seen)), frameon=False, fontsize="small",
                               handlelength=1, columnspacing=1.2, borderaxespad=2.4)
    for text in legend.get_texts():
        text.set_color(sheet.colour("ink"))
