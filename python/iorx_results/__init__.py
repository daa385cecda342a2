"""What reads the results of iorx: iorx-report, iorx-compare and iorx-plot."""
