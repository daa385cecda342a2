"""
The programs that read results of iorx: iorx-report, iorx-compare, iorx-plot and iorx-convert; iorx-import and iorx-health. In
Python, `iorx_results.read("*.json").table()`.
"""

VERSION = "0.1.0"  # that of configure.ac


def read(*names):
    """The Results of files, folders and patterns such as "nightly/*.json"; an error names a file that is no result."""
    from .notebook import Results
    return Results(names)
