/* The timed part of a data phase: open, move, sync, close, with a stamp between two steps. */
#ifndef ENGINE_DATA_STEPS_H
#define ENGINE_DATA_STEPS_H

#include "engine/core/stamps.h"

/*
 * Moves the data between open and sync. ready: this task may begin; a task that may not still makes
 * all collective steps. begin_ns: when this task began the phase.
 */
typedef void steps_move(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			bool ready, uint64_t begin_ns, struct loop_times *times);

/*
 * Runs on every task of the test, also without transfers. After a failure the task still makes all
 * collective steps.
 */
void steps_run(struct worker *worker, const struct phase_plan *phase, uint32_t source,
	       steps_move *move, struct stamps *stamps);

#endif
