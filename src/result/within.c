/* Confidence interval of the rate of one phase, from the phase alone. */
#include "result/result.h"

#include <math.h>

/*
 * With fewer operations the rate depends on when they happen to end. A shorter phase shows only its
 * beginning.
 */
enum { OPERATIONS_LEAST = 30, SECONDS_LEAST = 1 };

/* Number of slices up to a moment, rounded down or, with `up`, up. */
static uint32_t slices_until(const struct phase_result *result, uint64_t at_ns, bool up)
{
	uint64_t begin_ns = result->measure->begin.first - result->slices_lead_ns;
	uint32_t width = measure_timeline(result->measure)->width;
	uint64_t past_ns = at_ns > begin_ns ? at_ns - begin_ns : 0;

	return (uint32_t)((past_ns + (up ? (UINT64_C(1) << width) - 1 : 0)) >> width);
}

double phase_slice_seconds(const struct phase_result *result)
{
	return width_seconds(measure_timeline(result->measure)->width);
}

/* Least number of slices in a batch; 0: nothing was done in the slices. */
static size_t batch_least(const struct timeline *timeline, uint32_t first, uint32_t end)
{
	uint64_t operations = 0;

	for (uint32_t i = first; i < end; i++)
		operations += slice_operations(&timeline->slices[i]);
	if (!operations)
		return 0;
	return (size_t)ceil((double)OPERATIONS_LEAST * (end - first) / (double)operations);
}

/*
 * Whole slices show how the rate varies. The mean is that of the phase, because the first and the
 * last slice are in no batch.
 */
void within_fill(struct phase_result *result)
{
	const struct measure *measure = result->measure;
	const struct timeline *timeline = measure_timeline(measure);
	double rates[TIMELINE_SLICES];
	size_t count = 0, least;

	if (!phase_began(result) || measure->issue.first == UINT64_MAX ||
	    result->seconds.transfer < SECONDS_LEAST || !(result->transfer_rate > 0))
		return;
	uint32_t first = slices_until(result, measure->issue.first, true);
	uint32_t end = slices_until(result, measure->completion.last, false);

	if (end > TIMELINE_SLICES)
		end = TIMELINE_SLICES;
	if (first >= end || !(least = batch_least(timeline, first, end)))
		return;
	for (uint32_t i = first; i < end; i++)
		rates[count++] = (double)timeline->slices[i].bytes / phase_slice_seconds(result);
	result->within = batch_means_of(rates, count, least);
	result->within.mean = result->transfer_rate;
}
