/*
 * The difference between the clocks of nodes: add a node's offset to its clock to get node 0's.
 *
 * The first task of each node asks the one above it in a binomial tree for the time. Each message
 * there and back bounds the offset from both sides (Cristian's method); ten of them narrow the
 * bounds. Offsets add up down the tree, and so do their uncertainties.
 */
#ifndef COMM_OFFSETS_H
#define COMM_OFFSETS_H

#include "base/clock.h"
#include "comm/crew.h"
#include "comm/node.h"

/*
 * Collective over the crew, in O(log nodes) steps. The results are in the node's shared memory
 * after the next barrier. An estimate before a phase deletes the one made after the last phase.
 */
void offsets_estimate(const struct crew *crew, struct node *node, const struct clock *clock,
		      enum node_time_when when);

#endif
