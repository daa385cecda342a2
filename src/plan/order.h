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

#include "plan/geometry.h"

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
/* A number that may come again. */
uint64_t order_draw(const struct order *order, uint64_t index);

enum { RANDOM_BATCH = 32 };

/* What the transfers are drawn from: of how many parts their places have to be told. */
enum random_spread { SPREAD_FILE, SPREAD_SEGMENT, SPREAD_BLOCK };

/*
 * A task's transfers in a random order, used like struct cursor. Permuted in a shared file,
 * all tasks together move each transfer of the file once, and each task as many; in a file per task
 * each its own. With repeats each step draws from the same ones.
 *
 * Places are computed some at a time, which takes a few ns each: alone one would take longer, as a
 * processor reads its clock only when what stands before it is done.
 */
struct random_cursor {
	const struct placement *at, *last; /* in the batch */
	enum order_kind kind;
	uint64_t first; /* of this task, in the order */
	uint64_t index; /* of the next batch, in the order */
	uint64_t transfer;
	uint64_t per_block, blocks; /* transfers of a block, and blocks of a segment */
	uint64_t per_block_inverse, blocks_inverse;
	bool vast;     /* too many to divide by inverses */
	enum random_spread spread;
	uint64_t task; /* UINT64_MAX in a shared file: of all tasks */
	struct order order;
	struct placement batch[RANDOM_BATCH];
};

/* kind: not ORDER_SEQUENTIAL. task: whose transfers, or whose share of the shared file's. */
void random_cursor_start(struct random_cursor *cursor, const struct geometry *geometry,
			 enum order_kind kind, uint64_t seed, uint64_t task);
/* The place that is reached after `index` steps. */
void random_cursor_jump(struct random_cursor *cursor, uint64_t index);
void random_cursor_refill(struct random_cursor *cursor); /* random_cursor_step()'s */

/* After the last transfer the values mean nothing. */
static inline void random_cursor_step(struct random_cursor *cursor)
{
	if (__builtin_expect(cursor->at == cursor->last, 0))
		random_cursor_refill(cursor);
	else
		cursor->at++;
}

#endif
