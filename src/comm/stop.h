/*
 * Stop requests: a failed task, a signal or the deadline asks all tasks of a set to stop within 1 s.
 *
 * On a node the request is a word in shared memory that every task looks at. Between nodes the first
 * tasks of the nodes pass it on as messages along a tree of 16 branches. After the phase stop_settle()
 * brings every started tree to its end, so that no message outlives the phase.
 */
#ifndef COMM_STOP_H
#define COMM_STOP_H

#include "comm/crew.h"
#include "comm/node.h"

enum { STOP_BRANCHES = 16 };

struct stop {
	struct node *node;
	const struct comm *comm; /* of the tasks that stop together */
	int neighbours[STOP_BRANCHES + 1]; /* ranks in comm of the leaders above and below */
	int incoming[STOP_BRANCHES + 1];   /* what they send: a reason */
	MPI_Request requests[STOP_BRANCHES + 1];
	int count; /* 0 on tasks that are not first on their node, and on a single node */
	bool forwarded;
};

/* Before a phase of these tasks. The stop word of a signal stays set from phase to phase. */
void stop_start(struct stop *stop, struct node *node, const struct crew *crew);
/* From any task, also from its watchdog thread (which only sets the word). */
void stop_request(struct node *node, enum stop_reason reason);
/* Looks, and passes on what it finds: call it at least every 100 ms. */
enum stop_reason stop_poll(struct stop *stop);
/* After the tasks have agreed whether anyone was stopped; the same `raised` on every task. */
void stop_settle(struct stop *stop, enum stop_reason raised);

#endif
