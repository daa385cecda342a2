/* The clock of one node against another's, from injected stamps. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "comm/node_time.h"

static const int64_t hours = 3600 * INT64_C(1000000000);

/* Two clocks, and a network between them that is as slow as it is told. */
struct pair {
	uint64_t now_ns;  /* this clock */
	int64_t ahead_ns; /* the other one shows so much more */
	double drift;	  /* and gains so much a ns */
	uint64_t started_ns;
};

static uint64_t theirs(const struct pair *pair, uint64_t at_ns)
{
	return at_ns + (uint64_t)(pair->ahead_ns +
				  (int64_t)(pair->drift * (double)(at_ns - pair->started_ns)));
}

static void exchange(struct pair *pair, struct offset_bounds *bounds, uint64_t there_ns,
		     uint64_t back_ns)
{
	uint64_t before_ns = pair->now_ns;
	uint64_t theirs_ns = theirs(pair, before_ns + there_ns);

	pair->now_ns += there_ns + back_ns;
	offset_narrow(bounds, before_ns, theirs_ns, pair->now_ns);
	pair->now_ns += 1000;
}

static void equal_ways_give_the_offset_itself(void **state)
{
	struct pair pair = {.now_ns = 5 * (uint64_t)hours, .ahead_ns = -2 * hours};
	struct offset_bounds bounds = offset_unknown;

	(void)state;
	exchange(&pair, &bounds, 7000, 7000);
	assert_int_equal(offset_middle(&bounds), -2 * hours);
	assert_int_equal(offset_uncertainty(&bounds), 7000);
}

static void unequal_ways_stay_within_half_the_round_trip(void **state)
{
	(void)state;
	for (uint64_t there_ns = 0; there_ns <= 5000000; there_ns += 250000) {
		struct pair pair = {.now_ns = 77, .ahead_ns = 3 * hours};
		struct offset_bounds bounds = offset_unknown;

		exchange(&pair, &bounds, there_ns, 5000000 - there_ns);
		assert_int_equal(offset_uncertainty(&bounds), 2500000);
		assert_true(llabs(offset_middle(&bounds) - 3 * hours) <= 2500000);
	}
}

static void a_fast_way_there_and_a_fast_way_back_are_better_than_either(void **state)
{
	struct pair pair = {.now_ns = 1000, .ahead_ns = hours};
	struct offset_bounds bounds = offset_unknown;

	(void)state;
	exchange(&pair, &bounds, 10000, 900000);
	exchange(&pair, &bounds, 900000, 20000);
	assert_int_equal(offset_uncertainty(&bounds), 15000);
	assert_true(llabs(offset_middle(&bounds) - hours) <= 15000);
}

static void late_messages_spoil_nothing(void **state)
{
	struct pair pair = {.now_ns = 1000, .ahead_ns = hours};
	struct offset_bounds bounds = offset_unknown;

	(void)state;
	exchange(&pair, &bounds, 10000, 10000);
	exchange(&pair, &bounds, 10000, (uint64_t)hours);
	exchange(&pair, &bounds, (uint64_t)hours, 10000);
	assert_int_equal(offset_middle(&bounds), hours);
	assert_int_equal(offset_uncertainty(&bounds), 10000);
}

static void estimate(struct pair *pair, struct node_time *time)
{
	struct offset_bounds bounds = offset_unknown;

	for (int i = 0; i < 10; i++)
		exchange(pair, &bounds, 9000 + 100 * (uint64_t)i, 9000);
	time->offset_ns = offset_middle(&bounds);
	time->residual_ns = offset_uncertainty(&bounds);
	time->at_ns = pair->now_ns;
}

/* 20 ppm over an hour are 72 ms: without the second estimate they would be in every stamp. */
static void drift_is_taken_out_of_stamps_between_two_estimates(void **state)
{
	struct pair pair = {.now_ns = (uint64_t)hours,
			    .ahead_ns = -5 * hours,
			    .drift = 20e-6,
			    .started_ns = (uint64_t)hours};
	struct node_time times[NODE_TIMES] = {0};

	(void)state;
	estimate(&pair, &times[NODE_TIME_BEFORE]);
	pair.now_ns += (uint64_t)hours;
	estimate(&pair, &times[NODE_TIME_AFTER]);
	assert_in_range(node_time_drift(times), 71900000, 72100000);
	for (uint64_t at_ns = (uint64_t)hours; at_ns <= 2 * (uint64_t)hours;
	     at_ns += (uint64_t)hours / 7) {
		int64_t found = (int64_t)at_ns + node_time_offset(times, at_ns);

		assert_true(llabs(found - (int64_t)theirs(&pair, at_ns)) <=
			    (int64_t)node_time_residual(times) + 1000);
	}
}

static void one_estimate_counts_alone(void **state)
{
	struct node_time times[NODE_TIMES] = {{100, -7, 3}, {0, 500, 9000}};

	(void)state;
	assert_int_equal(node_time_offset(times, 100), -7);
	assert_int_equal(node_time_offset(times, 1000000), -7);
	assert_int_equal(node_time_drift(times), 0);
	assert_int_equal(node_time_residual(times), 3);
}

static void node_0_has_no_offset(void **state)
{
	const struct node_time times[NODE_TIMES] = {0};

	(void)state;
	assert_int_equal(node_time_offset(times, 12345), 0);
	assert_int_equal(node_time_residual(times), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_ways_give_the_offset_itself),
		cmocka_unit_test(unequal_ways_stay_within_half_the_round_trip),
		cmocka_unit_test(a_fast_way_there_and_a_fast_way_back_are_better_than_either),
		cmocka_unit_test(late_messages_spoil_nothing),
		cmocka_unit_test(drift_is_taken_out_of_stamps_between_two_estimates),
		cmocka_unit_test(one_estimate_counts_alone),
		cmocka_unit_test(node_0_has_no_offset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
