/* What a summary has room for on a wide terminal: who was slow, the tail, the page cache's share. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/layout.h"
#include "report/page.h"

enum { WIDE = 120 };

unsigned page_columns(const struct page *page)
{
	return page->columns > COLUMNS ? page->columns : COLUMNS;
}

bool page_is_wide(const struct page *page)
{
	return page->columns >= WIDE;
}

const char *page_wide_head(void)
{
	return "   slow task  x others  tail   hit";
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

/* The median over the repetitions in which it is known, in percent. */
static const char *median_share(const struct test_result *test, enum phase_kind kind,
				double (*share)(const struct phase_result *), char *buffer)
{
	double *values = memory_allocate(test->phase_count, sizeof(*values));
	size_t count = 0;

	for (size_t i = 0; i < test->phase_count; i++) {
		const struct phase_result *phase = &test->phases[i];

		if (phase->kind == kind && !phase->warmup && phase->status == PHASE_COMPLETE &&
		    share(phase) >= 0)
			values[count++] = 100 * share(phase);
	}
	values_sort(values, count);
	strcpy(buffer, "-");
	if (count)
		snprintf(buffer, NUMBER_SIZE, "%.1f%%", sorted_median(values, count));
	free(values);
	return buffer;
}

void page_wide_cells(const struct test_result *test, enum phase_kind kind, struct text *out)
{
	const struct slow_history *history = &test->slow[kind];
	const struct slow_member *member = slowest(history);
	char who[48] = "-", ratio[NUMBER_SIZE] = "-", tail[NUMBER_SIZE], hits[NUMBER_SIZE];

	if (member) {
		snprintf(who, sizeof(who), "%" PRIu32 " (%" PRIu64 "/%" PRIu64 ")", member->number,
			 member->times, history->repetitions);
		layout_number(member->ratio_sum / (double)member->times, 5, ratio);
	}
	text_add(out, " %11s  %8s %5s %5s", who, ratio, median_share(test, kind, tail_of, tail),
		 median_share(test, kind, hits_of, hits));
}
