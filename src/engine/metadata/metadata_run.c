/* A metadata phase's timed part on one task, up to the stonewall and after it. */
#include "engine/core/loop.h"
#include "engine/metadata/metadata.h"
#include "engine/metadata/metadata_loop.h"
#include "engine/metadata/metadata_state.h"
#include "engine/metadata/tolerate.h"

/* Runs outside the timed part: the first item, at the spare name, takes the free name. */
static void close_ring(struct name_loop *loop)
{
	struct worker *worker = loop->worker;
	struct naming *names = &loop->names;
	struct error err = {0}, why = {0};
	int ret;

	if (loop->call != CALL_RENAME)
		return;
	ret = naming_close_ring(names, loop->done, &why);
	if (ret > 0)
		ret = worker->backend->rename(worker->session, names->directory, names->name,
					      names->new_directory, names->new_name, &why);
	if (!ret)
		return;
	error_set(&err, why.code, "%.400s; the item that was renamed first keeps this name",
		  why.text);
	metadata_loop_tolerate(loop, names->spare, &err);
}

static void metadata_run_keep(struct name_loop *loop, enum phase_kind kind)
{
	const enum item_call call = loop->call;
	struct worker *worker = loop->worker;
	struct measure *measure = worker->measure;
	struct operation_record *record = measure_record(measure, loop->operation);
	const struct metadata *test = worker->trees->metadata;

	tally_keep(worker, &loop->tally, record);
	measure->expected_operations = worker->available;
	tolerate_end(worker, record->histogram.count);
	measure->least_transfers = measure->most_transfers = record->histogram.count;
	if (phase_traits[kind].makes_entries)
		worker->metadata->entries_there += record->histogram.count;
	if (phase_traits[kind].removes_entries)
		worker->metadata->entries_there -= record->histogram.count;
	measure->content_ns = loop->tally.content_ns;
	if (loop->times.own_ns)
		measure->content_share_most =
			(double)measure->content_ns / (double)loop->times.own_ns;
	if (call == CALL_CREATE_DATA)
		record->bytes = record->histogram.count * test->write_bytes;
	if (call == CALL_READ_DATA || call == CALL_READ_COMPARED)
		record->bytes = record->histogram.count * test->read_bytes;
	measure->bytes = record->bytes;
}

static void metadata_run_start(struct name_loop *loop, const struct phase_plan *phase,
			       uint32_t owner, uint64_t repetition, uint64_t count)
{
	loop->done = 0;
	loop->count = count;
	naming_start(&loop->names, loop->worker, phase, owner, repetition, count);
}

static void metadata_run_run(struct name_loop *loop)
{
	if (loop->queued)
		metadata_queued_run(loop);
	else
		metadata_loop_run(loop);
}

/* Agrees after the stonewall. Returns the count of the fastest task; 0: all tasks end. */
static uint64_t most_of_all(struct name_loop *loop)
{
	struct worker *worker = loop->worker;
	bool ends = worker_failed(worker) || worker->stopped || worker->metadata->incomplete;
	uint64_t numbers[] = {loop->done, ends};

	node_set_activity(worker->node, ACTIVITY_WAITING);
	comm_most_of_late(&worker->crew->comm, numbers, 2, worker->idle);
	node_set_activity(worker->node, ACTIVITY_METADATA);
	return numbers[1] ? 0 : numbers[0];
}

/*
 * Wear-out, inside the timed part: goes on to the count that the fastest task had at the stonewall.
 */
static void wear_out(struct name_loop *loop)
{
	struct worker *worker = loop->worker;
	const struct test *test = worker->trees->test;
	double limit = test->wear_out_limit > 0 ? test->wear_out_limit : 10 * test->stonewall;
	struct measure *measure = worker->measure;
	bool was_cut = worker->time_is_up && loop->done < loop->count;
	bool goes_on = was_cut || !loop->left;
	uint64_t most;

	worker->wall_ns = loop->times.last_completion_ns;
	measure->wall_bytes = measure->wall_least = measure->wall_most = loop->done;
	measure->walled_tasks = was_cut;
	most = most_of_all(loop);
	if (!goes_on || loop->done >= most)
		return;
	if (most < loop->count)
		loop->count = most;
	worker->time_is_up = false;
	worker->poll_at_ns = clock_now(worker->clock);
	worker->until_ns = worker->poll_at_ns + (uint64_t)(limit * 1e9);
	metadata_run_run(loop);
	measure->unworn_tasks = loop->done < loop->count;
}

static bool has_wall(const struct worker *worker, enum phase_kind kind)
{
	return worker->trees->test->stonewall > 0 && phase_creates_items(kind);
}

/* Task 0 runs the phase for all tasks, one owner after the other. */
static void run_for_all(struct name_loop *loop, const struct phase_plan *phase, uint64_t repetition)
{
	const struct plan *plan = loop->worker->trees;

	for (uint32_t owner = 0; owner < plan->map.tasks; owner++) {
		uint64_t count = plan_items_among(plan, loop->worker->available, owner);

		metadata_run_start(loop, phase, owner, repetition, count);
		metadata_run_run(loop);
		if (loop->left)
			return;
	}
}

void metadata_run(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		  uint64_t repetition, struct loop_times *times)
{
	struct name_loop loop = {
		.worker = worker,
		.call = item_call_of(worker->trees->metadata, phase_operation(phase->kind)),
		.operation = phase_operation(phase->kind),
		.queued = phase->queue_depth > 1,
	};

	if (phase->kind == PHASE_TREE_CREATE)
		worker->metadata->entries_there = 0;
	tally_start(&loop.tally, worker);
	node_set_activity(worker->node, ACTIVITY_METADATA);
	if (has_wall(worker, phase->kind))
		worker->until_ns =
			clock_now(worker->clock) + (uint64_t)(worker->trees->test->stonewall * 1e9);
	if (metadata_is_collective(worker->trees, phase->kind)) {
		run_for_all(&loop, phase, repetition);
	} else {
		metadata_run_start(&loop, phase, source, repetition, worker->available);
		metadata_run_run(&loop);
	}
	if (!loop.times.first_issue_ns)
		loop.times.first_issue_ns = loop.times.last_completion_ns =
			clock_now(worker->clock);
	worker->wall_ns = loop.times.last_completion_ns;
	if (has_wall(worker, phase->kind) && !metadata_is_collective(worker->trees, phase->kind))
		wear_out(&loop);
	*times = loop.times;
	close_ring(&loop);
	metadata_run_keep(&loop, phase->kind);
	if (phase_creates_items(phase->kind))
		worker->written = worker->metadata->made[metadata_item(phase->kind)] =
			loop.tally.done;
}
