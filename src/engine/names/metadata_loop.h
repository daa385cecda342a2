/* One metadata phase of one task: a loop over its names, which can be left and gone on with. */
#ifndef ENGINE_NAMES_METADATA_LOOP_H
#define ENGINE_NAMES_METADATA_LOOP_H

#include "engine/names/naming.h"
#include "engine/names/work.h"
#include "engine/tally.h"

struct name_loop {
	struct worker *worker;
	enum work work;
	enum operation operation;
	uint64_t done, count; /* of the present owner's, operations */
	uint64_t failed_at, failed_run; /* the last that failed and made nothing, and how many in a row with it */
	uint64_t landed_to; /* queued: behind the last one that succeeded; they come back in any order */
	struct gaps gaps;   /* queued: those that failed once nothing more could be made */
	uint64_t met_at; /* the first that somebody else had made; UINT64_MAX: none */
	struct naming names;
	struct tally tally;
	struct loop_times times;
	bool queued;
	bool left;            /* a failure or a request to stop ended it early */
};

/*
 * From loop->done on to loop->count. What fails is counted, with the first of it in worker->odd, and in no
 * histogram.
 */
void metadata_loop_run(struct name_loop *loop);

/* The same with up to queue_depth in flight: names_queued.c. */
void names_queued_run(struct name_loop *loop);
/* Touches nothing: whether the backend can queue what the plan wants to, else ERROR_INPUT. */
int names_queued_check(struct worker *worker, struct error *err);

/*
 * How many of this owner's items there can be behind a creating loop, gaps among them: what follows the last one
 * failed, and what follows a stranger's is left alone.
 */
uint64_t metadata_loop_made(const struct name_loop *loop);

/* Counts one more operation that failed, on this path; false: the phase of this task is over. */
bool metadata_loop_tolerate(struct name_loop *loop, const char *path, const struct error *err);
/* The same of an operation at this place that did nothing, or, not tried, for which there was no directory to do it in. */
bool metadata_loop_failed(struct name_loop *loop, uint64_t at, const char *path, bool tried,
			  const struct error *err);

#endif
