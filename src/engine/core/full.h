/*
 * Libraries between iorx and the file system say that a write failed, or that it did not, and not why:
 * whether the file system is full.
 */
#ifndef ENGINE_CORE_FULL_H
#define ENGINE_CORE_FULL_H

#include "engine/core/worker.h"

/*
 * In a phase that writes through such a library: adds to a failure that names no cause how much the
 * file system of worker->path has free, and makes it ENOSPC, when that is less than was to be written.
 * length: bytes of the call that failed, 0 when it moves none of its own. A quota is not seen so.
 */
void full_explain(const struct worker *worker, struct error *err, uint64_t length);

#endif
