/* The end of a test's text: limits, medians, verdicts and comparison, once all phases are known. */
#include "page/page.h"

#include <string.h>

#include "page/layout.h"
#include "plan/load.h"
#include "plan/workload.h"
#include "record/line.h"

static void print_comparable(struct text *out, const struct plan *plan, const json_t *line)
{
	struct text label = {0};

	if (!line_has(line, "comparable_keywords"))
		return;
	text_add(&label, "comparable with %s:", plan_traits(plan)->program);
	layout_paragraph(out, label.bytes, (unsigned)label.length + 1,
			 line_text(line, "comparable_keywords"));
	text_release(&label);
}

/* Appends one line on the limits: the highest rate of each phase against them. */
static void print_possible(struct text *out, const struct plan *plan, const json_t *line)
{
	struct text words = {0};

	for (unsigned i = 0; i < plan->phase_count; i++) {
		const json_t *summary = line_summary(line, i);

		if (line_has(summary, "nearest_limit"))
			text_add(&words, "%s%s %s", words.length ? "; " : "",
				 phase_name(plan->phases[i].kind),
				 line_text(summary, "nearest_limit"));
	}
	layout_words(out, "possible: ", PAGE_ROW_INDENT, &words);
}

bool page_measures_only(const struct page *page, const struct plan *plan)
{
	return page->job && run_of(page->job)->limits == LIMITS_ONLY && !plan_cleans(plan);
}

void page_keep_end(struct page *page, const struct test_head *test, const json_t *line)
{
	const struct plan *plan = test->plan;
	const bool leaves_files = line_true(line, "files_left");

	for (unsigned i = 0; i < plan->phase_count; i++) {
		const json_t *summary = line_summary(line, i);

		if (!plan_is_layout(plan, &plan->phases[i]) &&
		    line_count(summary, "complete_repetitions"))
			page_keep(page->kept, plan->phases[i].kind, test->number, OVER_ALL,
				  summary);
	}
	page->names_cleanup |= leaves_files;
	page->names_nameless |= leaves_files && !plan_load_stamps(plan);
}

/* True if the medians say more than the row of one repetition, or why there was only one. */
static bool repeats(const struct plan *plan, const json_t *line)
{
	if (plan->test->budget > 0 || plan->test->node_budget > 0)
		return true;
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (line_count(line_summary(line, i), "complete_repetitions") > 1)
			return true;
	return false;
}

void page_test_end(struct page *page, struct text *out, const struct test_head *test,
		   const json_t *line)
{
	const struct plan *plan = test->plan;
	const bool alone = page_is_alone(page);

	if (!plan->phase_count || page_measures_only(page, plan))
		return;
	print_possible(out, plan, line);
	if (!alone || page->verbose || repeats(plan, line)) {
		text_add(out, "%s", alone ? "\n" : "");
		page_summaries(page, out, test, line);
	}
	text_add(out, "\n");
	page_keep_end(page, test, line);
	page_verdicts(page->kept, page->verbose ? DETAIL_ALL : DETAIL_SHORT, out);
	if (plan_traits(plan)->program)
		print_comparable(out, plan, line);
	else if (line_true(line, "files_left"))
		page_load_end(out, plan);
}

const struct style text_style = {page_head, page_test, page_phase, page_test_end, NULL, NULL};
