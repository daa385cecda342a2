/*
 * Medians and what is known of them without assuming a distribution. Pure arithmetic.
 *
 * The interval of a median is exact, from order statistics: between the l-th and the u-th smallest of
 * n independent values the median of what they come from lies with P(l <= B <= u - 1), B binomial
 * (n, 1/2) (Hoefler and Belli, Scientific Benchmarking of Parallel Computing Systems, SC'15).
 */
#ifndef STATISTICS_MEDIAN_H
#define STATISTICS_MEDIAN_H

#include <stdbool.h>
#include <stddef.h>

/* Ascending, in place. */
void values_sort(double *values, size_t count);

/* Of sorted values, at least one: the mean of the two middle ones when their number is even. */
double sorted_median(const double *sorted, size_t count);

struct median_interval {
	bool possible;      /* false: too few values for that confidence, the rest is 0 */
	size_t lower_rank, upper_rank; /* from 1 */
	double lower, upper;
	double coverage;    /* exact, at least the confidence that was asked for */
};

/* Of sorted values; confidence below 1, for instance 0.95. */
struct median_interval sorted_median_interval(const double *sorted, size_t count,
					      double confidence);

/* The fewest values for which an interval of that confidence is possible: 6 for 0.95, 8 for 0.99. */
size_t median_interval_needs(double confidence);

/* The median of the values' distances to `middle`; `room` holds count values and is written. */
double median_distance(const double *values, size_t count, double middle, double *room);

/*
 * 0.6745 (x - median) / MAD (Iglewicz and Hoaglin 1993). With a MAD of 0 infinite for all but the
 * median itself.
 */
double modified_z(double value, double median, double distance);

/* The |modified z| that one of `count` equal values exceeds by chance in 1 of 20 cases. */
double modified_z_threshold(size_t count);

/*
 * The same for the largest of `count` values by its modified z against the others, of which few say
 * little: by Student's t with as many degrees of freedom as a MAD is worth. 0 below 4.
 */
double slowest_z_threshold(size_t count);

#endif
