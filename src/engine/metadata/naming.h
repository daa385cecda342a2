/*
 * Names that a metadata phase gives to the backend, one operation after the other. Items are named
 * by whole paths, or relative to directories held open. Directories of trees are named by whole
 * paths.
 */
#ifndef ENGINE_METADATA_NAMING_H
#define ENGINE_METADATA_NAMING_H

#include "engine/core/worker.h"
#include "plan/item_walk.h"

/* Directories of a tree that this task lists: the first, and the step to the next. */
struct listing {
	uint64_t first, step;
};

/*
 * Items are renamed in a ring. The first item moves to a spare name, and each other one to the name
 * that its predecessor left. In the end the first item takes the last one's name. An item whose
 * rename failed keeps its name, and the free name stays free for the next.
 */
struct ring {
	uint64_t first;	       /* item that has the spare name */
	uint64_t free;	       /* item with the free name, after a failure; NO_ITEM: no ring yet */
	uint64_t past_failure; /* 1 + the last item whose rename failed; 0: none failed */
	uint64_t behind_at;    /* position of naming's `behind` */
	bool broken;	       /* the free name is unknown */
};

#define NO_ITEM UINT64_MAX

struct naming {
	struct worker *worker;
	uint64_t repetition;
	uint64_t count;		/* operations on this owner's names */
	uint32_t owner;		/* 0 for shared files */
	bool trees;		/* names tree directories; false: items */
	bool backwards;		/* from the last directory to the first */
	struct listing listing; /* step over directories */
	struct item_walk walk;
	struct ring ring;	 /* rename */
	struct item_walk behind; /* rename: at the item whose name is free; for naming_path() */
	struct order order;
	/* names and directories that the backend is given */
	const char *name, *new_name;
	struct backend_directory *directory, *new_directory;
	char spare[ITEM_PATH_SIZE]; /* name of the first item while the ring is open */
	char target[PLAN_PATH_SIZE];
};

/* Starts a phase of `count` operations on `owner`'s names. */
void naming_start(struct naming *naming, struct worker *worker, const struct phase_plan *phase,
		  uint32_t owner, uint64_t repetition, uint64_t count);

/* Gives the name of a tree directory. */
void naming_give_tree(struct naming *naming, uint64_t at);
/*
 * Gives the name of the walk's item. Returns -1 if its directory cannot be opened: there is no name
 * then.
 */
int naming_give(struct naming *naming, bool moved, struct error *err);
/* True if the name of the walk's item would evict the handle of a directory that is in use. */
bool naming_closes(const struct naming *naming);
/* Returns the whole path of the item at a position. Not for a ring of renames. */
const char *naming_path(struct naming *naming, uint64_t at);
/* Gives the new name of the item at a position of a ring of renames. */
int naming_give_new(struct naming *naming, uint64_t at, struct error *err);
/*
 * Call after a failed rename: finds what it did. Returns false if no further rename may follow, as
 * it could replace a file.
 */
bool naming_failed_rename(struct naming *naming, uint64_t at);
/*
 * Call after `done` renames: gives the last one of the ring, from the spare name to the free name.
 * Returns 1 if it is to be done, 0 if no ring has begun. Returns -1 if it is impossible: an item
 * stays at naming->spare.
 */
int naming_close_ring(struct naming *naming, uint64_t done, struct error *err);
/*
 * Checks that the spare name of the first item is free, as a rename would replace a file there.
 * Otherwise reports *err.
 */
int naming_check_spare(struct worker *worker, const struct phase_plan *phase, uint32_t owner,
		       uint64_t repetition, struct error *err);

/*
 * Goes to the first item, at 0, or to the next one. Returns true if it lies in another directory.
 */
static inline bool naming_step(struct naming *naming, uint64_t at)
{
	return at ? item_walk_step(&naming->walk, at) : item_walk_to(&naming->walk, 0);
}

/*
 * Goes to the first name, at 0, or to the next one. Returns -1 if its directory cannot be opened.
 */
static inline __attribute__((always_inline)) int naming_go_to(struct naming *naming, uint64_t at,
							      const bool renames, struct error *err)
{
	bool moved;

	if (naming->trees) {
		naming_give_tree(naming, at);
		return 0;
	}
	moved = naming_step(naming, at);
	if (__builtin_expect(moved || !naming->name, 0) && naming_give(naming, moved, err))
		return -1;
	return renames ? naming_give_new(naming, at, err) : 0;
}

#endif
