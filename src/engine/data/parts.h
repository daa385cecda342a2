/* Runs a phase's transfers as one or several spans of the order. */
#ifndef ENGINE_DATA_PARTS_H
#define ENGINE_DATA_PARTS_H

#include "engine/data/transfers.h"

/*
 * Number of `source`'s transfers to move: those of the plan, and for a read no more than were
 * written. Call before a phase. Collective over the test's tasks.
 */
uint64_t parts_available(struct worker *worker, enum access access, uint32_t source);

/*
 * Moves worker->available of `source`'s transfers through the open file: up to the stonewall and
 * then through wear-out, or for the time that the test wants. A verification moves them all. A
 * failure is noted in the worker. may: this task can move. Tasks that cannot move call it too, as
 * all agree on what follows the stonewall.
 */
void parts_run(struct worker *worker, const struct phase_plan *phase, uint32_t source, bool may,
	       uint64_t begin_ns, struct loop_times *times);

#endif
