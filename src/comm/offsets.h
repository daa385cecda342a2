/*
 * The difference between the clocks of nodes: add a node's offset to its clock to get node 0's.
 *
 * The first task of each node asks the one above it in a binomial tree for the time and takes the
 * fastest of a few round trips (Cristian's method: the other clock was read half way, give or take
 * half the round trip). Offsets add up down the tree, and so do their uncertainties.
 */
#ifndef COMM_OFFSETS_H
#define COMM_OFFSETS_H

#include "base/clock.h"
#include "comm/comm.h"
#include "comm/node.h"

/* Collective over comm; the results stand in the node's shared memory after the next barrier. */
void offsets_estimate(const struct comm *comm, const struct node_map *map, struct node *node,
		      const struct clock *clock);

#endif
