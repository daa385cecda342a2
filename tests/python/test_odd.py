"""Documents made by hand or odd: each member gone or another in turn ends in work or in a clear error."""

import unittest

import results
from iorx_results import brief, compare_forms, comparison, draw, figure, page, page_compare, reader, study
from iorx_results.command import Usage
from iorx_results.members import ResultError

GONE = object()
ODD = (GONE, None, 0, -1, "x", [], {}, 1e308, 1e-320, float("nan"), 1 << 63)
# Of these nothing is looked at but that they can be shown.
SHOWN = {"environment", "clock", "kernel", "stamps", "verification", "settings", "files", "placement", "content",
         "readers", "data", "needs"}
# What charts draw.
DRAWN = {"rates", "operations", "stamps", "timeline", "heatmap", "counters", "study", "slow", "repetition"}


def only_write(document):
    """What is left to draw is little, as each member has its turn."""
    for test in document["tests"]:
        test["phases"] = [phase for phase in test["phases"] if phase["phase"] == "write"]
        for phase in test["phases"]:
            phase["operations"] = {"write": phase["operations"]["write"]}
    return document


READ = {
    "one": lambda: only_write(results.one()), "metadata": results.metadata, "failed": results.failed,
    "bare": results.bare, "large": lambda: only_write(results.large(6, 2, 2)),
    "two": lambda: only_write(results.varied("tasks", [1, 2], lambda a, b: a * b, 1, ("transfer_size", [1, 2]))),
}
DRAW = {
    "large": lambda: only_write(results.large(2, 1, 1)),
    "study": lambda: only_write(results.varied("tasks", [1, 2, 3], results.usl, 1)), "two": READ["two"],
}


def places(value, keys=()):
    """The keys of all members; of an array the first element stands for all, of options one."""
    inner = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, one in inner:
        if keys[-1:] == ("options",) and key not in ("transfer_size", "output"):
            continue
        yield (*keys, key)
        if key not in SHOWN:
            yield from places(one, (*keys, key))


class changed:
    """For the length of a with block a member of the document is another or gone."""

    def __init__(self, document, keys, value):
        self.parent, self.key, self.value = document, keys[-1], value
        for key in keys[:-1]:
            self.parent = self.parent[key]

    def __enter__(self):
        self.kept = self.parent[self.key]
        if self.value is GONE:
            self.parent.pop(self.key)
        else:
            self.parent[self.key] = self.value

    def __exit__(self, *_):
        if self.value is GONE and isinstance(self.parent, list):
            self.parent.insert(self.key, self.kept)
        else:
            self.parent[self.key] = self.kept


def show(run, other):
    """All texts, pages and comparisons of a run; charts are only captioned."""
    page.make([run])
    draw.summary_lines([run])
    brief.deciding([run])
    try:
        found = comparison.compare(comparison.Side("a", [run]), comparison.Side("b", [other]))
    except Usage:
        return
    for form in (compare_forms.text, compare_forms.markdown, compare_forms.as_json, page_compare.make):
        form(found)


def draw_all(run):
    """Every chart that iorx-plot would draw, without the writing of the picture."""
    style = figure.Style()
    for one in brief.every([run]):
        with figure.drawing(style):
            one.chart.draw(figure.Sheet(style, *figure.shape(one.chart, one.data)[2:]), one.data)


class OddTest(unittest.TestCase):
    def setUp(self):
        self.kept = page.Artist.draw
        page.Artist.draw = lambda self, draw, caption, *_, **__: {"svg": str(caption), "caption": caption, "is_wide": False}
        self.other = reader.read_run(results.one(), "other.json")

    def tearDown(self):
        page.Artist.draw = self.kept

    def go_through(self, documents, use, wanted=lambda keys: True, values=ODD):
        seen, clear = set(), 0
        for name, make in documents.items():
            document = make()
            for keys in filter(wanted, list(places(document))):
                if keys not in seen:
                    clear += self.replace(name, document, keys, values, use)
                seen.add(keys)
        self.assertGreater(clear, 100)

    def replace(self, name, document, keys, values, use):
        """How often a clear error came of it."""
        clear = 0
        for value in values:
            with changed(document, keys, value):
                try:
                    use(reader.read_run(document, "odd.json"))
                except ResultError as error:
                    clear += str(error).startswith("odd.json: ")
                except Exception as error:
                    raise AssertionError(f"{name}: {keys} = {value!r}") from error
        return clear

    def test_pages_and_comparisons_work_or_say_what_is_wrong(self):
        self.go_through(READ, lambda run: show(run, self.other))

    def test_charts_are_drawn_or_the_error_says_what_is_wrong(self):
        self.go_through(DRAW, draw_all, lambda keys: DRAWN & set(keys), (GONE, 0, 1 << 63))

    def test_names_of_options_are_names(self):
        for place in ("options", "study"):
            document = results.varied("queue_depth", [1, 2, 3], results.usl, 1)
            test = document["tests"][0]
            if place == "options":
                test["options"]["{0.__class__}"] = {"value": 1, "origin": "file", "where": "x"}
            else:
                test["study"]["varied"] = {"{0.__class__}": 1}
            with self.assertRaisesRegex(ResultError, "has '{0.__class__}', which is not a name of an option"):
                reader.read_run(document, "odd.json")

    def test_options_that_hold_names_and_values_can_be_varied(self):
        document = results.varied("x", [1, 2, 3], results.usl, 1, declare=False)
        for number, test in enumerate(document["tests"]):
            test["options"]["mpiio.hint"] = {"value": {"cb_nodes": str(number)}, "origin": "file", "where": "x"}
        found, = study.of_runs([reader.read_run(document, "odd.json")])
        self.assertEqual(found.title, "mpiio.hint varied")
        self.assertEqual(found.lines[0].points[1].values, ("cb_nodes=1",))


if __name__ == "__main__":
    unittest.main()
