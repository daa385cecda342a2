/* The mean of one long run: coverage by simulation with fixed seeds, and changes of level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "statistics/run_mean.h"
#include "tests/unit/random_values.h"

enum { VALUES = 150 };

/* Level changes at these values, noise has this deviation. */
static void step(double *values, size_t count, size_t at, double before, double after, double noise)
{
	uint64_t random = at;

	for (size_t i = 0; i < count; i++)
		values[i] = (i < at ? before : after) + noise * draw_normal(&random);
}

struct shares {
	double given, covered, changes;
};

/* Shares of runs with an interval, of intervals that hold the mean, and of runs with changes. */
static struct shares simulate(double correlation, unsigned runs)
{
	unsigned given = 0, covered = 0, changes = 0;
	uint64_t random = 1;
	double values[VALUES];

	for (unsigned run = 0; run < runs; run++) {
		draw_followers(&random, correlation, 100, 5, values, VALUES);
		struct run_mean mean = run_mean_of(values, VALUES);

		given += mean.kind == RUN_MEAN_INTERVAL;
		covered +=
			mean.kind == RUN_MEAN_INTERVAL && fabs(mean.mean - 100) <= mean.half_width;
		changes += mean.kind == RUN_MEAN_CHANGES || mean.kind == RUN_MEAN_TREND;
	}
	return (struct shares){(double)given / runs, (double)covered / given,
			       (double)changes / runs};
}

static void intervals_cover_the_mean_of_values_that_follow_one_another(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct shares shares = simulate((double[]){0, 0.5, 0.8, 0.9}[i], 600);

		assert_true(shares.covered >= 0.92 && shares.covered <= 0.985);
		assert_true(shares.given > (i < 3 ? 0.95 : 0.3));
		assert_true(shares.changes <= 0.02);
	}
}

static void correlation_widens_the_interval(void **state)
{
	double loose[VALUES], close[VALUES];
	uint64_t random = 3;

	(void)state;
	draw_followers(&random, 0, 100, 5, loose, VALUES);
	draw_followers(&random, 0.7, 100, 5, close, VALUES);
	const struct run_mean a = run_mean_of(loose, VALUES), b = run_mean_of(close, VALUES);

	assert_int_equal(a.kind, RUN_MEAN_INTERVAL);
	assert_int_equal(b.kind, RUN_MEAN_INTERVAL);
	assert_true(b.half_width > 1.8 * a.half_width);
	assert_true(b.effective < 0.3 * VALUES && a.effective > 0.7 * VALUES);
}

static void few_effective_values_leave_the_mean_vague(void **state)
{
	double values[VALUES];
	uint64_t random = 5;

	(void)state;
	draw_followers(&random, 0.99, 100, 1, values, VALUES);
	const struct run_mean mean = run_mean_of(values, VALUES);

	assert_int_equal(mean.kind, RUN_MEAN_VAGUE);
	assert_true(mean.effective < RUN_MEAN_EFFECTIVE_LEAST);
	assert_true(mean.half_width == 0);
}

static void change_of_level_is_found_with_its_place(void **state)
{
	double values[VALUES];

	(void)state;
	step(values, VALUES, 90, 100, 80, 5);
	const struct run_mean mean = run_mean_of(values, VALUES);

	assert_int_equal(mean.kind, RUN_MEAN_CHANGES);
	assert_int_equal(mean.changes, 1);
	assert_true(mean.change >= 88 && mean.change <= 92);
	assert_true(fabs(mean.before - 100) < 2 && fabs(mean.after - 80) < 2);
}

static void modes_that_take_turns_are_changes_of_level(void **state)
{
	double values[VALUES];
	uint64_t random = 7;

	(void)state;
	for (size_t i = 0; i < VALUES; i++)
		values[i] = (i / 30 % 2 ? 100 : 60) + 5 * draw_normal(&random);
	const struct run_mean mean = run_mean_of(values, VALUES);

	assert_int_equal(mean.kind, RUN_MEAN_CHANGES);
	assert_int_equal(mean.changes, 4);
	assert_true(mean.change % 30 <= 1 || mean.change % 30 >= 29);
}

/* A line from 100 + fall / 2 to 100 - fall / 2. */
static void fall_by(double *values, size_t count, double fall, double noise, uint64_t *random)
{
	for (size_t i = 0; i < count; i++)
		values[i] = 100 + fall * (0.5 - (double)i / (double)(count - 1)) +
			    noise * draw_normal(random);
}

static void linear_fall_is_a_trend_with_its_ends(void **state)
{
	double values[VALUES];
	uint64_t random = 11;

	(void)state;
	for (int sign = -1; sign <= 1; sign += 2) {
		fall_by(values, VALUES, sign * 20, 2, &random);
		const struct run_mean mean = run_mean_of(values, VALUES);

		assert_int_equal(mean.kind, RUN_MEAN_TREND);
		assert_true(fabs(mean.begin - 100 - sign * 10) < 2);
		assert_true(fabs(mean.end - 100 + sign * 10) < 2);
		assert_true(mean.changes == 0 && mean.half_width == 0);
		assert_true(mean.correlation < 0.3);
	}
	fall_by(values, VALUES, 4, 0.2, &random); /* too little to be said */
	assert_int_not_equal(run_mean_of(values, VALUES).kind, RUN_MEAN_TREND);
}

static void linear_falls_are_trends_and_steps_are_changes_of_level(void **state)
{
	enum { RUNS = 200 };
	unsigned trends = 0, changes = 0;
	uint64_t random = 12;
	double values[VALUES];

	(void)state;
	for (unsigned run = 0; run < RUNS; run++) {
		fall_by(values, VALUES, 10, 5, &random);
		trends += run_mean_of(values, VALUES).kind == RUN_MEAN_TREND;
		for (size_t i = 0; i < VALUES; i++)
			values[i] = (i < 60 ? 100 : 90) + 5 * draw_normal(&random);
		changes += run_mean_of(values, VALUES).kind == RUN_MEAN_CHANGES;
	}
	assert_true(trends >= RUNS * 0.85);
	assert_true(changes >= RUNS * 0.98);
}

static void small_changes_only_widen_the_interval(void **state)
{
	double values[VALUES];

	(void)state;
	step(values, VALUES, 75, 100, 98, 0.5);
	const struct run_mean mean = run_mean_of(values, VALUES);

	assert_int_not_equal(mean.kind, RUN_MEAN_CHANGES);
	assert_true(mean.correlation > 0.5);
}

static void few_values_say_nothing(void **state)
{
	double values[VALUES];

	(void)state;
	step(values, VALUES, 0, 100, 100, 5);
	assert_int_equal(run_mean_of(values, RUN_MEAN_LEAST - 1).kind, RUN_MEAN_NONE);
	assert_int_equal(run_mean_of(values, 0).kind, RUN_MEAN_NONE);
	assert_int_equal(run_mean_of(values, RUN_MEAN_LEAST).kind, RUN_MEAN_INTERVAL);
}

static void equal_values_have_an_interval_of_no_width(void **state)
{
	double values[VALUES];

	(void)state;
	step(values, VALUES, 0, 1e9, 1e9, 0);
	const struct run_mean mean = run_mean_of(values, VALUES);

	assert_int_equal(mean.kind, RUN_MEAN_INTERVAL);
	assert_true(mean.half_width == 0 && mean.mean == 1e9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_cover_the_mean_of_values_that_follow_one_another),
		cmocka_unit_test(correlation_widens_the_interval),
		cmocka_unit_test(few_effective_values_leave_the_mean_vague),
		cmocka_unit_test(change_of_level_is_found_with_its_place),
		cmocka_unit_test(modes_that_take_turns_are_changes_of_level),
		cmocka_unit_test(linear_fall_is_a_trend_with_its_ends),
		cmocka_unit_test(linear_falls_are_trends_and_steps_are_changes_of_level),
		cmocka_unit_test(small_changes_only_widen_the_interval),
		cmocka_unit_test(few_values_say_nothing),
		cmocka_unit_test(equal_values_have_an_interval_of_no_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
