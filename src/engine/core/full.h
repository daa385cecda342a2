/*
 * Checks for a full file system: libraries between iorx and the file system report that a write
 * failed, but not why.
 */
#ifndef ENGINE_CORE_FULL_H
#define ENGINE_CORE_FULL_H

#include "engine/core/worker.h"

/*
 * For a phase that writes through such a library and a failure without a known cause. If the file
 * system of worker->path has less free space than the call needs, adds the free space to the
 * message and sets ENOSPC. length: bytes of the failed call, 0 for open, sync and close. Quotas are
 * not detected.
 */
void full_explain(const struct worker *worker, struct error *err, uint64_t length);

#endif
