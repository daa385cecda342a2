/* Recognises a test directory of mdtest by all names below it. */
#include "engine/metadata/mdtest_made.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/metadata/entries.h"
#include "plan/item_walk.h"

static bool is_tree(const char *name, enum entry_kind kind)
{
	return kind == ENTRY_DIRECTORY && tree_is_directory(name);
}

static bool is_no_tree(const char *name, enum entry_kind kind)
{
	return !is_tree(name, kind);
}

/* Item directories are removed only if empty, so their content is not checked. */
static bool is_foreign(const char *name, enum entry_kind kind)
{
	return !is_tree(name, kind) && !(kind == ENTRY_FILE && tree_is_item(name, ITEM_FILE)) &&
	       !(kind == ENTRY_DIRECTORY && tree_is_item(name, ITEM_DIRECTORY));
}

/* Returns 1 if some entry is wanted, 0 if none is, -1 with *err. */
static int has(struct worker *worker, const char *path, entry_wanted *wanted, struct error *err)
{
	struct text names = {0};
	int ret = entries_take(worker, path, wanted, 0, 1, &names, err);

	if (!ret)
		ret = names.length > 0;
	text_release(&names);
	return ret;
}

static int check_directory(struct worker *worker, char *path, dev_t device, entry_wanted *unwanted,
			   struct error *err);

/* Checks the tree directory `name` in a directory whose path is `length` long. */
static int check_tree(struct worker *worker, char *path, size_t length, const char *name,
		      dev_t device, struct error *err)
{
	const size_t room = PLAN_PATH_SIZE - length;
	struct stat status;
	int ret = 0;

	if ((size_t)snprintf(path + length, room, "/%s", name) < room && !lstat(path, &status) &&
	    S_ISDIR(status.st_mode) && status.st_dev == device)
		ret = check_directory(worker, path, device, is_foreign, err);
	path[length] = '\0';
	return ret;
}

/* Returns 1 if the directory and all trees in it hold only wanted names. */
static int check_directory(struct worker *worker, char *path, dev_t device, entry_wanted *unwanted,
			   struct error *err)
{
	const size_t length = strlen(path);
	struct text names = {0};
	int ret = has(worker, path, unwanted, err);

	node_set_activity(worker->node, ACTIVITY_FILES);
	if (ret)
		return ret < 0 ? -1 : 0;
	ret = entries_take(worker, path, is_tree, 0, SIZE_MAX, &names, err) ? -1 : 1;
	for (size_t at = 0; at < names.length && ret > 0; at += strlen(names.bytes + at) + 1)
		ret = check_tree(worker, path, length, names.bytes + at, device, err);
	text_release(&names);
	return ret;
}

int mdtest_made(struct worker *worker, char *path, struct error *err)
{
	struct stat status;
	int ret;

	if (!worker->backend->files || !worker->backend->list || lstat(path, &status))
		return 0;
	ret = has(worker, path, is_tree, err);
	return ret > 0 ? check_directory(worker, path, status.st_dev, is_no_tree, err) : ret;
}
