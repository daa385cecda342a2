/*
 * A thread beside each task that mostly sleeps. It takes the signals. After a failure or a signal,
 * or always with hang_after, it checks every half second whether a task on this node is stuck in a
 * call or no longer runs. It then names that task and the earlier failure, and aborts the job.
 * Finished phases are on disk by then. The limit is hang_after, at most 60 s after a failure and 10
 * s after a signal. Without a limit only an open is judged, after 300 s: MPI_File_open may wait for
 * a failed task.
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

/* Callbacks, called on the watchdog's thread. */
struct watchdog_calls {
	/* Called after a signal: saves the results so far. */
	void (*interrupted)(void *context, int signal);
	/*
	 * Reports that the task in `slot` makes no progress and why. The process ends afterwards.
	 */
	void (*hanging)(void *context, const struct node_slot *slot, bool runs, double seconds);
	/* Called twice a second, for instance for the live line; NULL: not wanted. */
	void (*looking)(void *context);
	/*
	 * Called whenever the watchdog wakes. Returns when to wake it next at the latest,
	 * CLOCK_MONOTONIC; NULL: not wanted.
	 */
	uint64_t (*sampling)(void *context);
	void *context;
};

struct watchdog {
	struct node *node;
	uint32_t slot;	   /* this task's slot */
	double hang_after; /* s; 0: only after a failure */
	struct watchdog_calls calls;
	pthread_t thread;
	_Atomic bool over;
	bool running;
};

/*
 * Blocks the signals that the watchdog takes. Call before MPI starts threads, so that they inherit
 * the mask.
 */
void watchdog_block_signals(void);
/* Lets these signals call `end`, on this thread, until the watchdog takes them. Call after MPI. */
void watchdog_end_by_signals(void (*end)(int signal));
int watchdog_start(struct watchdog *watchdog, struct error *err);
void watchdog_stop(struct watchdog *watchdog);

/* Limit in seconds without progress, for a job with this reason to stop; 0: no limit. */
double watchdog_patience(enum stop_reason stop, double hang_after);

/*
 * Limit in seconds without progress in a call of this kind. patience: result of
 * watchdog_patience(). Without patience an open has 300 s, and all other calls have 0, no limit.
 */
double watchdog_limit(double patience, enum activity activity);

const char *activity_name(enum activity activity); /* "a transfer", "sync" … for messages */

#endif
