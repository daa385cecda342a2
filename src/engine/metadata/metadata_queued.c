/*
 * Operations of a metadata phase with up to queue_depth in flight. Service time runs from entering
 * the submit call that took an operation to the return of the reap call that brought it back. It
 * includes the few ns for making the names of its batch. One clock reading per reap ends the
 * returned operations and starts those submitted next.
 */
#include "engine/metadata/metadata_loop.h"

#include <string.h>

#include "engine/core/loop.h"
#include "engine/metadata/metadata_state.h"

/* The queued form of each operation that can be queued. */
static const enum metadata_kind kinds[OPERATIONS] = {
	[OPERATION_MKDIR] = METADATA_MKDIR,	      [OPERATION_RMDIR] = METADATA_RMDIR,
	[OPERATION_CREATE] = METADATA_CREATE,	      [OPERATION_STAT] = METADATA_STAT,
	[OPERATION_OPEN_CLOSE] = METADATA_OPEN_CLOSE, [OPERATION_REMOVE] = METADATA_REMOVE,
};

int metadata_queued_check(struct worker *worker, struct error *err)
{
	const struct plan *plan = worker->trees;
	const struct backend *backend = worker->backend;

	for (unsigned i = 0; i < plan->phase_count && backend->prepare_metadata; i++) {
		const struct phase_plan *phase = &plan->phases[i];

		if (phase->queue_depth > 1 &&
		    backend->prepare_metadata(worker->session, kinds[phase_operation(phase->kind)],
					      err))
			return -1;
	}
	return 0;
}

struct flight {
	struct worker *worker;
	struct name_loop *loop;
	struct metadata_queue *queue;
	struct operation_record *record;
	struct tally tally;
	struct error err;
	uint64_t next, count; /* positions: the next to prepare, and the end */
	uint64_t finished;    /* operations of all owners, successful or not */
	bool stands;	      /* the walk is at `next` and waits for a directory slot */
	bool moved;	      /* that step led into another directory */
	unsigned prepared;    /* operations in the batch; those from `taken` on not in flight */
	unsigned taken;
	unsigned in_flight;
	uint64_t now_ns;
};

/*
 * Drops operations that were prepared but not submitted. A later call goes on with the first of
 * them.
 */
static void metadata_queued_give_up(struct flight *flight)
{
	struct metadata_queue *queue = flight->queue;

	flight->next -= flight->prepared - flight->taken;
	flight->count = flight->next;
	flight->loop->left = true;
	while (flight->taken < flight->prepared)
		slots_give(&queue->slots, queue->batch[flight->taken++].cookie);
}

/* Counts an operation that failed, before or after it was submitted. */
static void metadata_queued_fail(struct flight *flight, uint64_t at, bool tried,
				 const struct error *err)
{
	struct name_loop *loop = flight->loop;

	flight->finished++;
	if (!metadata_loop_failed(loop, naming_path(&loop->names, at), tried, err))
		metadata_queued_give_up(flight);
	flight->now_ns = clock_now(flight->worker->clock);
}

/* Steps to the name at `next`. A loop that starts or resumes positions the walk anew. */
static bool metadata_queued_step(struct flight *flight)
{
	struct naming *names = &flight->loop->names;

	if (flight->next != flight->loop->done)
		return naming_step(names, flight->next);
	item_walk_to(&names->walk, flight->next);
	return true;
}

/* Goes to the name at `next`. Returns false if that would close a directory in use. */
static bool go_to_next(struct flight *flight)
{
	struct naming *names = &flight->loop->names;

	if (!flight->stands)
		flight->moved = metadata_queued_step(flight);
	flight->stands = flight->moved && (flight->in_flight || flight->prepared > flight->taken) &&
			 naming_closes(names);
	return !flight->stands;
}

static void metadata_queued_put(struct flight *flight, struct metadata_operation *operation)
{
	const struct naming *names = &flight->loop->names;
	struct metadata_queue *queue = flight->queue;
	uint32_t slot = slots_take(&queue->slots);
	char *name = metadata_queue_name(queue, slot);

	memcpy(name, names->name, (size_t)(names->walk.last + 2 - names->name));
	operation->directory = names->directory;
	operation->name = name;
	operation->cookie = slot;
	queue->notes[slot].at = flight->next;
	queue->notes[slot].index = names->walk.index;
}

/*
 * Fills the batch with an operation for each free slot, unless the backend has not yet taken the
 * last batch.
 */
static void metadata_queued_prepare(struct flight *flight)
{
	struct naming *names = &flight->loop->names;
	struct metadata_queue *queue = flight->queue;

	if (flight->taken < flight->prepared)
		return;
	flight->taken = flight->prepared = 0;
	while (queue->slots.free_count && flight->prepared < QUEUE_BATCH &&
	       flight->next < flight->count && go_to_next(flight)) {
		if (__builtin_expect(flight->moved || !names->name, 0) &&
		    naming_give(names, flight->moved, &flight->err)) {
			metadata_queued_fail(flight, flight->next++, false, &flight->err);
			continue;
		}
		metadata_queued_put(flight, &queue->batch[flight->prepared++]);
		flight->next++;
	}
}

static void metadata_queued_submit(struct flight *flight)
{
	struct worker *worker = flight->worker;
	struct metadata_queue *queue = flight->queue;

	if (flight->taken == flight->prepared)
		return;
	int count =
		worker->backend->submit_metadata(worker->session, &queue->batch[flight->taken],
						 flight->prepared - flight->taken, &flight->err);

	if (count < 0) {
		worker_fail(worker, &flight->err, operation_name(flight->loop->operation),
			    UINT64_MAX, 0);
		metadata_queued_give_up(flight);
		return;
	}
	for (int i = 0; i < count; i++)
		queue->notes[queue->batch[flight->taken++].cookie].issued_ns = flight->now_ns;
	flight->in_flight += (unsigned)count;
	if (count)
		measure_submitted(worker->measure, (unsigned)count, flight->in_flight);
}

static bool may_submit(const struct flight *flight)
{
	return flight->taken < flight->prepared ||
	       (flight->queue->slots.free_count && flight->next < flight->count && !flight->stands);
}

/*
 * Submits in several calls: some backends take one operation at a time, and a batch may be smaller
 * than the queue.
 */
static void metadata_queued_fill_slots(struct flight *flight)
{
	metadata_queued_prepare(flight);
	metadata_queued_submit(flight);
	for (unsigned before = 0; flight->in_flight > before && may_submit(flight);) {
		before = flight->in_flight;
		flight->now_ns = clock_now(flight->worker->clock);
		metadata_queued_prepare(flight);
		metadata_queued_submit(flight);
	}
}

static void metadata_queued_land(struct flight *flight, const struct completion *completion,
				 uint64_t end_ns)
{
	struct worker *worker = flight->worker;
	struct metadata_queue *queue = flight->queue;
	const struct name_note *note = &queue->notes[completion->cookie];
	const enum operation operation = flight->loop->operation;

	slots_give(&queue->slots, completion->cookie);
	if (__builtin_expect(completion->result < 0, 0)) {
		int code = (int)-completion->result;

		error_set(&flight->err, code, "%s: %s", operation_name(operation), strerror(code));
		metadata_queued_fail(flight, note->at, true, &flight->err);
		return;
	}
	flight->finished++;
	uint64_t next_ns = tally_add(worker, &flight->tally, flight->record,
				     end_ns - note->issued_ns, end_ns, note->index);

	if (next_ns > flight->now_ns)
		flight->now_ns = next_ns;
	if (worker->table)
		operation_table_add(worker->table, operation, note->issued_ns, end_ns, note->index,
				    0);
}

/* Waits for one operation, and takes all that have completed. Returns false on failure. */
static bool metadata_queued_reap(struct flight *flight)
{
	struct worker *worker = flight->worker;
	struct metadata_queue *queue = flight->queue;
	unsigned most = flight->in_flight < QUEUE_BATCH ? flight->in_flight : QUEUE_BATCH;
	int count = worker->backend->reap_metadata(worker->session, queue->completions, 1, most,
						   &flight->err);
	uint64_t end_ns = clock_now(worker->clock);

	if (count < 0) {
		worker_fail(worker, &flight->err, operation_name(flight->loop->operation),
			    UINT64_MAX, 0);
		metadata_queued_give_up(flight);
		return false;
	}
	flight->now_ns = end_ns;
	flight->in_flight -= (unsigned)count;
	for (int i = 0; i < count; i++)
		metadata_queued_land(flight, &queue->completions[i], end_ns);
	worker->measure->reaps++;
	return true;
}

static void fly(struct flight *flight)
{
	struct worker *worker = flight->worker;
	_Atomic uint64_t *const progress = &worker->node->own->operations;
	const unsigned depth = flight->queue->slots.depth;

	while (flight->next < flight->count || flight->taken < flight->prepared ||
	       flight->in_flight) {
		if (!loop_drains(worker, depth, flight->in_flight, &flight->now_ns))
			metadata_queued_fill_slots(flight);
		if (flight->in_flight && !metadata_queued_reap(flight))
			return;
		atomic_store_explicit(progress, flight->finished, memory_order_relaxed);
		if (__builtin_expect(flight->now_ns >= worker->poll_at_ns, 0) &&
		    loop_poll(worker, flight->now_ns) && !flight->loop->left)
			metadata_queued_give_up(flight);
	}
}

void metadata_queued_run(struct name_loop *loop)
{
	struct worker *worker = loop->worker;
	struct flight flight = {
		.worker = worker,
		.loop = loop,
		.queue = worker->metadata->queue,
		.record = measure_record(worker->measure, loop->operation),
		.tally = loop->tally,
		.next = loop->done,
		.count = loop->count,
		.finished = loop->tally.done,
	};
	const struct metadata_operation operation = {
		.kind = kinds[loop->operation],
		.mode = loop->operation == OPERATION_MKDIR ? DIRECTORY_MODE : FILE_MODE,
		.access = ACCESS_READ,
	};

	uint64_t begin_ns;

	metadata_queue_empty(flight.queue, &operation);
	flight.now_ns = begin_ns = clock_now(worker->clock);
	if (!loop->times.first_issue_ns)
		loop->times.first_issue_ns = flight.now_ns;
	loop->left = false;
	fly(&flight);
	flight.tally.done = flight.finished;
	loop->done = flight.next;
	loop->tally = flight.tally;
	loop->times.last_completion_ns = flight.now_ns;
	loop->times.own_ns += flight.now_ns - begin_ns;
}
