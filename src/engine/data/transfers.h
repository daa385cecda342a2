/* Transfers of a data phase, moved by a loop that is chosen once per phase. */
#ifndef ENGINE_DATA_TRANSFERS_H
#define ENGINE_DATA_TRANSFERS_H

#include "engine/core/tally.h"

/* Part of the order that is moved. */
struct span {
	uint64_t first; /* in the order of the test */
	uint64_t count;
	bool wraps; /* starts again after the last transfer, until it is stopped */
};

/* Treatment of the buffer before a write, or around a read. */
enum filling {
	FILLING_NONE,
	FILLING_UNTIMED, /* generating costs less than two clock readings would */
	FILLING_TIMED,
	FILLING_COMPARED, /* a read: spoilt before and compared after, both timed separately */
};

/* Parameters of a loop, fixed before it starts. */
struct loop_setup {
	enum access access;
	uint32_t source; /* task whose blocks are moved */
	struct span span;
	enum filling filling;
	bool syncs;  /* syncs after each write */
	bool random; /* transfers in random order */
};

/* The transfers of one phase: started, run in one part or several, and kept. */
struct transfers {
	struct worker *worker;
	struct loop_setup setup;
	struct tally tally;
	struct loop_times times; /* from the first part's begin to the last part's end */
};

void transfers_start(struct transfers *transfers, struct worker *worker, enum access access,
		     uint32_t source);

/*
 * Moves a span of `source`'s transfers through the open file and records each into the worker's
 * measure. Leaves early on a failure, a stop request, and at the worker's until_ns.
 */
void transfers_run(struct transfers *transfers, const struct span *span);

/* Call after the last part: completes the measure. */
void transfers_keep(struct transfers *transfers);

/*
 * Returns whether all tasks must make the same calls. They then agree after open whether to begin.
 */
bool transfers_agree(const struct worker *worker);

#endif
