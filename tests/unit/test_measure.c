/* Histograms and the joining of measures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "measure/fields.h"
#include "measure/measure.h"

static uint64_t roll(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 20;
}

static void every_duration_lies_in_its_bucket(void **state)
{
	(void)state;
	for (uint64_t ns = 1; ns < UINT64_C(1) << HISTOGRAM_TOP; ns += ns / 97 + 1) {
		unsigned bucket = histogram_index(ns);

		assert_true(histogram_edge(bucket) <= ns);
		assert_true(bucket + 1 == HISTOGRAM_BUCKETS || ns < histogram_edge(bucket + 1));
	}
	assert_int_equal(histogram_index((UINT64_C(1) << HISTOGRAM_TOP) - 1),
			 HISTOGRAM_BUCKETS - 1);
	assert_int_equal(histogram_index(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
}

static void a_bucket_is_at_most_a_128th_wide(void **state)
{
	(void)state;
	for (unsigned bucket = 256; bucket + 1 < HISTOGRAM_BUCKETS; bucket++) {
		double edge = (double)histogram_edge(bucket);
		double width = (double)histogram_edge(bucket + 1) - edge;

		assert_true(width / 2 / (edge + width / 2) <= 0.0039);
	}
}

static void percentiles_are_upper_ranks_within_their_error(void **state)
{
	struct histogram *histogram = malloc(sizeof(*histogram));

	(void)state;
	histogram_init(histogram);
	for (uint64_t ns = 1; ns <= 100000; ns++)
		histogram_add(histogram, ns);
	for (int percent = 1; percent <= 100; percent++) {
		double exact = percent * 1000.0;
		double found = (double)histogram_percentile(histogram, percent / 100.0);

		assert_true(found > exact * 0.996 && found < exact * 1.004);
	}
	assert_int_equal(histogram_percentile(histogram, 1.0), 100000);
	free(histogram);
}

static void percentiles_need_as_many_operations_as_measurement_says(void **state)
{
	(void)state;
	assert_int_equal(histogram_needed(0.90), 36);
	assert_int_equal(histogram_needed(0.95), 72);
	assert_int_equal(histogram_needed(0.99), 368);
	assert_int_equal(histogram_needed(0.999), 3688);
}

static void what_is_too_long_saturates_and_is_counted(void **state)
{
	struct histogram *histogram = malloc(sizeof(*histogram));

	(void)state;
	histogram_init(histogram);
	histogram_add(histogram, UINT64_C(1) << 50);
	histogram_add(histogram, 5);
	assert_int_equal(histogram->saturated, 1);
	assert_int_equal(histogram->count, 2);
	assert_int_equal(histogram_percentile(histogram, 1.0), UINT64_C(1) << 50);
	free(histogram);
}

static const enum operation operations[] = {OPERATION_OPEN, OPERATION_WRITE, OPERATION_CLOSE};

enum { JOINED = 8192 }; /* a row for so many of 2^20 tasks */

/* Three transfers in the slices of one task; some took so long that theirs are wider. */
static void observe_slices(struct measure *measure, uint32_t task, uint64_t *seed)
{
	struct timeline *timeline = measure_timeline(measure);
	unsigned longer = task % 1000 == 77 ? task / 1000 % 12 : 0;

	for (int i = 0; i < 3; i++) {
		uint64_t after_ns = roll(seed) % (UINT64_C(1000000) << longer);
		struct slice *slice = timeline_enter(timeline, after_ns);

		slice_count(slice, histogram_index(task % 5000 + 1));
		slice->bytes += task % 100;
		if (slice->max_ns < task % 5000 + 1)
			slice->max_ns = task % 5000 + 1;
	}
	heatmap_set(measure_heatmap(measure), task / JOINED, timeline);
	counters_add_calls(&measure->counters, &measure->counters.writes, 1 + task % 9, 3);
	measure->counters.writes.most = roll(seed);
}

/* One task's observation, the same for the same number. */
static void observe(struct measure *measure, uint32_t task)
{
	uint64_t seed = task * 77 + 5;
	uint64_t begin = 1000000 + roll(&seed) % 1000;

	measure_reset(measure);
	measure->tasks = 1;
	measure->bytes = roll(&seed) % 1000;
	measure->least_bytes = measure->most_bytes = measure->bytes;
	measure->slowest_task = task;
	measure->time_sum = measure->time_most = (double)(roll(&seed) % 1024);
	extent_add(&measure->begin, begin);
	extent_add(&measure->close_end, begin + 5000 + roll(&seed) % 9000);
	measure->io.tasks = 1;
	measure->io.read_bytes = task;
	measure_add(&measure->records[1], 1 + roll(&seed) % 1000000, begin, task, task, 0);
	observe_slices(measure, task, &seed);
}

/* What a tree must find, added up task by task in the slices that all have in the end. */
struct exact {
	uint32_t width;
	uint64_t bytes[TIMELINE_SLICES], operations[TIMELINE_SLICES], max_ns[TIMELINE_SLICES];
	uint64_t heatmap[HEATMAP_ROWS][HEATMAP_COLUMNS];
	uint64_t most, calls;
};

/* Only now it is known how wide they are: slices of one task end up in one each. */
static void expect(struct exact *exact, const struct measure *one, uint32_t task)
{
	const struct timeline *timeline = measure_timeline(one);
	uint32_t shift = exact->width - timeline->width;

	for (uint32_t i = 0; i < timeline->count; i++) {
		const struct slice *slice = &timeline->slices[i];
		uint32_t number = i >> shift;

		exact->bytes[number] += slice->bytes;
		exact->operations[number] += slice_operations(slice);
		if (slice->max_ns > exact->max_ns[number])
			exact->max_ns[number] = slice->max_ns;
		exact->heatmap[task / JOINED][number >> HEATMAP_JOINED] += slice->bytes;
	}
	exact->calls += one->counters.writes.calls;
	if (one->counters.writes.most > exact->most)
		exact->most = one->counters.writes.most;
}

static void assert_exact(const struct measure *measure, const struct exact *exact)
{
	const struct timeline *timeline = measure_timeline(measure);

	for (uint32_t i = 0; i < TIMELINE_SLICES; i++) {
		assert_int_equal(timeline->slices[i].bytes, exact->bytes[i]);
		assert_int_equal(slice_operations(&timeline->slices[i]), exact->operations[i]);
		assert_int_equal(timeline->slices[i].max_ns, exact->max_ns[i]);
	}
	assert_memory_equal(measure_heatmap(measure)->bytes, exact->heatmap,
			    sizeof(exact->heatmap));
	assert_int_equal(measure->counters.writes.calls, exact->calls);
	assert_int_equal(measure->counters.writes.most, exact->most);
}

/* Joins 2^depth tasks as the tasks of a job do: a binomial tree, here by recursion. */
static void join(struct measure **rooms, uint32_t first, unsigned depth)
{
	if (depth == 0) {
		observe(rooms[0], first);
		return;
	}
	join(rooms, first, depth - 1);
	join(rooms + 1, first + (1u << (depth - 1)), depth - 1);
	measure_merge(rooms[0], rooms[1]);
}

static void a_million_tasks_joined_as_a_tree_give_the_exact_answer(void **state)
{
	enum { DEPTH = 20 };
	struct measure *rooms[DEPTH + 1];
	struct measure *one = measure_create(operations, 2);
	uint64_t bytes = 0, reads = 0, last = 0, first = UINT64_MAX, slowest_ns = 0;
	double longest = -1;
	uint32_t slowest = 0, worst_task = 0;
	uint64_t buckets = 0;
	struct exact *exact = calloc(1, sizeof(*exact));

	(void)state;
	for (int i = 0; i <= DEPTH; i++)
		rooms[i] = measure_create(operations, 2);
	join(rooms, 0, DEPTH);
	exact->width = measure_timeline(rooms[0])->width;
	for (uint32_t task = 0; task < 1u << DEPTH; task++) {
		observe(one, task);
		expect(exact, one, task);
		bytes += one->bytes;
		reads += one->io.read_bytes;
		first = one->begin.first < first ? one->begin.first : first;
		last = one->close_end.last > last ? one->close_end.last : last;
		if (one->time_most > longest) {
			longest = one->time_most;
			slowest = task;
		}
		if (one->records[1].histogram.max_ns > slowest_ns) {
			slowest_ns = one->records[1].histogram.max_ns;
			worst_task = task;
		}
	}
	assert_exact(rooms[0], exact);
	free(exact);
	assert_int_equal(rooms[0]->tasks, 1 << DEPTH);
	assert_int_equal(rooms[0]->bytes, bytes);
	assert_int_equal(rooms[0]->io.read_bytes, reads);
	assert_int_equal(rooms[0]->begin.first, first);
	assert_int_equal(rooms[0]->close_end.last, last);
	assert_int_equal(rooms[0]->slowest_task, slowest);
	assert_int_equal(rooms[0]->records[1].worst.ns, slowest_ns);
	assert_int_equal(rooms[0]->records[1].worst.task, worst_task);
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		buckets += rooms[0]->records[1].histogram.buckets[i];
	assert_int_equal(buckets, 1 << DEPTH);
	assert_int_equal(rooms[0]->records[0].histogram.count, 0);
	for (int i = 0; i <= DEPTH; i++)
		free(rooms[i]);
	free(one);
}

static void joining_does_not_depend_on_the_order(void **state)
{
	struct measure *a = measure_create(operations, 3);
	struct measure *b = measure_create(operations, 3);
	struct measure *one = measure_create(operations, 3);

	(void)state;
	for (uint32_t task = 0; task < 100; task++) {
		observe(one, task);
		measure_merge(a, one);
		observe(one, 99 - task);
		measure_merge(b, one);
	}
	assert_memory_equal(a, b, a->size);
	free(a);
	free(b);
	free(one);
}

static void a_task_without_operations_changes_nothing_but_the_count_of_tasks(void **state)
{
	struct measure *a = measure_create(operations, 3);
	struct measure *idle = measure_create(operations, 3);

	(void)state;
	observe(a, 3);
	idle->tasks = 1;
	idle->slowest_task = 9;
	measure_merge(a, idle);
	assert_int_equal(a->tasks, 2);
	assert_int_equal(a->records[1].worst.task, 3);
	assert_int_equal(a->records[1].histogram.count, 1);
	free(a);
	free(idle);
}

/* The members that are no scalars of their own, or are merged with the task they belong to. */
#define BY_HAND(member)                                                                          \
	{                                                                                        \
#member, offsetof(struct measure, member), sizeof(((struct measure *)0)->member) \
	}

static const struct {
	const char *name;
	size_t offset, size;
} by_hand[] = {
	BY_HAND(size),
	BY_HAND(record_count),
	BY_HAND(checks),
	BY_HAND(time_most),
	BY_HAND(slowest_task),
	BY_HAND(slowest_node),
	BY_HAND(find.unread),
	BY_HAND(counters),
	BY_HAND(prefill),
	BY_HAND(targets_made.first),
	BY_HAND(tests_kept.first),
	BY_HAND(task_p99),
};

static void mark(unsigned char *bytes, const char *name, size_t offset, size_t size)
{
	for (size_t i = offset; i < offset + size; i++)
		if (bytes[i]++)
			fail_msg("%s stands in a row and is merged by hand, or has two rows", name);
}

/* Bytes behind the last member are padding. */
static void every_member_has_a_row_or_is_merged_by_hand(void **state)
{
	unsigned char bytes[sizeof(struct measure)] = {0};
	size_t end = offsetof(struct measure, checks) + sizeof(bool);

	(void)state;
	for (size_t i = 0; i < measure_field_count; i++)
		mark(bytes, measure_fields[i].name, measure_fields[i].offset,
		     measure_fields[i].size);
	for (size_t i = 0; i < sizeof(by_hand) / sizeof(by_hand[0]); i++)
		mark(bytes, by_hand[i].name, by_hand[i].offset, by_hand[i].size);
	for (size_t i = 0; i < end; i++)
		if (!bytes[i])
			fail_msg("byte %zu of struct measure has no row in measure/fields.c", i);
}

static void rows_merge_as_they_say(void **state)
{
	struct measure *a = measure_create(operations, 1), *b = measure_create(operations, 1);

	(void)state;
	a->tasks = b->tasks = 1;
	a->errors[2] = 3;
	b->errors[2] = b->errors[ERRNOS - 1] = 4;
	a->least_bytes = a->most_bytes = 10;
	b->least_bytes = b->most_bytes = 7;
	b->slices_ns = 55;
	b->clock_cost_ns = 1.5;
	b->find.matches = 6;
	b->begin = (struct extent){100, 200};
	b->tests_kept.count = 1;
	strcpy(b->tests_kept.first, "/a");
	b->records[0].bytes = 8;
	measure_merge(a, b);
	b->slices_ns = 66;
	measure_merge(a, b);
	assert_int_equal(a->errors[2], 11);
	assert_int_equal(a->errors[ERRNOS - 1], 8);
	assert_int_equal(a->least_bytes, 7);
	assert_int_equal(a->most_bytes, 10);
	assert_int_equal(a->slices_ns, 55);
	assert_true(a->clock_cost_ns == 1.5);
	assert_int_equal(a->find.matches, 12);
	assert_int_equal(a->records[0].bytes, 16);
	assert_int_equal(a->begin.first, 100);
	assert_int_equal(a->begin.last, 200);
	assert_int_equal(a->open_end.first, UINT64_MAX);
	assert_int_equal(a->tests_kept.count, 2);
	assert_string_equal(a->tests_kept.first, "/a");
	free(a);
	free(b);
}

static void a_hot_loop_leaves_the_record_of_adding_one_by_one(void **state)
{
	static const uint64_t times[] = {700, 90, 4000, UINT64_C(1) << 50, 90, 3};
	struct measure *loop = measure_create(operations, 1), *one = measure_create(operations, 1);
	struct operation_record *record = &loop->records[0];

	(void)state;
	for (uint64_t i = 0; i < 6; i++) {
		histogram_count(&record->histogram, histogram_index(times[i]), times[i]);
		measure_note_extremes(record, times[i], 1000 + i, i * 4096);
		measure_add(&one->records[0], times[i], 1000 + i, i * 4096, 7, 2);
	}
	measure_settle(record, 7, 2);
	assert_memory_equal(record, &one->records[0], sizeof(*record));
	assert_int_equal(record->histogram.count, 6);
	assert_int_equal(record->histogram.min_ns, 3);
	assert_int_equal(record->histogram.saturated, 1);
	assert_int_equal(record->worst.at_ns, 1003);
	assert_int_equal(record->worst.offset, 3 * 4096);
	free(loop);
	free(one);
}

static void of_equals_the_lower_task_and_the_first_path_win(void **state)
{
	struct measure *all = measure_create(operations, 1), *one = measure_create(operations, 1);
	static const uint32_t order[] = {5, 3, 8};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		measure_reset(one);
		one->tasks = 1;
		one->time_most = 2;
		one->slowest_task = order[i];
		one->slowest_node = order[i] / 2;
		one->tests_kept.count = order[i] != 8;
		snprintf(one->tests_kept.first, sizeof(one->tests_kept.first), "/%u", order[i]);
		for (unsigned k = 0; k < 368; k++)
			measure_add(&one->records[0], 1000, 0, 0, order[i], 0);
		task_p99_set(&one->task_p99, &one->records[0].histogram, order[i], order[i] / 2);
		measure_merge(all, one);
	}
	assert_int_equal(all->slowest_task, 3);
	assert_int_equal(all->slowest_node, 1);
	assert_int_equal(all->records[0].worst.task, 3);
	assert_int_equal(all->task_p99.task, 3);
	assert_int_equal(all->task_p99.node, 1);
	assert_int_equal(all->task_p99.histogram.count, 3);
	assert_string_equal(all->tests_kept.first, "/3");
	assert_int_equal(all->tests_kept.count, 2);
	free(all);
	free(one);
}

static void the_amount_of_a_phase_is_what_its_rate_counts(void **state)
{
	static const enum operation kinds[] = {OPERATION_LIST, OPERATION_STAT, OPERATION_MIXED};
	struct measure *measure = measure_create(kinds, 3);

	(void)state;
	measure->bytes = 4096;
	measure->entries = 50;
	for (unsigned i = 0; i < 7; i++)
		measure_add(&measure->records[1], 1000, 0, 0, 0, 0);
	measure_add(&measure->records[2], 1000, 0, 0, 0, 0);
	assert_true(measure_amount(measure, PHASE_READ) == 4096);
	assert_true(measure_amount(measure, PHASE_FIND) == 50);
	assert_true(measure_amount(measure, PHASE_FILE_STAT) == 7);
	assert_true(measure_amount(measure, PHASE_LOAD) == 1);
	free(measure);
}

static void only_a_measure_that_compares_has_a_verification(void **state)
{
	struct measure *plain = measure_create(operations, 3);
	struct measure *checking = measure_create_checking(operations, 3);

	(void)state;
	assert_null(measure_verification(plain));
	assert_int_equal(checking->size - plain->size, sizeof(struct verification));
	measure_verification(checking)->wrong_bytes = 9;
	assert_int_equal(measure_timeline(checking)->count, 0);
	measure_reset(checking);
	assert_int_equal(measure_verification(checking)->wrong_bytes, 0);
	/* The timeline lies behind the records and begins with its width. */
	measure_timeline(plain)->width = OPERATION_RESPONSE;
	assert_null(measure_record(plain, OPERATION_RESPONSE));
	free(plain);
	free(checking);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_duration_lies_in_its_bucket),
		cmocka_unit_test(a_bucket_is_at_most_a_128th_wide),
		cmocka_unit_test(percentiles_are_upper_ranks_within_their_error),
		cmocka_unit_test(percentiles_need_as_many_operations_as_measurement_says),
		cmocka_unit_test(what_is_too_long_saturates_and_is_counted),
		cmocka_unit_test(a_million_tasks_joined_as_a_tree_give_the_exact_answer),
		cmocka_unit_test(joining_does_not_depend_on_the_order),
		cmocka_unit_test(every_member_has_a_row_or_is_merged_by_hand),
		cmocka_unit_test(rows_merge_as_they_say),
		cmocka_unit_test(a_task_without_operations_changes_nothing_but_the_count_of_tasks),
		cmocka_unit_test(a_hot_loop_leaves_the_record_of_adding_one_by_one),
		cmocka_unit_test(of_equals_the_lower_task_and_the_first_path_win),
		cmocka_unit_test(the_amount_of_a_phase_is_what_its_rate_counts),
		cmocka_unit_test(only_a_measure_that_compares_has_a_verification),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
