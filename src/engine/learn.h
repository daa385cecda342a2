/* The seed and the repetition of data that this run did not write, learned from the data itself. */
#ifndef ENGINE_LEARN_H
#define ENGINE_LEARN_H

#include "engine/worker.h"

/* Whether a run of the plan that compares does not know what it reads. */
bool learn_is_needed(const struct plan *plan);

/* The same of a phase that reads the files of a metadata test. */
bool learn_is_needed_of_names(const struct plan *plan, enum phase_kind kind);
/* Before such a test, on task 0: whether its first file says the seed; touches nothing. */
int learn_check_names(struct worker *worker, struct error *err);

/*
 * Reads some sectors of task 0's file through the backend, by this task alone. Data without stamps,
 * or of another seed than the one that was given, is ERROR_INPUT. Only seed and repetition of
 * *lesson mean something.
 */
int learn_from_file(struct worker *worker, uint64_t repetition, struct content_origin *lesson,
		    struct error *err);

/*
 * Whether the file of `size` bytes at worker->path holds what the plan's own write would make of it: for
 * IOR's data, which do not say who wrote them, of whatever seed, as far as a write came.
 */
bool learn_recognises_ior(struct worker *worker, uint64_t size);

/* Task 0 does it for all, in a metadata test on its first files (of these only the seed is learned); a failure is noted as that of task 0. Collective over the test's tasks. */
void learn_together(struct worker *worker, uint64_t repetition, struct content_origin *lesson);

#endif
