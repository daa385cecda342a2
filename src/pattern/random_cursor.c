/* Random orders of transfers: the position of each. */
#include "pattern/random_cursor.h"

/*
 * value / divisor, where inverse is UINT64_MAX / divisor: exact while (value + 1) * divisor is at
 * most 2^64, as value + 1 over the divisor is less than 1 / divisor too small then.
 */
static inline uint64_t random_cursor_divide(uint64_t value, uint64_t inverse)
{
	return (uint64_t)(((unsigned __int128)(value + 1) * inverse) >> 64);
}

/* spread is a compile-time constant in each caller, so that most files need no division. */
static inline __attribute__((always_inline)) void locate_batch(struct random_cursor *cursor,
							       const uint64_t *numbers,
							       const enum random_spread spread)
{
	const uint64_t transfer = cursor->transfer, blocks = cursor->blocks, task = cursor->task;
	const uint64_t per_block_inverse = cursor->per_block_inverse;
	const uint64_t blocks_inverse = cursor->blocks_inverse;

	for (unsigned i = 0; i < RANDOM_BATCH; i++) {
		struct placement *placement = &cursor->batch[i];

		placement->offset = numbers[i] * transfer;
		if (spread == SPREAD_BLOCK)
			continue; /* segment 0 and the only block are already set */
		uint64_t block = random_cursor_divide(numbers[i], per_block_inverse);
		uint64_t segment =
			spread == SPREAD_FILE ? random_cursor_divide(block, blocks_inverse) : 0;

		placement->segment = segment;
		placement->block = task != UINT64_MAX ? task : block - segment * blocks;
	}
}

/* Computes positions where random_cursor_divide() is not exact: 2^48 transfers and more. */
static void locate_each(struct random_cursor *cursor)
{
	for (unsigned i = 0; i < RANDOM_BATCH; i++) {
		struct placement *placement = &cursor->batch[i];
		uint64_t block = placement->offset / cursor->transfer / cursor->per_block;

		placement->segment = block / cursor->blocks;
		if (cursor->task == UINT64_MAX)
			placement->block = block % cursor->blocks;
	}
}

void random_cursor_refill(struct random_cursor *cursor)
{
	uint64_t numbers[RANDOM_BATCH];

	if (cursor->kind == ORDER_PERMUTED)
		order_batch(&cursor->order, cursor->index, numbers);
	else
		for (unsigned i = 0; i < RANDOM_BATCH; i++)
			numbers[i] = order_draw(&cursor->order, cursor->index + i);
	if (cursor->spread == SPREAD_BLOCK)
		locate_batch(cursor, numbers, SPREAD_BLOCK);
	else if (cursor->spread == SPREAD_SEGMENT)
		locate_batch(cursor, numbers, SPREAD_SEGMENT);
	else
		locate_batch(cursor, numbers, SPREAD_FILE);
	if (__builtin_expect(cursor->vast, 0))
		locate_each(cursor);
	cursor->index += RANDOM_BATCH;
	cursor->at = cursor->batch;
	cursor->last = cursor->batch + RANDOM_BATCH - 1;
}

void random_cursor_jump(struct random_cursor *cursor, uint64_t index)
{
	cursor->index = cursor->first + index;
	random_cursor_refill(cursor);
}

void random_cursor_start(struct random_cursor *cursor, const struct geometry *geometry,
			 enum order_kind kind, uint64_t seed, uint64_t task, uint64_t held)
{
	const uint64_t sharers = geometry->shared ? geometry->tasks : 1;
	const uint64_t planned = sharers * geometry_transfers(geometry);
	const uint64_t count = held ? held : planned;
	uint64_t product;

	*cursor = (struct random_cursor){
		.kind = kind,
		.first = geometry->shared ? task * (count / sharers) : 0,
		.transfer = geometry->transfer,
		.per_block = geometry->block / geometry->transfer,
		.blocks = sharers,
		.task = geometry->shared ? UINT64_MAX : task,
	};
	if (geometry->segments == 1 && count <= planned)
		cursor->spread = cursor->blocks == 1 ? SPREAD_BLOCK : SPREAD_SEGMENT;
	for (unsigned i = 0; i < RANDOM_BATCH; i++)
		cursor->batch[i].block = geometry->shared ? 0 : task;
	cursor->per_block_inverse = UINT64_MAX / cursor->per_block;
	cursor->blocks_inverse = UINT64_MAX / cursor->blocks;
	order_init(&cursor->order, count, geometry->shared ? seed : order_seed(seed, task));
	cursor->vast = __builtin_mul_overflow(cursor->order.count, cursor->per_block, &product) ||
		       __builtin_mul_overflow(cursor->order.count, cursor->blocks, &product);
	random_cursor_jump(cursor, 0);
}
