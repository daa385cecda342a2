/* The rules that span options of metadata tests: each is a function that returns one sentence. */
#include "options/rules.h"

static bool kinds_exclude_each_other(const struct metadata *test, struct text *why)
{
	if (!test->directories_only || !test->files_only)
		return false;
	text_add(why, "files_only: directories_only (-D) leaves files out; remove one of the two, or both");
	return true;
}

static bool no_items_are_asked_for(const struct metadata *test, struct text *why)
{
	if (test->items || test->items_per_dir)
		return false;
	text_add(why, "items: nothing says how many; add -n, of each task, or -I, in each directory");
	return true;
}

static bool directory_is_empty(const struct metadata *test, struct text *why)
{
	if (test->dir && *test->dir)
		return false;
	text_add(why, "dir: the name is empty");
	return true;
}

static bool nothing_is_left_to_do(const struct metadata *test, struct text *why)
{
	if (test->create || test->stat || test->remove || (test->rename && !test->files_only) ||
	    (test->read && !test->directories_only))
		return false;
	text_add(why, "%s: there is no phase left: only files can be read, and only directories are renamed",
		 test->read ? "read" : "rename");
	return true;
}

const struct metadata_rule metadata_rules[] = {
	{ kinds_exclude_each_other, { "files_only", "directories_only" } },
	{ no_items_are_asked_for, { "items", "items_per_dir" } },
	{ directory_is_empty, { "dir" } },
	{ nothing_is_left_to_do, { "read", "rename" } },
	{ NULL, { NULL } },
};
