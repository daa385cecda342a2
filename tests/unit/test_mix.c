/* The mixed phase of metadata tests: shares as they are written, and a population that stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "plan/mix.h"

static void check_share(double share, double expected)
{
	assert_true(share > expected - 1e-12 && share < expected + 1e-12);
}

static void shares_are_of_their_sum(void **state)
{
	double shares[MIX_KINDS];
	struct error err = {0};

	(void)state;
	assert_int_equal(mix_parse_shares("create:15,stat:60,read:10,remove:15", shares, &err), 0);
	check_share(shares[MIX_CREATE], 0.15);
	check_share(shares[MIX_STAT], 0.6);
	check_share(shares[MIX_READ], 0.1);
	check_share(shares[MIX_REMOVE], 0.15);
	assert_int_equal(mix_parse_shares("read:.5,stat:1.5", shares, &err), 0);
	check_share(shares[MIX_READ], 0.25);
	check_share(shares[MIX_CREATE], 0);
}

static void create_and_remove_are_evened(void **state)
{
	struct metadata test = {.mix = "create:20,stat:70,remove:10"};
	struct error err = {0};
	struct mix mix;

	(void)state;
	assert_int_equal(mix_build(&mix, &test, 50, 1, &err), 0);
	assert_true(mix.evened);
	check_share(mix.asked[MIX_CREATE], 0.2);
	check_share(mix.asked[MIX_REMOVE], 0.1);
	check_share(mix.shares[MIX_CREATE], 0.15);
	check_share(mix.shares[MIX_REMOVE], 0.15);
	test.mix = "create:1";
	assert_int_equal(mix_build(&mix, &test, 50, 1, &err), 0);
	assert_true(mix.evened);
	check_share(mix.shares[MIX_REMOVE], 0.5);
	test.mix = "create:15,stat:60,read:10,remove:15";
	assert_int_equal(mix_build(&mix, &test, 50, 1, &err), 0);
	assert_false(mix.evened);
}

static void what_is_no_share_is_refused(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{"", "mix: \"\": the shares have no positive sum"},
		{"stat:", "a colon and a share must follow the name"},
		{"stat:x", "the share is no plain decimal number from 0 on"},
		{"stat:-1", "the share is no plain decimal number from 0 on"},
		{"stat:1,craete:2",
		 "there is no such name (did you mean create?) at \"craete:2\";"},
		{"stat:1,write:2", "the names are create, stat, read, remove"},
		{"stat:1,stat:2", "the name stands twice"},
		{"stat:0", "the shares have no positive sum"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double shares[MIX_KINDS];
		struct error err = {0};

		assert_int_equal(mix_parse_shares(cases[i].text, shares, &err), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		if (!strstr(err.text, cases[i].why))
			fail_msg("%s: %s", cases[i].text, err.text);
	}
}

static void a_mix_of_one_file_is_refused(void **state)
{
	const struct metadata test = {.mix = "stat:1"};
	struct error err = {0};
	struct mix mix;

	(void)state;
	assert_int_equal(mix_build(&mix, &test, 1, 1, &err), -1);
	assert_non_null(strstr(err.text, "two files at least"));
}

static void rates_are_of_a_task(void **state)
{
	struct metadata test = {.mix = "stat:1", .mix_total_rate = 100};
	struct error err = {0};
	struct mix mix;

	(void)state;
	assert_int_equal(mix_build(&mix, &test, 50, 8, &err), 0);
	check_share(mix.task_rate, 12.5);
	assert_int_equal(mix.operations, 50);
	test.mix_total_rate = 0;
	test.mix_rate = 7;
	test.mix_duration = 3;
	assert_int_equal(mix_build(&mix, &test, 50, 8, &err), 0);
	check_share(mix.task_rate, 7);
	assert_int_equal(mix.operations, 0);
}

/* Does what is dealt to a set of files, and counts the operations. */
static void walk(const char *shares, uint64_t items, uint64_t steps, uint64_t counts[OPERATIONS])
{
	const struct metadata test = {.mix = shares, .mix_operations = steps};
	const struct load_seat seat = {.task = 0, .tasks = 1, .sharer = 0, .sharers = 1};
	bool *there = calloc(items, sizeof(*there));
	uint64_t present = items, least = items;
	struct load_pattern pattern;
	struct load_request request;
	struct load_walk walk;
	struct error err = {0};
	struct mix mix;

	memset(there, true, items);
	memset(counts, 0, OPERATIONS * sizeof(*counts));
	assert_int_equal(mix_build(&mix, &test, items, 1, &err), 0);
	mix_make_pattern(&mix, &test, items, 1, &pattern);
	load_walk_start(&walk, &pattern, &seat, 0);
	while (load_next(&walk, &request)) {
		const bool makes = request.operation == OPERATION_CREATE;
		const bool removes = request.operation == OPERATION_REMOVE;

		assert_true(request.item < items);
		assert_int_equal(there[request.item], !makes);
		there[request.item] = !removes;
		present += makes - (uint64_t)removes;
		least = present < least ? present : least;
		load_items_done(&walk.items, request.operation);
		assert_int_equal(ring_missing(&walk.items.files), items - present);
		counts[request.operation]++;
	}
	assert_true(items - least <= mix_most_missing(items));
	assert_int_equal(walk.items.files.least_count, least);
	load_walk_release(&walk);
	free(there);
}

static void the_population_stays_and_names_are_right(void **state)
{
	static const uint64_t sizes[] = {2, 3, 9, 10, 11, 20, 1000};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint64_t counts[OPERATIONS];

		walk("create:15,stat:60,read:10,remove:15", sizes[i], 20000, counts);
		assert_int_equal(counts[OPERATION_STAT], 12000);
		assert_int_equal(counts[OPERATION_OPEN_CLOSE], 2000);
		assert_true(counts[OPERATION_REMOVE] - counts[OPERATION_CREATE] <=
			    mix_most_missing(sizes[i]));
		walk("remove:1", sizes[i], 1000, counts);
		assert_int_equal(counts[OPERATION_STAT] + counts[OPERATION_OPEN_CLOSE], 0);
		walk("read:1", sizes[i], 1000, counts);
		assert_int_equal(counts[OPERATION_OPEN_CLOSE], 1000);
	}
}

static void a_share_too_small_for_the_deck_is_refused(void **state)
{
	const struct metadata test = {.mix = "stat:10000,read:1"};
	struct error err = {0};
	struct mix mix;

	(void)state;
	assert_int_equal(mix_build(&mix, &test, 50, 1, &err), -1);
	assert_non_null(strstr(err.text, "mix: the share of read is below one in 1000"));
}

static void files_are_not_read_while_another_task_writes_them(void **state)
{
	static const struct {
		uint64_t stride, read_bytes;
		const char *mix;
		uint32_t tasks;
		int ret;
	} cases[] = {
		{1, 9, "create:1,read:1,remove:1", 2, -1},
		{0, 9, "create:1,read:1,remove:1", 2, 0},
		{1, 9, "create:1,read:1,remove:1", 1, 0},
		{1, 0, "create:1,read:1,remove:1", 2, 0},
		{1, 9, "stat:1,read:1", 2, 0},
		{1, 9, "create:1,stat:1,remove:1", 2, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct metadata test = {.mix = cases[i].mix,
					      .stride = cases[i].stride,
					      .read_bytes = cases[i].read_bytes};
		struct error err = {0};
		struct mix mix;

		assert_int_equal(mix_build(&mix, &test, 50, cases[i].tasks, &err), cases[i].ret);
		if (cases[i].ret)
			assert_non_null(strstr(err.text, "mix: with a stride (-N) files may be"));
	}
}

static void a_mix_ends_by_its_options_or_with_one_operation_for_each_file(void **state)
{
	struct metadata test = {.mix = "stat:1", .mix_total_rate = 100};
	struct load_pattern pattern;
	struct error err = {0};
	struct mix mix;

	(void)state;
	assert_int_equal(mix_build(&mix, &test, 50, 4, &err), 0);
	assert_int_equal(mix.operations, 50);
	check_share(mix.task_rate, 25);
	mix_make_pattern(&mix, &test, 50, 4, &pattern);
	check_share(pattern.arrival.rate, 100);
	assert_int_equal(pattern.arrival.kind, ARRIVAL_EVEN);
	assert_int_equal(pattern.operation_limit, 50);
	test.mix_rate = 7;
	test.mix_duration = 2;
	assert_int_equal(mix_build(&mix, &test, 50, 4, &err), 0);
	check_share(mix.task_rate, 7);
	assert_int_equal(mix.operations, 0);
	test = (struct metadata){.mix = "stat:1", .mix_operations = 9};
	assert_int_equal(mix_build(&mix, &test, 2, 4, &err), 0);
	assert_int_equal(mix.operations, 9);
	mix_make_pattern(&mix, &test, 2, 4, &pattern);
	assert_int_equal(pattern.arrival.kind, ARRIVAL_CLOSED);
	assert_int_equal(mix_build(&mix, &test, 1, 4, &err), -1);
	assert_non_null(strstr(err.text, "mix: a task has one file, and needs two"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_of_their_sum),
		cmocka_unit_test(create_and_remove_are_evened),
		cmocka_unit_test(what_is_no_share_is_refused),
		cmocka_unit_test(a_mix_of_one_file_is_refused),
		cmocka_unit_test(rates_are_of_a_task),
		cmocka_unit_test(the_population_stays_and_names_are_right),
		cmocka_unit_test(a_share_too_small_for_the_deck_is_refused),
		cmocka_unit_test(files_are_not_read_while_another_task_writes_them),
		cmocka_unit_test(a_mix_ends_by_its_options_or_with_one_operation_for_each_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
