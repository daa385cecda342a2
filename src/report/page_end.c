/* What is said once all phases of a test are known: summary, comparison. */
#include "report/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "report/comparable.h"
#include "report/layout.h"
#include "report/page_mix.h"
#include "report/page_names.h"

/* The columns of the summary, 80 together. */
#define SUMMARY_COLUMNS "%-7s%3s %7s %-5s %7s %7s %5s %5s %6s %6s %6s %6s"

/* "4.1%": half of the interval's width against the median. */
static const char *half_width(const struct spread *rate, char *buffer)
{
	double share;

	if (!rate->interval.possible || rate->median <= 0)
		return strcpy(buffer, "-");
	share = (rate->interval.upper - rate->interval.lower) / 2 / rate->median;
	layout_number(100 * share, 4, buffer);
	return strcat(buffer, "%");
}

static const char *bound(const struct spread *rate, double bytes_per_s, double unit, char *buffer)
{
	if (!rate->interval.possible)
		return strcpy(buffer, "-");
	return layout_number(bytes_per_s / unit, 7, buffer);
}

static const char *latency(uint64_t ns, char *buffer)
{
	return ns ? layout_ns(ns, buffer) : strcpy(buffer, "-");
}

static void summary_row(const struct page *page, struct text *out, const struct test_result *test,
			const struct rate_summary *summary)
{
	char cells[10][NUMBER_SIZE], line[400];
	struct text first = {0};
	const struct spread *rate = &summary->rate;
	const double mib = (double)MIB;

	if (rate->count < 1000)
		snprintf(cells[9], sizeof(cells[9]), "%zu", rate->count);
	else
		layout_number((double)rate->count, 3, cells[9]);
	snprintf(line, sizeof(line), SUMMARY_COLUMNS, phase_name(summary->kind), cells[9],
		 layout_number(rate->median / mib, 7, cells[0]), "MiB/s",
		 bound(rate, rate->interval.lower, mib, cells[1]),
		 bound(rate, rate->interval.upper, mib, cells[2]), half_width(rate, cells[3]),
		 layout_number(summary->operations_rate, 5, cells[4]),
		 latency(summary->p50_ns, cells[5]), latency(summary->p99_ns, cells[6]),
		 latency(summary->p999_ns, cells[7]), latency(summary->max_ns, cells[8]));
	text_add(&first, "%s", line);
	if (page_is_wide(page))
		page_wide_cells(test, summary->kind, &first);
	layout_wide_line(out, text_string(&first), page_columns(page));
	text_release(&first);
	snprintf(line, sizeof(line), SUMMARY_COLUMNS, "", "",
		 layout_number(rate->median / 1e6, 7, cells[0]), "MB/s",
		 bound(rate, rate->interval.lower, 1e6, cells[1]),
		 bound(rate, rate->interval.upper, 1e6, cells[2]), "", "", "", "", "", "");
	layout_line(out, line);
}

/* What one number leaves out. */
static void summary_more(struct text *out, const struct rate_summary *summary)
{
	const struct spread *rate = &summary->rate;
	const double values[] = {rate->least, rate->most, rate->mean, rate->deviation,
				 summary->pooled};
	static const char *const names[] = {"min", "max", "mean", "sd", "pooled"};
	struct text words = {0};
	char cell[NUMBER_SIZE];

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		text_add(&words, "%s%s %s", i ? ", " : "", names[i],
			 layout_number(values[i] / (double)MIB, 7, cell));
	text_add(&words, " MiB/s; median total %s", layout_seconds(summary->seconds, cell));
	layout_paragraph(out, "", PAGE_INDENT, text_string(&words));
	text_release(&words);
}

static void say_summary(struct page *page, struct text *out, const struct test_result *test,
			const struct assessed_summary *assessed)
{
	const struct rate_summary *summary = &assessed->summary;
	char line[64];

	if (!summary->rate.count) {
		snprintf(line, sizeof(line), "%-*s%3d no complete repetition",
			 phase_is_metadata(summary->kind) ? 12 : 7, phase_name(summary->kind), 0);
		layout_line(out, line);
		return;
	}
	bool more = summary->rate.count > 1; /* of one they are all the same */

	if (phase_is_metadata(summary->kind)) {
		page_names_summary(out, summary, more);
		if (summary->kind == PHASE_MIX)
			page_mix_summary(out, test->plan, summary);
	} else {
		summary_row(page, out, test, summary);
		if (more)
			summary_more(out, summary);
	}
	for (size_t i = 0; i < assessed->count; i++)
		page_keep(page, summary->kind, OVER_ALL, &assessed->verdicts[i]);
}

/* Why there are not more repetitions, where that is not what was asked for. */
static void say_end(struct text *out, const struct test_result *test)
{
	const struct test *options = test->plan->test;
	struct text words = {0};

	if (test->repetitions_end == REPETITIONS_PRECISE)
		text_add(&words, "repeated until the 99 %% interval of each median was within %.3g %%",
			 100 * options->precision);
	else if (test->repetitions_end == REPETITIONS_MOST)
		text_add(&words, "stopped at max_repetitions=%" PRIu64 " before the 99 %% interval of each "
			 "median was within %.3g %%", options->max_repetitions, 100 * options->precision);
	else if (test->repetitions_end == REPETITIONS_BUDGET)
		text_add(&words, "stopped as one more repetition would not end within %s",
			 options->budget > 0 ? "budget" : "node_budget");
	if (words.length)
		layout_paragraph(out, "", PAGE_INDENT, text_string(&words));
	text_release(&words);
}

static void say_comparable(struct text *out, const struct test_result *test)
{
	struct text label = {0}, words = {0};

	text_add(&label, "comparable with %s:", comparable_program(test));
	if (comparable_words(test, &words))
		layout_paragraph(out, text_string(&label), (unsigned)label.length + 1, text_string(&words));
	text_release(&words);
	text_release(&label);
}

static void summary_head(const struct page *page, struct text *out)
{
	struct text words = {0};

	text_add(&words, "summary  n  median         95 %% interval    +-  op/s    p50    p99  p99.9    "
			 "max%s", page_is_wide(page) ? page_wide_head() : "");
	layout_wide_line(out, text_string(&words), page_columns(page));
	text_release(&words);
}

void page_test_end(struct page *page, struct text *out, const struct test_result *test,
		   const struct assessed_summary *assessed)
{
	if (!test->plan->phase_count)
		return;
	text_add(out, "\n");
	if (test->plan->metadata)
		page_names_summary_head(out);
	else
		summary_head(page, out);
	for (unsigned i = 0; i < test->plan->phase_count; i++)
		say_summary(page, out, test, &assessed[i]);
	say_end(out, test);
	text_add(out, "\n");
	say_comparable(out, test);
	page_verdicts(page, out);
}
