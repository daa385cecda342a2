/* A backend's session for one test, with the fault wrapper before it when the job asks for faults.
 */
#ifndef ENGINE_CORE_SESSION_H
#define ENGINE_CORE_SESSION_H

#include "engine/core/worker.h"
#include "options/job.h"

/*
 * Collective over the worker's tasks. Sets worker->backend and session, and allocates the file.
 * After a failure of any task the caller must still call session_stop().
 */
int session_start(struct worker *worker, const struct test_spec *spec, struct error *err);
int session_stop(struct worker *worker, struct error *err);

#endif
