/* Curves of load against response time: their texts, and what their points say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "options/curve.h"
#include "statistics/curve.h"

static void assert_points(const char *curve, const char *points)
{
	struct text list = {0};
	struct error err = {0};

	if (curve_list(curve, false, &list, &err))
		fail_msg("%s: %s", curve, err.text);
	assert_string_equal(text_string(&list), points);
	text_release(&list);
}

static void assert_refused(const char *curve, const char *words)
{
	struct text list = {0};
	struct error err = {0};

	assert_int_equal(curve_list(curve, false, &list, &err), -1);
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
	assert_refused("", "no point");
	assert_refused("10%", "begin the curve with max");
	assert_refused("10%, max", "begin the curve with max");
	assert_refused("max, 100-10/10%", "no point");
	assert_refused("max, 10-100%", "no point");
	assert_refused("max, fast", "\"fast\" is no point");
	assert_refused("max, 0%", "no point");
	assert_refused("max, 1-100/0.01%", "more than 256 points");
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
	assert_string_equal(text_string(&list), "[max search1 search2 search3 search4 search5 "
						"search6 search7 search8]");
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
	{0, 500, 1000, 1000},	{400, 400, 4000, 9000},	   {100, 100, 1000, 2000},
	{200, 200, 1000, 3000}, {800, 450, 90000, 900000},
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
	assert_int_equal(curve.knee, 3);
	assert_float_equal(curve.met_rate, 200, 0);
	assert_float_equal(curve.miss_rate, 400, 0);
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

/* Answers a search with response times that pass the bound above `limit`. */
static double search(double limit, double maximum, size_t *tries)
{
	struct curve_point points[20];
	size_t count = 0;
	double rate;

	while ((rate = curve_search_next(points, count, 1000, maximum)) > 0 && count < 20)
		points[count++] = (struct curve_point){rate, rate, 500, rate <= limit ? 900 : 1100};
	*tries = count;
	return curve_of(points, count, 1000).met_rate;
}

static void searches_end_at_a_narrow_bracket(void **state)
{
	size_t tries;

	(void)state;
	for (double limit = 60; limit < 1000; limit += 7) {
		const double found = search(limit, 1000, &tries);

		assert_true(found <= limit);
		assert_true(limit - found <= 0.05 * 1000);
		assert_true(tries <= CURVE_SEARCH_POINTS + 2);
	}
	assert_true(search(2000, 1000, &tries) >= 950);
	assert_float_equal(search(0, 1000, &tries), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(curves_are_lists_of_points),
		cmocka_unit_test(points_are_read_again),
		cmocka_unit_test(bounds_name_a_statistic_and_a_time),
		cmocka_unit_test(curves_have_their_known_conclusions),
		cmocka_unit_test(searches_end_at_a_narrow_bracket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
