/*
 * The mixed phase of a metadata test: each task draws operations by shares, on files of its own that it removes
 * and makes again, or looks at and reads, there with a stride those of another task. What comes next says
 * plan/mix.h.
 */
#ifndef ENGINE_METADATA_MIX_H
#define ENGINE_METADATA_MIX_H

#include "engine/core/tally.h"

/*
 * Before the start; collective over the test's tasks. source: whose files are looked at. How many operations
 * there are to be, 0: not known.
 */
uint64_t mix_available(struct worker *worker, uint32_t source);

/* The timed part. What is missing then is made again behind it, so that all files are there. */
void mix_run(struct worker *worker, uint32_t source, uint64_t repetition, struct loop_times *times);

#endif
