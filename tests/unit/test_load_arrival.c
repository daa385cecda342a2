/* When the operations of a load are due. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "plan/load/arrival.h"

static const double rates[] = {0.001, 1, 1000.0 / 3, 1000, 31415.9, 1e6, 1e9};

enum { RATES = sizeof(rates) / sizeof(rates[0]) };

static void start(struct arrival_walk *walk, enum arrival_kind kind, double rate, uint32_t task,
		  uint32_t tasks)
{
	const struct arrival arrival = {.kind = kind, .rate = rate};

	arrival_start(walk, &arrival, task, tasks, 1000 + task);
}

static void a_closed_loop_is_never_late(void **state)
{
	struct arrival_walk walk;

	(void)state;
	start(&walk, ARRIVAL_CLOSED, 0, 0, 1);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(arrival_next(&walk), 0);
}

/* Of N tasks task t has the arrivals t, t + N, …, each to the nearest nanosecond. */
static void even_arrivals_do_not_drift(void **state)
{
	enum { TASKS = 7, MANY = 1000000 };

	(void)state;
	for (size_t i = 0; i < RATES; i++)
		for (uint32_t task = 0; task < TASKS; task += 3) {
			struct arrival_walk walk;

			start(&walk, ARRIVAL_EVEN, rates[i], task, TASKS);
			for (uint64_t k = 0; k < MANY; k++) {
				uint64_t due = arrival_next(&walk);
				long double exact = (long double)(k * TASKS + task) * 1000000000 /
						    (long double)rates[i];

				if (k % 1000 < 3 && fabsl(exact - (long double)due) > 0.501L)
					fail_msg("rate %g: operation %lu is due at %lu, not %Lf",
						 rates[i], (unsigned long)k, (unsigned long)due,
						 exact);
			}
		}
}

static uint64_t arrivals_within(enum arrival_kind kind, double rate, double seconds, uint32_t tasks)
{
	uint64_t count = 0, end_ns = (uint64_t)(seconds * 1e9);

	for (uint32_t task = 0; task < tasks; task++) {
		struct arrival_walk walk;

		start(&walk, kind, rate, task, tasks);
		while (arrival_next(&walk) < end_ns)
			count++;
	}
	return count;
}

static void as_many_arrive_as_the_rate_says(void **state)
{
	static const uint32_t tasks[] = {1, 3, 128};

	(void)state;
	for (size_t i = 0; i < RATES; i++)
		for (size_t k = 0; k < 3; k++) {
			const double expected = 200000, seconds = expected / rates[i];
			double even =
				(double)arrivals_within(ARRIVAL_EVEN, rates[i], seconds, tasks[k]);
			double poisson = (double)arrivals_within(ARRIVAL_POISSON, rates[i], seconds,
								 tasks[k]);
			double uniform = (double)arrivals_within(ARRIVAL_UNIFORM, rates[i], seconds,
								 tasks[k]);

			assert_true(fabs(even - expected) <= 1);
			assert_true(fabs(poisson - expected) <= 4 * sqrt(expected));
			assert_true(fabs(uniform - expected) <= 4 * sqrt(expected));
		}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double exponential_below(double gap)
{
	return 1 - exp(-gap);
}

static double uniform_below(double gap)
{
	return gap < 2 ? gap / 2 : 1;
}

/* The test of Kolmogorov and Smirnov, at a level of 1 in 1000. Gaps are in means. */
static void assert_gaps(enum arrival_kind kind, double rate, uint32_t tasks,
			double (*below)(double))
{
	enum { GAPS = 100000 };
	double *gaps = calloc(GAPS, sizeof(*gaps)), most = 0;
	struct arrival_walk walk;
	uint64_t last = 0;

	start(&walk, kind, rate, tasks - 1, tasks);
	for (unsigned i = 0; i < GAPS; i++) {
		uint64_t due = arrival_next(&walk);

		gaps[i] = (double)(due - last) * rate / tasks / 1e9;
		last = due;
	}
	qsort(gaps, GAPS, sizeof(*gaps), compare);
	for (unsigned i = 0; i < GAPS; i++) {
		double expected = below(gaps[i]);

		most = fmax(most, fmax(fabs(expected - (double)i / GAPS),
				       fabs(expected - (i + 1.0) / GAPS)));
	}
	free(gaps);
	if (most * sqrt(GAPS) > 1.95)
		fail_msg("%s at %g/s: D is %.3g", arrival_names[kind], rate, most);
}

static void gaps_are_distributed_as_asked(void **state)
{
	(void)state;
	for (size_t i = 0; i < RATES; i++) {
		/* a mean of at least 10 us, as gaps are seen in whole ns */
		uint32_t tasks = rates[i] > 1e5 ? (uint32_t)(rates[i] / 1e5) : 1;

		assert_gaps(ARRIVAL_POISSON, rates[i], tasks, exponential_below);
		assert_gaps(ARRIVAL_UNIFORM, rates[i], tasks, uniform_below);
	}
}

static void bursts_keep_the_rate(void **state)
{
	const struct arrival arrival = {.kind = ARRIVAL_EVEN, .rate = 1000, .burst = 10};
	struct arrival_walk walk;

	(void)state;
	arrival_start(&walk, &arrival, 1, 2, 1);
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(arrival_next(&walk), (i / 10 * 2 + 1) * 10000000);
}

static void pauses_follow_operations_and_bursts(void **state)
{
	const struct arrival arrival = {.burst = 3, .pause_ns = 100, .think_ns = 7};
	const struct arrival thinking = {.think_ns = 7};

	(void)state;
	assert_int_equal(arrival_pause_ns(&arrival, 1), 7);
	assert_int_equal(arrival_pause_ns(&arrival, 3), 107);
	assert_int_equal(arrival_pause_ns(&arrival, 6), 107);
	assert_int_equal(arrival_pause_ns(&thinking, 1), 7);
}

/* A rate so low that nothing ever arrives must not overflow into an early arrival. */
static void the_lowest_rates_do_not_overflow(void **state)
{
	(void)state;
	for (enum arrival_kind kind = ARRIVAL_EVEN; kind <= ARRIVAL_UNIFORM; kind++) {
		struct arrival_walk walk;
		uint64_t last = 0;

		start(&walk, kind, 1e-6, 3, 1u << 20);
		for (unsigned i = 0; i < 10; i++) {
			uint64_t due = arrival_next(&walk);

			assert_true(due >= last);
			last = due;
		}
		assert_true(last > UINT64_C(3600) * 24 * 365 * 1000000000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_closed_loop_is_never_late),
		cmocka_unit_test(even_arrivals_do_not_drift),
		cmocka_unit_test(as_many_arrive_as_the_rate_says),
		cmocka_unit_test(gaps_are_distributed_as_asked),
		cmocka_unit_test(bursts_keep_the_rate),
		cmocka_unit_test(pauses_follow_operations_and_bursts),
		cmocka_unit_test(the_lowest_rates_do_not_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
