/* A load that makes one operation at a time. */
#include "engine/load/load_items.h"

/* Waits until the next request is due. Returns false if the time was up before. */
static bool wait_until_due(struct load_loop *loop)
{
	struct worker *worker = loop->worker;
	const uint64_t due_ns = load_loop_due(loop);

	loop->slept = loop->now_ns < due_ns;
	if (loop->slept) {
		load_loop_sleep_until(loop, due_ns);
		if (worker->stopped || worker->time_is_up)
			return false;
		load_loop_wake_up(loop, due_ns);
	}
	if (loop->now_ns >= worker->poll_at_ns && load_loop_poll(loop))
		return false;
	if (loop->pauses)
		loop->behind_ns = loop->now_ns - due_ns - loop->record.tally.content_ns;
	return true;
}

/* Gets or gives back the lock on the bytes of an operation. Returns false if that fails. */
static bool lock(struct load_loop *loop, const struct transfer *transfer, enum file_lock kind)
{
	struct worker *worker = loop->worker;

	if (!worker->backend->lock(transfer->file, kind, transfer->offset, transfer->length,
				   &loop->err))
		return true;
	worker_fail(worker, &loop->err, kind == FILE_LOCK_NONE ? "unlock" : "lock",
		    transfer->offset, transfer->length);
	return false;
}

/* Makes one operation that was due at due_ns. Returns false if the load must end. */
static bool operate(struct load_loop *loop, uint64_t due_ns)
{
	struct worker *worker = loop->worker;
	const struct load_request *request = &loop->next;
	struct transfer transfer;
	uint64_t issued_ns, end_ns;

	load_loop_transfer(loop, request, worker->buffer.bytes, &transfer);
	if (load_loop_fill(loop, request, &transfer)) {
		uint64_t filled_ns = clock_now(worker->clock);

		loop->record.tally.content_ns += filled_ns - loop->now_ns;
		loop->now_ns = filled_ns;
	}
	issued_ns = loop->now_ns;
	if (loop->locks[transfer.access] && !lock(loop, &transfer, loop->locks[transfer.access]))
		return false;
	int64_t moved = worker->backend->transfer(transfer.file, &transfer, &loop->err);

	if (__builtin_expect(moved == (int64_t)transfer.length, 1)) {
		load_record_call(&loop->record, request->file, transfer.access, transfer.offset,
				 transfer.length);
	} else {
		load_loop_name_file(loop, request);
		if (!loop_handle(worker, &loop->record.tally, &transfer, moved, &loop->err, true))
			return false;
	}
	if (loop->locks[transfer.access] && !lock(loop, &transfer, FILE_LOCK_NONE))
		return false;
	end_ns = clock_now(worker->clock);
	if (!loop->paced)
		due_ns = issued_ns;
	loop->now_ns = load_record_add(&loop->record, request, due_ns, issued_ns, end_ns);
	loop->has_next = false;
	return load_loop_after(loop, request, &transfer, due_ns);
}

void load_synchronous_run(struct load_loop *loop)
{
	while (load_loop_peek(loop)) {
		if (!wait_until_due(loop))
			return;
		if (!load_loop_is_on_time(loop))
			continue;
		if (__builtin_expect(loop->next.operation > OPERATION_READ, 0)) {
			if (loop->next.operation == OPERATION_SYNC
				    ? !load_loop_sync(loop)
				    : !load_items_operate(loop, load_loop_due(loop)))
				return;
		} else if (!operate(loop, load_loop_due(loop))) {
			return;
		}
		if (loop->pauses && (loop->walk.trace || load_loop_peek(loop)))
			load_loop_pause(loop, loop->done - 1);
	}
}
