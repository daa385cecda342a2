/* Common parts of the transfer loops. */

#include "engine/data/transfer_loop.h"
#include "engine/data/data_state.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct transfer loop_transfer(const struct worker *worker, const struct loop_setup *setup)
{
	const struct plan *plan = worker->plan;

	return (struct transfer){
		.file = worker->file,
		.buffer = worker->buffer.bytes,
		.length = plan->transfer_bytes,
		.block = setup->source,
		.count = plan->test->strided ? plan->geometry.segments : 1,
		.stride = geometry_stride(&plan->geometry),
		.access = setup->access,
	};
}

void loop_fill(const struct content *content, const struct transfer *transfer)
{
	uint64_t piece = transfer->length / transfer->count;

	for (uint64_t i = 0; i < transfer->count; i++)
		content_fill(content, (char *)transfer->buffer + i * piece,
			     transfer->offset + i * transfer->stride, piece);
}

struct geometry loop_geometry(const struct plan *plan)
{
	struct geometry geometry = plan->geometry;

	if (plan->test->strided)
		geometry.segments = 1;
	/* Files of their own sizes are walked from their begin; the span says which part. */
	if (plan->trace) {
		geometry.shared = false;
		geometry.block = plan->file_size;
	}
	return geometry;
}

uint64_t loop_look(struct worker *worker, uint64_t now_ns, bool last)
{
	if (loop_poll(worker, now_ns))
		return 0;
	if (!worker->data->pause_ns || last)
		return now_ns;
	now_ns = loop_sleep_until(worker, now_ns, now_ns + worker->data->pause_ns);
	if (loop_poll(worker, now_ns))
		return 0;
	worker->poll_at_ns = now_ns; /* the pause follows each transfer */
	return now_ns;
}

/* Counts one call of a transfer that needs several calls or is short. */
static void transfer_loop_count_call(struct worker *worker, const struct transfer *transfer,
				     uint64_t moved)
{
	struct counters *counters = &worker->measure->counters;

	counters_add_calls(counters, counters_of(counters, transfer->access), moved, 1);
}

/* When reads are compared, bytes past the end of the file are damage like any other. */
static bool miss(struct worker *worker, uint64_t bytes)
{
	if (!measure_verification(worker->measure))
		return false;
	worker->data->missing = bytes;
	return true;
}

/* Moves the rest of a short transfer. Returns false if it cannot. */
static bool continue_short(struct worker *worker, struct tally *tally,
			   const struct transfer *transfer, uint64_t moved)
{
	const char *name = operation_name(operation_of(transfer->access));
	struct transfer rest = *transfer;
	struct error err = {0};

	worker->measure->short_transfers++;
	while (moved < transfer->length) {
		rest.offset = transfer->offset + moved;
		rest.length = transfer->length - moved;
		rest.buffer = transfer->buffer ? (char *)transfer->buffer + moved : NULL;
		int64_t more = worker->backend->transfer(rest.file, &rest, &err);

		if (more >= 0) {
			transfer_loop_count_call(worker, &rest, (uint64_t)more);
			sequence_note(&tally->sequence, rest.offset, (uint64_t)more);
		}
		if (more == 0 && miss(worker, rest.length))
			return true;
		if (more == 0)
			error_set(&err, 0,
				  transfer->access == ACCESS_READ
					  ? "the file ends here, %" PRIu64 " bytes early"
					  : "nothing more can be written, %" PRIu64
					    " bytes are left",
				  rest.length);
		if (more <= 0) {
			error_add(&err, "after %" PRIu64 " of %" PRIu64 " bytes", moved,
				  transfer->length);
			worker_fail(worker, &err, name, rest.offset, rest.length);
			return false;
		}
		moved += (uint64_t)more;
	}
	return true;
}

/*
 * Handles a short transfer whose rest this task cannot move alone. Even the moved part need not be
 * at the front.
 */
static bool refuse_short(struct worker *worker, const struct transfer *transfer, int64_t moved)
{
	struct error err = {0};

	if (miss(worker, transfer->length - (uint64_t)moved))
		return true;
	error_set(&err, 0,
		  "%" PRIi64 " of %" PRIu64 " bytes were moved, and the rest of a %s call "
		  "cannot be moved alone",
		  moved, transfer->length, transfer->count > 1 ? "strided" : "collective");
	worker_fail(worker, &err, operation_name(operation_of(transfer->access)), transfer->offset,
		    transfer->length);
	return false;
}

/* Reports a short transfer, as single_xfer_attempt forbids a second call. */
static bool refuse_rest(struct worker *worker, const struct transfer *transfer, int64_t moved)
{
	struct error err = {0};

	worker->measure->short_transfers++;
	error_set(&err, 0,
		  "%" PRIi64 " of %" PRIu64 " bytes were moved, and single_xfer_attempt (-x) "
		  "allows no second call for the rest",
		  moved, transfer->length);
	worker_fail(worker, &err, operation_name(operation_of(transfer->access)), transfer->offset,
		    transfer->length);
	return false;
}

bool loop_handle(struct worker *worker, struct tally *tally, const struct transfer *transfer,
		 int64_t moved, const struct error *err, bool alone)
{
	bool complete;

	if (moved < 0) {
		worker_fail(worker, err, operation_name(operation_of(transfer->access)),
			    transfer->offset, transfer->length);
		return false;
	}
	transfer_loop_count_call(worker, transfer, (uint64_t)moved);
	/* A queued transfer was noted when it was submitted. */
	if (worker->data->queue)
		sequence_cut(&tally->sequence, transfer->offset, transfer->length, (uint64_t)moved);
	else
		sequence_note(&tally->sequence, transfer->offset, (uint64_t)moved);
	if (worker->plan->test->single_xfer_attempt)
		complete = refuse_rest(worker, transfer, moved);
	else if (alone && transfer->count == 1)
		complete = continue_short(worker, tally, transfer, (uint64_t)moved);
	else
		complete = refuse_short(worker, transfer, moved);
	tally->irregular += complete;
	return complete;
}

bool loop_handle_queued(struct worker *worker, struct tally *tally, const struct transfer *transfer,
			int64_t result)
{
	struct error err = {0};

	if (result < 0 && worker->backend->explain)
		worker->backend->explain(transfer->file, transfer, (int)-result, &err);
	else if (result < 0)
		error_set(&err, (int)-result, "%s: %s",
			  operation_name(operation_of(transfer->access)), strerror((int)-result));
	return loop_handle(worker, tally, transfer, result, &err, true);
}

void loop_end_comparing(const struct worker *worker, struct tally *tally, struct loop_times *times)
{
	uint64_t end_ns = clock_now(worker->clock);

	tally->content_ns += end_ns - times->last_completion_ns;
	times->last_completion_ns = end_ns;
}

bool loop_sync(struct worker *worker, uint64_t now_ns, uint64_t offset, uint64_t *end_ns)
{
	return loop_sync_by(worker, worker->backend->sync, now_ns, offset, end_ns);
}

bool loop_sync_by(struct worker *worker, sync_operation *sync, uint64_t now_ns, uint64_t offset,
		  uint64_t *end_ns)
{
	struct error err = {0};

	node_set_activity(worker->node, ACTIVITY_SYNC);
	int ret = sync(worker->file, &err);

	*end_ns = clock_now(worker->clock);
	node_set_activity(worker->node, ACTIVITY_TRANSFER);
	if (ret) {
		worker_fail(worker, &err, "sync", offset, 0);
		return false;
	}
	measure_add(measure_record(worker->measure, OPERATION_SYNC), *end_ns - now_ns, *end_ns,
		    offset, worker->task, worker->node_number);
	if (worker->table && worker->data->queue) /* the queued loop writes the table later */
		operation_table_add(worker->table, OPERATION_SYNC, now_ns, *end_ns, offset, 0);
	else if (worker->table &&
		 loop_record_row(worker, OPERATION_SYNC, now_ns, *end_ns, offset, 0))
		*end_ns = clock_now(worker->clock);
	return true;
}
