/* Verdicts, kept until all phases of a test are known, so that each is printed once. */
#include "page/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "page/layout.h"
#include "record/line.h"

void kept_verdicts_release(struct kept_verdicts *kept)
{
	for (size_t i = 0; i < kept->count; i++)
		json_decref(kept->list[i].verdict);
	free(kept->list);
	*kept = (struct kept_verdicts){0};
}

static bool has_same(const json_t *one, const json_t *other, const char *key)
{
	return !strcmp(line_text(one, key), line_text(other, key));
}

static bool is_same_rule(const json_t *one, const json_t *other)
{
	return has_same(one, other, "id") && has_same(one, other, "severity");
}

void page_keep(struct kept_verdicts *kept, enum phase_kind kind, uint64_t repetition,
	       json_t *verdict)
{
	for (size_t i = 0; i < kept->count; i++) {
		struct kept_verdict *one = &kept->list[i];

		if (one->kind != kind || !is_same_rule(one->verdict, verdict))
			continue;
		one->count++;
		return;
	}
	kept->list = memory_grow(kept->list, (kept->count + 1) * sizeof(*kept->list));
	kept->list[kept->count++] = (struct kept_verdict){
		.verdict = json_incref(verdict), .kind = kind, .first = repetition, .count = 1};
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
	return is_same_rule(one->verdict, other->verdict) &&
	       has_same(one->verdict, other->verdict, "remedy");
}

/* True if the line of an earlier verdict names this phase too; with -v each has its own. */
static bool was_printed(const struct page *page, size_t number)
{
	for (size_t i = 0; i < number && !page->verbose; i++)
		if (is_alike(&page->kept->list[i], &page->kept->list[number]))
			return true;
	return false;
}

/* Prints a verdict with the numbers of the first phase that has it. Other phases are only named. */
static void print_verdict(const struct page *page, struct text *out, size_t number)
{
	const struct kept_verdict *kept = &page->kept->list[number];
	const char *remedy = line_text(kept->verdict, "remedy"), *between = "; likewise ";
	struct text words = {0};
	char label[16];

	snprintf(label, sizeof(label), "  %-4s %-3s", line_text(kept->verdict, "severity"),
		 line_text(kept->verdict, "id"));
	add_where(&words, kept);
	text_add(&words, ": %s", line_text(kept->verdict, "meaning"));
	if (*remedy)
		text_add(&words, "; remedy: %s", remedy);
	for (size_t i = number + 1; i < page->kept->count; i++) {
		if (!is_alike(kept, &page->kept->list[i]) || !was_printed(page, i))
			continue;
		text_add(&words, "%s%s", between, phase_name(page->kept->list[i].kind));
		between = ", ";
	}
	page_field(out, label, &words);
}

static bool is_of(const struct kept_verdict *kept, enum severity severity)
{
	return !strcmp(line_text(kept->verdict, "severity"), severity_name(severity));
}

/* Appends the rules without complaint in one line. */
static void print_good(const struct page *page, struct text *out)
{
	struct text words = {0};

	for (size_t i = 0; i < page->kept->count; i++)
		if (is_of(&page->kept->list[i], SEVERITY_GOOD))
			text_add(&words, "%s%s %s", words.length ? ", " : "",
				 phase_name(page->kept->list[i].kind),
				 line_text(page->kept->list[i].verdict, "id"));
	page_field(out, "  good", &words);
}

void page_verdicts(const struct page *page, struct text *out)
{
	const int last = page->verbose ? SEVERITY_GOOD : SEVERITY_NOTE;

	if (page->kept->count)
		layout_line(out, "verdicts");
	for (int severity = SEVERITY_FAIL; severity >= last; severity--)
		for (size_t i = 0; i < page->kept->count; i++)
			if (is_of(&page->kept->list[i], (enum severity)severity) &&
			    !was_printed(page, i))
				print_verdict(page, out, i);
	if (!page->verbose)
		print_good(page, out);
}
