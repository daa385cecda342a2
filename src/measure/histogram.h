/*
 * Log-linear histogram of durations: 128 buckets per power of two, 1 ns to 2^42 ns (73 min),
 * relative error at most 1/256 (0.39 %) at the middle of a bucket. Merging is addition: exact, in
 * any order.
 */
#ifndef MEASURE_HISTOGRAM_H
#define MEASURE_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

enum {
	HISTOGRAM_BITS = 7, /* 2^7 buckets per power of two */
	HISTOGRAM_TOP = 42, /* first power of two that saturates */
	HISTOGRAM_BUCKETS = (HISTOGRAM_TOP - HISTOGRAM_BITS + 1) << HISTOGRAM_BITS,
};

struct histogram {
	uint64_t count;
	uint64_t sum_ns;
	uint64_t min_ns; /* UINT64_MAX while empty */
	uint64_t max_ns;
	uint64_t saturated; /* durations beyond the last bucket, counted in it and in count */
	uint64_t buckets[HISTOGRAM_BUCKETS];
};

void histogram_init(struct histogram *histogram);
void histogram_merge(struct histogram *into, const struct histogram *from);

static inline unsigned histogram_index(uint64_t ns)
{
	if (ns >> HISTOGRAM_BITS == 0)
		return (unsigned)ns;
	unsigned power = 63 - (unsigned)__builtin_clzll(ns);

	if (power >= HISTOGRAM_TOP)
		return HISTOGRAM_BUCKETS - 1;
	unsigned shift = power - HISTOGRAM_BITS;

	return (shift << HISTOGRAM_BITS) + (unsigned)(ns >> shift);
}

/* Lower edge of a bucket, ns; the bucket ends below the next one's edge. */
uint64_t histogram_edge(unsigned bucket);

/*
 * Adds to the bucket and the sum only. The caller's loop keeps count, min and max: see
 * histogram_close().
 */
static inline void histogram_count(struct histogram *histogram, unsigned bucket, uint64_t ns)
{
	histogram->buckets[bucket]++;
	histogram->sum_ns += ns;
}

/*
 * Sets count and saturated from the buckets and stores the extremes. Call it after the last
 * histogram_count().
 */
void histogram_close(struct histogram *histogram, uint64_t min_ns, uint64_t max_ns);

/* Adds one value and keeps all members up to date. Meant for events that happen once per phase. */
void histogram_add(struct histogram *histogram, uint64_t ns);

/*
 * The smallest recorded duration that at least q of all operations did not exceed (upper rank), as
 * the middle of its bucket, clamped to [min, max]; 0 when empty. 0 < q <= 1.
 */
uint64_t histogram_percentile(const struct histogram *histogram, double q);

/*
 * Number of operations needed before a percentile may be printed: ln(0.025) / ln(q). With so many,
 * some operation lies above the percentile with 97.5 % probability. p90 36, p95 72, p99 368, p99.9
 * 3688. Hoefler and Belli, SC'15.
 */
uint64_t histogram_needed(double q);

/* histogram_percentile(), or 0 where fewer operations than histogram_needed(q) were recorded. */
uint64_t histogram_known_percentile(const struct histogram *histogram, double q);

#endif
