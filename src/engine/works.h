/* The list of workloads: a new one is a row here. */
#ifndef ENGINE_WORKS_H
#define ENGINE_WORKS_H

#include "engine/core/work.h"

/* The workload that carries out phases of this kind. */
const struct work *works_find(enum phase_kind kind);

/* Create and free the states of all workloads before and after a test. */
void works_start(struct worker *worker);
void works_stop(struct worker *worker);

#endif
