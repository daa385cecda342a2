/* What is said once all phases of a test are known: summary, comparison, verdicts. */
#include "report/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "report/comparable.h"
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

/* "read 0: …", or "read 0 and 2 more: …" with the numbers of the first */
static void say_verdict(struct text *out, const struct kept_verdict *kept)
{
	const struct verdict *verdict = &kept->verdict;
	struct text words = {0};
	char label[16];

	snprintf(label, sizeof(label), "  %-4s %-3s", severity_name(verdict->severity),
		 verdict->id);
	text_add(&words, "%s %" PRIu64, phase_name(kept->kind), kept->first);
	if (kept->count > 1)
		text_add(&words, " and %" PRIu64 " more", kept->count - 1);
	text_add(&words, ": %s", verdict->meaning);
	if (*verdict->remedy)
		text_add(&words, "; remedy: %s", verdict->remedy);
	page_field(out, label, &words);
	text_release(&words);
}

/* The rules that found nothing wrong, in one line. */
static void say_good(const struct page *page, struct text *out)
{
	struct text words = {0};

	for (size_t i = 0; i < page->kept_count; i++) {
		const struct kept_verdict *kept = &page->kept[i];

		if (kept->verdict.severity == SEVERITY_GOOD)
			text_add(&words, "%s%s %s", words.length ? ", " : "",
				 phase_name(kept->kind), kept->verdict.id);
	}
	if (words.length)
		page_field(out, "  good", &words);
	text_release(&words);
}

void page_verdicts(struct page *page, struct text *out)
{
	bool marked = false;

	if (page->kept_count)
		layout_line(out, "verdicts");
	for (int severity = SEVERITY_FAIL; severity >= SEVERITY_GOOD; severity--) {
		for (size_t i = 0; i < page->kept_count; i++) {
			const struct kept_verdict *kept = &page->kept[i];

			if ((int)kept->verdict.severity != severity ||
			    (severity == SEVERITY_GOOD && !page->verbose))
				continue;
			say_verdict(out, kept);
			marked |= severity >= SEVERITY_WARN;
		}
	}
	if (!page->verbose)
		say_good(page, out);
	if (marked)
		layout_line(out, "  rows with ! are not to be believed, those with ? with care");
	page_release(page);
}

static void summary_row(struct text *out, const struct rate_summary *summary, const char *name,
			double unit, const char *unit_name)
{
	char cells[6][NUMBER_SIZE], line[300];
	char n[NUMBER_SIZE] = "";
	const double values[] = {summary->median, summary->least,     summary->most,
				 summary->mean,   summary->deviation, summary->pooled};

	for (size_t i = 0; i < 6; i++)
		layout_number(values[i] / unit, 7, cells[i]);
	if (summary->repetitions < 2)
		strcpy(cells[4], "-");
	if (*name)
		snprintf(n, sizeof(n), "%" PRIu64, summary->repetitions);
	snprintf(line, sizeof(line), "%-8s %5s  %-5s %8s %8s %8s %8s %8s %8s", name,
		 n, unit_name, cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]);
	layout_line(out, line);
}

static void summary_more(struct text *out, const struct rate_summary *summary)
{
	struct text words = {0};
	char a[NUMBER_SIZE], b[NUMBER_SIZE], c[NUMBER_SIZE];

	text_add(&words, "median %s op/s, median total %s s, slowest transfer %s",
		 layout_number(summary->operations_rate, 7, a),
		 layout_number(summary->seconds, 6, b), layout_ns(summary->max_ns, c));
	layout_paragraph(out, "", 16, text_string(&words));
	text_release(&words);
}

static void say_summary(const struct page *page, struct text *out, const struct test_result *test,
			enum phase_kind kind)
{
	struct rate_summary summary;
	char line[64];

	rate_summary_fill(&summary, test->number, kind, test->phases, test->phase_count);
	if (!summary.repetitions) {
		snprintf(line, sizeof(line), "%-8s %5d  no complete repetition",
			 phase_name(kind), 0);
		layout_line(out, line);
		return;
	}
	summary_row(out, &summary, phase_name(kind), (double)MIB, "MiB/s");
	summary_row(out, &summary, "", 1e6, "MB/s");
	if (page->verbose)
		summary_more(out, &summary);
}

static bool any_complete(const struct test_result *test)
{
	for (size_t i = 0; i < test->phase_count; i++)
		if (test->phases[i].status == PHASE_COMPLETE)
			return true;
	return false;
}

void page_test_end(struct page *page, struct text *out, const struct test_result *test)
{
	struct text words = {0};

	text_add(out, "\n");
	layout_line(out, "summary      n          median      min      max     mean       sd   "
			 "pooled");
	for (unsigned i = 0; i < test->plan->phase_count; i++)
		say_summary(page, out, test, test->plan->phases[i].kind);
	text_add(out, "\n");
	if (any_complete(test)) {
		comparable_with_ior(test, &words);
		layout_paragraph(out, "comparable with IOR:", 21, text_string(&words));
		text_release(&words);
	}
	page_verdicts(page, out);
}
