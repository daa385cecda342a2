/*
 * Up to queue_depth transfers in flight. Service time runs from entering the submit call that took a
 * transfer to the return of the reap call that brought it back; one clock reading per reap is both
 * the end of what came back and the start of what is submitted next.
 */
#include "engine/data/queue.h"

#include <errno.h>
#include <string.h>

#include "engine/data/data_state.h"
#include "engine/data/transfer_loop.h"

struct flight {
	struct worker *worker;
	const struct loop_order *order;
	struct tally *tally;
	struct queue *queue;
	struct operation_record *record;
	struct transfer transfer; /* what all are made from */
	struct places places;
	struct error err; /* of the call that failed; here as clearing it at each call costs 20 ns */
	uint64_t left;     /* of the span, not prepared yet */
	bool wraps;        /* it begins again then */
	unsigned prepared; /* in the batch, from `taken` on not in flight yet */
	unsigned taken;
	unsigned in_flight;
	uint64_t now_ns;
};

/* Whether there is one more to prepare. */
static bool any_left(struct flight *flight)
{
	if (!flight->left && flight->wraps) {
		places_start(&flight->places, flight->worker, flight->order, flight->order->random);
		flight->left = flight->order->span.count;
	}
	return flight->left;
}

/* As many as there are free slots go into the batch, behind what the backend did not take. */
static void prepare(struct flight *flight)
{
	struct worker *worker = flight->worker;
	struct queue *queue = flight->queue;

	if (flight->taken < flight->prepared)
		return;
	flight->taken = flight->prepared = 0;
	while (queue->slots.free_count && flight->prepared < QUEUE_BATCH && any_left(flight)) {
		uint32_t slot = slots_take(&queue->slots);
		struct transfer *transfer = &queue->batch[flight->prepared++];

		transfer->buffer = worker->buffer.bytes + slot * worker->buffer_step;
		places_put(&flight->places, transfer, flight->order->random);
		transfer->cookie = slot;
		queue->notes[slot].offset = transfer->offset;
		if (flight->order->filling == FILLING_COMPARED)
			checking_spoil(transfer);
		else if (flight->order->filling != FILLING_NONE)
			loop_fill(&worker->content, transfer);
		places_step(&flight->places, flight->order->random);
		flight->left--;
	}
	if (flight->order->filling >= FILLING_TIMED && flight->prepared) {
		uint64_t filled_ns = clock_now(worker->clock);

		flight->tally->content_ns += filled_ns - flight->now_ns;
		flight->now_ns = filled_ns;
	}
}

/* What was prepared will not be moved any more. */
static void give_up(struct flight *flight)
{
	flight->left = 0;
	flight->wraps = false;
	while (flight->taken < flight->prepared)
		slots_give(&flight->queue->slots, flight->queue->batch[flight->taken++].cookie);
}

static void submit(struct flight *flight)
{
	struct worker *worker = flight->worker;
	struct queue *queue = flight->queue;

	if (flight->taken == flight->prepared)
		return;
	int count = worker->backend->submit(worker->session, &queue->batch[flight->taken],
					    flight->prepared - flight->taken, &flight->err);

	if (count < 0) {
		worker_fail(worker, &flight->err, operation_name(operation_of(flight->order->access)),
			    queue->batch[flight->taken].offset, flight->transfer.length);
		give_up(flight);
		return;
	}
	for (int i = 0; i < count; i++) {
		const struct transfer *transfer = &queue->batch[flight->taken++];

		queue->notes[transfer->cookie].issued_ns = flight->now_ns;
		sequence_note(&flight->tally->sequence, transfer->offset, transfer->length);
	}
	flight->in_flight += (unsigned)count;
	if (count)
		measure_submitted(worker->measure, (unsigned)count, flight->in_flight);
}

/* More calls than one when more slots are free than a batch has, so that queue_depth is reached. */
static void fill_slots(struct flight *flight)
{
	prepare(flight);
	submit(flight);
	while (flight->prepared == QUEUE_BATCH && flight->taken == flight->prepared &&
	       flight->queue->slots.free_count && any_left(flight)) {
		flight->now_ns = clock_now(flight->worker->clock);
		prepare(flight);
		submit(flight);
	}
}

/* Before its slot is used again. */
static void compare(struct flight *flight, const struct completion *completion)
{
	struct worker *worker = flight->worker;
	struct transfer transfer = flight->transfer;

	transfer.buffer = worker->buffer.bytes + completion->cookie * worker->buffer_step;
	transfer.offset = flight->queue->notes[completion->cookie].offset;
	checking_compare(worker, &worker->content, &transfer);
}

static void explain(const struct worker *worker, const struct transfer *transfer, int code,
		    struct error *err)
{
	if (worker->backend->explain)
		worker->backend->explain(transfer->file, transfer, code, err);
	else
		error_set(err, code, "%s: %s", operation_name(operation_of(transfer->access)),
			  strerror(code));
}

/*
 * One that came back: recorded, or its failure noted. What is done for the others that came with it,
 * syncs for instance, is no part of its service time.
 */
static void land(struct flight *flight, const struct completion *completion, uint64_t end_ns)
{
	struct worker *worker = flight->worker;
	struct queue *queue = flight->queue;
	const struct queue_note *note = &queue->notes[completion->cookie];
	int64_t result = completion->result;

	slots_give(&queue->slots, completion->cookie);
	if (__builtin_expect(result != (int64_t)flight->transfer.length, 0)) {
		struct transfer transfer = flight->transfer;
		struct error err = {0};

		transfer.buffer = worker->buffer.bytes + completion->cookie * worker->buffer_step;
		transfer.offset = note->offset;
		if (result < 0)
			explain(worker, &transfer, (int)-result, &err);
		if (!loop_handle(worker, flight->tally, &transfer, result, &err, true)) {
			give_up(flight);
			return;
		}
		end_ns = flight->now_ns = clock_now(worker->clock);
	}
	flight->tally->done++;
	uint64_t next_ns = tally_add(worker, flight->tally, flight->record,
				     end_ns - note->issued_ns, end_ns, note->offset);

	if (next_ns > flight->now_ns)
		flight->now_ns = next_ns;
	if (worker->table)
		operation_table_add(worker->table, operation_of(flight->order->access), note->issued_ns, end_ns,
				    note->offset, flight->transfer.length);
	if (flight->order->filling == FILLING_COMPARED)
		compare(flight, completion);
	if (flight->order->syncs &&
	    !loop_sync(worker, flight->now_ns, note->offset, &flight->now_ns))
		give_up(flight);
}

/* What came back was compared before the clock was read again. */
static void count_comparing(struct flight *flight)
{
	uint64_t compared_ns = clock_now(flight->worker->clock);

	flight->tally->content_ns += compared_ns - flight->now_ns;
	flight->now_ns = compared_ns;
}

/* Waits for queue_batch of them, or for all when that many are not in flight. False: it failed. */
static bool reap(struct flight *flight)
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
			    operation_name(operation_of(flight->order->access)), UINT64_MAX, 0);
		return false;
	}
	flight->now_ns = end_ns;
	for (int i = 0; i < count; i++)
		land(flight, &queue->completions[i], end_ns);
	flight->in_flight -= (unsigned)count;
	if (flight->order->filling == FILLING_COMPARED)
		count_comparing(flight);
	worker->measure->reaps++;
	return true;
}

void queued_run(struct worker *worker, const struct loop_order *order, struct tally *tally,
		struct loop_times *times)
{
	struct flight flight = {
		.worker = worker,
		.order = order,
		.tally = tally,
		.queue = worker->data->queue,
		.record = measure_record(worker->measure, operation_of(order->access)),
		.transfer = loop_transfer(worker, order),
		.left = order->span.count,
		.wraps = order->span.wraps,
	};

	/* Of the table of operations: a transfer and its sync are two. */
	const unsigned rows = 2 * flight.queue->slots.depth;

	places_start(&flight.places, worker, order, order->random);
	queue_empty(flight.queue, &flight.transfer);
	flight.now_ns = times->first_issue_ns = clock_now(worker->clock);
	while (flight.left || flight.wraps || flight.taken < flight.prepared || flight.in_flight) {
		if (!loop_drains(worker, rows, flight.in_flight, &flight.now_ns))
			fill_slots(&flight);
		if (flight.in_flight && !reap(&flight))
			break;
		atomic_store_explicit(&worker->node->own->operations, tally->done,
				      memory_order_relaxed);
		if (__builtin_expect(flight.now_ns >= worker->poll_at_ns, 0) &&
		    loop_poll(worker, flight.now_ns))
			give_up(&flight);
	}
	times->last_completion_ns = flight.now_ns;
}
