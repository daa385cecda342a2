/* Checks existing files before a metadata test. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/named_file.h"
#include "base/near.h"
#include "base/text.h"
#include "engine/metadata/cleanup.h"
#include "engine/metadata/entries.h"
#include "engine/metadata/metadata.h"
#include "engine/metadata/metadata_loop.h"
#include "engine/metadata/test_directories.h"
#include "plan/item_walk.h"
#include "plan/metadata_space.h"

/* Looks as entries_have() does, and adds the path to the error. */
static int metadata_found_look(struct worker *worker, const char *path, struct error *err)
{
	int there = entries_have(worker, path, err);

	return there < 0 ? error_add(err, "dir: %.300s", path) : there;
}

/*
 * Reports a tree that exists already. All tasks that share the tree have the same root at `path`.
 */
static int check_no_tree(struct worker *worker, const char *path, struct error *err)
{
	int there = metadata_found_look(worker, path, err);

	if (there <= 0)
		return there || !worker->backend->files ? there
							: named_file_check_folder("dir", path, err);
	return error_input(
		err,
		"dir: %.300s is there already, left by an earlier run; remove it with -r and the "
		"same options, or with --cleanup, or choose another directory",
		path);
}

/* If the trees of the first repetitions exist, the number of repetitions is the mistake. */
static int refuse_missing(const struct worker *worker, const char *path, uint64_t repetition,
			  struct error *err)
{
	const uint64_t warmup = worker->trees->test->warmup;

	if (repetition <= warmup)
		return error_input(
			err, "dir: there is no tree %.300s; make it with the same options and -C",
			path);
	return error_input(err,
			   "dir: there is no tree %.300s, of repetition %" PRIu64
			   " (the first is 0); make it with the same options and -C, or ask for "
			   "those that are there, -i %" PRIu64,
			   path, repetition, repetition - warmup);
}

/*
 * Refuses to remove foreign files: only trees of iorx and mdtest are removed. One task checks for
 * all that share a tree.
 */
static int check_ours(struct worker *worker, struct tree_path *path, struct error *err)
{
	int ours;

	if (worker->task >= worker->trees->path_count)
		return 0;
	tree_path_test(path, 0);
	ours = cleanup_is_ours(worker, path->path, err);
	if (ours < 0)
		return error_add(err, "dir: %.300s", path->path);
	return ours ? 0
		    : error_input(err,
				  "dir: %.300s was not made by iorx (it has no " METADATA_MARKER
				  ") and holds more than mdtest makes, and -r would remove it; "
				  "remove it by hand, or choose another directory",
				  path->path);
}

/* Checks the first tree of a repetition, which this task will use. */
static int check_tree(struct worker *worker, uint64_t repetition, struct error *err)
{
	struct tree_path *path = metadata_own_path(worker, repetition);
	int ret;

	tree_path_directory(path, 0, 0);
	ret = metadata_found_look(worker, path->path, err);
	if (!ret)
		ret = refuse_missing(worker, path->path, repetition, err);
	else if (ret > 0)
		ret = worker->trees->metadata->remove ? check_ours(worker, path, err) : 0;
	free(path);
	return ret;
}

static int check_trees(struct worker *worker, struct error *err)
{
	uint64_t repetitions = test_repetitions_least(worker->trees->test);
	int ret = 0;

	for (uint64_t i = 0; i < repetitions && !ret; i++)
		ret = check_tree(worker, i, err);
	return ret;
}

/* Checks the directory in which this test makes its trees. */
static int check_room(struct worker *worker, bool removed, struct error *err)
{
	struct tree_path *path;
	int ret = 0;

	if (!removed) {
		path = metadata_own_path(worker, 0);
		tree_path_directory(path, 0, 0);
		ret = check_no_tree(worker, path->path, err);
		free(path);
	}
	return ret ? ret : test_directories_check(worker, removed, err);
}

/* Checks as mkdir would. access() tells root that it may write where nothing can be made. */
static int check_makes(const char *there, const char *target, struct error *err)
{
	enum { PROC = 0x9fa0, SYSFS = 0x62656572 }; /* of linux/magic.h */
	struct statfs fs;

	if (faccessat(AT_FDCWD, there, W_OK | X_OK, AT_EACCESS))
		return error_input(
			err, "dir: %.300s cannot be made in %.300s: %s; choose another directory",
			target, there, strerror(errno));
	if (!statfs(there, &fs) && (fs.f_type == PROC || fs.f_type == SYSFS))
		return error_input(
			err,
			"dir: %.300s cannot be made: the file system of %.300s holds what the "
			"kernel tells, and nothing else; choose another directory",
			target, there);
	return 0;
}

/*
 * near: the existing part of the target. A mistyped path must not be made, and measured, on another
 * file system.
 */
static int check_parents(const char *target, const char *near, struct error *err)
{
	char missing[PLAN_PATH_SIZE], above[PLAN_PATH_SIZE];
	bool parents_there = true;

	snprintf(missing, sizeof(missing), "%s", target);
	text_trim_slashes(missing);
	while (strcmp(target, near) && text_directory(missing, above, sizeof(above)) &&
	       strcmp(above, near)) {
		strcpy(missing, above);
		parents_there = false;
	}
	return parents_there ? 0
			     : error_input(err,
					   "dir: %.300s is not there, and %.300s would lie below "
					   "it; make it, or add --parents",
					   missing, target);
}

/* Checks the directory to work in, or the parent in which its missing part would be made. */
static int check_target(struct worker *worker, struct error *err)
{
	char target[PLAN_PATH_SIZE], path[PLAN_PATH_SIZE];
	struct stat status;

	if (!worker->backend->files || !worker->trees->metadata->create)
		return 0;
	plan_base(worker->trees, plan_base_of(worker->trees, worker->task, 0), target);
	if (test_directories_check_link(worker, target, err))
		return -1;
	if (near_path(target, path, &status))
		return error_input(err, "dir: %.300s: %s; choose another directory", path,
				   strerror(errno));
	if (!S_ISDIR(status.st_mode))
		return error_input(err, "dir: %.300s is not a directory; choose another", path);
	if (check_makes(path, target, err))
		return -1;
	return worker->trees->metadata->parents ? 0 : check_parents(target, path, err);
}

/* Only files with data are moved by transfers. */
static int check_alignment(struct worker *worker, struct error *err)
{
	const struct metadata *test = worker->trees->metadata;
	struct backend_alignment alignment;

	if (!worker->trees->transfer_bytes)
		return 0;
	if (worker_find_alignment(worker, &alignment, err) ||
	    worker_check_alignment(worker, &alignment, "write_bytes", test->write_bytes, err))
		return -1;
	return worker_check_alignment(worker, &alignment, "read_bytes", test->read_bytes, err);
}

int metadata_check(struct worker *worker, const struct trees_to_come *before, struct error *err)
{
	if (metadata_queued_check(worker, err))
		return -1;
	if (worker->backend->no_storage)
		return 0;
	if (metadata_keeps_tree(worker) && check_target(worker, err))
		return -1;
	if (check_alignment(worker, err))
		return -1;
	if (!metadata_keeps_tree(worker))
		return 0;
	if (worker->trees->metadata->create)
		return check_room(worker, before->removed, err);
	return before->made ? 0 : check_trees(worker, err);
}

/*
 * Sums the names to be made on one file system. Returns false if an earlier target lies on it, or
 * nothing is known.
 */
static bool find_space(const struct plan *plan, uint32_t number, struct metadata_space *space)
{
	char target[PLAN_PATH_SIZE], path[PLAN_PATH_SIZE];
	struct stat own, other;
	struct statvfs fs;

	*space = (struct metadata_space){0};
	plan_base(plan, number, target);
	if (near_path(target, path, &own) || statvfs(path, &fs))
		return false;
	snprintf(space->path, sizeof(space->path), "%.255s", path);
	for (uint32_t i = 0; i < plan->path_count; i++) {
		plan_base(plan, i, target);
		if (near_path(target, path, &other) || other.st_dev != own.st_dev)
			continue;
		if (i < number)
			return false;
		metadata_space_add(plan, i, space);
	}
	space->block = fs.f_frsize;
	space->free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	/* Some file systems create inodes on demand and report 0 of 0. */
	space->free_files = fs.f_files ? fs.f_favail : UINT64_MAX;
	return true;
}

int metadata_check_space(const struct worker *worker, struct error *err)
{
	const struct plan *plan = worker->trees;
	struct metadata_space space;

	if (!plan->backend->files || !plan->metadata->create || plan->metadata->cleanup)
		return 0;
	for (uint32_t i = 0; i < plan->path_count; i++)
		if (find_space(plan, i, &space) && metadata_space_check(plan, &space, err))
			return -1;
	return 0;
}
