"""The programs that read results of iorx: iorx-report, iorx-compare, iorx-plot and iorx-convert; and iorx-health."""

VERSION = "0.1.0"  # that of configure.ac
