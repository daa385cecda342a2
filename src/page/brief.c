/* Tests in brief: points of a study, members of a set, and with `quiet` all tests. */
#include "options/varied.h"
#include "page/anonymize.h"
#include "page/layout.h"
#include "page/page.h"
#include "record/phase_line.h"

static bool is_point(const struct test_spec *spec)
{
	return spec->study.made && study_combinations(&spec->study) > 1;
}

bool page_is_brief(const struct page *page, const struct test_head *test)
{
	return (page->quiet || is_point(test->spec) || test->spec->set.number ||
		test->spec->set.alone) &&
	       !page->verbose && !plan_cleans(test->plan) && !page_measures_only(page, test->plan);
}

/*
 * Studies are numbered in the order of their first points; each member of a set has its own. A
 * member that runs once more alone is the same test.
 */
static void brief_test(struct page *page, struct text *out, const struct test_result *test,
		       const struct mount_facts *mount, const json_t *line)
{
	if (page->quiet || test->spec->set.alone ||
	    (is_point(test->spec) && test->spec->study.number < page->studies_shown))
		return;
	if (is_point(test->spec))
		page->studies_shown = test->spec->study.number + 1;
	page_between(page, out);
	page_test_head(page, out, test, line);
}

/* Names the test: its values in a study, and nothing where the job has no other test. */
static void print_title(const struct page *page, struct text *out, const struct test_head *test)
{
	const char *name = test_of(test->spec)->name;
	struct text words = {0};
	char label[24];

	text_add(out, "\n");
	if (page_is_alone(page))
		return;
	varied_values(test->spec, NULL, &words);
	if (!words.length)
		text_add(&words, "%s", name ? name : test->plan->backend->name);
	anonymize_text(page->anonymizer, &words);
	snprintf(label, sizeof(label), "test %u", test->number);
	page_field(out, label, &words);
}

/* True for what neither tables nor verdicts tell. */
static bool is_worth_a_row(const struct test_head *test, const json_t *line)
{
	struct text in_effect = {0};
	bool other_settings;

	page_in_effect(&in_effect, test, line);
	other_settings = in_effect.length > 0;
	text_release(&in_effect);
	return other_settings || !phase_line_is(line, "complete") ||
	       phase_line_failed_operations(line) ||
	       line_count(phase_line_verification(line), "wrong_bytes");
}

static void brief_phase(struct page *page, struct text *out, const struct test_head *test,
			const json_t *line)
{
	if (!is_worth_a_row(test, line)) {
		page_keep_phase(page, test, line);
		return;
	}
	print_title(page, out, test);
	page_row_head(page, out, test->plan->metadata || test->plan->load);
	page_phase(page, out, test, line);
}

/* True if the table of a study or of a set has the medians of a test. */
static bool is_in_other_table(const struct test_spec *spec)
{
	return is_point(spec) || spec->set.alone || (spec->set.number && test_of(spec)->alone);
}

static void brief_test_end(struct page *page, struct text *out, const struct test_head *test,
			   const json_t *line)
{
	const char *around = page_is_alone(page) ? "\n" : "";
	struct text unsaid = {0}; /* of the repetitions of one test among several */

	if (!is_in_other_table(test->spec) && test->plan->phase_count) {
		text_add(out, "%s", around);
		page_summaries(page, *around ? out : &unsaid, test, line);
		text_add(out, "%s", around);
	}
	text_release(&unsaid);
	page_keep_end(page, test, line);
	kept_verdicts_join(&page->joined, page->kept);
}

const struct style brief_style = {page_head, brief_test, brief_phase, brief_test_end, NULL, NULL};
