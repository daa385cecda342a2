/*
 * Concludes from the points of a curve of load against response time. Pure functions; the
 * definitions and their sources stand in doc/measurement.md.
 */
#ifndef STATISTICS_CURVE_H
#define STATISTICS_CURVE_H

#include <stdbool.h>
#include <stddef.h>

/* One point. Rates are operations/s of all tasks, times ns. */
struct curve_point {
	double asked;	   /* 0: a closed loop, which is no point of the curve itself */
	double rate;	   /* reached, the median over the repetitions; 0: nothing was measured */
	double mean_ns;	   /* of the response times */
	double bounded_ns; /* the statistic that the bound is on */
};

enum { CURVE_REACHED_PERCENT = 95 }; /* of the asked rate, below which a point is not reached */

bool curve_is_reached(const struct curve_point *point);

struct curve {
	size_t points;	  /* reached ones, at a rate */
	double peak;	  /* the highest rate among these; 0: none */
	double ort_ns;	  /* overall response time; 0: no points */
	size_t knee;	  /* index of the point with the largest rate / mean response time */
	bool has_knee;	  /* false with fewer than three points */
	double met_rate;  /* the highest asked rate that is reached within the bound; 0: none */
	double miss_rate; /* the lowest asked rate above it that is not; 0: none */
};

/* bound_ns 0: there is no bound. The order of the points does not matter. */
struct curve curve_of(const struct curve_point *points, size_t count, double bound_ns);

/*
 * The next rate of a search for the highest rate within the bound, by bisection between 0 and the
 * maximum. Returns 0 if the bracket is at most 5 % of its upper end.
 */
double curve_search_next(const struct curve_point *points, size_t count, double bound_ns,
			 double maximum);

#endif
