/*
 * Medians and their intervals without assuming a distribution. Pure arithmetic.
 *
 * The interval of a median is exact, from order statistics of n independent values. The median of
 * their distribution lies between the l-th and the u-th smallest value with probability P(l <= B <=
 * u - 1), where B is binomial (n, 1/2). See Hoefler and Belli, Scientific Benchmarking of Parallel
 * Computing Systems, SC'15.
 */
#ifndef STATISTICS_MEDIAN_H
#define STATISTICS_MEDIAN_H

#include <stdbool.h>
#include <stddef.h>

/* Sorts ascending in place. */
void values_sort(double *values, size_t count);

/*
 * Median of one or more sorted values: the mean of the two middle ones when their number is even.
 */
double sorted_median(const double *sorted, size_t count);

struct median_interval {
	bool possible; /* false: too few values for that confidence; all else is 0 */
	size_t lower_rank, upper_rank; /* from 1 */
	double lower, upper;
	double coverage; /* exact, at least the confidence asked for */
};

/*
 * Interval of the median of sorted values; confidence below 1, for instance 0.95. `effective` says
 * how many independent values say as much about the median: `count` for independent ones; fewer
 * widen the interval, and `coverage` is then that of the interval before it was widened.
 */
struct median_interval sorted_median_interval(const double *sorted, size_t count, double effective,
					      double confidence);

/* The fewest values for which an interval of that confidence is possible: 6 for 0.95, 8 for 0.99.
 */
size_t median_interval_needs(double confidence);

/* The median of the values' distances to `middle`; `room` holds count values and is written. */
double median_distance(const double *values, size_t count, double middle, double *room);

/*
 * The median of the slopes between all pairs of points, which a quarter of them cannot spoil (Theil
 * 1950, Sen 1968). count: at least 2, and memory grows as its square. No two have the same x.
 */
double median_slope(const double *x, const double *y, size_t count);

/*
 * Modified z: 0.6745 (x - median) / MAD (Iglewicz and Hoaglin 1993). With a MAD of 0 every value
 * but the median itself has an infinite z.
 */
double modified_z(double value, double median, double distance);

/*
 * The |modified z| that the largest of `count` values of one distribution exceeds by chance in 1 of
 * 20 cases.
 */
double modified_z_threshold(size_t count);

/*
 * Threshold for the largest of `count` values when its modified z is taken against the others. The
 * MAD of few values is uncertain. The threshold uses Student's t with as many degrees of freedom as
 * a MAD is worth. 0 for fewer than 4 values.
 */
double slowest_z_threshold(size_t count);

#endif
