/* Curves of load against response time. */
#include "statistics/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum outcome { OUTCOME_MET, OUTCOME_MISSED, OUTCOME_UNKNOWN };

/* Without a bound a point is met if it is reached. */
static enum outcome outcome_of(const struct curve_point *point, double bound_ns)
{
	if (!point->reached)
		return OUTCOME_MISSED;
	if (bound_ns > 0 && !(point->bounded_ns > 0))
		return OUTCOME_UNKNOWN;
	return !(bound_ns > 0) || point->bounded_ns <= bound_ns ? OUTCOME_MET : OUTCOME_MISSED;
}

/* A rate is missed if no measurement of it met the bound, or if two missed. */
struct votes {
	unsigned met, missed;
};

static bool curve_is_met(struct votes votes)
{
	return votes.met && votes.missed < 2;
}

static bool is_missed(struct votes votes)
{
	return votes.missed && !curve_is_met(votes);
}

/* Rates that are computed again differ by rounding. */
static bool is_same_rate(double a, double b)
{
	return fabs(a - b) <= 1e-6 * b;
}

static struct votes votes_at(const struct curve_point *points, size_t count, double bound_ns,
			     double rate)
{
	struct votes votes = {0};

	for (size_t i = 0; i < count; i++) {
		const enum outcome outcome = outcome_of(&points[i], bound_ns);

		if (!is_same_rate(points[i].asked, rate))
			continue;
		votes.met += outcome == OUTCOME_MET;
		votes.missed += outcome == OUTCOME_MISSED;
	}
	return votes;
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

static bool is_on_curve(const struct curve_point *point)
{
	return point->asked > 0 && point->reached;
}

/* Beyond a knee response times rise, or the rate is not reached. */
static bool falls(const struct curve_point *points, size_t count, const struct curve_point *knee)
{
	const struct curve_point *lowest = knee;

	for (size_t i = 0; i < count; i++) {
		if (points[i].asked > knee->asked && !is_same_rate(points[i].asked, knee->asked))
			return false;
		if (is_on_curve(&points[i]) && points[i].asked < lowest->asked)
			lowest = &points[i];
	}
	return knee->mean_ns <= lowest->mean_ns;
}

static void find_knee(struct curve *curve, const struct curve_point *points, size_t count)
{
	double best = 0;

	for (size_t i = 0; i < count; i++) {
		const double power = points[i].mean_ns > 0 ? points[i].rate / points[i].mean_ns : 0;

		if (is_on_curve(&points[i]) && power > best) {
			best = power;
			curve->knee = i;
		}
	}
	if (curve->points < 3 || !(best > 0))
		return;
	curve->falls = falls(points, count, &points[curve->knee]);
	curve->has_knee = !curve->falls;
}

static void find_bracket(struct curve *curve, const struct curve_point *points, size_t count,
			 double bound_ns)
{
	const double known = 0.05;

	for (size_t i = 0; i < count; i++) {
		const double asked = points[i].asked;

		if (asked > 0 && (!(curve->miss_rate > 0) || asked < curve->miss_rate) &&
		    is_missed(votes_at(points, count, bound_ns, asked)))
			curve->miss_rate = asked;
	}
	for (size_t i = 0; i < count; i++) {
		const double asked = points[i].asked;

		if (asked > curve->met_rate &&
		    (!(curve->miss_rate > 0) || asked < curve->miss_rate) &&
		    curve_is_met(votes_at(points, count, bound_ns, asked)))
			curve->met_rate = asked;
	}
	curve->agrees = curve->met_rate > 0 && curve->miss_rate > 0 &&
			curve->miss_rate - curve->met_rate <= known * curve->miss_rate &&
			votes_at(points, count, bound_ns, curve->met_rate).met > 1 &&
			votes_at(points, count, bound_ns, curve->miss_rate).missed > 1;
}

static double find_odd_rate(const struct curve_point *points, size_t count, double bound_ns)
{
	double met = 0, odd = 0;

	for (size_t i = 0; i < count; i++)
		if (points[i].asked > met && outcome_of(&points[i], bound_ns) == OUTCOME_MET)
			met = points[i].asked;
	for (size_t i = 0; i < count; i++)
		if (points[i].asked > odd && points[i].asked < met &&
		    !is_same_rate(points[i].asked, met) &&
		    outcome_of(&points[i], bound_ns) == OUTCOME_MISSED)
			odd = points[i].asked;
	return odd;
}

struct curve curve_of(const struct curve_point *points, size_t count, double bound_ns)
{
	struct curve_point *sorted = memory_allocate(count + 1, sizeof(*sorted));
	struct curve curve = {0};

	for (size_t i = 0; i < count; i++)
		if (is_on_curve(&points[i]))
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
	curve.odd_rate = find_odd_rate(points, count, bound_ns);
	return curve;
}

/* Beyond the maximum of the closed loop, which was disturbed: steps of 10, 20, 40 … %. */
static double go_beyond(const struct curve_point *points, size_t count, double maximum)
{
	double step = 0.1;

	for (size_t i = 0; i < count; i++)
		if (points[i].asked > maximum && !is_same_rate(points[i].asked, maximum))
			step *= 2;
	return 1 + step;
}

double curve_search_next(const struct curve_point *points, size_t count, double bound_ns,
			 double maximum)
{
	/* Less than the 5 % to which two rates are known, as the higher one may be too low. */
	const double narrow = 0.03, least = maximum / 64;
	const struct curve curve = curve_of(points, count, bound_ns);
	const double met = curve.met_rate, miss = curve.miss_rate;
	const double most = miss > 0 ? miss : maximum;

	for (size_t i = 0; i < count; i++)
		if (points[i].asked > 0 && outcome_of(&points[i], bound_ns) == OUTCOME_UNKNOWN)
			return 0;
	if (most - met > narrow * most && most > least)
		return (most + met) / 2;
	if (!(miss > 0))
		return met < maximum && !is_same_rate(met, maximum)
			       ? maximum
			       : met * go_beyond(points, count, maximum);
	/* Measured again at the end, as a disturbance may last longer than two measurements. */
	if (votes_at(points, count, bound_ns, miss).missed < 2)
		return miss;
	return met > 0 && votes_at(points, count, bound_ns, met).met < 2 ? met : 0;
}
