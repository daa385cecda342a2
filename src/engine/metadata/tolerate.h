/* Operations on names that failed: counted by errno, and the phase goes on. */
#ifndef ENGINE_METADATA_TOLERATE_H
#define ENGINE_METADATA_TOLERATE_H

#include "engine/core/worker.h"
#include "engine/metadata/metadata_state.h"

/* Kind of item that the operation was to make. */
enum creates { CREATES_NOTHING, CREATES_TREE, CREATES_ITEM };

/*
 * Counts one of `path`, and notes the first of a phase in worker->metadata->odd. False: the phase of this task
 * is over, as max_errors have failed or nothing more can be made. Where the operation creates, the
 * repetition has failed then: worker->metadata->incomplete.
 */
bool tolerate(struct worker *worker, const char *path, const char *call, enum creates creates,
	      const struct error *err);

/* The same without such an end, for what is only looked at: others may read the next one. */
void tolerate_all(struct worker *worker, const char *path, const char *call, const struct error *err);

/* After the last one, once expected_operations is known: notes what this task did not try. */
void tolerate_end(struct worker *worker, uint64_t succeeded);

#endif
