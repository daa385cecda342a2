/*
 * Removes what earlier runs of a load left: its files, and the trees of its items. The names and
 * sizes are those of the plan. A file is removed if it is known as made by iorx: by a stamp in it,
 * or where a job that was killed has left a record, by being empty or of the planned size. All
 * other files stay, symbolic links are not followed, and devices are never removed.
 */
#ifndef ENGINE_LOAD_LOAD_CLEANUP_H
#define ENGINE_LOAD_LOAD_CLEANUP_H

#include "base/text.h"
#include "engine/core/worker.h"

struct load_cleaning {
	/* set by the caller */
	bool takes_all;		 /* removes also regular files that are not known */
	const int64_t *since_ns; /* of each path: begin of a killed job, s. the epoch; 0: none */

	/* the outcome; on task 0 that of all tasks */
	uint64_t removed, stayed, absent; /* files; a tree that stays counts as one */
	uint64_t items;			  /* files and directories of items that were removed */
	struct text reasons; /* "PATH stays: WHY" of the first that stay, each with its NUL */
};

/* Collective over the test's tasks. The caller releases cleaning->reasons. */
void load_clean(struct worker *worker, struct load_cleaning *cleaning);

#endif
