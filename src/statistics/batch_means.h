/*
 * How sure the mean of one long run is, from the run alone: neighbouring values are joined into batches
 * until their means no longer follow one another, then Student's interval over the means (batch means;
 * Law and Kelton, Simulation Modeling and Analysis). It says nothing of what another run would give.
 * Pure arithmetic.
 */
#ifndef STATISTICS_BATCH_MEANS_H
#define STATISTICS_BATCH_MEANS_H

#include <stdbool.h>
#include <stddef.h>

struct batch_means {
	bool known;          /* false: too few values, or they depend on one another to the end */
	double mean;
	double half_width;   /* of the 95 % interval of the mean */
	size_t batch;        /* values in one */
	size_t batches;
	double correlation;  /* of neighbouring means, lag 1 */
};

/* Values of equal lengths of time, in their order; a batch has at least `least` of them, 1 or more. */
struct batch_means batch_means_of(const double *values, size_t count, size_t least);

#endif
