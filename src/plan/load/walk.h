/*
 * The requests of one task of a load, one after the other: which operation, where, how long, and
 * when it is due. Arithmetic on a seed; it does no I/O, and allocates only when it starts.
 */
#ifndef PLAN_LOAD_WALK_H
#define PLAN_LOAD_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/load/passes.h"
#include "plan/load/pattern.h"
#include "plan/load/request.h"
#include "plan/load/trace_walk.h"
#include "pattern/sampler.h"

/* Who walks: its number among the tasks of the test, and among those that share its files. */
struct load_seat {
	uint32_t task, tasks;
	uint32_t sharer, sharers;
	uint64_t first; /* offset in each file at which the task's file_bytes begin */
	/* the job's task 0 of the test, so that tests of a set draw other random numbers */
	uint32_t first_task;
};

/* Where sequential transfers of a task go on in one file. */
struct load_place {
	uint64_t
		next; /* an offset; for sequential transfers of one size the number of a transfer */
	uint64_t pass;
};

/* What a transfer of one size can begin at. */
struct load_slots {
	uint64_t bytes;
	uint64_t count; /* offsets at which a random transfer may begin */
	uint64_t step;	/* bytes from one of them to the next */
	uint64_t units; /* step / the unit that the distribution is over */
};

struct load_walk {
	const struct load_pattern *pattern;
	struct load_seat seat;
	struct dealer operations, random, write_random, sizes[LOAD_DATA_KINDS];
	struct load_slots slots[LOAD_DATA_KINDS][DECK_KINDS];
	enum load_mode mode;
	struct arrival_walk arrival;
	struct sampler sampler, file_sampler;
	struct passes passes;
	struct load_items items;
	uint64_t state; /* of the random number generator for places and files */

	uint32_t file;			  /* of the current run */
	uint64_t run_left;		  /* transfers of the current run that are to come */
	uint64_t block_bytes;		  /* the largest transfer */
	uint64_t per_file;		  /* transfers of a file; not for LOAD_RUNS, LOAD_RANDOM */
	struct load_place place, *places; /* for each file; NULL: `place` serves all */

	uint64_t operations_done, bytes_done; /* handed out so far */
	uint64_t operation_limit, byte_limit; /* UINT64_MAX: none */

	struct trace_walk *trace; /* where requests come from instead; of the caller; or NULL */
};

/*
 * Starts a walk over a checked pattern, which must stay. repetition: the number of the repetition,
 * which gives other random numbers but the same hot blocks. load_walk_release() frees its memory.
 */
void load_walk_start(struct load_walk *walk, const struct load_pattern *pattern,
		     const struct load_seat *seat, uint64_t repetition);
void load_walk_release(struct load_walk *walk);

/*
 * Goes on with a walk in another phase of the same repetition: with the places behind its last
 * request, while moments and items begin anew.
 */
void load_walk_resume(struct load_walk *walk, uint64_t repetition);

/*
 * Fills in the next request; returns false when a limit is reached. After a request on an item that
 * was done, load_items_done(&walk->items, …) must come before the next request.
 */
bool load_next(struct load_walk *walk, struct load_request *request);

/* Takes the requests from a trace instead of the pattern. The caller frees it, behind the walk. */
void load_walk_follow(struct load_walk *walk, struct trace_walk *trace);

/*
 * When the request behind the last one is due; UINT64_MAX: there is none. That request is left out.
 * *is_sync: it is an fsync, which is no operation of the load.
 */
uint64_t load_next_due(struct load_walk *walk, bool *is_sync);

/* The limit that ended a walk, after load_next() has returned false. */
enum load_end load_walk_end(const struct load_walk *walk);

/*
 * With every_block, and without operations on items: finds the pass in which the task last wrote
 * the block of a request, before that request. Returns false if there is none: the block holds what
 * it held at the start. It looks at one pass after the other, which takes some 100 ns each.
 */
bool load_last_write(const struct load_walk *walk, const struct load_request *request,
		     uint64_t *pass);

#endif
