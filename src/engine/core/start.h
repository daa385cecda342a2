/*
 * The common start of a phase. If every node has a CPU for each task of the set, all tasks agree on
 * a moment of the common axis and spin until it comes. The staggered exits of a barrier then do not
 * show. Otherwise spinning would keep other tasks from running, so a barrier is used.
 */
#ifndef ENGINE_CORE_START_H
#define ENGINE_CORE_START_H

#include <stdbool.h>
#include <stdint.h>

struct crew;
struct worker;

/* How the last phase was started. */
struct start {
	bool scheduled;	  /* started at an agreed moment; false: by a barrier */
	bool late;	  /* this task came after the moment */
	bool crowded;	  /* this node has more tasks than can run at the same time */
	uint64_t at_ns;	  /* the moment, or one before all leave the barrier, on the common axis */
	uint64_t took_ns; /* time the agreement took; sets the distance of the next moment */
};

/*
 * Collective over `crew`: the test's tasks, or those of all tests that run at the same time. All
 * nodes' clock offsets must be in shared memory before.
 */
void start_together(struct worker *worker, const struct crew *crew);

#endif
