/* Timeline of a phase in slices of equal length. */
#include "measure/timeline.h"

#include <math.h>
#include <string.h>

void timeline_init(struct timeline *timeline)
{
	memset(timeline, 0, sizeof(*timeline));
	timeline->width = TIMELINE_NARROWEST;
}

void timeline_reset(struct timeline *timeline)
{
	memset(timeline->slices, 0, timeline->count * sizeof(*timeline->slices));
	timeline->count = 0;
	timeline->width = TIMELINE_NARROWEST;
}

static void slice_merge(struct slice *into, const struct slice *from)
{
	into->bytes += from->bytes;
	into->due += from->due;
	into->late_ns += from->late_ns;
	into->unissued += from->unissued;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	for (unsigned i = 0; i < TIMELINE_BUCKETS; i++)
		into->buckets[i] += from->buckets[i];
}

/* Joins neighbours in place. Each slice is read before its memory is written. */
static void timeline_widen(struct timeline *timeline)
{
	uint32_t count = (timeline->count + 1) / 2;

	for (uint32_t i = 0; i < count; i++) {
		if (i)
			timeline->slices[i] = timeline->slices[2 * i];
		if (2 * i + 1 < timeline->count)
			slice_merge(&timeline->slices[i], &timeline->slices[2 * i + 1]);
	}
	memset(&timeline->slices[count], 0, (timeline->count - count) * sizeof(*timeline->slices));
	timeline->count = count;
	timeline->width++;
}

struct slice *timeline_enter(struct timeline *timeline, uint64_t after_ns)
{
	while (after_ns >> timeline->width >= TIMELINE_SLICES)
		timeline_widen(timeline);
	uint32_t number = (uint32_t)(after_ns >> timeline->width);

	if (timeline->count <= number)
		timeline->count = number + 1;
	return &timeline->slices[number];
}

void timeline_merge(struct timeline *into, const struct timeline *from)
{
	while (into->width < from->width)
		timeline_widen(into);
	uint32_t shift = into->width - from->width;

	for (uint32_t i = 0; i < from->count; i++)
		slice_merge(&into->slices[i >> shift], &from->slices[i]);
	if (from->count && into->count <= (from->count - 1) >> shift)
		into->count = ((from->count - 1) >> shift) + 1;
}

void timeline_skip(struct timeline *timeline, uint32_t count)
{
	uint32_t left = timeline->count > count ? timeline->count - count : 0;

	memmove(timeline->slices, &timeline->slices[timeline->count - left],
		left * sizeof(*timeline->slices));
	memset(&timeline->slices[left], 0, (timeline->count - left) * sizeof(*timeline->slices));
	timeline->count = left;
}

uint32_t timeline_fit(struct timeline *timeline, uint64_t length_ns, uint32_t most)
{
	uint32_t count;

	for (;; timeline_widen(timeline)) {
		count = (uint32_t)((length_ns - (length_ns > 0)) >> timeline->width) + 1;
		if (count < timeline->count)
			count = timeline->count;
		if (count <= most)
			return count;
	}
}

static uint64_t count_operations(const uint64_t buckets[TIMELINE_BUCKETS])
{
	uint64_t count = 0;

	for (unsigned i = 0; i < TIMELINE_BUCKETS; i++)
		count += buckets[i];
	return count;
}

uint64_t slice_operations(const struct slice *slice)
{
	return count_operations(slice->buckets);
}

uint64_t coarse_percentile(const uint64_t buckets[TIMELINE_BUCKETS], double q)
{
	uint64_t count = count_operations(buckets), seen = 0;
	uint64_t wanted = (uint64_t)ceil(q * (double)count - 1e-9);
	unsigned bucket = 0;

	if (count < histogram_needed(q))
		return 0;
	while ((seen += buckets[bucket]) < wanted)
		bucket++;
	uint64_t edge = histogram_edge(bucket << TIMELINE_COARSER);

	return edge + (histogram_edge((bucket + 1) << TIMELINE_COARSER) - edge) / 2;
}

uint64_t slice_percentile(const struct slice *slice, double q)
{
	uint64_t middle = coarse_percentile(slice->buckets, q);

	return middle < slice->max_ns ? middle : slice->max_ns;
}
