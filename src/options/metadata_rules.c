/* The rules that span options of metadata tests. */
#include "options/rules.h"

#include <string.h>

#include "options/lists.h"

static const char *check_mix(const struct metadata *test, struct error *err)
{
	const bool rate = test->mix_rate > 0, total_rate = test->mix_total_rate > 0;

	if (test->mix && (test->directories_only || test->shared_file))
		return rule_broken(err, "mix shared_file directories_only",
				   "mix: each task needs files of its own; leave %s out",
				   test->shared_file ? "shared_file (-S)"
						     : "directories_only (-D)");
	if (test->mix && test->stride && test->names == NAMES_RELATIVE)
		return rule_broken(err, "mix stride names",
				   "mix: with a stride (-N) relative names would need directories "
				   "of other tasks; leave one of them out");
	if ((rate && total_rate) || ((rate || total_rate) && test->mix_think > 0))
		return rule_broken(
			err, "mix_rate mix_total_rate mix_think",
			"mix_rate: %s also sets when the next operation begins; leave one of them "
			"out",
			test->mix_think > 0 ? "mix_think" : "mix_total_rate");
	if (!test->mix && (test->mix_duration > 0 || test->mix_operations || rate || total_rate ||
			   test->mix_think > 0))
		return rule_broken(err,
				   "mix_duration mix_operations mix_rate mix_total_rate mix_think",
				   "mix: nothing is mixed without it; add "
				   "--mix=create:15,stat:60,read:10,remove:15");
	return NULL;
}

static const char *check_find(const struct metadata *test, struct error *err)
{
	const bool items = test->items || test->items_per_dir;

	if (test->find_name && strchr(test->find_name, '/'))
		return rule_broken(err, "find_name",
				   "find_name: names have no slash, as with -name of find(1); give "
				   "the pattern of the last part only");
	if (!test->find &&
	    (test->find_name || test->find_size || test->find_newer || test->find_mounts))
		return rule_broken(err, "find_name find_size find_newer find_mounts",
				   "find: nothing is looked for without it; add --find");
	if (metadata_only_finds(test) && (items || test->list || test->mix))
		return rule_broken(
			err, "find items items_per_dir list mix",
			"find: without any of -C -T -E -U -r it walks existing entries in dir and "
			"makes nothing; leave %s out, or add -C, -T, -E or -r",
			items	     ? "items (-n, -I)"
			: test->list ? "list"
				     : "mix");
	return NULL;
}

static const char *check_files(const struct metadata *test, struct error *err)
{
	if (test->mknod && (test->write_bytes || test->fsync))
		return rule_broken(err, "mknod write_bytes fsync",
				   "mknod: it makes an empty file that nobody has open; leave "
				   "write_bytes (-w) and fsync (-y) out, or mknod (-k)");
	if (test->shared_file && (test->directories_only || test->unique_dir))
		return rule_broken(
			err, "shared_file unique_dir directories_only",
			"shared_file: it is for files in a tree that all tasks share; leave %s out",
			test->unique_dir ? "unique_dir (-u)" : "directories_only (-D)");
	if (test->verify_read && !test->read_bytes)
		return rule_broken(err, "verify_read verify_write",
				   "verify_read: nothing is read; add read_bytes (-e)");
	if (test->verify_write && !test->write_bytes)
		return rule_broken(err, "verify_read verify_write",
				   "verify_write: nothing is written; add write_bytes (-w)");
	if (test->create && test->read && test->read_bytes > test->write_bytes)
		return rule_broken(
			err, "read_bytes write_bytes",
			"read_bytes: more than write_bytes (-w) puts into a file; lower it");
	return NULL;
}

static const char *check_tree(const struct metadata *test, struct error *err)
{
	if (!test->branch && test->depth)
		return rule_broken(err, "branch depth",
				   "branch: with 0 directories below each there are no levels; "
				   "leave depth (-z) out, or give -b 1 or more");
	if (test->cleanup && (test->items || test->items_per_dir))
		return rule_broken(err, "cleanup items items_per_dir",
				   "cleanup: it only removes what was left in its directory, and "
				   "makes nothing; leave items (-n, -I) out");
	/* A tree alone can be made; all else is done to items. */
	if (metadata_only_trees(test) && (!test->create || test->mix || test->list || test->find))
		return rule_broken(err, "items items_per_dir",
				   "items: nothing says how many; add -n, of each task, or -I, in "
				   "each directory");
	if (!(test->dir && *test->dir))
		return rule_broken(err, "dir", "dir: the name is empty");
	if (list_is_written(test->dir))
		return rule_broken(err, "dir",
				   "dir: names take no list; a@b deals the tasks to several "
				   "directories, a RUN for each in a job file tests one after the "
				   "other, and ./%.80s is one of that name",
				   test->dir);
	if (list_is_written(test->cleanup))
		return rule_broken(err, "cleanup",
				   "cleanup: names take no list; write several directories as a@b, "
				   "or ./%.80s for one of that name",
				   test->cleanup);
	return NULL;
}

const char *rules_check_metadata(const struct metadata *test, struct error *err)
{
	const char *keys;

	/* Older versions of mdtest took the seed behind the letter. */
	if (test->random > 2)
		return rule_broken(err, "random",
				   "random: %u is no level: 1 (-R) stats in random order, 2 (-RR) "
				   "reads and removes so too; the seed is --random-seed=%u",
				   test->random, test->random);
	keys = check_mix(test, err);
	keys = keys ? keys : check_find(test, err);
	keys = keys ? keys : check_files(test, err);
	keys = keys ? keys : check_tree(test, err);
	if (keys || test->create || test->stat || test->remove || test->list || test->find ||
	    (test->rename && !test->files_only) || (test->read && !test->directories_only))
		return keys;
	return rule_broken(err, "read rename files_only directories_only",
			   "%s: there is no phase left: only files can be read, and only "
			   "directories are renamed",
			   test->read ? "read" : "rename");
}
