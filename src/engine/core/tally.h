/* What a loop over operations, on data or on names, counts of them in registers and hands back at its end. */
#ifndef ENGINE_CORE_TALLY_H
#define ENGINE_CORE_TALLY_H

#include "engine/core/worker.h"

/* When the loop began and ended, on this node's clock. */
struct loop_times {
	uint64_t first_issue_ns;
	uint64_t last_completion_ns;
	uint64_t waited_ns; /* of it, for other tasks to agree */
	uint64_t own_ns;    /* the rest; of several parts the sum, without what lies between them */
};

/* What the loops keep in registers and hand back at their end. */
struct tally {
	uint64_t done;      /* transfers */
	uint64_t irregular; /* of these: not by one call, or not whole; their calls are counted already */
	uint64_t min_ns;
	uint64_t content_ns;
	struct sequence sequence; /* of the calls */
	/* the slice of the timeline that goes on */
	struct slice *slice;
	uint64_t slice_until_ns; /* on this node's clock */
	struct worst worst;      /* in it */
	struct worst worst_of_all; /* in those before it */
};

/* Of nothing yet; also what the measure's timeline and counters held is gone. */
void tally_start(struct tally *tally, struct worker *worker);

/*
 * The present slice is over: goes on in that of end_ns. The time afterwards, as joining slices takes
 * some that belongs to no transfer.
 */
uint64_t tally_turn(struct worker *worker, struct tally *tally, uint64_t end_ns);

/* All of it but how many they are. When the next one may be issued. */
static inline __attribute__((always_inline)) uint64_t
tally_add(struct worker *worker, struct tally *tally, struct operation_record *record,
	  uint64_t service_ns, uint64_t end_ns, uint64_t offset)
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

/* Completes the record of what a loop has counted: a failed call is no operation. */
void tally_keep(struct worker *worker, struct tally *tally, struct operation_record *record);

#endif
