/* Joins the measures of all tasks into one. */
#ifndef MEASURE_FOLD_H
#define MEASURE_FOLD_H

#include "comm/comm.h"
#include "measure/measure.h"

/*
 * Collective. Task 0's measure becomes that of all tasks; the measures of the other tasks are
 * undefined afterwards. Measures travel packed, as they are mostly zeros. Memory and steps are
 * those of comm_fold().
 */
void measure_fold(const struct comm *comm, struct measure *measure, const struct idle *idle);

#endif
