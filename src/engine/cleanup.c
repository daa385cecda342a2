/* Removes what metadata tests left: what has their names, in test directories that carry their marker. */
#include "engine/cleanup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "engine/entries.h"
#include "engine/metadata.h"

enum { AT_ONCE = 1 << 20 }; /* bytes of names that are remembered of a directory at a time */

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/* Numbers, "shared" and "spare", with points and dashes between: as the items are named, and no more. */
static bool is_numbered(const char *name, const char *with)
{
	if (!begins(name, with))
		return false;
	for (name += strlen(with); *name;) {
		if (strspn(name, "0123456789.-"))
			name += strspn(name, "0123456789.-");
		else if (begins(name, "shared"))
			name += strlen("shared");
		else if (begins(name, "spare"))
			name += strlen("spare");
		else
			return false;
	}
	return true;
}

static bool is_test_directory(const char *name)
{
	return is_numbered(name, "test-dir.");
}

static bool is_tree(const char *name)
{
	return is_numbered(name, "mdtest_tree.");
}

static bool is_item(const char *name)
{
	return is_numbered(name, "file.mdtest.") || is_numbered(name, "dir.mdtest.");
}

/* A link leads to what is not ours. */
static bool is_real(const struct worker *worker, const char *path, mode_t kind)
{
	struct stat status;

	return !worker->backend->files || (!lstat(path, &status) && (status.st_mode & S_IFMT) == kind);
}

static bool is_ours(const char *name)
{
	return is_tree(name) || is_item(name);
}

/* What to do with the names of a directory; path is the directory's, `length` long. */
typedef void each_name(struct worker *worker, char *path, size_t length, const char *name,
		       uint64_t *removed);

static void remove_one(struct worker *worker, char *path, size_t length, const char *name,
		       uint64_t *removed);

/* Until a round removes nothing: a directory need not be seen whole in one. */
static void for_names(struct worker *worker, char *path, bool (*wanted)(const char *),
		      each_name *each, uint64_t *removed)
{
	size_t length = strlen(path);
	uint64_t before;

	do {
		struct text names = {0};
		struct error ignored;

		before = *removed;
		entries_take(worker, path, wanted, AT_ONCE, &names, &ignored);
		for (size_t at = 0; at < names.length; at += strlen(names.bytes + at) + 1)
			each(worker, path, length, names.bytes + at, removed);
		path[length] = '\0';
		text_release(&names);
	} while (*removed > before);
}

static void remove_one(struct worker *worker, char *path, size_t length, const char *name,
		       uint64_t *removed)
{
	const struct backend *backend = worker->backend;
	struct error ignored;
	int ret;

	if (snprintf(path + length, PLAN_PATH_SIZE - length, "/%s", name) >=
	    (int)(PLAN_PATH_SIZE - length))
		return;
	if (is_tree(name) && !is_real(worker, path, S_IFDIR))
		return;
	if (is_tree(name))
		for_names(worker, path, is_ours, remove_one, removed);
	ret = begins(name, "file.") ? backend->remove(worker->session, NULL, path, &ignored)
				    : backend->rmdir(worker->session, NULL, path, &ignored);
	*removed += !ret;
}

void cleanup_test_directory(struct worker *worker, char *path, uint64_t *removed)
{
	size_t length = strlen(path);
	struct error ignored;
	struct stat status;

	snprintf(path + length, PLAN_PATH_SIZE - length, "/" METADATA_MARKER);
	if (worker->backend->stat(worker->session, NULL, path, &status, &ignored) ||
	    !is_real(worker, path, S_IFREG)) {
		path[length] = '\0';
		return; /* not ours */
	}
	path[length] = '\0';
	for_names(worker, path, is_tree, remove_one, removed);
	snprintf(path + length, PLAN_PATH_SIZE - length, "/" METADATA_MARKER);
	*removed += !worker->backend->remove(worker->session, NULL, path, &ignored);
	path[length] = '\0';
	*removed += !worker->backend->rmdir(worker->session, NULL, path, &ignored);
}

static void clean_one(struct worker *worker, char *path, size_t length, const char *name,
		      uint64_t *removed)
{
	if (snprintf(path + length, PLAN_PATH_SIZE - length, "/%s", name) <
		    (int)(PLAN_PATH_SIZE - length) &&
	    is_real(worker, path, S_IFDIR))
		cleanup_test_directory(worker, path, removed);
}

int cleanup_below(struct worker *worker, const char *directory, uint64_t *removed, struct error *err)
{
	uint64_t ignored;

	*removed = 0;
	if (!worker->backend->list)
		return error_input(err, "cleanup: %s cannot list directories", worker->backend->name);
	snprintf(worker->path, sizeof(worker->path), "%s", directory);
	if (entries_count(worker, directory, NULL, &ignored, err))
		return -1;
	for_names(worker, worker->path, is_test_directory, clean_one, removed);
	return 0;
}
