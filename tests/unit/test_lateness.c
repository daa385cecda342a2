/* The drift of a load: how the lateness of its operations goes with time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "random_values.h"
#include "result/result.h"

enum { WIDTH = 26, SLICES = 120, DUE = 20 }; /* slices of 67 ms: 8 s */

static const double slice_s = 0.067108864;

/* A load of which so many operations were due in each slice, with this lateness in the mean. */
static struct lateness lateness_of(const double *mean_ns, unsigned slices, uint64_t due)
{
	const enum operation operations[] = {OPERATION_LATENESS};
	struct phase_result phase = {.kind = PHASE_LOAD, .measure = measure_create(operations, 1)};
	struct timeline *timeline = measure_timeline(phase.measure);

	timeline->width = WIDTH;
	timeline->count = slices;
	for (unsigned i = 0; i < slices; i++) {
		timeline->slices[i].due = due;
		timeline->slices[i].late_ns = (uint64_t)(fmax(mean_ns[i], 0) * (double)due);
	}
	phase.measure->records[0].histogram.count = slices * due;
	lateness_fill(&phase);
	free(phase.measure);
	return phase.lateness;
}

static void the_median_of_slopes_ignores_a_quarter_of_the_points(void **state)
{
	double x[8], y[8];

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		x[i] = i * i;
		y[i] = 3 - 2 * x[i];
	}
	assert_float_equal(median_slope(x, y, 8), -2, 1e-12);
	y[3] = 1e9;
	y[7] = -1e9;
	assert_float_equal(median_slope(x, y, 8), -2, 1e-12);
	assert_float_equal(median_slope(x, y, 2), -2, 1e-12);
}

static void a_steady_drift_is_found_under_noise_and_with_a_stall(void **state)
{
	double late_ns[SLICES];
	uint64_t random = 1;

	(void)state;
	draw_followers(&random, 0.5, 200e3, 30e3, late_ns, SLICES);
	for (unsigned i = 0; i < SLICES; i++)
		late_ns[i] += 50e3 * slice_s * i;
	const struct lateness lateness = lateness_of(late_ns, SLICES, DUE);

	assert_true(lateness.known && lateness.drifts);
	assert_float_equal(lateness.drift_ns_per_s, 50e3, 5e3);
	assert_float_equal(lateness.seconds, slice_s * (SLICES - 1), 1e-9);
	for (unsigned i = 20; i < 30; i++)
		late_ns[i] += 1e9;
	assert_float_equal(lateness_of(late_ns, SLICES, DUE).drift_ns_per_s, 50e3, 10e3);
}

static void a_change_of_level_is_no_drift(void **state)
{
	double late_ns[SLICES];
	uint64_t random = 2;

	(void)state;
	draw_followers(&random, 0.5, 200e3, 30e3, late_ns, SLICES);
	for (unsigned i = SLICES / 2; i < SLICES; i++)
		late_ns[i] += 1e6;
	assert_false(lateness_of(late_ns, SLICES, DUE).drifts);
}

/* The lateness of tasks that compete for CPUs: most often short, sometimes long, in spells. */
static void a_busy_machine_hardly_ever_looks_like_a_drift(void **state)
{
	enum { RUNS = 300 };
	double late_ns[SLICES];
	uint64_t random = 3;
	unsigned found = 0;

	(void)state;
	for (unsigned run = 0; run < RUNS; run++) {
		draw_followers(&random, 0.7, 0, 1, late_ns, SLICES);
		for (unsigned i = 0; i < SLICES; i++)
			late_ns[i] = 1e6 * exp(late_ns[i]);
		const struct lateness lateness = lateness_of(late_ns, SLICES, DUE);

		found += lateness.drifts && lateness.drift_ns_per_s > 10000;
	}
	assert_in_range(found, 0, RUNS / 50);
}

static void few_operations_are_joined_and_gaps_left_out(void **state)
{
	double late_ns[SLICES];

	(void)state;
	for (unsigned i = 0; i < SLICES; i++)
		late_ns[i] = 1e6 + 1e4 * i;
	/* 4 slices have the 15 operations that a mean needs */
	struct lateness lateness = lateness_of(late_ns, SLICES, 4);

	assert_true(lateness.known && lateness.drifts);
	assert_float_equal(lateness.drift_ns_per_s, 1e4 / slice_s, 1);
	assert_float_equal(lateness.seconds, slice_s * (SLICES - 4), 1e-9);
	/* fewer than 20 means, none at all, less than a second */
	assert_false(lateness_of(late_ns, SLICES, 2).known);
	assert_false(lateness_of(late_ns, SLICES, 0).known);
	assert_false(lateness_of(late_ns, 14, 1000).known);
	assert_true(lateness_of(late_ns, 20, 1000).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_median_of_slopes_ignores_a_quarter_of_the_points),
		cmocka_unit_test(a_steady_drift_is_found_under_noise_and_with_a_stall),
		cmocka_unit_test(a_change_of_level_is_no_drift),
		cmocka_unit_test(a_busy_machine_hardly_ever_looks_like_a_drift),
		cmocka_unit_test(few_operations_are_joined_and_gaps_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
