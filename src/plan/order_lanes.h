/*
 * The last three rounds of an order for a batch of numbers, included by order.c once for each kind of
 * processor: TARGET is the attribute of its functions, NAMED(x) their names, WIDTH the bytes of a
 * register, PRODUCT(a, b) the products of the low halves of its lanes. The numbers are those that
 * finish() makes one by one.
 *
 * Each step is made for all registers before the next one: a result comes as late as those of several.
 */
#define INLINE static inline TARGET __attribute__((always_inline))
#define REGISTERS 4
#define EACH _Pragma("GCC unroll 4") for (unsigned i = 0; i < REGISTERS; i++)

typedef uint64_t NAMED(lanes) __attribute__((vector_size(WIDTH)));
typedef int64_t NAMED(signed_lanes) __attribute__((vector_size(WIDTH)));

INLINE void NAMED(bits_of)(const struct order *order, unsigned round, const NAMED(lanes) *numbers,
			   NAMED(lanes) *bits)
{
	const NAMED(lanes) factor = order->factors[round] - (NAMED(lanes)){0};
	NAMED(lanes) upper[REGISTERS];

	EACH upper[i] = PRODUCT(numbers[i], factor >> 32) << 32;
	EACH bits[i] = PRODUCT(numbers[i], factor) + upper[i] + order->terms[round];
	EACH upper[i] = PRODUCT(bits[i], bits[i] >> 32) << 33;
	EACH bits[i] = PRODUCT(bits[i], bits[i]) + upper[i];
}

INLINE void NAMED(move_low)(const struct order *order, unsigned round, const NAMED(lanes) *highs,
			    NAMED(lanes) *lows)
{
	NAMED(lanes) bits[REGISTERS];

	NAMED(bits_of)(order, round, highs, bits);
	EACH lows[i] ^= bits[i] >> 32 & (order->lows - 1);
}

INLINE void NAMED(move_high)(const struct order *order, unsigned round, NAMED(lanes) *highs,
			     const NAMED(lanes) *lows)
{
	const NAMED(lanes) count = order->highs - (NAMED(lanes)){0};
	NAMED(lanes) bits[REGISTERS];

	NAMED(bits_of)(order, round, lows, bits);
	EACH highs[i] += (PRODUCT(bits[i] >> 32, count) + (PRODUCT(bits[i], count) >> 32)) >> 32;
	EACH highs[i] -= count & (NAMED(lanes))((NAMED(signed_lanes))highs[i] >=
						(NAMED(signed_lanes))count);
}

/* All share `high`, which is below 2^32 as highs is; moved: what the first round makes of it. */
TARGET static void NAMED(finish)(const struct order *order, uint64_t high, uint64_t low, uint64_t moved,
				 uint64_t *numbers)
{
	const struct order own = *order;
	const int shift = __builtin_ctzll(own.lows);
	NAMED(lanes) highs[REGISTERS], lows[REGISTERS], next;

	for (unsigned k = 0; k < WIDTH / 8; k++)
		next[k] = low + k;
	for (unsigned at = 0; at < ORDER_BATCH; at += REGISTERS * WIDTH / 8) {
		EACH {
			highs[i] = high - (NAMED(lanes)){0};
			lows[i] = next ^ moved;
			next += WIDTH / 8;
		}
		NAMED(move_high)(&own, 1, highs, lows);
		NAMED(move_low)(&own, 2, highs, lows);
		NAMED(move_high)(&own, 3, highs, lows);
		EACH highs[i] = (highs[i] << shift) + lows[i];
		memcpy(numbers + at, highs, sizeof(highs));
	}
}

#undef INLINE
#undef REGISTERS
#undef EACH
