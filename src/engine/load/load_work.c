/* The workload of load phases. */
#include "engine/load/load_work.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>

#include "engine/core/counting.h"
#include "engine/data/checking.h"
#include "engine/data/cold.h"
#include "engine/data/data_state.h"
#include "engine/data/data_work.h"
#include "engine/data/files.h"
#include "engine/data/learn.h"
#include "engine/data/witness.h"
#include "engine/load/load_items.h"
#include "engine/load/load_replay.h"
#include "engine/load/load_run.h"
#include "engine/metadata/metadata_state.h"
#include "engine/metadata/metadata_work.h"
#include "plan/load.h"

/* True if this kind may take the place of another one, which cannot be done. */
static bool may_replace(const struct load_pattern *pattern, enum load_kind kind)
{
	return (kind == LOAD_CREATE && plan_load_has(pattern, LOAD_UNLINK)) ||
	       (kind == LOAD_UNLINK && plan_load_has(pattern, LOAD_CREATE)) ||
	       (kind == LOAD_MKDIR && plan_load_has(pattern, LOAD_RMDIR)) ||
	       (kind == LOAD_RMDIR && plan_load_has(pattern, LOAD_MKDIR));
}

static unsigned load_work_list_operations(const struct plan *plan, const struct phase_plan *phase,
					  enum operation operations[OPERATIONS])
{
	const struct load_pattern *pattern = &plan->pattern;
	unsigned count = 0;

	operations[count++] = OPERATION_MIXED;
	for (enum load_kind kind = 0; kind < LOAD_KINDS; kind++)
		if (plan_load_has(pattern, kind) || may_replace(pattern, kind))
			operations[count++] = load_operation(kind);
	for (enum load_kind kind = 0; kind < LOAD_DATA_KINDS; kind++)
		if (plan->trace && plan->trace->known && plan_load_has(pattern, kind))
			operations[count++] = load_recorded(kind);
	if (plan_load_is_paced(pattern)) {
		operations[count++] = OPERATION_RESPONSE;
		operations[count++] = OPERATION_LATENESS;
	}
	if (!load_pattern_moves_data(pattern))
		return count;
	operations[count++] = OPERATION_OPEN;
	if (plan->load->fsync_every || plan_syncs_at_end(plan, phase) ||
	    (plan->trace && plan->trace->operations[TRACE_SYNC]))
		operations[count++] = OPERATION_SYNC;
	operations[count++] = OPERATION_CLOSE;
	return count;
}

static uint64_t load_work_reset(struct worker *worker, const struct phase_plan *phase,
				uint32_t source)
{
	files_forget_opened(worker);
	worker->data->wrong_bytes = 0;
	worker->data->pause_ns = 0;
	worker->metadata->odd = (struct failure){0};
	worker->metadata->incomplete = worker->metadata->met_others = false;
	worker->metadata->small = (struct small_calls){0};
	return worker->plan->load->operation_limit;
}

/*
 * The files may be those of an earlier run. Writes then go on with the content that lies there, so
 * that each read finds the same bytes, whenever it comes. Files that do not say their seed can be
 * used too, as long as nothing is compared. Other programs made them, and the stamps of the load
 * must not let a later test take them for files of iorx. A device has no maker.
 */
static int learn_from_files(struct worker *worker, uint64_t repetition,
			    struct content_origin *lesson, struct error *err)
{
	const bool has_stamps =
		content_has_stamps(worker->content.kind) && !worker->plan->load->allow_device;

	if (!learn_from_file(worker, repetition, lesson, err)) {
		/* Files of other tasks are foreign, though this one is not. */
		if (worker->data->found_foreign && has_stamps && !worker->plan->test->check_read)
			lesson->seed |= CONTENT_GUEST;
		return 0;
	}
	if (worker->plan->test->check_read || worker->plan->test->content_seed || lesson->seed)
		return -1;
	*err = (struct error){0};
	*lesson = (struct content_origin){.seed = worker->content.seed};
	if (has_stamps)
		lesson->seed |= CONTENT_GUEST;
	return 0;
}

static learner *choose_learner(const struct plan *plan, const struct phase_plan *phase)
{
	return load_pattern_moves_data(&plan->pattern) && look_reveals_seed(plan) &&
			       !plan->backend->ignores_buffers
		       ? learn_from_files
		       : NULL;
}

static int load_work_prepare(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			     uint64_t repetition, const struct content_origin *lesson,
			     struct error *err)
{
	if (worker->relay)
		relay_prepare(worker->relay, worker->crew, worker->node_number);
	if (!load_pattern_moves_data(&worker->plan->pattern))
		return 0;
	if (worker->plan->trace && load_replay_open(worker, err))
		return -1;
	plan_path(worker->plan, worker->task, 0, repetition, worker->path);
	for (uint32_t i = 0; files_is_keeper(worker) && i < worker->plan->own_files; i++) {
		files_select(worker, i);
		if (witness_replaced(worker, &worker->data->file->own))
			return error_set(err, 0, WITNESS_REPLACED);
	}
	if (phase->cold && cold_make(worker, source, repetition, err))
		return -1;
	files_each(worker, witness_note_path);
	if (!worker->buffer.bytes)
		return 0;
	content_select(&worker->content, plan_file_number(worker->plan, source, 0),
		       lesson ? lesson->repetition : 0);
	worker->buffer.ready = false;
	return 0;
}

static bool prepare_together(struct worker *worker, const struct phase_plan *phase)
{
	if (!worker->trees)
		return false;
	load_items_make(worker);
	if (!worker_failed(worker))
		plan_path(worker->plan, worker->task, 0, worker->repetition, worker->path);
	return true;
}

static void observe(struct worker *worker, const struct phase_plan *phase)
{
	if (load_pattern_moves_data(&worker->plan->pattern))
		files_each(worker, cold_observe_source);
}

/* A load of operations on items alone has no file to open and close. */
static void run_without_files(struct worker *worker, const struct phase_plan *phase,
			      uint32_t source, struct stamps *stamps)
{
	stamps->begin_ns = stamps->open_end_ns = clock_now(worker->clock);
	load_run(worker, phase, source, true, stamps->begin_ns, &stamps->loop);
	stamps->sync_begin_ns = stamps->sync_end_ns = stamps->close_begin_ns =
		stamps->close_end_ns = clock_now(worker->clock);
	stamps->own_ns = stamps->loop.own_ns;
	stamps->takes_part = stamps->has_pace = true;
}

static void load_work_run(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			  uint64_t repetition, struct stamps *stamps)
{
	if (load_pattern_moves_data(&worker->plan->pattern))
		steps_run(worker, phase, source, load_run, stamps);
	else
		run_without_files(worker, phase, source, stamps);
	stamps->works = true;
	stamps->counted_ns = stamps->loop.first_issue_ns;
	stamps->done_ns = stamps->loop.last_completion_ns;
}

static void add_to_agreement(struct worker *worker, struct agreement *end)
{
	if (load_pattern_moves_data(&worker->plan->pattern))
		data_agree(worker, end);
	metadata_agree(worker, end);
}

/* Checks that the files are still those that were opened. */
static void load_work_conclude(struct worker *worker, const struct phase_plan *phase,
			       uint64_t repetition, const struct agreement *end)
{
	const bool looks = agreement_is_well(end) || agreement_is_deadline(end);

	if (worker->relay)
		relay_settle(worker->relay);
	if (!load_pattern_moves_data(&worker->plan->pattern))
		return;
	for (uint32_t i = 0; i < worker->plan->own_files; i++) {
		files_select(worker, i);
		witness_close(worker, looks && phase->access == ACCESS_WRITE);
		if (looks)
			witness_check(worker, end->least_inode >= end->most_inode);
	}
	files_select(worker, 0);
}

static void load_work_keep(struct worker *worker, const struct phase_plan *phase)
{
	struct measure *measure = worker->measure;

	measure->counters.syncs = counting_number(measure, OPERATION_SYNC);
	if (!measure->checks)
		return;
	checking_end(worker);
	worker->data->wrong_bytes = measure_verification(measure)->wrong_bytes;
}

int load_check_alignment(struct worker *worker, struct error *err)
{
	struct backend_alignment alignment;

	if (worker_find_alignment(worker, &alignment, err) ||
	    (worker->trees && worker_check_alignment(worker, &alignment, "item_bytes",
						     worker->plan->pattern.items.bytes, err)))
		return -1;
	if (!worker->plan->trace)
		return worker_check_alignment(worker, &alignment, "sizes",
					      plan_load_granule(worker->plan), err);
	if (worker->plan->trace->granule % alignment.offset == 0)
		return 0;
	return error_input(err,
			   "trace: some requests of %s are at multiples of %" PRIu64
			   " bytes only, and %s needs multiples of %" PRIu64
			   " with these options; leave direct out",
			   worker->plan->load->trace, worker->plan->trace->granule,
			   worker->backend->name, alignment.offset);
}

int load_check_trace(struct worker *worker, struct error *err)
{
	int ret = worker->plan->trace
			  ? load_replay_open(worker, err) || load_replay_check_files(worker, err)
			  : 0;

	load_replay_close(worker);
	if (ret)
		err->kind = ERROR_INPUT;
	return ret;
}

int load_allow_files(struct worker *worker, struct error *err)
{
	enum { OTHERS = 256 }; /* descriptors of MPI, of other libraries and of results */
	const uint32_t files = worker->plan->own_files;
	struct rlimit limit;

	if (files == 1 || !worker->backend->files || getrlimit(RLIMIT_NOFILE, &limit) ||
	    limit.rlim_cur >= files + OTHERS)
		return 0;
	if (limit.rlim_max < files + OTHERS)
		return error_input(err,
				   "files: each task has %" PRIu32
				   " files open at the same time, and a process may open %" PRIu64
				   " (ulimit -Hn), of which iorx leaves %d to others; lower files, "
				   "or raise that limit",
				   files, (uint64_t)limit.rlim_max, OTHERS);
	limit.rlim_cur = files + OTHERS;
	return setrlimit(RLIMIT_NOFILE, &limit)
		       ? error_set(err, errno, "setrlimit: %s", strerror(errno))
		       : 0;
}

/* load_work uses the state that data_work makes. */
const struct work load_work = {
	.stop = load_run_forget,
	.operations = load_work_list_operations,
	.reset = load_work_reset,
	.learner = choose_learner,
	.prepare = load_work_prepare,
	.prepare_together = prepare_together,
	.observe = observe,
	.run = load_work_run,
	.release = load_replay_close,
	.agree = add_to_agreement,
	.conclude = load_work_conclude,
	.keep = load_work_keep,
};
