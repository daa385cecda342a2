/* A task's transfers in a random order, one after the other. */
#ifndef PLAN_RANDOM_CURSOR_H
#define PLAN_RANDOM_CURSOR_H

#include "plan/geometry.h"
#include "plan/order.h"

enum { RANDOM_BATCH = ORDER_BATCH };

/* What the transfers are drawn from: of how many parts their places have to be told. */
enum random_spread { SPREAD_FILE, SPREAD_SEGMENT, SPREAD_BLOCK };

/*
 * A task's transfers in a random order, used like struct cursor. Permuted in a shared file,
 * all tasks together move each transfer of the file once, and each task as many; in a file per task
 * each its own. With repeats each step draws from all transfers of the file.
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

/*
 * kind: not ORDER_SEQUENTIAL. task: whose transfers, or whose share of the shared file's. drawn: with
 * repeats, how many transfers the file really has, which may be more or fewer than the geometry's; 0: those.
 */
void random_cursor_start(struct random_cursor *cursor, const struct geometry *geometry,
			 enum order_kind kind, uint64_t seed, uint64_t task, uint64_t drawn);
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
