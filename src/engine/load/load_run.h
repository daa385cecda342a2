/* The timed part of a load on one task: its windows and its loop. */
#ifndef ENGINE_LOAD_LOAD_RUN_H
#define ENGINE_LOAD_LOAD_RUN_H

#include "engine/data/steps.h"

/* Frees what a load left for its next phase. */
void load_run_forget(struct worker *worker);

/*
 * Runs the load through the open file, as the step between open and sync. Collective over the set:
 * the tasks agree on a common zero after all have opened. From there on run the warm-up, which is
 * not measured, the measured window, and the cool-down, which is not measured either.
 */
steps_move load_run;

#endif
