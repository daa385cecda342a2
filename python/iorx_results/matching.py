"""Which tests of two results belong together: those with equal values of the options that vary."""

from dataclasses import dataclass

from . import study, words

# A path often differs from run to run: it tells tests apart only where both sides have the same paths.
PATHS = ("test_file", "metadata.dir")
SILENT = {"summary_file", *PATHS}


@dataclass
class Pair:
    """Tests of A and of B that are compared, one of each run; a side is empty where there is no partner."""
    tests: tuple
    options: dict  # {name: text} of what tells it from the other tests of its side
    label: str = ""

    @property
    def numbers(self):
        """The number of the test in A and in B; None where there is no partner."""
        return tuple(tests[0].number if tests else None for tests in self.tests)

    @property
    def is_whole(self):
        return all(self.tests)

    @property
    def name(self):
        """How a row calls it."""
        return self.label or self.number_words

    @property
    def number_words(self):
        known = [str(number) for number in self.numbers if number is not None]
        return known[0] if len(set(known)) == 1 else f"{known[0]} of A, {known[1]} of B"

    @property
    def short(self):
        """The values alone, for a chart."""
        return ", ".join(self.options.values()) or self.number_words


class SideTests:
    """The tests of all runs of one side, with what each was asked to do."""

    def __init__(self, runs, declared):
        self.tests = [(number, test) for number, run in enumerate(runs) for test in run.tests]
        self.rows = {id(test): settings(test, declared) for _, test in self.tests}

    def values(self, name):
        return {str(row.get(name)) for row in self.rows.values()}

    def varies(self, name):
        return len(self.values(name)) > 1

    def keyed(self, names, left):
        """{values of the names and how often they were there: [test of each run]} of the tests that are left."""
        found, seen = {}, {}
        for run, test in self.tests:
            if id(test) in left:
                values = tuple(str(self.rows[id(test)].get(name)) for name in names)
                seen[run, values] = seen.get((run, values), 0) + 1
                found.setdefault((*values, seen[run, values]), []).append(test)
        return found


def settings(test, declared):
    """{name: value} of what may tell a test from others of its job."""
    varied = test.study.get("varied") or {}
    found = {name: value for name, value in study.settings(test).items() if name not in SILENT}
    found.update((name, varied.get(name, study.text_of(test.option(name)))) for name in declared
                 if name not in found)
    found.update((name, test.option(name)) for name in PATHS)
    if test.set:
        found["set"] = "together" if test.set.get("alone_of") is None else "alone"
    return found


def pair(runs_a, runs_b):
    """[Pair] of all tests: first those with a partner, in the order of A."""
    declared = list(dict.fromkeys(name for run in [*runs_a, *runs_b] for test in run.tests
                                  for name in test.study.get("varied") or {}))
    sides = SideTests(runs_a, declared), SideTests(runs_b, declared)
    names = [name for name in dict.fromkeys(name for side in sides for row in side.rows.values() for name in row)
             if any(side.varies(name) for side in sides)
             and (name not in PATHS or sides[0].values(name) == sides[1].values(name))]
    # A job of which one test got another option still has its partners by the rest that varies.
    both = [name for name in names if name in declared or all(side.varies(name) for side in sides)]
    left = {id(test) for side in sides for _, test in side.tests}
    found = match(sides, names, left) + (match(sides, both, left) if both and both != names else [])
    found += [(tests, ()) if side is sides[0] else ((), tests)
              for side in sides for tests in side.keyed(names, left).values()]
    return labelled([Pair(tests, options_of(sides, tests, shown_names(sides, names, declared)))
                     for tests in found])


def match(sides, names, left):
    """[(tests of A, tests of B)] with equal values; they are taken out of what is left."""
    keyed = [side.keyed(names, left) for side in sides]
    found = [(tests, keyed[1][key]) for key, tests in keyed[0].items() if key in keyed[1]]
    left.difference_update(id(test) for both in found for tests in both for test in tests)
    return found


def shown_names(sides, names, declared):
    """Of names that change together, the one that tests are called by."""
    groups = {}
    for name in names:
        column = [str(row.get(name)) for side in sides for row in side.rows.values()]
        groups.setdefault(tuple(column.index(value) for value in column), []).append(name)
    return [next((name for name in group if name in (*declared, "name")), None) or study.pick(group) or group[0]
            for group in groups.values()]


def options_of(sides, tests, names):
    """{name: text} of the values that all these tests have."""
    rows = [side.rows[id(test)] for side, several in zip(sides, tests) for test in several]
    first = next(test for several in tests for test in several)
    return {name: words.option_text(dict(first.options.get(name, {}), value=rows[0].get(name)))
            for name in names if len({str(row.get(name)) for row in rows}) == 1}


def named(options):
    """The name of a test, and whether it ran together with others; empty where its job gave it none."""
    found = {name: options[name] for name in ("name", "set") if name in options}
    return found if found.get("name", "-") != "-" else {}


def labelled(pairs):
    """With labels that differ where there are several; equal tests have their number too."""
    names = [named(one.options) for one in pairs]
    for one, found in zip(pairs, names):
        if found and names.count(found) == 1:
            one.options = found
    if len(pairs) > 1:
        plain = [", ".join(f"{name} = {text}" for name, text in one.options.items()) for one in pairs]
        for one, text in zip(pairs, plain):
            unique = text and plain.count(text) == 1
            one.label = text if unique else f"{text}{text and ', '}test {one.number_words}"
    return pairs
