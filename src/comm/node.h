/*
 * The memory that the tasks of one node share: stop requests, the node's clock offset, and a slot
 * per task that shows its activity. The owner writes its slot with relaxed stores. Its neighbours'
 * watchdogs read the slot, so that a task that no longer runs can be named.
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
	ACTIVITY_NONE,	  /* outside a phase, or computing */
	ACTIVITY_WAITING, /* for other tasks */
	ACTIVITY_START,
	ACTIVITY_OPEN,
	ACTIVITY_TRANSFER,
	ACTIVITY_METADATA, /* a metadata operation */
	ACTIVITY_SYNC,
	ACTIVITY_CLOSE,
	ACTIVITY_FILES,	    /* existence checks, sizes, removal */
	ACTIVITY_READ_BACK, /* checks that written data arrived */
	ACTIVITY_STOP,
	ACTIVITY_REPORT, /* writing the results */
};

enum { NODE_FAILURE_SIZE = 1024, NODE_NEWS_SIZE = 64 };

/* One task's slot, in its own pair of cache lines. */
struct node_slot {
	_Alignas(128) _Atomic uint64_t operations; /* finished in this phase */
	_Atomic uint64_t goal;			   /* operations of one pass over the phase */
	_Atomic uint64_t held;			   /* transfers of each file, see plan_locate() */
	_Atomic uint64_t began_ns;		   /* start of the phase, monotonic; 0: not yet */
	_Atomic uint32_t activity;		   /* enum activity */
	_Atomic uint32_t steps;			   /* number of changes of activity */
	_Atomic uint32_t phase;			   /* enum phase_kind + 1, or 0 outside a phase */
	_Atomic uint64_t beat;			   /* counts up while its watchdog is alive */
	_Atomic double pace;			   /* s per operation in the last phase; 0: none */
	uint32_t rank;
	int32_t pid;
};

/*
 * Numbers that a task counts while a phase runs, for relay.h. Of a crew's first slot on a node the
 * other members say when the phase ends, and who has left it.
 */
struct node_counts {
	_Alignas(128) _Atomic uint64_t end_ns; /* on the common axis; 0: at its planned end */
	_Atomic uint64_t left_ns;	       /* when the last task left, on this node's clock */
	_Atomic uint32_t left;		       /* tasks that have left */
	uint64_t words[];
};

struct node_shared {
	_Atomic uint32_t stop;		    /* enum stop_reason */
	_Atomic uint32_t signal;	    /* the signal that asked for the stop */
	_Atomic uint32_t reported;	    /* a watchdog of this node has reported */
	struct node_time times[NODE_TIMES]; /* this node's clock against node 0's */
	_Atomic uint32_t failures;	    /* tasks that failed so far */
	_Atomic bool failure_is_set;	    /* failure[] is complete */
	char failure[NODE_FAILURE_SIZE]; /* text of the first, for a watchdog that ends the job */
	_Atomic uint32_t
		news_count; /* calls of node_broadcast(); sleeping tasks wait for a change */
	char news[NODE_NEWS_SIZE];
	struct node_slot slots[]; /* one per task of the node, by slot */
};

struct node {
	struct node_shared *shared;
	struct node_slot *own;
	uint32_t tasks; /* tasks and slots of this node */
	uint32_t cpus;	/* CPUs for these tasks, or fewer with a quota */
	size_t words;	/* of a task's struct node_counts; 0: it has none */
	MPI_Win window; /* MPI_WIN_NULL when a task is alone */
	MPI_Comm comm;
	struct comm leaders; /* the first task of each node; handle MPI_COMM_NULL for the others */
	bool knows_leaders;
	uint32_t news_count; /* calls of node_broadcast() so far */
};

/*
 * words: numbers that each task counts in the node's memory. Collective over all tasks. If the
 * tasks of any node cannot share memory, all tasks get the same error.
 */
int node_start(struct node *node, const struct world *world, size_t words, struct error *err);
void node_finish(struct node *node);

struct node_counts *node_counts(const struct node *node, uint32_t slot);

/*
 * Call it before the first node_broadcast(). It takes time, and most jobs do without. Collective
 * over all tasks.
 */
void node_find_leaders(struct node *node, const struct world *world);

/*
 * Sends task 0's bytes, NODE_NEWS_SIZE at most, to all tasks; tasks may wait long for them. Only
 * the first task of each node polls. The others sleep in the kernel and use no CPU time. Collective
 * over all tasks. Between two calls there must be a step in which all wait for all.
 */
void node_broadcast(struct node *node, void *bytes, size_t size);

/* Keeps the text of a node's first failure, in case a watchdog must end the job. */
void node_note_failure(struct node *node, const char *text);
/* The text of the node's first failure; NULL: none. */
const char *node_failure(const struct node *node);

/* The slot of this task. */
static inline uint32_t node_own_slot(const struct node *node)
{
	return (uint32_t)(node->own - node->shared->slots);
}

static inline void node_set_activity(struct node *node, enum activity activity)
{
	atomic_store_explicit(&node->own->activity, activity, memory_order_relaxed);
	atomic_fetch_add_explicit(&node->own->steps, 1, memory_order_relaxed);
}

#endif
