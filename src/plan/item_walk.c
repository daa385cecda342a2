/* Names of metadata tests, made in position. */
#include "plan/item_walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 20, LEVELS = 1001 };

/* Writes a number and returns where it ends. */
static char *put_number(char *at, uint64_t number)
{
	char digits[DIGITS];
	unsigned count = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	while (count)
		*at++ = digits[--count];
	return at;
}

static char *item_walk_put(char *at, const char *bytes, size_t length)
{
	memcpy(at, bytes, length);
	return at + length;
}

void tree_path_start(struct tree_path *path, const struct tree *tree,
		     const struct item_owner *owner)
{
	path->tree = tree;
	path->base = (size_t)snprintf(path->path, sizeof(path->path), "%s/test-dir.%" PRIu64 "-",
				      owner->target, owner->repetition);
	path->stem_length =
		owner->unique ? (size_t)snprintf(path->stem, sizeof(path->stem),
						 "/mdtest_tree.%" PRIu32 ".", owner->task)
			      : (size_t)snprintf(path->stem, sizeof(path->stem), "/mdtest_tree.");
}

static char *put_test(struct tree_path *path, uint64_t tree)
{
	return put_number(path->path + path->base, tree);
}

size_t tree_path_test(struct tree_path *path, uint64_t tree)
{
	char *end = put_test(path, tree);

	*end = '\0';
	return (size_t)(end - path->path);
}

/* Reads a number in the form of put_number() and returns where it ends; NULL if there is none. */
static const char *take_number(const char *at, uint64_t *number)
{
	const char *begin = at;

	for (*number = 0; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(*at - '0'), number))
			return NULL;
	return at == begin || (*begin == '0' && at - begin > 1) ? NULL : at;
}

static const char *take(const char *at, const char *word)
{
	size_t length = strlen(word);

	return at && !strncmp(at, word, length) ? at + length : NULL;
}

bool tree_parse_test(const char *name, uint64_t *repetition, uint64_t *tree)
{
	name = take(name, "test-dir.");
	name = take(name ? take_number(name, repetition) : NULL, "-");
	name = name ? take_number(name, tree) : NULL;
	return name && !*name;
}

bool tree_is_directory(const char *name)
{
	uint64_t number;

	name = take(name, "mdtest_tree.");
	name = name ? take_number(name, &number) : NULL;
	if (name && *name == '.')
		name = take_number(name + 1, &number);
	return name && !*name;
}

bool tree_is_item(const char *name, enum item_kind kind)
{
	const char *rest = take(name, kind == ITEM_FILE ? "file.mdtest." : "dir.mdtest.");
	uint64_t number;

	if (!rest)
		return false;
	name = take(rest, "shared");
	name = take(name ? name : take_number(rest, &number), ".");
	return name && (!strcmp(name, "spare") || ((name = take_number(name, &number)) && !*name));
}

size_t tree_path_directory(struct tree_path *path, uint64_t tree, uint64_t directory)
{
	uint64_t chain[LEVELS];
	unsigned levels = 0;
	char *end = put_test(path, tree);

	for (chain[levels++] = directory; directory; chain[levels++] = directory)
		directory = (directory - 1) / path->tree->branch;
	while (levels)
		end = put_number(item_walk_put(end, path->stem, path->stem_length),
				 chain[--levels]);
	*end = '\0';
	return (size_t)(end - path->path);
}

static size_t digits_of(uint64_t number)
{
	char digits[DIGITS];

	return (size_t)(put_number(digits, number) - digits);
}

size_t tree_longest_path(const struct tree *tree, const char *target, uint64_t repetitions,
			 uint32_t tasks)
{
	uint64_t directory = tree->directories - 1;
	size_t stem = strlen("/mdtest_tree..") + digits_of(tasks);
	size_t length = strlen(target) + strlen("/test-dir.-") + digits_of(repetitions) +
			digits_of(tree->trees) + strlen("/file.mdtest..") + digits_of(tasks) +
			DIGITS;

	for (;; directory = (directory - 1) / tree->branch) {
		length += stem + digits_of(directory);
		if (!directory)
			return length;
	}
}

/* The position of a walk before its first item. */
static const struct item_position nowhere = {.tree = UINT64_MAX};

void item_walk_start(struct item_walk *walk, const struct tree *tree,
		     const struct item_owner *owner, enum item_kind kind, const struct order *order)
{
	tree_path_start(&walk->at, tree, owner);
	const char *name = kind == ITEM_FILE ? "file" : "dir";

	walk->stem_length = owner->shared
				    ? (size_t)snprintf(walk->stem, sizeof(walk->stem),
						       "%s.mdtest.shared.", name)
				    : (size_t)snprintf(walk->stem, sizeof(walk->stem),
						       "%s.mdtest.%" PRIu32 ".", name, owner->task);
	walk->order = order;
	walk->position = nowhere;
}

static void item_walk_enter(struct item_walk *walk)
{
	char *end = walk->at.path +
		    tree_path_directory(&walk->at, walk->position.tree, walk->position.directory);

	*end++ = '/';
	walk->leaf = end;
	item_walk_put(end, walk->stem, walk->stem_length);
}

bool item_walk_to(struct item_walk *walk, uint64_t at)
{
	const struct tree *tree = walk->at.tree;
	struct item_position from = walk->position;
	uint64_t even = tree->per_directory * tree->holders;
	bool moved;
	char *end;

	walk->index = walk->order ? order_at(walk->order, at) : at;
	tree_locate(tree, walk->index, &walk->position);
	walk->left = walk->position.item < even
			     ? tree->per_directory - walk->position.item % tree->per_directory
			     : 1;
	moved = walk->position.tree != from.tree || walk->position.directory != from.directory;
	if (moved)
		item_walk_enter(walk);
	end = put_number(walk->leaf + walk->stem_length, walk->position.item);
	*end = '\0';
	walk->last = end - 1;
	return moved;
}
