/*
 * A set: tests that run at the same time on different tasks. All tasks of the job take part in each
 * step of the set. In a step each member runs one phase, and who has none to run sleeps.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/phase.h"
#include "plan/steps.h"
#include "run/state.h"

struct set_run {
	struct runner *runner;
	unsigned first, count;
	struct test_run own; /* of the member that this task belongs to */
	bool sleeps;	     /* this task belongs to no member */
	struct idle idle;
	struct text lines;  /* of this task's member, which it leads */
	json_t **ends;	    /* task 0 of the job: lines of the ends of all members */
	uint64_t done;	    /* repetitions of earlier sessions */
	bool over, precise; /* precise: all members were, after the last repetition */
};

void share_outcome(struct runner *runner)
{
	enum { OVER, IO, INPUT, UNTRUSTED, FAILED, INTERRUPTED, COUNT };
	uint64_t seen[COUNT] = {
		[OVER] = runner->over,
		[IO] = runner->code == EXIT_IO,
		[INPUT] = runner->code == EXIT_INPUT,
		[UNTRUSTED] = runner->code == EXIT_UNTRUSTED,
		[FAILED] = runner->status == JOB_FAILED,
		[INTERRUPTED] = runner->status == JOB_INTERRUPTED,
	};

	comm_most_of_late(&runner->world->all, seen, COUNT, NULL);
	runner->over = seen[OVER];
	runner->code = seen[INPUT]	 ? EXIT_INPUT
		       : seen[IO]	 ? EXIT_IO
		       : seen[UNTRUSTED] ? EXIT_UNTRUSTED
					 : EXIT_GOOD;
	runner->status = seen[FAILED]	     ? JOB_FAILED
			 : seen[INTERRUPTED] ? JOB_INTERRUPTED
					     : JOB_COMPLETE;
}

/* The first task of a member judges whether more repetitions could make it more precise. */
static bool wants_more(const struct set_run *set)
{
	const struct test_run *run = &set->own;

	return !set->sleeps && !run->test->repetitions && leads_test(run) &&
	       !test_is_precise(&run->result, run->test->precision);
}

/*
 * Ends the set for all tasks if any member has ended, and after a repetition tells them whether a
 * member wants more. Collective over the job.
 */
static void agree_on_end(struct set_run *set, bool more)
{
	uint64_t seen[] = {set->over || set->own.ended, more};

	comm_most_of_late(&set->runner->world->all, seen, 2, &set->idle);
	set->over = seen[0];
	set->precise = !seen[1];
	set->own.ended |= set->over;
}

/* Brings the rest of all interval rows to task 0. */
static void settle_rows(const struct set_run *set)
{
	const bool makes_rows =
		!set->sleeps && leads_test(&set->own) && intervals_wanted(set->own.plan);
	unsigned senders = 0;

	for (unsigned i = 0; i < set->count; i++)
		senders += intervals_wanted(&set->runner->plans[set->first + i]);
	if (leads(set->runner))
		senders -= makes_rows;
	intervals_settle(set->runner, makes_rows, senders);
}

/* A task without a member needs only what the steps of the set use. */
static void start_sleeper(struct set_run *set)
{
	struct runner *runner = set->runner;

	set->own = (struct test_run){
		.runner = runner, .test = runner->plans[set->first].test, .began = now_epoch()};
	set->idle = (struct idle){poll_while_waiting, &set->own.worker};
	set->own.worker = (struct worker){
		.set = &runner->everyone,
		.node = &runner->node,
		.idle = &set->idle,
		.rank = (uint32_t)runner->world->all.rank,
		.node_number = runner->world->node,
		.host = runner->world->host,
		.clock = runner->clock,
		.post = test_post(runner),
	};
	set->own.worker.stop.node = &runner->node;
}

static void start_member(struct set_run *set, unsigned number)
{
	struct test_run *run = &set->own;

	test_init(run, set->runner, number);
	run->lines = &set->lines;
	test_begin(run, &set->idle);
}

static void report_members(struct set_run *set)
{
	struct test_run member;

	report_set_start(set->runner->report, set->first, set->count);
	set->ends = memory_allocate(set->count, sizeof(*set->ends));
	for (unsigned i = 0; i < set->count; i++) {
		test_init(&member, set->runner, set->first + i);
		test_read_mount(&member);
		limits_find(&member); /* says that members are not measured */
		resume_report_test(&member);
	}
}

static enum repetitions_end set_end_of(const struct set_run *set)
{
	if (set->over)
		return REPETITIONS_ENDED;
	if (set->own.test->repetitions)
		return REPETITIONS_ASKED;
	return set->precise ? REPETITIONS_PRECISE : REPETITIONS_MOST;
}

static void deliver(struct set_run *set)
{
	lines_deliver(set->runner, &set->lines, set->first, set->ends, &set->idle);
}

static void report_ends(struct set_run *set)
{
	struct runner *runner = set->runner;

	for (unsigned i = 0; i < set->count; i++)
		report_line(runner->report, set->first + i, LINE_TEST_END,
			    json_incref(set->ends[i]));
	live_test_ended(runner, set->first);
	ladder_add(runner, set->first, set->count, set->ends);
	for (unsigned i = 0; i < set->count; i++)
		json_decref(set->ends[i]);
	free(set->ends);
	report_set_end(runner->report);
}

static void set_start(struct set_run *set)
{
	bool sleeps = true;

	if (leads(set->runner))
		report_members(set);
	for (unsigned i = 0; i < set->count; i++) {
		const unsigned number = set->first + i;
		struct crew *crew = &set->runner->crews[number];

		crew_start(crew, set->runner->world, test_seats(set->runner, number));
		if (crew->comm.handle == MPI_COMM_NULL)
			continue;
		sleeps = false;
		start_member(set, number);
	}
	if (sleeps)
		start_sleeper(set);
	set->own.worker.gated = plans_have_beside(&set->runner->plans[set->first], set->count);
	set->sleeps = sleeps;
	if (set->done)
		resume_set(set->runner, set->first, set->count, sleeps ? NULL : &set->own);
	agree_on_end(set, set->done && wants_more(set));
}

/* Runs a phase of this task's member, or sleeps where phase is NULL. Returns whether it wrote. */
static bool set_step(struct set_run *set, const struct phase_plan *phase, uint64_t repetition)
{
	struct test_run *run = &set->own;
	struct agreement end;
	bool wrote = false;

	const struct phase_decision decision = phase_decide(run, phase);

	if (phase && repetition_goes_on(run))
		wrote = run_phase(run, phase, repetition, &decision);
	else if (decision.start)
		phase_sleep(&run->worker, &end);
	else
		end_in_time(run, &decision);
	settle_rows(set);
	deliver(set);
	agree_on_end(set, false);
	return wrote;
}

static void run_repetition(struct set_run *set, uint64_t repetition)
{
	const struct plan *plan = set->sleeps ? NULL : set->own.plan;
	const struct plan *all = &set->runner->plans[set->first];
	const struct phase_plan *layout = plan ? plan_layout(plan) : NULL;
	const unsigned steps = plans_steps(all, set->count);
	bool layouts = false, made = false;

	for (unsigned i = 0; i < set->count; i++)
		layouts |= plan_layout(&all[i]) != NULL;

	/* A task that sleeps may be the one that names a hanging neighbour. */
	atomic_store(&set->runner->repetition, repetition);
	if (plan)
		repetition_begin(&set->own);
	if (layouts)
		made |= set_step(set,
				 layout && !repetition_skips(&set->own, layout) ? layout : NULL,
				 repetition);
	for (unsigned i = 0; i < steps && !set->over; i++)
		made |= set_step(set, plan ? plan_step(plan, i) : NULL, repetition);
	if (plan)
		repetition_end(&set->own, repetition, made);
	agree_on_end(set, wants_more(set));
	live_repetition_ended(set->runner, set->first);
}

static void set_stop(struct set_run *set)
{
	struct runner *runner = set->runner;
	struct test_run *run = &set->own;

	if (!set->sleeps) {
		run->result.repetitions_end = set_end_of(set);
		test_finish(run);
	}
	deliver(set);
	if (leads(runner))
		report_ends(set);
	for (unsigned i = 0; i < set->count; i++)
		crew_stop(&runner->crews[set->first + i]);
	share_outcome(runner);
	text_release(&set->lines);
}

static bool is_wanted(const struct set_run *set, uint64_t number)
{
	const struct test *test = set->own.test;

	return !set->over && number < test_repetitions_most(test) &&
	       (test->repetitions || !number || !set->precise);
}

void run_set(struct runner *runner, unsigned first, unsigned count)
{
	struct set_run *set = memory_allocate(1, sizeof(*set));
	uint64_t repetition = resume_recorded(runner, first).repetitions;

	*set = (struct set_run){
		.runner = runner, .first = first, .count = count, .done = repetition};
	atomic_store(&runner->repetition, 0);
	atomic_store(&runner->running, ((struct running){first, count}));
	set_start(set);
	while (is_wanted(set, repetition))
		run_repetition(set, repetition++);
	if (!set->sleeps)
		repetitions_end(&set->own, repetition);
	set_stop(set);
	free(set);
}
