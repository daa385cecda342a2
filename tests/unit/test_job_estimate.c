/* The share of a job that is done and the time left. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/job_estimate.h"

static const struct job_now at_begin = {.phase_left = -1, .deadline = INFINITY};

static void assert_estimate(const struct job_part *parts, size_t count, struct job_now now,
			    double share, double left)
{
	const struct job_estimate found = job_estimate(parts, count, &now);

	if (!(fabs(found.left - left) < 1e-9 && fabs(found.share - share) < 1e-9))
		fail_msg("%g done, %g s left; not %g and %g", found.share, found.left, share, left);
}

static void nothing_is_known_before_a_repetition_has_ended(void **state)
{
	const struct job_part parts[] = {{.wanted = 4}, {.wanted = 4, .planned = 2}};

	(void)state;
	assert_estimate(parts, 2, at_begin, 0, -1);
}

static void planned_phases_are_known_at_once(void **state)
{
	const struct job_part parts[] = {{.wanted = 4, .planned = 2}, {.wanted = 1, .planned = 12}};

	(void)state;
	assert_estimate(parts, 2, at_begin, 0, 20);
}

static void unseen_tests_take_as_long_as_the_mean_of_the_others(void **state)
{
	const struct job_part parts[] = {{.done = 1, .wanted = 2, .seconds = 1, .first = 1},
					 {.done = 1, .wanted = 2, .seconds = 3, .first = 3},
					 {.wanted = 2}};
	struct job_now now = at_begin;

	(void)state;
	now.part = 2;
	assert_estimate(parts, 3, now, 4 / 12.0, 8);
	now.spent = 1;
	assert_estimate(parts, 3, now, 5 / 12.0, 7);
}

static void the_first_repetition_no_longer_counts_after_the_second(void **state)
{
	const struct job_part part = {.done = 3, .wanted = 5, .seconds = 14, .first = 10};

	(void)state;
	assert_estimate(&part, 1, at_begin, 14 / 18.0, 4);
}

static void a_slow_repetition_lasts_as_long_as_its_phase(void **state)
{
	const struct job_part part = {.done = 1, .wanted = 3, .seconds = 2, .first = 2};
	struct job_now now = at_begin;

	(void)state;
	now.spent = 5;
	assert_estimate(&part, 1, now, 7 / 9.0, 2);
	now.phase_left = 4;
	assert_estimate(&part, 1, now, 7 / 13.0, 6);
}

static void budget_and_deadline_bound_the_time_left(void **state)
{
	const struct job_part parts[] = {
		{.done = 1, .wanted = 100, .seconds = 2, .first = 2, .limit = 10},
		{.done = 1, .wanted = 11, .seconds = 2, .first = 2},
	};
	struct job_now now = at_begin;

	(void)state;
	assert_estimate(parts, 2, now, 4 / 32.0, 28);
	now.spent = 3;
	assert_estimate(parts, 2, now, 7 / 32.0, 25);
	now.deadline = 1;
	assert_estimate(parts, 2, now, 7 / 8.0, 1);
}

static void a_test_that_has_ended_early_has_nothing_left(void **state)
{
	const struct job_part part = {.done = 4, .wanted = 4, .seconds = 4, .first = 1};

	(void)state;
	assert_estimate(&part, 1, at_begin, 1, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_known_before_a_repetition_has_ended),
		cmocka_unit_test(planned_phases_are_known_at_once),
		cmocka_unit_test(unseen_tests_take_as_long_as_the_mean_of_the_others),
		cmocka_unit_test(the_first_repetition_no_longer_counts_after_the_second),
		cmocka_unit_test(a_slow_repetition_lasts_as_long_as_its_phase),
		cmocka_unit_test(budget_and_deadline_bound_the_time_left),
		cmocka_unit_test(a_test_that_has_ended_early_has_nothing_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
