/* A cursor over a task's transfers in a random order. */
#ifndef PATTERN_RANDOM_CURSOR_H
#define PATTERN_RANDOM_CURSOR_H

#include "pattern/geometry.h"
#include "pattern/order.h"

enum { RANDOM_BATCH = ORDER_BATCH };

/* The range that transfers are drawn from: a file of several segments, a segment or a block. */
enum random_spread { SPREAD_FILE, SPREAD_SEGMENT, SPREAD_BLOCK };

/*
 * A task's transfers in a random order, used like struct cursor. In a permuted shared file all
 * tasks together move each transfer once, and each task moves as many. With a file per task each
 * task permutes its own. With repeats each step draws from all transfers of the file.
 *
 * Positions are computed in batches, at a few ns each. Single ones would take longer, as a
 * processor reads its clock only after all earlier instructions.
 */
struct random_cursor {
	const struct placement *at, *last; /* in the batch */
	enum order_kind kind;
	uint64_t first; /* of this task's transfers, in the order */
	uint64_t index; /* of the next batch, in the order */
	uint64_t transfer;
	uint64_t per_block, blocks; /* transfers of a block, and blocks of a segment */
	uint64_t per_block_inverse, blocks_inverse;
	bool vast; /* more transfers than inverses can divide exactly */
	enum random_spread spread;
	uint64_t task; /* UINT64_MAX: a shared file, transfers of all tasks */
	struct order order;
	struct placement batch[RANDOM_BATCH];
};

/*
 * kind: not ORDER_SEQUENTIAL. task: the task whose transfers, or share of the shared file, are
 * visited. held: the number of transfers that the file really has; 0: as many as the geometry says.
 */
void random_cursor_start(struct random_cursor *cursor, const struct geometry *geometry,
			 enum order_kind kind, uint64_t seed, uint64_t task, uint64_t held);
/* The position that is reached after `index` steps. */
void random_cursor_jump(struct random_cursor *cursor, uint64_t index);
void random_cursor_refill(struct random_cursor *cursor); /* for random_cursor_step() only */

/* After the last transfer the values mean nothing. */
static inline void random_cursor_step(struct random_cursor *cursor)
{
	if (__builtin_expect(cursor->at == cursor->last, 0))
		random_cursor_refill(cursor);
	else
		cursor->at++;
}

#endif
