/* What is in effect for a file, as its backend tells: never inside a timed part. */
#ifndef ENGINE_DATA_SETTINGS_H
#define ENGINE_DATA_SETTINGS_H

#include "base/text.h"
#include "engine/core/worker.h"

/*
 * Between phases, called by all tasks: opens the file of a phase that is complete once more, as in the
 * phase but without making it, and appends "name=value\n" for each setting to task 0's lines. Task 0
 * opens it alone unless the backend's transfers can be collective: hints and views depend on who shares
 * a file. Nothing where the backend has no settings (the fault wrapper has none), or the file cannot be
 * opened.
 */
void settings_read(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
		   struct text *lines);

#endif
