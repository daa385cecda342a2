/* Operations of a load on items: what exists, and that shares stay exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "load_scene.h"

enum { ITEMS = 600, NAMES = 40000 };

/* Which names exist, kept the simple way. */
struct names {
	bool files[NAMES], directories[NAMES];
};

static void start(struct load_pattern *pattern, struct load_walk *walk, const char *operations)
{
	load_scene(pattern, &(struct load_words){.operations = operations});
	pattern->items = (struct load_item_limits){
		.files = {.start = ITEMS, .least = 1},
		.bytes = 4096,
	};
	if (pattern->operations.cards[LOAD_RMDIR])
		pattern->items.directories.start = ITEMS;
	load_scene_start(walk, pattern, 0, 1);
}

static struct names *names_at_start(const struct load_pattern *pattern)
{
	struct names *names = calloc(1, sizeof(*names));

	memset(names->files, true, pattern->items.files.start);
	memset(names->directories, true, pattern->items.directories.start);
	return names;
}

/* Does what the request says; what it names must be there, or must not be there. */
static void apply(struct names *names, const struct load_request *request)
{
	bool *file, *directory;

	if (!operation_is_on_metadata(request->operation))
		return;
	assert_true(request->item < NAMES);
	file = &names->files[request->item];
	directory = &names->directories[request->item];
	switch (request->operation) {
	case OPERATION_CREATE:
		assert_false(*file);
		*file = true;
		break;
	case OPERATION_REMOVE:
		assert_true(*file);
		*file = false;
		break;
	case OPERATION_RENAME:
		assert_true(*file);
		assert_false(names->files[request->new_item]);
		*file = false;
		names->files[request->new_item] = true;
		break;
	case OPERATION_MKDIR:
		assert_false(*directory);
		*directory = true;
		break;
	case OPERATION_RMDIR:
		assert_true(*directory);
		*directory = false;
		break;
	default:
		assert_true(*file);
		break;
	}
}

/* Makes `count` requests; counts[] gets how many there were of each operation. */
static void run(struct load_walk *walk, struct names *names, uint64_t count,
		uint64_t counts[OPERATIONS])
{
	struct load_request request;

	memset(counts, 0, OPERATIONS * sizeof(*counts));
	while (count--) {
		assert_true(load_next(walk, &request));
		apply(names, &request);
		counts[request.operation]++;
		load_items_done(&walk->items, request.operation);
	}
}

static void what_is_not_there_is_never_asked_for(void **state)
{
	static const char *const mixes[] = {
		("stat:39, access:15, write:15, write_file:10, read:8, read_file:7, create:2, "
		 "unlink:2, chmod:1, mkdir:1"),
		"create:50, unlink:50",
		"mkdir:30, rmdir:30, rename:40",
		"create:30, unlink:20, rename:20, append:10, rmw:10, truncate:5, fsync:4, list:1",
	};
	uint64_t counts[OPERATIONS];
	struct load_pattern pattern;
	struct load_walk walk;

	(void)state;
	for (size_t i = 0; i < sizeof(mixes) / sizeof(mixes[0]); i++) {
		start(&pattern, &walk, mixes[i]);
		struct names *names = names_at_start(&pattern);

		run(&walk, names, 20000, counts);
		free(names);
		load_walk_release(&walk);
	}
}

static void shares_on_items_are_exact_in_every_thousand(void **state)
{
	uint64_t counts[OPERATIONS];
	struct load_pattern pattern;
	struct load_walk walk;

	(void)state;
	start(&pattern, &walk, "stat:40, create:25, unlink:25, read:10");
	struct names *names = names_at_start(&pattern);

	for (unsigned deck = 0; deck < 5; deck++) {
		run(&walk, names, 1000, counts);
		assert_int_equal(counts[OPERATION_STAT], 400);
		assert_int_equal(counts[OPERATION_CREATE], 250);
		assert_int_equal(counts[OPERATION_REMOVE], 250);
		assert_int_equal(counts[OPERATION_READ], 100);
		assert_int_equal(walk.items.files.count, ITEMS);
	}
	free(names);
	load_walk_release(&walk);
}

static void a_ring_goes_round_and_never_holds_too_few_or_too_many(void **state)
{
	const struct ring_limits limits = {.names = 20, .start = 20, .least = 18};
	struct load_items items;
	struct load_item_request request;
	struct load_pattern pattern;
	struct dealer dealer;

	(void)state;
	load_scene(&pattern, &(struct load_words){.operations = "create:50, unlink:50"});
	dealer_start(&dealer, &pattern.operations, 7);
	load_items_start(&items, &(struct load_item_limits){.files = limits});
	for (unsigned i = 0; i < 5000; i++) {
		load_items_next(&items, (enum load_kind)dealer_next(&dealer), 0.5, &request);
		assert_true(request.item < 20);
		load_items_done(&items, request.operation);
		assert_true(items.files.count >= 18 && items.files.count <= 20);
	}
	assert_int_equal(items.files.least_count, 18);
	assert_int_equal(ring_missing(&items.files), 20 - items.files.count);
}

static void after_a_failure_the_same_name_is_next(void **state)
{
	struct load_item_request first, again;
	struct load_items items;

	(void)state;
	load_items_start(&items, &(struct load_item_limits){.files = {.start = 3, .least = 1}});
	load_items_next(&items, LOAD_CREATE, 0, &first);
	load_items_next(&items, LOAD_CREATE, 0, &again);
	assert_int_equal(first.item, 3);
	assert_int_equal(again.item, 3);
	load_items_done(&items, first.operation);
	load_items_next(&items, LOAD_CREATE, 0, &again);
	assert_int_equal(again.item, 4);
}

static void what_would_run_out_is_refused(void **state)
{
	static const struct {
		const char *operations, *why;
		uint64_t items;
	} cases[] = {
		{"create:10, unlink:11", "operations: more unlink than create", ITEMS},
		{"rmdir:1, stat:9", "operations: more rmdir than mkdir", ITEMS},
	};
	struct load_pattern pattern;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err = {0};

		load_scene(&pattern, &(struct load_words){.operations = cases[i].operations});
		pattern.items.files.start = cases[i].items;
		assert_int_equal(load_pattern_check(&pattern, 1, &err), -1);
		assert_non_null(strstr(err.text, cases[i].why));
	}
}

/* Of files of 1000 bytes; a read that is written back moves them twice. */
static void only_operations_with_data_move_bytes(void **state)
{
	static const struct {
		enum load_kind kind;
		enum operation operation;
		uint64_t bytes;
	} cases[] = {
		{LOAD_STAT, OPERATION_STAT, 0},
		{LOAD_ACCESS, OPERATION_ACCESS, 0},
		{LOAD_OPEN, OPERATION_OPEN_CLOSE, 0},
		{LOAD_READ_FILE, OPERATION_READ_FILE, 1000},
		{LOAD_WRITE_FILE, OPERATION_WRITE_FILE, 1000},
		{LOAD_APPEND, OPERATION_APPEND, 1000},
		{LOAD_RMW, OPERATION_RMW, 2000},
		{LOAD_TRUNCATE, OPERATION_TRUNCATE, 0},
		{LOAD_CREATE, OPERATION_CREATE, 1000},
		{LOAD_UNLINK, OPERATION_REMOVE, 0},
		{LOAD_RENAME, OPERATION_RENAME, 0},
		{LOAD_MKDIR, OPERATION_MKDIR, 0},
		{LOAD_RMDIR, OPERATION_RMDIR, 0},
	};
	const struct load_item_limits limits = {
		.files = {.start = 10, .least = 1}, .directories = {.start = 10}, .bytes = 1000};
	struct load_items items;

	(void)state;
	load_items_start(&items, &limits);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct load_item_request request;

		load_items_next(&items, cases[i].kind, 0.55, &request);
		assert_int_equal(request.operation, cases[i].operation);
		assert_int_equal(request.bytes, cases[i].bytes);
		if (cases[i].kind == LOAD_STAT)
			assert_int_equal(request.item, 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_there_is_never_asked_for),
		cmocka_unit_test(shares_on_items_are_exact_in_every_thousand),
		cmocka_unit_test(a_ring_goes_round_and_never_holds_too_few_or_too_many),
		cmocka_unit_test(after_a_failure_the_same_name_is_next),
		cmocka_unit_test(what_would_run_out_is_refused),
		cmocka_unit_test(only_operations_with_data_move_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
