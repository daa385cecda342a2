/*
 * The find of a metadata test: a walk over its trees, or over all that lies below its directories, by all
 * tasks together. Directories that are still to be read, and names whose status is wanted, are pieces of
 * work that go from one task to another (comm/steal.h). Each task counts what it saw in worker->measure.
 */
#ifndef ENGINE_METADATA_FIND_H
#define ENGINE_METADATA_FIND_H

#include "engine/core/tally.h"

/* What must be there already, as no test to come may make it. */
struct find_expected {
	bool dir;   /* the directories to walk */
	bool newer; /* the file that others must be newer than */
};

/* Touches nothing: what is expected is there, else ERROR_INPUT. */
int find_check(struct worker *worker, const struct find_expected *expected, struct error *err);

/* Before the start; collective over the test's tasks. */
int find_prepare(struct worker *worker, struct error *err);
/* The timed part, which ends for a task with what it did last. */
void find_run(struct worker *worker, uint64_t repetition, struct loop_times *times);
/* After find_prepare(), or without it. */
void find_close(struct worker *worker);

#endif
