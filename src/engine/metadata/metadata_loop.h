/* A loop over the names of one metadata phase on one task, which can be left and resumed. */
#ifndef ENGINE_METADATA_METADATA_LOOP_H
#define ENGINE_METADATA_METADATA_LOOP_H

#include "engine/core/tally.h"
#include "engine/metadata/item_call.h"
#include "engine/metadata/metadata_state.h"
#include "engine/metadata/naming.h"

struct name_loop {
	struct worker *worker;
	enum item_call call;
	enum operation operation;
	uint64_t done, count; /* operations on the current owner's names */
	struct naming names;
	struct tally tally;
	struct loop_times times;
	bool queued;
	bool left; /* a failure or a request to stop ended it early */
};

/*
 * Runs operations from loop->done to loop->count. Failures are counted, the first one in
 * worker->metadata->odd, and are in no histogram.
 */
void metadata_loop_run(struct name_loop *loop);

/* Runs the operations with up to queue_depth in flight: metadata_queued.c. */
void metadata_queued_run(struct name_loop *loop);
/* Changes nothing. Reports ERROR_INPUT if the backend cannot queue the operations of the plan. */
int metadata_queued_check(struct worker *worker, struct error *err);

/* Counts a failed operation on this path. Returns false if the phase of this task is over. */
bool metadata_loop_tolerate(struct name_loop *loop, const char *path, const struct error *err);
/* Counts a failed operation that had no effect. tried false: its directory could not be opened. */
bool metadata_loop_failed(struct name_loop *loop, const char *path, bool tried,
			  const struct error *err);

#endif
