/*
 * Removes what metadata tests left behind. It looks into test directories that carry the marker of iorx, or
 * hold nothing but what mdtest makes (mdtest_made.h), and removes regular files and directories there whose names a run gives. Everything else stays and
 * keeps the directories above it: other names and types, and whatever is mounted there.
 */
#ifndef ENGINE_METADATA_CLEANUP_H
#define ENGINE_METADATA_CLEANUP_H

#include <sys/types.h>

#include "engine/core/worker.h"

/* In an empty file of this name a test directory says that it is of iorx. */
#define METADATA_MARKER ".iorx-mdtest"

/* What came of it. Begins as { .worker = worker }. */
struct cleaning {
	struct worker *worker;
	uint64_t removed; /* files and directories */
	uint64_t kept;    /* directories, as something else lies in them */
	char first_kept[256]; /* the first of them, shortened from the left when longer */
	uint64_t failed;  /* what could not be looked at or removed; of the first: */
	struct error err; /* with its path */
	dev_t device;     /* of the test directory; nothing on another one is removed */
	bool shares;      /* takes only items, and of these only its task's share */
};

/*
 * Whether a test directory is of iorx or mdtest: 1 or 0, or -1 with *err when nobody can say; path has room
 * for PLAN_PATH_SIZE and is as it was afterwards.
 */
int cleanup_is_ours(struct worker *worker, char *path, struct error *err);
/* One test directory; path has room for PLAN_PATH_SIZE and is as it was afterwards. */
void cleanup_test_directory(struct cleaning *cleaning, char *path);
/*
 * One that is to be empty, and its marker: the marker goes last but for the directory, which keeps it when
 * it has to stay. 0, or -1 with *err.
 */
int cleanup_remove_marked(struct worker *worker, char *path, struct error *err);
/* Before anything is done, by task 0: 0 when all directories of a list can be listed, else ERROR_INPUT. */
int cleanup_check(struct worker *worker, const char *list, struct error *err);
/*
 * All test directories in this one, by all tasks: collective over the test's. Task 0 gets the sums of what
 * came of it; -1 with *err when the directory cannot be listed.
 */
int cleanup_below(struct worker *worker, const char *directory, struct cleaning *cleaning,
		  struct error *err);

#endif
