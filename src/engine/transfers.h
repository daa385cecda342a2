/* The transfers of a data phase, by a loop that is chosen once per phase. */
#ifndef ENGINE_TRANSFERS_H
#define ENGINE_TRANSFERS_H

#include "engine/worker.h"

/* When the loop began and ended, on this node's clock. */
struct loop_times {
	uint64_t first_issue_ns;
	uint64_t last_completion_ns;
};

/*
 * Moves `source`'s blocks through the open file, records every transfer into the worker's measure
 * and stops early on a failure or a stop request.
 */
void transfers_run(struct worker *worker, enum access access, uint32_t source,
		   struct loop_times *times);

/* Whether all tasks have to make the same calls: then they agree after open whether to begin. */
bool transfers_agree(const struct worker *worker);

#endif
