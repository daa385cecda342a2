/* A look into a file through the backend, to learn from what lies there already. */
#ifndef ENGINE_CORE_LOOK_H
#define ENGINE_CORE_LOOK_H

#include "engine/core/worker.h"

enum { LOOK_BYTES = 8 * SECTOR }; /* of one place */

/* Whether the plan's content says the seed it was made of. */
bool look_says_seed(const struct plan *plan);

/*
 * Bytes [offset, offset + length) of the open file's part from its start on, in pieces of its transfers. How many
 * there were.
 */
uint64_t look_read(struct worker *worker, char *bytes, uint64_t offset, uint64_t length);

/* Looks into files of this task for what *lesson is to say: 0, or -1 with *err. */
typedef int learner(struct worker *worker, uint64_t repetition, struct content_origin *lesson, struct error *err);

/* Task 0 learns for all; a failure is noted as that of task 0. Collective over the test's tasks. */
void look_together(struct worker *worker, uint64_t repetition, learner *learn, struct content_origin *lesson);

#endif
