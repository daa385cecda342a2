/*
 * Transfers in which all tasks of a shared file take part. Each task makes the same number of calls
 * until all agree to leave. A task that has failed or was asked to stop calls with length 0.
 */
#include "engine/data/transfer_loop.h"

/*
 * Tasks agree at most 256 times in a phase of known length, so that the cost does not show. The
 * time between agreements is at most 250 ms, or a hundredth of the time limit if that is less.
 */
enum { AGREEMENTS = 256, AGREE_EVERY_NS = 250000000, AGREEMENTS_IN_TIME = 100 };

struct round {
	struct worker *worker;
	const struct loop_order *order;
	struct tally *tally;
	struct operation_record *record;
	struct transfer transfer;
	uint64_t start_ns, now_ns;
	uint64_t waited_ns; /* time spent waiting for the others to agree */
	uint64_t made; /* calls made */
	uint64_t next; /* call before which the next agreement is due */
	bool moves;    /* this task neither failed nor was asked to stop */
};

/* value * part / whole */
static uint64_t scale(uint64_t value, uint64_t part, uint64_t whole)
{
	unsigned __int128 scaled = (unsigned __int128)value * part / (whole ? whole : 1);

	return scaled < UINT64_MAX ? (uint64_t)scaled : UINT64_MAX;
}

/* Calls until the next agreement, given the time so far. The result is the same on all tasks. */
static uint64_t agreement_distance(const struct round *round, uint64_t elapsed_ns, uint64_t limit_ns)
{
	const struct span *span = &round->order->span;
	uint64_t most = span->wraps ? UINT64_MAX : span->count / AGREEMENTS + 1;
	uint64_t step_ns = limit_ns / AGREEMENTS_IN_TIME;

	if (step_ns > AGREE_EVERY_NS)
		step_ns = AGREE_EVERY_NS;
	/*
	 * Estimated from the speed so far. A distance is at most the calls so far, as the first
	 * ones may be untypical.
	 */
	uint64_t distance = scale(round->made, step_ns, elapsed_ns);

	if (distance > round->made)
		distance = round->made;
	if (distance > most)
		distance = most;
	return distance ? distance : 1;
}

/* Moves the time mark past a wait, which counts neither as content nor as service time. */
static void end_wait(struct round *round)
{
	uint64_t now_ns = clock_now(round->worker->clock);

	round->waited_ns += now_ns - round->now_ns;
	round->now_ns = now_ns;
}

/*
 * Returns true if all tasks must leave before the next call: one cannot go on, or the time is up.
 */
static bool all_leave(struct round *round)
{
	struct worker *worker = round->worker;
	uint64_t said[] = {!round->moves, round->now_ns >= worker->until_ns,
			   round->now_ns - round->start_ns, worker->until_ns - round->start_ns};

	if (round->made < round->next)
		return false;
	comm_most(&worker->crew->comm, said, 4);
	worker->time_is_up = said[1];
	if (said[0] || said[1])
		return true;
	round->next = round->made + agreement_distance(round, said[2], said[3]);
	end_wait(round);
	return false;
}

static void fill(struct round *round)
{
	struct worker *worker = round->worker;

	if (round->order->filling == FILLING_NONE || !round->moves)
		return;
	if (round->order->filling == FILLING_COMPARED)
		checking_spoil(&round->transfer);
	else
		loop_put(&worker->content, &worker->buffer, &round->transfer);
	if (round->order->filling != FILLING_UNTIMED) {
		uint64_t filled_ns = clock_now(worker->clock);

		round->tally->content_ns += filled_ns - round->now_ns;
		round->now_ns = filled_ns;
	}
}

/* Compares before any wait for other tasks, so that the wait does not count as comparing. */
static void compare(struct round *round)
{
	struct worker *worker = round->worker;

	checking_compare(worker, &worker->content, &round->transfer);
	uint64_t compared_ns = clock_now(worker->clock);

	round->tally->content_ns += compared_ns - round->now_ns;
	round->now_ns = compared_ns;
}

/*
 * Makes one call on all tasks. A task with nothing to move calls only if the transfers are
 * collective.
 */
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
		return; /* its failure was reported before */
	if (moved == (int64_t)length) {
		sequence_note(&round->tally->sequence, round->transfer.offset, length);
	} else if (!loop_handle(worker, round->tally, &round->transfer, moved, &err, !collective)) {
		round->moves = false;
		return;
	} else {
		end_ns = clock_now(worker->clock); /* the last continued call ended it */
	}
	round->tally->done++;
	uint64_t next_ns = tally_add(worker, round->tally, round->record, end_ns - round->now_ns,
				     end_ns, round->transfer.offset);

	atomic_store_explicit(&worker->node->own->operations, round->tally->done,
			      memory_order_relaxed);
	/* All tasks have the same number of rows, so they write the table at the same call. */
	if (worker->table && loop_tell(worker, operation_of(round->order->access), round->now_ns,
				       end_ns, round->transfer.offset, length))
		next_ns = clock_now(worker->clock);
	round->now_ns = next_ns;
	if (round->order->filling == FILLING_COMPARED)
		compare(round);
}

/* Where sync is collective, either all tasks sync or none. */
static void sync_all(struct round *round)
{
	struct worker *worker = round->worker;

	if (worker->backend->sync_together) {
		if (comm_any(&worker->crew->comm, !round->moves)) {
			round->moves = false;
			return;
		}
		end_wait(round);
	}
	if (round->moves)
		round->moves = loop_sync(worker, round->now_ns, round->transfer.offset,
					 &round->now_ns);
}

/* Checks for stop requests. Tasks agree on the end of the time, so no task leaves alone for it. */
static void look(struct round *round, bool last)
{
	struct worker *worker = round->worker;

	if (!round->moves || round->now_ns < worker->poll_at_ns)
		return;
	uint64_t next_ns = loop_look(worker, round->now_ns, last);

	round->moves = next_ns || worker->time_is_up;
	if (next_ns)
		round->now_ns = next_ns;
}

/* Makes the transfers of the span once. Returns false if all left early. */
static bool run_once(struct round *round, struct places *places)
{
	const struct loop_order *order = round->order;
	uint64_t count = order->span.count;

	for (uint64_t i = 0; i < count; i++) {
		if (all_leave(round))
			return false;
		places_put(places, &round->transfer, order->random);
		fill(round);
		move(round);
		round->made++;
		if (order->syncs)
			sync_all(round);
		look(round, i + 1 == count && !order->span.wraps);
		places_step(places, order->random);
	}
	return true;
}

void collective_run(struct worker *worker, const struct loop_order *order, struct tally *tally,
		    struct loop_times *times)
{
	struct round round = {
		.worker = worker,
		.order = order,
		.tally = tally,
		.record = measure_record(worker->measure, operation_of(order->access)),
		.transfer = loop_transfer(worker, order),
		.next = 1,
		.moves = true,
	};
	struct places places;

	places_start(&places, worker, order, order->random);
	round.start_ns = round.now_ns = times->first_issue_ns = clock_now(worker->clock);
	while (run_once(&round, &places) && order->span.wraps)
		places_start(&places, worker, order, order->random);
	times->last_completion_ns = round.now_ns;
	times->waited_ns = round.waited_ns;
}
