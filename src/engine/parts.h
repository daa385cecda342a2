/* The transfers of a phase: which spans of the order are moved, one after the other. */
#ifndef ENGINE_PARTS_H
#define ENGINE_PARTS_H

#include "engine/transfers.h"

/* Moves `source`'s transfers through the open file; a failure is noted in the worker. */
void parts_run(struct worker *worker, enum access access, uint32_t source,
	       struct loop_times *times);

#endif
