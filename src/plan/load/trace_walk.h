/*
 * The requests of some streams of a native trace, sorted by the time when they are due. The caller
 * reads the file; this room keeps some records of each stream, and checks each one.
 */
#ifndef PLAN_LOAD_TRACE_WALK_H
#define PLAN_LOAD_TRACE_WALK_H

#include <stdbool.h>

#include "options/load.h"
#include "plan/load/request.h"
#include "plan/load/trace.h"

/* The part of a trace that is played, and how fast. */
struct trace_play {
	uint64_t from_ns, until_ns; /* from the begin of the trace; until_ns: UINT64_MAX for all */
	double speed;		    /* of TRACE_PACE_RECORDED; 2: in half the time */
	enum trace_pace pace;
	bool loops; /* begins again behind the end */
};

/* The time from the first moment of the part that is played to behind its last one, ns. */
uint64_t trace_play_ns(const struct trace *trace, const struct trace_play *play);

/* Mean transfers per second of the whole trace at its speed, with the gap between two rounds. */
double trace_play_rate(const struct trace *trace, const struct trace_play *play);

/*
 * Reads `length` bytes of the trace from offset `at` on. Returns 0, or -1 with *err, whose text
 * does not name the file.
 */
typedef int trace_reader(void *context, uint64_t at, void *bytes, size_t length, struct error *err);

struct trace_walk;

/*
 * Starts a walk over the streams first, first + step, first + 2 step … of a checked trace, at most
 * TRACE_MOST_STREAMS, and one with TRACE_PACE_THINK. All but `context` must stay as long as the
 * walk.
 */
struct trace_walk *trace_walk_create(const struct trace *trace, const struct trace_play *play,
				     uint32_t first, uint32_t step, trace_reader *read,
				     void *context);
void trace_walk_release(struct trace_walk *walk);

/*
 * Fills in the next read, write or fsync. Returns false behind the last one, and after a failure:
 * then trace_walk_failure() tells it. Trims are left out.
 */
bool trace_walk_next(struct trace_walk *walk, struct load_request *request);

/*
 * With TRACE_PACE_THINK: says when the last request would have ended if it had been made in time,
 * in ns from the start, before the next one is asked for.
 */
void trace_walk_done(struct trace_walk *walk, uint64_t done_ns);

/* NULL: all is well. */
const struct error *trace_walk_failure(const struct trace_walk *walk);

/* Fills buffers that are more than half empty, for a caller who has time now. */
void trace_walk_read_ahead(struct trace_walk *walk);

#endif
