/*
 * Confidence interval of the mean of one long run by batch means (Law and Kelton, Simulation
 * Modeling and Analysis). Neighbouring values are joined into batches until the batch means are no
 * longer correlated. Student's interval over the batch means follows. The interval does not predict
 * another run. Pure arithmetic.
 */
#ifndef STATISTICS_BATCH_MEANS_H
#define STATISTICS_BATCH_MEANS_H

#include <stdbool.h>
#include <stddef.h>

struct batch_means {
	bool known;          /* false: too few values, or correlated in batches of any size */
	double mean;
	double half_width;   /* half-width of the 95 % interval of the mean */
	size_t batch;        /* values in a batch */
	size_t batches;
	double correlation;  /* lag-1 correlation of the batch means */
};

/* Values cover equal lengths of time and are in order. A batch has at least `least` >= 1 values. */
struct batch_means batch_means_of(const double *values, size_t count, size_t least);

#endif
