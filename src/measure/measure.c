/* What was observed in one phase, and how two observations become one. */
#include "measure/measure.h"

#include <string.h>

#include "base/memory.h"

/* Where the timeline lies behind the records. */
static size_t timeline_at(unsigned records, bool checks)
{
	return sizeof(struct measure) + records * sizeof(struct operation_record) +
	       (checks ? sizeof(struct verification) : 0);
}

static size_t size_of(unsigned records, bool checks)
{
	return timeline_at(records, checks) + sizeof(struct timeline) + sizeof(struct heat);
}

static struct measure *create(const enum operation *operations, unsigned count, bool checks)
{
	struct measure *measure = memory_allocate(1, size_of(count, checks));

	measure->record_count = count;
	measure->checks = checks;
	for (unsigned i = 0; i < count; i++)
		measure->records[i].operation = operations[i];
	timeline_init(measure_timeline(measure));
	measure_reset(measure);
	return measure;
}

struct measure *measure_create(const enum operation *operations, unsigned count)
{
	return create(operations, count, false);
}

struct measure *measure_create_checking(const enum operation *operations, unsigned count)
{
	return create(operations, count, true);
}

void measure_reset(struct measure *measure)
{
	const struct extent none = {.first = UINT64_MAX};
	unsigned count = measure->record_count;
	bool checks = measure->checks;

	memset(measure, 0, sizeof(*measure));
	measure->size = size_of(count, checks);
	measure->record_count = count;
	measure->checks = checks;
	if (checks)
		memset(measure_verification(measure), 0, sizeof(struct verification));
	timeline_reset(measure_timeline(measure));
	heat_reset(measure_heat(measure));
	measure->begin = measure->open_end = measure->issue = none;
	measure->completion = measure->sync_end = measure->close_end = none;
	measure->wall = measure->done = none;
	histogram_init(&measure->task_p99.histogram);
	measure->least_bytes = measure->wall_least = measure->least_transfers = UINT64_MAX;
	for (unsigned i = 0; i < count; i++) {
		measure->records[i].worst = (struct worst){.offset = UINT64_MAX};
		histogram_init(&measure->records[i].histogram);
	}
}

void extent_add(struct extent *extent, uint64_t at_ns)
{
	if (at_ns < extent->first)
		extent->first = at_ns;
	if (at_ns > extent->last)
		extent->last = at_ns;
}

static void extent_merge(struct extent *into, const struct extent *from)
{
	if (from->first != UINT64_MAX) {
		extent_add(into, from->first);
		extent_add(into, from->last);
	}
}

/* Of equals the lower task, so that the order of merging does not show. */
static void worst_merge(struct worst *into, const struct worst *from)
{
	if (from->ns > into->ns || (from->ns == into->ns && from->task < into->task))
		*into = *from;
}

/* Adds structs, or parts of them, that hold uint64_t only. */
static void add_counts(void *into, const void *from, size_t size)
{
	uint64_t *sums = into;
	const uint64_t *more = from;

	for (size_t i = 0; i < size / sizeof(*sums); i++)
		sums[i] += more[i];
}

void task_p99_set(struct task_p99 *task_p99, const struct histogram *own, uint32_t task, uint32_t node)
{
	uint64_t ns = histogram_known_percentile(own, 0.99);

	task_p99->task = task;
	task_p99->node = node;
	if (own->count >= histogram_needed(0.99))
		histogram_add(&task_p99->histogram, ns);
}

static void task_p99_merge(struct task_p99 *into, const struct task_p99 *from)
{
	const struct histogram *mine = &into->histogram, *theirs = &from->histogram;

	if (!theirs->count)
		return;
	if (!mine->count || theirs->max_ns > mine->max_ns ||
	    (theirs->max_ns == mine->max_ns && from->task < into->task)) {
		into->task = from->task;
		into->node = from->node;
	}
	histogram_merge(&into->histogram, theirs);
}

static void raise_to(double *most, double value)
{
	if (value > *most)
		*most = value;
}

static void raise_count(uint64_t *most, uint64_t value)
{
	if (value > *most)
		*most = value;
}

static void widen(uint64_t *least, uint64_t *most, uint64_t by_least, uint64_t by_most)
{
	if (by_least < *least)
		*least = by_least;
	if (by_most > *most)
		*most = by_most;
}

static void merge_find(struct find_counts *into, const struct find_counts *from)
{
	add_counts(into, from, offsetof(struct find_counts, unread));
	unread_merge(into->unread, from->unread);
}

static void merge_directories(struct some_directories *into, const struct some_directories *from)
{
	if (from->count && (!into->count || strcmp(from->first, into->first) < 0))
		memcpy(into->first, from->first, sizeof(into->first));
	into->count += from->count;
}

static void merge_sums(struct measure *into, const struct measure *from)
{
	const size_t first = offsetof(struct measure, tasks), end = offsetof(struct measure, begin);

	add_counts((char *)into + first, (const char *)from + first, end - first);
	into->rate_sum += from->rate_sum;
	into->time_sum += from->time_sum;
	merge_find(&into->find, &from->find);
	merge_directories(&into->targets_made, &from->targets_made);
	merge_directories(&into->tests_kept, &from->tests_kept);
}

/* Least and most, of tasks and of nodes. */
static void merge_bounds(struct measure *into, const struct measure *from)
{
	if (from->time_most > into->time_most ||
	    (from->time_most == into->time_most && from->slowest_task < into->slowest_task)) {
		into->time_most = from->time_most;
		into->slowest_task = from->slowest_task;
		into->slowest_node = from->slowest_node;
	}
	widen(&into->least_bytes, &into->most_bytes, from->least_bytes, from->most_bytes);
	widen(&into->wall_least, &into->wall_most, from->wall_least, from->wall_most);
	widen(&into->least_transfers, &into->most_transfers, from->least_transfers,
	      from->most_transfers);
	raise_count(&into->mix_latest_ns, from->mix_latest_ns);
	raise_count(&into->mix_most_missing, from->mix_most_missing);
	raise_to(&into->content_share_most, from->content_share_most);
	raise_count(&into->clock_residual_ns, from->clock_residual_ns);
	raise_count(&into->clock_drift_ns, from->clock_drift_ns);
	raise_to(&into->clock_disagreement, from->clock_disagreement);
	raise_to(&into->clock_cost_ns, from->clock_cost_ns);
}

static void merge_stamps(struct measure *into, const struct measure *from)
{
	extent_merge(&into->begin, &from->begin);
	extent_merge(&into->open_end, &from->open_end);
	extent_merge(&into->issue, &from->issue);
	extent_merge(&into->wall, &from->wall);
	extent_merge(&into->completion, &from->completion);
	extent_merge(&into->sync_end, &from->sync_end);
	extent_merge(&into->close_end, &from->close_end);
	extent_merge(&into->done, &from->done);
}

void measure_merge(struct measure *into, const struct measure *from)
{
	if (!from->tasks)
		return;
	/* An empty one must not win a comparison with task 0. */
	if (!into->tasks)
		into->slowest_task = UINT32_MAX;
	merge_sums(into, from);
	merge_bounds(into, from);
	merge_stamps(into, from);
	if (into->checks)
		verification_merge(measure_verification(into), measure_verification(from));
	counters_merge(&into->counters, &from->counters);
	counters_merge(&into->prefill, &from->prefill);
	task_p99_merge(&into->task_p99, &from->task_p99);
	if (!into->slices_ns)
		into->slices_ns = from->slices_ns;
	timeline_merge(measure_timeline(into), measure_timeline(from));
	heat_merge(measure_heat(into), measure_heat(from));
	for (unsigned i = 0; i < into->record_count; i++) {
		struct operation_record *record = &into->records[i];

		if (!record->histogram.count)
			record->worst = from->records[i].worst;
		else if (from->records[i].histogram.count)
			worst_merge(&record->worst, &from->records[i].worst);
		histogram_merge(&record->histogram, &from->records[i].histogram);
	}
}

struct verification *measure_verification(const struct measure *measure)
{
	return measure->checks ? (struct verification *)&measure->records[measure->record_count] :
				 NULL;
}

struct timeline *measure_timeline(const struct measure *measure)
{
	return (struct timeline *)((char *)measure +
				   timeline_at(measure->record_count, measure->checks));
}

struct heat *measure_heat(const struct measure *measure)
{
	return (struct heat *)(measure_timeline(measure) + 1);
}

struct operation_record *measure_record(const struct measure *measure, enum operation operation)
{
	for (unsigned i = 0; i < measure->record_count; i++)
		if (measure->records[i].operation == operation)
			return (struct operation_record *)&measure->records[i];
	return NULL;
}

double measure_amount(const struct measure *measure, enum phase_kind kind)
{
	switch (phase_traits[kind].amount) {
	case AMOUNT_ENTRIES:
		return (double)measure->entries;
	case AMOUNT_OPERATIONS:
		return (double)measure_record(measure, phase_operation(kind))->histogram.count;
	default:
		return (double)measure->bytes;
	}
}

void measure_add(struct operation_record *record, uint64_t ns, uint64_t at_ns, uint64_t offset,
		 uint32_t task, uint32_t node)
{
	if (!record->histogram.count || ns > record->worst.ns)
		record->worst = (struct worst){ns, at_ns, offset, task, node};
	histogram_add(&record->histogram, ns);
}
