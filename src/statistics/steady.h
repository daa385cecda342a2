/*
 * The steady state of a run: how little the rates of its last intervals differ. Pure arithmetic.
 */
#ifndef STATISTICS_STEADY_H
#define STATISTICS_STEADY_H

#include <stdbool.h>
#include <stddef.h>

enum { STEADY_LEAST = 3, STEADY_MOST = 1000 }; /* intervals of a window */

/* Range and slope are shares of the mean rate. */
struct steady_state {
	double mean;
	double range; /* largest minus smallest rate */
	double slope; /* change of the fitted line over the window; negative: it falls */
};

/* count: STEADY_LEAST at least; rates of intervals of one length, the oldest first. */
struct steady_state steady_state_of(const double *rates, size_t count);

/*
 * True if range and slope, up or down, are at most these; negative: no such bound. A window in
 * which nothing was done is not steady.
 */
bool steady_is_within(const struct steady_state *state, double range, double slope);

/* The last `size` rates of a run. */
struct steady_window {
	size_t size, count; /* count: rates added since the last steady_window_clear() */
	double rates[STEADY_MOST];
};

void steady_window_clear(struct steady_window *window);
void steady_window_add(struct steady_window *window, double rate);
/* True once the window is full; *state is then valid. */
bool steady_window_state(const struct steady_window *window, struct steady_state *state);

#endif
