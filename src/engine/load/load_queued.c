/*
 * A load that keeps up to queue_depth operations in flight. Service time runs from entering the
 * submit call that took an operation to the return of the reap call that brought it back.
 */
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "engine/data/queue.h"
#include "engine/data/transfer_loop.h"
#include "engine/load/load_loop.h"

/* An operation in flight, by its slot. */
struct load_note {
	struct load_request request;
	uint64_t due_ns, issued_ns;
};

struct load_flight {
	struct load_loop *loop;
	struct queue *queue;
	struct load_note *notes;
	unsigned in_flight;
	uint64_t pass; /* of the operations in flight */
	bool waits;    /* the next request waits until nothing is in flight */
	bool ended;    /* nothing more is issued */
	struct error err;
};

static void *buffer_of(const struct load_flight *flight, uint64_t slot)
{
	const struct worker *worker = flight->loop->worker;

	return worker->buffer.bytes ? worker->buffer.bytes + slot * worker->buffer_step : NULL;
}

static void transfer_of(const struct load_flight *flight, uint64_t slot, struct transfer *transfer)
{
	load_loop_transfer(flight->loop, &flight->notes[slot].request, buffer_of(flight, slot),
			   transfer);
	transfer->cookie = slot;
}

/* True if the next request exists, is due and may be issued. A slot must be free. */
static bool next_is_due(struct load_flight *flight)
{
	struct load_loop *loop = flight->loop;

	/* Each file has equally many slots, so as many operations are in flight on each. */
	if (loop->walk.pattern->files_given)
		loop->walk.file = slots_next(&flight->queue->slots) % loop->walk.pattern->files;
	while (load_loop_peek(loop)) {
		if (load_loop_due(loop) > loop->now_ns)
			return false;
		if (load_loop_is_on_time(loop))
			return true;
	}
	flight->ended = true;
	return false;
}

/* Fills the batch with the requests that are due. Returns their number. */
static unsigned load_queued_prepare(struct load_flight *flight)
{
	struct load_loop *loop = flight->loop;
	struct queue *queue = flight->queue;
	unsigned count = 0;
	bool filled = false;

	flight->waits = false;
	while (!flight->ended && count < QUEUE_BATCH && queue->slots.free_count &&
	       next_is_due(flight)) {
		const bool syncs = loop->next.operation == OPERATION_SYNC;

		flight->waits = (syncs || load_loop_begins_pass(loop, flight->pass)) &&
				flight->in_flight + count;
		if (flight->waits)
			break;
		if (syncs) {
			flight->ended = !load_loop_sync(loop);
			break; /* the caller looks for a stop */
		}
		const uint32_t slot = slots_take(&queue->slots);

		flight->pass = loop->next.pass;
		flight->notes[slot] =
			(struct load_note){.request = loop->next, .due_ns = load_loop_due(loop)};
		loop->has_next = false;
		transfer_of(flight, slot, &queue->batch[count]);
		filled |= load_loop_fill(loop, &loop->next, &queue->batch[count]);
		count++;
	}
	if (filled) {
		uint64_t filled_ns = clock_now(loop->worker->clock);

		loop->record.tally.content_ns += filled_ns - loop->now_ns;
		loop->now_ns = filled_ns;
	}
	return count;
}

static void note_issue(struct load_flight *flight, const struct transfer *transfer)
{
	struct load_note *note = &flight->notes[transfer->cookie];

	note->issued_ns = flight->loop->now_ns;
	if (!flight->loop->paced)
		note->due_ns = note->issued_ns;
}

static void load_queued_give_up(struct load_flight *flight, unsigned from, unsigned count)
{
	flight->ended = true;
	for (; from < count; from++)
		slots_give(&flight->queue->slots, flight->queue->batch[from].cookie);
}

/* Submits the batch. The backend takes all of it, as there are no more slots than queue_depth. */
static void load_queued_submit(struct load_flight *flight, unsigned count)
{
	struct worker *worker = flight->loop->worker;
	struct queue *queue = flight->queue;
	unsigned taken = 0;

	while (taken < count) {
		int more = worker->backend->submit(worker->session, &queue->batch[taken],
						   count - taken, &flight->err);

		if (more <= 0) {
			const struct transfer *first = &queue->batch[taken];

			load_loop_name_file(flight->loop, &flight->notes[first->cookie].request);
			if (!more)
				error_set(&flight->err, 0, "the queue took no transfer");
			worker_fail(worker, &flight->err,
				    operation_name(operation_of(first->access)), first->offset,
				    first->length);
			load_queued_give_up(flight, taken, count);
			return;
		}
		for (int i = 0; i < more; i++)
			note_issue(flight, &queue->batch[taken + (unsigned)i]);
		taken += (unsigned)more;
		flight->in_flight += (unsigned)more;
		measure_submitted(worker->measure, (unsigned)more, flight->in_flight);
	}
}

static void load_queued_land(struct load_flight *flight, const struct completion *completion,
			     uint64_t end_ns)
{
	struct load_loop *loop = flight->loop;
	const struct load_note *note = &flight->notes[completion->cookie];
	struct transfer transfer;

	transfer_of(flight, completion->cookie, &transfer);
	slots_give(&flight->queue->slots, completion->cookie);
	if (__builtin_expect(completion->result == (int64_t)transfer.length, 1)) {
		load_record_call(&loop->record, note->request.file, transfer.access,
				 transfer.offset, transfer.length);
	} else {
		load_loop_name_file(loop, &note->request);
		if (!loop_handle_queued(loop->worker, &loop->record.tally, &transfer,
					completion->result)) {
			flight->ended = true;
			return;
		}
		end_ns = clock_now(loop->worker->clock);
	}
	end_ns = load_record_add(&loop->record, &note->request, note->due_ns, note->issued_ns,
				 end_ns);
	if (end_ns > loop->now_ns)
		loop->now_ns = end_ns;
	if (!load_loop_after(loop, &note->request, &transfer, note->due_ns))
		flight->ended = true;
}

/* Waits for at least this many operations. Returns how many came, or -1 after a failure. */
static int load_queued_reap(struct load_flight *flight, unsigned least)
{
	struct load_loop *loop = flight->loop;
	struct worker *worker = loop->worker;
	struct queue *queue = flight->queue;
	const unsigned most = flight->in_flight < QUEUE_BATCH ? flight->in_flight : QUEUE_BATCH;
	int count = worker->backend->reap(worker->session, queue->completions,
					  least < most ? least : most, most, &flight->err);

	loop->now_ns = clock_now(worker->clock);
	if (count < 0) {
		worker_fail(worker, &flight->err, operation_name(OPERATION_READ), UINT64_MAX, 0);
		return -1;
	}
	const uint64_t end_ns = loop->now_ns;

	for (int i = 0; i < count; i++)
		load_queued_land(flight, &queue->completions[i], end_ns);
	flight->in_flight -= (unsigned)count;
	worker->measure->reaps++;
	return count;
}

/*
 * Waits for a completion, or for the moment at which the next request is due if a slot is free for
 * it. A sleep is short, as completions end it late otherwise. Returns false after a failure.
 */
static bool wait_in_flight(struct load_flight *flight)
{
	enum { NAP_NS = 20000 };
	struct load_loop *loop = flight->loop;
	const bool waits_for_due =
		loop->paced && !flight->ended && !flight->waits && flight->queue->slots.free_count;
	int count = load_queued_reap(flight, waits_for_due ? 0 : flight->queue->least);

	if (count < 0)
		return false;
	if (count || !waits_for_due || !loop->has_next)
		return true;
	const uint64_t due_ns = load_loop_due(loop);

	if (due_ns > loop->now_ns) {
		const uint64_t left_ns = due_ns - loop->now_ns;

		nanosleep(&(struct timespec){.tv_nsec = left_ns < NAP_NS ? (long)left_ns : NAP_NS},
			  NULL);
		loop->now_ns = clock_now(loop->worker->clock);
	}
	return true;
}

/* With nothing in flight: sleeps until the next request is due. */
static void sleep_until_due(struct load_flight *flight)
{
	struct load_loop *loop = flight->loop;
	const uint64_t due_ns = load_loop_due(loop);

	load_loop_sleep_until(loop, due_ns);
	flight->ended |= loop->worker->stopped || loop->worker->time_is_up;
	loop->slept = !flight->ended;
	if (loop->slept)
		load_loop_wake_up(loop, due_ns);
}

/* Runs one round: issues what is due, then waits. Returns false if the load is over. */
static bool load_queued_step(struct load_flight *flight)
{
	struct load_loop *loop = flight->loop;
	struct worker *worker = loop->worker;
	const unsigned rows = 2 * flight->queue->slots.depth;
	const uint64_t before = loop->done;

	if (!loop_drains(worker, rows, flight->in_flight, &loop->now_ns))
		load_queued_submit(flight, load_queued_prepare(flight));
	loop->slept = false;
	if (flight->in_flight) {
		if (!wait_in_flight(flight))
			return false;
	} else if (flight->ended) {
		return false;
	} else if (loop->has_next) {
		sleep_until_due(flight);
	}
	if (loop->now_ns >= worker->poll_at_ns && load_loop_poll(loop))
		flight->ended = true;
	if (loop->pauses && !flight->ended)
		load_loop_pause(loop, before);
	return true;
}

void load_queued_run(struct load_loop *loop)
{
	struct load_flight flight = {.loop = loop, .queue = loop->worker->data->queue};

	slots_empty(&flight.queue->slots);
	flight.notes = memory_allocate(flight.queue->slots.depth, sizeof(*flight.notes));
	while (load_queued_step(&flight))
		;
	free(flight.notes);
}
