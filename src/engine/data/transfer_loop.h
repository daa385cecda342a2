/*
 * Common parts of the transfer loops: cursors of transfers, records, and handling of short or
 * failed calls. Private to the loops. The rest of the engine calls transfers_run().
 */
#ifndef ENGINE_DATA_TRANSFER_LOOP_H
#define ENGINE_DATA_TRANSFER_LOOP_H

#include "engine/core/loop.h"
#include "engine/data/checking.h"
#include "engine/data/data_state.h"
#include "engine/data/transfers.h"
#include "pattern/random_cursor.h"

typedef void loop_runner(struct worker *worker, const struct loop_setup *setup, struct tally *tally,
			 struct loop_times *times);

loop_runner synchronous_run; /* one transfer at a time */
loop_runner collective_run;  /* one at a time, and all tasks make the same calls */
loop_runner queued_run;	     /* up to queue_depth in flight */

static inline enum operation operation_of(enum access access)
{
	return access == ACCESS_WRITE ? OPERATION_WRITE : OPERATION_READ;
}

static inline enum access access_of(enum operation operation)
{
	return operation == OPERATION_WRITE ? ACCESS_WRITE : ACCESS_READ;
}

/* Template of a loop's transfers, without position and cookie. */
struct transfer loop_transfer(const struct worker *worker, const struct loop_setup *setup);

/*
 * Geometry of the cursors of a loop's calls. For strided calls the cursor walks the first segment
 * only.
 */
struct geometry loop_geometry(const struct plan *plan);

/*
 * Positions of a loop's transfers, one after the other from the first of its span. `random` is
 * known before the loop.
 */
struct cursors {
	struct cursor in_file_order;
	struct random_cursor in_random_order;
};

static inline __attribute__((always_inline)) void cursors_start(struct cursors *cursors,
								const struct worker *worker,
								const struct loop_setup *setup,
								bool random)
{
	const struct plan *plan = worker->plan;
	const struct geometry geometry = loop_geometry(plan);

	if (!random) {
		cursor_start(&cursors->in_file_order, &geometry, setup->source, setup->span.first);
		return;
	}
	random_cursor_start(&cursors->in_random_order, &geometry, plan->order, plan->order_seed,
			    setup->source, worker->data->held);
	if (setup->span.first)
		random_cursor_jump(&cursors->in_random_order, setup->span.first);
}

/* Sets the transfer to the current position. */
static inline __attribute__((always_inline)) void cursors_put(const struct cursors *cursors,
							      struct transfer *transfer,
							      bool random)
{
	if (random) {
		transfer->offset = cursors->in_random_order.at->offset;
		transfer->segment = cursors->in_random_order.at->segment;
		transfer->block = cursors->in_random_order.at->block;
	} else {
		transfer->offset = cursors->in_file_order.at.offset;
		transfer->segment = cursors->in_file_order.at.segment;
	}
}

static inline __attribute__((always_inline)) void cursors_step(struct cursors *cursors, bool random)
{
	if (random)
		random_cursor_step(&cursors->in_random_order);
	else
		cursor_step(&cursors->in_file_order);
}

/*
 * Generates the transfer's content in its own memory. Each segment's piece has its own file offset.
 */
void loop_fill(const struct content *content, const struct transfer *transfer);

/*
 * Generates the content of a buffer that serves a single transfer, and points the transfer to it.
 */
static inline void loop_put(const struct content *content, const struct content_buffer *buffer,
			    struct transfer *transfer)
{
	if (__builtin_expect(transfer->count == 1, 1))
		transfer->buffer = content_put(content, buffer, transfer->offset, transfer->length);
	else
		loop_fill(content, transfer);
}

/*
 * Checks as loop_poll() does, and pauses if the test wants it. last: after the last transfer, where
 * no pause follows. Returns when the next transfer may be issued; 0: leave the loop.
 */
uint64_t loop_look(struct worker *worker, uint64_t now_ns, bool last);

/*
 * Handles a call that did not move its full length: notes the failure, or moves the rest of a short
 * transfer. Returns whether the transfer is complete. alone: calls of this task only may move the
 * rest. Counts the calls, and the transfer as irregular.
 */
bool loop_handle(struct worker *worker, struct tally *tally, const struct transfer *transfer,
		 int64_t moved, const struct error *err, bool alone);

/* loop_handle() for a queued transfer; result: bytes moved, or -errno, which it explains. */
bool loop_handle_queued(struct worker *worker, struct tally *tally, const struct transfer *transfer,
			int64_t result);

/* Extends the loop's time by comparing the last transfer. */
void loop_end_comparing(const struct worker *worker, struct tally *tally, struct loop_times *times);

/* Syncs after a write and records it. Returns false on failure. */
bool loop_sync(struct worker *worker, uint64_t now_ns, uint64_t offset, uint64_t *end_ns);

/* As loop_sync(), by this operation of the backend: sync or sync_data. */
typedef int sync_operation(struct backend_file *file, struct error *err);
bool loop_sync_by(struct worker *worker, sync_operation *sync, uint64_t now_ns, uint64_t offset,
		  uint64_t *end_ns);

#endif
