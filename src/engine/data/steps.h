/* The timed part of a data phase: open, move, sync, close, with a stamp between two steps. */
#ifndef ENGINE_DATA_STEPS_H
#define ENGINE_DATA_STEPS_H

#include "engine/core/stamps.h"

/*
 * Runs on every task of the test, also without transfers. After a failure the task still makes all
 * collective steps.
 */
void steps_run(struct worker *worker, const struct phase_plan *phase, uint32_t source,
	       struct stamps *stamps);

#endif
