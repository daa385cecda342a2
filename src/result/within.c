/* How sure the rate of one phase is, from the phase alone. */
#include "result/result.h"

/* How many slices are over at a moment; rounded up: the number of the first one that begins after it. */
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

void within_fill(struct phase_result *result)
{
	const struct measure *measure = result->measure;
	const struct timeline *timeline = measure_timeline(measure);
	double rates[TIMELINE_SLICES];
	size_t count = 0;

	if (!phase_began(result) || measure->issue.first == UINT64_MAX)
		return;
	uint32_t first = slices_until(result, measure->issue.first, true);
	uint32_t end = slices_until(result, measure->completion.last, false);

	for (uint32_t i = first; i < end && i < TIMELINE_SLICES; i++)
		rates[count++] = (double)timeline->slices[i].bytes / phase_slice_seconds(result);
	result->within = batch_means_of(rates, count);
}
