/* random_prefill: fills the file in file order before it is written in a random order. */
#ifndef ENGINE_DATA_PREFILL_H
#define ENGINE_DATA_PREFILL_H

#include "engine/core/worker.h"

/*
 * Fills the phase's file and syncs it, unmeasured. Each task fills its share. Collective over the
 * test's tasks. A failure is noted in the worker. Comparing never takes prefilled data for data of
 * the test.
 */
void prefill_run(struct worker *worker);

#endif
