/*
 * What the transfer loops have in common: where their transfers lie, what is recorded of each, and
 * what they do when something is not as it should be. Private to the loops; the rest of the engine
 * calls transfers_run().
 */
#ifndef ENGINE_LOOP_H
#define ENGINE_LOOP_H

#include "engine/checking.h"
#include "engine/transfers.h"
#include "plan/random_cursor.h"

typedef void loop_runner(struct worker *worker, const struct loop_order *order,
			 struct tally *tally, struct loop_times *times);

loop_runner synchronous_run; /* one transfer at a time */
loop_runner collective_run;  /* the same, and all tasks make the same calls */
loop_runner queued_run;      /* up to queue_depth in flight */

static inline enum operation operation_of(enum access access)
{
	return access == ACCESS_WRITE ? OPERATION_WRITE : OPERATION_READ;
}

/* The transfer all of a loop's transfers are made from: no place, no cookie. */
struct transfer loop_transfer(const struct worker *worker, const struct loop_order *order);

/* The places of one call of the plan: in a strided one the cursor walks the first segment. */
struct geometry loop_geometry(const struct plan *plan);

/* Where a loop's transfers lie, one after the other from the first of its span; `random` is known
 * before the loop. */
struct places {
	struct cursor in_file_order;
	struct random_cursor in_random_order;
};

static inline __attribute__((always_inline)) void
places_start(struct places *places, const struct plan *plan, const struct loop_order *order,
	     bool random)
{
	const struct geometry geometry = loop_geometry(plan);

	if (!random) {
		cursor_start(&places->in_file_order, &geometry, order->source, order->span.first);
		return;
	}
	random_cursor_start(&places->in_random_order, &geometry, plan->order, plan->order_seed,
			    order->source);
	if (order->span.first)
		random_cursor_jump(&places->in_random_order, order->span.first);
}

/* Sends the transfer to the present place. */
static inline __attribute__((always_inline)) void
places_put(const struct places *places, struct transfer *transfer, bool random)
{
	if (random) {
		transfer->offset = places->in_random_order.at->offset;
		transfer->segment = places->in_random_order.at->segment;
		transfer->block = places->in_random_order.at->block;
	} else {
		transfer->offset = places->in_file_order.at.offset;
		transfer->segment = places->in_file_order.at.segment;
	}
}

static inline __attribute__((always_inline)) void places_step(struct places *places, bool random)
{
	if (random)
		random_cursor_step(&places->in_random_order);
	else
		cursor_step(&places->in_file_order);
}

/* Makes what will be written at the transfer's own memory: each segment's piece has its own offset. */
void loop_fill(const struct content *content, const struct transfer *transfer);

/* The same for the only transfer of a buffer: where it lies then is the transfer's memory. */
static inline void loop_put(const struct content *content, const struct content_buffer *buffer,
			    struct transfer *transfer)
{
	if (__builtin_expect(transfer->count == 1, 1))
		transfer->buffer = content_put(content, buffer, transfer->offset, transfer->length);
	else
		loop_fill(content, transfer);
}

/*
 * The present slice is over: goes on in that of end_ns. The time afterwards, as joining slices takes
 * some that belongs to no transfer.
 */
uint64_t loop_turn(struct worker *worker, struct tally *tally, uint64_t end_ns);

/* All of it but how many they are. When the next one may be issued. */
static inline __attribute__((always_inline)) uint64_t
tally_add(struct worker *worker, struct tally *tally, struct operation_record *record,
	  uint64_t service_ns, uint64_t end_ns, uint64_t offset)
{
	unsigned bucket = histogram_index(service_ns);
	uint64_t next_ns = end_ns;

	if (__builtin_expect(end_ns >= tally->slice_until_ns, 0))
		next_ns = loop_turn(worker, tally, end_ns);
	histogram_count(&record->histogram, bucket, service_ns);
	slice_count(tally->slice, bucket);
	if (service_ns < tally->min_ns)
		tally->min_ns = service_ns;
	if (__builtin_expect(service_ns > tally->worst.ns, 0)) {
		tally->worst.ns = service_ns;
		tally->worst.at_ns = end_ns;
		tally->worst.offset = offset;
	}
	return next_ns;
}

/* Looks for the deadline and for stop requests; true: leave the loop. */
bool loop_asked_to_stop(struct worker *worker, uint64_t now_ns);

/* The same, and whether the time of worker->until_ns is up. */
bool loop_poll(struct worker *worker, uint64_t now_ns);

/*
 * Up to a moment, in slices, so that a stop request is not kept waiting: ends early on one, which loop_poll()
 * tells then. The last of it is waited for by the clock where the task has a CPU of its own, as sleeping ends
 * late. The time it is.
 */
uint64_t loop_sleep_until(struct worker *worker, uint64_t now_ns, uint64_t due_ns);

/*
 * The same between two transfers, or after the last one: pauses where the test wants it. When the
 * next one may be issued, 0: leave the loop.
 */
uint64_t loop_look(struct worker *worker, uint64_t now_ns, bool last);

/*
 * A call returned anything but its full length: notes the failure, or goes on with the rest of a
 * short one. Returns whether the transfer is complete now. alone: the rest may be moved by calls of
 * this task only. Counts the calls, and the transfer as irregular.
 */
bool loop_handle(struct worker *worker, struct tally *tally, const struct transfer *transfer,
		 int64_t moved, const struct error *err, bool alone);

/* The last transfer was compared after its end: that is part of the loop too. */
void loop_end_comparing(const struct worker *worker, struct tally *tally,
			struct loop_times *times);

/*
 * A row for the table of operations. Where it was full it is written, which takes a while: true, and what
 * comes next begins now.
 */
bool loop_tell(struct worker *worker, enum operation operation, uint64_t start_ns, uint64_t end_ns,
	       uint64_t offset, uint64_t length);

/* Writes the table of operations, and reads the clock anew; true: it waits for those in flight. */
bool loop_write_table(struct worker *worker, unsigned in_flight, uint64_t *now_ns);

/*
 * Whether nothing may be submitted: the table of operations has no room for so many rows, and has to be
 * written when nothing is in flight, as that would lie in the service times of what is.
 */
static inline bool loop_drains(struct worker *worker, unsigned rows, unsigned in_flight,
			       uint64_t *now_ns)
{
	if (!worker->table || operation_table_has_room(worker->table, rows))
		return false;
	return loop_write_table(worker, in_flight, now_ns);
}

/* One sync after a write, recorded; false when it failed. */
bool loop_sync(struct worker *worker, uint64_t now_ns, uint64_t offset, uint64_t *end_ns);

#endif
