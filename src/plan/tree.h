/*
 * The trees of metadata tests: the number of directories, and the directory of each item. Pure
 * arithmetic in constant memory.
 *
 * A tree of depth z has branch^0 + … + branch^z directories. They are numbered level by level: the
 * children of number k are branch*k+1 … branch*k+branch. A task's items in a tree are numbered from
 * 0 on. Item i lies in directory i / per_directory, counted from the first that holds items.
 */
#ifndef PLAN_TREE_H
#define PLAN_TREE_H

#include <stdint.h>

#include "base/error.h"
#include "options/metadata.h"

struct tree {
	uint64_t branch;
	uint64_t directories;	/* of one tree */
	uint64_t first;		/* directory with items: 0, or with leaf_only the first leaf */
	uint64_t holders;	/* directories that hold items */
	uint64_t per_directory; /* items of a task in each of them */
	uint64_t extra;		/* so many of the first directories hold one item more */
	uint64_t per_tree;	/* items of a task in a full tree */
	uint64_t trees;		/* number of trees, each in its own test directory */
	uint64_t items;		/* items of a task in all trees */
};

struct item_position {
	uint64_t tree;
	uint64_t item;	    /* number in the tree */
	uint64_t directory; /* of the tree */
};

int tree_build(struct tree *tree, const struct metadata *test, struct error *err);

/* The position of a task's item number `index`, counted over all trees. */
static inline void tree_locate(const struct tree *tree, uint64_t index,
			       struct item_position *position)
{
	uint64_t even = tree->per_directory * tree->holders;

	position->tree = tree->trees > 1 ? index / tree->per_tree : 0;
	position->item = index - position->tree * tree->per_tree;
	position->directory =
		tree->first + (position->item < even ? position->item / tree->per_directory
						     : position->item - even);
}

/* Items of a task in this directory of a full tree. */
uint64_t tree_items_of(const struct tree *tree, uint64_t directory);

/*
 * Number of directories up to the last that holds one of a task's first `items`, over all trees in
 * turn.
 */
uint64_t tree_directories_of(const struct tree *tree, uint64_t items);

#endif
