/* How fast nodes talk through MPI: the first tasks of nodes i and i + n/2, all at once. */
#ifndef COMM_PAIRS_H
#define COMM_PAIRS_H

#include "comm/comm.h"

enum { PAIRS_ROUNDS = 5 };

struct pairs {
	double round_trip;		  /* s of one byte there and back; the slowest pair */
	double bytes_per_s[PAIRS_ROUNDS]; /* of each pair, the mean of all pairs, one way */
	unsigned rounds;
};

/*
 * Measures for about `seconds`. With an odd number of nodes the last one has no partner. On every
 * task, *pairs has no rounds if there is only one node. Collective.
 */
void pairs_measure(const struct comm *comm, const struct node_map *map, double seconds,
		   struct pairs *pairs);

#endif
