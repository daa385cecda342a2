/* Reads the effective settings of a file from its backend, never inside a timed part. */
#ifndef ENGINE_DATA_SETTINGS_H
#define ENGINE_DATA_SETTINGS_H

#include "base/text.h"
#include "engine/core/worker.h"

/*
 * Collective, between phases. Opens the file of a completed phase again, as in the phase but
 * without creating it. Appends "name=value\n" for each setting to task 0's lines. If the backend's
 * transfers can be collective and the file is shared, all tasks open it, as hints and views depend
 * on who shares it. Otherwise task 0 opens it alone. Adds nothing if the backend has no settings
 * (the fault wrapper has none) or the open fails.
 */
void settings_read(struct worker *worker, const struct phase_plan *phase, uint64_t repetition,
		   struct text *lines);

#endif
