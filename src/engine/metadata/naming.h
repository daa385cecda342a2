/*
 * The names a metadata phase gives to the backend, one operation after the other: of an owner's items, as
 * whole paths or relative to directories that are held open, or of the directories of trees.
 */
#ifndef ENGINE_METADATA_NAMING_H
#define ENGINE_METADATA_NAMING_H

#include "engine/core/worker.h"
#include "plan/item_walk.h"

/* Which directories of a tree this task lists: the first, and how many it goes on each time. */
struct listing {
	uint64_t first, step;
};

/*
 * Items are renamed in a ring: the first one to a spare name, each other one to the name that is free since
 * the one before it has left it, in the end the first to the last one's. An item whose rename failed keeps
 * its name, and what was free stays free for the next.
 */
struct ring {
	uint64_t first;        /* item, that has the spare name */
	uint64_t free;         /* behind a failure the item whose name is free; NO_ITEM: the ring has not begun */
	uint64_t past_failure; /* the item behind the one that failed last; else the one before it has left its name */
	uint64_t behind_at;    /* where naming's `behind` is */
	bool broken;           /* nobody can say which name is free */
};

#define NO_ITEM UINT64_MAX

struct naming {
	struct worker *worker;
	uint64_t repetition;
	uint64_t count;         /* operations on this owner's */
	uint32_t owner;         /* of shared files 0 */
	bool trees;             /* of directories of trees, else of items */
	bool backwards;         /* from the last directory to the first */
	struct listing listing; /* of the directories */
	struct item_walk walk;
	struct ring ring;        /* rename */
	struct item_walk behind; /* rename: at the item whose name is free; for naming_path() */
	struct order order;
	/* what the backend is given */
	const char *name, *new_name;
	struct backend_directory *directory, *new_directory;
	char spare[ITEM_PATH_SIZE]; /* a name for the first item while the ring is open */
	char target[PLAN_PATH_SIZE];
};

/* What the phase goes over: `count` of this owner's. */
void naming_start(struct naming *naming, struct worker *worker, const struct phase_plan *phase,
		  uint32_t owner, uint64_t repetition, uint64_t count);

/* Of the directories of trees. */
void naming_give_tree(struct naming *naming, uint64_t at);
/* Where the walk has come to; -1: its directory cannot be opened, there is no name. */
int naming_give(struct naming *naming, bool moved, struct error *err);
/* Whether giving what the walk has come to would close a directory whose handle was given before. */
bool naming_closes(const struct naming *naming);
/* The whole path of the item at a place, but in a ring of renames. */
const char *naming_path(struct naming *naming, uint64_t at);
/* The new name of the item at this place of a ring of renames. */
int naming_give_new(struct naming *naming, uint64_t at, struct error *err);
/* After a rename that failed, looks what it did; false: no further one, something could be replaced. */
bool naming_failed_rename(struct naming *naming, uint64_t at);
/*
 * Behind `done` renames, the last one of the ring, from the spare name to the one that is free: 1 to be done,
 * 0 when none has begun; -1: it cannot be, an item stays at naming->spare.
 */
int naming_close_ring(struct naming *naming, uint64_t done, struct error *err);
/* Whether the spare name of the first item is free, as a rename would replace what is there; else *err. */
int naming_check_spare(struct worker *worker, const struct phase_plan *phase, uint32_t owner,
		       uint64_t repetition, struct error *err);

/* To the first item, at 0, or the next one; true: in another directory. */
static inline bool naming_step(struct naming *naming, uint64_t at)
{
	return at ? item_walk_step(&naming->walk, at) : item_walk_to(&naming->walk, 0);
}

/* The first name, at 0, or the next one; -1: its directory cannot be opened. */
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
