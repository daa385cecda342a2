/* Counters of a loop over operations on data or names. The loop keeps them in registers. */
#ifndef ENGINE_CORE_TALLY_H
#define ENGINE_CORE_TALLY_H

#include "engine/core/worker.h"

/* When the loop began and ended, on this node's clock. */
struct loop_times {
	uint64_t first_issue_ns;
	uint64_t last_completion_ns;
	uint64_t waited_ns; /* thereof waiting for other tasks to agree */
	uint64_t own_ns;    /* the rest, summed over all parts, without the time between parts */
};

/* Counters that a loop keeps in registers and hands back at its end. */
struct tally {
	uint64_t done;	    /* transfers */
	uint64_t irregular; /* transfers of several calls, or short; their calls are counted */
	uint64_t min_ns;
	uint64_t content_ns;
	struct sequence sequence; /* access pattern of the calls */
	/* current slice of the timeline */
	struct slice *slice;
	uint64_t slice_until_ns;   /* on this node's clock */
	struct worst worst;	   /* slowest operation in this slice */
	struct worst worst_of_all; /* slowest in earlier slices */
};

/* Empties the tally, and the timeline and counters of the worker's measure. */
void tally_start(struct tally *tally, struct worker *worker);

/*
 * Ends the current slice and enters that of end_ns. Returns the clock afterwards, as joining slices
 * takes time that belongs to no transfer.
 */
uint64_t tally_turn(struct worker *worker, struct tally *tally, uint64_t end_ns);

/*
 * Records one operation; the caller increments tally->done. Returns when the next operation may be
 * issued.
 */
static inline __attribute__((always_inline)) uint64_t tally_add(struct worker *worker,
								struct tally *tally,
								struct operation_record *record,
								uint64_t service_ns,
								uint64_t end_ns, uint64_t offset)
{
	unsigned bucket = histogram_index(service_ns);
	uint64_t next_ns = end_ns;

	if (__builtin_expect(end_ns >= tally->slice_until_ns, 0))
		next_ns = tally_turn(worker, tally, end_ns);
	histogram_count(&record->histogram, bucket, service_ns);
	slice_count(tally->slice, bucket);
	if (service_ns < tally->min_ns)
		tally->min_ns = service_ns;
	if (__builtin_expect(service_ns > tally->worst.ns, 0)) {
		tally->worst.ns = service_ns;
		tally->worst.at_ns = end_ns;
		tally->worst.offset = offset;
	}
	return next_ns;
}

/* Completes the record with the tally's extremes. A failed call is not an operation. */
void tally_keep(struct worker *worker, struct tally *tally, struct operation_record *record);

#endif
