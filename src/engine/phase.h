/* One phase of one repetition on one task: prepare, start together, open, move, sync, close, join.
 */
#ifndef ENGINE_PHASE_H
#define ENGINE_PHASE_H

#include "engine/core/agree.h"
#include "engine/core/worker.h"

/*
 * Collective over the test's tasks. worker->measure must fit the phase (phase_measure_create). On
 * return task 0's measure is that of all tasks, and *end is the same on all: end->failure is the
 * first failure, end->stop the reason for an early end. A failing task never keeps the others
 * waiting.
 */
void phase_run(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
	       struct agreement *end);

/*
 * What a task does while other tests of its set run a phase: it sleeps. Collective over the set's
 * tasks, some of which call phase_run(). end->stop is that of the set.
 */
void phase_sleep(struct worker *worker, struct agreement *end);

/* Returns a measure with a record for each operation of the phase. The caller frees it. */
struct measure *phase_measure_create(const struct plan *plan, const struct phase_plan *phase);

#endif
