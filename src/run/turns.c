/* The points of a study in turns: each repetition of all of them before the next. */
#include <stdlib.h>

#include "base/memory.h"
#include "run/state.h"

/* Visits the points that want a further repetition. Returns whether any wants one more. */
static bool run_round(struct runner *runner, struct test_run *points, unsigned count)
{
	bool more = false;

	for (unsigned i = 0; i < count && !runner->over; i++) {
		if (!points[i].wanted)
			continue;
		test_visit(&points[i]);
		more |= points[i].wanted;
	}
	return more;
}

/* The job is over: points that would have had a further repetition have none. */
static void end_early(struct test_run *point)
{
	if (!point->wanted || !point->left)
		return;
	point->result.repetitions_end = REPETITIONS_ENDED;
	test_end(point);
}

void run_turns(struct runner *runner, unsigned first, unsigned count)
{
	struct test_run *points = memory_allocate(count, sizeof(*points));

	if (leads(runner))
		report_set_start(runner->report, first, count);
	for (unsigned i = 0; i < count; i++) {
		test_init(&points[i], runner, first + i);
		points[i].in_turns = points[i].wanted = true;
	}
	while (run_round(runner, points, count))
		;
	for (unsigned i = 0; i < count; i++)
		end_early(&points[i]);
	if (leads(runner))
		report_set_end(runner->report);
	free(points);
}
