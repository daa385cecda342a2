/* random_prefill: what is written in a random order replaces data that lie in the file's own order. */
#ifndef ENGINE_DATA_PREFILL_H
#define ENGINE_DATA_PREFILL_H

#include "engine/core/worker.h"

/*
 * Fills the phase's file from its begin to its end, each task its share, and syncs it; not measured.
 * Collective over the test's tasks. A failure is noted in the worker. What it writes says of itself that
 * it is no data of the test.
 */
void prefill_run(struct worker *worker);

#endif
