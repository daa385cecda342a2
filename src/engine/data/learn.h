/* The seed and the repetition of data that this run did not write, learned from the data itself. */
#ifndef ENGINE_DATA_LEARN_H
#define ENGINE_DATA_LEARN_H

#include "engine/core/look.h"

/* Whether a run of the plan that compares does not know what it reads. */
bool learn_is_needed(const struct plan *plan);

/*
 * Reads some sectors of task 0's file through the backend, by this task alone, or of the first of 16
 * files per task that holds any stamp. Data without stamps,
 * or of another seed than the one that was given, is ERROR_INPUT. Only seed and repetition of
 * *lesson mean something.
 */
learner learn_from_file;

#endif
