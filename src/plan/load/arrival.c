/* When operations are due. */
#include "plan/load/arrival.h"

#include <math.h>

#include "base/random.h"

/* 10^9 / rate in 2^-64 ns, exact to 75 bits. */
static unsigned __int128 period_of(double rate)
{
	enum { UP = 98 }; /* 10^9 * 2^98 is below 2^128 */
	int exponent;
	uint64_t digits = (uint64_t)ldexp(frexp(rate, &exponent), 53);
	unsigned __int128 period = ((unsigned __int128)1000000000 << UP) / digits;
	int left = 64 - UP + 53 - exponent;

	if (left >= 0)
		return left < 128 ? period << left : 0;
	return left > -128 ? period >> -left : 0;
}

void arrival_start(struct arrival_walk *walk, const struct arrival *arrival, uint32_t task,
		   uint32_t tasks, uint64_t seed)
{
	enum { GAP_BITS = 6 }; /* no gap is as long as 2^6 means: -log(2^-53) is 37 */
	const uint32_t burst = arrival->burst > 1 ? arrival->burst : 1;
	unsigned __int128 period;
	int bits;

	*walk = (struct arrival_walk){.kind = arrival->kind, .burst = burst, .state = seed};
	if (arrival->kind == ARRIVAL_CLOSED || arrival->kind == ARRIVAL_TRACE)
		return;
	/* Beyond 2^56 ns, two years, the exact moment does not matter, and nothing may overflow. */
	if ((double)burst * tasks / arrival->rate * 1e9 > 0x1p56)
		period = ((unsigned __int128)1 << (56 + 64)) / ((uint64_t)burst * tasks);
	else
		period = period_of(arrival->rate);
	walk->step = period * ((uint64_t)burst * tasks);
	frexp((double)(uint64_t)(walk->step >> 64), &bits);
	walk->shift = (unsigned)(63 - GAP_BITS - bits);
	walk->scale = ldexp((double)walk->step, (int)walk->shift - 64);
	/* One step behind the first arrival. */
	if (arrival->kind == ARRIVAL_EVEN)
		walk->due = period * ((uint64_t)burst * task) - walk->step;
}

/* A random gap in 2^-shift ns. */
static uint64_t draw_gap(struct arrival_walk *walk)
{
	double unit = random_unit(&walk->state), gap;

	gap = walk->kind == ARRIVAL_POISSON ? -log(1 - unit) : 2 * unit;
	return (uint64_t)(int64_t)(gap * walk->scale);
}

void arrival_advance(struct arrival_walk *walk)
{
	walk->left = walk->burst;
	if (walk->kind == ARRIVAL_EVEN)
		walk->due += walk->step;
	else
		walk->due += (unsigned __int128)draw_gap(walk) << (64 - walk->shift);
}
