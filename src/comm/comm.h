/*
 * A group of tasks that talk. This room is the only one of the core that calls MPI.
 *
 * Waiting never spins for long: a wait polls, and sleeps an eighth of the time it has waited, so that
 * tasks that are done do not take the processor from those that are still measured. While a task
 * waits it runs an idle function: it forwards stop requests.
 */
#ifndef COMM_COMM_H
#define COMM_COMM_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "plan/node_map.h"

struct comm {
	MPI_Comm handle; /* MPI_COMM_NULL for tasks outside */
	int rank;
	int size;
};

struct idle {
	void (*poll)(void *context);
	void *context;
};

/* For loops that wait: yields at first, then sleeps an eighth of the time waited so far, 20 us to 20 ms. */
void comm_rest(uint64_t since_ns);

/* The tasks of from that say so, in their order; collective over from. Others get handle MPI_COMM_NULL. */
void comm_group(const struct comm *from, bool inside, struct comm *group);
void comm_release(struct comm *group);

/* Loose: some may come much later. idle may be NULL. */
void comm_wait_for_all(const struct comm *comm, const struct idle *idle);

/* Whether it is true on any task. Tight: everyone is expected at about the same time. */
bool comm_any(const struct comm *comm, bool mine);

/* The largest of each of `count` numbers, on every task. Tight too. */
void comm_most(const struct comm *comm, uint64_t *numbers, int count);
/* The same where some may come much later. */
void comm_most_of_late(const struct comm *comm, uint64_t *numbers, int count,
		       const struct idle *idle);

/*
 * Each task gets the number of another one: `source`'s. Every task must be asked by exactly one, and
 * all take part: a request to the source, which gets one, and an answer. Between two of these there
 * must be a step in which all wait for all.
 */
uint64_t comm_ask(const struct comm *comm, int source, uint64_t mine, const struct idle *idle);

/* Task 0's bytes to all; the others' text is replaced. Waits loosely. */
void comm_share(const struct comm *comm, struct text *bytes, const struct idle *idle);
void comm_share_fixed(const struct comm *comm, void *bytes, size_t size, const struct idle *idle);

/*
 * Joins every task's bytes on task 0 in a binomial tree: merge(context, mine, theirs, length) puts a
 * higher-numbered neighbour's bytes into mine, ranges always adjoin in order of task number. Memory
 * is one blob per task; the others' blobs are unspecified afterwards. O(log tasks) steps.
 */
typedef void comm_merge(void *context, struct text *mine, const void *theirs, size_t length);
void comm_fold(const struct comm *comm, struct text *blob, comm_merge *merge, void *context,
	       const struct idle *idle);

/* The same for a blob whose size does not change: *bytes of task 0 hold the result, of others nothing. */
void comm_fold_fixed(const struct comm *comm, void *bytes, size_t size, comm_merge *merge,
		     void *context, const struct idle *idle);

/*
 * Every task's bytes to task 0, one after the other in the order of nodes, on a node in that of tasks:
 * take(context, bytes). Task 0 asks a few ahead, so that its memory does not grow with their number.
 */
typedef void comm_take(void *context, const void *bytes);
void comm_collect(const struct comm *comm, const struct node_map *map, const void *bytes, size_t size,
		  comm_take *take, void *context, const struct idle *idle);

/*
 * The error of the lowest-numbered task that has one, on every task; returns -1 when there is one.
 * For steps before a test has its own agreement.
 */
int comm_agree_error(const struct comm *comm, struct error *err);

/*
 * Ends the job with this exit code; the only caller of MPI_Abort. It lets half a second pass before: what a
 * launcher's helper on another node had not read of the last message by then is lost with MPICH.
 */
_Noreturn void comm_abort(int code);

#endif
