/* The record of a loop's operations, and the slices of time they lie in. */
#include "engine/core/tally.h"

void tally_start(struct tally *tally, struct worker *worker)
{
	struct timeline *timeline = measure_timeline(worker->measure);

	timeline_reset(timeline);
	worker->measure->counters = (struct counters){0};
	*tally = (struct tally){
		.min_ns = UINT64_MAX,
		.sequence = {.next = 1, .align_mask = worker->alignment - 1},
		.slice = timeline->slices,
		.worst = {.offset = UINT64_MAX},
		.worst_of_all = {.offset = UINT64_MAX},
	};
}

static void end_slice(struct tally *tally)
{
	if (tally->worst.ns > tally->slice->max_ns)
		tally->slice->max_ns = tally->worst.ns;
	if (tally->worst.ns > tally->worst_of_all.ns)
		tally->worst_of_all = tally->worst;
	tally->worst.ns = 0;
}

uint64_t tally_turn(struct worker *worker, struct tally *tally, uint64_t end_ns)
{
	struct timeline *timeline = measure_timeline(worker->measure);
	/* By this node's clock, another node's first task may have begun a little later. */
	uint64_t after_ns = end_ns > worker->slices_ns ? end_ns - worker->slices_ns : 0;

	end_slice(tally);
	tally->slice = timeline_enter(timeline, after_ns);
	tally->slice_until_ns = worker->slices_ns + timeline_end(timeline, tally->slice);
	return clock_now(worker->clock);
}

void tally_keep(struct worker *worker, struct tally *tally, struct operation_record *record)
{
	end_slice(tally);
	histogram_close(&record->histogram, tally->min_ns, tally->worst_of_all.ns);
	record->worst = tally->worst_of_all;
	record->worst.task = worker->task;
	record->worst.node = worker->node_number;
}
