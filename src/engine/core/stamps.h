/* When each step of a phase was on one task, and what its measure and its row keep of that. */
#ifndef ENGINE_CORE_STAMPS_H
#define ENGINE_CORE_STAMPS_H

#include "engine/core/tally.h"

/* On this node's clock. */
struct stamps {
	uint64_t begin_ns, open_end_ns;
	struct loop_times loop;
	uint64_t sync_begin_ns, sync_end_ns, close_begin_ns, close_end_ns;
	uint64_t own_ns;  /* what this task needed, without waiting for others */
	uint64_t done_ns; /* its own work was done; a sync that waits for other tasks comes after it */
	bool works;       /* it had something to do; of other tasks neither rate nor time counts */
	bool takes_part;  /* its steps count; else it only waited while other tasks worked for it */
	bool has_pace;    /* tasks that do fewer operations in the same time are slow ones */
};

/* Before the measures are joined. source: of the transfers. Shows the task's pace to its node, too. */
void stamps_keep(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		 const struct stamps *stamps);

#endif
