/* The workloads of a metadata test. */
#include "engine/metadata/metadata_work.h"

#include <stdlib.h>

#include "base/memory.h"
#include "engine/core/counting.h"
#include "engine/metadata/find.h"
#include "engine/metadata/learn_items.h"
#include "engine/metadata/metadata.h"
#include "engine/metadata/metadata_state.h"

static void metadata_work_start(struct worker *worker)
{
	worker->metadata = memory_allocate(1, sizeof(*worker->metadata));
	worker->metadata->queue = metadata_queue_create(worker->trees);
}

static void metadata_work_stop(struct worker *worker)
{
	metadata_queue_release(worker->metadata->queue);
	free(worker->metadata);
	worker->metadata = NULL;
}

static unsigned list_one_operation(const struct plan *plan, const struct phase_plan *phase,
				   enum operation operations[OPERATIONS])
{
	operations[0] = phase_operation(phase->kind);
	return 1;
}

static unsigned list_operations_of_find(const struct plan *plan, const struct phase_plan *phase,
					enum operation operations[OPERATIONS])
{
	operations[0] = phase_operation(phase->kind);
	operations[1] = OPERATION_STAT;
	return 2;
}

void metadata_reset_state(struct worker *worker)
{
	struct metadata_state *state = worker->metadata;

	state->odd = (struct failure){0};
	state->incomplete = state->met_others = false;
	state->small = (struct small_calls){0};
}

static uint64_t metadata_work_reset(struct worker *worker, const struct phase_plan *phase,
				    uint32_t source)
{
	metadata_reset_state(worker);
	return metadata_available(worker, phase->kind, source);
}

/* The number of entries is known only after the walk. */
static uint64_t reset_find(struct worker *worker, const struct phase_plan *phase, uint32_t source)
{
	metadata_reset_state(worker);
	return 0;
}

learner *metadata_choose_learner(const struct plan *plan, const struct phase_plan *phase)
{
	return learn_items_is_needed(plan, phase->kind) ? learn_from_items : NULL;
}

int metadata_prepare_phase(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			   uint64_t repetition, const struct content_origin *lesson,
			   struct error *err)
{
	return metadata_prepare(worker, phase, source, repetition, err);
}

static int prepare_find(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			uint64_t repetition, const struct content_origin *lesson, struct error *err)
{
	return find_prepare(worker, err);
}

void metadata_begin(struct worker *worker, struct stamps *stamps)
{
	*stamps = (struct stamps){.begin_ns = clock_now(worker->clock)};
	worker->poll_at_ns = stamps->begin_ns;
}

/* Metadata phases have no open before the operations and no close after them. */
void metadata_end(struct worker *worker, struct stamps *stamps)
{
	stamps->own_ns = stamps->loop.own_ns;
	stamps->done_ns = stamps->loop.last_completion_ns;
	stamps->open_end_ns = stamps->loop.first_issue_ns;
	stamps->sync_end_ns = stamps->close_end_ns =
		metadata_sync(worker, stamps->loop.last_completion_ns);
}

static void metadata_work_run(struct worker *worker, const struct phase_plan *phase,
			      uint32_t source, uint64_t repetition, struct stamps *stamps)
{
	metadata_begin(worker, stamps);
	metadata_run(worker, phase, source, repetition, &stamps->loop);
	metadata_end(worker, stamps);
	/*
	 * A task without items does no work: others make a tree that all share. Task 0 always has
	 * work.
	 */
	stamps->works = worker->available || !worker->task;
	stamps->takes_part = stamps->works;
	stamps->has_pace = true;
}

/*
 * Work is stolen between tasks, so no task's pace is judged: directories differ in size, and a slow
 * task takes fewer.
 */
static void run_find(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		     uint64_t repetition, struct stamps *stamps)
{
	metadata_begin(worker, stamps);
	find_run(worker, repetition, &stamps->loop);
	metadata_end(worker, stamps);
	stamps->works = stamps->takes_part = true;
}

void metadata_agree(struct worker *worker, struct agreement *end)
{
	const struct metadata_state *state = worker->metadata;

	end->odd = state->odd;
	end->incomplete = state->incomplete;
	end->met_others = state->met_others;
}

void metadata_conclude(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
		       const struct agreement *end)
{
	if (phase_creates_items(phase->kind))
		worker->least_written =
			metadata_made_of_each(worker->trees, end->least_done, end->most_done);
	if (!agreement_is_well(end) && !agreement_is_deadline(end))
		return;
	node_set_activity(worker->node, ACTIVITY_FILES);
	metadata_finish(worker, phase, repetition);
}

/*
 * Adds the calls that small_files.c does not count one by one. A node made by mknod is not opened.
 */
void metadata_keep(struct worker *worker, const struct phase_plan *phase)
{
	const struct metadata *test = worker->trees->metadata;
	const struct small_calls *small = &worker->metadata->small;
	const uint64_t sizes[ACCESS_COUNT] = {
		[ACCESS_WRITE] = test->write_bytes,
		[ACCESS_READ] = small->turns ? test->write_bytes : test->read_bytes,
	};
	struct counters *counters = &worker->measure->counters;

	if (test->mknod)
		counters->opens -= counting_number(worker->measure, OPERATION_CREATE);
	for (enum access access = 0; access < ACCESS_COUNT; access++) {
		struct access_counters *of = counters_of(counters, access);

		counters_add_calls(counters, of, sizes[access], small->whole[access]);
		of->most = of->calls ? sizes[access] : 0;
	}
	counters->syncs = small->syncs;
	counters->switches = small->turns;
}

const struct work metadata_work = {
	.start = metadata_work_start,
	.stop = metadata_work_stop,
	.operations = list_one_operation,
	.reset = metadata_work_reset,
	.learner = metadata_choose_learner,
	.prepare = metadata_prepare_phase,
	.run = metadata_work_run,
	.release = metadata_close,
	.agree = metadata_agree,
	.conclude = metadata_conclude,
	.keep = metadata_keep,
};

/* find_work uses the state that metadata_work makes. */
const struct work find_work = {
	.operations = list_operations_of_find,
	.reset = reset_find,
	.prepare = prepare_find,
	.run = run_find,
	.release = find_close,
	.agree = metadata_agree,
	.conclude = metadata_conclude,
	.keep = metadata_keep,
};
