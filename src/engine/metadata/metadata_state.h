/* State of a task about the trees and items of a metadata test. */
#ifndef ENGINE_METADATA_METADATA_STATE_H
#define ENGINE_METADATA_METADATA_STATE_H

#include "engine/core/worker.h"
#include "engine/metadata/metadata_queue.h"

struct directories;
struct find;

/*
 * Calls on files with data in this phase. Calls that move less than a whole file enter the counters
 * at once.
 */
struct small_calls {
	uint64_t whole[ACCESS_COUNT]; /* each moved a whole file at once */
	uint64_t syncs, turns;	      /* turns: reads of what was just written */
};

struct metadata_state {
	/* of the test */
	struct metadata_queue *queue; /* NULL: one operation at a time */

	/* of this repetition */
	uint64_t test_directories; /* directories this run made or found empty */
	uint64_t made[2];	   /* items that this task made, by enum item_kind */
	uint64_t entries_there;	   /* items made less removed by this task; summed over tasks */

	/* of the phase */
	struct content content; /* of the file at hand, with the seed of the phase */
	struct small_calls small;
	bool incomplete;		 /* not all items were made: the repetition has failed */
	bool met_others;		 /* a foreign file had the name of an item */
	struct failure odd;		 /* the first operation that failed, and was only counted */
	uint64_t own_files, other_files; /* mix: own files, and those of the task it looks at */
	struct directories *directories; /* held open; NULL: whole paths are given */
	struct find *find;		 /* NULL: the phase is no find */
};

#endif
