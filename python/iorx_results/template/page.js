(function () {
	"use strict";
	var root = document.documentElement;

	function press(name, value) {
		root.setAttribute("data-" + name, value);
		document.querySelectorAll("button[data-" + name + "]").forEach(function (button) {
			button.setAttribute("aria-pressed", button.getAttribute("data-" + name) === value);
		});
	}
	["unit", "theme"].forEach(function (name) {
		document.querySelectorAll("button[data-" + name + "]").forEach(function (button) {
			button.addEventListener("click", function () { press(name, button.getAttribute("data-" + name)); });
		});
	});

	function compare(a, b) {
		var x = parseFloat(a), y = parseFloat(b);
		return isNaN(x) || isNaN(y) ? a.localeCompare(b) : x - y;
	}
	function sort(head) {
		var body = head.closest("table").tBodies[0], column = head.cellIndex;
		var down = head.getAttribute("aria-sort") === "ascending";
		head.parentNode.querySelectorAll("th").forEach(function (other) { other.removeAttribute("aria-sort"); });
		head.setAttribute("aria-sort", down ? "descending" : "ascending");
		Array.prototype.slice.call(body.rows).sort(function (a, b) {
			var order = compare(a.cells[column].dataset.sort, b.cells[column].dataset.sort);
			return down ? -order : order;
		}).forEach(function (row) { body.appendChild(row); });
	}
	document.querySelectorAll("th button").forEach(function (button) {
		button.addEventListener("click", function () { sort(button.parentNode); });
	});

	function save(bytes, name) {
		var link = document.createElement("a");
		link.href = URL.createObjectURL(bytes);
		link.download = name;
		link.click();
		setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
	}
	/* the raw results are gzip in base64: nothing in them can end the element or be a script */
	document.querySelectorAll("button[data-raw]").forEach(function (button) {
		button.addEventListener("click", function () {
			var text = document.getElementById(button.dataset.raw).textContent.trim();
			var bytes = Uint8Array.from(atob(text), function (c) { return c.charCodeAt(0); });
			var stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
			new Response(stream).blob().then(function (json) { save(json, button.dataset.name); });
		});
	});
}());
