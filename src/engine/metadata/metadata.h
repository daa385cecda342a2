/*
 * Metadata phases: their trees and test directories around the timed part, and the operations in
 * it. The rest of a phase, clocks, stop requests, agreement, joining, is engine/phase.c's.
 */
#ifndef ENGINE_METADATA_METADATA_H
#define ENGINE_METADATA_METADATA_H

#include "engine/core/tally.h"
#include "engine/metadata/metadata_state.h"
#include "engine/metadata/naming.h"

/* Directories held open for relative names, opened at their first use. */
struct directories;

/* Effects on trees of tests that run before this one and have not run yet, for any directory. */
struct trees_to_come {
	bool made;    /* trees are made and left */
	bool removed; /* existing trees are removed */
};

/*
 * metadata_found.c. Changes nothing. Reports ERROR_INPUT unless the directory exists or can be
 * made. Allowing for `before`, directories of trees to be made must be missing or empty. Trees that
 * this test does not make must exist for all repetitions that surely run.
 */
int metadata_check(struct worker *worker, const struct trees_to_come *before, struct error *err);

/*
 * Called on one task. Reports ERROR_INPUT if the names to be made exceed the free space or inodes,
 * as far as file systems report them.
 */
int metadata_check_space(const struct worker *worker, struct error *err);

/* Kind of item that a phase works on. */
static inline enum item_kind metadata_item(enum phase_kind kind)
{
	return phase_traits[kind].of_files ? ITEM_FILE : ITEM_DIRECTORY;
}

/*
 * metadata_items.c: number of operations of a phase by the plan; of items at most as many as
 * `source` made before a stonewall. Collective over the test's tasks.
 */
uint64_t metadata_available(struct worker *worker, enum phase_kind kind, uint32_t source);
/* Number of source's items that exist. Collective over the test's tasks. */
uint64_t metadata_items(struct worker *worker, enum item_kind kind, uint32_t source);

/*
 * Call after a creating phase in which each task made `least` to `most` items. Returns how many
 * items of each owner exist. An owner with fewer by the plan has all of them.
 */
uint64_t metadata_made_of_each(const struct plan *plan, uint64_t least, uint64_t most);

/* Gives small files the seed of the phase. metadata_prepare() and load_items_make() call it. */
void metadata_start_content(struct worker *worker);
/* Call before the start: makes test directories, and opens the directories that will be held. */
int metadata_prepare(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		     uint64_t repetition, struct error *err);

/* The timed part. Failures are counted, the first one in worker->metadata->odd. */
void metadata_run(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		  uint64_t repetition, struct loop_times *times);

/*
 * Part of the timed part, if the test wants it. When the tasks of all nodes are done, the first
 * task of each node has its node write everything back. Returns when that ended, or `done_ns`.
 */
uint64_t metadata_sync(struct worker *worker, uint64_t done_ns);

/* Call after the timed part: closes directories that this task held open. */
void metadata_close(struct worker *worker);

/*
 * Call after all tasks have ended: removes empty test directories. Failures are counted as in the
 * phase.
 */
void metadata_finish(struct worker *worker, const struct phase_plan *phase, uint64_t repetition);

/*
 * Returns whether this task makes and removes trees: its own with unique_dir, else one task for
 * each directory keeps the tree that several share.
 */
bool metadata_keeps_tree(const struct worker *worker);
/* Returns the paths of this task's own trees. The caller frees it. */
struct tree_path *metadata_own_path(const struct worker *worker, uint64_t repetition);
/* Returns which directories of `owner`'s trees a task lists when it works on this owner. */
struct listing metadata_listing(const struct plan *plan, uint32_t owner);
/* Returns whether task 0 does the phase for all tasks. */
bool metadata_is_collective(const struct plan *plan, enum phase_kind kind);
/* Describes `owner`'s items. target has room for PLAN_PATH_SIZE. */
struct item_owner metadata_owner(const struct worker *worker, uint32_t owner, uint64_t repetition,
				 char *target);

/* directories.c: handles for relative names of this test; NULL: whole paths are used. */
struct directories *directories_create(const struct worker *worker);
void directories_release(struct directories *directories, struct worker *worker);
/*
 * Returns the handle of the directory at `path`, or NULL with *err. number: its number in all trees
 * of this owner. The handle stays valid until the next call with the same `behind`.
 */
struct backend_directory *directories_get(struct directories *directories, struct worker *worker,
					  uint32_t owner, uint64_t number, bool behind,
					  const char *path, struct error *err);
/* Returns whether asking for this directory, not behind, would close another. */
bool directories_closes(const struct directories *directories, const struct worker *worker,
			uint32_t owner, uint64_t number);

#endif
