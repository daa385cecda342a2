/* Removes files and directories that metadata tests left in test directories with their marker. */
#include "engine/metadata/cleanup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "engine/metadata/entries.h"
#include "engine/metadata/mdtest_made.h"
#include "engine/metadata/metadata.h"
#include "plan/item_walk.h"

static bool is_test_directory(const char *name, enum entry_kind kind)
{
	uint64_t repetition, tree;

	return tree_parse_test(name, &repetition, &tree);
}

static bool is_tree(const char *name, enum entry_kind kind)
{
	return tree_is_directory(name);
}

static bool is_ours(const char *name, enum entry_kind kind)
{
	return is_tree(name, kind) || tree_is_item(name, ITEM_FILE) ||
	       tree_is_item(name, ITEM_DIRECTORY);
}

/*
 * Counts the outcome of a removal. A path that cannot be removed stays, and the first one is
 * reported. A path that another task has removed is gone.
 */
static bool is_gone(struct cleaning *cleaning, const char *path, int ret, struct error *err)
{
	if (!ret) {
		cleaning->removed++;
		return true;
	}
	if (err->code == ENOENT)
		return true;
	if (err->code == ENOTEMPTY || err->code == EEXIST) {
		if (!cleaning->kept++)
			text_path_end(path, cleaning->first_kept, sizeof(cleaning->first_kept));
	} else if (!cleaning->failed++) {
		cleaning->err = *err;
		error_add(&cleaning->err, "%.300s", path);
	}
	return false;
}

/*
 * A run makes only regular files and directories on one file system. Links and mounts lead
 * elsewhere.
 */
static bool is_real(struct cleaning *cleaning, const char *path, mode_t kind)
{
	struct error err = {0};
	struct stat status;

	if (!cleaning->worker->backend->files)
		return true;
	if (!lstat(path, &status))
		return (status.st_mode & S_IFMT) == kind && status.st_dev == cleaning->device;
	error_set(&err, errno, "lstat: %s", strerror(errno));
	is_gone(cleaning, path, -1, &err);
	return false;
}

/* Handles one name of a directory, given with its path. Returns whether it is gone. */
typedef bool each_name(struct cleaning *cleaning, char *path, const char *name);

static bool for_name(struct cleaning *cleaning, char *path, size_t length, const char *name,
		     each_name *each)
{
	size_t room = PLAN_PATH_SIZE - length;
	struct error err = {0};
	bool gone;

	/* Shows progress to the watchdogs of the node. */
	node_set_activity(cleaning->worker->node, ACTIVITY_FILES);
	if ((size_t)snprintf(path + length, room, "/%s", name) < room) {
		gone = each(cleaning, path, name);
	} else {
		error_set(&err, ENAMETOOLONG, "%s", strerror(ENAMETOOLONG));
		gone = is_gone(cleaning, path, -1, &err);
	}
	path[length] = '\0';
	return gone;
}

/*
 * Takes names in growing batches, skipping names that stayed, until none are left. Returns true if
 * another pass is needed: some names went, some stayed, and it took several listings, so entries
 * may have moved.
 */
static bool pass(struct cleaning *cleaning, char *path, entry_wanted *wanted, each_name *each)
{
	enum { LEAST = 1 << 20, MOST = 1 << 26 }; /* bytes of names */
	size_t length = strlen(path), room = LEAST;
	uint64_t stayed = 0, gone = 0, listings = 0;
	bool any, whole;

	do {
		struct text names = {0};
		struct error err = {0};

		whole = !entries_take(cleaning->worker, path, wanted, stayed, room, &names, &err);
		if (!whole)
			is_gone(cleaning, path, -1, &err);
		for (size_t at = 0; at < names.length; at += strlen(names.bytes + at) + 1) {
			bool is_left = !for_name(cleaning, path, length, names.bytes + at, each);

			stayed += is_left;
			gone += !is_left;
		}
		listings += names.length > 0;
		any = names.length > 0;
		text_release(&names);
		room = room < MOST ? 2 * room : MOST;
	} while (any && whole);
	return whole && gone && stayed && listings > 1;
}

/* Lists a directory of any size only a few times, and misses no name. */
static void for_names(struct cleaning *cleaning, char *path, entry_wanted *wanted, each_name *each)
{
	const struct cleaning before = *cleaning;

	while (pass(cleaning, path, wanted, each)) {
		cleaning->kept = before.kept; /* the next pass meets these again */
		cleaning->failed = before.failed;
	}
}

static bool is_mine(const struct cleaning *cleaning, const char *name)
{
	const struct comm *comm = &cleaning->worker->crew->comm;

	return !cleaning->shares ||
	       text_hash(name, strlen(name)) % (uint64_t)comm->size == (uint64_t)comm->rank;
}

static bool remove_item(struct cleaning *cleaning, char *path, const char *name)
{
	struct worker *worker = cleaning->worker;
	const bool file = tree_is_item(name, ITEM_FILE);
	struct error err = {0};
	int ret;

	if (!is_mine(cleaning, name) || !is_real(cleaning, path, file ? S_IFREG : S_IFDIR))
		return false;
	ret = (file ? worker->backend->remove : worker->backend->rmdir)(worker->session, NULL, path,
									&err);
	return is_gone(cleaning, path, ret, &err);
}

static bool remove_ours(struct cleaning *cleaning, char *path, const char *name)
{
	struct worker *worker = cleaning->worker;
	struct error err = {0};

	if (!tree_is_directory(name))
		return remove_item(cleaning, path, name);
	if (!is_real(cleaning, path, S_IFDIR))
		return false;
	for_names(cleaning, path, is_ours, remove_ours);
	return !cleaning->shares &&
	       is_gone(cleaning, path, worker->backend->rmdir(worker->session, NULL, path, &err),
		       &err);
}

/* HDF5 cannot create an empty file, so a marker of that backend begins with HDF5's signature. */
static bool is_hdf5(const char *path)
{
	static const char signature[8] = "\211HDF\r\n\032\n";
	char start[sizeof(signature)] = "";
	FILE *file = fopen(path, "rb");
	bool is_whole = file && fread(start, sizeof(start), 1, file) == 1;

	if (file)
		fclose(file);
	return is_whole && !memcmp(start, signature, sizeof(start));
}

static int has_marker(struct worker *worker, char *path, struct error *err)
{
	size_t length = strlen(path);
	struct stat status;
	int there;

	snprintf(path + length, PLAN_PATH_SIZE - length, "/" METADATA_MARKER);
	there = entries_have(worker, path, err);
	if (there > 0 && worker->backend->files)
		there = !lstat(path, &status) && S_ISREG(status.st_mode) &&
			(!status.st_size || is_hdf5(path));
	path[length] = '\0';
	return there;
}

int cleanup_is_ours(struct worker *worker, char *path, struct error *err)
{
	int marked = has_marker(worker, path, err);

	return marked ? marked : mdtest_made(worker, path, err);
}

int cleanup_remove_marked(struct worker *worker, char *path, struct error *err)
{
	enum { MARKER_MODE = 0644 };
	const struct backend *backend = worker->backend;
	size_t length = strlen(path);
	uint64_t others = 0;
	struct error ignored = {0};
	bool marked;
	int ret;

	if (backend->list && entries_count(worker, path, METADATA_MARKER, &others, err))
		return -1;
	if (others)
		return error_set(err, ENOTEMPTY, "rmdir: %s", strerror(ENOTEMPTY));
	snprintf(path + length, PLAN_PATH_SIZE - length, "/" METADATA_MARKER);
	marked = !backend->remove(worker->session, NULL, path, err);
	path[length] = '\0';
	if (!marked && err->code != ENOENT)
		return -1;
	ret = backend->rmdir(worker->session, NULL, path, err);
	if (!ret || !marked)
		return ret;
	/* Restores the marker: without it no later cleanup would recognise the directory. */
	snprintf(path + length, PLAN_PATH_SIZE - length, "/" METADATA_MARKER);
	if (backend->create)
		backend->create(worker->session, NULL, path, MARKER_MODE, &ignored);
	path[length] = '\0';
	return ret;
}

static bool clean_test_directory(struct cleaning *cleaning, char *path, bool marked)
{
	struct worker *worker = cleaning->worker;
	struct error err = {0};

	for_names(cleaning, path, is_tree, remove_ours);
	if (cleaning->shares ||
	    !is_gone(cleaning, path, cleanup_remove_marked(worker, path, &err), &err))
		return false;
	cleaning->removed += marked; /* counts the marker */
	return true;
}

static bool cleanup_clean_one(struct cleaning *cleaning, char *path, const char *name)
{
	struct error err = {0};
	struct stat status;
	int marked, ours;

	if (cleaning->worker->backend->files) {
		if (lstat(path, &status) || !S_ISDIR(status.st_mode))
			return false;
		cleaning->device = status.st_dev;
	}
	marked = has_marker(cleaning->worker, path, &err);
	ours = marked ? marked : mdtest_made(cleaning->worker, path, &err);
	return ours < 0 ? is_gone(cleaning, path, -1, &err)
			: ours && clean_test_directory(cleaning, path, marked > 0);
}

void cleanup_test_directory(struct cleaning *cleaning, char *path)
{
	cleanup_clean_one(cleaning, path, NULL);
}

static void cleanup_add(void *context, struct text *mine, const void *theirs, size_t length)
{
	uint64_t own, other;

	memcpy(&own, mine->bytes, sizeof(own));
	memcpy(&other, theirs, length);
	own += other;
	memcpy(mine->bytes, &own, sizeof(own));
}

int cleanup_check(struct worker *worker, const char *list, struct error *err)
{
	char path[PLAN_PATH_SIZE];

	while (list && worker->task == 0) {
		list = plan_take_path(list, path);
		if (entries_can_list(worker, path, err))
			return error_input(err,
					   "cleanup: %.300s: %s; name directories that are there, "
					   "a@b (@@ for an '@' in a name)",
					   path, strerror(err->code));
	}
	return 0;
}

/*
 * Each task first removes its share of the items, chosen by their names. Task 0 then removes the
 * rest: directories of trees, and items that others could not remove.
 */
int cleanup_below(struct worker *worker, const char *directory, struct cleaning *cleaning,
		  struct error *err)
{
	struct cleaning share = {.worker = worker, .shares = true};
	int ret;

	*cleaning = (struct cleaning){.worker = worker};
	snprintf(worker->path, sizeof(worker->path), "%s", directory);
	ret = entries_can_list(worker, directory, err);
	if (ret)
		error_add(err, "%.300s", directory);
	if (!ret && worker->crew->comm.size > 1)
		for_names(&share, worker->path, is_test_directory, cleanup_clean_one);
	comm_fold_fixed(&worker->crew->comm, &share.removed, sizeof(share.removed), cleanup_add,
			NULL, worker->idle);
	if (!ret && worker->crew->comm.rank == 0) {
		for_names(cleaning, worker->path, is_test_directory, cleanup_clean_one);
		cleaning->removed += share.removed;
	}
	return ret;
}
