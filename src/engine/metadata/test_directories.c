/* The directories that hold the trees of a metadata test. */
#include "engine/metadata/test_directories.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "engine/metadata/cleanup.h"
#include "engine/metadata/entries.h"
#include "engine/metadata/metadata.h"
#include "engine/metadata/metadata_state.h"
#include "engine/metadata/tolerate.h"
#include "plan/item_walk.h"

enum { TEST_DIRECTORY_MODE = 0755, MARKER_MODE = 0644 };

/* Several trees may share them. */
static bool keeps_target(const struct worker *worker)
{
	return worker->task < worker->plan->path_count;
}

/* path: of one, `length` long, with room for more; it is as it was afterwards. */
typedef int each_directory(struct worker *worker, char *path, size_t length, struct error *err);

/* The first `count` of this task's; ends with the first failure, worker->path says where. */
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

/* One that was missing, told to the user, who may have meant another; nothing is stored by some backends. */
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
	struct error ignored; /* the target misses a parent that could not be made */

	snprintf(path, sizeof(path), "%s", target);
	for (char *slash = path; *slash; slash++) {
		if (slash == path || *slash != '/')
			continue;
		*slash = '\0';
		make_missing(worker, path, &ignored);
		*slash = '/';
	}
}

/* The target stays, as those who asked for it expect. */
static int make_target(struct worker *worker, const char *target, struct error *err)
{
	if (worker->plan->metadata->parents)
		make_parents(worker, target);
	if (!make_missing(worker, target, err) || err->code == EEXIST) {
		err->kind = ERROR_NONE;
		return 0;
	}
	return -1;
}

/* What is in it is somebody else's, or of an earlier run: it would be mixed with ours and removed. */
static int check_empty(struct worker *worker, const char *path, struct error *err)
{
	uint64_t others;
	struct stat status;

	if (worker->backend->files && (lstat(path, &status) || !S_ISDIR(status.st_mode)))
		return error_input(err, "dir: %.300s is there and is no directory; remove it, or choose "
					"another directory", path);
	if (!worker->backend->list)
		return 0;
	if (entries_count(worker, path, METADATA_MARKER, &others, err))
		return error_input(err, "dir: %.300s is there, and what is in it cannot be seen: %s; choose "
					"another directory", path, strerror(err->code));
	return others ? error_input(err, "dir: %.300s is there and not empty; remove what is in it "
					 "(--cleanup, where iorx made it), or choose another "
					 "directory", path)
		      : 0;
}

/* What will be in the way of a test directory. */
static int check_one(struct worker *worker, char *path, size_t length, struct error *err)
{
	struct stat status;
	int there;

	(void)length;
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
	uint64_t repetitions = test_repetitions_most(worker->plan->test);
	each_directory *check = removed ? check_unmarked : check_one;
	int ret = 0;

	for (uint64_t i = 0; i < repetitions && !ret && keeps_target(worker); i++)
		ret = for_each(worker, i, worker->plan->tree.trees, check, err);
	return ret;
}

/* Without it nobody would take the directory for ours: one that this task made goes again. */
static int mark(struct worker *worker, char *path, size_t length, bool made, struct error *err)
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

	/* An empty one may have been given striping beforehand. */
	if (ret && (err->code != EEXIST || check_empty(worker, path, err)))
		return -1;
	if (mark(worker, path, length, !ret, err))
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
	plan_base(worker->plan, worker->task, worker->path);
	if (make_target(worker, worker->path, err))
		return -1;
	return for_each(worker, repetition, worker->plan->tree.trees, make_one, err);
}

/* What somebody else has put there, or could not be removed, keeps the directory; one that is gone is no loss. */
static int remove_one(struct worker *worker, char *path, size_t length, struct error *err)
{
	(void)length;
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
		for_each(worker, repetition, worker->plan->tree.trees, remove_one, &counted);
}

/* All are tried; the first failure counts. */
static int clean_one(struct worker *worker, char *path, size_t length, struct error *err)
{
	struct cleaning cleaning = {.worker = worker};

	(void)length;
	cleanup_test_directory(&cleaning, path);
	if (cleaning.failed && err->kind == ERROR_NONE)
		*err = cleaning.err;
	return 0;
}

int test_directories_clean_up(struct worker *worker, uint64_t repetition, struct error *err)
{
	if (!keeps_target(worker) || !worker->backend->list)
		return 0;
	for_each(worker, repetition, worker->metadata->test_directories, clean_one, err);
	return err->kind == ERROR_NONE ? 0 : -1;
}
