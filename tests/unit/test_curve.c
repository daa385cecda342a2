/* Curves of load against response time: their texts, and what their points say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "measure/histogram.h"
#include "options/curve.h"
#include "options/lists.h"
#include "options/load.h"
#include "statistics/curve.h"

static void assert_list(const char *curve, bool again, const char *points)
{
	struct text list = {0};
	struct error err = {0};

	if (curve_list(curve, false, again, &list, &err))
		fail_msg("%s: %s", curve, err.text);
	assert_string_equal(text_string(&list), points);
	text_release(&list);
}

static void assert_points(const char *curve, const char *points)
{
	assert_list(curve, false, points);
}

static void assert_refused(const char *curve, bool again, const char *words)
{
	struct text list = {0};
	struct error err = {0};

	assert_int_equal(curve_list(curve, false, again, &list, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_memory_equal(err.text, "curve: ", 7);
	if (!strstr(err.text, words))
		fail_msg("%s: %s", curve, err.text);
	text_release(&list);
}

static void curves_are_lists_of_points(void **state)
{
	(void)state;
	assert_points("max, 10-100/30%", "[max 10% 40% 70% 100%]");
	assert_points("max,50%", "[max 50%]");
	assert_points("1k, 4000", "[1000 4000]");
	assert_points("100-300/100", "[100 200 300]");
	assert_points("max 0.1-0.5/0.1%", "[max 0.1% 0.2% 0.3% 0.4% 0.5%]");
	assert_refused("", false, "no point");
	assert_refused("10%", false, "begin the curve with max");
	assert_refused("10%, max", false, "begin the curve with max");
	assert_refused("max, 100-10/10%", false, "no point");
	assert_refused("max, 10-100%", false, "no point");
	assert_refused("max, fast", false, "\"fast\" is no point");
	assert_refused("max, 0%", false, "no point");
	assert_refused("max, 1-100/0.01%", false, "more than 512 points");
}

static void a_bound_halves_the_most_points_of_a_curve(void **state)
{
	const struct option *row = option_find(&load_options, "curve");
	struct text words = {0};
	struct error err = {0};
	struct list list;

	(void)state;
	assert_int_equal(curve_list("max, 10-2000/10", false, true, &words, &err), 0);
	if (list_parse(&load_options, row, text_string(&words), &list, &err))
		fail_msg("%s", err.text);
	assert_int_equal(list.count, 401);
	list_release(&list);
	text_release(&words);
	assert_refused("max, 10-2570/10", true,
		       "more than 256 points, each of which may be measured twice");
}

static void points_before_a_bound_may_be_measured_again(void **state)
{
	const struct curve_point_text point = curve_point_of("40%-again");
	const struct curve_point_text first = curve_point_of("40%"),
				      tried = curve_point_of("search2");

	(void)state;
	assert_list("max, 10%, 2000", true, "[max 10% 10%-again 2000 2000-again]");
	assert_int_equal(point.kind, CURVE_POINT_SHARE);
	assert_float_equal(point.value, 0.4, 1e-12);
	assert_true(curve_point_is_again(&point));
	assert_false(curve_point_is_again(&first));
	assert_false(curve_point_is_again(&tried));
	assert_int_not_equal(point.draw, first.draw);
	assert_int_not_equal(tried.draw, curve_point_of("search3").draw);
}

static void points_are_read_again(void **state)
{
	struct text list = {0};

	(void)state;
	assert_int_equal(curve_point_of(NULL).kind, CURVE_POINT_NONE);
	assert_int_equal(curve_point_of("max").kind, CURVE_POINT_MAX);
	assert_int_equal(curve_point_of("40%").kind, CURVE_POINT_SHARE);
	assert_float_equal(curve_point_of("40%").value, 0.4, 1e-12);
	assert_int_equal(curve_point_of("2000").kind, CURVE_POINT_RATE);
	assert_float_equal(curve_point_of("2000").value, 2000, 0);
	curve_list_search(&list);
	assert_memory_equal(text_string(&list), "[max search1 search2 ", 21);
	assert_non_null(strstr(text_string(&list), " search24]"));
	assert_int_equal(curve_point_of("search3").kind, CURVE_POINT_SEARCH);
	text_release(&list);
}

static void bounds_name_a_statistic_and_a_time(void **state)
{
	static const char *const bad[] = {"p99",     "99:5ms",	 "p99:0",      "p100:1ms", "p0:1ms",
					  "p99<5ms", "p99:fast", "median:1ms", ":1ms",	   ""};
	struct curve_bound bound;
	struct error err = {0};

	(void)state;
	assert_int_equal(curve_parse_bound("p99.9:5ms", ':', "stop_response", &bound, &err), 0);
	assert_float_equal(bound.quantile, 0.999, 1e-12);
	assert_int_equal(bound.ns, 5000000);
	assert_int_equal(curve_parse_bound("mean<2us", '<', "search", &bound, &err), 0);
	assert_float_equal(bound.quantile, 0, 0);
	assert_int_equal(curve_parse_bound("max<1s", '<', "search", &bound, &err), 0);
	assert_float_equal(bound.quantile, 1, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (!curve_parse_bound(bad[i], ':', "stop_response", &bound, &err))
			fail_msg("\"%s\" is accepted", bad[i]);
		assert_memory_equal(err.text, "stop_response: ", 15);
	}
}

/* Reached points at 100, 200 and 400/s with means of 1, 1 and 4 us; 800/s is not reached. */
static const struct curve_point known[] = {
	{0, 500, 1000, 1000, false},	  {400, 400, 4000, 9000, true},
	{100, 100, 1000, 2000, true},	  {200, 200, 1000, 3000, true},
	{800, 450, 90000, 900000, false},
};

static void curves_have_their_known_conclusions(void **state)
{
	struct curve curve = curve_of(known, 5, 5000);

	(void)state;
	assert_int_equal(curve.points, 3);
	assert_float_equal(curve.peak, 400, 0);
	/* (100 x 1 + 100 x 1 + 200 x 2.5) / 400 us */
	assert_float_equal(curve.ort_ns, 1750, 1e-9);
	assert_true(curve.has_knee);
	assert_false(curve.falls);
	assert_int_equal(curve.knee, 3);
	assert_float_equal(curve.met_rate, 200, 0);
	assert_float_equal(curve.miss_rate, 400, 0);
	assert_false(curve.agrees);
	assert_float_equal(curve.odd_rate, 0, 0);
	curve = curve_of(known, 5, 0);
	assert_float_equal(curve.met_rate, 0, 0);
	curve = curve_of(known, 1, 5000);
	assert_int_equal(curve.points, 0);
	assert_false(curve.has_knee);
	assert_float_equal(curve.met_rate, 0, 0);
	curve = curve_of(known, 5, 1);
	assert_float_equal(curve.met_rate, 0, 0);
	assert_float_equal(curve.miss_rate, 100, 0);
}

static void a_falling_curve_has_no_knee_at_its_highest_point(void **state)
{
	struct curve_point points[] = {{100, 100, 3000, 0, true},
				       {200, 200, 2500, 0, true},
				       {400, 400, 2400, 0, true},
				       {800, 500, 9000, 0, false}};
	struct curve curve = curve_of(points, 3, 0);

	(void)state;
	assert_true(curve.falls);
	assert_false(curve.has_knee);
	/* a rate that was missed above it shows where the curve turns */
	curve = curve_of(points, 4, 0);
	assert_true(curve.has_knee);
	assert_int_equal(curve.knee, 2);
	points[2].mean_ns = 3100;
	curve = curve_of(points, 3, 0);
	assert_true(curve.has_knee);
	assert_false(curve.falls);
}

static void two_measurements_of_a_rate_must_agree(void **state)
{
	struct curve_point points[] = {{100, 100, 1, 90, true},	 {104, 104, 1, 200, true},
				       {104, 104, 1, 200, true}, {100, 100, 1, 95, true},
				       {100, 100, 1, 300, true}, {100, 100, 1, 300, true}};
	struct curve curve = curve_of(points, 3, 100);

	(void)state;
	assert_float_equal(curve.met_rate, 100, 0);
	assert_float_equal(curve.miss_rate, 104, 0);
	assert_false(curve.agrees);
	assert_true(curve_of(points, 4, 100).agrees);
	/* two misses count more than one measurement that met the bound, and one does not */
	points[3] = points[4];
	assert_float_equal(curve_of(points, 4, 100).met_rate, 100, 0);
	assert_float_equal(curve_of(points, 5, 100).met_rate, 0, 0);
	assert_float_equal(curve_of(points, 5, 100).miss_rate, 100, 0);
}

static void a_miss_below_a_rate_that_was_met_is_odd(void **state)
{
	static const struct curve_point points[] = {{100, 100, 1, 500, true},
						    {200, 200, 1, 50, true}};

	(void)state;
	assert_float_equal(curve_of(points, 2, 100).odd_rate, 100, 0);
	assert_float_equal(curve_of(points, 2, 0).odd_rate, 0, 0);
}

static void a_search_ends_where_the_statistic_is_not_known(void **state)
{
	static const struct curve_point points[] = {{0, 100, 1, 0, false}, {50, 50, 1, 0, true}};

	(void)state;
	assert_float_equal(curve_search_next(points, 1, 100, 100), 50, 0);
	assert_float_equal(curve_search_next(points, 2, 100, 100), 0, 0);
	assert_float_equal(curve_of(points, 2, 100).met_rate, 0, 0);
	assert_float_equal(curve_of(points, 2, 100).miss_rate, 0, 0);
}

enum { TRIES_MOST = CURVE_SEARCH_POINTS };

/* Answers a search with response times that pass the bound above `limit`. */
static struct curve search(double limit, double maximum, size_t *tries)
{
	struct curve_point points[TRIES_MOST];
	size_t count = 0;
	double rate;

	while (count < TRIES_MOST && (rate = curve_search_next(points, count, 1000, maximum)) > 0)
		points[count++] =
			(struct curve_point){rate, rate, 500, rate <= limit ? 900 : 1100, true};
	*tries = count;
	return curve_of(points, count, 1000);
}

static void searches_end_at_a_narrow_bracket(void **state)
{
	size_t tries;

	(void)state;
	for (double limit = 60; limit < 1800; limit += 7) {
		const struct curve found = search(limit, 1000, &tries);

		assert_true(found.met_rate <= limit);
		assert_true(limit < found.miss_rate);
		assert_true(found.agrees);
		assert_true(tries < TRIES_MOST);
	}
	assert_float_equal(search(0, 1000, &tries).met_rate, 0, 0);
	assert_true(tries < TRIES_MOST);
}

/* Servers that each take `service` seconds for an operation, and tasks that wait for one. */
struct queue {
	unsigned tasks, servers;
	double service;
	bool random;	/* arrivals are Poisson, else even */
	double seconds; /* of a measurement */
	uint64_t state; /* of the random numbers */
};

static double gap_of(struct queue *queue, double rate)
{
	const double mean = queue->tasks / rate;

	return queue->random ? -log(1 - random_unit(&queue->state)) * mean : mean;
}

static unsigned first_free(const double *free_at, unsigned count)
{
	unsigned first = 0;

	for (unsigned i = 1; i < count; i++)
		if (free_at[i] < free_at[first])
			first = i;
	return first;
}

static void add_time(struct histogram *times, double seconds)
{
	histogram_add(times, (uint64_t)(seconds * 1e9));
}

/* Measures the p90 of the response times at a rate. The servers stop for `stall` s after 0.5 s. */
static struct curve_point measure(struct queue *queue, double rate, double stall)
{
	enum { TASKS = 8, SERVERS = 4 };
	double due[TASKS], task_free[TASKS] = {0}, server_free[SERVERS] = {0}, ready[TASKS];
	struct histogram times;
	uint64_t unfinished = 0, issued = 0;

	histogram_init(&times);
	for (unsigned t = 0; t < queue->tasks; t++)
		due[t] = queue->random ? gap_of(queue, rate) : t / rate;
	for (;; issued++) {
		for (unsigned t = 0; t < queue->tasks; t++)
			ready[t] = fmax(due[t], task_free[t]);
		const unsigned task = first_free(ready, queue->tasks);
		const unsigned server = first_free(server_free, queue->servers);
		double begin = fmax(ready[task], server_free[server]);

		if (ready[task] >= queue->seconds)
			break;
		if (begin >= 0.5 && begin < 0.5 + stall)
			begin = 0.5 + stall;
		task_free[task] = server_free[server] = begin + queue->service;
		add_time(&times, task_free[task] - due[task]);
		due[task] += gap_of(queue, rate);
	}
	for (unsigned t = 0; t < queue->tasks; t++)
		for (; due[t] < queue->seconds; due[t] += gap_of(queue, rate), unfinished++)
			add_time(&times, queue->seconds - due[t]);
	return (struct curve_point){
		.asked = rate,
		.rate = (double)issued / queue->seconds,
		.mean_ns = (double)times.sum_ns / (double)times.count,
		.bounded_ns = (double)histogram_known_percentile(&times, 0.9),
		.reached = unfinished < 2 || unfinished * 20 <= issued + unfinished,
	};
}

/*
 * Searches the highest rate of p90 < 60 ms. `stalls` measurements from number `stalled` on have a
 * stall of 1 s; number 0 is the closed loop.
 */
static struct curve search_queue(struct queue queue, uint64_t seed, size_t stalled, size_t stalls)
{
	/* A closed loop never does more than this, and as much less as it was stalled. */
	const double maximum =
		queue.servers / queue.service * (stalls && !stalled ? 1 - 0.5 / queue.seconds : 1);
	struct curve_point points[TRIES_MOST];
	size_t count = 0;
	double rate;

	queue.state = seed;
	while (count < TRIES_MOST && (rate = curve_search_next(points, count, 60e6, maximum)) > 0) {
		points[count] = measure(&queue, rate, count + 1 - stalled < stalls);
		count++;
	}
	return curve_of(points, count, 60e6);
}

static const struct queue queues[] = {
	{4, 2, 0.005, false, 3, 0},
	{4, 2, 0.005, true, 3, 0},
	{8, 4, 0.002, false, 3, 0},
	{8, 4, 0.002, true, 3, 0},
};

enum { QUEUES = sizeof(queues) / sizeof(*queues), SEEDS = 20 };

/* The rate at which half of the measurements of 3 s meet the bound, as a share of the capacity. */
static const double true_share[QUEUES] = {1.02, 0.965, 1.02, 1.008};

static unsigned count_off(const struct queue *queue, double share, double tolerated, size_t stalled,
			  size_t stalls)
{
	const double right = share * queue->servers / queue->service;
	unsigned off = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		off += fabs(search_queue(*queue, seed, stalled, stalls).met_rate / right - 1) >
		       tolerated;
	return off;
}

static void searches_find_what_servers_can_do(void **state)
{
	(void)state;
	for (unsigned i = 0; i < QUEUES; i++) {
		const unsigned off = count_off(&queues[i], true_share[i], 0.06, 0, 0);

		if (off > SEEDS / 20)
			fail_msg("queue %u: %u of %d searches are off by 6 %%", i, off, SEEDS);
	}
}

static void assert_stalls_change_little(size_t stalls)
{
	for (unsigned i = 0; i < QUEUES; i++)
		for (size_t stalled = 0; stalled < 10; stalled++) {
			const unsigned off =
				count_off(&queues[i], true_share[i], 0.1, stalled, stalls);

			if (off > SEEDS / 10)
				fail_msg("queue %u, stall %zu: %u of %d are off by 10 %%", i,
					 stalled, off, SEEDS);
		}
}

static void a_stall_in_one_measurement_changes_little(void **state)
{
	(void)state;
	assert_stalls_change_little(1);
}

static void a_stall_over_two_measurements_changes_little(void **state)
{
	(void)state;
	assert_stalls_change_little(2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(curves_are_lists_of_points),
		cmocka_unit_test(points_are_read_again),
		cmocka_unit_test(a_bound_halves_the_most_points_of_a_curve),
		cmocka_unit_test(points_before_a_bound_may_be_measured_again),
		cmocka_unit_test(bounds_name_a_statistic_and_a_time),
		cmocka_unit_test(curves_have_their_known_conclusions),
		cmocka_unit_test(a_falling_curve_has_no_knee_at_its_highest_point),
		cmocka_unit_test(two_measurements_of_a_rate_must_agree),
		cmocka_unit_test(a_miss_below_a_rate_that_was_met_is_odd),
		cmocka_unit_test(a_search_ends_where_the_statistic_is_not_known),
		cmocka_unit_test(searches_end_at_a_narrow_bracket),
		cmocka_unit_test(searches_find_what_servers_can_do),
		cmocka_unit_test(a_stall_in_one_measurement_changes_little),
		cmocka_unit_test(a_stall_over_two_measurements_changes_little),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
