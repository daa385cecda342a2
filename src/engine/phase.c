/* One phase of one repetition on one task. */
#include "engine/phase.h"

#include <stdlib.h>

#include "comm/offsets.h"
#include "engine/core/command.h"
#include "engine/core/counting.h"
#include "engine/works.h"
#include "measure/fold.h"
#include "measure/kernel.h"
#include "measure/node_activity.h"

struct measure *phase_measure_create(const struct plan *plan, const struct phase_plan *phase)
{
	enum operation operations[OPERATIONS];
	unsigned count = works_find(phase->kind)->operations(plan, phase, operations);

	return phase->checks ? measure_create_checking(operations, count)
			     : measure_create(operations, count);
}

/* Resets the state of the previous phase. */
static void phase_reset(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			uint64_t repetition)
{
	measure_reset(worker->measure);
	worker->repetition = repetition;
	worker->writes = phase->access == ACCESS_WRITE;
	worker->stopped = worker->time_is_up = false;
	worker->ends_early = worker->beside = worker->whole = false;
	worker->until_ns = UINT64_MAX;
	worker->row = (struct task_row){0};
	worker->available = works_find(phase->kind)->reset(worker, phase, source);
}

/*
 * Learns the seed of data that this run did not write. Returns whether there was anything to learn.
 */
static bool learn(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
		  struct content_origin *lesson)
{
	const struct work *work = works_find(phase->kind);
	learner *learn_from = work->learner ? work->learner(worker->plan, phase) : NULL;

	worker->learned = learn_from;
	if (!learn_from)
		return false;
	look_together(worker, repetition, learn_from, lesson);
	if (lesson->seed != worker->content.seed && worker->buffer.bytes)
		content_reseed(&worker->content, lesson->seed);
	return true;
}

/* All preparation that may fail. The other tasks learn of a failure in the agreement after it. */
static void phase_prepare(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			  uint64_t repetition)
{
	const struct work *work = works_find(phase->kind);
	struct content_origin lesson;
	bool learned = learn(worker, phase, repetition, &lesson);
	struct error err = {0};

	node_set_activity(worker->node, ACTIVITY_FILES);
	command_before_phase(worker, phase, repetition);
	if (worker_failed(worker))
		return;
	if (work->prepare(worker, phase, source, repetition, learned ? &lesson : NULL, &err))
		worker_fail(worker, &err, "prepare", UINT64_MAX, 0);
	counting_prepare(worker);
}

static bool all_are_well(struct worker *worker, struct agreement *end)
{
	agreement_start(end, worker);
	agree(worker, end);
	return agreement_is_well(end);
}

static bool prepare_together(struct worker *worker, const struct phase_plan *phase,
			     struct agreement *end)
{
	const struct work *work = works_find(phase->kind);

	if (!work->prepare_together || !work->prepare_together(worker, phase))
		return true;
	return all_are_well(worker, end);
}

/* Collective over the set's tasks: whether all tests are ready. If one is not, all stop. */
static bool set_is_ready(struct worker *worker, bool ready, struct agreement *end)
{
	if (worker->set == worker->crew)
		return ready;
	node_set_activity(worker->node, ACTIVITY_WAITING);
	if (!ready && end->stop == STOP_NONE)
		end->stop = STOP_FAILURE;
	agree_on_stop(worker, end);
	return end->stop == STOP_NONE;
}

/* Prepares clocks and stop requests of this phase, and starts all tasks at the same moment. */
static void begin_together(struct worker *worker)
{
	struct node *node = worker->node;

	node_set_activity(node, ACTIVITY_WAITING);
	atomic_store_explicit(&node->own->operations, 0, memory_order_relaxed);
	atomic_store_explicit(&node->own->goal, worker->available, memory_order_relaxed);
	atomic_store_explicit(&node->own->began_ns, 0, memory_order_relaxed);
	clock_anchor(worker->clock);
	offsets_estimate(worker->set, node, worker->clock, NODE_TIME_BEFORE);
	stop_start(&worker->stop, node, worker->set);
	start_together(worker, worker->set);
	worker->slices_ns = worker_own_ns(worker, worker->start.at_ns);
	atomic_store_explicit(&node->own->began_ns, worker->slices_ns, memory_order_relaxed);
}

/* Estimates clock offsets again after all tasks have closed, to find the drift. */
static void compare_clocks(struct worker *worker)
{
	if (worker->set->seats.map->nodes == 1)
		return;
	node_set_activity(worker->node, ACTIVITY_WAITING);
	offsets_estimate(worker->set, worker->node, worker->clock, NODE_TIME_AFTER);
	comm_wait_for_all(&worker->set->comm, worker->idle);
}

/* Sets the phase of the rows to come. */
static void start_table(struct worker *worker, const struct phase_plan *phase, uint64_t repetition)
{
	struct operation_table *table = worker->table;

	if (!table)
		return;
	table->phase = phase_name(phase->kind);
	table->repetition = repetition;
	table->since_ns = worker->origin_ns - worker_common_ns(worker, 0);
}

/* The counters that are read before and after a phase. */
struct observed {
	struct kernel_usage usage;
	struct node_counters node; /* read by the first task of each node */
	uint64_t cpu_wait_ns;
	uint64_t retries; /* of the backend */
};

static void observe(const struct worker *worker, const struct phase_plan *phase,
		    struct observed *observed)
{
	const bool moves_data = phase_moves_data(phase->kind) || phase->kind == PHASE_LOAD;
	const bool has_device = moves_data && worker->backend->files;

	if (worker->backend->retries)
		observed->retries = worker->backend->retries(worker->session);
	observed->cpu_wait_ns = node_own_wait();
	if (crew_leads_node(worker->crew))
		node_counters_read(&observed->node, has_device ? node_device(worker->path) : 0);
}

static void keep_observed(struct worker *worker, const struct observed *before,
			  const struct observed *after)
{
	struct node_activity *activity = &worker->measure->activity;

	worker->measure->retries = after->retries - before->retries;
	kernel_usage_add(worker->measure, &before->usage, &after->usage);
	activity->cpu_wait_ns = after->cpu_wait_ns - before->cpu_wait_ns;
	if (crew_leads_node(worker->crew))
		node_activity_add(activity, &before->node, &after->node);
}

/* Runs the steps up to the moment from which the phase's time counts. */
static void phase_begin(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
			struct observed *before)
{
	atomic_store_explicit(&worker->node->own->phase, phase->kind + 1, memory_order_relaxed);
	node_set_activity(worker->node, ACTIVITY_FILES);
	if (works_find(phase->kind)->observe)
		works_find(phase->kind)->observe(worker, phase);
	observe(worker, phase, before);
	kernel_usage_read(&before->usage);
	begin_together(worker);
	start_table(worker, phase, repetition);
	/* Waiting for the others at the start is not the phase's time. */
	kernel_usage_read_times(&before->usage);
}

static void release(struct worker *worker, const struct phase_plan *phase)
{
	if (works_find(phase->kind)->release)
		works_find(phase->kind)->release(worker);
}

/* A task that runs beside others enters the gate before its timed part, other tasks after it. */
static void enter_gate(struct worker *worker, bool beside)
{
	if (worker->gated && worker->beside == beside)
		gate_enter(&worker->gate, &worker->set->comm);
}

/* Waits until all tests of the set have ended their timed part. */
static void wait_for_gate(struct worker *worker)
{
	if (!worker->gated)
		return;
	node_set_activity(worker->node, ACTIVITY_WAITING);
	gate_wait(&worker->gate, worker->idle);
}

/* All tasks agree on the outcome. If it is good, they check what exists now. */
static void phase_conclude(struct worker *worker, const struct phase_plan *phase,
			   uint64_t repetition, struct agreement *end)
{
	const struct work *work = works_find(phase->kind);
	struct agreement own;

	enter_gate(worker, false);
	agreement_start(&own, worker);
	work->agree(worker, &own);
	agree(worker, &own);
	worker->whole = agreement_is_well(&own);
	wait_for_gate(worker);
	*end = own;
	agree_on_stop(worker, end);
	stop_settle(&worker->stop, end->stop);
	compare_clocks(worker);
	/* A test whose work is done is concluded as such, also if another test ends the set. */
	work->conclude(worker, phase, repetition, &own);
	if (agreement_is_well(end))
		command_after_phase(worker, phase, repetition);
	if (worker->table)
		operation_table_write(worker->table);
}

/* Folds the measures of all tasks onto task 0, and shares all failures. */
static void phase_join(struct worker *worker, const struct phase_plan *phase, struct agreement *end)
{
	/* Read before the fold, as task 0's measure covers all tasks afterwards. */
	const uint64_t failed_operations = worker->measure->failed_operations;

	node_set_activity(worker->node, ACTIVITY_WAITING);
	measure_fold(&worker->crew->comm, worker->measure, worker->idle);
	agreement_start(end, worker);
	end->failed_operations = failed_operations;
	works_find(phase->kind)->agree(worker, end);
	agree(worker, end);
	atomic_store_explicit(&worker->node->own->phase, 0, memory_order_relaxed);
	node_set_activity(worker->node, ACTIVITY_NONE);
}

void phase_run(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
	       struct agreement *end)
{
	const struct work *work = works_find(phase->kind);
	const uint32_t source = plan_source(worker->plan, phase, repetition, worker->task);
	struct observed before = {0}, after = {0};
	struct stamps stamps = {0};

	phase_reset(worker, phase, source, repetition);
	phase_prepare(worker, phase, source, repetition);
	const bool ready = all_are_well(worker, end) && prepare_together(worker, phase, end);

	if (!set_is_ready(worker, ready, end)) {
		release(worker, phase);
		return;
	}
	phase_begin(worker, phase, repetition, &before);
	worker->beside = worker->gated && *phase->beside;
	enter_gate(worker, true);
	work->run(worker, phase, source, repetition, &stamps);
	kernel_usage_read(&after.usage);
	observe(worker, phase, &after);
	release(worker, phase);
	phase_conclude(worker, phase, repetition, end);
	keep_observed(worker, &before, &after);
	counting_keep(worker);
	work->keep(worker, phase);
	stamps_keep(worker, phase, source, &stamps);
	phase_join(worker, phase, end);
}

void phase_sleep(struct worker *worker, struct agreement *end)
{
	agreement_start(end, worker);
	worker->available = 0;
	if (!set_is_ready(worker, agreement_is_well(end), end))
		return;
	begin_together(worker);
	worker->beside = false;
	enter_gate(worker, false);
	wait_for_gate(worker);
	agreement_start(end, worker);
	node_set_activity(worker->node, ACTIVITY_WAITING);
	agree_on_stop(worker, end);
	stop_settle(&worker->stop, end->stop);
	compare_clocks(worker);
}
