"""What the objects look like whose members are shown as they are: checked where a document is read.

A shape is a kind of members.KINDS, {name: shape} of an object, [shape] of an array, Each(shape) of an
object with any names, or Needed(shape) of what must be there. Anything else may be null or missing;
a member that no shape names is not looked at."""

from dataclasses import dataclass

NUMBER, SIGNED, WHOLE = "a number", "a number, maybe below 0", "a whole number"
TEXT, TRUTH, VALUE = "a text", "true or false", "a text, a number, true or false"
OPTION = "a text, a number, true or false, or an object"


@dataclass
class Each:
    shape: object


@dataclass
class Needed:
    shape: object


PLACE = {"task": WHOLE, "node": WHOLE, "host": TEXT, "offset_bytes": WHOLE, "item": WHOLE}
# The value of an option that is an object holds texts by their names: hints.
OPTIONS = Each(Needed({"unit": TEXT, "origin": TEXT, "where": TEXT, "value": OPTION}))
ENVIRONMENT = {"memory_bytes": WHOLE}

# Of a test.
PLAN = {"tasks": WHOLE, "nodes": WHOLE, "transfers_per_task": WHOLE, "queue_depth": WHOLE,
        "phase_bytes": WHOLE, "shared_file": TRUTH, "order": TEXT}
MOUNT = {"type": TEXT, "target": TEXT, "source": TEXT}
STUDY = {"id": VALUE, "scaling": TEXT, "placement": TEXT, "varied": Each(Needed(VALUE))}

# Of a phase.
INTERVALS = Each(NUMBER)
BALANCE = {"imbalance": NUMBER, "straggler_loss": SIGNED, "straggler_loss_without_skew": SIGNED, "mean_task_s": NUMBER,
           "slowest": dict(PLACE, time_s=NUMBER)}
TASKS = {"measured": WHOLE, "idle": WHOLE}
LITTLE = {"in_flight": NUMBER, "busy_share": NUMBER, "accounted_share": NUMBER}
TASK_P99 = {"tasks": WHOLE, "min_ns": WHOLE, "median_ns": WHOLE, "max_ns": WHOLE, "slowest": PLACE}
SLOW_ONE = dict(PLACE, slot=WHOLE, slow=TRUTH, time_s=Needed(NUMBER), ratio=Needed(NUMBER))
SLOW = {group: {"slowest": [Needed(SLOW_ONE)]} for group in ("tasks", "nodes", "slots")}
OUTLIERS = {"means_s": Each(SIGNED), "named": [Needed(dict(PLACE, step=Needed(TEXT), time_s=Needed(SIGNED)))]}
WITHIN = {"mean_bytes_per_s": Needed(NUMBER), "half_width_bytes_per_s": Needed(NUMBER)}
FIND = {name: WHOLE for name in ("matches", "directories", "files", "others", "stats", "made_entries",
                                 "mounts_not_entered", "pieces_from_other_tasks")}
MIX = {"shares": Each(Needed(NUMBER)), "task_rate_operations_per_s": NUMBER, "missed": WHOLE, "files": WHOLE}
NAMES = {"operations": WHOLE, "failed_operations": WHOLE, "entries": WHOLE, "find": FIND, "mix": MIX}
FAILURE = {"text": TEXT, "task": WHOLE, "host": TEXT, "path": TEXT}
HEAT_ROW = Needed({"first_task": WHOLE, "last_task": WHOLE, "node": TEXT})
COUNTERS = Each(WHOLE)

# Of a summary.
SLOW_MEMBER = dict(PLACE, kind=TEXT, slot=WHOLE, file=WHOLE, repetitions=WHOLE, flagged=WHOLE,
                   mean_ratio=NUMBER, p=NUMBER, persistent=TRUTH)
SLOW_MEMBERS = {"members": [Needed(SLOW_MEMBER)]}
