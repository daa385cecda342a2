/* Measures the limits of a test before its first phase, where the job asks for it. */
#include <string.h>

#include "assess/limits_measure.h"
#include "assess/verdict.h"
#include "base/units.h"
#include "page/message.h"
#include "plan/workload.h"
#include "run/state.h"

enum { MOST_SECONDS = 8, TARGET_MIB_MOST = 64 };

/* The facts that only task 0 knows. */
struct limits_decision {
	bool start, has_target, has_network;
	uint64_t target_bytes;
};

bool limits_only(const struct test_run *run)
{
	return run_of(run->runner->job)->limits == LIMITS_ONLY;
}

/* Why the limits of this kind of test are not measured; NULL: they are. The same on every task. */
static const char *why_never(const struct test_run *run)
{
	const struct plan *plan = run->plan;
	const uint64_t memory = run->runner->facts.memory_per_node;
	const uint64_t buffers = 2 * plan->transfer_bytes * node_map_most_tasks(&plan->map);

	if (plan->backend->no_storage)
		return "the test has no storage";
	if (!plan_moves_data(plan))
		return "operations on names are not measured";
	if (run->spec->set.number)
		return "the test is a member of a set";
	if (memory && buffers > memory / 4)
		return "the buffers for it would not fit into memory";
	return NULL;
}

/* Network file systems and those in user space have no device as their source. */
static bool is_remote(const struct mount_facts *mount)
{
	static const char *const local[] = {"overlay", "zfs", "btrfs", "block device"};

	for (size_t i = 0; i < sizeof(local) / sizeof(*local); i++)
		if (!strcmp(mount->type, local[i]))
			return false;
	return *mount->type && !assess_in_memory(mount->type) && *mount->source != '/';
}

static bool each_transfer_is_a_call(const struct test_run *run)
{
	return !strcmp(run->plan->backend->name, "posix") && run->plan->queue_depth <= 1;
}

/* The files of all tasks together take a sixteenth of the free space at most. */
static uint64_t target_bytes(const struct test_run *run)
{
	const uint64_t room = run->mount.free_bytes / 16 / run->plan->map.tasks;
	const uint64_t most = TARGET_MIB_MOST * MIB;

	return room < most ? room : most;
}

/* Tests that would measure the same share it. */
static uint64_t key_of(const struct test_run *run)
{
	const struct plan *plan = run->plan;
	struct text words = {0};

	text_add(&words, "%s %llu %u %u %d %d", run->mount.path,
		 (unsigned long long)plan->transfer_bytes, plan->map.tasks, plan->map.nodes,
		 assess_direct(run->spec), each_transfer_is_a_call(run));
	const uint64_t key = text_hash(words.bytes, words.length);

	text_release(&words);
	return key;
}

static struct limits_decision decide(struct test_run *run)
{
	struct runner *runner = run->runner;
	struct measured *measured = &run->result.measured;
	const double left = runner->deadline > 0 ? runner->deadline - now_epoch() : MOST_SECONDS;
	const uint64_t key = key_of(run);

	if (key == runner->measured_key) {
		*measured = runner->measured;
		return (struct limits_decision){0};
	}
	if (left < MOST_SECONDS) {
		measured->why_not = "the deadline is less than 8 s away";
		return (struct limits_decision){0};
	}
	runner->measured_key = key;
	return (struct limits_decision){
		.start = true,
		.has_target = run->plan->backend->files && !assess_in_memory(run->mount.type),
		.has_network = is_remote(&run->mount),
		.target_bytes = target_bytes(run),
	};
}

void limits_find(struct test_run *run)
{
	const int mode = run_of(run->runner->job)->limits;
	struct measured *measured = &run->result.measured;
	struct limits_decision decision = {0};

	measured->asked = mode == LIMITS_MEASURE || mode == LIMITS_ONLY;
	measured->only = mode == LIMITS_ONLY;
	if (!measured->asked)
		return;
	measured->why_not = why_never(run);
	if (measured->why_not)
		return;
	if (leads_test(run))
		decision = decide(run);
	comm_share_fixed(&run->crew->comm, &decision, sizeof(decision), run->worker.idle);
	if (!decision.start)
		return;
	measured->plain_calls = each_transfer_is_a_call(run);
	struct measuring measuring = {
		.crew = run->crew,
		.node = &run->runner->node,
		.idle = run->worker.idle,
		.plan = run->plan,
		.direct = assess_direct(run->spec),
		.has_target = decision.has_target,
		.has_network = decision.has_network,
		.target_bytes = decision.target_bytes,
	};

	limits_measure(&measuring, measured);
	/* Each task has made a file of its own. */
	if (measuring.left.kind != ERROR_NONE)
		message_warn(&measuring.left);
	run->runner->measured = *measured;
}

void limits_set(const struct test_run *run, struct phase_result *result)
{
	const struct run *options = run_of(run->runner->job);
	const struct phase_plan *phase = &run->plan->phases[result->index];
	struct possible *possible = &result->possible;

	/* Laying out the files of a load is no measurement. */
	if (run->plan->backend->no_storage || plan_is_layout(run->plan, phase))
		return;
	possible_set(possible, options, run->plan->map.nodes);
	if (options->limits == LIMITS_MEASURE)
		possible_add_measured(possible, &run->result.measured, phase->access,
				      result->kind == PHASE_LOAD);
}

void limits_set_floor(const struct test_run *run, struct phase_result *result)
{
	const double floor_ns = result->trial.floor_ns;
	const uint64_t tasks = run->plan->map.tasks, depth = result->queue_depth;

	/* A drive may take writes into its cache sooner than it answers reads. */
	if (run_of(run->runner->job)->limits != LIMITS_MEASURE || result->kind != PHASE_READ ||
	    floor_ns <= 0 || !assess_direct(run->spec))
		return;
	result->possible.bounds[LIMIT_FLOOR] = (struct bound){
		.each = 1e9 * (double)run->plan->transfer_bytes / floor_ns,
		.count = tasks * (depth ? depth : 1),
		.measured = true,
	};
}
