/* Stores a phase's times of one task: stamps, input of rates and means, the task's row. */
#include "engine/core/stamps.h"

/*
 * For a task that only waited while other tasks did its operations. Its begin does not count as the
 * begin of the work, but its node's sync and close do.
 */
static void keep_last_stamps(struct worker *worker, const struct stamps *stamps)
{
	struct measure *measure = worker->measure;

	measure->slices_ns = worker_common_ns(worker, worker->slices_ns);
	if (!measure->syncs_at_end)
		return;
	extent_add(&measure->sync_end, worker_common_ns(worker, stamps->sync_end_ns));
	extent_add(&measure->close_end, worker_common_ns(worker, stamps->close_end_ns));
}

/* Stores values of a task that had operations to do. */
static void keep_work(struct worker *worker, const struct phase_plan *phase,
		      const struct stamps *stamps)
{
	struct measure *measure = worker->measure;
	const uint64_t from_ns = stamps->counted_ns ? stamps->counted_ns : stamps->begin_ns;
	double seconds = (double)(stamps->done_ns - from_ns) / 1e9;

	extent_add(&measure->issue, worker_common_ns(worker, stamps->loop.first_issue_ns));
	extent_add(&measure->completion, worker_common_ns(worker, stamps->loop.last_completion_ns));
	extent_add(&measure->wall, worker_common_ns(worker, worker->wall_ns));
	extent_add(&measure->done, worker_common_ns(worker, stamps->done_ns));
	measure->rate_sum = seconds > 0 ? measure_amount(measure, phase->kind) / seconds : 0;
	measure->time_sum = measure->time_most = seconds;
}

/* A task without transfers opens and closes all the same, as the others may wait for it. */
static void keep_stamps(struct worker *worker, const struct stamps *stamps)
{
	struct measure *measure = worker->measure;

	measure->slices_ns = worker_common_ns(worker, worker->slices_ns);
	extent_add(&measure->begin, worker_common_ns(worker, stamps->begin_ns));
	extent_add(&measure->open_end, worker_common_ns(worker, stamps->open_end_ns));
	if (measure->syncs_at_end || worker->plan->test->fsync_per_write)
		extent_add(&measure->sync_end, worker_common_ns(worker, stamps->sync_end_ns));
	extent_add(&measure->close_end, worker_common_ns(worker, stamps->close_end_ns));
	for (unsigned i = 0; i < measure->record_count; i++)
		measure->records[i].worst.at_ns =
			worker_common_ns(worker, measure->records[i].worst.at_ns);
}

static uint64_t common_or_none(const struct worker *worker, uint64_t at_ns)
{
	return at_ns ? worker_common_ns(worker, at_ns) : 0;
}

/*
 * Shows the pace (seconds per transfer) to the tasks of the node. The node's first task reports
 * slow ones.
 */
static void show_pace(struct worker *worker, const struct stamps *stamps)
{
	const struct task_row *row = &worker->row;
	bool has_pace = stamps->has_pace && row->transfers;
	double pace = has_pace ? (double)row->own_ns / 1e9 / (double)row->transfers : 0;

	atomic_store(&worker->node->own->pace, pace);
}

static void keep_row(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		     const struct stamps *stamps)
{
	const struct measure *measure = worker->measure;
	const struct histogram *transfers =
		&measure_record(measure, phase_operation(phase->kind))->histogram;
	bool synced = measure->syncs_at_end || worker->plan->test->fsync_per_write;

	worker->row = (struct task_row){
		.source = source,
		.own_ns = stamps->own_ns,
		.task = worker->task,
		.node = worker->node_number,
		.failed = worker_failed(worker),
		.stopped = worker->stopped,
		.begin_ns = common_or_none(worker, stamps->begin_ns),
		.open_end_ns = common_or_none(worker, stamps->open_end_ns),
		.first_issue_ns = common_or_none(worker, stamps->loop.first_issue_ns),
		.last_completion_ns = common_or_none(worker, stamps->loop.last_completion_ns),
		.sync_end_ns = synced ? common_or_none(worker, stamps->sync_end_ns) : 0,
		.close_end_ns = common_or_none(worker, stamps->close_end_ns),
		.bytes = measure->bytes,
		.transfers =
			phase_counts_entries(phase->kind) ? measure->entries : transfers->count,
		.calls = transfers->count,
		.sum_ns = transfers->sum_ns,
		.min_ns = transfers->count ? transfers->min_ns : 0,
		.max_ns = transfers->max_ns,
		.clock_offset_ns = node_time_offset(worker->node->shared->times, stamps->begin_ns),
		.clock_residual_ns = node_time_residual(worker->node->shared->times),
	};
}

static void keep_task(struct worker *worker, const struct phase_plan *phase,
		      const struct stamps *stamps)
{
	struct measure *measure = worker->measure;

	measure->tasks = 1;
	measure->idle_tasks = !stamps->works;
	task_p99_set(&measure->task_p99,
		     &measure_record(measure, phase_operation(phase->kind))->histogram,
		     worker->task, worker->node_number);
	measure->slowest_task = worker->task;
	measure->slowest_node = worker->node_number;
	measure->bytes_expected = worker->available * worker->plan->transfer_bytes;
	measure->least_bytes = measure->most_bytes = measure->bytes;
	measure->failed_tasks = worker_failed(worker);
	measure->stopped_tasks = worker->stopped;
	measure->scheduled_starts = worker->start.scheduled;
	measure->late_starts = worker->start.late;
	measure->clock_residual_ns = node_time_residual(worker->node->shared->times);
	measure->clock_drift_ns = node_time_drift(worker->node->shared->times);
	measure->clock_disagreement = worker->clock->disagreement;
	measure->clock_cost_ns = worker->clock->cost_ns;
}

void stamps_keep(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		 const struct stamps *stamps)
{
	if (stamps->takes_part)
		keep_stamps(worker, stamps);
	else
		keep_last_stamps(worker, stamps);
	if (stamps->works)
		keep_work(worker, phase, stamps);
	keep_task(worker, phase, stamps);
	keep_row(worker, phase, source, stamps);
	show_pace(worker, stamps);
}
