/* One metadata phase of one task: a loop over its names, which can be left and gone on with. */
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
	uint64_t done, count; /* of the present owner's, operations */
	struct naming names;
	struct tally tally;
	struct loop_times times;
	bool queued;
	bool left;            /* a failure or a request to stop ended it early */
};

/*
 * From loop->done on to loop->count. What fails is counted, with the first of it in worker->metadata->odd, and in no
 * histogram.
 */
void metadata_loop_run(struct name_loop *loop);

/* The same with up to queue_depth in flight: names_queued.c. */
void names_queued_run(struct name_loop *loop);
/* Touches nothing: whether the backend can queue what the plan wants to, else ERROR_INPUT. */
int names_queued_check(struct worker *worker, struct error *err);

/* Counts one more operation that failed, on this path; false: the phase of this task is over. */
bool metadata_loop_tolerate(struct name_loop *loop, const char *path, const struct error *err);
/* The same of an operation that did nothing; not tried: its directory could not be opened. */
bool metadata_loop_failed(struct name_loop *loop, const char *path, bool tried,
			  const struct error *err);

#endif
