/* The rate within a phase: which slices of its time are looked at, and where its level changes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "result/result.h"

enum {
	WIDTH = 25, /* slices of 33.554432 ms */
	BYTES = 1000,
};

static const uint64_t slice_ns = UINT64_C(1) << WIDTH;
static const uint64_t origin_ns = 1000000000000;

/*
 * A phase whose first issue and last completion are so many half slices behind the begin of its
 * timeline. Each slice in between has 20 transfers of BYTES.
 */
static struct phase_result new_phase(unsigned issue_halves, unsigned end_halves)
{
	const enum operation operations[] = {OPERATION_READ};
	struct measure *measure = measure_create(operations, 1);
	struct timeline *timeline = measure_timeline(measure);
	const uint64_t half_ns = slice_ns / 2;

	timeline->width = WIDTH;
	timeline->count = (end_halves + 1) / 2;
	for (unsigned i = issue_halves / 2; i < timeline->count; i++) {
		timeline->slices[i].bytes = 20 * BYTES;
		timeline->slices[i].buckets[5] = 20;
	}
	measure->tasks = 1;
	extent_add(&measure->begin, origin_ns + half_ns);
	extent_add(&measure->issue, origin_ns + issue_halves * half_ns);
	extent_add(&measure->completion, origin_ns + end_halves * half_ns);
	return (struct phase_result){
		.kind = PHASE_READ,
		.measure = measure,
		.slices_lead_ns = half_ns,
		.seconds.transfer = (end_halves - issue_halves) * (double)half_ns / 1e9,
		.transfer_rate = 1e6,
	};
}

static void set_bytes(struct phase_result *phase, unsigned first, unsigned end, uint64_t bytes)
{
	for (unsigned i = first; i < end; i++)
		measure_timeline(phase->measure)->slices[i].bytes = bytes;
}

static void slices_that_the_phase_only_touches_are_left_out(void **state)
{
	/* from the middle of slice 1 to the middle of slice 52 */
	struct phase_result phase = new_phase(3, 105);

	(void)state;
	set_bytes(&phase, 1, 2, 1);
	set_bytes(&phase, 52, 53, 1);
	within_fill(&phase);
	assert_int_equal(phase.within.run.values, 50);
	assert_int_equal(phase.within.run.kind, RUN_MEAN_INTERVAL);
	assert_float_equal(phase.within.run.half_width, 0, 0);
	assert_float_equal(phase.within.slice_seconds, 0.033554432, 1e-12);
	/* The mean is that of the whole phase. */
	assert_float_equal(phase.within.run.mean, 1e6, 0);
	free(phase.measure);
}

static void slices_that_the_phase_fills_are_all_looked_at(void **state)
{
	struct phase_result phase = new_phase(4, 104);

	(void)state;
	within_fill(&phase);
	assert_int_equal(phase.within.run.values, 50);
	free(phase.measure);
}

static void a_change_is_dated_from_the_begin_of_the_phase(void **state)
{
	struct phase_result phase = new_phase(4, 104);

	(void)state;
	set_bytes(&phase, 32, 52, 10 * BYTES);
	within_fill(&phase);
	assert_int_equal(phase.within.run.kind, RUN_MEAN_CHANGES);
	assert_int_equal(phase.within.run.changes, 1);
	/* Slice 32 begins 31.5 slices behind the begin. */
	assert_float_equal(phase.within.change_seconds, 31.5 * 0.033554432, 1e-9);
	assert_float_equal(phase.within.run.before, 20 * BYTES / 0.033554432, 1e-3);
	assert_float_equal(phase.within.run.after, 10 * BYTES / 0.033554432, 1e-3);
	free(phase.measure);
}

static void slices_of_few_operations_are_joined(void **state)
{
	struct phase_result phase = new_phase(0, 202);

	(void)state;
	/* 4 operations a slice: 4 slices have the 15 operations that a rate needs. */
	for (unsigned i = 0; i < 101; i++)
		measure_timeline(phase.measure)->slices[i].buckets[5] = 4;
	within_fill(&phase);
	assert_int_equal(phase.within.run.values, 25);
	assert_float_equal(phase.within.slice_seconds, 4 * 0.033554432, 1e-12);
	assert_float_equal(phase.within.run.half_width, 0, 0);
	free(phase.measure);
}

static void assert_nothing(struct phase_result *phase)
{
	within_fill(phase);
	assert_int_equal(phase->within.run.kind, RUN_MEAN_NONE);
	assert_float_equal(phase->within.run.mean, 0, 0);
	assert_float_equal(phase->within.slice_seconds, 0, 0);
	free(phase->measure);
}

static void short_phases_and_phases_without_transfers_say_nothing(void **state)
{
	struct phase_result quick = new_phase(4, 104), still = new_phase(4, 104);
	struct phase_result empty = new_phase(4, 104);

	(void)state;
	quick.seconds.transfer = 0.99;
	assert_nothing(&quick);
	still.transfer_rate = 0;
	assert_nothing(&still);
	for (unsigned i = 0; i < 52; i++)
		measure_timeline(empty.measure)->slices[i].buckets[5] = 0;
	assert_nothing(&empty);
}

static void a_phase_of_one_second_is_long_enough(void **state)
{
	struct phase_result phase = new_phase(4, 104);

	(void)state;
	phase.seconds.transfer = 1;
	within_fill(&phase);
	assert_int_equal(phase.within.run.kind, RUN_MEAN_INTERVAL);
	free(phase.measure);
}

static void a_trend_does_not_fall_below_zero(void **state)
{
	struct phase_result phase = new_phase(0, 200);

	(void)state;
	/* A rate that falls along a line and has been 0 for the last tenth of the time. */
	for (unsigned i = 0; i < 100; i++)
		set_bytes(&phase, i, i + 1, i < 90 ? (90 - i) * BYTES : 0);
	within_fill(&phase);
	assert_int_equal(phase.within.run.kind, RUN_MEAN_TREND);
	assert_float_equal(phase.within.run.end, 0, 0);
	assert_true(phase.within.run.begin > 0);
	free(phase.measure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slices_that_the_phase_only_touches_are_left_out),
		cmocka_unit_test(slices_that_the_phase_fills_are_all_looked_at),
		cmocka_unit_test(a_change_is_dated_from_the_begin_of_the_phase),
		cmocka_unit_test(slices_of_few_operations_are_joined),
		cmocka_unit_test(short_phases_and_phases_without_transfers_say_nothing),
		cmocka_unit_test(a_phase_of_one_second_is_long_enough),
		cmocka_unit_test(a_trend_does_not_fall_below_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
