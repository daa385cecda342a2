/* What a summary has room for on a wide terminal: who was slow, the tail, the page cache's share. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "report/layout.h"
#include "report/page.h"
#include "report/table.h"

enum { WIDE = 120, COLUMNS_WIDE = 3 };

static const struct column columns[COLUMNS_WIDE] = {
	{"x others", 9, CELL_NUMBER, 0}, {"tail", 5, CELL_PERCENT, 0}, {"hit", 5, CELL_PERCENT, 0}};

unsigned page_columns(const struct page *page)
{
	return page->columns > COLUMNS ? page->columns : COLUMNS;
}

bool page_is_wide(const struct page *page)
{
	return page->columns >= WIDE;
}

void page_wide_head(struct text *line)
{
	text_add(line, " %11s", "slow task");
	table_head(line, columns, COLUMNS_WIDE);
}

/* The task that was slow most often. */
static const struct slow_member *slowest(const struct slow_history *history)
{
	const struct slow_member *found = NULL;

	for (uint32_t i = 0; i < history->counts[SLOW_TASK]; i++) {
		const struct slow_member *member = &history->members[SLOW_TASK][i];

		if (!found || member->times > found->times)
			found = member;
	}
	return found;
}

static double tail_of(const struct phase_result *phase)
{
	return phase->working_tasks > 1 ? phase->tail_share : -1;
}

static double hits_of(const struct phase_result *phase)
{
	return phase->reads_counted == READS_COUNTED ? phase->hit_share : -1;
}

/* The median over the repetitions in which the share is known; else NAN. */
static double median_share(const struct test_result *test, enum phase_kind kind,
			   double (*share)(const struct phase_result *))
{
	double *values = memory_allocate(test->phase_count, sizeof(*values)), median = NAN;
	size_t count = 0;

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct phase_result *phase = &test->phases[i];

		if (phase->kind == kind && !phase->warmup && phase->status == PHASE_COMPLETE &&
		    share(phase) >= 0)
			values[count++] = share(phase);
	}
	values_sort(values, count);
	if (count)
		median = sorted_median(values, count);
	free(values);
	return median;
}

void page_wide_cells(const struct test_result *test, enum phase_kind kind, struct text *out)
{
	const struct slow_history *history = &test->slow[kind];
	const struct slow_member *member = slowest(history);
	const double values[] = {
		member ? member->ratio_sum / (double)member->times : NAN,
		median_share(test, kind, tail_of),
		median_share(test, kind, hits_of),
	};
	char who[48] = "-";

	if (member)
		snprintf(who, sizeof(who), "%" PRIu32 " (%" PRIu64 "/%" PRIu64 ")", member->number,
			 member->times, history->repetitions);
	text_add(out, " %11s", who);
	table_cells(out, columns, values, COLUMNS_WIDE, 0);
}
