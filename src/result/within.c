/* How sure the rate of one phase is, from the phase alone. */
#include "result/result.h"

#include <math.h>

/*
 * With fewer operations in a slice its rate depends on when they happen to end. A shorter phase
 * shows only its beginning.
 */
enum { OPERATIONS_LEAST = 15, SECONDS_LEAST = 1 };

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

/* Number of slices to join, so that they have enough operations; 0: nothing was done in them. */
static size_t slices_to_join(const struct timeline *timeline, uint32_t first, uint32_t end)
{
	uint64_t operations = 0;

	for (uint32_t i = first; i < end; i++)
		operations += slice_operations(&timeline->slices[i]);
	if (!operations)
		return 0;
	return (size_t)ceil((double)OPERATIONS_LEAST * (end - first) / (double)operations);
}

/* Joins slices from `first` on and returns how many values that makes; a rest is left out. */
static size_t join_slices(const struct phase_result *result, uint32_t first, uint32_t end,
			  size_t join, double *rates)
{
	const struct slice *slices = &measure_timeline(result->measure)->slices[first];
	const double seconds = phase_slice_seconds(result) * (double)join;
	const size_t count = (end - first) / join;

	for (size_t i = 0; i < count; i++) {
		double bytes = 0;

		for (size_t k = 0; k < join; k++)
			bytes += (double)slices[i * join + k].bytes;
		rates[i] = bytes / seconds;
	}
	return count;
}

/*
 * Whole slices show how the rate varies. The mean is that of the phase, because the first and the
 * last slice are left out.
 */
void within_fill(struct phase_result *result)
{
	const struct measure *measure = result->measure;
	struct within *within = &result->within;
	double rates[TIMELINE_SLICES];
	size_t join;

	if (!phase_began(result) || measure->issue.first == UINT64_MAX ||
	    result->seconds.transfer < SECONDS_LEAST || !(result->transfer_rate > 0))
		return;
	uint32_t first = slices_until(result, measure->issue.first, true);
	uint32_t end = slices_until(result, measure->completion.last, false);

	if (end > TIMELINE_SLICES)
		end = TIMELINE_SLICES;
	if (first >= end || !(join = slices_to_join(measure_timeline(measure), first, end)))
		return;
	within->run = run_mean_of(rates, join_slices(result, first, end, join, rates));
	within->run.mean = result->transfer_rate;
	within->run.begin = fmax(within->run.begin, 0);
	within->run.end = fmax(within->run.end, 0);
	within->slice_seconds = phase_slice_seconds(result) * (double)join;
	within->change_seconds = phase_slice_seconds(result) * first +
				 within->slice_seconds * (double)within->run.change -
				 (double)result->slices_lead_ns / 1e9;
}
