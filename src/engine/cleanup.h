/*
 * Removes what metadata tests left behind: in test directories that carry the marker of iorx, what has
 * the names of trees and items. Whatever else lies there stays, and keeps the directories above it.
 */
#ifndef ENGINE_CLEANUP_H
#define ENGINE_CLEANUP_H

#include "engine/worker.h"

/* In an empty file of this name a test directory says that it is of iorx. */
#define METADATA_MARKER ".iorx-mdtest"

/* One test directory; path has room for PLAN_PATH_SIZE and is as it was afterwards. Adds to *removed. */
void cleanup_test_directory(struct worker *worker, char *path, uint64_t *removed);
/* All test directories in this one; -1 with *err when it cannot be listed. */
int cleanup_below(struct worker *worker, const char *directory, uint64_t *removed, struct error *err);

#endif
