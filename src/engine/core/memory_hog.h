/*
 * Memory that a test occupies while it runs (a memory hog), so that less is left for the page
 * cache. A task holds its share of memory_per_node plus memory_per_task. All pages are touched, and
 * locked where the system allows it.
 */
#ifndef ENGINE_CORE_MEMORY_HOG_H
#define ENGINE_CORE_MEMORY_HOG_H

#include "engine/core/worker.h"

/*
 * Reports ERROR_INPUT if the node has too little free memory for the memory hog. Allocates nothing.
 * Only the first task of each node looks.
 */
int memory_hog_check(const struct worker *worker, struct error *err);

int memory_hog_take(struct worker *worker, struct error *err);
void memory_hog_release(struct worker *worker);

#endif
