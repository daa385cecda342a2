"""Checks who prints, who ends the process, who calls MPI and who knows what was configured."""

import re

import source

# What is looked for, where it may stand, and what to do instead.
RULES = [
    (re.compile(r"\b(v?f?printf|v?dprintf|f?puts|putc|fputc|putchar|perror)\s*\("),
     ("src/page/", "src/record/document.c", "src/main.c", "src/base/memory.c", "src/base/error.c"),
     "prints: return error_set(err, …) or leave it to src/page"),
    (re.compile(r"\b(_?exit|_Exit|quick_exit|abort)\s*\("),
     ("src/main.c", "src/base/memory.c", "src/base/error.c", "src/comm/comm.c",
      "src/engine/core/watchdog.c"),
     "ends the process: return error_set(err, …)"),
    (re.compile(r"\bMPI_[A-Z][a-z]\w*\s*\("),
     ("src/comm/", "src/main.c", "backends/"),
     "calls MPI: only src/comm and backends do"),
    (re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b.*\bHAVE_"),
     ("backends/registry.c", "src/main.c", "src/base/version.c"),
     "asks what was configured: only registry.c and main.c do"),
]


def main():
    complaints = []
    aborts = []
    known = source.files()
    for path in known:
        for number, line in source.code_lines(path):
            for pattern, allowed, why in RULES:
                if pattern.search(line) and not path.startswith(allowed):
                    complaints.append(f"{path}:{number}: {why}")
            if re.search(r"\bMPI_Abort\s*\(", line):
                aborts.append(f"{path}:{number}")
    if len(aborts) > 1:
        complaints.append("MPI_Abort is called in more than one place: " + ", ".join(aborts))
    source.finish("prints", complaints, len(known))


main()
