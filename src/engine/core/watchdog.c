/* A thread beside each task that only sleeps. */
#include "engine/core/watchdog.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "comm/comm.h"
#include "comm/stop.h"

enum { LOOK_NS = 500000000, OVERSLEPT_NS = 3 * LOOK_NS };
enum { ABORT_SECONDS = 3, SILENT_SECONDS = 3 };
static const double after_failure_seconds = 60;
/* Schedulers kill half a minute after SIGTERM. Some launchers only wait. */
static const double after_signal_seconds = 10;
/* An open that fails on some tasks leaves the others in MPI_File_open forever. */
static const double open_seconds = 300;
/* The watchdog of slot 0 speaks first, as task 0 may be there and writes the result. */
static const double others_wait_seconds = 2;

/* Last observed state of one neighbour, and the time of its last change. */
struct seen {
	uint64_t operations;
	uint32_t steps;
	uint64_t beat;
	uint64_t moved_ns;
	uint64_t beat_ns;
};

static sigset_t watched_signals(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGUSR1);
	return signals;
}

void watchdog_block_signals(void)
{
	sigset_t signals = watched_signals();

	pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

void watchdog_end_by_signals(void (*end)(int signal))
{
	const struct sigaction action = {.sa_handler = end};
	sigset_t signals = watched_signals();

	for (int signal = 1; signal < NSIG; signal++)
		if (sigismember(&signals, signal) == 1)
			sigaction(signal, &action, NULL);
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

const char *activity_name(enum activity activity)
{
	static const char *const names[] = {
		[ACTIVITY_NONE] = "computing",
		[ACTIVITY_WAITING] = "waiting for other tasks",
		[ACTIVITY_START] = "starting the backend",
		[ACTIVITY_OPEN] = "open",
		[ACTIVITY_TRANSFER] = "a transfer",
		[ACTIVITY_METADATA] = "an operation",
		[ACTIVITY_SYNC] = "sync",
		[ACTIVITY_CLOSE] = "close",
		[ACTIVITY_FILES] = "stat or remove",
		[ACTIVITY_READ_BACK] = "reading back",
		[ACTIVITY_STOP] = "stopping the backend",
		[ACTIVITY_REPORT] = "writing the results",
	};

	return names[activity];
}

static void take_signal(struct watchdog *watchdog, int signal)
{
	atomic_store(&watchdog->node->shared->signal, (uint32_t)signal);
	stop_request(watchdog->node, STOP_SIGNAL);
	watchdog->calls.interrupted(watchdog->calls.context, signal);
}

double watchdog_patience(enum stop_reason stop, double hang_after)
{
	double limit = 0;

	switch (stop) {
	case STOP_NONE:
	case STOP_DEADLINE: /* orderly end: a last close may take long */
		break;
	case STOP_FAILURE:
		limit = after_failure_seconds;
		break;
	case STOP_SIGNAL:
		limit = after_signal_seconds;
		break;
	}
	if (limit > 0 && hang_after > 0)
		return fmin(limit, hang_after);
	return fmax(limit, hang_after);
}

double watchdog_limit(double patience, enum activity activity)
{
	return patience > 0 || activity != ACTIVITY_OPEN ? patience : open_seconds;
}

static double patience(const struct watchdog *watchdog)
{
	uint32_t stop = atomic_load(&watchdog->node->shared->stop);

	return watchdog_patience((enum stop_reason)stop, watchdog->hang_after);
}

static void watchdog_look_at(const struct node_slot *slot, struct seen *seen, uint64_t now_ns)
{
	uint64_t operations = atomic_load_explicit(&slot->operations, memory_order_relaxed);
	uint32_t steps = atomic_load_explicit(&slot->steps, memory_order_relaxed);
	uint64_t beat = atomic_load_explicit(&slot->beat, memory_order_relaxed);

	if (operations != seen->operations || steps != seen->steps || !seen->moved_ns)
		seen->moved_ns = now_ns;
	if (beat != seen->beat || !seen->beat_ns)
		seen->beat_ns = now_ns;
	seen->operations = operations;
	seen->steps = steps;
	seen->beat = beat;
}

static enum activity activity_of(const struct node_slot *slot)
{
	return (enum activity)atomic_load_explicit(&slot->activity, memory_order_relaxed);
}

static bool is_in_call(const struct node_slot *slot)
{
	enum activity activity = activity_of(slot);

	return activity != ACTIVITY_NONE && activity != ACTIVITY_WAITING;
}

static void report_and_end(struct watchdog *watchdog, const struct node_slot *slot, bool runs,
			   double seconds)
{
	uint32_t nobody = 0;

	if (!atomic_compare_exchange_strong(&watchdog->node->shared->reported, &nobody, 1))
		return;
	watchdog->calls.hanging(watchdog->calls.context, slot, runs, seconds);
	/*
	 * A task blocked in the kernel cannot exit while the launcher waits for it, so MPI must
	 * abort the job. MPI itself may hang: then the alarm ends at least this process.
	 */
	alarm(ABORT_SECONDS);
	comm_abort(1);
}

static double since(uint64_t then_ns, uint64_t now_ns)
{
	return (double)(now_ns - then_ns) / 1e9;
}

/*
 * Ends the job if a task no longer runs. Returns true if a task seems stopped but it is too early
 * to say.
 */
static bool judge_silent(struct watchdog *watchdog, const struct seen *seen, double allowed,
			 uint64_t now_ns)
{
	bool suspected = false;

	for (uint32_t i = 0; i < watchdog->node->tasks; i++) {
		double silent = since(seen[i].beat_ns, now_ns);

		if (silent >= allowed)
			report_and_end(watchdog, &watchdog->node->shared->slots[i], false, silent);
		suspected |= silent > OVERSLEPT_NS / 1e9;
	}
	return suspected;
}

/* Returns when any task of the node last made progress. */
static uint64_t last_moved_ns(const struct watchdog *watchdog, const struct seen *seen)
{
	uint64_t last_ns = 0;

	for (uint32_t i = 0; i < watchdog->node->tasks; i++)
		if (seen[i].moved_ns > last_ns)
			last_ns = seen[i].moved_ns;
	return last_ns;
}

/* limit: seconds without progress that end any call; 0: only an open is judged. */
static void watchdog_judge(struct watchdog *watchdog, const struct seen *seen, double limit,
			   uint64_t now_ns)
{
	double others_wait = watchdog->slot ? others_wait_seconds : 0;
	/*
	 * Many opens may pass a slow server one after the other: then some task of the node
	 * progresses.
	 */
	double node_still = since(last_moved_ns(watchdog, seen), now_ns);

	/*
	 * Tasks may hang in a call only because one task is stopped. Beats come every half second,
	 * so a few must be missing before a task counts as stopped.
	 */
	if (limit > 0 &&
	    judge_silent(watchdog, seen, fmax(limit + others_wait, SILENT_SECONDS), now_ns))
		return;
	for (uint32_t i = 0; i < watchdog->node->tasks; i++) {
		const struct node_slot *slot = &watchdog->node->shared->slots[i];
		double allowed = watchdog_limit(limit, activity_of(slot));
		double still = limit > 0 ? since(seen[i].moved_ns, now_ns) : node_still;

		if (allowed > 0 && still >= allowed + others_wait && is_in_call(slot))
			report_and_end(watchdog, slot, true, still);
	}
}

/* Nanoseconds until the watchdog is to look again. */
static long nap_ns(const struct watchdog *watchdog)
{
	uint64_t next_ns, now_ns;

	if (!watchdog->calls.sampling)
		return LOOK_NS;
	next_ns = watchdog->calls.sampling(watchdog->calls.context);
	now_ns = clock_monotonic_ns();
	if (next_ns < now_ns)
		return 0;
	return next_ns - now_ns < LOOK_NS ? (long)(next_ns - now_ns) : LOOK_NS;
}

static void *watch(void *argument)
{
	struct watchdog *watchdog = argument;
	struct seen *seen = memory_allocate(watchdog->node->tasks, sizeof(*seen));
	struct node_slot *own = watchdog->node->own;
	sigset_t signals = watched_signals();
	uint64_t looked_ns = clock_monotonic_ns();
	double judged_by = -1; /* limit for which `seen` was collected; -1: none yet */

	while (!atomic_load(&watchdog->over)) {
		struct timespec nap = {.tv_nsec = nap_ns(watchdog)};
		int signal = sigtimedwait(&signals, NULL, &nap);

		if (atomic_load(&watchdog->over))
			break;
		if (signal > 0)
			take_signal(watchdog, signal);
		atomic_fetch_add_explicit(&own->beat, 1, memory_order_relaxed);
		uint64_t now_ns = clock_monotonic_ns();
		double limit = patience(watchdog);

		/*
		 * A watchdog that was itself stopped, perhaps with the whole job, cannot judge
		 * others.
		 */
		if (now_ns - looked_ns > OVERSLEPT_NS)
			judged_by = -1;
		looked_ns = now_ns;
		if (watchdog->calls.looking)
			watchdog->calls.looking(watchdog->calls.context);
		if (judged_by != limit)
			memset(seen, 0, watchdog->node->tasks * sizeof(*seen));
		judged_by = limit;
		for (uint32_t i = 0; i < watchdog->node->tasks; i++)
			watchdog_look_at(&watchdog->node->shared->slots[i], &seen[i], now_ns);
		watchdog_judge(watchdog, seen, limit, now_ns);
	}
	free(seen);
	return NULL;
}

int watchdog_start(struct watchdog *watchdog, struct error *err)
{
	int code;

	watchdog_block_signals();
	atomic_store(&watchdog->over, false);
	code = pthread_create(&watchdog->thread, NULL, watch, watchdog);
	if (code)
		return error_set(err, code, "pthread_create: %s", strerror(code));
	watchdog->running = true;
	return 0;
}

void watchdog_stop(struct watchdog *watchdog)
{
	if (!watchdog->running)
		return;
	atomic_store(&watchdog->over, true);
	/*
	 * SIGUSR1 ends the sleep at once. All threads block this signal, so only sigtimedwait()
	 * takes it.
	 */
	pthread_kill(watchdog->thread, SIGUSR1);
	pthread_join(watchdog->thread, NULL);
	watchdog->running = false;
}
