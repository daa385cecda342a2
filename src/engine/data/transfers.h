/* The transfers of a data phase, by a loop that is chosen once per phase. */
#ifndef ENGINE_DATA_TRANSFERS_H
#define ENGINE_DATA_TRANSFERS_H

#include "engine/core/tally.h"

/* Which of the order's transfers are moved. */
struct span {
	uint64_t first; /* in the order of the test */
	uint64_t count;
	bool wraps;     /* begins again behind the last one, until it is stopped */
};

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

/* Whether all tasks have to make the same calls: then they agree after open whether to begin. */
bool transfers_agree(const struct worker *worker);

#endif
