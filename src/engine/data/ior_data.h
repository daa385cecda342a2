/* Whether a file holds what an earlier write of IOR's data left, which does not say who wrote it. */
#ifndef ENGINE_DATA_IOR_DATA_H
#define ENGINE_DATA_IOR_DATA_H

#include "engine/core/worker.h"

/*
 * Whether the file of `size` bytes at worker->path holds what the plan's own write would make of it, of
 * whatever seed, as far as a write came.
 */
bool ior_data_recognised(struct worker *worker, uint64_t size);

#endif
