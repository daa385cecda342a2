/*
 * The page cache of this node before a read that is to be cold, and what it held around a phase. Never
 * inside a timed part. Errors name the option.
 */
#ifndef ENGINE_DATA_COLD_H
#define ENGINE_DATA_COLD_H

#include "engine/core/worker.h"
#include "measure/measure.h"

/*
 * The test's cold= method on this node's part: source is the task that wrote what this one reads. A
 * command runs once on each node and must end with exit code 0.
 */
int cold_make(struct worker *worker, uint32_t source, uint64_t repetition, struct error *err);

/* Pages in this node's cache of what was written or will be read, added to *state. */
void cold_observe(struct worker *worker, struct cache_state *state);

#endif
