"""The shapes of objects whose members are shown as they are: checked where a document is read.

A shape is a kind of kinds.KINDS, {name: shape} of an object, [shape] of an array, Each(shape) of an
object with any names, or Needed(shape) of what must be there. Anything else may be null or missing;
a member that no shape names is not looked at."""

from .fields import PHASE
from .kinds import NUMBER, OPTION, SIGNED, TEXT, TRUTH, VALUE, WHOLE, Each, Needed

PLACE = {"task": WHOLE, "node": WHOLE, "host": TEXT, "offset_bytes": WHOLE, "item": WHOLE}
# The value of an option that is an object holds texts by their names: hints.
OPTIONS = Each(Needed({"unit": TEXT, "origin": TEXT, "where": TEXT, "value": OPTION}))
ENVIRONMENT = {"memory_bytes": WHOLE}
# What every node said of itself.
OTHERS = {"value": TEXT, "count": Needed(WHOLE), "nodes": [Needed(WHOLE)]}
NODE_ENVIRONMENTS = {"nodes": WHOLE, "common": Each(TEXT),
                     "differences": [Needed({"key": Needed(TEXT), "common": TEXT, "others": [Needed(OTHERS)]})]}

# Of the end: curves of load against response time.
BOUND = {"statistic": TEXT, "limit_ns": WHOLE, "met_operations_per_s": NUMBER, "missed_operations_per_s": NUMBER, "agrees": TRUTH}
# How much slower a test of a set was than alone.
RANGE = {"lower": Needed(NUMBER), "upper": Needed(NUMBER)}
RESPONSE = {"together_ns": NUMBER, "alone_ns": NUMBER, "slowdown": NUMBER, "interval": RANGE}
SLOWDOWN = {"set": Needed(WHOLE), "test": Needed(WHOLE), "alone_test": Needed(WHOLE), "name": TEXT, "phase": Needed(TEXT), "part": TEXT, "beside": TEXT,
            "together_bytes_per_s": NUMBER, "alone_bytes_per_s": NUMBER, "together_operations_per_s": NUMBER,
            "alone_operations_per_s": NUMBER, "slowdown": NUMBER, "interval": RANGE, "together_p99_ns": WHOLE,
            "alone_p99_ns": WHOLE, "mean_response": RESPONSE, "p99_response": RESPONSE, "asked_operations_per_s": NUMBER, "together_missed": WHOLE,
            "alone_missed": WHOLE, "together_repetitions": WHOLE, "alone_repetitions": WHOLE}
END = {"curves": [Needed({"points": [Needed({"test": WHOLE, "tests": WHOLE})], "overall_response_ns": NUMBER,
                          "knee_operations_per_s": NUMBER, "falls": TRUTH, "odd_operations_per_s": NUMBER, "bound": BOUND})],
       "slowdowns": [Needed(SLOWDOWN)]}

# Of a test.
SERIES = {"phase_index": Needed(WHOLE), "operation": Needed(TEXT), "part": TEXT}
PLAN = {"phases": [TEXT], "series": [Needed(SERIES)], "tasks": WHOLE, "nodes": WHOLE, "transfers_per_task": WHOLE, "queue_depth": WHOLE,
        "phase_bytes": WHOLE, "shared_file": TRUTH, "order": TEXT, "files": WHOLE, "readers": {"order": TEXT, "shift_tasks": WHOLE},
        "placement": [Needed(dict.fromkeys(("first_node", "nodes", "tasks_per_node"), Needed(WHOLE)))]}
MOUNT = {"type": TEXT, "target": TEXT, "source": TEXT}
SET = {"number": WHOLE, "first_task": WHOLE, "copy": WHOLE, "alone_of": WHOLE}
STUDY = {"id": VALUE, "scaling": TEXT, "placement": TEXT, "varied": Each(Needed(VALUE))}

# Members of a phase that are no plain numbers; PHASE has the others.
PHASE["load"]["beside"] = TEXT
SLOW_ONE = dict(PLACE, slot=WHOLE, slow=TRUTH, time_s=Needed(NUMBER), ratio=Needed(NUMBER))
SLOW = {group: {"slowest": [Needed(SLOW_ONE)]} for group in ("tasks", "nodes", "slots")}
OUTLIERS = {"means_s": Each(SIGNED), "named": [Needed(dict(PLACE, step=Needed(TEXT), time_s=Needed(SIGNED)))]}
FAILURE = {"text": TEXT, "task": WHOLE, "host": TEXT, "path": TEXT}
HEAT_ROW = Needed({"first_task": WHOLE, "last_task": WHOLE, "node": TEXT})
COUNTERS = Each(WHOLE)
STAMPS = Each({"first_ns": WHOLE, "last_ns": WHOLE})
LIMIT = {"limit": Needed(TEXT), "each_bytes_per_s": Needed(NUMBER), "count": Needed(WHOLE), "method": TEXT}
POSSIBLE = {"bytes_per_s": Needed(NUMBER), "least": Needed(TEXT), "share": Needed(NUMBER), "limits": [Needed(LIMIT)]}

# Of a test: limits that were measured before it.
MEASURED_LIMITS = {"why_not": TEXT, "limits": [Needed(dict(LIMIT, access=TEXT, rounds=WHOLE, spread=NUMBER, judges=TRUTH))]}

# Of a summary.
SLOW_MEMBER = dict(PLACE, kind=TEXT, slot=WHOLE, file=WHOLE, repetitions=WHOLE, flagged=WHOLE,
                   mean_ratio=NUMBER, p=NUMBER, persistent=TRUTH)
SLOW_MEMBERS = {"members": [Needed(SLOW_MEMBER)]}
