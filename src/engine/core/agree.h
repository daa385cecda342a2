/* Agreement of all tasks of a test at the end of a step: first failure, reason to stop, sums. */
#ifndef ENGINE_CORE_AGREE_H
#define ENGINE_CORE_AGREE_H

#include "comm/stop.h"
#include "engine/core/worker.h"
#include "measure/failure.h"

struct agreement {
	struct failure failure; /* earliest failure of any task; kind ERROR_NONE: none */
	uint64_t failed_tasks;
	struct failure odd;	    /* earliest failed metadata operation that was only counted */
	uint64_t failed_operations; /* number of such operations */
	enum stop_reason stop;	    /* the highest reason any task saw */
	uint32_t signal;	    /* for STOP_SIGNAL */
	bool incomplete;	    /* on any task: something the repetition needs was not made */
	bool met_others;	    /* on any task: foreign files lie among its own */
	uint64_t wrong_bytes;	    /* sum of wrong bytes that comparing found */
	uint64_t least_done, most_done; /* fewest and most transfers of any task */
	/* inodes of the shared file as tasks have it open; least above most: unknown */
	uint64_t least_inode, most_inode;
	/* sums of the space that can be used again, and transfers of the shortest file (UINT64_MAX:
	   there is none): for found_check() */
	uint64_t reusable_bytes, reusable_files, least_transfers;
};

/* Collective over the test's tasks: every task ends with the same agreement. */
void agree(struct worker *worker, struct agreement *agreement);

/*
 * Call after agree(). Collective over the set's tasks: finds the signal, and the highest reason to
 * stop that any of them saw, so that all settle the same stop tree. Sends nothing where the set is
 * the test's crew.
 */
void agree_on_stop(struct worker *worker, struct agreement *agreement);

/* Sets the agreement to this task's own failure and its node's stop word. */
void agreement_start(struct agreement *agreement, const struct worker *worker);

/*
 * agreement_is_well(): no task failed and no stop was requested. agreement_is_deadline(): no task
 * failed and the deadline is the reason to stop.
 */
bool agreement_is_well(const struct agreement *agreement);
bool agreement_is_deadline(const struct agreement *agreement);

#endif
