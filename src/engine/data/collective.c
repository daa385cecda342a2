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

struct collective_loop {
	struct worker *worker;
	const struct loop_setup *setup;
	struct tally *tally;
	struct operation_record *record;
	struct transfer transfer;
	uint64_t start_ns, now_ns;
	uint64_t waited_ns; /* time spent waiting for the others to agree */
	uint64_t made;	    /* calls made */
	uint64_t next;	    /* call before which the next agreement is due */
	bool moves;	    /* this task neither failed nor was asked to stop */
};

/* value * part / whole */
static uint64_t collective_scale(uint64_t value, uint64_t part, uint64_t whole)
{
	unsigned __int128 scaled = (unsigned __int128)value * part / (whole ? whole : 1);

	return scaled < UINT64_MAX ? (uint64_t)scaled : UINT64_MAX;
}

/* Calls until the next agreement, given the time so far. The result is the same on all tasks. */
static uint64_t agreement_distance(const struct collective_loop *loop, uint64_t elapsed_ns,
				   uint64_t limit_ns)
{
	const struct span *span = &loop->setup->span;
	uint64_t most = span->wraps ? UINT64_MAX : span->count / AGREEMENTS + 1;
	uint64_t step_ns = limit_ns / AGREEMENTS_IN_TIME;

	if (step_ns > AGREE_EVERY_NS)
		step_ns = AGREE_EVERY_NS;
	/*
	 * Estimated from the speed so far. A distance is at most the calls so far, as the first
	 * ones may be untypical.
	 */
	uint64_t distance = collective_scale(loop->made, step_ns, elapsed_ns);

	if (distance > loop->made)
		distance = loop->made;
	if (distance > most)
		distance = most;
	return distance ? distance : 1;
}

/* Moves the time mark past a wait, which counts neither as content nor as service time. */
static void end_wait(struct collective_loop *loop)
{
	uint64_t now_ns = clock_now(loop->worker->clock);

	loop->waited_ns += now_ns - loop->now_ns;
	loop->now_ns = now_ns;
}

/*
 * Returns true if all tasks must leave before the next call: one cannot go on, or the time is up.
 */
static bool all_leave(struct collective_loop *loop)
{
	struct worker *worker = loop->worker;
	uint64_t said[] = {!loop->moves, loop->now_ns >= worker->until_ns,
			   loop->now_ns - loop->start_ns, worker->until_ns - loop->start_ns};

	if (loop->made < loop->next)
		return false;
	comm_most(&worker->crew->comm, said, 4);
	worker->time_is_up = said[1];
	if (said[0] || said[1])
		return true;
	loop->next = loop->made + agreement_distance(loop, said[2], said[3]);
	end_wait(loop);
	return false;
}

static void collective_fill(struct collective_loop *loop)
{
	struct worker *worker = loop->worker;

	if (loop->setup->filling == FILLING_NONE || !loop->moves)
		return;
	if (loop->setup->filling == FILLING_COMPARED)
		checking_spoil(&loop->transfer);
	else
		loop_put(&worker->content, &worker->buffer, &loop->transfer);
	if (loop->setup->filling != FILLING_UNTIMED) {
		uint64_t filled_ns = clock_now(worker->clock);

		loop->tally->content_ns += filled_ns - loop->now_ns;
		loop->now_ns = filled_ns;
	}
}

/* Compares before any wait for other tasks, so that the wait does not count as comparing. */
static void collective_compare(struct collective_loop *loop)
{
	struct worker *worker = loop->worker;

	checking_compare(worker, &worker->content, &loop->transfer);
	uint64_t compared_ns = clock_now(worker->clock);

	loop->tally->content_ns += compared_ns - loop->now_ns;
	loop->now_ns = compared_ns;
}

/*
 * Makes one call on all tasks. A task with nothing to move calls only if the transfers are
 * collective.
 */
static void collective_move(struct collective_loop *loop)
{
	struct worker *worker = loop->worker;
	uint64_t length = loop->moves ? worker->plan->transfer_bytes : 0;
	bool collective = worker->plan->test->collective;
	struct error err = {0};

	if (!loop->moves && !collective)
		return;
	loop->transfer.length = length;
	int64_t moved = worker->backend->transfer(worker->file, &loop->transfer, &err);
	uint64_t end_ns = clock_now(worker->clock);

	if (!loop->moves)
		return; /* its failure was reported before */
	if (moved == (int64_t)length) {
		sequence_note(&loop->tally->sequence, loop->transfer.offset, length);
	} else if (!loop_handle(worker, loop->tally, &loop->transfer, moved, &err, !collective)) {
		loop->moves = false;
		return;
	} else {
		end_ns = clock_now(worker->clock); /* the last continued call ended it */
	}
	loop->tally->done++;
	uint64_t next_ns = tally_add(worker, loop->tally, loop->record, end_ns - loop->now_ns,
				     end_ns, loop->transfer.offset);

	atomic_store_explicit(&worker->node->own->operations, loop->tally->done,
			      memory_order_relaxed);
	/* All tasks have the same number of rows, so they write the table at the same call. */
	if (worker->table && loop_record_row(worker, operation_of(loop->setup->access),
					     loop->now_ns, end_ns, loop->transfer.offset, length))
		next_ns = clock_now(worker->clock);
	loop->now_ns = next_ns;
	if (loop->setup->filling == FILLING_COMPARED)
		collective_compare(loop);
}

/* Where sync is collective, either all tasks sync or none. */
static void sync_all(struct collective_loop *loop)
{
	struct worker *worker = loop->worker;

	if (worker->backend->sync_together) {
		if (comm_any(&worker->crew->comm, !loop->moves)) {
			loop->moves = false;
			return;
		}
		end_wait(loop);
	}
	if (loop->moves)
		loop->moves = loop_sync(worker, loop->now_ns, loop->transfer.offset, &loop->now_ns);
}

/* Checks for stop requests. Tasks agree on the end of the time, so no task leaves alone for it. */
static void collective_look(struct collective_loop *loop, bool last)
{
	struct worker *worker = loop->worker;

	if (!loop->moves || loop->now_ns < worker->poll_at_ns)
		return;
	uint64_t next_ns = loop_look(worker, loop->now_ns, last);

	loop->moves = next_ns || worker->time_is_up;
	if (next_ns)
		loop->now_ns = next_ns;
}

/* Makes the transfers of the span once. Returns false if all left early. */
static bool run_once(struct collective_loop *loop, struct cursors *cursors)
{
	const struct loop_setup *setup = loop->setup;
	uint64_t count = setup->span.count;

	for (uint64_t i = 0; i < count; i++) {
		if (all_leave(loop))
			return false;
		cursors_put(cursors, &loop->transfer, setup->random);
		collective_fill(loop);
		collective_move(loop);
		loop->made++;
		if (setup->syncs)
			sync_all(loop);
		collective_look(loop, i + 1 == count && !setup->span.wraps);
		cursors_step(cursors, setup->random);
	}
	return true;
}

void collective_run(struct worker *worker, const struct loop_setup *setup, struct tally *tally,
		    struct loop_times *times)
{
	struct collective_loop loop = {
		.worker = worker,
		.setup = setup,
		.tally = tally,
		.record = measure_record(worker->measure, operation_of(setup->access)),
		.transfer = loop_transfer(worker, setup),
		.next = 1,
		.moves = true,
	};
	struct cursors cursors;

	cursors_start(&cursors, worker, setup, setup->random);
	loop.start_ns = loop.now_ns = times->first_issue_ns = clock_now(worker->clock);
	while (run_once(&loop, &cursors) && setup->span.wraps)
		cursors_start(&cursors, worker, setup, setup->random);
	times->last_completion_ns = loop.now_ns;
	times->waited_ns = loop.waited_ns;
}
