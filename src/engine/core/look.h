/* Reads samples of a file through the backend, to learn from existing data. */
#ifndef ENGINE_CORE_LOOK_H
#define ENGINE_CORE_LOOK_H

#include "engine/core/worker.h"

enum { LOOK_BYTES = 8 * SECTOR }; /* read at one offset */

/* Returns whether data of the plan's content reveals its seed. */
bool look_reveals_seed(const struct plan *plan);

/*
 * Reads bytes [offset, offset + length) of the open file, never across a transfer boundary in one
 * call. Returns how many bytes were read.
 */
uint64_t look_read(struct worker *worker, char *bytes, uint64_t offset, uint64_t length);

/* Looks into files to fill *lesson. Returns 0, or -1 with *err. */
typedef int learner(struct worker *worker, uint64_t repetition, struct content_origin *lesson,
		    struct error *err);

/*
 * Task 0 runs `learn` and sends the lesson to all. A failure is noted as that of task 0. Collective
 * over the test's tasks.
 */
void look_together(struct worker *worker, uint64_t repetition, learner *learn,
		   struct content_origin *lesson);

#endif
