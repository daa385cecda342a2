/* The workload of load phases: operations of several kinds on files, at a rate or in a loop. */
#ifndef ENGINE_LOAD_LOAD_WORK_H
#define ENGINE_LOAD_LOAD_WORK_H

#include "engine/core/work.h"

extern const struct work load_work;

/* Reports ERROR_INPUT if a size or the alignment of the load does not fit the storage. */
int load_check_alignment(struct worker *worker, struct error *err);

/*
 * Raises the limit of open files of this process where the load needs it. Reports ERROR_INPUT if it
 * may not be raised so far.
 */
int load_allow_files(struct worker *worker, struct error *err);
/* Checks that this task sees the trace that the load replays, if it replays one. */
int load_check_trace(struct worker *worker, struct error *err);

#endif
