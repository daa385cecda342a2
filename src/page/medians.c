/* Tables of medians: of one test, or of all tests at the end of the job. */
#include "page/page.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "page/layout.h"
#include "page/table.h"
#include "plan/load.h"
#include "plan/series.h"
#include "plan/workload.h"
#include "record/line.h"

enum { SUMMARY_COLUMNS = 7 };
#define NO_TEST UINT_MAX

static const struct column columns[SUMMARY_COLUMNS] = {
	{"rate", 8, CELL_NUMBER}, {"95% from", 8, CELL_NUMBER}, {"to", 8, CELL_NUMBER},
	{"p50", 7, CELL_TIME},	  {"p99", 7, CELL_TIME},	{"p99.9", 7, CELL_TIME},
	{"max", 7, CELL_TIME},
};

/* Content of a row of the summary. */
struct summary_row {
	unsigned test; /* its number; NO_TEST: the job has one test */
	const char *name;
	enum severity worst;  /* verdict on the phase in any repetition */
	uint64_t repetitions; /* 0: the row above shows them */
	struct rate_unit unit;
	bool has_rate;
	struct line_median rate;
	const json_t *times;
};

static void medians_print_row(struct text *out, const struct summary_row *row)
{
	const struct line_median *rate = &row->rate;
	const double unit = row->has_rate ? row->unit.bytes : NAN;
	const double values[SUMMARY_COLUMNS] = {
		rate->value / unit,
		rate->lower / unit,
		rate->upper / unit,
		line_number(row->times, "p50_ns"),
		line_number(row->times, "p99_ns"),
		line_number(row->times, "p999_ns"),
		line_number(row->times, "max_ns"),
	};
	char label[64], repetitions[24] = "", test[16] = "";

	if (row->repetitions)
		snprintf(repetitions, sizeof(repetitions), "%" PRIu64, row->repetitions);
	if (row->test != NO_TEST)
		snprintf(test, sizeof(test), "%-3u ", row->test);
	snprintf(label, sizeof(label), "%s%-12s%-1s%3s", test, row->name, severity_mark(row->worst),
		 repetitions);
	table_print_row(out, label, columns, values, SUMMARY_COLUMNS, "");
}

static const char *median_unit(const struct page *page, bool of_operations)
{
	return of_operations ? rate_operations.name : rate_units[page->unit].name;
}

static void medians_print_head(struct text *out, const char *unit, bool tests)
{
	struct column heads[SUMMARY_COLUMNS];
	char label[24];

	memcpy(heads, columns, sizeof(heads));
	heads[0].head = unit;
	snprintf(label, sizeof(label), "%s%-12s %3s", tests ? "    " : "", "median", "n");
	table_print_head(out, label, heads, SUMMARY_COLUMNS);
}

/* Adds what the repetitions say of each other. Independence that is assumed is told with -v. */
static void add_independence(struct text *words, const json_t *rate, uint64_t repetitions,
			     bool verbose)
{
	const char *independence = line_text(rate, "independence");
	const bool drifts = !strcmp(independence, "drift");
	const bool has_interval = line_has(rate, "median_interval");
	const char *between = words->length ? "; " : "";

	if (drifts && has_interval)
		text_add(words,
			 "%sthe rates drift: an interval of these repetitions, not of later ones",
			 between);
	else if (drifts || !strcmp(independence, "corrected"))
		text_add(words,
			 "%srepetitions follow one another: %" PRIu64
			 " say as much as %.1f independent ones",
			 between, repetitions, line_number(rate, "effective_repetitions"));
	else if (verbose && has_interval && !strcmp(independence, "assumed"))
		text_add(words, "%sinterval of independent repetitions", between);
}

/* Adds the numbers of a phase besides its median. */
static void add_spread(struct text *words, const json_t *summary, enum phase_kind kind,
		       const struct summary_row *row)
{
	static const char *const names[][2] = {{"min", "min"},
					       {"max", "max"},
					       {"mean", "mean"},
					       {"sd", "standard_deviation"},
					       {"pooled", "pooled"}};
	const json_t *rate = line_at(summary, "total_rate");
	char key[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(key, sizeof(key), "%s_%s", names[i][1], line_unit(kind));
		text_add(words, "%s%s %s", i ? ", " : "", names[i][0],
			 units_fit_number(line_number(rate, key) / row->unit.bytes, 6).text);
	}
	text_add(words, " %s; median total %s", row->unit.name,
		 units_show_seconds(line_number(summary, "total_s")).text);
}

/* Appends what several repetitions say besides their median. */
static void print_spread(struct text *out, const json_t *summary, enum phase_kind kind,
			 const struct summary_row *row, bool verbose)
{
	struct text words = {0};

	if (verbose)
		add_spread(&words, summary, kind, row);
	add_independence(&words, line_at(summary, "total_rate"), row->repetitions, verbose);
	page_field(out, "", &words);
}

static void print_parts(struct text *out, const json_t *summary, const struct plan *plan,
			unsigned phase, unsigned test)
{
	const enum phase_kind kind = plan->phases[phase].kind;
	struct series series[SERIES_MOST];
	const unsigned count = plan_series(plan, phase, series);

	for (unsigned i = plan_series_first_part(series, count); i < count; i++) {
		const json_t *part = line_numbers(summary, i);
		char name[16];

		snprintf(name, sizeof(name), "  %s", series[i].part);
		medians_print_row(out, &(struct summary_row){
					       .test = test,
					       .name = name,
					       .unit = rate_operations,
					       .has_rate = operation_has_rate(series[i].operation),
					       .rate = line_median(line_at(part, "total_rate"),
								   line_unit(kind)),
					       .times = part,
				       });
	}
}

/* Rows go to the text of the table, and what is said of them to `out`. */
static void print_summary(const struct page *page, struct text *table, struct text *out,
			  const struct plan *plan, unsigned index, const json_t *summary,
			  unsigned test)
{
	const struct phase_plan *phase = &plan->phases[index];
	struct summary_row row = {
		.test = test,
		.name = phase_name(phase->kind),
		.worst = kept_verdicts_worst(page->kept, phase->kind),
		.repetitions = line_count(summary, "complete_repetitions"),
		.unit = rate_unit_of(phase->kind, &rate_units[page->unit]),
		.has_rate = true,
		.rate = line_median(line_at(summary, "total_rate"), line_unit(phase->kind)),
		.times = summary,
	};
	struct text line = {0};

	if (!row.repetitions) {
		if (test != NO_TEST)
			text_add(&line, "%-3u ", test);
		text_add(&line, "%-12s %3d no complete repetition", row.name, 0);
		layout_line(table, text_string(&line));
		text_release(&line);
		return;
	}
	medians_print_row(table, &row);
	if (*phase->beside) {
		text_add(&line, "beside %s", phase->beside);
		page_field(table, "", &line);
	}
	if (row.repetitions > 1) /* one repetition has no spread */
		print_spread(out, summary, phase->kind, &row, page->verbose > 0);
	print_parts(table, summary, plan, index, test);
}

/* True if only repetitions that may follow one another kept the test from ending. */
static bool may_follow(const struct plan *plan, const json_t *line)
{
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (!plan_is_layout(plan, &plan->phases[i]) &&
		    !(line_number(line_summary(line, i), "precision") <= plan->test->precision))
			return false;
	return !line_true(line, "precise");
}

/* Appends why the test had no more repetitions, unless the number was requested. */
static void medians_print_end(struct text *out, const struct plan *plan, const json_t *line)
{
	const struct test *options = plan->test;
	const char *end = line_text(line, "repetitions_end");
	const bool at_most = !strcmp(end, repetitions_end_name(REPETITIONS_MOST));
	struct text words = {0};

	if (!strcmp(end, repetitions_end_name(REPETITIONS_PRECISE)))
		text_add(&words,
			 "repeated until the 99 %% interval of each median was within %.3g %%",
			 100 * options->precision);
	else if (at_most && may_follow(plan, line))
		text_add(&words,
			 "stopped at max_repetitions=%" PRIu64
			 ": the repetitions may follow one another, which an interval can count "
			 "from %d on",
			 options->max_repetitions, DEPENDENCE_LEAST);
	else if (at_most)
		text_add(&words,
			 "stopped at max_repetitions=%" PRIu64
			 " before the 99 %% interval of each median was within %.3g %%",
			 options->max_repetitions, 100 * options->precision);
	else if (!strcmp(end, repetitions_end_name(REPETITIONS_BUDGET)))
		text_add(&words, "stopped as one more repetition would not end within %s",
			 options->budget > 0 ? "budget" : "node_budget");
	page_field(out, "", &words);
}

/* Tests of a set end in any order, and their medians stand in the order of tests. */
static struct text *add_medians(struct page *page, unsigned test, bool of_operations)
{
	size_t at = page->median_count++;

	page->medians = memory_grow(page->medians, page->median_count * sizeof(*page->medians));
	for (; at && page->medians[at - 1].test > test; at--)
		page->medians[at] = page->medians[at - 1];
	page->medians[at] = (struct test_medians){test, of_operations, {0}};
	return &page->medians[at].rows;
}

void page_summaries(struct page *page, struct text *out, const struct test_head *test,
		    const json_t *line)
{
	const struct plan *plan = test->plan;
	const bool of_operations = plan_traits(plan)->counts_operations;
	const bool alone = page_is_alone(page);
	struct text *table = alone ? out : add_medians(page, test->number, of_operations);

	if (alone)
		medians_print_head(out, median_unit(page, of_operations), false);
	for (unsigned i = 0; i < plan->phase_count; i++)
		if (!plan_is_layout(plan, &plan->phases[i]))
			print_summary(page, table, out, plan, i, line_summary(line, i),
				      alone ? NO_TEST : test->number);
	medians_print_end(out, plan, line);
}

static void print_medians(const struct page *page, struct text *out, bool of_operations)
{
	bool any = false;

	for (size_t i = 0; i < page->median_count; i++) {
		if (page->medians[i].of_operations != of_operations)
			continue;
		if (!any)
			medians_print_head(out, median_unit(page, of_operations), true);
		any = true;
		text_add(out, "%s", text_string(&page->medians[i].rows));
	}
	text_add(out, "%s", any ? "\n" : "");
}

void page_closing(struct page *page, struct text *out)
{
	print_medians(page, out, false);
	print_medians(page, out, true);
	for (size_t i = 0; i < page->median_count; i++)
		text_release(&page->medians[i].rows);
	free(page->medians);
}
