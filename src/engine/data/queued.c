/*
 * Keeps up to queue_depth transfers in flight. Service time runs from entering the submit call that
 * took a transfer to the return of the reap call that brought it back. One clock reading per reap
 * ends the returned transfers and starts those submitted next.
 */
#include "engine/data/queue.h"

#include "engine/data/data_state.h"
#include "engine/data/transfer_loop.h"
#include "engine/data/walk.h"

struct flight {
	struct worker *worker;
	const struct loop_setup *setup;
	struct tally *tally;
	struct queue *queue;
	struct operation_record *record;
	struct transfer transfer; /* template of all transfers */
	void (*prepare)(struct flight *flight);
	struct walk *walk;
	struct error err;  /* of a failed call; kept here, as clearing it per call costs 20 ns */
	bool ended;	   /* no further requests */
	unsigned prepared; /* requests in the batch; those from `taken` on are not in flight */
	unsigned taken;
	unsigned in_flight;
	uint64_t now_ns;
};

/*
 * Completes a copy of flight->transfer for a slot's request. The request is read before anything is
 * written.
 */
static inline __attribute__((always_inline)) void put_request(const struct flight *flight,
							      uint64_t slot,
							      struct transfer *transfer)
{
	const struct request request = flight->queue->notes[slot].request;

	transfer->file = request.file;
	transfer->buffer = flight->worker->buffer.bytes + slot * flight->worker->buffer_step;
	transfer->offset = request.offset;
	transfer->length = request.length;
	transfer->block = request.block;
	transfer->segment = request.segment;
	transfer->cookie = slot;
	transfer->access = access_of(request.operation);
}

/*
 * Fills the batch with a request for each free slot, unless the backend has not yet taken the last
 * batch.
 */
static inline __attribute__((always_inline)) void prepare_by(request_next *next,
							     struct flight *flight)
{
	struct worker *worker = flight->worker;
	struct queue *queue = flight->queue;
	const enum filling filling = flight->setup->filling;
	const unsigned free = queue->slots.free_count;
	const unsigned room = free < QUEUE_BATCH ? free : QUEUE_BATCH;
	struct transfer *transfer = queue->batch;
	unsigned prepared = 0;

	if (flight->ended || flight->taken < flight->prepared)
		return;
	for (; prepared < room; prepared++, transfer++) {
		uint32_t slot = slots_take(&queue->slots);

		if (!next(flight->walk, &queue->notes[slot].request)) {
			slots_give(&queue->slots, slot);
			flight->ended = true;
			break;
		}
		put_request(flight, slot, transfer);
		if (filling == FILLING_COMPARED)
			checking_spoil(transfer);
		else if (filling != FILLING_NONE)
			loop_fill(&worker->content, transfer);
	}
	flight->taken = 0;
	flight->prepared = prepared;
	if (filling >= FILLING_TIMED && prepared) {
		uint64_t filled_ns = clock_now(worker->clock);

		flight->tally->content_ns += filled_ns - flight->now_ns;
		flight->now_ns = filled_ns;
	}
}

static void prepare_in_file_order(struct flight *flight)
{
	prepare_by(walk_next_in_file_order, flight);
}

static void prepare_random(struct flight *flight)
{
	prepare_by(walk_next_random, flight);
}

/* Drops requests that were prepared but not submitted. */
static void queued_give_up(struct flight *flight)
{
	flight->ended = true;
	while (flight->taken < flight->prepared)
		slots_give(&flight->queue->slots, flight->queue->batch[flight->taken++].cookie);
}

static void queued_submit(struct flight *flight)
{
	struct worker *worker = flight->worker;
	struct queue *queue = flight->queue;

	if (flight->taken == flight->prepared)
		return;
	int count = worker->backend->submit(worker->session, &queue->batch[flight->taken],
					    flight->prepared - flight->taken, &flight->err);

	if (count < 0) {
		const struct transfer *first = &queue->batch[flight->taken];

		worker_fail(worker, &flight->err, operation_name(operation_of(first->access)),
			    first->offset, first->length);
		queued_give_up(flight);
		return;
	}
	const struct transfer *transfer = &queue->batch[flight->taken];

	for (int i = 0; i < count; i++, transfer++) {
		queue->notes[transfer->cookie].issued_ns = flight->now_ns;
		sequence_note(&flight->tally->sequence, transfer->offset, transfer->length);
	}
	flight->taken += (unsigned)count;
	flight->in_flight += (unsigned)count;
	if (count)
		measure_submitted(worker->measure, (unsigned)count, flight->in_flight);
}

/*
 * Submits several batches if more slots are free than one batch holds, so that queue_depth is
 * reached.
 */
static void queued_fill_slots(struct flight *flight)
{
	flight->prepare(flight);
	queued_submit(flight);
	while (flight->prepared == QUEUE_BATCH && flight->taken == flight->prepared &&
	       flight->queue->slots.free_count && !flight->ended) {
		flight->now_ns = clock_now(flight->worker->clock);
		flight->prepare(flight);
		queued_submit(flight);
	}
}

/* Compares a completed read before its slot is reused. */
static void queued_compare(struct flight *flight, const struct completion *completion)
{
	struct worker *worker = flight->worker;
	struct transfer transfer = flight->transfer;

	put_request(flight, completion->cookie, &transfer);
	checking_compare(worker, &worker->content, &transfer);
}

/*
 * Handles a transfer whose result is not its full length. Returns whether further calls have
 * completed it. Kept out of queued_land(), where the compiler would load the whole request for each
 * transfer.
 */
static __attribute__((noinline)) bool complete(struct flight *flight,
					       const struct completion *completion)
{
	struct worker *worker = flight->worker;
	struct transfer transfer = flight->transfer;

	put_request(flight, completion->cookie, &transfer);
	if (!loop_handle_queued(worker, flight->tally, &transfer, completion->result))
		return false;
	flight->now_ns = clock_now(worker->clock);
	return true;
}

/*
 * Records a completed transfer, or notes its failure. Work for other transfers of the same reap,
 * such as syncs, is not part of its service time.
 */
static void queued_land(struct flight *flight, const struct completion *completion, uint64_t end_ns)
{
	struct worker *worker = flight->worker;
	struct queue *queue = flight->queue;
	const struct queue_note *note = &queue->notes[completion->cookie];
	const struct request *request = &note->request;

	slots_give(&queue->slots, completion->cookie);
	if (__builtin_expect(completion->result != (int64_t)request->length, 0)) {
		if (!complete(flight, completion)) {
			queued_give_up(flight);
			return;
		}
		end_ns = flight->now_ns;
	}
	flight->tally->done++;
	uint64_t next_ns = tally_add(worker, flight->tally, flight->record,
				     end_ns - note->issued_ns, end_ns, request->offset);

	if (next_ns > flight->now_ns)
		flight->now_ns = next_ns;
	if (worker->table)
		operation_table_add(worker->table, request->operation, note->issued_ns, end_ns,
				    request->offset, request->length);
	if (flight->setup->filling == FILLING_COMPARED)
		queued_compare(flight, completion);
	if (flight->setup->syncs &&
	    !loop_sync(worker, flight->now_ns, request->offset, &flight->now_ns))
		queued_give_up(flight);
}

/* Counts the time of comparing, up to a new clock reading. */
static void count_comparing(struct flight *flight)
{
	uint64_t compared_ns = clock_now(flight->worker->clock);

	flight->tally->content_ns += compared_ns - flight->now_ns;
	flight->now_ns = compared_ns;
}

/* Waits for queue_batch transfers, or for all if fewer are in flight. Returns false on failure. */
static bool queued_reap(struct flight *flight)
{
	struct worker *worker = flight->worker;
	struct queue *queue = flight->queue;
	unsigned most = flight->in_flight < QUEUE_BATCH ? flight->in_flight : QUEUE_BATCH;
	unsigned least = queue->least < most ? queue->least : most;
	int count = worker->backend->reap(worker->session, queue->completions, least, most,
					  &flight->err);
	uint64_t end_ns = clock_now(worker->clock);

	if (count < 0) {
		worker_fail(worker, &flight->err,
			    operation_name(operation_of(flight->setup->access)), UINT64_MAX, 0);
		return false;
	}
	flight->now_ns = end_ns;
	for (int i = 0; i < count; i++)
		queued_land(flight, &queue->completions[i], end_ns);
	flight->in_flight -= (unsigned)count;
	if (flight->setup->filling == FILLING_COMPARED)
		count_comparing(flight);
	worker->measure->reaps++;
	return true;
}

void queued_run(struct worker *worker, const struct loop_setup *setup, struct tally *tally,
		struct loop_times *times)
{
	struct walk walk;
	struct flight flight = {
		.worker = worker,
		.setup = setup,
		.tally = tally,
		.queue = worker->data->queue,
		.record = measure_record(worker->measure, operation_of(setup->access)),
		.transfer = loop_transfer(worker, setup),
		.prepare = setup->random ? prepare_random : prepare_in_file_order,
		.walk = &walk,
	};

	/* Rows in the table of operations: a transfer and its sync need two. */
	const unsigned rows = 2 * flight.queue->slots.depth;

	walk_start(&walk, worker, setup);
	queue_empty(flight.queue, &flight.transfer);
	flight.now_ns = clock_now(worker->clock);
	times->first_issue_ns = times->last_completion_ns = flight.now_ns;
	while (!flight.ended || flight.taken < flight.prepared || flight.in_flight) {
		if (!loop_drains(worker, rows, flight.in_flight, &flight.now_ns))
			queued_fill_slots(&flight);
		if (flight.in_flight) {
			if (!queued_reap(&flight))
				break;
			times->last_completion_ns = flight.now_ns;
		}
		atomic_store_explicit(&worker->node->own->operations, tally->done,
				      memory_order_relaxed);
		if (__builtin_expect(flight.now_ns >= worker->poll_at_ns, 0) &&
		    loop_poll(worker, flight.now_ns))
			queued_give_up(&flight);
	}
}
