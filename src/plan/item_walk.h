/*
 * From item to item of a task, or from directory to directory of its trees, with the name of each:
 * made in place, where mostly the last digit changes. Names are those of mdtest:
 *
 *	DIR/test-dir.REPETITION-TREE/mdtest_tree[.OWNER].0[/mdtest_tree[.OWNER].K …]/file.mdtest.TASK.ITEM
 */
#ifndef PLAN_ITEM_WALK_H
#define PLAN_ITEM_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "plan/order.h"
#include "plan/tree.h"

#define ITEM_PATH_SIZE 4096

enum item_kind { ITEM_FILE, ITEM_DIRECTORY };

/* Whose items, where. */
struct item_owner {
	const char *target;  /* the directory that was asked for */
	uint64_t repetition;
	uint32_t task;
	bool unique;         /* in a tree of its own */
	bool shared;         /* nobody's: "shared" stands for the task */
};

/* A path of directories of one owner's trees. */
struct tree_path {
	const struct tree *tree;
	size_t base;        /* length up to "…/test-dir.REPETITION-" */
	size_t stem_length;
	char stem[48];      /* "/mdtest_tree.OWNER." */
	char path[ITEM_PATH_SIZE];
};

void tree_path_start(struct tree_path *path, const struct tree *tree,
		     const struct item_owner *owner);
/* These write path->path and return its length. */
size_t tree_path_test(struct tree_path *path, uint64_t tree);
size_t tree_path_directory(struct tree_path *path, uint64_t tree, uint64_t directory);

/* Whether this is the name of a test directory, and of which repetition and tree. */
bool tree_parse_test(const char *name, uint64_t *repetition, uint64_t *tree);
/* Whether a run can give this name, digit for digit, to a directory of a tree or to an item. */
bool tree_is_directory(const char *name);
bool tree_is_item(const char *name, enum item_kind kind);

/* The length of the longest path of an item, for a target and a number of tasks. */
size_t tree_longest_path(const struct tree *tree, const char *target, uint64_t repetitions,
			 uint32_t tasks);

struct item_walk {
	struct tree_path at;     /* the whole path of the item */
	char *leaf;              /* where its name begins in at.path */
	char *last;              /* the last digit of its number */
	uint64_t left;           /* items of this directory from this one on */
	uint64_t index;          /* of the item, of all of the task */
	struct item_place place;
	size_t stem_length;
	char stem[40];           /* "file.mdtest.TASK." */
	const struct order *order; /* NULL: one after the other */
};

/* order: of the items, or NULL; it stays the caller's. */
void item_walk_start(struct item_walk *walk, const struct tree *tree, const struct item_owner *owner,
		     enum item_kind kind, const struct order *order);
/* To the item at this place of the order; true: it lies in another directory than the one before. */
bool item_walk_to(struct item_walk *walk, uint64_t at);

/* To the next one; true: in another directory. What lies behind the last item means nothing. */
static inline bool item_walk_step(struct item_walk *walk, uint64_t at)
{
	char *digit = walk->last;

	if (__builtin_expect(walk->order || --walk->left == 0, 0))
		return item_walk_to(walk, at);
	walk->index++;
	walk->place.item++;
	while (*digit == '9')
		*digit-- = '0';
	if (__builtin_expect(*digit == '.', 0))
		return item_walk_to(walk, at); /* 99 has become 00: one digit more */
	++*digit;
	return false;
}

#endif
