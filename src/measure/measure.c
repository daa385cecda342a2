/* Everything observed in one phase, and how two measures become one. */
#include "measure/measure.h"

#include <string.h>

#include "base/memory.h"
#include "measure/fields.h"

/* Offset of the timeline, which follows the records. */
static size_t timeline_at(unsigned records, bool checks)
{
	return sizeof(struct measure) + records * sizeof(struct operation_record) +
	       (checks ? sizeof(struct verification) : 0);
}

static size_t size_of(unsigned records, bool checks)
{
	return timeline_at(records, checks) + sizeof(struct timeline) + sizeof(struct heatmap);
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
	unsigned count = measure->record_count;
	bool checks = measure->checks;

	memset(measure, 0, sizeof(*measure));
	measure->size = size_of(count, checks);
	measure->record_count = count;
	measure->checks = checks;
	if (checks)
		memset(measure_verification(measure), 0, sizeof(struct verification));
	timeline_reset(measure_timeline(measure));
	heatmap_reset(measure_heatmap(measure));
	measure_fields_reset(measure);
	histogram_init(&measure->task_p99.histogram);
	for (unsigned i = 0; i < count; i++) {
		measure->records[i].bytes = 0;
		measure->records[i].rated_more = measure->records[i].rated_more_bytes = 0;
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

/* The lower task wins among equals, so that the result does not depend on the order of merging. */
static void worst_merge(struct worst *into, const struct worst *from)
{
	if (from->ns > into->ns || (from->ns == into->ns && from->task < into->task))
		*into = *from;
}

void task_p99_set(struct task_p99 *task_p99, const struct histogram *own, uint32_t task,
		  uint32_t node)
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

/* Call this before the counts are added: while `into` has count 0 it has no first directory. */
static void merge_directories(struct some_directories *into, const struct some_directories *from)
{
	if (from->count && (!into->count || strcmp(from->first, into->first) < 0))
		memcpy(into->first, from->first, sizeof(into->first));
}

static void merge_slowest(struct measure *into, const struct measure *from)
{
	if (from->time_most > into->time_most ||
	    (from->time_most == into->time_most && from->slowest_task < into->slowest_task)) {
		into->time_most = from->time_most;
		into->slowest_task = from->slowest_task;
		into->slowest_node = from->slowest_node;
	}
}

void measure_merge(struct measure *into, const struct measure *from)
{
	if (!from->tasks)
		return;
	/* A measure of no task must not win the comparison with task 0. */
	if (!into->tasks)
		into->slowest_task = UINT32_MAX;
	merge_slowest(into, from);
	merge_directories(&into->targets_made, &from->targets_made);
	merge_directories(&into->tests_kept, &from->tests_kept);
	unread_merge(into->find.unread, from->find.unread);
	measure_fields_merge(into, from);
	if (into->checks)
		verification_merge(measure_verification(into), measure_verification(from));
	counters_merge(&into->counters, &from->counters);
	counters_merge(&into->prefill, &from->prefill);
	task_p99_merge(&into->task_p99, &from->task_p99);
	timeline_merge(measure_timeline(into), measure_timeline(from));
	heatmap_merge(measure_heatmap(into), measure_heatmap(from));
	for (unsigned i = 0; i < into->record_count; i++) {
		struct operation_record *record = &into->records[i];

		if (!record->histogram.count)
			record->worst = from->records[i].worst;
		else if (from->records[i].histogram.count)
			worst_merge(&record->worst, &from->records[i].worst);
		record->bytes += from->records[i].bytes;
		record->rated_more += from->records[i].rated_more;
		record->rated_more_bytes += from->records[i].rated_more_bytes;
		histogram_merge(&record->histogram, &from->records[i].histogram);
	}
}

struct verification *measure_verification(const struct measure *measure)
{
	return measure->checks ? (struct verification *)&measure->records[measure->record_count]
			       : NULL;
}

struct timeline *measure_timeline(const struct measure *measure)
{
	return (struct timeline *)((char *)measure +
				   timeline_at(measure->record_count, measure->checks));
}

struct heatmap *measure_heatmap(const struct measure *measure)
{
	return (struct heatmap *)(measure_timeline(measure) + 1);
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

void measure_settle(struct operation_record *record, uint32_t task, uint32_t node)
{
	histogram_close(&record->histogram, record->histogram.min_ns, record->worst.ns);
	record->worst.task = task;
	record->worst.node = node;
}
