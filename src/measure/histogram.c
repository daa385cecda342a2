/* Log-linear histogram of durations. */
#include "measure/histogram.h"

#include <math.h>
#include <string.h>

void histogram_init(struct histogram *histogram)
{
	memset(histogram, 0, sizeof(*histogram));
	histogram->min_ns = UINT64_MAX;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	if (!from->count)
		return;
	into->count += from->count;
	into->sum_ns += from->sum_ns;
	into->saturated += from->saturated;
	if (from->min_ns < into->min_ns)
		into->min_ns = from->min_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->buckets[i] += from->buckets[i];
}

/* The result is also defined for the index behind the last bucket. */
uint64_t histogram_edge(unsigned bucket)
{
	unsigned group = bucket >> HISTOGRAM_BITS;
	uint64_t within = bucket & ((1u << HISTOGRAM_BITS) - 1);

	if (group < 1)
		return within;
	return (within + (1u << HISTOGRAM_BITS)) << (group - 1);
}

void histogram_close(struct histogram *histogram, uint64_t min_ns, uint64_t max_ns)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		count += histogram->buckets[i];
	histogram->count = count;
	if (!count)
		return;
	histogram->min_ns = min_ns;
	histogram->max_ns = max_ns;
	/*
	 * Durations beyond the last edge saturate. The last bucket may also hold durations that
	 * belong there.
	 */
	histogram->saturated =
		max_ns >> HISTOGRAM_TOP ? histogram->buckets[HISTOGRAM_BUCKETS - 1] : 0;
}

void histogram_add(struct histogram *histogram, uint64_t ns)
{
	histogram_count(histogram, histogram_index(ns), ns);
	histogram->count++;
	if (ns < histogram->min_ns)
		histogram->min_ns = ns;
	if (ns > histogram->max_ns)
		histogram->max_ns = ns;
	if (ns >> HISTOGRAM_TOP)
		histogram->saturated++;
}

static uint64_t clamp(const struct histogram *histogram, uint64_t ns)
{
	if (ns < histogram->min_ns)
		return histogram->min_ns;
	return ns > histogram->max_ns ? histogram->max_ns : ns;
}

uint64_t histogram_percentile(const struct histogram *histogram, double q)
{
	uint64_t wanted = (uint64_t)ceil(q * (double)histogram->count - 1e-9);
	uint64_t seen = 0;

	if (!histogram->count)
		return 0;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		seen += histogram->buckets[i];
		if (seen >= wanted && histogram->buckets[i]) {
			uint64_t edge = histogram_edge(i);
			uint64_t width = histogram_edge(i + 1) - edge;

			/* Only the maximum is known of durations beyond the last edge. */
			if (i == HISTOGRAM_BUCKETS - 1 && histogram->saturated)
				break;
			return clamp(histogram, edge + width / 2);
		}
	}
	return histogram->max_ns;
}

uint64_t histogram_needed(double q)
{
	return (uint64_t)ceil(log(0.025) / log(q));
}

uint64_t histogram_known_percentile(const struct histogram *histogram, double q)
{
	return histogram->count >= histogram_needed(q) ? histogram_percentile(histogram, q) : 0;
}
