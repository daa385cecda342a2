/*
 * Timeline of a phase in slices of equal length. Each slice has the bytes, the longest service time
 * and a small histogram of the transfers that completed in it. Of operations at a rate it also has
 * those that were due in it.
 *
 * A slice is 2^width ns. When the last one is full, neighbours are joined and slices become twice
 * as wide, so memory is the same for any length of run. All tasks count from one origin, so slices
 * of two tasks begin at the same moments. Merging is exact and independent of the order.
 */
#ifndef MEASURE_TIMELINE_H
#define MEASURE_TIMELINE_H

#include "measure/histogram.h"

enum {
	TIMELINE_SLICES = 200,
	TIMELINE_NARROWEST = 17, /* width at first: 131 us */
	TIMELINE_COARSER = 4,	 /* a slice joins 2^4 buckets of the histogram: 8 per power of 2 */
	TIMELINE_BUCKETS = HISTOGRAM_BUCKETS >> TIMELINE_COARSER,
};

/* Length in seconds of a slice of `width`. */
static inline double width_seconds(uint32_t width)
{
	return (double)(UINT64_C(1) << width) / 1e9;
}

struct slice {
	uint64_t bytes;
	uint64_t max_ns;
	uint64_t due;	   /* operations at a rate that were due in the slice and issued at all */
	uint64_t late_ns;  /* sum of the times from then to their issue */
	uint64_t unissued; /* further operations that were due in the slice */
	uint64_t buckets[TIMELINE_BUCKETS];
};

struct timeline {
	uint32_t width; /* a slice is 2^width ns */
	uint32_t count; /* slices up to the last one entered; all behind it are zero */
	struct slice slices[TIMELINE_SLICES];
};

/* Writes the whole timeline, so that no page fault falls into a phase. */
void timeline_init(struct timeline *timeline);
/* Clears the used slices of a timeline that was initialised before. */
void timeline_reset(struct timeline *timeline);

/* The slice of a moment after the origin. Slices are widened until the moment has one. */
struct slice *timeline_enter(struct timeline *timeline, uint64_t after_ns);

/*
 * Counts an operation that was due so long after the origin and issued, when the slice of a later
 * moment has been entered.
 */
static inline void timeline_count_due(struct timeline *timeline, uint64_t after_ns,
				      uint64_t late_ns)
{
	struct slice *slice = &timeline->slices[after_ns >> timeline->width];

	slice->due++;
	slice->late_ns += late_ns;
}

/* The moment after the origin at which a slice of the timeline ends. */
static inline uint64_t timeline_end(const struct timeline *timeline, const struct slice *slice)
{
	return (uint64_t)(slice - timeline->slices + 1) << timeline->width;
}

/* Counts one transfer; `bucket` is its histogram_index(). */
static inline void slice_count(struct slice *slice, unsigned bucket)
{
	slice->buckets[bucket >> TIMELINE_COARSER]++;
}

/* The last slice in use. */
static inline struct slice *timeline_last(struct timeline *timeline)
{
	return &timeline->slices[timeline->count - 1];
}

void timeline_merge(struct timeline *into, const struct timeline *from);
/* Drops the first `count` slices, which must be empty. */
void timeline_skip(struct timeline *timeline, uint32_t count);
/*
 * Joins slices until `most` of them cover a phase of `length_ns`. Returns the number of slices of
 * the phase.
 */
uint32_t timeline_fit(struct timeline *timeline, uint64_t length_ns, uint32_t most);

uint64_t slice_operations(const struct slice *slice);
/* As histogram_percentile(), within 6 %; 0 where there are too few operations. */
uint64_t coarse_percentile(const uint64_t buckets[TIMELINE_BUCKETS], double q);
/* The same, and at most the longest service time. */
uint64_t slice_percentile(const struct slice *slice, double q);

#endif
