/* The visits of a job, in the order of its schedule. */
#include <stdlib.h>

#include "base/memory.h"
#include "run/state.h"

/* Sets the rates of the visit that earlier points of a curve have told. */
static void set_rates(struct runner *runner, const struct visit *visit)
{
	for (unsigned i = 0; visit->rates && i < visit->count; i++) {
		struct plan *plan = &runner->plans[visit->first + i];

		if (!(visit->rates[i] > 0))
			continue;
		plan->pattern.arrival.rate = visit->rates[i];
		plan->awaits_rate = false;
	}
}

/* Finds the next visit, and tells task 0's page and live line about it. */
static bool next(struct runner *runner, struct visit *visit)
{
	struct schedule *schedule = &runner->schedule;
	const unsigned before = schedule->next;
	const bool more = schedule_next(schedule, visit);
	const unsigned end = more ? visit->first : runner->job->test_count;

	for (unsigned i = before; i < end; i++)
		live_test_ended(runner, i); /* a point that was left out */
	if (!more)
		return false;
	if (leads(runner) && schedule->turns.looked_at == 1)
		report_set_start(runner->report, schedule->turns.first, schedule->turns.count);
	if (leads(runner))
		ladder_start(runner, visit->first);
	set_rates(runner, visit);
	return true;
}

/* The test of the visit, as it was left by the visit before. */
static struct test_run *test_of_visit(struct runner *runner, const struct visit *visit)
{
	struct test_run **run = &runner->runs[visit->first];

	if (!*run) {
		*run = memory_allocate(1, sizeof(**run));
		test_init(*run, runner, visit->first);
	}
	(*run)->until = visit->until;
	return *run;
}

/* Keeps a test that wants a further repetition. Returns whether it does. */
static bool keep_test(struct runner *runner, struct test_run *run)
{
	if (run->wanted)
		return true;
	runner->runs[run->number] = NULL;
	free(run);
	return false;
}

/* Tells the schedule what came of the visit. */
static void visits_note(struct runner *runner, const struct visit *visit, bool wanted)
{
	const bool is_point = schedule_point(&runner->schedule, visit).kind != CURVE_POINT_NONE;

	if (is_point && run_of(runner->job)->limits != LIMITS_ONLY)
		ladder_note(runner, visit);
	else if (!is_point)
		schedule_note(&runner->schedule, visit, &(struct outcome){.wanted = wanted});
}

/* The job is over: tests that would have had a further repetition have none. */
static void end_early(struct runner *runner)
{
	for (unsigned i = 0; i < runner->job->test_count; i++) {
		struct test_run *run = runner->runs[i];

		if (run && run->left) {
			run->result.repetitions_end = REPETITIONS_ENDED;
			test_end(run);
		}
		free(run);
	}
}

void run_visits(struct runner *runner)
{
	struct visit visit;

	runner->runs = memory_allocate(runner->job->test_count, sizeof(*runner->runs));
	schedule_init(&runner->schedule, runner->job);
	live_start(runner);
	while (!runner->over && next(runner, &visit)) {
		bool wanted = false;

		if (resume_visit(runner, &visit, &wanted)) {
			/* an earlier session made it */
		} else if (runner->job->tests[visit.first].set.number) {
			run_set(runner, visit.first, visit.count);
		} else {
			struct test_run *run = test_of_visit(runner, &visit);

			test_visit(run);
			wanted = keep_test(runner, run);
		}
		atomic_store(&runner->running, ((struct running){0}));
		visits_note(runner, &visit, wanted);
	}
	end_early(runner);
	free(runner->runs);
	schedule_release(&runner->schedule);
}
