/*
 * Random orders without memory: a permutation of 0 .. count-1 that is computed, not stored, and
 * random numbers with repeats. Pure arithmetic, the same on every machine for the same seed.
 *
 * The permutation is a Feistel network of four rounds. A number is split into low bits and a high
 * part below highs, chosen so that both have about as many values; highs is any number, so less than
 * one number in sqrt(count) lies outside and has to be sent through again. So there is no branch that
 * is hard to predict, and no division.
 */
#ifndef PLAN_ORDER_H
#define PLAN_ORDER_H

#include <stdint.h>

enum order_kind {
	ORDER_SEQUENTIAL,
	ORDER_PERMUTED, /* each once */
	ORDER_REPEATS,  /* each drawn from all */
};

struct order {
	uint64_t count;
	uint64_t highs, lows; /* values of each part; lows is a power of two */
	uint64_t factors[4], terms[4]; /* of each round */
};

/* count: 1 .. 2^63. */
void order_init(struct order *order, uint64_t count, uint64_t seed);

/* A seed of its own for each number; neighbours have nothing in common. */
uint64_t order_seed(uint64_t seed, uint64_t number);

/* Which number stands at a place of the permutation; index and the result are below count. */
uint64_t order_at(const struct order *order, uint64_t index);

enum { ORDER_BATCH = 32 };

/* The numbers of the next ORDER_BATCH places; those behind the last place mean nothing. */
void order_batch(const struct order *order, uint64_t index, uint64_t *numbers);

/* A number that may come again. */
uint64_t order_draw(const struct order *order, uint64_t index);

#endif
