/* Random orders that need no memory. */
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

/*
 * Random bits from a number below 2^32. They are squared, as products alone keep distances alike.
 */
static inline uint64_t bits_of(const struct order *order, unsigned round, uint64_t number)
{
	uint64_t bits = number * order->factors[round] + order->terms[round];

	return bits * bits;
}

/* One round each: one part moves by a random function of the other part. */
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

/* Rounds two to four. */
static inline uint64_t finish(const struct order *order, uint64_t high, uint64_t low)
{
	high = move_high(order, 1, high, low);
	low = move_low(order, 2, high, low);
	high = move_high(order, 3, high, low);
	return high * order->lows + low;
}

/* Passes a number of count or more through the network again until it is below count. */
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

/* Consecutive numbers mostly share their high part, and so the result of the first round. */
static void finish_batch(const struct order *order, uint64_t high, uint64_t low, uint64_t *numbers)
{
	uint64_t moved = move_low(order, 0, high, 0);

	for (unsigned i = 0; i < ORDER_BATCH; i++) {
		numbers[i] = finish(order, high, low ^ moved);
		if (__builtin_expect(++low == order->lows, 0)) {
			low = 0;
			moved = move_low(order, 0, ++high, 0);
		}
	}
}

void order_batch(const struct order *order, uint64_t index, uint64_t *numbers)
{
	uint64_t left = index < order->count ? order->count - index : 0;
	unsigned count = left < ORDER_BATCH ? (unsigned)left : ORDER_BATCH;

	finish_batch(order, index / order->lows, index % order->lows, numbers);
	for (unsigned i = 0; i < count; i++)
		if (__builtin_expect(numbers[i] >= order->count, 0))
			numbers[i] = walk(order, numbers[i]);
}

uint64_t order_draw(const struct order *order, uint64_t index)
{
	return scale(mix(index * order->factors[0] + order->terms[0]), order->count);
}
