"""Compares each row of a page with the numbers of the result document: a text must not round or mix up what it repeats."""

import re

MIB = 1 << 20
SCALES = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "%": 0.01, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600}
CELL = re.compile(r"(\d+(?:\.(\d+))?)(e[+-]?\d+)?(\D*)")
# What the operation of a phase of data is called in the document.
DATA_OPERATIONS = {"write": "write", "read": "read", "verify": "read", "prefill": "write"}


def shows(cell, value):
    """True if a cell is the value, rounded to the digits that the cell has."""
    match = CELL.fullmatch(cell)
    if not match or value is None:
        return False
    digits, decimals, power, unit = match.groups()
    scale = SCALES[unit] * float("1" + (power or "e0"))
    return abs(float(digits) * scale - value) <= 0.5001 * scale / 10 ** len(decimals or "")


def percentile(operation, name):
    """The text of a percentile that is not known, or its seconds."""
    known = (operation or {}).get("percentiles", {}).get(name)
    return known["ns"] / 1e9 if known and "ns" in known else "-"


def seconds(ns):
    return "-" if ns is None else ns / 1e9


def or_dash(value):
    return value or "-"


def data_row(phase):
    operation = phase["operations"][DATA_OPERATIONS[phase["phase"]]]
    rates, intervals = phase["rates"], phase["intervals"]
    return [rates["total_bytes_per_s"] / MIB, rates["operations_per_s"],
            percentile(operation, "p50"), percentile(operation, "p99"), operation["max_ns"] / 1e9,
            *(or_dash(intervals[name + "_s"]) for name in ("open", "transfer", "sync", "close", "total"))]


def operation_cells(operation):
    return [*(percentile(operation, name) for name in ("p50", "p99", "p99.9")), operation["max_ns"] / 1e9]


def names_row(phase):
    """A row of a metadata phase, a mix or a load."""
    counted = phase.get("load") or phase["metadata"]
    operation = phase["operations"].get("mixed") or next(iter(phase["operations"].values()))
    done = counted.get("entries") or counted["operations"]
    return [phase["rates"]["total_operations_per_s"], *operation_cells(operation),
            or_dash(phase["intervals"]["total_s"]), done, counted["failed_operations"]]


def expected_rows(test):
    """[(phase, cells)] of the phases that have numbers, in the order of the page."""
    return [(phase["phase"], data_row(phase) if "data" in phase else names_row(phase))
            for phase in test["phases"] if phase["status"] != "failed" and "operations" in phase and not lays_out(test, phase)]


def lays_out(test, phase):
    """True for the write phase that makes the files of a load, which has a line of its own."""
    return phase["phase"] == "write" and "load" in test["plan"]["phases"]


def summary_rows(test):
    for summary in test.get("summaries", ()):
        if not summary["complete_repetitions"] or lays_out(test, summary):
            continue
        rate = summary["total_rate"]
        unit = "bytes" if "median_bytes_per_s" in rate else "operations"
        scale = MIB if unit == "bytes" else 1
        interval = rate["median_interval"]
        ends = [interval[f"{end}_{unit}_per_s"] / scale if interval else "-" for end in ("lower", "upper")]
        median = rate[f"median_{unit}_per_s"] / scale
        yield summary["phase"], [summary["complete_repetitions"], median, *ends,
                                 *(seconds(summary[name + "_ns"]) for name in ("p50", "p99", "p999", "max"))]


def page_rows(section):
    """[(phase, cells)] of the text of one test."""
    rows = []
    for line in section[max(0, section.find("phase ")):].split("\n"):
        match = re.match(r"([a-z-]+) *[?!o]? +(\d+) +([-\d].*)", line)
        if match:
            rows.append((match[1], match[3].split()))
    return rows


def page_medians(page):
    """{number of the test, "" in a job of one: [(phase, cells)]} of the tables of medians."""
    medians = {}
    for table in re.findall(r"^ *median +n .*\n((?:\d* *[a-z][^\n]*\n|  [^\n]*\n)+)", page, re.M):
        for number, phase, cells in re.findall(r"^(?:(\d+) +)?([a-z-]+) *[?!]? +([1-9]\d* .*)$", table, re.M):
            medians.setdefault(number, []).append((phase, cells.split()))
    return medians


def differences(page, document):
    """Sentences on the rows of a page that are not those of the document."""
    medians = page_medians(page)
    found = []
    for test in document["tests"]:
        section = re.search(rf"^test {test['test']} (.*?)(?=^test \d|^ *median |\Z)", page, re.M | re.S)
        if not section:
            continue  # a point of a study or a member alone, whose numbers are in a table of several tests
        rows, summaries = page_rows(section[1]), medians.get(str(test["test"]) if len(document["tests"]) > 1 else "", [])
        for shown, wanted in ((rows, expected_rows(test)), (summaries, list(summary_rows(test)))):
            if not shown:
                continue
            if [name for name, _ in shown] != [name for name, _ in wanted]:
                found.append(f"test {test['test']}: the text has {shown}, the document {wanted}")
                continue
            for (name, cells), (_, values) in zip(shown, wanted):
                found += [f"test {test['test']}, {name}: {cell} where the document has {value}"
                          for cell, value in zip(cells, values, strict=True)
                          if not (cell == value if isinstance(value, str) else shows(cell, value))]
    return found
