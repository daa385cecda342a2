/* Slices of time, rows of tasks, and how they are joined. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "measure/heatmap.h"
#include "measure/timeline.h"

static const uint64_t slice_ns = UINT64_C(1) << TIMELINE_NARROWEST;

static struct timeline *new_timeline(void)
{
	struct timeline *timeline = malloc(sizeof(*timeline));

	timeline_init(timeline);
	return timeline;
}

/* One transfer of so many bytes that took service_ns and ended at after_ns. */
static void move(struct timeline *timeline, uint64_t after_ns, uint64_t bytes, uint64_t service_ns)
{
	struct slice *slice = timeline_enter(timeline, after_ns);

	slice_count(slice, histogram_index(service_ns));
	slice->bytes += bytes;
	if (service_ns > slice->max_ns)
		slice->max_ns = service_ns;
}

static void a_transfer_stands_in_the_slice_in_which_it_ended(void **state)
{
	struct timeline *timeline = new_timeline();

	(void)state;
	move(timeline, 0, 1, 10);
	move(timeline, slice_ns - 1, 2, 30);
	move(timeline, slice_ns, 4, 20);
	assert_int_equal(timeline->count, 2);
	assert_int_equal(timeline->slices[0].bytes, 3);
	assert_int_equal(timeline->slices[0].max_ns, 30);
	assert_int_equal(slice_operations(&timeline->slices[0]), 2);
	assert_int_equal(timeline->slices[1].bytes, 4);
	assert_int_equal(timeline_end(timeline, &timeline->slices[1]), 2 * slice_ns);
	free(timeline);
}

static void an_operation_is_due_in_a_slice_of_its_own(void **state)
{
	struct timeline *timeline = new_timeline(), *other = new_timeline();

	(void)state;
	move(timeline, 2 * slice_ns, 1, 10);
	timeline_count_due(timeline, slice_ns - 1, 5);
	timeline_count_due(timeline, slice_ns, 7);
	assert_int_equal(timeline->slices[0].due, 1);
	assert_int_equal(timeline->slices[1].late_ns, 7);
	move(other, TIMELINE_SLICES * slice_ns, 1, 10);
	timeline_count_due(other, slice_ns, 3);
	timeline_enter(other, 0)->unissued++;
	timeline_merge(timeline, other);
	assert_int_equal(timeline->width, TIMELINE_NARROWEST + 1);
	assert_int_equal(timeline->slices[0].unissued, 1);
	assert_int_equal(timeline->slices[0].due, 3);
	assert_int_equal(timeline->slices[0].late_ns, 15);
	free(timeline);
	free(other);
}

static void slices_are_twice_as_wide_when_the_last_one_is_full(void **state)
{
	struct timeline *timeline = new_timeline();

	(void)state;
	for (uint64_t i = 0; i < TIMELINE_SLICES; i++)
		move(timeline, i * slice_ns, i, 100 + i);
	assert_int_equal(timeline->width, TIMELINE_NARROWEST);
	move(timeline, TIMELINE_SLICES * slice_ns, 7, 5);
	assert_int_equal(timeline->width, TIMELINE_NARROWEST + 1);
	assert_int_equal(timeline->count, TIMELINE_SLICES / 2 + 1);
	for (uint64_t i = 0; i < TIMELINE_SLICES / 2; i++) {
		assert_int_equal(timeline->slices[i].bytes, 4 * i + 1);
		assert_int_equal(timeline->slices[i].max_ns, 101 + 2 * i);
		assert_int_equal(slice_operations(&timeline->slices[i]), 2);
	}
	assert_int_equal(timeline->slices[TIMELINE_SLICES / 2].bytes, 7);
	assert_int_equal(timeline->slices[TIMELINE_SLICES / 2 + 1].bytes, 0);
	free(timeline);
}

static void a_day_needs_no_more_memory_than_a_second(void **state)
{
	struct timeline *timeline = new_timeline();
	uint64_t bytes = 0, day_ns = UINT64_C(86400) * 1000000000;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		move(timeline, i * (day_ns / 1000), 1, 1000);
	for (uint32_t i = 0; i < timeline->count; i++)
		bytes += timeline->slices[i].bytes;
	assert_int_equal(bytes, 1000);
	assert_true(timeline->count > TIMELINE_SLICES / 2 && timeline->count <= TIMELINE_SLICES);
	free(timeline);
}

/* A transfer every so often; the same ones go into *all. */
static void run(struct timeline *timeline, struct timeline *all, uint64_t step_ns, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		move(timeline, i * step_ns, i % 5, 50 + i);
		move(all, i * step_ns, i % 5, 50 + i);
	}
}

static void assert_same(const struct timeline *one, const struct timeline *other)
{
	assert_int_equal(one->width, other->width);
	assert_int_equal(one->count, other->count);
	assert_memory_equal(one->slices, other->slices, sizeof(one->slices));
}

static void slices_of_unlike_widths_are_joined_exactly_in_any_order(void **state)
{
	struct timeline *a = new_timeline(), *b = new_timeline(), *c = new_timeline();
	struct timeline *all = new_timeline(), *one = new_timeline(), *other = new_timeline();

	(void)state;
	run(a, all, 1000003, 3001);
	run(b, all, 77, 9999);
	run(c, all, 100000007, 44);
	assert_true(a->width > b->width && c->width != a->width);
	timeline_merge(one, a);
	timeline_merge(one, b);
	timeline_merge(one, c);
	timeline_merge(other, b);
	timeline_merge(other, c);
	timeline_merge(other, a);
	assert_same(one, all);
	assert_same(other, all);
	struct timeline *rooms[] = {a, b, c, all, one, other};

	for (unsigned i = 0; i < 6; i++)
		free(rooms[i]);
}

static void clearing_leaves_nothing(void **state)
{
	struct timeline *timeline = new_timeline(), *fresh = new_timeline();

	(void)state;
	run(timeline, fresh, 1000003, 3001);
	timeline_reset(timeline);
	timeline_init(fresh);
	assert_same(timeline, fresh);
	free(timeline);
	free(fresh);
}

static void as_many_slices_as_the_phase_lasted(void **state)
{
	struct timeline *timeline = new_timeline();

	(void)state;
	move(timeline, 3 * slice_ns, 1, 1);
	assert_int_equal(timeline_fit(timeline, 4 * slice_ns, TIMELINE_SLICES), 4);
	assert_int_equal(timeline_fit(timeline, 4 * slice_ns + 1, TIMELINE_SLICES), 5);
	/* a transfer that another clock sees after the end is not lost */
	assert_int_equal(timeline_fit(timeline, 2 * slice_ns, TIMELINE_SLICES), 4);
	assert_int_equal(timeline_fit(timeline, 1000 * slice_ns, TIMELINE_SLICES), 125);
	assert_int_equal(timeline->width, TIMELINE_NARROWEST + 3);
	assert_int_equal(timeline->slices[0].bytes, 1);
	free(timeline);
}

static void what_came_before_the_first_begin_is_dropped(void **state)
{
	struct timeline *timeline = new_timeline();
	struct heatmap *heatmap = calloc(1, sizeof(*heatmap));

	(void)state;
	move(timeline, 9 * slice_ns, 5, 1);
	move(timeline, 10 * slice_ns, 6, 1);
	heatmap_reset(heatmap);
	heatmap_set(heatmap, 3, timeline);
	timeline_skip(timeline, 8);
	assert_int_equal(timeline->count, 3);
	assert_int_equal(timeline->slices[1].bytes, 5);
	assert_int_equal(timeline->slices[2].bytes, 6);
	assert_int_equal(timeline->slices[9].bytes + timeline->slices[10].bytes, 0);
	heatmap_skip(heatmap, 2);
	assert_int_equal(heatmap->bytes[3][0], 11);
	assert_int_equal(heatmap->bytes[3][2], 0);
	assert_int_equal(heatmap_fit(heatmap, 1), 1);
	free(heatmap);
	free(timeline);
}

static void percentiles_of_a_slice_are_within_6_percent(void **state)
{
	struct timeline *timeline = new_timeline();

	(void)state;
	for (uint64_t ns = 1; ns <= 100000; ns++)
		move(timeline, 0, 1, ns);
	for (int percent = 1; percent <= 99; percent++) {
		double found = (double)slice_percentile(timeline->slices, percent / 100.0);

		assert_in_range(found / (percent * 1000.0) * 1000, 940, 1060);
	}
	free(timeline);
}

static void too_few_transfers_have_no_percentile(void **state)
{
	struct timeline *timeline = new_timeline();

	(void)state;
	for (uint64_t i = 0; i < 367; i++)
		move(timeline, 0, 1, 1000);
	assert_int_equal(slice_percentile(timeline->slices, 0.99), 0);
	move(timeline, 0, 1, 1000);
	/* the middle of 960 .. 1023 */
	assert_int_equal(slice_percentile(timeline->slices, 0.99), 992);
	assert_int_equal(slice_percentile(&timeline->slices[1], 0.5), 0);
	free(timeline);
}

static void there_are_at_most_128_rows_and_neighbours_share_them(void **state)
{
	(void)state;
	for (uint32_t tasks = 1; tasks < 100000; tasks += 1 + tasks / 50) {
		uint32_t joined = heatmap_joined(tasks), rows = heatmap_rows(tasks);

		assert_true(rows >= 1 && rows <= HEATMAP_ROWS);
		assert_int_equal((tasks - 1) / joined, rows - 1);
	}
	assert_int_equal(heatmap_rows(128), 128);
	assert_int_equal(heatmap_joined(128), 1);
	assert_int_equal(heatmap_rows(129), 65);
	assert_int_equal(heatmap_rows(1000000), 128);
}

static void rows_of_tasks_that_took_unlike_times_are_joined_exactly(void **state)
{
	struct timeline *timelines[3] = {new_timeline(), new_timeline(), new_timeline()};
	struct timeline *all = new_timeline();
	struct heatmap *one = calloc(1, sizeof(*one)), *other = calloc(1, sizeof(*other));
	struct heatmap *rows[3];
	uint64_t bytes[HEATMAP_ROWS] = {0};

	(void)state;
	run(timelines[0], all, 1000003, 3001);
	run(timelines[1], all, 77, 9999);
	run(timelines[2], all, 100000007, 44);
	heatmap_reset(one);
	heatmap_reset(other);
	for (unsigned i = 0; i < 3; i++) {
		rows[i] = calloc(1, sizeof(*rows[i]));
		heatmap_reset(rows[i]);
		heatmap_set(rows[i], i == 2 ? 100 : 7, timelines[i]);
		for (uint32_t j = 0; j < timelines[i]->count; j++)
			bytes[i == 2 ? 100 : 7] += timelines[i]->slices[j].bytes;
	}
	for (unsigned i = 0; i < 3; i++) {
		heatmap_merge(one, rows[i]);
		heatmap_merge(other, rows[2 - i]);
	}
	assert_memory_equal(one, other, sizeof(*one));
	assert_int_equal(one->width, timelines[2]->width + HEATMAP_JOINED);
	for (unsigned row = 0; row < HEATMAP_ROWS; row++) {
		uint64_t sum = 0;

		for (unsigned i = 0; i < HEATMAP_COLUMNS; i++)
			sum += one->bytes[row][i];
		assert_int_equal(sum, bytes[row]);
	}
	assert_int_equal(heatmap_fit(one, (uint64_t)200 << one->width), HEATMAP_COLUMNS);
	heatmap_reset(one);
	for (unsigned row = 0; row < HEATMAP_ROWS; row++)
		for (unsigned i = 0; i < HEATMAP_COLUMNS; i++)
			assert_int_equal(one->bytes[row][i], 0);
	for (unsigned i = 0; i < 3; i++) {
		free(rows[i]);
		free(timelines[i]);
	}
	free(all);
	free(one);
	free(other);
}

/* A heatmap in which rows 3 and 4 have 1 byte in each column. */
static struct heatmap *two_full_rows(void)
{
	struct heatmap *heatmap = calloc(1, sizeof(*heatmap));

	heatmap_reset(heatmap);
	heatmap->first = 3;
	heatmap->last = 5;
	for (unsigned row = 3; row < 5; row++)
		for (unsigned i = 0; i < HEATMAP_COLUMNS; i++)
			heatmap->bytes[row][i] = 1;
	return heatmap;
}

static void columns_are_joined_until_they_fit_the_phase(void **state)
{
	struct heatmap *heatmap = two_full_rows();
	const uint64_t column_ns = UINT64_C(1) << heatmap->width;

	(void)state;
	assert_int_equal(heatmap_fit(heatmap, HEATMAP_COLUMNS * column_ns), HEATMAP_COLUMNS);
	assert_int_equal(heatmap->bytes[3][0], 1);
	assert_int_equal(heatmap_fit(heatmap, (HEATMAP_COLUMNS + 2) * column_ns),
			 HEATMAP_COLUMNS / 2 + 1);
	for (unsigned row = 3; row < 5; row++)
		for (unsigned i = 0; i < HEATMAP_COLUMNS; i++)
			assert_int_equal(heatmap->bytes[row][i], i < HEATMAP_COLUMNS / 2 ? 2 : 0);
	assert_int_equal(heatmap->bytes[5][0], 0);
	/* A phase that ended before the last transfer still has the column of that. */
	assert_int_equal(heatmap_fit(heatmap, column_ns), HEATMAP_COLUMNS / 2);
	heatmap_reset(heatmap);
	assert_int_equal(heatmap_fit(heatmap, 0), 1);
	assert_int_equal(heatmap_fit(heatmap, (UINT64_C(1) << heatmap->width) + 1), 2);
	free(heatmap);
}

static void rows_are_in_use_from_the_first_to_the_last(void **state)
{
	struct heatmap *low = two_full_rows(), *high = two_full_rows();
	struct heatmap *empty = calloc(1, sizeof(*empty));

	(void)state;
	heatmap_reset(empty);
	memmove(high->bytes[9], high->bytes[4], sizeof(high->bytes[9]));
	high->first = 4;
	high->last = 10;
	heatmap_merge(low, high);
	assert_int_equal(low->first, 3);
	assert_int_equal(low->last, 10);
	assert_int_equal(low->bytes[3][0], 1);
	assert_int_equal(low->bytes[4][0], 2);
	assert_int_equal(low->bytes[9][HEATMAP_COLUMNS - 1], 1);
	heatmap_merge(low, empty);
	assert_int_equal(low->first, 3);
	heatmap_merge(empty, high);
	assert_int_equal(empty->first, 4);
	assert_int_equal(empty->last, 10);
	heatmap_merge(empty, low);
	assert_int_equal(empty->first, 3);
	heatmap_skip(low, HEATMAP_COLUMNS + 1);
	assert_int_equal(low->bytes[3][0] + low->bytes[9][0], 0);
	free(low);
	free(high);
	free(empty);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_transfer_stands_in_the_slice_in_which_it_ended),
		cmocka_unit_test(an_operation_is_due_in_a_slice_of_its_own),
		cmocka_unit_test(slices_are_twice_as_wide_when_the_last_one_is_full),
		cmocka_unit_test(a_day_needs_no_more_memory_than_a_second),
		cmocka_unit_test(slices_of_unlike_widths_are_joined_exactly_in_any_order),
		cmocka_unit_test(clearing_leaves_nothing),
		cmocka_unit_test(as_many_slices_as_the_phase_lasted),
		cmocka_unit_test(what_came_before_the_first_begin_is_dropped),
		cmocka_unit_test(percentiles_of_a_slice_are_within_6_percent),
		cmocka_unit_test(too_few_transfers_have_no_percentile),
		cmocka_unit_test(there_are_at_most_128_rows_and_neighbours_share_them),
		cmocka_unit_test(rows_of_tasks_that_took_unlike_times_are_joined_exactly),
		cmocka_unit_test(columns_are_joined_until_they_fit_the_phase),
		cmocka_unit_test(rows_are_in_use_from_the_first_to_the_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
