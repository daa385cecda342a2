"""Result documents for tests: a real one of one repetition, and others made of it."""

import copy
import io
import json
import math
import os
import random
import sys
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.environ.get("SRCDIR") or os.path.join(HERE, "../..")
sys.path.insert(0, os.path.join(TOP, "python"))

HOSTILE = '</script><script>document.body.id="broken"</script><img src=x onerror="document.body.id=1">' \
    "\"'&{{7*7}}${x}$$\\frac \u2028\u202e\x07 <!--"


def one(name="one.json"):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


def scale(value, factor, end):
    """All numbers of the members whose names end so."""
    return {key: one * factor if key.endswith(end) and isinstance(one, (int, float)) else one
            for key, one in value.items()}


def repeat(phase, repetition, factor, warmup=False):
    """The phase as another repetition, `factor` times as fast."""
    phase = copy.deepcopy(phase)
    phase.update(repetition=repetition, warmup=warmup)
    phase["rates"] = scale(phase["rates"], factor, "_per_s")
    phase["intervals"] = scale(phase["intervals"], 1 / factor, "_s")
    phase["balance"] = scale(phase["balance"], 1 / factor, "_s")
    phase["stamps"] = {name: {end: int(ns / factor) for end, ns in one.items()} for name, one in phase["stamps"].items()}
    return phase


def many(count, warmups=0, seed=1):
    """One test with so many repetitions of write and read."""
    document, chance = one(), random.Random(seed)
    test = document["tests"][0]
    first = test["phases"]
    test["phases"] = [repeat(phase, n, chance.lognormvariate(0, 0.08), n < warmups)
                      for n in range(count) for phase in first]
    test["summaries"] = []
    return document


def timeline(phase, slices=100, seed=1):
    chance, total = random.Random(seed), phase["intervals"]["total_s"]
    each = phase["data"]["bytes"] / slices
    shape = [int(each * (1 + 0.3 * math.sin(i / 8) + chance.uniform(-.1, .1))) for i in range(slices)]
    slow = [200000 + int(chance.expovariate(1 / 400000)) for _ in range(slices)]
    return {"slice_seconds": total / slices, "lead_s": 0, "bytes": shape,
            "operations": [max(1, n >> 12) for n in shape], "p50_ns": [120000 + s // 9 for s in slow],
            "p99_ns": [2 * s for s in slow], "max_ns": [5 * s for s in slow]}


def heatmap(phase, tasks, slices=100, nodes=4, slow=(), seed=2):
    chance, total = random.Random(seed), phase["intervals"]["total_s"]
    rows, cells = [], []
    each = phase["data"]["bytes"] / tasks / slices
    for task in range(tasks):
        rows.append({"first_task": task, "last_task": task, "node": f"node{task * nodes // tasks:02}"})
        factor = 0.5 if task in slow else 1
        cells.append([0 if chance.random() < .03 or (factor == 1 and i > .93 * slices)
                      else int(each * factor * chance.uniform(.7, 1.3)) for i in range(slices)])
    return {"slice_seconds": total / slices, "lead_s": 0, "rows": rows, "bytes": cells}


def possible(phase, share=.58):
    """The phase beside a network that it fills by so much, and a device that is twice as fast."""
    moved = phase["rates"].get("total_bytes_per_s") or 1e8
    return {"bytes_per_s": moved, "least": "network", "share": share, "limits": [
        {"limit": "network", "each_bytes_per_s": moved / share / 2, "count": 2, "method": "given"},
        {"limit": "device", "each_bytes_per_s": 2 * moved / share, "count": 1, "method": "given"}]}


def counters(phase):
    """Darshan's names, as of a phase of 256 KiB transfers with some odd ones."""
    name, count = ("WRITE", 448) if phase["phase"] == "write" else ("READ", 448)
    return {f"POSIX_{name}S": count, f"POSIX_CONSEC_{name}S": 400, f"POSIX_SEQ_{name}S": 440,
            f"POSIX_SIZE_{name}_100K_1M": 440, f"POSIX_SIZE_{name}_1K_10K": 8,
            "POSIX_FILE_ALIGNMENT": 4096, "POSIX_FILE_NOT_ALIGNED": 8}


def large(tasks=120, repetitions=8, nodes=4):
    """Many tasks, with every optional part."""
    document = many(repetitions, warmups=1)
    document["run"].update(tasks=tasks, nodes=nodes, hosts=[f"node{n:02}" for n in range(nodes)])
    test = document["tests"][0]
    test["plan"].update(tasks=tasks, nodes=nodes)
    for phase in test["phases"]:
        phase["tasks"]["measured"] = tasks
        phase["timeline"] = timeline(phase, seed=phase["repetition"])
        phase["counters"] = counters(phase)
        phase["possible"] = possible(phase)
        phase["tasks"]["idle"] = 3
        phase["concurrency"] = {"in_flight": 0.9 * tasks, "busy_share": .9, "accounted_share": .97}
        phase["task_p99"] = {"tasks": tasks, "min_ns": 210000, "median_ns": 250000, "max_ns": 4100000,
                             "slowest": {"task": 18, "node": 0, "host": HOSTILE}}
        phase["within_run"] = {
            "mean_bytes_per_s": 3e9, "half_width_bytes_per_s": 1e8, "slices": 100, "slice_seconds": .1,
            "correlation": .1, "effective_slices": 81.8, "level_changes": 0, "change_s": None,
            "before_bytes_per_s": None, "after_bytes_per_s": None,
            "trend_begin_bytes_per_s": None, "trend_end_bytes_per_s": None}
        phase["outliers"] = None if phase["repetition"] else {
            "threshold_s": .1, "tasks": 1, "means_s": {"open": .01}, "named": [
                {"task": 17, "node": 0, "host": "node00", "step": "open", "time_s": 9.5}]}
        phase["slow"] = {"judged": True, "nodes": None, "slots": None, "tasks": {
            "members": tasks, "median_s": .001, "z_threshold": 4, "slow": 1, "slowest": [
                {"task": 17, "host": HOSTILE, "time_s": .01, "ratio": 10, "z": 9, "slow": True}]}}
        phase["heatmap"] = heatmap(phase, min(tasks, 128), slow=(17, 18), nodes=nodes)
    test["summaries"] = [{"phase": "write", "verdicts": [], "slow": {"judged_repetitions": 7, "members": [
        {"kind": "node", "node": 1, "host": HOSTILE, "repetitions": 7, "flagged": 6, "mean_ratio": 1.4,
         "p": 1e-6, "persistent": True}]}}]
    return document


def metadata():
    """Phases that move no bytes."""
    document = many(8)
    test, phases = document["tests"][0], []
    kinds = ("file-create", "create", 1), ("file-stat", "stat", 90), ("file-remove", "remove", 9999)
    for index, (name, operation, factor) in enumerate(kinds):
        for n in range(8):
            phase = repeat(test["phases"][2 * n], n, factor)
            phase.update(phase=name, phase_index=index, data=None, verdicts=[])
            phase["rates"] = {"total_operations_per_s": phase["rates"]["operations_per_s"],
                              "sum_of_tasks_operations_per_s": phase["rates"]["operations_per_s"]}
            phase["operations"] = {operation: phase["operations"]["write"]}
            phases.append(phase)
    test.update(phases=phases, summaries=[])
    test["plan"] = {"tasks": 4, "nodes": 1}
    return document


def metadata_study(tasks=(1, 2, 4)):
    """A study of the number of tasks of these phases."""
    document = metadata()
    base, tests = document["tests"][0], []
    for count in tasks:
        test = copy.deepcopy(base)
        test.update(test=len(tests), plan=dict(base["plan"], tasks=count), study={"id": 0, "varied": {"tasks": count}})
        for phase in test["phases"]:
            phase["test"] = test["test"]
        tests.append(test)
    document["tests"] = tests
    return document


def timed(operation, factor=1, count=None):
    """The operation, so many times as slow."""
    found = dict(scale(operation, factor, "_ns"), histogram=[
        [int(edge * factor), n] for edge, n in operation["histogram"]])
    found = {key: int(value) if key.endswith("_ns") else value for key, value in found.items()}
    found["percentiles"] = {key: scale(one, factor, "ns") for key, one in operation["percentiles"].items()}
    if count is not None:
        found.update(count=count, histogram=[[found["min_ns"], count]])
    return found


def names_phase(name, series, operations, repetitions, **members):
    """A metadata test of one kind of phase; operations(of a write) gives its own."""
    document = many(repetitions)
    test = document["tests"][0]
    test["phases"] = [phase for phase in test["phases"] if phase["phase"] == "write"]
    for phase in test["phases"]:
        rate = phase["rates"]["operations_per_s"]
        phase.update(phase=name, data=None, verdicts=[], timeline=None, heatmap=None,
                     operations=operations(phase["operations"]["write"]), metadata=members)
        phase["rates"] = {"total_operations_per_s": rate, "sum_of_tasks_operations_per_s": rate}
    test.update(summaries=[])
    test["plan"] = {"tasks": 4, "nodes": 1, "series": [
        {"phase_index": 0, "operation": operation, "part": part} for part, operation in series.items()]}
    return document


def find(repetitions=1):
    """Few directories are read, and each entry is looked at, much faster."""
    return names_phase("find", {None: "list"}, lambda one: {"list": timed(one, 100, 32), "stat": timed(one, 1, 4001)},
                       repetitions, entries=4001, find={
                           "made_entries": 4000, "matches": 77, "directories": 32, "files": 3967, "others": 2,
                           "mounts_not_entered": 0, "stats": 4001, "stolen_pieces": 13})


def mix(repetitions=1, task_rate=None, response=1):
    """The four kinds, all of them, and with a rate the response times, so many times as slow."""
    def operations(one):
        found = {"mixed": one, "stat": timed(one, 1, 602), "create": timed(one, 3, 201),
                 "open_close": timed(one, 2, 101), "remove": timed(one, 4, 96)}
        return dict(found, response=timed(one, response)) if task_rate else found

    series = {None: "mixed", "create": "create", "stat": "stat", "read": "open_close", "remove": "remove"}
    return names_phase("mix", dict(series, response="response") if task_rate else series, operations, repetitions, mix={
        "shares": {"create": .2, "stat": .6, "read": .1, "remove": .1}, "think_s": 0, "limit_s": None,
        "task_rate_operations_per_s": task_rate, "files": 400, "most_missing_of_a_task": 9, "missed": 5})


def load(repetitions=1, **members):
    """A real load of reads and writes at 4000 operations per second, with the phase that laid out its files."""
    document = one("load.json")
    test = document["tests"][0]
    layout, phase = test["phases"]
    phase["load"].update(members)
    phase["possible"] = possible(phase)
    test["phases"] = [layout] + [repeat(phase, n, 1) for n in range(repetitions)]
    return document


def old_load():
    """The same, as iorx 0.1.0 wrote it."""
    document = load(3)
    for phase in document["tests"][0]["phases"][1:]:
        for name in ("rated_operations", "due", "issued"):
            phase["load"].pop(name, None)
    return document


def closed_load():
    """A load without a rate, so without response times."""
    document = load(3, asked_operations_per_s=None, due=None, issued=None)
    for phase in document["tests"][0]["phases"][1:]:
        del phase["operations"]["response"]
    return document


def load_study(rates=(500, 1000, 2000), name="load.rate"):
    """A load at each rate; the response times grow with it, and the last rate is not reached."""
    document = load(6)
    base, tests = document["tests"][0], []
    for index, rate in enumerate(rates):
        test = copy.deepcopy(base)
        test.update(test=index, summaries=[], study={"id": 0, "varied": {name: float(rate)}})
        for phase in test["phases"][1:]:
            reached = rate if index < len(rates) - 1 else .8 * rate
            phase["rates"] = {key: reached * (1 + phase["repetition"] / 1000) for key in phase["rates"]}
            phase["load"].update(asked_operations_per_s=rate, due=rate, issued=int(reached))
            phase["operations"]["response"] = timed(phase["operations"]["response"], index + 1)
        tests.append(test)
    document["tests"] = tests
    return document


def curve():
    """A curve of a maximum and three points, the last of which is not reached, and what iorx concludes of it."""
    document = load_study((4000, 500, 1000, 2000))
    tests = document["tests"]
    for test, text in zip(tests, ("max", "12.5%", "25%", "50%")):
        test["study"]["varied"] = {"load.curve": text}
        for phase in test["phases"]:
            phase["test"] = test["test"]
    for phase in tests[0]["phases"][1:]:
        phase["load"].update(asked_operations_per_s=None, due=None, issued=None)
        del phase["operations"]["response"]
    document["end"] = dict(document.get("end") or {}, curves=[{
        "study": 0, "points": [{"test": test["test"]} for test in tests], "overall_response_ns": 2e6,
        "knee_operations_per_s": 1000,
        "bound": {"statistic": "p99", "limit_ns": 4000000, "met_operations_per_s": 1000, "missed_operations_per_s": None}}])
    return document


def together(repetitions=6):
    """A set of a writer and a load, each of them alone too; the writer is twice as fast alone."""
    document, loads = one(), load(repetitions)
    tests = [copy.deepcopy(test) for _ in range(2) for test in (document["tests"][0], loads["tests"][0])]
    for number, test in enumerate(tests):
        again = number > 1
        test.update(test=number, summaries=[], name=("writer", "users")[number % 2],
                    set={"number": number if again else 1, "first_task": number % 2, "nodes": [0], "alone_of": number - 2 if again else None})
        test["options"]["name"] = {"value": test["name"]}
        if number % 2 == 0:
            test["phases"] = [repeat(phase, n, 1 + again) for n in range(repetitions) for phase in test["phases"]]
        for phase in test["phases"]:
            phase["test"] = number
    document["tests"] = tests
    common = {"set": 1, "phase_index": 0, "part": None}
    document["end"] = dict(document.get("end") or {}, slowdowns=[
        dict(common, test=0, alone_test=2, name="writer", phase="write", together_bytes_per_s=1e9, alone_bytes_per_s=2e9,
             slowdown=2.0, interval={"confidence": .9, "lower": 1.5, "upper": 3.0}, together_p99_ns=3000, alone_p99_ns=2000),
        dict(common, test=1, alone_test=3, name=None, phase="load", together_operations_per_s=1900.0, alone_operations_per_s=2000.0,
             asked_operations_per_s=2000.0, slowdown=None, interval=None, together_p99_ns=3000, alone_p99_ns=2000,
             together_repetitions=6, alone_repetitions=6, together_missed=2, alone_missed=0,
             mean_response=dict(together_ns=3000.0, alone_ns=2000.0, slowdown=1.5, interval={"confidence": .9, "lower": 1.2, "upper": 1.8}),
             p99_response=dict(together_ns=8000.0, alone_ns=2000.0, slowdown=4.0, interval=None))])
    return document


def varied(name, values, rate, count=7, second=None, declare=True):
    """A study: a test for each value, `rate(value)` times as fast as the first."""
    document, seed = one(), 1
    base, tests = document["tests"][0], []
    for value in values:
        for other in second[1] if second else [None]:
            test, seed = copy.deepcopy(base), seed + 1
            chance = random.Random(seed)
            factor = rate(value) if second is None else rate(value, other)
            test["phases"] = [repeat(phase, n, factor * chance.lognormvariate(0, .04))
                              for n in range(count) for phase in base["phases"]]
            settings = {name: value} if second is None else {name: value, second[0]: other}
            if declare:
                test["study"] = {"id": 0, "varied": settings, "scaling": "weak", "placement": "packed"}
            for key, one_value in settings.items():
                if key == "tasks":
                    test["plan"]["tasks"] = one_value
                elif key in test["options"]:
                    test["options"][key]["value"] = one_value
            test.update(test=len(tests), summaries=[])
            for phase in test["phases"]:
                phase["test"] = test["test"]
            tests.append(test)
    document["tests"] = tests
    return document


def usl(tasks, serial=.03, talk=.0005):
    return tasks / (1 + serial * (tasks - 1) + talk * tasks * (tasks - 1))


def scaling_study():
    return varied("tasks", [1, 2, 4, 8, 16, 32, 64], usl)


def sweep():
    return varied("transfer_size", [1 << n for n in range(12, 25, 2)], lambda b: 1 + b ** .3 / 30)


def two_options():
    return varied("transfer_size", [4096, 65536, 1 << 20, 1 << 24], lambda a, b: a ** .2 * b ** .1,
                  second=("queue_depth", [1, 4, 16, 64]), count=3)


def failed():
    document = many(3)
    test = document["tests"][0]
    document.update(status="failed", exit_code=1, errors=[
        {"at": document["run"]["began"], "kind": "io", "errno": 28, "text": "test 0: no space left"}])
    test["phases"] = test["phases"][:4]
    bad = {key: test["phases"][2][key] for key in ("test", "phase", "phase_index", "repetition", "warmup", "began",
                                                   "tasks", "cold", "cold_method")}
    bad.update(status="failed", stop=None, verdicts=[], failure={
        "text": "pwrite: No space left on device", "errno": 28, "operation": "write", "task": 3,
        "rank": 3, "host": "vm", "path": "/scratch/file", "offset_bytes": 1048576})
    test["phases"] = test["phases"][:2] + [bad]
    return document


def bare():
    """What is left when every optional member is missing."""
    document = one()
    for test in document["tests"]:
        for name in ("mount", "content", "summaries", "repetitions_end", "ref_num", "line"):
            test.pop(name, None)
        test["plan"] = {}
        for phase in test["phases"]:
            for name in list(phase):
                if name not in ("test", "phase", "repetition", "status", "rates"):
                    del phase[name]
    for name in ("errors", "end", "exit_code", "unreadable_lines"):
        document.pop(name, None)
    document["run"].pop("environment")
    return document


def sets(option, values):
    """A set of two loads for each value: shares of a curve, or numbers of copies; of the last the second is too slow."""
    base, tests = load()["tests"][0], []
    for number, value in enumerate(values, 1):
        for member in range(2 * value if option == "copies" else 2):
            test, slow = copy.deepcopy(base), number == len(values) and member == 1
            test.update(test=len(tests), summaries=[], name=f"load{member}", study={"id": member, "varied": {option: value}},
                        set={"number": number, "first_task": 2 * member, "copy": member // 2 + 1, "alone_of": None})
            for phase in test["phases"]:
                phase["test"] = test["test"]
            phase = test["phases"][-1]
            asked = phase["load"]["asked_operations_per_s"] = 1000 * (number if option != "copies" else 1)
            phase["rates"] = {key: asked * (.7 if slow else 1) for key in phase["rates"]}
            phase["load"].update(due=asked, issued=asked * 7 // 10 if slow else asked)
            phase["operations"]["response"] = timed(phase["operations"]["response"], number)
            tests.append(test)
    document = load()
    document["tests"] = tests
    return document


def hostile(value=None):
    """Texts that come from outside hold everything that could break a page or a picture."""
    document = large(tasks=8, repetitions=2)
    run, test = document["run"], document["tests"][0]
    run.update(command_line=["iorx", "-o", HOSTILE], job_file=HOSTILE, job_text=HOSTILE, hosts=[HOSTILE])
    run["environment"]["variables"] = {HOSTILE: HOSTILE}
    test["test_file"] = HOSTILE
    test["options"]["test_file"]["value"] = HOSTILE
    test["mount"] = {"directory": HOSTILE, "type": HOSTILE, "source": HOSTILE, "target": HOSTILE}
    for phase in test["phases"]:
        phase["balance"]["slowest"]["host"] = HOSTILE
        phase["verdicts"] = [{"id": "X1", "severity": "warn", "meaning": HOSTILE, "remedy": HOSTILE}]
        for row in phase["heatmap"]["rows"]:
            row["node"] = HOSTILE + str(row["first_task"] // 4)
    return document


ALL = {"one": one, "three": lambda: many(3), "thirty": lambda: many(30, 1), "metadata": metadata, "metadata study": metadata_study,
       "find": find, "mix": lambda: mix(3, 100), "load": lambda: load(3), "old load": old_load, "closed load": closed_load,
       "load study": load_study, "curve": curve, "together": together,
       "set copies": lambda: sets("copies", (1, 2)), "set curve": lambda: sets("load.curve", ("50%", "100%", "150%")),
       "failed": failed, "bare": bare, "hostile": hostile,
       "scaling": scaling_study, "sweep": sweep, "two": two_options, "large": large,
       "4096": lambda: large(4096, 3, 64)}


def run_command(main, name, *arguments):
    """(exit code, standard output, standard error) of a command; the code of argparse's own errors too."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    kept, sys.argv = sys.argv, [name, *arguments]
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main()
    except SystemExit as end:
        code = end.code
    finally:
        sys.argv = kept
    for one in out, err:
        one.seek(0)
    return code, out.read(), err.read()


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"), prefix="case.")

    def write(self, name, document):
        """The path of a file with this document."""
        path = os.path.join(self.folder, name + ".json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)
        return path
