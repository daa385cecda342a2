/* Operations on names that failed: counted by errno, and the phase goes on. */
#ifndef ENGINE_NAMES_TOLERATE_H
#define ENGINE_NAMES_TOLERATE_H

#include "engine/worker.h"

/*
 * Counts one of `path`, and notes the first of a phase in worker->odd. False: the phase of this task is over,
 * as nothing more can be made or max_errors have failed.
 */
bool tolerate(struct worker *worker, const char *path, const char *call, const struct error *err);

/* The same without such an end, for what is only looked at: others may read the next one. */
void tolerate_all(struct worker *worker, const char *path, const char *call, const struct error *err);

/* The phase needs more than was made before it; what fails in it says more. */
void tolerate_want(struct worker *worker, const char *call, const char *why);

/* After the last one, once expected_operations is known: what was not tried, as the phase was over for this task or worker->without. */
void tolerate_end(struct worker *worker, uint64_t succeeded);

#endif
