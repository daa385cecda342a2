/*
 * What the tasks of one node share in memory: stop requests, the node's clock offset, and a slot per
 * task that says what it is doing. The owner stores into its slot with relaxed stores; its
 * neighbours' watchdogs read it, so that a task that no longer runs can still be named.
 */
#ifndef COMM_NODE_H
#define COMM_NODE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "comm/node_time.h"
#include "comm/world.h"

enum stop_reason { STOP_NONE, STOP_FAILURE, STOP_SIGNAL, STOP_DEADLINE };

enum activity {
	ACTIVITY_NONE,    /* outside a phase, or computing */
	ACTIVITY_WAITING, /* for other tasks */
	ACTIVITY_START,
	ACTIVITY_OPEN,
	ACTIVITY_TRANSFER,
	ACTIVITY_OPERATION, /* on a name, in a metadata phase */
	ACTIVITY_SYNC,
	ACTIVITY_CLOSE,
	ACTIVITY_NAMES, /* existence checks, sizes, removal */
	ACTIVITY_READ_BACK, /* did it arrive */
	ACTIVITY_STOP,
	ACTIVITY_REPORT, /* writing the results */
};

enum { NODE_FAILURE_SIZE = 1024, NODE_NEWS_SIZE = 64 };

/* One task's, in a cache line pair of its own. */
struct node_slot {
	_Alignas(128) _Atomic uint64_t operations; /* finished in this phase */
	_Atomic uint64_t goal;                     /* that one pass over the phase has */
	_Atomic uint64_t began_ns;                 /* the phase, on CLOCK_MONOTONIC's axis; 0: not yet */
	_Atomic uint32_t activity;                 /* enum activity */
	_Atomic uint32_t steps;                    /* changes of activity, so that a change is seen */
	_Atomic uint32_t phase;                    /* enum phase_kind + 1 while in one, else 0 */
	_Atomic uint64_t beat;                     /* its watchdog is alive: counts up */
	_Atomic double pace;                       /* s a transfer or operation in the last phase; 0: none */
	uint32_t rank;
	int32_t pid;
};

struct node_shared {
	_Atomic uint32_t stop;     /* enum stop_reason */
	_Atomic uint32_t signal;   /* that asked for it */
	_Atomic uint32_t reported; /* a watchdog of this node has spoken */
	struct node_time times[NODE_TIMES]; /* this node's clock against node 0's */
	_Atomic uint32_t failures; /* tasks that failed so far */
	_Atomic bool failure_told; /* failure is there to be read */
	char failure[NODE_FAILURE_SIZE]; /* of the first, for a watchdog that has to end the job */
	_Atomic uint32_t news_count; /* node_tell() so far; who sleeps waits for it to change */
	char news[NODE_NEWS_SIZE];
	struct node_slot slots[]; /* one per task of the node, by slot */
};

struct node {
	struct node_shared *shared;
	struct node_slot *own;
	uint32_t tasks; /* of this node, and slots */
	uint32_t places; /* CPUs for these tasks, or fewer by a quota */
	MPI_Win window; /* MPI_WIN_NULL when a task is alone */
	MPI_Comm comm;
	struct comm leaders; /* the first task of each node; handle MPI_COMM_NULL for the others */
	bool knows_leaders;
	uint32_t news_count; /* node_tell() so far */
};

/* Collective over all tasks; the same error on every one where a node's tasks cannot share memory. */
int node_start(struct node *node, const struct world *world, struct error *err);
void node_finish(struct node *node);

/* Before the first node_tell(): most jobs need none, and it takes its time. Collective over all. */
void node_find_leaders(struct node *node, const struct world *world);

/*
 * Task 0's bytes to all tasks, NODE_NEWS_SIZE at most, some of which may be asked long before it knows
 * them. Only the first task of each node looks for them; the others sleep in the kernel and cost
 * nothing. Collective over all; between two calls there must be a step in which all wait for all.
 */
void node_tell(struct node *node, void *bytes, size_t size);

/* Keeps the first failure of a node in words, should nobody come to report it in order. */
void node_note_failure(struct node *node, const char *text);
/* NULL: none. */
const char *node_failure(const struct node *node);

static inline void node_say(struct node *node, enum activity activity)
{
	atomic_store_explicit(&node->own->activity, activity, memory_order_relaxed);
	atomic_fetch_add_explicit(&node->own->steps, 1, memory_order_relaxed);
}

#endif
