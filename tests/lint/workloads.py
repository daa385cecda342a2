"""Counts the places outside engine, plan and pattern that ask which kind of test or phase they have.

Such a place has to be found and changed for each new kind of test. A row of src/plan/workload.c or src/pattern/phase.c
that says what the place wants to know does not. The number may fall, and MOST falls with it.
"""

import re

import source

MOST = 100
QUESTION = re.compile(r"plan(->|\.)(load|metadata)\b|phase_is_metadata|\bkind [=!]= PHASE_")
ROOMS_OF_KINDS = ("src/engine/", "src/plan/", "src/pattern/")


def main():
    known = [path for path in source.files() if path.startswith("src/") and not path.startswith(ROOMS_OF_KINDS)]
    places = [f"{path}:{number}" for path in known for number, line in source.code_lines(path)
              if QUESTION.search(line)]
    complaints = []
    if len(places) > MOST:
        complaints.append(f"{len(places)} places ask for the kind of a test or phase, {MOST} are allowed: add a member "
                          "to struct workload_traits or struct phase_traits instead; the places: " + ", ".join(places))
    source.finish("workloads", complaints, len(known))


main()
