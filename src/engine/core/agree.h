/* What all tasks of a test must know alike at the end of a step: who failed first, who asked to stop. */
#ifndef ENGINE_CORE_AGREE_H
#define ENGINE_CORE_AGREE_H

#include "comm/stop.h"
#include "engine/core/worker.h"
#include "measure/failure.h"

struct agreement {
	struct failure failure;      /* the earliest of all tasks'; kind ERROR_NONE: none failed */
	uint64_t failed_tasks;
	struct failure odd;          /* the earliest operation on names that failed and was only counted */
	uint64_t failed_operations;  /* all of these */
	enum stop_reason stop;       /* the highest reason any task saw */
	uint32_t signal;             /* for STOP_SIGNAL */
	bool incomplete;             /* of any task: not all that the repetition needs was made */
	bool met_others;             /* of any task: somebody else's files lie among its own */
	uint64_t wrong_bytes;        /* that comparing found, sum */
	uint64_t least_done, most_done; /* transfers of a task */
	/* of the shared file that tasks have open; least above most: unknown */
	uint64_t least_inode, most_inode;
	/* for found_check(): sums, and the transfers of the shortest file; UINT64_MAX: of no file */
	uint64_t reusable_bytes, reusable_files, least_transfers;
};

/* Collective over the test's tasks: every task ends with the same agreement. */
void agree(struct worker *worker, struct agreement *agreement);

/*
 * After it, over the set's tasks: the highest reason to stop that any of them saw, so that all bring
 * the same stop tree to its end. Sends nothing where the set is the test.
 */
void agree_on_stop(struct worker *worker, struct agreement *agreement);

/* An agreement's start: this task's own failure and stop word. */
void agreement_start(struct agreement *agreement, const struct worker *worker);

/* Nobody failed, and nobody asked to stop; or nothing but the deadline did. */
bool agreement_is_well(const struct agreement *agreement);
bool agreement_is_deadline(const struct agreement *agreement);

#endif
