/*
 * How sure the mean of one long run is, from the run alone: an interval that allows for values that
 * follow one another, or what leaves no interval a meaning, changes of level or a trend. The
 * interval does not predict another run. Pure arithmetic. Method: doc/measurement.md, "Within one
 * run".
 */
#ifndef STATISTICS_RUN_MEAN_H
#define STATISTICS_RUN_MEAN_H

#include <stddef.h>

enum run_mean_kind {
	RUN_MEAN_NONE,	/* fewer than RUN_MEAN_LEAST values: all other members but `values` are 0 */
	RUN_MEAN_VAGUE, /* the values follow one another too closely for an interval */
	RUN_MEAN_INTERVAL,
	RUN_MEAN_CHANGES, /* the level changes within the run */
	RUN_MEAN_TREND,	  /* the values fall or rise along a line */
};

enum { RUN_MEAN_LEAST = 20, RUN_MEAN_EFFECTIVE_LEAST = 8 };

struct run_mean {
	enum run_mean_kind kind;
	double mean;
	size_t values;	    /* values that were looked at */
	double correlation; /* lag-1 correlation, about each level or the line, bias-corrected */
	double effective;   /* number of independent values that say as much about the mean */
	double half_width;  /* of the 95 % interval of the mean; only RUN_MEAN_INTERVAL */

	/* only RUN_MEAN_CHANGES */
	size_t changes;	      /* changes of level */
	size_t change;	      /* index of the first value behind the largest change */
	double before, after; /* means of the parts on both sides of the largest change */

	double begin, end; /* the line at the first and the last value; only RUN_MEAN_TREND */
};

/* Values cover equal lengths of time and are in order. */
struct run_mean run_mean_of(const double *values, size_t count);

#endif
