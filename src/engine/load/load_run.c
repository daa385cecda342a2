/* The timed part of a load on one task. */
#include "engine/load/load_run.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "engine/core/counting.h"
#include "engine/data/files.h"
#include "engine/data/data_state.h"
#include "engine/load/load_items.h"
#include "engine/load/load_replay.h"
#include "engine/metadata/metadata_state.h"
#include "plan/load.h"
#include "plan/replay.h"

/*
 * The position of a load that runs beside several phases at the end of one of them. The load goes
 * on there in the next: blocks that each phase began with would come from a cache. A trace begins
 * anew in each phase, which has the same requests beside it as the others.
 */
struct load_left {
	uint64_t repetition;
	struct load_walk walk;
	struct load_request next; /* dealt and not issued, if has_next */
	bool has_next;
	uint32_t first_pass;
};

static uint64_t load_run_to_ns(double seconds)
{
	return (uint64_t)(seconds * 1e9);
}

/*
 * The time behind the last moment of an even schedule that belongs to its last operations. `walk`
 * has left some of the last burst. Random arrivals begin one gap behind the start, so n operations
 * already take n gaps.
 */
static uint64_t last_gap_ns(const struct arrival *arrival, const struct arrival_walk *walk)
{
	const uint64_t together = arrival->burst > 1 ? arrival->burst - walk->left : 1;

	return arrival->kind == ARRIVAL_EVEN ? load_run_to_ns((double)together / arrival->rate) : 0;
}

/* Finds the end of the schedule where a number of operations ends the load. */
static void find_schedule_end(struct load_loop *loop)
{
	const uint64_t most = 100000000; /* half a second of arithmetic */
	const uint64_t count = loop->walk.operation_limit - loop->walk.operations_done;
	struct arrival_walk walk = loop->walk.arrival;
	uint64_t due_ns = 0;

	if (loop->walk.trace) {
		load_replay_find_end(loop);
		return;
	}
	if (!loop->paced || !count || count > most)
		return;
	for (uint64_t i = 0; i < count; i++)
		due_ns = arrival_next(&walk);
	loop->schedule_end_ns = due_ns + last_gap_ns(&loop->walk.pattern->arrival, &walk);
	do
		loop->schedule_next_ns = arrival_next(&walk);
	while (loop->schedule_next_ns <= due_ns);
}

/* Sets the measured window, and the time at which the loop ends. */
static void set_window(struct load_loop *loop)
{
	struct worker *worker = loop->worker;
	const struct load *load = worker->plan->load;
	const double seconds = worker->plan->load_seconds;

	loop->record.from_ns = loop->start_ns + load_run_to_ns(load->warmup_time);
	worker->time_is_up = false;
	worker->until_ns = UINT64_MAX;
	worker->poll_at_ns = loop->start_ns;
	worker->ends_early = false;
	worker->cooldown_ns = load_run_to_ns(load->cooldown);
	if (seconds > 0) {
		loop->record.until_ns = loop->record.from_ns + load_run_to_ns(seconds);
		worker->until_ns = loop->record.until_ns + worker->cooldown_ns;
	}
	if (loop->schedule_next_ns &&
	    loop->start_ns + loop->schedule_next_ns < loop->record.until_ns) {
		loop->record.until_ns = loop->start_ns + loop->schedule_next_ns;
		loop->record.rates_all = loop->walk.trace;
	}
}

/* The locks of reads and of writes, by the option lock. */
static const enum file_lock locks[][2] = {
	[LOAD_LOCK_NONE] = {FILE_LOCK_NONE, FILE_LOCK_NONE},
	[LOAD_LOCK_SHARED] = {FILE_LOCK_SHARED, FILE_LOCK_SHARED},
	[LOAD_LOCK_EXCLUSIVE] = {FILE_LOCK_EXCLUSIVE, FILE_LOCK_EXCLUSIVE},
	[LOAD_LOCK_READWRITE] = {FILE_LOCK_SHARED, FILE_LOCK_EXCLUSIVE},
};

void load_run_forget(struct worker *worker)
{
	if (worker->load)
		load_walk_release(&worker->load->walk);
	free(worker->load);
	worker->load = NULL;
}

static void start_walk(struct load_loop *loop, struct worker *worker)
{
	const struct plan *plan = worker->plan;
	const struct load_seat seat = plan_load_seat(plan, worker->task);
	const struct load_left *left = worker->load;

	if (!left || left->repetition != worker->repetition) {
		load_run_forget(worker);
		loop->first_pass = (uint32_t)random_scramble(clock_now(worker->clock));
		load_walk_start(&loop->walk, &plan->pattern, &seat, worker->repetition);
		if (worker->replay)
			load_walk_follow(&loop->walk, load_replay_walk(worker));
		return;
	}
	loop->first_pass = left->first_pass;
	loop->walk = left->walk;
	load_walk_resume(&loop->walk, worker->repetition);
	loop->has_next = left->has_next && !operation_is_on_metadata(left->next.operation);
	if (loop->has_next) {
		loop->next = left->next;
		loop->next.due_ns = arrival_next(&loop->walk.arrival);
	}
}

static void leave_walk(const struct load_loop *loop, struct worker *worker)
{
	if (!worker->load)
		worker->load = memory_allocate(1, sizeof(*worker->load));
	*worker->load = (struct load_left){
		.repetition = worker->repetition,
		.walk = loop->walk,
		.next = loop->next,
		.has_next = loop->has_next,
		.first_pass = loop->first_pass,
	};
}

static void load_run_start(struct load_loop *loop, struct worker *worker)
{
	const struct plan *plan = worker->plan;
	const struct load *load = plan->load;

	loop->worker = worker;
	loop->first_file = plan_file_number(plan, worker->task, 0);
	loop->paced = plan_load_is_paced(&plan->pattern);
	loop->waits = loop->paced || replay_thinks(plan);
	loop->skips = load->on_late == LATE_SKIP;
	loop->compares = measure_verification(worker->measure);
	loop->follows = plan_load_follows_passes(plan);
	loop->selects = loop->follows || plan->own_files > 1;
	loop->repetition = worker->content.repetition;
	loop->locks[ACCESS_READ] = locks[load->lock][ACCESS_READ];
	loop->locks[ACCESS_WRITE] = locks[load->lock][ACCESS_WRITE];
	loop->pauses = load->think_time > 0 || load->burst_pause > 0 || replay_thinks(plan);
	loop->sync_every = load->fsync_every;
	loop->sync = load_loop_sync_operation(worker->backend, load->fsync_data);
	worker->data->missing = worker->data->damage.what.length = 0;
	load_record_start(&loop->record, worker, loop->paced);
	loop->record.queued = worker->data->queue;
	loop->record.turns = memory_allocate(plan->own_files, sizeof(*loop->record.turns));
	loop->items = load_item_calls_create(worker, worker->task);
	start_walk(loop, worker);
	loop->follows_up = loop->compares || loop->sync_every ||
			   loop->record.recorded[ACCESS_READ] ||
			   loop->record.recorded[ACCESS_WRITE];
	find_schedule_end(loop);
}

/*
 * The span of all operations in the histograms. A window with a time limit counts in full, and
 * operations that ended behind it make the span longer.
 */
static void keep_times(const struct load_loop *loop, struct loop_times *times)
{
	const struct load_record *record = &loop->record;
	const struct worker *worker = loop->worker;
	uint64_t end_ns = record->last_ns;

	if (worker->time_is_up && record->until_ns > end_ns)
		end_ns = record->until_ns;
	times->first_issue_ns = record->from_ns;
	times->last_completion_ns = end_ns > record->from_ns ? end_ns : loop->now_ns;
	times->own_ns = times->last_completion_ns - times->first_issue_ns;
}

static enum load_end load_run_end_of(const struct load_loop *loop)
{
	const struct worker *worker = loop->worker;

	if (worker->stopped || worker_failed(worker) ||
	    (loop->items && worker->metadata->incomplete))
		return LOAD_END_STOP;
	if (worker->time_is_up)
		return !worker->ends_early ? LOAD_END_TIME
		       : worker->beside	   ? LOAD_END_BESIDE
					   : LOAD_END_STEADY;
	return load_walk_end(&loop->walk);
}

/* True if the load came to a limit of its operations, bytes or passes. */
static bool is_done(enum load_end end)
{
	return end == LOAD_END_OPERATIONS || end == LOAD_END_BYTES || end == LOAD_END_PASSES;
}

/*
 * The end of a window that a limit ended. The schedule of a limit of bytes is not known before, so
 * the last issue counts where that is later.
 */
static uint64_t limited_end(const struct load_loop *loop)
{
	const struct load_walk *walk = &loop->walk;
	const uint64_t due_ns = loop->start_ns + loop->next.due_ns +
				last_gap_ns(&walk->pattern->arrival, &walk->arrival);

	if (!loop->paced)
		return loop->record.last_ns;
	if (loop->schedule_end_ns)
		return loop->start_ns + loop->schedule_end_ns;
	return due_ns > loop->record.issued_ns ? due_ns : loop->record.issued_ns;
}

/* Length of the window of a trace that was played to its end, up to the last operation or fsync. */
static uint64_t traced_ns(const struct load_loop *loop)
{
	const uint64_t took_ns = loop->now_ns - loop->start_ns;

	return took_ns > loop->schedule_end_ns ? took_ns : loop->schedule_end_ns;
}

/* Length of the window up to its end, or up to the end of the load where that was before. */
static uint64_t measured_ns(const struct load_loop *loop, enum load_end end)
{
	const struct load_record *record = &loop->record;
	uint64_t end_ns = loop->now_ns;

	if (end == LOAD_END_TRACE)
		return traced_ns(loop);
	if (is_done(end))
		end_ns = limited_end(loop);
	if (end_ns > record->until_ns)
		end_ns = record->until_ns;
	return end_ns > record->from_ns ? end_ns - record->from_ns : 0;
}

/* Counts the switches of the phase, with those from what an earlier phase did to the same files. */
static void keep_switches(struct load_record *record)
{
	struct worker *worker = record->worker;
	uint64_t switches = record->switches;

	for (uint32_t i = 0; i < worker->plan->own_files; i++) {
		const struct load_turns *turns = &record->turns[i];

		if (!turns->last)
			continue;
		files_select(worker, i);
		switches += counting_switches(worker, (enum access)(turns->first - 1));
		counting_switches(worker, (enum access)(turns->last - 1));
	}
	files_select(worker, 0);
	worker->measure->counters.switches = switches;
	free(record->turns);
}

void load_run(struct worker *worker, const struct phase_plan *phase, uint32_t source, bool ready,
	      uint64_t begin_ns, struct loop_times *times)
{
	struct load_loop *loop = memory_allocate(1, sizeof(*loop));
	enum load_end end = LOAD_END_STOP;

	load_run_start(loop, worker);
	start_together(worker, worker->crew);
	node_set_activity(worker->node, ACTIVITY_TRANSFER);
	loop->start_ns = loop->now_ns = worker_own_ns(worker, worker->start.at_ns);
	set_window(loop);
	if (worker->relay)
		relay_start(worker->relay, loop->start_ns,
			    load_run_to_ns(worker->plan->load->interval));
	loop_allow_slack(1);
	if (ready)
		(worker->data->queue ? load_queued_run : load_synchronous_run)(loop);
	loop_allow_slack(0);
	if (loop->walk.trace)
		load_replay_report(loop);
	if (worker->relay)
		relay_leave(worker->relay, loop->now_ns);
	if (ready)
		end = load_run_end_of(loop);
	worker->measure->load_ends[end] = 1;
	worker->measure->load_window_ns = measured_ns(loop, end);
	load_loop_count_unfinished(loop);
	keep_times(loop, times);
	worker->wall_ns = times->last_completion_ns;
	load_record_settle(&loop->record);
	load_record_keep(&loop->record);
	keep_switches(&loop->record);
	load_item_calls_release(loop->items);
	worker->measure->transfer_ns = times->own_ns;
	if (worker->beside && !loop->walk.trace)
		leave_walk(loop, worker);
	else
		load_walk_release(&loop->walk);
	trace_walk_release(loop->walk.trace);
	content_select(&worker->content, loop->first_file, loop->repetition);
	free(loop);
}
