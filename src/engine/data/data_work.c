/* The workload of phases that move data through files. */
#include "engine/data/data_work.h"

#include <stdlib.h>

#include "base/memory.h"
#include "engine/core/counting.h"
#include "engine/data/arrived.h"
#include "engine/data/checking.h"
#include "engine/data/cold.h"
#include "engine/data/data_state.h"
#include "engine/data/files.h"
#include "engine/data/learn.h"
#include "engine/data/parts.h"
#include "engine/data/prefill.h"
#include "engine/data/steps.h"
#include "engine/data/witness.h"
#include "plan/load.h"

static void data_work_start(struct worker *worker)
{
	worker->data = memory_allocate(1, sizeof(*worker->data));
	worker->data->files = memory_allocate(worker->plan->own_files, sizeof(struct data_file));
	worker->data->file = worker->data->files;
	worker->data->queue = queue_create(worker->plan);
}

static void data_work_stop(struct worker *worker)
{
	queue_release(worker->data->queue);
	free(worker->data->files);
	free(worker->data);
	worker->data = NULL;
}

static unsigned data_work_list_operations(const struct plan *plan, const struct phase_plan *phase,
					  enum operation operations[OPERATIONS])
{
	const bool writes = phase->access == ACCESS_WRITE;
	unsigned count = 0;

	operations[count++] = OPERATION_OPEN;
	if (writes && plan->backend->define_ns)
		operations[count++] = OPERATION_DEFINE;
	operations[count++] = phase_operation(phase->kind);
	if (plan_syncs_at_end(plan, phase) || (writes && plan->test->fsync_per_write))
		operations[count++] = OPERATION_SYNC;
	operations[count++] = OPERATION_CLOSE;
	return count;
}

static uint64_t data_work_reset(struct worker *worker, const struct phase_plan *phase,
				uint32_t source)
{
	struct data_state *data = worker->data;

	atomic_store(&worker->node->own->held, data->held);
	files_forget_opened(worker);
	data->wrong_bytes = 0;
	data->pause_ns =
		phase->kind == PHASE_VERIFY ? 0 : worker->plan->test->inter_io_delay * 1000;
	return parts_available(worker, phase->access, source);
}

static learner *choose_learner(const struct plan *plan, const struct phase_plan *phase)
{
	return phase->checks && learn_is_needed(plan) ? learn_from_file : NULL;
}

/*
 * Reading destroys what writing keeps in the buffer. Learned data may be those that a load left,
 * whose passes differ.
 */
static void prepare_content(struct worker *worker, enum access access, uint32_t source,
			    uint64_t repetition)
{
	if (!worker->buffer.bytes)
		return;
	content_select(&worker->content, plan_file_number(worker->plan, source, 0),
		       (uint32_t)repetition);
	if (worker->learned)
		worker->content.accepts_from = CONTENT_PASSES;
	if (access == ACCESS_WRITE)
		content_buffer_prepare(&worker->content, &worker->buffer);
	else
		worker->buffer.ready = false;
}

static int prepare_file(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			uint64_t repetition, struct error *err)
{
	if (phase->access == ACCESS_WRITE)
		return files_prepare(worker, repetition, err);
	plan_path(worker->plan, worker->task, 0, repetition, worker->path);
	if (files_is_keeper(worker) && witness_replaced(worker, &worker->data->file->own))
		return error_set(err, 0, WITNESS_REPLACED);
	return phase->cold ? cold_make(worker, source, repetition, err) : 0;
}

static int data_work_prepare(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			     uint64_t repetition, const struct content_origin *lesson,
			     struct error *err)
{
	if (prepare_file(worker, phase, source, repetition, err))
		return -1;
	plan_phase_path(worker->plan, phase, source, repetition, worker->path);
	if (phase->access == ACCESS_READ)
		witness_note_path(worker);
	prepare_content(worker, phase->access, source, lesson ? lesson->repetition : repetition);
	return 0;
}

/*
 * Prefills after all tasks are prepared, so that none writes into a file that another still
 * removes.
 */
static bool prefill(struct worker *worker, const struct phase_plan *phase)
{
	if (phase->access != ACCESS_WRITE || !worker->plan->test->random_prefill)
		return false;
	prefill_run(worker);
	return true;
}

static void observe(struct worker *worker, const struct phase_plan *phase)
{
	if (phase->access == ACCESS_READ)
		cold_observe_source(worker);
}

static void data_work_run(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			  uint64_t repetition, struct stamps *stamps)
{
	steps_run(worker, phase, source, parts_run, stamps);
}

void data_agree(struct worker *worker, struct agreement *end)
{
	const struct data_state *data = worker->data;

	files_each(worker, witness_note_own);
	/* All tasks must have opened the same file; of several files the first one shows it. */
	if (worker->plan->file_scope == LOAD_SCOPE_TEST && data->file->opened.known)
		end->least_inode = end->most_inode = data->file->opened.inode;
	end->wrong_bytes = data->wrong_bytes;
}

/* Checks that the data of one file arrived, and which file holds it now. */
static void conclude_file(struct worker *worker, enum access access, uint64_t repetition,
			  bool same_for_all)
{
	witness_check(worker, same_for_all);
	if (access != ACCESS_WRITE)
		return;
	node_set_activity(worker->node, ACTIVITY_FILES);
	cold_observe(worker, &worker->measure->after);
	if (!worker->data->file->replaced && !plan_load_allocates(worker->plan))
		arrived_check(worker, repetition);
}

static void data_work_conclude(struct worker *worker, const struct phase_plan *phase,
			       uint64_t repetition, const struct agreement *end)
{
	/* After a signal there is no time for these checks. */
	const bool looks = agreement_is_well(end) || agreement_is_deadline(end);

	if (phase->access == ACCESS_WRITE) {
		worker->least_written = end->least_done;
		worker->most_written = end->most_done;
	}
	for (uint32_t i = 0; i < worker->plan->own_files; i++) {
		files_select(worker, i);
		witness_close(worker, looks);
		if (looks)
			conclude_file(worker, phase->access, repetition,
				      end->least_inode >= end->most_inode);
	}
	files_select(worker, 0);
}

static void count_switch(struct worker *worker)
{
	worker->measure->counters.switches +=
		counting_switches(worker, worker->writes ? ACCESS_WRITE : ACCESS_READ);
}

static void data_work_keep(struct worker *worker, const struct phase_plan *phase)
{
	struct measure *measure = worker->measure;

	measure->counters.syncs = counting_number(measure, OPERATION_SYNC);
	if (counters_of(&measure->counters, phase->access)->calls)
		files_each(worker, count_switch);
	if (!measure->checks)
		return;
	checking_end(worker);
	worker->data->wrong_bytes = measure_verification(measure)->wrong_bytes;
}

const struct work data_work = {
	.start = data_work_start,
	.stop = data_work_stop,
	.operations = data_work_list_operations,
	.reset = data_work_reset,
	.learner = choose_learner,
	.prepare = data_work_prepare,
	.prepare_together = prefill,
	.observe = observe,
	.run = data_work_run,
	.agree = data_agree,
	.conclude = data_work_conclude,
	.keep = data_work_keep,
};
