/*
 * Removes files that metadata tests left behind. Only test directories that carry the marker of
 * iorx are entered, or that hold only names of mdtest (mdtest_made.h). Regular files and
 * directories with names of a run are removed there. Everything else stays and keeps the
 * directories above it: other names and types, and mounted file systems.
 */
#ifndef ENGINE_METADATA_CLEANUP_H
#define ENGINE_METADATA_CLEANUP_H

#include <sys/types.h>

#include "engine/core/worker.h"

/* Name of the empty file that marks a test directory of iorx. */
#define METADATA_MARKER ".iorx-mdtest"

/* Result of a cleanup. Starts as { .worker = worker }. */
struct cleaning {
	struct worker *worker;
	uint64_t removed;     /* files and directories */
	uint64_t kept;	      /* directories that stay, as other files lie in them */
	char first_kept[256]; /* first such directory, shortened from the left */
	uint64_t failed;      /* failures to look at or remove; of the first: */
	struct error err;     /* includes the path */
	dev_t device;	      /* of the test directory; other devices are left alone */
	bool shares;	      /* removes only this task's share of the items */
};

/*
 * Returns 1 if a test directory was made by iorx or mdtest, 0 if not, -1 with *err if unknown. path
 * has room for PLAN_PATH_SIZE and is unchanged afterwards.
 */
int cleanup_is_ours(struct worker *worker, char *path, struct error *err);
/* Cleans up one test directory. path has room for PLAN_PATH_SIZE and is unchanged afterwards. */
void cleanup_test_directory(struct cleaning *cleaning, char *path);
/*
 * Removes an empty test directory and its marker. If the directory has to stay, so does its marker.
 * Returns 0, or -1 with *err.
 */
int cleanup_remove_marked(struct worker *worker, char *path, struct error *err);
/*
 * Call before the cleanup; task 0 checks. Returns 0 if all directories of a list can be listed,
 * else reports ERROR_INPUT.
 */
int cleanup_check(struct worker *worker, const char *list, struct error *err);
/*
 * Cleans up all test directories in `directory`. Collective over the test's tasks. Task 0 gets the
 * sums in *cleaning. Returns -1 with *err if the directory cannot be listed.
 */
int cleanup_below(struct worker *worker, const char *directory, struct cleaning *cleaning,
		  struct error *err);

#endif
