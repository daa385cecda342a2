/* One phase of a running test: whether it may start, and what it leaves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/data/data_state.h"
#include "engine/data/settings.h"
#include "engine/phase.h"
#include "plan/deadline.h"
#include "plan/workload.h"
#include "run/state.h"

double now_epoch(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Reads the settings after the first complete phase of each kind. Collective. */
static void find_settings(struct test_run *run, const struct phase_plan *phase,
			  struct phase_seen *seen)
{
	if (!agreement_is_well(&seen->end) || run->reported_settings[phase->kind] ||
	    plan_traits(run->plan)->has_names)
		return;
	run->reported_settings[phase->kind] = true;
	settings_read(&run->worker, phase, seen->repetition, &seen->settings);
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

/* Expected seconds of a phase. A first read is taken to need as long as the write. */
static double phase_expected(const struct test_run *run, const struct phase_plan *phase)
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
			 fmax(0, run->runner->deadline - now_epoch()), phase_expected(run, phase));
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
		decision.start = decision.deadline_in > (phase ? phase_expected(run, phase) : 0);
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
	struct phase_seen seen = {.repetition = repetition};
	const bool writes = phase->kind == PHASE_WRITE;
	struct moment before;

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
	phase_run(worker, phase, repetition, &seen.end);
	intervals_finish(run);
	seen.began = began_at(worker, &before);
	note_damage(run, phase->kind, &seen.end);
	find_settings(run, phase, &seen);
	if (seen.end.stop != STOP_SIGNAL) {
		rows_collect(run, phase, repetition, &seen.outliers);
		slow_collect(run, &seen.slow);
	}
	if (leads_test(run))
		judge_phase(run, phase, &seen);
	text_release(&seen.settings);
	free(worker->measure);
	worker->measure = NULL;
	run->wrote |= writes;
	run->half_laid |= plan_is_layout(run->plan, phase) && !worker->whole;
	if (agreement_is_well(&seen.end) && !seen.end.incomplete)
		write_status(run, phase->kind);
	if (!agreement_is_well(&seen.end))
		end_badly(run, &seen.end);
	return writes;
}
