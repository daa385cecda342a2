/*
 * Stop requests: a failed task, a signal or the deadline asks all tasks of a set to stop within 1
 * s.
 *
 * On a node the request is a word in shared memory that every task reads. Between nodes the first
 * tasks of the nodes pass it on by messages along a tree of 16 branches. After the phase
 * stop_settle() completes every tree that has started, so that no message outlives the phase.
 */
#ifndef COMM_STOP_H
#define COMM_STOP_H

#include "comm/crew.h"
#include "comm/node.h"

enum { STOP_BRANCHES = 16 };

struct stop {
	struct node *node;
	const struct comm *comm;	   /* tasks that stop together */
	int neighbours[STOP_BRANCHES + 1]; /* ranks in comm of the leaders above and below */
	int incoming[STOP_BRANCHES + 1];   /* the reason that each sends */
	MPI_Request requests[STOP_BRANCHES + 1];
	int count; /* 0 on tasks that are not first on their node, and on a single node */
	bool forwarded;
};

/* Call it before a phase. The stop word of a signal stays set from phase to phase. */
void stop_start(struct stop *stop, struct node *node, const struct crew *crew);
/* Asks for a stop: from any task, also from its watchdog thread. Only sets the node's word. */
void stop_request(struct node *node, enum stop_reason reason);
/* Returns the stop reason and passes it on. Call it at least every 100 ms. */
enum stop_reason stop_poll(struct stop *stop);
/* Call it when the tasks have agreed on the reason. `raised` must be the same on every task. */
void stop_settle(struct stop *stop, enum stop_reason raised);

#endif
