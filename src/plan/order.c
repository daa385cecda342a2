/* Random orders without memory. */
#include "plan/order.h"

static inline uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

uint64_t order_seed(uint64_t seed, uint64_t number)
{
	return mix(mix(seed + UINT64_C(0x9e3779b97f4a7c15)) + number * UINT64_C(0xd1342543de82ef95));
}

void order_init(struct order *order, uint64_t count, uint64_t seed)
{
	unsigned bits = count > 1 ? 64 - (unsigned)__builtin_clzll(count - 1) : 0;

	order->count = count;
	order->lows = UINT64_C(1) << bits / 2;
	order->highs = (count - 1) / order->lows + 1;
	for (unsigned i = 0; i < 4; i++) {
		order->factors[i] = order_seed(seed, 2 * i) | 1;
		order->terms[i] = order_seed(seed, 2 * i + 1);
	}
}

/* Scales 64 random bits to 0 .. count-1. */
static inline uint64_t scale(uint64_t bits, uint64_t count)
{
	return (uint64_t)(((unsigned __int128)bits * count) >> 64);
}

/* Random bits from a number below 2^32; the square, as products alone would keep distances alike. */
static inline uint64_t bits_of(const struct order *order, unsigned round, uint64_t number)
{
	uint64_t bits = number * order->factors[round] + order->terms[round];

	return bits * bits;
}

/* A round each: the one part moves by what the other one says. */
static inline uint64_t move_low(const struct order *order, unsigned round, uint64_t high,
				uint64_t low)
{
	return low ^ (bits_of(order, round, high) >> 32 & (order->lows - 1));
}

static inline uint64_t move_high(const struct order *order, unsigned round, uint64_t high,
				 uint64_t low)
{
	high += scale(bits_of(order, round, low), order->highs);
	return high < order->highs ? high : high - order->highs;
}

/* All rounds but the first one. */
static inline uint64_t finish(const struct order *order, uint64_t high, uint64_t low)
{
	high = move_high(order, 1, high, low);
	low = move_low(order, 2, high, low);
	high = move_high(order, 3, high, low);
	return high * order->lows + low;
}

/* From a number outside on, until one is inside. */
static __attribute__((noinline)) uint64_t walk(const struct order *order, uint64_t number)
{
	while (number >= order->count) {
		uint64_t high = number / order->lows, low = number % order->lows;

		number = finish(order, high, move_low(order, 0, high, low));
	}
	return number;
}

uint64_t order_at(const struct order *order, uint64_t index)
{
	uint64_t high = index / order->lows, low = index % order->lows;

	return walk(order, finish(order, high, move_low(order, 0, high, low)));
}

uint64_t order_draw(const struct order *order, uint64_t index)
{
	return scale(mix(index * order->factors[0] + order->terms[0]), order->count);
}

/*
 * value / divisor, where inverse is UINT64_MAX / divisor: exact while (value + 1) * divisor is at most
 * 2^64, as value + 1 over the divisor is less than 1 / divisor too small then.
 */
static inline uint64_t divide(uint64_t value, uint64_t inverse)
{
	return scale(value + 1, inverse);
}

/* spread: known before the loop, so that most files are not divided by anything. */
static inline __attribute__((always_inline)) void
place(const struct random_cursor *cursor, uint64_t number, struct placement *placement,
      const enum random_spread spread)
{
	uint64_t block = spread == SPREAD_BLOCK ? 0 : divide(number, cursor->per_block_inverse);
	uint64_t segment = spread == SPREAD_FILE ? divide(block, cursor->blocks_inverse) : 0;

	placement->offset = number * cursor->transfer;
	placement->segment = segment;
	placement->block = cursor->task != UINT64_MAX ? cursor->task :
							block - segment * cursor->blocks;
}

/* Where divide() is not exact: 2^48 transfers and more. */
static void place_again(struct random_cursor *cursor, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct placement *placement = &cursor->batch[i];
		uint64_t block = placement->offset / cursor->transfer / cursor->per_block;

		placement->segment = block / cursor->blocks;
		if (cursor->task == UINT64_MAX)
			placement->block = block % cursor->blocks;
	}
}

/* Numbers that follow one another share their high part mostly, and with it the first round. */
static inline __attribute__((always_inline)) void
permute(struct random_cursor *cursor, unsigned count, const enum random_spread spread)
{
	const struct order order = cursor->order;
	uint64_t high = cursor->index / order.lows, low = cursor->index % order.lows;
	uint64_t moved = move_low(&order, 0, high, 0);

	for (unsigned i = 0; i < count; i++) {
		uint64_t number = finish(&order, high, low ^ moved);

		if (__builtin_expect(number >= order.count, 0))
			number = walk(&cursor->order, number);
		place(cursor, number, &cursor->batch[i], spread);
		if (__builtin_expect(++low == order.lows, 0)) {
			low = 0;
			moved = move_low(&order, 0, ++high, 0);
		}
	}
}

static void refill_permuted(struct random_cursor *cursor, unsigned count)
{
	if (cursor->spread == SPREAD_BLOCK)
		permute(cursor, count, SPREAD_BLOCK);
	else if (cursor->spread == SPREAD_SEGMENT)
		permute(cursor, count, SPREAD_SEGMENT);
	else
		permute(cursor, count, SPREAD_FILE);
}

void random_cursor_refill(struct random_cursor *cursor)
{
	uint64_t left = cursor->order.count - cursor->index; /* what comes after them is no number */
	unsigned count = left < RANDOM_BATCH ? (unsigned)left : RANDOM_BATCH;

	if (cursor->kind == ORDER_PERMUTED)
		refill_permuted(cursor, count);
	else
		for (unsigned i = 0; i < RANDOM_BATCH; i++)
			place(cursor, order_draw(&cursor->order, cursor->index + i),
			      &cursor->batch[i], cursor->spread);
	if (__builtin_expect(cursor->vast, 0))
		place_again(cursor, RANDOM_BATCH);
	cursor->index += count;
	cursor->at = cursor->batch;
	cursor->last = cursor->batch + RANDOM_BATCH - 1;
}

void random_cursor_jump(struct random_cursor *cursor, uint64_t index)
{
	cursor->index = cursor->first + index;
	random_cursor_refill(cursor);
}

void random_cursor_start(struct random_cursor *cursor, const struct geometry *geometry,
			 enum order_kind kind, uint64_t seed, uint64_t task)
{
	uint64_t own = geometry_transfers(geometry), product;

	*cursor = (struct random_cursor){
		.kind = kind,
		.first = geometry->shared ? task * own : 0,
		.transfer = geometry->transfer,
		.per_block = geometry->block / geometry->transfer,
		.blocks = geometry->shared ? geometry->tasks : 1,
		.task = geometry->shared ? UINT64_MAX : task,
	};
	if (geometry->segments == 1)
		cursor->spread = cursor->blocks == 1 ? SPREAD_BLOCK : SPREAD_SEGMENT;
	cursor->per_block_inverse = UINT64_MAX / cursor->per_block;
	cursor->blocks_inverse = UINT64_MAX / cursor->blocks;
	order_init(&cursor->order, geometry->shared ? geometry->tasks * own : own,
		   geometry->shared ? seed : order_seed(seed, task));
	cursor->vast = __builtin_mul_overflow(cursor->order.count, cursor->per_block, &product) ||
		       __builtin_mul_overflow(cursor->order.count, cursor->blocks, &product);
	random_cursor_jump(cursor, 0);
}
