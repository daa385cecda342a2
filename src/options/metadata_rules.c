/* The rules that span options of metadata tests. */
#include "options/rules.h"

#include <string.h>

#include "options/lists.h"

/* A tree alone can be made; all else is done to items. */
static bool no_items_are_asked_for(const struct metadata *test)
{
	return metadata_only_trees(test) &&
	       (!test->create || test->mix || test->list || test->find);
}

static bool levels_have_no_directories(const struct metadata *test)
{
	return !test->branch && test->depth;
}

static bool directory_is_empty(const struct metadata *test)
{
	return !(test->dir && *test->dir);
}

/* A directory of that name would be made, which nobody means. */
static bool directory_is_a_list(const struct metadata *test, struct text *why)
{
	if (!list_is_written(test->dir))
		return false;
	text_add(why,
		 "dir: names take no list; a@b deals the tasks to several directories, a RUN for "
		 "each in a job file tests one after the other, and ./%.80s is one of that name",
		 test->dir);
	return true;
}

static bool cleaned_directory_is_a_list(const struct metadata *test, struct text *why)
{
	if (!list_is_written(test->cleanup))
		return false;
	text_add(why,
		 "cleanup: names take no list; write several directories as a@b, or ./%.80s for "
		 "one of that name",
		 test->cleanup);
	return true;
}

static bool nothing_is_left_to_do(const struct metadata *test, struct text *why)
{
	if (test->create || test->stat || test->remove || test->list || test->find ||
	    (test->rename && !test->files_only) || (test->read && !test->directories_only))
		return false;
	text_add(why,
		 "%s: there is no phase left: only files can be read, and only directories are "
		 "renamed",
		 test->read ? "read" : "rename");
	return true;
}

static bool node_has_no_data(const struct metadata *test)
{
	return test->mknod && (test->write_bytes || test->fsync);
}

static bool shared_files_are_files(const struct metadata *test, struct text *why)
{
	if (!test->shared_file || !(test->directories_only || test->unique_dir))
		return false;
	text_add(why, "shared_file: it is for files in a tree that all tasks share; leave %s out",
		 test->unique_dir ? "unique_dir (-u)" : "directories_only (-D)");
	return true;
}

static bool nothing_is_compared(const struct metadata *test, struct text *why)
{
	if ((!test->verify_read || test->read_bytes) && (!test->verify_write || test->write_bytes))
		return false;
	text_add(why, test->verify_read && !test->read_bytes
			      ? "verify_read: nothing is read; add read_bytes (-e)"
			      : "verify_write: nothing is written; add write_bytes (-w)");
	return true;
}

static bool too_much_is_read(const struct metadata *test)
{
	return test->create && test->read && test->read_bytes > test->write_bytes;
}

static bool nothing_is_made_to_find(const struct metadata *test, struct text *why)
{
	bool items = test->items || test->items_per_dir;

	if (!metadata_only_finds(test) || !(items || test->list || test->mix))
		return false;
	text_add(why,
		 "find: without any of -C -T -E -U -r it walks existing entries in dir and makes "
		 "nothing; leave %s out, or add -C, -T, "
		 "-E or -r",
		 items	      ? "items (-n, -I)"
		 : test->list ? "list"
			      : "mix");
	return true;
}

static bool nothing_is_found(const struct metadata *test)
{
	return !test->find &&
	       (test->find_name || test->find_size || test->find_newer || test->find_mounts);
}

static bool no_name_can_match(const struct metadata *test)
{
	return test->find_name && strchr(test->find_name, '/');
}

static bool cleanup_makes_items(const struct metadata *test)
{
	return test->cleanup && (test->items || test->items_per_dir);
}

static bool mix_has_none_of_its_own(const struct metadata *test, struct text *why)
{
	if (!test->mix || !(test->directories_only || test->shared_file))
		return false;
	text_add(why, "mix: each task needs files of its own; leave %s out",
		 test->shared_file ? "shared_file (-S)" : "directories_only (-D)");
	return true;
}

static bool mix_has_no_directories(const struct metadata *test)
{
	return test->mix && test->stride && test->names == NAMES_RELATIVE;
}

static bool mix_is_timed_twice(const struct metadata *test, struct text *why)
{
	bool rate = test->mix_rate > 0, total_rate = test->mix_total_rate > 0;

	if (!(rate && total_rate) && !((rate || total_rate) && test->mix_think > 0))
		return false;
	text_add(why,
		 "mix_rate: %s also sets when the next operation begins; leave one of them out",
		 test->mix_think > 0 ? "mix_think" : "mix_total_rate");
	return true;
}

static bool mix_is_missing(const struct metadata *test)
{
	return !test->mix &&
	       (test->mix_duration > 0 || test->mix_operations || test->mix_rate > 0 ||
		test->mix_total_rate > 0 || test->mix_think > 0);
}

/* Older versions of mdtest took the seed behind the letter. */
static bool level_is_a_seed(const struct metadata *test, struct text *why)
{
	if (test->random <= 2)
		return false;
	text_add(why,
		 "random: %u is no level: 1 (-R) stats in random order, 2 (-RR) reads and removes "
		 "so too; the seed is --random-seed=%u",
		 test->random, test->random);
	return true;
}

const struct metadata_rule metadata_rules[] = {
	{.keys = {"random"}, .explain = level_is_a_seed},
	{.keys = {"mix", "shared_file", "directories_only"}, .explain = mix_has_none_of_its_own},
	{.keys = {"mix", "stride", "names"},
	 .broken = mix_has_no_directories,
	 .sentence = "mix: with a stride (-N) relative names would need directories of other "
		     "tasks; leave one of them out"},
	{.keys = {"mix_rate", "mix_total_rate", "mix_think"}, .explain = mix_is_timed_twice},
	{.keys = {"mix_duration", "mix_operations", "mix_rate", "mix_total_rate", "mix_think"},
	 .broken = mix_is_missing,
	 .sentence = "mix: nothing is mixed without it; add "
		     "--mix=create:15,stat:60,read:10,remove:15"},
	{.keys = {"find_name"},
	 .broken = no_name_can_match,
	 .sentence = "find_name: names have no slash, as with -name of find(1); give the pattern "
		     "of the last part only"},
	{.keys = {"find_name", "find_size", "find_newer", "find_mounts"},
	 .broken = nothing_is_found,
	 .sentence = "find: nothing is looked for without it; add --find"},
	{.keys = {"find", "items", "items_per_dir", "list", "mix"},
	 .explain = nothing_is_made_to_find},
	{.keys = {"mknod", "write_bytes", "fsync"},
	 .broken = node_has_no_data,
	 .sentence = "mknod: it makes an empty file that nobody has open; leave write_bytes (-w) "
		     "and fsync (-y) out, or mknod (-k)"},
	{.keys = {"shared_file", "unique_dir", "directories_only"},
	 .explain = shared_files_are_files},
	{.keys = {"verify_read", "verify_write"}, .explain = nothing_is_compared},
	{.keys = {"read_bytes", "write_bytes"},
	 .broken = too_much_is_read,
	 .sentence = "read_bytes: more than write_bytes (-w) puts into a file; lower it"},
	{.keys = {"branch", "depth"},
	 .broken = levels_have_no_directories,
	 .sentence = "branch: with 0 directories below each there are no levels; leave depth (-z) "
		     "out, or give -b 1 or more"},
	{.keys = {"cleanup", "items", "items_per_dir"},
	 .broken = cleanup_makes_items,
	 .sentence = "cleanup: it only removes what was left in its directory, and makes nothing; "
		     "leave items (-n, -I) out"},
	{.keys = {"items", "items_per_dir"},
	 .broken = no_items_are_asked_for,
	 .sentence =
		 "items: nothing says how many; add -n, of each task, or -I, in each directory"},
	{.keys = {"dir"}, .broken = directory_is_empty, .sentence = "dir: the name is empty"},
	{.keys = {"dir"}, .explain = directory_is_a_list},
	{.keys = {"cleanup"}, .explain = cleaned_directory_is_a_list},
	{.keys = {"read", "rename", "files_only", "directories_only"},
	 .explain = nothing_is_left_to_do},
	{.keys = {NULL}},
};
