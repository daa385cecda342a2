/* The mixed phase of a metadata test. */
#include "engine/load/load_mix.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "engine/load/load_items.h"
#include "engine/metadata/metadata.h"
#include "engine/metadata/metadata_work.h"
#include "engine/metadata/tolerate.h"
#include "plan/load.h"

static unsigned load_mix_list_operations(const struct plan *plan, const struct phase_plan *phase,
					 enum operation operations[OPERATIONS])
{
	unsigned count = 0;

	operations[count++] = OPERATION_MIXED;
	for (enum mix_kind kind = 0; kind < MIX_KINDS; kind++)
		operations[count++] = mix_operation(kind);
	operations[count++] = OPERATION_RESPONSE;
	operations[count++] = OPERATION_LATENESS;
	return count;
}

static uint64_t load_mix_reset(struct worker *worker, const struct phase_plan *phase,
			       uint32_t source)
{
	metadata_reset_state(worker);
	worker->metadata->other_files = metadata_items(worker, ITEM_FILE, source);
	worker->metadata->own_files = metadata_items(worker, ITEM_FILE, worker->task);
	return worker->plan->mix.operations;
}

/* A stonewall or a status file may leave too few files. */
static bool load_mix_has_files(const struct worker *worker)
{
	return worker->metadata->own_files > 1 && worker->metadata->other_files;
}

static void refuse_few(struct worker *worker)
{
	struct error err = {0};

	plan_base(worker->plan, plan_base_of(worker->plan, worker->task, 0), worker->path);
	error_set(&err, 0,
		  "the stonewall left %" PRIu64 " files of this task and %" PRIu64
		  " to look at; a mix needs two of each task",
		  worker->metadata->own_files, worker->metadata->other_files);
	worker_fail(worker, &err, operation_name(OPERATION_MIXED), UINT64_MAX, 0);
}

static void load_mix_start(struct load_loop *loop, struct worker *worker, uint32_t source)
{
	const struct load_pattern *pattern = &worker->plan->pattern;
	const struct load_seat seat = {
		.task = worker->task, .tasks = worker->plan->map.tasks, .sharers = 1};
	struct load_item_limits limits = mix_limits(worker->metadata->own_files);

	if (source != worker->task)
		limits.others = worker->metadata->other_files;
	loop->worker = worker;
	loop->paced = loop->waits = plan_load_is_paced(pattern);
	loop->pauses = pattern->arrival.think_ns;
	load_record_start(&loop->record, worker, loop->paced);
	loop->items = load_item_calls_create(worker, source);
	load_walk_start(&loop->walk, pattern, &seat, worker->repetition);
	load_items_start(&loop->walk.items, &limits);
}

static void load_mix_keep(struct load_loop *loop)
{
	struct worker *worker = loop->worker;
	struct measure *measure = worker->measure;
	const struct metadata *test = worker->plan->metadata;
	const struct load_record *record = &loop->record;
	struct operation_record *creates = record->kinds[OPERATION_CREATE];
	struct operation_record *reads = record->kinds[OPERATION_OPEN_CLOSE];

	creates->bytes = creates->histogram.count * test->write_bytes;
	reads->bytes = reads->histogram.count * test->read_bytes;
	load_record_keep(&loop->record);
	measure->expected_operations = worker->time_is_up || !worker->plan->mix.operations
					       ? loop->done
					       : worker->plan->mix.operations;
	tolerate_end(worker, record->all->histogram.count + measure->mix_missed);
	measure->mix_most_missing =
		worker->metadata->own_files - loop->walk.items.files.least_count;
	measure->mix_files = worker->metadata->own_files;
}

/* Adds the files that the mix removed and could not make again to the failures. */
static void count_missing(struct load_loop *loop, const struct error *why)
{
	const uint64_t missing = ring_missing(&loop->walk.items.files);
	struct worker *worker = loop->worker;
	struct error err = {0};

	error_set(&err, why->code,
		  "%.400s; when the mix was over, %" PRIu64 " file%s could not be made again",
		  why->text, missing, missing == 1 ? "" : "s");
	tolerate_all(worker, load_items_path(loop->items), operation_name(OPERATION_CREATE), &err);
	worker->measure->expected_operations++;
	worker->metadata->incomplete = true;
	worker->metadata->met_others |= why->code == EEXIST;
}

/*
 * Makes missing files again outside the timed part, for the phases after it. After a stop they stay
 * missing.
 */
static void make_missing(struct load_loop *loop)
{
	struct worker *worker = loop->worker;
	const struct small_calls timed = worker->metadata->small;
	struct load_item_request create;
	struct load_times times;
	struct error err = {0};

	while (ring_missing(&loop->walk.items.files) && !worker->metadata->incomplete) {
		const uint64_t now_ns = clock_now(worker->clock);

		if (worker->stopped ||
		    (now_ns >= worker->poll_at_ns && loop_asked_to_stop(worker, now_ns)))
			break;
		load_items_next(&loop->walk.items, LOAD_CREATE, 0, &create);
		loop->next =
			(struct load_request){.operation = create.operation, .item = create.item};
		if (load_items_try(loop, &times, &err)) {
			count_missing(loop, &err);
			continue;
		}
		load_items_done(&loop->walk.items, create.operation);
		atomic_store_explicit(&worker->node->own->operations, ++loop->done,
				      memory_order_relaxed);
	}
	worker->metadata->small = timed; /* these are no calls of the phase */
}

static void run_loop(struct load_loop *loop, struct loop_times *times)
{
	struct worker *worker = loop->worker;
	const double seconds = worker->plan->mix.seconds;
	struct load_record *record = &loop->record;

	loop_allow_slack(1);
	node_set_activity(worker->node, ACTIVITY_METADATA);
	loop->start_ns = loop->now_ns = record->last_ns = clock_now(worker->clock);
	if (seconds > 0)
		worker->until_ns = loop->start_ns + (uint64_t)(seconds * 1e9);
	if (load_mix_has_files(worker))
		load_synchronous_run(loop);
	else
		refuse_few(worker);
	loop_allow_slack(0);
	load_record_settle(record);
	times->first_issue_ns = loop->start_ns;
	times->last_completion_ns = worker->wall_ns = record->last_ns;
	times->own_ns = record->all->histogram.sum_ns + record->tally.content_ns;
}

static void load_mix_run(struct worker *worker, const struct phase_plan *phase, uint32_t source,
			 uint64_t repetition, struct stamps *stamps)
{
	struct load_loop *loop = memory_allocate(1, sizeof(*loop));

	load_mix_start(loop, worker, source);
	metadata_begin(worker, stamps);
	run_loop(loop, &stamps->loop);
	metadata_end(worker, stamps);
	stamps->works = stamps->takes_part = stamps->has_pace = true;
	load_mix_keep(loop);
	make_missing(loop);
	load_item_calls_release(loop->items);
	load_walk_release(&loop->walk);
	free(loop);
}

/* mix_work uses the states that metadata_work and data_work make. */
const struct work mix_work = {
	.operations = load_mix_list_operations,
	.reset = load_mix_reset,
	.learner = metadata_choose_learner,
	.prepare = metadata_prepare_phase,
	.run = load_mix_run,
	.release = metadata_close,
	.agree = metadata_agree,
	.conclude = metadata_conclude,
	.keep = metadata_keep,
};
