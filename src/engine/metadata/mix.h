/*
 * The mixed phase of a metadata test: each task draws operations by their shares. It removes and
 * makes files of its own, and looks at and reads files; with a stride the files of another task.
 * plan/mix.h says which operation comes next.
 */
#ifndef ENGINE_METADATA_MIX_H
#define ENGINE_METADATA_MIX_H

#include "engine/core/tally.h"

/*
 * Call before the start. Collective over the test's tasks. source: task whose files are looked at.
 * Returns the number of operations; 0: unknown.
 */
uint64_t mix_available(struct worker *worker, uint32_t source);

/* The timed part. Missing files are made again after it, so that all files exist. */
void mix_run(struct worker *worker, uint32_t source, uint64_t repetition, struct loop_times *times);

#endif
