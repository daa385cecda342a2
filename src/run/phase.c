/* One phase of a running test: whether it may start, its result, its report. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assess/calibrate.h"
#include "assess/verdict.h"
#include "engine/data/data_state.h"
#include "engine/data/settings.h"
#include "engine/phase.h"
#include "page/message.h"
#include "plan/deadline.h"
#include "run/state.h"

double now_epoch(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

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

/* Reads the settings after the first complete phase of each kind. Collective. */
static void find_settings(struct test_run *run, const struct phase_plan *phase, uint64_t repetition,
			  const struct agreement *end, struct text *lines)
{
	if (!agreement_is_well(end) || run->reported_settings[phase->kind] || run->plan->metadata)
		return;
	run->reported_settings[phase->kind] = true;
	settings_read(&run->worker, phase, repetition, lines);
}

static bool is_untrusted(const struct run *run, enum severity severity)
{
	if (severity == SEVERITY_WARN)
		return run->warning_as_errors;
	return severity == SEVERITY_FAIL && (run->strict || run->warning_as_errors);
}

bool files_stay(const struct test_run *run)
{
	return run->test->keep_file || run->worker.data->found_file ||
	       (!run->test->write_file && run->test->semantics != SEMANTICS_IOR) ||
	       (run->test->keep_file_with_error && run->damaged);
}

/* Notes wrong data and failures of a phase. The outcome is equal on every task. */
static void note_damage(struct test_run *run, enum phase_kind kind, const struct agreement *end)
{
	struct runner *runner = run->runner;

	run->damaged |= end->wrong_bytes || end->failure.error.kind != ERROR_NONE;
	run->incomplete |= end->incomplete;
	run->met_others |= end->met_others;
	/* Test directories may exist in part. */
	run->incomplete |= kind == PHASE_TREE_CREATE && end->failure.error.kind != ERROR_NONE;
	if (!end->wrong_bytes && end->odd.error.kind == ERROR_NONE)
		return;
	if (runner->code == EXIT_GOOD || runner->code == EXIT_UNTRUSTED)
		runner->code = EXIT_IO;
	runner->status = JOB_FAILED;
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
	return plan->metadata && plan->metadata->create;
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

/* Computes, judges and reports the result of one phase on task 0. */
static void judge_phase(struct test_run *run, const struct phase_plan *phase, uint64_t repetition,
			struct timespec began, const struct text *settings,
			const struct agreement *end, const struct outliers *outliers,
			const struct slow *slow)
{
	const char *const *methods = option_find(&test_options, "cold")->choices;
	struct verdict verdicts[VERDICTS];
	struct phase_result result = {
		.test = run->number,
		.index = (unsigned)(phase - run->plan->phases),
		.kind = phase->kind,
		.repetition = repetition,
		.warmup = repetition < run->test->warmup,
		.began = began,
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
				repetition + 1 < test_repetitions_most(run->test),
		.stonewall =
			{
				.limit = run->test->duration > 0 ? run->test->duration
								 : run->test->stonewall,
				.wears_out = run->test->wear_out || run->plan->metadata,
			},
		.failure = end->failure,
		.failed_tasks = end->failed_tasks,
		.steady = run->runner->intervals.steady,
		.incomplete = end->incomplete,
		.trees_stay = end->met_others || !makes_trees(run->plan),
		.settings = settings->length ? settings->bytes : NULL,
		.outliers = outliers->threshold > 0 ? outliers : NULL,
		.slow = slow,
		.queue_depth = phase->queue_depth,
		.only_transfers = only_transfers(run),
	};
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
	count_own(run, phase, repetition, &result);
	limits_set(run, &result);
	phase_result_fill(&result, run->worker.measure);
	set_status(end, run->worker.whole, &result);
	counters_merge(&run->result.counters, &run->worker.measure->counters);
	counters_merge(&run->result.counters, &run->worker.measure->prefill);
	result.trial = try_kernel(run, &result);
	limits_set_floor(run, &result);
	size_t count = assess_phase(&result, &run->result, &facts, verdicts);

	for (size_t i = 0; i < count; i++)
		if (is_untrusted(run_of(run->runner->job), verdicts[i].severity) &&
		    run->runner->code == EXIT_GOOD)
			run->runner->code = EXIT_UNTRUSTED;
	if (result.seconds.total > run->longest[phase->kind])
		run->longest[phase->kind] = result.seconds.total;
	node_set_activity(run->worker.node, ACTIVITY_REPORT);
	publish_phase(run, &result, verdicts, count);
	node_set_activity(run->worker.node, ACTIVITY_NONE);
	test_result_add(&run->result, &result);
}

/* Expected seconds of a phase. A first read is taken to need as long as the write. */
static double expected(const struct test_run *run, const struct phase_plan *phase)
{
	double longest = run->longest[phase->kind];

	return deadline_needed(longest > 0 ? longest : run->longest[PHASE_WRITE]);
}

static void describe_skip(const struct test_run *run, const struct phase_plan *phase,
			  const struct phase_decision *decision, char *text, size_t size)
{
	if (decision->test_is_over)
		snprintf(text, size, "not started: max_time_duration (-T) of %g minutes has passed",
			 run->test->max_time_duration);
	else
		snprintf(text, size,
			 "not started: the deadline is %.1f s away, the phase needs about %.1f s",
			 fmax(0, run->runner->deadline - now_epoch()), expected(run, phase));
}

/* Reports, on task 0, a phase that was not started because it could not end in time. */
static void report_skipped(struct test_run *run, const struct phase_plan *phase,
			   uint64_t repetition, const struct phase_decision *decision)
{
	struct phase_result result = {
		.test = run->number,
		.index = (unsigned)(phase - run->plan->phases),
		.kind = phase->kind,
		.repetition = repetition,
		.warmup = repetition < run->test->warmup,
		.status = PHASE_SKIPPED,
	};

	clock_gettime(CLOCK_REALTIME, &result.began);
	describe_skip(run, phase, decision, result.stop_text, sizeof(result.stop_text));
	publish_phase(run, &result, NULL, 0);
	test_result_add(&run->result, &result);
}

struct phase_decision phase_decide(struct test_run *run, const struct phase_plan *phase)
{
	struct runner *runner = run->runner;
	struct worker *worker = &run->worker;
	const double most = 60 * run->test->max_time_duration;
	struct phase_decision decision = {.start = true, .deadline_in = -1};

	pause_for(run, run->test->inter_test_delay);
	if (leads(runner) && runner->deadline > 0) {
		decision.deadline_in = runner->deadline - now_epoch();
		decision.start = decision.deadline_in > (phase ? expected(run, phase) : 0);
	}
	decision.test_is_over = leads(runner) && most > 0 && now_epoch() - run->began >= most;
	decision.start &= !decision.test_is_over;
	if (!run->origin_ns)
		run->origin_ns = worker_common_ns(worker, clock_now(worker->clock));
	decision.origin_ns = run->origin_ns;
	comm_share_fixed(&worker->set->comm, &decision, sizeof(decision), worker->idle);
	return decision;
}

void pause_for(const struct test_run *run, double seconds)
{
	/* Short sleeps let a signal end the pause. */
	while (seconds > 0 && atomic_load(&run->worker.node->shared->stop) == STOP_NONE) {
		struct timespec slice = {.tv_nsec =
						 seconds > 0.1 ? 100000000 : (long)(seconds * 1e9)};

		nanosleep(&slice, NULL);
		seconds -= 0.1;
	}
}

void end_badly(struct test_run *run, const struct agreement *end)
{
	struct runner *runner = run->runner;
	bool deadline = agreement_is_deadline(end);

	run->ended = runner->over = true;
	if (end->failure.error.kind != ERROR_NONE || end->stop == STOP_FAILURE)
		runner->status = JOB_FAILED;
	else if (runner->status == JOB_COMPLETE)
		runner->status = JOB_INTERRUPTED;
	if (!deadline)
		runner->code = EXIT_IO;
}

void end_in_time(struct test_run *run, const struct phase_decision *decision)
{
	run->ended = true;
	if (decision->test_is_over)
		return;
	run->runner->over = true;
	run->runner->status = JOB_INTERRUPTED;
}

/* The wall clock and the task's own clock before a phase. */
struct moment {
	struct timespec wall;
	uint64_t own_ns;
};

/* The wall clock of the common start; of a phase that did not begin, that before the phase. */
static struct timespec began_at(const struct worker *worker, const struct moment *before)
{
	enum { SECOND_NS = 1000000000 };
	const uint64_t first_ns = worker->measure->begin.first;

	if (first_ns == UINT64_MAX)
		return before->wall;
	const uint64_t later_ns = worker_own_ns(worker, first_ns) - before->own_ns;
	const uint64_t nsec = (uint64_t)before->wall.tv_nsec + later_ns;

	return (struct timespec){before->wall.tv_sec + (time_t)(nsec / SECOND_NS),
				 (long)(nsec % SECOND_NS)};
}

bool run_phase(struct test_run *run, const struct phase_plan *phase, uint64_t repetition,
	       const struct phase_decision *decision)
{
	struct worker *worker = &run->worker;
	struct agreement end;
	struct outliers outliers = {0};
	struct slow slow = {0};
	struct moment before;
	struct text settings = {0};

	if (!decision->start) {
		if (leads_test(run))
			report_skipped(run, phase, repetition, decision);
		end_in_time(run, decision);
		return false;
	}
	worker->deadline_ns =
		decision->deadline_in < 0
			? UINT64_MAX
			: clock_now(worker->clock) + (uint64_t)(decision->deadline_in * 1e9);
	worker->origin_ns = decision->origin_ns;
	atomic_store(&run->runner->repetition, repetition);
	worker->measure = phase_measure_create(run->plan, phase);
	clock_gettime(CLOCK_REALTIME, &before.wall);
	before.own_ns = clock_now(worker->clock);
	intervals_start(run, phase, repetition);
	phase_run(worker, phase, repetition, &end);
	intervals_finish(run);
	note_damage(run, phase->kind, &end);
	find_settings(run, phase, repetition, &end, &settings);
	if (end.stop != STOP_SIGNAL) {
		rows_collect(run, phase, repetition, &outliers);
		slow_collect(run, &slow);
	}
	if (leads_test(run))
		judge_phase(run, phase, repetition, began_at(worker, &before), &settings, &end,
			    &outliers, &slow);
	text_release(&settings);
	free(worker->measure);
	worker->measure = NULL;
	run->wrote |= phase->kind == PHASE_WRITE;
	run->half_laid |= plan_is_layout(run->plan, phase) && !worker->whole;
	if (agreement_is_well(&end) && !end.incomplete)
		write_status(run, phase->kind);
	if (!agreement_is_well(&end))
		end_badly(run, &end);
	return true;
}
