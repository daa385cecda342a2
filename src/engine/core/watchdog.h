/*
 * A thread beside each task that only sleeps: it takes the signals, and after a failure, or always
 * with hang_after, it looks every half second whether anyone on this node is stuck in a call or no
 * longer runs. Who is stuck is named, with the failure before it, and the job is aborted; finished
 * phases are on disk by then. Patience is hang_after, at most 60 s after a failure and 10 s after a
 * signal. Without it an open alone is judged, after 300 s: MPI_File_open may wait for a task that failed.
 */
#ifndef ENGINE_CORE_WATCHDOG_H
#define ENGINE_CORE_WATCHDOG_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "comm/node.h"
#include "comm/stop.h"

/* What a watchdog cannot know itself; called on its thread. */
struct watchdog_calls {
	/* A signal came: save what is on disk. */
	void (*interrupted)(void *context, int signal);
	/* Says that the task in `slot` makes no progress and why; the process ends afterwards. */
	void (*hanging)(void *context, const struct node_slot *slot, bool runs, double seconds);
	/* Twice a second: the neighbours' slots may be looked at; NULL: nobody wants to. */
	void (*looking)(void *context);
	void *context;
};

struct watchdog {
	struct node *node;
	uint32_t slot; /* own */
	double hang_after; /* s; 0: only after a failure */
	struct watchdog_calls calls;
	pthread_t thread;
	_Atomic bool over;
	bool running;
};

/* Blocks the signals it will take; before MPI starts threads, so that none of them takes one. */
void watchdog_block_signals(void);
int watchdog_start(struct watchdog *watchdog, struct error *err);
void watchdog_stop(struct watchdog *watchdog);

/* Seconds without progress that are too many, in a job that is asked to stop; 0: none are. */
double watchdog_patience(enum stop_reason stop, double hang_after);

/*
 * Seconds without progress that are too many in a call of this kind, where patience is what
 * watchdog_patience() returned: without patience 300 s for an open, and 0, no limit, for all others.
 */
double watchdog_limit(double patience, enum activity activity);

const char *activity_name(enum activity activity); /* "a transfer", "sync" … for messages */

#endif
