/*
 * Memory that a test occupies while it runs (a memory hog), so that less is left for the page
 * cache. A task holds its share of memory_per_node plus memory_per_task. All pages are touched, and
 * locked where the system allows it.
 */
#ifndef ENGINE_CORE_BALLAST_H
#define ENGINE_CORE_BALLAST_H

#include "engine/core/worker.h"

/*
 * Reports ERROR_INPUT if the node has too little free memory for the ballast. Allocates nothing.
 * Only the first task of each node looks.
 */
int ballast_check(const struct worker *worker, struct error *err);

int ballast_take(struct worker *worker, struct error *err);
void ballast_release(struct worker *worker);

#endif
