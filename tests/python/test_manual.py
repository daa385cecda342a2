"""Documents and programs agree: man pages, the guide to the reports, definitions."""

import os
import re
import unittest

import results
from iorx_results import VERSION, catalogue, definitions, manual


def document(name):
    with open(os.path.join(results.TOP, "doc", name), encoding="utf-8") as file:
        return file.read()


class ManualTest(unittest.TestCase):
    def test_the_man_pages_are_what_the_programs_say(self):
        for name in manual.PROGRAMS:
            self.assertEqual(document(f"iorx-{name}.1"), manual.page(name),
                             f"iorx-{name}.1 is old: make man")

    def test_the_guide_names_every_chart_and_every_option(self):
        for kind in [*catalogue.CHARTS, *catalogue.STUDY_CHARTS, *catalogue.SET_CHARTS, *catalogue.OVERLAY_CHARTS]:
            self.assertIn(f"`{kind}`", document("report.md"))
        for name, program in manual.PROGRAMS.items():
            guide = document(manual.guide(name))
            for action in program.parser()._actions:
                for option in action.option_strings:
                    if option.startswith("--") and option not in ("--help", "--version"):
                        self.assertIn(f"`{option}", guide, name)

    def test_each_definition_stands_in_the_measurement_guide(self):
        terms = re.findall(r"\*\*(.+?)\*\*|^#+ (.+)$", re.sub(r"(?<=\S)\n(?=\w)", " ", document(
            "measurement.md")), re.MULTILINE)
        known = {(bold or heading).lower() for bold, heading in terms}
        for _, term, _, _ in definitions.DEFINITIONS:
            self.assertIn(term.lower(), known)

    def test_the_version_is_that_of_the_program(self):
        with open(os.path.join(results.TOP, "configure.ac"), encoding="utf-8") as file:
            self.assertIn(f"AC_INIT([iorx], [{VERSION}]", file.read())

    def test_every_chart_tells_what_it_is(self):
        for chart in [*catalogue.CHARTS.values(), *catalogue.STUDY_CHARTS.values()]:
            self.assertRegex(chart.__doc__.splitlines()[0], r"^[A-Z].{30,100}\.$")


if __name__ == "__main__":
    unittest.main()
