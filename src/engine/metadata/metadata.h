/*
 * Metadata phases: their trees and test directories around the timed part, and the operations in it.
 * The rest of a phase, clocks, stop requests, agreement, joining, is engine/phase.c's.
 */
#ifndef ENGINE_METADATA_METADATA_H
#define ENGINE_METADATA_METADATA_H

#include "engine/core/tally.h"
#include "engine/metadata/metadata_state.h"
#include "engine/metadata/naming.h"

/* Directories held open for names relative to them; opened when first asked for. */
struct directories;

/* What tests that come before this one, and have not run yet, do to trees, wherever these are. */
struct trees_to_come {
	bool made;    /* and left */
	bool removed; /* that are there now */
};

/*
 * metadata_found.c, touches nothing: the directory is there or can be made; in it, but for what is to come, the
 * directories of trees to be made are not there, or are empty, and the trees of all repetitions that are surely done
 * are there when others made them. Else ERROR_INPUT.
 */
int metadata_check(struct worker *worker, const struct trees_to_come *before, struct error *err);

/* By one task: what is to be made fits into what is free, as far as file systems tell. Else ERROR_INPUT. */
int metadata_check_space(const struct worker *worker, struct error *err);

/* Kind of item that a phase works on. */
static inline enum item_kind metadata_item(enum phase_kind kind)
{
	return phase_traits[kind].of_files ? ITEM_FILE : ITEM_DIRECTORY;
}

/*
 * metadata_items.c: how many operations there are for a phase by the plan, of items at most as many as
 * `source` made before a stonewall. Collective over the test's tasks.
 */
uint64_t metadata_available(struct worker *worker, enum phase_kind kind, uint32_t source);
/* How many of source's items there are; collective. */
uint64_t metadata_items(struct worker *worker, enum item_kind kind, uint32_t source);

/*
 * After a creating phase, when tasks made so many at least and at most: how many items of each owner there are,
 * or all of one that has fewer.
 */
uint64_t metadata_made_of_each(const struct plan *plan, uint64_t least, uint64_t most);

/* Before the start: test directories are made, directories that will be held are opened. */
int metadata_prepare(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		     uint64_t repetition, struct error *err);

/* The timed part. What fails is counted, with the first of it in worker->metadata->odd. */
void metadata_run(struct worker *worker, const struct phase_plan *phase, uint32_t source,
		  uint64_t repetition, struct loop_times *times);

/*
 * Inside the time, where the test wants it: when the tasks of all nodes are done the first of each has its
 * node write everything back. Returns when it ended, or `done_ns`.
 */
uint64_t metadata_sync(struct worker *worker, uint64_t done_ns);

/* After it, for this task: what was held open is closed. */
void metadata_close(struct worker *worker);

/* After all have ended: removes test directories that are empty now; what fails is counted as in the phase. */
void metadata_finish(struct worker *worker, const struct phase_plan *phase, uint64_t repetition);

/* Whose trees this task makes and removes: its own, or of a directory that several share one of all. */
bool metadata_keeps_tree(const struct worker *worker);
/* The paths of this task's own trees; the caller frees it. */
struct tree_path *metadata_own_path(const struct worker *worker, uint64_t repetition);
/* Which directories of `owner`'s trees a task lists that has to do with it. */
struct listing metadata_listing(const struct plan *plan, uint32_t owner);
/* Whether task 0 does the phase for all. */
bool metadata_is_collective(const struct plan *plan, enum phase_kind kind);
/* What to know of `owner`'s items; target has room for PLAN_PATH_SIZE. */
struct item_owner metadata_owner(const struct worker *worker, uint32_t owner, uint64_t repetition,
				 char *target);

/* directories.c: for names of this test, or NULL: whole paths are given. */
struct directories *directories_create(const struct worker *worker);
void directories_release(struct directories *directories, struct worker *worker);
/*
 * The handle of a directory whose path this is; NULL with *err. number: its own in all trees of this
 * owner. It is good until the next one is asked for; of those behind and those not, one of each.
 */
struct backend_directory *directories_get(struct directories *directories, struct worker *worker,
					  uint32_t owner, uint64_t number, bool behind,
					  const char *path, struct error *err);
/* Whether asking for this one, not behind, would close another. */
bool directories_closes(const struct directories *directories, const struct worker *worker,
			uint32_t owner, uint64_t number);

#endif
