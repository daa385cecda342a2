/*
 * Statistics over the repetitions of one measurement: how sure the median is, whether the first one
 * differs, and whether the values drift or have two modes. Pure arithmetic. Values are in the order
 * they were measured; none is changed. Methods: doc/measurement.md, "Over repetitions".
 */
#ifndef STATISTICS_REPETITIONS_H
#define STATISTICS_REPETITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "statistics/median.h"

enum { DEPENDENCE_LEAST = 20 };

/*
 * Whether each value follows the one before: von Neumann's ratio of the ranks, and Bartels' test
 * (1982) against independent values. Needs DEPENDENCE_LEAST values. Values that follow one another
 * say less. Of values that drift, ratio, p and effective are those of the rest about a line: no
 * interval foretells later values, and one for the measured values need not be wider.
 */
struct dependence {
	bool known;	  /* there are enough */
	bool drifts;	  /* the ranks rise or fall with p < 0.005, however little */
	bool found;	  /* p < 0.2, as it does harm to miss it */
	double ratio;	  /* 2 where values are independent, less where each follows the last */
	double p;	  /* one-sided */
	double effective; /* number of independent values that say as much; else their number */
};

/*
 * "assumed" where nothing can find it, "tested", "corrected" where the interval is widened, or
 * "drift".
 */
const char *dependence_name(const struct dependence *dependence);

struct dependence dependence_of(const double *values, size_t count);

/* Location and spread of `count` >= 1 values. */
struct spread {
	size_t count;
	double median, mean, least, most;
	double deviation; /* with n-1; 0 for one value */
	struct dependence dependence;
	struct median_interval interval; /* 95 % */
};

struct spread spread_of(const double *values, size_t count);

/*
 * Half-width of the 99 % interval relative to the median; negative: no such interval is possible.
 */
double precision_of(const double *values, size_t count);

/*
 * Estimates how many values would bring precision_of() down to `wanted`, as its square falls with
 * their number; 0: not known.
 */
size_t precision_needs(const double *values, size_t count, double wanted);

/*
 * True if precision_of() is at most `wanted` and can be relied on. Below DEPENDENCE_LEAST values it
 * cannot once the ratio of the ranks showed, at any number of values from 8 on, that they may
 * follow one another. `series` is the number of series of values that must all suffice.
 */
bool precision_suffices(const double *values, size_t count, double wanted, unsigned series);

/*
 * Compares the first value with all others: p < 0.001 by Student's t, and at least 10 % off their
 * median. Needs 5 values.
 */
struct first_differs {
	bool known; /* there are enough */
	bool differs;
	double ratio; /* first / median of the others */
	double p;
};

struct first_differs first_differs(const double *values, size_t count);

/* Spearman's rank correlation of value and order. Needs 6 values; exact up to 9, by t above. */
struct drift {
	bool known; /* there are enough */
	/* p < 0.005, and a change of at least 5 % and of what the median is known to */
	bool drifts;
	double rho, p;
	double change; /* median of the last third / median of the first third - 1 */
};

struct drift drift_of(const double *values, size_t count);

/*
 * Otsu's split (1979) into two groups. Two modes are found if the groups explain more than 93 % of
 * the variance, each has at least 15 % of the values, and their medians differ by at least 10 %.
 * Needs 15 values.
 */
struct two_modes {
	bool found;
	double share;	  /* share of the variance between the groups */
	double low, high; /* medians of the groups */
	size_t low_count, high_count;
};

struct two_modes two_modes_of(const double *values, size_t count);

#endif
