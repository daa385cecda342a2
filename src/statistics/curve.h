/*
 * Concludes from the points of a curve of load against response time. Pure functions; the
 * definitions and their sources stand in doc/measurement.md.
 */
#ifndef STATISTICS_CURVE_H
#define STATISTICS_CURVE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * One measurement. Rates are operations/s of all tasks, times ns. A rate may be measured several
 * times.
 */
struct curve_point {
	double asked;	   /* 0: a closed loop, which is no point of the curve itself */
	double rate;	   /* done, the median over the repetitions; 0: nothing was measured */
	double mean_ns;	   /* of the response times */
	double bounded_ns; /* the statistic that the bound is on; 0: too few operations for it */
	bool reached;	   /* the operations that were due were issued in time */
};

struct curve {
	size_t points;	  /* reached ones, at a rate */
	double peak;	  /* the highest rate among these; 0: none */
	double ort_ns;	  /* overall response time; 0: no points */
	size_t knee;	  /* index of the point with the largest rate / mean response time */
	bool has_knee;	  /* false with fewer than three points, and where the curve falls */
	bool falls;	  /* response times do not rise up to the highest rate */
	double met_rate;  /* the highest asked rate below miss_rate that met the bound; 0: none */
	double miss_rate; /* the lowest asked rate that missed it; 0: none */
	bool agrees;	  /* each of the two was measured twice, and they differ by 5 % at most */
	double odd_rate;  /* the highest rate that missed below one that did not; 0: none */
};

/* bound_ns 0: there is no bound. The order of the points does not matter. */
struct curve curve_of(const struct curve_point *points, size_t count, double bound_ns);

/*
 * The next rate of a search for the highest rate within the bound. Points are those so far, with
 * the closed loop among them or not; maximum is its rate, where the bisection begins. Once the two
 * rates of the bracket are close, each is measured again. Returns 0 at the end, also if the last
 * point had too few operations for the bound.
 */
double curve_search_next(const struct curve_point *points, size_t count, double bound_ns,
			 double maximum);

#endif
