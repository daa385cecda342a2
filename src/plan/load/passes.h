/*
 * Visits every one of `count` blocks once a pass, each pass in a random order of its own, without a
 * table. A log-structured device or file system would lay blocks down in the order of the first
 * pass, and a second pass in the same order would be a sequential one for it.
 */
#ifndef PLAN_LOAD_PASSES_H
#define PLAN_LOAD_PASSES_H

#include <stdint.h>

#include "pattern/order.h"

struct passes {
	uint64_t count, seed;
	uint64_t pass;	    /* of the block that passes_next() returned last */
	uint64_t index;	    /* in this pass, of the next batch */
	struct order order; /* of this pass */
	uint8_t at, ready;  /* the next block in the batch, and how many the batch has */
	uint64_t batch[ORDER_BATCH];
};

/* count: 1 .. 2^63. */
void passes_start(struct passes *passes, uint64_t count, uint64_t seed);
void passes_refill(struct passes *passes); /* for passes_next() only */

/* The next block, 0 .. count-1; passes->pass says in which pass, from 0 on. */
static inline uint64_t passes_next(struct passes *passes)
{
	if (__builtin_expect(passes->at == passes->ready, 0))
		passes_refill(passes);
	return passes->batch[passes->at++];
}

/* How many visits to other blocks precede the visit to `block` in this pass: 0 .. count-1. */
uint64_t passes_index(const struct passes *passes, uint64_t pass, uint64_t block);

#endif
