/* Times of each step of a phase on one task, and how they enter its measure and its row. */
#ifndef ENGINE_CORE_STAMPS_H
#define ENGINE_CORE_STAMPS_H

#include "engine/core/tally.h"

/* All times are on this node's clock. */
struct stamps {
	uint64_t begin_ns, open_end_ns;
	struct loop_times loop;
	uint64_t sync_begin_ns, sync_end_ns, close_begin_ns, close_end_ns;
	uint64_t own_ns;     /* time this task needed, without waiting for others */
	uint64_t counted_ns; /* from here on its own time counts; 0: from begin_ns */
	uint64_t done_ns;    /* own work was done; a sync that waits for other tasks comes later */
	bool works;	     /* the task had work; without work neither rate nor time counts */
	bool takes_part;     /* its steps count; false: it only waited while others did its work */
	bool has_pace;	     /* fewer operations in the same time mean a slow task */
};

/*
 * Call before the measures are folded. source: task whose data was moved. Also shows this task's
 * pace to its node.
 */
void stamps_keep(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		 const struct stamps *stamps);

#endif
