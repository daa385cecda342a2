/*
 * The common start of a phase. Where on each node all tasks of the set can run at the same time, all agree on a
 * moment of the common axis and wait for it without sleeping: how they leave a barrier, one after the
 * other, does not show. Elsewhere who waits so would keep others from running: there it is a barrier.
 */
#ifndef ENGINE_CORE_START_H
#define ENGINE_CORE_START_H

#include <stdbool.h>
#include <stdint.h>

struct worker;

/* How the last phase was started. */
struct start {
	bool scheduled;   /* at a moment, else by a barrier */
	bool late;        /* this task came after the moment */
	bool crowded;     /* this node has more tasks than can run at the same time */
	uint64_t at_ns;   /* the moment, or one before all leave the barrier, on the common axis */
	uint64_t took_ns; /* agreeing on it, so that the next moment is far enough away */
};

/* Collective over the set's tasks; offsets of clocks stand in the nodes' memory when they all came. */
void start_together(struct worker *worker);

#endif
