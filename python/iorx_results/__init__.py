"""What reads the results of iorx: iorx-report, iorx-compare and iorx-plot."""

VERSION = "0.1.0"  # that of configure.ac
