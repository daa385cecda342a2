/* Statistics over repetitions: known values, and coverage by simulation with fixed seeds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "statistics/distribution.h"
#include "statistics/repetitions.h"
#include "tests/unit/random_values.h"

#define assert_near(a, b, by)                                          \
	do {                                                           \
		double a_ = (a), b_ = (b);                             \
		if (!(fabs(a_ - b_) <= (by)))                          \
			fail_msg("%s = %.12g, not %.12g", #a, a_, b_); \
	} while (0)

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
	static const struct {
		size_t n, lower, upper;
	} known[] = {
		{6, 1, 6},   {8, 1, 8},	  {9, 2, 8},   {10, 2, 9},
		{12, 3, 10}, {15, 4, 12}, {20, 6, 15}, {30, 10, 21},
	};
	double values[30];

	(void)state;
	for (int i = 0; i < 30; i++)
		values[i] = i + 1;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct median_interval interval =
			sorted_median_interval(values, known[i].n, (double)known[i].n, 0.95);

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
		struct median_interval interval =
			sorted_median_interval(values, n, (double)n, 0.95);

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
		assert_false(sorted_median_interval(values, n, (double)n, 0.95).possible);
	assert_false(sorted_median_interval(values, 7, 7, 0.99).possible);
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
		return 100 + 5 * draw_normal(state);
	case LOGNORMAL:
		return exp(draw_normal(state));
	case BIMODAL:
		return (draw_uniform(state) < 0.3 ? 60 : 100) + draw_normal(state);
	default:
		return (draw_uniform(state) < 0.1 ? 30 : 100) + 2 * draw_normal(state);
	}
}

/* The medians, from the distributions: 0.7 Phi(x - 100) + 0.3 = 0.5 where a third part lies below.
 */
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
			/* from 20 on some seem to follow one another, and are widened */
			assert_true((double)covered / RUNS >= exact - 0.005);
			assert_true((double)covered / RUNS <= exact + (n < 20 ? 0.005 : 0.025));
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
	double near[] = {95, 100, 100.1, 99.9, 100, 100};
	double equal[] = {80, 100, 100, 100, 100};

	(void)state;
	assert_true(first_differs(slow, 6).differs);
	assert_near(first_differs(slow, 6).ratio, 0.6, 1e-12);
	assert_false(first_differs(same, 6).differs);
	assert_false(first_differs(near, 6).differs);
	assert_true(first_differs(near, 6).p < 0.001);
	assert_true(first_differs(equal, 5).differs);
	assert_false(first_differs(slow, 4).differs);
}

static void a_drift_is_seen_and_noise_is_not(void **state)
{
	double falling[] = {100, 99, 97, 98, 94, 95, 91, 90};
	double little[] = {100, 99.9, 99.7, 99.8, 99.4, 99.5, 99.1, 99};
	double noise[] = {100, 97, 99, 101, 98, 100.5, 99.5, 98.5};
	double constant[] = {7, 7, 7, 7, 7, 7, 7, 7};
	double ten[] = {2, 1, 4, 3, 7, 5, 6, 10, 8, 9};

	(void)state;
	assert_true(drift_of(falling, 8).drifts);
	assert_true(drift_of(falling, 8).change < -0.05);
	assert_true(drift_of(little, 8).p < 0.005);
	assert_false(drift_of(little, 8).drifts);
	assert_false(drift_of(noise, 8).drifts);
	assert_false(drift_of(constant, 8).drifts);
	assert_near(drift_of(ten, 10).rho, 0.9030303030303032, 1e-12);
	assert_near(drift_of(ten, 10).p, 0.0003437, 1e-6);
	assert_false(drift_of(falling, 5).drifts);
}

static void two_modes_are_told_from_one(void **state)
{
	double two[] = {100, 101, 60, 99, 61, 100, 59, 100.5, 60.5, 99.5, 99, 60, 101, 100, 61};
	double outlier[] = {100, 101, 98, 99, 102, 100, 97, 100.5, 103, 30, 99, 100, 101, 98, 102};
	double near[] = {100, 100.1, 103, 103.1, 100, 100.1, 103, 103.1,
			 100, 103,   100, 103,	 100, 103,   100};
	struct two_modes modes = two_modes_of(two, 15);

	(void)state;
	assert_true(modes.found);
	assert_near(modes.low, 60.25, 1e-12);
	assert_near(modes.high, 100, 1e-12);
	assert_int_equal(modes.low_count, 6);
	assert_int_equal(modes.high_count, 9);
	assert_false(two_modes_of(outlier, 15).found);
	assert_false(two_modes_of(near, 15).found);
	assert_false(two_modes_of(two, 14).found);
}

static bool warns(const double *values, size_t count)
{
	return first_differs(values, count).differs || drift_of(values, count).drifts ||
	       two_modes_of(values, count).found;
}

/* tests/bench/intervals has more lengths and runs. */
static void clean_values_hardly_ever_warn(void **state)
{
	enum { RUNS = 2000 };
	static const enum clean_values kinds[] = {CLEAN_NORMAL, CLEAN_LOGNORMAL, CLEAN_UNIFORM};

	(void)state;
	for (int kind = 0; kind < 3; kind++)
		for (size_t n = 6; n <= 30; n += n < 15 ? 9 : 15) {
			uint64_t random = n;
			unsigned warnings = 0;
			double values[30];

			for (int run = 0; run < RUNS; run++) {
				draw_clean(&random, kinds[kind], 0.05, values, n);
				warnings += warns(values, n);
			}
			/* 1 %, and two standard errors of this simulation */
			assert_true((double)warnings / RUNS < 0.0145);
		}
}

/* --- repetitions that follow one another ---------------------------------------------------- */

static void dependence_is_found_from_twenty_values_on(void **state)
{
	double values[40];
	uint64_t random = 11;
	struct dependence dependence;

	(void)state;
	draw_followers(&random, 0.8, 100, 5, values, 40);
	dependence = dependence_of(values, 40);
	assert_true(dependence.found);
	assert_true(dependence.ratio < 1 && dependence.p < 0.01);
	assert_true(dependence.effective < 15);
	assert_string_equal(dependence_name(&dependence), "corrected");
	dependence = dependence_of(values, 19);
	assert_false(dependence.known);
	assert_near(dependence.effective, 19, 0);
	assert_string_equal(dependence_name(&dependence), "assumed");
	for (int i = 0; i < 40; i++)
		values[i] = i % 2;
	dependence = dependence_of(values, 40);
	assert_false(dependence.found);
	assert_near(dependence.effective, 40, 0);
	assert_string_equal(dependence_name(&dependence), "tested");
}

static void intervals_of_followers_cover_the_median(void **state)
{
	enum { RUNS = 2000 };

	(void)state;
	for (size_t n = 20; n <= 60; n += 20) {
		uint64_t random = n;
		unsigned covered = 0, given = 0;
		double values[60];

		for (int run = 0; run < RUNS; run++) {
			draw_followers(&random, 0.5, 100, 5, values, n);
			struct median_interval interval = spread_of(values, n).interval;

			given += interval.possible;
			covered +=
				interval.possible && interval.lower <= 100 && 100 <= interval.upper;
		}
		assert_true((double)covered / given >= 0.915);
		assert_true((double)given / RUNS > 0.7);
	}
}

static void a_drift_has_the_interval_of_what_was_measured(void **state)
{
	enum { RUNS = 2000, COUNT = 20 };
	unsigned covered = 0, given = 0, named = 0;
	uint64_t random = 5;
	double values[COUNT];

	(void)state;
	for (int run = 0; run < RUNS; run++) {
		draw_clean(&random, CLEAN_NORMAL, 0.02, values, COUNT);
		for (int i = 0; i < COUNT; i++)
			values[i] -= 10. * i / (COUNT - 1);
		struct spread spread = spread_of(values, COUNT);

		given += spread.interval.possible;
		covered += spread.interval.possible && spread.interval.lower <= 95 &&
			   95 <= spread.interval.upper;
		named += !strcmp(dependence_name(&spread.dependence), "drift");
	}
	assert_true((double)given / RUNS > 0.99);
	assert_true((double)covered / given >= 0.95);
	assert_true((double)named / RUNS > 0.95);
	for (int i = 0; i < COUNT; i++)
		values[i] = 100 + i;
	assert_near(dependence_of(values, COUNT).effective, COUNT, 0);
}

static void precision_counts_effective_values(void **state)
{
	double values[40], sorted[40];
	uint64_t random = 11;

	(void)state;
	draw_followers(&random, 0.5, 100, 5, values, 40);
	assert_true(dependence_of(values, 40).found);
	memcpy(sorted, values, sizeof(values));
	/* the same values in an order that hides the dependence */
	for (size_t i = 0; i < 40; i++)
		values[i] = sorted[i * 17 % 40];
	const double independent = precision_of(values, 40);

	assert_false(dependence_of(values, 40).found);
	assert_true(precision_of(sorted, 40) < 0 || precision_of(sorted, 40) > 1.2 * independent);
}

/* Number of repetitions that repetitions=auto makes of `most`. */
static size_t repeat(const double *values, size_t most)
{
	size_t n = 8;

	while (n < most && !precision_suffices(values, n, 0.05, 1))
		n++;
	return n;
}

static void followers_are_repeated_until_the_interval_counts_them(void **state)
{
	enum { RUNS = 2000, MOST = 30 };
	static const double deviations[] = {1, 3, 5};

	(void)state;
	for (size_t i = 0; i < sizeof(deviations) / sizeof(*deviations); i++) {
		uint64_t random = i + 1;
		unsigned covered = 0, given = 0;
		double values[MOST];

		for (int run = 0; run < RUNS; run++) {
			draw_followers(&random, 0.5, 100, deviations[i], values, MOST);
			struct median_interval interval =
				spread_of(values, repeat(values, MOST)).interval;

			given += interval.possible;
			covered +=
				interval.possible && interval.lower <= 100 && 100 <= interval.upper;
		}
		assert_true((double)covered / given >= 0.9);
		assert_true((double)given / RUNS > 0.9);
	}
}

static void independent_values_are_repeated_little_more(void **state)
{
	enum { RUNS = 2000, MOST = 30 };
	static const double deviations[] = {1, 3, 5};

	(void)state;
	for (size_t i = 0; i < sizeof(deviations) / sizeof(*deviations); i++) {
		uint64_t random = i + 1;
		size_t before = 0, now = 0;
		double values[MOST];

		for (int run = 0; run < RUNS; run++) {
			size_t n = 8;

			draw_clean(&random, CLEAN_NORMAL, deviations[i] / 100, values, MOST);
			while (n < MOST &&
			       (precision_of(values, n) < 0 || precision_of(values, n) > 0.05))
				n++;
			before += n;
			now += repeat(values, MOST);
		}
		assert_true((double)now <= 1.2 * (double)before);
	}
}

static void the_level_is_shared_by_the_series_of_a_test(void **state)
{
	double values[8];

	(void)state;
	for (int i = 0; i < 8; i++)
		values[i] = 100 + (i / 3 + i % 3) / 100.; /* p 0.05 */
	assert_false(precision_suffices(values, 8, 0.05, 1));
	assert_true(precision_suffices(values, 8, 0.05, 10));
	for (int i = 0; i < 8; i++)
		values[i] = 100 + i;
	assert_false(precision_suffices(values, 8, 0.05, 2));
	assert_false(precision_suffices(values, 7, 1, 1));
}

/* --- outliers ------------------------------------------------------------------------------- */

static void outliers_are_judged_by_how_many_were_looked_at(void **state)
{
	(void)state;
	assert_near(modified_z_threshold(1), 1.959963984540054, 1e-9);
	assert_true(modified_z_threshold(16384) > modified_z_threshold(16) + 1);
	assert_near(modified_z(110, 100, 6.745), 1, 1e-12);
	assert_near(modified_z(100, 100, 0), 0, 0);
	assert_true(isinf(modified_z(101, 100, 0)));
}

/* --- small examples, worked out on paper ------------------------------------------------------ */

static void a_few_values_have_their_known_spread(void **state)
{
	const double values[] = {4, 1, 3, 2, 10}, one[] = {7};
	const struct spread spread = spread_of(values, 5), alone = spread_of(one, 1);

	(void)state;
	assert_int_equal(spread.count, 5);
	assert_near(spread.median, 3, 0);
	assert_near(spread.mean, 4, 1e-12);
	assert_near(spread.least, 1, 0);
	assert_near(spread.most, 10, 0);
	assert_near(spread.deviation, sqrt(50 / 4.), 1e-12);
	assert_false(spread.interval.possible);
	assert_near(alone.median, 7, 0);
	assert_near(alone.deviation, 0, 0);
}

static void the_99_percent_interval_of_8_and_9_values_is_their_range(void **state)
{
	const double values[] = {3, 1, 2, 8, 7, 6, 5, 4, 9},
		     negative[] = {-1, -2, -3, -4, -5, -6, -7, -8};

	(void)state;
	assert_near(precision_of(values, 8), 3.5 / 4.5, 1e-12);
	assert_near(precision_of(values, 9), 4 / 5., 1e-12);
	assert_int_equal(precision_needs(values, 8, 0.5), 20); /* 8 * (0.7778 / 0.5)^2 = 19.4 */
	assert_int_equal(precision_needs(values, 8, 0), 0);
	assert_true(precision_of(negative, 8) < 0);
}

static void a_first_value_is_judged_by_a_prediction_interval(void **state)
{
	/* The others have mean 100 and variance 2/3, so t = 20 / sqrt(2/3 * 5/4). */
	const double values[] = {120, 100, 101, 99, 100}, near[] = {109, 100, 101, 99, 100};
	const double equal[] = {100, 100, 100, 100, 100}, other[] = {101, 100, 100, 100, 100};
	const struct first_differs found = first_differs(values, 5);

	(void)state;
	assert_true(found.known && found.differs);
	assert_near(found.ratio, 1.2, 1e-12);
	assert_near(found.p, 0.000208142726789, 1e-10);
	assert_false(first_differs(values, 4).known);
	assert_false(first_differs(near, 5).differs);
	assert_near(first_differs(equal, 5).p, 1, 0);
	assert_near(first_differs(other, 5).p, 0, 0);
}

static void a_rank_correlation_is_exact_up_to_nine_values(void **state)
{
	const double rising[] = {10, 20, 30, 40, 50, 60}, ties[] = {1, 1, 2, 2, 3, 4};
	const double little[] = {100, 101, 102, 103, 104, 105};
	const double swapped[] = {2, 1, 3, 5, 4, 6};
	const double ten[] = {1, 3, 2, 4, 6, 5, 7, 9, 8, 10};
	const struct drift drift = drift_of(rising, 6);

	(void)state;
	assert_true(drift.known && drift.drifts);
	assert_near(drift.rho, 1, 1e-12);
	assert_near(drift.p, 2 / 720., 1e-12);
	assert_near(drift.change, 55 / 15. - 1, 1e-12);
	assert_false(drift_of(rising, 5).known);
	assert_near(drift_of(little, 6).change, 4 / 100.5, 1e-12);
	assert_false(drift_of(little, 6).drifts); /* by less than 5 % */
	assert_near(drift_of(ties, 6).rho, 0.971008312455, 1e-10);
	assert_near(drift_of(ties, 6).p, 8 / 720., 1e-12);
	assert_near(drift_of(swapped, 6).p, 24 / 720., 1e-12);
	/* by Student's t with 8 degrees of freedom */
	assert_near(drift_of(ten, 10).rho, 0.963636363636, 1e-10);
	assert_near(drift_of(ten, 10).p, 7.320974809e-6, 1e-12);
}

/* The steps of these ranks have 1077 as their squares' sum, the ranks about their mean 665. */
static void followers_have_their_known_ratio(void **state)
{
	const double values[] = {10, 11, 12, 9,	 8, 13, 14, 15, 7,  6,
				 5,  16, 17, 18, 4, 3,	2,  19, 20, 1};
	const struct dependence dependence = dependence_of(values, 20);

	(void)state;
	assert_true(dependence.known && dependence.found && !dependence.drifts);
	assert_near(dependence.ratio, 1077 / 665., 1e-12);
	assert_near(dependence.p, 0.18839481728, 1e-9);
	assert_near(dependence.effective, 13.262228760574, 1e-9);
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
		cmocka_unit_test(two_modes_are_told_from_one),
		cmocka_unit_test(clean_values_hardly_ever_warn),
		cmocka_unit_test(dependence_is_found_from_twenty_values_on),
		cmocka_unit_test(intervals_of_followers_cover_the_median),
		cmocka_unit_test(a_drift_has_the_interval_of_what_was_measured),
		cmocka_unit_test(precision_counts_effective_values),
		cmocka_unit_test(followers_are_repeated_until_the_interval_counts_them),
		cmocka_unit_test(independent_values_are_repeated_little_more),
		cmocka_unit_test(the_level_is_shared_by_the_series_of_a_test),
		cmocka_unit_test(outliers_are_judged_by_how_many_were_looked_at),
		cmocka_unit_test(a_few_values_have_their_known_spread),
		cmocka_unit_test(the_99_percent_interval_of_8_and_9_values_is_their_range),
		cmocka_unit_test(a_first_value_is_judged_by_a_prediction_interval),
		cmocka_unit_test(a_rank_correlation_is_exact_up_to_nine_values),
		cmocka_unit_test(followers_have_their_known_ratio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
