/*
 * The live line. Task 0's watchdog reads the slots of its node twice a second. Tasks do no extra
 * work for it in a phase, and other nodes are not asked, as that would be traffic there. Task 0
 * notes when a repetition has ended.
 */
#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "plan/workload.h"
#include "run/state.h"

/* Sums over the slots of this node. */
struct seen_now {
	uint64_t operations, goal;
	uint32_t tasks;
};

static struct seen_now live_look(const struct runner *runner, const struct plan *plan)
{
	const struct seats *seats = &crew_of(runner, plan)->seats;
	const struct node_slot *slots =
		runner->node.shared->slots + seats_first_slot(seats, runner->world->node);
	struct seen_now seen = {.tasks = seats_count(seats, runner->world->node)};

	for (uint32_t i = 0; i < seen.tasks; i++) {
		const struct node_slot *slot = &slots[i];

		seen.operations += atomic_load_explicit(&slot->operations, memory_order_relaxed);
		seen.goal += atomic_load_explicit(&slot->goal, memory_order_relaxed);
	}
	return seen;
}

/* Estimates the share done and the time left at the mean speed, limited by the time limit. */
static void estimate(struct progress *progress, const struct seen_now *seen, double limit,
		     double elapsed)
{
	if (seen->goal) {
		progress->share = fmin(1, (double)seen->operations / (double)seen->goal);
		if (progress->share > 0)
			progress->seconds_left = elapsed / progress->share - elapsed;
	}
	if (limit <= 0)
		return;
	if (progress->share < elapsed / limit || progress->share >= 1)
		progress->share = fmin(1, elapsed / limit);
	if (progress->seconds_left < 0 || progress->seconds_left > limit - elapsed)
		progress->seconds_left = fmax(0, limit - elapsed);
}

/* Interval rows have the operations of all nodes. */
static void use_interval(const struct interval_rows *intervals, struct progress *progress)
{
	if (!intervals->load || !intervals->rates.known)
		return;
	progress->operations_rate = intervals->rates.operations_per_s;
	progress->bytes_rate = intervals->rates.bytes_per_s;
	progress->seen_tasks = progress->tasks;
}

/* Adds the running phase, as far as the slots of this node show it. */
static void live_add_phase(struct runner *runner, const struct plan *plan, enum phase_kind kind,
			   uint64_t now_ns, struct progress *progress)
{
	struct live *live = &runner->live;
	const uint64_t began_ns = atomic_load(&runner->node.own->began_ns);
	struct seen_now seen = live_look(runner, plan);
	enum activity activity = (enum activity)atomic_load(&runner->node.own->activity);

	if (live->began_ns != began_ns) {
		live->began_ns = live->looked_ns = began_ns;
		live->operations = 0;
	}
	if (!began_ns || now_ns <= live->looked_ns)
		return;
	double since = (double)(now_ns - live->looked_ns) / 1e9;

	progress->phase = phase_name(kind);
	progress->seen_tasks = seen.tasks;
	progress->tasks = plan->map.tasks;
	progress->activity = activity_name(activity);
	progress->moving = seen.operations > live->operations || activity == ACTIVITY_TRANSFER ||
			   activity == ACTIVITY_METADATA;
	estimate(progress, &seen, plan_time_limit(plan, kind), (double)(now_ns - began_ns) / 1e9);
	if (seen.operations >= live->operations)
		progress->operations_rate = (double)(seen.operations - live->operations) / since *
					    plan->map.tasks / seen.tasks;
	progress->bytes_rate = phase_moves_data(kind)
				       ? progress->operations_rate * (double)plan->transfer_bytes
				       : 0;
	use_interval(&runner->intervals, progress);
	live->looked_ns = now_ns;
	live->operations = seen.operations;
}

/* Sets which of the points of its study, or else of the tests of the job, a test or set is. */
static void set_number(const struct job *job, unsigned first, struct progress *progress)
{
	const struct test_spec *own = &job->tests[first];
	const bool is_point = own->study.made && !own->set.alone;

	for (size_t i = 0; i < job->test_count; i += set_size(job, i)) {
		const struct test_spec *spec = &job->tests[i];

		if (is_point && (!spec->study.made || spec->set.alone ||
				 spec->study.number != own->study.number))
			continue;
		progress->numbers++;
		progress->number += i <= first;
	}
	progress->unit = is_point ? "point" : "test";
}

/* Adds the job. first: the test that runs, or the first of the set. */
static void add_job(const struct runner *runner, unsigned first, uint64_t now_ns,
		    struct progress *progress)
{
	const struct test *test = runner->plans[first].test;
	const struct job_part *part = &runner->live.parts[first];
	const struct job_now now = {
		.part = first,
		.spent = (double)(now_ns - runner->live.since_ns) / 1e9,
		.phase_left = progress->seconds_left,
		.deadline = runner->deadline > 0 ? runner->deadline - now_epoch() : INFINITY,
	};
	const struct job_estimate estimate =
		job_estimate(runner->live.parts, runner->job->test_count, &now);

	set_number(runner->job, first, progress);
	progress->repetition = part->done < part->wanted ? part->done + 1 : part->done;
	progress->repetition += resume_recorded(runner, first).repetitions;
	progress->repetitions = test->repetitions ? test_repetitions_most(test) : 0;
	progress->job_share = estimate.share;
	progress->job_seconds_left = estimate.left;
}

static void print_progress(struct runner *runner, unsigned first)
{
	struct progress progress = {.seconds_left = -1};
	const uint64_t now_ns = clock_monotonic_ns();
	uint32_t task;
	const struct plan *plan = plan_of_slot(runner, node_own_slot(&runner->node), &task);
	const uint32_t phase = atomic_load(&runner->node.own->phase);

	if (plan && phase)
		live_add_phase(runner, plan, (enum phase_kind)(phase - 1), now_ns, &progress);
	add_job(runner, first, now_ns, &progress);
	report_progress(runner->report, &progress);
}

void on_look(void *context)
{
	struct runner *runner = context;
	const struct running running = atomic_load(&runner->running);

	/* The lock is held while the report is made and ended. */
	if (pthread_mutex_trylock(&runner->rescue_lock))
		return;
	if (!runner->finished && runner->report) {
		intervals_write_others(runner);
		if (runner->live.parts && running.count)
			print_progress(runner, running.first);
	}
	pthread_mutex_unlock(&runner->rescue_lock);
}

/* Seconds of a repetition by the time limits of its phases; 0: a phase has none. */
static double planned_seconds(const struct plan *plan)
{
	double sum = 0;

	for (unsigned i = 0; i < plan->phase_count; i++) {
		const double limit = plan_time_limit(plan, plan->phases[i].kind);

		if (limit <= 0)
			return 0;
		sum += limit;
	}
	return sum;
}

/* The same of `count` tests that run at the same time. */
static double planned_of_set(const struct plan *plans, size_t count)
{
	double longest = planned_seconds(plans);

	for (size_t i = 1; i < count && longest > 0; i++) {
		const double own = planned_seconds(&plans[i]);

		longest = own > 0 ? fmax(longest, own) : 0;
	}
	return longest;
}

/* Repetitions that are expected: all that are asked for, or the least that can be precise. */
static uint64_t repetitions_wanted(const struct test *test)
{
	const uint64_t most = test_repetitions_most(test);
	const uint64_t least = test->warmup + TEST_PRECISE_LEAST;

	return test->repetitions || most < least ? most : least;
}

/* Seconds after which a test has no further repetition; 0: none. */
static double limit_of(const struct plan *plan)
{
	const struct test *test = plan->test;
	const double limits[] = {test->budget, test->node_budget / plan->map.nodes,
				 60 * test->max_time_duration};
	double least = INFINITY;

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (limits[i] > 0)
			least = fmin(least, limits[i]);
	return isfinite(least) ? least : 0;
}

void live_start(struct runner *runner)
{
	const struct job *job = runner->job;
	struct job_part *parts;

	if (!leads(runner))
		return;
	parts = memory_allocate(job->test_count, sizeof(*parts));
	for (size_t i = 0, size; i < job->test_count; i += size) {
		const struct plan *plan = &runner->plans[i];

		size = set_size(job, i);
		const uint64_t wanted = repetitions_wanted(plan->test);
		const uint64_t done = resume_recorded(runner, (unsigned)i).repetitions;

		parts[i].wanted = wanted > done ? wanted - done : 0;
		parts[i].planned = planned_of_set(plan, size);
		parts[i].limit = limit_of(plan);
	}
	pthread_mutex_lock(&runner->rescue_lock);
	runner->live = (struct live){.parts = parts, .since_ns = clock_monotonic_ns()};
	pthread_mutex_unlock(&runner->rescue_lock);
}

void live_repetition_ended(struct runner *runner, unsigned number)
{
	struct live *live = &runner->live;
	const uint64_t now_ns = clock_monotonic_ns();

	if (!live->parts)
		return;
	pthread_mutex_lock(&runner->rescue_lock);
	struct job_part *part = &live->parts[number];
	const double seconds = (double)(now_ns - live->since_ns) / 1e9;

	part->seconds += seconds;
	if (!part->done++)
		part->first = seconds;
	/* A test whose number of repetitions is not known has one more until it ends. */
	if (part->wanted < part->done + !runner->plans[number].test->repetitions)
		part->wanted++;
	live->since_ns = now_ns;
	pthread_mutex_unlock(&runner->rescue_lock);
}

void live_test_ended(struct runner *runner, unsigned number)
{
	if (!runner->live.parts)
		return;
	pthread_mutex_lock(&runner->rescue_lock);
	runner->live.parts[number].wanted = runner->live.parts[number].done;
	pthread_mutex_unlock(&runner->rescue_lock);
}
