/* Checks whether mdtest made a test directory, which has no marker. */
#ifndef ENGINE_METADATA_MDTEST_MADE_H
#define ENGINE_METADATA_MDTEST_MADE_H

#include "engine/core/worker.h"

/*
 * Returns 1 if the directory holds trees with only names that mdtest gives, of regular files and
 * directories on one file system. Returns 0 if not, -1 with *err if unknown. path has room for
 * PLAN_PATH_SIZE and is unchanged afterwards.
 */
int mdtest_made(struct worker *worker, char *path, struct error *err);

#endif
