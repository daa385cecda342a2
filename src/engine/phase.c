/* One phase of one repetition on one task. */
#include "engine/phase.h"

#include "comm/offsets.h"
#include "engine/core/cold.h"
#include "engine/core/command.h"
#include "engine/core/counting.h"
#include "engine/data/arrived.h"
#include "engine/data/checking.h"
#include "engine/data/files.h"
#include "engine/data/learn.h"
#include "engine/data/parts.h"
#include "engine/data/prefill.h"
#include "engine/data/witness.h"
#include "engine/metadata/find.h"
#include "engine/metadata/learn_items.h"
#include "engine/metadata/metadata.h"
#include "engine/core/timed.h"
#include "measure/fold.h"
#include "measure/kernel.h"

struct measure *phase_measure_create(const struct plan *plan, const struct phase_plan *phase)
{
	enum operation operations[OPERATIONS] = {phase_operation(phase->kind)};
	unsigned count = 0;
	bool writes = phase->access == ACCESS_WRITE;

	if (phase->kind == PHASE_FIND || phase->kind == PHASE_MIX)
		operations[++count] = OPERATION_STAT;
	if (phase->kind == PHASE_MIX) {
		operations[++count] = OPERATION_CREATE;
		operations[++count] = OPERATION_OPEN_CLOSE;
		operations[++count] = OPERATION_REMOVE;
		operations[++count] = OPERATION_RESPONSE;
	}
	if (!phase_moves_data(phase->kind))
		return measure_create(operations, count + 1);

	operations[count++] = OPERATION_OPEN;
	if (writes && plan->backend->define_ns)
		operations[count++] = OPERATION_DEFINE;
	operations[count++] = phase_operation(phase->kind);
	if (writes && (plan->test->fsync || plan->test->fsync_per_write))
		operations[count++] = OPERATION_SYNC;
	operations[count++] = OPERATION_CLOSE;
	return phase->checks ? measure_create_checking(operations, count) :
			       measure_create(operations, count);
}

/* Reading destroys what writing keeps in the buffer. */
static void prepare_content(struct worker *worker, enum access access, uint32_t source,
			    uint64_t repetition)
{
	if (!worker->buffer.bytes)
		return;
	content_select(&worker->content, worker->plan->geometry.shared ? 0 : source,
		       (uint32_t)repetition);
	if (access == ACCESS_WRITE)
		content_buffer_prepare(&worker->content, &worker->buffer);
	else
		worker->buffer.ready = false;
}

/* What the phase before has left. */
static void reset(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		  uint64_t repetition)
{
	measure_reset(worker->measure);
	worker->repetition = repetition;
	worker->writes = phase->access == ACCESS_WRITE;
	worker->stopped = worker->time_is_up = false;
	worker->until_ns = UINT64_MAX;
	worker->pause_ns =
		phase->kind == PHASE_VERIFY ? 0 : worker->plan->test->inter_io_delay * 1000;
	worker->available = !phase_moves_data(phase->kind)
				    ? metadata_available(worker, phase->kind, source)
				    : parts_available(worker, phase->access, source);
	worker->odd = (struct failure){0};
	worker->opened_file.known = false;
	worker->incomplete = worker->met_others = false;
	worker->small = (struct small_calls){0};
	worker->row = (struct task_row){0};
	worker->wrong_bytes = 0;
	worker->learned = worker->plan->metadata
				  ? learn_items_is_needed(worker->plan, phase->kind)
				  : phase->checks && learn_is_needed(worker->plan);
}

static int prepare_names(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			 uint64_t repetition, struct error *err)
{
	if (phase->kind == PHASE_FIND)
		return find_prepare(worker, err);
	return metadata_prepare(worker, phase, source, repetition, err);
}

static int prepare_file(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			uint64_t repetition, struct error *err)
{
	if (phase->access == ACCESS_WRITE)
		return files_prepare(worker, repetition, err);
	plan_path(worker->plan, worker->task, repetition, worker->path);
	if (files_is_keeper(worker) && witness_replaced(worker, &worker->own_file))
		return error_set(err, 0, WITNESS_REPLACED);
	return phase->cold ? cold_make(worker, source, repetition, err) : 0;
}

/* lesson: what the data is of, where that has been learned from it. */
static void prepare_data(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			 uint64_t repetition, const struct content_origin *lesson)
{
	plan_phase_path(worker->plan, phase, source, repetition, worker->path);
	if (phase->access == ACCESS_READ)
		witness_note_path(worker);
	prepare_content(worker, phase->access, source,
			worker->learned ? lesson->repetition : repetition);
}

/* Everything before the start that may fail; the others learn of it in the agreement after it. */
static void prepare(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		    uint64_t repetition)
{
	const bool names = !phase_moves_data(phase->kind);
	struct content_origin lesson;
	struct error err = {0};

	if (worker->learned) {
		look_together(worker, repetition, worker->plan->metadata ? learn_from_items : learn_from_file,
			      &lesson);
		if (lesson.seed != worker->content.seed && worker->buffer.bytes)
			content_reseed(&worker->content, lesson.seed);
	}
	node_say(worker->node, ACTIVITY_NAMES);
	command_before_phase(worker, phase, repetition);
	if (worker_failed(worker))
		return;
	if ((names ? prepare_names : prepare_file)(worker, phase, source, repetition, &err))
		worker_fail(worker, &err, "prepare", UINT64_MAX, 0);
	if (!names)
		prepare_data(worker, phase, source, repetition, &lesson);
	counting_prepare(worker);
}

static bool all_are_well(struct worker *worker, struct agreement *end)
{
	agreement_start(end, worker);
	agree(worker, end);
	return agreement_is_well(end);
}

/* Once all are prepared, so that nobody writes into what another one still removes. */
static bool prefill(struct worker *worker, const struct phase_plan *phase, struct agreement *end)
{
	if (phase->access != ACCESS_WRITE || !worker->plan->test->random_prefill)
		return true;
	prefill_run(worker);
	return all_are_well(worker, end);
}

/* After the clocks have stopped and all have closed: did it arrive, where does it lie now. */
static void inspect(struct worker *worker, const struct phase_plan *phase, uint64_t repetition)
{
	node_say(worker->node, ACTIVITY_NAMES);
	if (!phase_moves_data(phase->kind))
		metadata_finish(worker, phase, repetition);
	if (phase->access != ACCESS_WRITE)
		return;
	cold_observe(worker, &worker->measure->after);
	if (!worker->replaced)
		arrived_check(worker, repetition);
}

/* A moment that is about now, by this node's clock. */
static uint64_t own_ns(const struct worker *worker, uint64_t common_ns)
{
	uint64_t now_ns = clock_now(worker->clock);

	return common_ns - (worker_common_ns(worker, now_ns) - now_ns);
}

/* Clocks and stop requests of this phase, and the start at the same moment. */
static void begin_together(struct worker *worker)
{
	struct node *node = worker->node;

	node_say(node, ACTIVITY_WAITING);
	atomic_store_explicit(&node->own->operations, 0, memory_order_relaxed);
	atomic_store_explicit(&node->own->goal, worker->available, memory_order_relaxed);
	atomic_store_explicit(&node->own->began_ns, 0, memory_order_relaxed);
	clock_anchor(worker->clock);
	offsets_estimate(worker->comm, &worker->plan->map, node, worker->clock, NODE_TIME_BEFORE);
	stop_start(&worker->stop, node, worker->comm, &worker->plan->map);
	start_together(worker);
	worker->slices_ns = own_ns(worker, worker->start.at_ns);
	atomic_store_explicit(&node->own->began_ns, worker->slices_ns, memory_order_relaxed);
}

/* Once all have closed: how far the clocks moved apart meanwhile. */
static void compare_clocks(struct worker *worker)
{
	if (worker->plan->map.nodes == 1)
		return;
	node_say(worker->node, ACTIVITY_WAITING);
	offsets_estimate(worker->comm, &worker->plan->map, worker->node, worker->clock,
			 NODE_TIME_AFTER);
	comm_wait_for_all(worker->comm, worker->idle);
}

/* The rows to come are of this phase. */
static void start_table(struct worker *worker, const struct phase_plan *phase, uint64_t repetition)
{
	struct operation_table *table = worker->table;

	if (!table)
		return;
	table->phase = phase_name(phase->kind);
	table->repetition = repetition;
	table->since_ns = worker->origin_ns - worker_common_ns(worker, 0);
}

/* Up to the moment from which the phase's time counts. */
static void begin(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
		  struct kernel_usage *usage)
{
	atomic_store_explicit(&worker->node->own->phase, phase->kind + 1, memory_order_relaxed);
	node_say(worker->node, ACTIVITY_NAMES);
	if (phase->access == ACCESS_READ && phase_moves_data(phase->kind))
		cold_observe(worker, &worker->measure->before);
	kernel_usage_read(usage);
	begin_together(worker);
	start_table(worker, phase, repetition);
	/* Waiting for the others at the start is not the phase's time. */
	kernel_usage_read_times(usage);
}

/* What was made for the phase alone. */
static void release(struct worker *worker)
{
	metadata_close(worker);
	find_close(worker);
}

/* What later phases go by: how much there is now. */
static void note_written(struct worker *worker, const struct phase_plan *phase,
			 const struct agreement *end)
{
	if (phase->access == ACCESS_WRITE) {
		worker->least_written = end->least_done;
		worker->most_written = end->most_done;
	}
	if (phase_creates_items(phase->kind))
		worker->least_written = metadata_made_of_each(worker->plan, end->least_done, end->most_done);
}

/* All learn how it went, and look at what there is when it went well. */
static void conclude(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
		     struct agreement *end)
{
	witness_note_own(worker);
	bool well = all_are_well(worker, end);

	stop_settle(&worker->stop, end->stop);
	compare_clocks(worker);
	note_written(worker, phase, end);
	/* After a signal there is no time for it. */
	witness_close(worker, well || agreement_is_deadline(end));
	if (well || agreement_is_deadline(end))
		witness_check(worker, end->least_inode >= end->most_inode);
	if (well || agreement_is_deadline(end))
		inspect(worker, phase, repetition);
	if (well)
		command_after_phase(worker, phase, repetition);
	if (worker->table)
		operation_table_write(worker->table);
}

static void end_checking(struct worker *worker)
{
	if (!worker->measure->checks)
		return;
	checking_end(worker);
	worker->wrong_bytes = measure_verification(worker->measure)->wrong_bytes;
}

/* The measures of all tasks become one on task 0, and what failed is known to all. */
static void join(struct worker *worker, struct agreement *end)
{
	/* Of this task: on task 0 the measure is that of all afterwards. */
	const uint64_t failed_operations = worker->measure->failed_operations;

	node_say(worker->node, ACTIVITY_WAITING);
	measure_fold(worker->comm, worker->measure, worker->idle);
	agreement_start(end, worker);
	end->odd = worker->odd;
	end->failed_operations = failed_operations;
	end->incomplete = worker->incomplete;
	end->met_others = worker->met_others;
	end->wrong_bytes = worker->wrong_bytes;
	agree(worker, end);
	atomic_store_explicit(&worker->node->own->phase, 0, memory_order_relaxed);
	node_say(worker->node, ACTIVITY_NONE);
}

void phase_run(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
	       struct agreement *end)
{
	const uint32_t source = plan_source(worker->plan, phase, repetition, worker->task);
	struct kernel_usage before, after;
	struct stamps stamps;

	reset(worker, phase, source, repetition);
	prepare(worker, phase, source, repetition);
	if (!all_are_well(worker, end) || !prefill(worker, phase, end)) {
		release(worker);
		return;
	}
	begin(worker, phase, repetition, &before);
	timed_run(worker, phase, source, repetition, &stamps);
	kernel_usage_read(&after);
	release(worker);
	conclude(worker, phase, repetition, end);
	kernel_usage_add(worker->measure, &before, &after);
	counting_keep(worker, phase->access);
	end_checking(worker);
	stamps_keep(worker, phase, source, &stamps);
	join(worker, end);
}
