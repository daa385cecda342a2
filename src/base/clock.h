/*
 * Time in nanoseconds on this node's CLOCK_MONOTONIC axis, read from the TSC where the kernel itself
 * trusts it (9 ns a read instead of 18-25).
 *
 * clock_start() takes the first anchor; clock_calibrate() a second one at least some 20 ms later and
 * from both the TSC's rate; clock_anchor() renews the anchor between phases, so that the error of
 * the rate never adds up and tasks of one node stay on one axis.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/error.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#define CLOCK_HAS_TSC 1
#else
#define CLOCK_HAS_TSC 0
#endif

enum clock_source { CLOCK_SOURCE_AUTO, CLOCK_SOURCE_TSC, CLOCK_SOURCE_MONOTONIC };

struct clock {
	enum clock_source source; /* never AUTO once calibrated */
	uint64_t anchor_tsc;
	uint64_t anchor_ns;
	uint64_t multiplier; /* ns per TSC tick, 32.32 fixed point */
	uint64_t first_tsc;
	uint64_t first_ns;
	double cost_ns;      /* what one clock_now() costs, measured by clock_calibrate() */
	double disagreement; /* largest |TSC - CLOCK_MONOTONIC| / elapsed seen by clock_anchor() */
};

static inline uint64_t clock_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static inline uint64_t clock_now(const struct clock *clock)
{
#if CLOCK_HAS_TSC
	if (__builtin_expect(clock->source == CLOCK_SOURCE_TSC, 1)) {
		uint64_t ticks = __rdtsc() - clock->anchor_tsc;

		return clock->anchor_ns +
		       (uint64_t)(((unsigned __int128)ticks * clock->multiplier) >> 32);
	}
#endif
	return clock_monotonic_ns();
}

void clock_start(struct clock *clock);

/*
 * AUTO takes the TSC when the kernel's current clocksource is "tsc". Asking for the TSC where the
 * kernel does not use it is ERROR_INPUT. Sleeps up to 20 ms if clock_start() was more recent.
 */
int clock_calibrate(struct clock *clock, enum clock_source wanted, struct error *err);
void clock_anchor(struct clock *clock);
const char *clock_source_name(enum clock_source source);

#endif
