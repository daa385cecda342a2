"""Tests that ran at the same time: what they are called, and how much slower each was than alone."""

from . import catalogue, set_points, units, words
from .charts import ratios
from .palette import of_phase
from .tables import Cell, Table, of_rate, of_share, of_time

SLOWER = "Rate alone divided by rate in the set: how many times slower each test was while the others ran."


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
    numbers = dict.fromkeys(row["set"] for row in run.slowdowns)
    return [show_ladder(ladder, artist) for ladder in set_points.ladders(run)] + [show(number, [row for row in run.slowdowns if row["set"] == number], artist) for number in numbers]


def show(number, rows, artist):
    known = [row for row in rows if (row.get("slowdown") or 0) > 0 and not row.get("part")]
    drawn = artist.draw(lambda sheet: draw(sheet, known), f"{SLOWER} Lines are intervals of at least 90 %; hollow dots have none.",
                        20 + 7 * max(len(label(row)) for row in known), 90 + 26 * len(known)) if known else None
    return {"title": f"Set {number}: together and alone", "table": table(rows), "figures": [drawn] if drawn else []}


def show_ladder(ladder, artist):
    drawn = [artist.draw_chart(chart, ladder) for _, chart in catalogue.of_ladder(ladder)]
    what = "load against response time, all loads of the set" if ladder.option == "curve" else "copies of the set"
    others = ", ".join(f"{name} = {words.option_text({'value': value, 'unit': unit})}" for name, value, unit in ladder.others)
    return {"title": f"{what[0].upper()}{what[1:]}{f' ({others})' if others else ''}",
            "table": ladder_table(ladder), "figures": [one for one in drawn if one]}


def ladder_table(ladder):
    is_curve = ladder.option == "curve"
    heads = [(ladder.option, None), ("loads", None), ("asked", "load"), ("achieved", "load"), ("share", None), ("mean", None),
             ("p50", "percentile"), ("p99", "percentile"), ("max", None), ("reached" if is_curve else "valid", None)]
    text = "Sums over the loads of the set, and the response times of all their operations together. "
    text += "missed: less than 95 % of the rate that was asked for was reached." if is_curve else (
        "A point is valid if each load reached 75 % of its rate, all together 95 %, and at most 5 % of the operations of a load are of "
        "another kind than asked for. From 1000 operations of each task on that is judged.")
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


def label(row):
    return ratios.sign(f"{name(row)} {phase_of(row)}")


def phase_of(row):
    return f"{row['phase']} beside {row['beside']}" if row.get("beside") else row["phase"]


def draw(sheet, rows):
    ratios.draw_rows(sheet, [ratios.Row(label(row), of_phase(row["phase"]), row["slowdown"], interval(row)) for row in rows])
    sheet.labels("rate alone / rate together", None, "Slower together")


def interval(row):
    found = row.get("interval")
    return (found["lower"], found["upper"]) if found and found["lower"] > 0 and found["upper"] > 0 else None


def table(rows):
    heads = [("test", None), ("phase", None), ("together", None), ("alone", None), ("times slower", None),
             ("90 % interval", None), ("p99 together", "percentile"), ("p99 alone", "percentile"), ("p99 ratio", None)]
    return Table("slowdowns", heads, [cells(row) for row in rows],
                 f"{SLOWER} Medians of the repetitions. With a rate of its own a load is as fast as asked for, and only its "
                 "response times show the others.")


def cells(row):
    found, times = interval(row), (row.get("together_p99_ns"), row.get("alone_p99_ns"))
    factor = times[0] / times[1] if all(times) else None
    return [Cell(name(row)),
            Cell(f"{phase_of(row)}: {row['part']}" if row.get("part") else phase_of(row)),
            *(rate(row, which) for which in ("together", "alone")),
            Cell(units.number(row.get("slowdown")), row.get("slowdown") or -1),
            Cell(f"{units.number(found[0])} to {units.number(found[1])}" if found else "-"),
            *(of_time(value) for value in times), Cell(units.number(factor), factor or -1)]


def rate(row, which):
    data = row.get(f"{which}_bytes_per_s")
    return of_rate(data, units.BYTES) if data is not None else of_rate(row.get(f"{which}_operations_per_s"), units.OPERATIONS)
