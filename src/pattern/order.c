/* Random orders that need no memory. */
#include "pattern/order.h"

#include "base/random.h"

uint64_t order_seed(uint64_t seed, uint64_t number)
{
	return random_scramble(random_scramble(seed + RANDOM_STEP) +
			       number * UINT64_C(0xd1342543de82ef95));
}

void order_init(struct order *order, uint64_t count, uint64_t seed)
{
	unsigned bits = count > 1 ? 64 - (unsigned)__builtin_clzll(count - 1) : 0;

	order->count = count;
	order->low_bits = bits / 2;
	order->lows = UINT64_C(1) << order->low_bits;
	order->highs = (count - 1) / order->lows + 1;
	for (unsigned i = 0; i < 4; i++) {
		order->factors[i] = order_seed(seed, 2 * i) | 1;
		order->terms[i] = order_seed(seed, 2 * i + 1);
	}
}

/*
 * Random bits from a number below 2^32. They are squared, as products alone keep distances alike.
 */
static inline uint64_t bits_of(const struct order *order, unsigned round, uint64_t number)
{
	uint64_t bits = number * order->factors[round] + order->terms[round];

	return bits * bits;
}

/* One round each: one half moves by a random function of the other half. */
static inline uint64_t move_low(const struct order *order, unsigned round, uint64_t high,
				uint64_t low)
{
	return low ^ (bits_of(order, round, high) >> 32 & (order->lows - 1));
}

static inline uint64_t move_high(const struct order *order, unsigned round, uint64_t high,
				 uint64_t low)
{
	high += random_scale(bits_of(order, round, low), order->highs);
	return high < order->highs ? high : high - order->highs;
}

static inline uint64_t move_high_back(const struct order *order, unsigned round, uint64_t high,
				      uint64_t low)
{
	uint64_t by = random_scale(bits_of(order, round, low), order->highs);

	return high >= by ? high - by : high + order->highs - by;
}

/* Rounds two to four. */
static inline uint64_t order_finish(const struct order *order, uint64_t high, uint64_t low)
{
	high = move_high(order, 1, high, low);
	low = move_low(order, 2, high, low);
	high = move_high(order, 3, high, low);
	return high << order->low_bits | low;
}

/* Passes a number of count or more through the network again until it is below count. */
static __attribute__((noinline)) uint64_t walk(const struct order *order, uint64_t number)
{
	while (number >= order->count) {
		uint64_t high = number >> order->low_bits, low = number & (order->lows - 1);

		number = order_finish(order, high, move_low(order, 0, high, low));
	}
	return number;
}

uint64_t order_at(const struct order *order, uint64_t index)
{
	uint64_t high = index >> order->low_bits, low = index & (order->lows - 1);
	uint64_t number;

	number = order_finish(order, high, move_low(order, 0, high, low));
	return __builtin_expect(number >= order->count, 0) ? walk(order, number) : number;
}

/* Consecutive numbers mostly share their high half, and so the result of the first round. */
static void finish_batch(const struct order *order, uint64_t high, uint64_t low, uint64_t *numbers)
{
	uint64_t moved = move_low(order, 0, high, 0);

	for (unsigned i = 0; i < ORDER_BATCH; i++) {
		numbers[i] = order_finish(order, high, low ^ moved);
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

	finish_batch(order, index >> order->low_bits, index & (order->lows - 1), numbers);
	for (unsigned i = 0; i < count; i++)
		if (__builtin_expect(numbers[i] >= order->count, 0))
			numbers[i] = walk(order, numbers[i]);
}

/* The four rounds backwards. */
static uint64_t undo(const struct order *order, uint64_t number)
{
	uint64_t high = number >> order->low_bits, low = number & (order->lows - 1);

	high = move_high_back(order, 3, high, low);
	low = move_low(order, 2, high, low);
	high = move_high_back(order, 1, high, low);
	low = move_low(order, 0, high, low);
	return high << order->low_bits | low;
}

uint64_t order_index(const struct order *order, uint64_t number)
{
	do
		number = undo(order, number);
	while (number >= order->count);
	return number;
}

uint64_t order_draw(const struct order *order, uint64_t index)
{
	return random_scale(random_scramble(index * order->factors[0] + order->terms[0]),
			    order->count);
}
