/* How long the watchdog waits before it ends a job, which only a minute could show otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/core/watchdog.h"

#define assert_patience(stop, hang_after, seconds) \
	assert_int_equal(watchdog_patience(stop, hang_after), seconds)

static void a_job_without_a_stop_may_take_its_time(void **state)
{
	(void)state;
	assert_patience(STOP_NONE, 0, 0);
	assert_patience(STOP_DEADLINE, 0, 0);
}

static void hang_after_holds_from_the_start(void **state)
{
	(void)state;
	assert_patience(STOP_NONE, 5, 5);
	assert_patience(STOP_DEADLINE, 200, 200);
}

static void after_a_failure_it_is_a_minute_at_most(void **state)
{
	(void)state;
	assert_patience(STOP_FAILURE, 0, 60);
	assert_patience(STOP_FAILURE, 5, 5);
	assert_patience(STOP_FAILURE, 200, 60);
}

static void after_a_signal_it_is_ten_seconds_at_most(void **state)
{
	(void)state;
	assert_patience(STOP_SIGNAL, 0, 10);
	assert_patience(STOP_SIGNAL, 5, 5);
	assert_patience(STOP_SIGNAL, 200, 10);
}

static void an_open_has_a_limit_of_its_own(void **state)
{
	(void)state;
	assert_int_equal(watchdog_limit(0, ACTIVITY_OPEN), 300);
	assert_int_equal(watchdog_limit(10, ACTIVITY_OPEN), 10);
	assert_int_equal(watchdog_limit(1000, ACTIVITY_OPEN), 1000);
	assert_int_equal(watchdog_limit(0, ACTIVITY_CLOSE), 0);
	assert_int_equal(watchdog_limit(10, ACTIVITY_CLOSE), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_without_a_stop_may_take_its_time),
		cmocka_unit_test(hang_after_holds_from_the_start),
		cmocka_unit_test(after_a_failure_it_is_a_minute_at_most),
		cmocka_unit_test(after_a_signal_it_is_ten_seconds_at_most),
		cmocka_unit_test(an_open_has_a_limit_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
