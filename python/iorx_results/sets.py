"""Tests that ran at the same time: what they are called, and how much slower each was than alone."""

from . import catalogue, set_points, units, words
from .charts import ratios, set_slowdown
from .charts.set_slowdown import SLOWER
from .model import RESPONSE
from .palette import of_phase
from .tables import Cell, Table, of_rate, of_share, of_time

RESPONSES = {"p99_response": "p99 response", "mean_response": "mean response"}


def sentence(test, run):
    """With what a test ran at the same time; empty where it is in no set."""
    if not test.set:
        return ""
    again = test.set.get("alone_of")
    if again is not None:
        return f"Test {again} once more, alone and on the same tasks."
    others = [one.called for one in run.tests if one is not test and one.set.get("number") == test.set.get("number")]
    return f"It ran at the same time as {' and '.join(others) or 'no other test'}."


def shown(run, artist):
    """[{"title", "table", "figures"}] of the curves and the copies of sets, and of sets whose members ran alone too."""
    found = [show_ladder(ladder, artist) for ladder in set_points.ladders(run)]
    drawn = {one.number: artist.draw_chart(set_slowdown, one) for one in slowdowns(run)}
    for number in dict.fromkeys(row["set"] for row in run.slowdowns):
        figures = [drawn[number]] if drawn.get(number) else []
        found.append({"title": f"Set {number}: together and alone", "figures": figures,
                      "table": table([row for row in run.slowdowns if row["set"] == number])})
    return found


def charts(run):
    """(name, chart, what it draws) of the sets of a run."""
    return [(name, chart, ladder) for ladder in set_points.ladders(run) for name, chart in catalogue.of_ladder(ladder)] + \
        [("set-slowdown", set_slowdown, one) for one in slowdowns(run)]


def slowdowns(run):
    """The Slowdowns of each set of which a ratio is known."""
    found = {}
    for row in run.slowdowns:
        found.setdefault(row["set"], []).append(row)
    found = [set_slowdown.Slowdowns(number, ratio_rows(rows)) for number, rows in found.items()]
    return [one for one in found if one.rows]


def show_ladder(ladder, artist):
    drawn = [artist.draw_chart(chart, ladder) for _, chart in catalogue.of_ladder(ladder)]
    what = "load against response time, all loads of the set" if ladder.option == "curve" else "copies of the set"
    others = ", ".join(words.setting(*one) for one in ladder.others)
    return {"title": f"{what[0].upper()}{what[1:]}{f' ({others})' if others else ''}",
            "table": ladder_table(ladder), "figures": [one for one in drawn if one]}


def ladder_table(ladder):
    is_curve = ladder.option == "curve"
    heads = [(ladder.option, None), ("loads", None), ("asked", "load"), ("achieved", "load"), ("share", None), ("mean", None),
             ("p50", "percentile"), ("p99", "percentile"), ("max", None), ("reached" if is_curve else "valid", None)]
    text = "Sums over the loads of the set, and the response times of all their operations together. "
    text += "missed: less than 95 % of the operations of a load that were due were issued in time." if is_curve else (
        "A point is valid if each load reached its rate (95 % of the operations that were due were issued in time), and at most 5 % of its "
        "operations are of another kind than asked for. From 1000 operations of each task on the kinds are judged.")
    return Table("ladder", heads, [ladder_cells(point, is_curve) for point in ladder.points], text)


def ladder_cells(point, is_curve):
    times = point.response
    judged = ("missed" if not point.is_reached else "yes") if is_curve else "; ".join(point.faults) or "yes"
    return [Cell(str(point.value), point.value), Cell(str(len(point.loads)), len(point.loads)),
            of_rate(point.asked, units.OPERATIONS) if point.asked else Cell("as fast as possible", -1),
            of_rate(point.rate, units.OPERATIONS), of_share(point.rate / point.asked if point.asked else None),
            *(of_time(point.time(name) if times else None) for name in ("mean", "p50", "p99")),
            of_time(times.max_ns if times else None), Cell(judged if point.asked or not is_curve else "-")]


def name(row):
    return row.get("name") or f"test {row['test']}"


def phase_of(row):
    return f"{row['phase']} beside {row['beside']}" if row.get("beside") else row["phase"]


def responses(row):
    """[(words, member)] of the response times of a load at a rate."""
    return [(words, row[key]) for key, words in RESPONSES.items() if row.get(key)]


def ratio_rows(rows):
    """The ratios.Row of each phase of the members: of its rate, or of its response times where it has a rate to keep."""
    found = []
    for row in rows:
        one_beside = len([one for one in rows if one["test"] == row["test"] and not one.get("part")]) == 1
        text, colour = f"{name(row)} {row['phase'] if one_beside else phase_of(row)}", of_phase(row["phase"])
        numbers = [(f"{text}, {words}", member) for words, member in responses(row)]
        waits = None if numbers else p99_of_responses(rows, row)
        if not row.get("part") and waits:
            numbers.append((f"{text}, p99", {"slowdown": waits}))
        elif not row.get("part") and row.get("slowdown"):
            numbers.append((text, row))
        found += [ratios.Row(ratios.sign(words), colour, one["slowdown"], interval(one)) for words, one in numbers if one.get("slowdown")]
    return found


def p99_of_responses(rows, row):
    """The p99_ratio() of the response times of a load at a rate, of which documents of iorx 0.1.0 have nothing else."""
    return next((p99_ratio(one) for one in rows if one.get("part") == RESPONSE and
                 all(one.get(key) == row.get(key) for key in ("test", "phase_index", "beside"))), None)


def p99_ratio(row):
    """p99 in the set divided by that alone; None where one of them is not known."""
    together, alone = row.get("together_p99_ns"), row.get("alone_p99_ns")
    return together / alone if together and alone else None


def interval(row):
    found = row.get("interval")
    return (found["lower"], found["upper"]) if found and found["lower"] > 0 and found["upper"] > 0 else None


def table(rows):
    heads = [("test", None), ("phase", None), ("together", None), ("alone", None), ("times slower", None),
             ("90 % interval", None), ("p99 together", "percentile"), ("p99 alone", "percentile"), ("p99 ratio", None), ("rate missed", None)]
    return Table("slowdowns", heads, [cells for row in rows for cells in rows_of(row)], f"{SLOWER} Medians of the repetitions.")


def rows_of(row):
    """The rows of the table: of the rate of a phase, behind its response times where it has a rate to keep."""
    empty = [Cell("-", -1)] * 3
    for words, one in responses(row):
        yield [Cell(name(row)), Cell(f"{phase_of(row)}: {words}"), *(of_time(one.get(f"{which}_ns")) for which in ("together", "alone")),
               *slower(one), *empty, Cell("-")]
    factor = p99_ratio(row)
    yield [Cell(name(row)), Cell(f"{phase_of(row)}: {row['part']}" if row.get("part") else phase_of(row)),
           *(rate(row, which) for which in ("together", "alone")), *slower(row),
           *(of_time(row.get(f"{which}_p99_ns")) for which in ("together", "alone")), Cell(units.number(factor), factor or -1), Cell(missed(row))]


def slower(one):
    found = interval(one)
    return [Cell(units.number(one.get("slowdown")), one.get("slowdown") or -1),
            Cell(f"{units.number(found[0])} to {units.number(found[1])}" if found else "-")]


def missed(row):
    """In how many repetitions less than 95 % of what was due was issued."""
    found = [f"{which}: in {row[f'{which}_missed']} of {row.get(f'{which}_repetitions')}" for which in ("together", "alone") if row.get(f"{which}_missed")]
    return ", ".join(found) or "-"


def rate(row, which):
    data = row.get(f"{which}_bytes_per_s")
    return of_rate(data, units.BYTES) if data is not None else of_rate(row.get(f"{which}_operations_per_s"), units.OPERATIONS)
