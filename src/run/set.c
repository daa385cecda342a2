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
	struct test_run *members; /* task 0 of the job: results of all members, for the report */
	struct text news;
	struct words words;
	bool over;
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

/* Ends the set for all tasks if any member has ended. Collective over the job. */
static void agree_on_end(struct set_run *set)
{
	uint64_t ended = set->over || set->own.ended;

	comm_most_of_late(&set->runner->world->all, &ended, 1, &set->idle);
	set->over = ended;
	set->own.ended |= set->over;
}

static struct post *post_of(struct runner *runner)
{
	return runner->node.words ? &runner->intervals.post : NULL;
}

static bool has_rows(const struct plan *plan)
{
	return plan->load && plan->load->interval > 0;
}

/* Brings the rest of all interval rows to task 0. */
static void settle_rows(const struct set_run *set)
{
	const bool makes_rows = !set->sleeps && leads_test(&set->own) && has_rows(set->own.plan);
	unsigned senders = 0;

	for (unsigned i = 0; i < set->count; i++)
		senders += has_rows(&set->runner->plans[set->first + i]);
	if (leads(set->runner))
		senders -= makes_rows;
	intervals_settle(set->runner, makes_rows, senders);
}

/* A task without a member needs only what the steps of the set use. */
static void start_sleeper(struct set_run *set)
{
	struct runner *runner = set->runner;

	set->own = (struct test_run){.runner = runner, .test = runner->plans[set->first].test};
	set->idle = (struct idle){poll_while_waiting, &set->own.worker};
	set->own.worker = (struct worker){
		.set = &runner->everyone,
		.node = &runner->node,
		.idle = &set->idle,
		.rank = (uint32_t)runner->world->all.rank,
		.node_number = runner->world->node,
		.host = runner->world->host,
		.clock = runner->clock,
	};
	set->own.worker.stop.node = &runner->node;
	set->own.worker.post = post_of(runner);
}

static void start_member(struct set_run *set, unsigned number)
{
	struct test_run *run = &set->own;

	test_init(run, set->runner, number);
	run->began = now_epoch();
	run->news = &set->news;
	test_start_worker(run, &set->idle);
	run->worker.set = &set->runner->everyone;
	run->worker.post = post_of(set->runner);
	if (leads_test(run))
		test_read_mount(run);
	test_prepare(run);
}

static void report_members(struct set_run *set)
{
	report_set_start(set->runner->report, set->first, set->count);
	set->members = memory_allocate(set->count, sizeof(*set->members));
	for (unsigned i = 0; i < set->count; i++) {
		struct test_run *member = &set->members[i];

		test_init(member, set->runner, set->first + i);
		test_read_mount(member);
		limits_find(member); /* says that members are not measured */
		report_test(set->runner->report, &member->result, &member->mount);
	}
}

static bool members_are_precise(const struct set_run *set)
{
	for (unsigned i = 0; i < set->count; i++)
		if (!test_is_precise(&set->members[i].result, set->members[i].test->precision))
			return false;
	return true;
}

static enum repetitions_end end_of(const struct set_run *set)
{
	if (set->over)
		return REPETITIONS_ENDED;
	if (set->members[0].test->repetitions)
		return REPETITIONS_ASKED;
	return members_are_precise(set) ? REPETITIONS_PRECISE : REPETITIONS_MOST;
}

static void report_ends(struct set_run *set)
{
	const enum repetitions_end end = end_of(set);
	json_t **lines = memory_allocate(set->count, sizeof(json_t *));

	for (unsigned i = 0; i < set->count; i++) {
		struct test_run *member = &set->members[i];

		member->result.repetitions_end = end;
		lines[i] = report_test_end(set->runner->report, &member->result);
	}
	ladder_add(set->runner, set->first, set->count, lines);
	for (unsigned i = 0; i < set->count; i++) {
		test_result_release(&set->members[i].result);
		json_decref(lines[i]);
	}
	free(lines);
	report_set_end(set->runner->report);
	free(set->members);
}

static void start(struct set_run *set)
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
	agree_on_end(set);
}

/* Decides on task 0 of the job, for all members. */
static struct phase_decision decide(struct set_run *set)
{
	struct runner *runner = set->runner;
	struct worker *worker = &set->own.worker;
	struct phase_decision decision = {.start = true, .deadline_in = -1};

	if (leads(runner) && runner->deadline > 0) {
		decision.deadline_in = runner->deadline - now_epoch();
		decision.start = decision.deadline_in > 0;
	}
	if (!set->own.origin_ns)
		set->own.origin_ns = worker_common_ns(worker, clock_now(worker->clock));
	decision.origin_ns = set->own.origin_ns;
	comm_share_fixed(&runner->world->all, &decision, sizeof(decision), &set->idle);
	return decision;
}

/* Runs a phase of this task's member, or sleeps where phase is NULL. Returns whether it wrote. */
static bool step(struct set_run *set, const struct phase_plan *phase, uint64_t repetition)
{
	struct test_run *run = &set->own;
	struct agreement end;
	bool wrote = false;

	pause_for(run, run->test->inter_test_delay);
	const struct phase_decision decision = decide(set);

	if (phase && repetition_goes_on(run)) {
		wrote = run_decided_phase(run, phase, repetition, &decision) &&
			phase->kind == PHASE_WRITE;
	} else if (decision.start) {
		phase_sleep(&run->worker, &end);
	} else {
		set->over = set->runner->over = true;
		set->runner->status = JOB_INTERRUPTED;
	}
	settle_rows(set);
	news_deliver(set->runner, &set->news, set->members, set->first, &set->words, &set->idle);
	agree_on_end(set);
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
		made |= step(set, layout && !repetition_skips(&set->own, layout) ? layout : NULL,
			     repetition);
	for (unsigned i = 0; i < steps && !set->over; i++)
		made |= step(set, plan ? plan_step(plan, i) : NULL, repetition);
	if (plan)
		repetition_end(&set->own, repetition, made);
	agree_on_end(set);
}

static void stop(struct set_run *set)
{
	struct runner *runner = set->runner;

	if (!set->sleeps) {
		test_stop_worker(&set->own);
		test_result_release(&set->own.result);
	}
	if (leads(runner))
		report_ends(set);
	for (unsigned i = 0; i < set->count; i++)
		crew_stop(&runner->crews[set->first + i]);
	share_outcome(runner);
	text_release(&set->news);
	words_release(&set->words);
}

/* Whether another repetition is wanted. Collective over the job. */
static bool is_wanted(struct set_run *set, uint64_t number)
{
	const struct test *test = set->runner->plans[set->first].test;
	uint64_t enough = 0;

	if (set->over || number >= test_repetitions_most(test))
		return false;
	if (test->repetitions || !number)
		return true;
	if (leads(set->runner))
		enough = members_are_precise(set);
	comm_most_of_late(&set->runner->world->all, &enough, 1, &set->idle);
	return !enough;
}

void run_set(struct runner *runner, unsigned first, unsigned count)
{
	struct set_run *set = memory_allocate(1, sizeof(*set));
	uint64_t repetition = 0;

	*set = (struct set_run){.runner = runner, .first = first, .count = count};
	atomic_store(&runner->repetition, 0);
	atomic_store(&runner->running, ((struct running){first, count}));
	start(set);
	while (is_wanted(set, repetition))
		run_repetition(set, repetition++);
	if (!set->sleeps)
		repetitions_end(&set->own, repetition);
	stop(set);
	free(set);
}
