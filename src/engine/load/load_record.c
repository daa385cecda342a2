/* The measures of one task in a load. */
#include "engine/load/load_record.h"

#include "engine/data/transfer_loop.h"

void load_record_start(struct load_record *record, struct worker *worker, bool has_rate)
{
	struct measure *measure = worker->measure;

	*record = (struct load_record){
		.worker = worker,
		.timeline = measure_timeline(measure),
		.all = measure_record(measure, OPERATION_MIXED),
		.response = has_rate ? measure_record(measure, OPERATION_RESPONSE) : NULL,
		.lateness = has_rate ? measure_record(measure, OPERATION_LATENESS) : NULL,
		.calls[ACCESS_READ].record = measure_record(measure, OPERATION_READ),
		.calls[ACCESS_WRITE].record = measure_record(measure, OPERATION_WRITE),
		.recorded[ACCESS_READ] = measure_record(measure, OPERATION_READ_RECORDED),
		.recorded[ACCESS_WRITE] = measure_record(measure, OPERATION_WRITE_RECORDED),
		.from_ns = 0,
		.until_ns = UINT64_MAX,
	};
	if (worker->relay)
		record->interval =
			(struct interval *)node_counts(worker->node, node_own_slot(worker->node))
				->words;
	for (enum load_kind kind = 0; kind < LOAD_KINDS; kind++) {
		const enum operation operation = load_operation(kind);

		record->kinds[operation] = measure_record(measure, operation);
	}
	tally_start(&record->tally, worker);
	for (enum access access = 0; access < ACCESS_COUNT; access++)
		record->calls[access].sequence = record->tally.sequence;
}

void load_record_turn(struct load_record *record, struct load_turns *turns, enum access access)
{
	if (turns->last)
		record->switches++;
	else
		turns->first = access + 1;
	turns->last = access + 1;
}

/* The calls of a size beyond those that the table holds enter the counters at once. */
void load_record_size(struct load_record *record, enum access access, uint64_t length)
{
	struct load_calls *calls = &record->calls[access];
	struct counters *counters = &record->worker->measure->counters;
	unsigned i = 0;

	while (i < LOAD_SIZES_COUNTED && calls->sizes[i] && calls->sizes[i] != length)
		i++;
	if (i == LOAD_SIZES_COUNTED) {
		counters_add_calls(counters, counters_of(counters, access), length, 1);
		return;
	}
	calls->sizes[i] = length;
	calls->counts[i]++;
}

void load_record_wake_up(struct load_record *record, uint64_t due_ns, uint64_t now_ns)
{
	struct measure *measure = record->worker->measure;
	const uint64_t late_ns = now_ns - due_ns;

	if (!load_record_counts(record, due_ns))
		return;
	measure->mix_slept++;
	measure->mix_late_ns += late_ns;
	if (late_ns > measure->mix_latest_ns)
		measure->mix_latest_ns = late_ns;
}

/* Adds a row to the table of operations. Returns the time now, which was now_ns before. */
static uint64_t load_record_add_row(struct load_record *record, const struct load_request *request,
				    uint64_t issued_ns, uint64_t end_ns, uint64_t now_ns)
{
	struct worker *worker = record->worker;

	worker->table->file = request->file;
	if (record->queued)
		operation_table_add(worker->table, request->operation, issued_ns, end_ns,
				    request->offset, request->length);
	else if (loop_record_row(worker, request->operation, issued_ns, end_ns, request->offset,
				 request->length))
		return clock_now(worker->clock);
	return now_ns;
}

/* Interval rows also have the operations outside the window. */
static void add_to_interval(struct load_record *record, const struct load_request *request,
			    uint64_t due_ns, uint64_t issued_ns, uint64_t end_ns)
{
	struct interval_side *side = &record->interval->sides[interval_kind_of(request->operation)];

	interval_add(side, request->length, end_ns - issued_ns);
	if (record->response)
		interval_add_response(side, end_ns - due_ns);
}

/* Adds operations to those that the rate counts; -1 takes one away. */
static void rate_more(struct load_record *record, const struct load_request *request,
		      int64_t operations)
{
	struct operation_record *kind = record->kinds[request->operation];

	kind->rated_more += operations;
	kind->rated_more_bytes += operations * (int64_t)request->length;
}

/* For an operation before or behind the window. Apart from the loop, as few are. */
static __attribute__((noinline, cold)) void add_outside(struct load_record *record,
							const struct load_request *request,
							uint64_t end_ns)
{
	record->worker->measure->load_outside++;
	if (!record->response && load_record_counts(record, end_ns))
		rate_more(record, request, 1);
}

/* For an operation in the window that ended behind it. */
static __attribute__((noinline, cold)) void note_end_behind(struct load_record *record,
							    const struct load_request *request,
							    uint64_t issued_ns)
{
	if (record->response && issued_ns < record->until_ns)
		return;
	if (!record->rates_all)
		rate_more(record, request, -1);
	record->late += record->response != NULL;
}

/* Keeps `behind` of `late` operations out of a rate that left all of them out. */
static int64_t share_of_late(int64_t more, uint64_t behind, uint64_t late)
{
	return (int64_t)((double)more * ((double)behind / (double)late));
}

void load_record_limit_late(struct load_record *record, uint64_t behind)
{
	const uint64_t late = record->late;

	if (late <= behind)
		return;
	record->late = 0;
	for (enum operation operation = 0; operation < OPERATIONS; operation++) {
		struct operation_record *kind = record->kinds[operation];

		if (!kind)
			continue;
		kind->rated_more = share_of_late(kind->rated_more, behind, late);
		kind->rated_more_bytes = share_of_late(kind->rated_more_bytes, behind, late);
		record->late -= (uint64_t)kind->rated_more;
	}
}

static inline void add_time(struct operation_record *record, uint64_t ns, uint64_t at_ns,
			    uint64_t offset)
{
	histogram_count(&record->histogram, histogram_index(ns), ns);
	measure_note_extremes(record, ns, at_ns, offset);
}

/* Counts an operation that was not issued in the slice in which it was due. */
static void add_unissued(struct load_record *record, uint64_t due_ns)
{
	struct worker *worker = record->worker;

	if (due_ns >= record->tally.slice_until_ns)
		tally_turn(worker, &record->tally, due_ns);
	timeline_enter(record->timeline, due_ns - worker->slices_ns)->unissued++;
}

/* offset: that of the operation among all, which may be on data and on items. */
static inline __attribute__((always_inline)) uint64_t add(struct load_record *record,
							  const struct load_request *request,
							  uint64_t offset, uint64_t due_ns,
							  uint64_t issued_ns, uint64_t end_ns)
{
	struct worker *worker = record->worker;
	struct operation_record *kind = record->kinds[request->operation];
	const uint64_t service_ns = end_ns - issued_ns;
	uint64_t next_ns;

	if (record->interval)
		add_to_interval(record, request, due_ns, issued_ns, end_ns);
	if (!load_record_counts(record, due_ns)) {
		add_outside(record, request, end_ns);
		return end_ns;
	}
	if (__builtin_expect(end_ns >= record->until_ns, 0))
		note_end_behind(record, request, issued_ns);
	next_ns = tally_add(worker, &record->tally, kind, service_ns, end_ns, offset);
	measure_note_extremes(kind, service_ns, end_ns, request->offset);
	record->tally.slice->bytes += request->length;
	record->last_ns = end_ns;
	record->issued_ns = issued_ns;
	kind->bytes += request->length;
	if (record->response) {
		add_time(record->response, end_ns - due_ns, end_ns, offset);
		add_time(record->lateness, issued_ns - due_ns, issued_ns, offset);
		timeline_count_due(record->timeline, due_ns - worker->slices_ns,
				   issued_ns - due_ns);
	}
	return worker->table ? load_record_add_row(record, request, issued_ns, end_ns, next_ns)
			     : next_ns;
}

uint64_t load_record_add(struct load_record *record, const struct load_request *request,
			 uint64_t due_ns, uint64_t issued_ns, uint64_t end_ns)
{
	return add(record, request, request->offset, due_ns, issued_ns, end_ns);
}

uint64_t load_record_add_item(struct load_record *record, const struct load_request *request,
			      uint64_t due_ns, uint64_t issued_ns, uint64_t end_ns)
{
	return add(record, request, UINT64_MAX, due_ns, issued_ns, end_ns);
}

void load_record_then(struct load_record *record, const struct load_request *request,
		      uint64_t due_ns, uint64_t end_ns)
{
	struct operation_record *recorded = record->recorded[access_of(request->operation)];
	const uint64_t ns = request->recorded_ns;

	if (!recorded || !ns || !load_record_counts(record, due_ns))
		return;
	add_time(recorded, ns, end_ns, request->offset);
}

void load_record_skip(struct load_record *record, uint64_t due_ns)
{
	if (!load_record_counts(record, due_ns))
		return;
	record->worker->measure->load_skipped++;
	add_unissued(record, due_ns);
}

void load_record_unfinished(struct load_record *record, uint64_t due_ns, uint64_t end_ns)
{
	struct measure *measure = record->worker->measure;
	const uint64_t age_ns = end_ns > due_ns ? end_ns - due_ns : 0;

	if (!load_record_counts(record, due_ns))
		return;
	measure->load_unfinished++;
	if (age_ns > measure->load_oldest_ns)
		measure->load_oldest_ns = age_ns;
	if (!record->response)
		return;
	add_time(record->response, age_ns, end_ns, UINT64_MAX);
	add_time(record->lateness, age_ns, end_ns, UINT64_MAX);
	add_unissued(record, due_ns);
}

static void keep_calls(struct load_record *record, enum access access)
{
	struct counters *counters = &record->worker->measure->counters;
	struct access_counters *of = counters_of(counters, access);
	const struct load_calls *calls = &record->calls[access];

	for (unsigned i = 0; i < LOAD_SIZES_COUNTED; i++)
		counters_add_calls(counters, of, calls->sizes[i], calls->counts[i]);
	of->consecutive = calls->sequence.consecutive;
	of->sequential = calls->sequence.sequential;
	of->most = calls->sequence.most;
	counters->misaligned += calls->sequence.misaligned;
}

void load_record_settle(struct load_record *record)
{
	const struct worker *worker = record->worker;

	for (enum operation operation = 0; operation < OPERATIONS; operation++) {
		struct operation_record *kind = record->kinds[operation];

		if (!kind)
			continue;
		measure_settle(kind, worker->task, worker->node_number);
		histogram_merge(&record->all->histogram, &kind->histogram);
		record->all->rated_more += kind->rated_more;
		record->all->rated_more_bytes += kind->rated_more_bytes;
	}
	for (enum access access = 0; access < ACCESS_COUNT; access++)
		if (record->recorded[access])
			measure_settle(record->recorded[access], worker->task, worker->node_number);
	if (record->response) {
		measure_settle(record->response, worker->task, worker->node_number);
		measure_settle(record->lateness, worker->task, worker->node_number);
	}
}

static void count_due(const struct load_record *record)
{
	struct measure *measure = record->worker->measure;
	const uint64_t done = record->all->histogram.count + measure->failed_operations;

	measure->load_issued = done - record->late;
	measure->load_due += done + measure->load_skipped + measure->load_unfinished;
}

void load_record_keep(struct load_record *record)
{
	struct worker *worker = record->worker;
	struct measure *measure = worker->measure;
	const struct node_map *map = &worker->plan->map;

	tally_keep(worker, &record->tally, record->all);
	for (enum access access = 0; access < ACCESS_COUNT; access++)
		if (record->calls[access].record)
			keep_calls(record, access);
	for (enum operation operation = 0; operation < OPERATIONS; operation++)
		if (record->kinds[operation])
			measure->bytes += record->kinds[operation]->bytes;
	record->all->bytes = measure->bytes;
	count_due(record);
	measure->content_ns = record->tally.content_ns;
	measure->least_transfers = measure->most_transfers = record->all->histogram.count;
	heatmap_set(measure_heatmap(measure),
		    node_map_position(map, worker->task) / heatmap_joined(map->tasks),
		    measure_timeline(measure));
}
