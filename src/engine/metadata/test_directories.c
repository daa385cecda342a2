/* The directories that hold the trees of a metadata test. */
#include "engine/metadata/test_directories.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "engine/metadata/cleanup.h"
#include "engine/metadata/entries.h"
#include "engine/metadata/metadata.h"
#include "engine/metadata/metadata_state.h"
#include "engine/metadata/tolerate.h"
#include "plan/item_walk.h"

enum { TEST_DIRECTORY_MODE = 0755, MARKER_MODE = 0644 };

/*
 * Returns whether this task makes the test directories of a target. Several trees may share a
 * target.
 */
static bool keeps_target(const struct worker *worker)
{
	return worker->task < worker->trees->path_count;
}

/* path: a test directory's path, `length` long, with room for more. It is unchanged afterwards. */
typedef int each_directory(struct worker *worker, char *path, size_t length, struct error *err);

/*
 * Visits the first `count` test directories of this task. Ends with the first failure at
 * worker->path.
 */
static int for_each(struct worker *worker, uint64_t repetition, uint64_t count,
		    each_directory *each, struct error *err)
{
	struct tree_path *path = metadata_own_path(worker, repetition);
	int ret = 0;

	for (uint64_t tree = 0; tree < count && !ret; tree++) {
		size_t length = tree_path_test(path, tree);

		ret = each(worker, path->path, length, err);
		snprintf(worker->path, sizeof(worker->path), "%s", path->path);
	}
	free(path);
	return ret;
}

static void note_directory(struct some_directories *some, const char *path)
{
	if (!some->count++)
		text_path_end(path, some->first, sizeof(some->first));
}

/*
 * Makes a missing directory and notes it in the result, as the user may have mistyped the path.
 * Backends without storage note nothing.
 */
static int make_missing(struct worker *worker, const char *path, struct error *err)
{
	if (worker->backend->mkdir(worker->session, NULL, path, TEST_DIRECTORY_MODE, err))
		return -1;
	if (!worker->backend->no_storage)
		note_directory(&worker->measure->targets_made, path);
	return 0;
}

static void make_parents(struct worker *worker, const char *target)
{
	char path[PLAN_PATH_SIZE];
	struct error ignored; /* making the target reports a missing parent */

	snprintf(path, sizeof(path), "%s", target);
	for (char *slash = path; *slash; slash++) {
		if (slash == path || *slash != '/')
			continue;
		*slash = '\0';
		make_missing(worker, path, &ignored);
		*slash = '/';
	}
}

int test_directories_check_link(const struct worker *worker, const char *target, struct error *err)
{
	const struct load *load = worker->plan->load;
	struct stat status;

	if (!load || (load->dir && *load->dir) || !worker->backend->files ||
	    lstat(target, &status) || !S_ISLNK(status.st_mode) || status.st_uid == geteuid())
		return 0;
	return error_input(err,
			   "dir: %.300s is a symbolic link of another user; remove it, or name "
			   "the directory of the small files with dir",
			   target);
}

/* Makes the target directory, which stays after the test. */
static int make_target(struct worker *worker, const char *target, struct error *err)
{
	if (worker->backend->prefixes)
		return 0;
	if (test_directories_check_link(worker, target, err))
		return -1;
	if (worker->trees->metadata->parents)
		make_parents(worker, target);
	if (!make_missing(worker, target, err) || err->code == EEXIST) {
		err->kind = ERROR_NONE;
		return 0;
	}
	return -1;
}

/*
 * Reports a path that is no directory or holds more than the marker. Foreign files or those of an
 * earlier run would be mixed with this run's and removed.
 */
static int check_empty(struct worker *worker, const char *path, struct error *err)
{
	uint64_t others;
	struct stat status;

	if (worker->backend->files && (lstat(path, &status) || !S_ISDIR(status.st_mode)))
		return error_input(err,
				   "dir: %.300s is there and is no directory; remove it, or choose "
				   "another directory",
				   path);
	if (!worker->backend->list)
		return 0;
	if (entries_count(worker, path, METADATA_MARKER, &others, err))
		return error_input(err,
				   "dir: %.300s is there, and what is in it cannot be seen: %s; "
				   "choose another directory",
				   path, strerror(err->code));
	return others ? error_input(err,
				    "dir: %.300s is there and not empty; remove what is in it "
				    "(--cleanup, where iorx made it), or choose another "
				    "directory",
				    path)
		      : 0;
}

/* Checks for an obstacle at the path of a test directory. */
static int check_one(struct worker *worker, char *path, size_t length, struct error *err)
{
	struct stat status;
	int there;

	if (worker->backend->files)
		there = !lstat(path, &status);
	else
		there = entries_have(worker, path, err);
	return there > 0 ? check_empty(worker, path, err) : there;
}

static int check_unmarked(struct worker *worker, char *path, size_t length, struct error *err)
{
	if (cleanup_is_ours(worker, path, err) > 0)
		return 0;
	err->kind = ERROR_NONE;
	return check_one(worker, path, length, err);
}

int test_directories_check(struct worker *worker, bool removed, struct error *err)
{
	uint64_t repetitions = test_repetitions_most(worker->trees->test);
	each_directory *check = removed ? check_unmarked : check_one;
	int ret = 0;

	for (uint64_t i = 0; i < repetitions && !ret && keeps_target(worker); i++)
		ret = for_each(worker, i, worker->trees->tree.trees, check, err);
	return ret;
}

/*
 * Makes the marker, by which a test directory is recognised. On failure a directory that this task
 * made is removed.
 */
static int test_directories_mark(struct worker *worker, char *path, size_t length, bool made,
				 struct error *err)
{
	struct error ignored;
	int ret;

	snprintf(path + length, ITEM_PATH_SIZE - length, "/" METADATA_MARKER);
	ret = worker->backend->create(worker->session, NULL, path, MARKER_MODE, err);
	path[length] = '\0';
	if (!ret || err->code == EEXIST)
		return 0;
	if (made && worker->backend->rmdir)
		worker->backend->rmdir(worker->session, NULL, path, &ignored);
	return -1;
}

static int make_one(struct worker *worker, char *path, size_t length, struct error *err)
{
	int ret = worker->backend->mkdir(worker->session, NULL, path, TEST_DIRECTORY_MODE, err);

	/* A user may have set striping on an empty directory beforehand. */
	if (ret && (err->code != EEXIST || check_empty(worker, path, err)))
		return -1;
	if (test_directories_mark(worker, path, length, !ret, err))
		return -1;
	err->kind = ERROR_NONE;
	worker->metadata->test_directories++;
	return 0;
}

int test_directories_make(struct worker *worker, uint64_t repetition, struct error *err)
{
	worker->metadata->test_directories = 0;
	if (!keeps_target(worker))
		return 0;
	plan_base(worker->trees, worker->task, worker->path);
	if (make_target(worker, worker->path, err))
		return -1;
	return for_each(worker, repetition, worker->trees->tree.trees, make_one, err);
}

/*
 * Removes one test directory. Files that others put there, or that could not be removed, keep it. A
 * missing directory is no failure.
 */
static int remove_one(struct worker *worker, char *path, size_t length, struct error *err)
{
	if (!cleanup_remove_marked(worker, path, err) || err->code == ENOENT)
		return 0;
	if (err->code == ENOTEMPTY || err->code == EEXIST) {
		note_directory(&worker->measure->tests_kept, path);
		return 0;
	}
	tolerate_all(worker, path, "rmdir", err);
	worker->measure->expected_operations++;
	return 0;
}

void test_directories_remove(struct worker *worker, uint64_t repetition)
{
	struct error counted = {0};

	if (keeps_target(worker))
		for_each(worker, repetition, worker->trees->tree.trees, remove_one, &counted);
}

/* Tries all directories. The first failure is reported. */
static int test_directories_clean_one(struct worker *worker, char *path, size_t length,
				      struct error *err)
{
	struct cleaning cleaning = {.worker = worker};

	cleanup_test_directory(&cleaning, path);
	if (cleaning.failed && err->kind == ERROR_NONE)
		*err = cleaning.err;
	return 0;
}

int test_directories_clean_up(struct worker *worker, uint64_t repetition, struct error *err)
{
	if (!keeps_target(worker) || !worker->backend->list)
		return 0;
	for_each(worker, repetition, worker->metadata->test_directories, test_directories_clean_one,
		 err);
	return err->kind == ERROR_NONE ? 0 : -1;
}
