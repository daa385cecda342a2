/*
 * Draws blocks from a distribution: no tables, and a set-up that takes as long for a thousand
 * blocks as for 10^12. Pure arithmetic; one seed gives the same blocks wherever the C library's
 * pow(), exp() and log() give the same results.
 */
#ifndef PATTERN_SAMPLER_H
#define PATTERN_SAMPLER_H

#include "pattern/distribution.h"
#include "pattern/order.h"

/* A distribution over `count` blocks. */
struct sampler {
	const struct distribution *distribution; /* of the caller; it must stay */
	enum distribution_kind kind;
	uint64_t count;
	double real_count; /* the same number */
	bool scattered;
	double power;	/* zipf: 1 - theta, or 0 if that is nearly 0; pareto: of a random number */
	double inverse; /* zipf: 1 / power */
	double from, span; /* zipf: where the inverted function begins, and how far it goes */
	double quick;	   /* zipf: a value this close below its rank is always accepted */
	struct order scatter;
};

/*
 * distribution: not every_block. count: 1 .. 2^53. Samplers with one seed and count have the same
 * hot blocks.
 */
void sampler_init(struct sampler *sampler, const struct distribution *distribution, uint64_t count,
		  uint64_t seed);

/* Draws a block, 0 .. count-1. state: of the generator in base/random.h. */
uint64_t sampler_draw(const struct sampler *sampler, uint64_t *state);

/* Draws a rank, 0 for the most visited block; for normal, zoned and uniform the block itself. */
uint64_t sampler_draw_rank(const struct sampler *sampler, uint64_t *state);

#endif
