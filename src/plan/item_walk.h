/*
 * A walk over the items of a task, or over the directories of its trees, that makes the path of
 * each. Paths are made in place, as mostly only the last digit changes. Names are those of mdtest:
 *
 *	DIR/test-dir.REPETITION-TREE/mdtest_tree[.OWNER].0[/mdtest_tree[.OWNER].K
 *…]/file.mdtest.TASK.ITEM
 */
#ifndef PLAN_ITEM_WALK_H
#define PLAN_ITEM_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "pattern/order.h"
#include "plan/tree.h"

#define ITEM_PATH_SIZE 4096

enum item_kind { ITEM_FILE, ITEM_DIRECTORY };

/* The task that owns items, and where they lie. */
struct item_owner {
	const char *target; /* the test's directory */
	uint64_t repetition;
	uint32_t task;
	bool unique; /* each task has its own tree */
	bool shared; /* of all tasks: the name has "shared" for the task */
};

/* A path of directories of one owner's trees. */
struct tree_path {
	const struct tree *tree;
	size_t base; /* length up to "…/test-dir.REPETITION-" */
	size_t stem_length;
	char stem[48]; /* "/mdtest_tree.OWNER." */
	char path[ITEM_PATH_SIZE];
};

void tree_path_start(struct tree_path *path, const struct tree *tree,
		     const struct item_owner *owner);
/* The next two functions write path->path and return its length. */
size_t tree_path_test(struct tree_path *path, uint64_t tree);
size_t tree_path_directory(struct tree_path *path, uint64_t tree, uint64_t directory);

/* True if this is the name of a test directory; its numbers go to *repetition and *tree. */
bool tree_parse_test(const char *name, uint64_t *repetition, uint64_t *tree);
/* True if a run can give exactly this name to a directory of a tree or to an item. */
bool tree_is_directory(const char *name);
bool tree_is_item(const char *name, enum item_kind kind);

/* The length of the longest path of an item, for a target and a number of tasks. */
size_t tree_longest_path(const struct tree *tree, const char *target, uint64_t repetitions,
			 uint32_t tasks);

struct item_walk {
	struct tree_path at; /* the whole path of the item */
	char *leaf;	     /* where its name begins in at.path */
	char *last;	     /* the last digit of its number */
	uint64_t left;	     /* items of this directory from this one on */
	uint64_t index;	     /* number of the item among all of the task */
	struct item_position position;
	size_t stem_length;
	char stem[40];		   /* "file.mdtest.TASK." */
	const struct order *order; /* NULL: one after the other */
};

/* order: the random order of the items, or NULL: ascending. The caller keeps it alive. */
void item_walk_start(struct item_walk *walk, const struct tree *tree,
		     const struct item_owner *owner, enum item_kind kind,
		     const struct order *order);
/* Goes to item number `at` of the order. Returns true if the directory changes. */
bool item_walk_to(struct item_walk *walk, uint64_t at);

/*
 * Goes to the next item, number `at` of the order. Returns true if its directory is another. A step
 * past the last item leaves no valid path.
 */
static inline bool item_walk_step(struct item_walk *walk, uint64_t at)
{
	char *digit = walk->last;

	if (__builtin_expect(walk->order || --walk->left == 0, 0))
		return item_walk_to(walk, at);
	walk->index++;
	walk->position.item++;
	while (*digit == '9')
		*digit-- = '0';
	if (__builtin_expect(*digit == '.', 0))
		return item_walk_to(walk, at); /* 99 has become 00: one digit more */
	++*digit;
	return false;
}

#endif
