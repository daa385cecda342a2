/* The steady state of a run. */
#include "statistics/steady.h"

#include <math.h>

struct steady_state steady_state_of(const double *rates, size_t count)
{
	const double middle = (double)(count - 1) / 2;
	double sum = 0, least = rates[0], most = rates[0], products = 0, squares = 0;

	for (size_t i = 0; i < count; i++) {
		const double x = (double)i - middle;

		sum += rates[i];
		least = fmin(least, rates[i]);
		most = fmax(most, rates[i]);
		products += x * rates[i];
		squares += x * x;
	}
	const double mean = sum / (double)count;

	if (!(mean > 0))
		return (struct steady_state){0};
	return (struct steady_state){
		.mean = mean,
		.range = (most - least) / mean,
		.slope = products / squares * (double)(count - 1) / mean,
	};
}

bool steady_is_within(const struct steady_state *state, double range, double slope)
{
	return state->mean > 0 && (range < 0 || state->range <= range) &&
	       (slope < 0 || fabs(state->slope) <= slope);
}

void steady_window_clear(struct steady_window *window)
{
	window->count = 0;
}

void steady_window_add(struct steady_window *window, double rate)
{
	window->rates[window->count++ % window->size] = rate;
}

bool steady_window_state(const struct steady_window *window, struct steady_state *state)
{
	double rates[STEADY_MOST];

	if (window->count < window->size)
		return false;
	for (size_t i = 0; i < window->size; i++)
		rates[i] = window->rates[(window->count + i) % window->size];
	*state = steady_state_of(rates, window->size);
	return true;
}
