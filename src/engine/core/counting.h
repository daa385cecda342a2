/* What the counters of a phase need beside its transfers. */
#ifndef ENGINE_CORE_COUNTING_H
#define ENGINE_CORE_COUNTING_H

#include "engine/core/worker.h"

/* Before a phase: the unit in which worker->path's file system likes to be accessed. */
void counting_prepare(struct worker *worker);

/* After it: opens and syncs from their records, and whether the task's last access to the file was the other kind. */
void counting_keep(struct worker *worker, enum access access);

#endif
