/*
 * Time in nanoseconds on this node's CLOCK_MONOTONIC axis, read from the processor's counter where
 * the kernel itself uses it: the TSC of x86-64 (9 ns a read instead of 18-25), cntvct_el0 of
 * aarch64.
 *
 * clock_start() takes the first anchor; clock_calibrate() a second one at least some 20 ms later
 * and from both the counter's rate; clock_anchor() renews the anchor between phases, so that the
 * error of the rate never adds up and tasks of one node stay on one axis.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/error.h"

/* The kernel's clocksource name of the counter, "" where there is none. */
#if defined(__x86_64__)
#include <x86intrin.h>
#define CLOCK_COUNTER "tsc"
static inline uint64_t clock_read_counter(void)
{
	return __rdtsc();
}
#elif defined(__aarch64__)
#define CLOCK_COUNTER "arch_sys_counter"
static inline uint64_t clock_read_counter(void)
{
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}
#else
#define CLOCK_COUNTER ""
static inline uint64_t clock_read_counter(void)
{
	return 0;
}
#endif

enum clock_source { CLOCK_SOURCE_AUTO, CLOCK_SOURCE_TSC, CLOCK_SOURCE_MONOTONIC };

struct clock {
	enum clock_source source; /* never AUTO once calibrated */
	uint64_t anchor_tsc;
	uint64_t anchor_ns;
	uint64_t multiplier; /* ns per tick of the counter, 32.32 fixed point */
	uint64_t first_tsc;
	uint64_t first_ns;
	double cost_ns; /* cost of one clock_now(), measured by clock_calibrate() */
	/* largest |counter - CLOCK_MONOTONIC| / elapsed seen by clock_anchor() */
	double disagreement;
};

static inline uint64_t clock_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static inline uint64_t clock_now(const struct clock *clock)
{
	if (__builtin_expect(clock->source == CLOCK_SOURCE_TSC, 1)) {
		uint64_t ticks = clock_read_counter() - clock->anchor_tsc;

		return clock->anchor_ns +
		       (uint64_t)(((unsigned __int128)ticks * clock->multiplier) >> 32);
	}
	return clock_monotonic_ns();
}

void clock_start(struct clock *clock);

/*
 * AUTO takes the counter when it is the kernel's current clocksource. Asking for the counter where
 * the kernel does not use it is ERROR_INPUT. Sleeps up to 20 ms if clock_start() was more recent.
 */
int clock_calibrate(struct clock *clock, enum clock_source wanted, struct error *err);
void clock_anchor(struct clock *clock);
const char *clock_source_name(enum clock_source source);

#endif
