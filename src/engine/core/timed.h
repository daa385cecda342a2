/* The timed part of a phase: open, move, sync, close; or its operations on names. */
#ifndef ENGINE_CORE_TIMED_H
#define ENGINE_CORE_TIMED_H

#include "engine/core/stamps.h"

/*
 * On every task of the test, also one that has nothing to move. A failure is noted, and the steps that
 * others take part in are taken all the same.
 */
void timed_run(struct worker *worker, const struct phase_plan *phase, uint32_t source,
	       uint64_t repetition, struct stamps *stamps);

#endif
