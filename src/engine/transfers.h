/* The transfers of a data phase, by a loop that is chosen once per phase. */
#ifndef ENGINE_TRANSFERS_H
#define ENGINE_TRANSFERS_H

#include "engine/worker.h"

/* When the loop began and ended, on this node's clock. */
struct loop_times {
	uint64_t first_issue_ns;
	uint64_t last_completion_ns;
	uint64_t waited_ns; /* of it, for other tasks to agree */
	uint64_t own_ns;    /* the rest; of several parts the sum, without what lies between them */
};

/* Which of the order's transfers are moved. */
struct span {
	uint64_t first; /* in the order of the test */
	uint64_t count;
	bool wraps;     /* begins again behind the last one, until it is stopped */
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

/* Its longest is kept in the slice and in worst_of_all. */
void tally_end_slice(struct tally *tally);

/* What happens to the buffer before a write, or around a read. */
enum filling {
	FILLING_NONE,
	FILLING_UNTIMED, /* costs less than two clock readings, one of which would set it apart */
	FILLING_TIMED,
	FILLING_COMPARED, /* a read: spoilt before, compared after it, both set apart */
};

/* What a loop does, settled before it. */
struct loop_order {
	enum access access;
	uint32_t source; /* whose blocks are moved */
	struct span span;
	enum filling filling;
	bool syncs;      /* after each write */
	bool random;     /* the transfers' order */
};

/* The transfers of one phase: started, run in one part or several, and kept. */
struct transfers {
	struct worker *worker;
	struct loop_order order;
	struct tally tally;
	struct loop_times times; /* of the first part's begin and the last one's end */
};

void transfers_start(struct transfers *transfers, struct worker *worker, enum access access,
		     uint32_t source);

/*
 * Moves a span of `source`'s transfers through the open file and records each into the worker's
 * measure. Leaves early on a failure, a stop request, and at the worker's until_ns.
 */
void transfers_run(struct transfers *transfers, const struct span *span);

/* After the last part: completes what the measure says about them. */
void transfers_keep(struct transfers *transfers);

/* Completes the record of what a loop has counted: a failed call is no operation. */
void transfers_keep_times(struct worker *worker, struct tally *tally, struct operation_record *record);

/* Whether all tasks have to make the same calls: then they agree after open whether to begin. */
bool transfers_agree(const struct worker *worker);

#endif
