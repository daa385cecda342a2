/*
 * The names of one kind that exist while a load makes and removes them: a run of numbers, so that
 * nothing is kept for a name. Pure arithmetic.
 *
 * Names are made at the end of the run and removed at its begin, so the oldest goes first. With
 * `names` numbers in all the run goes round a ring: a name that was removed is made again. Without
 * a limit each new name has a number of its own.
 */
#ifndef PLAN_LOAD_RING_H
#define PLAN_LOAD_RING_H

#include <stdbool.h>
#include <stdint.h>

struct ring_limits {
	uint64_t names; /* numbers in the ring; 0: without end */
	uint64_t start; /* names that exist at the start: 0 .. start-1 */
	uint64_t least; /* names that always stay */
};

struct name_ring {
	struct ring_limits limits;
	uint64_t first;	      /* the oldest name */
	uint64_t count;	      /* names that exist */
	uint64_t least_count; /* so far */
};

void ring_start(struct name_ring *ring, const struct ring_limits *limits);

/* False if all numbers are in use: the next operation that makes a name must remove one. */
static inline bool ring_can_make(const struct name_ring *ring)
{
	return !ring->limits.names || ring->count < ring->limits.names;
}

/* False if only the least number of names is left: the next one that removes must make one. */
static inline bool ring_can_remove(const struct name_ring *ring)
{
	return ring->count > ring->limits.least;
}

uint64_t ring_next(const struct name_ring *ring);    /* the name to make next */
uint64_t ring_missing(const struct name_ring *ring); /* names of the start that do not exist now */

/* A name that exists, for a random number in [0, 1). ring->count must be above 0. */
uint64_t ring_any(const struct name_ring *ring, double drawn);

/* The oldest name was removed, the next one was made. */
void ring_removed(struct name_ring *ring);
void ring_made(struct name_ring *ring);

#endif
