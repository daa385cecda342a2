/* Names of a test's files and directories. */
#include "plan/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/named_file.h"
#include "plan/load_paths.h"

/* True if the text begins with the scheme of a URL, "s3://". */
static bool is_url(const char *text)
{
	const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789+.-");

	return length && !strncmp(text + length, "://", 3);
}

/* In a URL every '@' belongs to the name, unless another URL follows it. */
const char *plan_take_path(const char *list, char *path)
{
	const bool in_url = is_url(list);
	size_t length = 0;

	for (; *list; list++) {
		if (*list == '@' && (in_url ? is_url(list + 1) : list[1] != '@'))
			break;
		list += *list == '@' && !in_url;
		if (length + 1 < PLAN_PATH_SIZE)
			path[length++] = *list;
	}
	path[length] = '\0';
	return *list ? list + 1 : NULL;
}

/* Skips slashes and names "." between them, which do not change the directory. */
static const char *skip_nothing(const char *path)
{
	for (;;) {
		path += strspn(path, "/");
		if (path[0] != '.' || (path[1] && path[1] != '/'))
			return path;
		path++;
	}
}

bool plan_same_path(const char *a, const char *b)
{
	if (is_url(a) || is_url(b))
		return !strcmp(a, b);
	if ((*a == '/') != (*b == '/'))
		return false;
	for (;;) {
		a = skip_nothing(a);
		b = skip_nothing(b);
		size_t length = strcspn(a, "/");

		if (length != strcspn(b, "/") || strncmp(a, b, length))
			return false;
		if (!length)
			return true;
		a += length;
		b += length;
	}
}

bool plan_path_stands_before(const char *list, uint32_t count, const char *path)
{
	char other[PLAN_PATH_SIZE];

	for (; count; count--) {
		list = plan_take_path(list, other);
		if (plan_same_path(other, path))
			return true;
	}
	return false;
}

/* Counts the directories that an option of a metadata test names. */
static int count_directories(const char *key, const char *all, uint32_t *count, struct error *err)
{
	const char *list = all;
	char path[PLAN_PATH_SIZE];

	for (*count = 0; list; ++*count) {
		if (strlen(list) >= PLAN_PATH_SIZE)
			return error_input(err,
					   "%s: the list of names has %zu bytes and may have %d; "
					   "shorten it",
					   key, strlen(list), PLAN_PATH_SIZE - 1);
		list = plan_take_path(list, path);
		if (!*path)
			return error_input(err,
					   "%s: directory %" PRIu32
					   " of \"%.300s\" has no name; '@' stands between two, "
					   "and @@ for an '@' in a name",
					   key, *count + 1, all);
		if (plan_path_stands_before(all, *count, path))
			return error_input(
				err, "%s: %.300s stands twice in \"%.300s\"; each directory once",
				key, path, all);
	}
	return 0;
}

static int count_all_directories(struct plan *plan, struct error *err)
{
	const struct metadata *test = plan->metadata;
	uint32_t ignored;

	if (test->cleanup && count_directories("cleanup", test->cleanup, &ignored, err))
		return -1;
	return count_directories("dir", test->dir, &plan->path_count, err);
}

/* Whether '@' stands between paths in test_file. */
static bool has_list(const struct plan *plan)
{
	return plan->load || plan->test->file_per_proc || plan->test->dual_mount;
}

int plan_count_paths(struct plan *plan, struct error *err)
{
	enum { ADDED = 64 }; /* a directory, the numbers of task and file, the repetition */
	const struct test *test = plan->test;
	const char *list = test->test_file;
	char path[PLAN_PATH_SIZE];

	if (plan->metadata)
		return count_all_directories(plan, err);
	if (strlen(list) + ADDED > PLAN_PATH_SIZE)
		return error_input(err,
				   "test_file: the name, or the list of names, has %zu bytes and "
				   "may have %d; shorten it, or give a load the numbers of nodes "
				   "and slots as fields, as in /mnt/%%n/%%s/data",
				   strlen(list), PLAN_PATH_SIZE - ADDED);
	plan->path_count = 1;
	if (!has_list(plan))
		return named_file_check_name("test_file", list, err);
	for (plan->path_count = 0; list; plan->path_count++) {
		list = plan_take_path(list, path);
		if (!named_file_check_name("test_file", path, err))
			continue;
		if (plan->path_count == 0 && !list)
			return -1; /* the only path */
		return error_input(err,
				   "test_file: path %" PRIu32
				   " of \"%.300s\" has no file name; with -F or -y '@' stands "
				   "between two paths, and @@ for an '@' in a name",
				   plan->path_count + 1, test->test_file);
	}
	if (test->dual_mount && plan->path_count != 2)
		return error_input(err,
				   "dual_mount: test_file must name two paths of the same file, "
				   "a@b: by the first it is written, by the second it is read");
	if (test->dual_mount)
		plan->path_count = 1;
	return plan->load ? load_paths_check(plan, err) : 0;
}

void plan_base(const struct plan *plan, uint32_t number, char *path)
{
	const char *list = plan->metadata ? plan->metadata->dir : plan->test->test_file;

	if (plan->load) {
		load_paths_base(plan, number, path);
		return;
	}
	if (!plan->metadata && !has_list(plan)) {
		snprintf(path, PLAN_PATH_SIZE, "%s", list);
		return;
	}
	for (uint32_t i = 0; i <= number && list; i++)
		list = plan_take_path(list, path);
}

uint32_t plan_base_of(const struct plan *plan, uint32_t task, uint32_t file)
{
	return plan_file_number(plan, task, file) % plan->path_count;
}

uint64_t plan_base_files(const struct plan *plan, uint32_t number)
{
	const uint64_t all = plan_file_count(plan);
	const uint64_t own = all / plan->path_count + (number < all % plan->path_count);

	return plan->files / all * own;
}

/* The directory of a task beside the base, for unique_dir. */
static void directory_beside(const char *base, uint32_t task, char *path)
{
	const char *slash = strrchr(base, '/');
	int length = slash ? (int)(slash - base + 1) : 0;

	snprintf(path, PLAN_PATH_SIZE, "%.*s%" PRIu32, length, base, task);
}

void plan_directory(const struct plan *plan, uint32_t task, char *path)
{
	char base[PLAN_PATH_SIZE];

	plan_base(plan, plan_base_of(plan, task, 0), base);
	directory_beside(base, task, path);
}

static void make_path(const struct plan *plan, uint32_t number, uint32_t task, uint64_t repetition,
		      char *path)
{
	const struct test *test = plan->test;
	char base[PLAN_PATH_SIZE];
	const char *name = base;
	size_t used = 0;

	plan_base(plan, number, base);
	if (plan->directories) {
		const char *slash = strrchr(base, '/');

		directory_beside(base, task, path);
		used = strlen(path);
		path[used++] = '/';
		name = slash ? slash + 1 : base;
	}
	used += (size_t)snprintf(path + used, PLAN_PATH_SIZE - used, "%s", name);
	if (test->file_per_proc)
		used += (size_t)snprintf(path + used, PLAN_PATH_SIZE - used, ".%08" PRIu32, task);
	if (test->multi_file)
		snprintf(path + used, PLAN_PATH_SIZE - used, ".%" PRIu64, repetition);
}

void plan_path(const struct plan *plan, uint32_t task, uint32_t file, uint64_t repetition,
	       char *path)
{
	if (plan->load)
		load_paths_make(plan, task, file, path);
	else
		make_path(plan, plan_base_of(plan, task, file), task, repetition, path);
}

void plan_phase_path(const struct plan *plan, const struct phase_plan *phase, uint32_t task,
		     uint64_t repetition, char *path)
{
	bool second = phase->access == ACCESS_READ && plan->test->dual_mount;

	if (second)
		make_path(plan, 1, task, repetition, path);
	else
		plan_path(plan, task, 0, repetition, path);
}

void plan_probe_path(const struct plan *plan, uint32_t task, char *path)
{
	if (plan->metadata)
		plan_base(plan, plan_base_of(plan, task, 0), path);
	else
		plan_path(plan, task, 0, 0, path);
}
