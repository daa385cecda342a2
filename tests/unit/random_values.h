/* Random values of known distributions, for tests of statistics. */
#ifndef TESTS_RANDOM_VALUES_H
#define TESTS_RANDOM_VALUES_H

#include <math.h>
#include <stddef.h>

#include "base/random.h"

static inline double draw_uniform(uint64_t *state)
{
	return random_unit(state) + 0x1p-54; /* never 0 */
}

static inline double draw_normal(uint64_t *state)
{
	return sqrt(-2 * log(draw_uniform(state))) * cos(2 * M_PI * draw_uniform(state));
}

/* An autoregressive process of order 1 around `mean`, each value with that standard deviation. */
static inline void draw_followers(uint64_t *state, double correlation, double mean,
				  double deviation, double *values, size_t count)
{
	const double step = deviation * sqrt(1 - correlation * correlation);
	double off = deviation * draw_normal(state);

	for (size_t i = 0; i < count; i++) {
		values[i] = mean + off;
		off = correlation * off + step * draw_normal(state);
	}
}

enum clean_values { CLEAN_NORMAL, CLEAN_LOGNORMAL, CLEAN_UNIFORM };

/* Independent values around 100 with that standard deviation, as a share. */
static inline void draw_clean(uint64_t *state, enum clean_values kind, double deviation,
			      double *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (kind == CLEAN_NORMAL)
			values[i] = 100 * (1 + deviation * draw_normal(state));
		else if (kind == CLEAN_LOGNORMAL)
			values[i] = 100 * exp(deviation * draw_normal(state));
		else
			values[i] = 100 * (1 + deviation * sqrt(12) * (draw_uniform(state) - 0.5));
}

#endif
