/* The folders of a test's files: whether they may be used, and how much space is in them. */
#ifndef ENGINE_DATA_FOLDERS_H
#define ENGINE_DATA_FOLDERS_H

#include "engine/core/worker.h"

/*
 * Returns ERROR_INPUT unless the directories exist of all paths by which this task sees the file
 * worker->path. unique_dir makes the last directory itself.
 */
int folders_check(const struct worker *worker, struct error *err);

/*
 * Returns ERROR_INPUT unless this task may use the file worker->path as `mode` says (R_OK or W_OK).
 * Creating a file needs permission on the directory, using an existing file permission on that
 * file.
 */
int folders_permit(const struct worker *worker, int mode, struct error *err);

/*
 * Finds the free space under path number `number` of the test. Called on one task. known stays
 * false if it is unknown, or if an earlier path lies on the same file system and covers both.
 */
void folders_space(const struct plan *plan, uint32_t number, struct space *space);

#endif
