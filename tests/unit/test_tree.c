/* Trees and names of metadata tests: each item once, in its place, under its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "plan/item_walk.h"

static struct tree tree_of(uint64_t n, uint64_t per_directory, uint64_t branch, uint64_t depth,
			   bool leaf_only)
{
	const struct metadata test = {.items = n,
				      .items_per_dir = per_directory,
				      .branch = branch,
				      .depth = depth,
				      .leaf_only = leaf_only};
	struct error err = {0};
	struct tree tree;

	if (tree_build(&tree, &test, &err))
		fail_msg("%s", err.text);
	return tree;
}

static const struct tree_shape {
	uint64_t n, per_directory, branch, depth;
	bool leaf_only;
} shapes[] = {
	{1, 0, 1, 0, false},	 {1234, 0, 1, 0, false},  {0, 7, 1, 0, false},
	{1000, 10, 1, 0, false}, {1003, 10, 1, 0, false}, {0, 3, 2, 4, false},
	{1003, 0, 3, 2, false},	 {5, 0, 3, 2, false},	  {1003, 0, 3, 2, true},
	{0, 11, 3, 2, true},	 {1000, 10, 3, 2, false}, {12345, 7, 2, 3, true},
	{100, 0, 1, 9, false},	 {99, 0, 1, 9, true},	  {20011, 0, 10, 2, false},
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static struct tree tree_number(size_t i)
{
	return tree_of(shapes[i].n, shapes[i].per_directory, shapes[i].branch, shapes[i].depth,
		       shapes[i].leaf_only);
}

/* The same by the words of the documentation, with printf. */
static void name_of(const struct tree *tree, const struct item_owner *owner, const char *kind,
		    uint64_t number, uint64_t directory, uint64_t item, char *name)
{
	char rest[2000] = "", step[64], stem[32] = "";

	if (owner->unique)
		snprintf(stem, sizeof(stem), "%u.", owner->task);
	for (;; directory = (directory - 1) / tree->branch) {
		char all[2000];

		snprintf(step, sizeof(step), "/mdtest_tree.%s%lu", stem, (unsigned long)directory);
		snprintf(all, sizeof(all), "%s%.1800s", step, rest);
		strcpy(rest, all);
		if (!directory)
			break;
	}
	snprintf(name, ITEM_PATH_SIZE, "%s/test-dir.%lu-%lu%s/%s.mdtest.%u.%lu", owner->target,
		 (unsigned long)owner->repetition, (unsigned long)number, rest, kind, owner->task,
		 (unsigned long)item);
}

static void each_item_has_its_name(void **state)
{
	const struct item_owner owners[] = {{.target = "out"}, {"/a/b", 12, 1234567, true, false}};

	(void)state;
	for (size_t i = 0; i < 2 * SHAPES; i++) {
		const struct item_owner *owner = &owners[i % 2];
		struct tree tree = tree_number(i / 2);
		struct item_walk walk;
		char expected[ITEM_PATH_SIZE];

		item_walk_start(&walk, &tree, owner, i % 3 ? ITEM_FILE : ITEM_DIRECTORY, NULL);
		for (uint64_t at = 0; at < tree.items; at++) {
			uint64_t item = at % tree.per_tree, directory;
			uint64_t even = tree.per_directory * tree.holders;
			bool moved = at ? item_walk_step(&walk, at) : item_walk_to(&walk, 0);

			directory = tree.first +
				    (item < even ? item / tree.per_directory : item - even);
			name_of(&tree, owner, i % 3 ? "file" : "dir", at / tree.per_tree, directory,
				item, expected);
			assert_string_equal(walk.at.path, expected);
			assert_string_equal(walk.leaf, strrchr(expected, '/') + 1);
			assert_true(walk.index == at);
			if (at == 0)
				assert_true(moved);
			assert_true(strlen(expected) <=
				    tree_longest_path(&tree, owner->target, 13, 1234567));
		}
	}
}

static void directories_hold_as_many_items_as_is_said(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		struct tree tree = tree_number(i);
		uint64_t *counts = calloc(tree.directories, sizeof(*counts)), total = 0;
		struct item_position place;

		for (uint64_t at = 0; at < tree.per_tree; at++) {
			tree_locate(&tree, at, &place);
			assert_true(place.tree == 0 && place.item == at);
			assert_true(place.directory >= tree.first &&
				    place.directory < tree.directories);
			counts[place.directory]++;
		}
		for (uint64_t directory = 0; directory < tree.directories; directory++) {
			assert_true(counts[directory] == tree_items_of(&tree, directory));
			total += counts[directory];
		}
		assert_true(total == tree.per_tree);
		free(counts);
	}
}

static void the_last_item_says_how_many_directories_are_needed(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		struct tree tree = tree_number(i);
		uint64_t needed = 0;

		assert_true(tree_directories_of(&tree, 0) == 0);
		for (uint64_t at = 0; at < tree.items; at++) {
			struct item_position place;

			tree_locate(&tree, at, &place);
			if (place.tree * tree.directories + place.directory >= needed)
				needed = place.tree * tree.directories + place.directory + 1;
			assert_true(tree_directories_of(&tree, at + 1) == needed);
		}
	}
}

static void trees_have_as_many_directories_as_the_formula_says(void **state)
{
	(void)state;
	assert_true(tree_of(1, 0, 1, 0, false).directories == 1);
	assert_true(tree_of(1, 0, 1, 5, false).directories == 6);
	assert_true(tree_of(1, 0, 3, 2, false).directories == (27 - 1) / 2);
	assert_true(tree_of(1, 0, 10, 3, false).directories == 1111);
	assert_true(tree_of(1, 0, 10, 3, true).holders == 1000);
	assert_true(tree_of(1, 0, 10, 3, true).first == 111);
	assert_true(tree_of(0, 5, 3, 2, false).items == 65);
	assert_true(tree_of(0, 5, 3, 2, true).items == 45);
	assert_true(tree_of(1000, 10, 1, 0, false).trees == 100);
	assert_true(tree_of(1003, 10, 1, 0, false).trees == 101);
	assert_true(tree_of(1003, 10, 1, 0, false).items == 1003);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in the order of a walk, then sorted. */
static char **names_of(const struct tree *tree, const struct order *order)
{
	const struct item_owner owner = {.target = "d", .task = 3};
	char **names = calloc(tree->items, sizeof(*names));
	struct item_walk walk;

	item_walk_start(&walk, tree, &owner, ITEM_FILE, order);
	for (uint64_t at = 0; at < tree->items; at++) {
		if (at)
			item_walk_step(&walk, at);
		else
			item_walk_to(&walk, 0);
		names[at] = strdup(walk.at.path);
	}
	return names;
}

static void a_random_order_has_the_same_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < SHAPES; i++) {
		struct tree tree = tree_number(i);
		struct order order;
		char **plain = names_of(&tree, NULL), **random;
		unsigned same = 0;

		order_init(&order, tree.items, 5);
		random = names_of(&tree, &order);
		for (uint64_t at = 0; at < tree.items; at++)
			same += !strcmp(plain[at], random[at]);
		if (tree.items > 100)
			assert_true(same < tree.items / 10);
		qsort(plain, tree.items, sizeof(*plain), compare);
		qsort(random, tree.items, sizeof(*random), compare);
		for (uint64_t at = 0; at < tree.items; at++) {
			assert_string_equal(plain[at], random[at]);
			free(plain[at]);
			free(random[at]);
		}
		free(plain);
		free(random);
	}
}

static void a_test_directory_is_known_by_the_name_it_is_given(void **state)
{
	static const char *const others[] = {"test-dir.",
					     "test-dir.1",
					     "test-dir.1-",
					     "test-dir.-1",
					     "test-dir.1-2.tar",
					     "test-dir.1-2-3",
					     "test-dir.01-2",
					     "test-dir.1-00",
					     "test-dir.+1-2",
					     "xtest-dir.1-2",
					     "test-dir.18446744073709551616-0",
					     ""};
	static const uint64_t numbers[] = {0, 9, 10, 1234567, UINT64_MAX};
	struct tree tree = tree_of(1, 0, 1, 0, false);
	uint64_t repetition, number;

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const struct item_owner owner = {.target = "d", .repetition = numbers[i]};
		struct tree_path path;

		tree_path_start(&path, &tree, &owner);
		tree_path_test(&path, numbers[i] / 2);
		assert_true(tree_parse_test(path.path + 2, &repetition, &number));
		assert_int_equal(repetition, numbers[i]);
		assert_int_equal(number, numbers[i] / 2);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(tree_parse_test(others[i], &repetition, &number));
}

static void only_names_that_a_run_gives_are_ours(void **state)
{
	static const char *const directories[] = {"mdtest_tree.0", "mdtest_tree.12.30"};
	static const char *const items[] = {"file.mdtest.0.1", "file.mdtest.shared.10",
					    "file.mdtest.3.spare", "file.mdtest.shared.spare"};
	static const char *const others[] = {
		"file.mdtest..0",	"file.mdtest.00.1",   "file.mdtest.0.01",
		"file.mdtest.0",	"file.mdtest.",	      "file.mdtest.0.1.2",
		"file.mdtest.0.1-",	"file.mdtest.spare",  "file.mdtest.shared",
		"file.mdtest.0.shared", "dir.mdtest.0.1",     "mdtest_tree.",
		"mdtest_tree.00",	"mdtest_tree.0.",     "mdtest_tree..0",
		"mdtest_tree.0.1.2",	"mdtest_tree.shared", ""};

	(void)state;
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		assert_true(tree_is_directory(directories[i]));
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++)
		assert_true(tree_is_item(items[i], ITEM_FILE));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_false(tree_is_directory(others[i]));
		assert_false(tree_is_item(others[i], ITEM_FILE));
	}
	assert_true(tree_is_item("dir.mdtest.0.1", ITEM_DIRECTORY));
}

/* Processor time of a thousand walks from the first to the last of so many items. */
static clock_t time_walks(uint64_t items)
{
	const struct item_owner owner = {.target = "d", .task = 3, .unique = true};
	const clock_t begin = clock();

	for (uint64_t i = 0; i < 1000; i++) {
		struct tree tree = tree_of(items, 0, 10, 3, false);
		struct item_walk walk;
		struct order order;

		order_init(&order, tree.items, i);
		item_walk_start(&walk, &tree, &owner, ITEM_FILE, i % 2 ? &order : NULL);
		item_walk_to(&walk, 0);
		item_walk_to(&walk, items - 1);
		assert_true(walk.index < items);
	}
	return clock() - begin;
}

static void ten_million_items_start_at_once(void **state)
{
	const clock_t few = time_walks(10000), many = time_walks(10000000);

	(void)state;
	/* there are a thousand times as many */
	assert_true(many < 100 * (few + 1));
}

static void what_cannot_be_counted_is_refused(void **state)
{
	const struct metadata deep = {.items = 1, .branch = 10, .depth = 100};
	const struct metadata full = {.items_per_dir = UINT64_C(1) << 40, .branch = 10, .depth = 5};
	struct error err = {0};
	struct tree tree;

	(void)state;
	assert_int_equal(tree_build(&tree, &deep, &err), -1);
	assert_non_null(strstr(err.text, "depth: 100 levels of 10 directories"));
	assert_int_equal(tree_build(&tree, &full, &err), -1);
	assert_non_null(strstr(err.text, "items_per_dir: the tree would hold more"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_item_has_its_name),
		cmocka_unit_test(directories_hold_as_many_items_as_is_said),
		cmocka_unit_test(the_last_item_says_how_many_directories_are_needed),
		cmocka_unit_test(trees_have_as_many_directories_as_the_formula_says),
		cmocka_unit_test(a_random_order_has_the_same_names),
		cmocka_unit_test(a_test_directory_is_known_by_the_name_it_is_given),
		cmocka_unit_test(only_names_that_a_run_gives_are_ours),
		cmocka_unit_test(ten_million_items_start_at_once),
		cmocka_unit_test(what_cannot_be_counted_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
