/* The timed part of a data phase: open, move, sync, close, with a stamp between two steps. */
#ifndef ENGINE_DATA_STEPS_H
#define ENGINE_DATA_STEPS_H

#include "engine/core/stamps.h"

/*
 * On every task of the test, also one that has nothing to move. A failure is noted, and the steps that
 * others take part in are taken all the same.
 */
void steps_run(struct worker *worker, const struct phase_plan *phase, uint32_t source,
	       struct stamps *stamps);

#endif
