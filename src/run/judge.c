/* The result, the verdicts and the line of a phase, made by the first task of its test. */
#include <stdio.h>
#include <string.h>

#include "assess/calibrate.h"
#include "assess/verdict.h"
#include "engine/data/data_state.h"
#include "page/message.h"
#include "plan/workload.h"
#include "run/state.h"

/* A find whose walk reached its end is complete even if some directories could not be read. */
static bool walked(const struct phase_result *result)
{
	return phase_counts_entries(result->kind) && !result->measure->find.left;
}

static void describe_stop(const struct agreement *end, char *text, size_t size)
{
	if (end->stop == STOP_SIGNAL)
		snprintf(text, size, "stopped by signal %u (%s)", end->signal,
			 strsignal((int)end->signal));
	else if (end->stop == STOP_DEADLINE)
		snprintf(text, size, "stopped at the deadline");
	else
		snprintf(text, size, "stopped because another test of the set failed");
}

/* A phase that was whole before the stop came is complete. */
static void set_status(const struct agreement *end, bool whole, struct phase_result *result)
{
	if (end->failure.error.kind != ERROR_NONE) {
		result->status = PHASE_FAILED;
	} else if (end->stop != STOP_NONE && !whole) {
		result->status = PHASE_STOPPED;
		describe_stop(end, result->stop_text, sizeof(result->stop_text));
	} else if (end->odd.error.kind != ERROR_NONE) {
		result->status = walked(result) ? PHASE_COMPLETE : PHASE_FAILED;
		result->failure = end->odd;
	}
}

/* Runs the trial on task 0 after the first complete read of a test, when nothing is timed. */
static struct trial try_kernel(struct test_run *run, const struct phase_result *result)
{
	struct error left = {0};

	if (!phase_reads(result) || result->status != PHASE_COMPLETE || run->tried)
		return run->trial;
	node_set_activity(run->worker.node, ACTIVITY_FILES);
	run->trial = calibrate_reads(&run->result, &run->mount, &left);
	if (left.kind != ERROR_NONE)
		message_warn(&left);
	run->tried = true;
	node_set_activity(run->worker.node, ACTIVITY_NONE);
	return run->trial;
}

static bool is_untrusted(const struct run *run, enum severity severity)
{
	if (severity == SEVERITY_WARN)
		return run->warning_as_errors;
	return severity == SEVERITY_FAIL && (run->strict || run->warning_as_errors);
}

static void note_severity(struct runner *runner, enum severity severity)
{
	if (is_untrusted(run_of(runner->job), severity) && runner->code == EXIT_GOOD)
		runner->code = EXIT_UNTRUSTED;
}

void judge_recall(struct runner *runner, const char *severity)
{
	for (enum severity i = SEVERITY_WARN; i <= SEVERITY_FAIL; i++)
		if (!strcmp(severity, severity_name(i)))
			note_severity(runner, i);
}

/* True if the transfer loop does nothing between two transfers but fill and compare buffers. */
static bool only_transfers(const struct test_run *run)
{
	const struct test *test = run->test;

	return run->plan->buffers == 1 && !run->plan->load && !test->collective &&
	       !test->fsync_per_write && !test->inter_io_delay && !run->worker.table &&
	       !(test->wear_out && test->stonewall > 0) && test->min_time_duration <= 0;
}

static bool makes_trees(const struct plan *plan)
{
	return plan_traits(plan)->has_names && plan_makes_files(plan);
}

/* Transfers of each file that a phase may visit, where that is not simply the plan; else 0. */
static uint64_t held_transfers(const struct test_run *run)
{
	const struct plan *plan = run->plan;

	if (plan->order != ORDER_REPEATS)
		return run->worker.data->held;
	return run->worker.data->held ? run->worker.data->held
				      : plan->file_size / plan->geometry.transfer;
}

static uint32_t kernel_of(const struct test_run *run, uint32_t task)
{
	return run->runner->world->kernels[plan_job_node(run->plan, task)];
}

/* Counts the tasks that read what tasks of their own node wrote, and what their kernel wrote. */
static void count_own(const struct test_run *run, const struct phase_plan *phase,
		      uint64_t repetition, struct phase_result *result)
{
	const struct node_map *map = &run->plan->map;

	if (phase->access != ACCESS_READ)
		return;
	const struct reader_map readers = plan_readers(run->plan, phase->kind, repetition);

	result->same_node = result->same_kernel = readers.same_node;
	if (!run->runner->world->kernels)
		return;
	result->same_kernel = 0;
	for (uint32_t task = 0; task < map->tasks; task++)
		result->same_kernel += kernel_of(run, task) ==
				       kernel_of(run, reader_map_source(&readers, map, task));
}

/* Describes the phase as its test and the engine know it. The result points into *seen. */
static struct phase_result describe_phase(const struct test_run *run,
					  const struct phase_plan *phase,
					  const struct phase_seen *seen)
{
	const char *const *methods = option_find(&test_options, "cold")->choices;

	return (struct phase_result){
		.test = run->number,
		.index = (unsigned)(phase - run->plan->phases),
		.kind = phase->kind,
		.repetition = seen->repetition,
		.warmup = seen->repetition < run->test->warmup,
		.began = seen->began,
		.cold = phase->cold,
		.cold_method = phase->cold ? methods[run->test->cold] : NULL,
		.syncs_each_write = run->test->fsync_per_write,
		.checks = phase->checks,
		.grown = phase->grown,
		.held = held_transfers(run),
		.learned = run->worker.learned,
		.data_seed = run->worker.content.seed & ~CONTENT_GUEST,
		.data_repetition = run->worker.content.repetition,
		.files_stay = files_stay(run),
		.files_found = phase->kind == PHASE_LOAD && run->laid_out && !run->wrote,
		.files_foreign = run->worker.data->found_foreign,
		.files_reused = !run->test->multi_file && run->test->write_file &&
				seen->repetition + 1 < test_repetitions_most(run->test),
		.stonewall =
			{
				.limit = run->test->duration > 0 ? run->test->duration
								 : run->test->stonewall,
				.wears_out =
					run->test->wear_out || plan_traits(run->plan)->has_names,
			},
		.failure = seen->end.failure,
		.failed_tasks = seen->end.failed_tasks,
		.steady = run->runner->intervals.steady,
		.incomplete = seen->end.incomplete,
		.trees_stay = seen->end.met_others || !makes_trees(run->plan),
		.settings = seen->settings.length ? seen->settings.bytes : NULL,
		.outliers = seen->outliers.threshold > 0 ? &seen->outliers : NULL,
		.slow = &seen->slow,
		.queue_depth = phase->queue_depth,
		.only_transfers = only_transfers(run),
	};
}

void judge_phase(struct test_run *run, const struct phase_plan *phase,
		 const struct phase_seen *seen)
{
	struct phase_result result = describe_phase(run, phase, seen);
	struct verdict verdicts[VERDICTS];
	char preloaded[128];
	struct assess_facts facts = {
		.memory_per_node = run->runner->facts.memory_per_node,
		.nodes_on_kernel = run->runner->world->nodes_on_kernel,
		.reads_own_writes = run->wrote,
		.file_system = run->mount.type,
		.journals_data = strstr(run->mount.options, "data=journal"),
		.preloaded = preloaded,
	};

	preloaded_read(preloaded, sizeof(preloaded));
	count_own(run, phase, seen->repetition, &result);
	limits_set(run, &result);
	phase_result_fill(&result, run->worker.measure);
	set_status(&seen->end, run->worker.whole, &result);
	counters_merge(&run->result.counters, &run->worker.measure->counters);
	counters_merge(&run->result.counters, &run->worker.measure->prefill);
	result.trial = try_kernel(run, &result);
	limits_set_floor(run, &result);
	size_t count = assess_phase(&result, &run->result, &facts, verdicts);

	for (size_t i = 0; i < count; i++)
		note_severity(run->runner, verdicts[i].severity);
	if (result.seconds.total > run->longest[phase->kind])
		run->longest[phase->kind] = result.seconds.total;
	node_set_activity(run->worker.node, ACTIVITY_REPORT);
	publish_phase(run, &result, verdicts, count);
	node_set_activity(run->worker.node, ACTIVITY_NONE);
	test_result_add(&run->result, &result);
}
