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
 * Moves worker->available of `source`'s transfers through the open file, up to the stonewall, then
 * wears out; or for as long as the test wants. A verification moves them all. A failure is noted in
 * the worker. may: this task can move; one that cannot calls it too, as tasks agree on what follows
 * the stonewall.
 */
void parts_run(struct worker *worker, const struct phase_plan *phase, uint32_t source, bool may,
	       uint64_t begin_ns, struct loop_times *times);

#endif
