/* The steady state of a load: its text, and rates whose state is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "options/steady.h"
#include "statistics/steady.h"

static void assert_close(double value, double expected)
{
	if (!(value > expected - 1e-9 && value < expected + 1e-9))
		fail_msg("%.12g is not %.12g", value, expected);
}

static void bounds_are_read_in_any_order(void **state)
{
	struct steady_rule rule;
	struct error err = {0};

	(void)state;
	assert_int_equal(steady_parse("range:20%, slope:10%", &rule, &err), 0);
	assert_close(rule.range, 0.2);
	assert_close(rule.slope, 0.1);
	assert_int_equal(steady_parse(" slope : 2.5% ", &rule, &err), 0);
	assert_true(rule.range < 0);
	assert_close(rule.slope, 0.025);
}

static void other_texts_are_refused(void **state)
{
	static const char *const texts[] = {"",
					    "20%",
					    "range",
					    "range:20",
					    "range:-1%",
					    "range:0%",
					    "range:x%",
					    "range:nan%",
					    "range:1%;",
					    "ranges:1%",
					    "range:1%slope:1%",
					    "mean:1%",
					    "range:1%,range:2%"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct steady_rule rule;
		struct error err = {0};

		if (!steady_parse(texts[i], &rule, &err))
			fail_msg("\"%s\" is accepted", texts[i]);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_non_null(strstr(err.text, "write range:20%, slope:10%"));
	}
}

static void range_and_slope_are_shares_of_the_mean(void **state)
{
	const double rising[] = {90, 100, 110}, jumping[] = {100, 130, 70, 100};
	struct steady_state found = steady_state_of(rising, 3);

	(void)state;
	assert_close(found.mean, 100);
	assert_close(found.range, 0.2);
	assert_close(found.slope, 0.2);
	assert_true(steady_is_within(&found, 0.21, -1));
	assert_true(steady_is_within(&found, 0.21, 0.21));
	assert_false(steady_is_within(&found, 0.19, -1));
	assert_false(steady_is_within(&found, -1, 0.19));
	/* The line falls by 6 from value to value: -0.5, 0.5 x 60, and (1.5 x 0) of 5. */
	found = steady_state_of(jumping, 4);
	assert_close(found.range, 0.6);
	assert_close(found.slope, -30.0 / 5 * 3 / 100);
	assert_false(steady_is_within(&found, -1, 0.17));
}

static void a_run_that_does_nothing_is_not_steady(void **state)
{
	const double none[] = {0, 0, 0};
	const struct steady_state found = steady_state_of(none, 3);

	(void)state;
	assert_false(steady_is_within(&found, 1, 1));
}

static void a_window_has_the_last_rates(void **state)
{
	struct steady_window window = {.size = 3};
	struct steady_state found;

	(void)state;
	for (int i = 0; i < 2; i++) {
		for (int rate = 1000; rate >= 100; rate -= 300) {
			assert_int_equal(steady_window_state(&window, &found), rate < 400);
			steady_window_add(&window, rate);
		}
		assert_true(steady_window_state(&window, &found));
		assert_close(found.mean, 400);
		assert_close(found.slope, -1.5);
		steady_window_clear(&window);
	}
}

static void bounds_hold_at_their_values_and_none_is_no_bound(void **state)
{
	const struct steady_state state_of = {.mean = 100, .range = 0.2, .slope = -0.1};
	const struct steady_state nothing = {0};

	(void)state;
	assert_true(steady_is_within(&state_of, 0.2, 0.1));
	assert_false(steady_is_within(&state_of, 0.19, 0.1));
	assert_false(steady_is_within(&state_of, 0.2, 0.09));
	assert_true(steady_is_within(&state_of, -1, 0.1));
	assert_true(steady_is_within(&state_of, 0.2, -1));
	assert_false(steady_is_within(&nothing, -1, -1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_are_read_in_any_order),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(range_and_slope_are_shares_of_the_mean),
		cmocka_unit_test(a_run_that_does_nothing_is_not_steady),
		cmocka_unit_test(a_window_has_the_last_rates),
		cmocka_unit_test(bounds_hold_at_their_values_and_none_is_no_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
