/* The deadline: which texts are a time, which are refused, and what time a phase needs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "plan/deadline.h"

static const double now = 1795000000; /* in November 2026 */

static void a_time_from_now_is_added(void **state)
{
	struct error err = {0};
	double deadline;

	(void)state;
	assert_int_equal(deadline_parse("+30m", now, &deadline, &err), 0);
	assert_true(deadline == now + 1800);
}

static void seconds_since_the_epoch_are_taken_as_they_are(void **state)
{
	struct error err = {0};
	double deadline;

	(void)state;
	assert_int_equal(deadline_parse("1795000001.5", now, &deadline, &err), 0);
	assert_true(deadline == now + 1.5);
}

static void local_times_are_taken_as_squeue_prints_them(void **state)
{
	struct error err = {0};
	double deadline;

	(void)state;
	setenv("TZ", "CET-1", 1);
	tzset();
	assert_int_equal(deadline_parse("2026-11-22T20:00:00", now, &deadline, &err), 0);
	assert_true(deadline == 1795374000); /* 19:00:00 UTC */
	assert_int_equal(deadline_parse("2026-11-22T20:00", now, &deadline, &err), 0);
	assert_true(deadline == 1795374000);
}

static void assert_refused(const char *text, const char *part)
{
	struct error err = {0};
	double deadline;

	assert_int_equal(deadline_parse(text, now, &deadline, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, part));
}

static void a_time_that_no_clock_reaches_is_refused(void **state)
{
	(void)state;
	assert_refused("1795000060000", "milliseconds");
	assert_refused("2600-01-01T00:00", "more than thirty years");
	assert_refused("99999999999999999999999", "more than thirty years");
	assert_refused("+40000d", "deadline");
}

static void a_time_that_has_passed_or_is_none_is_refused(void **state)
{
	(void)state;
	assert_refused("1795000000", "has passed");
	assert_refused("tomorrow", "is no time");
	assert_refused("N/A", "is no time");
	assert_refused("NULL", "is no time");
	assert_refused("", "is no time");
}

/* A tenth more than the longest so far, and one second. */
static void a_phase_may_take_longer_than_the_longest_before(void **state)
{
	(void)state;
	assert_float_equal(deadline_needed(10), 12, 1e-9);
	assert_float_equal(deadline_needed(0.5), 1.55, 1e-9);
}

static void a_phase_that_never_ran_needs_no_time(void **state)
{
	(void)state;
	assert_float_equal(deadline_needed(0), 0, 0);
	assert_float_equal(deadline_needed(-1), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_time_from_now_is_added),
		cmocka_unit_test(seconds_since_the_epoch_are_taken_as_they_are),
		cmocka_unit_test(local_times_are_taken_as_squeue_prints_them),
		cmocka_unit_test(a_time_that_no_clock_reaches_is_refused),
		cmocka_unit_test(a_time_that_has_passed_or_is_none_is_refused),
		cmocka_unit_test(a_phase_may_take_longer_than_the_longest_before),
		cmocka_unit_test(a_phase_that_never_ran_needs_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
