/* One transfer at a time: a loop for each way of filling, syncing, comparing; nothing decided
 * inside. */
#include "engine/data/transfer_loop.h"

/*
 * Makes the transfers of the span once. Returns false if it left early. One clock reading per
 * transfer: the end of one is the start of the next. If filling a buffer costs more than a clock
 * reading, a second one keeps it out of the service time. Comparing counts as content, as does
 * spoiling the buffer for the next read. times: continues from the end of the previous pass.
 */
static inline __attribute__((always_inline)) bool run_once(
	struct worker *worker, const struct loop_setup *setup, struct tally *tally,
	struct loop_times *times, const enum filling filling, const bool syncs, const bool random,
	const bool records_rows)
{
	int64_t (*const call)(struct backend_file *, const struct transfer *, struct error *) =
		worker->backend->transfer;
	struct backend_file *const file = worker->file;
	struct operation_record *record =
		measure_record(worker->measure, operation_of(setup->access));
	_Atomic uint64_t *const progress = &worker->node->own->operations;
	const struct clock clock = *worker->clock;
	const struct content content = worker->content;
	const struct content_buffer buffer = worker->buffer;
	const uint64_t end = tally->done + setup->span.count;
	const uint64_t length = worker->plan->transfer_bytes;
	struct transfer transfer = loop_transfer(worker, setup);
	struct cursors cursors;
	struct error err = {0};
	uint64_t done = tally->done;
	bool left = true; /* left early */

	cursors_start(&cursors, worker, setup, random);
	uint64_t now_ns = times->last_completion_ns;

	if (!now_ns)
		times->first_issue_ns = now_ns = clock_now(&clock);
	while ((left = done < end)) {
		cursors_put(&cursors, &transfer, random);
		if (filling == FILLING_COMPARED)
			checking_spoil(&transfer);
		else if (filling != FILLING_NONE)
			loop_put(&content, &buffer, &transfer);
		if (filling == FILLING_TIMED || filling == FILLING_COMPARED) {
			uint64_t filled_ns = clock_now(&clock);

			tally->content_ns += filled_ns - now_ns;
			now_ns = filled_ns;
		}
		int64_t moved = call(file, &transfer, &err);

		bool whole = moved == (int64_t)length;

		if (__builtin_expect(!whole, 0) &&
		    !loop_handle(worker, tally, &transfer, moved, &err, true))
			break;
		uint64_t end_ns = clock_now(&clock);

		if (__builtin_expect(whole, 1))
			sequence_note(&tally->sequence, transfer.offset, length);
		uint64_t next_ns =
			tally_add(worker, tally, record, end_ns - now_ns, end_ns, transfer.offset);

		if (records_rows && loop_record_row(worker, operation_of(setup->access), now_ns,
						    end_ns, transfer.offset, length))
			next_ns = clock_now(&clock);
		end_ns = next_ns;
		atomic_store_explicit(progress, ++done, memory_order_relaxed);
		if (syncs && !loop_sync(worker, end_ns, transfer.offset, &end_ns))
			break;
		now_ns = end_ns;
		if (filling == FILLING_COMPARED)
			checking_compare(worker, &content, &transfer);
		if (__builtin_expect(now_ns >= worker->poll_at_ns, 0)) {
			bool last = done == end && !setup->span.wraps;
			uint64_t next_ns = loop_look(worker, now_ns, last);

			if (!next_ns)
				break;
			now_ns = next_ns;
		}
		cursors_step(&cursors, random);
	}
	tally->done = done;
	times->last_completion_ns = now_ns;
	if (filling == FILLING_COMPARED)
		loop_end_comparing(worker, tally, times);
	return !left;
}

typedef bool span_runner(struct worker *worker, const struct loop_setup *setup, struct tally *tally,
			 struct loop_times *times);

#define SPAN_RUNNER(name, filling, syncs, random)                                            \
	static bool name(struct worker *worker, const struct loop_setup *setup,              \
			 struct tally *tally, struct loop_times *times)                      \
	{                                                                                    \
		return run_once(worker, setup, tally, times, filling, syncs, random, false); \
	}

SPAN_RUNNER(run_plain, FILLING_NONE, false, false)
SPAN_RUNNER(run_syncing, FILLING_NONE, true, false)
SPAN_RUNNER(run_stamping, FILLING_UNTIMED, false, false)
SPAN_RUNNER(run_stamping_syncing, FILLING_UNTIMED, true, false)
SPAN_RUNNER(run_filling, FILLING_TIMED, false, false)
SPAN_RUNNER(run_filling_syncing, FILLING_TIMED, true, false)
SPAN_RUNNER(run_comparing, FILLING_COMPARED, false, false)
SPAN_RUNNER(run_random, FILLING_NONE, false, true)
SPAN_RUNNER(run_random_syncing, FILLING_NONE, true, true)
SPAN_RUNNER(run_random_stamping, FILLING_UNTIMED, false, true)
SPAN_RUNNER(run_random_stamping_syncing, FILLING_UNTIMED, true, true)
SPAN_RUNNER(run_random_filling, FILLING_TIMED, false, true)
SPAN_RUNNER(run_random_filling_syncing, FILLING_TIMED, true, true)
SPAN_RUNNER(run_random_comparing, FILLING_COMPARED, false, true)

/* Adds table rows, which costs more than choosing inside the loop. */
static bool run_recording(struct worker *worker, const struct loop_setup *setup,
			  struct tally *tally, struct loop_times *times)
{
	return run_once(worker, setup, tally, times, setup->filling, setup->syncs, setup->random,
			true);
}

void synchronous_run(struct worker *worker, const struct loop_setup *setup, struct tally *tally,
		     struct loop_times *times)
{
	static span_runner *const runners[2][4][2] = {
		{
			[FILLING_NONE] = {run_plain, run_syncing},
			[FILLING_UNTIMED] = {run_stamping, run_stamping_syncing},
			[FILLING_TIMED] = {run_filling, run_filling_syncing},
			[FILLING_COMPARED] = {run_comparing},
		},
		{
			[FILLING_NONE] = {run_random, run_random_syncing},
			[FILLING_UNTIMED] = {run_random_stamping, run_random_stamping_syncing},
			[FILLING_TIMED] = {run_random_filling, run_random_filling_syncing},
			[FILLING_COMPARED] = {run_random_comparing},
		},
	};

	span_runner *run = worker->table ? run_recording
					 : runners[setup->random][setup->filling][setup->syncs];

	while (run(worker, setup, tally, times) && setup->span.wraps)
		;
}
