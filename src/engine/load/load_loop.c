/* The common parts of the two loops of a load. */
#include "engine/load/load_loop.h"

#include "engine/data/checking.h"
#include "engine/data/files.h"

static void follow_window(struct load_loop *loop)
{
	const struct worker *worker = loop->worker;

	if (worker->ends_early)
		loop->record.until_ns = worker->until_ns - worker->cooldown_ns;
}

bool load_loop_poll(struct load_loop *loop)
{
	const bool ends = loop_poll(loop->worker, loop->now_ns);

	follow_window(loop);
	return ends;
}

void load_loop_sleep_until(struct load_loop *loop, uint64_t due_ns)
{
	enum { ENOUGH_NS = 1000000 }; /* to read some records of a trace */

	if (loop->walk.trace && due_ns > loop->now_ns + ENOUGH_NS) {
		trace_walk_read_ahead(loop->walk.trace);
		loop->now_ns = clock_now(loop->worker->clock);
	}
	loop->now_ns = loop_sleep_until(loop->worker, loop->now_ns, due_ns);
	follow_window(loop);
}

bool load_loop_skips_late(struct load_loop *loop)
{
	const uint64_t due_ns = load_loop_due(loop);

	if (loop->slept || due_ns >= loop->now_ns || loop->next.operation == OPERATION_SYNC)
		return false;
	load_record_skip(&loop->record, due_ns);
	loop->has_next = false;
	return true;
}

/* The repetition that stamps name for the data of a pass. */
static uint32_t repetition_of(const struct load_loop *loop, uint64_t pass)
{
	return CONTENT_PASSES +
	       (uint32_t)((loop->first_pass + pass) % (CONTENT_PREFILL - CONTENT_PASSES));
}

static void select_content(struct load_loop *loop, const struct load_request *request,
			   uint32_t repetition)
{
	content_select(&loop->worker->content, loop->first_file + request->file, repetition);
}

/*
 * Selects what a read must find. A block that this phase has not written may be of any repetition,
 * as another phase or run may have written it last.
 */
static void select_expected(struct load_loop *loop, const struct load_request *request)
{
	uint64_t pass;

	if (loop->follows && load_last_write(&loop->walk, request, &pass)) {
		select_content(loop, request, repetition_of(loop, pass));
		return;
	}
	select_content(loop, request, loop->repetition);
	loop->worker->content.accepts_from = 0;
}

bool load_loop_fill(struct load_loop *loop, const struct load_request *request,
		    const struct transfer *transfer)
{
	if (!transfer->buffer)
		return false;
	if (transfer->access == ACCESS_WRITE) {
		if (loop->selects)
			select_content(loop, request,
				       loop->follows ? repetition_of(loop, request->pass)
						     : loop->repetition);
		content_fill(&loop->worker->content, transfer->buffer, transfer->offset,
			     transfer->length);
	} else if (loop->compares) {
		checking_spoil(transfer);
	} else {
		return false;
	}
	return true;
}

/* Syncs the file that was written last. */
static bool sync_now(struct load_loop *loop, const struct transfer *transfer)
{
	loop->since_sync = 0;
	loop->worker->file = transfer->file;
	return loop_sync_by(loop->worker, loop->sync, loop->now_ns, transfer->offset,
			    &loop->now_ns);
}

bool load_loop_sync(struct load_loop *loop)
{
	struct worker *worker = loop->worker;
	sync_operation *sync = load_loop_sync_operation(worker->backend, loop->next.only_data);

	load_loop_name_file(loop, &loop->next);
	loop->has_next = false;
	return loop_sync_by(worker, sync, loop->now_ns, UINT64_MAX, &loop->now_ns);
}

void load_loop_name_file(struct load_loop *loop, const struct load_request *request)
{
	files_select(loop->worker, request->file);
}

bool load_loop_follow(struct load_loop *loop, const struct load_request *request,
		      const struct transfer *transfer, uint64_t due_ns)
{
	struct worker *worker = loop->worker;

	if (loop->walk.trace)
		load_record_then(&loop->record, request, due_ns, loop->now_ns);
	if (loop->compares && transfer->access == ACCESS_READ) {
		uint64_t compared_ns;

		select_expected(loop, request);
		checking_compare(worker, &worker->content, transfer);
		compared_ns = clock_now(worker->clock);
		loop->record.tally.content_ns += compared_ns - loop->now_ns;
		loop->now_ns = compared_ns;
	}
	if (loop->sync_every && transfer->access == ACCESS_WRITE &&
	    ++loop->since_sync >= loop->sync_every)
		return sync_now(loop, transfer);
	return true;
}

void load_loop_pause(struct load_loop *loop, uint64_t before)
{
	const struct arrival *arrival = &loop->walk.pattern->arrival;
	uint64_t pause_ns = 0;

	if (loop->walk.trace) {
		/*
		 * The last request counts as if it had been made in time, so that delays of iorx do
		 * not add up.
		 */
		trace_walk_done(loop->walk.trace, loop->now_ns - loop->start_ns - loop->behind_ns -
							  loop->record.tally.content_ns);
		return;
	}
	while (before < loop->done)
		pause_ns += arrival_pause_ns(arrival, ++before);
	if (pause_ns)
		load_loop_sleep_until(loop, loop->now_ns + pause_ns);
}

/* Counts what was due beyond a limit of bytes, up to the last issue. */
static void count_beyond(struct load_loop *loop)
{
	const uint64_t last_ns = loop->next.due_ns;
	const uint64_t issued_ns = loop->record.issued_ns - loop->start_ns;
	uint64_t due_ns;
	bool is_sync;

	/* The rest of the last burst was due with the last request, and nobody asked for it. */
	while (loop->record.issued_ns &&
	       (due_ns = load_next_due(&loop->walk, &is_sync)) < issued_ns)
		loop->worker->measure->load_due += due_ns > last_ns;
}

/* Records a request that was due and not issued; those beyond the window are only counted. */
static void add_unissued(struct load_loop *loop, uint64_t due_ns, uint64_t *count)
{
	load_record_unfinished(&loop->record, due_ns, loop->now_ns);
	++*count;
}

void load_loop_count_unfinished(struct load_loop *loop)
{
	const struct worker *worker = loop->worker;
	const uint64_t end_ns = worker->until_ns < loop->now_ns ? worker->until_ns : loop->now_ns;
	uint64_t due_ns, unissued = 0;
	bool is_sync = loop->next.operation == OPERATION_SYNC;

	if (!loop->paced || worker_failed(worker))
		return;
	if (!worker->time_is_up && !worker->stopped) {
		if (!loop->schedule_end_ns)
			count_beyond(loop);
		return;
	}
	if (loop->has_next && !is_sync && load_loop_due(loop) < end_ns)
		add_unissued(loop, load_loop_due(loop), &unissued);
	while ((due_ns = load_next_due(&loop->walk, &is_sync)) < end_ns - loop->start_ns)
		if (!is_sync)
			add_unissued(loop, loop->start_ns + due_ns, &unissued);
	load_record_limit_late(&loop->record, unissued);
}
