/*
 * Memory that a test wants occupied while it runs, so that less is left for the page cache: this task's
 * share of memory_per_node, and memory_per_task. Held in pages that were all touched, and locked where
 * that is allowed.
 */
#ifndef ENGINE_CORE_BALLAST_H
#define ENGINE_CORE_BALLAST_H

#include "engine/core/worker.h"

/* Takes nothing: whether this node has as much free, else ERROR_INPUT; asked of its first task. */
int ballast_check(const struct worker *worker, struct error *err);

int ballast_take(struct worker *worker, struct error *err);
void ballast_release(struct worker *worker);

#endif
