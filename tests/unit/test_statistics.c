/* Statistics over repetitions: known values, and coverage by simulation with fixed seeds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "statistics/batch_means.h"
#include "statistics/distribution.h"
#include "statistics/repetitions.h"

#define assert_near(a, b, by)                                                                      \
	do {                                                                                       \
		double a_ = (a), b_ = (b);                                                         \
		if (!(fabs(a_ - b_) <= (by)))                                                      \
			fail_msg("%s = %.12g, not %.12g", #a, a_, b_);                             \
	} while (0)

static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static double uniform(uint64_t *state)
{
	return ((double)(next(state) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
	return sqrt(-2 * log(uniform(state))) * cos(2 * M_PI * uniform(state));
}

/* --- distributions -------------------------------------------------------------------------- */

static void distributions_have_their_known_values(void **state)
{
	(void)state;
	assert_near(normal_quantile(0.975), 1.959963984540054, 1e-10);
	assert_near(normal_quantile(0.0001), -3.719016485455709, 1e-9);
	assert_near(normal_quantile(0.5), 0, 1e-12);
	assert_near(student_quantile(0.95, 9), 2.2621571628, 1e-8);
	assert_near(student_quantile(0.95, 1), 12.7062047362, 1e-7);
	assert_near(student_two_sided(2, 5), 0.1019394789, 1e-8);
	assert_near(student_two_sided(0, 5), 1, 1e-12);
	assert_near(binomial_half_below(9, 1), 10.0 / 512, 1e-15);
	assert_near(binomial_half_below(9, -1), 0, 0);
	assert_near(binomial_at_least(3, 2, 0.25), 3 * 0.0625 * 0.75 + 0.015625, 1e-12);
	assert_near(binomial_at_least(3, 0, 0.25), 1, 0);
}

/* --- the median's interval ------------------------------------------------------------------ */

static void interval_ranks_are_the_published_ones(void **state)
{
	static const struct { size_t n, lower, upper; } known[] = {
		{6, 1, 6}, {8, 1, 8}, {9, 2, 8}, {10, 2, 9}, {12, 3, 10},
		{15, 4, 12}, {20, 6, 15}, {30, 10, 21},
	};
	double values[30];

	(void)state;
	for (int i = 0; i < 30; i++)
		values[i] = i + 1;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct median_interval interval =
			sorted_median_interval(values, known[i].n, 0.95);

		assert_true(interval.possible);
		assert_int_equal(interval.lower_rank, known[i].lower);
		assert_int_equal(interval.upper_rank, known[i].upper);
		assert_near(interval.lower, (double)known[i].lower, 0);
		assert_near(interval.upper, (double)known[i].upper, 0);
		assert_true(interval.coverage >= 0.95);
	}
}

static void many_values_have_an_interval_too(void **state)
{
	static double values[20000];

	(void)state;
	for (int i = 0; i < 20000; i++)
		values[i] = i;
	for (size_t n = 1000; n <= 20000; n += 19000) {
		struct median_interval interval = sorted_median_interval(values, n, 0.95);

		assert_near((double)interval.lower_rank, (double)n / 2 - 0.98 * sqrt((double)n), 2);
		assert_true(interval.coverage >= 0.95 && interval.coverage < 0.957);
	}
	assert_int_equal(spread_of(values, 20000).count, 20000);
}

static void too_few_values_have_no_interval(void **state)
{
	double values[] = {1, 2, 3, 4, 5, 6, 7};

	(void)state;
	for (size_t n = 1; n < 6; n++)
		assert_false(sorted_median_interval(values, n, 0.95).possible);
	assert_false(sorted_median_interval(values, 7, 0.99).possible);
	assert_int_equal(median_interval_needs(0.95), 6);
	assert_int_equal(median_interval_needs(0.99), 8);
	assert_true(precision_of(values, 7) < 0);
	assert_int_equal(precision_needs(values, 7, 0.05), 0);
}

enum kind { NORMAL, LOGNORMAL, BIMODAL, SLOW_TENTH, KINDS };

/* One value, and by p the median of all. */
static double draw(enum kind kind, uint64_t *state)
{
	switch (kind) {
	case NORMAL:
		return 100 + 5 * normal(state);
	case LOGNORMAL:
		return exp(normal(state));
	case BIMODAL:
		return (uniform(state) < 0.3 ? 60 : 100) + normal(state);
	default:
		return (uniform(state) < 0.1 ? 30 : 100) + 2 * normal(state);
	}
}

static double normal_below(double x)
{
	return 0.5 * erfc(-x / M_SQRT2);
}

/* The medians, from the distributions: 0.7 Phi(x - 100) + 0.3 = 0.5 where a third part lies below. */
static double true_median(enum kind kind)
{
	switch (kind) {
	case NORMAL:
		return 100;
	case LOGNORMAL:
		return 1;
	case BIMODAL:
		return 100 + normal_quantile(0.2 / 0.7);
	default:
		return 100 + 2 * normal_quantile(0.4 / 0.9);
	}
}

static void intervals_cover_the_median_as_often_as_they_say(void **state)
{
	enum { RUNS = 20000 };

	(void)state;
	assert_near(0.7 * normal_below(true_median(BIMODAL) - 100) + 0.3, 0.5, 1e-9);
	for (int kind = 0; kind < KINDS; kind++) {
		for (size_t n = 6; n <= 30; n++) {
			uint64_t random = (uint64_t)kind * 1000 + n;
			double middle = true_median(kind), exact = 0;
			unsigned covered = 0;

			for (int run = 0; run < RUNS; run++) {
				double values[30];

				for (size_t i = 0; i < n; i++)
					values[i] = draw(kind, &random);
				struct spread spread = spread_of(values, n);

				exact = spread.interval.coverage;
				covered += spread.interval.lower <= middle &&
					   middle <= spread.interval.upper;
			}
			assert_true((double)covered / RUNS >= 0.94);
			assert_near((double)covered / RUNS, exact, 0.005);
		}
	}
}

static void precision_falls_with_the_width_and_tells_what_is_missing(void **state)
{
	double values[] = {95, 105, 100, 100, 100, 100, 100, 100};

	(void)state;
	assert_near(precision_of(values, 8), 0.05, 1e-12);
	assert_int_equal(precision_needs(values, 8, 0.05), 8);
	assert_int_equal(precision_needs(values, 8, 0.025), 32);
}

/* --- first, drift, modes -------------------------------------------------------------------- */

static void a_first_that_differs_is_seen(void **state)
{
	double slow[] = {60, 100, 101, 99, 100.5, 99.5};
	double same[] = {100.2, 100, 101, 99, 100.5, 99.5};
	double equal[] = {80, 100, 100, 100, 100};

	(void)state;
	assert_true(first_differs(slow, 6).differs);
	assert_near(first_differs(slow, 6).ratio, 0.6, 1e-12);
	assert_false(first_differs(same, 6).differs);
	assert_true(first_differs(equal, 5).differs);
	assert_false(first_differs(slow, 4).differs);
}

static void a_drift_is_seen_and_noise_is_not(void **state)
{
	double falling[] = {100, 99, 97, 98, 94, 95, 91, 90};
	double noise[] = {100, 97, 99, 101, 98, 100.5, 99.5, 98.5};
	double constant[] = {7, 7, 7, 7, 7, 7, 7, 7};
	double ten[] = {2, 1, 4, 3, 7, 5, 6, 10, 8, 9};

	(void)state;
	assert_true(drift_of(falling, 8).drifts);
	assert_true(drift_of(falling, 8).change < -0.05);
	assert_false(drift_of(noise, 8).drifts);
	assert_false(drift_of(constant, 8).drifts);
	assert_near(drift_of(ten, 10).rho, 0.9030303030303032, 1e-12);
	assert_near(drift_of(ten, 10).p, 0.0003437, 1e-6);
	assert_false(drift_of(falling, 5).drifts);
}

/* About one in twenty orders of values that do not drift looks as if they did. */
static void false_alarms_are_as_rare_as_promised(void **state)
{
	enum { RUNS = 4000 };

	(void)state;
	for (size_t n = 6; n <= 14; n += 4) {
		uint64_t random = n;
		unsigned alarms = 0;

		for (int run = 0; run < RUNS; run++) {
			double values[14];

			for (size_t i = 0; i < n; i++)
				values[i] = 100 + normal(&random);
			alarms += drift_of(values, n).drifts;
		}
		assert_true((double)alarms / RUNS <= 0.065);
	}
}

static void two_modes_are_told_from_one(void **state)
{
	double two[] = {100, 101, 60, 99, 61, 100, 59, 100.5, 60.5, 99.5};
	double one[] = {100, 101, 98, 99, 102, 100, 97, 100.5, 103, 99.5};
	double outlier[] = {100, 101, 98, 99, 102, 100, 97, 100.5, 103, 30};
	double near[] = {100, 100.1, 103, 103.1, 100, 100.1, 103, 103.1, 100, 103};
	struct two_modes modes = two_modes_of(two, 10);

	(void)state;
	assert_true(modes.found);
	assert_near(modes.low, 60.25, 1e-12);
	assert_near(modes.high, 100, 1e-12);
	assert_int_equal(modes.low_count, 4);
	assert_int_equal(modes.high_count, 6);
	assert_false(two_modes_of(one, 10).found);
	assert_false(two_modes_of(outlier, 10).found);
	assert_false(two_modes_of(near, 10).found);
	assert_false(two_modes_of(two, 9).found);
}

static void outliers_are_judged_by_how_many_were_looked_at(void **state)
{
	(void)state;
	assert_near(modified_z_threshold(1), 1.959963984540054, 1e-9);
	assert_true(modified_z_threshold(16384) > modified_z_threshold(16) + 1);
	assert_near(modified_z(110, 100, 6.745), 1, 1e-12);
	assert_near(modified_z(100, 100, 0), 0, 0);
	assert_true(isinf(modified_z(101, 100, 0)));
}

/* --- one long run --------------------------------------------------------------------------- */

/* Values that follow one another: an autoregressive process around 100. */
static void follow(uint64_t *random, double memory, double *values, size_t count)
{
	double x = 0;

	for (size_t i = 0; i < count; i++) {
		x = memory * x + normal(random);
		values[i] = 100 + x;
	}
}

static void batch_means_grow_until_they_are_independent(void **state)
{
	double values[2048];
	uint64_t random = 3;
	struct batch_means loose, tight;

	(void)state;
	follow(&random, 0, values, 2048);
	loose = batch_means_of(values, 2048, 1);
	assert_true(loose.known);
	assert_int_equal(loose.batch, 1);
	assert_int_equal(batch_means_of(values, 2048, 5).batch, 5);
	assert_false(batch_means_of(values, 2048, 300).known);
	follow(&random, 0.9, values, 2048);
	tight = batch_means_of(values, 2048, 1);
	assert_true(tight.known);
	assert_true(tight.batch >= 8);
	assert_true(tight.half_width > 4 * loose.half_width);
}

static void batch_means_cover_the_mean_of_what_follows_itself(void **state)
{
	enum { RUNS = 1000 };
	double values[1024];
	uint64_t random = 5;
	unsigned covered = 0, known = 0;

	(void)state;
	for (int run = 0; run < RUNS; run++) {
		follow(&random, 0.7, values, 1024);
		struct batch_means means = batch_means_of(values, 1024, 1);

		known += means.known;
		covered += means.known && fabs(means.mean - 100) <= means.half_width;
	}
	assert_true(known > 0.9 * RUNS);
	assert_true((double)covered / known >= 0.88);
}

static void what_never_settles_is_not_known(void **state)
{
	double values[40];

	(void)state;
	for (int i = 0; i < 40; i++)
		values[i] = i;
	assert_false(batch_means_of(values, 40, 1).known);
	assert_false(batch_means_of(values, 9, 1).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distributions_have_their_known_values),
		cmocka_unit_test(interval_ranks_are_the_published_ones),
		cmocka_unit_test(many_values_have_an_interval_too),
		cmocka_unit_test(too_few_values_have_no_interval),
		cmocka_unit_test(intervals_cover_the_median_as_often_as_they_say),
		cmocka_unit_test(precision_falls_with_the_width_and_tells_what_is_missing),
		cmocka_unit_test(a_first_that_differs_is_seen),
		cmocka_unit_test(a_drift_is_seen_and_noise_is_not),
		cmocka_unit_test(false_alarms_are_as_rare_as_promised),
		cmocka_unit_test(two_modes_are_told_from_one),
		cmocka_unit_test(outliers_are_judged_by_how_many_were_looked_at),
		cmocka_unit_test(batch_means_grow_until_they_are_independent),
		cmocka_unit_test(batch_means_cover_the_mean_of_what_follows_itself),
		cmocka_unit_test(what_never_settles_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
