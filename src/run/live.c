/*
 * The live line. Task 0's watchdog reads the slots of its node twice a second. Tasks do no extra
 * work for it, and other nodes are not asked, as that would be traffic in a phase.
 */
#include <math.h>

#include "base/clock.h"
#include "run/state.h"

/* Sums over the slots of this node. */
struct seen_now {
	uint64_t operations, goal;
	uint32_t tasks;
};

static struct seen_now look(const struct runner *runner, const struct plan *plan)
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

/* Time limit of a phase in seconds; 0: the phase ends when everything is moved. */
static double time_limit(const struct plan *plan, enum phase_kind kind)
{
	if (kind == PHASE_MIX)
		return plan->mix.seconds;
	if (kind == PHASE_LOAD && plan->load_seconds > 0)
		return plan->load->warmup_time + plan->load_seconds + plan->load->cooldown;
	if (kind == PHASE_VERIFY || (plan->metadata && !phase_creates_items(kind)))
		return 0;
	return plan->test->duration > 0 ? plan->test->duration : plan->test->stonewall;
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

static void print_progress(struct runner *runner, const struct plan *plan, uint32_t phase)
{
	struct live *live = &runner->live;
	uint64_t now_ns = clock_monotonic_ns(), repetition = atomic_load(&runner->repetition);
	uint64_t began_ns = atomic_load(&runner->node.own->began_ns);
	enum phase_kind kind = (enum phase_kind)(phase - 1);
	struct seen_now seen = look(runner, plan);

	if (live->began_ns != began_ns)
		*live = (struct live){.began_ns = began_ns, .looked_ns = began_ns};
	if (now_ns <= live->looked_ns)
		return;
	double since = (double)(now_ns - live->looked_ns) / 1e9;
	enum activity activity = (enum activity)atomic_load(&runner->node.own->activity);
	struct progress progress = {
		.kind = kind,
		.repetition = repetition,
		.repetitions = test_repetitions_most(plan->test),
		.seconds_left = -1,
		.seen_tasks = seen.tasks,
		.tasks = plan->map.tasks,
		.activity = activity_name(activity),
		.moving = seen.operations > live->operations || activity == ACTIVITY_TRANSFER ||
			  activity == ACTIVITY_METADATA,
	};

	estimate(&progress, &seen, time_limit(plan, kind), (double)(now_ns - live->began_ns) / 1e9);
	if (seen.operations >= live->operations)
		progress.operations_rate = (double)(seen.operations - live->operations) / since *
					   plan->map.tasks / seen.tasks;
	progress.bytes_rate = plan->metadata || plan->load
				      ? 0
				      : progress.operations_rate * (double)plan->transfer_bytes;
	use_interval(&runner->intervals, &progress);
	live->looked_ns = now_ns;
	live->operations = seen.operations;
	report_progress(runner->report, &progress);
}

void on_look(void *context)
{
	struct runner *runner = context;
	uint32_t task;
	const struct plan *plan = plan_of_slot(runner, node_own_slot(&runner->node), &task);
	uint32_t phase = atomic_load(&runner->node.own->phase);

	/* The lock is held while the report is made and ended. */
	if (pthread_mutex_trylock(&runner->rescue_lock))
		return;
	if (!runner->finished && runner->report) {
		intervals_write_others(runner);
		if (plan && phase && atomic_load(&runner->node.own->began_ns))
			print_progress(runner, plan, phase);
	}
	pthread_mutex_unlock(&runner->rescue_lock);
}
