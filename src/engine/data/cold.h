/*
 * Drops this node's page cache before a cold read, and observes it around a phase. Never inside a
 * timed part. Errors name the option.
 */
#ifndef ENGINE_DATA_COLD_H
#define ENGINE_DATA_COLD_H

#include "engine/core/worker.h"
#include "measure/measure.h"

/*
 * Applies the test's cold= method on this node. source: task that wrote the data to be read. A
 * command runs once per node and must end with exit code 0.
 */
int cold_make(struct worker *worker, uint32_t source, uint64_t repetition, struct error *err);

/* Adds the cached pages of the phase's file on this node to *state. */
void cold_observe(struct worker *worker, struct cache_state *state);

/* Notes, before a read, what of its file this node has cached and what the storage holds. */
void cold_observe_source(struct worker *worker);

#endif
