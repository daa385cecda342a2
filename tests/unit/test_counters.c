/* Calls as Darshan counts them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/units.h"
#include "measure/counters.h"

static void the_ranges_of_sizes_contain_their_upper_ends(void **state)
{
	static const uint64_t ends[] = {100,	 KIB,	   10 * KIB,  100 * KIB, MIB,
					4 * MIB, 10 * MIB, 100 * MIB, GIB};

	(void)state;
	assert_int_equal(counters_size(0), 0);
	for (unsigned i = 0; i < 9; i++) {
		assert_int_equal(counters_size(ends[i]), i);
		assert_int_equal(counters_size(ends[i] + 1), i + 1);
	}
	assert_int_equal(counters_size(UINT64_MAX), 9);
}

/* offset, length, offset, length, … */
static struct sequence follow(const uint64_t *accesses, unsigned count)
{
	struct sequence sequence = {.next = 1, .align_mask = 4095};

	for (unsigned i = 0; i < count; i++)
		sequence_note(&sequence, accesses[2 * i], accesses[2 * i + 1]);
	return sequence;
}

static void the_first_access_at_offset_0_follows_nothing(void **state)
{
	const uint64_t accesses[] = {0, 4096, 4096, 4096, 8192, 4096};
	struct sequence sequence = follow(accesses, 3);

	(void)state;
	assert_int_equal(sequence.consecutive, 2);
	assert_int_equal(sequence.sequential, 2);
	assert_int_equal(sequence.most, 12288);
	assert_int_equal(sequence.misaligned, 0);
}

static void a_gap_is_sequential_and_a_step_back_is_neither(void **state)
{
	const uint64_t accesses[] = {8192, 100, 20000, 100, 20100, 100, 0, 100, 20050, 10};
	struct sequence sequence = follow(accesses, 5);

	(void)state;
	assert_int_equal(sequence.consecutive, 1);
	assert_int_equal(sequence.sequential, 4);
	assert_int_equal(sequence.most, 20200);
	assert_int_equal(sequence.misaligned, 3);
}

/* The first of four in flight moves half; its rest is written when two more were submitted. */
static void a_short_call_of_a_queue_is_noted_once(void **state)
{
	struct sequence sequence = {.next = 1, .align_mask = 4095};

	(void)state;
	for (uint64_t i = 0; i < 4; i++)
		sequence_note(&sequence, i * 8192, 8192);
	sequence_cut(&sequence, 0, 8192, 4096);
	sequence_note(&sequence, 4096, 4096);
	sequence_note(&sequence, 4 * 8192, 8192);
	assert_int_equal(sequence.consecutive, 3);
	assert_int_equal(sequence.sequential, 4);
	assert_int_equal(sequence.most, 5 * 8192);
	sequence_cut(&sequence, 4 * 8192, 8192, 100);
	assert_int_equal(sequence.most, 4 * 8192 + 100);
}

static void the_rest_of_a_call_that_nothing_followed_is_right_behind_it(void **state)
{
	struct sequence sequence = {.next = 1, .align_mask = 4095};

	(void)state;
	sequence_note(&sequence, 0, 8192);
	sequence_cut(&sequence, 0, 8192, 4096);
	sequence_note(&sequence, 4096, 4096);
	assert_int_equal(sequence.consecutive, 1);
	assert_int_equal(sequence.next, 8192);
}

static void calls_are_counted_by_their_size(void **state)
{
	struct counters counters = {0};

	(void)state;
	counters_add_calls(&counters, &counters.writes, 4096, 10);
	counters_add_calls(&counters, &counters.writes, 0, 1);
	counters_add_calls(&counters, &counters.reads, 4096, 5);
	counters_add_calls(&counters, &counters.reads, 1, 0);
	assert_int_equal(counters.writes.calls, 11);
	assert_int_equal(counters.writes.bytes, 40960);
	assert_int_equal(counters.writes.sizes[0], 1);
	assert_int_equal(counters.writes.sizes[2], 10);
	assert_int_equal(counters.reads.calls, 5);
	assert_int_equal(counters.common[0].bytes, 4096);
	assert_int_equal(counters.common[0].count, 15);
	assert_int_equal(counters.common[1].count, 1);
	assert_int_equal(counters.common[2].count, 0);
}

static void the_most_common_sizes_come_first_whatever_the_order(void **state)
{
	struct counters tasks[4] = {0}, one = {0}, other = {0};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		counters_add_calls(&tasks[i], &tasks[i].writes, 1000 + i, 5);
		counters_add_calls(&tasks[i], &tasks[i].writes, 77, 3);
		tasks[i].opens = 1;
		tasks[i].writes.most = i * 10;
	}
	for (unsigned i = 0; i < 4; i++) {
		counters_merge(&one, &tasks[i]);
		counters_merge(&other, &tasks[3 - i]);
	}
	assert_memory_equal(&one, &other, sizeof(one));
	assert_int_equal(one.opens, 4);
	assert_int_equal(one.writes.most, 30);
	assert_int_equal(one.writes.calls, 32);
	assert_int_equal(one.common[0].bytes, 77);
	assert_int_equal(one.common[0].count, 12);
	assert_int_equal(one.common[1].bytes, 1003);
	assert_int_equal(one.common[1].count, 5);
}

static void of_many_sizes_the_common_ones_are_kept(void **state)
{
	struct counters counters = {0};

	(void)state;
	counters_add_calls(&counters, &counters.reads, 4096, 100);
	for (uint64_t size = 1; size <= 50; size++)
		counters_add_calls(&counters, &counters.reads, size, 1 + size % 3);
	counters_add_calls(&counters, &counters.reads, 8192, 200);
	assert_int_equal(counters.common[0].bytes, 8192);
	assert_int_equal(counters.common[1].bytes, 4096);
	for (unsigned i = 2; i < COUNTER_COMMON; i++)
		assert_int_equal(counters.common[i].count, 3);
}

static void merging_adds_up_all_but_the_farthest_end_and_the_alignment(void **state)
{
	const struct counters one = {
		.opens = 1,
		.stats = 2,
		.syncs = 3,
		.switches = 4,
		.misaligned = 5,
		.alignment = 512,
		.reads = {.alone = 6, .most = 700, .consecutive = 8, .sequential = 9},
		.writes = {.most = 100, .sizes = {[0] = 1, [9] = 2}},
	};
	struct counters all = {.alignment = 4096, .reads.most = 600, .writes.most = 800};

	(void)state;
	counters_merge(&all, &one);
	assert_int_equal(all.alignment, 4096);
	all.alignment = 0;
	counters_merge(&all, &one);
	assert_int_equal(all.alignment, 512);
	assert_int_equal(all.opens, 2);
	assert_int_equal(all.stats, 4);
	assert_int_equal(all.syncs, 6);
	assert_int_equal(all.switches, 8);
	assert_int_equal(all.misaligned, 10);
	assert_int_equal(all.reads.alone, 12);
	assert_int_equal(all.reads.most, 700);
	assert_int_equal(all.reads.consecutive, 16);
	assert_int_equal(all.reads.sequential, 18);
	assert_int_equal(all.writes.most, 800);
	assert_int_equal(all.writes.sizes[0], 2);
	assert_int_equal(all.writes.sizes[9], 4);
	assert_int_equal(all.common[0].count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ranges_of_sizes_contain_their_upper_ends),
		cmocka_unit_test(the_first_access_at_offset_0_follows_nothing),
		cmocka_unit_test(a_gap_is_sequential_and_a_step_back_is_neither),
		cmocka_unit_test(a_short_call_of_a_queue_is_noted_once),
		cmocka_unit_test(the_rest_of_a_call_that_nothing_followed_is_right_behind_it),
		cmocka_unit_test(calls_are_counted_by_their_size),
		cmocka_unit_test(the_most_common_sizes_come_first_whatever_the_order),
		cmocka_unit_test(of_many_sizes_the_common_ones_are_kept),
		cmocka_unit_test(merging_adds_up_all_but_the_farthest_end_and_the_alignment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
