/* What is in effect for a file, as its backend tells: never inside a timed part. */
#ifndef ENGINE_SETTINGS_H
#define ENGINE_SETTINGS_H

#include "base/text.h"
#include "engine/worker.h"

/*
 * Between phases: opens this task's file of a phase that is complete once more, alone and for the same
 * access but without making it, and appends "name=value\n" for each setting. Nothing where the
 * backend has none, the file cannot be opened, or faults were asked for (it would be one more open).
 */
void settings_read(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
		   struct text *lines);

#endif
