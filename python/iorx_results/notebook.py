"""
Results in Python, for notebooks: read("*.json").table(). doc/guide/notebook.md is its
document.
"""

import glob
from html import escape

from . import files, rows
from .members import ResultError


class Table(list):
    """
    A list with a dict for each row, all with the same keys; a notebook shows it as a
    table, pandas.DataFrame() takes it.
    """
    @property
    def columns(self):
        return list(self[0]) if self else []

    def where(self, **values):
        """The rows with these values: table.where(phase="write", status="complete")."""
        return Table(row for row in self
                     if all(row[name] == value for name, value in values.items()))

    def column(self, name):
        """The values of one column, as plots take them."""
        return [row[name] for row in self]

    def _repr_html_(self):
        heads = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        lines = "".join(f"<tr>{html_of(row)}</tr>" for row in self)
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


def html_of(row):
    return "".join(f"<td>{escape(text_of(value))}</td>" for value in row.values())


def text_of(value):
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(
        value, float) else ", ".join(value) if isinstance(value, tuple) else str(value)


class Results:
    """
    Results as they were given; each file is read when it is needed, and none is kept.
    """
    def __init__(self, names):
        found = [
            path for name in names
            for path in (sorted(glob.glob(name)) if glob.has_magic(name) else [name])
        ]
        self.paths = [path for name in found for path in files.files_of(name)]
        if not self.paths:
            raise ResultError(f"{', '.join(names)}: no file has such a name")

    def __len__(self):
        return len(self.paths)

    def __iter__(self):
        """The model.Runs, one after the other."""
        return (files.read_file(path) for path in self.paths)

    def table(self):
        """A row for each kind of phase of each test, in the order of their dates."""
        known = {}
        found = [row for run in self for row in rows.of_run(run, known)]
        found.sort(key=lambda row: row.began)
        return Table({name: getattr(row, name) for name in rows.SHOWN} for row in found)
