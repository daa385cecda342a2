/*
 * A group of tasks that communicate. This room is the only core room that calls MPI.
 *
 * Waiting never spins for long. A wait polls, then sleeps an eighth of the time it has waited so
 * far. So tasks that are done take no CPU time from tasks that are still measured. A waiting task
 * also calls an idle function, which forwards stop requests.
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

/*
 * One pause of a waiting loop: yields at first, then sleeps an eighth of the time waited, 20 us to
 * 20 ms.
 */
void comm_rest(uint64_t since_ns);

/*
 * Makes a group of the tasks of from with `inside`, in their order. Collective over from. Other
 * tasks get handle MPI_COMM_NULL.
 */
void comm_group(const struct comm *from, bool inside, struct comm *group);
void comm_release(struct comm *group);

/* A barrier for tasks that may arrive at very different times. idle may be NULL. */
void comm_wait_for_all(const struct comm *comm, const struct idle *idle);

/*
 * A gate opens when all tasks have come to it. A task that has come may go on with its work, and
 * look now and then whether the gate is open.
 */
struct gate {
	MPI_Request request;
	bool open;
};

/* Collective over comm. gate_wait() must follow on each task, before any other collective call. */
void gate_enter(struct gate *gate, const struct comm *comm);
bool gate_is_open(struct gate *gate);
void gate_wait(struct gate *gate, const struct idle *idle);

/* True if `mine` is true on any task. All tasks should call it at about the same time. */
bool comm_any(const struct comm *comm, bool mine);

/*
 * The largest of each of `count` numbers, on every task. All should call it at about the same time.
 */
void comm_most(const struct comm *comm, uint64_t *numbers, int count);
/* comm_most() for tasks that may arrive at very different times. */
void comm_most_of_late(const struct comm *comm, uint64_t *numbers, int count,
		       const struct idle *idle);

/*
 * Returns the number `mine` of task `source`. Collective: every task is the source of exactly one
 * task. The source gets a request and answers it. Between two such calls there must be a step in
 * which all wait for all.
 */
uint64_t comm_ask(const struct comm *comm, int source, uint64_t mine, const struct idle *idle);

/* Sends task 0's bytes to all tasks and replaces their text. Tasks may arrive late. */
void comm_share(const struct comm *comm, struct text *bytes, const struct idle *idle);
void comm_share_fixed(const struct comm *comm, void *bytes, size_t size, const struct idle *idle);

/*
 * Joins all tasks' bytes on task 0 in a binomial tree of O(log tasks) steps. merge(context, mine,
 * theirs, length) adds a higher-numbered neighbour's bytes to mine. The two ranges of tasks always
 * adjoin. Memory is one blob per task; on other tasks the blob is unspecified afterwards.
 */
typedef void comm_merge(void *context, struct text *mine, const void *theirs, size_t length);
void comm_fold(const struct comm *comm, struct text *blob, comm_merge *merge, void *context,
	       const struct idle *idle);

/*
 * comm_fold() for a blob of constant size: *bytes hold the result on task 0, and are unspecified
 * elsewhere.
 */
void comm_fold_fixed(const struct comm *comm, void *bytes, size_t size, comm_merge *merge,
		     void *context, const struct idle *idle);

/*
 * Hands every task's bytes to take(context, bytes) on task 0, sorted by node, then by task. Task 0
 * requests a few ahead, so that its memory does not grow with the number of tasks.
 */
typedef void comm_take(void *context, const void *bytes);
void comm_collect(const struct comm *comm, const struct node_map *map, const void *bytes,
		  size_t size, comm_take *take, void *context, const struct idle *idle);

/*
 * Gives every task the error of the lowest-numbered task that has one, and returns -1 if any has.
 * For steps before a test has its own agreement.
 */
int comm_agree_error(const struct comm *comm, struct error *err);

/*
 * Ends the job with this exit code; the only caller of MPI_Abort. It first waits half a second, as
 * MPICH loses messages that a launcher's helper on another node has not read yet.
 */
_Noreturn void comm_abort(int code);

#endif
