/* Whether mdtest made a test directory, which no marker says. */
#ifndef ENGINE_METADATA_MDTEST_MADE_H
#define ENGINE_METADATA_MDTEST_MADE_H

#include "engine/core/worker.h"

/*
 * 1 when the directory holds trees, and in all of them nothing but names that mdtest gives, of regular files
 * and directories on the same file system. 0 else, -1 with *err when nobody can say. path has room for
 * PLAN_PATH_SIZE and is as it was afterwards.
 */
int mdtest_made(struct worker *worker, char *path, struct error *err);

#endif
