/* Failed metadata operations: they are counted by errno, and the phase goes on. */
#ifndef ENGINE_METADATA_TOLERATE_H
#define ENGINE_METADATA_TOLERATE_H

#include "engine/core/worker.h"
#include "engine/metadata/metadata_state.h"

/* Kind of item that the operation was to make. */
enum creates { CREATES_NOTHING, CREATES_TREE, CREATES_ITEM };

/*
 * Counts a failed operation on `path`, and notes the first of a phase in worker->metadata->odd.
 * Returns false if the phase of this task is over: max_errors have failed, or nothing more can be
 * made. If the operation creates, the repetition has failed then: worker->metadata->incomplete.
 */
bool tolerate(struct worker *worker, const char *path, const char *call, enum creates creates,
	      const struct error *err);

/*
 * Counts a failure that never ends the phase. For operations that only look, as the next one may
 * succeed.
 */
void tolerate_all(struct worker *worker, const char *path, const char *call,
		  const struct error *err);

/*
 * Call after the last operation, once expected_operations is known: notes the operations that were
 * not tried.
 */
void tolerate_end(struct worker *worker, uint64_t succeeded);

#endif
