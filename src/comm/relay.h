/*
 * Brings numbers that tasks count in the memory of their nodes to the first task of a crew while a
 * phase runs, as sums over tasks and intervals of time.
 *
 * All nodes count intervals from one moment. At the end of each the watchdog of a node's first task
 * takes the difference to the end of the one before. That task passes it on along a tree of 16
 * branches, as only the first thread of a process may call MPI. A node of the tree waits for those
 * below it, but only for a few intervals: a sum says how many nodes are in it, and what comes late
 * enters a later one. So the sum over all intervals is exact, and memory does not grow.
 *
 * Along the same tree the first task may ask all tasks to end their phase at one moment.
 */
#ifndef COMM_RELAY_H
#define COMM_RELAY_H

#include <pthread.h>

#include "comm/crew.h"
#include "comm/node.h"

enum { RELAY_BRANCHES = 16, RELAY_KEPT = 8 /* intervals */ };

struct relay_sums {
	uint64_t number; /* of the interval, from 1 */
	uint64_t nodes;
	uint64_t length_ns; /* summed over these nodes */
	uint64_t last;	    /* in messages: a node's last one */
	uint64_t words[];
};

/* A neighbour in the tree: its rank in the crew, and a receive that waits for its message. */
struct relay_neighbour {
	int task;
	MPI_Request request;
	unsigned char *bytes;
};

/* The first thread of the process and its watchdog share it; `lock` is for both. */
struct relay {
	pthread_mutex_t lock;
	const struct crew *crew;
	struct node *node;
	uint32_t first_slot, slots; /* of the crew on this node */
	bool leads;		    /* this task is the crew's first on its node */
	bool samples;		    /* between relay_start() and the node's last interval */
	bool ends;		    /* sums no longer wait for missing nodes */

	/* the node's intervals, on its own clock */
	uint64_t start_ns, interval_ns;
	uint64_t sampled, sampled_ns;
	uint64_t *seen; /* sums over the node's tasks at that moment */

	/* sums that wait for nodes, by number % RELAY_KEPT */
	struct relay_sums *rows[RELAY_KEPT], *sample;
	uint64_t oldest, newest;
	uint32_t nodes; /* of this part of the tree */

	/* the tree */
	struct relay_neighbour above, below[RELAY_BRANCHES];
	unsigned below_count, below_left;
	struct text message; /* the one that is being sent */
	MPI_Request sending;
	uint64_t end_ns; /* what this task passes on; see relay_end_at() */
	bool passed_on;
};

/* The numbers are the words of struct node_counts, which are never reset. */
void relay_init(struct relay *relay, struct node *node);
void relay_release(struct relay *relay);

/* Call it before a phase, when no task counts. job_node: the job's number of this node. */
void relay_prepare(struct relay *relay, const struct crew *crew, uint32_t job_node);
/* All tasks of the crew begin: intervals count from start_ns, by this node's clock. */
void relay_start(struct relay *relay, uint64_t start_ns, uint64_t interval_ns);
/* This task has ended its phase at now_ns. */
void relay_leave(struct relay *relay, uint64_t now_ns);

/*
 * On the watchdog: takes the interval that has ended, if one has. Returns the moment at which the
 * next one ends; UINT64_MAX: there is none.
 */
uint64_t relay_sample(struct relay *relay, uint64_t now_ns);

/* On the first thread, at least every 100 ms: passes on what has come. */
void relay_poll(struct relay *relay);

/*
 * On the crew's first task: moves the next sums into *sums, which has room for the words, and
 * returns true; false while there are none.
 */
bool relay_take(struct relay *relay, struct relay_sums *sums);

/* On the crew's first task: all tasks shall end their phase at end_ns on the common axis. */
void relay_end_at(struct relay *relay, uint64_t end_ns);
/* The moment that relay_end_at() gave; 0: none so far. */
uint64_t relay_end(const struct relay *relay);

/*
 * Call it when all tasks have left. Takes the rest of the last interval, and brings all sums to the
 * first task, which can then take them. Collective over the crew.
 */
void relay_settle(struct relay *relay);

#endif
