/* One repetition of a test: its phases, and the removal of what they made. */
#include <inttypes.h>

#include "engine/data/files.h"
#include "engine/load/load_items.h"
#include "engine/metadata/metadata_state.h"
#include "engine/metadata/test_directories.h"
#include "plan/workload.h"
#include "run/state.h"

static int remove_all(struct test_run *run, uint64_t repetition, struct error *err)
{
	struct worker *worker = &run->worker;

	/* The first failure stays that of the worker, and what else was made is removed too. */
	if (run->half_laid && files_take_back(worker, repetition, err)) {
		worker_fail(worker, err, "remove", UINT64_MAX, 0);
		*err = (struct error){0};
	}
	if (worker->plan->names)
		return load_items_remove(worker, repetition, err);
	if (plan_traits(worker->plan)->has_names)
		return test_directories_clean_up(worker, repetition, err);
	return run->half_laid ? 0 : files_remove(worker, repetition, err);
}

static bool removes_files(const struct test_run *run)
{
	const struct backend *backend = run->plan->backend;

	return !plan_traits(run->plan)->has_names && !files_stay(run) && backend->remove &&
	       !backend->no_storage;
}

/* First task: reports how long removing the files took, from the common start on. */
static void report_removal_time(struct test_run *run, uint64_t repetition, uint64_t began_ns)
{
	const double seconds = (double)(clock_now(run->worker.clock) - began_ns) / 1e9;

	run->result.removal_seconds += seconds;
	publish_removal(run, repetition, seconds);
}

/* Removing what was made is in no phase. A failure is told. */
static void clean_up(struct test_run *run, uint64_t repetition)
{
	struct worker *worker = &run->worker;
	const bool removes = removes_files(run); /* afterwards nothing is known of the files */
	struct agreement end;
	struct error err = {0};
	uint64_t began_ns;

	worker->failure = (struct failure){0};
	node_set_activity(worker->node, ACTIVITY_WAITING);
	comm_wait_for_all(&worker->crew->comm, worker->idle);
	began_ns = clock_now(worker->clock);
	node_set_activity(worker->node, ACTIVITY_FILES);
	if (remove_all(run, repetition, &err))
		worker_fail(worker, &err, "remove", UINT64_MAX, 0);
	agreement_start(&end, worker);
	agree(worker, &end);
	if (end.failure.error.kind == ERROR_NONE) {
		if (removes && leads_test(run))
			report_removal_time(run, repetition, began_ns);
		if (end.stop != STOP_NONE && !run->ended)
			end_badly(run, &end);
		return;
	}
	if (leads_test(run)) {
		error_add(&end.failure.error,
			  "repetition %" PRIu64 ": task %" PRIu32 " on %s: %s cannot be removed",
			  repetition, end.failure.task, end.failure.host, end.failure.path);
		publish_error(run, &end.failure.error);
	}
	if (!run->ended)
		end_badly(run, &end);
}

/* As IOR does: what was only read goes too, once nobody will read it again. */
static bool deletes_what_was_read(const struct test_run *run)
{
	const struct test *test = run->test;

	return test->semantics == SEMANTICS_IOR && !test->write_file &&
	       !plan_traits(run->plan)->has_names && !run->ended;
}

/* Whether this repetition ended before its own phases could remove its trees. */
static bool removes_trees(const struct test_run *run)
{
	const struct metadata *test = run->plan->metadata;

	if (run->plan->names)
		return true;
	if (!test || run->met_others)
		return false;
	return run->incomplete || (run->ended && test->create && test->remove);
}

bool repetition_goes_on(const struct test_run *run)
{
	return !run->ended && !run->incomplete;
}

/*
 * A load goes on with the files of an earlier run or repetition if they fit. They were laid out
 * once, and what writes of a load leave there can still be compared.
 */
bool repetition_skips(const struct test_run *run, const struct phase_plan *phase)
{
	return plan_is_layout(run->plan, phase) && (run->laid_out || run->wrote);
}

void repetition_begin(struct test_run *run)
{
	run->repetition_began = now_epoch();
	run->damaged = run->incomplete = run->met_others = run->half_laid = false;
	run->worker.metadata->test_directories = 0;
	if (run->plan->metadata)
		pause_for(run, run->plan->metadata->pre_delay);
}

void repetition_end(struct test_run *run, uint64_t repetition, bool made)
{
	if (removes_trees(run) || run->half_laid)
		clean_up(run, repetition);
	else if (run->test->keep_file_with_error && run->damaged)
		run->keeps_evidence = true;
	else if (made || (run->test->multi_file && deletes_what_was_read(run)))
		clean_up(run, repetition);
	repetition_took(run, run->repetition_began);
}

void repetition_run(struct test_run *run, uint64_t repetition)
{
	const struct plan *plan = run->plan;
	bool made = false;

	repetition_begin(run);
	for (unsigned i = 0; i < plan->phase_count && repetition_goes_on(run); i++) {
		const struct phase_plan *phase = &plan->phases[i];

		if (repetition_skips(run, phase))
			continue;
		const struct phase_decision decision = phase_decide(run, phase);

		made |= run_phase(run, phase, repetition, &decision);
	}
	repetition_end(run, repetition, made);
	live_repetition_ended(run->runner, run->number);
}

void repetitions_end(struct test_run *run, uint64_t count)
{
	if (count && !run->test->multi_file && !run->keeps_evidence && deletes_what_was_read(run))
		clean_up(run, count - 1);
}
