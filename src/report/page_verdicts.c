/* Verdicts, kept until all phases of a test are known, so that each is printed once. */
#include "report/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/layout.h"

void page_release(struct page *page)
{
	free(page->kept);
	page->kept = NULL;
	page->kept_count = 0;
	text_release(&page->rows);
}

void page_keep(struct page *page, enum phase_kind kind, uint64_t repetition,
	       const struct verdict *verdict)
{
	for (size_t i = 0; i < page->kept_count; i++) {
		struct kept_verdict *kept = &page->kept[i];

		if (kept->kind != kind || strcmp(kept->verdict.id, verdict->id) ||
		    kept->verdict.severity != verdict->severity)
			continue;
		kept->count++;
		return;
	}
	page->kept = memory_grow(page->kept, (page->kept_count + 1) * sizeof(*page->kept));
	page->kept[page->kept_count++] = (struct kept_verdict){
		.verdict = *verdict, .kind = kind, .first = repetition, .count = 1};
}

/* "read 0", or "read 0 and 2 more" */
static void add_where(struct text *words, const struct kept_verdict *kept)
{
	text_add(words, "%s", phase_name(kept->kind));
	if (kept->first != OVER_ALL)
		text_add(words, " %" PRIu64, kept->first);
	if (kept->count > 1)
		text_add(words, " and %" PRIu64 " more", kept->count - 1);
}

static bool is_alike(const struct kept_verdict *one, const struct kept_verdict *other)
{
	return one->verdict.severity == other->verdict.severity &&
	       strcmp(one->verdict.id, other->verdict.id) == 0 &&
	       strcmp(one->verdict.remedy, other->verdict.remedy) == 0;
}

/* True if the line of an earlier verdict names this phase too; with -v each has its own. */
static bool was_printed(const struct page *page, size_t number)
{
	for (size_t i = 0; i < number && !page->verbose; i++)
		if (is_alike(&page->kept[i], &page->kept[number]))
			return true;
	return false;
}

/* Prints a verdict with the numbers of the first phase that has it. Other phases are only named. */
static void print_verdict(const struct page *page, struct text *out, size_t number)
{
	const struct kept_verdict *kept = &page->kept[number];
	const struct verdict *verdict = &kept->verdict;
	const char *between = "; likewise ";
	struct text words = {0};
	char label[16];

	snprintf(label, sizeof(label), "  %-4s %-3s", severity_name(verdict->severity),
		 verdict->id);
	add_where(&words, kept);
	text_add(&words, ": %s", verdict->meaning);
	if (*verdict->remedy)
		text_add(&words, "; remedy: %s", verdict->remedy);
	for (size_t i = number + 1; i < page->kept_count; i++) {
		if (!is_alike(kept, &page->kept[i]) || !was_printed(page, i))
			continue;
		text_add(&words, "%s%s", between, phase_name(page->kept[i].kind));
		between = ", ";
	}
	page_field(out, label, &words);
}

/* Appends the rules without complaint in one line. */
static void print_good(const struct page *page, struct text *out)
{
	struct text words = {0};

	for (size_t i = 0; i < page->kept_count; i++) {
		const struct kept_verdict *kept = &page->kept[i];

		if (kept->verdict.severity == SEVERITY_GOOD)
			text_add(&words, "%s%s %s", words.length ? ", " : "",
				 phase_name(kept->kind), kept->verdict.id);
	}
	page_field(out, "  good", &words);
}

void page_verdicts(struct page *page, struct text *out)
{
	if (page->kept_count)
		layout_line(out, "verdicts");
	for (int severity = SEVERITY_FAIL; severity >= SEVERITY_GOOD; severity--) {
		for (size_t i = 0; i < page->kept_count; i++) {
			const struct kept_verdict *kept = &page->kept[i];

			if ((int)kept->verdict.severity != severity || was_printed(page, i) ||
			    (severity == SEVERITY_GOOD && !page->verbose))
				continue;
			print_verdict(page, out, i);
		}
	}
	if (!page->verbose)
		print_good(page, out);
	page_release(page);
}
