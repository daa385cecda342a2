/* Curves of load against response time. */
#include "statistics/curve.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool curve_is_reached(const struct curve_point *point)
{
	return point->asked > 0 && point->rate * 100 >= point->asked * CURVE_REACHED_PERCENT;
}

static int compare_rates(const void *left, const void *right)
{
	const struct curve_point *a = left, *b = right;

	return (a->rate > b->rate) - (a->rate < b->rate);
}

/* The area below the mean response times, flat before the first point, divided by the peak. */
static double overall_response_time(const struct curve_point *sorted, size_t count)
{
	double area = sorted[0].rate * sorted[0].mean_ns;

	for (size_t i = 1; i < count; i++)
		area += (sorted[i].rate - sorted[i - 1].rate) *
			(sorted[i].mean_ns + sorted[i - 1].mean_ns) / 2;
	return area / sorted[count - 1].rate;
}

static void find_knee(struct curve *curve, const struct curve_point *points, size_t count)
{
	double best = 0;

	for (size_t i = 0; i < count; i++) {
		const double power = points[i].mean_ns > 0 ? points[i].rate / points[i].mean_ns : 0;

		if (curve_is_reached(&points[i]) && power > best) {
			best = power;
			curve->knee = i;
		}
	}
	curve->has_knee = curve->points >= 3 && best > 0;
}

static void find_bracket(struct curve *curve, const struct curve_point *points, size_t count,
			 double bound_ns)
{
	for (size_t i = 0; i < count; i++)
		if (curve_is_reached(&points[i]) && points[i].bounded_ns <= bound_ns &&
		    points[i].asked > curve->met_rate)
			curve->met_rate = points[i].asked;
	for (size_t i = 0; i < count; i++)
		if (points[i].asked > curve->met_rate &&
		    (!(curve->miss_rate > 0) || points[i].asked < curve->miss_rate))
			curve->miss_rate = points[i].asked;
}

struct curve curve_of(const struct curve_point *points, size_t count, double bound_ns)
{
	struct curve_point *sorted = memory_allocate(count + 1, sizeof(*sorted));
	struct curve curve = {0};

	for (size_t i = 0; i < count; i++)
		if (curve_is_reached(&points[i]))
			sorted[curve.points++] = points[i];
	qsort(sorted, curve.points, sizeof(*sorted), compare_rates);
	if (curve.points) {
		curve.peak = sorted[curve.points - 1].rate;
		curve.ort_ns = overall_response_time(sorted, curve.points);
	}
	free(sorted);
	find_knee(&curve, points, count);
	if (bound_ns > 0)
		find_bracket(&curve, points, count, bound_ns);
	return curve;
}

double curve_search_next(const struct curve_point *points, size_t count, double bound_ns,
			 double maximum)
{
	const struct curve curve = curve_of(points, count, bound_ns);
	const double most = curve.miss_rate > 0 ? curve.miss_rate : maximum;

	return most - curve.met_rate > 0.05 * most ? (most + curve.met_rate) / 2 : 0;
}
