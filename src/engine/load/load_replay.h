/* The trace that a load replays: the file on this task, and its part in the loop. */
#ifndef ENGINE_LOAD_LOAD_REPLAY_H
#define ENGINE_LOAD_LOAD_REPLAY_H

#include "engine/load/load_loop.h"

/* Opens the trace of worker->plan, and checks that it is the one that the plan is made of. */
int load_replay_open(struct worker *worker, struct error *err);
/* ERROR_INPUT if a file of the load is the open trace. */
int load_replay_check_files(const struct worker *worker, struct error *err);
/* Closes it, if it is open. */
void load_replay_close(struct worker *worker);

/* Starts a walk over this task's streams. */
struct trace_walk *load_replay_walk(struct worker *worker);

/* Sets the end of the schedule, if the load ends with the trace. */
void load_replay_find_end(struct load_loop *loop);

/* Reports a failure that ended the walk. Call it when the loop has ended. */
void load_replay_report(struct load_loop *loop);

#endif
