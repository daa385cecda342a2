"""What the objects look like whose members are shown as they are: checked where a document is read.

A shape is a kind of kinds.KINDS, {name: shape} of an object, [shape] of an array, Each(shape) of an
object with any names, or Needed(shape) of what must be there. Anything else may be null or missing;
a member that no shape names is not looked at."""

from .fields import PHASE
from .kinds import NUMBER, OPTION, SIGNED, TEXT, TRUTH, VALUE, WHOLE, Each, Needed

PLACE = {"task": WHOLE, "node": WHOLE, "host": TEXT, "offset_bytes": WHOLE, "item": WHOLE}
# The value of an option that is an object holds texts by their names: hints.
OPTIONS = Each(Needed({"unit": TEXT, "origin": TEXT, "where": TEXT, "value": OPTION}))
ENVIRONMENT = {"memory_bytes": WHOLE}

# Of a test.
SERIES = {"phase_index": Needed(WHOLE), "operation": Needed(TEXT), "part": TEXT}
PLAN = {"series": [Needed(SERIES)], "tasks": WHOLE, "nodes": WHOLE, "transfers_per_task": WHOLE, "queue_depth": WHOLE,
        "phase_bytes": WHOLE, "shared_file": TRUTH, "order": TEXT}
MOUNT = {"type": TEXT, "target": TEXT, "source": TEXT}
STUDY = {"id": VALUE, "scaling": TEXT, "placement": TEXT, "varied": Each(Needed(VALUE))}

# Members of a phase that are no plain numbers; PHASE has the others.
SLOW_ONE = dict(PLACE, slot=WHOLE, slow=TRUTH, time_s=Needed(NUMBER), ratio=Needed(NUMBER))
SLOW = {group: {"slowest": [Needed(SLOW_ONE)]} for group in ("tasks", "nodes", "slots")}
OUTLIERS = {"means_s": Each(SIGNED), "named": [Needed(dict(PLACE, step=Needed(TEXT), time_s=Needed(SIGNED)))]}
FAILURE = {"text": TEXT, "task": WHOLE, "host": TEXT, "path": TEXT}
HEAT_ROW = Needed({"first_task": WHOLE, "last_task": WHOLE, "node": TEXT})
COUNTERS = Each(WHOLE)

# Of a summary.
SLOW_MEMBER = dict(PLACE, kind=TEXT, slot=WHOLE, file=WHOLE, repetitions=WHOLE, flagged=WHOLE,
                   mean_ratio=NUMBER, p=NUMBER, persistent=TRUTH)
SLOW_MEMBERS = {"members": [Needed(SLOW_MEMBER)]}
