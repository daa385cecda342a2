/*
 * The find of a metadata test: a walk over its trees, or over all that lies below its directories,
 * by all tasks together. Directories that are still to be read, and names whose status is wanted,
 * are pieces of work that go from one task to another (comm/steal.h). Each task counts what it saw
 * in worker->measure.
 */
#ifndef ENGINE_METADATA_FIND_H
#define ENGINE_METADATA_FIND_H

#include "engine/core/tally.h"

/* Paths that must exist, as no earlier test of the job may make them. */
struct find_expected {
	bool dir;   /* the directories to walk */
	bool newer; /* the file that others must be newer than */
};

/* Changes nothing. Reports ERROR_INPUT if an expected path is missing. */
int find_check(struct worker *worker, const struct find_expected *expected, struct error *err);

/* Call before the start. Collective over the test's tasks. */
int find_prepare(struct worker *worker, struct error *err);
/* The timed part. For a task it ends with the task's last operation. */
void find_run(struct worker *worker, uint64_t repetition, struct loop_times *times);
/* Releases the find, also if find_prepare() was not called. */
void find_close(struct worker *worker);

#endif
