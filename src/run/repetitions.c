/* The number of repetitions of a test: fixed, or until its numbers are precise enough. */
#include <math.h>

#include "run/state.h"

/* Decision of task 0 before each repetition. */
struct verdict_on_next {
	bool wanted;
	enum repetitions_end end; /* reason when not wanted */
};

/* True if another repetition, as long as the longest so far, ends within the budgets. */
static bool fits_budgets(const struct test_run *run)
{
	const struct test *test = run->test;
	double spent = now_epoch() - run->first_began;
	double needed = spent + run->longest_repetition;
	double nodes = run->plan->map.nodes;

	/* Behind the repetitions of an earlier session budgets count anew. */
	if (!run->first_began)
		return true;
	return (test->budget <= 0 || needed <= test->budget) &&
	       (test->node_budget <= 0 || needed * nodes <= test->node_budget);
}

static struct verdict_on_next decide_next(const struct test_run *run, uint64_t number)
{
	const struct test *test = run->test;

	if (number > 0 && !fits_budgets(run))
		return (struct verdict_on_next){.end = REPETITIONS_BUDGET};
	if (!test->repetitions && test_is_precise(&run->result, test->precision))
		return (struct verdict_on_next){.end = REPETITIONS_PRECISE};
	return (struct verdict_on_next){.wanted = true};
}

static bool needs_decision(const struct test *test)
{
	return !test->repetitions || test->budget > 0 || test->node_budget > 0;
}

bool repetition_wanted(struct test_run *run, uint64_t number)
{
	const struct test *test = run->test;
	struct verdict_on_next next = {.wanted = true};

	if (run->ended) {
		run->result.repetitions_end = REPETITIONS_ENDED;
		return false;
	}
	if (number >= test_repetitions_most(test)) {
		run->result.repetitions_end =
			test->repetitions ? REPETITIONS_ASKED : REPETITIONS_MOST;
		/* the last repetition may have reached the precision */
		if (!test->repetitions && leads_test(run) &&
		    test_is_precise(&run->result, test->precision))
			run->result.repetitions_end = REPETITIONS_PRECISE;
		return false;
	}
	if (needs_decision(test)) {
		if (leads_test(run))
			next = decide_next(run, number);
		comm_share_fixed(&run->crew->comm, &next, sizeof(next), run->worker.idle);
		run->result.repetitions_end = next.end;
	}
	return next.wanted;
}

void repetition_took(struct test_run *run, double began)
{
	if (!run->first_began)
		run->first_began = began;
	run->longest_repetition = fmax(run->longest_repetition, now_epoch() - began);
}
