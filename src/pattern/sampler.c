/* Draws blocks from a distribution. */
#include "pattern/sampler.h"

#include <math.h>

#include "base/random.h"

/* --- zipf ----------------------------------------------------------------------------------- */

/*
 * Rejection-inversion (W. Hörmann, G. Derflinger, ACM TOMACS 6(3), 1996). H is the integral of
 * h(x) = x^-theta; a uniform number between H(1.5) - h(1) and H(count + 0.5) is inverted and
 * rounded to a rank k, which is accepted if the number is at least H(k + 0.5) - h(k). Here H stands
 * without its factor 1 / power, as x^power or log x.
 */
static inline double integral(double power, double x)
{
	return power != 0 ? pow(x, power) : log(x);
}

static inline double invert(const struct sampler *sampler, double value)
{
	return exp(sampler->power != 0 ? log(value) * sampler->inverse : value);
}

/* H(k + 0.5) - h(k) in the same unit. */
static double accepted_from(const struct sampler *sampler, double k)
{
	double theta = sampler->distribution->parameter;
	double factor = sampler->power != 0 ? sampler->power : 1;

	return integral(sampler->power, k + 0.5) - factor * pow(k, -theta);
}

static void zipf_init(struct sampler *sampler)
{
	/* So close to 1 the ranks' probabilities differ by less than 1 in 10^4 from those of 1. */
	static const double nearly_one = 1e-6;
	double power = 1 - sampler->distribution->parameter;

	power = fabs(power) < nearly_one ? 0 : power;
	sampler->power = power;
	sampler->inverse = power != 0 ? 1 / power : 0;
	sampler->from = integral(power, 1.5) - (power != 0 ? power : 1);
	sampler->span = integral(power, (double)sampler->count + 0.5) - sampler->from;
	sampler->quick = 2 - invert(sampler, accepted_from(sampler, 2));
}

/* The slow test, which one draw in fifty needs. A negative power turns the order of values. */
static __attribute__((noinline)) bool zipf_accepts(const struct sampler *sampler, double value,
						   double rank)
{
	double least = accepted_from(sampler, rank);

	return sampler->power < 0 ? value <= least : value >= least;
}

static uint64_t zipf_draw(const struct sampler *sampler, uint64_t *state)
{
	for (;;) {
		double value = sampler->from + sampler->span * random_unit(state);
		double x = invert(sampler, value), rank = (double)(int64_t)(x + 0.5);

		if (rank < 1)
			rank = 1;
		else if (rank > sampler->real_count)
			rank = sampler->real_count;
		if (rank - x <= sampler->quick || zipf_accepts(sampler, value, rank))
			return (uint64_t)(int64_t)rank - 1;
	}
}

/* --- the others ----------------------------------------------------------------------------- */

/* The block that a share of the file, 0 to 1, lies in. */
static inline uint64_t block_at(const struct sampler *sampler, double share)
{
	uint64_t block = (uint64_t)(int64_t)(share * sampler->real_count);

	return block < sampler->count ? block : sampler->count - 1;
}

/* J. Gray et al., SIGMOD 1994: P(X < x) is a power of x, so that each part resembles the whole. */
static void pareto_init(struct sampler *sampler)
{
	double h = sampler->distribution->parameter;

	sampler->power = log(h) / log1p(-h);
}

/* Marsaglia's polar method; what lies outside the file is drawn again. */
static uint64_t normal_draw(const struct sampler *sampler, uint64_t *state)
{
	const double deviation = sampler->distribution->parameter;

	for (;;) {
		double a = 2 * random_unit(state) - 1, b = 2 * random_unit(state) - 1;
		double square = a * a + b * b, share;

		if (!(square > 0) || square >= 1)
			continue;
		share = 0.5 + deviation * a * sqrt(-2 * log(square) / square);
		if (share >= 0 && share < 1)
			return block_at(sampler, share);
	}
}

/* Inverts the cumulated shares, which are straight lines. */
static uint64_t zones_draw(const struct sampler *sampler, uint64_t *state)
{
	const struct zone *zone = sampler->distribution->zone;
	const struct zone *last = zone + sampler->distribution->zones - 1;
	double unit = random_unit(state), before = 0;

	while (zone < last && unit >= zone->accesses)
		before = zone++->accesses;
	return block_at(sampler,
			zone->begin + zone->size * (unit - before) / (zone->accesses - before));
}

/* --- all ------------------------------------------------------------------------------------ */

void sampler_init(struct sampler *sampler, const struct distribution *distribution, uint64_t count,
		  uint64_t seed)
{
	*sampler = (struct sampler){
		.distribution = distribution,
		.kind = distribution->kind,
		.count = count,
		.real_count = (double)count,
		.scattered = distribution_is_scattered(distribution),
	};
	order_init(&sampler->scatter, count, seed);
	if (distribution->kind == DISTRIBUTION_ZIPF)
		zipf_init(sampler);
	else if (distribution->kind == DISTRIBUTION_PARETO)
		pareto_init(sampler);
}

uint64_t sampler_draw_rank(const struct sampler *sampler, uint64_t *state)
{
	switch (sampler->kind) {
	case DISTRIBUTION_ZIPF:
		return zipf_draw(sampler, state);
	case DISTRIBUTION_PARETO:
		return block_at(sampler, pow(random_unit(state), sampler->power));
	case DISTRIBUTION_NORMAL:
		return normal_draw(sampler, state);
	case DISTRIBUTION_ZONED:
	case DISTRIBUTION_HOT:
		return zones_draw(sampler, state);
	default:
		return random_below(state, sampler->count);
	}
}

uint64_t sampler_draw(const struct sampler *sampler, uint64_t *state)
{
	uint64_t rank = sampler_draw_rank(sampler, state);

	return sampler->scattered ? order_at(&sampler->scatter, rank) : rank;
}
