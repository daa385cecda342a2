/* The folders of a test's files: whether they may be used, and how much space is in them. */
#include "engine/data/folders.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "plan/load_paths.h"

/* Finds the directory of path number `number` of the test. */
static void directory_of(const struct plan *plan, uint32_t number, char *directory)
{
	char path[PLAN_PATH_SIZE];

	plan_base(plan, number, path);
	text_directory(path, directory, PLAN_PATH_SIZE);
}

/* Finds the directory of worker->path, or that above unique_dir's. */
static void directory_of_file(const struct worker *worker, uint32_t number, char *directory)
{
	if (worker->plan->load)
		text_directory(worker->path, directory, PLAN_PATH_SIZE);
	else
		directory_of(worker->plan, number, directory);
}

/* The directory of a file must exist. unique_dir makes the last directory itself. */
static int check_directory(const struct worker *worker, uint32_t number, struct error *err)
{
	const struct test *test = worker->plan->test;
	char directory[PLAN_PATH_SIZE];
	struct stat status;

	if (!worker->backend->files)
		return 0;
	directory_of_file(worker, number, directory);
	if (stat(directory, &status))
		return error_input(
			err, "test_file: %s: %s; make the directory first, or choose another%s",
			directory, strerror(errno),
			strchr(test->test_file, '@') && !test->file_per_proc && !test->dual_mount &&
					!worker->plan->load
				? ": '@' stands between several paths with a file for each task "
				  "only (-F)"
				: "");
	if (!S_ISDIR(status.st_mode))
		return error_input(err, "test_file: %s is not a directory", directory);
	return 0;
}

int folders_check(const struct worker *worker, struct error *err)
{
	const struct plan *plan = worker->plan;

	if (check_directory(worker, plan_base_of(plan, worker->task, 0), err))
		return -1;
	return plan->test->dual_mount ? check_directory(worker, 1, err) : 0;
}

int folders_permit(const struct worker *worker, int mode, struct error *err)
{
	char directory[PLAN_PATH_SIZE];

	if (!worker->backend->files)
		return 0;
	directory_of_file(worker, plan_base_of(worker->plan, worker->task, 0), directory);
	if (mode == W_OK && access(worker->path, F_OK) && errno == ENOENT) {
		if (faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS))
			return error_input(err, "test_file: %s cannot be made in %s: %s",
					   worker->path, directory, strerror(errno));
	} else if (faccessat(AT_FDCWD, worker->path, mode, AT_EACCESS)) {
		return error_input(err, "test_file: %s cannot be %s: %s", worker->path,
				   mode == R_OK ? "read" : "written", strerror(errno));
	}
	return 0;
}

/*
 * Number of the plan's files on the file system of path `number`; 0 if an earlier path lies on the
 * same one.
 */
static uint64_t files_beside(const struct plan *plan, uint32_t number, dev_t device)
{
	char directory[PLAN_PATH_SIZE];
	struct stat status;
	uint64_t files = 0;

	for (uint32_t i = 0; i < plan->path_count; i++) {
		directory_of(plan, i, directory);
		if (stat(directory, &status) || status.st_dev != device ||
		    (plan->load && load_paths_lie_apart(plan, i)))
			continue;
		if (i < number)
			return 0;
		files += plan_base_files(plan, i);
	}
	return files;
}

void folders_space(const struct plan *plan, uint32_t number, struct space *space)
{
	char directory[PLAN_PATH_SIZE];
	struct statvfs fs;
	struct stat status;

	*space = (struct space){0};
	/* One task cannot see file systems that other tasks have under the same name. */
	if (!plan->backend->files || (plan->load && load_paths_lie_apart(plan, number)))
		return;
	directory_of(plan, number, directory);
	if (stat(directory, &status) || statvfs(directory, &fs))
		return;
	space->files = files_beside(plan, number, status.st_dev);
	space->known = space->files > 0;
	space->free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	/* Some file systems create inodes on demand and report 0 of 0. */
	space->free_files = fs.f_files ? fs.f_favail : UINT64_MAX;
	snprintf(space->path, sizeof(space->path), "%.255s", directory);
}
