"""The page in a real browser, both themes, wide and narrow; skipped where no Chromium is found."""

import os
import unittest

import browser
import results
from iorx_results import comparison, files, page, page_compare

WIDTHS = (1100, 400)

# Elements that stick out of the page, texts of charts that stick out of their chart.
STICKING_OUT = """(() => {
	const wide = document.documentElement.clientWidth, found = [];
	if (document.documentElement.scrollWidth > wide) found.push("the page scrolls sideways");
	for (const e of document.querySelectorAll("body *")) {
		if (e.closest(".scroll, svg, details:not([open])")) continue;
		const box = e.getBoundingClientRect();
		if (box.width && (box.right > wide + 1 || box.left < -1))
			found.push(e.tagName + " " + e.textContent.slice(0, 40));
	}
	for (const text of document.querySelectorAll("figure svg text")) {
		const box = text.getBoundingClientRect(), room = text.ownerSVGElement.getBoundingClientRect();
		if (box.width && (box.left < room.left - 1 || box.right > room.right + 1 ||
		    box.top < room.top - 2 || box.bottom > room.bottom + 2))
			found.push("chart text " + text.textContent);
	}
	return found;
})()"""

# Texts of one chart that lie on each other.
MEETING = """(() => {
	const found = [];
	for (const svg of document.querySelectorAll("figure svg")) {
		const boxes = Array.from(svg.querySelectorAll("text")).map(
			e => [e.textContent, e.getBoundingClientRect()]).filter(one => one[1].width);
		boxes.forEach(([text, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
			const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
			const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
			if (x > 2 && y > 4) found.push(text + " | " + other);
		}));
	}
	return found;
})()"""

# The least contrast of any text with what is behind it.
CONTRAST = """(() => {
	const light = c => { const p = c.match(/[\\d.]+/g).slice(0, 3).map(v => {
		v /= 255; return v <= .03928 ? v / 12.92 : Math.pow((v + .055) / 1.055, 2.4); });
		return .2126 * p[0] + .7152 * p[1] + .0722 * p[2]; };
	const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
		if (c !== "rgba(0, 0, 0, 0)") return c; } return "rgb(255, 255, 255)"; };
	let least = 99;
	for (const e of document.querySelectorAll("p, td, th button, h1, h2, h3, dt, dd, figcaption, .mark, svg text")) {
		const style = getComputedStyle(e);
		const a = light(e instanceof SVGElement ? style.fill : style.color), b = light(behind(e));
		least = Math.min(least, (Math.max(a, b) + .05) / (Math.min(a, b) + .05));
	}
	return least;
})()"""


# innerText has the hidden texts of a chart too.
TEXT_BESIDE_CHARTS = """(() => { const charts = document.querySelectorAll("main svg");
	charts.forEach(chart => { chart.style.display = "none"; });
	const text = document.querySelector("main").innerText;
	charts.forEach(chart => { chart.style.display = ""; });
	return text; })()"""


@unittest.skipUnless(browser.find(), "no Chromium in PATH")
class BrowserTest(results.Case):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.__exit__)

    def page_of(self, *names, make=page.make):
        paths = [self.write(name, results.ALL[name]()) for name in names]
        page_file = os.path.join(self.folder, "page.html")
        with open(page_file, "w", encoding="utf-8") as file:
            file.write(make(files.read_runs(paths)))
        return page_file

    def test_nothing_sticks_out_and_no_texts_meet(self):
        for name in results.ALL:
            page_file = self.page_of(name)
            for width in WIDTHS:
                for unit in "01":
                    with self.subTest(name, width=width, unit=unit):
                        self.browser.open(page_file, width)
                        self.browser.evaluate(
                            f"document.querySelector('button[data-unit=\"{unit}\"]').click()")
                        self.assertEqual(self.browser.evaluate(STICKING_OUT), [])
                        self.assertEqual(self.browser.evaluate(MEETING), [])

    def test_a_page_to_mail_fits_and_prints_on_three_pages(self):
        for name in "two", "large", "metadata study", "set curve", "hostile":
            page_file = self.page_of(name, make=page.make_one)
            for width in WIDTHS:
                self.browser.open(page_file, width)
                self.assertEqual(self.browser.evaluate(STICKING_OUT), [], name)
                self.assertEqual(self.browser.evaluate(MEETING), [], name)
            self.assertIn(self.browser.printed_pages(), (1, 2, 3), name)

    def test_a_comparison_fits_too(self):
        for names in ("hostile", "large"), ("two", "two"):
            sides = [comparison.Side(name, files.read_runs([self.write(name, results.ALL[name]())]))
                     for name in names]
            page_file = os.path.join(self.folder, "compare.html")
            with open(page_file, "w", encoding="utf-8") as file:
                file.write(page_compare.make(comparison.compare(*sides, -.05)))
            for width in WIDTHS:
                self.browser.open(page_file, width)
                self.assertEqual(self.browser.evaluate(STICKING_OUT), [])
                self.assertEqual(self.browser.evaluate(MEETING), [])
                self.assertEqual(self.browser.evaluate("document.body.id"), "")

    def test_texts_can_be_read_in_both_themes(self):
        page_file = self.page_of("large")
        for theme in ("light", "dark"):
            self.browser.open(page_file, theme=theme)
            self.assertGreater(self.browser.evaluate(CONTRAST), 4.5, theme)

    def test_the_theme_follows_the_system_and_the_buttons(self):
        page_file, colour = self.page_of("one"), "getComputedStyle(document.body).backgroundColor"
        self.browser.open(page_file, theme="light")
        light = self.browser.evaluate(colour)
        self.browser.evaluate("document.querySelector('button[data-theme=dark]').click()")
        dark = self.browser.evaluate(colour)
        self.assertNotEqual(light, dark)
        self.browser.open(page_file, theme="dark")
        self.assertEqual(self.browser.evaluate(colour), dark)
        self.browser.evaluate("document.querySelector('button[data-theme=light]').click()")
        self.assertEqual(self.browser.evaluate(colour), light)

    def test_units_can_be_chosen_only_where_bytes_are(self):
        seen = "document.querySelector('button[data-unit]').getClientRects().length"
        for name, times in (("metadata", 0), ("one", 1)):
            self.browser.open(self.page_of(name))
            self.assertEqual(self.browser.evaluate(seen), times, name)

    def test_the_unit_switch_changes_every_rate(self):
        self.browser.open(self.page_of("large"))
        for unit, name, other in (("1", "MB/s", "MiB/s"), ("0", "MiB/s", "MB/s")):
            self.browser.evaluate(f"document.querySelector('button[data-unit=\"{unit}\"]').click()")
            text = self.browser.evaluate(TEXT_BESIDE_CHARTS)
            self.assertIn(f" {name}", text)
            self.assertNotIn(f" {other}", text)
            drawn = self.browser.evaluate(
                "Array.from(document.querySelectorAll('figure text')).filter(e => e.getClientRects()"
                ".length).map(e => e.textContent)")
            self.assertIn(name, drawn)
            self.assertFalse([one for one in drawn if other in one])

    def test_tables_sort_up_and_down(self):
        self.browser.open(self.page_of("thirty"))
        sort = """(() => { const t = Array.from(document.querySelectorAll("table")).find(
			t => t.caption.textContent.startsWith("Each phase"));
			const h = Array.from(t.tHead.rows[0].cells).find(c => c.textContent === "rate");
			h.firstElementChild.click();
			return Array.from(t.tBodies[0].rows).map(r => parseFloat(r.cells[h.cellIndex].dataset.sort)); })()"""
        up = self.browser.evaluate(sort)
        self.assertEqual(len(up), 60)
        self.assertEqual(up, sorted(up))
        self.assertEqual(self.browser.evaluate(sort), sorted(up, reverse=True))

    def test_hostile_texts_run_nothing(self):
        self.browser.open(self.page_of("hostile"))
        self.assertEqual(self.browser.evaluate("document.body.id"), "")
        self.assertEqual(self.browser.evaluate("document.images.length"), 0)

    def test_the_raw_result_can_be_unpacked(self):
        self.browser.open(self.page_of("one"))
        status = self.browser.evaluate("""(async () => {
			const text = document.getElementById("raw0").textContent;
			const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
			const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
			return JSON.parse(await new Response(stream).text()).status; })()""")
        self.assertEqual(status, "complete")


if __name__ == "__main__":
    unittest.main()
