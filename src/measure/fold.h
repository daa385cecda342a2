/* The measures of all tasks become one. */
#ifndef MEASURE_FOLD_H
#define MEASURE_FOLD_H

#include "comm/comm.h"
#include "measure/measure.h"

/*
 * Collective: task 0's measure is that of all, the others' say nothing afterwards. Measures travel
 * packed, as they are mostly zeros. Memory and steps as of comm_fold().
 */
void measure_fold(const struct comm *comm, struct measure *measure, const struct idle *idle);

#endif
