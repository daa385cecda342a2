/*
 * Random orders that need no memory: a computed permutation of 0 .. count-1, and random numbers
 * with repeats. Pure arithmetic; the same seed gives the same order on every machine.
 *
 * The permutation is a Feistel network of four rounds. A number is split into low bits and a high
 * half below highs, both with about as many values. As highs may be any number, fewer than one
 * number in sqrt(count) leaves the range and passes the network again. So there is no division, and
 * no branch that is hard to predict.
 */
#ifndef PATTERN_ORDER_H
#define PATTERN_ORDER_H

#include <stdint.h>

enum order_kind {
	ORDER_SEQUENTIAL,
	ORDER_PERMUTED, /* each transfer once */
	ORDER_REPEATS,	/* each transfer drawn from all */
};

struct order {
	uint64_t count;
	uint64_t highs, lows; /* values of each half; lows is a power of two */
	unsigned low_bits;
	uint64_t factors[4], terms[4]; /* one per round */
};

/* count: 1 .. 2^63. */
void order_init(struct order *order, uint64_t count, uint64_t seed);

/* Derives a seed for each number; seeds of neighbouring numbers are unrelated. */
uint64_t order_seed(uint64_t seed, uint64_t number);

/* The number at position `index` of the permutation; index and the result are below count. */
uint64_t order_at(const struct order *order, uint64_t index);

/*
 * The position of a number below count: order_at(order, order_index(order, number)) is the number.
 */
uint64_t order_index(const struct order *order, uint64_t number);

enum { ORDER_BATCH = 32 };

/*
 * The numbers at ORDER_BATCH positions from `index` on. Numbers behind the last position mean
 * nothing.
 */
void order_batch(const struct order *order, uint64_t index, uint64_t *numbers);

/* Draw number `index`: a random number below count that may repeat. */
uint64_t order_draw(const struct order *order, uint64_t index);

#endif
