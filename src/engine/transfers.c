/* The transfer loop of a data phase. */
#include "engine/transfers.h"

#include <errno.h>
#include <inttypes.h>

enum { POLL_NS = 50000000 }; /* half of the 100 ms that are promised */

/* What one loop keeps in registers and hands back at its end. */
struct tally {
	uint64_t done; /* transfers */
	uint64_t bytes;
	uint64_t min_ns, max_ns;
	uint64_t content_ns;
	struct worst worst;
};

static bool poll_stop(struct worker *worker, uint64_t now_ns)
{
	worker->poll_at_ns = now_ns + POLL_NS;
	if (now_ns >= worker->deadline_ns)
		stop_request(worker->node, STOP_DEADLINE);
	if (worker->poll_at_ns > worker->deadline_ns)
		worker->poll_at_ns = worker->deadline_ns;
	if (stop_poll(&worker->stop) == STOP_NONE)
		return false;
	worker->stopped = true;
	/* Seen: do not look again at every transfer, whoever goes on. */
	worker->poll_at_ns = now_ns + POLL_NS;
	return true;
}

/* A call moved less than it was asked for: goes on with the rest; false when it cannot. */
static bool continue_short(struct worker *worker, const struct transfer *transfer, uint64_t moved)
{
	const char *name = operation_name(transfer->access == ACCESS_WRITE ? OPERATION_WRITE
									   : OPERATION_READ);
	struct transfer rest = *transfer;
	struct error err = {0};

	worker->measure->short_transfers++;
	while (moved < transfer->length) {
		rest.offset = transfer->offset + moved;
		rest.length = transfer->length - moved;
		rest.buffer = transfer->buffer ? (char *)transfer->buffer + moved : NULL;
		int64_t more = worker->backend->transfer(worker->file, &rest, &err);

		if (more == 0)
			error_set(&err, 0,
				  transfer->access == ACCESS_READ
					  ? "the file ends here, %" PRIu64 " bytes early"
					  : "nothing more can be written, %" PRIu64 " bytes are left",
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

/* Anything but a full count. Returns whether the loop may go on. */
static bool handle_result(struct worker *worker, const struct transfer *transfer, int64_t moved,
			  const struct error *err)
{
	if (moved >= 0)
		return continue_short(worker, transfer, (uint64_t)moved);
	worker_fail(worker, err,
		    operation_name(transfer->access == ACCESS_WRITE ? OPERATION_WRITE : OPERATION_READ),
		    transfer->offset, transfer->length);
	return false;
}

static bool sync_after_write(struct worker *worker, uint64_t now_ns, uint64_t offset,
			     uint64_t *end_ns)
{
	struct error err = {0};

	node_say(worker->node, ACTIVITY_SYNC);
	int ret = worker->backend->sync(worker->file, &err);

	*end_ns = clock_now(worker->clock);
	node_say(worker->node, ACTIVITY_TRANSFER);
	if (ret) {
		worker_fail(worker, &err, "sync", offset, 0);
		return false;
	}
	measure_add(measure_record(worker->measure, OPERATION_SYNC), *end_ns - now_ns, *end_ns, offset,
		    worker->task, worker->node_number);
	return true;
}

/* What happens to the buffer before a write. */
enum filling {
	FILLING_NONE,
	FILLING_UNTIMED, /* stamping costs less than the clock reading that would set it apart */
	FILLING_TIMED,
};

/*
 * One clock read per transfer: the end of one is the start of the next. Where filling a buffer costs
 * more than a clock read, a second one keeps it out of the service time.
 */
static inline __attribute__((always_inline)) void
loop(struct worker *worker, enum access access, uint32_t source, struct tally *tally,
     struct loop_times *times, const enum filling filling, const bool syncs)
{
	int64_t (*const call)(struct backend_file *, const struct transfer *, struct error *) =
		worker->backend->transfer;
	struct backend_file *const file = worker->file;
	struct operation_record *record = measure_record(
		worker->measure, access == ACCESS_WRITE ? OPERATION_WRITE : OPERATION_READ);
	_Atomic uint64_t *const progress = &worker->node->own->operations;
	const struct clock clock = *worker->clock;
	const struct content content = worker->content;
	const uint64_t count = worker->plan->transfers_per_task;
	const uint64_t length = worker->plan->geometry.transfer;
	struct transfer transfer = {.buffer = worker->buffer, .length = length, .block = source,
				    .count = 1, .access = access};
	struct cursor cursor;
	struct error err = {0};

	cursor_start(&cursor, &worker->plan->geometry, source);
	uint64_t now_ns = clock_now(&clock);

	times->first_issue_ns = now_ns;
	for (uint64_t i = 0; i < count; i++) {
		transfer.offset = cursor.at.offset;
		transfer.segment = cursor.at.segment;
		if (filling != FILLING_NONE)
			content_stamp(&content, transfer.buffer, length, transfer.offset);
		if (filling == FILLING_TIMED) {
			uint64_t filled_ns = clock_now(&clock);

			tally->content_ns += filled_ns - now_ns;
			now_ns = filled_ns;
		}
		int64_t moved = call(file, &transfer, &err);

		if (__builtin_expect(moved != (int64_t)length, 0) &&
		    !handle_result(worker, &transfer, moved, &err))
			break;
		uint64_t end_ns = clock_now(&clock);
		uint64_t service_ns = end_ns - now_ns;

		histogram_record(&record->histogram, service_ns);
		if (service_ns < tally->min_ns)
			tally->min_ns = service_ns;
		if (__builtin_expect(service_ns > tally->max_ns, 0)) {
			tally->max_ns = service_ns;
			tally->worst.at_ns = end_ns;
			tally->worst.offset = transfer.offset;
		}
		tally->done = i + 1;
		atomic_store_explicit(progress, i + 1, memory_order_relaxed);
		if (syncs && !sync_after_write(worker, end_ns, transfer.offset, &end_ns))
			break;
		now_ns = end_ns;
		if (__builtin_expect(now_ns >= worker->poll_at_ns, 0) && poll_stop(worker, now_ns))
			break;
		cursor_step(&cursor);
	}
	times->last_completion_ns = now_ns;
}

static void run_plain(struct worker *worker, enum access access, uint32_t source,
		struct tally *tally, struct loop_times *times)
{
	loop(worker, access, source, tally, times, FILLING_NONE, false);
}

static void run_syncing(struct worker *worker, enum access access, uint32_t source,
		struct tally *tally, struct loop_times *times)
{
	loop(worker, access, source, tally, times, FILLING_NONE, true);
}

static void run_stamping(struct worker *worker, enum access access, uint32_t source,
		struct tally *tally, struct loop_times *times)
{
	loop(worker, access, source, tally, times, FILLING_UNTIMED, false);
}

static void run_stamping_syncing(struct worker *worker, enum access access, uint32_t source,
		struct tally *tally, struct loop_times *times)
{
	loop(worker, access, source, tally, times, FILLING_UNTIMED, true);
}

static void run_filling(struct worker *worker, enum access access, uint32_t source,
		struct tally *tally, struct loop_times *times)
{
	loop(worker, access, source, tally, times, FILLING_TIMED, false);
}

static void run_filling_syncing(struct worker *worker, enum access access, uint32_t source,
		struct tally *tally, struct loop_times *times)
{
	loop(worker, access, source, tally, times, FILLING_TIMED, true);
}

static void keep(struct worker *worker, enum access access, const struct tally *tally,
		 const struct loop_times *times)
{
	struct measure *measure = worker->measure;
	struct operation_record *record =
		measure_record(measure, access == ACCESS_WRITE ? OPERATION_WRITE : OPERATION_READ);
	uint64_t span_ns = times->last_completion_ns - times->first_issue_ns;

	/* A failed call is no operation: only what was recorded counts. */
	histogram_close(&record->histogram, tally->min_ns, tally->max_ns);
	record->worst = (struct worst){
		.ns = tally->max_ns,
		.at_ns = tally->worst.at_ns,
		.offset = tally->worst.offset,
		.task = worker->task,
		.node = worker->node_number,
	};
	measure->bytes = tally->done * worker->plan->geometry.transfer;
	measure->content_ns = tally->content_ns;
	measure->content_share_most =
		span_ns ? (double)tally->content_ns / (double)span_ns : 0;
}

static enum filling choose_filling(const struct worker *worker, enum access access)
{
	if (access != ACCESS_WRITE || !worker->buffer)
		return FILLING_NONE;
	return worker->stamp_ns < worker->clock->cost_ns ? FILLING_UNTIMED : FILLING_TIMED;
}

void transfers_run(struct worker *worker, enum access access, uint32_t source,
		   struct loop_times *times)
{
	typedef void runner(struct worker *, enum access, uint32_t, struct tally *,
			    struct loop_times *);
	static runner *const runners[][2] = {
		[FILLING_NONE] = {run_plain, run_syncing},
		[FILLING_UNTIMED] = {run_stamping, run_stamping_syncing},
		[FILLING_TIMED] = {run_filling, run_filling_syncing},
	};
	bool syncs = access == ACCESS_WRITE && worker->plan->test->fsync_per_write;
	enum filling filling = choose_filling(worker, access);
	struct tally tally = {.min_ns = UINT64_MAX, .worst = {.offset = UINT64_MAX}};

	node_say(worker->node, ACTIVITY_TRANSFER);
	runners[filling][syncs](worker, access, source, &tally, times);
	if (filling == FILLING_UNTIMED)
		tally.content_ns = (uint64_t)((double)tally.done * worker->stamp_ns);
	keep(worker, access, &tally, times);
}
