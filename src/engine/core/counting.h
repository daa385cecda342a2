/* Counters of a phase that the transfer loops do not count themselves. */
#ifndef ENGINE_CORE_COUNTING_H
#define ENGINE_CORE_COUNTING_H

#include "engine/core/worker.h"

/* Call before a phase: sets worker->alignment to the preferred I/O size of the file system. */
void counting_prepare(struct worker *worker);

/*
 * Call after the phase: stores the alignment, and counts opens and stats from the operation
 * records.
 */
void counting_keep(struct worker *worker);

/* Number of operations of a kind that the phase made; 0 if the phase has no record of them. */
uint64_t counting_number(const struct measure *measure, enum operation operation);

/*
 * Call after calls on worker->path: returns 1 if this task's last access to the file was of the
 * other kind, else 0.
 */
uint64_t counting_switches(struct worker *worker, enum access access);

#endif
