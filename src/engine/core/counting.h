/* What the counters of a phase need beside its transfers. */
#ifndef ENGINE_CORE_COUNTING_H
#define ENGINE_CORE_COUNTING_H

#include "engine/core/worker.h"

/* Before a phase: the unit in which worker->path's file system likes to be accessed. */
void counting_prepare(struct worker *worker);

/* After it: opens and stats, from their records. */
void counting_keep(struct worker *worker);

/* How many operations of a kind the phase made; 0 where it can have none. */
uint64_t counting_number(const struct measure *measure, enum operation operation);

/* After calls on worker->path: 1 if this task's last access to the file was of the other kind, else 0. */
uint64_t counting_switches(struct worker *worker, enum access access);

#endif
