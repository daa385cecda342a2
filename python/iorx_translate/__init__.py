"""Turns jobs of other programs into jobs of iorx: iorx-translate. Standard library only."""

VERSION = "0.1.0"  # that of configure.ac
