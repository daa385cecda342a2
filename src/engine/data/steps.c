/* The timed part of a data phase. */
#include "engine/data/steps.h"

#include <string.h>

#include "engine/data/data_state.h"
#include "engine/data/files.h"
#include "engine/data/transfers.h"
#include "engine/data/witness.h"

static void record_once(struct worker *worker, enum operation operation, uint64_t start_ns,
			uint64_t end_ns)
{
	measure_add(measure_record(worker->measure, operation), end_ns - start_ns, end_ns,
		    UINT64_MAX, worker->task, worker->node_number);
	if (!worker->table)
		return;
	if (!operation_table_has_room(worker->table, 1))
		operation_table_write(worker->table);
	operation_table_add(worker->table, operation, start_ns, end_ns, UINT64_MAX, 0);
}

/* Receives failures that the backend reports inside open. */
struct open_watcher {
	struct worker *worker;
};

static void open_failing(struct open_watcher *watcher, const struct error *err)
{
	worker_fail(watcher->worker, err, "open", UINT64_MAX, 0);
}

static uint64_t steps_open_file(struct worker *worker, const struct phase_plan *phase,
				uint32_t source, uint64_t start_ns)
{
	struct backend_open how = files_open(worker, phase, source);
	const bool makes = phase->kind == PHASE_WRITE;
	struct open_watcher watcher = {worker};
	struct error err = {0};

	if (makes)
		files_create(worker, &how);
	how.failing = open_failing;
	how.watcher = &watcher;
	memset((void *)worker->file, 0, worker->backend->file_size);
	worker->data->file->entered = true;
	node_set_activity(worker->node, ACTIVITY_OPEN);
	int ret = worker->backend->open(worker->session, worker->file, &how, &err);
	uint64_t end_ns = clock_now(worker->clock);

	if (ret) {
		files_explain_open(worker, &how, &err);
		worker_fail(worker, &err, "open", UINT64_MAX, 0);
		return end_ns;
	}
	worker->data->file->is_open = true;
	worker->data->file->made |= makes;
	record_once(worker, OPERATION_OPEN, start_ns, end_ns);
	if (makes && worker->backend->define_ns)
		record_once(worker, OPERATION_DEFINE,
			    end_ns - worker->backend->define_ns(worker->file), end_ns);
	return end_ns;
}

static uint64_t open_files(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			   uint64_t start_ns)
{
	uint64_t end_ns = start_ns;

	for (uint32_t i = 0; i < worker->plan->own_files; i++) {
		files_select(worker, i);
		end_ns = steps_open_file(worker, phase, source, end_ns);
		if (!worker->data->file->is_open || stop_poll(&worker->stop) != STOP_NONE)
			return end_ns;
	}
	files_select(worker, 0);
	return end_ns;
}

static bool all_are_open(const struct worker *worker)
{
	for (uint32_t i = 0; i < worker->plan->own_files; i++)
		if (!worker->data->files[i].is_open)
			return false;
	return true;
}

/* After a stop the sync is not needed, and could take longer than a stop may. */
static bool may_sync(struct worker *worker)
{
	return worker->data->file->is_open && !worker_failed(worker) &&
	       stop_poll(&worker->stop) == STOP_NONE;
}

/* Returns whether this task may go on; with `together`, whether all that share the file may. */
static bool everyone(struct worker *worker, bool may, bool together)
{
	if (together && worker->plan->geometry.shared)
		return !comm_any(&worker->crew->comm, !may);
	return may;
}

static uint64_t sync_file(struct worker *worker, const struct phase_plan *phase)
{
	struct error err = {0};

	if (!plan_syncs_at_end(worker->plan, phase) ||
	    !everyone(worker, may_sync(worker), worker->backend->sync_together))
		return clock_now(worker->clock);
	node_set_activity(worker->node, ACTIVITY_SYNC);
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

static uint64_t sync_files(struct worker *worker, const struct phase_plan *phase)
{
	uint64_t end_ns = 0;

	for (uint32_t i = 0; i < worker->plan->own_files; i++) {
		files_select(worker, i);
		end_ns = sync_file(worker, phase);
	}
	files_select(worker, 0);
	return end_ns;
}

static uint64_t steps_close_file(struct worker *worker)
{
	struct error err = {0};

	if (!worker->data->file->entered)
		return clock_now(worker->clock);
	node_set_activity(worker->node, ACTIVITY_CLOSE);
	uint64_t start_ns = clock_now(worker->clock);
	int ret = worker->backend->close(worker->file, &err);
	uint64_t end_ns = clock_now(worker->clock);
	bool was_open = worker->data->file->is_open;

	worker->data->file->entered = worker->data->file->is_open = false;
	if (!was_open)
		return end_ns; /* open has reported the failure */
	if (ret)
		worker_fail(worker, &err, "close", UINT64_MAX, 0);
	else
		record_once(worker, OPERATION_CLOSE, start_ns, end_ns);
	return end_ns;
}

static uint64_t close_files(struct worker *worker)
{
	uint64_t end_ns = 0;

	for (uint32_t i = 0; i < worker->plan->own_files; i++) {
		files_select(worker, i);
		end_ns = steps_close_file(worker);
	}
	files_select(worker, 0);
	return end_ns;
}

/* Waits in a way that lets stop requests pass, as tasks may arrive late. */
static void barrier_if_wanted(struct worker *worker)
{
	if (!worker->plan->test->intra_test_barriers)
		return;
	node_set_activity(worker->node, ACTIVITY_WAITING);
	comm_wait_for_all(&worker->crew->comm, worker->idle);
}

/* Where tasks open, sync or close together, each takes as long as the slowest task. */
static uint64_t own_time(const struct worker *worker, const struct stamps *stamps)
{
	if (worker->plan->geometry.shared && worker->backend->sync_together)
		return stamps->loop.own_ns;
	return stamps->loop.own_ns + (stamps->open_end_ns - stamps->begin_ns) +
	       (stamps->sync_end_ns - stamps->sync_begin_ns) +
	       (stamps->close_end_ns - stamps->close_begin_ns);
}

/* A task without transfers also opens and closes, as others may wait for it. */
void steps_run(struct worker *worker, const struct phase_plan *phase, uint32_t source,
	       steps_move *move, struct stamps *stamps)
{
	stamps->begin_ns = clock_now(worker->clock);
	worker->poll_at_ns = stamps->begin_ns;
	stamps->open_end_ns = open_files(worker, phase, source, stamps->begin_ns);
	files_each(worker, witness_open);
	barrier_if_wanted(worker);
	move(worker, phase, source, everyone(worker, all_are_open(worker), transfers_agree(worker)),
	     stamps->begin_ns, &stamps->loop);
	stamps->sync_begin_ns = clock_now(worker->clock);
	stamps->sync_end_ns = sync_files(worker, phase);
	barrier_if_wanted(worker);
	files_each(worker, witness_note_open);
	stamps->close_begin_ns = clock_now(worker->clock);
	stamps->close_end_ns = close_files(worker);
	stamps->done_ns = stamps->close_end_ns;
	stamps->own_ns = own_time(worker, stamps);
	stamps->works = worker->available;
	stamps->takes_part = stamps->has_pace = true;
}
