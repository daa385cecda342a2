/* One phase of one repetition on one task. */
#include "engine/phase.h"

#include <string.h>

#include "comm/offsets.h"
#include "engine/arrived.h"
#include "engine/checking.h"
#include "engine/cold.h"
#include "engine/command.h"
#include "engine/counting.h"
#include "engine/files.h"
#include "engine/find.h"
#include "engine/learn.h"
#include "engine/metadata.h"
#include "engine/mix.h"
#include "engine/parts.h"
#include "engine/prefill.h"
#include "measure/fold.h"
#include "measure/kernel.h"

/* A task's stamps, on this node's clock. */
struct stamps {
	uint64_t begin_ns, open_end_ns;
	struct loop_times loop;
	uint64_t sync_begin_ns, sync_end_ns, close_begin_ns, close_end_ns;
};

struct measure *phase_measure_create(const struct plan *plan, const struct phase_plan *phase)
{
	enum operation operations[OPERATIONS] = {phase_operation(phase->kind)};
	unsigned count = 0;
	bool writes = phase->access == ACCESS_WRITE;

	if (phase->kind == PHASE_FIND || phase->kind == PHASE_MIX)
		operations[++count] = OPERATION_STAT;
	if (phase->kind == PHASE_MIX) {
		operations[++count] = OPERATION_CREATE;
		operations[++count] = OPERATION_OPEN_CLOSE;
		operations[++count] = OPERATION_REMOVE;
		operations[++count] = OPERATION_RESPONSE;
	}
	if (phase_is_metadata(phase->kind))
		return measure_create(operations, count + 1);

	operations[count++] = OPERATION_OPEN;
	if (writes && plan->backend->define_ns)
		operations[count++] = OPERATION_DEFINE;
	operations[count++] = phase_operation(phase->kind);
	if (writes && (plan->test->fsync || plan->test->fsync_per_write))
		operations[count++] = OPERATION_SYNC;
	operations[count++] = OPERATION_CLOSE;
	return phase->checks ? measure_create_checking(operations, count) :
			       measure_create(operations, count);
}

static void record_once(struct worker *worker, enum operation operation, uint64_t start_ns,
			uint64_t end_ns)
{
	measure_add(measure_record(worker->measure, operation), end_ns - start_ns, end_ns, UINT64_MAX,
		    worker->task, worker->node_number);
	if (!worker->table)
		return;
	if (!operation_table_has_room(worker->table, 1))
		operation_table_write(worker->table);
	operation_table_add(worker->table, operation, start_ns, end_ns, UINT64_MAX, 0);
}

struct open_watcher {
	struct worker *worker;
};

static void open_failing(struct open_watcher *watcher, const struct error *err)
{
	worker_fail(watcher->worker, err, "open", UINT64_MAX, 0);
}

static uint64_t open_file(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			  uint64_t start_ns)
{
	struct backend_open how = worker_open_shared(worker, phase->access, source);
	bool writes = phase->access == ACCESS_WRITE;
	struct open_watcher watcher = {worker};
	struct error err = {0};

	how.create = writes;
	how.failing = open_failing;
	how.watcher = &watcher;
	memset((void *)worker->file, 0, worker->backend->file_size);
	worker->file_entered = true;
	node_say(worker->node, ACTIVITY_OPEN);
	int ret = worker->backend->open(worker->session, worker->file, &how, &err);
	uint64_t end_ns = clock_now(worker->clock);

	if (ret) {
		worker_fail(worker, &err, "open", UINT64_MAX, 0);
		return end_ns;
	}
	worker->file_open = true;
	worker->made_file |= writes;
	record_once(worker, OPERATION_OPEN, start_ns, end_ns);
	if (writes && worker->backend->define_ns)
		record_once(worker, OPERATION_DEFINE,
			    end_ns - worker->backend->define_ns(worker->file), end_ns);
	return end_ns;
}

/* Once stopped nobody needs it, and it could take far longer than a stop may. */
static bool may_sync(struct worker *worker)
{
	return worker->file_open && !worker_failed(worker) &&
	       stop_poll(&worker->stop) == STOP_NONE;
}

/* Whether this task may; or, where they must do it together, all that share the file. */
static bool everyone(struct worker *worker, bool may, bool together)
{
	if (together && worker->plan->geometry.shared)
		return !comm_any(worker->comm, !may);
	return may;
}

static uint64_t sync_file(struct worker *worker, const struct phase_plan *phase)
{
	struct error err = {0};

	if (phase->access != ACCESS_WRITE || !worker->plan->test->fsync ||
	    !everyone(worker, may_sync(worker), worker->backend->sync_together))
		return clock_now(worker->clock);
	node_say(worker->node, ACTIVITY_SYNC);
	uint64_t start_ns = clock_now(worker->clock);
	int ret = worker->backend->sync(worker->file, &err);
	uint64_t end_ns = clock_now(worker->clock);

	if (ret)
		worker_fail(worker, &err, "sync", UINT64_MAX, 0);
	else
		record_once(worker, OPERATION_SYNC, start_ns, end_ns);
	worker->measure->syncs_at_end = !ret;
	return end_ns;
}

static uint64_t close_file(struct worker *worker)
{
	struct error err = {0};

	if (!worker->file_entered)
		return clock_now(worker->clock);
	node_say(worker->node, ACTIVITY_CLOSE);
	uint64_t start_ns = clock_now(worker->clock);
	int ret = worker->backend->close(worker->file, &err);
	uint64_t end_ns = clock_now(worker->clock);
	bool was_open = worker->file_open;

	worker->file_entered = worker->file_open = false;
	if (!was_open)
		return end_ns; /* its open has said what is wrong */
	if (ret)
		worker_fail(worker, &err, "close", UINT64_MAX, 0);
	else
		record_once(worker, OPERATION_CLOSE, start_ns, end_ns);
	return end_ns;
}

/* Tasks may come late to it: waits so that a stop request still passes. */
static void barrier_if_wanted(struct worker *worker)
{
	if (!worker->plan->test->intra_test_barriers)
		return;
	node_say(worker->node, ACTIVITY_WAITING);
	comm_wait_for_all(worker->comm, worker->idle);
}

static void run_timed(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		      struct stamps *stamps)
{
	stamps->begin_ns = clock_now(worker->clock);
	worker->poll_at_ns = stamps->begin_ns;
	stamps->open_end_ns = open_file(worker, phase, source, stamps->begin_ns);
	barrier_if_wanted(worker);
	parts_run(worker, phase, source,
		  everyone(worker, worker->file_open, transfers_agree(worker)), stamps->begin_ns,
		  &stamps->loop);
	stamps->sync_begin_ns = clock_now(worker->clock);
	stamps->sync_end_ns = sync_file(worker, phase);
	barrier_if_wanted(worker);
	stamps->close_begin_ns = clock_now(worker->clock);
	stamps->close_end_ns = close_file(worker);
}

/* Names have nothing to open before, nor to close behind: the phase is its operations. */
static void run_names_timed(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			    uint64_t repetition, struct stamps *stamps)
{
	*stamps = (struct stamps){.begin_ns = clock_now(worker->clock)};
	worker->poll_at_ns = stamps->begin_ns;
	if (phase->kind == PHASE_FIND)
		find_run(worker, repetition, &stamps->loop);
	else if (phase->kind == PHASE_MIX)
		mix_run(worker, source, repetition, &stamps->loop);
	else
		metadata_run(worker, phase, source, repetition, &stamps->loop);
	stamps->open_end_ns = stamps->loop.first_issue_ns;
	stamps->sync_end_ns = stamps->close_end_ns = metadata_sync(worker, stamps->loop.last_completion_ns);
}

/* What the others do for it, as the making of a tree that all share: task 0 always has something. */
static bool has_nothing_to_do(const struct worker *worker, const struct phase_plan *phase)
{
	/* What there is to find comes from other tasks, and a mix may go by the clock. */
	if (phase->kind == PHASE_FIND || phase->kind == PHASE_MIX)
		return false;
	return !worker->available && (worker->task || !phase_is_metadata(phase->kind));
}

/* Of one that only waited for others' names: its start is no begin of the work, but its node's sync is part of it. */
static void keep_last_stamps(struct worker *worker, const struct stamps *stamps)
{
	struct measure *measure = worker->measure;

	measure->slices_ns = worker_common_ns(worker, worker->slices_ns);
	if (!measure->syncs_at_end)
		return;
	extent_add(&measure->sync_end, worker_common_ns(worker, stamps->sync_end_ns));
	extent_add(&measure->close_end, worker_common_ns(worker, stamps->close_end_ns));
}

/* What a task has that works. amount: of what the rate counts, bytes or operations. */
static void keep_work(struct worker *worker, const struct stamps *stamps, double amount)
{
	struct measure *measure = worker->measure;
	double seconds = (double)(stamps->close_end_ns - stamps->begin_ns) / 1e9;

	extent_add(&measure->issue, worker_common_ns(worker, stamps->loop.first_issue_ns));
	extent_add(&measure->completion, worker_common_ns(worker, stamps->loop.last_completion_ns));
	extent_add(&measure->wall, worker_common_ns(worker, worker->wall_ns));
	extent_add(&measure->done, worker_common_ns(worker, stamps->close_end_ns));
	measure->rate_sum = seconds > 0 ? amount / seconds : 0;
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

/* Where tasks open, sync or close together all take as long as the slowest. */
static uint64_t own_time(const struct worker *worker, const struct phase_plan *phase,
			 const struct stamps *stamps)
{
	if (phase_is_metadata(phase->kind) ||
	    (worker->plan->geometry.shared && worker->backend->sync_together))
		return stamps->loop.own_ns;
	return stamps->loop.own_ns + (stamps->open_end_ns - stamps->begin_ns) +
	       (stamps->sync_end_ns - stamps->sync_begin_ns) +
	       (stamps->close_end_ns - stamps->close_begin_ns);
}

/*
 * For the tasks of its node: the first one tells of them all. None of a find: directories are of any size,
 * and who is slow takes fewer.
 */
static void show_pace(struct worker *worker, const struct phase_plan *phase)
{
	const struct task_row *row = &worker->row;
	bool has_pace = row->transfers && phase->kind != PHASE_FIND;
	double pace = has_pace ? (double)row->own_ns / 1e9 / (double)row->transfers : 0;

	atomic_store(&worker->node->own->pace, pace);
}

/* Before the measures are joined. */
static void keep_row(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		     const struct stamps *stamps)
{
	const struct measure *measure = worker->measure;
	const struct histogram *transfers =
		&measure_record(measure, phase_operation(phase->kind))->histogram;
	bool synced = measure->syncs_at_end || worker->plan->test->fsync_per_write;

	worker->row = (struct task_row){
		.source = source,
		.own_ns = own_time(worker, phase, stamps),
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
		.transfers = transfers->count,
		.sum_ns = transfers->sum_ns,
		.min_ns = transfers->count ? transfers->min_ns : 0,
		.max_ns = transfers->max_ns,
		.clock_offset_ns = node_time_offset(worker->node->shared->times, stamps->begin_ns),
		.clock_residual_ns = node_time_residual(worker->node->shared->times),
	};
}

static void keep_task(struct worker *worker, const struct phase_plan *phase)
{
	struct measure *measure = worker->measure;

	if (measure->checks)
		checking_end(worker);
	worker->wrong_bytes = measure->checks ? measure_verification(measure)->wrong_bytes : 0;
	measure->tasks = 1;
	measure->idle_tasks = has_nothing_to_do(worker, phase);
	task_p99_set(&measure->task_p99, &measure_record(measure, phase_operation(phase->kind))->histogram,
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

/* Reading destroys what writing keeps in the buffer. */
static void prepare_content(struct worker *worker, enum access access, uint32_t source,
			    uint64_t repetition)
{
	if (!worker->buffer.bytes)
		return;
	content_select(&worker->content, worker->plan->geometry.shared ? 0 : source,
		       (uint32_t)repetition);
	if (access == ACCESS_WRITE)
		content_buffer_prepare(&worker->content, &worker->buffer);
	else
		worker->buffer.ready = false;
}

/* Everything before the start that may fail; the others learn of it in the agreement after it. */
static void prepare(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		    uint64_t repetition, const struct content_origin *lesson)
{
	struct error err = {0};
	int ret;

	node_say(worker->node, ACTIVITY_NAMES);
	command_before_phase(worker, phase, repetition);
	if (worker_failed(worker))
		return;
	if (phase_is_metadata(phase->kind)) {
		if (phase->kind == PHASE_FIND ? find_prepare(worker, &err)
					      : metadata_prepare(worker, phase, source, repetition, &err))
			worker_fail(worker, &err, "prepare", UINT64_MAX, 0);
		counting_prepare(worker);
		return;
	}
	if (phase->access == ACCESS_WRITE)
		ret = files_prepare(worker, repetition, &err);
	else
		ret = phase->cold ? cold_make(worker, source, repetition, &err) : 0;
	if (ret)
		worker_fail(worker, &err, "prepare", UINT64_MAX, 0);
	plan_phase_path(worker->plan, phase, source, repetition, worker->path);
	if (lesson && lesson->seed != worker->content.seed && worker->buffer.bytes)
		content_reseed(&worker->content, lesson->seed);
	prepare_content(worker, phase->access, source, lesson ? lesson->repetition : repetition);
	counting_prepare(worker);
}

/* After the clocks have stopped and all have closed: did it arrive, where does it lie now. */
static void inspect(struct worker *worker, const struct phase_plan *phase, uint64_t repetition)
{
	node_say(worker->node, ACTIVITY_NAMES);
	if (phase_is_metadata(phase->kind))
		metadata_finish(worker, phase, repetition);
	if (phase->access != ACCESS_WRITE)
		return;
	cold_observe(worker, &worker->measure->after);
	arrived_check(worker, repetition);
}

/* A moment that is about now, by this node's clock. */
static uint64_t own_ns(const struct worker *worker, uint64_t common_ns)
{
	uint64_t now_ns = clock_now(worker->clock);

	return common_ns - (worker_common_ns(worker, now_ns) - now_ns);
}

/* Clocks and stop requests of this phase, and the start at the same moment. */
static void begin_together(struct worker *worker)
{
	struct node *node = worker->node;

	node_say(node, ACTIVITY_WAITING);
	atomic_store_explicit(&node->own->operations, 0, memory_order_relaxed);
	atomic_store_explicit(&node->own->goal, worker->available, memory_order_relaxed);
	atomic_store_explicit(&node->own->began_ns, 0, memory_order_relaxed);
	clock_anchor(worker->clock);
	offsets_estimate(worker->comm, &worker->plan->map, node, worker->clock, NODE_TIME_BEFORE);
	stop_start(&worker->stop, node, worker->comm, &worker->plan->map);
	start_together(worker);
	worker->slices_ns = own_ns(worker, worker->start.at_ns);
	atomic_store_explicit(&node->own->began_ns, worker->slices_ns, memory_order_relaxed);
}

/* Once all have closed: how far the clocks moved apart meanwhile. */
static void compare_clocks(struct worker *worker)
{
	if (worker->plan->map.nodes == 1)
		return;
	node_say(worker->node, ACTIVITY_WAITING);
	offsets_estimate(worker->comm, &worker->plan->map, worker->node, worker->clock,
			 NODE_TIME_AFTER);
	comm_wait_for_all(worker->comm, worker->idle);
}

/* The rows to come are of this phase. */
static void start_table(struct worker *worker, const struct phase_plan *phase, uint64_t repetition)
{
	struct operation_table *table = worker->table;

	if (!table)
		return;
	table->phase = phase_name(phase->kind);
	table->repetition = repetition;
	table->since_ns = worker->origin_ns - worker_common_ns(worker, 0);
}

void phase_run(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
	       struct agreement *end)
{
	uint32_t source = plan_source(worker->plan, phase, repetition, worker->task);
	const bool names = phase_is_metadata(phase->kind);
	struct kernel_usage before, after;
	struct content_origin lesson;
	struct stamps stamps;
	uint64_t failed_operations;

	measure_reset(worker->measure);
	worker->stopped = worker->time_is_up = false;
	worker->until_ns = UINT64_MAX;
	worker->pause_ns =
		phase->kind == PHASE_VERIFY ? 0 : worker->plan->test->inter_io_delay * 1000;
	worker->available = names ? metadata_available(worker, phase->kind, source)
				  : parts_available(worker, phase->access, source);
	worker->odd = (struct failure){0};
	worker->small = (struct small_calls){0};
	worker->row = (struct task_row){0};
	worker->wrong_bytes = 0;
	worker->learned = phase->checks && learn_is_needed(worker->plan);
	if (worker->learned)
		learn_together(worker, repetition, &lesson);
	prepare(worker, phase, source, repetition, worker->learned ? &lesson : NULL);
	agreement_start(end, worker);
	agree(worker, end);
	if (end->failure.error.kind != ERROR_NONE || end->stop != STOP_NONE) {
		metadata_close(worker);
		find_close(worker);
		return;
	}
	if (phase->access == ACCESS_WRITE && worker->plan->test->random_prefill) {
		prefill_run(worker);
		agreement_start(end, worker);
		agree(worker, end);
		if (end->failure.error.kind != ERROR_NONE || end->stop != STOP_NONE)
			return;
	}
	atomic_store_explicit(&worker->node->own->phase, phase->kind + 1, memory_order_relaxed);
	node_say(worker->node, ACTIVITY_NAMES);
	if (phase->access == ACCESS_READ && !names)
		cold_observe(worker, &worker->measure->before);
	kernel_usage_read(&before);
	begin_together(worker);
	start_table(worker, phase, repetition);
	/* Waiting for the others at the start is not the phase's time. */
	kernel_usage_read_times(&before);
	if (names)
		run_names_timed(worker, phase, source, repetition, &stamps);
	else
		run_timed(worker, phase, source, &stamps);
	kernel_usage_read(&after);
	metadata_close(worker);
	find_close(worker);
	agreement_start(end, worker);
	agree(worker, end);
	stop_settle(&worker->stop, end->stop);
	compare_clocks(worker);
	if (phase->access == ACCESS_WRITE) {
		worker->least_written = end->least_done;
		worker->most_written = end->most_done;
	}
	if (phase_creates_items(phase->kind))
		worker->least_written = metadata_least_made(worker->plan, end->least_done, end->most_done);
	/* After a signal there is no time for it. */
	if (end->failure.error.kind == ERROR_NONE &&
	    (end->stop == STOP_NONE || end->stop == STOP_DEADLINE))
		inspect(worker, phase, repetition);
	if (end->failure.error.kind == ERROR_NONE && end->stop == STOP_NONE)
		command_after_phase(worker, phase, repetition);
	if (worker->table)
		operation_table_write(worker->table);
	kernel_usage_add(worker->measure, &before, &after);
	counting_keep(worker, phase->access);
	if (names && has_nothing_to_do(worker, phase))
		keep_last_stamps(worker, &stamps);
	else
		keep_stamps(worker, &stamps);
	if (!has_nothing_to_do(worker, phase))
		keep_work(worker, &stamps, measure_amount(worker->measure, phase->kind));
	keep_task(worker, phase);
	keep_row(worker, phase, source, &stamps);
	show_pace(worker, phase);
	failed_operations = worker->measure->failed_operations;
	node_say(worker->node, ACTIVITY_WAITING);
	measure_fold(worker->comm, worker->measure, worker->idle);
	agreement_start(end, worker);
	end->odd = worker->odd;
	end->failed_operations = failed_operations;
	end->wrong_bytes = worker->wrong_bytes;
	agree(worker, end);
	atomic_store_explicit(&worker->node->own->phase, 0, memory_order_relaxed);
	node_say(worker->node, ACTIVITY_NONE);
}
