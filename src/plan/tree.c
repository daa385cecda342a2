/* The trees of metadata tests. */
#include "plan/tree.h"

#include <inttypes.h>

/* No file system holds more directories or items. */
#define MOST (UINT64_C(1) << 48)

static int tree_multiply(uint64_t a, uint64_t b, uint64_t *product)
{
	return __builtin_mul_overflow(a, b, product) || *product > MOST ? -1 : 0;
}

/* Counts the directories of all levels, and of the last level. */
static int count_directories(const struct metadata *test, uint64_t *all, uint64_t *leaves,
			     struct error *err)
{
	*all = *leaves = 1;
	for (uint64_t level = 0; level < test->depth; level++) {
		if (tree_multiply(*leaves, test->branch, leaves) || *all + *leaves > MOST)
			return error_input(
				err,
				"depth: %" PRIu64 " levels of %" PRIu64
				" directories each are more than 2^48; lower depth or branch",
				test->depth, test->branch);
		*all += *leaves;
	}
	return 0;
}

static int too_many(const char *key, struct error *err)
{
	return error_input(err, "%s: the tree would hold more than 2^48 items of a task; use less",
			   key);
}

int tree_build(struct tree *tree, const struct metadata *test, struct error *err)
{
	uint64_t leaves, whole;

	*tree = (struct tree){.branch = test->branch, .trees = 1};
	if (count_directories(test, &tree->directories, &leaves, err))
		return -1;
	tree->holders = test->leaf_only ? leaves : tree->directories;
	tree->first = tree->directories - tree->holders;
	if (test->items > MOST)
		return too_many("items", err);
	tree->items = test->items;
	if (!test->items_per_dir) {
		tree->per_directory = test->items / tree->holders;
		tree->extra = test->items % tree->holders;
		tree->per_tree = test->items;
		return 0;
	}
	if (tree_multiply(test->items_per_dir, tree->holders, &whole))
		return too_many("items_per_dir", err);
	tree->per_directory = test->items_per_dir;
	tree->per_tree = whole;
	if (!test->items)
		tree->items = whole;
	tree->trees = (tree->items + whole - 1) / whole;
	return 0;
}

uint64_t tree_items_of(const struct tree *tree, uint64_t directory)
{
	if (directory < tree->first)
		return 0;
	return tree->per_directory + (directory - tree->first < tree->extra);
}

uint64_t tree_directories_of(const struct tree *tree, uint64_t items)
{
	uint64_t even = tree->per_directory * tree->holders;
	struct item_position last;

	if (!items)
		return 0;
	tree_locate(tree, items - 1, &last);
	/* Extra items start again at the first directory, so by then all directories hold items. */
	if (even && last.item >= even)
		last.directory = tree->directories - 1;
	return last.tree * tree->directories + last.directory + 1;
}
