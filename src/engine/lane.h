/*
 * One candidate of a probe: a session and an open file of one backend, and timed rounds of transfers
 * through its contract, queued where it can queue. Alone: no other task takes part.
 */
#ifndef ENGINE_LANE_H
#define ENGINE_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/backend.h"
#include "base/clock.h"
#include "plan/choice.h"

enum { LANE_ROUNDS = 18, LANE_WHY_SIZE = PROBE_WHY_SIZE };

/* What all lanes of a probe have in common. */
struct lane_setup {
	const struct clock *clock;
	const char *path;    /* of the file all use */
	enum access access;  /* to open it for; WRITE reads too */
	uint64_t length;     /* of a transfer, bytes */
	uint64_t depth;      /* most transfers in flight */
	uint64_t batch;      /* completions awaited at a time, if so many are in flight */
	void **buffers;      /* depth of them, length bytes each */
	uint64_t file_bytes; /* the file will have */
};

struct lane {
	const struct backend *backend; /* NULL: not to be had */
	const struct backend_options *options;
	char why_not[LANE_WHY_SIZE]; /* "" as long as it runs */
	double rounds[ACCESS_COUNT][LANE_ROUNDS]; /* seconds per transfer */
	unsigned round_count[ACCESS_COUNT];

	struct backend_start start;
	struct backend_session *session;
	struct backend_file *file;
	bool entered, opened; /* stop and close must follow */
};

/* One round: transfers one after the other from the file's start. */
struct lane_round {
	enum access access;
	uint64_t places;  /* transfers the file has room for */
	bool once;        /* ends at the last place; else it goes on at the first */
	uint64_t time_ns; /* no transfer is begun after it */
};

static inline bool lane_runs(const struct lane *lane)
{
	return lane->backend && !lane->why_not[0];
}

void lane_give_up(struct lane *lane, const struct error *err);

/* A failure of any of these is noted in why_not. lane_stop() frees, also after a failure. */
void lane_start(struct lane *lane, const struct lane_setup *setup);
void lane_run(struct lane *lane, const struct lane_setup *setup, const struct lane_round *round);
/* Writes the file's first bytes, up to file_bytes, in pieces, until the time is over; how many. */
uint64_t lane_fill(struct lane *lane, const struct lane_setup *setup, uint64_t piece,
		   uint64_t time_ns);
void lane_sync(struct lane *lane);
void lane_stop(struct lane *lane);

#endif
