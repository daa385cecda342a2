"""Gaps in a trace during which no stream makes a request or has one in progress, and what cutting them makes of the times."""

from bisect import bisect_left, bisect_right
from itertools import accumulate

from .trace_file import RECORD


class Idle:
    """Takes the times of all requests by add(), in any order of calls. Then moved() says what becomes of each. Only the gaps are kept in memory."""

    def __init__(self, most):
        self.most = most               # ns of a gap that stays
        self.firsts, self.lasts = [], []  # of spans of time that have no longer gap
        self.cuts = None               # ns by which the times of each span become earlier

    def add(self, calls):
        """calls: (when it was due, when it ended as far as that is known) of each, sorted."""
        if not calls:
            return
        most, firsts, last = self.most, [calls[0][0]], calls[0][0]
        lasts = []
        for due, end in calls:
            if due - last > most:
                lasts.append(last)
                firsts.append(due)
            last = max(last, end)
        self.join(firsts, [*lasts, last])

    def join(self, firsts, lasts):
        """Adds spans, which may fill gaps between those that are known."""
        begin = bisect_left(self.lasts, firsts[0] - self.most)
        end = bisect_right(self.firsts, lasts[-1] + self.most)
        joined = []
        for first, last in sorted([*zip(self.firsts[begin:end], self.lasts[begin:end]), *zip(firsts, lasts)]):
            if joined and first - joined[-1][1] <= self.most:
                joined[-1][1] = max(joined[-1][1], last)
            else:
                joined.append([first, last])
        self.firsts[begin:end], self.lasts[begin:end] = zip(*joined)

    def cut(self):
        """(number of gaps that are cut, ns by which they become shorter in all)."""
        if self.cuts is None:
            self.cuts = [0, *accumulate(first - last - self.most for first, last in zip(self.firsts[1:], self.lasts))]
        return len(self.cuts) - 1, self.cuts[-1]

    def moved(self, due):
        self.cut()
        return due - self.cuts[bisect_right(self.firsts, due) - 1]

    def moved_records(self, piece):
        """The bytes of records with their times moved."""
        moved = self.moved
        return b"".join([RECORD.pack(moved(due), *rest) for due, *rest in RECORD.iter_unpack(piece)])
