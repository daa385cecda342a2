/* Chooses the loop for a data phase, and stores what it measured. */
#include "engine/data/transfers.h"

#include "engine/data/data_state.h"
#include "engine/data/transfer_loop.h"

static enum filling choose_filling(const struct worker *worker, enum access access)
{
	if (measure_verification(worker->measure))
		return FILLING_COMPARED;
	if (access != ACCESS_WRITE || !worker->buffer.bytes)
		return FILLING_NONE;
	/*
	 * A clock reading that costs over half of the filling it separates disturbs more than it
	 * tells.
	 */
	return worker->stamp_ns < 2 * worker->clock->cost_ns ? FILLING_UNTIMED : FILLING_TIMED;
}

bool transfers_agree(const struct worker *worker)
{
	const struct test *test = worker->plan->test;

	return worker->plan->geometry.shared &&
	       (test->collective || (test->fsync_per_write && worker->backend->sync_together));
}

void transfers_start(struct transfers *transfers, struct worker *worker, enum access access,
		     uint32_t source)
{
	worker->data->missing = worker->data->damage.what.length = 0;
	*transfers = (struct transfers){
		.worker = worker,
		.setup =
			{
				.access = access,
				.source = source,
				.random = worker->plan->order != ORDER_SEQUENTIAL,
				.filling = choose_filling(worker, access),
				.syncs = access == ACCESS_WRITE &&
					 worker->plan->test->fsync_per_write,
			},
	};
	tally_start(&transfers->tally, worker);
}

void transfers_run(struct transfers *transfers, const struct span *span)
{
	struct worker *worker = transfers->worker;
	loop_runner *run = worker->data->queue	     ? queued_run
			   : transfers_agree(worker) ? collective_run
						     : synchronous_run;
	const struct loop_times before = transfers->times;
	struct loop_times *times = &transfers->times;

	transfers->setup.span = *span;
	node_set_activity(worker->node, ACTIVITY_TRANSFER);
	*times = (struct loop_times){0};
	run(worker, &transfers->setup, &transfers->tally, times);
	times->own_ns = before.own_ns + times->last_completion_ns - times->first_issue_ns -
			times->waited_ns;
	if (before.first_issue_ns)
		times->first_issue_ns = before.first_issue_ns;
}

/* Bytes missing from compared reads are already subtracted from the slices. */
static void keep_slices(const struct worker *worker, struct timeline *timeline)
{
	const struct node_map *map = &worker->plan->map;

	for (uint32_t i = 0; i < timeline->count; i++)
		timeline->slices[i].bytes +=
			slice_operations(&timeline->slices[i]) * worker->plan->transfer_bytes;
	heatmap_set(measure_heatmap(worker->measure),
		    node_map_position(map, worker->task) / heatmap_joined(map->tasks), timeline);
}

static void keep_calls(struct transfers *transfers)
{
	struct worker *worker = transfers->worker;
	struct counters *counters = &worker->measure->counters;
	const struct tally *tally = &transfers->tally;
	struct access_counters *of = counters_of(counters, transfers->setup.access);

	counters_add_calls(counters, of, worker->plan->transfer_bytes,
			   tally->done - tally->irregular);
	of->consecutive = tally->sequence.consecutive;
	of->sequential = tally->sequence.sequential;
	of->most = tally->sequence.most;
	counters->misaligned = tally->sequence.misaligned;
}

void transfers_keep(struct transfers *transfers)
{
	struct worker *worker = transfers->worker;
	struct measure *measure = worker->measure;
	struct tally *tally = &transfers->tally;
	uint64_t span_ns = transfers->times.last_completion_ns - transfers->times.first_issue_ns;

	if (transfers->setup.filling == FILLING_UNTIMED)
		measure->content_inside_ns = tally->content_ns =
			(uint64_t)((double)tally->done * worker->stamp_ns);
	tally_keep(worker, tally, measure_record(measure, operation_of(transfers->setup.access)));
	keep_slices(worker, measure_timeline(measure));
	keep_calls(transfers);
	measure->bytes = tally->done * worker->plan->transfer_bytes;
	if (measure_verification(measure))
		measure->bytes -= measure_verification(measure)->missing_bytes;
	measure_record(measure, operation_of(transfers->setup.access))->bytes = measure->bytes;
	measure->content_ns = tally->content_ns;
	measure->transfer_ns = span_ns;
	measure->content_share_most = span_ns ? (double)tally->content_ns / (double)span_ns : 0;
}
