/*
 * Transfers in which all tasks of a shared file take part: each task makes the same number of calls,
 * one that has failed or was asked to stop with length 0, until all agree to leave.
 */
#include "engine/loop.h"

enum { AGREEMENTS = 256 }; /* in a phase, at most: what they cost must not show */

/* Transfers between two agreements. */
static uint64_t agreement_distance(uint64_t count)
{
	return count / AGREEMENTS + 1;
}

struct round {
	struct worker *worker;
	const struct loop_order *order;
	struct tally *tally;
	struct operation_record *record;
	struct transfer transfer;
	uint64_t now_ns;
	bool moves; /* neither failed nor asked to stop */
};

static void fill(struct round *round)
{
	struct worker *worker = round->worker;

	if (round->order->filling == FILLING_NONE || !round->moves)
		return;
	loop_put(&worker->content, &worker->buffer, &round->transfer);
	if (round->order->filling == FILLING_TIMED) {
		uint64_t filled_ns = clock_now(worker->clock);

		round->tally->content_ns += filled_ns - round->now_ns;
		round->now_ns = filled_ns;
	}
}

/* One call of all tasks; those that have nothing to move make it only where it is collective. */
static void move(struct round *round)
{
	struct worker *worker = round->worker;
	uint64_t length = round->moves ? worker->plan->transfer_bytes : 0;
	bool collective = worker->plan->test->collective;
	struct error err = {0};

	if (!round->moves && !collective)
		return;
	round->transfer.length = length;
	int64_t moved = worker->backend->transfer(worker->file, &round->transfer, &err);
	uint64_t end_ns = clock_now(worker->clock);

	if (!round->moves)
		return; /* what it failed of is known */
	if (moved != (int64_t)length &&
	    !loop_handle(worker, &round->transfer, moved, &err, !collective)) {
		round->moves = false;
		return;
	}
	tally_add(round->tally, round->record, end_ns - round->now_ns, end_ns,
		  round->transfer.offset);
	atomic_store_explicit(&worker->node->own->operations, round->tally->done,
			      memory_order_relaxed);
	round->now_ns = end_ns;
}

/* Where syncing is collective, all do it or none. */
static void sync_all(struct round *round)
{
	struct worker *worker = round->worker;

	if (worker->backend->sync_together && comm_any(worker->comm, !round->moves)) {
		round->moves = false;
		return;
	}
	if (round->moves)
		round->moves = loop_sync(worker, round->now_ns, round->transfer.offset,
					 &round->now_ns);
}

void collective_run(struct worker *worker, const struct loop_order *order, struct tally *tally,
		    struct loop_times *times)
{
	uint64_t count = worker->plan->transfers_per_task;
	uint64_t distance = agreement_distance(count);
	struct round round = {
		.worker = worker,
		.order = order,
		.tally = tally,
		.record = measure_record(worker->measure, operation_of(order->access)),
		.transfer = loop_transfer(worker, order),
		.moves = true,
	};
	struct places places;

	places_start(&places, worker->plan, order->source, order->random);
	round.now_ns = times->first_issue_ns = clock_now(worker->clock);
	for (uint64_t i = 0; i < count; i++) {
		if (i % distance == 0 && i && comm_any(worker->comm, !round.moves))
			break;
		places_put(&places, &round.transfer, order->random);
		fill(&round);
		move(&round);
		if (order->syncs)
			sync_all(&round);
		if (round.moves && round.now_ns >= worker->poll_at_ns &&
		    loop_poll(worker, round.now_ns))
			round.moves = false;
		places_step(&places, order->random);
	}
	times->last_completion_ns = round.now_ns;
}
