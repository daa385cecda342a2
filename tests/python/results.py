"""Result documents for tests: a real one of one repetition, and others made of it."""

import copy
import json
import math
import os
import random
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.environ.get("SRCDIR") or os.path.join(HERE, "../..")
sys.path.insert(0, os.path.join(TOP, "python"))

HOSTILE = '</script><script>document.body.id="broken"</script><img src=x onerror="document.body.id=1">' \
    "\"'&{{7*7}}${x}$$\\frac \u2028\u202e\x07 <!--"


def one():
    with open(os.path.join(HERE, "one.json"), encoding="utf-8") as file:
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
    return {"slice_seconds": total / slices, "bytes": shape,
            "operations": [max(1, n >> 18) for n in shape], "p50_ns": [120000 + s // 9 for s in slow],
            "p99_ns": [2 * s for s in slow], "max_ns": [5 * s for s in slow]}


def heat(phase, tasks, slices=100, nodes=4, slow=(), seed=2):
    chance, total = random.Random(seed), phase["intervals"]["total_s"]
    rows, cells = [], []
    each = phase["data"]["bytes"] / tasks / slices
    for task in range(tasks):
        rows.append({"first_task": task, "last_task": task, "node": f"node{task * nodes // tasks:02}"})
        factor = 0.5 if task in slow else 1
        cells.append([0 if chance.random() < .03 or (factor == 1 and i > .93 * slices)
                      else int(each * factor * chance.uniform(.7, 1.3)) for i in range(slices)])
    return {"slice_seconds": total / slices, "rows": rows, "bytes": cells}


def large(tasks=120, repetitions=8, nodes=4):
    """Many tasks, with every optional part."""
    document = many(repetitions, warmups=1)
    document["run"].update(tasks=tasks, nodes=nodes, hosts=[f"node{n:02}" for n in range(nodes)])
    test = document["tests"][0]
    test["plan"].update(tasks=tasks, nodes=nodes)
    for phase in test["phases"]:
        phase["tasks"]["measured"] = tasks
        phase["timeline"] = timeline(phase, seed=phase["repetition"])
        phase["heat"] = heat(phase, min(tasks, 128), slow=(17, 18), nodes=nodes)
    return document


def metadata():
    """Phases that move no bytes."""
    document = many(8)
    test, phases = document["tests"][0], []
    for name, operation, factor in (("create", "create", 1), ("stat", "stat", 4), ("remove", "remove", 2)):
        for n in range(8):
            phase = repeat(test["phases"][2 * n], n, factor)
            phase.update(phase=name, data=None, verdicts=[])
            phase["rates"] = {"total_bytes_per_s": None,
                              "operations_per_s": phase["rates"]["operations_per_s"]}
            phase["operations"] = {operation: phase["operations"]["write"]}
            phases.append(phase)
    test.update(phases=phases, summaries=[])
    test["plan"] = {"tasks": 4, "nodes": 1}
    return document


def failed():
    document = many(3)
    test = document["tests"][0]
    document.update(status="failed", exit_code=1, errors=[
        {"at": document["run"]["began"], "kind": "io", "errno": 28, "text": "test 0: no space left"}])
    test["phases"] = test["phases"][:4]
    bad = {key: test["phases"][2][key] for key in ("test", "phase", "repetition", "warmup", "began",
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
        for name in ("choice", "mount", "content", "summaries", "repetitions_end", "ref_num", "line"):
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


def hostile(value=None):
    """Texts that come from outside hold everything that could break a page or a picture."""
    document = large(tasks=8, repetitions=2)
    run, test = document["run"], document["tests"][0]
    run.update(command_line=["iorx", "-o", HOSTILE], job_file=HOSTILE, hosts=[HOSTILE])
    run["environment"]["variables"] = {HOSTILE: HOSTILE}
    test["test_file"] = HOSTILE
    test["options"]["test_file"]["value"] = HOSTILE
    test["mount"] = {"directory": HOSTILE, "type": HOSTILE, "source": HOSTILE, "target": HOSTILE}
    for phase in test["phases"]:
        phase["balance"]["slowest"]["host"] = HOSTILE
        phase["verdicts"] = [{"id": "X1", "severity": "warn", "meaning": HOSTILE, "remedy": HOSTILE}]
        for row in phase["heat"]["rows"]:
            row["node"] = HOSTILE + str(row["first_task"] // 4)
    return document


ALL = {"one": one, "three": lambda: many(3), "thirty": lambda: many(30, 1), "metadata": metadata,
       "failed": failed, "bare": bare, "hostile": hostile, "large": large,
       "4096": lambda: large(4096, 3, 64)}


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
