/* The transfers of a phase: which spans of the order are moved, one after the other. */
#include "engine/parts.h"

#include "engine/guard.h"

/* What a part needs under the guard. */
struct part {
	struct transfers *transfers;
	struct span span;
};

static void move(void *context)
{
	struct part *part = context;

	transfers_run(part->transfers, &part->span);
}

/* The loop is gone, and what it had counted with it. */
static void take_bus_error(struct transfers *transfers, const void *address)
{
	struct worker *worker = transfers->worker;
	enum operation operation =
		transfers->order.access == ACCESS_WRITE ? OPERATION_WRITE : OPERATION_READ;
	uint64_t length = worker->plan->geometry.transfer, offset;
	struct error err = {0};

	transfers->times.last_completion_ns = clock_now(worker->clock);
	histogram_init(&measure_record(worker->measure, operation)->histogram);
	transfers->tally = tally_empty;
	if (!worker->backend->bus_error(worker->file, address, &offset, &err))
		BUG("SIGBUS at %p, which is in no mapping of %s", address, worker->path);
	worker_fail(worker, &err, operation_name(operation), offset - offset % length, length);
}

static void run_part(struct transfers *transfers, struct span span)
{
	struct part part = {transfers, span};
	const void *address;

	if (!transfers->worker->backend->bus_error)
		move(&part);
	else if (!guard_run(move, &part, &address))
		take_bus_error(transfers, address);
}

void parts_run(struct worker *worker, enum access access, uint32_t source,
	       struct loop_times *times)
{
	struct transfers transfers;

	transfers_start(&transfers, worker, access, source);
	run_part(&transfers, (struct span){.count = worker->plan->transfers_per_task});
	transfers_keep(&transfers);
	*times = transfers.times;
}
