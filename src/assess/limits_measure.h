/*
 * Measures what the clients, their network and the target of a test can do, before its first phase.
 * Nothing of it enters a rate.
 */
#ifndef ASSESS_LIMITS_MEASURE_H
#define ASSESS_LIMITS_MEASURE_H

#include "comm/crew.h"
#include "comm/node.h"
#include "result/measured.h"

struct measuring {
	const struct crew *crew;
	const struct node *node;
	const struct idle *idle;
	const struct plan *plan;
	bool direct;	       /* the test's api uses direct I/O */
	bool has_target;       /* the target is a file system whose files lie on a device */
	bool has_network;      /* the target may be reached through the network */
	double began;	       /* rounds_now() at its begin */
	uint64_t target_bytes; /* of the file of each task at most */
	struct error left;     /* of this task: its file could not be removed */
};

/*
 * Takes some 4 s, 8 s at most on a target that answers at once. Every task calls it; *measured is
 * that of the crew's first task. Collective over the crew.
 */
void limits_measure(struct measuring *measuring, struct measured *measured);

#endif
